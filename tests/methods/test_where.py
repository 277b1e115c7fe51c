"""Tests of the condition `where`: ranges of statistics, by lists on small boards and by improvement on larger ones."""

import json
from typing import Any

import pytest

import knightstour as kt
from helpers.command_line import Run
from helpers.examples import mostly_long
from knightstour.core.model.problem import Problem, keyword_arguments


def test_complete_list_states_properties_of_its_tours() -> None:
    result = kt.solve("6x6", closed=True, where={"turns": (0, 22)})
    assert result.status is kt.Status.IMPOSSIBLE and result.source.startswith("exhaustive search")
    assert result.reason == ("none of the 9,862 closed tours of the 6x6 board has turns=0..22: they have turns=32..36")
    assert kt.count("5x6", closed=True, where={"turns": (0, 23)}) == 0


def test_counts_of_all_values_match_the_census() -> None:
    table = kt.census("5x6", closed=True, by="turns")
    counts = {k: kt.count("5x6", closed=True, where={"turns": k}) for k in range(20, 31)}
    assert {k: n for k, n in counts.items() if n} == {int(k): int(n) for k, n in table.counts.items() if n}


def test_listed_tours_match_measured_ones() -> None:
    tours = list(kt.iter_tours("5x5", start="a1", where={"crossings": (0, 36), "turns": range(18, 23)}))
    every = list(kt.iter_tours("5x5", start="a1"))
    found = kt.measure(every, ["crossings", "turns"], closed=False)
    wanted = [t for t, c, k in zip(every, found["crossings"], found["turns"], strict=True) if c <= 36 and 18 <= k <= 22]
    assert tours == wanted and 0 < len(wanted) < len(every)


@pytest.mark.parametrize(
    ("board", "ranges", "tours"), mostly_long([("4x7", {"magic-columns": 7}, 18), ("4x8", {"magic-rows": 4}, 272)], 1)
)
def test_magic_tours_of_four_rows(board: str, ranges: dict[str, int], tours: int) -> None:
    """A. Kumar counts 9 of 4x7, up to the four symmetries; of 4x8 there are 544 in both directions."""
    assert kt.count(board, where=ranges) == tours


def test_larger_boards_are_improved_until_it_is_met() -> None:
    tour = kt.find_tour("8x8", closed=True, start="c2", where={"turns": (45, 50)}, seed=1)
    assert tour.is_closed and tour.start == (6, 2) and 45 <= tour.turns <= 50
    tour = kt.find_tour("7x8", where=["crossings=80..95", "turns=50..56"], seed=1)
    found = kt.measure(tour, ["crossings", "turns"], closed=False)
    assert 80 <= found["crossings"][0] <= 95 and 50 <= found["turns"][0] <= 56


def test_limit_leaves_undecided_and_reports_progress() -> None:
    result = kt.solve("8x8", closed=True, where={"crossings": 50}, seed=1, max_nodes=50_000)
    assert result.status is kt.Status.UNDECIDED and "the last tour has crossings=" in result.reason


@pytest.mark.parametrize(
    ("board", "question", "message"),
    [
        ("8x8", {"where": {"turns": (47, 45)}}, "no number of turns is from 47 to 45"),
        ("8x8", {"where": ["turns=1..3", "turns=5..6"]}, "no number is in both ranges of turns"),
        ("8x8", {"where": {"turnz": 3}}, "did you mean 'turns'"),
        ("8x8", {"where": {"turns": "x"}}, "invalid range of turns: 'x'"),
        ("8x8", {"where": "turns"}, "not a statistic and its range: 'turns'"),
        ("8x8:torus", {"where": {"crossings": 0}}, "on flat boards only"),
        ("8x8", {"where": {"area": 3}}, "open tours have no 'area'"),
        ("8x8:-a1", {"where": {"magic-rows": 8}}, "have no 'magic-rows'"),
        ("6x8", {"where": {"magic-diagonals": 2}}, "have no 'magic-diagonals'"),
        ("6x6", {"where": {"turns": 33}, "method": "rotation"}, "it does not support a range of a statistic"),
    ],
)
def test_meaningless_input_is_one_error(board: str, question: dict[str, Any], message: str) -> None:
    with pytest.raises(kt.KnightsTourError, match=message):
        kt.solve(board, **question)


def test_it_is_written_and_read_alike() -> None:
    problem = Problem("6x6", closed=True, where={"turns": range(3, 6), "inside=a1..d4": 2})
    assert problem.to_dict()["where"] == {"inside=a1..d4": 2, "turns": [3, 5]}
    assert Problem("6x6", **keyword_arguments(problem)) == problem
    assert Problem("6x6", closed=True, where=["inside=a1..d4=2", "turns=3..5"]) == problem
    assert str(problem) == "a closed tour of the 6x6 board with inside=a1..d4=2 and turns=3..5"


def test_command_line_supports_the_where_option(run: Run) -> None:
    code, out, _ = run("count", "5x6", "--closed", "--where", "turns=26..28")
    assert (code, int(out)) == (0, kt.count("5x6", closed=True, where={"turns": (26, 28)}))
    code, out, _ = run("solve", "5x6", "--closed", "--where", "turns=0..3", "--json")
    assert code == 1 and json.loads(out)["where"] == {"turns": [0, 3]}
    code, _, err = run("solve", "8x8:torus", "--where", "crossings=0")
    assert code == 2 and "on flat boards only" in err
