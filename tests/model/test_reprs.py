"""What the prompt of Python shows of an answer: one short line, whatever the board, that does not hide what it is."""

from __future__ import annotations

import pytest

import knightstour as kt
from helpers.both_ways import both_ways
from knightstour.core.model.wording import LONGEST_REPR, cut_short, short_repr

HOLES = [(row, col) for row in range(0, 21, 3) for col in range(0, 21, 3)]
# A board of each kind whose words are long, and small ones.
BOARDS = {
    "small": kt.Board(5, 6),
    "none": kt.Board(3, 3),
    "one": kt.Board(1, 1),
    "holes": kt.Board(21, 21, holes=HOLES),
    "torus": kt.Board(20, 20, wrap="torus", leaper=(2, 3)),
    "graph": kt.Board.from_graph(
        both_ways({f"node {k}": [f"node {(k + 1) % 9}", f"node {(k - 1) % 9}"] for k in range(9)})
    ),
}
# A reason that no line holds.
REASON = "every tour would need the moves " + ", ".join(f"a{k}-b{k + 2}" for k in range(1, 60))
LONG = kt.Result(kt.Status.IMPOSSIBLE, kt.solve("8x8").problem, (), REASON, "a source", "auto", 1, 1234, 0.5)


def is_short(value: object) -> bool:
    text = repr(value)
    assert len(text) <= LONGEST_REPR and "\n" not in text, text
    return type(value).__name__ in text


@pytest.mark.parametrize("name", BOARDS)
def test_answers_about_any_board_are_one_short_line(name):
    board = BOARDS[name]
    result = kt.solve(board, rng=1, limits=kt.Limits(nodes=100_000))
    plan = kt.plan_count(board)
    for answer in (result, kt.move_graph(board), plan, kt.overview(board, limits=kt.Limits(nodes=1000))):
        assert is_short(answer)
    if result.status is not kt.Status.UNDECIDED:
        assert is_short(result.certificate)


def test_answers_about_many_tours_are_one_short_line():
    board, closed = "5x6", True
    puzzle = kt.make_puzzle(board, closed=closed, rng=1)
    for answer in (
        kt.sample_tours(board, 3, closed=closed, rng=1),
        kt.compare(board, closed=closed, methods=["explicit"], seeds=1),
        kt.TourSpace(board, closed=closed),
        kt.census(board, "turns", closed=closed),
        kt.estimate_count(board, closed=closed, samples=50, rng=1),
        kt.board_facts(board),
        puzzle,
        puzzle.rate(),
        kt.solve_puzzle(puzzle),
    ):
        assert is_short(answer)


@pytest.mark.parametrize("side", [6, 10**9, 10**30, 10**120])
def test_a_tour_of_any_size_is_one_short_line(side):
    assert is_short(kt.implicit_tour((side, side)))


def test_of_a_long_answer_the_end_is_kept_and_print_shows_all():
    assert is_short(LONG) and str(LONG).endswith(f"{REASON} (auto, 1,234 nodes, 0.5 s)")
    assert repr(LONG).startswith("<Result: impossible; an open tour of the 8x8 board; every tour would need")
    assert repr(LONG).endswith(" ... (auto, 1,234 nodes, 0.5 s)>")
    assert REASON in LONG._repr_html_()


@pytest.mark.parametrize("length", [0, 1, 100, 110, 111, 112, 113, 1000])
def test_a_text_is_cut_only_where_it_is_too_long(length):
    text = short_repr(BOARDS["small"], length * "a")
    whole = f"<Board: {length * 'a'}>"
    assert text == whole if len(whole) <= LONGEST_REPR else (len(text) == LONGEST_REPR and text.endswith(" ...>"))
    assert cut_short("a\n  b", 9) == "a b"
