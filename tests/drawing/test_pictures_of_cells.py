"""Pictures of boards of cells: every cell, the moves of a tour within a layer, numbers, and options that do not fit."""

from __future__ import annotations

import re

import pytest

import knightstour as kt
from knightstour.drawing import draw_png


@pytest.mark.parametrize(("word", "corners"), [("hex:4", 6), ("tri:6", 6), ("3x4x4", 4), ("2x2x3x4", 4)])
def test_each_cell_has_the_outline_of_its_lattice(word: str, corners: int) -> None:
    board = kt.Board.of(word)
    found = re.findall(r'<polygon points="([^"]*)"', kt.draw_svg(board))
    assert len(found) == board.square_count == len(set(found))
    assert {len(points.split()) for points in found} == {corners}


@pytest.mark.parametrize("word", ["hex:4", "tri:6", "3x4x4"])
def test_moves_are_drawn_within_a_layer_and_numbers_where_there_are_layers(word: str) -> None:
    tour = kt.find_tour(word, closed=True, rng=1)
    assert tour.labels is not None
    steps = zip(tour.labels, [*tour.labels[1:], tour.labels[0]], strict=True)
    within = sum(a[:-2] == b[:-2] for a, b in steps)
    picture = kt.draw_svg(tour)
    assert picture.count("M") == within
    numbers = re.findall(r">(\d+)</text>", picture)
    assert numbers == ([str(k) for k in range(1, len(tour) + 1)] if word == "3x4x4" else [])
    assert len(re.findall(r">\d+</text>", kt.draw_svg(tour, numbers=True))) == len(tour)
    assert draw_png(tour, size=200)[:4] == b"\x89PNG"


def test_options_for_squares_are_refused_and_the_tour_shows_itself() -> None:
    tour = kt.find_tour("hex:3:king", rng=1)
    assert tour._repr_svg_().startswith("<svg") and "paper" not in kt.draw_svg(tour, background="none")
    for options in ({"style": "ribbon"}, {"arrows": True}, {"filled": True}):
        with pytest.raises(kt.FormatError, match="for boards of rows and columns"):
            kt.draw_svg(tour, **options)
