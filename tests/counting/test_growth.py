"""Growth rates: bounds that hold, against recurrences, counts, eigenvalues, and tours drawn at random."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import islice, pairwise

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import run
from knightstour.core.kernels.counting.strips import BEYOND, FULL, flipped, lower_of_both
from knightstour.core.model.board import Square
from knightstour.core.model.errors import BoardError, LimitReached, ProblemError
from knightstour.lab.counting import growth
from knightstour.lab.counting.narrow import narrow_recurrence, narrow_terms
from knightstour.lab.counting.strips import StripGraph, TransferGraph, bare, loosened

FAR = 4000


def words_of(squares: Sequence[Square], rows: int, cols: int, *, closed: bool) -> list[int]:
    """The states that a tour passes through: before columns 0, 1, 2, ..., cols - 2."""
    beyond = len(squares)
    around = [*range(len(squares)), *([] if closed else [beyond])]
    columns = [col for _, col in squares] + [cols]
    found = []
    for here in range(cols - 1):
        word = bare(rows)
        # Moves are made that have an end before column `here`; they make paths of squares next to each other in order.
        is_made = [min(columns[a], columns[b]) < here for a, b in zip(around, [*around[1:], around[0]], strict=True)]
        if any(is_made):
            start = is_made.index(False) + 1
            path: list[int] = []
            for k in range(start, start + len(around)):
                a, made = around[k % len(around)], is_made[k % len(around)]
                path.append(a)
                if made:
                    continue
                word = _with_path(word, path, squares, here, rows, beyond)
                path = []
        found.append(lower_of_both(word, rows))
    return found


def _with_path(word: int, path: Sequence[int], squares: Sequence[Square], here: int, rows: int, beyond: int) -> int:
    """The word with a path of squares, by their places in the tour."""

    def place(k: int) -> int:
        row, col = squares[k]
        return (col - here) * rows + row

    if len(path) == 1:
        return word
    for k in path[1:-1]:
        if k != beyond and place(k) >= 0:
            word |= FULL << (4 * place(k))
    for end, other in ((path[0], path[-1]), (path[-1], path[0])):
        if end != beyond:
            code = BEYOND if other == beyond else place(other)
            word = word & ~(15 << (4 * place(end))) | (code << (4 * place(end)))
    return word


def two_columns(later: int, earlier: int) -> float:
    """The growth of one column, from the numbers of two columns."""
    return math.sqrt(Fraction(later, earlier))


@pytest.mark.parametrize("rows, closed", [(3, True), (3, False), pytest.param(4, False, marks=pytest.mark.long)])
def test_the_rate_is_the_root_of_the_recurrence(rows, closed):
    found = kt.growth_rate((rows, 9), closed=closed)
    terms = list(islice(narrow_recurrence(rows, closed=closed).terms(), FAR + 1))
    assert found.low <= two_columns(terms[FAR], terms[FAR - 2]) <= found.high
    assert found.high - found.low < 1e-12 * found.high


@pytest.mark.long
def test_counts_of_five_rows_grow_into_the_interval():
    found = kt.growth_rate((40, 5), closed=True)
    counts = dict(narrow_terms(5, 1, 40, closed=True))
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


@pytest.mark.parametrize("rows, is_loose", [(3, False), (3, True), (4, False)])
def test_bounds_enclose_the_largest_eigenvalue(rows, is_loose):
    graph = StripGraph(rows, [bare(rows)])
    if is_loose:
        graph = StripGraph(rows, loosened(graph.words, rows))
    matrix = np.array([graph.pulled(unit) for unit in np.eye(graph.states)]).T
    assert np.array_equal(matrix, np.array([graph.pushed(unit) for unit in np.eye(graph.states)]))
    largest = max(abs(np.linalg.eigvals(matrix)))
    watch = growth.Watch(growth.Problem.of((rows, 9)))
    low, high = growth._power(graph, growth._component(graph, growth._fastest(graph, watch), watch), watch)
    assert low - 1e-9 <= largest <= max(high, growth._rate_of_rest(graph, np.ones(graph.states, dtype=bool), watch))


@pytest.mark.long
def test_as_many_states_as_of_a_graph_of_plain_tuples_lead_to_tours():
    """Of 5 rows, a program that followed tuples of mates and knew no images found 33,410 that some tour passes."""
    graph = TransferGraph(5, closed=True)
    coming, going = (graph.words == bare(5)).astype(float), graph.endings.astype(float)
    for _ in range(40):
        coming, going = coming + graph.pushed(coming), going + graph.pulled(going)
        coming, going = coming / coming.max(), going / going.max()
    passed = graph.words[(coming > 0) & (going > 0)].tolist()
    assert len(passed) <= graph.states < 1.1 * len(passed)
    assert sum(1 + (flipped(word, 5) != word) for word in passed) == 33_410


@pytest.mark.parametrize(
    "rows, cols, closed",
    [pytest.param(5, 8, True, marks=pytest.mark.long), (3, 12, True), (3, 9, False), (4, 9, False)],
)
def test_tours_walk_through_the_graph(rows, cols, closed):
    graph = StripGraph(rows, [bare(rows)])
    graphs = [graph] if closed else [graph, StripGraph(rows, loosened(graph.words, rows))]
    for tour in kt.TourSpace((rows, cols), closed=closed).sample(20, rng=1):
        squares = [(int(row), int(col)) for row, col in tour.squares]
        words = words_of(squares, rows, cols, closed=closed)
        ends = [] if closed else [squares[0][1], squares[-1][1]]
        for column, (word, after) in enumerate(pairwise(words)):
            placed, placed_after = (sum(end < here for end in ends) for here in (column, column + 1))
            # Once both ends are placed, the states are mirror images of those before one is.
            if placed == placed_after < 2:
                walks = graphs[placed]
                ahead = (walks.words == after).astype(float)
                assert walks.pulled(ahead)[walks.words == word] >= 1


def test_the_command_line_gives_the_same(capsys):
    found = kt.growth_rate("3x10", closed=True)
    _, out, err = run("count", "3x10", "--closed", "--growth", "rate", capsys=capsys)
    assert [float(line.split()[-1].rstrip(".")) for line in out.splitlines()[1:]] == [found.low, found.high]
    assert "proved" in err
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
        ((6, 6), False, kt.Limits(bytes=10**5), LimitReached),
    ],
)
def test_limits_end_it(board, closed, limits, error):
    with pytest.raises(error):
        kt.growth_rate(board, closed=closed, limits=limits)
