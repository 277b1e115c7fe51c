"""Giant tours a part at a time, square by square."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import implicit_tour
from knightstour.core.kernels.bulk.check_giant import (
    AT_FIRST,
    AT_LAST,
    AT_STRAY,
    COL,
    FIRSTS,
    LASTS,
    LEAST_LOST,
    LOST,
    ROW,
    STEP,
    STRAY,
    ZEROS,
)
from reference import Case, Row


def diagram(block: list[list[int]], area: tuple[int, ...], most: int, moves: list[int], found: list[int]) -> None:
    top, bottom, left, right, stride = area
    flat = list(itertools.chain.from_iterable(block))
    places = [r * stride + c for r in range(top, bottom) for c in range(left, right)]
    strays = [at for at in places if flat[at] < 0 or flat[at] > most]
    lost = [
        flat[at] for at in places if 0 < flat[at] < most and flat[at] + 1 not in [flat[at + move] for move in moves]
    ]
    firsts, lasts = ([at for at in places if flat[at] == number] for number in (1, most))
    found[ZEROS] += sum(flat[at] == 0 for at in places)
    for how_many, where, these in [(STRAY, AT_STRAY, strays), (FIRSTS, AT_FIRST, firsts), (LASTS, AT_LAST, lasts)]:
        found[how_many] += len(these)
        if these:
            found[where] = these[0]
    found[LOST] += len(lost)
    if lost:
        found[LEAST_LOST] = min(lost)


def diagrams() -> Iterator[Case]:
    rows, cols, reach = 6, 7, 2
    stride = cols + 2 * reach
    numbers = implicit_tour((rows, cols)).numbers()
    leaps = [(r, c) for r, c in itertools.product((-2, -1, 1, 2), repeat=2) if abs(r) != abs(c)]
    moves = np.array([r * stride + c for r, c in leaps], dtype=np.int64)
    for dtype in (np.int32, np.int64):
        extremes = (np.iinfo(dtype).min, np.iinfo(dtype).max)
        for value, place in itertools.product((None, 0, 1, 20, 42, 43, -1, *extremes), (0, 17, 41)):
            block = np.zeros((rows + 2 * reach, stride), dtype=dtype)
            spoilt = numbers.astype(dtype)
            if value is not None:
                spoilt.flat[place] = value
            block[reach:-reach, reach:-reach] = spoilt
            for most in (42, 41, 1, 2**40):
                area = (reach, reach + rows, reach, reach + cols, stride)
                yield Case(f"{value} at {place}, {most}", (block, area, most, moves, np.zeros(9, dtype=np.int64)))
            part = (reach + 1, reach + 3, reach + 2, reach + 6, stride)
            yield Case(f"{value} at {place}, in part", (block, part, 42, moves, np.zeros(9, dtype=np.int64)))


def walk(rows: list[int], cols: list[int], board: tuple[int, ...], visited: list[int], state: list[int]) -> int:
    board_rows, board_cols, short, long = board
    step, before = state[STEP], (state[ROW], state[COL])
    for k, (r, c) in enumerate(zip(rows, cols, strict=True)):
        at, bit = divmod(r * board_cols + c, 8)
        if r not in range(board_rows) or c not in range(board_cols):
            return k
        if step and sorted([abs(r - before[0]), abs(c - before[1])]) != [short, long]:
            return k
        if visited[at] >> bit & 1:
            return k
        visited[at] |= 1 << bit
        step, before = step + 1, (r, c)
    state[STEP], state[ROW], state[COL] = step, *before
    return -1


def lists() -> Iterator[Case]:
    shape = (6, 7)
    order = implicit_tour(shape).order().astype(np.int64)
    for step, wrong in itertools.product((0, 1, 20, 41), [None, (-1, 0), (0, 7), (6, 0), (2**40, 2), (0, 0), (3, 3)]):
        rows, cols = np.divmod(order, shape[1])
        if wrong:
            rows[step], cols[step] = wrong
        for visited_before in (0, 255):
            visited = np.full(6, visited_before, dtype=np.uint8)
            for state in ([0, 0, 0], [3, int(rows[0]) + 1, int(cols[0]) + 2]):
                arguments: tuple[Any, ...] = (
                    rows,
                    cols,
                    (*shape, 1, 2),
                    visited.copy(),
                    np.array(state, dtype=np.int64),
                )
                yield Case(f"{wrong} at {step} after {state}", arguments)


ROWS = [Row("check_giant_diagram", diagram, diagrams), Row("check_giant_list", walk, lists)]
