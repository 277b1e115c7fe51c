"""Tests of certificates of results: created for any problem, accepted by independent checkers."""

import ast
import copy
import io
import json
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.graph_families import shuffled
from helpers.small_problems import adjacency_of, problems
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.problem import keyword_arguments
from knightstour.core.model.result import Status
from knightstour.lab.certificates import check_arguments, record
from knightstour.lab.certificates.certify import question_record
from knightstour.lab.certificates.loop_graph import loop_graph
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.verify import CHECKS, is_certificate, verify
from knightstour.lab.instances.graphs import flower, petersen

SOURCE = Path(check_arguments.__file__).parent


def has_tour(problem):
    return reference.has_tour(adjacency_of(problem.board), **keyword_arguments(problem))


def spoilt(certificate, change):
    """Return the certificate's record after a change."""
    copied = copy.deepcopy(dict(certificate.record))
    change(copied)
    return copied


def verdict(record):
    return kt.certificates.verify(record).verdict.value


def test_checkers_import_only_errors_and_strict_json():
    checkers = "record question loop_graph clauses check_tour check_arguments check_symmetry"
    for name in f"{checkers} check_layers images drat claims bounds layers".split():
        tree = ast.parse((SOURCE / f"{name}.py").read_text())
        modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        ours = {module for module in modules if module.startswith("knightstour")}
        assert {m for m in ours if ".certificates" not in m} <= {
            "knightstour.core.model.errors",
            "knightstour.core.model.strict_json",
        }
        assert not any("make_" in module or "certify" in module for module in ours)
        assert not modules & {"numpy", "pysat"}


@examples(300)
@given(problems())
def test_every_small_problem_has_a_right_certificate(problem):
    result = kt.solve(problem, seed=1)
    certificate = result.certificate()
    found = kt.certificates.verify(io.StringIO(certificate.to_json()))
    assert found.is_right and found.detail.startswith("checked: ")
    assert certificate.kind in ({"tour"} if has_tour(problem) else {"argument", "search", "layers"})


# Questions with tours, of two squares or more.
TOURED = st.sampled_from(
    [
        kt.Problem((3, 4)),
        kt.Problem((3, 4), start="a1"),
        kt.Problem((3, 4), start="a3", end="d1"),
        kt.Problem(Board(3, 4, wrap="torus"), closed=True),
        kt.Problem(Board(1, 2, leaper=(0, 1))),
        kt.Problem(Board(1, 6, leaper=(0, 1)), start=(0, 0)),
        kt.Problem(Board(2, 3, leaper=(0, 1)), closed=True),
        kt.Problem(Board(2, 3, leaper=(0, 1))),
        kt.Problem(Board(3, 3, leaper=(0, 1)), start="a1", end="b2"),
        kt.Problem(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3], []])), closed=True),
        kt.Problem(Board.from_graph(both_ways([[1, 2], [2], [3], []]))),
    ]
)


@st.composite
def arguments(draw):
    """Draw steps of any kind, on a board with a tour."""
    problem = draw(TOURED)
    near = loop_graph(question_of(question_record(problem)))
    squares = sorted(near)
    some = st.lists(st.sampled_from(squares), unique=True)
    weights = st.lists(st.integers(-2, 2), min_size=len(squares), max_size=len(squares))
    one = st.sampled_from(squares)
    pair = st.tuples(one, one).map(list)
    link = st.one_of(
        st.tuples(st.sampled_from(["take", "full", "short"]), one).map(list),
        st.tuples(st.just("early"), one, one).map(list),
    )
    steps = st.one_of(
        st.builds(lambda s, rule: {"rule": rule, "removed": s}, some, st.sampled_from(["removal", "tight"])),
        st.builds(lambda w, rule: {"rule": rule, "weights": w}, weights, st.sampled_from(["weights", "spent"])),
        st.builds(
            lambda at, parts: {"rule": "ends", "at": at, "parts": parts}, one, st.lists(pair, min_size=3, max_size=3)
        ),
        st.builds(lambda chain: {"rule": "forced", "chain": chain}, st.lists(link, min_size=1, max_size=8)),
        st.just({"rule": "small"}),
    )
    return problem, draw(st.lists(steps, min_size=1, max_size=3))


