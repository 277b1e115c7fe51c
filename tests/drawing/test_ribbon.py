"""Bands that go over and under: alternating along the line at every crossing, as the theorem about curves says."""

import itertools
import math
import re
from collections import defaultdict
from unittest import mock

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import examples
from knightstour.core.drawing.figure import figure_of
from knightstour.core.drawing.lines import Line, lines_of
from knightstour.lab.pictures import weaving
from knightstour.lab.pictures.weaving import Visit, bands, crossings

CLOSED = ["6x6", "8x8", "5x6", "10x12", kt.Board(8, 8, holes=["d4", "d5", "e4", "e5"]), kt.Board(10, 10, leaper=(2, 3))]
WRAPPED = [kt.Board(6, 6, wrap="torus"), kt.Board(5, 6, wrap="klein"), kt.Board(5, 8, wrap="cylinder")]


def along(lines: list[Line]) -> dict[int, list[Visit]]:
    """The crossings that each line meets, in order."""
    met: dict[int, list[Visit]] = defaultdict(list)
    for pair in crossings(lines):
        assert pair[0].is_over != pair[1].is_over
        for visit in pair:
            met[visit.line].append(visit)
    return {line: sorted(visits, key=lambda visit: visit.at) for line, visits in met.items()}


def breaks(visits: list[Visit], *, is_closed: bool) -> int:
    """How often two crossings that follow each other are both over, or both under; points of several moves count as
    crossings, but whether they are over or under is not looked at."""
    groups: list[list[Visit]] = []
    for visit in visits:
        if groups and visit.at - groups[-1][-1].at < 0.002:
            groups[-1].append(visit)
        else:
            groups.append([visit])
    found = 0
    steps = [group[0].is_over if len(group) == 1 else None for group in groups for _ in group]
    places = [k for k, step in enumerate(steps) if step is not None]
    for a, b in itertools.pairwise(places):
        found += (steps[a] == steps[b]) == bool((b - a) % 2)
    if is_closed and len(places) > 1:
        a, b = places[-1], places[0] + len(steps)
        found += (steps[places[-1]] == steps[places[0]]) == bool((b - a) % 2)
    return found


def lines_for(tour: kt.Tour, *, smooth: bool = False) -> list[Line]:
    figure = figure_of(tour)
    return [line for walk in figure.walks for line in lines_of(figure, walk, smooth=smooth)]


@examples(12)
@given(st.sampled_from(CLOSED), st.integers(0, 10**6), st.booleans())
def test_a_closed_tour_goes_over_and_under_by_turns(board, seed, smooth):
    tour = kt.find_tour(board, closed=True, method="merge", seed=seed)
    lines = lines_for(tour, smooth=smooth)
    met = along(lines)
    if not smooth:
        assert len(met[0]) == 2 * tour.crossings
    assert breaks(met[0], is_closed=True) == 0
    assert sum(visit.is_over for visit in met[0]) * 2 == len(met[0])


@examples(12)
@given(st.sampled_from(WRAPPED), st.integers(0, 10**6), st.booleans())
def test_so_do_the_parts_of_a_line_between_joined_borders(board, seed, smooth):
    tour = kt.find_tour(board, closed=True, method="merge", seed=seed)
    lines = lines_for(tour, smooth=smooth)
    assert sum(breaks(visits, is_closed=False) for visits in along(lines).values()) == 0


def test_loops_go_over_and_under_each_other_too():
    paths = [["a1", "b3", "d4", "c2", "a1"], ["b1", "a3", "c4", "d2", "b1"]]
    figure = figure_of("4x4", paths=paths)
    met = along([line for walk in figure.walks for line in lines_of(figure, walk)])
    assert set(met) == {0, 1} and sum(breaks(visits, is_closed=True) for visits in met.values()) == 0


def test_an_open_line_alternates_wherever_it_can():
    # It goes round and into its own loop, where no choice alternates.
    inward = Line([(0, 0), (4, 0), (4, 4), (2, -1), (1.5, 3.0), (3.6, 0.5)])
    spiral = Line([(0, 2), (6, 2), (6, 6), (2, 6), (2, 0)])
    assert breaks(along([spiral])[0], is_closed=False) == 0
    assert breaks(along([inward])[0], is_closed=False) <= 2
    counts = []
    for seed in range(12):
        tour = kt.find_tour("7x7", method="rotation", seed=seed)
        visits = along(lines_for(tour))[0]
        counts.append(breaks(visits, is_closed=False) / len(visits))
    assert max(counts) < 0.15


