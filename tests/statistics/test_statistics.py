"""Tests of STATISTICS and `measure` against their definitions, on many boards."""

import csv
import io
import itertools
import json
from collections import Counter
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.drawn_reference import DRAWN
from helpers.solving import several_tours
from knightstour.core.model.geometry import passed_over
from knightstour.core.statistics.chosen import CHOSEN
from knightstour.core.statistics.measure import measure
from knightstour.core.statistics.table import STATISTICS

# Boards with rows of some lengths, holes and other leapers; the number of tours of each.
BOARDS: list[tuple[Any, bool, int]] = [
    ("3x4", False, 4),
    ("4x3", False, 4),
    ("3x10", True, 3),
    ("5x5", False, 4),
    ("6x6", True, 2),
    ("7x8", True, 1),
    ("8x7", False, 1),
    (kt.Board(6, 8, holes=[(0, 0), (0, 1)]), True, 2),
    (kt.Board(8, 8, leaper=(0, 1)), True, 1),
    (kt.Board(10, 10, leaper=(2, 3)), True, 1),
]


def tours_of(board: Any, closed: bool, n: int) -> list[kt.Tour]:
    """Return some tours by searches; constructed ones are too regular."""
    tours = several_tours(board, closed=closed, n=n, method="merge" if closed else "rotation", seed=3)
    assert len(tours) == n
    return tours


@pytest.mark.parametrize(("board", "closed", "n"), BOARDS, ids=lambda value: str(value))
def test_each_number_matches_its_definition(board, closed, n):
    tours = tours_of(board, closed, n)
    board = tours[0].board
    found = measure(tours)
    assert found, "no statistic has a meaning there"
    for name, values in found.items():
        expected = [
            DRAWN[name]([tuple(map(int, s)) for s in tour.squares], closed, (board.rows, board.cols)) for tour in tours
        ]
        assert values.tolist() == expected, name
        assert values.dtype == np.int64


def test_reference_supports_all_statistics():
    assert set(DRAWN) == set(STATISTICS)
    assert all(name == row.name for name, row in STATISTICS.items())


def test_open_and_closed_tours_may_be_measured_together():
    closed, opened = kt.find_tour("6x6", closed=True), kt.find_tour("6x6", method="rotation", seed=2)
    assert not opened.is_closed
    found = kt.measure([opened, closed, opened], "turns")["turns"]
    assert found.tolist() == [opened.turns, closed.turns, opened.turns]
    assert "area" not in kt.measure([opened, closed])


def test_closed_tours_can_be_measured_as_open():
    tours = list(kt.iter_tours("3x10"))
    assert any(tour.is_closed for tour in tours)
    for name in ("turns", "steep-up"):
        values, numbers = np.unique(kt.measure(tours, name, closed=False)[name], return_counts=True)
        assert dict(zip(values.tolist(), numbers.tolist(), strict=True)) == kt.census("3x10", name).counts
    with pytest.raises(kt.ProblemError, match="tour 1 is open"):
        kt.measure(kt.find_tour("5x5"), closed=True)


@pytest.mark.parametrize("board", ["5x6", "4x7", "6x6"])
def test_chosen_squares_are_counted_by_rectangles_and_one_by_one(board):
    tours = list(itertools.islice(kt.iter_tours(board), 50))
    rows, cols = tours[0].board.rows, tours[0].board.cols
    half = cols // 2
    whole, left = f"inside=0,0..{rows - 1},{cols - 1}", f"inside={rows - 1},0..0,{half - 1}"
    some = {(1, 1), (2, 3), (0, 2), (3, 2)}
    by = "inside=" + "+".join(tours[0].board.square_name(square) for square in sorted(some))
    found = kt.measure(tours, [whole, left, by], closed=False)
    for k, tour in enumerate(tours):
        moves = list(itertools.pairwise(tour))
        assert found[whole][k] == len(moves)
        assert found[left][k] == sum(a[1] < half and b[1] < half for a, b in moves)
        assert found[by][k] == sum({a, b} <= some for a, b in moves)


