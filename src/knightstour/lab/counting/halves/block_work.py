"""Storage "blocks": what a worker does: make the file of one block, check it, or join some classes.

sharded.py cuts the work into these pieces and hands them out. Each can be done again at any time, with the same
outcome: what it needs is in its arguments and in the files that they name.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from knightstour.core.model.errors import FormatError
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves.block_files import Place, read_block, write_block
from knightstour.lab.counting.halves.cut import the_cut
from knightstour.lab.counting.halves.layers import Layer
from knightstour.lab.counting.halves.machine import Counts, Machine, Targets, Workers
from knightstour.lab.counting.halves.middle import NOTHING_JOINED, HalfClasses, Join, Joined, halves_of

# States copied at a time.
_PIECE = 1 << 20


class Block(NamedTuple):
    """A piece of work: the targets of a block, and the lists that they pull from, by file (see lists.cc)."""

    place: Place
    sources: list[tuple[Place, np.ndarray, np.ndarray]]  # file, places of the lists in it, and their lengths
    classes: np.ndarray  # of the sources, in the order of `sources`
    ahead: Targets
    turn: np.ndarray
    modulus: int


class Made(NamedTuple):
    """What is in the file of a block; is_new: whether it was made now."""

    classes: np.ndarray
    lengths: np.ndarray
    masses: np.ndarray
    is_new: bool


def make_block(block: Block) -> Made:
    """Read the sources of a block, make its lists, and write them to its file, unless that is there and whole."""
    # The last layer of the pass before would keep its place on the disk.
    forget_join()
    if os.path.exists(block.place.path):
        with suppress(FormatError):
            found = check_block(block.place)
            if np.array_equal(found.classes, block.ahead.classes):
                return found
    read = []
    for place, places, lengths in block.sources:
        total = int(lengths.sum())
        if total:
            states = read_block(place, is_checked=False).states
            within = np.arange(total) - repeat(np.cumsum(lengths) - lengths, lengths)
            read.append(states[repeat(places, lengths) + within])
    states = np.concatenate([np.empty((0, 2), dtype=np.int64), *read])
    lengths = np.concatenate([np.empty(0, np.int64), *(lengths for _, _, lengths in block.sources)])
    before = Layer(block.classes, np.cumsum(lengths) - lengths, lengths, states, np.zeros(len(lengths)))
    algebra = Counts(block.modulus)
    made = Machine(Workers(1)).pull(algebra, block.turn, before, block.ahead, algebra.of_targets(block.ahead))
    write_block(block.place, made.classes, made.lengths, made.masses, [made.states])
    return Made(made.classes, made.lengths, made.masses, True)


def check_block(place: Place) -> Made:
    """Check that the file of a block is whole, and say what is in it; a FormatError where it is not."""
    block = read_block(place)
    return Made(block.classes, block.lengths, block.masses, False)


def put_together(parts: list[Place], whole: Place) -> Made:
    """Write all blocks of a layer into one file, unless that is there and whole."""
    if os.path.exists(whole.path):
        with suppress(FormatError):
            return check_block(whole)
    blocks = [read_block(place, is_checked=False) for place in parts]
    classes, lengths, masses = lists_of(blocks)
    pieces = (block.states[first : first + _PIECE] for block in blocks for first in range(0, len(block.states), _PIECE))
    write_block(whole, classes, lengths, masses, pieces)
    return Made(classes, lengths, masses, True)


def lists_of(blocks: Sequence[Layer | Made]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Classes, lengths and masses of blocks, one after the other."""
    return (
        np.concatenate([np.empty(0, np.int64), *(block.classes for block in blocks)]),
        np.concatenate([np.empty(0, np.int64), *(block.lengths for block in blocks)]),
        np.concatenate([np.empty(0), *(block.masses for block in blocks)]),
    )


class JoinPiece(NamedTuple):
    """What is joined, without the blocks: the last layers of a question by file, and the classes to be joined."""

    problem: Problem
    left: Place
    right: Place
    finals: Place
    modulus: int
    residue: int
    across: int | None


@functools.lru_cache(maxsize=1)
def _join_of(asked: JoinPiece) -> Join:
    """The join of two last layers, kept by a worker for all its pieces."""
    cut = the_cut(asked.problem, across=asked.across)
    layers = (read_block(asked.left, is_checked=False), read_block(asked.right, is_checked=False))
    classes = HalfClasses(halves_of(cut), read_block(asked.finals).classes)
    return Join(cut, classes, layers, asked.modulus, asked.residue)


def join_blocks(asked: JoinPiece, first: int, last: int) -> Joined:
    """Join some blocks of the last classes, and add up."""
    return functools.reduce(Joined.plus, _join_of(asked).run(Workers(1), first, last), NOTHING_JOINED)


def forget_join() -> None:
    """Close the last layers that were joined here."""
    _join_of.cache_clear()
