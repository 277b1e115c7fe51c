"""Tests of the problem of a certificate: boards, moves, loops and pieces by hand, and invalid problems."""

import pytest

import knightstour as kt
from helpers.small_problems import adjacency_of
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.lab.certificates.claims import claim_of
from knightstour.lab.certificates.loop_graph import MAX_LISTED, edges_of, loop_graph, pieces_without
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import FORMAT

BOARDS = [
    {"rows": rows, "cols": cols, "wrap": wrap, "leaper": leaper, "holes": holes}
    for rows, cols in ((1, 1), (1, 5), (2, 2), (3, 4), (4, 3), (5, 5), (2, 7))
    for wrap in (None, "cylinder", "torus", "mobius", "klein")
    for leaper in ([1, 2], [0, 1], [2, 3])
    for holes in ([], [[0, 0]])
    if rows * cols > len(holes)
]


def asked(board, **conditions):
    return question_of({"format": FORMAT, "board": board, "closed": True, **conditions})


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_moves_match_the_project(board):
    question = asked(board)
    holes = [tuple(hole) for hole in board["holes"]]
    ours = Board(board["rows"], board["cols"], holes=holes, wrap=board["wrap"], leaper=tuple(board["leaper"]))
    cols = board["cols"]
    expected = {r * cols + c: {a * cols + b for a, b in near} for (r, c), near in adjacency_of(ours).items()}
    squares = [square for square in range(-1, board["rows"] * cols + 1) if question.is_square(square)]
    assert {square: set(question.reached_from(square)) for square in squares} == expected
    assert question.count == len(expected) == len(loop_graph(question))


PATH = {"rows": 1, "cols": 3, "graph": {"nodes": ["x", "y", "z"], "edges": [[1, 0], [1, 2], [0, 1]]}}
AROUND = {0: {1}, 1: {0, 2}, 2: {1}}


def test_loops_of_open_tours():
    assert loop_graph(asked(PATH)) == AROUND
    assert loop_graph(asked(PATH, closed=False)) == {0: {1, 3}, 1: {0, 2, 3}, 2: {1, 3}, 3: {0, 1, 2}}
    with_start = {0: {1, 3}, 1: {0, 2, 4}, 2: {1, 4}, 3: {0, 4}, 4: {1, 2, 3}}
    assert loop_graph(asked(PATH, closed=False, start=0)) == with_start
    assert loop_graph(asked(PATH, closed=False, end=0)) == with_start
    assert loop_graph(asked(PATH, closed=False, start=0, end=2)) == {0: {1, 3}, 1: {0, 2}, 2: {1, 3}, 3: {0, 2}}
    assert loop_graph(asked(PATH, start=1)) == AROUND  # a closed tour starts anywhere
    holes = {"rows": 2, "cols": 2, "leaper": [0, 1], "holes": [[0, 0]]}
    assert loop_graph(asked(holes, closed=False, start=1)) == {
        1: {3, 4},
        2: {3, 5},
        3: {1, 2, 5},
        4: {1, 5},
        5: {2, 3, 4},
    }


def test_edges_and_pieces():
    near = {2: {0}, 0: {2, 1}, 1: {0}, 7: set()}
    assert edges_of(near) == [(0, 1), (0, 2)]
    assert pieces_without(near, set()) == [{0, 1, 2}, {7}]
    assert pieces_without(near, {0}) == [{2}, {1}, {7}]
    assert pieces_without(near, {2, 7}) == [{0, 1}]
    assert pieces_without(near, {0, 1, 2, 7}) == []


def test_boards_have_a_size():
    assert MAX_LISTED == 250_000
    with pytest.raises(kt.FormatError, match="proofs are checked on boards of up to 250,000 squares"):
        loop_graph(asked({"rows": 500, "cols": 501}))


