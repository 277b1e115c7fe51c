"""Tests of worksheets: exercises and correct answers."""

import random

import pytest

import knightstour as kt
from helpers import reference
from knightstour.core.drawing.paper import Text
from knightstour.core.model.board import Board
from knightstour.lab.puzzles.sheets import WORKSHEETS


@pytest.mark.parametrize("kind", WORKSHEETS)
def test_the_same_seed_gives_the_same_sheet(kind: str) -> None:
    one, other, third = (kt.puzzles.draw_worksheet(kind, "5x6", n=3, seed=seed).to_svg() for seed in (1, 1, 2))
    assert one == other and (one != third or kind == "empty")


@pytest.mark.parametrize("board", [Board(5, 6), Board(6, 6, holes=["a1", "b1"]), Board(5, 5, leaper=(0, 1))], ids=str)
def test_the_moves_of_each_square_are_counted(board: Board) -> None:
    asked, answer = WORKSHEETS["degrees"].make(board, 1, random.Random(1))
    adjacent = reference.adjacency(reference.spec_of(board))
    assert answer is not None
    assert {square: int(text) for square, text in answer.marks.items()} == {
        s: len(near) for s, near in adjacent.items()
    }
    assert 0 < len(asked.marks) < len(answer.marks)
    assert all(answer.marks[square] == text for square, text in asked.marks.items())


@pytest.mark.parametrize("board", [Board(5, 6), Board(8, 8), Board(4, 5, wrap="torus")], ids=str)
def test_a_tour_has_exactly_one_wrong_move(board: Board) -> None:
    asked, answer = WORKSHEETS["wrong-move"].make(board, 1, random.Random(1))
    adjacent = reference.adjacency(reference.spec_of(board))
    order = sorted(asked.marks, key=lambda square: int(asked.marks[square]))
    assert set(order) == set(adjacent)
    wrong = [t for t, (a, b) in enumerate(zip(order, order[1:], strict=False), 1) if b not in adjacent[a]]
    assert answer is not None and len(wrong) == 1
    assert answer.caption.endswith(f"from {wrong[0]} to {wrong[0] + 1}")


def test_worksheet_fills_a_page_with_answers_on_the_next() -> None:
    first, second = kt.puzzles.draw_worksheet("degrees", "5x5", seed=1).pages
    asked, answers = ([item.text for item in page.items if isinstance(item, Text)] for page in (first, second))
    assert {"Name", "Date", "6"} <= set(asked) and second.title == "Solutions"
    assert not {"Name", "Date"} & set(answers) and len(answers) > len(asked)


def test_empty_boards_have_no_answers() -> None:
    (page,) = kt.puzzles.draw_worksheet("empty", "8x8", n=4).pages
    texts = [item.text for item in page.items if isinstance(item, Text)]
    assert any("1 to 64" in text for text in texts) and "4" in texts and not any("{" in text for text in texts)


@pytest.mark.parametrize(
    ("kind", "board", "message"),
    [
        ("full", "5x5", "unknown worksheet 'full'"),
        ("wrong-move", "1x1", "no tour has a single wrong move"),
        ("wrong-move", "4x4", "falls into 6 parts"),
        ("empty", "20x20", "up to 256 squares"),
    ],
)
def test_rejects_impossible_puzzles(kind: str, board: str, message: str) -> None:
    with pytest.raises(kt.KnightsTourError, match=message):
        kt.puzzles.draw_worksheet(kind, board, seed=1)
