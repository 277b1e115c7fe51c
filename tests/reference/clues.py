"""The search for numberings, from its definition: sets of steps and of moves, and rules for them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from helpers.both_ways import both_ways
from knightstour import Board
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.clues import (
    CAPACITY,
    CHOICES,
    CLOSED,
    DEPTH,
    FEW_MOVES,
    HAS_FOUND,
    HELD,
    LIMIT,
    LOOP,
    MANY_MOVES,
    NO_MOVE,
    NO_SQUARE,
    NO_STEP,
    NODES,
    NOISE,
    RANDOM,
    ROUND,
    STARTED,
    TWO_STEPS,
    WHERE,
    WHY,
    State,
)
from knightstour.core.search.clues import places_of, start_state
from reference import Case, Row

RUNNING, FOUND, EXHAUSTED = 0, 1, 2


class Contradiction(Exception):
    """What is known cannot all be so: why, and its square or step."""


class Known:
    """A level: the steps of each square, the moves that may be in the tour, and those that are."""

    def __init__(self, state: State, level: int) -> None:
        self.near, self.is_closed, self.n = state.near, bool(state.counters[CLOSED]), len(state.near)
        self.steps = [
            {64 * w + t for w, word in enumerate(words) for t in range(64) if word >> t & 1}
            for words in state.time[level]
        ]
        self.queue: list[int] = []
        self.moves, self.sure = (self._moves(bits[level]) for bits in (state.alive, state.fixed))

    def _moves(self, bits: list[int]) -> set[frozenset[int]]:
        return {frozenset((s, u)) for s, row in enumerate(self.near) for k, u in enumerate(row) if bits[s] >> k & 1}

    def write(self, state: State, level: int) -> None:
        """Bring a level of the state in line with this."""
        for s, steps in enumerate(self.steps):
            for w in range(len(state.time[level][s])):
                state.time[level][s][w] = sum(1 << t - 64 * w for t in steps if t // 64 == w)
            for bits, moves in ((state.alive, self.moves), (state.fixed, self.sure)):
                bits[level][s] = sum(1 << k for k, u in enumerate(self.near[s]) if frozenset((s, u)) in moves)
            chain = self.chain(s)
            state.mate[level][s] = chain[-1]
            state.size[level][s] = len(chain)

    def others(self, s: int, moves: set[frozenset[int]]) -> list[int]:
        """The squares to which some moves lead from a square."""
        return [u for u in self.near[s] if frozenset((s, u)) in moves]

    def chain(self, s: int) -> list[int]:
        """The squares along certain moves from one that has one at most."""
        found = [s]
        while more := [u for u in self.others(found[-1], self.sure) if u not in found]:
            found.append(more[0])
        return found

    def beside(self, t: int, by: int) -> int | None:
        """The step after (by = 1) or before (by = -1), if there is one."""
        return (t + by) % self.n if self.is_closed or 0 <= t + by < self.n else None

    def make_sure(self, s: int, u: int) -> None:
        """Make a move certain."""
        if frozenset((s, u)) in self.sure:
            return
        for x in (s, u):
            if len(self.others(x, self.sure)) == 2:
                raise Contradiction(MANY_MOVES, x)
        ends = self.chain(s)[-1], self.chain(u)[-1]
        length = len({*self.chain(s), *self.chain(u)})
        is_whole = self.is_closed and length == self.n
        if ends[0] == u and not is_whole:
            raise Contradiction(LOOP, s)
        self.sure.add(frozenset((s, u)))
        self.touch(s, u)
        if ends[0] == u:
            return
        for x in (s, u):
            if len(self.others(x, self.sure)) == 2:
                for y in self.others(x, self.moves - self.sure):
                    self.rule_out(x, y)
        if not is_whole and frozenset(ends) in self.moves - self.sure:
            self.rule_out(*ends)

    def rule_out(self, s: int, u: int) -> None:
        """Rule out a move."""
        self.moves.remove(frozenset((s, u)))
        self.touch(s, u)

    def touch(self, *squares: int) -> None:
        """Have squares looked at."""
        self.queue += [s for s in squares if s not in self.queue]

    def _spread(self, s: int) -> None:
        """The steps of a square have changed."""
        self.touch(*self.others(s, self.moves))

    def _claim(self, s: int) -> None:
        """The one step of a square is lost to all others."""
        for u in range(self.n):
            if u != s and self.steps[u] & self.steps[s]:
                self.steps[u] -= self.steps[s]
                self.touch(u)
                self._spread(u)

    def begin(self) -> None:
        """Conclude from the question alone."""
        self.touch(*range(self.n))
        for s in range(self.n):
            if len(self.steps[s]) == 1:
                self._claim(s)
        self._settle()

    def put(self, s: int, t: int) -> None:
        """Try a square at a step, and conclude from that."""
        self.steps[s] = {t}
        self.touch(s)
        self._claim(s)
        self._spread(s)
        self._settle()

    def strike_out(self, s: int, t: int) -> None:
        """Take a step from a square, and conclude from that."""
        self.steps[s] -= {t}
        self.touch(s)
        self._spread(s)
        self._settle()

    def _settle(self) -> None:
        """Look at what waits until nothing does."""
        while self.queue:
            while self.queue:
                s = self.queue.pop(0)
                self._look_at_steps(s)
                self._look_at_moves(s)
            for first in range(0, self.n, 64):
                self._look_at_squares(range(first, min(first + 64, self.n)))

    def _look_at_squares(self, steps: range) -> None:
        """A step with one square left is that square's."""
        squares_of = {t: [s for s in range(self.n) if t in self.steps[s]] for t in steps}
        for t in steps:
            if not squares_of[t]:
                raise Contradiction(NO_SQUARE, t)
        for s in range(self.n):
            mine = {t for t in steps if squares_of[t] == [s]}
            if len(mine) > 1:
                raise Contradiction(TWO_STEPS, s)
            if mine and self.steps[s] != mine:
                self.steps[s] = mine
                self.touch(s)
                self._spread(s)

    def _look_at_steps(self, s: int) -> None:
        """Of its steps those stay that have a square before and another one after, its certain moves among them."""
        sure = set(self.others(s, self.sure))

        def is_possible(t: int) -> bool:
            sides = [x for x in (self.beside(t, -1), self.beside(t, 1)) if x is not None]
            return any(
                sure <= set(pair) and all(x in self.steps[u] for x, u in zip(sides, pair, strict=True))
                for pair in itertools.permutations(self.others(s, self.moves), len(sides))
            )

        possible = {t for t in self.steps[s] if is_possible(t)}
        if not possible:
            raise Contradiction(NO_STEP, s)
        if possible != self.steps[s]:
            self.steps[s] = possible
            if len(possible) == 1:
                self._claim(s)
            self._spread(s)

    def _look_at_moves(self, s: int) -> None:
        """Moves that no steps allow go; two that are left are both needed, and so is the only way on or back."""
        steps = self.steps[s]
        ways = {
            by: [u for u in self.others(s, self.moves) if any(self.beside(t, by) in self.steps[u] for t in steps)]
            for by in (-1, 1)
        }
        for u in self.others(s, self.moves):
            if u not in ways[-1] + ways[1]:
                if frozenset((s, u)) in self.sure:
                    raise Contradiction(NO_MOVE, s)
                self.rule_out(s, u)
        left = self.others(s, self.moves)
        may_end = not self.is_closed and bool(steps & {0, self.n - 1})
        if len(left) < (1 if may_end else 2):
            raise Contradiction(FEW_MOVES, s)
        needed = left if len(left) == 2 and not may_end else []
        for by in (1, -1):
            if len(steps) == 1 and len(ways[by]) == 1 and self.beside(min(steps), by) is not None:
                needed = needed + ways[by]
        for u in needed:
            self.make_sure(s, u)

    def choice(self, noise: list[int]) -> tuple[int, int] | None:
        """What to try: of the step with the fewest squares, or the square with the fewest steps; None: all is known."""
        squares_of = [[s for s in range(self.n) if t in self.steps[s]] for t in range(self.n)]
        is_known = [len(squares) == 1 for squares in squares_of]
        scores = [(8 * len(steps) + 2, 0, s) for s, steps in enumerate(self.steps) if len(steps) > 1]
        for t, squares in enumerate(squares_of):
            if len(squares) > 1:
                is_beside = any(is_known[max(0, t - 1) : t] + is_known[t + 1 : t + 2])
                scores.append((8 * len(squares) - is_beside, 1, t))
        if not scores:
            return None
        _, is_step, x = min(scores)
        if is_step:
            return min(squares_of[x], key=lambda s: 100 * len(self.others(s, self.moves)) + noise[s]), x
        return x, min(sorted(self.steps[x]), key=lambda t: 100 * len(squares_of[t]) + noise[t])


