"""Tests of the ribbon: over and under alternate along a closed tour, and the upper strand is redrawn at crossings."""

import itertools
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import pictures
from helpers.examples import examples
from knightstour.core.drawing.figure import figure_of
from knightstour.core.drawing.lines import Line, lines_of
from knightstour.lab.pictures.knot import Strand, crossings_of, strands_of, upper_strands

CLOSED = ["6x6", "8x8", "5x6", "10x12", kt.Board(8, 8, holes=["d4", "d5", "e4", "e5"]), kt.Board(10, 10, leaper=(2, 3))]
WRAPPED = [kt.Board(6, 6, wrap="torus"), kt.Board(5, 6, wrap="klein"), kt.Board(5, 8, wrap="cylinder")]


def strands_for(subject: object, **options: object) -> list[Strand]:
    figure = figure_of(subject, **options)
    return [strand for k, walk in enumerate(figure.walks) for strand in strands_of(lines_of(figure, walk), k)]


def over(strands: list[Strand]) -> list[list[bool]]:
    """Return for each strand whether it is the upper one at each of its crossings, in order."""
    parts = [(id(strand), begin, end) for strand, begin, end in upper_strands(strands)]
    return [
        [any(id(strand) == key and begin <= at <= end for key, begin, end in parts) for at, _ in strand.crossings]
        for strand in strands
    ]


@examples(12)
@given(st.sampled_from(CLOSED), st.integers(0, 10**6))
def test_a_closed_tour_goes_over_and_under_in_turn(board, seed):
    strands = strands_for(kt.find_tour(board, closed=True, method="merge", seed=seed))
    (strand,) = strands
    (steps,) = over(strands)
    places = [at for at, _ in strand.crossings]
    gaps = np.diff([*places, places[0] + strand.length])
    # Crossings that are nearly in one place may be covered by the redrawn parts of both.
    for k in range(len(steps)):
        after = (k + 1) % len(steps)
        if min(gaps[k - 1], gaps[k], gaps[after]) > 0.3:
            assert steps[k] != steps[after], places[k]
    assert len(upper_strands(strands)) * 2 == len(places)


@pytest.mark.parametrize("board", ["6x6", "8x8"])
def test_band_crosses_itself_at_the_crossings_of_the_tour(board):
    for seed in range(20):
        tour = kt.find_tour(board, closed=True, method="merge", seed=seed)
        (strand,) = strands_for(tour)
        # Round corners lie inside the sharp ones, so they may miss a crossing of the straight moves, but add none.
        assert 0.6 * tour.crossings < len(crossings_of([strand])) <= tour.crossings


def test_crossings_are_found_as_plain_geometry_finds_them():
    (strand,) = strands_for(kt.find_tour("6x6", closed=True, seed=3))
    begin, end = strand.points[:-1], strand.points[1:]

    def side(a, b, c):
        return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])

    count = 0
    last = len(begin) - 1
    for i, j in itertools.combinations(range(len(begin)), 2):
        if j == i + 1 or (i == 0 and j == last):
            continue
        a, b, c, d = begin[i], end[i], begin[j], end[j]
        count += side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0
    assert len(crossings_of([strand])) == count > 10


@examples(8)
@given(st.sampled_from(WRAPPED), st.integers(0, 10**6))
def test_strands_end_at_joined_borders(board, seed):
    tour = kt.find_tour(board, closed=True, method="merge", seed=seed)
    figure = figure_of(tour)
    lines = [line for walk in figure.walks for line in lines_of(figure, walk)]
    strands = strands_for(tour)
    assert len(strands) == len(lines) > 1
    for strand, line in zip(strands, lines, strict=True):
        ends = strand.points[[0, -1]]
        assert np.allclose(ends, [line.points[0], line.points[-1]], atol=1e-4)
    count = len(crossings_of(strands))
    assert len(upper_strands(strands)) == count > 0


def test_loops_go_over_and_under_each_other():
    strands = strands_for("4x4", paths=[["a1", "b3", "d4", "c2", "a1"], ["b1", "a3", "c4", "d2", "b1"]])
    steps = over(strands)
    assert len(steps) == 2 and all(steps)
    for line in steps:
        assert all(one != other for one, other in zip(line, line[1:] + line[:1], strict=True))


def test_one_strand_is_above_at_each_crossing_of_a_star():
    star = [Line([(-1, -1), (1, 1)]), Line([(-1, 1), (1, -1)]), Line([(-1, 0), (1, 0)]), Line([(0, -1), (0, 1)])]
    assert len(upper_strands([strand for k, line in enumerate(star) for strand in strands_of([line], k)])) == 6


def test_the_colour_changes_along_the_band_and_returns():
    tour = kt.find_tour("8x8", closed=True, seed=1)
    picture = str(kt.draw(tour, style="ribbon", theme="light", colors={"ribbon": ["navy", "gold"]}))
    colours = re.findall('stroke="(#[0-9a-f]{6})" fill="none"', picture)
    assert "#000080" in colours and max(colours) > "#f0" and "#ffffff" in colours
    plain = str(kt.draw(tour, style="ribbon", theme="light", colors={"ribbon": "teal"}))
    assert set(re.findall('stroke="(#[0-9a-f]{6})"', plain)) == {"#008080", "#ffffff"}
    on_ivory = str(kt.draw(tour, style="ribbon", theme="light", colors={"background": "ivory"}))
    assert 'stroke="#fffff0"' in on_ivory and "#ffffff" not in on_ivory
    assert len(picture) < 40_000


def test_a_ribbon_of_any_kind_of_board():
    assert "stroke" not in str(kt.draw("3x4", style="ribbon", theme="light")).replace("stroke-", "")
    assert pictures.svg("3x4", style="ribbon", paths=["a1", "b3"])
    assert kt.draw(kt.find_tour("5x5", seed=1), style="ribbon") and kt.draw(kt.find_tour("60x60"), style="ribbon")
    assert pictures.svg(kt.Board(5, 5, wrap="torus", leaper=(2, 2)), style="ribbon", paths=[(0, 0), (2, 2)])
    with pytest.raises(kt.FormatError, match="is for boards of rows and columns"):
        kt.draw(kt.find_tour("hex:5", closed=True), style="ribbon")
    with pytest.raises(kt.FormatError, match="too large for the style ribbon"):
        kt.draw(kt.find_tour("101x100"), style="ribbon")
    with pytest.raises(kt.FormatError, match="the style ribbon has no animations"):
        kt.draw(kt.find_tour("5x6"), "gif", style="ribbon")
