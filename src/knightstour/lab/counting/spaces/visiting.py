"""Iteration over the tours of a space in the order of their ranks, from any rank on.

A network of states (by_states.py) contains each tour as a chain of transitions, ranked in the order of a depth-first
search. The tours between two ranks are therefore found by a search between two chains, and tours with a common
beginning share its cost.

Cost: about 0.3 microseconds per tour of 40 squares.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import move_graph
from knightstour.core.model.problem import end_index, start_index
from knightstour.core.model.sample import order_type
from knightstour.lab.counting.spaces.by_states import WaySpace


class Network(NamedTuple):
    """Layer t has its ways from way_at[t] and the offsets of its states from offset_at[t] on. It processes square
    order[t]; code c joins it to the two squares of row picked_at[t] + c of picked, -1 for none. targets, codes: int32;
    the others are int64."""

    way_at: np.ndarray
    offset_at: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray
    order: np.ndarray
    picked_at: np.ndarray
    picked: np.ndarray


class Chain(NamedTuple):
    """The chain of ways of a tour. Each layer tries its ways in turn; a way that completes the tour leaves its moves in
    `links`.

    Arrays of int64. way, end, taken: by layer. degree: number of moves at each square. links: (squares, 2), their
    targets. Between calls, links and degree contain the moves of ways way[0] .. way[depth - 1], and of way[depth] if
    taken[depth] is set. way[t] .. end[t] - 1 are the remaining ways of layer t.
    """

    counters: np.ndarray
    way: np.ndarray
    end: np.ndarray
    taken: np.ndarray
    degree: np.ndarray
    links: np.ndarray


class Question(NamedTuple):
    """first: the first square; -1 for the lower one of the two ends, but not `end`. closed: 1 for closed tours.
    squares: all squares in order, int64."""

    first: int
    end: int
    closed: int
    squares: np.ndarray


# Items of `counters`.
(DEPTH,) = range(1)  # the current layer, -1 at the end
COUNTERS = 1

# Tours per table.
_AT_ONCE = 16_384


def orders_between(space: WaySpace, first: int = 1, last: int | None = None) -> Iterator[np.ndarray]:
    """Yield the tours with the ranks `first` to `last`, from 1, in tables of square numbers in order of visit.

    last: by default the number of all tours.
    """
    last = space.count if last is None else min(last, space.count)
    if first > last:
        return
    problem = space.problem
    squares = move_graph(problem.board).squares.astype(np.int64)
    begin = int(squares[0]) if problem.closed and start_index(problem) is None else start_index(problem)
    begin, end = (-1 if square is None else square for square in (begin, end_index(problem)))
    question = Question(begin, end, int(problem.closed), squares)
    orders = np.empty((min(_AT_ONCE, last - first + 1), len(squares)), dtype=order_type(problem.board))
    write = kernel_function("visiting_write_orders").bind(*chain_at(space, first - 1), question, orders)
    left = last - first + 1
    while left:
        made = write(min(left, len(orders)))
        yield orders[:made]
        left -= made


def chain_at(space: WaySpace, number: int) -> tuple[Network, Chain]:
    """Return the network, and in it the chain of ways up to the tour of a rank from 0."""
    layers = space.ways
    way_at, offset_at, picked_at = (
        np.cumsum([0, *(len(part) for part in parts)], dtype=np.int64)
        for parts in ([w.targets for w in layers], [w.offsets for w in layers], space.picked)
    )
    offsets = np.concatenate([w.offsets for w in layers]).astype(np.int64)
    targets, codes = (np.concatenate([getattr(w, name) for w in layers]) for name in ("targets", "codes"))
    network = Network(way_at, offset_at, offsets, targets, codes, space.order, picked_at, np.concatenate(space.picked))
    size = space.problem.board.rows * space.problem.board.cols
    counters = np.zeros(COUNTERS, dtype=np.int64)
    way, end, taken = (np.zeros(len(layers), dtype=np.int64) for _ in range(3))
    degree, links = np.zeros(size, dtype=np.int64), np.full((size, 2), -1, dtype=np.int64)
    for t, row, ways_taken in space.walk([number]):
        here = int(ways_taken[0])
        state = int(np.searchsorted(layers[t].offsets, here, side="right")) - 1
        counters[DEPTH] = t
        way[t], end[t] = way_at[t] + here, way_at[t] + int(layers[t].offsets[state + 1])
        if layers[t].targets[here] >= 0:
            taken[t] = 1
            space.join(links[None], degree[None], row, t, layers[t].codes[ways_taken])
    return network, Chain(counters, way, end, taken, degree, links)