BOARD = {"rows": 2, "cols": 3}
SIDE = "must be an integer from 0 to 1,000,000,000"
HOLES = '"holes" must be pairs [row, col] of the board'
COLUMNS = "the board of a graph has one row, and one column per node"
EDGES = '"edges" must be pairs of distinct nodes'
ENDS = "the start and the end must be squares of the board"
GIVEN = '"given" must be pairs of a square and its steps'
SAME = "a closed tour has no end, and the ends of an open tour must differ"
NO_QUESTION = {
    "no board": ({"board": None}, '"board" must be an object'),
    "rows": ({"board": {"rows": 10**9 + 1, "cols": 1}}, f'"rows" {SIDE}'),
    "cols": ({"board": {"rows": 1, "cols": True}}, f'"cols" {SIDE}'),
    "no square": ({"board": {"rows": 0, "cols": 3}}, "the board has no squares"),
    "only holes": ({"board": {"rows": 1, "cols": 1, "holes": [[0, 0]]}}, "the board has no squares"),
    "wrap": ({"board": {**BOARD, "wrap": "ball"}}, '"wrap" must be cylinder, torus, mobius or klein'),
    "holes": ({"board": {**BOARD, "holes": 1}}, '"holes" must be a list of at most 4,000,000 items'),
    "a row too many": ({"board": {**BOARD, "holes": [[2, 0]]}}, HOLES),
    "a column too many": ({"board": {**BOARD, "holes": [[0, 3]]}}, HOLES),
    "a hole of three": ({"board": {**BOARD, "holes": [[0, 0, 0]]}}, HOLES),
    "a far hole": ({"board": {**BOARD, "holes": [[0, 10**9 + 1]]}}, f'"holes" {SIDE}'),
    "a number for a hole": ({"board": {**BOARD, "holes": [1]}}, '"holes" must be a list of integers'),
    "a hole in a graph": ({"board": {**PATH, "holes": [[0, 0]]}}, HOLES),
    "a far leaper": ({"board": {**BOARD, "leaper": [1, 10**9 + 1]}}, f'"leaper" {SIDE}'),
    "no leaper": ({"board": {**BOARD, "leaper": [0, 0]}}, '"leaper" must be two integers'),
    "three numbers": ({"board": {**BOARD, "leaper": [0, 1, 2]}}, '"leaper" must be two integers'),
    "graph": ({"board": {**BOARD, "graph": []}}, '"graph" must be an object'),
    "two rows": ({"board": {**PATH, "rows": 2}}, COLUMNS),
    "four columns": ({"board": {**PATH, "cols": 4}}, COLUMNS),
    "nodes": ({"board": {**PATH, "graph": {"edges": []}}}, '"nodes" must be a list of at most 4,000,000 items'),
    "edges": ({"board": {**PATH, "graph": {"nodes": [0, 1, 2]}}}, '"edges" must be a list of at most 4,000,000 items'),
    "a far node": (
        {"board": {**PATH, "graph": {"nodes": [0, 1, 2], "edges": [[0, 3]]}}},
        '"edges" must be an integer from 0 to 2',
    ),
    "a loop": ({"board": {**PATH, "graph": {"nodes": [0, 1, 2], "edges": [[1, 1]]}}}, EDGES),
    "three ends": ({"board": {**PATH, "graph": {"nodes": [0, 1, 2], "edges": [[0, 1, 2]]}}}, EDGES),
    "closed": ({"closed": 0}, '"closed" must be true or false'),
    "a far start": ({"start": 6}, '"start" must be an integer from 0 to 5'),
    "a far end": ({"closed": False, "end": 6}, '"end" must be an integer from 0 to 5'),
    "a start in a hole": ({"board": {**BOARD, "holes": [[0, 1]]}, "start": 1}, ENDS),
    "an end in a hole": ({"board": {**BOARD, "holes": [[0, 1]]}, "closed": False, "end": 1}, ENDS),
    "a closed end": ({"end": 1}, SAME),
    "the same": ({"closed": False, "start": 1, "end": 1}, SAME),
    "the same of two": ({"board": {"rows": 1, "cols": 2}, "closed": False, "start": 1, "end": 1}, SAME),
    "a given square alone": ({"given": [[0]]}, GIVEN),
    "a given square of three": ({"given": [[0, [1], 2]]}, GIVEN),
    "a given object": ({"given": [{"0": [1]}]}, GIVEN),
    "no given square": ({"given": [["0", [1]]]}, '"given" must be an integer of at least 0'),
    "step 0": ({"given": [[0, [0]]]}, '"given" must be an integer from 1 to 6'),
    "a step too many": ({"given": [[0, [7]]]}, '"given" must be an integer from 1 to 6'),
    "a number for joined sides": ({"board": {**BOARD, "wrap": 0}}, '"wrap" must be a text'),
    "a required move off the board": ({"require": [[6, 1]]}, '"require" must be pairs of squares one move apart'),
}


@pytest.mark.parametrize("name", NO_QUESTION)
def test_rejects_invalid_problems_with_an_explanation(name):
    changes, words = NO_QUESTION[name]
    with pytest.raises(kt.FormatError) as caught:
        question_of({"board": BOARD, "closed": True, **changes})
    assert caught.value.message == words


