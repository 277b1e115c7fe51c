"""What `knightstour sample -o DIR/` and `knightstour check DIR/` do: data sets written and checked.

Ctrl-C ends all workers at once; what was finished stays, and a note says what that is and how to go on.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from knightstour import console, memory
from knightstour.commands.options import workers_of
from knightstour.datasets.checking import check_dataset
from knightstour.datasets.plan import MANIFEST, Manifest, read_manifest
from knightstour.datasets.reading import DataSet
from knightstour.datasets.unique import is_draft
from knightstour.datasets.writing import Progress, draw_dataset
from knightstour.errors import CannotWrite, FormatError
from knightstour.given import amount
from knightstour.processes import WorkerDied
from knightstour.sampling import SampleQuestion


def is_directory(output: str | None) -> bool:
    """Whether an output is meant as a data set: it ends as directories do, or is one."""
    return output is not None and (output.endswith(("/", os.sep)) or os.path.isdir(output))


def sample_dataset_command(
    question: SampleQuestion,
    *,
    output: str,
    threads: int | None = None,
    columns: tuple[str, ...] = (),
    part_tours: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    resume: bool = False,
    stats: bool = False,
    as_json: bool = False,
) -> int:
    """Draw tours into the data set `output`; returns the exit code. The arguments are those of draw_dataset."""
    amount(part_tours, "--part-tours")
    status = console.StatusLine()
    began = time.perf_counter()
    # Tours of earlier runs.
    before = 0
    reached = "getting ready"

    def tell(progress: Progress) -> None:
        nonlocal before, reached
        if progress.stage == "checking":
            before = progress.tours
        reached = (
            f"{progress.stage}: {progress.done:,} of {progress.todo:,} pieces, "
            f"{progress.tours:,} of {question.n:,} tours written"
        )
        status.show(in_a_line())

    def in_a_line() -> str:
        return f"{reached}, {time.perf_counter() - began:.0f} s (Ctrl-C stops)"

    def note(text: str) -> None:
        status.say("note", text)

    try:
        with workers_of(workers, scheduler) as crew, console.told_about_compiling(status), status.ticking(in_a_line):
            dataset = draw_dataset(
                output,
                question,
                columns=columns,
                workers=crew,
                threads=threads,
                resume=resume,
                part_tours=part_tours,
                on_progress=tell,
                on_note=note,
            )
    except KeyboardInterrupt:
        status.clear()
        _say_interrupted(output)
        return console.INTERRUPTED
    except (FormatError, WorkerDied) as error:
        status.clear()
        _add_how_to_go_on(error, output)
        raise
    status.clear()
    summary = _summary(dataset, before, time.perf_counter() - began)
    if as_json:
        print(json.dumps(summary))
    else:
        console.say("note", _in_words(summary, with_rate=stats))
    if dataset.manifest.reason:
        console.say("note", dataset.manifest.reason)
    return console.FOUND


def _say_interrupted(output: str) -> None:
    manifest = _manifest_of(output)
    if manifest is None:
        console.say("note", "interrupted before anything was written")
        return
    drafts = sum(receipt.rows for name, receipt in manifest.work.items() if is_draft(name))
    text = f"interrupted after {manifest.tours:,} tours were written"
    if drafts:
        text += f"; {drafts:,} more are drawn and kept, to be looked through for repeats"
    console.say("note", text)
    console.say("help", _go_on(manifest))


def _manifest_of(output: str) -> Manifest | None:
    try:
        return read_manifest(Path(output))
    except FormatError:
        return None


def _go_on(manifest: Manifest) -> str:
    return f"go on with the same command and --resume --seed {manifest.plan.seed}"


def _add_how_to_go_on(error: FormatError | WorkerDied, output: str) -> None:
    """Have the error of a full disk, or of workers that are gone, end with the words to go on with."""
    if isinstance(error, WorkerDied):
        first = "what was written is kept: bring the cluster or the workers back"
    elif isinstance(error, CannotWrite):
        first = error.remedy
    else:
        return
    manifest = _manifest_of(output)
    if manifest is not None:
        error.help = f"{first}, and {_go_on(manifest)}"


def _summary(dataset: DataSet, before: int, seconds: float) -> dict[str, Any]:
    """What was done, as JSON knows it. before: tours of earlier runs."""
    manifest = dataset.manifest
    return {
        "directory": str(dataset.path),
        "tours": manifest.tours,
        "new_tours": max(0, manifest.tours - before),
        "parts": len(manifest.parts),
        "bytes": sum(part.receipt.bytes for part in manifest.parts.values()),
        **manifest.plan.to_json(),
        "exhausted": manifest.is_exhausted,
        "reason": manifest.reason or None,
        "seconds": round(seconds, 6),
    }


def _in_words(summary: dict[str, Any], *, with_rate: bool) -> str:
    parts = f"{summary['parts']:,} part{'s' * (summary['parts'] != 1)}"
    text = f"{summary['tours']:,} tours in {parts}, {memory.in_words(summary['bytes'])}"
    if with_rate:
        new = summary["new_tours"]
        some = "" if new == summary["tours"] else f"{new:,} of them new "
        rate = new / max(summary["seconds"], 1e-9)
        text += f", {some}in {summary['seconds']:.2f} s ({rate:,.0f} a second) by law {summary['law']}"
    return f"{text}; seed {summary['seed']}"


def check_dataset_command(
    path: str, *, workers: int | None = None, scheduler: str | None = None, as_json: bool = False
) -> int:
    """Check a data set and tell what was found; returns the exit code."""
    status = console.StatusLine()
    checked = wanted = found = 0

    def tell(done: int, todo: int) -> None:
        nonlocal checked, wanted
        checked, wanted = done, todo
        status.show(f"checking: {done:,} of {todo:,} tours (Ctrl-C stops)")

    def take(fault: str) -> None:
        nonlocal found
        found += 1
        if not as_json:
            status.clear()
            print(fault)

    if not os.path.exists(os.path.join(path, MANIFEST)):
        has_parts = any(Path(path).glob("part-*.parquet"))
        raise FormatError(
            "is a directory without a data set: it has no _manifest.json",
            path=path,
            help="draw it again: the command that made it, with --resume, makes the manifest anew"
            if has_parts
            else "give a directory that `knightstour sample -o DIR/` wrote",
        )
    try:
        with workers_of(workers, scheduler) as crew:
            report = check_dataset(path, workers=crew, on_progress=tell, on_fault=take)
    except KeyboardInterrupt:
        status.clear()
        faults = f"{found:,} fault{'s' * (found != 1)}" if found else "no fault"
        console.say("note", f"interrupted after {checked:,} of {wanted:,} tours were checked, with {faults}")
        return console.INTERRUPTED
    status.clear()
    if as_json:
        print(json.dumps(report.to_dict()))
    else:
        print(report.to_text())
    return console.FOUND if report.is_valid else console.IMPOSSIBLE
