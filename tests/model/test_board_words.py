"""Tests of specifications of boards: equal in all interfaces; errors for invalid boards, leapers and squares."""

import itertools
import json
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.formats.boards import board_from_dict
from knightstour.core.formats.text import board_of_words
from knightstour.core.model.board import WRAPS
from knightstour.core.model.pieces import PIECES
from knightstour.interfaces.web import api
from knightstour.interfaces.web.fields import board_of


@st.composite
def boards(draw: st.DrawFn) -> kt.Board:
    """Draw a board of any kind except graphs; some are thousands of squares long."""
    rows, cols = draw(st.integers(1, 12)), draw(st.integers(1, 12) | st.integers(700, 800))
    squares = st.tuples(st.integers(0, rows - 1), st.integers(0, cols - 1))
    holes = draw(st.sets(squares, max_size=min(6, rows * cols - 1)))
    leaper = draw(st.tuples(st.integers(0, 9), st.integers(1, 30)))
    return kt.Board(rows, cols, holes=holes, wrap=draw(st.sampled_from([None, *WRAPS])), leaper=leaper)


@given(boards(), st.randoms(use_true_random=False))
def test_board_and_its_specification_are_inverse(board, random):
    assert kt.Board(str(board)) == board == kt.Board(str(board))
    size, *parts = str(board).split(":")
    random.shuffle(parts)
    assert kt.Board(":".join([size, *parts])) == board
    assert board_of_words(f"board {board}") == board
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
def test_words_describe_the_condition(word, board, run):
    assert kt.Board(word) == board == kt.Board(word)
    code, out, _ = run("facts", word, "--json")
    assert code == 0 and json.loads(out)["board"] == str(board)


WRONG = {
    "8x8:toros": "unknown part of a board: 'toros'; did you mean 'torus'?",
    "8x8:": "unknown part of a board: ''",
    "8x8:queen": "unknown part of a board: 'queen'",
    "8x8:kng": "unknown part of a board: 'kng'; did you mean 'king'?",
    "8x8:torus:klein": "duplicate joining of sides",
    "8x8:2,3:camel": "duplicate piece",
    "8x8:-a1:-b2": "duplicate list of holes",
    "8x8:0,0": "no piece leaps (0, 0)",
    "8x8:-z9": "square z9 is not on the board",
    "8x8:-a1,?": "not a list of squares: '?'",
    "0x3:torus": "a board of 0x3 has no square",
    "1x1:-a1": "the board has no free square",
}


@pytest.mark.parametrize("word", WRONG)
def test_a_wrong_part_is_one_clear_error_in_all_interfaces(word, run):
    for ask in (kt.Board, kt.find_tour):
        with pytest.raises(kt.BoardError) as caught:
            ask(word)
        assert WRONG[word] in str(caught.value)
    code, out, err = run("solve", word)
    assert (code, out) == (2, "") and WRONG[word] in err and "Traceback" not in err


def test_the_word_and_the_arguments_beside_it_agree():
    assert kt.Board("8x8:torus", wrap="torus", holes=["a1"]) == kt.Board("8x8:torus:-a1")
    for more in ({"wrap": "klein"}, {"leaper": (1, 2)}):
        with pytest.raises(kt.BoardError, match="contradict each other"):
            kt.Board("8x8:torus:2,3", **more)


def test_link_may_be_whole_or_percent_encoded():
    tour = kt.find_tour("5x6:torus:-a1", seed=1)
    text = tour.to_text("link")
    assert text.startswith("5x6:torus:-a1&")
    for link in (text, "http://x/#" + text.replace(":", "%3A").replace(",", "%2C")):
        assert kt.parse_tours(link, "link") == [tour]
    assert tour.to_text("grid").startswith("# board 5x6:torus:-a1\n")


# ---------------------------------------------------------------- sizes, leapers and squares


SIZES: list[Any] = [8, (8, 8), [8, 8], "8x8", "8", " 8 x 8 ", np.int64(8), np.array([8, 8])]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_every_form_of_a_size_is_one_board(size: Any) -> None:
    board = kt.Board(8, 8)
    assert kt.Board(size) == kt.Board(size) == board
    assert kt.find_tour(size, closed=True, seed=1) == kt.find_tour(board, closed=True, seed=1)
    assert kt.count(3) == 0 and kt.constructions.implicit_tour(size).board == board
    if isinstance(size, int | str | list) and not isinstance(size, np.integer):
        assert board_of(size) == board
        call = api.call_of("solve", {"board": size})
        assert isinstance(call, api.Call)


