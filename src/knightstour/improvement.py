"""improve(): a tour with fewer (or more) turns or crossings, by simulated annealing that starts from a given tour.

A step takes two moves u-v and x-y out of the tour and puts u-x and v-y in. That turns a part of the tour round, or
cuts it into two loops, which costs a penalty until a later step joins them. Steps that make the tour worse are taken
with a chance that falls as the search cools, again and again, from the best tour found or on small boards from a
random one, until the limits are reached. An open tour is a loop through one more vertex, joined to its two ends;
where the ends may change, that vertex is joined to every square, and a step there is a rotation.

The best tour seen is always kept, so the answer is never worse than what was given. It is not proved to be best.

Cost: 0.3 us a step for turns on 8x8, more for crossings, and in proportion to the length of the tour on large boards.
Sources: S. Kirkpatrick, C. D. Gelatt and M. P. Vecchi, Optimization by simulated annealing, 1983; S. Lin, 1965 (2-opt).
"""

from __future__ import annotations

import functools
import math
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, NamedTuple

from knightstour import engine, geometry, rotation
from knightstour.board import Board, leaper_moves, move_graph
from knightstour.errors import BoardError, ProblemError
from knightstour.given import an, flag, one_of, shown, whole_number
from knightstour.kernels import improve as kernel
from knightstour.kernels.rng import first_random
from knightstour.result import Budget, Limits, Problem
from knightstour.tour import Tour


@dataclass(frozen=True, slots=True)
class Objective:
    """What is to be small: sign times the turns, or the crossings."""

    summary: str
    counts_crossings: bool
    sign: int

    def of(self, tour: Tour) -> int:
        """The number of turns or crossings of a tour."""
        return tour.crossings if self.counts_crossings else tour.turns


OBJECTIVES: Final[dict[str, Objective]] = {
    "turns": Objective("as few turns as can be found", False, 1),
    "crossings": Objective("as few crossings as can be found", True, 1),
    "most-turns": Objective("as many turns as can be found", False, -1),
    "most-crossings": Objective("as many crossings as can be found", True, -1),
}

_VIRTUAL = -1  # as a vertex's square: it is none
_LEVELS, _WIDTH = 64, 64
# Steps of one cooling, for each square; each cooling without a better tour makes the next twice as long, up to a bound.
_STEPS_A_SQUARE = 4_000
_LONGEST_COOLING = 1 << 28
_HEAT, _COLD = 2.0, 0.15
# Loops more than one cost so many turns, or crossings.
_PENALTY_TURNS, _PENALTY_CROSSINGS = 3, 4
_MOST_SQUARES = 100_000
DEFAULT_SECONDS = 5.0
# The steps do not lead from every tour to every other, so on small boards every other cooling that found nothing better
# is begun with a random tour.
_MOST_SQUARES_VARIED = 400
_SECONDS_OF_ANOTHER, _NODES_OF_ANOTHER = 0.5, 200


@dataclass(frozen=True, slots=True)
class Improvement:
    """What improve() found.

    tour: the best tour. objective: a name of OBJECTIVES. before, after: turns or crossings of the given and of the best
    tour. steps: steps of the search. seconds: wall-clock time. seed: the one used.
    """

    tour: Tour
    objective: str
    before: int
    after: int
    steps: int
    seconds: float
    seed: int


def checked_objective(name: str) -> Objective:
    """The row of OBJECTIVES; a ProblemError for any other name."""
    return OBJECTIVES[one_of(name, OBJECTIVES, "objective")]


def check_board(board: Board) -> None:
    """A BoardError where turns and crossings are not defined, or which is too large to improve step by step."""
    if board.graph is not None or board.wrap is not None:
        raise BoardError(f"turns and crossings are counted on flat boards only; this is {an(board)}")
    if board.square_count > _MOST_SQUARES:
        raise BoardError(
            f"{board.square_count:,} squares are too many to improve step by step (at most {_MOST_SQUARES:,})",
            help="method straight builds large closed tours with few turns and crossings",
        )


