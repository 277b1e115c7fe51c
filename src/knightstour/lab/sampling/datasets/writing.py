"""Draw tours into a data set: workers share the pieces, and an interrupted run can be resumed.

If the work is interrupted (Ctrl-C, `kill -9`, a full disk, a lost cluster), the directory keeps the finished files. The
same call with `resume` checks each file, names the damaged ones, and makes what is missing. The files are the same as
those of an uninterrupted run, with any workers.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable, Iterable
from contextlib import closing, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar, Unpack

import numpy as np

from knightstour.core.machine import calls, sharing
from knightstour.core.machine.files import locked, make_directory
from knightstour.core.machine.parquet import need_pyarrow
from knightstour.core.model.arguments import defaults_in, shows_arguments
from knightstour.core.model.errors import FormatError, KnightsTourError, ProblemError, confirm
from knightstour.core.model.problem import Question
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.validation import callback, flag, how_many, listed, whole_number
from knightstour.core.model.validation import path as given_path
from knightstour.lab.sampling.datasets import parts, unique
from knightstour.lab.sampling.datasets.columns import in_order
from knightstour.lab.sampling.datasets.manifest import (
    MANIFEST,
    WORK,
    Manifest,
    Part,
    Plan,
    Receipt,
    part_name,
    read_manifest,
    sweep,
    what_is_wrong,
)
from knightstour.lab.sampling.datasets.reading import DataSet
from knightstour.lab.sampling.question import SampleArguments, SampleQuestion
from knightstour.lab.sampling.stream import Stream, why_exhausted

# Names of parts have six digits.
_MOST_PARTS = 1_000_000
# Blocks of the stream in a piece, as long as that is no more squares than this.
_PIECE_BLOCKS = 64
_PIECE_SQUARES = 1 << 24
_SAVE_SECONDS = 2.0
T = TypeVar("T")


class DatasetArguments(SampleArguments, total=False):
    """Which tours a data set holds, and how; `sample_dataset` says what each word means."""

    columns: Iterable[str]
    resume: bool
    part_tours: int | None
    on_note: Callable[[str], None] | None


class DatasetOptions(NamedTuple):
    """What DatasetArguments has besides the question."""

    columns: Iterable[str] = ()
    resume: bool = False
    part_tours: int | None = None
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
    """Draw n tours, those of `sample_tours`, into Parquet files in the directory `path`, which is made if need be.

    asked: which tours are drawn and how they are kept, as keywords:
        closed, start, end, distribution, unique, rng, every, burn_in, randomness: as for sample_tours.
        columns: facts to keep with each tour: symmetry, number, rank, and any statistic of `measure_tours`.
        resume: whether to go on with the data set that is there; `rng` may then be left out, and n may be more than at
            first.
        part_tours: tours of a part, rounded up to whole blocks of the stream; 262,144 of 8x8 by default.
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
    confirm(question.offset == 0, "a data set begins with the stream")
    question.problem.check_takes("a data set")
    need_pyarrow()
    sharing.check_workers(workers)
    directory = Path(given_path(path)).absolute()
    resume, part_tours = flag(options.resume, "resume"), how_many(options.part_tours, "part_tours")
    on_note = options.on_note
    callback(on_note, "on_note")
    columns = tuple(listed(options.columns, "columns"))
    known = _manifest_there(directory, resume, on_note)
    seed = known.plan.seed if question.seed is None and known is not None else question.seed
    stream = Stream(replace(question, unique=False, seed=seed), threads=threads)
    parts.check_columns(columns, stream.problem)
    plan = Plan(
        problem=stream.problem,
        distribution=question.distribution,
        parameters=dict(stream.distribution.parameters),
        seed=stream.seed,
        unique=question.unique,
        columns=in_order(columns),
        part_tours=_piece_of(stream, part_tours),
    )
    if n > _MOST_PARTS * plan.part_tours:
        raise ProblemError(
            f"{n:,} tours would be more than {_MOST_PARTS:,} files",
            help="ask for fewer tours, or for larger files with part_tours (--part-tours)",
        )
    manifest = known or Manifest(plan, n, calls.installed_version())
    _check_same(manifest, plan, n, directory)
    if n > manifest.asked:
        manifest.asked, manifest.is_complete = n, False
        # With more tours the keys fall into other buckets.
        manifest.work.clear()
    make_directory(directory)
    if question.unique:
        make_directory(directory / WORK)
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
        if any(directory.glob("part-*.parquet")) and not resume:
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
        self.directory, self.plan, self.manifest = directory, manifest.plan, manifest
        self.folder = str(directory)
        self.pool = pool
        self.threads = threads
        self.on_note = on_note
        self._report = Reporter(on_progress, "drawing")
        # Parts whose files are not as they were written. They stay in the manifest, which knows how to make them.
        self.damaged: set[int] = set()
        # Drafts that have become parts; they are deleted when the manifest says so.
        self.served: list[str] = []
        self._saved_at = float("-inf")

    def run(self, resume: bool) -> None:
        """Make what is missing."""
        manifest = self.manifest
        if resume:
            sweep(self.directory)
            self._look_through()
        try:
            self._save(always=True)
            if not self.plan.unique:
                self._make_parts()
            elif manifest.is_complete:
                self._mend_unique()
            else:
                self._make_unique()
            manifest.is_complete = True
            manifest.work.clear()
            self._save(always=True)
        except BaseException:
            # What is not in the manifest is made again, so nothing is lost if this fails, too.
            with suppress(KnightsTourError):
                self._save(always=True)
            raise
        shutil.rmtree(self.directory / WORK, ignore_errors=True)

    def _look_through(self) -> None:
        """Find the files that are not as they were written."""
        manifest = self.manifest
        numbers = {part.receipt.file: number for number, part in manifest.parts.items()}
        receipts = [*(part.receipt for part in manifest.parts.values()), *manifest.work.values()]
        pieces = ((self.folder, receipt) for receipt in receipts)

        def take(k: int, wrong: str) -> None:
            if not wrong:
                return
            name = receipts[k].file
            if self.on_note is not None:
                self.on_note(f"{name} {wrong}; it is made again")
            if name in numbers:
                self.damaged.add(numbers[name])
            else:
                del manifest.work[name]

        self._each("checking", what_is_wrong, pieces, len(receipts), take)

    def _each(
        self,
        stage: str,
        function: Callable[..., T],
        pieces: Iterable[tuple[object, ...]],
        count: int,
        take: Callable[[int, T], None],
    ) -> None:
        """Take (number, value) of the pieces as they come; report the progress, and save the manifest."""
        self._show(stage, 0, count)
        with closing(sharing.run_pieces(function, pieces, self.pool)) as values:
            for done, (k, value) in enumerate(values, 1):
                take(k, value)
                self._show(stage, done, count)
                self._save()

    def _show(self, stage: str, done: int, todo: int) -> None:
        if todo:
            self._report(done, f"{self.manifest.tours:,} tours written", stage=f"{stage} pieces", total=todo)

    def _save(self, *, always: bool = False) -> None:
        if always or time.monotonic() - self._saved_at >= _SAVE_SECONDS:
            self.manifest.save(self.directory)
            self._saved_at = time.monotonic()
            for draft in self.served:
                (self.directory / draft).unlink(missing_ok=True)
            self.served.clear()

    def _add(self, number: int, receipt: Receipt, dropped: str = "") -> None:
        first = number * self.plan.part_tours
        draws = self.plan.part_tours if self.plan.unique else receipt.rows
        self.manifest.parts[number] = Part(number, receipt, first, draws, dropped)
        self.damaged.discard(number)

    def _is_there(self, number: int, tours: int) -> bool:
        part = self.manifest.parts.get(number)
        return part is not None and part.receipt.rows == tours and number not in self.damaged

    # -- any tours

    def _make_parts(self) -> None:
        size = self.plan.part_tours
        counts = {
            k: min(size, self.manifest.asked - first) for k, first in enumerate(range(0, self.manifest.asked, size))
        }
        missing = [k for k, count in counts.items() if not self._is_there(k, count)]
        pieces = ((self.plan, self.folder, k, counts[k], self.manifest.version, self.threads) for k in missing)
        self._each("writing", parts.write_part, pieces, len(missing), lambda _, made: self._add(*made))

    # -- different tours

    def _mend_unique(self) -> None:
        """Make parts again whose repeats are known."""
        version, known = self.manifest.version, self.manifest.parts
        pieces = (
            (self.plan, self.folder, k, known[k].dropped, known[k].receipt.rows, version, self.threads)
            for k in sorted(self.damaged)
        )
        self._each("writing", unique.rewrite_part, pieces, len(self.damaged), lambda _, made: self._add(*made))

    def _make_unique(self) -> None:
        size, asked = self.plan.part_tours, self.manifest.asked
        self.manifest.is_exhausted, self.manifest.reason = False, ""
        buckets = max(1, -(-asked // unique.BUCKET_TOURS))
        # A few draws more than asked for, so that one round is enough where there are few repeats.
        count = -(-(asked + asked // 256) // size)
        while True:
            self._compare(count, buckets)
            counted = unique.count_repeats(self.folder, buckets, count)
            different = count * size - int(counted.repeats.sum())
            if different >= asked:
                break
            since_new = count * size - 1 - counted.last_new
            reason = why_exhausted(self.plan.problem, different, since_new)
            if reason:
                self.manifest.is_exhausted, self.manifest.reason = True, reason
                break
            # Suppose that as large a share of the next draws is new. In fact fewer are, so there may be another round.
            more = (asked - different) * count // max(1, different) + 1
            count += min(more, max(4, count))
        news = size - counted.repeats
        kept = np.clip(asked - (np.cumsum(news) - news), 0, news)
        for number in [k for k in self.manifest.parts if k >= count or not kept[k]]:
            (self.directory / part_name(number)).unlink(missing_ok=True)
            del self.manifest.parts[number]
        missing = [k for k in range(count) if kept[k] and not self._is_there(k, int(kept[k]))]
        self._draft([k for k in missing if unique.draft_name(k) not in self.manifest.work], buckets)
        pieces = ((self.plan, self.folder, k, buckets, count, int(kept[k]), self.manifest.version) for k in missing)

        def take(_: int, made: tuple[int, Receipt, str]) -> None:
            self._add(*made)
            draft = unique.draft_name(made[0])
            self.manifest.work.pop(draft, None)
            self.served.append(draft)

        self._each("writing", unique.write_unique_part, pieces, len(missing), take)

    def _compare(self, count: int, buckets: int) -> None:
        """Find the repeats of all buckets among `count` pieces."""
        work = self.manifest.work
        missing = [b for b in range(buckets) if unique.repeats_name(b, count) not in work]
        if not missing:
            return
        self._draft([k for k in range(count) if unique.keys_name(k) not in work], buckets)
        pieces = ((self.folder, b, buckets, count, self.plan.part_tours) for b in missing)

        def take(_: int, receipt: Receipt) -> None:
            work[receipt.file] = receipt

        self._each("comparing", unique.compare_bucket, pieces, len(missing), take)

    def _draft(self, numbers: list[int], buckets: int) -> None:
        pieces = ((self.plan, self.folder, k, buckets, self.threads) for k in numbers)

        def take(_: int, receipts: tuple[Receipt, Receipt]) -> None:
            for receipt in receipts:
                self.manifest.work[receipt.file] = receipt

        self._each("drawing", unique.draft_piece, pieces, len(numbers), take)
