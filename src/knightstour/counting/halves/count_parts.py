"""Tours counted by halves in parts, for halves whose layers memory cannot hold, and nor can a disk.

parts.py says what a part is. The work has two stages, and each consists of pieces that do not depend on each other, so
that workers may share them:

1. Each part of a half is made, layer after layer, as a whole half is (count_halves.py). Its last layer stays in the
   directory until all is joined; together these take the room of one whole last layer.
2. Each pair of parts is joined, and its sum is written down. The sums added up are the count.

In the directory, for each pass (exact if 0, else modulo two primes): `pass-P/left-K/`, the checkpoint of part K of the
left half, with its last layer once that is made; `pass-P/pair-K-L.json`, the sum of the pair of left part K and right
part L (in a pass modulo two primes, that of each in a file). Files are whole or not there, and carry checksums. What is
done is not done again: a run that goes on looks which files are there.
"""

from __future__ import annotations

import functools
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

from knightstour.counting.halves.count_halves import LocalMarch, Reached, count_by_halves
from knightstour.counting.halves.cut import Cut, count_without_cut, the_cut
from knightstour.counting.halves.layers import Layer, Workers
from knightstour.counting.halves.march import REPORT_SECONDS, Side
from knightstour.counting.halves.middle import (
    NOTHING_JOINED,
    Join,
    Joined,
    find_classes,
    total_of_passes,
    tours_of,
)
from knightstour.counting.halves.parts import Pair, PartedClasses, cut_of_pair, pairs_of_parts
from knightstour.counting.halves.rank_join import RankJoin, by_rank, bytes_by_rank, ranks_pay
from knightstour.counting.halves.stores import (
    FORMAT,
    HALVES_SHARE,
    Checkpoint,
    Details,
    Store,
    fingerprint,
    read_record,
    write_record,
)
from knightstour.counting.means import Watch
from knightstour.counting.residues import Residues
from knightstour.kernels.counting.rank_lists import RankLists
from knightstour.machine import sharing
from knightstour.machine.files import locked
from knightstour.machine.memory import available_bytes
from knightstour.model.budget import Budget
from knightstour.model.errors import FormatError
from knightstour.model.problem import Problem

_OUR_FILES = re.compile(r"\.?(progress\.json|pair-\d+-\d+(-[01])?\.json|left-\d+|right-\d+|spill-\d+-\d+)(\..*)?")
# Of the work of a pass, for the line of progress: making the parts takes about this share.
_PARTS_SHARE = 0.3


class PartsCount(NamedTuple):
    """The answer, and what it took.

    tours: undirected. states: made in all layers of all parts. pairs: of parts that were joined. seconds: wall clock,
    of this run. moduli: the primes counted by, if any.
    """

    tours: int
    states: int
    pairs: int
    seconds: float
    moduli: tuple[int, ...]


class Asked(NamedTuple):
    """What every piece of work needs to know.

    directory: of the pass. key: the fingerprint of the whole work. moduli: the primes of the pass, none for exact
    counts. residues: how many of these the pass has residues for. most_bytes: of memory for a piece. threads: for it.
    """

    problem: Problem
    across: int | None
    parts: int
    directory: str
    key: str
    moduli: tuple[int, ...]
    residues: int
    most_bytes: int
    threads: int


