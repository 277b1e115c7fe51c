"""Annealing of covers: paths and loops that visit every square, turned round until one good tour is left."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from knightstour.kernels.rng import first_random
from knightstour.kernels.search import improve as kernel
from knightstour.kernels.search import improve_symmetric
from knightstour.machine import engine
from knightstour.model import geometry
from knightstour.model.board import Board, leaper_moves, move_graph
from knightstour.model.budget import Budget
from knightstour.search.objectives.table import Objective

_VIRTUAL = -1  # as a vertex's square: it is none
_LEVELS, _WIDTH = 64, 64
# Steps of one cooling, for each square; each cooling without a better tour makes the next twice as long, up to a bound.
_STEPS_A_SQUARE = 4_000
_LONGEST_COOLING = 1 << 28
_HEAT, _COLD = 2.0, 0.15
# What each loop beyond the first costs, in turns or in crossings.
_PENALTY_TURNS, _PENALTY_CROSSINGS = 3, 4


class Cover(NamedTuple):
    """Vertices that each have two links, so that they lie on loops; the kernel's arrays in plain lists.

    squares: square number of each vertex of the board, or -1 for one that is joined to all others. links, directions,
    frozen: two items for each vertex, as in kernels/search/improve.py. images: of a symmetry that the cover keeps,
    where its powers take the vertices, as in kernels/search/improve_symmetric.py; empty for none.
    """

    board: Board
    squares: list[int]
    links: list[int]
    directions: list[int]
    frozen: list[int]
    images: tuple[int, ...] = ()

    def with_symmetry(self, image: np.ndarray, order: int) -> Cover:
        """The same cover, which a symmetry lays on itself. image: of each square number. order: of the symmetry."""
        number = {square: v for v, square in enumerate(self.squares)}
        found: list[int] = []
        there = image
        for _ in range(order - 1):
            found += [v if s == _VIRTUAL else number[int(there[s])] for v, s in enumerate(self.squares)]
            there = image[there]
        return self._replace(images=tuple(found))


def cover_of(board: Board, order: list[int], is_closed: bool, keep_ends: bool, squares: list[int]) -> Cover:
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
    return Cover(board, vertices, links, directions, frozen)


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


def order_of(cover: Cover, links: list[int], is_closed: bool) -> list[int]:
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


def anneal(
    cover: Cover,
    objective: Objective,
    budget: Budget,
    seed: int,
    *,
    goal: int | None = None,
    coolings: int | None = None,
    another: Callable[[int], Cover | None] | None = None,
) -> list[int] | None:
    """Links of the best cover by one loop that was found until the budget was spent; None if none was found.

    goal: sign times the number at which to end. coolings: how often to cool at most. another: makes another cover of
    the same vertices to start from after a cooling that found nothing better.
    """
    best: list[int] | None = None
    best_cost = kernel.NO_COST
    random = first_random(seed)
    total = min(_STEPS_A_SQUARE * len(cover.squares), _LONGEST_COOLING)
    links, directions = cover.links, cover.directions
    done = 0
    while not budget.is_spent and (coolings is None or done < coolings):
        state = _state(cover._replace(links=links, directions=directions), objective, random, total, goal)
        _, state = engine.drive(improve_symmetric if cover.images else kernel, state, budget)
        done += 1
        cost = int(state.counters[kernel.BEST])
        random = int(state.counters[kernel.RANDOM])
        is_better = cost < best_cost
        if is_better:
            best, best_cost = [int(w) for w in state.best_links], cost
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
                links, directions = [int(w) for w in state.links], [int(d) for d in state.directions]
    return best


def _directions(cover: Cover, links: list[int]) -> list[int]:
    """Directions of these links; a link that stays keeps its own, wherever the kernel has put it."""
    codes, cols = direction_codes(cover.board), cover.board.cols
    directions = [-1] * len(links)
    for v, square in enumerate(cover.squares):
        for k in (0, 1):
            if cover.frozen[2 * v + k]:
                directions[2 * v + k] = cover.directions[2 * v + k]
            elif square != _VIRTUAL and cover.squares[links[2 * v + k]] != _VIRTUAL:
                directions[2 * v + k] = codes[_vector(square, cover.squares[links[2 * v + k]], cols)]
    return directions


def _state(
    cover: Cover, objective: Objective, random: int, total: int, goal: int | None
) -> kernel.State | improve_symmetric.State:
    """The search before the first of `total` steps of one cooling."""
    size = len(cover.squares)
    counters = [0] * improve_symmetric.COUNTERS
    counters[improve_symmetric.POWERS] = powers = len(cover.images) // size
    counters[kernel.RANDOM] = random
    counters[kernel.COUNT] = size
    counters[kernel.BEST] = kernel.NO_COST
    counters[kernel.SIGN] = objective.sign
    counters[kernel.COUNTS_CROSSINGS] = int(objective.counts_crossings)
    counters[kernel.PENALTY] = _PENALTY_CROSSINGS if objective.counts_crossings else _PENALTY_TURNS
    counters[kernel.LEVELS], counters[kernel.WIDTH] = _LEVELS, _WIDTH
    counters[kernel.TOTAL] = total
    counters[kernel.GOAL] = -kernel.NO_COST if goal is None else max(-kernel.NO_COST, min(goal, kernel.NO_COST))
    offsets, targets, codes = _moves(cover.board, tuple(cover.squares))
    at, place, crossed_from, crossed_place, crossed_code = _crossing_tables(cover.board, tuple(cover.squares))
    state = kernel.State(
        counters,
        list(_odds()),
        offsets,
        targets,
        codes,
        list(cover.links),
        list(cover.directions),
        list(cover.frozen),
        [0] * (2 * size),
        at,
        place,
        crossed_from,
        crossed_place,
        crossed_code,
    )
    return improve_symmetric.State(*state, list(cover.images), [0] * (10 * (powers + 1))) if powers else state


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
    """(at, place, crossed_from, crossed_place, crossed_code) of the kernel; places have a margin all round."""
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
