"""What a worker does for a count that is shared out: make the file of one block, check it, or join some classes.

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

from knightstour.core.kernels.counting.lists import ByTarget, Lists
from knightstour.core.kernels.counting.lists import Made as MadeLists
from knightstour.core.machine.native import door
from knightstour.core.model.errors import FormatError
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves.block_files import Place, read_block, states_of, write_block
from knightstour.lab.counting.halves.cut import the_cut
from knightstour.lab.counting.halves.layers import STATE_BYTES, Layer
from knightstour.lab.counting.halves.middle import NOTHING_JOINED, Join, Joined, indices_of

# States copied at a time.
_PIECE = 1 << 20


class Block(NamedTuple):
    """A piece of work: the targets of a block, and the lists that they pull from, by file (see lists.cc)."""

    place: Place
    targets: np.ndarray
    sources: list[tuple[Place, np.ndarray, np.ndarray]]  # file, places of the lists in it, and their lengths
    classes: np.ndarray  # of the sources, in the order of `sources`
    starts: np.ndarray
    edges: np.ndarray
    room: np.ndarray
    bounds: np.ndarray
    most: int
    turn: np.ndarray
    modulus: int


class Made(NamedTuple):
    """What is in the file of a block; is_new: whether it was made now; read, written: bytes of states."""

    classes: np.ndarray
    lengths: np.ndarray
    masses: np.ndarray
    is_new: bool
    read: int = 0
    written: int = 0


def make_block(block: Block) -> Made:
    """Read the sources of a block, make its lists, and write them to its file, unless that is there and whole."""
    # The last layer of the pass before would keep its place on the disk.
    forget_join()
    if os.path.exists(block.place.path):
        with suppress(FormatError):
            found = check_block(block.place)
            if np.array_equal(found.classes, block.targets):
                return found
    read = []
    for place, places, lengths in block.sources:
        total = int(lengths.sum())
        if total:
            states = states_of(place)
            within = np.arange(total) - repeat(np.cumsum(lengths) - lengths, lengths)
            read.append(states[repeat(places, lengths) + within])
    states = np.asarray(np.concatenate(read) if read else np.empty((0, 2), dtype=np.int64))
    lengths = np.concatenate([np.empty(0, np.int64), *(lengths for _, _, lengths in block.sources)])
    offsets = np.cumsum(lengths) - lengths
    count = len(block.targets)
    new_offsets, new_lengths = np.empty((2, count), dtype=np.int64)
    masses = np.empty(count, dtype=np.float64)
    out = np.empty((max(1, block.most), 2), dtype=np.int64)
    table = np.empty(int(block.room.max(initial=16)), dtype=np.int32)
    before = (ByTarget(block.starts, block.edges), Lists(block.classes, offsets, lengths), states)
    made_lists = MadeLists(block.room, new_offsets, new_lengths, masses)
    made = door("lists_pull_counts")(*before, made_lists, out, block.turn, table, block.modulus, 0, count)
    if block.modulus:
        masses = block.bounds
    write_block(block.place, block.targets, new_lengths, masses, [out[:made]])
    return Made(block.targets, new_lengths, masses, True, states.nbytes, STATE_BYTES * made)


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
    size = STATE_BYTES * int(lengths.sum())
    return Made(classes, lengths, masses, True, size, size)


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
    return Join(cut, indices_of(cut), layers, read_block(asked.finals).classes, asked.modulus, asked.residue)


def join_blocks(asked: JoinPiece, first: int, last: int) -> Joined:
    """Join some blocks of the last classes, and add up."""
    join = _join_of(asked)
    return functools.reduce(Joined.plus, map(join.block, range(first, last)), NOTHING_JOINED)


def forget_join() -> None:
    """Close the last layers that were joined here."""
    _join_of.cache_clear()
