"""Tests of puzzles solved, rated, and explained step by step; invalid ones are detected."""

import numpy as np
import pytest

import knightstour as kt
from helpers.known_puzzles import FEWEST, FEWEST_6X6, RING, THIRTY_THREE, THIRTY_THREE_ROW, KnownPuzzle
from knightstour.core.model.board import Board
from knightstour.core.search.clues import places_of
from knightstour.lab.puzzles.puzzle import Puzzle, clue_count, first_reasoning
from knightstour.lab.puzzles.reasoning import KINDS, Walks


def test_the_puzzle_with_33_numbers_has_exactly_one_solution() -> None:
    answer = kt.Puzzle.from_text(THIRTY_THREE).solve(n=10)
    assert answer.is_unique and str(answer) == "exactly one solution"
    assert answer.tours[0].numbers[0].tolist() == [int(word) for word in THIRTY_THREE_ROW.split()]


@pytest.mark.parametrize("closed", [False, True])
def test_the_ring_of_twelve_numbers_has_exactly_one_solution(closed: bool) -> None:
    assert kt.Puzzle.from_text("closed\n" * closed + RING).solve().is_unique


@pytest.mark.parametrize("known", FEWEST, ids=lambda known: known.given)
def test_no_number_of_the_fewest_can_be_left_out(known: KnownPuzzle) -> None:
    name = next(iter(known.numbers))
    less = {other: number for other, number in known.numbers.items() if other != name}
    answer = Puzzle("8x8", less, closed=known.closed).solve()
    assert len(answer.tours) == 2 and not answer.is_unique
    assert answer.doubtful and str(answer) == "at least 2 solutions"


def test_three_numbers_are_enough_on_6x6() -> None:
    given = {name: int(number) for name, number in (word.split("=") for word in FEWEST_6X6.split())}
    assert len(given) == 3 and Puzzle("6x6", given).solve().is_unique


def test_doubtful_squares_differ_among_solutions() -> None:
    answer = Puzzle("3x4", {"a3": 1}).solve(n=10)
    assert str(answer) == "exactly 2 solutions" and len(answer.tours) == 2
    one, other = (tour.numbers for tour in answer.tours)
    assert answer.doubtful == [tuple(square) for square in np.argwhere(one != other).tolist()]


def test_a_puzzle_with_two_numbers_swapped_is_impossible() -> None:
    puzzle = kt.Puzzle.from_text(THIRTY_THREE)
    given = dict(puzzle.given)
    given[0, 4], given[0, 5] = given[0, 5], given[0, 4]
    answer = Puzzle("8x8", given).solve()
    assert answer.status is kt.Status.IMPOSSIBLE and "but the numbers differ" in answer.reason
    with pytest.raises(kt.ProblemError, match="does not have exactly one solution"):
        Puzzle("8x8", given).rate()


def test_a_limit_leaves_it_undecided() -> None:
    answer = Puzzle("8x8", FEWEST[2].numbers).solve(max_nodes=3)
    assert answer.status is kt.Status.UNDECIDED and "limit of 3 nodes" in str(answer)


# ---------------------------------------------------------------- ratings and hints


@pytest.mark.parametrize(
    ("board", "closed"), [(Board(6, 6), False), (Board(5, 6), True), (Board(4, 5, wrap="torus"), False)], ids=str
)
@pytest.mark.parametrize("seed", range(3))
def test_the_steps_of_a_rating_lead_to_the_solution(board: Board, closed: bool, seed: int) -> None:
    puzzle = kt.make_puzzle(board, closed=closed, seed=seed)
    assert puzzle.solution is not None
    rating = puzzle.rate()
    assert rating.steps == puzzle.hints()
    assert len(rating.steps) == len(board) - clue_count(puzzle) == sum(rating.counts.values())
    state = {square: number for square, number in puzzle.given.items() if isinstance(number, int)}
    for step in rating.steps:
        hint = puzzle.hint(state)
        assert hint == step and step.number == puzzle.solution.numbers[step.square]
        assert board.square_name(step.square) in step.reason and step.kind in KINDS
        state[step.square] = step.number
    assert puzzle.hint(state) is None