def test_ambiguous_input_requires_a_choice():
    assert asked({"rows": 10**9, "cols": 10**9}).count == 10**18
    assert asked({**BOARD, "holes": [[1, 2]], "leaper": [0, 10**9]}).count == 5
    assert asked({"rows": 1, "cols": 1}, closed=False, start=0, end=0).count == 1
    assert asked(BOARD, start=5).start == 5
    assert not asked(BOARD).is_square(6) and not asked(BOARD).is_square(-1)
    assert asked({**BOARD, "wrap": None}).wrap is None and asked({**BOARD, "wrap": "torus"}).wrap == "torus"


# ---------------------------------------------------------------- claims and tours


def claim(board, answer="impossible", proof=None, **conditions):
    proof = proof or {"kind": "theorem", "source": "a book"}
    claimed = {"format": FORMAT, "board": board, "closed": False, **conditions, "answer": answer, "proof": proof}
    return kt.certificates.verify(claimed)


def test_claims_are_stated_in_words():
    none = claim({"rows": 30, "cols": 30}, start=29, end=30)
    assert none.claim == "there is no open tour of the 30x30 board from ad30 to a29"
    assert none.detail == "there is nothing to check: it only contains a source, a book"
    assert none.verdict is kt.certificates.Verdict.UNCHECKED and str(none) == f"unchecked: {none.claim}\n{none.detail}"
    assert none.to_dict() == {"verdict": "unchecked", "claim": none.claim, "detail": none.detail}
    assert claim({"rows": 2, "cols": 800}, start=701).claim.endswith("from zz2")
    assert claim({"rows": 2, "cols": 800}, start=702).claim.endswith("from aaa2")
    odd = claim({"rows": 2, "cols": 800, "holes": [[0, 0]], "wrap": "klein", "leaper": [2, 3]}, closed=True)
    assert odd.claim == "there is no closed tour of the 2x800 klein with 1 hole for the (2,3) leaper"
    assert claim({"rows": 2, "cols": 3, "holes": [[0, 0], [0, 1]], "leaper": [2, 1]}).claim == (
        "there is no open tour of the 2x3 board with 2 holes"
    )
    assert claim(PATH, end=2).claim == "there is no open tour of the graph of 3 nodes to node 2"


SENTENCES = {
    "there is an open tour of the 3x4 board": {"answer": "found"},
    "there is a closed tour of the 3x4 board": {"answer": "found", "closed": True},
    "there are 16 open directed tours of the 3x4 board": {"answer": "count", "count": "16", "directed": True},
    "there is an open tour of the 3x4 board from b2 to d3": {"start": 5, "end": 3},
    "there is an open tour of the 3x4 board through a3-c2": {"require": [[6, 0]]},
    "there is an open tour of the 3x4 board through a2-c1 and a3-c2 without b3-d2": {
        "require": [[6, 0], [4, 10]],
        "forbid": [[1, 7]],
    },
    "there is an open tour of the 3x4 board through a1-b3 and a2-c1 and a3-c2": {"require": [[6, 0], [4, 10], [1, 8]]},
    "there is an open tour of the 3x4 board through 4 required moves": {"require": [[6, 0], [4, 10], [1, 8], [1, 7]]},
    "there is an open tour of the 3x4 board without 4 forbidden moves": {"forbid": [[6, 0], [4, 10], [1, 8], [1, 7]]},
    "there is an open tour of the 3x4 board with 1 given number": {"given": [[0, [1]]]},
    "there is an open tour of the 3x4 board with 2 given numbers": {"given": [[0, [1]], [3, [2, 3]]]},
    f"there is an open tour of the 3x4 board with symmetry {'x' * 60}": {"symmetry": "x" * 61},
}


@pytest.mark.parametrize("sentence", SENTENCES)
def test_a_claim_names_every_condition(sentence):
    record = {"format": FORMAT, "board": {"rows": 3, "cols": 4}, "closed": False, "answer": "found"}
    record.update(SENTENCES[sentence])
    assert claim_of(question_of(record), record) == sentence


def test_long_claims_of_counts_are_shortened():
    proof = {"kind": "layers", "order": [], "layers": []}
    found = claim({"rows": 40, "cols": 40}, "count", proof, count="1" * 1_001, directed=False)
    assert found.claim == f"there are {'1' * 1_000} open undirected tours of the 40x40 board"


