"""Tests of the rules of arguments on small graphs: accepted and rejected steps, and messages."""

import pytest

import knightstour as kt
from helpers.graph_families import near_of
from knightstour.lab.certificates.check_arguments import RULES
from knightstour.lab.certificates.record import FORMAT, Unreadable, Wrong

# Moves of small graphs.
LOOP = "01 12 23 30"
TRIANGLE = "01 12 20"
FULL = "01 02 03 12 13 23"
STAR = "01 02 03"
CROSSED = "01 12 23 30 02"
TWO_AND_THREE = "02 03 04 12 13 14"
# Square 9 is next to all; 3, 4 and 5 hang on a triangle.
THREE_PARTS = "01 12 20 03 14 25 90 91 92 93 94 95"
# Three squares with two moves each, of which one goes to 0.
THIRD = "01 02 03 14 25 36 45 56 46"
TAILED = "01 12 20 03 23"
# 0-1-2 and 3-4-5 are paths, with moves between their ends; 6 is elsewhere.
TWO_PATHS = "01 12 34 45 23 05 60 63"


def moves_of(near):
    return {frozenset((a, b)) for a in near for b in near[a]}


PROVED = {
    "a centre": ("removal", STAR, {"removed": [0]}),
    "one square": ("removal", "01 12", {"removed": [1]}),
    "two islands": ("removal", TRIANGLE + " 34 45 53", {"removed": []}),
    "two and three": ("removal", TWO_AND_THREE, {"removed": [0, 1]}),
    "colours": ("weights", TWO_AND_THREE, {"weights": [-1, -1, 1, 1, 1]}),
    "a large weight": ("weights", TWO_AND_THREE, {"weights": [-(10**9), -(10**9), 10**9, 10**9, 10**9]}),
    "three parts": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4], [2, 5]]}),
    "two squares": ("small", "01", {}),
    "a loop that lacks squares": ("forced", TWO_AND_THREE, {"chain": [["take", 2], ["take", 3]]}),
    "a third move": ("forced", THIRD, {"chain": [["take", 1], ["take", 2], ["take", 3]]}),
    "a square that lost its moves": ("forced", THIRD, {"chain": [["take", 1], ["take", 2], ["full", 0], ["short", 3]]}),
    "one move left": ("forced", "01 12 23 30 34", {"chain": [["short", 4]]}),
}


@pytest.mark.parametrize("name", PROVED)
def test_a_contradiction_is_seen(name):
    rule, moves, step = PROVED[name]
    assert RULES[rule](near_of(moves), step) is True


LEFT = {
    "a diagonal": ("tight", CROSSED, {"removed": [0, 2]}, LOOP),
    "nothing between": ("tight", LOOP, {"removed": [0, 2]}, LOOP),
    "one square": ("tight", TRIANGLE, {"removed": [0]}, TRIANGLE),
    "a sum below zero": ("spent", CROSSED, {"weights": [-1, 1, -1, 1]}, LOOP),
    "sums of zero stay": ("spent", LOOP, {"weights": [0, 0, 0, 0]}, LOOP),
    "all is needed": ("spent", LOOP, {"weights": [1, 1, 1, 1]}, LOOP),
    "a chain": ("forced", LOOP, {"chain": [["take", 0]]}, LOOP),
    "no chain": ("forced", LOOP, {"chain": []}, LOOP),
    "a loop of all squares": ("forced", LOOP, {"chain": [["take", k] for k in range(4)]}, LOOP),
    "a move between ends": ("forced", TAILED, {"chain": [["take", 1], ["early", 0, 2]]}, "01 12 03 23"),
    "from its other end": ("forced", TAILED, {"chain": [["take", 1], ["early", 2, 0]]}, "01 12 03 23"),
    "a square with its two": (
        "forced",
        THIRD,
        {"chain": [["take", 1], ["take", 2], ["full", 0]]},
        THIRD[:6] + THIRD[9:],
    ),
}


