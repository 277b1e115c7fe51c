"""Tests of certificates of searches and counts: valid ones, and changed clauses, numbers and states."""

import copy
import itertools
import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import examples
from helpers.stranger import Question
from helpers.stranger import clauses_of as stranger_clauses_of
from knightstour.core.model.budget import Budget
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.clauses import clauses_of, image_moves
from knightstour.lab.certificates.drat import check_drat, search_clauses_of
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.loop_graph import edges_of, loop_graph
from knightstour.lab.certificates.make_bounds import layers_for
from knightstour.lab.certificates.make_drat import search_for
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import Allowance, Wrong


@pytest.fixture(scope="module")
def certificate():
    # An argument would do, too; its clauses and cuts are few.
    problem = kt.Problem((3, 8), closed=True)
    record = {**question_record(problem), "answer": "impossible"}
    return Certificate({**record, "proof": search_for(record, Budget())})


def test_files_for_other_checkers(certificate, tmp_path):
    certificate.write_cnf(tmp_path / "none.cnf")
    first, *clauses = (tmp_path / "none.cnf").read_text().splitlines()
    assert first.split()[:2] == ["p", "cnf"] and int(first.split()[3]) == len(clauses)
    assert all(line.endswith(" 0") for line in clauses)
    assert (tmp_path / "none.drat").read_text().splitlines()[-1] == "0"


def brute_force(clauses, top):
    return any(
        all(any((literal > 0) == bool(bits >> abs(literal) - 1 & 1) for literal in clause) for clause in clauses)
        for bits in range(1 << top)
    )


@pytest.mark.long
@examples(300)
@given(st.integers(1, 6), st.data())
def test_satisfiable_clauses_have_no_proof(top, data):
    literal = st.integers(1, top).flatmap(lambda v: st.sampled_from([v, -v]))
    clause = st.lists(literal, max_size=3)
    clauses = data.draw(st.lists(clause, max_size=16))
    lines = [" ".join(map(str, [*c, 0])) for c in data.draw(st.lists(clause, max_size=6))]
    lines = [data.draw(st.sampled_from(["", "d "])) + line for line in lines] + ["0"]
    try:
        check_drat([list(dict.fromkeys(c)) for c in clauses], lines, Allowance(10**6, 60))
        is_proved = True
    except Wrong:
        is_proved = False
    assert not (is_proved and brute_force(clauses, top))


@examples(100)
@given(st.integers(0, 10**6))
def test_proofs_of_a_solver_are_right(seed):
    solvers = pytest.importorskip("pysat.solvers")
    rng = random.Random(seed)
    clauses = [[rng.choice((v, -v)) for v in rng.sample(range(1, 13), 3)] for _ in range(70)]
    with solvers.Cadical195(bootstrap_with=clauses, with_proof=True) as solver:
        if solver.solve():
            return
        check_drat(clauses, solver.get_proof(), Allowance(10**6, 60))


# ---------------------------------------------------------------- searches by states, and counts


def spoilt_by(count_certificate, change):
    copied = copy.deepcopy(dict(count_certificate.record))
    change(copied)
    return kt.certificates.verify(copied)


@pytest.fixture(scope="module")
def count_certificate():
    return kt.certificates.certify_count((3, 10), closed=True)


def test_error_names_the_invalid_part_of_a_count(count_certificate):
    assert spoilt_by(count_certificate, lambda c: c.update(count="17")).detail == "count: the layers lead to 16"
    assert spoilt_by(count_certificate, lambda c: c.update(directed=True)).detail == "count: the layers lead to 32"
    assert (
        spoilt_by(count_certificate, lambda c: c["proof"]["layers"].pop()).detail
        == "there are 29 layers for 30 squares"
    )
    assert (
        spoilt_by(count_certificate, lambda c: c["proof"]["order"].reverse()).verdict is kt.certificates.Verdict.WRONG
    )
    assert spoilt_by(count_certificate, lambda c: c["proof"]["order"].append(0)).detail.startswith('"order" must')
    # The proof of another board.
    assert (
        spoilt_by(count_certificate, lambda c: c["board"].update(rows=5, cols=6)).verdict
        is kt.certificates.Verdict.WRONG
    )


