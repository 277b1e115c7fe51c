"""Find which tours were seen before, among millions, exactly.

Each tour is kept as the key that `Packing.keys` gives: 24 bytes for a closed tour of 8x8, 32 for an open one. A hash
table of 8 bytes an entry finds the keys that may be the same, and these are compared in full.
"""

from __future__ import annotations

import numpy as np

from knightstour.core.machine.native import door
from knightstour.core.model.problem import Problem
from knightstour.core.search.frontier.marching import Keys
from knightstour.lab.sampling.datasets import packing

_ROWS_AT_ONCE = 1 << 14
_ENTERED_AT_ONCE = 1 << 16


class SeenKeys:
    """The different keys seen, rows of words.

    most: no more keys than this will be kept; memory is taken as they come.
    """

    def __init__(self, most: int = 1 << 31) -> None:
        self._most, self._used = most, 0
        self._keys = Keys(np.zeros((0, 0), dtype=np.uint64), np.zeros((1 << 12, 2), dtype=np.uint32))

    def __len__(self) -> int:
        """Number of different keys seen."""
        return self._used

    def add(self, keys: np.ndarray) -> np.ndarray:
        """Which keys are new: bool. They are kept."""
        need, width = len(self) + len(keys), keys.shape[1]
        if need > len(self._keys.words):
            room = max(need, min(3 * need // 2, self._most))
            self._keys.words.resize((room, width), refcheck=False)
        if 2 * need > len(self._keys.table):
            table = np.zeros((1 << (2 * need - 1).bit_length(), 2), dtype=np.uint32)
            self._keys = self._keys._replace(table=table)
            for first in range(0, len(self), _ENTERED_AT_ONCE):
                door("keys_reindex")(self._keys, width, first, min(first + _ENTERED_AT_ONCE, len(self)))
        is_repeat = np.zeros(len(keys), dtype=np.bool_)
        self._used = door("keys_mark_repeats")(self._keys, width, keys, is_repeat, self._used)
        return ~is_repeat


class Seen:
    """The tours of one question that were seen. most: no more tours than this will be kept.

    Closed tours are the same as cycles, from any square and in either direction; open ones in either direction, unless
    a start or an end is given.
    """

    def __init__(self, problem: Problem, most: int = 1 << 31) -> None:
        self._problem = problem
        self._packing = packing.packing_of(problem.board)
        self._keys = SeenKeys(most)

    def __len__(self) -> int:
        """Number of different tours seen."""
        return len(self._keys)

    def add(self, orders: np.ndarray) -> np.ndarray:
        """Which rows are new, none like them having come before: bool. They are kept."""
        is_new = np.empty(len(orders), dtype=np.bool_)
        for first in range(0, len(orders), _ROWS_AT_ONCE):
            rows = orders[first : first + _ROWS_AT_ONCE]
            is_new[first : first + len(rows)] = self._keys.add(self._packing.keys(rows, self._problem))
        return is_new