@examples(300)
@given(arguments())
def test_arguments_never_exclude_an_existing_tour(drawn):
    problem, steps = drawn
    claimed = {**question_record(problem), "answer": "impossible", "proof": {"kind": "argument", "steps": steps}}
    assert verdict(claimed) == "wrong"


@examples(300)
@given(TOURED, st.data())
def test_each_rule_leaves_every_tour(problem, data):
    # A step removes only unused moves: all tours of the graph remain.
    near = loop_graph(question_of(question_record(problem)))
    squares = sorted(near)
    tour = next(reference.all_tours(near, closed=True))
    moves = {frozenset(pair) for pair in zip(tour, [*tour[1:], tour[0]], strict=True)}
    removed = data.draw(st.lists(st.sampled_from(squares), unique=True, min_size=1))
    weights = [-1 if square in removed else data.draw(st.integers(0, 1)) for square in squares]
    rule = data.draw(st.sampled_from(["tight", "spent"]))
    try:
        check_arguments.RULES[rule](near, {"removed": removed, "weights": weights})
    except record.Wrong:
        return
    assert all(b in near[a] for a, b in map(tuple, moves))


UNREADABLE = {
    "empty": b"",
    "no text": b"\xff\xfe\x00\x01\x02",
    "truncated": b'{"format": "knightstour certificate 1", "board"',
    "a list": b"[]",
    "another format": b'{"format": "knightstour certificate 9"}',
    "nothing else": b'{"format": "knightstour certificate 1"}',
    "deep": b"[" * 1_000_000,
    "deep within": b'{"format": "knightstour certificate 1", "board": ' + b'{"a":' * 100_000,
    "a number without end": b'{"format": "knightstour certificate 1", "board": {"rows": ' + b"9" * 10_000 + b"}}",
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_invalid_certificate_is_one_clear_error(name):
    with pytest.raises(kt.FormatError) as error:
        kt.certificates.verify(io.BytesIO(UNREADABLE[name]))
    assert len(str(error.value)) < 200


@examples(200)
@given(st.data())
def test_any_json_inside_a_certificate_is_an_error_or_invalid(data):
    json_values = st.recursive(
        st.none() | st.booleans() | st.integers(-3, 40) | st.text(max_size=3),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
        max_leaves=5,
    )
    copied = copy.deepcopy(data.draw(st.sampled_from(CERTIFICATES)).record)
    at, key = copied, data.draw(st.sampled_from(sorted(copied)))
    while isinstance(at[key], dict | list) and at[key] and data.draw(st.booleans()):
        at = at[key]
        key = data.draw(st.sampled_from(sorted(at) if isinstance(at, dict) else range(len(at))))
    before, at[key] = at[key], data.draw(json_values)
    try:
        found = kt.certificates.verify(copied)
    except kt.FormatError:
        return
    # Unchecked fields may have any value; otherwise the reference must agree.
    if found.is_right and at[key] != before:
        question = question_of(copied)
        near = {s: set(question.reached_from(s)) for s in range(question.rows * question.cols) if question.is_square(s)}
        ends = {"start": question.start, "end": question.end}
        assert reference.has_tour(near, closed=question.closed, **ends) == (copied["answer"] == "found")


CERTIFICATES = [
    kt.solve((3, 4), seed=1).certificate(),
    kt.solve((4, 4), closed=True).certificate(),
    kt.solve((3, 4), closed=True).certificate(),
    kt.solve((3, 5), closed=True).certificate(),
]


def test_every_kind_of_proof_is_tried_here():
    kinds = "tour argument search symmetry layers bounds theorem"
    assert {kind for _, kind in CHECKS} == set(kinds.split())


def test_certificates_are_written_and_read(tmp_path):
    path = tmp_path / "none.json"
    certificate = kt.solve((4, 8), closed=True).certificate()
    certificate.write(path)
    assert kt.certificates.verify(path) == kt.certificates.verify(certificate) == kt.certificates.verify(str(path))
    certificate.write(path)
    with pytest.raises(kt.FormatError, match="has no clauses"):
        certificate.write_cnf(tmp_path / "none.cnf")


def test_an_undecided_question_has_no_certificate():
    result = kt.solve((30, 30), closed=True, method="backtracking", max_nodes=10, seed=1)
    with pytest.raises(kt.ProblemError, match="undecided"):
        _ = result.certificate()


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ('{"format": "knightstour certificate 1"}', True),
        ('{"format": "knightstour certificate 2"}', True),
        ('{"format": "knightstour tours 1"}', False),
        ('{"format": "knightstour", "certificate": 1}', False),
        ("1 2 3", False),
    ],
)
def test_a_file_of_a_certificate_is_known_by_its_beginning(text, is_one, tmp_path):
    path = tmp_path / "file.json"
    path.write_text(text)
    assert is_certificate(str(path)) is is_one
    assert not is_certificate(str(tmp_path / "missing")) and not is_certificate("\0")