def test_hint_premises_hold_after_more_moves() -> None:
    """The reason of the first hint for a free square still holds."""
    puzzle = kt.make_puzzle("6x6", level="medium", seed=5)
    assert puzzle.solution is not None
    hints = puzzle.hints()
    for k in range(0, len(hints), 3):
        # All but this hint are filled in before it, and every second after it.
        filled = {hint.square: hint.number for hint in [*hints[:k], *hints[k + 1 :: 2]]}
        known = first_reasoning(puzzle)
        for square, number in filled.items():
            assert number is not None
            known.place(known.places.index[square[0] * 6 + square[1]], number - 1)
        hint = hints[k]
        assert hint.number is not None and hint.kind != "guess"
        s = known.places.index[hint.square[0] * 6 + hint.square[1]]
        ways = known.filter_by_paths(known.possible_squares())[hint.number - 1]
        assert ways == 1 << s or hint.kind in ("square", "chain")


def test_forced_conclusions_hold() -> None:
    """Each step except a guess holds in every solution of the premises."""
    puzzle = kt.make_puzzle("6x6", level="hard", seed=3)
    state = dict(puzzle.given)
    for step in puzzle.rate().steps:
        assert step.kind != "guess"
        without = Puzzle("6x6", state)
        for tour in without.solve(n=5).tours:
            assert tour.numbers[step.square] == step.number
        assert step.number is not None
        state[step.square] = step.number


def test_a_hint_without_the_solution_finds_it() -> None:
    puzzle = kt.Puzzle.from_text(THIRTY_THREE)
    hint = puzzle.hint()
    assert hint is not None and hint.kind == "reach" and hint.level == "easy"
    assert hint.to_dict()["square"] == list(hint.square)


def test_a_mistake_is_seen_before_anything_else() -> None:
    puzzle = kt.make_puzzle("6x6", seed=1)
    assert puzzle.solution is not None
    wrong = puzzle.solution.numbers.copy()
    wrong[0, 0], wrong[5, 5] = wrong[5, 5], wrong[0, 0]
    hint = puzzle.hint(wrong)
    assert hint is not None and hint.kind == "mistake" and hint.number is None and "a6" in hint.reason
    with pytest.raises(kt.ProblemError, match="shape of the board"):
        puzzle.hint(wrong[:3])
    with pytest.raises(kt.ProblemError, match="cannot have number 40"):
        puzzle.hint({"a1": 40})


def test_walks_of_k_moves_reach_their_squares() -> None:
    places = places_of(Board(3, 4))
    walks = Walks(places)
    for s in range(places.count):
        reached = {s}
        for k in range(12):
            assert {u for u in range(places.count) if walks.get(s, k) >> u & 1} == reached
            reached = {v for u in reached for v in places.neighbours(u)}


# ---------------------------------------------------------------- wrong puzzles


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"a1": 37}, "a1 cannot have the step 37"),
        ({"a1": 0}, "a1 cannot have the step 0"),
        ({"a1": 5, "b2": 5}, "step 5 is at a1 and at b2"),
        ({"a1": 5, (5, 0): 6}, "a1 is named twice"),
        ({"a9": 5}, "a9"),
        ({"a1": []}, "a1 has no step left"),
        ({"a1": "x"}, "a1 cannot have the step 'x'"),
    ],
    ids=str,
)
def test_rejects_invalid_given_numbers(given: dict[str, int], message: str) -> None:
    with pytest.raises(kt.KnightsTourError, match=message):
        Puzzle("6x6", given)


@pytest.mark.parametrize("given", [range(10**12), [("a1", 1)], 5, "a1=1"], ids=str)
def test_given_numbers_of_another_type_are_refused(given: object) -> None:
    with pytest.raises(TypeError, match="given must be a dict"):
        Puzzle("6x6", given)  # type: ignore[arg-type]


def test_rejects_a_number_on_a_hole() -> None:
    with pytest.raises(kt.BoardError, match="a1 is a hole"):
        Puzzle(Board(6, 6, holes=["a1"]), {"a1": 1})


def test_puzzle_without_numbers_gets_a_hint_at_make_puzzle():
    with pytest.raises(kt.ProblemError, match="a Puzzle requires given numbers") as caught:
        kt.Puzzle("6x6")
    assert caught.value.help.startswith("use make_puzzle(board)")
