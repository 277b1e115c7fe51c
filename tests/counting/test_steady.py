"""Growth rates: from the layers of long boards and from recurrences, against graphs, counts and tours at random."""

import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import islice

import numpy as np
import pytest

import knightstour as kt
from helpers.examples import mostly_long
from knightstour.core.model.errors import BoardError, FormatError, LimitReached, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import steady
from knightstour.lab.counting.halves.cut import make_cut
from knightstour.lab.counting.halves.machine import Machine, Threads, foresee
from knightstour.lab.counting.halves.stores import Store
from knightstour.lab.counting.narrow import narrow_recurrence
from knightstour.lab.counting.settings import Watch


@pytest.fixture(scope="module")
def five():
    return kt.growth_rate((5, 8), closed=True)


@pytest.mark.parametrize("closed", mostly_long([True, False], 1))
def test_bounds_overlap_those_of_the_recurrence(closed):
    parts = [
        steady.bounds_of_rate(3, Watch(Problem.of((3, 40), closed=closed)), closed=closed, placed=placed)
        for placed in ((0,) if closed else (0, 1))
    ]
    low, high = narrow_recurrence(3, closed=closed).rate()
    assert max(part.low for part in parts) <= low and high <= max(part.high for part in parts)


def march_of(rows):
    """The march of a board, before its first layer."""
    problem = Problem.of((rows, 2 * steady._COLUMNS + 2), closed=True)
    cut = make_cut(problem, columns=steady._COLUMNS)
    return steady.Steady(problem, cut, Watch(problem), Machine(Threads(1), Store(10**9)))


@pytest.mark.parametrize("rows", [5, pytest.param(6, marks=pytest.mark.long)])
def test_layers_come_back_after_two_columns(rows):
    march = march_of(rows)
    layer, now = march._begin(None, False)
    for _ in range(4):
        before = layer.states.copy(), layer.lengths.copy()
        layer, now = march._round(layer, now)
    assert (before[0][:, 0] == layer.states[:, 0]).all() and (before[1] == layer.lengths).all()
    assert now.low > 0 and now.states == len(layer.states)
    for offset, length in zip(layer.offsets.tolist(), layer.lengths.tolist(), strict=True):
        assert (np.diff(layer.states[offset : offset + length, 0]) > 0).all()
    # All memory but that of what is still there was given back.
    assert march.store.held == layer.states.nbytes + sum(classes.nbytes for classes in march.side.classes)


def test_threads_count_what_they_add_up_apart_from_each_other():
    march, weights = march_of(5), steady.Weights()
    start = march.machine.start(weights)
    ahead = foresee(march.side, 0, start.layer, weights.most)
    more = weights.pulling(march.side, start, ahead).more
    seen = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            for made in pool.map(lambda _: [more(0, 1)[-1] for _ in range(20_000)], range(2)):
                seen.extend(made)
    finally:
        sys.setswitchinterval(before)
    assert len({id(numbers) for numbers in seen}) == len(seen) == 40_000


@pytest.mark.long
def test_it_goes_on_from_a_checkpoint(five, tmp_path):
    folder = tmp_path / "rate"
    with pytest.raises(LimitReached) as stopped:
        kt.growth_rate("5x8", closed=True, checkpoint=folder, limits=kt.Limits(nodes=900_000))
    assert "which is proved" in stopped.value.note
    assert json.loads((folder / "progress.json").read_text())["details"]["rounds"] > 2
    with pytest.raises(FormatError, match="already"):
        kt.growth_rate("5x8", closed=True, checkpoint=folder)
    assert kt.growth_rate("5x8", closed=True, checkpoint=folder, resume=True) == five
    # What is done is not done again.
    assert kt.growth_rate("5x8", closed=True, checkpoint=folder, resume=True, limits=kt.Limits(nodes=1)) == five


@pytest.mark.parametrize(
    "board, options, message",
    [
        ("4x10", {"closed": False, "checkpoint": "there"}, "keeps no checkpoints"),
        ("5x10", {"resume": True}, "no checkpoint to go on from"),
        ("5x10", {"threads": 0}, "threads"),
    ],
)
def test_options_that_do_not_fit(board, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProblemError, match=message):
        kt.growth_rate(board, **{"closed": True, **options})
    assert not list(tmp_path.iterdir())


# ---------------------------------------------------------------- growth rates


FAR = 4000


def two_columns(later: int, earlier: int) -> float:
    """The growth of one column, from the numbers of two columns."""
    return math.sqrt(Fraction(later, earlier))


@pytest.mark.parametrize(
    "rows, closed", [(3, True), *(pytest.param(rows, False, marks=pytest.mark.long) for rows in (3, 4))]
)
def test_the_rate_is_the_root_of_the_recurrence(rows, closed):
    found = kt.growth_rate((rows, 9), closed=closed)
    terms = list(islice(narrow_recurrence(rows, closed=closed).terms(), FAR + 1))
    assert found.low <= two_columns(terms[FAR], terms[FAR - 2]) <= found.high
    assert found.high - found.low < 1e-12 * found.high


@pytest.mark.long
def test_open_tours_of_odd_rows_grow_faster_with_one_end_placed():
    found = kt.growth_rate((5, 9))
    assert found.parts[0] == pytest.approx(kt.growth_rate((5, 9), closed=True)[2:4], rel=1e-13)
    assert found.parts[1][0] > found.parts[0][1] and (found.low, found.high) == found.parts[1]
    # The published numbers of 5 x 16 and 5 x 18 are still on their way.
    assert found.high < two_columns(267426031403733462626, 650456890341276338) < 1.1 * found.high


@pytest.mark.long
def test_counts_of_six_rows_grow_into_the_interval():
    found = kt.growth_rate((6, 6), closed=True)
    rate = Fraction(kt.count_tours((6, 40), closed=True), kt.count_tours((6, 20), closed=True))
    assert math.log(rate) / 20 == pytest.approx(math.log(found.low), rel=1e-5)
    assert found.high - found.low < 1e-12 * found.high


@pytest.mark.long
def test_the_command_line_gives_the_same(run):
    found = kt.growth_rate("3x10", closed=True)
    _, out, err = run("count", "3x10", "--closed", "--growth", "rate")
    assert [float(line.split()[-1].rstrip(".")) for line in out.splitlines()[1:]] == [found.low, found.high]
    assert "proved" in err
    _, _, err = run("count", "3x10", "--growth", "rate")
    assert "both bounds are proved, by the recurrence" in err
    _, out, _ = run("count", "10x3", "--closed", "--growth", "rate", "--json")
    assert json.loads(out)["low"] == found.low


@pytest.mark.parametrize(
    "board, closed, message",
    [
        ("9x10", True, "closed tours of boards with 9 rows is infeasible: 8 rows"),
        ("7x8", False, "6 rows at most"),
        ("4x8", True, "4 rows"),
        ("2x8", False, "2 rows"),
        (kt.Board(5, 5, wrap="torus"), True, "plain boards"),
    ],
)
def test_boards_without_a_rate(board, closed, message):
    with pytest.raises(ProblemError, match=message):
        kt.growth_rate(board, closed=closed)


@pytest.mark.parametrize(
    "board, closed, limits, error",
    [
        ((6, 6), True, kt.Limits(bytes=10**5), BoardError),
        ((6, 6), True, kt.Limits(nodes=100), LimitReached),
        pytest.param((6, 6), False, kt.Limits(bytes=10**5), BoardError, marks=pytest.mark.long),
    ],
)
def test_limits_end_it(board, closed, limits, error):
    with pytest.raises(error):
        kt.growth_rate(board, closed=closed, limits=limits)
