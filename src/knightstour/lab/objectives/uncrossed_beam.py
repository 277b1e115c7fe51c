"""Beam search for long uncrossed tours of large boards: the sweep of uncrossed_sweep.py with the best states only.

After each place, the states with the most moves are kept, minus a price for each end of a path and of the tour. This
rule leads to the parallel zigzags of the longest known tours.

Cost: about 0.5 us for each of about five new states per state and place: 24x24 with 1000 states needs a second or two.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np

from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.budget import Budget
from knightstour.core.model.crossing_moves import by_square
from knightstour.core.model.problem import Problem
from knightstour.lab.objectives.lengthening import rows_of
from knightstour.lab.objectives.uncrossed_sweep import lines_of, moves_of_tour, pack_origins

# A state is a row of bytes: for each place of the window its mark (FREE, DONE, LOST, or the other end of its path),
# then for each place the bits of its blocked later moves. Place p has byte p % window.
FREE, MAX_WINDOW, MAX_LATER = 255, 250, 8
# Numbers of a state: moves; ends of paths; lost ends; the previous state, from bit 8 on, with the chosen later moves.
LENGTH, ENDS, LOST, FROM = range(4)
MADE = 4
# Items of `totals`: number of new states; moves of the longest complete tour, and its origin.
COUNT, LONGEST, CAME_FROM = range(3)
TOTALS = 3


class Lines(NamedTuple):
    """The board as arguments of the kernel.

    closed: whether the tour is closed. window: length of the longest move in places, plus one. first, target: offsets
    and targets of the later moves of each place, int64 (places + 1,). back_first, back: pairs of the earlier place and
    the move, for the moves to each place. crossing_first, crossing: pairs of the start and the move, for the crossed
    moves that start at the same place or later. near_first, near: for each place the later places whose moves its own
    moves may block or use.
    """

    closed: int
    places: int
    window: int
    first: np.ndarray
    target: np.ndarray
    back_first: np.ndarray
    back: np.ndarray
    crossing_first: np.ndarray
    crossing: np.ndarray
    near_first: np.ndarray
    near: np.ndarray


# New states per node of the limits.
_STATES_PER_NODE = 16
# Prices of an end in moves, used in turn, since the best price depends on the board.
_PRICES = (1.7, 2.1, 1.3)


class Beam:
    """Repeated sweeps over the board of a problem, each with more states than the previous one.

    may_find: whether the problem is supported; given ends and very wide boards are not.
    """

    def __init__(self, problem: Problem, seed: int) -> None:
        self._lines = lines_of(problem)
        self._window = 1 + max((b - a for a, b in self._lines.pairs), default=0)
        later = max(np.bincount([a for a, _ in self._lines.pairs]), default=0)
        has_ends = (problem.start, problem.end) != (None, None)
        self.may_find = not has_ends and self._window <= MAX_WINDOW and later <= MAX_LATER
        self._closed = problem.closed
        self._chance = np.random.default_rng(seed)
        self._width, self._times = 250, 0

    def find(self, budget: Budget) -> list[tuple[int, int]]:
        """Return the moves of the longest tour of the next sweep, or [] if it finds none within the budget."""
        price = _PRICES[self._times % len(_PRICES)]
        table = self.table
        rows = np.zeros((1, 2 * self._window), dtype=np.uint8)
        rows[:, : self._window] = FREE
        made = np.zeros((1, MADE), dtype=np.int64)
        totals = np.zeros(TOTALS, dtype=np.int64)
        came: list[np.ndarray] = []
        best: tuple[int, int] | None = None
        for place in range(table.places):
            rows, made = self._advance(place, rows, made, totals, budget)
            if totals[CAME_FROM] >= 0:
                best = place, int(totals[CAME_FROM])
            if not len(rows) or budget.is_spent:
                break
            ends = made[:, ENDS] + made[:, LOST]
            score = made[:, LENGTH] - price * ends + self._chance.random(len(made))
            if len(score) > self._width:
                kept = np.argpartition(score, -self._width)[-self._width :]
                rows, made = rows[kept], made[kept]
            came.append(pack_origins(made[:, FROM]))
        self._width, self._times = 2 * self._width, self._times + 1
        return [] if best is None else moves_of_tour(self._lines, self._moves, came, *best)

    def _advance(
        self, place: int, rows: np.ndarray, made: np.ndarray, totals: np.ndarray, budget: Budget
    ) -> tuple[np.ndarray, np.ndarray]:
        later = len(self._moves[place])
        room = len(rows) * (1 + later + later * (later - 1) // 2)
        new_rows = np.empty((room, 2 * self._window), dtype=np.uint8)
        new_made = np.empty((room, MADE), dtype=np.int64)
        slots = np.zeros(1 << (2 * room).bit_length(), dtype=np.int64)
        totals[COUNT], totals[CAME_FROM] = 0, -1
        arrays = (rows.reshape(-1), made.reshape(-1), new_rows.reshape(-1), new_made.reshape(-1), slots, totals)
        bound = kernel_function("uncrossed_beam_expand").bind(self.table, place, *arrays)
        for first, last in slices.ranges(len(rows)):
            bound(first, last)
            if budget.is_spent:
                break
        count = int(totals[COUNT])
        budget.spend(1 + count // _STATES_PER_NODE)
        return new_rows[:count], new_made[:count]

    @functools.cached_property
    def _moves(self) -> list[list[int]]:
        """Moves from each place to later places."""
        mine: list[list[int]] = [[] for _ in range(self._lines.places)]
        for k, (a, _) in enumerate(self._lines.pairs):
            mine[a].append(k)
        return mine

    @functools.cached_property
    def table(self) -> Lines:
        """The board as arguments of the kernel."""
        lines, places = self._lines, range(self._lines.places)
        number = {old: k for k, old in enumerate(k for mine in self._moves for k in mine)}
        pairs = [lines.pairs[old] for old in number]
        crossing = [
            [(lines.pairs[other][0], number[other]) for other in lines.crossing[old] if lines.pairs[other][0] >= a]
            for old, (a, _) in zip(number, pairs, strict=True)
        ]
        near: dict[int, set[int]] = {a: set() for a in places}
        back: dict[int, list[tuple[int, int]]] = {a: [] for a in places}
        to = by_square(pairs, places)
        for k, (a, b) in enumerate(pairs):
            back[b].append((a, k))
            touched = [b, *(end for _, other in crossing[k] for end in pairs[other])]
            touched += [there for here in touched for there, _ in to[here]]
            near[a] |= {there for there in touched if a < there < a + self._window}
        first, target = rows_of([[(lines.pairs[k][1], 0) for k in mine] for mine in self._moves])
        near_first, near_flat = rows_of([[(there, 0) for there in sorted(others)] for others in near.values()])
        back_first, back_flat = rows_of(back.values())
        crossing_first, crossing_flat = rows_of(crossing)
        return Lines(
            *(int(self._closed), len(places), self._window, first, target[:, 0].copy()),
            *(back_first, back_flat.reshape(-1), crossing_first, crossing_flat.reshape(-1)),
            *(near_first, near_flat[:, 0].copy()),
        )
