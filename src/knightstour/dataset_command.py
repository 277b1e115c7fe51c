"""What `knightstour sample -o DIR/` and `knightstour check DIR/` do: data sets written and checked.

Ctrl-C ends all workers at once; what was finished stays, and a note says how to go on.
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
from knightstour.datasets.plan import MANIFEST, read_manifest
from knightstour.datasets.reading import DataSet
from knightstour.datasets.writing import Progress, draw_dataset
from knightstour.errors import FormatError
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
    status = console.StatusLine()
    began = time.perf_counter()

    def tell(progress: Progress) -> None:
        seconds = time.perf_counter() - began
        status.show(
            f"{progress.stage}: {progress.done:,} of {progress.todo:,} pieces, "
            f"{progress.tours:,} of {question.n:,} tours written, {seconds:.0f} s (Ctrl-C stops)"
        )

    def note(text: str) -> None:
        status.clear()
        console.say("note", text)

    try:
        with workers_of(workers, scheduler) as crew, console.told_about_compiling(status):
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
    status.clear()
    summary = _summary(dataset, time.perf_counter() - began)
    if as_json:
        print(json.dumps(summary))
    elif stats:
        console.say("note", _in_words(summary))
    if dataset.manifest.reason:
        console.say("note", dataset.manifest.reason)
    return console.FOUND


def _say_interrupted(output: str) -> None:
    if not os.path.exists(os.path.join(output, MANIFEST)):
        console.say("note", "interrupted before anything was written")
        return
    manifest = read_manifest(Path(output))
    console.say("note", f"interrupted after {manifest.tours:,} tours were written")
    console.say("help", f"go on with the same command and --resume --seed {manifest.plan.seed}")


def _summary(dataset: DataSet, seconds: float) -> dict[str, Any]:
    """What was done, as JSON knows it."""
    manifest = dataset.manifest
    return {
        "directory": str(dataset.path),
        "tours": manifest.tours,
        "parts": len(manifest.parts),
        "bytes": sum(part.receipt.bytes for part in manifest.parts.values()),
        **manifest.plan.to_json(),
        "exhausted": manifest.is_exhausted,
        "reason": manifest.reason or None,
        "seconds": round(seconds, 6),
    }


def _in_words(summary: dict[str, Any]) -> str:
    rate = summary["tours"] / max(summary["seconds"], 1e-9)
    return (
        f"{summary['tours']:,} tours in {summary['parts']:,} parts, {memory.in_words(summary['bytes'])}, "
        f"in {summary['seconds']:.2f} s ({rate:,.0f} a second) by law {summary['law']}; seed {summary['seed']}"
    )


def check_dataset_command(
    path: str, *, workers: int | None = None, scheduler: str | None = None, as_json: bool = False
) -> int:
    """Check a data set and tell what was found; returns the exit code."""
    status = console.StatusLine()

    def tell(done: int, todo: int) -> None:
        status.show(f"checking: {done:,} of {todo:,} tours (Ctrl-C stops)")

    if not os.path.exists(os.path.join(path, MANIFEST)):
        raise FormatError("is a directory without a data set: it has no _manifest.json", path=path)
    with workers_of(workers, scheduler) as crew:
        report = check_dataset(path, workers=crew, on_progress=tell)
    status.clear()
    if as_json:
        print(json.dumps(report.to_dict()))
    else:
        for fault in report.faults:
            print(fault)
        print(report.to_text())
    return console.FOUND if report.is_valid else console.IMPOSSIBLE