def test_no_tour_by_states():
    problem = kt.Problem((3, 8), closed=True)
    record = {**question_record(problem), "answer": "impossible"}
    record["proof"] = layers_for(problem, record, Allowance(10**6, 60))
    found = kt.certificates.verify(record)
    states = sum(layer["states"] for layer in record["proof"]["layers"])
    assert found.is_right and found.detail == f"checked: {states:,} states in 24 layers, computed again"
    with_tours = kt.Problem((3, 10), closed=True)
    claimed = {**question_record(with_tours), "answer": "impossible"}
    claimed["proof"] = layers_for(with_tours, claimed, Allowance(10**6, 60))
    assert kt.certificates.verify(claimed).detail == "layers: there are 16 tours"


def test_states_are_bounded(count_certificate):
    assert kt.certificates.verify(count_certificate, max_nodes=100).verdict is kt.certificates.Verdict.UNCHECKED
    with pytest.raises(kt.LimitReached, match="too many"):
        kt.certificates.certify_count((5, 6), closed=True, max_nodes=20_000)
    with pytest.raises(kt.ProblemError, match="one or two squares"):
        kt.certificates.certify_count((1, 2), closed=True)


@pytest.mark.slow
def test_the_count_of_6x6_has_a_certificate():
    count_certificate = kt.certificates.certify_count((6, 6), closed=True)
    assert count_certificate.record["count"] == "9862" and kt.certificates.verify(count_certificate).is_right


# ---------------------------------------------------------------- the clauses of symmetric tours


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
    "required and forbidden moves": ((5, 6), True, "180", {"require": ["c3-d5", "c3-e4"], "forbid": ["a1-b3"]}),
    "an open tour with a required move": ((3, 4), False, "180", {"require": ["a1-b3", "c3-d1"]}),
    "an open tour with an end and a required move": ((3, 4), False, "180", {"start": "a3", "require": ["a1-b3"]}),
    "an open tour with ends": ((3, 4), False, "180", {"start": "a3", "end": "d1", "forbid": ["a2-c1"]}),
    "moves whose images are forbidden": ((3, 10), True, "Sulian", {"forbid": ["a1-b3", "e2-g3"]}),
}


def question_about(size, closed, symmetry, conditions):
    asked = json.loads(json.dumps(question_record(kt.Problem(size, closed=closed, symmetry=symmetry, **conditions))))
    return asked, question_of(asked)


def images_by_hand(size, symmetry):
    rows, cols = size
    images = []
    for name in KINDS.get(symmetry, [symmetry]):
        there = (TURNS[name](*divmod(square, cols), rows, cols) for square in range(rows * cols))
        images.append([r * cols + c for r, c in there])
    return images


@pytest.mark.parametrize("name", QUESTIONS)
def test_clauses_match_the_page(name):
    asked, question = question_about(*QUESTIONS[name])
    near, cut = loop_graph(question), {"cuts": [[0]], "drat": ""}
    all_clauses = clauses_of(near, [], image_moves(question, near, images_of(question)))
    stranger = Question(asked)
    assert stranger_clauses_of(stranger, stranger.loop_graph(), []) == all_clauses
    assert search_clauses_of(question, {"proof": cut})[:-1] == all_clauses


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
def test_tour_has_only_one_kind(size, kind):
    record = kt.solve(size, closed=True, symmetry=kind, seed=1).certificate().record
    others = {"Eulerian", "Bergholtian", "Sulian", "Murraian"} | ({"birotary"} if size[0] == size[1] else set())
    for other in others:
        found = kt.certificates.verify({**record, "symmetry": other})
        assert found.verdict is (kt.certificates.Verdict.RIGHT if other == kind else kt.certificates.Verdict.WRONG), (
            other,
            found,
        )


def test_every_tour_has_the_identity_as_a_symmetry():
    record = kt.solve((3, 4), seed=1).certificate().record
    assert kt.certificates.verify({**record, "symmetry": "identity"}).is_right


def test_colours_exclude_only_one_kind_of_half_turn():
    record = kt.solve((6, 6), closed=True, symmetry="Bergholtian").certificate().record
    assert record["proof"] == {"kind": "symmetry"} and kt.certificates.verify(record).is_right
    assert kt.certificates.verify({**record, "symmetry": "Eulerian"}).verdict is kt.certificates.Verdict.WRONG
