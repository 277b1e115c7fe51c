"""Tests of knots on the page (drawing/knot.js) and of the pace of a puzzle in links (model/pace.js); in Node."""

import itertools
import json
from typing import Any

import pytest

import knightstour as kt
from helpers.node import run_script

# Each starts Node.
pytestmark = pytest.mark.long

_KNOTS = """
const { woven, knotOf, hasKnots } = await import(process.argv[1]);
const asked = JSON.parse(process.argv[2]);
console.log(JSON.stringify(asked.map(([board, order, closed]) => {
  const { strands, loops, visits } = woven(board, order, closed);
  return { strands, loops, visits, knot: knotOf(board, order, closed), hasKnots: hasKnots(board) };
})));
"""

_PACES = """
const pace = await import(process.argv[1]);
const made = JSON.parse(process.argv[2]);
const read = made.map((each) => pace.decodePace(pace.encodePace(each)));
const wrong = ["", "A", "AAA", "A!", "ABAC"].map(pace.decodePace);
const noted = pace.noted([[3, 4], [5, 9]], [5, 7], 12);
const moves = pace.movesAt([[2, 5], [3, 10]], 4);
console.log(JSON.stringify({ read, wrong, noted, moves, longest: read.map(pace.longestPause) }));
"""


def knots(tours: list[kt.Tour]) -> list[dict[str, Any]]:
    asked = [
        [
            {
                "rows": tour.board.rows,
                "cols": tour.board.cols,
                "holes": [],
                "wrap": tour.board.wrap,
                "leaps": [list(leap) for leap in tour.board.piece.leaps],
            },
            tour.order.tolist(),
            tour.is_closed,
        ]
        for tour in tours
    ]
    return run_script(_KNOTS, "drawing/knot.js", json.dumps(asked))


@pytest.fixture(scope="module")
def closed_tours() -> list[kt.Tour]:
    return [kt.find_tour(size, closed=True, seed=seed) for size in ("6x6", "8x8", "5x6") for seed in range(12)]


def test_closed_strand_alternates_over_and_under(closed_tours):
    for knot in knots(closed_tours):
        uppers = [visit["isUpper"] for visit in knot["visits"]]
        assert knot["loops"] == [True] and len(uppers) > 10
        assert all(one != other for one, other in itertools.pairwise([*uppers, uppers[0]]))
        crossings = sorted((visit["crossing"], visit["isUpper"]) for visit in knot["visits"])
        assert crossings == [(k, side) for k in range(len(uppers) // 2) for side in (False, True)]


def test_knot_has_one_line_per_move_within_the_board(closed_tours):
    for tour, knot in zip(closed_tours, knots(closed_tours), strict=True):
        bins = knot["knot"]["bins"]
        assert len(bins) == len(tour.order) and all(each["line"].startswith("M") for each in bins)
        uppers = sum(visit["isUpper"] for visit in knot["visits"])
        assert sum(each["uppers"].count("M") for each in bins) == uppers
        for strand in knot["strands"]:
            assert all(0.5 <= point["x"] <= tour.board.cols - 0.5 for point in strand)
            assert all(0.5 <= point["y"] <= tour.board.rows - 0.5 for point in strand)


def test_upper_strand_stops_halfway_to_its_neighbours(closed_tours):
    for knot in knots(closed_tours[:3]):
        for one, other in itertools.pairwise(knot["visits"]):
            assert one["u"] + one["after"] <= other["u"] - other["before"] + 1e-9


def test_open_tours_and_joined_sides_have_ends():
    open_tour = kt.find_tour("5x5", seed=1)
    torus = kt.find_tour(kt.Board(6, 6, wrap="torus"), closed=True, seed=1)
    of_open, of_torus = knots([open_tour, torus])
    assert of_open["loops"] == [False] and [each["isEnd"] for each in of_open["knot"]["bins"]].count(True) == 2
    # On a torus the strands end at the edge.
    assert len(of_torus["strands"]) > 1 and not any(of_torus["loops"])
    for strand in of_torus["strands"]:
        for point in (strand[0], strand[-1]):
            assert any(abs(point[side] - edge) < 1e-9 for side in "xy" for edge in (0, 6))
    for knot in (of_open, of_torus):
        sides = sorted((visit["crossing"], visit["isUpper"]) for visit in knot["visits"])
        assert sides == [(k, side) for k in range(len(sides) // 2) for side in (False, True)]


def test_pace_survives_a_link():
    pace = [[2, 3], [3, 5], [17, 60], [64, 61]]
    found = run_script(_PACES, "model/pace.js", json.dumps([pace]))
    [read] = found["read"]
    assert [number for number, _ in read] == [2, 3, 17, 64]
    assert all(abs(seconds - true) <= 0.1 * true for (_, seconds), (_, true) in zip(read, pace, strict=True))
    assert found["longest"] == [17] and found["wrong"] == [None] * 5
    # A number that is gone leaves the pace; a new one joins it now.
    assert found["noted"] == [[5, 9], [7, 12]]
    assert found["moves"] == [0.5, 1, 1, 0]
