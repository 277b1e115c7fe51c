"""Tests of certificates with conditions: valid ones, and changed conditions or parts."""

import copy
import io
import itertools
import json

import networkx as nx
import pytest
from hypothesis import HealthCheck, assume, event, given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.small_problems import adjacency_of, conditioned_problems
from helpers.stranger import is_right
from helpers.strategies import boards
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.problem import Problem, condition_names, has_given_end, is_numbered, replace_conditions
from knightstour.core.model.symmetry import symmetries
from knightstour.core.proofs.symmetric import no_action
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.question import question_of

pytest.importorskip("pysat")


def numberings(problem):
    """Return all solutions as lists of square numbers, by trying every walk."""
    near = adjacency_of(problem.board)
    cols = problem.board.cols
    for walk in reference.all_tours(near, start=problem.start, end=problem.end):
        if problem.closed and (len(walk) < 3 or walk[0] not in near[walk[-1]]):
            continue
        order = [row * cols + col for row, col in walk]
        if fault_of(problem, order) is None:
            yield order


def spoilt(certificate, change):
    """Return the verdict after a change to the certificate."""
    copied = copy.deepcopy(dict(certificate.record))
    change(copied)
    return kt.certificates.verify(copied)


@pytest.mark.long
@examples(300)
@given(conditioned_problems())
def test_small_conditioned_problems_have_valid_certificates(problem):
    has_tour = next(numberings(problem), None) is not None
    result = kt.solve(problem, seed=1)
    certificate = result.certificate()
    found = kt.certificates.verify(io.StringIO(certificate.to_json()))
    # That no tour has the given numbers is known by its source alone.
    unproved = is_numbered(problem) and not has_tour and found.verdict is kt.certificates.Verdict.UNCHECKED
    assert found.is_right or unproved, found
    assert certificate.record["answer"] == ("found" if has_tour else "impossible")
    assert set(condition_names(problem)) <= set(certificate.record)


@examples(150)
@given(conditioned_problems(most_squares=9, numbers=False), st.booleans())
def test_counts_under_conditions_match_all_walks(problem, directed):
    assume(len(problem.board) >= 3)
    certificate = kt.certificates.certify_count(problem, directed=directed)
    walks = len(list(numberings(problem)))
    if problem.closed:
        # From each square, or from the start alone; the other direction is the same tour.
        walks //= 1 if problem.start is not None else len(problem.board)
    expected = walks // (1 if directed or has_given_end(problem) else 2)
    assert certificate.record["count"] == str(expected)
    assert kt.certificates.verify(certificate).is_right and is_right(certificate.to_json())


# ---------------------------------------------------------------- damage

# The Petersen graph has no closed tour, and with any edge more it has one.
ASKED = {
    "required": ((6, 6), {"closed": True, "require": ["a6-c5", "c5-b3", "c5-d3"]}, "argument"),
    "forbidden": ((8, 8), {"closed": True, "forbid": ["a1-b3"]}, "argument"),
    "by search": (
        kt.Board.from_graph(nx.Graph([*nx.petersen_graph().edges, (0, 2)])),
        {"closed": True, "forbid": [(0, 2)]},
        "search",
    ),
}


@pytest.mark.parametrize("name", ASKED)
def test_without_its_conditions_the_proof_is_wrong(name):
    board, conditions, kind = ASKED[name]
    result = kt.solve(board, **conditions)
    assert result.status is kt.Status.IMPOSSIBLE
    certificate = result.certificate()
    assert kind in (None, certificate.kind) and kt.certificates.verify(certificate).is_right
    (word,) = set(certificate.record) & {"require", "forbid"}
    assert spoilt(certificate, lambda c: c.pop(word)).verdict is kt.certificates.Verdict.WRONG
    # The same proof for conditions that a tour meets.
    for seed in range(5):
        squares = kt.find_tour(board, closed=True, seed=seed).order.tolist()
        made = {(min(pair), max(pair)) for pair in itertools.pairwise([*squares, squares[0]])}
        moves = result.problem.board.move_graph().edges().tolist()
        met = {
            "require": sorted(map(list, made))[:3],
            "forbid": [pair for pair in moves if tuple(pair) not in made][:2],
        }
        assert (
            spoilt(certificate, lambda c, met=met: c.update({word: met[word]})).verdict is kt.certificates.Verdict.WRONG
        )
    if certificate.kind == "search":
        assert spoilt(certificate, lambda c: c["proof"]["cuts"].clear()).verdict is kt.certificates.Verdict.WRONG
        assert spoilt(certificate, lambda c: c["proof"].update(drat="0")).verdict is kt.certificates.Verdict.WRONG


