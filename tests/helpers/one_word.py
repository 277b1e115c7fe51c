"""What an operation makes of one word, by the kernel that makes the lists of layers."""

from __future__ import annotations

import numpy as np

from knightstour.core.kernels.counting.classes import class_of
from knightstour.core.kernels.counting.lists import ByTarget, Lists, Made
from knightstour.core.machine.native import door
from knightstour.lab.counting.halves.layers import turn_table


def changed(word: int, ends: int, op: int, image: list[int] | None = None) -> int | None:
    """The word after an operation, as a number with a sign; None where a path would join its own ends.

    ends: of its class. image: where slots go afterwards, of 16 or 18 slots; the operation then says that it flips.
    """
    zero, one = np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64)
    edges = ByTarget(np.array([0, 1], dtype=np.int64), np.array([op], dtype=np.int64))
    lists = Lists(np.array([class_of(0, 0, ends)], dtype=np.int64), zero, one)
    made = Made(np.array([16], dtype=np.int64), zero.copy(), zero.copy(), np.zeros(1))
    out = np.zeros((1, 2), dtype=np.int64)
    turn = turn_table(np.array(list(range(18 if ends >> 16 or op & 15 >= 7 else 16)) if image is None else image))
    states = np.array([[word, 7]], dtype=np.int64)
    table = np.zeros(16, dtype=np.int32)
    count = door("lists_pull_counts")(edges, lists, states, made, out, turn, table, 0, 0, 1)
    assert not count or out[0, 1] == 7
    return int(out[0, 0]) if count else None