def test_other_arguments_combine_with_a_single_number() -> None:
    assert kt.Board(8, leaper=(1, 3), holes=["a1"], wrap="torus") == kt.Board(
        8, 8, leaper=(1, 3), holes=["a1"], wrap="torus"
    )
    assert kt.Board("5x6") == kt.Board(5, 6) == kt.Board((5, 6))


# ---------------------------------------------------------------- pieces and boxes


@pytest.mark.parametrize("piece", ["queen", "rook", "bishop"])
@pytest.mark.parametrize("size", ["8x8", "hex:4", "4x4x4", "tri:4"])
def test_sliding_pieces_are_referred_to_graphs(size: str, piece: str, run: Run) -> None:
    code, out, err = run("solve", f"{size}:{piece}")
    assert (code, out) == (2, "") and f"the {piece} slides and has no leaps: docs/graphs.md" in err
    with pytest.raises(TypeError) as caught:
        kt.Board(8, 8, leaper=piece)  # type: ignore[arg-type]
    assert caught.value.__notes__[0] in err


@pytest.mark.parametrize("piece", PIECES)
def test_piece_name_instead_of_a_leaper_gets_help(piece: str, run: Run) -> None:
    with pytest.raises(TypeError) as caught:
        kt.Board(8, 8, leaper=piece)  # type: ignore[arg-type]
    assert f"Board('10x10:{piece}'), or 10x10:{piece} on the command line" in caught.value.__notes__[0]
    code, _, _ = run("facts", f"8x8:{piece}", "--json")
    assert code == 0 and kt.Board(f"8x8:{piece}").piece.leaps == PIECES[piece].leaps
    # The numbers of the names, as the glossary of fairy chess has them: the length of the leap.
    lengths = {"wazir": 1, "ferz": 2, "fers": 2, "dabbaba": 4, "knight": 5, "alfil": 8, "threeleaper": 9, "camel": 10}
    lengths |= {"zebra": 13, "tripper": 18, "fourleaper": 16, "giraffe": 17, "antelope": 25}
    if piece in lengths:
        assert [a * a + b * b for a, b in PIECES[piece].leaps] == [lengths[piece]]


@pytest.mark.parametrize("text", ["3x3x3", "3x4x5", "2 x 2 x 3"])
def test_a_box_is_a_board_in_all_interfaces(text: str, run: Run) -> None:
    sides = tuple(map(int, re.findall(r"\d+", text)))
    edges = {kt.Board(size).to_networkx().number_of_edges() for size in (text, sides)}
    cells = list(itertools.product(*map(range, sides)))
    apart = [sorted(abs(a - b) for a, b in zip(p, q, strict=True)) for p, q in itertools.combinations(cells, 2)]
    assert edges == {apart.count([0, 1, 2])}
    code, out, _ = run("facts", text, "--json")
    assert code == 0 and f'"moves": {apart.count([0, 1, 2])}' in out


def test_directed_graph_is_solved_along_its_arcs() -> None:
    networkx = pytest.importorskip("networkx")
    ring = networkx.DiGraph([(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (2, 0)])
    with pytest.raises(kt.BoardError, match="directed") as caught:
        kt.Board.from_graph(ring)
    assert (
        "Board.from_graph(graph, directed=True)" in caught.value.help and "graph.to_undirected()" in caught.value.help
    )
    for graph, status in ((ring, kt.Status.FOUND), (networkx.DiGraph([(0, 1), (1, 2), (0, 2)]), kt.Status.IMPOSSIBLE)):
        assert kt.Board(graph) == kt.Board.from_graph(graph, directed=True)
        assert kt.solve(graph, closed=True).status is status


# ---------------------------------------------------------------- ends and fields


def test_a_tour_back_to_its_start_is_a_closed_one(run: Run) -> None:
    code, _, err = run("solve", "8x8", "--start", "a1", "--end", "a1")
    assert code == 2 and "same square, a1" in err and "--closed" in err and "closed=True" in err


@pytest.mark.parametrize(("name", "value"), [("holes", ["a1"]), ("wrap", "torus"), ("leaper", [1, 3]), ("rows", 5)])
def test_wrong_field_of_a_board_names_the_right_one(name: str, value: Any) -> None:
    for path in ("solve", "count", "facts", "draw"):
        with pytest.raises(kt.ProblemError, match="belongs to the board") as caught:
            api.call_of(path, {"board": "8x8", name: value})
        example = json.loads(caught.value.help.removeprefix("use "))
        assert name in example["board"]
        assert isinstance(api.call_of(path, example), api.Call)
    with pytest.raises(kt.ProblemError, match="no field 'wished'"):
        api.call_of("solve", {"board": "8x8", "wished": 1})
