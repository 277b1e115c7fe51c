"""Closed tours of large rectangles with few turns and crossings: straight lines, turned back at the borders.

Inside, every square goes straight on: all lines rise to the right, two columns for one row. At the borders the lines
are turned back in pairs, in patterns that repeat (`borders.py`), such that a walk from border to border drifts on until
it comes to a corner. So every way through the inside ends in one of the corner squares of 9 x 9, where the moves are
free. There a set of moves that gives every square two is found by matching, and `covers.anneal` makes one loop of it,
with few turns or few crossings.

With borders for few turns the tour has 4 (rows + cols) turns, less 11 to 14 for the corners in all that were measured:
at best 8n - 14 on n x n, as few as are known for large even n, where no tour has fewer than 8n - 28. It has about 9.25n
crossings. With borders for few crossings it has about 7.03n of them, and 10.1n turns; 19n/3 + 142 are known.

Cost: 0.3 to 0.6 s for the corners. The lines are followed as runs, so that takes time in proportion to rows + cols,
besides writing the squares.

Sources: J. J. Besa, T. Johnson, N. Mamano, M. C. Osegueda and P. Williams, Taming the knight's tour: minimizing turns
and crossings, 2022 (9.25n turns, 12n crossings; the idea of lines turned back at the borders); N. Mamano, 2026 (turns
between 8n - 28 and 8n - 14).
"""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np

from knightstour.model.board import Board
from knightstour.model.budget import Budget
from knightstour.model.problem import Problem
from knightstour.model.result import Outcome, found, undecided
from knightstour.search.objectives.borders import KNIGHT, LINE, Borders, Step, borders_for
from knightstour.search.objectives.covers import Cover, anneal
from knightstour.search.objectives.table import OBJECTIVES
from knightstour.search.objectives.worth import direction_codes

# Side of the corner squares, and of the smallest board that has borders between them. Odd corners are seldom left with
# loops that no step joins (1 in 10), those of 8 x 8 and 10 x 10 mostly.
_CORNER = 9
LEAST_SIDE = 20
# How long the corners are cooled, and how many turns they may save at best: then it ends. More steps find a few turns
# less, or none.
_COOLINGS, _STEPS_A_SQUARE, _SAVED = 2, 1_500, 14

_Place = tuple[int, int]


def why_not_straight(problem: Problem) -> str | None:
    """Why the construction does not apply, or None.

    >>> why_not_straight(Problem.of((30, 30), closed=True)) is None
    True
    """
    board = problem.board
    if not (problem.closed and board.is_rectangle and board.leaper == (1, 2)):
        return "it makes closed knight's tours of plain rectangles only"
    if min(board.rows, board.cols) < LEAST_SIDE:
        return f"both sides must be at least {LEAST_SIDE}"
    if board.square_count % 2:
        return "a board with an odd number of squares has no closed tour"
    return None


def straight(problem: Problem, budget: Budget, seed: int, *, fewest: str = "turns") -> Outcome:
    """A closed tour with few turns or few crossings. Only the corners are searched for."""
    excuse = why_not_straight(problem)
    if excuse is not None:
        return undecided(excuse)
    board = problem.board
    borders, is_turned = borders_for(board, fewest)
    laid = Board(board.cols, board.rows) if is_turned else board
    ways = _ways(laid, borders)
    rng = random.Random(seed)
    goal = 4 * (board.rows + board.cols) - _SAVED - sum(way.turns for way in ways) if fewest == "turns" else None
    links: list[int] | None = None
    while links is None and not budget.is_spent:
        cover = _corners(laid, ways, rng)
        links = anneal(
            cover,
            OBJECTIVES[fewest],
            budget,
            rng.getrandbits(32),
            goal=goal,
            coolings=_COOLINGS,
            steps=_STEPS_A_SQUARE,
        )
    if links is None:
        return undecided(budget.why_stopped())
    order = _written(laid, cover, links, ways)
    if is_turned:
        rows, cols = np.divmod(order, laid.cols)
        order = cols * board.cols + rows
    return found(_from(problem.start_index, order), lines=len(ways))


def _from(start: int | None, order: np.ndarray) -> np.ndarray:
    """The closed tour, starting at this square."""
    return order if start is None else np.roll(order, -int(np.flatnonzero(order == start)[0]))


def _is_corner(board: Board, row: int, col: int) -> bool:
    return not (_CORNER <= row < board.rows - _CORNER or _CORNER <= col < board.cols - _CORNER)


# ---------------------------------------------------------------- the ways outside the corners


