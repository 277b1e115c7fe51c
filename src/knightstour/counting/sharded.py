"""Tours counted by halves with the work shared out: layers as blocks of classes in files, each made by one worker.

The way is that of halves.py; here is how it is cut. A layer is a row of files, each the states of some classes. A
target class pulls its states from few source classes, so a block of targets is one piece of work: it reads the lists
of its sources from the files of the layer before, makes its own, writes them to a file, and gives back how long they
are. Whoever hands out the pieces holds the classes and lengths alone, never a state. In the end the two last layers are
joined in blocks, whose sums are added up here. Pieces are cut by the problem, so all files are the same for any
workers, and a piece whose worker dies is simply done again. A count that is stopped begins anew.

All workers must see the same directory. The halves are made one after the other, without the part that they share, so
an odd board costs up to twice the states of `count_by_halves`.
"""

from __future__ import annotations

import functools
import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from knightstour import engine, files, scale
from knightstour.counting.cut import count_without_cut, the_cut
from knightstour.counting.halves import count_by_halves
from knightstour.counting.layers import (
    MOST_COUNT,
    CountsTooLarge,
    Index,
    Layer,
    class_edges,
    fold_of,
    most_states,
    start_layer,
)
from knightstour.counting.middle import JOIN_BLOCK, Join, Joined, find_classes, index_of_half
from knightstour.counting.residues import Residues
from knightstour.kernels.class_lists import OP_BITS
from knightstour.result import Problem

# States looked at for one file of a layer, and blocks of last classes joined in one piece.
BLOCK_STATES = 1 << 22
JOIN_BLOCKS = 8


class ShardedCount(NamedTuple):
    """The answer, and what it took. tours: undirected. states: made; pieces: of work; read, written: bytes of states by
    workers; seconds: wall clock. moduli: the primes counted by, if any."""

    tours: int
    states: int
    pieces: int
    read: int
    written: int
    seconds: float
    moduli: tuple[int, ...]


class _Shards(NamedTuple):
    """A layer in files: file k has the classes cuts[k] .. cuts[k + 1] - 1, one list after the other. `layer` has no
    states, and its offsets are places in the file."""

    layer: Layer
    paths: list[str]
    cuts: np.ndarray


class _Block(NamedTuple):
    """A piece of work: the targets of a block, and the lists that they pull from, by file."""

    path: str
    sources: list[tuple[str, np.ndarray, np.ndarray]]  # file, places of the lists in it, and their lengths
    classes: np.ndarray  # of the sources, in the order of `sources`
    starts: np.ndarray
    edges: np.ndarray
    room: np.ndarray
    most: int
    turn: np.ndarray
    modulus: int


class _Made(NamedTuple):
    lengths: np.ndarray
    masses: np.ndarray
    seen: int
    read: int


def make_block(block: _Block) -> _Made:
    """Read the sources of a block, make its lists, and write them to its file."""
    lists = engine.compiled("class_lists")
    read = []
    for path, places, lengths in block.sources:
        total = int(lengths.sum())
        if total:
            states = np.memmap(path, dtype=np.int64, mode="r").reshape(-1, 2)
            within = np.arange(total) - np.repeat(np.cumsum(lengths) - lengths, lengths)
            read.append(states[np.repeat(places, lengths) + within])
    states = np.concatenate(read) if read else np.empty((0, 2), dtype=np.int64)
    lengths = np.concatenate([lengths for _, _, lengths in block.sources]) if block.sources else np.empty(0, np.int64)
    offsets = np.cumsum(lengths) - lengths
    count = len(block.starts) - 1
    new_offsets, new_lengths = np.empty((2, count), dtype=np.int64)
    masses = np.empty(count, dtype=np.float64)
    out = np.empty((max(1, block.most), 2), dtype=np.int64)
    table = np.empty((int(block.room.max(initial=16)), 2), dtype=np.int64)
    made, seen = lists.pull(
        *(0, count, block.starts, block.edges, block.classes, offsets, lengths, states, block.room),
        *(out, 0, new_offsets, new_lengths, masses, block.turn, table, block.modulus),
    )
    with files.open_target(block.path, force=True) as file:
        file.write(np.ascontiguousarray(out[: int(made)]).data)
        file.flush()
        os.fsync(file.fileno())
    return _Made(new_lengths, masses, int(seen), states.nbytes)


