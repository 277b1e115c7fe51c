"""Storage "files that workers read": a count by halves whose blocks of targets and of the join run in workers.

The order of the work and the checkpoint match a count in one process (march.py), so a count can be resumed with or
without workers. Layers are always in files, which all workers can read. For a block of targets, a worker reads the
lists of the sources, and builds and returns the lists of the targets. A worker that joins reads the last layers from
the checkpoint. A piece whose worker dies is repeated.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.kernels.counting.classes import OP_BITS, OP_MASK
from knightstour.core.machine import sharing
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves.cut import the_cut
from knightstour.lab.counting.halves.layers import Layer
from knightstour.lab.counting.halves.machine import Algebra, Counts, Machine, Pulling, Targets, Threads, block_cuts
from knightstour.lab.counting.halves.middle import Join, JoinResult, find_classes, join_of_counts
from knightstour.lab.counting.halves.stores import Checkpoint, StateList, Store, map_array

# Input states per piece of a layer, and blocks of last classes per piece of the join.
BLOCK_STATES = 1 << 22
JOIN_BLOCKS = 8
# Input of a join: the problem, the side along the cut, the checkpoint and its key, and the modulus.
JoinInput: TypeAlias = tuple[Problem, int | None, Path, str, int, int]


class SharedMachine(Machine):
    """Builds lists and joins in workers."""

    report_seconds = 0.0

    def __init__(self, store: Store, pool: sharing.Workers) -> None:
        super().__init__(Threads(1), store)
        self.pool = pool

    def pull(self, algebra: Algebra, turn: np.ndarray, layer: Layer, ahead: Targets, pulling: Pulling) -> Layer:
        assert isinstance(algebra, Counts)
        states = StateList(self.store, int(ahead.most.sum()))
        cuts = block_cuts(ahead.edges.inputs, BLOCK_STATES)
        calls = ((_block(layer, ahead.part(*span)), turn, algebra) for span in itertools.pairwise(cuts))
        none = np.empty(0, np.int64)
        made = [Layer(none, none, none, np.empty((0, 2), np.int64), np.empty(0))]
        try:
            with closing(sharing.run_pieces(pull_block, calls, self.pool, in_order=True)) as blocks:
                for _, block in blocks:
                    made.append(
                        block._replace(offsets=block.offsets + states.append(block.states), states=block.states[:0])
                    )
                    self.pieces += 1
                    self.report()
        except BaseException:
            states.abandon()
            raise
        offsets, lengths, masses = (np.concatenate([part[k] for part in made]) for k in (1, 2, 4))
        return Layer(ahead.classes, offsets, lengths, states.finish(), masses)

    def join(self, join_input: JoinInput, count: int, first: int) -> Iterator[JoinResult]:
        """Yield the contribution of each of `count` blocks of final classes, starting with block `first`."""
        calls = ((join_input, k, min(k + JOIN_BLOCKS, count)) for k in range(first, count, JOIN_BLOCKS))
        with closing(sharing.run_pieces(join_blocks, calls, self.pool, in_order=True)) as made:
            for _, some in made:
                self.pieces += 1
                yield from some
        _join_of.cache_clear()


class _Block(NamedTuple):
    """Targets of a piece, whose edges start at `sources`: lists with offsets in a file of states, or in an array."""

    states: tuple[str, tuple[int, ...]] | np.ndarray
    sources: Layer
    ahead: Targets


def _block(layer: Layer, ahead: Targets) -> _Block:
    states = layer.states
    file = (str(states.filename), states.shape) if isinstance(states, np.memmap) else np.asarray(states)
    codes = ahead.edges.edges
    needed, places = np.unique(codes >> OP_BITS, return_inverse=True)
    own = places.reshape(-1).astype(np.int64) << OP_BITS | codes & OP_MASK
    classes, offsets, lengths = (array[needed] for array in (layer.classes, layer.offsets, layer.lengths))
    sources = Layer(classes, offsets, lengths, np.empty((0, 2), np.int64), layer.masses[needed])
    return _Block(file, sources, ahead._replace(edges=ahead.edges._replace(edges=own)))


def pull_block(block: _Block, turn: np.ndarray, algebra: Counts) -> Layer:
    """Build the lists of a piece, in a worker."""
    states = map_array(*block.states) if isinstance(block.states, tuple) else block.states
    lengths = block.sources.lengths
    begins = np.cumsum(lengths) - lengths
    within = np.arange(int(lengths.sum())) - repeat(begins, lengths)
    mine = np.ascontiguousarray(states[repeat(block.sources.offsets, lengths) + within])
    before = block.sources._replace(offsets=begins, states=mine)
    made = Machine(Threads(1)).pull(algebra, turn, before, block.ahead, algebra.of_targets(block.ahead))
    return made._replace(classes=made.classes[:0])


def join_blocks(join_input: JoinInput, first: int, last: int) -> list[JoinResult]:
    """Return the contribution of some blocks of final classes, in a worker."""
    return list(_join_of(*join_input).run(Threads(1), first, last))


@functools.lru_cache(maxsize=1)
def _join_of(
    problem: Problem, across: int | None, directory: Path, key: str, modulus: int, place: int
) -> Join[JoinResult]:
    """Load the last layers for the join; a worker caches the result."""
    cut, saved = the_cut(problem, across=across), Checkpoint(directory, key)
    check_own_answer(saved.begin() is not None, "the last layers are in the checkpoint")
    classes = find_classes(cut)
    layers = [
        saved.load(name, side.classes[-1]) for name, side in zip(("left", "right"), classes.distinct, strict=False)
    ]
    return join_of_counts(cut, classes, (layers[0], layers[-1]), modulus, place)
