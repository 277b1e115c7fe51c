"""Human solving techniques: five kinds of reasoning, and the easiest next step with its reason as a sentence.

    reach      for a number: only one free square is close enough to the known numbers before and after it
    square     for a square: only one number fits
    chain      all paths between two consecutive known numbers agree on a number or a square
    dead ends  a square with two remaining moves needs both, no early loop, and all other forced conclusions
    guess      nothing follows; trial and error is needed

For a piece that moves to adjacent squares, long gaps between known numbers are easy for a computer but hard for a
person. There, a kind of reasoning counts only if few consecutive numbers are missing (_LONGEST_GAP).

The possible squares of a step are within the required number of moves from the known numbers before and after. Sets of
squares are the bits of an integer.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from knightstour.core.model.board import Board
from knightstour.core.model.budget import NO_LIMITS, Budget
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.search.clues import Moves, Numberings, Places, places_of
from knightstour.core.search.clues_state import square_name

REACH, SQUARE, CHAIN, DEAD_ENDS, GUESS = KINDS = ("reach", "square", "chain", "dead ends", "guess")
# The hardest kind of reasoning of each level.
LEVELS: Final = {"easy": REACH, "medium": CHAIN, "hard": DEAD_ENDS, "expert": GUESS}


def level_of(kind: str) -> str:
    """Return the level of puzzles whose hardest step is of this kind.

    >>> level_of("square")
    'medium'
    """
    return next(level for level, most in LEVELS.items() if KINDS.index(kind) <= KINDS.index(most))


# Maximum number of consecutive missing numbers for a kind of reasoning, for pieces that move to adjacent squares. Easy
# puzzles therefore have many clues: on two fifths of the squares of a Numbrix, and half of a Hidato.
_LONGEST_GAP: Final = {REACH: 2, SQUARE: 2, CHAIN: 4}


# Placeholder for a reason that is computed on demand: only one step fits the square.
_ONE_STEP = "one step"


class Step(NamedTuple):
    """A number to place: square s of the search gets step t (from 0), with the kind of reasoning and the reason."""

    s: int
    t: int
    kind: str
    reason: str


def set_bits(bits: int) -> Iterator[int]:
    """Yield the positions of the bits that are 1.

    >>> list(set_bits(0b1010))
    [1, 3]
    """
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


class Walks:
    """For each square and k, the squares that k moves can reach, also with repeated squares."""

    def __init__(self, places: Places, walls: Moves = ()) -> None:
        self.near = [sum(1 << u for u in places.neighbours(s)) for s in range(places.count)]
        for a, b in walls:
            s, u = places.index[a], places.index[b]
            self.near[s] &= ~(1 << u)
            self.near[u] &= ~(1 << s)
        self._from: list[list[int]] = [[1 << s, self.near[s]] for s in range(places.count)]

    def around(self, squares: int) -> int:
        """Return the squares one move away from any of these."""
        found = 0
        for s in set_bits(squares):
            found |= self.near[s]
        return found

    def get(self, s: int, k: int) -> int:
        """Return the squares that k moves from s can reach."""
        found = self._from[s]
        if k < len(found):
            return found[k]
        found = found.copy()  # since other threads may use it
        while len(found) <= k:
            if len(found) > 3 and found[-1] == found[-3] and found[-2] == found[-4]:
                break
            found.append(self.around(found[-1]))
        self._from[s] = found
        return found[k] if k < len(found) else found[-2 + (k - len(found)) % 2]


@functools.lru_cache(maxsize=32)
def walks_of(board: Board) -> Walks:
    """Return the walks of a board; the most recent boards are cached."""
    return Walks(places_of(board))


class Reasoning:
    """Known numbers of a puzzle, and their consequences.

    Args:
        places: The board.
        closed: Whether the tour is closed.
        steps: The possible steps of each square, as bits; a square with one step is known.
        visit_order, forbid: Squares of increasing steps, and walls, as square numbers.
    """

    def __init__(
        self,
        places: Places,
        closed: bool,
        steps: Sequence[int],
        visit_order: Sequence[int] = (),
        forbid: Collection[tuple[int, int]] = (),
    ) -> None:
        self.places, self.closed = places, closed
        self.count = places.count
        self.visit_order, self.forbid = visit_order, forbid
        self.walks = Walks(places, forbid) if forbid else walks_of(places.board)
        board = places.board
        self._longest_gap = _LONGEST_GAP if isinstance(board, GridBoard) and board.piece.reach == 1 else {}
        full = (1 << self.count) - 1
        # at: the square of each known step. allowed: the squares that a step may have, apart from known steps.
        self.at: dict[int, int] = {}
        self.allowed = [full] * self.count
        self.free = full
        for s, bits in enumerate(steps):
            if bits & (bits - 1) == 0:
                self.place(s, bits.bit_length() - 1)
            elif bits != full:
                for t in range(self.count):
                    if not bits >> t & 1:
                        self.allowed[t] &= ~(1 << s)

    @property
    def is_done(self) -> bool:
        """Whether all squares are known."""
        return len(self.at) == self.count

    def place(self, s: int, t: int) -> None:
        """Assign step t to square s."""
        self.at[t] = s
        self.free &= ~(1 << s)

    # -- possibilities

    def possible_squares(self) -> dict[int, int]:
        """Return the squares that are near enough for each missing step, as bits."""
        found = {}
        for low, high in self._gaps():
            for t in range(low + 1, high):
                bits = self.free & self.allowed[t % self.count]
                if low in self._known:
                    bits &= self.walks.get(self._known[low], t - low)
                if high in self._known:
                    bits &= self.walks.get(self._known[high], high - t)
                found[t % self.count] = bits
        return found

    def _gaps(self) -> list[tuple[int, int]]:
        """Return the gaps, as (last known step before, first known step after).

        An open tour begins at -1 and ends at count; in a closed tour, steps from count on repeat the first ones.
        """
        known = sorted(self.at)
        self._known = dict(self.at)
        if not self.closed or not known:
            known = [-1, *known, self.count]
        else:
            known.append(known[0] + self.count)
            self._known[known[-1]] = self.at[known[0]]
        return [(low, high) for low, high in zip(known, known[1:], strict=False) if high > low + 1]

    def filter_by_paths(self, possible: dict[int, int]) -> dict[int, int]:
        """Return, for each missing step, the squares on a path from the known step before to the known step after."""
        found = dict(possible)
        for low, high in self._gaps():
            for steps, start in ((range(low + 1, high), low), (range(high - 1, low, -1), high)):
                before = 1 << self._known[start] if start in self._known else -1
                for t in steps:
                    if before >= 0:
                        found[t % self.count] &= self.walks.around(before)
                    before = found[t % self.count]
        return found

    # -- consequences

    def consequences(self, kinds: Iterable[str]) -> list[Step]:
        """Return the consequences of the first of these kinds that has any, without reasons, or []."""
        possible = self.possible_squares()
        for kind in kinds:
            if kind == CHAIN:
                possible = self.filter_by_paths(possible)
            found = self._only_squares(possible, kind) if kind != SQUARE else []
            if kind != REACH and not found:
                found = self._only_steps(possible, kind)
            if kind in self._longest_gap:
                found = [step for step in found if self._missing_round(step.t) <= self._longest_gap[kind]]
            if found:
                return found
        return []

    def _only_squares(self, possible: Mapping[int, int], kind: str) -> list[Step]:
        return [Step(b.bit_length() - 1, t, kind, "") for t, b in possible.items() if b and b & (b - 1) == 0]

    def _only_steps(self, possible: Mapping[int, int], kind: str) -> list[Step]:
        once = twice = 0
        for bits in possible.values():
            twice |= once & bits
            once |= bits
        single = once & ~twice
        return [Step(s, t, kind, _ONE_STEP) for t, bits in possible.items() for s in set_bits(bits & single)]

    def solves(self, kind: str) -> bool:
        """Whether reach, square and chain, up to this kind, fill the whole board. The consequences are kept."""
        kinds = KINDS[: KINDS.index(kind) + 1]
        while not self.is_done:
            found = self.consequences(kinds)
            squares, steps = {step.s for step in found}, {step.t for step in found}
            if not found or len(squares) < len(found) or len(steps) < len(found):
                return False
            for step in found:
                self.place(step.s, step.t)
        return True

    # -- with reasons

    def easiest_step(self) -> Step | None:
        """Return the easiest next step without a guess, with its reason, or None."""
        for kind in (REACH, SQUARE, CHAIN):
            found = self.consequences(KINDS[: KINDS.index(kind) + 1])
            if found:
                # The shortest gap is the easiest to see.
                step = min(found, key=lambda step: (self._gap_of(step.t)[1] - self._gap_of(step.t)[0], step.t))
                return step._replace(reason=self._reason(step))
        return self._by_dead_ends()

    def _by_dead_ends(self) -> Step | None:
        given = [(self.places.squares[s], {t + 1}) for t, s in self.at.items()]
        for s in set_bits(self.free):
            steps = {t + 1 for t in range(self.count) if self.allowed[t] >> s & 1 and t not in self.at}
            given.append((self.places.squares[s], steps))
        search = Numberings(
            self.places.board,
            given,
            Budget(NO_LIMITS),
            closed=self.closed,
            forbid=self.forbid,
            visit_order=self.visit_order,
            takes_turns=False,
        )
        known = {
            s: bits.bit_length() - 1
            for s, bits in enumerate(search.possible_steps())
            if bits and bits & (bits - 1) == 0
        }
        fresh = [(t not in self._steps_next_to_known(), t, s) for s, t in known.items() if self.free >> s & 1]
        if not fresh:
            return None
        _, t, s = min(fresh)
        step = Step(s, t, DEAD_ENDS, "")
        return step._replace(reason=self._reason(step))

    def _steps_next_to_known(self) -> set[int]:
        return {(t + d) % self.count for t in self.at for d in (1, -1)}

    def _gap_of(self, t: int) -> tuple[int, int]:
        gaps = self._gaps()
        for low, high in gaps:
            if low < t < high or low < t + self.count < high:
                return low, high
        raise AssertionError("the step is known")

    def _missing_round(self, t: int) -> int:
        """Return the length of the gap around a missing step."""
        low, high = self._gap_of(t)
        return high - low - 1

    def _reason(self, step: Step) -> str:
        name, number = self.name(step.s), step.t + 1
        low, high = self._gap_of(step.t)
        ends = [f"{t % self.count + 1} on {self.name(self._known[t])}" for t in (low, high) if t in self._known]
        between = " and ".join(ends)
        if step.kind == REACH:
            both = " to both" if len(ends) > 1 else ""
            return f"{number} lies {'between' if both else 'next to'} {between}, and only {name} is near enough{both}"
        if step.kind == SQUARE:
            return f"no other number fits {name}: all others are too far from the known numbers"
        if step.kind == CHAIN:
            where = f"from {ends[0]} to {ends[1]}" if len(ends) > 1 else f"that lead from {between}"
            if step.reason == _ONE_STEP:
                return f"follow all paths from each known number to the next: {name} is only on paths for {number}"
            return f"among the paths {where}, {number} is always on {name}"
        return (
            f"count the remaining moves: a square with two moves needs both, and a loop must not close early; "
            f"then {name} can only be {number}"
        )

    def name(self, s: int) -> str:
        """Return the name of a square."""
        return square_name(self.places, s)

    def fewest_squares(self) -> tuple[int, int]:
        """Return the missing step with the fewest possible squares, and these squares."""
        possible = self.filter_by_paths(self.possible_squares())
        t = min(possible, key=lambda t: (possible[t].bit_count(), t))
        return t, possible[t]


def reasoning_of(
    places: Places,
    closed: bool,
    given: Iterable[tuple[int, Iterable[int]]],
    visit_order: Sequence[int] = (),
    forbid: Collection[tuple[int, int]] = (),
) -> Reasoning:
    """Return the knowledge if squares (by number on the board) have these steps, from 1, or are visited in order.

    >>> from knightstour.core.model.board import Board
    >>> reasoning_of(places_of(Board(3, 4)), False, [(0, [1])]).at
    {0: 0}
    """
    steps = [(1 << places.count) - 1] * places.count
    for square, numbers in given:
        steps[places.index[square]] &= sum(1 << number - 1 for number in set(numbers))
    return Reasoning(places, closed, steps, visit_order, forbid)
