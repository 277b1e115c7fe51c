"""Tests of certificates of best tours: valid ones, and changed numbers, tours and bounds."""

import copy
import functools
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import examples, mostly_long
from helpers.objectives import OBJECTIVES, goal
from knightstour.core.model.board import move_graph
from knightstour.core.statistics.strokes import Strokes
from knightstour.core.statistics.table import STATISTICS
from knightstour.interfaces.cli import app
from knightstour.lab.certificates.bounds import Better, counted_moves
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.layers import Steps, digest_of, sums_of, texts_of
from knightstour.lab.certificates.loop_graph import loop_graph
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import Allowance

BY_MOVES = [name for name, row in STATISTICS.items() if row.adds_up_over == "moves"]
OBJECTIVES_BY_MOVES = [name for name, row in OBJECTIVES.items() if row.statistic in BY_MOVES]


@functools.cache
def best(board: str, objective: str, closed: bool = True) -> kt.certificates.Certificate:
    return kt.solve(board, closed=closed, **goal(objective), optimal=True, seed=1).certificate()


def spoilt(certificate: kt.certificates.Certificate, change: Callable[[Any], object]) -> kt.certificates.Verification:
    record = copy.deepcopy(dict(certificate.record))
    change(record)
    return kt.certificates.verify(record)


@pytest.mark.parametrize(
    "board",
    [kt.Board(5, 6), kt.Board(9, 7), kt.Board(6, 6, holes=[(0, 0), (3, 2)]), kt.Board(9, 10, leaper=(1, 4))],
    ids=str,
)
@pytest.mark.parametrize("name", BY_MOVES)
def test_checker_counts_the_moves_of_each_statistic(name: str, board: kt.Board) -> None:
    graph = move_graph(board)
    added = STATISTICS[name].of(Strokes.of_moves(board)).tolist()
    ends = zip(graph.tails.tolist(), graph.targets.tolist(), added, strict=True)
    expected = {(a, b) for a, b, is_counted in ends if is_counted and a < b}
    record = json.loads(json.dumps(question_record(kt.Problem(board))))
    assert counted_moves(question_of(record), {"statistic": name}) == expected
    assert expected


@pytest.mark.parametrize("objective", mostly_long(OBJECTIVES_BY_MOVES, 5))
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_the_best_of_all_tours_is_certified(objective: str, closed: bool) -> None:
    board = "3x10" if closed else "3x7"
    certificate, row = best(board, objective, closed), OBJECTIVES[objective]
    values = kt.measure(list(kt.iter_tours(board, closed=closed)), row.statistic, closed=closed)[row.statistic]
    assert certificate.record["value"] == (min if row.sign > 0 else max)(values.tolist())
    assert certificate.kind == "bounds" and kt.certificates.verify(certificate).is_right


@examples(50)
@given(st.sampled_from(OBJECTIVES_BY_MOVES), st.booleans(), st.randoms(use_true_random=False))
def test_weights_never_exclude_existing_tours(objective: str, closed: bool, chance: random.Random) -> None:
    # Whatever the weights, layers that are made by the rules show that a tour is best if it is, and only then. With
    # cuts a tour that leaves one more than twice may look better than it is.
    problem = kt.Problem("3x10" if closed else "3x4", closed=closed)
    row, tours = OBJECTIVES[objective], list(kt.iter_tours(problem))
    values = kt.measure(tours, row.statistic, closed=closed)[row.statistic].tolist()
    least = min(row.sign * value for value in values)
    tour = chance.choice(tours)
    record = question_record(problem) | {"answer": "best", "statistic": row.statistic, "most": row.sign < 0}
    record["value"] = row.of(tour, closed)
    count = len(problem.board) + (not closed)
    cuts = [chance.sample(range(count), chance.randrange(1, count)) for _ in range(chance.randrange(3))]
    weights, unit = [chance.randrange(-9, 10) for _ in range(count)], chance.randrange(1, 9)
    proof: dict[str, Any] = {
        "cuts": cuts,
        "weights": weights,
        "unit": unit,
        "order": chance.sample(range(count), count),
    }
    proof |= {"kind": "bounds", "squares": tour.order.tolist(), "layers": []}
    record["proof"] = proof
    proof["layers"] = layers_of(record)
    is_best = row.sign * row.of(tour, closed) == least
    found = kt.certificates.verify(record)
    assert found.is_right is is_best or (is_best and cuts)
    assert found.is_right or found.detail == "layers: they do not exclude a better tour"


