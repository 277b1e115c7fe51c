"""Cases of the symmetries of tours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board
from knightstour.core.checking.demands import closed_rows
from knightstour.core.model.symmetry import symmetries
from reference import Case, Row
from reference.packing import orders_of

BOARDS = [Board(5, 6), Board(5, 5), Board(4, 4, leaper=(0, 1)), Board(3, 10)]


def kept() -> Iterator[Case]:
    for board in (*BOARDS, Board(6, 6, wrap="torus")):
        orders = orders_of(board)
        size = board.rows * board.cols
        images = np.array([s.image for s in itertools.islice(symmetries(board), 60)], dtype=np.int64)
        scratch = np.zeros(size, dtype=np.int64)
        arguments = (orders, orders.shape[1], closed_rows(board, orders).astype(np.uint8), images, size, scratch)
        yield Case(str(board), (*arguments, np.zeros(len(orders), dtype=np.int64)), [(0, 1), (1, len(orders))])


ROWS = [Row("measures_find_symmetries", None, kept, lambda *arguments: arguments[6])]
