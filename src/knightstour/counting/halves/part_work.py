"""What a worker does for a count in parts: make the last layer of a part, or join a pair of parts.

count_parts.py cuts the work into these pieces and hands them out, and says which files they leave.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from knightstour.counting.halves.block_files import Place, place_of_ranked, read_ranked
from knightstour.counting.halves.count_halves import LocalMarch, Reached
from knightstour.counting.halves.cut import Cut, the_cut
from knightstour.counting.halves.layers import Layer, Workers
from knightstour.counting.halves.march import REPORT_SECONDS, Side
from knightstour.counting.halves.middle import Join, Joined, find_classes
from knightstour.counting.halves.parts import Pair, PartedClasses, cut_of_pair
from knightstour.counting.halves.rank_join import RankJoin, lists_of, ranks_pay, write_by_rank
from knightstour.counting.halves.stores import FORMAT, Checkpoint, Store, read_record, write_record
from knightstour.counting.means import Watch
from knightstour.counting.residues import Residues
from knightstour.kernels.counting.rank_lists import RankLists
from knightstour.model.errors import FormatError
from knightstour.model.problem import Problem


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
        error.help = (
            error.help or f"delete {folder} and give the same command (resume=True), which makes this part again"
        )
        raise


def _folder_of(asked: Asked, name: str, k: int) -> Path:
    """Where part k of a half, "left" or "right", leaves its files."""
    return Path(asked.directory) / f"{name}-{k:03}"


def _key_of(asked: Asked, name: str, k: int) -> str:
    return f"{asked.key}/{name}-{k}/{asked.moduli}"


def _checkpoint_of(asked: Asked, name: str, k: int) -> Checkpoint:
    return Checkpoint(_folder_of(asked, name, k), _key_of(asked, name, k))


def _ranked_of(asked: Asked, name: str, k: int) -> Place:
    folder = _folder_of(asked, name, k)
    return place_of_ranked(folder.parent, _key_of(asked, name, k), folder.name)


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

    def make(self, name: str, ranked: Place | None) -> None:
        """Make the last layer, which stays in the checkpoint, or by rank in the place given where ranks pay."""
        layer = self._last_layer(name)
        if ranked is not None and ranks_pay(layer):
            self.watch.report(f"{self.words}: the last layer by rank", None, self.states, self.bytes_held)
            write_by_rank(ranked, layer)
            self._forget()


def make_part(asked: Asked, name: str, k: int, watch: Watch | None) -> int:
    """Make the last layer of part k of a half, "left" or "right", unless it is there; how many states that took.

    watch: of a count in this process.
    """
    saved, ranked = _checkpoint_of(asked, name, k), _ranked_of(asked, name, k)
    with _helped(saved.directory):
        details = saved.begin(True)
    if details is not None and not saved.has(name) and os.path.exists(ranked.path):
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
        march.make(name, None if cut.ends else ranked)
    return march.states


# The lists of parts by rank, under the name of the half and the number, from one pair to the next.
Shelf = dict[tuple[str, int], RankLists]


def join_pair(asked: Asked, pair: Pair, watch: Watch | None, shelf: Shelf) -> Joined:
    """Join a pair of parts, and write down its sum, unless that is there."""
    place = f"-{asked.residues}" if asked.moduli else ""
    path = Path(asked.directory) / f"pair-{pair.left:03}-{pair.right:03}{place}.json"
    known = read_record(path, "the sum of a pair of parts", help="delete it, and give the same command (resume=True)")
    key = f"{asked.key}/{asked.moduli}"
    if known is not None:
        if known["fingerprint"] != key or known["pair"] != list(pair):
            raise FormatError("is of another count", path=str(path), help="delete it, and give the same command")
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
    """The join of a pair: with counts by rank if a part of it has these, else with words."""
    cut, finals = cut_of_pair(whole, pair), parted.finals(whole, pair)
    parts = [("left", pair.left), ("left" if whole.is_even else "right", pair.right)]
    for key in shelf.keys() - parts:
        del shelf[key]
    store = Store(asked.most_bytes, Path(asked.directory))
    modulus = asked.moduli[asked.residues] if asked.moduli else 0
    if any(os.path.exists(_ranked_of(asked, *part).path) for part in parts):
        for part in parts:
            if part not in shelf:
                shelf[part] = _lists_of(asked, parted, store, *part)
        most = store.limit // asked.threads
        return RankJoin(cut, shelf[parts[0]], shelf[parts[1]], finals, modulus, most_bytes=most)
    left = _last_layer(asked, parted, store, *parts[0])
    right = left if cut.is_even else _last_layer(asked, parted, store, *parts[1])
    return Join(cut, parted.classes.indices, (left, right), finals, modulus, asked.residues)


def _lists_of(asked: Asked, parted: PartedClasses, store: Store, name: str, k: int) -> RankLists:
    """The last layer of a part by rank, checked. One that is there as words is written by rank first."""
    place = _ranked_of(asked, name, k)
    if not os.path.exists(place.path):
        layer = _last_layer(asked, parted, store, name, k)
        write_by_rank(place, layer)
        store.drop(layer)
    with _helped(_folder_of(asked, name, k)):
        ranked = read_ranked(place)
    return lists_of(ranked, asked.residues if asked.moduli else None)


def _last_layer(asked: Asked, parted: PartedClasses, store: Store, name: str, k: int) -> Layer:
    """The last layer of a part, checked."""
    saved = _checkpoint_of(asked, name, k)
    with _helped(saved.directory):
        if saved.begin(True) is None or not saved.has(name):
            raise FormatError("holds no part", path=str(saved.directory))
        return saved.load(name, parted.last(name, k), store)