@pytest.mark.parametrize("name", LEFT)
def test_steps_remove_impossible_moves(name):
    rule, moves, step, left = LEFT[name]
    near = near_of(moves)
    assert RULES[rule](near, step) is False
    assert moves_of(near) == moves_of(near_of(left))


ENOUGH = ", which a tour can visit"
DIFFERENT = "these must be distinct squares"
OVERLAPS = " overlaps another part"
WAY = '"at" must be a square, and "parts" three pairs of squares, a way out and a square behind it'
NOT_DIFFERENT = '"removed" must be distinct squares of the graph'


def early(link, a, b):
    return f"link {link}: {a} and {b} are not the ends of an incomplete path, with a move between them"


REFUSED = {
    "one piece": ("removal", LOOP, {"removed": []}, "without 0 squares the graph has 1 piece" + ENOUGH),
    "a corner": ("removal", LOOP, {"removed": [0]}, "without 1 square the graph has 1 piece" + ENOUGH),
    "as many": ("removal", LOOP, {"removed": [0, 2]}, "without 2 squares the graph has 2 pieces" + ENOUGH),
    "all": ("removal", LOOP, {"removed": [0, 1, 2, 3]}, "without 4 squares the graph has 0 pieces" + ENOUGH),
    "twice": ("removal", STAR, {"removed": [0, 0]}, NOT_DIFFERENT),
    "elsewhere": ("removal", STAR, {"removed": [0, 4]}, NOT_DIFFERENT),
    "not tight": ("tight", LOOP, {"removed": [0, 1]}, "without 2 squares the graph has 1 piece, not the same number"),
    "too tight": ("tight", STAR, {"removed": [0]}, "without 1 square the graph has 3 pieces, not the same number"),
    "enough": ("weights", LOOP, {"weights": [1, 1, 1, 1]}, "a tour needs 8, and the moves offer 8, which is enough"),
    "nothing": ("weights", LOOP, {"weights": [0] * 4}, "a tour needs 0, and the moves offer 0, which is enough"),
    "few weights": ("weights", LOOP, {"weights": [0] * 3}, "there are 3 weights for 4 squares"),
    "too much": ("spent", FULL, {"weights": [1] * 4}, "a tour needs 8, but the moves offer 12"),
    "too little": ("spent", STAR, {"weights": [-1, 1, 1, 1]}, "a tour needs 4, but the moves offer 0"),
    "at": ("ends", THREE_PARTS, {"at": 7, "parts": [[0, 3], [1, 4], [2, 5]]}, WAY),
    "two parts": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4]]}, WAY),
    "a long pair": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4], [2, 5, 5]]}, WAY),
    "a foreign pair": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4], [2, 8]]}, WAY),
    "behind itself": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4], [5, 5]]}, DIFFERENT),
    "the end": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4], [2, 9]]}, DIFFERENT),
    "over the end": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4], [9, 5]]}, DIFFERENT),
    "first and third": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 4], [0, 3]]}, "the part of 3" + OVERLAPS),
    "first and second": ("ends", THREE_PARTS, {"at": 9, "parts": [[0, 3], [1, 0], [2, 5]]}, "the part of 0" + OVERLAPS),
    "three squares": ("small", TRIANGLE, {}, "there are 3 squares"),
    "a chain": ("forced", LOOP, {"chain": [["take", 0], ["full", 1]]}, "link 2: 1 has 1 required moves, not two"),
    "two squares in a link": ("forced", LOOP, {"chain": [["take", 0, 1]]}, "link 1 must contain squares of the graph"),
    "one early": ("forced", LOOP, {"chain": [["early", 0]]}, "link 1 must contain squares of the graph"),
    "far away": ("forced", LOOP, {"chain": [["take", 4]]}, "link 1 must contain squares of the graph"),
    "three left": ("forced", FULL, {"chain": [["take", 0]]}, "link 1: 0 has 3 moves left, not two"),
    "one left": ("forced", "01 12", {"chain": [["take", 0]]}, "link 1: 0 has 1 moves left, not two"),
    "none taken": ("forced", THIRD, {"chain": [["full", 0]]}, "link 1: 0 has 0 required moves, not two"),
    "two left": ("forced", "01 12 23 30 34", {"chain": [["short", 0]]}, "link 1: 0 has 2 moves left, which is enough"),
    "and three": ("forced", "01 12 23 30 34", {"chain": [["short", 3]]}, "link 1: 3 has 3 moves left, which is enough"),
    "no path yet": ("forced", TAILED, {"chain": [["early", 0, 2]]}, early(1, 0, 2)),
    "one end": ("forced", TAILED, {"chain": [["take", 1], ["early", 0, 0]]}, early(2, 0, 0)),
    "another path": ("forced", TAILED, {"chain": [["take", 1], ["early", 0, 3]]}, early(2, 0, 3)),
    "its middle": ("forced", TAILED, {"chain": [["take", 1], ["early", 1, 1]]}, early(2, 1, 1)),
    "a move that is gone": ("forced", TAILED, {"chain": [["take", 1], *[["early", 0, 2]] * 2]}, early(3, 0, 2)),
    "all squares": ("forced", LOOP, {"chain": [["take", 0], ["take", 1], ["early", 2, 3]]}, early(3, 2, 3)),
    "two paths": ("forced", TWO_PATHS, {"chain": [["take", 1], ["take", 4], ["early", 2, 3]]}, early(3, 2, 3)),
    "their others": ("forced", TWO_PATHS, {"chain": [["take", 1], ["take", 4], ["early", 0, 5]]}, early(3, 0, 5)),
    "a move that is taken": ("forced", LOOP, {"chain": [["take", 1], ["early", 0, 1]]}, early(2, 0, 1)),
}


