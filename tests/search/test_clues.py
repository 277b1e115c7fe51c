"""The search through given numbers: compared with brute force, with a SAT solver, and on known puzzles."""

import random
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.known_puzzles import FEWEST, KnownPuzzle
from helpers.strategies import boards
from knightstour.core.model.board import Board
from knightstour.core.model.budget import NO_LIMITS, Budget, Limits
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.errors import ProblemError
from knightstour.core.search import clues
from knightstour.core.search.clues import Numberings, places_of

Given = list[tuple[int, set[int]]]


def numberings(board: Board | str, given: Iterable[tuple[int, Iterable[int]]] = (), **options: Any) -> Numberings:
    """List all numberings."""
    squares = [(square, set(numbers)) for square, numbers in given]
    return Numberings(Board(board), squares, Budget(NO_LIMITS), **options)


def by_brute_force(board: Board, given: Given, closed: bool) -> set[tuple[int, ...]]:
    """List all numberings by the reference; closed ones from every start."""
    adjacent = reference.adjacency(reference.spec_of(board))
    found = set()
    for tour in reference.all_tours(adjacent, closed=closed):
        order = [row * board.cols + col for row, col in tour]
        for shift in range(len(order) if closed else 1):
            walk = (*order[shift:], *order[:shift])
            if all(walk.index(square) + 1 in numbers for square, numbers in given):
                found.add(walk)
    return found


@st.composite
def questions(draw: st.DrawFn) -> tuple[Board, Given, bool]:
    board = draw(boards(most_side=4))
    assume(len(board) <= 10)
    squares = [r * board.cols + c for r, c in reference.all_squares(reference.spec_of(board))]
    chosen = draw(st.lists(st.sampled_from(squares), unique=True, min_size=1, max_size=4))
    steps = st.sets(st.integers(1, len(squares)), min_size=1, max_size=draw(st.sampled_from([1, 3])))
    return board, [(square, draw(steps)) for square in chosen], draw(st.booleans())


@examples(200)
@given(questions())
def test_numberings_match_brute_force(question: tuple[Board, Given, bool]) -> None:
    board, given, closed = question
    found = numberings(board, given, closed=closed)
    orders = [tuple(order) for order in found]
    assert found.is_finished and len(set(orders)) == len(orders)
    assert set(orders) == by_brute_force(board, given, closed)
    assert bool(found.contradiction) == (not orders and found.choices == 0)


@pytest.mark.parametrize("puzzle", FEWEST, ids=lambda puzzle: puzzle.given)
def test_the_puzzles_with_the_fewest_numbers_have_one_solution(puzzle: KnownPuzzle) -> None:
    found = numberings("8x8", puzzle.squares(), closed=puzzle.closed)
    (order,) = found
    assert [order.index(square) + 1 for square in range(8)] == [int(word) for word in puzzle.first_row.split()]
    assert found.is_finished


