"""Tours through given numbers: find one, list all, or prove that none exists.

A numbering assigns its step to each square. For some squares one or several possible steps are given. The search
(core/search/clues_state.py) keeps the possible steps of every square and the possible moves, and propagates between
them before each choice. It is complete. A numbering is directed: it has a step 1 and a direction, also in closed tours.

If the search is slow and python-sat is installed, a SAT solver takes turns with it, with two encodings: the steps of
squares (clues_sat.py) and the segments between known squares (clues_levels.py).

Cost on 8x8: any 8 to 64 given numbers are decided in milliseconds, and the hardest puzzles with one solution in some
hundred nodes. Sources: constraint propagation after A. K. Mackworth 1977 and E. C. Freuder 1978; restarts after C. P.
Gomes, B. Selman and H. Kautz 1998; chains of certain moves after F. Rubin 1974.
"""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import Board, move_graph, square_count, title_of
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.conditions import ways_round
from knightstour.core.model.cycle_graph import why_not_listed
from knightstour.core.model.distances import moves_away
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, condition_names, end_index, is_too_small, start_index
from knightstour.core.model.result import TOO_SMALL, Outcome, exhausted, found, impossible, undecided
from knightstour.core.search import clues_state as kernel
from knightstour.core.search.clues_sat import Clauses, pack_order

_STEP = "clues_step"
# Larger boards need the solver: a state of the search has a bit for each square and step.
_MAX_SQUARES, _MAX_SQUARES_BY_STEPS = 1_024, 256
# Maximum number of steps of all squares for an encoding with a variable for each.
_MAX_STEPS = 1 << 18
# Moves of a square are bits of a word.
MAX_MOVES = 62
# Nodes of the search, and conflicts of the SAT solver, in their first turns; each turn doubles the length.
_TURN_NODES = 1500
_TURN_CONFLICTS = 4000
# Number of squares in a batch of numberings.
_BATCH_SQUARES = 1 << 16

# Square numbers with their possible steps, counted from 1.
Given = Iterable[tuple[int, Collection[int]]]
# Pairs of square numbers.
Moves = Iterable[tuple[int, int]]


@dataclass(frozen=True, slots=True, eq=False)
class Places:
    """Squares of a board, numbered 0 to count - 1 for the search, and the moves between them.

    Attributes:
        squares: Their numbers on the board.
        index: The inverse mapping.
        near: int64 (count, moves), -1 for missing moves.
        back: Index of the reversed move in the row of the other square.
    """

    board: Board
    squares: tuple[int, ...]
    index: dict[int, int]
    near: np.ndarray
    back: np.ndarray

    @property
    def count(self) -> int:
        """Number of squares."""
        return len(self.squares)

    def neighbours(self, s: int) -> list[int]:
        """Return the squares one move away."""
        return [u for u in self.near[s].tolist() if u >= 0]


@functools.lru_cache(maxsize=32)
def places_of(board: Board) -> Places:
    """Return the squares and moves of a board; raise ProblemError if there are too many.

    >>> places_of(Board(3, 3, holes=["b2"])).count
    8
    """
    reason = why_not_board(board)
    if reason is not None:
        raise ProblemError(f"there are no puzzles and given numbers on the {title_of(board)}: {reason}")
    graph = move_graph(board)
    squares = tuple(graph.squares.tolist())
    index = {s: i for i, s in enumerate(squares)}
    lists = graph.neighbour_lists()
    rows = [[index[u] for u in lists[s]] for s in squares]
    ways = max(1, *map(len, rows))
    near = np.full((len(rows), ways), -1, dtype=np.int64)
    back = near.copy()
    for s, row in enumerate(rows):
        near[s, : len(row)] = row
        back[s, : len(row)] = [rows[u].index(s) for u in row]
    return Places(board, squares, index, near, back)


def why_not_board(board: Board) -> str | None:
    """Return the reason why numbers cannot be given on a board, or None.

    >>> why_not_board(Board(20, 20))
    """
    if square_count(board) > _MAX_SQUARES and not has_sat():
        return f"without python-sat the search through given numbers is for up to {_MAX_SQUARES:,} squares"
    reason = why_not_listed(Problem(board))
    if reason is not None:
        return reason
    if int(move_graph(board).degrees.max(initial=0)) > MAX_MOVES:
        return f"the search through given numbers supports up to {MAX_MOVES} moves from a square"
    return None


