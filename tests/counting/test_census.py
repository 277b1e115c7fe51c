"""The census: compared with all tours by plain recursion, in parts, by polynomials, marks and samples, and in files."""

import csv
import functools
import json
import math
import sys
from collections import Counter
from typing import Any
from xml.etree import ElementTree

import pyarrow.parquet
import pytest

import knightstour as kt
from helpers.drawn_reference import DRAWN
from helpers.examples import mostly_long
from helpers.small_problems import tours_of
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.statistics.table import STATISTICS
from knightstour.lab.counting.census import census, on_network
from knightstour.lab.counting.census.census import visit
from knightstour.lab.counting.census.on_network import TooManyStates, can_count, count_by_corners
from knightstour.lab.counting.census.result import Census
from knightstour.lab.counting.settings import CountProgress
from knightstour.lab.counting.spaces.by_states import WaySpace


@functools.cache
def all_tours(board: kt.Board, closed: bool) -> list[Any]:
    """Yield all tours by plain recursion."""
    return tours_of(Problem(board, closed=closed))


def by_hand(board: kt.Board, closed: bool, name: str) -> dict[int, int]:
    """Take the census by plain recursion; tours are undirected."""
    numbers = Counter(DRAWN[name](list(tour), closed, (board.rows, board.cols)) for tour in all_tours(board, closed))
    return dict(sorted(numbers.items()))


@pytest.mark.parametrize("name", mostly_long((name for name, row in STATISTICS.items() if not row.needs_closed), 12))
def test_statistics_of_small_boards_match_all_tours(name):
    board = kt.Board(3, 4)
    if STATISTICS[name].why_not(board):
        with pytest.raises(kt.BoardError, match="have no 'magic-diagonals'"):
            kt.census(board, name)
        return
    found = kt.census(board, name)
    assert found.counts == by_hand(board, False, name)
    assert (found.how == "polynomials") == (STATISTICS[name].adds_up_over == "moves")
    assert found.is_exact and found.tours_seen == found.total == kt.count(board)


@pytest.mark.parametrize(
    ("board", "closed", "name"),
    [
        (kt.Board(4, 5, holes=[(0, 0), (0, 1)]), False, "steep-up"),
        pytest.param(kt.Board(4, 5), False, "angle-53", marks=pytest.mark.long),
        (kt.Board(4, 4, leaper=(0, 1)), True, "area"),
        (kt.Board(4, 4, leaper=(0, 1)), True, "turns"),
        (kt.Board(4, 4, leaper=(0, 1)), False, "across-rows"),
        (kt.Board(1, 1), False, "crossings"),
    ],
    ids=str,
)
def test_boards_with_holes_and_other_leapers_have_one_too(board, closed, name):
    found = kt.census(board, name, closed=closed)
    if len(board) > 1:
        assert found.counts == by_hand(board, closed, name)
    else:
        assert found.counts == {0: 1}


def test_the_closed_tours_of_6x6_by_turns():
    """Compare with the numbers of D. E. Knuth."""
    found = kt.census("6x6", "turns", closed=True)
    assert found.counts == {32: 18, 33: 344, 34: 1816, 35: 4504, 36: 3180}
    assert found.least is not None and found.least.value == found.least.tour.turns == 32
    assert found.most is not None and found.most.value == found.most.tour.turns == 36
    assert found.mean == pytest.approx(35.0633, abs=1e-3) and found.deviation > 0


@pytest.mark.parametrize("samples", [pytest.param(None, marks=pytest.mark.long), 60])
def test_every_value_has_the_lowest_number_of_a_tour(samples):
    found = kt.census("5x5", "crossings", samples=samples, seed=None if samples is None else 3)
    space = kt.TourSpace((5, 5))
    assert list(found.numbers) == list(found.counts)
    assert all(space.unrank(number).crossings == value for value, number in found.numbers.items())
    drawn = range(1, space.count + 1) if samples is None else space.random_numbers(samples, 3)
    lowest = {space.unrank(number).crossings: number for number in sorted(drawn, reverse=True)}
    assert found.numbers == lowest
    rows = found.to_dict()["values"]
    assert isinstance(rows, list) and [row["number"] for row in rows] == [str(n) for n in found.numbers.values()]
    # Tours that are counted together are not built.
    assert kt.census("5x5", "steep-up").numbers == {}