def test_rejects_tours_that_violate_a_condition():
    tour = kt.find_tour((6, 6), closed=True, start="a1", seed=1)
    squares = tour.order.tolist()
    near = tour.board.move_graph().neighbour_lists()
    at = next(k for k in range(2, 34) if len(near[squares[k]]) > 2)
    made = squares[at : at + 2]
    other = next(s for s in near[made[0]] if s not in squares[at - 1 : at + 2])
    good = kt.solve((6, 6), closed=True, start="a1", seed=1).certificate()

    def asked(**conditions):
        return spoilt(good, lambda c: c.update(conditions))

    assert asked(require=[made], forbid=[[made[0], other]], given=[[made[0], [1, at + 1]]]).is_right
    assert asked(require=[[squares[-1], squares[0]]]).is_right
    assert "required move" in asked(require=[[made[0], other]]).detail
    assert "forbidden move" in asked(forbid=[made]).detail
    assert "forbidden move" in asked(forbid=[[squares[-1], squares[0]]]).detail
    assert f"has step {at + 1}" in asked(given=[[made[0], [at, at + 2]]]).detail
    with pytest.raises(kt.FormatError, match="given numbers"):
        asked(symmetry="180", given=[[made[0], [at + 1]]])


MALFORMED = {
    "no pairs": {"forbid": [[0]]},
    "both": {"require": [[0, 8]], "forbid": [[8, 0]]},
    "a text": {"require": "a1-b3"},
    "no square": {"given": [[36, [1]]]},
    "twice": {"given": [[0, [1]], [0, [1]]]},
    "no list": {"given": {"a1": 1}},
    "no symmetry": {"symmetry": "45"},
    "a shift": {"symmetry": "shift (0, 1)"},
    "a line end": {"symmetry": "180\n"},
    "a symmetry without a name": {"symmetry": ""},
    "a turn and nothing": {"symmetry": "180 + "},
    "a turn and a shift in one word": {"symmetry": "180shift (0, 0)"},
    "a number": {"symmetry": 90},
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed_conditions_are_one_clear_error(name):
    good = kt.solve((6, 6), closed=True, seed=1).certificate()
    with pytest.raises(kt.FormatError) as error:
        spoilt(good, lambda c: c.update(MALFORMED[name]))
    assert len(str(error.value)) < 200


def test_counts_reject_given_numbers_and_symmetry():
    plain = kt.certificates.certify_count((3, 10), closed=True)
    for more in ({"given": [[0, [1]]]}, {"symmetry": "180"}):
        assert "do not support" in spoilt(plain, lambda c, more=more: c.update(more)).detail
    with pytest.raises(kt.ProblemError, match="does not support symmetry"):
        kt.certificates.certify_count(Problem((6, 6), closed=True, symmetry="180"))


# ---------------------------------------------------------------- symmetric tours

SYMMETRIC = [
    (kt.Board(6, 6), True, "90"),
    (kt.Board(6, 6), True, "180"),
    (kt.Board(5, 10), True, "vertical"),
    (kt.Board(7, 6), True, "Eulerian"),
    (kt.Board(7, 6), True, "Sulian"),
    (kt.Board(6, 6), True, "Bergholtian"),
    (kt.Board(3, 10), True, "Murraian"),
    (kt.Board(5, 5), False, "180"),
    (kt.Board(3, 4), False, "180"),
    (kt.Board(5, 6), True, "180"),
    (kt.Board(4, 4, wrap="torus"), True, "shift (0, 2)"),
    (kt.Board(4, 4, wrap="torus"), True, "90 + shift (1, 2)"),
    (kt.Board(3, 6, wrap="klein"), True, "shift (0, 3)"),
    (kt.Board(3, 6, wrap="mobius"), True, "shift (0, 3)"),
    (kt.Board(4, 4), True, "180"),
    (kt.Board(8, 8), True, "90"),
]


@pytest.mark.parametrize(("board", "closed", "symmetry"), SYMMETRIC, ids=str)
def test_symmetric_answers_have_certificates(board, closed, symmetry):
    result = kt.solve(board, closed=closed, symmetry=symmetry, seed=1)
    assert result.status is not kt.Status.UNDECIDED
    certificate = result.certificate()
    found = kt.certificates.verify(certificate)
    if certificate.kind == "theorem":
        assert found.verdict is kt.certificates.Verdict.UNCHECKED
    else:
        assert found.is_right, found
    assert f"with symmetry {symmetry}" in found.claim
    if result.status is kt.Status.FOUND:
        # Other seeds may happen to give a symmetric tour.
        plain = kt.solve(board, closed=closed, seed=0).certificate().record["proof"]
        assert spoilt(certificate, lambda c: c.update(proof=plain)).verdict is kt.certificates.Verdict.WRONG
    elif certificate.kind == "search":
        # The board has tours, so the proof is about the symmetry.
        assert spoilt(certificate, lambda c: c.pop("symmetry")).verdict is kt.certificates.Verdict.WRONG


@pytest.mark.long
@examples(200, suppressed=(HealthCheck.filter_too_much,))
@given(boards(most_side=5), st.booleans(), st.data())
def test_colour_and_toughness_exclude_no_tour(board, closed, data):
    names = [found.name for found in itertools.islice(symmetries(board), 1, 9)]
    assume(names and len(board) <= 8)
    try:
        problem = Problem(board, closed=closed, symmetry=data.draw(st.sampled_from([*names, *KINDS])))
    except kt.KnightsTourError:
        assume(False)
    claimed = {**question_record(problem), "answer": "impossible", "proof": {"kind": "symmetry"}}
    is_right = kt.certificates.verify(json.loads(json.dumps(claimed))).is_right
    # A board in pieces has no tour at all, and no colours that hang together.
    is_whole = nx.is_connected(board.to_networkx())
    assert is_right >= (no_action(problem) is not None and len(board) > 2 and is_whole)
    if is_right:
        assert not any(True for _ in numberings(problem))


@pytest.mark.parametrize(
    "board",
    [
        kt.Board(3, 4),
        kt.Board(4, 4, holes=["a1", "d4"]),
        *(kt.Board(4, 4, wrap=wrap) for wrap in ("cylinder", "torus", "mobius", "klein")),
        kt.Board(3, 5, wrap="klein"),
        kt.Board(2, 5, wrap="mobius"),
    ],
    ids=str,
)
def test_images_match_the_symmetries(board):
    squares = board.move_graph().squares.tolist()
    for symmetry in symmetries(board):
        record = question_record(replace_conditions(Problem(board, closed=True), symmetry=symmetry.name))
        (image,) = images_of(question_of(json.loads(json.dumps(record))))
        assert [image[square] for square in squares] == symmetry.image[squares].tolist()


@examples(100)
@given(boards(most_side=5), st.booleans(), st.data())
def test_symmetry_with_ends_or_moves_has_a_valid_certificate(board, closed, data):
    names = [found.name for found in itertools.islice(symmetries(board), 1, 9)]
    assume(names and 3 <= len(board) <= 9)
    squares = sorted(adjacency_of(board))
    moves = [(a, b) for a, near in adjacency_of(board).items() for b in near if a < b]
    asked = {"symmetry": data.draw(st.sampled_from(names))}
    if data.draw(st.booleans()):
        asked["start"] = data.draw(st.sampled_from(squares))
    if moves and ("start" not in asked or data.draw(st.booleans())):
        asked[data.draw(st.sampled_from(["require", "forbid"]))] = [data.draw(st.sampled_from(moves))]
    try:
        problem = Problem(board, closed=closed, **asked)
        certificate = kt.solve(problem, seed=1).certificate()
    except kt.KnightsTourError:
        assume(False)
    found = kt.certificates.verify(io.StringIO(certificate.to_json()))
    has_tour = next(numberings(problem), None) is not None
    assert certificate.record["answer"] == ("found" if has_tour else "impossible")
    # Some proofs are known here by their source alone; nothing is ever wrong.
    assert found.is_right or (not has_tour and found.verdict is kt.certificates.Verdict.UNCHECKED), found
    event("checked" if found.is_right else "unchecked")