def improve(
    tour: Tour,
    objective: str = "turns",
    *,
    closed: bool | None = None,
    keep_ends: bool = False,
    goal: int | None = None,
    seed: int | None = None,
    limits: Limits | None = None,
    on_progress: Callable[[Budget], None] | None = None,
) -> Improvement:
    """Look for a tour of the same board and kind with fewer (or more) turns or crossings.

    closed: whether the better tour must be closed; None: if the given one is. keep_ends: of an open tour the two ends
        stay as they are.
    objective: "turns", "crossings", "most-turns" or "most-crossings", counted as by Tour.turns and Tour.crossings.
    goal: end as soon as the number is reached. seed: any whole number; the same seed and node limit give the same tour.
    limits: by default 5 seconds. nodes are steps of the annealing.

    Raises BoardError for boards on which turns and crossings are not defined (wrapped sides, graphs) or which are too
    large (over 100,000 squares), ProblemError for an unknown objective.

    >>> from knightstour.methods import find_tour
    >>> better = improve(find_tour((6, 6), closed=True), "turns", seed=1, limits=Limits(nodes=20_000))
    >>> better.after == better.tour.turns <= better.before
    True
    """
    if not isinstance(tour, Tour):
        raise ProblemError(f"this is no tour: {shown(tour)}", help="give a Tour, such as find_tour(board) does")
    wanted = checked_objective(objective)
    keep_ends = flag(keep_ends, "keep_ends")
    if goal is not None:
        goal = whole_number(goal, "goal")
    board = tour.board
    check_board(board)
    is_closed = tour.is_closed if closed is None else flag(closed, "closed")
    if is_closed and not tour.is_closed:
        raise ProblemError("this tour is open", help="give a closed tour, or leave out closed=True")
    seed = secrets.randbits(32) if seed is None else whole_number(seed, "the seed")
    budget = Budget(Limits(seconds=DEFAULT_SECONDS) if limits is None else limits, on_progress)
    before = wanted.of(tour)
    if board.square_count < 5:
        return Improvement(tour, objective, before, before, 0, budget.seconds, seed)
    order = [int(square) for square in tour.order]
    cover = _cover_of(board, order, is_closed, keep_ends, order)

    def another(seed: int) -> Cover | None:
        """The cover of a random tour of the same kind, with the vertices numbered alike."""
        ends = (tour.start, tour.end) if keep_ends and not is_closed else (None, None)
        part = Budget(Limits(_SECONDS_OF_ANOTHER, _NODES_OF_ANOTHER * len(order)))
        outcome = rotation.rotation(Problem.of(board, closed=is_closed, start=ends[0], end=ends[1]), part, seed)
        if outcome.order is None:
            return None
        return _cover_of(board, [int(square) for square in outcome.order], is_closed, keep_ends, order)

    goal = None if goal is None else wanted.sign * goal
    varied = another if len(order) <= _MOST_SQUARES_VARIED else None
    found = anneal(board, cover, wanted, budget, seed, goal=goal, another=varied)
    best = tour if found is None else Tour.from_order(board, _order_of(cover, found, is_closed))
    if keep_ends and not is_closed and best.start != tour.start:
        best = best.reversed()
    after = wanted.of(best)
    if wanted.sign * after > wanted.sign * before:
        best, after = tour, before
    return Improvement(best, objective, before, after, budget.nodes, budget.seconds, seed)


# ---------------------------------------------------------------- covers


class Cover(NamedTuple):
    """Vertices that each have two links, so that they lie on loops; the kernel's arrays in plain lists.

    squares: square number of each vertex, or -1 for one that is joined to all others. links, directions, frozen: two
    items for each vertex, as in kernels/improve.py.
    """

    squares: list[int]
    links: list[int]
    directions: list[int]
    frozen: list[int]


def _cover_of(board: Board, order: list[int], is_closed: bool, keep_ends: bool, squares: list[int]) -> Cover:
    """The loop of a closed tour; of an open one, with its ends joined by a link that stays or by one more vertex.

    order: the tour's squares. squares: the same squares as the vertices are to be numbered.
    """
    count = len(order)
    has_virtual = not is_closed and not keep_ends
    vertices = [*squares, _VIRTUAL] if has_virtual else squares
    number = {square: v for v, square in enumerate(squares)}
    loop = [number[square] for square in order] + [count] * has_virtual
    codes = direction_codes(board)
    links, directions, frozen = [0] * (2 * len(loop)), [-1] * (2 * len(loop)), [0] * (2 * len(loop))
    for i, v in enumerate(loop):
        for k, j in enumerate((i - 1, (i + 1) % len(loop))):
            w = loop[j]
            links[2 * v + k] = w
            is_move = is_closed or (v < count and w < count and abs(i - j) == 1 and j >= 0)
            if is_move:
                directions[2 * v + k] = codes[_vector(squares[v], squares[w], board.cols)]
            frozen[2 * v + k] = int(not is_move and not has_virtual)
    return Cover(vertices, links, directions, frozen)


