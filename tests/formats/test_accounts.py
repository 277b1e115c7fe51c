"""Tests that an interpretation of a text uses all of its numbers and names, or the text is rejected."""

import io
import json
import re
from functools import cache

import numpy as np
import pytest

import knightstour as kt
from knightstour import (
    Board,
    FormatError,
    InvalidTour,
    KnightsTourError,
    Tour,
    check,
    find_tour,
    parse_tours,
)
from knightstour.core.formats.tours import format_tour


@cache
def small() -> Tour:
    return find_tour((3, 4), seed=0)


@cache
def square() -> Tour:
    return find_tour((5, 5), seed=2)


def names() -> list[str]:
    return [str(label) for label in small().labels]


def pairs(tour: Tour) -> list[tuple[int, int]]:
    return [(int(r), int(c)) for r, c in tour]


def test_numbers_beside_squares_are_their_order_wherever_they_are_written():
    numbered = dict(zip(names(), range(1, 13), strict=True))
    shuffled = json.dumps(dict(sorted(numbered.items())))
    assert parse_tours(shuffled) == [small()]
    wrong = dict(zip(sorted(numbered), (3, 7, 12, 6, 2, 4, 9, 11, 8, 1, 5, 10), strict=True))
    with pytest.raises(InvalidTour, match="is not a knight's move"):
        parse_tours(json.dumps(wrong))


def test_array_of_squares_and_steps_matches_text_lines():
    rows = [[row, col, step] for step, (row, col) in enumerate(pairs(small()), 1)]
    assert check(np.array(rows)).is_valid
    for row, step, message in ((3, 7, "no square has the number 4"), (0, 12, "begin with 2")):
        wrong = [[*each[:2], step if k == row else each[2]] for k, each in enumerate(rows)]
        (fault,) = check(np.array(wrong)).faults
        lines = "\n".join(" ".join(map(str, each)) for each in wrong)
        (of_lines,) = check(io.StringIO(lines)).faults
        assert message in str(fault)
        assert str(fault) == str(of_lines)


def numbered(numbers: list[object], form: str) -> str:
    rows = zip(numbers, names(), pairs(small()), strict=True)
    return "\n".join(form.format(n=n, name=name, r=pair[0], c=pair[1]) for n, name, pair in rows)


@pytest.mark.parametrize(
    "form", ["{n}. {name}", "{name} = {n}", "Step {n}: ({r}, {c})", "({r}, {c}): {n}", "{n},{name}"]
)
def test_rejects_repeated_numbers_with_both_places(form):
    assert parse_tours(numbered(list(range(1, 13)), form)) == [small()]
    twice = [*range(1, 9), 8, *range(10, 13)]
    with pytest.raises(KnightsTourError, match=r"two squares have the number 8, at line 8, .* and at line 9"):
        parse_tours(numbered(twice, form))
    with pytest.raises(KnightsTourError, match="no square has the number 9: after 8 comes 10 at line 10"):
        parse_tours(numbered([*range(1, 9), 33, *range(10, 13)], form))


@pytest.mark.parametrize("form", ["{name} = {n}", "({r}, {c}): {n}"])
def test_missing_or_fractional_number_is_skipped_alone(form):
    with pytest.raises(FormatError, match=r"'\d+(\.5)?' in column \d+ is unused: the rest can be read as an open tour"):
        parse_tours(numbered(["1.5", *range(2, 13)], form))
    with pytest.raises(FormatError, match="is unused"):
        parse_tours(numbered([*range(1, 5), "", *range(6, 13)], form))


