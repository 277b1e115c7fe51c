"""Tests of created puzzles: one solution by a second solver, with the required level, pattern and size."""

import functools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import examples
from knightstour.core.model.board import Board
from knightstour.core.model.budget import NO_LIMITS, Budget
from knightstour.core.search.clues import places_of
from knightstour.core.search.clues_levels import Levels
from knightstour.core.search.clues_sat import Steps, sat_numberings
from knightstour.lab.puzzles.make import PATTERNS, has_one_solution, level_needed
from knightstour.lab.puzzles.puzzle import Puzzle, clue_count, details_of, steps_of
from knightstour.lab.puzzles.reasoning import LEVELS

BOARDS = [
    (Board(5, 5), False),
    (Board(5, 6), True),
    (Board(6, 6), False),
    (Board(6, 6), True),
    (Board(6, 5, holes=[(0, 0), (5, 4)]), False),
    (Board(4, 5, wrap="torus"), True),
    (Board(4, 5, leaper=(0, 1)), False),
]
LEVELS_IN_ORDER = list(LEVELS)


def by_sat(puzzle: Puzzle) -> list[list[int]]:
    """Return all solutions by the SAT solver, from the clues alone, equal by steps and by levels."""
    one, other = (by_clauses(puzzle, kind) for kind in (Steps, Levels))
    assert one == other
    return one


def by_clauses(puzzle: Puzzle, kind: type[Steps | Levels]) -> list[list[int]]:
    """Return all solutions by clauses of one kind."""
    places = places_of(puzzle.board)
    full = (1 << places.count) - 1
    domains = [full] * places.count
    for square, numbers in steps_of(puzzle):
        domains[places.index[square]] = sum(1 << number - 1 for number in numbers)
    moves = [sum(1 << k for k, u in enumerate(row) if u >= 0) for row in places.near.tolist()]
    sure = [0] * places.count
    make = functools.partial(kind, places, domains, moves, sure, puzzle.closed)
    found = sat_numberings(make, set(), Budget(NO_LIMITS), 1 << 30)
    orders: list[list[int]] = []
    for order in found:
        assert order is not None
        orders.append([places.squares[s] for s in order])
        assert len(orders) < 2
    return orders


@examples(15)
@given(st.sampled_from(BOARDS), st.integers(0, 10**6))
def test_given_numbers_stay_on_their_squares(question: tuple[Board, bool], seed: int) -> None:
    board, closed = question
    tour = kt.find_tour(board, closed=closed, seed=seed)
    rows, cols = (each[[3, 9]] for each in np.divmod(tour.order, board.cols))
    wanted = {(int(row), int(col)): number for row, col, number in zip(rows, cols, (4, 10), strict=True)}
    puzzle = kt.make_puzzle(board, closed=closed, given=wanted, seed=seed)  # type: ignore[arg-type]
    assert wanted.items() <= puzzle.given.items()
    assert puzzle.solution is not None and by_sat(puzzle) == [puzzle.solution.order.tolist()]


@examples(15)
@given(st.sampled_from(BOARDS), st.integers(0, 10**6))
def test_a_puzzle_has_its_solution_and_no_other(question: tuple[Board, bool], seed: int) -> None:
    pytest.importorskip("pysat")
    board, closed = question
    puzzle = kt.make_puzzle(board, closed=closed, seed=seed, timeout=600)
    assert puzzle.solution is not None
    assert by_sat(puzzle) == [puzzle.solution.order.tolist()]


@pytest.mark.parametrize("board", ["5x5", "6x6"])
@pytest.mark.parametrize("seed", range(3))
def test_no_number_can_be_left_out(board: str, seed: int) -> None:
    puzzle = kt.make_puzzle(board, level="any", seed=seed)
    assert details_of(puzzle).is_minimal
    for square in puzzle.given:
        less = {other: number for other, number in puzzle.given.items() if other != square}
        assert not Puzzle(board, less).solve().is_unique