def count_in_parts(
    problem: Problem,
    directory: str | os.PathLike[str],
    *,
    parts: int,
    cut: Cut | None = None,
    workers: sharing.Workers = None,
    threads: int | None = None,
    resume: bool = False,
    budget: Budget | None = None,
) -> PartsCount:
    """The number of tours, undirected, as `count_by_halves` gives it, with each half made in parts.

    directory: for the parts and the sums, seen by all workers under the same name; of finished work only the answer
    stays in it. parts: of a half. cut: the best one known of the board, if it is at hand.
    workers: None, a number of processes, or a Dask client. threads: without workers; by default all processors.
    resume: whether to go on from what the directory holds, with the same or with other workers.
    budget: limits of seconds, nodes (states) and bytes, and who is called with a Progress now and then.

    Raises BoardError where the board cannot be cut, or a part fits neither into memory nor on the disk; LimitReached at
    a limit; FormatError for a directory that is foreign, damaged, in the way or in use.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     count_in_parts(Problem.of((6, 6), closed=True), directory, parts=3).tours
    9862
    """
    started = time.monotonic()
    sharing.check_workers(workers)
    known = count_without_cut(problem)
    if known is not None:
        return PartsCount(known, 0, 0, 0.0, ())
    work = _Parts(problem, cut or the_cut(problem), Path(directory).absolute(), parts, Watch(problem, budget))
    # A process of a crew takes its share of the memory, and one processor.
    shared = workers if isinstance(workers, int) else 1
    most = work.watch.most_bytes
    work.most_bytes = (int(available_bytes() * HALVES_SHARE) if most is None else most) // shared
    work.threads = (threads or os.cpu_count() or 1) if workers is None else 1
    with locked(work.directory):
        work.open(resume)
        if workers is not None and work.total is None:
            # Processes that compile the same kernel at once may spoil its cache.
            count_by_halves(Problem.of((3, 4)), threads=1)
        with sharing.crew_of(workers) as crew:
            work.crew = crew
            tours = work.run()
    seconds = time.monotonic() - started
    return PartsCount(tours, work.states, work.joined, seconds, tuple(work.residues.moduli))