def test_rejected_exact_format_is_read_in_no_other_way():
    lines = format_tour(small(), "csv").splitlines()
    lines[3], lines[4] = lines[3].replace("0,2,", "0,3,"), lines[4].replace("0,3,", "0,2,")
    with pytest.raises(FormatError, match="expected step 2, found '3'"):
        parse_tours("\n".join(lines))
    with pytest.raises(FormatError, match="12 nodes, but the dimension is 13"):
        parse_tours(format_tour(small(), "tour").replace("DIMENSION : 12", "DIMENSION : 13"), "tour")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rows": 5}, "only 12 of 20 squares"),
        ({"rows": 4, "cols": 3}, "not on the 4x3 board"),
        ({"holes": [[0, 0]]}, "square a3 is a hole"),
        ({"closed": True}, "the record contradicts its squares"),
        ({"board": "8x8"}, "the record contradicts itself: board 8x8, but rows and columns of 3x4"),
        ({"status": "impossible"}, "the status is 'impossible', but there are squares"),
        ({"leaper": [1, 3]}, "is not a camel's move"),
        ({"start": [0, 0]}, r"the start is '\[0, 0\]', which contradicts the squares"),
    ],
)
def test_record_claims_must_hold(change, message):
    record = json.loads(format_tour(small(), "json"))
    assert parse_tours(json.dumps(record)) == [small()]
    with pytest.raises(KnightsTourError, match=message):
        parse_tours(json.dumps(record | change))


@pytest.mark.parametrize(
    "form",
    [
        '{{"col": {c}, "row": {r}}}',
        '{{"x": {c}, "y": {r}}}',
        "Point(x={c}, y={r})",
        "x={c} y={r}",
        "(x: {c}, y: {r})",
        "column {c}, row {r}",
        "Step {n}: column {c}, row {r}",
        "X: {c}\tY: {r}!",
    ],
)
def test_coordinate_matches_its_name(form):
    lines = [form.format(n=n, r=r, c=c) for n, (r, c) in enumerate(pairs(small()), 1)]
    assert parse_tours("\n".join(lines)) == [small()]
    assert parse_tours("[" + ", ".join(lines) + "]") == [small()]


LOST = " 1 18 23 14  3\n24 13  2  9 22\n19  8 17  4 15\n12  {}  6 21 10\n 7 20 11 16  5\n"

ASKED = {
    **dict.fromkeys(
        (LOST.format(mark) for mark in ("-1", "None", "NaN", "x", "_", "*", "--")),
        "one cell has no number: a hole, or number 25 is lost",
    ),
    "[[11.  8.  5.  2.]\n [ .  3. 10.  7.]\n [ 9.  6.  1.  4.]]": "one cell has no number: a hole, or number (0|12) is",
    "[[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, None]]": "one cell has no number: a hole, or number 12 is lost",
    "[[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, '.']]": "one cell has no number: a hole, or number 12 is lost",
    "|1|4|7|10|\n|8|11|2|5|\n|3|6|9||": "one cell is empty: a hole, or number 12 is lost",
    "10,5,22,17,12\n21,16,11,4,23\n6,9,,13,18\n1,20,15,8,3\n.,7,2,19,14": "one cell is empty: a hole, or number 24 is",
    "01 -- -- -- --\n-- -- 02 -- --\n-- -- -- -- 03\n-- -- -- -- --\n-- -- -- -- --\n": (
        "only 3 of 25 squares have a number, and 4 may belong to a free one"
    ),
    "[(0, 0), (1, 2), (2, 0), (0, 1), (1, 3), (2, 1), (0, 2), (1, 0), (2, 2), (0, 3), (1, 1)]": (
        "only 11 of 12 squares are visited"
    ),
    "6 3 14 23 16 5 2 9 18 21 10 1 8 19 12 15 22 11 0 7 4 13 24 17": "only 24 of 25 squares are visited",
}


@pytest.mark.parametrize("text", ASKED)
def test_text_with_a_missing_number_requires_a_choice(text):
    with pytest.raises(InvalidTour, match=ASKED[text]):
        parse_tours(text)


def test_unambiguous_input_is_read():
    assert parse_tours(LOST.format("25"))[0].board == Board(5, 5)
    assert len(parse_tours(LOST.format("."))[0].board) == 24
    text = "|1|4|7|10|\n|8|11|2|5|\n|3|6|9|{}|"
    assert parse_tours(text.format("."))[0].board == Board(3, 4, holes=["d1"])
    assert parse_tours(text.format(""), board=Board(3, 4, holes=["d1"]))[0].board == Board(3, 4, holes=["d1"])


