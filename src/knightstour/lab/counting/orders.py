"""Orders of squares for counts, and the search for the best place to cut a board of any shape.

A *parting* divides the squares into A, the middle F and B, with no moves between A and B (halves/cut.py). It is an
order of all squares, in which the squares of A come first. F contains their later neighbours. B is the rest, which a
count processes from the end of the order backwards. The *weight* of a parting estimates the states of all layers of
both halves: 3 ** w for a layer with a frontier of w squares.

`best_of_orders` tries a few orders at all places. If the result is heavy, `best_parting` searches all partings by
simulated annealing, and `plan_of_count` all orders. Seed and number of steps are fixed, so that a board is always cut
in the same way, and a count can resume.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from knightstour.core.model.board import move_graph
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.grid_board import GridBoard, is_rectangle
from knightstour.core.model.problem import Problem
from knightstour.core.search.frontier.plan import Plan, expected_states, make_plan

# Each half tries every subset of its middle moves for every class.
MAX_MIDDLE_MOVES = 12
# Estimated factor in states for one more slot.
_PER_SLOT = 3.0
# An order up to the first weight is counted in seconds; an order from the second weight is infeasible.
_LIGHT, _HOPELESS = _PER_SLOT**15, _PER_SLOT**36
# Boards with more squares are not searched.
_MOST_SQUARES = 256
# Squares visited by the annealing, about a second. Temperatures apply to the logarithm of the weight.
_VISITS, _HOTTEST, _COLDEST = 3_000_000, 0.6, 0.02


class Parting(NamedTuple):
    """A parting: see the module. left: number of squares of A."""

    order: tuple[int, ...]
    left: int
    weight: float


class Parts(NamedTuple):
    """The squares of a parting. left, right: A and B, in the order in which a count processes them."""

    left: list[int]
    middle: list[int]
    right: list[int]


def parts_of(near: Sequence[Sequence[int]], parting: Parting) -> Parts:
    """Return the squares of A, F and B.

    >>> parts_of([[1], [0, 2], [1, 3], [2]], Parting((0, 1, 2, 3), 1, 0.0))
    Parts(left=[0], middle=[1], right=[3, 2])
    """
    left = list(parting.order[: parting.left])
    frontier = {u for v in left for u in near[v]} - set(left)
    rest = parting.order[parting.left :]
    return Parts(left, [v for v in rest if v in frontier], [v for v in rest if v not in frontier][::-1])


def orders_of(problem: Problem) -> list[list[int]]:
    """Return the orders that are compared first: the plan's, and by columns or rows for grid boards."""
    board = problem.board
    orders = [list(make_plan(problem).order)]
    if isinstance(board, GridBoard):
        squares = move_graph(board).squares.tolist()
        for is_turned in (False, True):

            def place(s: int, is_turned: bool = is_turned) -> tuple[int, int, int]:
                row, col = divmod(s, board.cols)
                if is_turned:
                    row, col = col, row
                return (col, row % 2, -row if row % 2 else row)

            orders.append(sorted(squares, key=place))
    return orders


def best_of_orders(problem: Problem, slots: int) -> Parting | None:
    """Return the lightest parting by a few orders, or None if all have layers of more than `slots` squares.

    >>> best_of_orders(Problem("5x5:king"), 16).left
    4
    >>> best_of_orders(Problem("3x3x4"), 16) is None
    True
    """
    near = move_graph(problem.board).neighbour_lists()
    best: Parting | None = None
    for order in orders_of(problem):
        forward, backward = _weights(near, order, slots), _weights(near, order[::-1], slots)
        for t, frontier in enumerate(_frontiers(near, order[:-1]), start=1):
            rest = len(order) - t - len(frontier)
            weight = forward[t - 1] + backward[rest - 1] if frontier and rest > 0 else math.inf
            if weight < (math.inf if best is None else best.weight):
                if sum(u in frontier for v in frontier for u in near[v]) <= 4 * MAX_MIDDLE_MOVES:
                    best = Parting(tuple(order), t, weight)
    return best


def best_parting(problem: Problem, slots: int) -> Parting | None:
    """Return the lightest parting found, or None if all have layers of more than `slots` squares.

    >>> parting = best_parting(Problem("3x3x4"), 16)
    >>> max(widths_of(Problem("3x3x4"), parting))
    15
    """
    found = best_of_orders(problem, slots)
    if (found is not None and found.weight <= _LIGHT) or not _is_searched(problem):
        return found
    near, squares = _graph_of(problem)
    lighter = anneal(near, squares)
    if lighter is None or max(widths_of(problem, lighter)) > slots:
        return found
    return lighter if found is None or lighter.weight < found.weight else found


def narrowest_cut(problem: Problem) -> Parting | None:
    """Return the lightest parting found with layers of any width, or None without a search.

    >>> max(widths_of(Problem("3x4x4"), narrowest_cut(Problem("3x4x4")))) > 18
    True
    """
    return anneal(*_graph_of(problem)) if _is_searched(problem) else None


