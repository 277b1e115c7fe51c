"""A board is one word: the same text on the command line, in Python, in links, in files and as `str(board)`."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.command_line import run
from knightstour.core.formats.boards import board_from_dict
from knightstour.core.formats.text import board_of_words, board_words
from knightstour.core.model.board import WRAPS
from knightstour.core.model.pieces import PIECES


@st.composite
def boards(draw: st.DrawFn) -> kt.Board:
    """Boards of every kind that is no graph; some are thousands of squares long."""
    rows, cols = draw(st.integers(1, 12)), draw(st.integers(1, 12) | st.integers(700, 800))
    squares = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    holes = draw(st.sets(squares, max_size=min(6, rows * cols - 1)))
    leaper = draw(st.tuples(st.integers(0, 9), st.integers(1, 30)))
    return kt.Board(rows, cols, holes=holes, wrap=draw(st.sampled_from([None, *WRAPS])), leaper=leaper)


@given(boards(), st.randoms(use_true_random=False))
def test_a_board_and_its_word_are_inverse_and_the_order_is_free(board, random):
    assert kt.Board(str(board)) == board == kt.Board.of(str(board))
    size, *parts = str(board).split(":")
    random.shuffle(parts)
    assert kt.Board(":".join([size, *parts])) == board
    assert board_of_words(board_words(board)) == board
    assert board_from_dict({"board": str(board)}) == board


@pytest.mark.parametrize(
    ("word", "board"),
    [
        ("8x8", kt.Board(8, 8)),
        (" 8 ", kt.Board(8, 8)),
        ("6x6:2,3", kt.Board(6, 6, leaper=(2, 3))),
        ("6X6:Zebra", kt.Board(6, 6, leaper=(2, 3))),
        ("8x8:knight", kt.Board(8, 8)),
        ("8:torus", kt.Board(8, 8, wrap="torus")),
        ("13x24:klein:4,3", kt.Board(13, 24, leaper=(3, 4), wrap="klein")),
        ("8x8:-a1,h8", kt.Board(8, 8, holes=["a1", "h8"])),
        ("8x8:-0,0;7,7:torus", kt.Board(8, 8, holes=[(0, 0), (7, 7)], wrap="torus")),
    ],
)
def test_what_words_say(word, board, capsys):
    assert kt.Board(word) == board == kt.Board.of(word)
    code, out, _ = run("facts", word, "--json", capsys=capsys)
    assert code == 0 and json.loads(out)["board"] == str(board)


WRONG = {
    "8x8:toros": "'toros' says nothing about a board; did you mean 'torus'?",
    "8x8:": "'' says nothing about a board",
    "8x8:queen": "'queen' says nothing about a board",
    "8x8:kng": "'kng' says nothing about a board; did you mean 'king'?",
    "8x8:torus:klein": "two parts of the board say the joining of sides",
    "8x8:2,3:camel": "two parts of the board say the piece",
    "8x8:-a1:-b2": "two parts of the board say the list of holes",
    "8x8:0,0": "no piece leaps (0, 0)",
    "8x8:-z9": "square z9 is not on the board",
    "8x8:-a1,?": "not a list of squares: '?'",
    "0x3:torus": "a board of 0x3 has no square",
    "1x1:-a1": "the board has no free square",
}


@pytest.mark.parametrize("word", WRONG)
def test_a_wrong_part_is_one_clear_error_at_every_door(word, capsys):
    for ask in (kt.Board, kt.Board.of, kt.find_tour):
        with pytest.raises(kt.BoardError) as caught:
            ask(word)
        assert WRONG[word] in str(caught.value)
    code, out, err = run("solve", word, capsys=capsys)
    assert (code, out) == (2, "") and WRONG[word] in err and "Traceback" not in err


def test_the_word_and_the_arguments_beside_it_agree():
    assert kt.Board("8x8:torus", wrap="torus", holes=["a1"]) == kt.Board("8x8:torus:-a1")
    for more in ({"wrap": "klein"}, {"leaper": (1, 2)}):
        with pytest.raises(kt.BoardError, match="say two things"):
            kt.Board("8x8:torus:2,3", **more)


def test_a_graph_is_asked_as_it_is_and_has_a_title():
    networkx = pytest.importorskip("networkx")
    ring = networkx.cycle_graph(5)
    assert len(kt.find_tour(ring, closed=True)) == 5
    assert str(kt.Board.of(ring)) == kt.Board.of(ring).title == "graph of 5 nodes"


@pytest.mark.parametrize("name", PIECES)
def test_pieces_are_named(name):
    assert kt.Board(f"9x9:{name}").piece.leaps == PIECES[name].leaps


def test_a_link_may_be_whole_or_have_its_signs_in_hexadecimal():
    tour = kt.find_tour("5x6:torus:-a1", rng=1)
    text = kt.format_tour(tour, "link")
    assert text.startswith("5x6:torus:-a1&")
    for link in (text, "http://x/#" + text.replace(":", "%3A").replace(",", "%2C")):
        assert kt.parse_tours(link, "link") == [tour]
    assert kt.format_tour(tour, "grid").startswith("# board 5x6:torus:-a1\n")
