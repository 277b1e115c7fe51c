"""Cases of checks of square numbers."""

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board
from knightstour.constructions import implicit_tour
from knightstour.core.model.board import are_moves
from reference import Case, Row


def cases() -> Iterator[Case]:
    shape = (5, 6)
    size = shape[0] * shape[1]
    squares = np.arange(size)
    joined = are_moves(Board(*shape), np.repeat(squares, size), np.tile(squares, size)).reshape(size, size)
    order = implicit_tour(shape, closed=True).order()
    for dtype, wrong_row in itertools.product((np.uint8, np.uint16, np.int32, np.int64), range(4)):
        values = (size, 7, np.iinfo(dtype).max, np.iinfo(dtype).min)
        for k, (step, value) in enumerate(itertools.product((0, 13, size - 1), values)):
            rows = np.stack([order, order[::-1], np.roll(order, 5)]).astype(dtype)
            if wrong_row < 3:
                rows[wrong_row, step] = value
            asked = [(0, -1, -1), (1, -1, -1), (0, int(order[0]), -1), (0, -1, int(order[4]))]
            question = (size, *asked[(k + k // 4) % 4])
            name = f"{np.dtype(dtype)} row {wrong_row} step {step} {value} {question}"
            for first, last in ((0, 3), (1, 2)):
                yield Case(name, (rows, first, last, question, (joined, size), np.zeros(size, dtype=np.int32)))


ROWS = [Row("check_rows_first_fault", None, cases, lambda *arguments: ())]