@pytest.mark.parametrize("name", REFUSED)
def test_rejects_unproving_certificates_with_an_explanation(name):
    rule, moves, step, words = REFUSED[name]
    with pytest.raises(Wrong) as caught:
        RULES[rule](near_of(moves), step)
    assert str(caught.value) == words


WEIGHTS = '"weights" must be an integer from -1000000000 to 1,000,000,000'
LINK = "link 1 must be a list that starts with take, full, early, short"
UNREADABLE = {
    "no list": ("removal", {}, '"removed" must be a list of integers'),
    "below zero": ("tight", {"removed": [-1]}, '"removed" must be an integer of at least 0'),
    "a heavy weight": ("weights", {"weights": [0, 0, 0, 10**9 + 1]}, WEIGHTS),
    "a light weight": ("spent", {"weights": [0, 0, 0, -(10**9) - 1]}, WEIGHTS),
    "no weights": ("weights", {"weights": "1111"}, '"weights" must be a list of integers'),
    "no square": ("ends", {"at": "a1", "parts": []}, '"at" must be an integer of at least 0'),
    "no pair": ("ends", {"at": 0, "parts": [1]}, '"parts" must be a list of integers'),
    "four parts": ("ends", {"at": 0, "parts": [[0, 1]] * 4}, '"parts" must be a list of at most 3 items'),
    "no chain": ("forced", {"chain": 1}, '"chain" must be a list of at most 1,000,000 items'),
    "no link": ("forced", {"chain": ["take"]}, LINK),
    "an empty link": ("forced", {"chain": [[]]}, LINK),
    "another link": ("forced", {"chain": [["hope", 1]]}, LINK),
    "a name": ("forced", {"chain": [["take", "a1"]]}, "link 1 must be an integer of at least 0"),
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_rejects_invalid_steps_with_an_explanation(name):
    rule, step, words = UNREADABLE[name]
    with pytest.raises(Unreadable) as caught:
        RULES[rule](near_of(LOOP), step)
    assert caught.value.message == words


# ---------------------------------------------------------------- whole arguments


def verified(moves, steps, **conditions):
    near = near_of(moves)
    board = {
        "rows": 1,
        "cols": len(near),
        "graph": {"nodes": sorted(near), "edges": [sorted(move) for move in moves_of(near)]},
    }
    claimed = {"format": FORMAT, "board": board, "closed": True, **conditions, "answer": "impossible"}
    return kt.certificates.verify({**claimed, "proof": {"kind": "argument", "steps": steps}})


def test_steps_are_taken_in_order():
    found = verified(TWO_AND_THREE, [{"rule": "removal", "removed": [0, 1]}])
    assert (found.verdict, found.detail) == (kt.certificates.Verdict.RIGHT, "checked: an argument of 1 step: removal")
    # Without 0 and 2 there are 1 and 3, so the move 0-2 leaves; then 0 has one move.
    steps = [{"rule": "tight", "removed": [0, 2]}, {"rule": "forced", "chain": [["short", 0]]}]
    found = verified("01 12 23 02", steps)
    assert (found.verdict, found.detail) == (
        kt.certificates.Verdict.RIGHT,
        "checked: an argument of 2 steps: tight, forced",
    )
    assert verified("01 12 23 02", steps[1:]).detail == "step 1, forced: link 1: 0 has 2 moves left, which is enough"
    # 1 and 4 each join 0 to 2, which would close a loop without 3.
    found = verified("01 12 23 30 02 24 40", [{"rule": "forced", "chain": [["take", 4], ["take", 1]]}])
    assert found.is_right


def test_words_about_steps():
    def words(moves, *steps, **conditions):
        found = verified(moves, list(steps), **conditions)
        assert found.verdict is kt.certificates.Verdict.WRONG
        return found.detail

    removal = {"rule": "removal", "removed": [0, 1]}
    assert words(TWO_AND_THREE, removal, removal) == "step 2: the proof is already complete"
    assert words(LOOP, {"rule": "tight", "removed": [0, 2]}) == "the steps end without a contradiction"
    assert words(LOOP) == "the steps end without a contradiction"
    assert words("01", {"rule": "removal", "removed": []}) == "step 1: the rule requires at least three squares"
    assert verified("01", [{"rule": "small"}]).is_right
    one_piece = "step 1, removal: without 0 squares the graph has 1 piece, which a tour can visit"
    assert words(TRIANGLE, {"rule": "removal", "removed": []}) == one_piece
    open_tour = {"board": {"rows": 1, "cols": 1}, "closed": False}
    assert words(LOOP, {"rule": "small"}, **open_tour) == "a board of one square has an open tour"
    closed_tour = {"board": {"rows": 1, "cols": 1}, "closed": True}
    assert verified(LOOP, [{"rule": "small"}], **closed_tour).is_right
    # Of two squares an open tour is one of three with the virtual square.
    assert words("01", {"rule": "small"}, closed=False) == "step 1, small: there are 3 squares"


def test_errors_about_steps():
    def words(*steps):
        with pytest.raises(kt.FormatError) as caught:
            verified(LOOP, list(steps))
        return caught.value.message

    rules = "removal, tight, weights, spent, ends, forced, small"
    assert words({"rule": "hope"}) == f"step 1: unknown rule; it must be one of {rules}"
    assert words(1) == '"steps" must be a list of objects'
    assert words({"rule": 1}) == '"rule" must be a text'
    assert words({"rule": "tight", "removed": "0"}) == 'step 1, tight: "removed" must be a list of integers'
    assert words(*[{"rule": "small"}] * 101) == '"steps" must be a list of at most 100 items'
    # One hundred steps are read.
    assert verified(LOOP, [{"rule": "tight", "removed": [0, 2]}] * 100).verdict is kt.certificates.Verdict.WRONG


def test_a_check_of_many_steps_may_take_too_long():
    steps = [{"rule": "tight", "removed": [0, 2]}] * 3
    problem = {"board": {"rows": 4, "cols": 4}, "closed": True}
    claimed = {"format": FORMAT, **problem, "answer": "impossible", "proof": {"kind": "argument", "steps": steps}}
    # Each step costs ten for each square.
    assert kt.certificates.verify(claimed, max_nodes=159).verdict is kt.certificates.Verdict.UNCHECKED
    assert kt.certificates.verify(claimed, max_nodes=160).detail.startswith("step 1, tight")
