"""Cases of the sweep over uncrossed tours; tests/objectives compares what it finds with lists of all."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Board, Problem
from knightstour.core.kernels.search import uncrossed as kernel
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.budget import Budget
from knightstour.lab.objectives import uncrossed_beam as beam
from knightstour.lab.objectives.uncrossed_beam import Beam
from knightstour.lab.objectives.uncrossed_sweep import Sweep
from reference import Case, Row

_QUESTIONS = (("5x5", True), ("4x6", False), ("5x6:-b2", True), ("4x5", False))
_ROOM = 1 << 12


def _states(sweep: Sweep, place: int) -> np.ndarray:
    """Return the states after some places, in order."""
    states, totals = sweep.start()
    for step in sweep.forward.steps[: place + 1]:
        states = sweep.advance(step, sweep.plain, states, totals)
    return states[np.lexsort(states.T)][:200]


def _sweeps() -> Iterator[tuple[str, Sweep, int, np.ndarray]]:
    for board, closed in _QUESTIONS:
        sweep = Sweep(Problem(board, closed=closed, partial=True), 4, Budget())
        for place in (5, 9, 13):
            yield f"{board} {closed} {place}", sweep, place, _states(sweep, place)


def expand_cases() -> Iterator[Case]:
    """Yield states without a bound, with a loose one, and with a target; once with a table that is too small."""
    for name, sweep, place, states in _sweeps():
        loose, near = sweep.plain._replace(is_loose=1), sweep.plain._replace(target=10, most=6, gain=2)
        for rule, room in ((sweep.plain, _ROOM), (loose, _ROOM), (near, _ROOM), (sweep.plain, 256)):
            table, totals = np.zeros(room * kernel.WORDS, dtype=np.uint64), np.zeros(kernel.TOTALS, dtype=np.int64)
            start = (sweep.forward.steps[place + 1], rule, states.reshape(-1), table, totals)
            yield Case(f"{name} {rule[2:7]} {room}", start, [(0, len(states))])


def settle_cases() -> Iterator[Case]:
    """Yield states at the beginning of an enlarged table."""
    for name, _, _, states in _sweeps():
        size, half = len(states), len(states) // 2
        table = np.zeros((1 << (2 * size).bit_length(), kernel.WORDS), dtype=np.uint64)
        table[:size] = states
        yield Case(name, (table.reshape(-1), 1), [(0, half), (half, size)])


def pack_cases() -> Iterator[Case]:
    """Yield sparse tables."""
    for name, _, place, states in _sweeps():
        table = np.zeros((3 * len(states), kernel.WORDS), dtype=np.uint64)
        table[place % 3 :: 3][: len(states)] = states
        yield Case(name, (table.reshape(-1),))


def bounds_cases() -> Iterator[Case]:
    """Yield the longest states of each pattern, from the other end."""
    for name, sweep, place, states in _sweeps():
        bounds = np.zeros(3 * sweep.size * sweep.far, dtype=np.uint8)
        start = (sweep.forward.steps[place], sweep.plain, states.reshape(-1), bounds)
        yield Case(name, start, [(0, len(states))])


def beam_cases() -> Iterator[Case]:
    """Yield some places of boards with holes, other shapes and pieces, in two calls each."""
    boards = [
        *_QUESTIONS,
        (Board("hex:3"), False),
        (Board("6x6", moves="camel"), True),
        (Board("4x4", moves="wazir"), False),
    ]
    for board, closed in boards:
        problem = Problem(board, closed=closed, partial=True)
        table = Beam(problem, 1).table
        rows, made = np.full((1, 2 * table.window), 255, dtype=np.uint8), np.zeros((1, beam.MADE), dtype=np.int64)
        rows[:, table.window :] = 0
        for place in range(table.places):
            new_rows = np.zeros((len(rows) * 37, 2 * table.window), dtype=np.uint8)
            new_made = np.zeros((len(rows) * 37, beam.MADE), dtype=np.int64)
            totals, slots = np.zeros(beam.TOTALS, dtype=np.int64), np.zeros(1 << 14, dtype=np.int64)
            arrays = (*(rows.reshape(-1), made.reshape(-1), new_rows.reshape(-1), new_made.reshape(-1)), slots, totals)
            half = len(rows) // 2
            if place % 4 == 1:
                yield Case(f"{board} {closed} {place}", (table, place, *arrays), [(0, half), (half, len(rows))])
            kernel_function("uncrossed_beam_expand")(table, place, *arrays, 0, len(rows))
            kept = min(200, int(totals[beam.COUNT]))
            rows, made = new_rows[:kept], new_made[:kept]


def seen(*state: Any) -> Any:
    """Return the table, and the totals."""
    return state[-4:-2]


def seen_bounds(*state: Any) -> Any:
    return state[3]


def seen_beam(*state: Any) -> Any:
    """Return the new states, and the totals."""
    return state[4], state[5], state[7]


ROWS = [
    Row("uncrossed_expand", None, expand_cases, seen),
    Row("uncrossed_settle", None, settle_cases, lambda *state: state[0]),
    Row("uncrossed_pack", None, pack_cases),
    Row("uncrossed_bounds", None, bounds_cases, seen_bounds),
    Row("uncrossed_beam_expand", None, beam_cases, seen_beam),
]
