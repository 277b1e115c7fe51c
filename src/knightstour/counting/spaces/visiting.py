"""Go through the tours of a space one after the other, in the order of their numbers, from any number on.

A network of ways (by_states.py) holds each tour as a chain of ways, numbered in the order in which a search in depth
meets the chains. So the tours between two numbers are those that the search meets between two chains, and tours that
begin alike are made alike only once.

Cost: some 0.4 microseconds a tour of 40 squares, compiled.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import ModuleType, SimpleNamespace

import numpy as np

from knightstour.counting.spaces.by_states import WaySpace
from knightstour.kernels.counting import visiting as kernel
from knightstour.machine import engine
from knightstour.model.board import move_graph
from knightstour.model.sample import order_type

# Tours in one table.
_AT_ONCE = 16_384


def orders_between(
    space: WaySpace, first: int = 1, last: int | None = None, *, code: ModuleType | SimpleNamespace | None = None
) -> Iterator[np.ndarray]:
    """The tours with the numbers `first` to `last`, from 1, in tables of square numbers in order of visit.

    last: by default the number of all tours. code: the kernel; by default compiled.
    """
    last = space.count if last is None else min(last, space.count)
    if first > last:
        return
    code = engine.compiled(kernel) if code is None else code
    problem = space.problem
    squares = move_graph(problem.board).squares.astype(np.int64)
    begin = int(squares[0]) if problem.closed and problem.start_index is None else problem.start_index
    ends = [-1 if square is None else square for square in (begin, problem.end_index)]
    question = np.array([*ends, problem.closed], dtype=np.int64)
    chain = _Chain(space, first - 1)
    orders = np.empty((min(_AT_ONCE, last - first + 1), len(squares)), dtype=order_type(problem.board))
    left = last - first + 1
    while left:
        made = code.write_orders(min(left, len(orders)), *chain.state, question, squares, *chain.moves, orders)
        yield orders[:made]
        left -= made


class _Chain:
    """A chain of ways as the kernel knows it, up to the tour of a number from 0.

    state: place, way, end and taken of the kernel, and the network that they are places of. moves: links and degree.
    """

    def __init__(self, space: WaySpace, number: int) -> None:
        layers = space.ways
        way_at, offset_at, picked_at = (
            np.cumsum([0, *(len(part) for part in parts)])
            for parts in ([w.targets for w in layers], [w.offsets for w in layers], space.picked)
        )
        offsets = np.concatenate([w.offsets for w in layers]).astype(np.int64)
        targets, codes = (np.concatenate([getattr(w, name) for w in layers]) for name in ("targets", "codes"))
        size = space.problem.board.rows * space.problem.board.cols
        links, degree = np.full((size, 2), -1, dtype=np.int64), np.zeros(size, dtype=np.int64)
        way, end, taken = np.zeros((3, len(layers)), dtype=np.int64)
        place = np.zeros(1, dtype=np.int64)
        state = 0
        for t, ways in enumerate(layers):
            place[kernel.DEPTH] = t
            here, behind = int(ways.offsets[state]), int(ways.offsets[state + 1])
            while number >= (completions := _completions(space, t, int(ways.targets[here]))):
                number -= completions
                here += 1
            way[t], end[t] = way_at[t] + here, way_at[t] + behind
            if ways.targets[here] < 0:
                break
            taken[t] = 1
            for there in space.picked[t][ways.codes[here]]:
                if there >= 0:
                    kernel.join(int(space.order[t]), int(there), links, degree)
            state = int(ways.targets[here])
        network = (way_at, offset_at, offsets, targets, codes)
        self.state = (place, way, end, taken, network, space.order, (picked_at, np.concatenate(space.picked)))
        self.moves = (links, degree)


def _completions(space: WaySpace, t: int, target: int) -> int:
    """How many tours a way of layer t to this state has; -1 is a finished tour."""
    return 1 if target < 0 else int(space.completions[t + 1][target])
