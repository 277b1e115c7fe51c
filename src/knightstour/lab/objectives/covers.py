"""Annealing of covers: sets of paths and loops that visit every square, changed until they are one good tour."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model import geometry
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget
from knightstour.core.model.grid_board import GridBoard
from knightstour.lab.objectives.table import Objective
from knightstour.lab.objectives.worth import direction_codes


class State(NamedTuple):
    """Arguments of the kernel for a cover, in which every vertex has two links.

    A step removes two links u-v and x-y and adds u-x and v-y. If v-y is not a move, it continues with a third link z-w,
    and adds y-z and w-v instead. Within one loop this reverses, moves or separates parts; links of several loops join
    them. The cost is the objective plus PENALTY for each loop beyond the first, since some improvements need several
    loops in between. Under a symmetry each step is made with all its images, so that the cover stays invariant.

    Invariants between steps: links[2*v], links[2*v+1] are the two neighbours of v, and links are symmetric.
    directions[2*v+k] is the direction of that link from v (-1 if the link is not a single move); opposite directions
    differ in the last bit only, and even ones go down. frozen[2*v+k] is set for a link that must stay. LOOPS and COST
    match the links. best_links is a cover of one loop with cost BEST, once there is one. images[i * n + v] is the image
    of vertex v of n under power i + 1 of the symmetry.

    All arrays are int64, except the bool array frozen. counters: see below. odds[level * WIDTH + d]: probability, times
    2**32, of accepting a step that costs d more. offsets, targets, codes: the moves of each vertex and their
    directions. at: vertex at a point of the grid, or -1; place: the point of each vertex. crossed_from, crossed_place,
    crossed_code: for each downward direction, the links (point of the upper end relative to this one, direction) that
    cross it. over_from, over_place: likewise the points it passes over. move_cost[DIRECTIONS * v + direction],
    corner_cost[DIRECTIONS * direction + direction]: values of moves and corners. log, trail, seen, passes, slopes: work
    arrays of a step.
    """

    counters: np.ndarray
    odds: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    codes: np.ndarray
    links: np.ndarray
    directions: np.ndarray
    frozen: np.ndarray
    best_links: np.ndarray
    at: np.ndarray
    place: np.ndarray
    crossed_from: np.ndarray
    crossed_place: np.ndarray
    crossed_code: np.ndarray
    over_from: np.ndarray
    over_place: np.ndarray
    move_cost: np.ndarray
    corner_cost: np.ndarray
    images: np.ndarray
    log: np.ndarray
    trail: np.ndarray
    seen: np.ndarray
    passes: np.ndarray
    slopes: np.ndarray


# Fields of `counters` that Python uses; the struct Counters defines all. CROSSING: value of one crossing. HAS_CORNERS:
# whether corners have values. DIVISOR: of the value of a loop. POWERS: powers of the symmetry beyond the first.
# REMOVED, MADE: links that the step removed and added. MARK: for `seen`. VALUE: of all loops. DIRECTIONS: number of
# directions of a move.
RANDOM, COUNT, LOOPS, COST, BEST, SIGN, KIND, PENALTY, LEVELS, WIDTH, TOTAL, TAKEN, GOAL, CROSSING = range(1, 15)
HAS_CORNERS, DIVISOR, POWERS, REMOVED, MADE, MARK, VALUE, DIRECTIONS = range(15, 23)
COUNTERS = 23
NO_COST = 1 << 40
# Number of log items per link, and the maximum number of links that a step removes or adds, without their images.
LOGGED = 3
MAX_LINKS = 3

_VIRTUAL = -1  # the square of a virtual vertex
_LEVELS, _WIDTH = 64, 64
# Steps of one cooling per square. A cooling without a better tour doubles the steps of the next, up to a limit.
_STEPS_PER_SQUARE = 8_000
_LONGEST_COOLING = 1 << 28
# Steps per second. On boards with more squares than the second number, most time is spent on traversing the loops.
_STEPS_PER_SECOND, _SQUARES_WALKED = 1_500_000, 200
# Cost of each loop beyond the first, in units of the objective.
_HEAT, _COLD, _PENALTY = 0.75, 0.26, 2


class Cover(NamedTuple):
    """Vertices with two links each, so that they form loops; the kernel's arrays as lists.

    squares: square number of each vertex, or -1 for the vertex that is joined to all others. links, directions, frozen:
    two items per vertex, as in State. images: images of the vertices under the powers of a symmetry, or empty. crossed:
    number of crossings with moves outside the cover, for a vertex and a direction, if not zero.
    """

    board: Board
    squares: list[int]
    links: list[int]
    directions: list[int]
    frozen: list[int]
    images: tuple[int, ...] = ()
    crossed: Mapping[tuple[int, int], int] = MappingProxyType({})

    def with_symmetry(self, image: np.ndarray, order: int) -> Cover:
        """Return the cover with a symmetry that preserves it, given by the image of each square and its order."""
        number = {square: v for v, square in enumerate(self.squares)}
        found: list[int] = []
        there = image
        for _ in range(order - 1):
            found += [v if s == _VIRTUAL else number[int(there[s])] for v, s in enumerate(self.squares)]
            there = image[there]
        return self._replace(images=tuple(found))


def cover_of(board: Board, order: list[int], is_closed: bool, keep_ends: bool, squares: list[int]) -> Cover:
    """Return the loop of a tour; the ends of an open tour are joined by a frozen link or by an additional vertex.

    order: squares of the tour. squares: the same squares in the order of the vertices.
    """
    count = len(order)
    has_virtual = not is_closed and not keep_ends
    vertices = [*squares, _VIRTUAL] if has_virtual else squares
    number = {square: v for v, square in enumerate(squares)}
    loop = [number[square] for square in order] + ([count] if has_virtual else [])
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
    return Cover(board, vertices, links, directions, frozen)


def _vector(a: int, b: int, cols: int) -> tuple[int, int]:
    return b // cols - a // cols, b % cols - a % cols


def order_of(cover: Cover, links: list[int], is_closed: bool) -> list[int]:
    """Return the squares along the loop, starting at the virtual vertex or the frozen link if there is one."""
    size = len(cover.squares)
    if is_closed:
        first, before = 0, links[0]
    elif cover.squares[-1] == _VIRTUAL:
        first, before = links[2 * (size - 1)], size - 1
    else:
        # The frozen link joins the two ends, which were first and last.
        first, before = 0, size - 1
    order: list[int] = []
    here = first
    while len(order) < size - (cover.squares[-1] == _VIRTUAL):
        order.append(cover.squares[here])
        after = links[2 * here + (links[2 * here] == before)]
        before, here = here, after
    return order


def anneal(
    cover: Cover,
    objective: Objective,
    budget: Budget,
    seed: int,
    *,
    goal: int | None = None,
    another: Callable[[int], Cover | None] | None = None,
) -> list[int] | None:
    """Return the links of the best cover with one loop within the budget, or None.

    goal: value of sign times statistic at which to stop. another: returns another cover of the same vertices, to start
    from after a cooling without improvement.
    """
    best: list[int] | None = None
    best_cost = NO_COST
    random = first_random(seed)
    total = _steps_of_cooling(len(cover.squares), budget)
    links, directions = cover.links, cover.directions
    done = 0
    while not budget.is_spent:
        state = start_state(cover._replace(links=links, directions=directions), objective, random, total, goal)
        slices.drive("improve_step", state, budget)
        done += 1
        cost = int(state.counters[BEST])
        random = int(state.counters[RANDOM])
        is_better = cost < best_cost
        if is_better:
            best, best_cost = state.best_links.tolist(), cost
            links, directions = best, _directions(cover, best)
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
                links, directions = best, _directions(cover, best)
            else:
                links, directions = state.links.tolist(), state.directions.tolist()
    return best


def _steps_of_cooling(size: int, budget: Budget) -> int:
    """Return the number of steps of the first cooling, which should end within the limits.

    It depends on the limits and not on the clock, so that equal seeds give equal results.
    """
    total = min(_STEPS_PER_SQUARE * size, _LONGEST_COOLING)
    if budget.limits.nodes is not None:
        total = min(total, budget.nodes_left(total))
    if budget.limits.seconds is not None:
        total = min(total, int(budget.limits.seconds * _STEPS_PER_SECOND / (1 + size / _SQUARES_WALKED)))
    return max(total, 1)


def _directions(cover: Cover, links: list[int]) -> list[int]:
    """Return the directions of links; a frozen link keeps its own."""
    codes, cols = direction_codes(cover.board), cover.board.cols
    directions = [-1] * len(links)
    for v, square in enumerate(cover.squares):
        for k in (0, 1):
            if cover.frozen[2 * v + k]:
                directions[2 * v + k] = cover.directions[2 * v + k]
            elif square != _VIRTUAL and cover.squares[links[2 * v + k]] != _VIRTUAL:
                directions[2 * v + k] = codes[_vector(square, cover.squares[links[2 * v + k]], cols)]
    return directions


def start_state(cover: Cover, objective: Objective, random: int, total: int, goal: int | None) -> State:
    """Return the state before the first of `total` steps of one cooling."""
    size = len(cover.squares)
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[POWERS] = powers = len(cover.images) // size
    counters[RANDOM] = random
    counters[COUNT] = size
    counters[BEST] = NO_COST
    worth = objective.worth(cover.board)
    counters[SIGN] = objective.sign
    counters[KIND] = worth.kind
    counters[CROSSING] = worth.crossing
    counters[DIVISOR] = worth.divisor
    counters[HAS_CORNERS] = int(any(worth.corners))
    counters[PENALTY] = _PENALTY * worth.unit
    counters[LEVELS], counters[WIDTH] = _LEVELS, _WIDTH * worth.unit
    counters[TOTAL] = total
    counters[GOAL] = -NO_COST if goal is None else max(-NO_COST, min(goal, NO_COST))
    offsets, targets, codes = _vertex_moves(cover.board, tuple(cover.squares))
    tables = _crossing_tables(cover.board, tuple(cover.squares))
    directions = len(direction_codes(cover.board))
    counters[DIRECTIONS] = directions
    move_cost = np.zeros((size, directions), dtype=np.int64)
    for v, square in enumerate(cover.squares):
        if square != _VIRTUAL:
            move_cost[v] = worth.moves[square]
    for (v, code), count in cover.crossed.items():
        move_cost[v, code] += worth.crossing * count
    return State(
        counters=counters,
        odds=_odds(worth.unit),
        offsets=offsets,
        targets=targets,
        codes=codes,
        links=_array(cover.links),
        directions=_array(cover.directions),
        frozen=np.array(cover.frozen, dtype=bool),
        best_links=np.zeros(2 * size, dtype=np.int64),
        **tables,
        move_cost=move_cost,
        corner_cost=_array(worth.corners),
        images=_array(cover.images),
        log=np.zeros(2 * MAX_LINKS * LOGGED * (powers + 1), dtype=np.int64),
        trail=np.zeros(2 * MAX_LINKS, dtype=np.int64),
        seen=np.zeros(size, dtype=np.int64),
        passes=np.zeros(len(tables["at"]), dtype=np.int64),
        slopes=np.zeros(directions // 2, dtype=np.int64),
    )


def _array(numbers: Sequence[int]) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


@functools.cache
def _odds(unit: int) -> np.ndarray:
    """Return, for each temperature level, the probabilities times 2**32 of accepting a cost of d more."""
    table = []
    for level in range(_LEVELS):
        heat = unit * _HEAT * (_COLD / _HEAT) ** (level / (_LEVELS - 1))
        table += [min(2**32 - 1, int(math.exp(-d / heat) * 2**32)) for d in range(_WIDTH * unit)]
    return _array(table)


@functools.lru_cache(maxsize=4)
def _vertex_moves(board: Board, squares: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return offsets, targets and codes of the moves."""
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
    return _array(offsets), _array(targets), _array(codes)