class Numberings:
    """Iterator over all numberings of a board with given numbers, each as a list of square numbers from step 1.

    The iteration ends when all are listed (`is_complete`) or the budget is spent.

    Args:
        given: Squares and the possible steps of each, from 1.
        closed: Whether the tour is closed. A closed tour without given numbers begins on a square with the fewest
        moves.
        seed: Changes the order in which squares are tried.
        require, forbid: Required and forbidden moves.
        visit_order: Squares of rising steps.
        as_asked: Function that converts a numbering, or returns None to reject it.
        takes_turns: Whether a SAT solver, if installed, takes turns.

    Raises:
        ProblemError: If a square or step is out of range.

    >>> found = Numberings(Board("3x4"), [(0, {1})], Budget())
    >>> len(list(found)), found.is_complete
    (2, True)
    """

    def __init__(
        self,
        board: Board,
        given: Given,
        budget: Budget,
        *,
        closed: bool = False,
        seed: int = 0,
        require: Moves = (),
        forbid: Moves = (),
        visit_order: Sequence[int] = (),
        as_asked: Callable[[list[int]], list[int] | None] | None = None,
        takes_turns: bool = True,
    ) -> None:
        self.places = places_of(board)
        self.closed, self.is_complete = closed, False
        self._as_asked = as_asked
        self._named = [self.places.index[square] for square in visit_order]
        self._budget = budget
        self._held: list[list[int]] = []
        self._seen: set[bytes] = set()
        self._nodes_left = _TURN_NODES
        self._turns = 0
        self._has_found = False
        self._solvers: list[Iterator[list[int] | None]] = []
        self._next_solver = 0
        self._is_by_order = False
        is_large = self.places.count > _MAX_SQUARES
        self._takes_turns = (takes_turns or is_large) and has_sat()
        self._moves = [tuple(require), tuple(forbid)]
        self._state: kernel.State | None = None
        self.steps = _steps_left(self.places, closed, given)
        self._most = max(1, _BATCH_SQUARES // self.places.count)
        if self.places.count == 1 or (closed and self.places.count < 3):
            self.is_complete = True
            if not closed and self.steps[0]:
                self._has_found = True
                self._held.append([self.places.squares[0]])
            return
        if not all(self.steps):
            self.is_complete = True
            return
        if is_large:
            self._nodes_left = 0
            return
        self._state = start_state(self.places, self.steps, closed, seed, self._most, self._named)
        self.is_complete = not _lay_down(self._state, self.places, *self._moves)

    @property
    def choices(self) -> int:
        """Number of squares that the search tried at a step; 0 if no choice was needed."""
        return 0 if self._state is None else int(self._state.counters[kernel.CHOICES])

    @property
    def is_finished(self) -> bool:
        """Whether all numberings were listed."""
        return self.is_complete and not self._held

    @property
    def contradiction(self) -> str:
        """The first contradiction in words, if no choice was needed to prove that no numbering exists."""
        if self.is_complete and not self._has_found and self.choices == 0:
            why = where = 0
            if self._state is not None:
                why, where = (int(self._state.counters[k]) for k in (kernel.WHY, kernel.WHERE))
            return kernel.contradiction(self.places, self.closed, self.steps, why, where)
        return ""

    def __iter__(self) -> Numberings:
        return self

    def __next__(self) -> list[int]:
        while not self._held and not self.is_complete and not self._budget.is_spent:
            self._search()
        if not self._held:
            raise StopIteration
        return self._held.pop()

    def possible_steps(self) -> list[int]:
        """Return the possible steps of each square before the first choice, as bits; all 0 after a contradiction."""
        if self._state is None:
            return self.steps
        if self.nodes == 0:
            status = slices.drive(_STEP, self._state, Budget(Limits(seconds=None, nodes=1)))
            self.is_complete = status == slices.EXHAUSTED
        return [0] * self.places.count if self.is_complete else self._open_choices()[0]

    # -- turns

    @property
    def nodes(self) -> int:
        """Number of nodes without the SAT solver: conclusions from the given numbers, choices, and numberings."""
        return 0 if self._state is None else int(self._state.counters[kernel.NODES])

    def _search(self) -> None:
        if self._nodes_left > 0 or not self._takes_turns:
            self._search_on()
        else:
            self._ask_sat()

    def _search_on(self) -> None:
        assert self._state is not None
        budget = self._budget
        if not self._takes_turns:
            status = slices.drive(_STEP, self._state, budget)
        else:
            part = budget.part(nodes=self._nodes_left)
            status = slices.drive(_STEP, self._state, part)
            budget.spend(part.nodes)
            self._nodes_left -= part.nodes
        counters = self._state.counters
        held = int(counters[kernel.HELD])
        for order in self._state.tours[:held].tolist():
            self._keep(order)
        if held:
            # Batches grow, so that the first is immediate.
            counters[kernel.CAPACITY] = min(2 * int(counters[kernel.CAPACITY]), self._most)
            counters[kernel.HELD] = 0
            self._nodes_left = max(self._nodes_left, _TURN_NODES)
        self.is_complete = status == slices.EXHAUSTED

    def _ask_sat(self) -> None:
        if not self._solvers:
            self._solvers = self._new_solvers()
        which = self._next_solver % len(self._solvers)
        try:
            order = next(self._solvers[which])
        except StopIteration:
            # If the budget is spent, there may be more.
            self.is_complete = not self._budget.is_spent
            return
        if order is not None:
            self._keep(order)
            return
        self._next_solver += 1
        if self._next_solver % len(self._solvers) == 0 and self._state is not None:
            # For squares in an order the search ends soon or never.
            self._turns += not self._is_by_order
            self._nodes_left = _TURN_NODES << self._turns

    def _new_solvers(self) -> list[Iterator[list[int] | None]]:
        """Return the SAT encodings to use: only levels for an order of squares or for too many possible steps, only
        steps for numbers on small boards, else both.
        """
        from knightstour.core.search.clues_levels import Levels
        from knightstour.core.search.clues_sat import Steps, sat_numberings

        known, count = self._open_choices(), self.places.count
        ends = {1, 1 << count - 1}
        by_order = bool(self._named) and all(bits.bit_count() != 1 or bits in ends for bits in self.steps)
        levels = functools.partial(Levels, self.places, *known, self.closed, self._named, by_order)
        steps = functools.partial(Steps, self.places, *known, self.closed, self._named)
        self._is_by_order = by_order
        is_small = sum(bits.bit_count() for bits in known[0]) <= _MAX_STEPS
        makers: list[Callable[[], Clauses]] = [levels]
        if is_small and not by_order:
            makers = [steps] if count <= _MAX_SQUARES_BY_STEPS else [steps, levels]
        return [sat_numberings(make, self._seen, self._budget, _TURN_CONFLICTS) for make in makers]

    def _open_choices(self) -> tuple[list[int], list[int], list[int]]:
        """Return, as bits, the initial possible steps, possible moves and certain moves of each square."""
        state = self._state
        if state is None:
            return self.steps, *self._moves_left()
        words = state.time[0].astype("<u8")
        domains = [int.from_bytes(row.tobytes(), "little") for row in words]
        return domains, state.alive[0].tolist(), state.fixed[0].tolist()

    def _moves_left(self) -> tuple[list[int], list[int]]:
        """Return possible and certain moves of each square."""
        places = self.places
        near = [{u: 1 << k for k, u in enumerate(row) if u >= 0} for row in places.near.tolist()]
        sure, left = [0] * places.count, [sum(bits.values()) for bits in near]
        require, forbid = ([(places.index[a], places.index[b]) for a, b in moves] for moves in self._moves)
        for s, u in (*require, *(pair[::-1] for pair in require)):
            sure[s] |= near[s][u]
        for s, u in (*forbid, *(pair[::-1] for pair in forbid)):
            left[s] &= ~near[s].get(u, 0)
        return left, sure

    def _keep(self, order: list[int]) -> None:
        """Add a numbering, unless it is known."""
        self._has_found = True
        key = pack_order(order)
        if key not in self._seen:
            if self._takes_turns:
                self._seen.add(key)
            else:
                self._seen = {key}
            squares = self.places.squares
            numbering = [squares[s] for s in order]
            wanted = numbering if self._as_asked is None else self._as_asked(numbering)
            if wanted is not None:
                self._held.insert(0, wanted)


def numberings(problem: Problem, budget: Budget, seed: int = 0) -> Numberings:
    """Return all numberings for a problem with given numbers; a start has step 1, and an end the last step.

    Closed tours with squares in an order, and no numbers, are listed once: from the first of these squares, in the
    direction of rising steps, and then rotated to the start.

    >>> found = numberings(Problem((3, 4), start="a3", given={"c2": "3..12"}, forbid=["a3-b1"]), Budget())
    >>> len(list(found)), found.is_complete
    (0, True)
    """
    known = [(start_index(problem), 1), (end_index(problem), square_count(problem.board))]
    named = problem.visit_order
    as_asked: Callable[[list[int]], list[int] | None] | None = None
    if named and problem.closed:
        if problem.given:
            ways = ways_round(named, closed=True)
            as_asked = functools.partial(_one_of_these, ways) if ways else None
            named = ()
        else:
            known = [(named[0], 1)]
            as_asked = functools.partial(_rotated_to, start_index(problem))
    ends = [(square, frozenset({step})) for square, step in known if square is not None]
    return Numberings(
        problem.board,
        [*problem.given, *ends],
        budget,
        closed=problem.closed,
        seed=seed,
        require=problem.require,
        forbid=problem.forbid,
        visit_order=named,
        as_asked=as_asked,
    )


def _one_of_these(ways: Sequence[Sequence[int]], order: list[int]) -> list[int] | None:
    """Return the numbering if it follows one of these orders, else None."""
    step = {square: t for t, square in enumerate(order)}
    rises = (all(step[a] < step[b] for a, b in zip(way, way[1:], strict=False)) for way in ways)
    return order if any(rises) else None


def _rotated_to(start: int | None, order: list[int]) -> list[int]:
    k = 0 if start is None else order.index(start)
    return order[k:] + order[:k]


def clues(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Search for a tour through given numbers until the search or the budget is exhausted.

    >>> clues(Problem((3, 4), given={"a1": 1, "a2": 6}), Budget(), 1).reason
    'no step is left for b2'
    """
    if is_too_small(problem):
        return impossible(*TOO_SMALL)
    search = numberings(problem, budget, seed)
    order = next(search, None)
    counters = {"choices": search.choices}
    if order is not None:
        return found(order, **counters)
    if not search.is_finished:
        return undecided(budget.why_stopped(), **counters)
    # The explanation considers the numbers alone, not the forbidden moves.
    words = search.contradiction if condition_names(problem) == {"given"} else ""
    reason, source = exhausted(search.nodes)
    return impossible(words or reason, "given numbers" if words else source, **counters)


def why_not_clues(problem: Problem) -> str | None:
    """Return the reason why the method does not support a problem, or None."""
    return why_not_board(problem.board)


@functools.cache
def has_sat() -> bool:
    """Return whether python-sat is installed."""
    return importlib.util.find_spec("pysat") is not None


def _steps_left(places: Places, closed: bool, given: Given) -> list[int]:
    count = places.count
    full = (1 << count) - 1
    steps = [full] * count
    is_given = False
    for square, numbers in given:
        is_given = True
        if square not in places.index:
            raise ProblemError(f"there is no square {square}")
        bits = 0
        for number in numbers:
            if not 1 <= number <= count:
                raise ProblemError(f"there is no step {number}", help=f"steps are 1 to {count}")
            bits |= 1 << number - 1
        steps[places.index[square]] &= bits
    if closed and not is_given:
        steps[int(np.argmin((places.near >= 0).sum(axis=1)))] = 1
    return steps


def _steps_between(places: Places, named: Sequence[int]) -> list[int]:
    pairs = zip(named, named[1:], strict=False)
    return [max(1, moves_away(places.neighbours, one).get(other, 1)) for one, other in pairs] + ([1] if named else [])


def _lay_down(state: kernel.State, places: Places, require: Moves, forbid: Moves) -> bool:
    """Apply required and forbidden moves; return False on an immediate contradiction."""
    moves = [
        (places.index[a], places.index[b], is_wanted)
        for which, is_wanted in ((forbid, 0), (require, 1))
        for a, b in which
    ]
    if not moves:
        return True
    lay_down = kernel_function("clues_lay_down").bind(state)
    for s, u, is_wanted in moves:
        row = places.near[s].tolist()
        if u not in row:
            if is_wanted:
                raise ProblemError("a required move is not a move of the board")
            continue
        if lay_down(s, row.index(u), is_wanted):
            return False
    return True


def start_state(
    places: Places, steps: list[int], closed: bool, seed: int, room: int, named: Sequence[int] = ()
) -> kernel.State:
    """Return the initial state, with space for `room` numberings."""
    count = places.count
    words = (count + 63) // 64
    levels = count + 1

    def bits(*shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=np.uint64)

    def numbers(*shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=np.int64)

    counters = numbers(kernel.COUNTERS)
    counters[kernel.SIZE], counters[kernel.CLOSED], counters[kernel.CAPACITY] = count, closed, 1
    counters[kernel.LIMIT] = counters[kernel.ROUND] = kernel.ROUND_NODES
    counters[kernel.RANDOM] = first_random(seed)
    state = kernel.State(
        counters=counters,
        near=places.near,
        back=places.back,
        time=bits(levels, count, words),
        alive=bits(levels, count),
        fixed=bits(levels, count),
        mate=numbers(levels, count),
        size=numbers(levels, count),
        up=bits(count, words),
        down=bits(count, words),
        noise=numbers(count),
        queue=numbers(count),
        waits=numbers(count),
        counts=numbers(64 * words),
        squares=numbers(levels),
        steps=numbers(levels),
        tours=numbers(room, count),
        named=np.array(named, dtype=np.int64),
        apart=np.array(_steps_between(places, named), dtype=np.int64),
    )
    cut = b"".join(bits_left.to_bytes(8 * words, "little") for bits_left in steps)
    state.time[0] = np.frombuffer(cut, dtype="<u8").reshape(count, words)
    moves = np.arange(places.near.shape[1], dtype=np.uint64)
    state.alive[0] = ((places.near >= 0).astype(np.uint64) << moves).sum(axis=1)
    state.mate[0] = np.arange(count)
    state.size[0] = 1
    if seed:
        state.noise[:] = np.random.default_rng(seed & (1 << 64) - 1).integers(0, kernel.NOISE, count)
    return state
