"""Growth rates: bounds that hold, against recurrences, counts, eigenvalues, and tours drawn at random."""

from __future__ import annotations

import json
import math
from fractions import Fraction
from itertools import islice

import pytest

import knightstour as kt
from helpers.command_line import run
from knightstour.core.model.errors import BoardError, LimitReached, ProblemError
from knightstour.lab.counting.narrow import narrow_recurrence

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
def test_counts_of_five_rows_grow_into_the_interval():
    found = kt.growth_rate((40, 5), closed=True)
    counts = {n: kt.count_tours((5, n), closed=True) for n in (10, 12, 18, 20, 28, 30, 38, 40)}
    far = [abs(two_columns(counts[n], counts[n - 2]) - found.low) for n in (12, 20, 30, 40)]
    assert far == sorted(far, reverse=True) and far[-1] < 1e-7
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


def test_the_command_line_gives_the_same(capsys):
    found = kt.growth_rate("3x10", closed=True)
    _, out, err = run("count", "3x10", "--closed", "--growth", "rate", capsys=capsys)
    assert [float(line.split()[-1].rstrip(".")) for line in out.splitlines()[1:]] == [found.low, found.high]
    assert "proved" in err
    _, _, err = run("count", "3x10", "--growth", "rate", capsys=capsys)
    assert "both bounds are proved, by the recurrence" in err
    _, out, _ = run("count", "10x3", "--closed", "--growth", "rate", "--json", capsys=capsys)
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