@functools.lru_cache(maxsize=4)
def _crossing_tables(board: GridBoard, squares: tuple[int, ...]) -> dict[str, np.ndarray]:
    """Return the arrays `at` to `over_place` of State; the grid has a margin on all sides."""
    codes = direction_codes(board)
    margin = 2 * board.piece.reach
    width = board.cols + 2 * margin
    place = [0 if s == _VIRTUAL else (s // board.cols + margin) * width + s % board.cols + margin for s in squares]
    at = [-1] * (width * (board.rows + 2 * margin))
    for v, square in enumerate(squares):
        if square != _VIRTUAL:
            at[place[v]] = v
    crossing: list[list[tuple[int, int]]] = [[] for _ in range(len(codes) // 2)]
    for p, q, (dr, dc) in geometry.crossing_positions(board.piece.vectors):
        crossing[codes[p] >> 1].append((dr * width + dc, codes[q]))
        crossing[codes[q] >> 1].append((-dr * width - dc, codes[p]))
    crossed_from, crossed_place, crossed_code = [0], [], []
    for entries in crossing:
        crossed_place += [where for where, _ in entries]
        crossed_code += [code for _, code in entries]
        crossed_from.append(len(crossed_place))
    over_from, over_place = [0], []
    for code in range(0, len(codes), 2):
        move = next(step for step, number in codes.items() if number == code)
        over_place += [row * width + col for row, col in geometry.passed_over(move)]
        over_from.append(len(over_place))
    tables = {"at": at, "place": place, "over_from": over_from, "over_place": over_place}
    tables |= {"crossed_from": crossed_from, "crossed_place": crossed_place, "crossed_code": crossed_code}
    return {name: _array(numbers) for name, numbers in tables.items()}
