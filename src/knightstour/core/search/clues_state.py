"""State of the search for numberings, and explanations of contradictory numbers.

The search keeps the possible steps of each square and the possible moves: two views of one problem, each of which
excludes what the other cannot detect. A step is a bit, bit t % 64 of word t // 64 with t from 0, so all steps of a
square are processed together.

Conclusions of conclusions.h before each choice:
- a square at a step has a neighbour one step before, and another one step after
- the ends of a certain move are one step apart, and the steps at the other ends of two certain moves lie on both sides
- a square with one possible step excludes this step from all other squares; a step with one possible square fixes it
- a move that no steps of its ends allow is excluded; also other moves of a square that has its two moves, and a move
  that would close a loop too early
- a square with two possible moves needs both; a square with a known step and one move forward, or one move back, needs
  that move
- a named square has no step before, or too soon after, the first step of its predecessor in the order; likewise for the
  last steps

Then clues.cc tries a square at a step. If this fails, the step is excluded, so the search is complete. Until the first
solution it restarts at intervals, in another order. Steps excluded before the first choice stay excluded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from knightstour.core.model.distances import moves_away

if TYPE_CHECKING:
    from knightstour.core.search.clues import Places


class State(NamedTuple):
    """Arrays of int64, or of uint64 for bits. A level is the knowledge before a choice: a row of time, alive, fixed,
    mate and size.

    Attributes:
        counters: See below.
        near: The neighbours of each square, padded with -1.
        back: Index of the reversed move at the other square.
        time (bits): Possible steps of each square.
        alive, fixed (bits): The possible and the certain moves, by index in `near`.
        mate, size: The certain moves form chains: for a square at an end of a chain its other end, and its number of
        squares. up, down (bits): Steps one after and one before the steps of a square, at the current level.
        noise: Random numbers that vary the order of choices.
        queue, waits: Squares to process, and whether a square is queued.
        counts: Number of squares for each step.
        squares, steps: The choices at levels 0, 1, ...
        tours: Buffer for numberings.
        named: Squares in the required order; empty without one.
        apart: Distance from each named square to the next.
    """

    counters: np.ndarray
    near: np.ndarray
    back: np.ndarray
    time: np.ndarray
    alive: np.ndarray
    fixed: np.ndarray
    mate: np.ndarray
    size: np.ndarray
    up: np.ndarray
    down: np.ndarray
    noise: np.ndarray
    queue: np.ndarray
    waits: np.ndarray
    counts: np.ndarray
    squares: np.ndarray
    steps: np.ndarray
    tours: np.ndarray
    named: np.ndarray
    apart: np.ndarray


# Indices of `counters` that Python needs; the struct Counters has all. DEPTH: number of current choices; -1 if the
# search is exhausted. SIZE: number of squares, at least 2. HELD: numberings in `tours`. CAPACITY: stop when HELD
# reaches it. CHOICES: squares tried at a step. LIMIT: node of the next restart. ROUND: nodes of this round. WHY, WHERE:
# kind of the last contradiction, and its square or step.
NODES, DEPTH, SIZE, CLOSED = range(4)
HELD, CAPACITY, CHOICES = range(5, 8)
LIMIT, ROUND, RANDOM, WHY, WHERE = range(9, 14)
COUNTERS = 14

# Contradictions: a square without a step; a step without a square; a square that is needed for two steps; a square with
# too few moves; certain moves that meet at a square; a loop that skips squares; a certain move that no steps allow; a
# named square that is always too early or too late.
NO_STEP, NO_SQUARE, TWO_STEPS, FEW_MOVES, MANY_MOVES, LOOP, NO_MOVE, NO_ORDER = range(1, 9)

# Number of nodes before the first restart.
ROUND_NODES = 500
# Upper bound of the noise.
NOISE = 300


def square_name(places: Places, s: int) -> str:
    return places.board.square_name(divmod(places.squares[s], places.board.cols))


def contradiction(places: Places, closed: bool, steps: list[int], why: int, where: int) -> str:
    """Return a contradiction that one sentence can explain: between two given numbers, or else the last one.

    Args:
        steps: The possible steps of each square, as bits.
        why, where: Last contradiction of the kernel.
    """
    return _contradiction_of_pair(places, closed, steps) or _contradiction_of_search(places, why, where)


def _contradiction_of_pair(places: Places, closed: bool, steps: list[int]) -> str:
    """Return a contradiction of two given numbers: equal, too far apart, or of the wrong colours."""
    count = places.count
    known: dict[int, int] = {}
    for s, bits in enumerate(steps):
        if bits == 0:
            return f"{square_name(places, s)} can have none of the steps that are given for it"
        if bits & (bits - 1) == 0:
            step = bits.bit_length()
            if step in known:
                return f"{square_name(places, known[step])} and {square_name(places, s)} are both step {step}"
            known[step] = s
    order = sorted(known)
    pairs = list(zip(order, order[1:], strict=False))
    if closed and len(order) > 1:
        pairs.append((order[-1], order[0]))
    for low, high in pairs:
        gap = (high - low) % count
        words = f"{square_name(places, known[low])} = {low} and {square_name(places, known[high])} = {high}"
        far = moves_away(places.neighbours, known[low]).get(known[high], -1)
        if far < 0:
            return f"{words}: no moves lead from one to the other"
        if far > gap:
            return f"{words}: {far} moves apart at least, but the numbers differ by {gap}"
        if (far - gap) % 2 and _has_colours(places):
            return f"{words}: an {'odd' if far % 2 else 'even'} number of moves apart, but the numbers differ by {gap}"
    return ""


def _has_colours(places: Places) -> bool:
    """Return whether each move changes between two colours."""
    far = moves_away(places.neighbours, 0)
    return all((far[s] - far[u]) % 2 for s in far for u in places.neighbours(s))


def _contradiction_of_search(places: Places, why: int, where: int) -> str:
    if why == NO_SQUARE:
        return f"no square is left for step {where + 1}"
    if why == 0:
        return "there are too few squares"
    name = square_name(places, where)
    return {
        NO_STEP: f"no step is left for {name}",
        TWO_STEPS: f"{name} is the only square left for two steps",
        FEW_MOVES: f"too few moves are left at {name}",
        MANY_MOVES: f"more than two moves are needed at {name}",
        LOOP: f"the moves that are needed close a loop at {name} that leaves squares out",
        NO_MOVE: f"a move that is needed at {name} fits no steps",
        NO_ORDER: f"no step is left for {name} in the order of the named squares",
    }[why]
