"""Rows of square numbers that are to be tours: the definition, row by row."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board, implicit_tour
from knightstour.core.model.board import are_moves
from reference import Case, Row


def first_fault(
    orders: list[list[int]],
    first: int,
    last: int,
    question: tuple[int, int, int, int],
    moves: tuple[list[list[bool]], int],
    seen: list[int],
) -> int:
    count, closed, start, end = question
    joined, size = moves
    for row in range(first, last):
        order = orders[row]
        good = set(order) <= set(range(size)) and len(set(order)) == len(order) == count
        good = good and start in (-1, order[0]) and end in (-1, order[-1])
        good = good and all(joined[a][b] for a, b in itertools.pairwise(order))
        if not good or (closed and (count < 3 or not joined[order[-1]][order[0]])):
            return row
    return -1


def cases() -> Iterator[Case]:
    shape = (5, 6)
    size = shape[0] * shape[1]
    squares = np.arange(size)
    joined = are_moves(Board(*shape), np.repeat(squares, size), np.tile(squares, size)).reshape(size, size)
    order = implicit_tour(shape, closed=True).order()
    for dtype, wrong_row in itertools.product((np.uint8, np.uint16, np.int32, np.int64), range(4)):
        for step, value in itertools.product((0, 13, size - 1), (size, 7, np.iinfo(dtype).max, np.iinfo(dtype).min)):
            rows = np.stack([order, order[::-1], np.roll(order, 5)]).astype(dtype)
            if wrong_row < 3:
                rows[wrong_row, step] = value
            for closed, start, end in [(0, -1, -1), (1, -1, -1), (0, int(order[0]), -1), (0, -1, int(order[4]))]:
                question = (size, closed, start, end)
                name = f"{np.dtype(dtype)} row {wrong_row} step {step} {value} {question}"
                yield Case(name, (rows, 0, 3, question, (joined, size), np.zeros(size, dtype=np.int32)))
                yield Case(name, (rows, 1, 2, question, (joined, size), np.zeros(size, dtype=np.int32)))


# What is left in `seen` is the kernel's own.
ROWS = [Row("check_rows_first_fault", first_fault, cases, lambda *arguments: arguments[:5])]