@pytest.mark.long
@pytest.mark.parametrize("name", ["turns", "crossings", "winding"])
def test_samples_are_near_the_truth_by_their_intervals(name):
    exact = kt.census("6x6", name, closed=True)
    found = kt.census("6x6", name, closed=True, samples=5000, seed=3)
    assert found.samples == found.tours_seen == 5000 and found.total == 9862 and not found.is_exact
    assert set(found.counts) <= set(exact.counts)
    inside = [low <= exact.counts[value] <= high for value in found.counts for low, high in [found.interval(value)]]
    assert sum(inside) >= 0.8 * len(inside)
    assert found.counts == kt.census("6x6", name, closed=True, samples=5000, seed=3).counts


def test_boards_without_a_tour_have_an_empty_census():
    found = kt.census("4x4", "turns")
    assert (found.counts, found.total, found.least, str(found)) == ({}, 0, None, "turns: 0 open tours of the 4x4 board")
    assert found.to_dict()["mean"] is None


@pytest.mark.parametrize(
    ("board", "by", "options", "words"),
    [
        ("8x8", "turns", {"closed": True}, "infeasible"),
        ("3x100", "crossings", {}, "hours"),
        ("6x6", "height", {}, "statistic"),
        ("5x5", "winding", {}, "no 'winding'"),
        ("6x6", "turns", {"seed": 1}, "nothing to draw"),
        ("6x6", "turns", {"samples": 0}, "samples"),
    ],
)
def test_unsupported_request_fails_before_work_starts(board, by, options, words):
    with pytest.raises(kt.KnightsTourError, match=words) as caught:
        kt.census(board, by, **options)
    assert isinstance(caught.value, kt.LimitReached) == (words in ("infeasible", "hours"))


# ---------------------------------------------------------------- the command


