"""Cases of tours packed as bits, and of repeated rows of words."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Board, Problem
from knightstour.constructions import implicit_tour
from knightstour.core.model.grid_board import GridBoard
from knightstour.lab.sampling.datasets.packing import AS_IT_IS, CYCLES, UNDIRECTED, packing_of
from reference import Case, Row

BOARDS = [Board(5, 6), Board(5, 5), Board(4, 4, leaper=(0, 1)), Board(6, 6, wrap="torus"), Board(3, 10)]


def orders_of(board: Board) -> np.ndarray:
    """Return a tour, its reverse, and two rotations if it is closed."""
    from knightstour import find_tour

    closed = board not in (BOARDS[1],)
    tour = find_tour(Problem(board, closed=closed), seed=1).order if board.piece.leaper != (1, 2) else None
    if tour is None:
        is_flat = board.wrap is None and isinstance(board, GridBoard)
        tour = implicit_tour((board.rows, board.cols), closed=closed).order() if is_flat else None
    if tour is None:
        tour = find_tour(Problem(board, closed=True), seed=1).order
    rows = [tour, tour[::-1]]
    return np.stack([*rows, np.roll(tour, 3), np.roll(tour[::-1], 4)] if closed else rows)


def moves_of(board: Board, has_table: bool) -> tuple[Any, ...]:
    codes, *rest = packing_of(board).moves
    return (codes if has_table else codes[:0], *rest)


def packs() -> Iterator[Case]:
    for board, dtype, kind, has_table in itertools.product(
        BOARDS, (np.uint8, np.uint16, np.int32, np.int64), (AS_IT_IS, UNDIRECTED, CYCLES), (True, False)
    ):
        orders, packing = orders_of(board).astype(dtype), packing_of(board)
        if kind == CYCLES and len(orders) < 4:
            continue
        n, count = orders.shape
        out = np.full((n, packing.width), 77, dtype=np.uint8)
        starts = np.zeros(n, dtype=np.int64)
        moves = moves_of(board, has_table)
        arguments = (orders, count, kind, 0, moves, packing.bits, out, packing.width, starts)
        yield Case(f"{board} {np.dtype(dtype)} {kind} {has_table}", arguments, [(0, 1), (1, n), (0, 0)])


def unpacks() -> Iterator[Case]:
    rng = np.random.default_rng(3)
    for board, dtype in itertools.product(BOARDS, (np.uint8, np.uint16, np.int32)):
        packing = packing_of(board)
        packed, starts = packing.pack(orders_of(board))
        starts = starts.astype(np.int64)
        for damage in range(12):
            spoilt, begins = packed.copy(), starts.copy()
            if damage:
                spoilt[1, rng.integers(packing.width)] = rng.integers(256)
            if damage > 9:
                begins[0] = (-1, board.rows * board.cols)[damage - 10]
            out = np.zeros((len(starts), len(board)), dtype=dtype)
            arguments = (spoilt, packing.width, begins, packing.moves, packing.bits, out, len(board))
            yield Case(f"{board} {np.dtype(dtype)} {damage}", arguments, [(0, len(starts))])


ROWS = [
    Row("packing_pack", None, packs, lambda *arguments: (arguments[6], arguments[8])),
    Row("packing_unpack", None, unpacks, lambda *arguments: arguments[5]),
]