def _blocks_of(
    shards: _Shards, half: Any, t: int, index: Index, targets: np.ndarray, modulus: int, size: int, name: str
) -> tuple[list[_Block], np.ndarray, np.ndarray]:
    """The pieces of one layer, where they cut its classes, and the most that the mass of each class can be."""
    layer = shards.layer
    edges = class_edges(engine.compiled("class_lists"), half, t, index, layer, targets)
    if modulus == 0 and len(targets) and edges.bounds.max() >= MOST_COUNT:
        raise CountsTooLarge
    most = np.minimum(edges.inputs, most_states(targets))
    # Tables are at most two thirds full.
    room = np.int64(1) << np.ceil(np.log2(np.maximum(most * 3 // 2 + 1, 16))).astype(np.int64)
    ends = np.cumsum(edges.inputs)
    marks = np.arange(size, int(ends[-1]) if len(ends) else 0, size)
    cuts = np.unique(np.concatenate([[0], np.searchsorted(ends, marks), [len(targets)]])).astype(np.int64)
    turn = fold_of(half, t).turn
    blocks = []
    for k, (first, last) in enumerate(zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True)):
        codes = edges.edges[edges.starts[first] : edges.starts[last]]
        needed, places = np.unique(codes >> OP_BITS, return_inverse=True)
        where = np.searchsorted(shards.cuts, needed, side="right") - 1
        sources = [
            (shards.paths[file], layer.offsets[needed[where == file]], layer.lengths[needed[where == file]])
            for file in np.unique(where).tolist()
        ]
        blocks.append(
            _Block(
                f"{name}-{k:06}.states",
                sources,
                layer.classes[needed],
                edges.starts[first : last + 1] - edges.starts[first],
                places.reshape(-1).astype(np.int64) << OP_BITS | codes & ((1 << OP_BITS) - 1),
                room[first:last],
                int(most[first:last].sum()),
                turn,
                modulus,
            )
        )
    return blocks, cuts, edges.bounds


@functools.lru_cache(maxsize=1)
def _join_of(problem: Problem, folder: str, modulus: int) -> Join:
    """The join of the last layers in a directory, kept by a worker for all its pieces."""
    cut = the_cut(problem)
    left = index_of_half(cut.left, cut.ends)
    right = left if cut.is_even else index_of_half(cut.right, cut.ends)
    layers = []
    for side in ("left",) if cut.is_even else ("left", "right"):
        named = dict(np.load(f"{folder}/{side}.npz"))
        states = np.memmap(f"{folder}/{side}.states", dtype=np.int64, mode="r").reshape(-1, 2)
        layers.append(Layer(named["classes"], named["offsets"], named["lengths"], states, named["masses"]))
    finals = np.load(f"{folder}/finals.npy")
    kernels = (engine.compiled("class_lists"), engine.compiled("class_join"))
    return Join(*kernels, cut, (left, right), (layers[0], layers[-1]), finals, modulus)


def join_blocks(problem: Problem, folder: str, modulus: int, first: int, last: int) -> Joined:
    """Join some blocks of the last classes, and add up."""
    join = _join_of(problem, folder, modulus)
    total = Joined(0, 0, 0, 0.0)
    for k in range(first, last):
        total = total.plus(join.block(k))
    return total


def count_sharded(
    problem: Problem,
    directory: str | os.PathLike[str],
    *,
    workers: scale.Workers = None,
    block_states: int = BLOCK_STATES,
    on_progress: Callable[[str, int, int], None] | None = None,
) -> ShardedCount:
    """The number of tours, undirected, as `count_by_halves` gives it, with the work shared out.

    directory: for the layers, seen by all workers under the same name; they are gone at the end. workers: None, a
        number of processes, or a Dask client.
    block_states: states looked at for one file. on_progress: told (stage, steps done, of how many).

    Raises BoardError where the board cannot be cut, FormatError where a file cannot be written.
    """
    began = time.monotonic()
    scale.check_workers(workers)
    known = count_without_cut(problem)
    if known is not None:
        return ShardedCount(known, 0, 0, 0, 0, 0.0, ())
    folder = Path(directory).absolute()
    folder.mkdir(parents=True, exist_ok=True)
    # Processes that compile the same kernel at once may spoil its cache.
    count_by_halves(Problem.of((3, 4)), threads=1)
    with scale.crew_of(workers) as crew:
        work = _Work(problem, folder, crew, block_states, on_progress)
        total = work.run()
    count, rest = divmod(total, 4 if work.cut.is_folded else 1)
    assert rest == 0, "folded halves count everything twice each"
    numbers = (work.states, work.pieces, work.read, work.written)
    return ShardedCount(count, *numbers, time.monotonic() - began, tuple(work.residues.moduli))


class _Work:
    """One count while it is made."""

    def __init__(
        self,
        problem: Problem,
        folder: Path,
        crew: scale.Workers,
        block_states: int,
        on_progress: Callable[[str, int, int], None] | None,
    ) -> None:
        self.problem, self.folder, self.crew = problem, folder, crew
        self.block_states = block_states
        self.tell = on_progress or (lambda stage, done, todo: None)
        self.cut = the_cut(problem)
        self.states = self.pieces = self.read = self.written = 0
        self.residues = Residues()

    def run(self) -> int:
        """The total over the folded halves, exactly or from as many residues as it takes."""
        self.classes = find_classes(engine.compiled("class_lists"), self.cut)
        try:
            return self._one_pass(0).total
        except CountsTooLarge:
            pass
        while True:
            self.residues.begin()
            modulus = self.residues.modulus
            found = self._one_pass(modulus)
            total = self.residues.take(found.total % modulus, found.bound)
            if total is not None:
                return total

    def _one_pass(self, modulus: int) -> Joined:
        place = self.folder / f"pass-{modulus}"
        place.mkdir(exist_ok=True)
        np.save(place / "finals.npy", self.classes.finals)
        self._half("left", place, modulus)
        if not self.cut.is_even:
            self._half("right", place, modulus)
        found = self._join(place, modulus)
        for path in place.iterdir():
            path.unlink()
        place.rmdir()
        return found

    def _half(self, side: str, place: Path, modulus: int) -> None:
        """Make the layers of a half; its last one becomes one file."""
        half = self.cut.left if side == "left" else self.cut.right
        classes = self.classes.left if side == "left" else self.classes.right
        start = start_layer()
        first = place / f"{side}-start.states"
        first.write_bytes(np.ascontiguousarray(start.states).tobytes())
        shards = _Shards(start, [str(first)], np.array([0, 1]))
        for t in range(len(half.steps)):
            self.tell(side, t, len(half.steps))
            name = str(place / f"{side}-{t:03}")
            index = self.classes.indices[0 if side == "left" or t < self.cut.shared else 1]
            blocks, cuts, bounds = _blocks_of(shards, half, t, index, classes[t + 1], modulus, self.block_states, name)
            lengths: list[np.ndarray] = []
            masses: list[np.ndarray] = []
            with closing(
                scale.run_pieces(make_block, ((block,) for block in blocks), self.crew, in_order=True)
            ) as values:
                for _, made in values:
                    lengths.append(made.lengths)
                    masses.append(made.masses)
                    self.read += made.read
            offsets = [np.cumsum(part) - part for part in lengths]
            for path in shards.paths:
                Path(path).unlink()
            layer = Layer(
                classes[t + 1],
                np.concatenate([np.empty(0, np.int64), *offsets]),
                np.concatenate([np.empty(0, np.int64), *lengths]),
                np.empty((0, 2), dtype=np.int64),
                bounds if modulus else np.concatenate([np.empty(0), *masses]),
            )
            shards = _Shards(layer, [block.path for block in blocks], cuts)
            self.pieces += len(blocks)
            self.states += layer.size
            self.written += 16 * layer.size
        self._put_together(side, place, shards)

    def _put_together(self, side: str, place: Path, shards: _Shards) -> None:
        layer = shards.layer
        with open(place / f"{side}.states", "wb") as target:
            for path in shards.paths:
                with open(path, "rb") as source:
                    while data := source.read(1 << 24):
                        target.write(data)
                Path(path).unlink()
        offsets = np.cumsum(layer.lengths) - layer.lengths
        np.savez(
            place / f"{side}.npz", classes=layer.classes, offsets=offsets, lengths=layer.lengths, masses=layer.masses
        )

    def _join(self, place: Path, modulus: int) -> Joined:
        count = -(-len(self.classes.finals) // JOIN_BLOCK)
        pieces = [
            (self.problem, str(place), modulus, first, min(first + JOIN_BLOCKS, count))
            for first in range(0, count, JOIN_BLOCKS)
        ]
        self.pieces += len(pieces)
        total = Joined(0, 0, 0, 0.0)
        with closing(scale.run_pieces(join_blocks, pieces, self.crew, in_order=True)) as parts:
            for k, part in parts:
                total = total.plus(part)
                self.tell("join", k + 1, len(pieces))
        return total
