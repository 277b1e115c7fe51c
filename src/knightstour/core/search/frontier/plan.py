"""Plan of the frontier method: the order in which squares are processed, and their slots.

The size of a search depends on the width of the frontier (exact.py): each additional slot multiplies the states by
about three. So the order is decisive. A rectangle is processed along its short side. For other boards several orders
are compared: by rows, by columns, breadth-first from two distant squares, and greedily by the fewest new neighbours.

A square occupies a slot from the processing of its first neighbour until its own; then another square may reuse it. The
plan depends on the problem alone, so search and count share it.

Cost: proportional to squares and moves, for the greedy orders times the width of the frontier.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from knightstour.core.model.board import move_graph
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.distances import moves_away
from knightstour.core.model.grid_board import GridBoard, is_rectangle
from knightstour.core.model.problem import Problem, end_index, start_index

# On boards up to this size, every step checks the whole frontier if it uses up the virtual square.
_MAX_WATCHED_SQUARES = 1000
# Slower orders are tried, on boards up to this size, if a fast order has at least this estimated number of states.
_WEIGHT_WORTH_ORDERING = 3**9
_MAX_SQUARES_ORDERED = 2000


class Step(NamedTuple):
    """Constants of the step of one square. A set of slots is a mask, bit i for slot i.

    Attributes:
        slot: Slot of the square.
        present: All slots in use during the step, including the slots of new neighbours.
        is_all_seen: Whether no square is outside the frontier.
        near: Slots of the later neighbours, including the virtual square.
        near_mask: The same slots as a mask, without the virtual square.
        touched: Slots of squares that may end with too few neighbours.
        later, unseen: For each touched slot, the neighbours after this step: the slots in the frontier, and the number
            outside.
    """

    slot: int
    present: int
    is_all_seen: bool
    near: tuple[int, ...]
    near_mask: int
    touched: int
    later: dict[int, int]
    unseen: dict[int, int]


class Plan:
    """Order in which squares are processed, and their slots.

    Args:
        order: The squares in order.
        near: The neighbours of each square number.
        slots: Number of slots.

    Attributes:
        virtual: Slot of the virtual square, or -1.
        mates: Slots that are mates initially, or None.
        field_bits: Width of the field of a slot in a state.
        first: The state before step 0.
        leaves: Whether squares may be skipped.
        must: A square that must not be skipped, or -1.
    """

    def __init__(
        self,
        order: Sequence[int],
        near: list[list[int]],
        ends: tuple[int, ...] = (),
        has_virtual: bool = False,
        *,
        leaves: bool = False,
        must: int = -1,
    ) -> None:
        """ends: squares that have a slot initially, and are mates; with a virtual square only a start."""
        self.leaves, self.must = leaves, must
        self.order = order
        self.near = near
        self.ends = ends
        rank = {v: t for t, v in enumerate(order)}
        self.rank = rank
        self.slot_of: dict[int, int] = {}
        self.seen_at: dict[int, int] = {}
        free: list[int] = []
        self.slots = 0
        self.virtual = self._new_slot(free) if has_virtual else -1
        for v in ends:
            self.slot_of[v] = self._new_slot(free)
            self.seen_at[v] = -1
        in_use = ((1 << self.virtual) if has_virtual else 0) | sum(1 << self.slot_of[v] for v in ends)
        self.present: list[int] = []
        for t, v in enumerate(order):
            check_deadline()
            for x in (v, *near[v]):
                if x not in self.seen_at:
                    self.slot_of[x] = self._new_slot(free)
                    self.seen_at[x] = t
                    in_use |= 1 << self.slot_of[x]
            self.present.append(in_use)
            in_use ^= 1 << self.slot_of[v]
            free.append(self.slot_of[v])
        self.last_seen_at = max(self.seen_at.values())
        slots = ([self.virtual] if has_virtual else []) + [self.slot_of[v] for v in ends]
        self.mates = (slots[0], slots[1]) if len(slots) == 2 else None
        self.field_bits = max(1, (self.slots - 1).bit_length())
        self.field_mask = (1 << self.field_bits) - 1
        self.inner_mask = (1 << self.slots) - 1
        self.shifts = [self.slots + i * self.field_bits for i in range(self.slots)]
        a, b = self.mates or (0, 0)
        self.first = (a ^ b) << self.shifts[a] | (a ^ b) << self.shifts[b]
        self._steps: list[Step | None] = [None] * len(order)

    def _new_slot(self, free: list[int]) -> int:
        if free:
            free.sort(reverse=True)
            return free.pop()
        self.slots += 1
        return self.slots - 1

    def later_squares(self, t: int) -> dict[int, int]:
        """Return slot -> square, for the later neighbours of square t of the order."""
        return {self.slot_of[u]: u for u in self.near[self.order[t]] if self.rank[u] > t}

    def must_mask(self, t: int) -> int:
        """Return the slot of the required square as a mask while it is unprocessed; -1 before it has a slot."""
        if self.must < 0 or self.rank[self.must] < t:
            return 0
        return 1 << self.slot_of[self.must] if self.seen_at[self.must] <= t else -1

    def step(self, t: int) -> Step:
        """Return step t, computed on first use."""
        known = self._steps[t]
        if known is not None:
            return known
        squares = self.later_squares(t)
        # This step affects only squares within two moves, or all squares if it uses up the virtual square. (Large
        # boards detect that later.)
        touched = [*squares.values(), *self._around(squares.values(), t)]
        if self.virtual >= 0 and len(self.order) < _MAX_WATCHED_SQUARES:
            touched = [u for u in self.order[t + 1 :] if self.seen_at[u] <= t]
        later: dict[int, int] = {}
        unseen: dict[int, int] = {}
        for x in touched:
            mask = outside = 0
            for u in self.near[x]:
                if self.rank[u] > t:
                    if self.seen_at[u] <= t:
                        mask |= 1 << self.slot_of[u]
                    else:
                        outside += 1
            later[self.slot_of[x]] = mask
            unseen[self.slot_of[x]] = outside
        # The start alone, a path without moves, is not a tour.
        is_end = self.virtual >= 0 and not (self.leaves and self.order[t] in self.ends)
        near = tuple(squares) + ((self.virtual,) if is_end else ())
        step = Step(
            self.slot_of[self.order[t]],
            self.present[t],
            t >= self.last_seen_at,
            near,
            sum(1 << i for i in squares),
            sum(1 << i for i in later),
            later,
            unseen,
        )
        self._steps[t] = step
        return step

    def _around(self, squares: Iterable[int], t: int) -> list[int]:
        return [u for x in squares for u in self.near[x] if self.rank[u] > t and self.seen_at[u] <= t]


@functools.lru_cache(maxsize=4)
def make_plan(problem: Problem, order: tuple[int, ...] | None = None) -> Plan:
    """Return the plan of a problem, in the given order of all squares, or in the most promising one."""
    moves = move_graph(problem.board)
    near = moves.neighbour_lists()
    order = order or tuple(_best_order(problem, near))
    start, end = start_index(problem), end_index(problem)
    leaves = problem.partial
    if problem.closed:
        return Plan(order, near, leaves=leaves, must=start if leaves and start is not None else -1)
    ends = tuple(s for s in (start, end) if s is not None)
    return Plan(order, near, ends, has_virtual=len(ends) < 2, leaves=leaves)


def _best_order(problem: Problem, near: list[list[int]]) -> list[int]:
    board = problem.board
    squares: list[int] = move_graph(board).squares.tolist()
    by_rows = squares
    by_cols = sorted(squares, key=lambda s: (s % board.cols, s // board.cols))
    straight = by_cols if board.rows <= board.cols else by_rows
    if is_rectangle(board):
        return straight
    best, fewest = straight, expected_states(straight, near)
    candidates = [by_rows if straight is by_cols else by_cols] if isinstance(board, GridBoard) else []
    candidates += [_breadth_first(near, s, squares) for s in _far_squares(near, squares)]
    if fewest > _WEIGHT_WORTH_ORDERING and len(squares) <= _MAX_SQUARES_ORDERED:
        candidates += [narrowest_first(near, order[0], squares) for order in (straight, *candidates)]
    for order in candidates:
        states = expected_states(order, near)
        if states < fewest:
            best, fewest = order, states
    return best


def expected_states(order: Sequence[int], near: Sequence[Sequence[int]]) -> float:
    """Estimate the number of states: each slot of the frontier triples them."""
    seen: set[int] = set()
    total = 0.0
    for done, v in enumerate(order):
        check_deadline()
        seen.add(v)
        seen.update(near[v])
        total += 3.0 ** min(len(seen) - done, 600)
    return total


def _breadth_first(near: list[list[int]], first: int, squares: list[int]) -> list[int]:
    order = list(moves_away(near.__getitem__, first))
    return order + _others(order, squares)


def _far_squares(near: list[list[int]], squares: list[int]) -> list[int]:
    """Return two distant squares: twice the farthest square from the previous one."""
    one = _breadth_first(near, squares[0], squares)[-1]
    return [one, _breadth_first(near, one, squares)[-1]]


def narrowest_first(near: Sequence[Sequence[int]], first: int, squares: Sequence[int]) -> list[int]:
    """Return the greedy order: the square of the frontier with the fewest new neighbours, the oldest one of equals."""
    order: list[int] = []
    seen = {first}
    frontier = [first]
    news = [len(others) for others in near]  # number of unseen neighbours
    for u in near[first]:
        news[u] -= 1
    while frontier:
        check_deadline()
        v = min(frontier, key=news.__getitem__)
        frontier.remove(v)
        order.append(v)
        for u in near[v]:
            if u not in seen:
                seen.add(u)
                frontier.append(u)
                for w in near[u]:
                    news[w] -= 1
    return order + _others(order, squares)


def _others(order: Sequence[int], squares: Sequence[int]) -> list[int]:
    known = set(order)
    return [s for s in squares if s not in known]
