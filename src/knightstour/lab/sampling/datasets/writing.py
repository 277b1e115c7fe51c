"""Write random tours as a data set: workers share the parts, and an interrupted run can be resumed.

After an interruption (Ctrl-C, `kill -9`, a full disk, a lost cluster), the folder keeps the finished files. The same
call checks each file, reports the damaged ones, and creates missing and damaged ones. The files equal the files
of an uninterrupted run, with any number of workers.
"""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Unpack

from knightstour.core.machine import calls, sharing
from knightstour.core.machine.files import holds_something, lock_directory, make_directory
from knightstour.core.machine.records import need_pyarrow
from knightstour.core.model.board import Square, square_count
from knightstour.core.model.condition_table import Conditions
from knightstour.core.model.errors import FormatError, KnightsTourError, ProblemError, with_notes
from knightstour.core.model.literals import DistributionName
from knightstour.core.model.problem import Problem, Question, check_supported, problem_for
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import Seed, as_list, callback, check_count, one_of, whole_number
from knightstour.core.model.validation import path as given_path
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.sampling.datasets import parts
from knightstour.lab.sampling.datasets.manifest import (
    FORMATS,
    MANIFEST,
    Manifest,
    Plan,
    fault_of,
    read_manifest,
    sweep,
)
from knightstour.lab.sampling.datasets.reading import DataSet
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Stream

# Part numbers in file names have six digits.
_MAX_PARTS = 1_000_000
# Number of blocks in a piece, up to this number of squares.
_PIECE_BLOCKS = 64
_PIECE_SQUARES = 1 << 24
_SAVE_SECONDS = 2.0


