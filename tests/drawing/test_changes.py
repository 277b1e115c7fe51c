"""Tests that frames with partial updates equal complete drawings."""

from dataclasses import replace

import numpy as np
import pytest

import knightstour as kt
from helpers.examples import mostly_long
from knightstour.core.drawing import changes
from knightstour.core.drawing.animation import Frame, frames_of_search, frames_of_tour, look_for
from knightstour.core.drawing.changes import Painter, open_png
from knightstour.core.drawing.look import Look, look_of
from knightstour.core.drawing.png import png_of
from knightstour.core.drawing.styles import STYLES

TOURS = {
    "closed": kt.find_tour("6x6", closed=True, seed=1),
    "open": kt.find_tour("5x7", seed=2),
    "holes": kt.find_tour(kt.Board(6, 7, holes=["a1", "b1"]), seed=2),
    "klein": kt.find_tour(kt.Board(5, 6, wrap="klein"), closed=True, seed=1),
    "zebra": kt.find_tour(kt.Board(10, 10, leaper=(2, 3)), closed=True, seed=1),
}


def coarse(image: np.ndarray) -> np.ndarray:
    """Return the means of blocks of four by four points."""
    rows, cols = (side // 4 * 4 for side in image.shape[:2])
    return image[:rows, :cols].reshape(rows // 4, 4, cols // 4, 4, 3).mean(axis=(1, 3))


def check_alike(shots: list[Frame], look: Look) -> int:
    """Compare each frame with the complete picture; return the number of partial updates."""
    painter, parts = Painter(), 0
    draw = changes.part_of

    def counted(*given: object) -> str:
        nonlocal parts
        parts += 1
        return draw(*given)

    changes.part_of = counted
    try:
        for shot in shots:
            here = look_for(shot, look)
            quick = np.asarray(painter.image(shot.figure, here)).astype(int)
            whole = np.asarray(open_png(png_of(shot.figure, here))).astype(int)
            assert quick.shape == whole.shape
            # The shades of soft edges depend on the size of the drawing, so compare coarse images.
            assert np.abs(coarse(quick) - coarse(whole)).max() <= 24
            assert np.abs(quick - whole).mean() < 2
    finally:
        changes.part_of = draw
    return parts


# The others are drawn by the long tests.
QUICK = {("line", "klein")}


@pytest.mark.parametrize(
    ("style", "name"),
    [
        pytest.param(style, name, marks=[pytest.mark.long] * ((style, name) not in QUICK))
        for name in TOURS
        for style, row in STYLES.items()
        if row.moves and not row.is_filled
    ],
)
def test_a_tour_being_drawn(style, name):
    for options in ({}, {"numbers": 3}, {"theme": "dark", "arrows": True}):
        look = look_of({"style": style, "size": 192 if name == "zebra" else 96, **options}, background="paper")
        parts = check_alike(
            frames_of_tour(TOURS[name], 60 if name == "zebra" else 12 if name == "klein" else 24),
            look.with_options(theme="light"),
        )
        assert parts > 5 or name == "klein", "a part of most frames is drawn, and not the whole"


@pytest.mark.parametrize("method", mostly_long(["warnsdorff", "merge", "rotation", "backtracking"], 1))
def test_a_search(method):
    trace = kt.Trace()
    kt.solve("6x6", closed=method == "merge", method=method, seed=1, trace=trace)
    look = look_of({"size": 150}, background="paper").with_options(theme="light")
    check_alike(frames_of_search("6x6", trace, 12, look), look)


def test_tiny_and_wide_pictures():
    for board, size in (((3, 40), 60), ((12, 12), 40), ((3, 4), 500)):
        look = look_of({"size": size}, background="paper").with_options(theme="light")
        check_alike(frames_of_tour(kt.find_tour(board, seed=1), 6), look)


def test_frame_stepping_back_removes_the_previous_one():
    look = look_of({"size": 100}, background="paper").with_options(theme="light")
    shots = frames_of_tour(TOURS["open"], 8)
    assert check_alike([shots[5], shots[6]], look) > 0
    check_alike([*shots[5:7], *shots[5:7], shots[5]], look)
    # A longer label makes all labels smaller; a removed one is erased completely.
    labelled = [replace(shots[2], labels={(0, 0): text}, tinted={(1, 1): "#ff0000"}) for text in ("3", "12")]
    check_alike([shots[2], labelled[0], shots[2], labelled[1], shots[2]], look)