def layers_of(record: dict[str, Any]) -> list[dict[str, object]]:
    """Return the expected layers of a certificate."""
    question = question_of(record)
    near = loop_graph(question)
    steps = Steps.of(near, record["proof"]["order"], Better.of(question, record, near))
    layer = steps.start
    claims: list[dict[str, object]] = []
    for step in range(len(steps.order)):
        layer, closed = steps.follow(layer, step, Allowance(10**8, 60))
        claim = {"states": len(layer), "closed": str(closed), "sums": sums_of(layer)}
        claims.append(claim | {"sha256": digest_of(texts_of(layer))})
    return claims


@examples(200)
@given(st.randoms(use_true_random=False))
def test_state_memory_matches_the_page(chance: random.Random) -> None:
    count = chance.randrange(2, 8)
    moves = [(a, b) for a in range(count) for b in range(a) if chance.random() < 0.7]
    worth = {move: chance.randrange(-1, 3) for move in moves if chance.random() < 0.8}
    weights, unit = {square: chance.randrange(-5, 6) for square in range(count)}, chance.randrange(1, 5)
    ahead = {a: [b for b in range(count) if (a, b) in moves or (b, a) in moves] for a in range(count)}
    ends: dict[int, int] = {}
    for a, b in zip(range(0, count - 1, 2), range(1, count, 2), strict=False):
        ends |= chance.choice([{}, {a: b, b: a}, {a: a}, {b: b}, {a: a, b: b}])
    both_ways = worth | {(b, a): each for (a, b), each in worth.items()}
    better = Better(both_ways, weights, unit, goal=chance.randrange(-3, 9))
    lacks = {square: 2 if square not in ends else int(ends[square] != square) for square in range(count)}
    bound = sum(weights[square] * lacks[square] for square in range(count))
    for a, b in moves:
        if lacks[a] and lacks[b]:
            bound += max(0, unit * worth.get((a, b), 0) - weights[a] - weights[b])
    need = better.minimum_after(ahead)(ends)
    assert unit * need + bound >= unit * better.goal > unit * (need - 1) + bound


def test_a_move_out_of_a_cut_is_worth_one_more() -> None:
    record = json.loads(json.dumps(question_record(kt.Problem("3x4"))))
    record |= {"statistic": [[0, 6], [1, 7]], "most": False, "value": 1}
    near = loop_graph(question_of(record))
    proof = {"weights": list(range(13)), "unit": 3}

    def better(*cuts: list[int]) -> Better:
        return Better.of(question_of(record), record | {"proof": proof | {"cuts": list(cuts)}}, near)

    assert better() == Better({(0, 6): -1, (6, 0): -1, (1, 7): -1, (7, 1): -1}, dict(enumerate(range(13))), 3, 0)
    cut = better([0], [0, 7])
    assert near[0] == {6, 9, 12} and near[7] == {1, 9, 12} and cut.goal == 4
    expected = {(0, 6): 1, (0, 9): 2, (0, 12): 2, (1, 7): 0, (7, 9): 1, (7, 12): 1}
    assert cut.worth == expected | {(b, a): each for (a, b), each in expected.items()}


# ---------------------------------------------------------------- spoilt ones


def test_every_part_of_a_claim_is_checked() -> None:
    certificate = best("5x6", "most-flat-up")
    assert str(kt.certificates.verify(certificate)).startswith(
        "right: 8 by flat-up are the most that a closed tour has of the 5x6"
    )
    assert spoilt(certificate, lambda c: c.update(value=9)).detail == "value: the tour has 8"
    assert spoilt(certificate, lambda c: c.update(value=7)).detail == "value: the tour has 8"
    assert spoilt(certificate, lambda c: c.update(statistic="flat-down")).detail.startswith("value: ")
    assert spoilt(certificate, lambda c: c.update(most=False)).verdict is kt.certificates.Verdict.WRONG
    assert spoilt(certificate, lambda c: c.update(closed=False)).verdict is kt.certificates.Verdict.WRONG
    other = next(tour for tour in kt.iter_tours("5x6", closed=True) if OBJECTIVES["flat-up"].of(tour) != 8)
    found = spoilt(certificate, lambda c: c["proof"].update(squares=other.order.tolist()))
    assert found.detail == f"value: the tour has {OBJECTIVES['flat-up'].of(other)}"
    # A tour with its own number, and the proof for another one.
    value = OBJECTIVES["flat-up"].of(other)
    assert value < 8
    changed = spoilt(certificate, lambda c: (c.update(value=value), c["proof"].update(squares=other.order.tolist())))
    assert changed.verdict is kt.certificates.Verdict.WRONG and changed.detail.startswith("layer ")