@pytest.mark.long
@pytest.mark.parametrize("options", [(), ("--samples", "50", "--seed", "1")], ids=["exact", "sample"])
def test_the_command_writes_files(run, tmp_path, options):
    words = ["5x5", "--by", "turns", *options]
    rows = kt.census("5x5", "turns", **({"samples": 50, "seed": 1} if options else {})).rows()
    for end in ("csv", "json"):
        code, out, _ = run("census", *words, "-o", str(tmp_path / f"turns.{end}"))
        assert code == 0 and "5x5 board: turns" in out
    with open(tmp_path / "turns.csv", encoding="utf-8", newline="") as file:
        assert [{name: float(value) for name, value in row.items()} for row in csv.DictReader(file)] == rows
    kept = json.loads((tmp_path / "turns.json").read_text())
    assert all(1 <= int(row.pop("number")) <= 9862 for row in kept["values"])
    assert [{name: float(value) for name, value in row.items()} for row in kept["values"]] == rows
    found = kt.census("5x5", "turns", **({"samples": 50, "seed": 1} if options else {}))
    found.save(tmp_path / "turns.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "turns.parquet")
    assert table.to_pylist() == rows and str(table.schema.field("value").type) == "int64"
    assert json.loads(table.schema.metadata[b"knightstour"])["statistic"] == "turns"
    assert run("census", *words, "-o", str(tmp_path / "turns.txt"))[0] == 2


def test_files_hold_long_numbers_and_an_empty_census(tmp_path):
    long = Census(kt.Problem("8x8"), "turns", {1: 2, 3: 10**30}, 10**30 + 2, "visits")
    empty = kt.census("4x4", "turns")
    for name, found, tours in (("long", long, ["2", str(10**30)]), ("empty", empty, [])):
        found.save(tmp_path / f"{name}.parquet")
        table = pyarrow.parquet.read_table(tmp_path / f"{name}.parquet")
        assert table.column_names == ["value", "tours"] and table["tours"].to_pylist() == tours
    assert long.to_csv().splitlines() == ["value,tours", "1,2", f"3,{10**30}"] and empty.to_csv() == "value,tours\n"


def test_without_pyarrow_a_parquet_file_is_refused(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(kt.KnightsTourError, match=r"knightstour\[scale\]"):
        kt.census("5x5", "turns", closed=True).save(tmp_path / "turns.parquet")


def test_the_command_draws_the_bars(run, tmp_path):
    picture = tmp_path / "turns.svg"
    counts = list(kt.census("5x5", "turns").counts.values())
    words = ["5x5", "--by", "turns", "-o", str(picture)]
    assert run("census", *words)[0] == 0
    root = ElementTree.fromstring(picture.read_text(encoding="utf-8"))
    heights = [float(bar.get("height", "0")) for bar in root.findall("{*}rect") if bar.find("{*}title") is not None]
    assert (
        len(heights) == len(counts) and heights.index(max(heights)) == counts.index(max(counts)) and min(heights) >= 1
    )
    assert run("census", "5x5", "--by", "turns", "-o", str(tmp_path / "turns.png"))[0] == 2
    assert "864 open tours" in kt.census("5x5", "turns")._repr_svg_()
    assert str(kt.draw(kt.census("4x4", "turns"), theme="dark")).endswith("</svg>")


# ---------------------------------------------------------------- by corners


OVER_CORNERS = [name for name, row in STATISTICS.items() if row.adds_up_over == "corners"]
MUCH = 1 << 30

QUESTIONS = [
    Problem((5, 6), closed=True),
    Problem((3, 10), closed=True),
    Problem((4, 5)),
    Problem((5, 5)),
    Problem((5, 5), start=(0, 0)),
    Problem((3, 7), start=(0, 0)),
    Problem((4, 6), start=(0, 0), end=(3, 5)),
    Problem(kt.Board(4, 5, holes=[(0, 0), (0, 1)])),
    Problem(kt.Board(4, 6, leaper=(0, 1)), closed=True),
]


def of(problem: Problem, name: str, most_bytes: int = MUCH) -> dict[int, int]:
    return count_by_corners(WaySpace.build(problem), STATISTICS[name], CountProgress(problem), most_bytes)


@pytest.mark.parametrize("problem", mostly_long(QUESTIONS), ids=str)
def test_total_matches_single_tours(problem):
    space = WaySpace.build(problem)
    assert can_count(space)
    for name in OVER_CORNERS if problem.board.piece.leaper == (1, 2) else ["turns", "straight"]:
        tally = visit(space, name, CountProgress(problem))
        found = count_by_corners(space, STATISTICS[name], CountProgress(problem), MUCH)
        assert found == dict(sorted(tally.counts.items())), name


def test_many_moduli_give_the_same(monkeypatch):
    expected = of(Problem((4, 5)), "turns")
    monkeypatch.setattr(on_network, "primes", lambda largest: iter((101, 103, 107, 109, 113)))
    assert of(Problem((4, 5)), "turns") == expected


def test_marks_are_taken_away_again():
    # 3 tours with 0 corners, 4 with 1 and 2 with 3, enumerated with every set of marks.
    marked = Counter({k: 3 * math.comb(0, k) + 4 * math.comb(1, k) + 2 * math.comb(3, k) for k in range(5)})
    assert on_network._without_marks([marked[k] for k in range(5)]) == {0: 3, 1: 4, 3: 2}


@pytest.mark.long
def test_limits_end_it():
    problem = Problem((4, 6))
    with pytest.raises(LimitReached):
        count_by_corners(
            WaySpace.build(problem), STATISTICS["turns"], CountProgress(problem, Budget(Limits(seconds=1e-9))), MUCH
        )
    with pytest.raises(TooManyStates):
        of(Problem((5, 6)), "turns", most_bytes=1000)


def test_census_samples_only_if_tours_are_expensive(monkeypatch):
    monkeypatch.setattr(census, "_LEAST_SECONDS_TO_MARK", 0.0)
    monkeypatch.setattr(census, "_SECONDS_PER_WAY", 0.0)
    marked = kt.census("5x5", "angle-90")
    monkeypatch.setattr(census, "_MARKED_BYTES", float("inf"))
    made = kt.census("5x5", "angle-90")
    assert (marked.how, made.how) == ("polynomials", "visits")
    assert marked.counts == made.counts


@pytest.mark.long
def test_6x6_and_5x10_by_turns():
    assert of(Problem((6, 6), closed=True), "turns") == {32: 18, 33: 344, 34: 1816, 35: 4504, 36: 3180}
    found = kt.census("5x10", "turns", closed=True)
    assert sum(found.counts.values()) == 13_311_268 and found.counts[41] == 60
