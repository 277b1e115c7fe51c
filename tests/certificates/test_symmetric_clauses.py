"""The clauses of symmetric tours: those of docs/certificates.md, which symmetric tours meet and no others do."""

from __future__ import annotations

import itertools
import json

import pytest

import knightstour as kt
from helpers.small_problems import adjacency_of
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.check_search import search_clauses_of
from knightstour.lab.certificates.clauses import clauses_of, image_moves
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.loop_graph import edges_of, loop_graph
from knightstour.lab.certificates.question import question_of

TURNS = {
    "180": lambda r, c, m, n: (m - 1 - r, n - 1 - c),
    "vertical": lambda r, c, m, n: (r, n - 1 - c),
    "horizontal": lambda r, c, m, n: (m - 1 - r, c),
    "90": lambda r, c, m, n: (c, n - 1 - r),
}
KINDS = {"Eulerian": ["180"], "birotary": ["90"], "Sulian": ["vertical", "horizontal"]}

QUESTIONS = {
    "a half turn": ((5, 6), True, "180", {}),
    "a reflection": ((3, 10), True, "vertical", {}),
    "a quarter turn": ((6, 6), True, "90", {}),
    "either of two reflections": ((3, 10), True, "Sulian", {}),
    "a kind of one symmetry": ((5, 6), True, "Eulerian", {}),
    "required and forbidden moves": ((5, 6), True, "180", {"through": ["c3-d5", "c3-e4"], "avoid": ["a1-b3"]}),
    "an open tour with a required move": ((3, 4), False, "180", {"through": ["a1-b3", "c3-d1"]}),
    "an open tour with an end and a required move": ((3, 4), False, "180", {"start": "a3", "through": ["a1-b3"]}),
    "an open tour with ends": ((3, 4), False, "180", {"start": "a3", "end": "d1", "avoid": ["a2-c1"]}),
    "moves whose images are forbidden": ((3, 10), True, "Sulian", {"avoid": ["a1-b3", "e2-g3"]}),
}


def question_about(size, closed, symmetry, conditions):
    problem = kt.Problem.of(size, closed=closed, symmetry=symmetry, **conditions)
    return problem, question_of(json.loads(json.dumps(question_record(problem))))


def images_by_hand(size, symmetry):
    rows, cols = size
    images = []
    for name in KINDS.get(symmetry, [symmetry]):
        there = (TURNS[name](*divmod(square, cols), rows, cols) for square in range(rows * cols))
        images.append([r * cols + c for r, c in there])
    return images


def clauses_by_hand(question, size, symmetry):
    """The clauses of a symmetry as the page describes them, for squares of up to 12 moves."""
    near = loop_graph(question)
    variable = {move: k for k, move in enumerate(edges_of(near), 1)}
    board = adjacency_of(kt.Board(*size))
    number = {square: square[0] * size[1] + square[1] for square in board}
    moves = sorted({tuple(sorted((number[a], number[b]))) for a, others in board.items() for b in others})
    virtual = 0 if question.closed else 2 if (question.start is None) != (question.end is None) else 1
    middles = {
        move: size[0] * size[1] + virtual + k
        for k, move in enumerate(sorted(tuple(sorted(move)) for move in question.through))
    }
    forbidden = {tuple(sorted(move)) for move in question.avoid}
    of_move = {
        move: variable[move[0], middles[move]] if move in middles else variable[move]
        for move in moves
        if move not in forbidden
    }
    images = images_by_hand(size, symmetry)
    chosen = [len(variable) + 1 + k for k in range(len(images))] if len(images) > 1 else []
    clauses = [chosen] if chosen else []
    for k, image in enumerate(images):
        unless = [-chosen[k]] if chosen else []
        for (a, b), m in of_move.items():
            there = of_move.get(tuple(sorted((image[a], image[b]))))
            if there is None:
                clauses.append([*unless, -m])
            elif there != m:
                clauses.append([*unless, -m, there])
    return clauses


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_clauses_are_those_of_the_page(name):
    size, closed, symmetry, conditions = QUESTIONS[name]
    _, question = question_about(size, closed, symmetry, conditions)
    near = loop_graph(question)
    images = image_moves(question, near, images_of(question))
    plain, all_clauses = clauses_of(near, []), clauses_of(near, [], images)
    assert all_clauses == plain + clauses_by_hand(question, size, symmetry)
    assert search_clauses_of(question, {"proof": {"cuts": [[0]], "drat": ""}})[:-1] == all_clauses


@pytest.mark.parametrize(
    ("size", "symmetry", "count"),
    [((5, 6), "180", 0), ((3, 10), "vertical", 4), ((3, 10), "Sulian", 4), ((3, 10), "180", 4)],
    ids=str,
)
def test_symmetric_tours_meet_the_clauses_and_no_others_do(size, symmetry, count):
    _, question = question_about(size, True, symmetry, {})
    near = loop_graph(question)
    variable = {move: k for k, move in enumerate(edges_of(near), 1)}
    clauses = clauses_of(near, [], image_moves(question, near, images_of(question)))
    images = images_by_hand(size, symmetry)
    extra = [len(variable) + 1 + k for k in range(len(images))] if len(images) > 1 else []
    met = 0
    for tour in kt.iter_tours(size, closed=True):
        order = (tour.squares[:, 0] * size[1] + tour.squares[:, 1]).tolist()
        moves = {frozenset(move) for move in itertools.pairwise([*order, order[0]])}
        is_symmetric = any({frozenset(image[square] for square in move) for move in moves} == moves for image in images)
        used = {k for move, k in variable.items() if frozenset(move) in moves}
        choices = [used | {one} for one in extra] or [used]
        met += is_symmetric
        assert is_symmetric == any(
            all(any((literal > 0) == (abs(literal) in chosen) for literal in clause) for clause in clauses)
            for chosen in choices
        )
    assert met == count


@pytest.mark.parametrize(
    ("size", "kind"),
    [((3, 14), "Eulerian"), ((3, 10), "Bergholtian"), ((3, 10), "Sulian"), ((6, 6), "Eulerian"), ((6, 6), "birotary")],
    ids=str,
)
def test_a_tour_of_a_kind_is_of_no_other_kind(size, kind):
    record = kt.solve(size, closed=True, symmetry=kind, rng=1).certificate.record
    others = {"Eulerian", "Bergholtian", "Sulian", "Murraian"} | ({"birotary"} if size[0] == size[1] else set())
    for other in others:
        found = kt.verify({**record, "symmetry": other})
        assert found.verdict is (kt.certificates.Verdict.RIGHT if other == kind else kt.certificates.Verdict.WRONG), (
            other,
            found,
        )


def test_every_tour_has_the_identity_as_a_symmetry():
    record = kt.solve((3, 4), rng=1).certificate.record
    assert kt.verify({**record, "symmetry": "identity"}).is_right


def test_colours_exclude_one_kind_of_half_turns_and_not_the_other():
    record = kt.solve((6, 6), closed=True, symmetry="Bergholtian").certificate.record
    assert record["proof"] == {"kind": "symmetry"} and kt.verify(record).is_right
    assert kt.verify({**record, "symmetry": "Eulerian"}).verdict is kt.certificates.Verdict.WRONG
