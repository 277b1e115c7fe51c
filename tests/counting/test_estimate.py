"""Estimates: unbiased on boards that can be counted, with valid standard errors."""

import itertools
import math

import numpy as np
import pytest

import knightstour as kt
from helpers.small_problems import tours_of
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting import estimate
from knightstour.lab.counting import estimate as kernel

SMALL = [
    Board(3, 4),
    Board(3, 7),
    Board(3, 4, wrap="cylinder"),
    Board(3, 3, holes=[(1, 1)]),
    Board(3, 4, leaper=(0, 1)),
    Board(4, 4, holes=[(0, 0)], leaper=(0, 1)),
]


ENDS = [{"start": "a3"}, {"end": "a3"}, {"start": "a3", "end": "g3"}, {"start": "b1", "end": "e2"}]


@pytest.mark.long
@pytest.mark.parametrize(
    "problem",
    [
        *(Problem(board, closed=closed) for board in SMALL for closed in (True, False)),
        *(Problem((3, 7), **ends) for ends in ENDS),
    ],
    ids=str,
)
def test_the_mean_is_the_number_of_tours(problem: Problem) -> None:
    truth = len(tours_of(problem))
    found = kt.estimate(problem, samples=2000, seed=5)
    # Within four standard errors: a correct estimate fails once in some thousands, and seeds are fixed.
    assert abs(found.mean - truth) <= 4 * found.standard_error + 1e-9 * truth, (found, truth)
    assert not truth or found.relative_error < 0.2


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_walk_weights_match_claimed_probabilities(closed: bool) -> None:
    board = Board(3, 3, leaper=(0, 1)) if not closed else Board(3, 4, leaper=(0, 1))
    size = 2000
    problem = Problem(board, closed=closed)
    moves = move_graph(board)
    field, walks = estimate.first_walks(problem, moves, size, np.random.default_rng(3))
    step = estimate.stepping(field, walks, closed=closed)
    paths = [[int(h)] for h in walks.head]
    for left in range(len(board) - 1, 0, -1):
        step(left)
        for path, head in zip(paths, walks.head.tolist(), strict=True):
            path.append(head)
    done = [i for i in range(size) if walks.log_weight[i] > kernel.DEAD]
    met: dict[tuple[int, ...], list[float]] = {}
    for i in done:
        met.setdefault(tuple(paths[i]), []).append(math.exp(-walks.log_weight[i]))
    tours = {tuple(r * board.cols + c for r, c in tour) for tour in tours_of(problem, directed=True)}
    assert set(met) == tours
    for claims in met.values():
        p = claims[0]
        assert all(abs(q - p) < 1e-12 for q in claims)
        assert abs(len(claims) - size * p) < 5 * math.sqrt(size * p) + 1


@pytest.mark.long
def test_the_error_is_as_large_as_the_spread_of_estimates() -> None:
    found = [kt.estimate((5, 6), closed=True, samples=800, seed=seed) for seed in range(20)]
    settings = np.array([f.mean for f in found])
    assert abs(settings.mean() - 8) < 4 * settings.std(ddof=1) / math.sqrt(len(settings))
    claimed = math.sqrt(float(np.mean([f.standard_error**2 for f in found])))
    assert 0.6 < claimed / settings.std(ddof=1) < 1.6


def test_numbers_past_the_largest_float_keep_their_logarithm() -> None:
    problem = Problem((8, 8), closed=True)
    found = estimate._summary(np.array([1000.0, 1000.0 + math.log(3)]), 10, problem, True)
    assert found.mean == math.inf
    assert math.isclose(found.log10_mean, (1000 + math.log(2)) / math.log(10))
    assert math.isclose(found.relative_error, 0.5)
    assert str(found).startswith("about 3.940e434 +- 50.00%")


def test_estimate_of_impossible_board_is_zero_and_proves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as without:
        without.setattr(estimate, "known_proof", lambda problem: None)
        found = kt.estimate((4, 4), samples=100, seed=0)
    assert (found.mean, found.standard_error, found.log10_mean) == (0, 0, -math.inf)
    assert "nothing is known" in str(found) and not found.is_known and found.to_dict()["mean"] is None
    proved = kt.estimate((4, 4), samples=100, seed=0)
    assert proved.to_dict()["mean"] == proved.samples == 0 and "falls into 6 parts" in str(proved) and proved.source
    assert kt.estimate((1, 1), samples=40, seed=0).mean == 1
    assert kt.estimate(Board(1, 2, leaper=(0, 1)), closed=True, samples=40, seed=0).mean == 0


def test_a_seed_gives_the_estimate_that_it_always_gave() -> None:
    assert kt.estimate((5, 5), samples=200, seed=7).log10_mean == pytest.approx(2.8720274166927786, abs=1e-12)
    assert kt.estimate((8, 8), samples=2000, seed=1).log10_mean == pytest.approx(16.054208168946396, abs=1e-12)


def test_an_estimate_names_its_convention() -> None:
    one, two = (kt.estimate((5, 6), closed=True, directed=d, samples=400, seed=1) for d in (False, True))
    assert math.isclose(2 * one.mean, two.mean)
    assert (one.convention, two.convention) == ("undirected closed tours", "directed closed tours")
    seen = list[tuple[int, int]]()
    kt.estimate(
        (5, 5),
        start="a1",
        samples=400,
        seed=1,
        on_progress=lambda progress: seen.append((progress.done, progress.total)),
    )
    assert seen[-1] == (400, 400) and all(a < b for (a, _), (b, _) in itertools.pairwise(seen))


def test_too_few_samples_and_giant_boards_are_refused() -> None:
    with pytest.raises(ProblemError, match="too few"):
        kt.estimate((6, 6), samples=10)
    with pytest.raises(ProblemError, match="no chance"):
        kt.estimate((1000, 1000))