def _vector(a: int, b: int, cols: int) -> tuple[int, int]:
    return b // cols - a // cols, b % cols - a % cols


@functools.cache
def _codes_of(leaper: tuple[int, int]) -> dict[tuple[int, int], int]:
    down = [(dr, dc) for dr, dc in leaper_moves(leaper) if dr > 0 or (dr == 0 and dc > 0)]
    codes = {}
    for k, (dr, dc) in enumerate(down):
        codes[dr, dc], codes[-dr, -dc] = 2 * k, 2 * k + 1
    return codes


def direction_codes(board: Board) -> dict[tuple[int, int], int]:
    """A number for each move (rows, cols) of the board's leaper: even ones go down, and opposites differ by one."""
    return _codes_of(board.leaper)


def _order_of(cover: Cover, links: list[int], is_closed: bool) -> list[int]:
    """The squares along the one loop, from the virtual vertex or the frozen link where there is one."""
    size = len(cover.squares)
    if is_closed:
        first, before = 0, links[0]
    elif cover.squares[-1] == _VIRTUAL:
        first, before = links[2 * (size - 1)], size - 1
    else:
        # The link that stays joins the two ends, which were first and last.
        first, before = 0, size - 1
    order: list[int] = []
    here = first
    while len(order) < size - (cover.squares[-1] == _VIRTUAL):
        order.append(cover.squares[here])
        after = links[2 * here + (links[2 * here] == before)]
        before, here = here, after
    return order


# ---------------------------------------------------------------- annealing


def anneal(
    board: Board,
    cover: Cover,
    objective: Objective,
    budget: Budget,
    seed: int,
    *,
    goal: int | None = None,
    coolings: int | None = None,
    another: Callable[[int], Cover | None] | None = None,
) -> list[int] | None:
    """Links of the best cover by one loop that was found before the budget or so many coolings ended; None if none was.

    goal: sign times the number at which to end. another: makes another cover of the same vertices to begin with, where
    a cooling found nothing better.
    """
    best: list[int] | None = None
    best_cost = kernel.NO_COST
    random = first_random(seed)
    total = min(_STEPS_A_SQUARE * len(cover.squares), _LONGEST_COOLING)
    links, directions = cover.links, cover.directions
    done = 0
    while not budget.is_spent and (coolings is None or done < coolings):
        state = _state(board, cover, links, directions, objective, random, total, goal)
        _, state = engine.drive("improve", state, budget)
        done += 1
        cost = int(state.counters[kernel.BEST])
        random = int(state.counters[kernel.RANDOM])
        is_better = cost < best_cost
        if is_better:
            best, best_cost = [int(w) for w in state.best_links], cost
            links, directions = best, _directions(board, cover, best)
        if goal is not None and best_cost <= goal:
            break
        if is_better:
            continue
        fresh = another(random) if another is not None and done % 2 else None
        if fresh is not None:
            links, directions = fresh.links, fresh.directions
        else:
            total = min(2 * total, _LONGEST_COOLING)
            if best is not None:
                links, directions = best, _directions(board, cover, best)
            else:
                links, directions = [int(w) for w in state.links], [int(d) for d in state.directions]
    return best


def _directions(board: Board, cover: Cover, links: list[int]) -> list[int]:
    """Directions of these links; a link that stays keeps its own, wherever the kernel has put it."""
    codes = direction_codes(board)
    directions = [-1] * len(links)
    for v, square in enumerate(cover.squares):
        for k in (0, 1):
            if cover.frozen[2 * v + k]:
                directions[2 * v + k] = cover.directions[2 * v + k]
            elif square != _VIRTUAL and cover.squares[links[2 * v + k]] != _VIRTUAL:
                directions[2 * v + k] = codes[_vector(square, cover.squares[links[2 * v + k]], board.cols)]
    return directions