def sample_dataset(
    path: str | os.PathLike[str],
    board: Question,
    n: int,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    distribution: DistributionName = "backbite",
    settings: Mapping[str, int] | None = None,
    unique: bool = False,
    seed: Seed = None,
    offset: int = 0,
    columns: Iterable[str] = (),
    part_tours: int | None = None,
    part_format: str = "parquet",
    on_note: Callable[[str], None] | None = None,
    workers: sharing.Workers = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> DataSet:
    """Draw n tours, as `sample` does, and write them to files in the folder `path`, which is created if necessary.

    A folder with a data set of the same problem is continued; `seed` may then be omitted, and n may be larger.

    Args:
        closed, start, end, distribution, settings, unique, seed, offset: As for sample. The conditions partial, given,
            require, forbid, symmetry, visit_order and where are not supported.
        columns: Statistics of `measure` to store with each tour.
        part_tours: Tours of a part, rounded up to whole blocks of the stream; by default 262,144 for 8x8.
        part_format: "parquet", with encoded moves and the columns; or "npy", with rows of square numbers.
        on_note: Callback with a sentence for each damaged file.
        workers: A number of threads, by default one per core, or a dask.distributed.Client, whose workers must see the
            same folder. The files do not depend on it.
        on_progress: Callback with a Progress from time to time.

    Raises:
        FormatError: If the folder contains another data set.
        OSError: If the folder contains other files, or cannot be written.
        WorkerDied: If the workers are lost.
        KnightsTourError: As for `sample`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dataset = sample_dataset(folder + "/tours", "6x6", 5000, closed=True, part_tours=2000, seed=7)
    ...     len(dataset), dataset.board, next(iter(dataset)).is_closed
    (5000, Board(6, 6), True)
    """
    problem = problem_for(sample_dataset, board, closed, start, end, conditions)
    n = whole_number(n, "n", least=0)
    question = SampleQuestion.of(problem, n, distribution, settings, unique=unique, seed=seed, offset=offset)
    _check_question(question)
    if one_of(part_format, FORMATS, "format of parts", error=FormatError) == "parquet":
        need_pyarrow()
    threads, cluster = sharing.threads_and_cluster(workers)
    callback(on_note, "on_note")
    note = on_note or (lambda text: None)
    directory = Path(given_path(path)).absolute()
    part_tours, is_resumed = check_count(part_tours, "part_tours"), holds_something(directory)
    known = _existing_manifest(directory, note)
    seed = known.plan.seed if question.seed is None and known is not None else question.seed
    stream = Stream(replace(question, seed=seed), threads=threads)
    plan = Plan(
        problem=stream.problem,
        distribution=question.distribution,
        parameters=dict(stream.distribution.parameters),
        seed=stream.seed,
        columns=_columns(columns, stream.problem, part_format),
        part_tours=_piece_of(stream, part_tours),
        part_format=part_format,
    )
    if n > _MAX_PARTS * plan.part_tours:
        raise ProblemError(
            f"{n:,} tours would be more than {_MAX_PARTS:,} files",
            help="request fewer tours, or larger files with part_tours (--part-tours)",
        )
    manifest = known or Manifest(plan, n, calls.installed_version())
    _check_same(manifest, plan, n, directory)
    if n > manifest.wanted:
        manifest.wanted, manifest.is_complete = n, False
    make_directory(directory, help="a data set is a folder: use a folder, or a new name")
    with lock_directory(directory), sharing.pool_of(cluster) as pool:
        threads = (threads or os.cpu_count() or 1) if cluster is None else 1
        report = Reporter(on_progress, "drawing")
        if is_resumed:
            sweep(directory)
            _drop_damaged(directory, manifest, pool, report, note)
        _make_parts(directory, manifest, pool, threads, report)
    return DataSet(directory, manifest)


def _check_question(question: SampleQuestion) -> None:
    """Raise ProblemError for samples that data sets do not support."""
    check_supported(question.problem, "a data set")
    if question.offset:
        raise ProblemError("offset is not supported for data sets", help="omit offset")
    if question.unique:
        raise ProblemError(
            "unique is not supported for data sets",
            help="draw distinct tours in one call: sample(unique=True), or `sample --unique -o tours.npy`",
        )


def _columns(names: Iterable[str], problem: Problem, part_format: str) -> tuple[str, ...]:
    """Raise ProblemError or BoardError for unsupported columns."""
    columns = tuple(dict.fromkeys(as_list(names, "columns")))
    if columns and part_format == "npy":
        raise ProblemError("parts in .npy have no columns", help="write Parquet, or measure the tours afterwards")
    for name in columns:
        statistic_named(name).check(problem.board, problem.closed)
    return columns


def _existing_manifest(directory: Path, note: Callable[[str], object]) -> Manifest | None:
    """Return the manifest to resume, or None; raise FileExistsError for a folder of other files."""
    if not os.path.exists(directory / MANIFEST):
        # A run killed before its first manifest leaves only hidden files.
        if any(not name.startswith(".") for name in (os.listdir(directory) if directory.is_dir() else ())):
            error = FileExistsError(errno.EEXIST, "contains other files, and no data set", str(directory))
            raise with_notes(error, help="use an empty folder, or a new name")
        return None
    try:
        return read_manifest(directory)
    except FormatError as error:
        note(f"{error}; all parts are created again")
        return None


def _check_same(manifest: Manifest, plan: Plan, n: int, directory: Path) -> None:
    """Raise FormatError if the data set on disk has other parameters."""
    refuse = partial(FormatError, path=str(directory))
    there = manifest.plan.to_json()
    differing = [name for name, value in plan.to_json().items() if there[name] != value]
    if differing:
        raise refuse(
            f"contains another data set, with other values of {' and '.join(differing)}",
            help="use the same arguments, or another folder",
        )
    if manifest.version != calls.installed_version() and not manifest.is_complete:
        raise refuse(
            f"was started by version {manifest.version} of knightstour",
            help="finish it with that version, or use another folder",
        )
    if n < manifest.wanted:
        raise refuse(f"has {manifest.wanted:,} tours, more than the {n:,} requested", help="request at least as many")


def _piece_of(stream: Stream, part_tours: int | None) -> int:
    """Return the number of tours in a piece: whole blocks."""
    block = stream.block_tours
    if part_tours is not None:
        if part_tours >= 1 << 31:
            raise ProblemError(f"part_tours cannot be {part_tours:,}", help="pass 1 to 2,147,483,647")
        return -(-part_tours // block) * block
    return block * max(1, min(_PIECE_BLOCKS, _PIECE_SQUARES // (block * square_count(stream.problem.board))))


def _drop_damaged(
    directory: Path, manifest: Manifest, pool: sharing.Workers, report: Reporter, note: Callable[[str], object]
) -> None:
    """Remove parts with missing or changed files."""
    listed = manifest.sorted_parts
    pieces = ((str(directory), part) for part in listed)
    with closing(sharing.run_pieces(fault_of, pieces, pool)) as values:
        for done, (k, wrong) in enumerate(values, 1):
            if wrong:
                del manifest.parts[listed[k].number]
                manifest.is_complete = False
                note(f"{listed[k].file} {wrong}; it is created again")
            report(done, stage="checking pieces", total=len(listed))


def _make_parts(directory: Path, manifest: Manifest, pool: sharing.Workers, threads: int, report: Reporter) -> None:
    """Create missing and short parts, and save the manifest from time to time."""
    size, wanted = manifest.plan.part_tours, manifest.wanted
    counts = {k: min(size, wanted - first) for k, first in enumerate(range(0, wanted, size))}
    manifest.parts = {k: part for k, part in manifest.parts.items() if part.tours == counts.get(k)}
    missing = [k for k in counts if k not in manifest.parts]
    pieces = ((manifest.plan, str(directory), k, counts[k], manifest.version, threads) for k in missing)
    manifest.save(directory)
    saved_at = time.monotonic()
    try:
        with closing(sharing.run_pieces(parts.make_part, pieces, pool)) as values:
            for done, (_, part) in enumerate(values, 1):
                manifest.parts[part.number] = part
                report(done, f"{manifest.tours:,} tours written", stage="writing pieces", total=len(missing))
                if time.monotonic() - saved_at >= _SAVE_SECONDS:
                    manifest.save(directory)
                    saved_at = time.monotonic()
        manifest.is_complete = True
    except BaseException:
        # Parts that are not in the manifest are created again, so nothing is lost if this also fails.
        with suppress(KnightsTourError):
            manifest.save(directory)
        raise
    manifest.save(directory)