def test_chosen_moves_are_counted_either_way():
    tours = kt.sample("6x6", 40, closed=True, seed=1)
    by = "among=a1-b3+a1-c2+f6-d5"
    # The corners have two moves each, which every closed tour makes.
    assert set(kt.measure(tours, by)[by].tolist()) == {3}
    counts = kt.census("6x6", "among=c3-d5", closed=True).counts
    assert counts[1] == kt.count("6x6", closed=True, require=["c3-d5"]) and sum(counts.values()) == 9862
    inside = "inside=a1..c5"
    values = kt.measure(list(kt.iter_tours("5x6", closed=True)), inside)[inside]
    assert kt.census("5x6", inside, closed=True).counts == dict(sorted(Counter(values.tolist()).items()))


@pytest.mark.parametrize(
    ("by", "words"),
    [
        ("inside=", "lacks squares or moves"),
        ("outside=a1", "unknown statistic with squares"),
        ("inside=a1..z9", "no square 'a1..z9'"),
        ("inside=north", "not a square"),
        ("among=a1-b2", "a move"),
        ("among=a1", "a move"),
    ],
)
def test_squares_and_moves_that_are_not_there_are_an_error(by, words):
    with pytest.raises(kt.KnightsTourError, match=words):
        kt.measure(kt.find_tour("6x6"), by)
    with pytest.raises(kt.KnightsTourError, match=words):
        kt.census("6x6", by)


@pytest.mark.parametrize(
    ("tours", "by", "board", "words"),
    [
        ("torus", "turns", None, "flat boards only"),
        ("5x5", "winding", None, "no 'winding'"),
        ("5x5", "area", None, "open tours"),
        ("8x8", "tarnish", None, "statistic"),
        ("array", None, None, "does not define its board"),
        ("array", None, "5x6", "no tours of a board of 30 squares"),
        ("none", None, None, "no tours to measure"),
        ("two", None, None, "different boards"),
    ],
)
def test_undefined_statistic_raises_an_error(tours, by, board, words):
    made: dict[str, Any] = {
        "torus": lambda: kt.find_tour(kt.Board(6, 6, wrap="torus")),
        "array": lambda: np.zeros((2, 25), dtype=np.uint8),
        "none": list,
        "two": lambda: [kt.find_tour("5x5"), kt.find_tour("6x6")],
    }
    subject = made[tours]() if tours in made else kt.find_tour(tours)
    with pytest.raises(kt.KnightsTourError, match=words):
        kt.measure(subject, by, board)


# ---------------------------------------------------------------- the command


@pytest.fixture
def three(tmp_path):
    path = tmp_path / "tours.txt"
    tours = list(kt.sample("6x6", 3, closed=True, seed=1))
    kt.write_tours(path, tours)
    return str(path), tours


def test_every_name_can_have_most_before_it():
    assert [name for name in (*STATISTICS, *CHOSEN) if name.startswith(("most-", "longest-", "fewest-"))] == []


def test_the_command_measures_the_tours_of_a_file(run, three):
    path, tours = three
    turns = [tour.turns for tour in tours]
    code, out, _ = run("measure", path, "--by", "turns", "--by", "crossings", "--json")
    found = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and [row["turns"] for row in found] == turns and list(found[0]) == ["number", "turns", "crossings"]
    code, out, _ = run("measure", path, "--csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    code, same, _ = run("measure", path, "--by", "turns, crossings", "--json")
    assert code == 0 and [json.loads(line) for line in same.splitlines()] == found
    assert [int(row["turns"]) for row in rows] == turns and set(rows[0]) == {"number", "magic", *STATISTICS}
    code, out, _ = run("measure", path, "--by", "turns")
    assert out.split() == [word for k in range(3) for word in (str(k + 1), "turns", str(turns[k]))]


@pytest.mark.parametrize("moves", ["gnu", [(0, 1), (1, 2)], [(0, 2), (1, 3), (0, 1)], "king", "wazir"], ids=str)
def test_moves_of_unlike_lengths_pass_over_the_squares_of_each(moves: object) -> None:
    board = kt.Board(5, 5, moves=moves)
    tour = kt.find_tour(board, seed=1)
    passed = [0] * 25
    for (r, c), (s, d) in itertools.pairwise([(int(r), int(c)) for r, c in tour.squares]):
        for square in passed_over((s - r, d - c)):
            passed[(r + square[0]) * 5 + c + square[1]] += 1
    found = kt.measure(tour, ["over-one-square", "never-passed"], closed=False)
    assert (found["over-one-square"][0], found["never-passed"][0]) == (max(passed), passed.count(0))
