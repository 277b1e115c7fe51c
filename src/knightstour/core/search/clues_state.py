"""What the search for numberings works on, and why given numbers contradict each other, in words.

At which steps may a square be, and which moves may be in the tour? These are two views of one question, and each rules
out what the other cannot see. A step is a bit: bit t % 64 of word t // 64, t counted from 0. So all steps of a square
are looked at in one go.

What conclusions.h concludes before each choice:
  a square at a step has a neighbour one step before, and another one step after
  the two ends of a certain move are one step apart, and those of two certain moves lie on both sides
  a step of a square that has no other is lost to all other squares; a step with one square left is that square's
  a move that no steps of its ends allow is lost; so are all others of a square that has its two, and one that would
  close a loop too early
  a square with two moves left needs both; one with a known step and one way on, or one way back, needs that move
  a named square has no step before, or too soon after, the first of the one named before it; nor likewise too late

Then clues.cc tries a square at a step; when that fails the step is struck out and the search goes on from there. So
when it runs dry it has seen everything. Until it has found something it restarts now and then, in another order;
what was struck out before the first choice stays so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from knightstour.core.model.distances import moves_away

if TYPE_CHECKING:
    from knightstour.core.search.clues import Places


class State(NamedTuple):
    """Arrays of int64, or of uint64 where they hold bits.

    counters: see below. near: for each square as many places as the most moves that one has; the squares a move away,
    -1 where there is none. back: the place of the same move at its other end.
    time (bits): the steps at which a square may be, the same number of words for each. alive (bits): a 1 for each move
    that may be in the tour, by its place in `near`. fixed (bits): and for each that is. The certain moves make chains:
    mate is the other end of the chain that ends in a square, and size the number of its squares.
    up, down (bits): the steps one after and one before those of a square, at the level of now. noise: what makes one
    order of choices differ from the next. queue, waits: squares to be looked at, and whether a square is among them.
    counts: squares for each step. squares, steps: the choices at levels 0, 1, ...; a level
    is what was known before a choice: a row of time, alive, fixed, mate and size. tours: room for numberings.
    named: squares that come in this order, none for no order. apart: the fewest steps from each to the next.
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


# Items of `counters` that Python asks for; the struct Counters has all. DEPTH: choices that hold now; -1 when the
# search has run dry. SIZE: squares, two at least. HELD: numberings in `tours`. CAPACITY: stop as soon as this many are
# held. CHOICES: squares tried at a step. LIMIT: node at which to restart. ROUND: nodes of this round. WHY: what the
# last contradiction was. WHERE: and its square or step.
NODES, DEPTH, SIZE, CLOSED = range(4)
HELD, CAPACITY, CHOICES = range(5, 8)
LIMIT, ROUND, RANDOM, WHY, WHERE = range(9, 14)
COUNTERS = 14

# Contradictions: a square that can be at no step; a step for which no square is left; a square that is needed for two
# steps; a square with too few moves; certain moves that meet at a square; a loop that leaves squares out; a certain
# move that no steps allow; a named square that can only come too early, or too late.
NO_STEP, NO_SQUARE, TWO_STEPS, FEW_MOVES, MANY_MOVES, LOOP, NO_MOVE, NO_ORDER = range(1, 9)

# Nodes after which the search restarts for the first time.
ROUND_NODES = 500
# Noise is below this.
NOISE = 300


def square_name(places: Places, s: int) -> str:
    """The name of a square of the search."""
    return places.board.name(divmod(places.squares[s], places.board.cols))


def contradiction(places: Places, closed: bool, steps: list[int], why: int, where: int) -> str:
    """The first contradiction that can be said in a sentence: between two given numbers if there is one, or else that
    which the search ended with (why, where: of the kernel).

    Args:
        steps: The steps that each square may have, as bits.
    """
    return _of_a_pair(places, closed, steps) or _of_the_search(places, why, where)


def _of_a_pair(places: Places, closed: bool, steps: list[int]) -> str:
    """Two given numbers that contradict each other: the same one, or too far apart, or of the wrong colours."""
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
    """Whether each move changes the colour, of two colours."""
    far = moves_away(places.neighbours, 0)
    return all((far[s] - far[u]) % 2 for s in far for u in places.neighbours(s))


def _of_the_search(places: Places, why: int, where: int) -> str:
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