def step(s: State, nodes: int) -> int:
    """Try about so many squares at a step."""
    c = s.counters
    limit = c[NODES] + nodes
    if nodes > 0 and not c[STARTED]:
        c[STARTED] = 1
        c[NODES] += 1
        if not _concludes(s, Known(s, 0), Known.begin):
            c[DEPTH] = -1
    while c[NODES] < limit:
        if c[DEPTH] < 0:
            return EXHAUSTED
        if not c[HAS_FOUND] and c[NODES] >= c[LIMIT]:
            _start_again(s)
        c[NODES] += 1
        if not _try_one(s):
            _go_back(s)
            if c[HELD] >= c[CAPACITY]:
                return FOUND
    return EXHAUSTED if c[DEPTH] < 0 else RUNNING


def _concludes(s: State, known: Known, conclude: Callable[..., None], *arguments: int) -> bool:
    """Conclude, and write what is known then; False, with the reason noted, where that contradicts."""
    try:
        conclude(known, *arguments)
    except Contradiction as reason:
        s.counters[WHY], s.counters[WHERE] = reason.args
        return False
    known.write(s, s.counters[DEPTH])
    return True


def _try_one(s: State) -> bool:
    """Make a choice; False where that contradicts, or all was known and is written down."""
    c = s.counters
    known = Known(s, c[DEPTH])
    choice = known.choice(s.noise)
    if choice is None:
        for square, steps in enumerate(known.steps):
            s.tours[c[HELD]][min(steps)] = square
        c[HELD] += 1
        c[HAS_FOUND] = 1
        return False
    s.squares[c[DEPTH]], s.steps[c[DEPTH]] = choice
    c[CHOICES] += 1
    c[DEPTH] += 1
    return _concludes(s, known, Known.put, *choice)