def test_every_part_of_the_layers_is_checked() -> None:
    certificate = best("5x6", "most-flat-up")
    proof: Any = certificate.record["proof"]
    k = max(range(len(proof["layers"])), key=lambda k: proof["layers"][k]["states"])
    state = next(iter(proof["layers"][k]["data"]))
    wrong: dict[str, Callable[[Any], object]] = {
        "a value": lambda p: p["layers"][k]["data"].update({state: p["layers"][k]["data"][state] + 1}),
        "a state left out": lambda p: p["layers"][k]["data"].pop(state),
        "a number of states": lambda p: p["layers"][k].update(states=p["layers"][k]["states"] - 1),
        "a better tour": lambda p: p["layers"][k].update(closed="1"),
        "sums": lambda p: p["layers"][k].update(sums=[0, 0, 1]),
        "a hash": lambda p: p["layers"][k].update(sha256="0" * 64),
        "a layer short": lambda p: p["layers"].pop(),
        "a layer left out": lambda p: p["layers"].pop(k),
        "too many layers": lambda p: p.update(layers=p["layers"] + p["layers"][-1:] * 30),
        "no layers": lambda p: p["layers"].clear(),
        "cut off": lambda p: (p["layers"][k:].clear(), p.update(layers=[*p["layers"][:k], p["layers"][-1]])),
        "an order": lambda p: p["order"].reverse(),
        "lower weights": lambda p: p.update(weights=[weight - 1 for weight in p["weights"]]),
        "a weight short": lambda p: p["weights"].pop(),
        "another unit": lambda p: p.update(unit=2 * p["unit"]),
    }
    for what, change in wrong.items():
        found = spoilt(certificate, lambda c, change=change: change(c["proof"]))
        assert found.verdict is kt.certificates.Verdict.WRONG, what
    detail = spoilt(certificate, lambda c: c["proof"]["weights"].pop()).detail
    assert detail == "there are 29 weights for 30 squares"


@pytest.mark.parametrize("cut", [[], list(range(48)), [1, 1], [48]], ids=str)
def test_rejects_invalid_cuts_of_bounds(cut: list[int]) -> None:
    certificate = best("6x8", "across-columns")
    (right,) = certificate.record["proof"]["cuts"]  # type: ignore[index]
    assert sorted(right) == [square for square in range(48) if (square % 8 < 4) is (right[0] % 8 < 4)]
    found = spoilt(certificate, lambda c: c["proof"].update(cuts=[cut]))
    assert found.detail == "cut 1 must be a proper subset of the squares of the graph, without duplicates"
    without = spoilt(certificate, lambda c: c["proof"].update(cuts=[]))
    assert without.detail.startswith("layer 1: there are ")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda c: c.update(statistic="turns"), "no statistic 'turns' counts moves"),
        (lambda c: c.update(statistic=[[0, 1]]), '"statistic" must be pairs of squares one move apart'),
        (lambda c: c.update(statistic=7), '"statistic" must be a text'),
        (lambda c: c.update(most=1), '"most" must be true or false'),
        (lambda c: c.update(value="8"), '"value" must be an integer from 0 to 4,000,000'),
        (lambda c: c["proof"].update(cuts=[[1]] * 101), '"cuts" must be a list of at most 100 items'),
        (lambda c: c["proof"].update(unit=0), '"unit" must be 1 or more'),
        (lambda c: c["proof"].update(weights=[0.5] * 30), '"weights" must be an integer from -1000000000'),
        (lambda c: c["board"].update(wrap="torus"), "named statistics require a board without joined sides"),
        (lambda c: c.update(count="8"), "count"),
    ],
)
def test_rejects_invalid_optimality_certificates(change: Callable[[Any], object], words: str) -> None:
    with pytest.raises(kt.FormatError, match=words.replace("(", r"\(")):
        spoilt(best("5x6", "most-flat-up"), change)