# ---------------------------------------------------------------- graphs


@pytest.mark.parametrize(
    ("graph", "status"),
    [
        (nx.petersen_graph(), Status.IMPOSSIBLE),
        (nx.complete_bipartite_graph(4, 5), Status.IMPOSSIBLE),
        (nx.Graph([("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")]), Status.IMPOSSIBLE),
        (nx.dodecahedral_graph(), Status.FOUND),
        (nx.Graph(flower(9)), Status.IMPOSSIBLE),
        pytest.param(nx.Graph(petersen(59, 2)), Status.IMPOSSIBLE, marks=pytest.mark.long),
        (nx.Graph(petersen(199, 2)), Status.FOUND),
    ],
    ids=["Petersen", "K4,5", "alone", "dodecahedron", "flower", "G(59,2)", "G(199,2)"],
)
def test_the_certificate_of_a_graph_is_right(graph: nx.Graph, status: Status) -> None:
    result = solve(shuffled(graph, 3), closed=True, seed=1)
    assert result.status is status
    verdict = verify(result.certificate())
    assert verdict.is_right, verdict
    assert result.certificate().record["proof"]["kind"] != "theorem"


# ---------------------------------------------------------------- published certificates


LINES = (Path(__file__).parents[2] / "docs" / "proofs.jsonl").read_text(encoding="utf-8").splitlines()
RECORDS = [json.loads(line) for line in LINES]


def test_all_are_right():
    assert len(RECORDS) > 100
    assert all(kt.certificates.verify(record).is_right for record in RECORDS)


@pytest.mark.parametrize(
    ("board", "closed"), [*(((3, k), True) for k in (4, 6, 8)), *(((3, k), False) for k in (3, 5, 6)), ((4, 4), False)]
)
def test_each_exception_has_one(board, closed):
    size = {"rows": board[0], "cols": board[1]}
    found = [r for r in RECORDS if r["board"] == size and r["closed"] == closed and r["answer"] == "impossible"]
    assert any("start" not in record for record in found)


def test_the_pairs_of_3x13_have_theirs():
    pairs = {(r["start"], r["end"]) for r in RECORDS if r["board"] == {"rows": 3, "cols": 13} and "end" in r}
    assert pairs == {(2, 10), (2, 36)}


def test_rejects_count_with_too_many_states(monkeypatch):
    from knightstour.lab.counting import count as counting

    def never(*args, **kwargs):
        raise AssertionError("counted")

    monkeypatch.setattr(counting, "count_problem", never)
    with pytest.raises(kt.LimitReached, match="for a certificate"):
        kt.certificates.certify_count("5x5:gnu", max_nodes=10_000)


def test_check_reads_the_file_of_a_certificate(tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    certificate = kt.solve((4, 8), closed=True).certificate()
    certificate.write(path)
    report = kt.check(path)
    assert report.is_valid and report.to_text() == "valid: there is no closed tour of the 4x8 board"
    assert [row.kind for row in report] == ["certificate"] and report.tour_count == 0
    path.write_text(certificate.to_json().replace('"rows": 4', '"rows": 6'))
    report = kt.check([path])
    assert not report.is_valid and [row.verdict for row in report] == ["invalid"]
