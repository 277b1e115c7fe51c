"""Recurrences and long boards, compared with listing, the exact search and published numbers."""

import itertools
from typing import Any

import pytest

import make_recurrences
from helpers import reference
from knightstour.core.model.errors import ProblemError
from knightstour.lab.counting.narrow import NARROW, Recurrence, narrow_count, narrow_recurrence
from knightstour.lab.counting.sums import cycle_sums


def moves_list(rows: int, cols: int) -> list[list[int]]:
    """Return the neighbours of each square, numbered along the columns."""
    adjacent = reference.adjacency(reference.Spec(rows, cols))
    squares = sorted(adjacent, key=lambda square: (square[1], square[0]))
    index = {square: i for i, square in enumerate(squares)}
    return [[index[other] for other in sorted(adjacent[square])] for square in squares]


def counted(rows: int, cols: int, closed: bool) -> int:
    """Count the tours of one board by the frontier."""
    near = moves_list(rows, cols)
    if not closed:
        near = [[*others, len(near)] for others in near] + [list(range(len(near)))]
    return cycle_sums(near, {})[0]


@pytest.mark.long
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_counts_up_to_eleven_squares_match_listing(closed: bool) -> None:
    for rows in range(1, 5):
        for cols in range(1, 11 // rows + 1):
            adjacent = reference.adjacency(reference.Spec(rows, cols))
            assert narrow_count(rows, cols, closed=closed) == reference.count(adjacent, closed=closed)


@pytest.mark.parametrize("rows, closed, cols", [(3, True, 14), (3, False, 10), (4, False, 7), (3, False, 11)])
def test_counts_of_longer_boards_match_frontier(rows: int, closed: bool, cols: int) -> None:
    assert narrow_count(rows, cols, closed=closed) == counted(rows, cols, closed)


def test_published_numbers_of_three_rows(published: dict[str, Any]) -> None:
    facts = [f for f in published["tours"] if f["board"][0] == 3]
    assert len(facts) >= 6
    for fact in facts:
        cols, times = fact["board"][1], 2 if fact.get("directed", False) else 1
        assert times * narrow_count(3, cols, closed=fact["closed"]) == fact["count"]


@pytest.mark.parametrize(
    "rows, closed, far", [(3, True, 400), (3, False, 600), pytest.param(4, False, 608, marks=pytest.mark.long)]
)
def test_recurrence_predicts_terms_beyond_its_data(rows: int, closed: bool, far: int) -> None:
    found = narrow_recurrence(rows, closed=closed)
    assert found.fitted + found.checked < far
    assert list(itertools.islice(found.terms(), far + 1))[far] == make_recurrences.term(rows, closed, far)


@pytest.mark.slow
def test_recurrence_file_matches_the_script() -> None:
    assert make_recurrences.TARGET.read_text(encoding="ascii") == make_recurrences.text()


@pytest.mark.long
@pytest.mark.parametrize("rows, closed", [width for width in NARROW if width not in ((3, False), (4, False))])
def test_the_script_finds_the_recurrences_of_the_file(rows: int, closed: bool) -> None:
    assert make_recurrences.find_recurrence(rows, closed) == narrow_recurrence(rows, closed=closed)


def test_a_recurrence_runs_on_where_old_terms_are_dropped() -> None:
    # Fibonacci numbers: x / (1 - x - x^2).
    fibonacci = Recurrence(1, True, (0, 1), (1, -1, -1), 6, 0)
    a, b = 0, 1
    for value in itertools.islice(fibonacci.terms(), 3000):
        assert value == a
        a, b = b, a + b


def test_too_few_terms_give_no_recurrence() -> None:
    with pytest.raises(ValueError, match="too few to find"):
        make_recurrences.find_recurrence(3, True, most_terms=60)


@pytest.mark.long
def test_terms_that_follow_no_recurrence_yet_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # Sixty terms fit a recurrence of order 30, but with fractions or meaningless residues.
    monkeypatch.setattr(make_recurrences, "_order", lambda *asked: (30, 60))
    monkeypatch.setattr(make_recurrences, "_MAX_PRIMES", 20)
    with pytest.raises(ValueError, match="no recurrence with whole coefficients"):
        make_recurrences.find_recurrence(3, False)


def test_a_recurrence_that_later_terms_do_not_follow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # The first twelve terms are zeros and one 16, as for the polynomial 16 x^10.
    monkeypatch.setattr(make_recurrences, "_order", lambda *asked: (11, 12))
    with pytest.raises(AssertionError, match="does not give the terms"):
        make_recurrences.find_recurrence(3, True)


def test_rejects_infeasible_counts() -> None:
    with pytest.raises(ProblemError, match="no recurrence is known"):
        narrow_count(6, 6, closed=True)
    with pytest.raises(ProblemError, match="0 columns"):
        narrow_count(3, 0, closed=True)
    assert (5, False) not in NARROW
