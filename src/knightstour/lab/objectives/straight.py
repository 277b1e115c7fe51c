"""Closed tours of large rectangles with few turns or crossings: straight lines, and a search for what is left free.

Inside, almost every square goes straight on. There are two ways to lay the lines: all parallel, turned back at the
borders (`borders.py`), with few turns or few crossings; or folded along the diagonals (`folds.py`), with still fewer
crossings on boards above 110 x 110 or so. Patterns that repeat join the lines such that a walk from border to border
drifts on until it comes to a free square, in the corners or in the centre. A set of moves that gives every free square
two is found by matching, and `covers.anneal` makes one loop of it, with few turns or few crossings.

With borders for few turns the tour has 4 (rows + cols) turns, less 11 to 14 for the corners in all that were measured:
at best 8n - 14 on n x n, as few as are known for large even n, where no tour has fewer than 8n - 28. It has about 9.25n
crossings. For few crossings there are about 7.03n with parallel lines, and 10.1n turns; with lines that fold
19n/3 + 102 at most in all that were measured, and 12.7n turns. 19n/3 + 142 are known.

Cost: 0.2 to 0.7 s for the free squares. The lines are followed as runs, so that takes time in proportion to rows +
cols, besides writing the squares.

Sources: J. J. Besa, T. Johnson, N. Mamano, M. C. Osegueda and P. Williams, Taming the knight's tour: minimizing turns
and crossings, 2022 (9.25n turns, 12n crossings; the idea of lines turned back at the borders); N. Mamano, 2026 (turns
between 8n - 28 and 8n - 14; lines that fold, with 19n/3 + 142 crossings).
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from knightstour.core.model import geometry
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import check_own_answer
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, found, undecided
from knightstour.lab.objectives import borders, folds
from knightstour.lab.objectives.covers import Cover, anneal
from knightstour.lab.objectives.laying import KNIGHT, Laying, Place, Step
from knightstour.lab.objectives.table import OBJECTIVES
from knightstour.lab.objectives.worth import direction_codes

LEAST_SIDE = borders.LEAST_SIDE
# How long the free squares are cooled, twice as often if they are few, and how many turns they may save at best: then
# it ends. More steps find a few turns or crossings less, or none.
_COOLINGS, _FEW, _STEPS_A_SQUARE, _SAVED = 2, 250, 1_500, 14
# No moves cross whose ends are further from each other, in rows or in columns.
_FAR = 5


def why_not_straight(problem: Problem) -> str | None:
    """Why the construction does not apply, or None.

    >>> why_not_straight(Problem.of((30, 30), closed=True)) is None
    True
    """
    board = problem.board
    if not (problem.closed and board.is_rectangle):
        return "it makes closed knight's tours of plain rectangles only"
    if min(board.rows, board.cols) < LEAST_SIDE:
        return f"both sides must be at least {LEAST_SIDE}"
    if board.square_count % 2:
        return "a board with an odd number of squares has no closed tour"
    return None


def straight(problem: Problem, budget: Budget, seed: int, *, fewest: str = "turns") -> Outcome:
    """A closed tour with few turns or few crossings. Only the free squares are searched for."""
    excuse = why_not_straight(problem)
    if excuse is not None:
        return undecided(excuse)
    board = problem.board
    laying, is_turned = laid(board, fewest)
    ways = ways_of(laying)
    rng = random.Random(seed)
    goal = 4 * (board.rows + board.cols) - _SAVED - sum(way.turns for way in ways) if fewest == "turns" else None
    links: list[int] | None = None
    while links is None and not budget.is_spent:
        cover = _cover(laying, ways, rng)
        links = anneal(
            cover,
            OBJECTIVES[fewest],
            budget,
            rng.getrandbits(32),
            goal=goal,
            coolings=_COOLINGS * (2 if len(laying.free) <= _FEW else 1),
            steps=_STEPS_A_SQUARE,
        )
    if links is None:
        return undecided(budget.why_stopped())
    order = _written(laying, cover, links, ways)
    if is_turned:
        rows, cols = np.divmod(order, laying.board.cols)
        order = cols * board.cols + rows
    return found(_from(problem.start_index, order), lines=len(ways))


def laid(board: Board, fewest: str) -> tuple[Laying, bool]:
    """The board laid with lines, and whether rows and columns were exchanged first: as leaves the fewest crossings."""
    choices: list[tuple[borders.Parallel | folds.Folded, bool]] = []
    for is_turned, turned in ((False, board), (True, Board(board.cols, board.rows))):
        if turned.cols % 2 == 0:
            choices.append((borders.parallel(turned, fewest), is_turned))
        if fewest == "crossings" and folds.is_laid(turned):
            choices.append((folds.Folded(turned), is_turned))
    return min(choices, key=lambda choice: choice[0].crossings)


def _from(start: int | None, order: np.ndarray) -> np.ndarray:
    """The closed tour, starting at this square."""
    return order if start is None else np.roll(order, -int(np.flatnonzero(order == start)[0]))


# ---------------------------------------------------------------- the ways between free squares


class _Way(NamedTuple):
    """A way from one free square to another, without those two.

    ends: the two free squares (row, col). leaving: the step by which each is left. runs: (first square number, step
    in square numbers, count) one after the other. turns: on the way, those at the two ends left out.
    """

    ends: tuple[Place, Place]
    leaving: tuple[Step, Step]
    runs: list[tuple[int, int, int]]
    turns: int


def ways_of(laying: Laying) -> list[_Way]:
    """All ways, each once. They hold every square that is not free, for no line closes to a loop."""
    board, free = laying.board, set(laying.free)
    ways: list[_Way] = []
    known: set[tuple[Place, Step]] = set()
    for place in laying.free:
        for step in KNIGHT:
            row, col = place[0] + step[0], place[1] + step[1]
            if not (0 <= row < board.rows and 0 <= col < board.cols) or (row, col) in free:
                continue
            if (place, step) not in known and (-step[0], -step[1]) in laying.moves_at(row, col):
                way = _followed(laying, free, place, step)
                known.add((way.ends[1], way.leaving[1]))
                ways.append(way)
    return ways


def _followed(laying: Laying, free: set[Place], place: Place, step: Step) -> _Way:
    """The way that leaves a free square by this step."""
    cols = laying.board.cols
    runs: list[tuple[int, int, int]] = []
    turns = 0
    row, col = place
    going = step
    while True:
        row, col = row + going[0], col + going[1]
        if (row, col) in free:
            return _Way((place, (row, col)), (step, (-going[0], -going[1])), runs, turns)
        one, other = laying.moves_at(row, col)
        before, going = going, other if one == (-going[0], -going[1]) else one
        turns += going != before
        count = 1 + laying.straight_on(row, col, going)
        runs.append((row * cols + col, going[0] * cols + going[1], count))
        row, col = row + (count - 1) * going[0], col + (count - 1) * going[1]


# ---------------------------------------------------------------- the free squares


def _cover(laying: Laying, ways: list[_Way], rng: random.Random) -> Cover:
    """The free squares with two links each: the ways, which stay, and moves found by matching.

    Its vertices are the free squares in their order. Its board holds them without the rows and columns between that
    are far from all of them, as tables of the whole board would take longer than the search.
    """
    places = laying.free
    vertex = {place: v for v, place in enumerate(places)}
    rows, cols = _closer({row for row, _ in places}), _closer({col for _, col in places})
    board = Board(max(rows.values()) + 1, max(cols.values()) + 1)
    codes = direction_codes(board)
    linked: list[list[tuple[int, int, int]]] = [[] for _ in places]  # (other, direction, frozen)
    for way in ways:
        a, b = (vertex[place] for place in way.ends)
        linked[a].append((b, codes[way.leaving[0]], 1))
        linked[b].append((a, codes[way.leaving[1]], 1))
    wanted = [2 - len(links) for links in linked]
    near = [[vertex[p] for p in _near(place) if p in vertex] for place in places]
    for a, b in _matched(places, near, wanted, rng):
        step = (places[b][0] - places[a][0], places[b][1] - places[a][1])
        linked[a].append((b, codes[step], 0))
        linked[b].append((a, codes[step] ^ 1, 0))
    check_own_answer(all(len(links) == 2 for links in linked), "the lines leave squares free that no moves can fill")
    flat = [link for links in linked for link in links]
    squares = [rows[row] * board.cols + cols[col] for row, col in places]
    return Cover(
        board,
        squares,
        [x for x, _, _ in flat],
        [d for _, d, _ in flat],
        [f for _, _, f in flat],
        crossed=_crossed(laying, vertex, codes),
    )


def _crossed(laying: Laying, vertex: dict[Place, int], codes: dict[Step, int]) -> dict[tuple[int, int], int]:
    """How many moves of the lines each move between free squares would cross; those with a free upper end left out.

    Those are links of the cover, and counted there.
    """
    crossings: dict[Step, list[tuple[Place, Step]]] = {}  # for a downward move: moves that cross it, from where
    for one, other, (down, on) in geometry.crossing_positions(laying.board.piece.vectors):
        crossings.setdefault(one, []).append(((down, on), other))
        crossings.setdefault(other, []).append(((-down, -on), one))
    near = {(row + dr, col + dc) for row, col in vertex for dr in range(-3, 4) for dc in range(-3, 4)}
    found: dict[tuple[int, int], int] = {}
    for row, col in near - vertex.keys():
        if not (0 <= row < laying.board.rows and 0 <= col < laying.board.cols):
            continue
        for step in laying.moves_at(row, col):
            for (down, on), other in crossings.get(step, ()):
                upper = (row + down, col + on)
                lower = (upper[0] + other[0], upper[1] + other[1])
                if upper in vertex and lower in vertex:
                    for end in ((vertex[upper], codes[other]), (vertex[lower], codes[other] ^ 1)):
                        found[end] = found.get(end, 0) + 1
    return found


def _closer(numbers: set[int]) -> dict[int, int]:
    """For each of the rows, or columns, its new number, where gaps between them are no wider than they need be."""
    new: dict[int, int] = {}
    last = at = -1
    for number in sorted(numbers):
        at += min(number - last, _FAR)
        new[number] = at
        last = number
    return new


def _near(place: Place) -> list[Place]:
    return [(place[0] + dr, place[1] + dc) for dr, dc in KNIGHT]


def _matched(
    places: list[Place], near: list[list[int]], wanted: list[int], rng: random.Random
) -> list[tuple[int, int]]:
    """Moves so that each square has as many as wanted, as far as possible: by augmenting paths from the light squares.

    A square of the other colour that is full hands one of its moves on to another square, which looks for a new one.
    """
    taken: dict[int, set[int]] = {v: set() for v in range(len(places))}
    ways_on = [rng.sample(list(near[v]), len(near[v])) for v in range(len(places))]

    def give(v: int, seen: set[int]) -> bool:
        for w in ways_on[v]:
            if w in seen or w in taken[v] or wanted[w] == 0:
                continue
            seen.add(w)
            if len(taken[w]) < wanted[w]:
                taken[v].add(w)
                taken[w].add(v)
                return True
            for u in list(taken[w]):
                if give(u, seen):
                    taken[u].remove(w)
                    taken[w].remove(u)
                    taken[v].add(w)
                    taken[w].add(v)
                    return True
        return False

    light = [v for v, (row, col) in enumerate(places) if (row + col) % 2 == 0]
    for v in light:
        while len(taken[v]) < wanted[v] and give(v, set()):
            pass
    return [(v, w) for v in light for w in sorted(taken[v])]


# ---------------------------------------------------------------- the whole


def _written(laying: Laying, cover: Cover, links: list[int], ways: list[_Way]) -> np.ndarray:
    """The squares of the tour in order: the free squares' links from vertex to vertex, with the ways between."""
    places, cols = laying.free, laying.board.cols
    vertex = {place: v for v, place in enumerate(places)}
    way_from: dict[tuple[int, int], tuple[_Way, bool]] = {}
    for way in ways:
        a, b = (vertex[place] for place in way.ends)
        for v, w, is_back in ((a, b, False), (b, a, True)):
            slot = next(
                k for k in (0, 1) if cover.frozen[2 * v + k] and (v, k) not in way_from and links[2 * v + k] == w
            )
            way_from[v, slot] = (way, is_back)
    runs: list[tuple[int, int, int]] = []
    here, slot = 0, 0
    while True:
        runs.append((places[here][0] * cols + places[here][1], 0, 1))
        if (here, slot) in way_from:
            way, is_back = way_from[here, slot]
            runs += [(at + (n - 1) * step, -step, n) for at, step, n in reversed(way.runs)] if is_back else way.runs
        after = links[2 * here + slot]
        arrived = 0 if links[2 * after] == here else 1
        here, slot = after, 1 - arrived
        if here == 0:
            break
    starts, steps, counts = (np.array(column, dtype=np.int64) for column in zip(*runs, strict=True))
    before = np.cumsum(counts) - counts
    within = np.arange(int(counts.sum())) - repeat(before, counts)
    return repeat(starts, counts) + repeat(steps, counts) * within