def test_moves_of_a_graph_have_no_slopes() -> None:
    triangle = kt.Board.from_graph({0: [1, 2], 1: [0, 2], 2: [0, 1]})
    question = question_of(json.loads(json.dumps(question_record(kt.Problem(triangle, closed=True)))))
    assert counted_moves(question, {"statistic": [[0, 2]]}) == {(0, 2)}
    with pytest.raises(kt.FormatError, match="named statistics"):
        counted_moves(question, {"statistic": "flat-up"})


# ---------------------------------------------------------------- options


def test_chosen_moves_are_listed() -> None:
    certificate = best("5x6", "most-among=a1-b3+c3-d5")
    assert certificate.record["statistic"] == [[3, 14], [13, 24]]
    found = kt.certificates.verify(certificate)
    assert found.is_right and found.claim.startswith("2 of the chosen moves are the most that a closed tour has")


@pytest.mark.parametrize(
    "question",
    [
        {"board": "3x4", "start": "a1"},
        {"board": "5x5", "start": "a1", "end": "e5"},
        {"board": "5x6", "closed": True, "start": "c3"},
        {"board": kt.Board(6, 6, holes=[(0, 0), (0, 1)]), "closed": True},
    ],
    ids=str,
)
def test_the_best_with_ends_and_holes(question: dict[str, Any]) -> None:
    result = kt.solve(maximize="in-border", optimal=True, seed=1, **question)
    assert result.bound == result.certificate().record["value"] and result.certificate().kind == "bounds"


def test_proof_supports_conditions() -> None:
    # Conditions only exclude tours, so a bound without them also holds with them; required moves become two.
    certificate = best("5x6", "most-flat-up")
    squares: Any = certificate.record["proof"]["squares"]
    move = sorted(squares[:2])
    record: dict[str, Any] = copy.deepcopy(dict(certificate.record)) | {"require": [move]}
    record["proof"] |= {"weights": [0] * 31, "order": [30, *range(30)]}
    record["proof"]["layers"] = layers_of(record)
    assert kt.certificates.verify(record).is_right
    record = dict(certificate.record) | {"forbid": [move]}
    assert kt.certificates.verify(record).detail.startswith("squares: the forbidden move")


def test_rejects_results_without_certificate() -> None:
    turns = kt.solve("3x10", closed=True, minimize="turns", optimal=True, seed=1)
    with pytest.raises(kt.ProblemError, match="there is no certificate for minimize turns"):
        turns.certificate()
    many = kt.solve("5x6", closed=True, maximize="flat-up", optimal=True, seed=1)
    with pytest.raises(kt.ProblemError, match="too many states to exclude better closed tours of the 5x6"):
        many.certificate(max_nodes=1_000)
    improved = kt.solve("5x6", closed=True, minimize="turns", seed=1, max_nodes=10_000)
    assert improved.certificate().kind == "tour"


@pytest.mark.long
def test_at_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def run(*words: object) -> int:
        return app._run([str(word) for word in words], debug=False)

    path, none = tmp_path / "best.json", tmp_path / "none.json"
    asked = ["solve", "5x6", "--closed", "--optimal", "--seed", 1]
    assert run(*asked, "--maximize", "flat-up", "--proof", path) == 0
    capsys.readouterr()
    assert run("check", path) == 0
    assert capsys.readouterr().out.startswith(
        "right: 8 by flat-up are the most that a closed tour has of the 5x6 board"
    )
    assert run(*asked, "--minimize", "turns", "--proof", none) == 2 and not none.exists()
    answer = capsys.readouterr()
    assert answer.out == "" and "there is no certificate for minimize turns" in answer.err
    path.write_text(path.read_text().replace('"value": 8', '"value": 9'))
    assert run("check", path) == 1


@pytest.mark.slow
@pytest.mark.parametrize("objective", ["flat-up", "most-in-border"])
def test_the_best_of_8x8_has_a_certificate(objective: str) -> None:
    certificate = best("8x8", objective)
    assert kt.certificates.verify(certificate).is_right and len(certificate.to_json()) < 20_000