def _state(
    board: Board,
    cover: Cover,
    links: list[int],
    directions: list[int],
    objective: Objective,
    random: int,
    total: int,
    goal: int | None,
) -> kernel.State:
    size = len(cover.squares)
    counters = [0] * 14
    counters[kernel.RANDOM] = random
    counters[kernel.COUNT] = size
    counters[kernel.BEST] = kernel.NO_COST
    counters[kernel.SIGN] = objective.sign
    counters[kernel.COUNTS_CROSSINGS] = int(objective.counts_crossings)
    counters[kernel.PENALTY] = _PENALTY_CROSSINGS if objective.counts_crossings else _PENALTY_TURNS
    counters[kernel.LEVELS], counters[kernel.WIDTH] = _LEVELS, _WIDTH
    counters[kernel.TOTAL] = total
    counters[kernel.GOAL] = -kernel.NO_COST if goal is None else goal
    offsets, targets, codes = _moves(board, tuple(cover.squares))
    at, place, crossed_from, crossed_place, crossed_code = _crossing_tables(board, tuple(cover.squares))
    return kernel.State(
        counters,
        list(_odds()),
        offsets,
        targets,
        codes,
        list(links),
        list(directions),
        list(cover.frozen),
        [0] * (2 * size),
        at,
        place,
        crossed_from,
        crossed_place,
        crossed_code,
    )


@functools.cache
def _odds() -> tuple[int, ...]:
    """Chances of 2**32 that a step which costs d more is taken, for each level of heat."""
    table = []
    for level in range(_LEVELS):
        heat = _HEAT * (_COLD / _HEAT) ** (level / (_LEVELS - 1))
        table += [min(2**32 - 1, int(math.exp(-d / heat) * 2**32)) for d in range(_WIDTH)]
    return tuple(table)


@functools.lru_cache(maxsize=4)
def _moves(board: Board, squares: tuple[int, ...]) -> tuple[list[int], list[int], list[int]]:
    """(offsets, targets, codes): the moves between the vertices."""
    graph = move_graph(board)
    codes_of = direction_codes(board)
    vertex = {square: v for v, square in enumerate(squares)}
    others = [v for v, square in enumerate(squares) if square != _VIRTUAL]
    offsets, targets, codes = [0], [], []
    for square in squares:
        if square == _VIRTUAL:
            targets += others
            codes += [-1] * len(others)
        else:
            for other in graph.targets[graph.offsets[square] : graph.offsets[square + 1]].tolist():
                if other in vertex:
                    targets.append(vertex[other])
                    codes.append(codes_of[_vector(square, other, board.cols)])
            if _VIRTUAL in vertex:
                targets.append(vertex[_VIRTUAL])
                codes.append(-1)
        offsets.append(len(targets))
    return offsets, targets, codes


@functools.lru_cache(maxsize=4)
def _crossing_tables(
    board: Board, squares: tuple[int, ...]
) -> tuple[list[int], list[int], list[int], list[int], list[int]]:
    """(at, place, crossed_from, crossed_place, crossed_code) of kernels/improve.py; places have a margin all round."""
    codes = direction_codes(board)
    margin = 2 * max(board.leaper)
    width = board.cols + 2 * margin
    place = [0 if s == _VIRTUAL else (s // board.cols + margin) * width + s % board.cols + margin for s in squares]
    at = [-1] * (width * (board.rows + 2 * margin))
    for v, square in enumerate(squares):
        if square != _VIRTUAL:
            at[place[v]] = v
    crossing: list[list[tuple[int, int]]] = [[] for _ in range(len(codes) // 2)]
    for p, q, (dr, dc) in geometry.crossing_positions(board.leaper):
        crossing[codes[p] >> 1].append((dr * width + dc, codes[q]))
        crossing[codes[q] >> 1].append((-dr * width - dc, codes[p]))
    crossed_from, crossed_place, crossed_code = [0], [], []
    for entries in crossing:
        crossed_place += [where for where, _ in entries]
        crossed_code += [code for _, code in entries]
        crossed_from.append(len(crossed_place))
    return at, place, crossed_from, crossed_place, crossed_code
