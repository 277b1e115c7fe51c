"""Maximum length of uncrossed tours, and the number of longest tours, by a sweep over the places of a board.

core/kernels/search/uncrossed.py defines a state. The sweep has a target length, and drops the states that cannot reach
it. Three upper bounds are used:

- A reverse sweep, in which moves are decided at their later square, yields for each pattern of the next squares the
  maximum number of moves that can be added.
- A tour or its half turn has at least as many moves that start in the first half as end in the second. On a board that
  is invariant under the half turn, only such tours are followed, and counted twice unless the numbers are equal.
- The maximum number of moves, in any set of paths, that start on some consecutive places.

If no tour reaches the target, the target is impossible. If a tour is longer, the sweep is repeated with its length as
the target, so that all tours of that length are counted.

States contain the blocked moves instead of the moves that block them, which reduces their number. The lengths agree
with OEIS A003192 and A157416 (found by decision diagrams, D. E. Knuth).
"""

from __future__ import annotations

import functools
import itertools
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.search import uncrossed as kernel
from knightstour.core.machine import slices
from knightstour.core.machine.memory import available_bytes
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import move_graph
from knightstour.core.model.budget import Budget
from knightstour.core.model.crossing_moves import by_square, moves_of
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.geometry import flat_of
from knightstour.core.model.problem import Problem

# Maximum number of places, since lengths are stored in a byte; and of later moves of a square, since all subsets are
# tried.
_MAX_PLACES, _MAX_LATER = 240, 8
# Number of places of a pattern, and share of the places in the reverse sweep.
_PATTERN, _PART_BACK = 12, 0.4
_PART_OF_MEMORY = 0.6
_FAR = 1 << 30


class SweepResult(NamedTuple):
    """Result of a sweep.

    length: moves of the longest tours; 0 if none reaches the target. ways: number of undirected tours of that length,
    or None if it is too large. pairs: the moves of such a tour; empty if a tour was known. states: number of states.
    why_stopped: the limit that ended the sweep, or "".
    """

    length: int
    ways: int | None
    pairs: list[tuple[int, int]]
    states: int
    why_stopped: str = ""


class Lines(NamedTuple):
    """The board during the sweep: moves as pairs of places, the earlier first, and the moves that each crosses."""

    places: int
    across: int
    pairs: list[tuple[int, int]]
    crossing: list[list[int]]
    square_of: dict[int, int]


class _Plan(NamedTuple):
    steps: list[kernel.Step]
    # For each step, its moves in the order of the bits of a choice.
    moves: list[list[int]]
    slots: int


class _LimitReached(Exception):
    """A limit ended the sweep."""


def why_not_sweep(problem: Problem) -> str | None:
    """Return the reason why the sweep cannot prove the maximum length of uncrossed tours, or None.

    >>> why_not_sweep(Problem("8x8", closed=True, partial=True)) is None
    True
    >>> why_not_sweep(Problem("30x30", closed=True, partial=True))
    'the board is too large to prove which uncrossed tour is longest'
    """
    if (problem.start, problem.end) != (None, None):
        return "the longest uncrossed tour is proved only if both ends are free"
    lines = lines_of(problem)
    too_large = "the board is too large to prove which uncrossed tour is longest"
    if lines.places > _MAX_PLACES or len(lines.pairs) > _MAX_PLACES * _MAX_LATER:
        return too_large
    try:
        _plan(lines, True), _plan(_half_turn(lines), False)
    except _LimitReached:
        return too_large
    return None


@functools.lru_cache(maxsize=4)
def lines_of(problem: Problem) -> Lines:
    """Return the board with places numbered along the shorter side."""
    flat, graph = flat_of(problem.board), move_graph(problem.board)
    squares = graph.squares.tolist()
    where = flat.places(graph.squares)
    is_turned = flat.rows < flat.cols
    rows, cols = (flat.cols, flat.rows) if is_turned else (flat.rows, flat.cols)
    place = where[:, 1] * cols + where[:, 0] if is_turned else where[:, 0] * cols + where[:, 1]
    place_of = dict(zip(squares, place.tolist(), strict=True))
    moves = moves_of(problem)
    pairs = [(min(x), max(x)) for x in ((place_of[a], place_of[b]) for a, b in moves.pairs)]
    square_of = {place: square for square, place in place_of.items()}
    return Lines(rows * cols, cols, pairs, [list(others) for others in moves.crossing], square_of)