def widths_of(problem: Problem, parting: Parting) -> list[int]:
    """Return the width of the frontier after each square of A, then of B."""
    near = move_graph(problem.board).neighbour_lists()
    parts = parts_of(near, parting)
    return [len(frontier) for half in (parts.left, parts.right) for frontier in _frontiers(near, half)]


@functools.lru_cache(maxsize=4)
def plan_of_count(problem: Problem) -> Plan:
    """Return the plan of a count by states: the default plan, or a lighter one if many states are expected.

    >>> problem = Problem("3x3x4", closed=True)
    >>> make_plan(problem).slots, plan_of_count(problem).slots
    (18, 16)
    """
    plan = make_plan(problem)
    near, squares = _graph_of(problem)
    before = expected_states(plan.order, near)
    if before <= _LIGHT or not _is_searched(problem):
        return plan
    lighter = anneal(near, squares, has_cut=False)
    if lighter is None or expected_states(lighter.order, near) >= before:
        return plan
    return make_plan(problem, lighter.order)


def _graph_of(problem: Problem) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    moves = move_graph(problem.board)
    return tuple(map(tuple, moves.neighbour_lists())), tuple(moves.squares.tolist())


def _is_searched(problem: Problem) -> bool:
    """Return whether to search for a lighter order than the default order of plain boards."""
    near, squares = _graph_of(problem)
    if is_rectangle(problem.board):
        return False
    return len(squares) <= _MOST_SQUARES and expected_states(make_plan(problem).order, near) < _HOPELESS


@functools.lru_cache(maxsize=64)
def anneal(near: tuple[tuple[int, ...], ...], squares: tuple[int, ...], *, has_cut: bool = True) -> Parting | None:
    """Search for a light parting by simulated annealing: a step moves a square of the order, or the cut by one square.

    near: neighbours by square number. has_cut: False for an order of all squares, with A alone. Returns None if no
    parting has two halves.
    """
    count = len(squares)
    place_of = {s: i for i, s in enumerate(squares)}
    masks = [sum(1 << place_of[u] for u in near[s]) for s in squares]
    draw = random.Random(0)
    order, left = list(range(count)), max(1, count // 3) if has_cut else count
    here = _log_weight(masks, order, left)
    best, best_order, best_left = here, order, left
    steps = _VISITS // max(1, count)
    for step in range(steps):
        if step % 64 == 0:
            check_deadline()
        tried, cut = order, left
        if has_cut and draw.random() < 0.1:
            cut += draw.choice((-1, 1))
            if not 1 <= cut < count:
                continue
        else:
            tried = order[:]
            tried.insert(draw.randrange(count), tried.pop(draw.randrange(count)))
        weight = _log_weight(masks, tried, cut)
        temperature = _HOTTEST * (1 - step / steps) + _COLDEST
        if weight <= here or draw.random() < math.exp((here - weight) / temperature):
            here, order, left = weight, tried, cut
            if here < best:
                best, best_order, best_left = here, order, left
    if best == math.inf:
        return None
    return Parting(tuple(squares[i] for i in best_order), best_left, math.exp(best))


_POWERS = tuple(_PER_SLOT**width for width in range(_MOST_SQUARES + 1))


def _log_weight(masks: Sequence[int], order: Sequence[int], left: int) -> float:
    """Return the logarithm of the weight of a parting; infinite if B or F is empty."""
    weight, done, reached = 0.0, 0, 0
    for v in order[:left]:
        done |= 1 << v
        reached |= masks[v]
        weight += _POWERS[(reached & ~done).bit_count()]
    if left == len(order):
        return math.log(weight)
    frontier = reached & ~done
    done = reached = moves = 0
    for v in reversed(order[left:]):
        if frontier >> v & 1:
            moves += (masks[v] & frontier).bit_count()
            continue
        done |= 1 << v
        reached |= masks[v]
        weight += _POWERS[(reached & ~done).bit_count()]
    if not done or not frontier:
        return math.inf
    # Each surplus move within the middle weighs as much as a slot.
    surplus = max(0, moves // 2 - 2 * MAX_MIDDLE_MOVES)
    return math.log(weight + _POWERS[frontier.bit_count()]) + surplus * math.log(_PER_SLOT)


def _weights(near: Sequence[Sequence[int]], order: Sequence[int], slots: int) -> list[float]:
    """Estimate the states created up to each step; infinite from the first too wide frontier."""
    widths = [len(frontier) for frontier in _frontiers(near, order)]
    return list(itertools.accumulate(_PER_SLOT**width if width <= slots else math.inf for width in widths))


def _frontiers(near: Sequence[Sequence[int]], order: Sequence[int]) -> Iterator[set[int]]:
    """Yield the frontier after each square, always as the same set object."""
    done: set[int] = set()
    frontier: set[int] = set()
    for v in order:
        check_deadline()
        done.add(v)
        frontier.update(u for u in near[v] if u not in done)
        frontier.discard(v)
        yield frontier
