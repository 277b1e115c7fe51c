"""Random numbers of kernels, as Python makes the first."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from knightstour.core.kernels import rng


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