def next_squares(first: int) -> list[int]:
    order = find_tour((6, 6), closed=True, seed=4).order.tolist()
    near = dict(zip(order, order[1:] + order[:1], strict=True))
    return [near[s] + first for s in range(36)]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("form", ["{}", "succ = {};", "array1d(1..36, {});\n----------\n==========\n"])
def test_the_next_square_of_each_is_a_tour(first, form):
    (tour,) = parse_tours(form.format(next_squares(first)))
    assert tour.is_closed and tour.board == Board(6, 6)
    assert tour.order.tolist()[1] == next_squares(0)[0]
    rows = [next_squares(first)[k : k + 6] for k in range(0, 36, 6)]
    assert parse_tours("\n".join(" ".join(map(str, row)) for row in rows)) == [tour]


@pytest.mark.parametrize(
    "around",
    [
        "Found a tour!\n{}Steps: 24\n",
        "Found a tour!\n{}Steps: 1234\nTime: 0.02 s\n",
        "N = 5\n{}nodes visited: 8840\n",
        "5x5\n{}",
        "5 5\n{}",
        "5\n{}Squares: 25\n",
        "Start: e2\n{}",
    ],
)
def test_comments_and_counts_that_agree_are_left_out(around):
    text = around.format(format_tour(square())).replace("e2", str(square().labels[0]))
    assert parse_tours(text) == [square()]


@pytest.mark.parametrize("wrong", ["Squares: 24.5", "Squares: 12", "Steps: 20", "Board 6x6", "Number 99", "Start: b2"])
def test_a_count_that_does_not_agree_is_left_over(wrong):
    assert str(square().labels[0]) != "b2" != str(square().labels[-1])
    with pytest.raises(FormatError, match=r"7: '[\d.a-z]+' is unused: the rest can be read as an open tour"):
        parse_tours("\n" + format_tour(square()) + wrong)


def test_colours_of_a_terminal_are_left_out():
    coloured = "\n".join(f"\x1b[1;32m{line}\x1b[0m" for line in format_tour(square()).splitlines())
    assert parse_tours(coloured) == [square()]


def test_walks_of_unlike_length_are_tours_of_their_boards():
    assert parse_tours(str([pairs(small()), pairs(square())])) == [small(), square()]
    assert parse_tours(f"{small().labels}\n{square().labels}") == [small(), square()]


def test_node_list_reports_its_missing_board():
    order = small().order.tolist()
    text = f"12\n{' '.join(map(str, order[:10]))}\n{' '.join(map(str, order[10:]))}\n"
    with pytest.raises(KnightsTourError, match=r"these are 12 distinct square numbers, but their board is undefined"):
        parse_tours(text)
    assert parse_tours(text, board=(3, 4)) == [small()]


def test_pairs_require_a_choice_in_any_layout():
    for text in (
        str(pairs(square())),
        "\n".join(map(str, pairs(square()))),
        "\n".join(f"{r},{c}" for r, c in square()),
    ):
        assert parse_tours(text) == [square()]
        with pytest.raises(FormatError, match="ambiguous"):
            parse_tours(text, board=(5, 5))


def test_adjacent_numbers_in_a_puzzle_require_a_choice():
    with pytest.raises(FormatError, match="a Numbrix, not a puzzle for a knight") as caught:
        kt.Puzzle.from_text("1 2 3\n6 5 4\n")
    assert re.search(r"FILE 2x3:wazir", caught.value.help)
    assert len(kt.Puzzle.from_text("1 2 3\n6 5 4\n", moves="wazir").board) == 6
    with pytest.raises(FormatError, match="a Hidato, not a puzzle for a knight") as caught:
        kt.Puzzle.from_text("1 . .\n. 2 .\n. . 3\n")
    assert "FILE 3x3:king" in caught.value.help
    assert kt.Puzzle.from_text("1 . .\n. . 2\n. . .\n").board.piece.is_knight
