"""Loop merging: cover the board with small loops, and join two of them until one loop is left.

Two loops are joined if two consecutive squares a, b of one are one move from two consecutive squares p, q of the other:
the moves a-p and b-q replace a-b and p-q. For an open tour one of the loops is a path. It can also be joined to a loop
at a free end, and given ends are kept.

`randomness` selects the first loops:

0. one fixed cover with loops of four squares: in every 4x4 block the squares with equal marks in 1234 / 3412 / 2143 /
4321;
1. each loop of four cut into two loops of two squares, in one of two ways at random;
2. a finished tour (found by 1) cut into consecutive pairs, each a loop of two squares, and merged again, several times.

Squares outside these blocks are put into other loops of four, then into pairs. The remaining squares are matched by
augmenting paths in the bipartite graph "square - next square" of any board. This finds loops (and one path for an open
tour) through all squares whenever they exist. Otherwise there is no tour, and a set of squares with too few neighbours
proves it (P. Hall 1935).

If no loops can be joined and several remain, the attempt is stuck and is repaired: near a small loop a random closed
trail alternates between moves of the loops and other moves. The two kinds are exchanged if this does not increase the
number of loops (occasionally by one). After many failures a new cover is tried. If a cover exists, the method never
proves that there is no tour.

Cost: about five operations per square, and some hundred repairs on a board of a million squares. Sources: A.-T.
Vandermonde 1771 joined loops at parallel moves; P. M. Roget 1840 used the four loops of a 4x4 block; alternating
trails: J. Petersen, Die Theorie der regulären graphs, 1891.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from knightstour.core.kernels.rng import first_random
from knightstour.core.machine import slices
from knightstour.core.model.board import Board, move_graph, square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.grid_board import is_knights
from knightstour.core.model.problem import Problem, is_backwards, is_too_small, search_ends, start_index
from knightstour.core.model.result import TOO_SMALL, Outcome, found, impossible, undecided
from knightstour.core.model.trace import Trace
from knightstour.core.search import flat_merging
from knightstour.core.search.flat_merging import BLOCK_LOOPS, LARGE


class State(NamedTuple):
    """State of loop merging.

    A cover is stored as two links per square, before[s] and after[s], its neighbours in the loop, without direction. In
    a loop of two squares both links are the other square. An open tour is a loop through an additional square, the
    joker: after[joker] is the start and before[joker] the end. The joker has no moves, so only the code for free ends
    changes it.

    label[s] is the loop of s, loops[l] the number of squares of loop l (0: unused). During the phase SWEEP the labels
    are trees, so that joined loops need no relabelling: label[s] leads to the root. Source: B. A. Galler and M. J.
    Fischer, An improved equivalence algorithm, 1964.
    # Indices of `counters`. START: a square, ANY, or NONE in a closed tour. END: likewise; given only together with the
    # start. ROUNDS: remaining rounds in which the finished tour is cut into pairs. LISTED: number of listed squares of
    # small loops. IS_FIRST: whether a large board is in one of the first searches or sweeps, which are faster.

    Arrays of int32, since half the memory halves the time on large boards; counters and reached are int64. The arrays
    before, after, label, loops, queue, reached and via have LONGEST_TRAIL more items than squares.

    Attributes:
        counters: See below.
        offsets, targets: The moves, as in MoveGraph, without moves of the joker.
        squares: All squares, shuffled in place.
        base: The fixed cover by 4-cycles as the next square of each, else -1.
        queue, reached, via: The search for a matching. Later `reached` marks counted squares, via is the trail, and
            `queue` has labels and, after LONGEST_TRAIL items, the squares of small loops.
        tour: The squares in order.
    """

    counters: np.ndarray
    offsets: np.ndarray
    targets: np.ndarray
    squares: np.ndarray
    base: np.ndarray
    before: np.ndarray
    after: np.ndarray
    label: np.ndarray
    loops: np.ndarray
    queue: np.ndarray
    reached: np.ndarray
    via: np.ndarray
    tour: np.ndarray


# Indices of `counters`. START: a square, ANY, or NONE in a closed tour. END: the same; given only together with the
# start. ROUNDS: remaining rounds in which the finished tour is cut into pairs. LISTED: number of listed squares of
# small loops. IS_FIRST: on large boards: whether this is one of the first searches or sweeps, which are faster.
NODES, RANDOM, PHASE, CURSOR, COUNT, JOKER, START, END, RANDOMNESS, ROUNDS, HAS_TOUR, COMPONENTS, SEARCHES = range(13)
SEARCHING, HEAD, TAIL, OPEN_TARGETS, UNMATCHED, FAILED_SQUARES, FAILED_TARGETS, MERGED, FEWEST = range(13, 22)
KICKS_SINCE, MERGES, STUCK, REPAIRS, RESTARTS, PATIENCE, FOCUS, FRESH, LISTED, IS_FIRST = range(22, 32)
COUNTERS = 32

# As START and END.
ANY, NONE = -1, -2

# Items of `counters` at PHASE.
COVER, ENDS, MATCH, LABEL, SWEEP, REPAIR, WRITE = range(7)

# Longer trails rarely keep the number of loops.
LONGEST_TRAIL = 16


HALL: Final = "P. Hall, On representatives of subsets, 1935"

# Number of rounds of cutting and joining at randomness 2.
_ROUNDS = 3


def merge(problem: Problem, budget: Budget, seed: int, *, randomness: int = 1) -> Outcome:
    """Search for a tour by joining loops until the budget is spent.

    Counters of the outcome: merges (loops joined), stuck (attempts that needed repairs), repairs (trails exchanged),
    restarts (new covers). The outcome is IMPOSSIBLE if no cover by loops exists.

    Args:
        randomness: 0, 1 or 2, see `RANDOMNESS`; other values raise ProblemError.

    >>> from knightstour.core.model.budget import Budget
    >>> from knightstour.core.model.problem import Problem
    >>> outcome = merge(Problem((8, 8), start="a1", end="h7"), Budget(), seed=1)
    >>> outcome.status, int(outcome.order[0]), int(outcome.order[-1])
    (<Status.FOUND: 'found'>, 56, 15)
    """
    if is_too_small(problem):
        return impossible(*TOO_SMALL)
    if randomness == 1 and budget.trace is None and flat_merging.is_for(problem):
        outcome = flat_merging.merge_flat(problem, budget, seed)
        if outcome is not None:
            return outcome
        if budget.is_spent:
            return undecided(budget.why_stopped())
    state = start_state(problem, seed, randomness)
    status = _drive(state, budget)
    c = state.counters
    counters = {
        "merges": int(c[MERGES]),
        "stuck": int(c[STUCK]),
        "repairs": int(c[REPAIRS]),
        "restarts": int(c[RESTARTS]),
    }
    if status == slices.RUNNING:
        return undecided(budget.why_stopped(), **counters)
    if status == slices.EXHAUSTED:
        return impossible(_too_few_neighbours(problem, state), HALL, **counters)
    return found(_order(problem, state), **counters)


def join_cover(problem: Problem, budget: Budget, seed: int, after: np.ndarray) -> Outcome:
    """Join the loops of a given cover until they are one, or the budget is spent.

    Args:
            after: The next square of each, int64, one item per square of the rectangle: loops of at least two squares,
                and for an open tour one path from start to end. -1 for the end and for holes.

        Counters of the outcome: merges and repairs.
    """
    state = start_state(problem, seed, 1)
    c = state.counters
    # A tour with only an end given is searched backwards.
    ahead, back = (state.before, state.after) if is_backwards(problem) else (state.after, state.before)
    ahead[:], back[:] = -1, -1
    ahead[: len(after)] = after
    followed = np.flatnonzero(after >= 0)
    back[after[followed]] = followed
    c[PHASE] = LABEL
    c[UNMATCHED] = 0 if problem.closed else 1
    # Never build another cover.
    c[PATIENCE] = 1 << 62
    status = _drive(state, budget)
    counters = {"merges": int(c[MERGES]), "repairs": int(c[REPAIRS])}
    if status != slices.FOUND:
        return undecided(budget.why_stopped(), **counters)
    return found(_order(problem, state), **counters)


def _drive(state: State, budget: Budget) -> int:
    observe = None if budget.trace is None else _observer(budget.trace)
    return slices.drive("merging_step", state, budget, observe=observe)


def start_state(problem: Problem, seed: int, randomness: int) -> State:
    """Return the initial state. A tour with only an end given is searched backwards."""
    board = problem.board
    moves = move_graph(board)
    size = len(moves.is_square)
    count = square_count(board)
    start, end = search_ends(problem)
    counters = np.zeros(COUNTERS, dtype=np.int64)
    counters[RANDOM] = first_random(seed)
    counters[COUNT] = count
    counters[JOKER] = size
    counters[START] = NONE if problem.closed else ANY if start is None else start
    counters[END] = NONE if problem.closed else ANY if end is None else end
    counters[RANDOMNESS] = randomness
    counters[ROUNDS] = (1 if count >= LARGE else _ROUNDS) if randomness == 2 else 0
    counters[PATIENCE] = 500 + 4 * count
    counters[PHASE] = COVER
    room = size + 1 + LONGEST_TRAIL
    return State(
        counters=counters,
        offsets=np.append(moves.offsets, moves.offsets[-1]).astype(np.int32),
        targets=moves.targets.astype(np.int32),
        squares=moves.squares.astype(np.int32),
        base=fixed_cover(board, moves.is_square).astype(np.int32),
        reached=np.zeros(room, dtype=np.int64),
        tour=np.zeros(count, dtype=np.int32),
        **{name: np.zeros(room, dtype=np.int32) for name in ("before", "after", "label", "loops", "queue", "via")},
    )


def fixed_cover(board: Board, is_square: np.ndarray) -> np.ndarray:
    """Return the next square of each in the 4-cycles of the 4x4 blocks, else -1: int64, one item per square.

    Blocks start at the top left; blocks with a hole are omitted. Only knights have them.
    """
    after = np.full(board.rows * board.cols, -1, dtype=np.int64)
    if not is_knights(board) or board.rows < 4 or board.cols < 4:
        return after
    tops = np.arange(0, board.rows - 3, 4)[:, None]
    lefts = np.arange(0, board.cols - 3, 4)[None, :]
    corners = (tops * board.cols + lefts).ravel()
    inside = np.array([r * board.cols + c for r in range(4) for c in range(4)])
    corners = corners[is_square[corners[:, None] + inside].all(axis=1)]
    for loop in BLOCK_LOOPS:
        for (r0, c0), (r1, c1) in zip(loop, loop[1:] + loop[:1], strict=True):
            after[corners + r0 * board.cols + c0] = corners + r1 * board.cols + c1
    return after


def _observer(trace: Trace) -> slices.Observe:
    """Return a callback that reports a search to a trace: each new cover, then the changes of each node.

    A node joins two loops, or repairs and may join some. The joker's links are omitted, so its loop appears as the
    path.
    """
    before: list[int] = []
    after: list[int] = []
    was_joining = False
    merges = repairs = restarts = 0

    def observe(state: State, status: int) -> None:
        nonlocal before, after, was_joining, merges, repairs, restarts
        c, joker = state.counters, state.counters[JOKER]
        if c[RESTARTS] > restarts:
            restarts = c[RESTARTS]
            trace.add("restart")
        is_joining = c[PHASE] in (SWEEP, REPAIR)
        if is_joining and not was_joining:
            pairs = [(a, state.after[a]) for a in sorted(state.squares) if a != joker != state.after[a]]
            trace.add("cover", (square for pair in pairs for square in pair))
        elif was_joining and (c[MERGES], c[REPAIRS]) != (merges, repairs):
            changed = [s for s in range(joker) if before[s] != state.before[s] or after[s] != state.after[s]]
            old = _links(before, after, changed, joker)
            new = _links(state.before, state.after, changed, joker)
            gone, come = list((old - new).elements()), list((new - old).elements())
            kind = "join" if c[REPAIRS] == repairs else "repair"
            trace.add(kind, (square for pair in gone + come for square in pair), (len(gone), len(come)))
        else:
            was_joining = is_joining
            return
        merges, repairs, was_joining = c[MERGES], c[REPAIRS], is_joining
        before, after = state.before.tolist(), state.after.tolist()

    return observe


def _links(
    before: Sequence[int] | np.ndarray, after: Sequence[int] | np.ndarray, squares: list[int], joker: int
) -> Counter[tuple[int, int]]:
    pairs = ((a, b) for a in squares for b in (before[a], after[a]) if b != joker)
    # Each changed link is counted from both of its squares.
    seen = Counter((a, b) if a < b else (b, a) for a, b in pairs)
    return Counter({pair: (times + 1) // 2 for pair, times in seen.items()})


def _order(problem: Problem, state: State) -> np.ndarray:
    order = np.asarray(state.tour, dtype=np.int64)
    if problem.closed and start_index(problem) is not None:
        return np.roll(order, -int(np.flatnonzero(order == start_index(problem))[0]))
    return order[::-1] if is_backwards(problem) else order


def _too_few_neighbours(problem: Problem, state: State) -> str:
    squares = int(state.counters[FAILED_SQUARES])
    targets = int(state.counters[FAILED_TARGETS])
    if problem.closed:
        return (
            f"each square of a closed tour needs another to follow it, but there are {squares:,} squares "
            f"with only {targets:,} neighbours among them all"
        )
    ends = "the last" if problem.end is None or problem.start is None else "the end"
    given = problem.start if problem.start is not None else problem.end
    besides = "" if given is None else f" besides {problem.board.square_name(given)}"
    return (
        f"each square of a tour but {ends} needs another to follow it, but there are {squares:,} such squares "
        f"with only {targets:,} neighbours among them all{besides}"
    )
