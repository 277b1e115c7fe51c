"""Cases of the search for numberings."""

import itertools
from collections.abc import Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board
from knightstour.core.machine.native import kernel_function
from knightstour.core.search.clues import places_of, start_state
from knightstour.core.search.clues_state import CAPACITY, DEPTH, HELD, LIMIT, ROUND, State
from reference import Case, Row


def seen(s: State, *rest: Any) -> Any:
    """Omit levels beyond the depth, chains at inner squares, and waiting entries."""
    c = s.counters
    levels = c[DEPTH] + 1
    for field in (s.time, s.alive, s.fixed, s.mate, s.size):
        del field[levels:]
    del s.squares[max(0, c[DEPTH]) :], s.steps[max(0, c[DEPTH]) :], s.tours[c[HELD] :]
    for fixed, mate, size in zip(s.fixed, s.mate, s.size, strict=True):
        for x, bits in enumerate(fixed):
            if bits.bit_count() == 2:
                mate[x] = size[x] = 0
    return c, s.time, s.alive, s.fixed, s.mate, s.size, s.noise, s.squares, s.steps, s.tours


# Required (1) and forbidden (0) moves: a square, the place of the move in its row of `near`, and which.
Moves = list[tuple[int, int, int]]
# Boards, whether closed, the steps that squares may have, from 1, moves, and the limit of the first round. They meet
# the contradictions that others do not forestall as good as always: NO_STEP, TWO_STEPS and LOOP.
_QUESTIONS: list[tuple[Board, bool, dict[int, set[int]], Moves, int]] = [
    (Board(3, 4), False, {}, [], 500),
    (Board(3, 4), False, {0: {1}}, [], 3),
    (Board(3, 4), False, {s: {1, 2, 3, *range(5, 13)} for s in range(12)}, [], 500),
    (Board(4, 4), False, {}, [], 8),  # has none
    (Board(4, 4), True, {0: {1}}, [], 500),  # which follows at once
    (Board(4, 5), False, {0: {1, 20}, 7: {3, 4, 5, 6}}, [], 10),
    (Board(5, 6), True, {0: {1}}, [], 500),
    (Board(5, 6), True, {1: {5, 7}}, [], 12),
    (Board(5, 6), False, {7: {27}, 17: {14}}, [], 500),  # at the 24th node one square for two steps
    (Board(5, 6), False, {2: {7}}, [(7, 0, 0), (8, 2, 1)], 500),
    (Board(3, 3, holes=["b2"]), True, {0: {1}}, [], 500),
    (Board(3, 4, wrap="torus"), True, {0: {1}}, [], 500),
    (Board(5, 14, holes=["a1"]), False, {}, [], 500),  # steps of two words
    (Board.from_graph(both_ways([[1], [0]])), False, {}, [], 500),
    (Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]])), False, {0: {2, 3}}, [], 500),
]


def cases() -> Iterator[Case]:
    """Yield boards of all kinds, with and without given numbers; some have too few nodes to end."""
    calls: list[tuple[float, ...]] = [(0,), *[(1,)] * 8, (2,), (16,)]
    for i, (board, is_closed, given, moves, first_round) in enumerate(_QUESTIONS):
        state = _state(board, is_closed, given, first_round, i)
        for move in moves:
            kernel_function("clues_lay_down")(state, *move)
        yield Case(f"{i} {board}", (state,), calls)


def move_cases() -> Iterator[Case]:
    """Yield excluded and certain moves up to a third move, a loop, or a contradiction."""
    sequences: list[list[tuple[float, ...]]] = [
        [(0, 0, 0), (0, 0, 0), (0, 0, 1)],
        [(5, 0, 1), (5, 0, 1), (5, 1, 1), (5, 2, 1)],
        [(s, k, 1) for s in range(20) for k in range(2)],
        [(s, 1, s % 3 == 0) for s in range(20)],
    ]
    for i, is_closed in itertools.product(range(len(sequences)), (False, True)):
        yield Case(f"{i} {is_closed}", (_state(Board(4, 5), is_closed, {}, 500, 0),), sequences[i])


def _state(board: Board, is_closed: bool, given: dict[int, set[int]], first_round: int, seed: int) -> State:
    places = places_of(board)
    steps = [sum(1 << t - 1 for t in given.get(s, range(1, places.count + 1))) for s in range(places.count)]
    state = start_state(places, steps, is_closed, seed, 3)
    state.counters[CAPACITY] = 3
    state.counters[LIMIT] = state.counters[ROUND] = first_round
    return state


ROWS = [Row("clues_step", None, cases, seen), Row("clues_lay_down", None, move_cases, seen)]