class _Way(NamedTuple):
    """A way through the inside from one corner square to another, without those two.

    ends: the two corner squares (row, col). leaving: the step by which each is left. runs: (first square number, step
    in square numbers, count) one after the other. turns: on the way, those at the two ends left out.
    """

    ends: tuple[_Place, _Place]
    leaving: tuple[Step, Step]
    runs: list[tuple[int, int, int]]
    turns: int


def _corner_squares(board: Board) -> list[_Place]:
    rows = [*range(_CORNER), *range(board.rows - _CORNER, board.rows)]
    cols = [*range(_CORNER), *range(board.cols - _CORNER, board.cols)]
    return [(row, col) for row in rows for col in cols]


def _ways(board: Board, borders: Borders) -> list[_Way]:
    """All ways, each once. They hold every square outside the corners, for no line closes to a loop."""
    ways: list[_Way] = []
    known: set[tuple[_Place, Step]] = set()
    for place in _corner_squares(board):
        for step in KNIGHT:
            row, col = place[0] + step[0], place[1] + step[1]
            if not (0 <= row < board.rows and 0 <= col < board.cols) or _is_corner(board, row, col):
                continue
            if (-step[0], -step[1]) in borders.moves_at(board, row, col) and (place, step) not in known:
                way = _followed(board, borders, place, step)
                known.add((way.ends[1], way.leaving[1]))
                ways.append(way)
    return ways


def _followed(board: Board, borders: Borders, place: _Place, step: Step) -> _Way:
    """The way that leaves a corner square by this step."""
    cols = board.cols
    runs: list[tuple[int, int, int]] = []
    turns = 0
    row, col = place
    going = step
    while True:
        row, col = row + going[0], col + going[1]
        if _is_corner(board, row, col):
            return _Way((place, (row, col)), (step, (-going[0], -going[1])), runs, turns)
        one, other = borders.moves_at(board, row, col)
        before, going = going, other if one == (-going[0], -going[1]) else one
        turns += going != before
        # Straight on, as far as no border is near.
        count = 1 + (_straight_on(board, row, col, going) if going in LINE else 0)
        runs.append((row * cols + col, going[0] * cols + going[1], count))
        row, col = row + (count - 1) * going[0], col + (count - 1) * going[1]


def _straight_on(board: Board, row: int, col: int, going: Step) -> int:
    """How many steps lead from a square to squares all of whose kind is the inside, where all go straight on."""
    if not (_CORNER <= row < board.rows - _CORNER and _CORNER <= col < board.cols - _CORNER):
        return 0
    if going[0] < 0:
        return min(row - _CORNER, (board.cols - _CORNER - 1 - col) // 2)
    return min(board.rows - _CORNER - 1 - row, (col - _CORNER) // 2)


# ---------------------------------------------------------------- the corners


def _corners(board: Board, ways: list[_Way], rng: random.Random) -> Cover:
    """The corner squares with two links each: the ways, which stay, and moves found by matching."""
    places = _corner_squares(board)
    vertex = {place: v for v, place in enumerate(places)}
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
    assert all(len(links) == 2 for links in linked), "the lines leave corners that no moves can fill"
    flat = [link for links in linked for link in links]
    squares = [row * board.cols + col for row, col in places]
    return Cover(board, squares, [x for x, _, _ in flat], [d for _, d, _ in flat], [f for _, _, f in flat])


def _near(place: _Place) -> list[_Place]:
    return [(place[0] + dr, place[1] + dc) for dr, dc in KNIGHT]


def _matched(
    places: list[_Place], near: list[list[int]], wanted: list[int], rng: random.Random
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


def _written(board: Board, cover: Cover, links: list[int], ways: list[_Way]) -> np.ndarray:
    """The squares of the tour in order: the corners' links from vertex to vertex, with the ways between."""
    vertex = {square: v for v, square in enumerate(cover.squares)}
    way_from: dict[tuple[int, int], tuple[_Way, bool]] = {}
    for way in ways:
        a, b = (vertex[row * board.cols + col] for row, col in way.ends)
        for v, w, is_back in ((a, b, False), (b, a, True)):
            slot = next(
                k for k in (0, 1) if cover.frozen[2 * v + k] and (v, k) not in way_from and links[2 * v + k] == w
            )
            way_from[v, slot] = (way, is_back)
    runs: list[tuple[int, int, int]] = []
    here, slot = 0, 0
    while True:
        runs.append((cover.squares[here], 0, 1))
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
    within = np.arange(int(counts.sum())) - np.repeat(before, counts)
    return np.repeat(starts, counts) + np.repeat(steps, counts) * within
