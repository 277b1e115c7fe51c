"""`knightstour sample -o DIR/`: a data set of random tours.

Ctrl-C ends all workers immediately. Finished files are kept, and a note lists them and explains how to resume.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, cast

from knightstour.core.machine.calls import WorkerDied
from knightstour.core.model.errors import FormatError, add_way_on
from knightstour.core.model.literals import DistributionName
from knightstour.core.model.progress import Progress
from knightstour.core.model.validation import check_count
from knightstour.core.model.wording import in_words
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.deadline import Deadline
from knightstour.interfaces.cli.options import open_workers
from knightstour.lab.sampling.datasets.manifest import Manifest, read_manifest
from knightstour.lab.sampling.datasets.reading import DataSet
from knightstour.lab.sampling.datasets.writing import sample_dataset
from knightstour.lab.sampling.question import SampleQuestion


def draw_dataset(
    question: SampleQuestion,
    output: str,
    *,
    columns: str | None,
    part_tours: int | None,
    workers: str | None,
    part_format: str,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Draw tours into the data set `output`; return the exit code.

    part_format: "parquet" or "npy". timeout: Seconds after which the work ends as at Ctrl-C.
    """
    check_count(part_tours, "--part-tours")
    assert question.n is not None  # -n has a default
    status = console.StatusLine()
    began = time.perf_counter()
    reached = Progress("getting ready", 0, None, 0.0)

    def show(progress: Progress) -> None:
        nonlocal reached
        reached = progress
        status.progress(progress)

    def current_progress() -> Progress:
        return reached._replace(seconds=time.perf_counter() - began)

    before = _manifest_of(output)
    had = 0 if before is None else before.tours
    clock = Deadline(timeout)
    try:
        with (
            clock,
            open_workers(workers) as opened,
            console.noting_saved_spaces(status),
            status.ticking(current_progress),
        ):
            drawn = sample_dataset(
                output,
                question.problem,
                question.n,
                columns=tuple(name.strip() for name in (columns or "").split(",") if name.strip()),
                part_tours=part_tours,
                part_format=part_format,
                on_note=lambda text: status.print_message("note", text),
                workers=opened,
                on_progress=show,
                distribution=cast("DistributionName", question.distribution),
                unique=question.unique,
                seed=question.seed,
                offset=question.offset,
            )
    except KeyboardInterrupt:
        status.clear()
        if clock.is_over:
            console.print_message("note", clock.reason)
        _print_interrupted(output)
        return console.UNDECIDED if clock.is_over else console.INTERRUPTED
    except (OSError, WorkerDied) as error:
        status.clear()
        _add_resume_help(error, output)
        raise
    status.clear()
    summary = _summary(drawn, had, time.perf_counter() - began)
    if as_json:
        print(json.dumps(summary))
    else:
        console.print_message("note", _in_words(summary))
    return console.FOUND


def _print_interrupted(output: str) -> None:
    manifest = _manifest_of(output)
    if manifest is None:
        console.print_message("note", "interrupted before anything was written")
        return
    console.print_message("note", f"interrupted after {manifest.tours:,} tours were written")
    console.print_message("help", _resume_text(manifest))


def _manifest_of(output: str) -> Manifest | None:
    try:
        return read_manifest(Path(output))
    except (FormatError, OSError):
        return None


def _resume_text(manifest: Manifest) -> str:
    return f"resume with the same command and --seed {manifest.plan.seed}"


def _add_resume_help(error: OSError | WorkerDied, output: str) -> None:
    """Add a help text on resuming to an error."""
    manifest = _manifest_of(output)
    if manifest is None:
        return
    if isinstance(error, WorkerDied):
        error.help = f"the written tours are kept: restart the cluster or the workers, and {_resume_text(manifest)}"
    else:
        add_way_on(error, _resume_text(manifest))


def _summary(dataset: DataSet, before: int, seconds: float) -> dict[str, Any]:
    manifest = dataset.manifest
    return {
        "directory": str(dataset.path),
        "tours": manifest.tours,
        "new_tours": max(0, manifest.tours - before),
        "parts": len(manifest.parts),
        "bytes": sum(part.bytes for part in manifest.parts.values()),
        **manifest.plan.to_json(),
        "seconds": round(seconds, 6),
    }


def _in_words(summary: dict[str, Any]) -> str:
    parts = f"{summary['parts']:,} part{'' if summary['parts'] == 1 else 's'}"
    text = f"{summary['tours']:,} tours in {parts}, {in_words(summary['bytes'])}"
    new = summary["new_tours"]
    some = "" if new == summary["tours"] else f"{new:,} of them new "
    rate = new / max(summary["seconds"], 1e-9)
    text += f", {some}in {summary['seconds']:.2f} s ({rate:,.0f} a second), distribution {summary['distribution']}"
    return f"{text}; seed {summary['seed']}"