@pytest.mark.parametrize("seed", [2, pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize("closed", [False, True])
def test_minimality_is_proved_on_a_chessboard(closed: bool, seed: int) -> None:
    puzzle = kt.make_puzzle("8x8", level="any", closed=closed, seed=seed)
    assert details_of(puzzle).is_minimal
    for square in puzzle.given:
        less = {other: number for other, number in puzzle.given.items() if other != square}
        answer = Puzzle("8x8", less, closed=closed).solve()
        assert len(answer.tours) == 2


@pytest.mark.long
def test_puzzle_reports_an_unfinished_search() -> None:
    few = kt.make_puzzle("10x10", level="any", seed=0, max_nodes=1)
    assert details_of(few).is_minimal is False and few.solve().is_unique
    assert kt.Puzzle.from_text(few.to_text("json")) == few
    assert details_of(kt.make_puzzle("6x6", clues=20, seed=0)).is_minimal is None
    assert details_of(kt.make_puzzle("6x6", level="easy", seed=0)).is_minimal


@pytest.mark.parametrize("level", ["easy", "medium", "hard"])
@pytest.mark.parametrize("board", ["5x6", "6x6:wazir", "6x6:king"])
def test_without_a_number_a_puzzle_is_harder_or_ambiguous(level: str, board: str) -> None:
    puzzle = kt.make_puzzle(board, level=level, seed=2)
    assert (puzzle.level, details_of(puzzle).is_minimal) == (level, True)
    for square, number in puzzle.given.items():
        less = Puzzle(board, {other: known for other, known in puzzle.given.items() if other != square})
        # The number 1 of an easy puzzle is kept.
        is_kept = level == "easy" and number == 1
        assert (
            is_kept
            or not less.solve().is_unique
            or LEVELS_IN_ORDER.index(less.rate().level) > LEVELS_IN_ORDER.index(level)
        )


def test_groups_of_a_pattern_are_left_out_together() -> None:
    puzzle = kt.make_puzzle("6x6", level="any", pattern="180", seed=3)
    assert details_of(puzzle).is_minimal
    for row, col in puzzle.given:
        pair = {(row, col), (5 - row, 5 - col)}
        less = {other: number for other, number in puzzle.given.items() if other not in pair}
        assert not Puzzle("6x6", less).solve().is_unique


def test_a_limit_of_time_ends_it() -> None:
    with pytest.raises(kt.LimitReached, match="no puzzle was made: the limit of 1e-09 seconds"):
        kt.make_puzzle("8x8", seed=1, timeout=1e-9)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("closed", [False, True])
def test_puzzle_has_the_requested_level(level: str, closed: bool) -> None:
    puzzle = kt.make_puzzle("6x6", closed=closed, level=level, seed=5)
    assert puzzle.level == puzzle.rate().level == level


@pytest.mark.parametrize(("pattern", "turns"), [("180", 2), ("90", 4), ("mirror", 2)])
def test_the_given_squares_have_the_pattern(pattern: str, turns: int) -> None:
    puzzle = kt.make_puzzle("6x6", pattern=pattern, seed=2)
    is_given = np.zeros((6, 6), dtype=bool)
    is_given[tuple(zip(*puzzle.given, strict=True))] = True
    images = {"180": is_given[::-1, ::-1], "90": is_given.T[:, ::-1], "mirror": is_given[:, ::-1]}
    assert (is_given == images[pattern]).all() and clue_count(puzzle) % turns == 0
    assert set(PATTERNS) == set(images)


def test_clues_and_numbers_to_keep() -> None:
    puzzle = kt.make_puzzle("8x8", clues=30, keep=(1, 64), seed=4)
    assert clue_count(puzzle) == 30
    assert {1, 64} <= set(puzzle.given.values())
    assert clue_count(kt.make_puzzle("8x8", level="easy", clues=40, seed=4)) == 40


# ---------------------------------------------------------------- other kinds of puzzles

TEXT = "the knight goes round the board once only"


@pytest.mark.parametrize(
    "wish",
    [
        {"kind": "every", "clues": 6},
        {"kind": "places", "clues": 6},
        {"text": TEXT[:44]},
        {"text": "a" * 36},
        {"text": TEXT[:44], "closed": True, "keep": [1], "level": "easy"},
        {"kind": "places", "clues": 4, "level": "hard", "keep": [4]},
    ],
    ids=str,
)
def test_other_kinds_have_one_solution_too(wish: dict[str, object]) -> None:
    pytest.importorskip("pysat")
    if "text" in wish:
        wish = {**wish, "text": "".join(str(wish["text"]).split()).ljust(36, "x")[:36]}
    puzzle = kt.make_puzzle("6x6", seed=3, **wish)  # type: ignore[arg-type]
    assert puzzle.solution is not None
    assert by_sat(puzzle) == [puzzle.solution.order.tolist()]
    assert puzzle == kt.Puzzle.from_text(puzzle.to_text("json"))
    numbers = puzzle.solution.numbers
    for square, known in puzzle.given.items():
        assert numbers[square] == known if isinstance(known, int) else numbers[square] in known
    if wish.get("kind") == "every":
        assert {6, 12, 18, 24, 30, 36} <= set(puzzle.given.values())
    if "text" in wish:
        assert clue_count(puzzle) == 36 and str(puzzle).count(details_of(puzzle).text[0]) == details_of(
            puzzle
        ).text.count(details_of(puzzle).text[0])
    if (wish.get("kind"), wish.get("clues")) == ("places", 6):
        assert list(puzzle.given.values()).count(frozenset(range(6, 37, 6))) >= 2


def test_the_same_seed_gives_the_same_puzzle() -> None:
    assert kt.make_puzzle("6x6", seed=9) == kt.make_puzzle("6x6", seed=9)
    assert kt.make_puzzle("6x6", seed=9).given != kt.make_puzzle("6x6", seed=10).given


@pytest.mark.parametrize(
    ("wish", "error", "message"),
    [
        ({"level": "nasty"}, kt.ProblemError, "unknown level 'nasty'"),
        ({"pattern": "45"}, kt.ProblemError, "unknown pattern '45'"),
        ({"board": "5x6", "pattern": "90"}, kt.ProblemError, "pattern 90 does not fit"),
        ({"board": Board(5, 5, holes=["a1"]), "pattern": "180"}, kt.ProblemError, "does not fit the holes"),
        ({"clues": 0}, kt.ProblemError, "0 clues are not possible"),
        ({"clues": 99}, kt.ProblemError, "99 clues are not possible"),
        ({"keep": [0]}, kt.ProblemError, "no number 0 to keep"),
        ({"keep": [37]}, kt.ProblemError, "no number 37 to keep"),
        ({"board": "17x16"}, kt.ProblemError, "up to 256 squares"),
        ({"board": "4x4"}, kt.NoTour, "falls into 6 parts"),
        ({"board": "5x5", "closed": True}, kt.NoTour, "25 is odd"),
        ({"closed": "yes"}, TypeError, "closed must be True or False"),
        ({"kind": "every", "clues": 1}, kt.ProblemError, "clues cannot be 1 for kind 'every'"),
        ({"kind": "places", "clues": 37}, kt.ProblemError, "clues cannot be 37 for kind 'places'"),
        ({"kind": "every", "clues": 6, "text": "a" * 36}, kt.ProblemError, "cannot be combined with text"),
        ({"kind": "zip"}, kt.ProblemError, "requires clues"),
        ({"kind": "zap"}, kt.ProblemError, "did you mean 'zip'"),
        ({"text": "too short"}, kt.ProblemError, "the text has 8 letters, but the board has 36 squares"),
        ({"level": "expert", "clues": 34}, kt.ProblemError, "no expert puzzle was found in 20 tours, but easy ones"),
    ],
    ids=str,
)
def test_rejects_invalid_properties_of_puzzles(wish: dict[str, object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        kt.make_puzzle(**{"board": "6x6", "seed": 1, **wish})  # type: ignore[arg-type]


def test_level_is_the_easiest_passing_test() -> None:
    tour = kt.find_tour("6x6", seed=1)
    every = {s: (t + 1,) for t, s in enumerate(tour.order.tolist())}
    assert level_needed(tour.board, False, every) == "easy"
    assert has_one_solution(tour.board, False, every)
    assert not has_one_solution(tour.board, False, {0: every[0]})