def test_moves_crossing_in_one_point_overlap():
    star = [Line([(-1, -1), (1, 1)]), Line([(-1, 1), (1, -1)]), Line([(-1, 0), (1, 0)]), Line([(0, -1), (0, 1)])]
    wins: dict[int, int] = defaultdict(int)
    for pair in crossings(star):
        wins[next(visit.line for visit in pair if visit.is_over)] += 1
    assert sorted(wins.get(k, 0) for k in range(4)) == [0, 1, 2, 3]


@examples(20)
@given(st.sampled_from(CLOSED), st.integers(0, 10**6))
def test_band_is_cut_only_at_undercrossings(board, seed):
    tour = kt.find_tour(board, closed=True, method="merge", seed=seed)
    lines = lines_for(tour)
    visits = along(lines)[0]
    places = {round(visit.at, 3) for visit in visits if not visit.is_over}
    # Long pieces are several, so that their colours differ.
    with mock.patch.object(weaving, "_LONGEST", math.inf):
        pieces = list(bands(lines, 0.06, 0.02))
    assert len(pieces) <= len(places) and len(pieces) > 0.9 * len(places)
    for piece in pieces:
        assert 0 <= piece.place <= 1 and len(piece.outline) >= 4


def test_the_picture_is_a_closed_outline_a_step_of_colour():
    tour = kt.find_tour("8x8", closed=True, seed=1)
    picture = kt.draw_svg(tour, style="ribbon", theme="light", colors={"ribbon": ["navy", "gold"]})
    fills = re.findall('<path d="([^"]*)" fill="(#[0-9a-f]{6})"/>', picture)
    assert 20 < len(fills) <= 64
    # From the first colour to the last, and on a closed tour back again.
    colours = [colour for _, colour in fills]
    assert colours[0] == "#000080" and max(colours) > "#f0" and colours[-1] < "#20"
    assert len(set(colours[: len(colours) // 2])) == len(colours) // 2
    assert all(part.endswith("z") for data, _ in fills for part in data.split("M")[1:])
    assert len(picture) < 60_000 and "stroke=" not in picture.split("<path", 1)[1]
    plain = kt.draw_svg(tour, style="ribbon", theme="light", colors={"ribbon": "teal"})
    assert set(re.findall('fill="(#[0-9a-f]{6})"/>', plain)) == {"#008080"}
    assert kt.draw_svg(tour, style="ribbon", line="straight") != kt.draw_svg(tour, style="ribbon")
    assert kt.draw_svg("3x4", style="ribbon") and kt.draw_svg("3x4", style="ribbon", paths=["a1", "b3"])


@given(st.sampled_from(CLOSED), st.integers(0, 10**6), st.booleans())
@examples(6)
def test_ribbon_pieces_cover_the_line_except_under_crossings(board, seed, smooth):
    """Measured on a grid of points: what is near the line lies in a piece, or near another part of the line."""
    tour = kt.find_tour(board, closed=True, method="merge", seed=seed)
    lines = lines_for(tour, smooth=smooth)
    half = 0.05
    area = 0.0
    for piece in bands(lines, 2 * half, 0.02):
        x, y = np.array(piece.outline).T
        area += abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
    points = np.array([*lines[0].points, lines[0].points[0]])
    length = np.linalg.norm(np.diff(points, axis=0), axis=1).sum()
    under = sum(not visit.is_over for visit in along(lines)[0])
    assert 2 * half * length * 1.1 > area > 2 * half * length - under * 2 * half * 1.2


def test_rejects_unweavable_boards():
    with pytest.raises(kt.FormatError, match="too large for the style ribbon"):
        kt.draw_svg(kt.find_tour("101x100"), style="ribbon")
    board = kt.Board(5, 5, wrap="torus", leaper=(2, 2))
    with pytest.raises(kt.FormatError, match=r"leaper \(2,2\) run over the middles"):
        kt.draw_svg(board, style="ribbon", paths=[(0, 0), (2, 2)])
    with pytest.raises(kt.FormatError, match="style ribbon do not move"):
        kt.animate(kt.find_tour("5x6"), style="ribbon")
