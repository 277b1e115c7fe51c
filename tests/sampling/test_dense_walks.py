"""Tests of the distribution backbite on graphs whose tours have weights of more than 32 bits."""

import numpy as np
import pytest

from knightstour.core.machine.native import kernel_function
from knightstour.lab.sampling.distributions import backbite
from knightstour.lab.sampling.distributions.backbite import least_weight


@pytest.mark.long
def test_complete_graph_readings_are_all_accepted() -> None:
    count = 2050
    squares = np.arange(count, dtype=np.int64)
    offsets = np.arange(count + 1, dtype=np.uint32) * (count - 1)
    near = np.concatenate([np.delete(squares, s) for s in squares]).astype(np.uint32)
    counters = np.zeros(backbite.COUNTERS, dtype=np.int64)
    counters[[backbite.RANDOM, backbite.COUNT, backbite.EVERY, backbite.LEFT]] = 12345, count, 64, 64
    counters[[backbite.KEPT_S, backbite.KEPT_T, backbite.HEAD, backbite.TOWARDS, backbite.START]] = -1
    # All tours weigh the same, so each is made.
    counters[backbite.LOWEST] = lowest = count * (count - 2) ** 2
    assert lowest > 1 << 32 and least_weight(offsets, near, -1, -1) <= lowest
    pos = np.zeros((1, -(-count // 64) * 64), dtype=np.uint16)
    pos[0, :count] = squares
    link, other = np.roll(squares, 1)[None].astype(np.uint32), np.roll(squares, -1)[None].astype(np.uint32)
    link[0, 0] = 1
    out = np.zeros((100, count), dtype=np.int32)
    state = backbite.State(
        counters,
        offsets,
        near,
        pos,
        link,
        other,
        np.array([[0, count - 1]], dtype=np.uint32),
        np.zeros(count, dtype=np.uint32),
        squares[None].astype(np.int32),
        out,
    )
    kernel_function("backbite_walk")(state, 64 * 130)
    assert (counters[backbite.READINGS], counters[backbite.MADE], counters[backbite.REFUSED]) == (100, 100, 0)
    assert (np.sort(out, axis=1) == squares).all()
