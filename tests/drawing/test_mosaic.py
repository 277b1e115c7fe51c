"""Tests of mosaics: each point is dark or light by the parity of crossed lines, counted independently."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import knightstour as kt
from helpers import drawn, pictures
from helpers.examples import examples
from knightstour.core.drawing.svg.strokes import UNIT

# About the pixels of a square of 8x8, and how far from a line they are looked at.
SIDE, NEAR = 24, 0.08
LOOPS = [["a1", "b3", "d4", "c2", "a1"], ["b1", "a3", "c4", "d2", "b1"]]


def pixels(subject: kt.Tour | str, **options: object) -> tuple[np.ndarray, np.ndarray]:
    """Return the centres of pixels as (x, y) in squares, float (n, 2), and which are dark."""
    options = {"style": "mosaic", "theme": "light", "colors": {"background": "white"}, "size": SIDE * 8, **options}
    left, top, width, height = map(float, drawn.parse(pictures.svg(subject, **options)).attrib["viewBox"].split())
    grey = np.asarray(Image.open(io.BytesIO(pictures.png(subject, **options))).convert("L"))
    rows, cols = np.indices(grey.shape)
    x = left + (cols.ravel() + 0.5) * width / grey.shape[1]
    y = top + (rows.ravel() + 0.5) * height / grey.shape[0]
    return np.stack([x, y], axis=1) / UNIT, grey.ravel() < 128


def crossed(points: np.ndarray, squares: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the crossings of a ray from each point to the right with a polygon, and the distance to its sides."""
    times, nearest = np.zeros(len(points), dtype=int), np.full(len(points), np.inf)
    corners = squares[:, ::-1] + 0.5
    for (x, y), (to_x, to_y) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        here = (points[:, 1] > y) != (points[:, 1] > to_y)
        left_of = (points[:, 1] - y) * (to_x - x) - (points[:, 0] - x) * (to_y - y)
        times += here & (left_of * (to_y - y) > 0)
        step = np.array([to_x - x, to_y - y])
        along = np.clip((points - (x, y)) @ step / (step @ step), 0, 1)
        nearest = np.minimum(nearest, np.hypot(*(points - (x, y) - along[:, None] * step).T))
    return times, nearest


@pytest.mark.long
@examples(6)
@given(st.sampled_from(["8x8", "6x8", "8x7"]), st.booleans(), st.integers(0, 10**6))
def test_point_is_dark_after_an_odd_number_of_crossings(board, closed, seed):
    tour = kt.find_tour(board, closed=closed, method="merge" if closed else "rotation", seed=seed)
    points, is_dark = pixels(tour)
    times, nearest = crossed(points, tour.squares)
    clear = nearest > NEAR
    assert clear.mean() > 0.2 and 0.1 < is_dark[clear].mean() < 0.9
    assert (is_dark == (times % 2 == 1))[clear].all()


def test_several_loops_count_together():
    points, is_dark = pixels("4x4", paths=LOOPS)
    board = kt.Board(4, 4)
    found = [crossed(points, np.array([board.square(name) for name in loop[:-1]])) for loop in LOOPS]
    clear = np.minimum(found[0][1], found[1][1]) > NEAR
    dark = (found[0][0] + found[1][0]) % 2 == 1
    assert (is_dark == dark)[clear].all() and dark.any() and ((found[0][0] % 2 == 1) & (found[1][0] % 2 == 1)).any()


@pytest.mark.parametrize(
    ("subject", "options", "words"),
    [
        (kt.find_tour(kt.Board(6, 6, wrap="torus"), closed=True, seed=1), {}, "over joined borders"),
        (kt.find_tour("8x8", closed=True, seed=1), {"window": (0, 0, 4, 4)}, "of a window"),
        (kt.find_tour("8x8", closed=True, seed=1), {"numbers": True}, "does not use numbers"),
    ],
)
def test_lines_without_sides_are_refused(subject, options, words):
    with pytest.raises(kt.FormatError, match=words):
        pictures.svg(subject, style="mosaic", **options)
    with pytest.raises(kt.FormatError, match="style mosaic has no animations"):
        bytes(kt.draw(kt.find_tour("5x6"), "gif", style="mosaic"))
