"""Random numbers of kernels, and when doors that numba compiles are compiled."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from knightstour.kernels import rng
from knightstour.machine import engine

kernel = ModuleType("kernel")


def test_random_numbers_are_32_bits_never_zero_and_even() -> None:
    x = rng.first_random(1)
    counts = [0] * 16
    seen = set()
    for _ in range(20_000):
        x = rng.next_random(x)
        assert 0 < x < 2**32
        counts[x % 16] += 1
        seen.add(x)
    assert len(seen) == 20_000 and min(counts) > 1100 and max(counts) < 1400


@given(st.integers())
def test_every_seed_is_a_good_one(seed: int) -> None:
    assert 0 < rng.first_random(seed) < 2**32


def test_neighbouring_seeds_are_far_apart() -> None:
    assert len({rng.first_random(seed) for seed in range(10_000)}) == 10_000


def test_who_compiles_apart_only_goes_on_interpreted_until_that_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long the work: compiling here could not be stopped."""
    monkeypatch.setenv("KNIGHTSTOUR_COMPILE", "apart")
    monkeypatch.setattr(engine.compiling, "is_on_disk", lambda *_: False)
    other = SimpleNamespace(is_over=False)
    monkeypatch.setattr(engine, "ahead", lambda *_: other)
    assert not engine.is_due(kernel, "step", lambda: ("value", 7), 10.0, expected=1e9)
    other.is_over = True
    assert engine.is_due(kernel, "step", lambda: ("value", 7), 10.0, expected=1e9)
    monkeypatch.setenv("KNIGHTSTOUR_COMPILE", "background")
    other.is_over = False
    assert engine.is_due(kernel, "step", lambda: ("value", 7), 10.0, expected=1e9)


def test_interpreted_doors_reckon_modulo_2_64_in_silence() -> None:
    numbers = np.array([2**62, 2**62], dtype=np.int64)
    door = engine.Door(kernel, lambda counts: counts[0] * 2 + counts[1])
    assert int(door(numbers)) == 2**63 + 2**62 - 2**64
