"""Tours that may skip squares (partial=True): a shortest one, and lists of all.

Existence is decided fast: a path between two squares, or a cycle through a square, is found breadth-first. So the
outcome of `shortest` is always FOUND or IMPOSSIBLE. Lists are built depth-first: every path from a square is a tour and
is extended while it can still reach the given end, or its start.

One square alone, a path without moves, is not such a tour. A cycle has at least three squares and is listed once, from
its first square in the order of the board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence

from knightstour.core.machine.sharing import Workers
from knightstour.core.model.board import move_graph
from knightstour.core.model.budget import Budget
from knightstour.core.model.condition_table import MOVES, PARTIAL
from knightstour.core.model.crossing_moves import moves_of
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.distances import moves_away
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.one_way import arcs_left
from knightstour.core.model.problem import Problem, check_supported, has_given_end, is_backwards, search_ends
from knightstour.core.model.result import Outcome, exhausted, found, impossible, undecided
from knightstour.core.proofs.supply import strong_parts
from knightstour.core.search.conditioned import check_plain

_WAYS = "all squares that moves lead to"
# Number of nodes between two checks of the budget.
_SLICE = 256


def neighbour_lists(problem: Problem) -> list[list[int]]:
    """Return the neighbours of each square number, without forbidden moves; in directed graphs the heads of its arcs.

    If only the end is given, the search runs backwards: they are the tails of incoming arcs.
    """
    if problem.board.is_directed:
        out = arcs_left(problem)
        return turned_round(out) if is_backwards(problem) else out
    near = [list(others) for others in move_graph(problem.board).neighbour_lists()]
    for a, b in problem.forbid:
        near[a].remove(b)
        near[b].remove(a)
    return near


def turned_round(near: list[list[int]]) -> list[list[int]]:
    """Return the arcs of a graph reversed.

    >>> turned_round([[1, 2], [2], []])
    [[], [0], [0, 1]]
    """
    back: list[list[int]] = [[] for _ in near]
    for tail, heads in enumerate(near):
        for head in heads:
            back[head].append(tail)
    return back


def shortest(problem: Problem) -> Outcome:
    """Return a tour with the fewest squares, or the reason why none exists.

    >>> shortest(Problem((8, 8), start="a1", end="b2", partial=True)).order
    [56, 50, 44, 59, 49]
    >>> shortest(Problem((3, 3), start="a1", end="b2", partial=True)).reason
    'no moves lead from a1 to b2'
    """
    near = neighbour_lists(problem)
    start, end = search_ends(problem)
    name = problem.board.square_name
    cols = problem.board.cols
    if problem.closed:
        cycle = _cycle_along(near, start) if problem.board.is_directed else _shortest_cycle(near, start)
        if cycle is not None:
            return found(cycle)
        where = "" if start is None else f" through {name(divmod(start, cols))}"
        return impossible(f"the moves make no cycle{where}", _WAYS)
    if start is None:
        start = next((square for square, others in enumerate(near) if others), None)
        return impossible("the board has no move", _WAYS) if start is None else found([start, near[start][0]])
    if end is None:
        if not near[start]:
            return impossible(f"no move leads from {name(divmod(start, cols))}", _WAYS)
        path = [start, near[start][0]]
        return found(path[::-1] if is_backwards(problem) else path)
    path = _shortest_path(near, start, end, turned_round(near) if problem.board.is_directed else near)
    if len(path) > 1:
        return found(path)
    return impossible(f"no moves lead from {name(divmod(start, cols))} to {name(divmod(end, cols))}", _WAYS)


def _shortest_path(near: list[list[int]], start: int, end: int, back: list[list[int]]) -> list[int]:
    place = {square: k for k, square in enumerate(moves_away(back.__getitem__, end))}
    if start not in place:
        return []
    path = [start]
    while path[-1] != end:
        path.append(min((u for u in near[path[-1]] if u in place), key=place.__getitem__))
    return path


def _shortest_cycle(near: list[list[int]], start: int | None) -> list[int] | None:
    """Return a cycle, through the start if given, or None."""
    if start is not None:
        for first in near[start]:
            # The path back must not be the move itself.
            without = [[u for u in others if {u, v} != {start, first}] for v, others in enumerate(near)]
            path = _shortest_path(without, first, start, without)
            if path:
                return [start, *path[:-1]]
        return None
    above: dict[int, int] = {}
    for root in range(len(near)):
        if root in above:
            continue
        above[root] = root
        queue = deque([root])
        while queue:
            here = queue.popleft()
            for there in near[here]:
                if there == above[here]:
                    continue
                if there in above:
                    return _closed_by(above, here, there)
                above[there] = here
                queue.append(there)
    return None


def _cycle_along(near: list[list[int]], start: int | None) -> list[int] | None:
    """Return a cycle of at least three nodes along arcs, or None."""
    part = strong_parts(near)
    for first in range(len(near)) if start is None else [start]:
        check_deadline()
        for second in near[first]:
            if part[first] != part[second]:
                continue
            # Back by another path than the arc between the two.
            came = {second: second}
            queue = deque([second])
            while queue and first not in came:
                here = queue.popleft()
                for there in near[here]:
                    if there not in came and part[there] == part[first] and (here, there) != (second, first):
                        came[there] = here
                        queue.append(there)
            if first in came:
                cycle = [first]
                while cycle[-1] != second:
                    cycle.append(came[cycle[-1]])
                return [first, *cycle[:0:-1]]
    return None


def _closed_by(above: dict[int, int], a: int, b: int) -> list[int]:
    up = [a]
    while above[up[-1]] != up[-1]:
        up.append(above[up[-1]])
    place = {square: k for k, square in enumerate(up)}
    down = [b]
    while down[-1] not in place:
        down.append(above[down[-1]])
    return [*up[: place[down[-1]] + 1], *down[-2::-1]]


def first_of_some(problem: Problem, budget: Budget, move_order: str, workers: Workers) -> Outcome:
    """Return the first tour of the list, or the reason why none exists."""
    before = budget.nodes
    listing = SomeSquares(problem, budget, True, move_order, workers)
    for order in listing:
        return found(order)
    if not listing.is_complete:
        return undecided(budget.why_stopped())
    return impossible(*exhausted(budget.nodes - before))


class SomeSquares:
    """The list of all tours that may skip squares, an iterator over their squares in order.

    is_complete: whether all were listed. directed: whether a tour and its reverse are two, unless an end is given.

    Args:
        is_uncrossed: Whether to list only tours without crossing moves.
        is_chordless: Whether to list only tours that use each move of the board between two of their squares.
    """

    def __init__(
        self,
        problem: Problem,
        budget: Budget,
        directed: bool,
        move_order: str = "classic",
        workers: Workers = None,
        *,
        is_uncrossed: bool = False,
        is_chordless: bool = False,
    ) -> None:
        check_supported(problem, "a list of tours that leave squares", PARTIAL, MOVES)
        check_plain("tours that leave squares", move_order, workers)
        self.problem, self.budget = problem, budget
        self.is_complete = False
        self._near = neighbour_lists(problem)
        self._masks = [sum(1 << u for u in others) for others in self._near]
        is_directed = problem.board.is_directed
        back = turned_round(self._near) if is_directed else self._near
        # The squares whose move closes a walk from each square.
        self._goals = [sum(1 << u for u in others) for others in back]
        self._both_ways = directed or has_given_end(problem) or is_directed
        self._unspent = self._since_check = 0
        self._is_chordless = is_chordless
        # For each pair of squares: the bit of the move, and the bits of the moves that it crosses.
        self._bits: dict[tuple[int, int], tuple[int, int]] = {}
        if is_uncrossed:
            moves = moves_of(problem)
            for k, (pair, others) in enumerate(zip(moves.pairs, moves.crossing, strict=True)):
                self._bits[pair] = self._bits[pair[::-1]] = 1 << k, sum(1 << other for other in others)

    def __iter__(self) -> Iterator[list[int]]:
        board = self.problem.board
        starts: Sequence[int] = (
            range(len(self._near)) if isinstance(board, GraphBoard) else move_graph(board).squares.tolist()
        )
        start, _ = search_ends(self.problem)
        every = sum(1 << square for square in starts)
        if start is not None:
            starts = [start]
        for first in starts:
            self._unspent += 1
            room = every
            if self.problem.closed and start is None:
                room &= ~((1 << first) - 1)
            for order in self._from(first, room & ~(1 << first)):
                yield order[::-1] if is_backwards(self.problem) else order
            if self.budget.is_spent:
                return
        self._spend()
        self.is_complete = True

    def _spend(self) -> None:
        self.budget.spend(self._unspent)
        self._unspent = 0

    def _from(self, first: int, room: int) -> Iterator[list[int]]:
        """Yield the tours from a square through squares of `room`, a mask."""
        closed, end = self.problem.closed, search_ends(self.problem)[1]
        goal = self._goals[first] if closed else 0 if end is None else 1 << end
        order, waiting, made = [first], [iter(self._near[first])], [0]
        while waiting:
            here = next(waiting[-1], None)
            if here is None:
                waiting.pop()
                made.pop()
                room |= 1 << order.pop()
                continue
            bit, crossing = self._bits[order[-1], here] if self._bits else (0, 0)
            if not room >> here & 1 or crossing & made[-1]:
                continue
            self._unspent += 1
            self._since_check += 1
            if self._since_check >= _SLICE:
                self._since_check = 0
                self._spend()
                if self.budget.is_spent:
                    return
            chords = self._chords(order, here) if self._is_chordless else 0
            if chords < 0:
                continue
            order.append(here)
            room &= ~(1 << here)
            closing = self._bits.get((here, first), (0, 0))[1] if closed and self._bits else 0
            if self._is_tour(order, goal) and not closing & made[-1]:
                self._spend()
                yield order.copy()
            is_over = chords > 0 or (not closed and here == end)
            if is_over or (goal and not self._comes_to(here, goal, room)):
                room |= 1 << order.pop()
            else:
                waiting.append(iter(self._near[here]))
                made.append(made[-1] | bit)

    def _chords(self, order: list[int], here: int) -> int:
        """Return -1 if a square makes a chord with a walk, 1 if it can only close it, else 0."""
        near = [square for square in order[:-1] if self._masks[here] >> square & 1]
        if not near:
            return 0
        return 1 if self.problem.closed and near == order[:1] else -1

    def _is_tour(self, order: list[int], goal: int) -> bool:
        if not self.problem.closed:
            is_ended = not goal or bool(goal >> order[-1] & 1)
            return is_ended and (self._both_ways or order[0] < order[-1])
        is_closed = len(order) > 2 and bool(goal >> order[-1] & 1)
        return is_closed and (self._both_ways or order[1] < order[-1])

    def _comes_to(self, here: int, goal: int, room: int) -> bool:
        masks, reached = self._masks, 0
        news = masks[here] & room
        while news:
            reached |= news
            if reached & goal:
                return True
            more = 0
            while news:
                lowest = news & -news
                more |= masks[lowest.bit_length() - 1]
                news ^= lowest
            news = more & room & ~reached
        return False
