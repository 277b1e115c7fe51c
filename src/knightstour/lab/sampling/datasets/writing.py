"""Draw tours into a data set: workers share the pieces, and an interrupted run can be resumed.

If the work is interrupted (Ctrl-C, `kill -9`, a full disk, a lost cluster), the directory keeps the finished files. The
same call with `resume` checks each file, names the damaged ones, and makes what is missing. The files are the same as
those of an uninterrupted run, with any workers.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, Unpack

from knightstour.core.machine import calls, sharing
from knightstour.core.machine.files import locked, make_directory
from knightstour.core.machine.parquet import need_pyarrow
from knightstour.core.model.arguments import defaults_in, shows_arguments
from knightstour.core.model.errors import FormatError, KnightsTourError, ProblemError, check_own_answer
from knightstour.core.model.problem import Question
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import callback, flag, how_many, listed, one_of, whole_number
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets import parts
from knightstour.lab.sampling.datasets.columns import in_order
from knightstour.lab.sampling.datasets.manifest import (
    FORMATS,
    MANIFEST,
    Manifest,
    Part,
    Plan,
    read_manifest,
    sweep,
    what_is_wrong,
)
from knightstour.lab.sampling.datasets.reading import DataSet
from knightstour.lab.sampling.question import SampleArguments, SampleQuestion
from knightstour.lab.sampling.stream import Stream

# Names of parts have six digits.
_MAX_PARTS = 1_000_000
# Blocks of the stream in a piece, as long as that is no more squares than this.
_PIECE_BLOCKS = 64
_PIECE_SQUARES = 1 << 24
_SAVE_SECONDS = 2.0


class DatasetArguments(SampleArguments, total=False):
    """Which tours a data set holds, and how; `sample_dataset` says what each word means."""

    columns: Iterable[str]
    resume: bool
    part_tours: int | None
    part_format: str
    on_note: Callable[[str], None] | None


class DatasetOptions(NamedTuple):
    """What DatasetArguments has besides the question."""

    columns: Iterable[str] = ()
    resume: bool = False
    part_tours: int | None = None
    part_format: str = "parquet"
    on_note: Callable[[str], None] | None = None


defaults_in(DatasetArguments, SampleQuestion, DatasetOptions)


@shows_arguments
def sample_dataset(
    path: str | os.PathLike[str],
    board: Question,
    n: int,
    *,
    workers: sharing.Workers = None,
    threads: int | None = None,
    on_progress: OnProgress | None = None,
    **asked: Unpack[DatasetArguments],
) -> DataSet:
    """Draw n tours, those of `sample_tours`, into files in the folder `path`, which is made if need be.

    asked: which tours are drawn and how they are kept, as keywords:
        closed, start, end, distribution, rng, every, burn_in, randomness: as for sample_tours.
        columns: facts to keep with each tour: symmetry, number, rank, and any statistic of `measure_tours`.
        resume: whether to go on with the data set that is there; `rng` may then be left out, and n may be more than at
            first.
        part_tours: tours of a part, rounded up to whole blocks of the stream; 262,144 of 8x8 by default.
        part_format: "parquet", packed moves and the columns; or "npy", rows of square numbers, without pyarrow.
        on_note: called with a sentence for each file that is damaged.
    workers: None, a number of processes, or a dask.distributed.Client, whose workers must see the same directory. The
        files do not depend on it.
    threads: with workers None, how many draw; by default one a core.
    on_progress: called with a Progress now and then.

    Raises FormatError if the directory holds another data set or cannot be written, WorkerDied if the workers are gone,
    and what sample_tours raises.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dataset = sample_dataset(folder + "/tours", "6x6", 5000, closed=True, part_tours=2000, rng=7)
    ...     len(dataset), dataset.board, next(iter(dataset)).is_closed
    (5000, Board(6, 6), True)
    """
    options = DatasetOptions(
        columns=asked.pop("columns", ()),
        resume=asked.pop("resume", False),
        part_tours=asked.pop("part_tours", None),
        part_format=asked.pop("part_format", "parquet"),
        on_note=asked.pop("on_note", None),
    )
    if "offset" in asked:
        raise ProblemError("a data set holds the stream from its beginning", help="leave out offset")
    question = SampleQuestion.of(board, whole_number(n, "n", least=0), asked)
    return draw_dataset(path, question, options, workers=workers, threads=threads, on_progress=on_progress)


def draw_dataset(
    path: str | os.PathLike[str],
    question: SampleQuestion,
    options: DatasetOptions,
    *,
    workers: sharing.Workers = None,
    threads: int | None = None,
    on_progress: OnProgress | None = None,
) -> DataSet:
    """What sample_dataset does, for a question in checked form: with an n, and without an offset."""
    n = question.n
    assert n is not None  # asked by all who come here
    check_own_answer(question.offset == 0, "a data set begins with the stream")
    question.problem.check_takes("a data set")
    if question.unique:
        raise ProblemError(
            "a data set holds the stream as it comes, with its repeats",
            help="draw different tours in one call: sample_tours(unique=True), or --unique -o tours.npy",
        )
    part_format = one_of(options.part_format, FORMATS, "format of parts", error=FormatError)
    if part_format == "parquet":
        need_pyarrow()
    sharing.check_workers(workers)
    directory = Path(given_path(path)).absolute()
    resume, part_tours = flag(options.resume, "resume"), how_many(options.part_tours, "part_tours")
    on_note = options.on_note
    callback(on_note, "on_note")
    columns = tuple(listed(options.columns, "columns"))
    known = _manifest_there(directory, resume, on_note)
    seed = known.plan.seed if question.seed is None and known is not None else question.seed
    stream = Stream(replace(question, seed=seed), threads=threads)
    parts.check_columns(columns, stream.problem)
    if columns and part_format == "npy":
        raise ProblemError("parts in .npy have no columns", help="write Parquet, or measure the tours afterwards")
    plan = Plan(
        problem=stream.problem,
        distribution=question.distribution,
        parameters=dict(stream.distribution.parameters),
        seed=stream.seed,
        columns=in_order(columns),
        part_tours=_piece_of(stream, part_tours),
        part_format=part_format,
    )
    if n > _MAX_PARTS * plan.part_tours:
        raise ProblemError(
            f"{n:,} tours would be more than {_MAX_PARTS:,} files",
            help="ask for fewer tours, or for larger files with part_tours (--part-tours)",
        )
    manifest = known or Manifest(plan, n, calls.installed_version())
    _check_same(manifest, plan, n, directory)
    if n > manifest.asked:
        manifest.asked, manifest.is_complete = n, False
    make_directory(directory)
    with locked(directory):
        threads = (threads or os.cpu_count() or 1) if workers is None else 1
        with sharing.pool_of(workers) as pool:
            _Work(directory, manifest, pool, threads, on_progress, on_note).run(resume)
    return DataSet(directory, manifest)


def _manifest_there(directory: Path, resume: bool, on_note: Callable[[str], None] | None) -> Manifest | None:
    """The manifest to go on from; None to start. A FormatError if something is in the way."""
    refuse = partial(FormatError, path=str(directory))
    if os.path.exists(directory) and not directory.is_dir():
        raise refuse("is a file, not a directory", help="give a directory, or a name that is not taken")
    if not os.path.exists(directory / MANIFEST):
        if any(directory.glob("part-*")) and not resume:
            raise refuse(
                "holds parts of a data set already, without their manifest",
                help="give the same command (in Python resume=True) to make it again, or another directory",
            )
        return None
    if not resume:
        raise refuse(
            "holds a data set already",
            help="go on from it with resume=True, or give another directory",
        )
    try:
        return read_manifest(directory)
    except FormatError as error:
        if on_note is not None:
            on_note(f"{error}; all parts are made again")
        return None


def _check_same(manifest: Manifest, plan: Plan, n: int, directory: Path) -> None:
    """A FormatError if the data set that is there cannot become the one asked for."""
    refuse = partial(FormatError, path=str(directory))
    there = dict(manifest.plan.to_json())
    differing = [name for name, value in plan.to_json().items() if there[name] != value]
    if differing:
        raise refuse(
            f"holds another data set, with other values of {' and '.join(differing)}",
            help="ask the same question with the same options, or give another directory",
        )
    if manifest.version != calls.installed_version() and not manifest.is_complete:
        raise refuse(
            f"was started by version {manifest.version} of knightstour",
            help="finish it with that version, or give another directory",
        )
    if n < manifest.asked:
        raise refuse(f"is for {manifest.asked:,} tours, which is more than {n:,}", help="ask for at least as many")


def _piece_of(stream: Stream, part_tours: int | None) -> int:
    """Draws of a piece: whole blocks of the stream."""
    block = stream.block_tours
    if part_tours is not None:
        if not isinstance(part_tours, int) or not 1 <= part_tours < 1 << 31:
            raise ProblemError(f"a part of {part_tours!r} tours cannot be written", help="give 1 to 2,147,483,647")
        return -(-part_tours // block) * block
    return block * max(1, min(_PIECE_BLOCKS, _PIECE_SQUARES // (block * stream.problem.board.square_count)))


class _Work:
    """Makes one data set."""

    def __init__(
        self,
        directory: Path,
        manifest: Manifest,
        pool: sharing.Workers,
        threads: int,
        on_progress: OnProgress | None,
        on_note: Callable[[str], None] | None,
    ) -> None:
        self.directory, self.manifest, self.plan = directory, manifest, manifest.plan
        self.pool, self.threads, self.on_note = pool, threads, on_note
        self._report = Reporter(on_progress, "drawing")
        self._saved_at = float("-inf")

    def run(self, resume: bool) -> None:
        """Make what is missing."""
        if resume:
            sweep(self.directory)
            self._drop_damaged()
        try:
            self._save(always=True)
            self._make_parts()
            self.manifest.is_complete = True
            self._save(always=True)
        except BaseException:
            # What is not in the manifest is made again, so nothing is lost if this fails, too.
            with suppress(KnightsTourError):
                self._save(always=True)
            raise

    def _drop_damaged(self) -> None:
        """Take parts whose files are not as they were written out of the manifest."""
        listed = self.manifest.listed
        pieces = ((str(self.directory), part) for part in listed)
        self._show("checking", 0, len(listed))
        with closing(sharing.run_pieces(what_is_wrong, pieces, self.pool)) as values:
            for done, (k, wrong) in enumerate(values, 1):
                if wrong:
                    del self.manifest.parts[listed[k].number]
                    self.manifest.is_complete = False
                    if self.on_note is not None:
                        self.on_note(f"{listed[k].file} {wrong}; it is made again")
                self._show("checking", done, len(listed))

    def _make_parts(self) -> None:
        size, asked = self.plan.part_tours, self.manifest.asked
        counts = {k: min(size, asked - first) for k, first in enumerate(range(0, asked, size))}
        missing = [k for k, count in counts.items() if self._tours_of(k) != count]
        version, threads = self.manifest.version, self.threads
        pieces = ((self.plan, str(self.directory), k, counts[k], version, threads) for k in missing)
        self._show("writing", 0, len(missing))
        with closing(sharing.run_pieces(parts.make_part, pieces, self.pool)) as values:
            for done, (_, part) in enumerate(values, 1):
                self.manifest.parts[part.number] = part
                self._show("writing", done, len(missing))
                self._save()

    def _tours_of(self, number: int) -> int:
        part: Part | None = self.manifest.parts.get(number)
        return 0 if part is None else part.tours

    def _show(self, stage: str, done: int, todo: int) -> None:
        if todo:
            self._report(done, f"{self.manifest.tours:,} tours written", stage=f"{stage} pieces", total=todo)

    def _save(self, *, always: bool = False) -> None:
        if always or time.monotonic() - self._saved_at >= _SAVE_SECONDS:
            self.manifest.save(self.directory)
            self._saved_at = time.monotonic()