class _Parts:
    """One count in parts while it is made. states: made so far. joined: pairs. total: over the folded halves."""

    def __init__(self, problem: Problem, cut: Cut, directory: Path, parts: int, watch: Watch) -> None:
        self.problem, self.cut, self.directory, self.parts, self.watch = problem, cut, directory, parts, watch
        self.saved = Checkpoint(directory, fingerprint(problem, cut, "parts", parts))
        self.crew: sharing.Workers = None
        self.most_bytes, self.threads = 0, 1
        self.residues = Residues()
        self.states = self.joined = 0
        self.total: int | None = None

    def open(self, resume: bool) -> None:
        """Go on from what the directory holds, if there is anything; a FormatError for that without `resume`."""
        details = self.saved.begin(resume)
        if details is not None:
            self.states, self.joined = int(details["states"]), int(details["joined"])
            self.residues = Residues.from_json(details)
            self.total = None if details["total"] is None else int(details["total"])
        self._save()
        self._sweep()

    def run(self) -> int:
        """The number of tours, exactly, or from as many residues as it takes."""
        if self.total is None:
            self.total = total_of_passes(self.residues, self._one_pass, self._save, self._start_over)
            self._start_over()
        return tours_of(self.total, self.cut)

    def _save(self) -> None:
        total = None if self.total is None else str(self.total)
        details: Details = {"states": self.states, "joined": self.joined, "total": total, **self.residues.to_json()}
        self.saved.save(details, {})

    def _start_over(self) -> None:
        """Write down that this pass is over, and delete its files."""
        self._save()
        self._sweep()

    @property
    def _pass(self) -> Path:
        return self.directory / f"pass-{len(self.residues.moduli) // 2}"

    def _sweep(self) -> None:
        """Delete files of ours of other passes; of all, once the answer is known."""
        for folder in self.directory.glob("pass-*"):
            if folder == self._pass and self.total is None:
                continue
            for path in sorted(folder.rglob("*"), reverse=True):
                if _OUR_FILES.fullmatch(path.name):
                    # Somebody else may keep something there, or have removed it.
                    with suppress(OSError):
                        path.rmdir() if path.is_dir() else path.unlink()
            with suppress(OSError):
                folder.rmdir()

    # -- the work of a pass

    def _one_pass(self) -> Joined:
        moduli = tuple(self.residues.moduli[-2:])
        asked = Asked(
            problem=self.problem,
            across=self.cut.across,
            parts=self.parts,
            directory=str(self._pass),
            key=self.saved.key,
            moduli=moduli,
            residues=len(self.residues.residues) % 2,
            most_bytes=self.most_bytes,
            threads=self.threads,
        )
        watch = self.watch if self.crew is None else None
        halves = ("left",) if self.cut.is_even else ("left", "right")
        wanted = [(asked, name, k, watch) for name in halves for k in range(self.parts)]
        made = 0

        def part_made(states: int) -> None:
            nonlocal made
            made += 1
            self.states += states
            self._report(f"making parts: {made:,} of {len(wanted):,}", _PARTS_SHARE * made / len(wanted))

        self._share_out(make_part, wanted, part_made)
        pairs = pairs_of_parts(self.parts, self.cut.is_even)
        total, done = NOTHING_JOINED, 0

        def pair_joined(part: Joined) -> None:
            nonlocal total, done
            total, done = total.plus(part), done + 1
            self.joined = max(self.joined, done)
            within = _PARTS_SHARE + (1 - _PARTS_SHARE) * done / len(pairs)
            self._report(f"joining pairs of parts: {done:,} of {len(pairs):,}", within)

        # In this process pairs are joined one after the other; others keep nothing from piece to piece.
        shelf: Shelf = {}
        self._share_out(join_pair, [(asked, pair, watch, shelf) for pair in pairs], pair_joined)
        return total

    def _share_out(
        self, function: Callable[..., Any], calls: Iterable[tuple[object, ...]], done: Callable[[Any], None]
    ) -> None:
        with closing(sharing.run_pieces(function, calls, self.crew, in_order=True)) as values:
            for _, value in values:
                done(value)

    def _report(self, text: str, within: float) -> None:
        number, passes = max(1, len(self.residues.moduli) // 2), self.residues.passes
        if passes > 1:
            text += f", pass {number} of {passes}"
        self.watch.report(text, (number - 1 + within) / max(passes, 1), self.states)


# ---------------------------------------------------------------- pieces of work


@functools.lru_cache(maxsize=1)
def _parted(problem: Problem, across: int | None, parts: int) -> tuple[Cut, PartedClasses]:
    """The cut of a question and its classes in parts, kept for all pieces of work."""
    cut = the_cut(problem, across=across)
    return cut, PartedClasses.of(cut, find_classes(cut), parts)


@contextmanager
def _helped(folder: Path) -> Iterator[None]:
    """Say of a damaged file of a part what to do about it."""
    try:
        yield
    except FormatError as error:
        error.help = error.help or f"delete {folder} and go on with --resume (resume=True), which makes this part again"
        raise


def _checkpoint_of(asked: Asked, name: str, k: int) -> Checkpoint:
    return Checkpoint(Path(asked.directory) / f"{name}-{k:03}", f"{asked.key}/{name}-{k}/{asked.moduli}")


class _PartMarch(LocalMarch):
    """The march to the last layer of one part of a half, and no further. done_before: states made of other parts."""

    def __init__(self, cut: Cut, saved: Checkpoint, watch: Watch, store: Store, workers: Workers, words: str) -> None:
        super().__init__(cut, saved, watch, store, workers)
        # A half that begins like the other one begins at the start all the same.
        self.fork = -1
        self.words = words

    def report(self, stage: str, done: int, todo: int, *, always: bool = True) -> None:
        now = time.monotonic()
        if always or now - self._reported_at >= REPORT_SECONDS:
            self._reported_at = now
            self.watch.report(f"{self.words}: layer {done:,} of {todo:,}", None, self.states, self.bytes_held)

    def keep(self, side: Side, reached: Reached) -> None:
        self.done[side.name] = reached.step
        self.save_now_and_then({side.name: reached.layer}, reached.step == len(side.half.steps))

    def make(self, name: str) -> int:
        """Make the last layer, which stays in the checkpoint; how many states that took, in earlier runs too."""
        self._last_layer(name)
        return self.states


def make_part(asked: Asked, name: str, k: int, watch: Watch | None) -> int:
    """Make the last layer of part k of a half, "left" or "right", unless it is there; how many states that took.

    watch: of a count in this process.
    """
    saved = _checkpoint_of(asked, name, k)
    with _helped(saved.directory):
        details = saved.begin(True)
    cut = the_cut(asked.problem, across=asked.across)
    steps = len((cut.right if name == "right" else cut.left).steps)
    if details is not None and saved.has(name) and details[f"{name}_done"] == steps:  # type: ignore[literal-required]
        return int(details["states"])
    cut, parted = _parted(asked.problem, asked.across, asked.parts)
    store = Store(asked.most_bytes, saved.directory)
    with closing(Workers(asked.threads)) as workers, _helped(saved.directory):
        words = f"making part {k + 1:,} of {asked.parts:,}" + ("" if cut.is_even else f" of the {name} half")
        march = _PartMarch(cut, saved, watch or Watch(asked.problem), store, workers, words)
        march.open(True)
        march.residues = Residues(moduli=list(asked.moduli))
        march.classes = parted.of_part(cut, name, k)
        for classes in (*parted.classes.left, *march.classes.left, *march.classes.right):
            store.take(classes.nbytes, "the list of the classes")
        return march.make(name)


# The lists of parts by rank, under the name of the half and the number, from one pair to the next.
Shelf = dict[tuple[str, int], RankLists]


def join_pair(asked: Asked, pair: Pair, watch: Watch | None, shelf: Shelf) -> Joined:
    """Join a pair of parts, and write down its sum, unless that is there."""
    place = f"-{asked.residues}" if asked.moduli else ""
    path = Path(asked.directory) / f"pair-{pair.left:03}-{pair.right:03}{place}.json"
    known = read_record(path, "the sum of a pair of parts", help="delete it, and go on with --resume (resume=True)")
    key = f"{asked.key}/{asked.moduli}"
    if known is not None:
        if known["fingerprint"] != key or known["pair"] != list(pair):
            raise FormatError("is of another count", path=str(path), help="delete it, and go on with --resume")
        return Joined.from_json(known["sum"])
    whole, parted = _parted(asked.problem, asked.across, asked.parts)
    join = _join_of(asked, pair, whole, parted, shelf)

    def report(k: int, part: Joined) -> None:
        if watch is not None:
            watch.report(f"joining parts {pair.left + 1} and {pair.right + 1}: {k + 1:,} of {join.blocks:,}", None)

    with closing(Workers(asked.threads)) as workers:
        joined = join.run(workers, report)
    joined = Joined(pair.times * joined.total, joined.pairs, joined.seen, pair.times * joined.bound)
    write_record(path, {"format": FORMAT, "fingerprint": key, "pair": list(pair), "sum": joined.to_json()})
    return joined


def _join_of(asked: Asked, pair: Pair, whole: Cut, parted: PartedClasses, shelf: Shelf) -> Join | RankJoin:
    """The join of a pair, with counts by rank where that pays, else with words."""
    cut, indices, finals = cut_of_pair(whole, pair), parted.classes.indices, parted.finals(whole, pair)
    parts = [("left", pair.left), ("left" if whole.is_even else "right", pair.right)]
    for key in shelf.keys() - parts:
        del shelf[key]
    store = Store(asked.most_bytes, Path(asked.directory))
    store.take(sum(lists.counts.nbytes for lists in shelf.values()))
    modulus = asked.moduli[asked.residues] if asked.moduli else 0
    for name, k in parts:
        if (name, k) not in shelf:
            layer = _last_layer(asked, parted, store, name, k)
            if cut.ends or not ranks_pay(layer) or not store.take(bytes_by_rank(layer), may_spill=True):
                break
            index = indices[int(name == "right")]
            shelf[name, k] = by_rank(index, layer, asked.residues if modulus else None)
            store.drop(layer)
    else:
        most = (store.limit - store.held) // asked.threads
        return RankJoin(cut, shelf[parts[0]], shelf[parts[1]], finals, modulus, most_bytes=most)
    left = _last_layer(asked, parted, store, *parts[0])
    right = left if cut.is_even else _last_layer(asked, parted, store, *parts[1])
    return Join(cut, indices, (left, right), finals, modulus, asked.residues)


def _last_layer(asked: Asked, parted: PartedClasses, store: Store, name: str, k: int) -> Layer:
    """The last layer of a part, checked."""
    saved = _checkpoint_of(asked, name, k)
    with _helped(saved.directory):
        if saved.begin(True) is None or not saved.has(name):
            raise FormatError("holds no part", path=str(saved.directory))
        return saved.load(name, parted.last(name, k), store)
