"""What tours are like as drawings, by the definitions for single tours."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from knightstour import Board, Tour
from knightstour.core.model.symmetry import symmetries
from knightstour.lab.sampling.datasets.packing import _pictures, closed_rows, packing_of
from reference import Case, Row
from reference.packing import Moves, code_of, orders_of

BOARDS = [Board(5, 6), Board(5, 5), Board(4, 4, leaper=(0, 1)), Board(3, 10)]


def _codes(order: list[int], is_closed: int, moves: Moves) -> list[int]:
    return [code_of(moves, a, b) for a, b in itertools.pairwise(order + order[:1] * is_closed)]


def count_turns(
    orders: list[list[int]], count: int, closed: list[int], moves: Moves, out: list[int], first: int, last: int
) -> None:
    for row in range(first, last):
        codes = _codes(orders[row], closed[row], moves)
        out[row] = sum(a != b for a, b in itertools.pairwise(codes + codes[:1] * closed[row]))


def turns() -> Iterator[Case]:
    for board, dtype in itertools.product(BOARDS, (np.uint8, np.uint16, np.int32, np.int64)):
        orders = orders_of(board).astype(dtype)
        for closed in (closed_rows(orders, board), np.zeros(len(orders), dtype=np.uint8)):
            arguments = (orders, orders.shape[1], closed, packing_of(board).moves, np.zeros(len(orders), np.uint32))
            yield Case(f"{board} {np.dtype(dtype)} {closed}", arguments, [(0, 1), (1, len(orders))])


def count_crossings(orders: list[list[int]], *rest: object) -> None:
    """By the tour's own count; `closed` is what the tours are."""
    *_, out, first, last = rest
    board = next(board for board in BOARDS if board.square_count == len(orders[0]) and board.leaper == (1, 2))
    for row in range(first, last):  # type: ignore[call-overload]
        out[row] = Tour.from_order(board, np.array(orders[row])).crossings  # type: ignore[index]


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


def find_symmetries(
    orders: list[list[int]],
    count: int,
    closed: list[int],
    images: list[list[int]],
    size: int,
    step_of: list[int],
    out: list[int],
    first: int,
    last: int,
) -> None:
    for row in range(first, last):
        order = orders[row]
        moves = {frozenset(move) for move in itertools.pairwise(order + order[:1] * closed[row])}
        kept = [{frozenset(image[s] for s in move) for move in moves} == moves for image in images]
        out[row] = sum(1 << g for g, is_kept in enumerate(kept) if is_kept)


def kept() -> Iterator[Case]:
    for board in (*BOARDS, Board(6, 6, wrap="torus")):
        orders = orders_of(board)
        size = board.rows * board.cols
        images = np.array([s.image for s in itertools.islice(symmetries(board), 60)], dtype=np.int64)
        scratch = np.zeros(size, dtype=np.int64)
        arguments = (orders, orders.shape[1], closed_rows(orders, board), images, size, scratch)
        yield Case(str(board), (*arguments, np.zeros(len(orders), dtype=np.int64)), [(0, 1), (1, len(orders))])


ROWS = [
    Row("measures_count_turns", count_turns, turns),
    Row("measures_count_crossings", count_crossings, crossings, lambda *arguments: arguments[7]),
    Row("measures_find_symmetries", find_symmetries, kept, lambda *arguments: arguments[6]),
]