@pytest.mark.parametrize("board", [Board(8, 8), Board(9, 8), Board(12, 12), Board(5, 6, wrap="klein"), Board(16, 16)])
@pytest.mark.parametrize("closed", [False, True])
def test_a_tour_with_few_numbers_missing_is_found_again(board: Board, closed: bool) -> None:
    """Test boards around 64 squares, whose steps need one to four words."""
    from knightstour.core.methods.solve import solve

    tour = solve(board, closed=closed, seed=3).tour
    assert tour is not None
    order = tour.order.tolist()
    missing = set(random.Random(1).sample(range(len(order)), len(order) // 3))
    given = [(square, {t + 1}) for t, square in enumerate(order) if t not in missing]
    assert order in list(numberings(board, given, closed=closed))


# ---------------------------------------------------------------- turns with a SAT solver


@pytest.mark.parametrize(("board", "closed", "count"), [("3x4", False, 16), ("5x6", True, 16), ("3x10", True, 32)])
def test_turns_with_a_sat_solver_list_the_same(
    board: str, closed: bool, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pysat")
    monkeypatch.setattr(clues, "_TURN_NODES", 3)
    monkeypatch.setattr(clues, "_TURN_CONFLICTS", 5)
    found = numberings(board, closed=closed)
    orders = [tuple(order) for order in found]
    assert len(orders) == len(set(orders)) == count and found.is_finished
    assert set(orders) == {tuple(order) for order in numberings(board, closed=closed, takes_turns=False)}


def test_sat_solver_proves_impossibility(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat")
    monkeypatch.setattr(clues, "_TURN_NODES", 1)
    found = numberings("4x6", [(0, {1})], closed=True)
    assert list(found) == [] and found.is_finished


# ---------------------------------------------------------------- limits, wrong questions, reasons


def test_limits_end_the_search_without_an_answer() -> None:
    search = Numberings(Board("8x8"), [], Budget(Limits(nodes=5)), takes_turns=False)
    assert list(search) == [] and not search.is_complete


@pytest.mark.parametrize(
    ("given", "closed", "reason"),
    [
        ([(0, {1}), (1, {1})], False, "a8 and b8 are both step 1"),
        ([(0, {1}), (1, {2})], False, "a8 = 1 and b8 = 2: 3 moves apart at least, but the numbers differ by 1"),
        ([(0, {1}), (9, {4})], False, "a8 = 1 and b7 = 4: 4 moves apart at least, but the numbers differ by 3"),
        ([(0, {1}), (17, {3})], False, "a8 = 1 and b6 = 3: an odd number of moves apart, but the numbers differ by 2"),
        # The last number and the first are adjacent, too.
        ([(0, {1}), (7, {64})], True, "h8 = 64 and a8 = 1: 5 moves apart at least, but the numbers differ by 1"),
    ],
)
def test_contradiction_is_explained_in_words(given: Given, closed: bool, reason: str) -> None:
    found = numberings("8x8", given, closed=closed)
    assert list(found) == [] and found.is_finished
    assert found.contradiction == reason


def test_rejects_missing_steps_and_squares() -> None:
    with pytest.raises(ProblemError, match="no step 65"):
        numberings("8x8", [(0, {65})])
    with pytest.raises(ProblemError, match="no square 64"):
        numberings("8x8", [(64, {1})])
    with pytest.raises(ProblemError, match="62 moves"):
        places_of(Board.from_graph([[j for j in range(70) if j != i] for i in range(70)]))


@pytest.mark.parametrize("size", [17, 33])
@pytest.mark.parametrize("piece", ["wazir", "king", "knight"])
def test_given_numbers_on_large_boards(size: int, piece: str) -> None:
    """Test states that are too large; close numbers in corners are impossible."""
    pytest.importorskip("pysat")
    board = Board(size, size, moves=piece)
    order = kt.find_tour(board, start=(0, 0), seed=1).order.tolist()
    known = {divmod(order[t], size): t + 1 for t in range(0, len(order), 2)}
    result = kt.solve(board, given=known, seed=1)
    assert result.tour is not None and result.method == "clues"
    assert all(result.tour.numbers[square] == number for square, number in known.items())
    apart = {(0, 0): 1, (size - 1, size - 1): 3, (0, size - 1): 99}
    assert kt.solve(board, given=apart, seed=1).status is kt.Status.IMPOSSIBLE


def test_solutions_of_a_large_zip_are_all_different() -> None:
    pytest.importorskip("pysat")
    board = Board(12, 12, moves="wazir")
    order = [12 * r + (c if r % 2 == 0 else 11 - c) for r in range(12) for c in range(12)]
    named = [board.square_name(divmod(s, 12)) for s in order[::11]]
    puzzle = kt.Puzzle(board, {}, visit_order=named)
    answer = puzzle.solve(n=3)
    assert len({tuple(tour.order.tolist()) for tour in answer.tours}) == len(answer.tours) == 3
    assert all(fault_of(puzzle.problem, tour.order) is None for tour in answer.tours)


# ---------------------------------------------------------------- required and forbidden moves


@examples(60)
@given(questions(), st.data())
def test_required_and_forbidden_moves_are_kept(question: tuple[Board, Given, bool], data: st.DataObject) -> None:
    board, given, closed = question
    places = places_of(board)
    moves = [(places.squares[s], places.squares[u]) for s in range(places.count) for u in places.neighbours(s) if s < u]
    through = data.draw(st.lists(st.sampled_from(moves), unique=True, max_size=2)) if moves else []
    avoid = data.draw(st.lists(st.sampled_from(moves), unique=True, max_size=2)) if moves else []
    found = {tuple(order) for order in numberings(board, given, closed=closed, require=through, forbid=avoid)}

    def keeps(order: tuple[int, ...]) -> bool:
        ends = zip(order, order[1:] + order[:1] * closed, strict=False)
        made = {frozenset(pair) for pair in ends}
        return all(frozenset(m) in made for m in through) and not any(frozenset(m) in made for m in avoid)

    assert found == {order for order in by_brute_force(board, given, closed) if keeps(order)}
