"""Tests of random symmetric tours: their distributions, compared with complete lists."""

from collections import Counter

import numpy as np
import pytest

import knightstour as kt
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS

TORUS = kt.Board(4, 4, wrap="torus")
# Conditions, and whether the symmetry acts in only one way, so that backbite is uniform in the limit.
QUESTIONS = [
    ({"board": "6x6", "closed": True, "symmetry": "180"}, True),
    ({"board": "6x6", "closed": True, "symmetry": "90"}, True),
    ({"board": "5x5", "symmetry": "180"}, True),
    ({"board": "5x5", "symmetry": "180", "start": "a1"}, True),
    ({"board": "4x5", "symmetry": "180"}, True),
    ({"board": "7x6", "closed": True, "symmetry": "180"}, False),
    ({"board": "6x6", "closed": True, "symmetry": "180", "forbid": ["c3-d5"]}, True),
    ({"board": "6x6", "closed": True, "symmetry": "180", "require": ["c3-d5"]}, True),
    ({"board": "6x6", "closed": True, "symmetry": "Eulerian"}, True),
    ({"board": TORUS, "closed": True, "symmetry": "180 + shift (0, 1)"}, False),
    ({"board": TORUS, "symmetry": "180 + shift (0, 1)"}, True),
    ({"board": TORUS, "closed": True, "symmetry": "horizontal + shift (0, 2)"}, False),
]
IDS = [" ".join(map(str, asked.values())) for asked, _ in QUESTIONS]
# Those whose tours are few.
QUICK = (1, 4)


def key_of(order: np.ndarray, closed: bool) -> frozenset[tuple[int, int]]:
    walk = order.tolist()
    after = [*walk[1:], walk[0]] if closed else walk[1:]
    return frozenset((min(pair), max(pair)) for pair in zip(walk, after, strict=False))


def chi_squared(asked: dict, distribution: str, draws: int) -> float:
    """Return the excess of chi-squared over uniform draws, in standard deviations."""
    closed = asked.get("closed", False)
    place = {key_of(tour.order, closed): k for k, tour in enumerate(kt.iter_tours(**asked))}
    n = draws * len(place)
    sample = kt.sample(**asked, n=n, distribution=distribution, seed=7)
    counts = Counter(place[key_of(order, closed)] for order in sample.orders)
    chi = sum((counts[k] - draws) ** 2 / draws for k in range(len(place)))
    free = max(1, len(place) - 1)
    return (chi - free) / (2 * free) ** 0.5


@pytest.mark.parametrize(
    "asked",
    [
        pytest.param(asked, marks=[pytest.mark.long] * (at not in QUICK), id=name)
        for at, ((asked, _), name) in enumerate(zip(QUESTIONS, IDS, strict=True))
    ],
)
def test_uniform_draws_all_symmetric_tours_alike(asked: dict) -> None:
    assert chi_squared(asked, "uniform", 30) < 4


@pytest.mark.long
@pytest.mark.parametrize("asked", [asked for asked, is_one in QUESTIONS if is_one], ids=str)
def test_backbite_does_so_in_the_limit(asked: dict) -> None:
    assert chi_squared(asked, "backbite", 20) < 4


@pytest.mark.long
@pytest.mark.parametrize("distribution", DISTRIBUTIONS)
def test_every_distribution_draws_symmetric_tours(distribution: str) -> None:
    sample = kt.sample("8x7", 20, closed=True, symmetry="180", distribution=distribution, seed=1, unique=True)
    assert len(sample) == len(set(map(bytes, sample.orders))) == 20 and sample.distribution == distribution
    assert all("180" in tour.symmetry.split("+") for tour in sample)


@pytest.mark.long
def test_seed_gives_equal_tours_however_drawn() -> None:
    asked = {"closed": True, "symmetry": "180", "seed": 3}
    many = kt.sample("6x7", 6000, **asked)
    assert np.array_equal(many.orders[:7], kt.sample("6x7", 7, **asked).orders)
    assert np.array_equal(many.orders, kt.sample("6x7", 6000, workers=1, **asked).orders)
    assert np.array_equal(many.orders[4500:4510], kt.sample("6x7", 10, offset=4500, **asked).orders)
    parts = list(kt.iter_samples("6x7", 6000, chunk=4000, **asked))
    assert np.array_equal(np.concatenate([part.orders for part in parts]), many.orders)


@pytest.mark.processes
def test_workers_draw_the_same() -> None:
    asked = {"closed": True, "symmetry": "90", "seed": 3, "distribution": "uniform"}
    one = kt.sample("10x10", 5000, **asked)
    assert np.array_equal(one.orders, kt.sample("10x10", 5000, workers=2, **asked).orders)


def test_undrawable_subject_raises_an_error() -> None:
    with pytest.raises(kt.NoTour, match="a quarter turn would lead 16 steps"):
        kt.sample("8x8", 1, closed=True, symmetry="90")
    with pytest.raises(kt.NoTour, match="no tour of the orbits"):
        kt.sample("5x6", 1, closed=True, symmetry="180")
    with pytest.raises(kt.LimitReached):
        kt.sample("30x30", 1, closed=True, symmetry="180", distribution="uniform")
