"""Tests of pictures for terminals: lines, blocks and boxes of limited width."""

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import examples
from helpers.strategies import boards, tours
from knightstour.core.drawing.text import TEXT_STYLES, text_of

SMALL = kt.parse_tours("a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1", "algebraic", (3, 4))[0]
HOLED = kt.Board.from_text("#..#\n....\n#..#")
BIG = kt.constructions.implicit_tour((1000, 1000), closed=True)
KINDS = [(style, ascii) for style in TEXT_STYLES for ascii in (False, True)]


@pytest.mark.parametrize(("style", "ascii"), KINDS)
def test_each_kind_of_text_is_drawn_as_its_golden_file(style, ascii, golden):
    pages = [
        text_of(SMALL, style=style, ascii=ascii),
        text_of(HOLED, style=style, ascii=ascii),
    ]
    pages.append(text_of(kt.Board(4, 5, wrap="torus"), paths=["a1", "b3", "c1", "a2"], style=style, ascii=ascii))
    pages.append(text_of(BIG, style=style, ascii=ascii, width=40, height=9))
    golden(f"text-{style}{'-ascii' * ascii}.txt", "\n\n".join(pages) + "\n")


@examples(25)
@given(tours(), st.sampled_from(KINDS), st.integers(12, 100), st.integers(4, 60))
def test_lines_respect_width_and_number(tour, kind, width, height):
    style, ascii = kind
    text = text_of(tour, style=style, ascii=ascii, width=width, height=height)
    lines = text.splitlines()
    assert max(map(len, lines)) <= width
    # Another line may describe the cut.
    assert len(lines) <= height + text.endswith(")")
    if ascii:
        assert text.isascii()


@examples(25)
@given(boards(), st.sampled_from(KINDS))
def test_boards_of_all_kinds_are_drawn(board, kind):
    style, ascii = kind
    text = text_of(board, style=style, ascii=ascii)
    assert len(text.splitlines()) > board.rows / 3


@examples(25)
@given(tours())
def test_the_numbers_in_boxes_are_the_numbers_of_the_tour(tour):
    text = text_of(tour, style="boxes", width=200, ascii=True)
    rows = [line.split("|")[1:-1] for line in text.splitlines() if "|" in line]
    numbers = [[int(x) if x.strip(" #") else 0 for x in row] for row in rows]
    assert numbers == tour.numbers.tolist()


def dots(text: str) -> np.ndarray:
    """Return the points of a picture in braille."""
    bits = np.array([[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]])
    lines = text.splitlines()
    width = max(map(len, lines))
    grid = np.zeros((4 * len(lines), 2 * width), dtype=bool)
    for y, line in enumerate(lines):
        for x, char in enumerate(line):
            if 0x2800 < ord(char) < 0x2900:
                grid[4 * y : 4 * y + 4, 2 * x : 2 * x + 2] = (ord(char) - 0x2800) & bits
    return grid


def test_lines_go_from_square_to_square():
    # Two moves on a wide board; circles hide the points at the ends.
    text = text_of("5x5", paths=["a1", "b3", "d2"], width=80)
    found = np.argwhere(dots(text))
    # Squares are 12 points apart; the first line begins 2 characters from the left.
    centres = [(4 * 12 + 6, 4 + 6), (2 * 12 + 6, 4 + 12 + 6), (3 * 12 + 6, 4 + 36 + 6)]
    for (y, x), (v, u) in zip(centres, centres[1:], strict=False):
        for share in (0.25, 0.5, 0.75):
            place = np.array([y + share * (v - y), x + share * (u - x)])
            assert np.abs(found - place).max(axis=1).min() <= 1.5
    far = np.array([6, 4 + 54])
    assert np.abs(found - far).max(axis=1).min() > 4


def test_wide_board_is_cut_with_a_final_note():
    for style in TEXT_STYLES:
        text = text_of(BIG, style=style, width=80, height=20)
        last = text.splitlines()[-1]
        assert re.fullmatch(r"\(columns a to \w+ of 1,000 and rows 1000 to \d+ of 1,000; the rest is cut\)", last)
        assert "1000" in text.splitlines()[0] + text.splitlines()[1]
    assert "cut" not in text_of(SMALL, width=40)
    assert text_of(BIG, width=30, height=5).splitlines()[-1].startswith("(cut to")


def test_a_part_of_a_tour_of_any_size_is_drawn():
    giant = kt.constructions.implicit_tour((10**12, 10**12))
    text = text_of(giant, window=(10**11, 10**11, 6, 6), style="boxes", width=240)
    numbers = giant.numbers(slice(10**11, 10**11 + 6), slice(10**11, 10**11 + 6))
    assert [int(x) for x in re.findall(r"│ +(\d+)", text)][:6] == numbers[0].tolist()
    assert "cut" not in text
    assert "900000000000" in text_of(giant, window=(10**11, 0, 6, 6))


def test_colours_are_codes_round_the_same_characters():
    for style, ascii in KINDS:
        plain = text_of(SMALL, style=style, ascii=ascii)
        coloured = text_of(SMALL, style=style, ascii=ascii, color=True)
        assert "\x1b[" in coloured
        bare = re.sub(r"\x1b\[[\d;]*m", "", coloured)
        assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_texts_that_make_no_sense_are_refused():
    for options, message in (
        ({"style": "heat"}, "unknown style of text"),
        ({"width": 0}, "nothing fits"),
        ({"height": 0}, "nothing fits"),
        ({"width": 3}, "no square fits"),
        ({"width": 5, "style": "boxes"}, "no square fits"),
    ):
        with pytest.raises(kt.FormatError, match=message):
            text_of(SMALL, **options)
    with pytest.raises(kt.BoardError, match="from a graph"):
        text_of(kt.Board.from_graph([[1], [0]]))