def _go_back(s: State) -> None:
    """Strike out the last choice, and those before it for as long as that contradicts."""
    d = s.counters[DEPTH] = s.counters[DEPTH] - 1
    if d >= 0 and not _concludes(s, Known(s, d), Known.strike_out, s.squares[d], s.steps[d]):
        _go_back(s)


def _start_again(s: State) -> None:
    c = s.counters
    c[DEPTH] = 0
    c[ROUND] = c[ROUND] * 3 // 2
    c[LIMIT] = c[NODES] + c[ROUND]
    for x in range(len(s.noise)):
        c[RANDOM] = next_random(c[RANDOM])
        s.noise[x] = c[RANDOM] % NOISE


def lay_down(s: State, square: int, k: int, is_wanted: int) -> int:
    """Before the search: rule out a move, or make it certain."""
    known = Known(s, 0)
    other = s.near[square][k]
    if frozenset((square, other)) in known.moves:
        possible = _concludes(s, known, Known.make_sure if is_wanted else Known.rule_out, square, other)
        return 0 if possible else s.counters[WHY]
    if is_wanted:
        s.counters[WHY], s.counters[WHERE] = NO_MOVE, square
    return NO_MOVE if is_wanted else 0


def seen(s: State, *rest: Any) -> State:
    """Without the levels beyond the depth, chains at squares inside them, and what waits."""
    c = s.counters
    levels = c[DEPTH] + 1
    for field in (s.time, s.alive, s.fixed, s.mate, s.size):
        del field[levels:]
    del s.squares[max(0, c[DEPTH]) :], s.steps[max(0, c[DEPTH]) :], s.tours[c[HELD] :]
    for fixed, mate, size in zip(s.fixed, s.mate, s.size, strict=True):
        for x, bits in enumerate(fixed):
            if bits.bit_count() == 2:
                mate[x] = size[x] = 0
    return s._replace(up=[], down=[], queue=[], waits=[], counts=[])


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
    """Boards of all kinds, with and without given numbers, some of them too few to end."""
    calls: list[tuple[float, ...]] = [(0,), *[(1,)] * 8, (2,), (16,)]
    for i, (board, is_closed, given, moves, first_round) in enumerate(_QUESTIONS):
        state = _state(board, is_closed, given, first_round, i)
        lists = State(*(field.tolist() for field in state))
        for move in moves:
            lay_down(lists, *move)
        for name in ("alive", "fixed", "mate", "size"):
            getattr(state, name)[0] = getattr(lists, name)[0]
        yield Case(f"{i} {board}", (state,), calls)


def move_cases() -> Iterator[Case]:
    """Moves ruled out and made certain until a third one at a square, a loop, or one that is gone."""
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


ROWS = [Row("clues_step", step, cases, seen), Row("clues_lay_down", lay_down, move_cases, seen)]