def test_unchecked_claim_is_one_clear_error():
    with pytest.raises(kt.FormatError) as caught:
        claim(PATH, "found", {"kind": "layers"})
    words = caught.value.message
    assert words.startswith("unknown answer 'found' by 'layers'; supported are found by tour, ")
    assert ", count by layers" in words
    with pytest.raises(kt.FormatError, match='"proof" must be an object'):
        claim(PATH, "found", [0])


def test_limits_of_time_are_kept():
    certificate = kt.certificates.certify_count((3, 4))
    for limits in (Limits(seconds=1e-9), Limits(nodes=10)):
        found = kt.certificates.verify(certificate, **as_arguments(limits))
        assert found.verdict is kt.certificates.Verdict.UNCHECKED
        assert found.detail == "the check reached its limit without finding a fault"
    assert kt.certificates.verify(certificate, timeout=60).is_right


def tour(squares, board=PATH, **conditions):
    found = claim(board, "found", {"kind": "tour", "squares": squares}, **conditions)
    return found.detail if found.verdict is kt.certificates.Verdict.WRONG else found


def test_tours_by_hand():
    assert tour([0, 1, 2]).claim == "there is an open tour of the graph of 3 nodes"
    assert tour([2, 1, 0], start=2, end=0).detail == "checked: a tour of 3 squares"
    assert tour([0, 1, 2], start=2) == "squares: the start is 0, not 2"
    assert tour([0, 1, 2], end=0) == "squares: the end is 2, not 0"
    assert tour([0, 1]) == "squares: there are 2, but the board has 3"
    assert tour([0, 1, 0]) == "squares, step 2: 0 was visited at step 0"
    assert tour([1, 1, 0]) == "squares, step 1: 1 was visited at step 0"
    assert tour([1, 0, 2]) == "squares, step 2: no move leads from 0 to 2"
    assert tour([0, 2, 1]) == "squares, step 1: no move leads from 0 to 2"
    not_closed = "squares: no move leads from the last to the first, so the tour is not closed"
    assert tour([0, 1, 2], closed=True) == not_closed
    two = {"rows": 1, "cols": 2, "leaper": [0, 1]}
    assert tour([0, 1], two, closed=True) == not_closed and tour([0, 1], two).is_right
    assert tour([0, 1], two).claim == "there is an open tour of the 1x2 board for the (0,1) leaper"
    triangle = {"rows": 1, "cols": 3, "leaper": [0, 1], "wrap": "cylinder"}
    assert tour([2, 0, 1], triangle, closed=True).is_right
    assert tour([2, 0, 1], triangle, closed=True).claim.startswith("there is a closed tour of the 1x3 cylinder")
    assert tour([0], {"rows": 1, "cols": 1}).is_right
    hole = {"rows": 1, "cols": 4, "holes": [[0, 3]], "leaper": [0, 1]}
    assert tour([0, 1, 3], hole) == "squares, step 2: 3 is a hole"
    for squares, words in (([0, 1, 3], '"squares" must be an integer from 0 to 2'), (1, None)):
        with pytest.raises(kt.FormatError) as caught:
            tour(squares)
        assert caught.value.message == (words or '"squares" must be a list of at most 4,000,000 items')


# ---------------------------------------------------------------- counts


def test_the_layers_of_a_triangle():
    board = Board(1, 3, leaper=(0, 1), wrap="cylinder")
    certificate = kt.certificates.certify_count(board, closed=True)
    found = kt.certificates.verify(certificate)
    assert found.is_right and found.detail == "checked: 1 states in 3 layers, computed again"
    layers = certificate.record["proof"]["layers"]
    assert [(layer["states"], layer["closed"], layer["data"]) for layer in layers] == [
        (1, "0", {"1-2": 1}),
        (0, "1", {}),
        (0, "0", {}),
    ]


def test_layers_of_small_and_large_boards():
    proof = {"kind": "layers", "order": [0, 1], "layers": []}
    two = {"rows": 1, "cols": 2, "leaper": [0, 1]}
    for answer, more in (("count", {"count": "0", "directed": False}), ("impossible", {})):
        found = claim(two, answer, proof, closed=True, **more)
        assert (found.verdict, found.detail) == (
            kt.certificates.Verdict.WRONG,
            "layers require at least three squares",
        )
        found = claim({"rows": 20, "cols": 51}, answer, proof, **more)
        assert found.detail == "states are checked on boards of up to 1,000 squares"
        assert found.verdict is kt.certificates.Verdict.UNCHECKED
        found = claim({"rows": 20, "cols": 50}, answer, proof, **more)
        assert found.detail == '"order" must contain each square of the graph once'
