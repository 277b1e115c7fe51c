"""Tests of published numbers and of the tables of docs/tables, by lists of all tours."""

import json
from pathlib import Path

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.problem import Problem
from knightstour.lab.counting import count as counting
from knightstour.lab.counting.count import count_problem, look_up
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.sequences.kinds import AllTours, Kind, SymmetricClasses
from knightstour.lab.sequences.table import known_number

NINE_BY_TEN = 19_381_952_998_732_022_416_892
LITTLE = Limits(seconds=None, bytes=10**8)


def closed(board: str) -> Problem:
    return Problem(board, closed=True)


def test_known_number_answers_infeasible_count() -> None:
    assert kt.count("9x10", closed=True, **as_arguments(LITTLE)) == NINE_BY_TEN
    assert kt.count("10x9", closed=True, directed=True, **as_arguments(LITTLE)) == 2 * NINE_BY_TEN
    found = count_problem(closed("9x10"), settings=CountSettings(LITTLE), allow_known=True)
    assert (found.method, found.states) == ("known", 0) and "37f6ef5" in found.source
    assert "counted it twice, in 20 and in 24 parts" in found.reason and "did not count it" in found.reason


def test_rule_is_equal_for_all_boards_and_memory_sizes() -> None:
    # The same question, once with too little memory and once with enough.
    found = count_problem(closed("6x10"), settings=CountSettings(Limits(bytes=1000)), allow_known=True)
    assert (found.method, found.source) == ("known", "OEIS A175881, a(10)")
    assert count_problem(closed("6x10"), allow_known=True).method == "halves"
    assert found.tours == count_problem(closed("6x10"), allow_known=True).tours
    assert look_up(Problem("8x8"), directed=True) == look_up(Problem("8x8"))._replace(
        tours=2 * look_up(Problem("8x8")).tours, directed=True, source="OEIS A165134, a(8)"
    )


def test_a_count_itself_never_reads_the_table() -> None:
    with pytest.raises(kt.LimitReached, match="9x10 board is infeasible"):
        count_problem(closed("9x10"), settings=CountSettings(LITTLE))
    with pytest.raises(kt.LimitReached, match="for a certificate"):
        kt.certificates.certify_count("9x10", closed=True, max_nodes=10_000)
    with pytest.raises(kt.LimitReached, match="infeasible"):
        kt.sequences.SEQUENCES["A391999"].term(5, CountSettings(LITTLE))


@pytest.mark.parametrize(
    "question",
    [
        {"board": "10x10", "closed": True},
        {"board": "9x10"},
        {"board": "9x10", "closed": True, "forbid": ["a1-b3"]},
        {"board": "8x8", "start": "a1"},
        {"board": kt.Board(9, 10, wrap="torus"), "closed": True},
        {"board": kt.Board(9, 10, leaper=(1, 4)), "closed": True},
    ],
    ids=str,
)
def test_another_question_has_no_known_number(question: dict) -> None:
    assert known_number(Problem(**question)) is None


@pytest.mark.parametrize("other", [{"symmetry": "180"}, {"up_to_symmetry": True}], ids=str)
def test_count_of_all_tours_is_not_used_for_symmetric_ones(other: dict) -> None:
    assert known_number(closed("9x10"), **other) is None


@pytest.mark.long
def test_command_reports_a_known_count(run: Run) -> None:
    words = ("count", "9x10", "--closed", "--memory", "100MB")
    code, out, err = run(*words)
    assert (code, out) == (0, f"{NINE_BY_TEN}\n")
    assert "100 MB of memory may be used, so this is from the table of known numbers" in err and "37f6ef5" in err
    record = json.loads(run(*words, "--json")[1])
    assert (record["count"], record["method"]) == (str(NINE_BY_TEN), "known")
    assert record["source"] == "knightstour, revision 37f6ef5" and "did not count it" in record["reason"]


@pytest.mark.long
def test_certificate_matches_the_counted_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run) -> None:
    path = tmp_path / "proof.json"
    monkeypatch.setattr(counting, "look_up", None)
    assert run("count", "5x6", "--closed", "--proof", str(path))[:2] == (0, "8\n")
    assert kt.certificates.verify(path).is_right


def test_infeasible_plan_contains_the_known_number() -> None:
    plan = kt.plan("9x10", closed=True, **as_arguments(LITTLE))
    assert plan.is_refused and "published (knightstour, revision 37f6ef5)" in plan.instead[0]
    assert not any("published" in words for words in kt.plan("10x10", closed=True, **as_arguments(LITTLE)).instead)


# ---------------------------------------------------------------- docs/tables


ROOT = Path(__file__).parents[2]
FEW = 9


def listed(board: kt.Board, kind: Kind) -> set[object]:
    """Return the tours of a kind, or one of each class."""
    tours = kt.iter_tours(board, closed=kind.closed)
    if isinstance(kind, SymmetricClasses):
        return {tour.canonical(closed=kind.closed) for tour in tours if tour.symmetries}
    assert isinstance(kind, AllTours)
    if kind.symmetry is not None:
        return {tour for tour in tours if kind.symmetry in tour.symmetries}
    return {tour.canonical(closed=kind.closed) for tour in tours} if kind.up_to_symmetry else set(tours)
