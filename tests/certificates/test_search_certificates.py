"""Certificates of searches: the clauses, the solver's proof, and what is wrong with a spoilt one."""

from __future__ import annotations

import copy
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.examples import examples
from knightstour.core.model.budget import Budget
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.clauses import MAX_BY_THREES, clauses_of, dimacs
from knightstour.lab.certificates.drat import check_drat
from knightstour.lab.certificates.make_search import search_for
from knightstour.lab.certificates.record import Allowance, TooLong, Wrong

PETERSEN = {
    i: [(i + 1) % 5, (i - 1) % 5, i + 5] if i < 5 else [i - 5, 5 + (i - 3) % 5, 5 + (i - 7) % 5] for i in range(10)
}


@pytest.fixture(scope="module")
def certificate():
    # An argument would do, too; its clauses and cuts are few.
    problem = kt.Problem.of((3, 8), closed=True)
    record = {**question_record(problem), "answer": "impossible"}
    return Certificate({**record, "proof": search_for(record, Budget())})


def spoilt(certificate, **changes):
    copied = copy.deepcopy(dict(certificate.record))
    copied["proof"].update(changes)
    return kt.verify(copied)


def test_a_search_is_right_and_small(certificate):
    assert kt.verify(certificate).is_right and len(certificate.to_json()) < 2500
    petersen = kt.solve(kt.Board.from_graph(both_ways(PETERSEN)), closed=True).certificate
    assert petersen.kind == "search" and kt.verify(petersen).is_right


def test_a_spoilt_search_is_refused(certificate):
    proof = certificate.record["proof"]
    lines = proof["drat"].splitlines()
    assert spoilt(certificate, drat="").detail == "drat: the lines end without the empty clause"
    assert spoilt(certificate, drat="0").detail == "drat, line 1: the clause does not follow by unit propagation"
    assert spoilt(certificate, drat="\n".join(lines[: len(lines) // 2])).verdict is kt.certificates.Verdict.WRONG
    learnt = [k for k, line in enumerate(lines) if not line.startswith("d")]
    refused = [spoilt(certificate, drat="\n".join(lines[:k] + lines[k + 1 :])).is_right for k in learnt[:-1]]
    assert not all(refused)
    changed = [line.split() for line in lines]
    changed[learnt[0]][0] = str(-int(changed[learnt[0]][0]))
    assert spoilt(certificate, drat="\n".join(map(" ".join, changed))).verdict is kt.certificates.Verdict.WRONG


def test_spoilt_cuts_are_refused(certificate):
    cuts = certificate.record["proof"]["cuts"]
    assert spoilt(certificate, cuts=cuts[:-1]).verdict is kt.certificates.Verdict.WRONG
    assert spoilt(certificate, cuts=[]).verdict is kt.certificates.Verdict.WRONG
    assert spoilt(certificate, cuts=[list(range(24))]).detail.startswith("cut 1 must be")
    assert spoilt(certificate, cuts=[[]]).detail.startswith("cut 1 must be")
    assert spoilt(certificate, cuts=[[0, 0]]).detail.startswith("cut 1 must be")
    assert spoilt(certificate, cuts=[[99]]).detail.startswith("cut 1 must be")


def test_the_proof_of_another_board_is_refused(certificate):
    for size in ((3, 10), (4, 8), (5, 6), (6, 6)):
        moved = {**certificate.record, "board": {"rows": size[0], "cols": size[1]}}
        assert kt.verify(moved).verdict is kt.certificates.Verdict.WRONG


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
def test_no_lines_prove_what_can_be_met(top, data):
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


def test_a_tour_meets_the_clauses():
    # A square of many moves is counted: dense graphs, and the virtual square of an open tour.
    size = MAX_BY_THREES + 3
    near = {a: {b for b in range(size) if b != a} for a in range(size)}
    solvers = pytest.importorskip("pysat.solvers")
    pairs = [(a, b) for a in range(size) for b in range(a + 1, size)]
    for moves, is_met in ((set(zip(range(size), [*range(1, size), 0], strict=True)), True), ({(0, 1)}, False)):
        moves = {(min(pair), max(pair)) for pair in moves}
        given_moves = [k if pair in moves else -k for k, pair in enumerate(pairs, 1)]
        with solvers.Cadical195(bootstrap_with=clauses_of(near, [])) as solver:
            assert solver.solve(assumptions=given_moves) is is_met
            extra = next(k for k, pair in enumerate(pairs, 1) if pair not in moves)
            assert not solver.solve(assumptions=[extra if k == -extra else k for k in given_moves])
    assert dimacs([[1, -2], []]) == "p cnf 2 2\n1 -2 0\n0\n"


def test_a_proof_that_takes_too_long_is_left_unchecked(certificate):
    assert kt.verify(certificate, limits=kt.Limits(nodes=100)).verdict is kt.certificates.Verdict.UNCHECKED
    with pytest.raises(TooLong):
        clauses_of({0: set(range(1, 1100))} | {a: {0} for a in range(1, 1100)}, [])
