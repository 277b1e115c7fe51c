"""Cases of what tours are like as drawings."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board
from knightstour.core.model.symmetry import symmetries
from knightstour.lab.sampling.datasets.packing import _pictures, closed_rows, packing_of
from reference import Case, Row
from reference.packing import orders_of

BOARDS = [Board(5, 6), Board(5, 5), Board(4, 4, leaper=(0, 1)), Board(3, 10)]


def turns() -> Iterator[Case]:
    for board, dtype in itertools.product(BOARDS, (np.uint8, np.uint16, np.int32, np.int64)):
        orders = orders_of(board).astype(dtype)
        for closed in (closed_rows(orders, board), np.zeros(len(orders), dtype=np.uint8)):
            arguments = (orders, orders.shape[1], closed, packing_of(board).moves, np.zeros(len(orders), np.uint32))
            yield Case(f"{board} {np.dtype(dtype)} {closed}", arguments, [(0, 1), (1, len(orders))])


def crossings() -> Iterator[Case]:
    for board in BOARDS[:2]:
        orders = orders_of(board)
        lines, places, begins, jumps, drawn = _pictures(board)
        arguments = (
            *(orders, orders.shape[1], closed_rows(orders, board), packing_of(board).moves),
            *((lines, places, begins, jumps), np.zeros(orders.shape[1], dtype=np.int64), drawn.copy()),
            np.zeros(len(orders), dtype=np.uint32),
        )
        yield Case(str(board), arguments, [(0, 1), (1, len(orders))])


def kept() -> Iterator[Case]:
    for board in (*BOARDS, Board(6, 6, wrap="torus")):
        orders = orders_of(board)
        size = board.rows * board.cols
        images = np.array([s.image for s in itertools.islice(symmetries(board), 60)], dtype=np.int64)
        scratch = np.zeros(size, dtype=np.int64)
        arguments = (orders, orders.shape[1], closed_rows(orders, board), images, size, scratch)
        yield Case(str(board), (*arguments, np.zeros(len(orders), dtype=np.int64)), [(0, 1), (1, len(orders))])


ROWS = [
    Row("measures_count_turns", None, turns),
    Row("measures_count_crossings", None, crossings, lambda *arguments: arguments[7]),
    Row("measures_find_symmetries", None, kept, lambda *arguments: arguments[6]),
]