def _half_turn(lines: Lines) -> Lines:
    last = lines.places - 1
    return lines._replace(pairs=[(last - b, last - a) for a, b in lines.pairs])


def _without_holes(lines: Lines, problem: Problem) -> Lines:
    """Fill the holes, which only adds moves."""
    vectors = {(b // lines.across - a // lines.across, b % lines.across - a % lines.across) for a, b in lines.pairs}
    rows = lines.places // lines.across
    pairs = []
    for a in range(lines.places):
        for row, col in sorted(vectors):
            here = (a // lines.across + row, a % lines.across + col)
            if 0 <= here[0] < rows and 0 <= here[1] < lines.across:
                pairs.append((a, here[0] * lines.across + here[1]))
    number = {pair: k for k, pair in enumerate(pairs)}
    crossing: list[list[int]] = [[] for _ in pairs]
    offsets = _offsets(lines)
    for (a, b), k in number.items():
        vector = b - a, b % lines.across - a % lines.across
        for shift, column, other in offsets.get(vector, ()):
            first = a + shift
            found = number.get((first, first + other[0]))
            if found is None or first % lines.across - a % lines.across != column:
                continue
            if pairs[found][1] % lines.across - first % lines.across == other[1]:
                crossing[k].append(found)
    return lines._replace(pairs=pairs, crossing=crossing)


def _offsets(lines: Lines) -> dict[tuple[int, int], set[tuple[int, int, tuple[int, int]]]]:
    """Return relative positions and vectors of the moves that cross each vector."""
    found: dict[tuple[int, int], set[tuple[int, int, tuple[int, int]]]] = {}
    across = lines.across
    for (a, b), others in zip(lines.pairs, lines.crossing, strict=True):
        here = found.setdefault((b - a, b % across - a % across), set())
        for other in others:
            c, d = lines.pairs[other]
            here.add((c - a, c % across - a % across, (d - c, d % across - c % across)))
    return found


class _Slots:
    """Assigns the smallest free number to each key."""

    def __init__(self, most: int) -> None:
        self.of: dict[int, int] = {}
        self._most = most
        self.used = 0

    def number_of(self, key: int) -> int:
        if key not in self.of:
            taken = set(self.of.values())
            number = next(k for k in range(len(taken) + 1) if k not in taken)
            self.used = max(self.used, number + 1)
            if self.used > self._most:
                raise _LimitReached
            self.of[key] = number
        return self.of[key]

    def mask(self, keys: list[int]) -> int:
        return sum(1 << self.number_of(key) for key in keys)


def _plan(lines: Lines, is_forward: bool, middle: int = -1) -> _Plan:
    """is_forward: decide moves at their earlier place, else at their later one."""
    near_to = by_square(lines.pairs, range(lines.places))
    squares, bits = _Slots(kernel.MAX_SLOTS), _Slots(kernel.MAX_MOVES)
    decided = [False] * len(lines.pairs)
    steps, moves = [], []
    for place in range(lines.places):
        check_deadline()
        mine = [k for _, k in near_to[place] if not decided[k] and (lines.pairs[k][0] == place) == is_forward]
        if len(mine) > _MAX_LATER:
            raise _LimitReached
        own = squares.number_of(place)
        rows, freed, twice = [], 0, 0
        for j, k in enumerate(mine):
            a, b = lines.pairs[k]
            twice |= (1 << j) * (a <= middle and b >= lines.places - 1 - middle)
            bit = bits.of.pop(k, -1)
            decided[k] = True
            freed |= 0 if bit < 0 else 1 << bit
            rows.append([squares.number_of(b if a == place else a), bit, 0, 0])
        for row, k in zip(rows, mine, strict=True):
            row[2] = bits.mask([other for other in lines.crossing[k] if not decided[other]])
            # Two moves from one place that lie on one line overlap, and count as crossing.
            row[3] = sum(1 << j for j, other in enumerate(mine) if other in lines.crossing[k])
        window, gone = [], []
        for square, slot in squares.of.items():
            left = [(other, k) for other, k in near_to[square] if not decided[k]]
            near, outside, blockable = 0, 0, 0
            for other, k in left:
                if k in bits.of:
                    blockable |= 1 << bits.of[k]
                elif other in squares.of:
                    near |= 1 << squares.of[other]
                else:
                    outside += 1
            window.append([slot, near, outside, blockable])
            if not left:
                gone.append(square)
        decided_here = _DecidedMoves(own, freed, twice, rows)
        steps.append(_step(decided_here, window, _ahead(lines, place, is_forward), squares.of, gone))
        moves.append(mine)
        for square in gone:
            del squares.of[square]
    return _Plan(steps, moves, squares.used)


class _DecidedMoves(NamedTuple):
    """Moves decided at a place. own: its slot. freed, rows: as in Step."""

    own: int
    freed: int
    twice: int
    rows: list[list[int]]


class _Ahead(NamedTuple):
    """Places after a place; None beyond the board, where `beyond` is the mark."""

    places: list[int | None]
    beyond: int


def _ahead(lines: Lines, place: int, is_forward: bool) -> _Ahead:
    """Return the places in the pattern of a step."""
    ahead = [place + 1 + k if is_forward else place - k for k in range(_pattern(lines))]
    places = [each if 0 <= each < lines.places else None for each in ahead]
    return _Ahead(places, kernel.IS_DONE if is_forward else kernel.NO_SLOT)


def _step(
    moves: _DecidedMoves, window: list[list[int]], ahead: _Ahead, slot_of: dict[int, int], dropped: list[int]
) -> kernel.Step:
    """slot_of: slots of squares in use. gone: the finished squares."""
    pattern = [
        ahead.beyond if each is None or each in dropped else slot_of.get(each, kernel.NO_SLOT) for each in ahead.places
    ]
    active = sum(1 << slot for square, slot in slot_of.items() if square not in dropped)
    rest = active & ~sum(1 << slot for slot in pattern if slot >= 0)
    as_array = lambda table, width: np.array(table, dtype=np.int64).reshape(-1, width)  # noqa: E731
    pattern_array = np.array(pattern, dtype=np.int64)
    rows, steps = as_array(moves.rows, 4), as_array(window, 4)
    return kernel.Step(moves.own, moves.freed, active, rest, moves.twice, rows, steps, pattern_array)


def _pattern(lines: Lines) -> int:
    return min(_PATTERN, 2 * lines.across)


class Sweep:
    """Repeated sweeps over a board, with shared data: star bounds, reverse sweeps, and arrays for the tours."""

    def __init__(self, problem: Problem, target: int, budget: Budget) -> None:
        self.closed, self.budget, self.target = problem.closed, budget, target
        self.lines = lines_of(problem)
        self.size = 3 ** _pattern(self.lines)
        turned = _half_turn(self.lines)
        # No target means at most twice as many moves as places, so that their number fits into a byte.
        is_even = {*turned.pairs} == {*self.lines.pairs}
        self.middle = self._middle() if is_even and target > 0 else -1
        self.forward, self.backward = _plan(self.lines, True, self.middle), _plan(turned, False)
        self.far = max(1, max(self.forward.slots, self.backward.slots) - _pattern(self.lines) + 1) + 1
        self.stars: list[list[int]] = []
        self._star: dict[tuple[int, int], int] = {}
        self.back = [0]
        self.tables: list[np.ndarray] = [np.zeros(0, dtype=np.uint8)]
        self.states = 0
        self._memory = int(_PART_OF_MEMORY * available_bytes())
        self._problem = problem

    def _middle(self) -> int:
        last = self.lines.places - 1
        return max((min(a, last - b) for a, b in self.lines.pairs), default=-1)

    @property
    def plain(self) -> kernel.Rule:
        """Rule of a sweep without a bound."""
        return kernel.Rule(int(self.closed), 0, 0, 0, 0, _FAR, -1, self.far, self.size * self.far, self.tables[0])

    def advance(self, step: kernel.Step, rule: kernel.Rule, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """Return the states after a place, consuming the previous states from the last on; raise _NoRoom at a limit.

        Arrays are resized in place to save memory, so no views of them may exist.
        """
        totals[kernel.COUNT] = totals[kernel.MOST] = 0
        table = np.zeros((1 << max(8, (3 * len(states) // 2).bit_length()), kernel.WORDS), dtype=np.uint64)
        expand, size, growths = kernel_function("uncrossed_expand"), 256, 0
        while left := len(states):
            first = max(0, left - size)
            reached = expand(step, rule, states.reshape(-1), table.reshape(-1), totals, first, left)
            self.states += left - reached
            self.budget.spend(left - reached)
            if self.budget.is_spent:
                raise _LimitReached(self.budget.why_stopped())
            states.resize((reached, kernel.WORDS), refcheck=False)
            if reached > first:
                growths += 1
                self._grow(table, growths)
            size = min(2 * size, 1 << 13)
        table.resize((kernel_function("uncrossed_pack")(table.reshape(-1)), kernel.WORDS), refcheck=False)
        return table

    def _grow(self, table: np.ndarray, growths: int) -> None:
        if 2 * table.nbytes > self._memory:
            raise _LimitReached("there are more states than fit into memory")
        size = len(table)
        table.resize((2 * size, kernel.WORDS), refcheck=False)
        for first, last in slices.ranges(size):
            kernel_function("uncrossed_settle")(table.reshape(-1), growths, first, last)

    def start(self) -> tuple[np.ndarray, np.ndarray]:
        """Return the single state before the first place, and empty totals."""
        states = np.zeros((1, kernel.WORDS), dtype=np.uint64)
        states[0, kernel.WAYS] = 1
        return states, np.zeros(kernel.TOTALS, dtype=np.int64)

    def find_stars(self) -> None:
        """Compute the maximum number of moves that start on consecutive places, from each column on."""
        whole = _plan(_without_holes(self.lines, self._problem), True)
        across = self.lines.across
        for column in range(across):
            states, totals = self.start()
            found = [0]
            for place in range(min(self.lines.places, column + across + 1)):
                rule = self.plain._replace(is_loose=1, is_passed=int(place < column))
                states = self.advance(whole.steps[place], rule, states, totals)
                if place >= column:
                    found.append(int(totals[kernel.MOST]))
            self.stars.append(found)

    def star(self, column: int, count: int) -> int:
        """Return the maximum number of moves that start on `count` consecutive places from a column on."""
        few = self.stars[column]
        if count < len(few):
            return few[max(0, count)]
        if (column, count) not in self._star:
            across = self.lines.across
            parts = (few[k] + self.star((column + k) % across, count - k) for k in range(1, len(few)))
            self._star[column, count] = min(parts)
        return self._star[column, count]

    def sweep_back(self) -> None:
        """Sweep from the other end, and store the tables of bounds."""
        states, totals = self.start()
        lost = 0 if self.closed else 2
        for k in range(int(_PART_BACK * self.lines.places)):
            states = self.advance(self.backward.steps[k], self.plain._replace(keeps_dead=1), states, totals)
            self.back.append(int(max(totals[kernel.MOST], totals[kernel.LENGTH])))
            table = np.zeros((lost + 1, self.size * self.far), dtype=np.uint8)
            fill = kernel_function("uncrossed_bounds").bind(
                self.backward.steps[k], self.plain, states.reshape(-1), table.reshape(-1)
            )
            for first, last in slices.ranges(len(states)):
                fill(first, last)
            table[lost, 0] = max(table[lost, 0], totals[kernel.LENGTH] + 1)
            self.tables.append(_translate_patterns(table, _pattern(self.lines), self.far))

    def most_after(self, place: int) -> int:
        """Return an upper bound for the number of moves that the places after a place can add."""
        count, known = self.lines.places - 1 - place, len(self.back)
        if count < known:
            return self.back[count]
        column, across = (place + 1) % self.lines.across, self.lines.across
        return min(self.star(column, count - k) + 1 + self.back[k] for k in range(max(0, known - across - 1), known))

    def run(self, keeps_moves: bool) -> SweepResult:
        """Sweep over all places for the longest tours. keeps_moves: whether the moves of a tour are required."""
        states, totals = self.start()
        came: list[np.ndarray] = []
        pairs: list[tuple[int, int]] = []
        for place, step in enumerate(self.forward.steps):
            left = self.lines.places - 1 - place
            gain = self.star((place + 1) % self.lines.across, self.middle - place) if place <= self.middle else -1
            bounds = self.tables[left if left < len(self.tables) else 0]
            most = self.most_after(place)
            rule = self.plain._replace(target=self.target, most=most, gain=gain, bounds=bounds.reshape(-1))
            before = int(totals[kernel.LENGTH])
            states = self.advance(step, rule, states, totals)
            if keeps_moves and totals[kernel.LENGTH] > before:
                pairs = moves_of_tour(self.lines, self.forward.moves, came, place, int(totals[kernel.CAME_FROM]))
            if keeps_moves:
                came.append(pack_origins(states[:, kernel.FROM]))
            if not len(states):
                break
        ways = None if totals[kernel.IS_OVERFULL] else int(totals[kernel.NUMBER])
        length = int(totals[kernel.LENGTH])
        return (
            SweepResult(length, ways, pairs, self.states)
            if length >= self.target
            else SweepResult(0, 0, [], self.states)
        )


def moves_of_tour(
    lines: Lines, moves: list[list[int]], came: list[np.ndarray], place: int, last: int
) -> list[tuple[int, int]]:
    """Return the moves of a tour that was complete at a place.

    moves: for each place, its moves in the order of the bits of a choice. came: for each earlier place, the origins of
    its states. last: origin of the tour: the index of a state from bit 8 on, and the choice.
    """
    found = []
    index, chosen = last >> 8, last & 255
    for k in range(place, -1, -1):
        found += [lines.pairs[move] for j, move in enumerate(moves[k]) if chosen >> j & 1]
        if k:
            index, chosen = map(int, came[k - 1][index])
    return [(lines.square_of[a], lines.square_of[b]) for a, b in found]


def pack_origins(came: np.ndarray) -> np.ndarray:
    """Pack the origins of states into five bytes each: the index of a state from bit 8 on, and the choice."""
    found = np.empty(len(came), dtype=[("index", np.uint32), ("chosen", np.uint8)])
    found["index"], found["chosen"] = came >> came.dtype.type(8), came & came.dtype.type(255)
    return found


def _translate_patterns(table: np.ndarray, pattern: int, far: int) -> np.ndarray:
    """Translate patterns of the reverse sweep (FREE, DONE or an end for each square) to patterns of the forward sweep.

    A done square may be free there, and a free square done or free. An end requires an end, or none if ends may be
    lost.
    """
    lost = len(table)
    for fewer, here in itertools.pairwise(table):
        np.maximum(here, fewer, out=here)
    for k in range(pattern):
        view = table.reshape(lost, 3 ** (pattern - 1 - k), 3, 3**k * far)
        for ends in reversed(range(lost)):
            free, done, end = (view[ends, :, mark] for mark in range(3))
            was = free.copy()
            np.maximum(free, done, out=free)
            done[:] = was
            if ends:
                fewer = view[ends - 1]
                np.maximum(free, fewer[:, 2], out=free)
                np.maximum(end, fewer[:, 0], out=end)
    # Allow one more lost end, and one end more or less outside the pattern. The next pattern's own end is excluded.
    for fewer, here in itertools.pairwise(table):
        for edge, to, source in ((0, here[1:], fewer[:-1]), (far - 1, here[:-1], fewer[1:])):
            kept = here[edge::far].copy()
            np.maximum(to, source, out=to)
            here[edge::far] = kept
        np.maximum(here, fewer, out=here)
    return table


def sweep(problem: Problem, target: int, budget: Budget, *, is_known: bool = False) -> SweepResult:
    """Return the longest uncrossed tours of at least `target` moves, and their number.

    is_known: whether a tour of `target` moves is known, so that no other one is required.

    >>> swept = sweep(Problem((6, 6), closed=True, partial=True), 12, Budget())
    >>> swept.length, swept.ways, len(swept.pairs)
    (12, 358, 12)
    """
    work = Sweep(problem, target, budget)
    try:
        work.find_stars()
        work.sweep_back()
        found = work.run(not is_known)
        while found.length > work.target:
            work.target = found.length
            found = work.run(True)
        return found
    except _LimitReached as stopped:
        return SweepResult(0, None, [], work.states, str(stopped))
