"""Find which tours were seen before, among millions, exactly.

Each tour seen is kept in a few words, the moves as their places in the lists of neighbours: 24 bytes for a closed tour
of 8x8, 32 for an open one. A hash table of 8 bytes an entry finds those that might be the same, which are then
compared. Closed tours are the same as cycles, from any square and in either direction; open ones in either direction,
unless an end is given.
"""

from __future__ import annotations

import numpy as np

from knightstour.kernels.bulk import distinct as kernel
from knightstour.machine import engine
from knightstour.model.board import move_graph
from knightstour.model.problem import Problem

# Up to this many squares a table gives the move from one square to another; beyond, squares are kept in full.
_MOST_TABLE_SQUARES = 2048

_FEWEST_SLOTS = 1 << 12
_ROWS_AT_ONCE = 1 << 16
_SQUARES_AT_ONCE = 1 << 21


class Seen:
    """The tours of one question that were seen.

    most: no more tours than this will be kept; memory is taken as they come.
    """

    def __init__(self, problem: Problem, most: int = 1 << 31) -> None:
        moves = move_graph(problem.board)
        size = len(moves.is_square)
        count = problem.board.square_count
        self._most = most
        if size <= _MOST_TABLE_SQUARES:
            places = np.arange(len(moves.targets)) - np.repeat(moves.offsets[:-1], moves.degrees)
            widest = int(places.max(initial=1))
            self._codes = np.zeros((size, size), dtype=np.uint8 if widest < 1 << 8 else np.uint16)
            self._codes[np.repeat(np.arange(size), moves.degrees), moves.targets] = places
        else:
            widest = size - 1
            self._codes = np.zeros((0, 0), dtype=np.uint8)
        self._c = np.zeros(kernel.COUNTERS, dtype=np.int64)
        one_way = problem.start is not None or problem.end is not None
        self._c[kernel.KIND] = kernel.CYCLES if problem.closed else kernel.DIRECTED if one_way else kernel.UNDIRECTED
        self._c[kernel.BITS] = max(1, widest.bit_length())
        self._c[kernel.HOME] = moves.squares[0]
        self._words = -(-max(1, count - 1) // (63 // int(self._c[kernel.BITS]))) + (not problem.closed)
        self._store = np.zeros(0, dtype=np.int64)
        self._table = np.zeros(_FEWEST_SLOTS, dtype=np.int64)
        self._at_once = max(1, min(_ROWS_AT_ONCE, _SQUARES_AT_ONCE // count))

    def __len__(self) -> int:
        """Number of different tours seen."""
        return int(self._c[kernel.USED])

    def add(self, orders: np.ndarray) -> np.ndarray:
        """Which rows are new, none like them having come before: bool. They are kept."""
        kernels = engine.compiled(kernel)
        is_new = np.zeros(len(orders), dtype=np.bool_)
        for first in range(0, len(orders), self._at_once):
            last = min(first + self._at_once, len(orders))
            self._make_room(last - first)
            kernels.insert(self._c, orders, first, last, self._codes, self._table, self._store, is_new)
        return is_new

    def _make_room(self, rows: int) -> None:
        c = self._c
        need = len(self) + rows
        if need > c[kernel.ROWS]:
            # One row more than can be kept: a repeat is packed there, too, before it is known as one.
            room = max(need, min(max(need, 3 * need // 2), self._most + self._at_once))
            self._store.resize(room * self._words, refcheck=False)
            c[kernel.ROWS] = room
        if need * 3 > len(self._table) * 2:
            slots = len(self._table)
            while need * 3 > slots * 2:
                slots *= 2
            self._table = np.zeros(slots, dtype=np.int64)
            c[kernel.NEXT] = 0
            while c[kernel.NEXT] < len(self):
                engine.compiled(kernel).refill(c, self._table, self._store, 1 << 18)
