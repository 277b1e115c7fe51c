"""Tests of pictures of boards of cells: cells, moves, numbers, and errors."""

import re
from xml.etree import ElementTree

import pytest

import knightstour as kt
from helpers import pictures
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.svg.cells import STYLES as OF_CELLS
from knightstour.core.drawing.text import text_of


def corners_of(svg: str) -> list[tuple[str, ...]]:
    """Return the corners of each outline."""
    return [tuple(re.split("[ML]", part)[1:]) for d in re.findall(r' ?d="([^"]*z)"', svg) for part in d.split("z")[:-1]]


@pytest.mark.parametrize(("word", "corners"), [("hex:4", 6), ("tri:6", 6), ("3x4x4", 4), ("2x2x3x4", 4)])
@pytest.mark.parametrize("style", ["board", "oblique"])
def test_each_cell_has_the_outline_of_its_lattice(word: str, corners: int, style: str) -> None:
    board = kt.Board(word)
    found = corners_of(str(kt.draw(board, style=style)))
    assert {len(points) for points in found} == {corners}
    assert len(set(found)) == len(board)


@pytest.mark.parametrize("word", ["hex:4:king", "tri:6", "3x4x4"])
def test_box_pictures_show_moves_within_layers_and_numbers_between(word: str) -> None:
    tour = kt.find_tour(word, closed=True, seed=1)
    steps = zip(tour.labels, [*tour.labels[1:], tour.labels[0]], strict=True)
    within = sum(a[:-2] == b[:-2] for a, b in steps)  # type: ignore[index]
    assert moves_in(str(kt.draw(tour))) == within
    numbers = re.findall(r">(\d+)</text>", str(kt.draw(tour)))
    assert sorted(map(int, numbers)) == (list(range(1, len(tour) + 1)) if word == "3x4x4" else [])
    assert len(re.findall(r">\d+</text>", str(kt.draw(tour, numbers=True)))) == len(tour)


def moves_in(svg: str) -> int:
    """Return the number of lines that are not outlines."""
    return sum(len(re.findall("M", d)) for d in re.findall(r' d="([^"]*)"', svg) if not d.endswith("z"))


@pytest.mark.parametrize("word", ["4x4x4", "2x2x3x3:king", "hex:3:king"])
def test_the_oblique_picture_has_every_move(word: str) -> None:
    tour = kt.find_tour(word, seed=1)
    picture = str(kt.draw(tour, style="oblique"))
    assert moves_in(picture) == len(tour) - (not tour.is_closed)
    colours = re.findall(r'stroke="(#[0-9a-f]{6})"', picture.split("</path>")[-1])
    assert len(set(colours)) > 15


def test_flat_board_in_oblique_style_uses_its_steps() -> None:
    tour = kt.find_tour("5x6", seed=1)
    assert str(kt.draw(tour, style="oblique", line_width=0.13)) == str(kt.draw(tour, style="steps"))


def test_hexagons_have_three_tints_and_no_two_neighbours_have_one() -> None:
    board = kt.Board("hex:3")
    groups = list(re.findall(r'<path d="([^"]*z)"', str(kt.draw(board))))
    assert len(set(groups)) == 3
    tint = {corners: k for k, d in enumerate(dict.fromkeys(groups)) for corners in corners_of(f'd="{d}"')}
    ends: dict[str, set[int]] = {}
    for corners, own in tint.items():
        for corner in corners:
            ends.setdefault(corner, set()).add(own)
    assert max(map(len, ends.values())) == 3 and sum(len(own) == 3 for own in ends.values()) == 24


@pytest.mark.parametrize("style", OF_CELLS)
def test_every_style_of_cells_is_drawn_in_both_themes(style: str) -> None:
    tour = kt.find_tour("hex:3:king", seed=1)
    pictures = {str(kt.draw(tour, style=style, theme=theme, highlight=["c3"], labels={"c4": "x"})) for theme in THEMES}
    assert len(pictures) == 3 and all(">x</text>" in picture for picture in pictures)
    assert all(ElementTree.fromstring(picture).tag.endswith("svg") for picture in pictures)


THEMES = ("auto", "light", "dark")


@pytest.mark.parametrize("style", [style for style in STYLES if style not in OF_CELLS])
def test_other_styles_are_refused(style: str) -> None:
    with pytest.raises(kt.FormatError, match=f"^the style {style} is for boards of rows and columns") as caught:
        str(kt.draw("hex:3", style=style))
    assert "board, line, steps, numbers, heat, oblique" in caught.value.help


def test_options_for_squares_are_refused_and_the_tour_shows_itself() -> None:
    tour = kt.find_tour("hex:3:king", seed=1)
    assert str(tour._repr_svg_()).startswith("<svg") and str(tour.board._repr_svg_()).startswith("<svg")
    for options in ({"arrows": True}, {"coordinates": True}):
        with pytest.raises(kt.FormatError, match="is for boards of rows and columns"):
            str(kt.draw(tour, **options))
    with pytest.raises(kt.BoardError, match=r"^a window requires rows and columns"):
        pictures.svg(tour, window=(0, 0, 1, 3))
    with pytest.raises(kt.FormatError, match="lead from layer to layer") as caught:
        str(kt.draw("3x3x4", style="line"))
    assert "oblique" in caught.value.help


def test_texts_have_the_numbers_where_the_cells_lie() -> None:
    tour = kt.find_tour("2x3x4", seed=1)
    assert text_of(tour) == str(tour) == text_of(tour, style="boxes", color=True)
    assert text_of("hex:2:king").split() == ["5", "5", "5", "6", "5", "5", "5"]
    assert text_of("hex:2:king", paths=["a1", "b1"]).split() == [*"·····12"]
    with pytest.raises(kt.FormatError, match="does not fit into 12 characters"):
        text_of(tour, width=12)


@pytest.mark.long
@pytest.mark.parametrize("word", ["hex:3:king", "2x3x4"])
def test_files_of_all_kinds_are_drawn(word: str) -> None:
    tour = kt.find_tour(word, seed=1)
    assert bytes(kt.draw(tour, "png", size=200))[:4] == b"\x89PNG" and bytes(kt.draw(tour, "pdf"))[:4] == b"%PDF"
    assert bytes(kt.draw(tour, "gif", size=80))[:6] == b"GIF89a"
    boards = [tour, kt.Board(3, 4), kt.Board("3x3x3")]
    assert str(kt.draw(boards, title=["one", "two", "three"])).count("<svg") == 4
