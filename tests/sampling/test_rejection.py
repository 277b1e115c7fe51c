"""Tests of random tours with ranges of statistics: others are rejected, and their number is reported."""

import json

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import Run


@pytest.mark.long
def test_all_such_tours_are_drawn_and_no_others() -> None:
    ranges = {"turns": (20, 22), "crossings": (0, 39)}
    sample = kt.sample("5x5", 1000, where=ranges, forbid=["a1-b3"], distribution="uniform", unique=True, seed=1)
    listed = list(kt.iter_tours("5x5", where=ranges, forbid=["a1-b3"]))
    assert sample.is_exhausted and sample.reason == f"these are all {len(listed)} tours" and len(listed) > 10
    assert {*map(_either_way, sample)} == {*map(_either_way, listed)}


def _either_way(tour: kt.Tour) -> bytes:
    return min(way.astype(np.uint8).tobytes() for way in (tour.order, tour.order[::-1]))


@pytest.mark.long
def test_the_acceptance_is_the_share_of_such_tours() -> None:
    every = kt.count("5x5")
    share = kt.count("5x5", where={"turns": (20, 21)}) / every
    sample = kt.sample("5x5", 400, where={"turns": (20, 21)}, distribution="uniform", seed=3)
    assert len(sample) == 400 and sample.acceptance == pytest.approx(400 / (400 + sample.rejected))
    assert abs(sample.acceptance - share) < 5 * (share * (1 - share) / (400 / share)) ** 0.5
    assert kt.sample("5x5", 40, seed=3).acceptance == 1.0


@pytest.mark.parametrize(
    "question",
    [
        {"where": {"turns": (46, 60)}},
        {"closed": True, "where": {"magic-rows": (1, 8)}},
        {"start": "a1", "require": ["a1-b3"], "where": ["turns=46..60"]},
        pytest.param({"closed": True, "symmetry": "180", "where": {"turns": (46, 60)}}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_samples_resume(question: dict[str, object]) -> None:
    whole = kt.sample("8x8", 12, **question, seed=5)
    later = kt.sample("8x8", 5, **question, seed=5, offset=7, workers=1)
    assert np.array_equal(whole.orders[7:], later.orders)
    (name,) = kt.Problem("8x8", **question).to_dict()["where"]
    numbers = kt.measure(whole.orders.astype(np.int64), name, "8x8", closed=bool(question.get("closed")))[name]
    assert ((numbers >= 46) & (numbers <= 60)).all() if name == "turns" else (numbers >= 1).all()


@pytest.mark.long
def test_missing_part_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(kt.NoTour, match="none of the 9,862 closed tours"):
        kt.sample("6x6", 3, closed=True, where={"turns": 25})
    with pytest.raises(kt.NoTour, match="the last has it, too"):
        kt.sample("8x8", 3, where={"magic-rows": 7})
    with pytest.raises(kt.NoTour, match="turns=18 at least"):
        kt.sample("6x6", 3, closed=True, where={"turns": 3})
    monkeypatch.setattr("knightstour.lab.sampling.stream._PATIENCE_SQUARES", 1 << 16)
    sample = kt.sample("8x8", 3, where={"crossings": 1}, seed=1)
    assert len(sample) == 0 and "none of the last" in sample.reason and not sample.is_exhausted


def test_command_line_prints_the_rate(run: Run) -> None:
    code, out, err = run("sample", "5x5", "-n", "3", "--where", "turns=20..21", "--seed", "1")
    assert code == 0 and "tours were rejected" in err and out
    code, out, _ = run("sample", "5x5", "-n", "3", "--where", "turns=20..21", "--seed", "1", "--json")
    assert code == 0 and json.loads(out)["rejected"] > 0
