"""Algorithm "matchings": tours that may skip squares, on boards of up to 8 columns, without keys.

Such tours have many more states than tours of all squares, and nearly all possible states of a frontier occur.
Therefore states need no keys: each has a fixed index (core/kernels/counting/dense.py). A step adds whole arrays;
several threads update groups of classes in place. If a knight's move joins two columns, one is processed long before
the other, so a new square can inherit the slot of the current one, and 16 slots suffice for 8 columns.

Numbers are counted modulo 2**64, which is exact without overflow. Otherwise the count is repeated modulo primes, until
the Chinese remainder theorem and a proved upper bound yield the number. If words of 64 bits exceed the memory, all
passes are modulo primes of 16 bits. A checkpoint contains the residues.

Cost: about 2 ns per addition. There are up to 2.4 million states for 12 slots, and
7 billion for 17, with 8 or 2 bytes each.
"""

from __future__ import annotations

import functools
import itertools
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import astuple
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from knightstour.core.kernels.counting import dense as kernel
from knightstour.core.kernels.counting.classes import HEIR, NEAR, SLOT
from knightstour.core.machine.files import lock_directory
from knightstour.core.machine.memory import available_bytes
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem, condition_names, end_index, plural_of, start_index
from knightstour.lab.counting.halves.cut import HalvesSpec, Share, TooWide, make_half
from knightstour.lab.counting.halves.layers import spans, sums_of_slots
from knightstour.lab.counting.halves.machine import Threads
from knightstour.lab.counting.halves.stores import Checkpoint, fingerprint
from knightstour.lab.counting.needs import MATCHINGS_SHARE, Needs
from knightstour.lab.counting.orders import orders_of
from knightstour.lab.counting.residues import Residues, are_enough, bits_at_most, primes
from knightstour.lab.counting.settings import CountProgress, CountSettings

if TYPE_CHECKING:
    from knightstour.lab.counting.count import CountResult
    from knightstour.lab.counting.ways import Fit

# Placeholder square that joins the ends of an open tour.
_JOINS = -1
# More slots exceed the memory of any computer.
MAX_SLOTS = 18
# Upper bound for the fraction of indices that have states.
_FILLED = 0.7
# An estimate may be too high by this factor.
_MARGIN = 1.25
# Approximate ratio of the bits of covers_of to the bits of the degree bound: 0.66 on 7x7, 0.67 on 8x8.
_COVERS_BITS = 0.672
# Parts of a step per thread, so that limits are checked.
_PARTS = 64
# Moves are counted in a byte.
_MAX_SQUARES_OF_BYTES = 250


class Word(NamedTuple):
    """Storage of the number of a state. moduli: moduli of the passes; the modulus 2**64 detects overflow. seconds:
    measured time per index and square."""

    dtype: type[np.generic]
    moduli: Callable[[], Iterator[int]]
    seconds: float

    @property
    def size(self) -> int:
        """Size in bytes."""
        return np.dtype(self.dtype).itemsize


# The wider type needs fewer passes.
_WORDS: Final = (
    Word(np.uint64, lambda: itertools.chain([1 << 64], primes((1 << 61) - 1)), 3.6e-9),
    Word(np.uint16, lambda: primes((1 << 16) - 1), 3.2e-9),
)


class DenseStep(NamedTuple):
    """A step: the Step of the kernel, and the mask of all slots in use."""

    step: kernel.Step
    used: int


class DensePlan(NamedTuple):
    """The steps of a board, and the number of slots they use."""

    steps: Sequence[DenseStep]
    slots: int

    @property
    def states(self) -> int:
        """Capacity in states."""
        return states_of(self.slots)


def states_of(slots: int) -> int:
    """Return the number of states with this number of slots.

    >>> [states_of(slots) for slots in (2, 12, 16)]
    [5, 2430355, 1347262321]
    """
    pairs = range(slots // 2 + 1)
    return sum(math.comb(slots, 2 * k) * kernel.MATCHINGS[k] << (slots - 2 * k) for k in pairs)


def why_not_dense(problem: Problem) -> str | None:
    """Return the reason why the algorithm does not apply to a problem, or None.

    >>> why_not_dense(Problem((7, 7), closed=True, partial=True)) is None
    True
    """
    board = problem.board
    if not isinstance(board, GridBoard) or board.wrap is not None:
        return "matchings are for boards of rows and columns whose sides are not joined"
    if board.piece.leaps == ((0, 1),):
        return "paths of a wazir do not cross, so only a small fraction of the matchings occurs"
    if (
        condition_names(problem)
        or (problem.closed and problem.start is not None)
        or (problem.start is None) != (problem.end is None)
    ):
        return "matchings are for all tours, or for both ends given"
    with suppress(TooWide):
        if min(board.rows, board.cols) <= MAX_SLOTS // 2 and dense_plan(problem):
            return None
    return "the board is too wide"


@functools.lru_cache(maxsize=4)
def dense_plan(problem: Problem) -> DensePlan:
    """Return the steps in the order with the fewest slots; raise TooWide if every order has too many.

    >>> [dense_plan(Problem((n, n), closed=True, partial=True)).slots for n in (6, 7, 8)]
    [12, 14, 16]
    """
    near, plans = move_graph(problem.board).neighbour_lists(), list[DensePlan]()
    for order in orders_of(problem):
        with suppress(TooWide):
            plans.append(_plan_of(order, near, problem))
    if not plans:
        raise TooWide
    return min(plans, key=lambda plan: plan.slots)


def _plan_of(order: list[int], near: list[list[int]], problem: Problem) -> DensePlan:
    given, steps = (start_index(problem), end_index(problem)), []
    # The square that joins the ends of an open tour occupies a slot from first to last.
    joins = -1 if problem.closed else 0
    held = {} if problem.closed else {_JOINS: joins}
    half = make_half(HalvesSpec(near, 0, frozenset(), slots=MAX_SLOTS), Share(order, list(held), [], first_slots=held))
    for square, now, row in zip(order, half.slots_at, half.steps.tolist(), strict=True):
        own, later = row[SLOT], _slots_in(row[NEAR]) + [row[SLOT]] * row[HEIR]
        if joins >= 0 and (given == (None, None) or square in given):
            later.append(joins)
        touched = _mask([own, *later])
        used = _mask(now.values()) | touched
        steps.append(
            DenseStep(kernel.Step(own, touched, used & ~touched, joins, np.array(later, dtype=np.int64)), used)
        )
    return DensePlan(steps, half.slots)


def _mask(slots: Iterable[int]) -> int:
    return functools.reduce(lambda mask, slot: mask | 1 << slot, slots, 0)


def _slots_in(mask: int) -> list[int]:
    return [slot for slot in range(mask.bit_length()) if mask >> slot & 1]


# ---------------------------------------------------------------- arrays


def layout_of(slots: int) -> kernel.Layout:
    """Return the offsets of the classes for this number of slots."""
    counts = sums_of_slots([1] * slots)
    sizes = np.where(counts % 2 == 0, np.array(kernel.MATCHINGS)[counts // 2] << (slots - counts), 0)
    base = np.cumsum(sizes) - sizes
    code = sums_of_slots([3**slot for slot in range(slots)])
    kept, given = np.divmod(np.arange(1 << 16, dtype=np.int64), 256)
    squeezed = np.zeros(1 << 16, dtype=np.int64)
    shift = np.zeros(1 << 16, dtype=np.int64)
    for bit in range(8):
        is_kept = kept >> bit & 1
        squeezed |= (given >> bit & is_kept) << shift
        shift += is_kept
    return kernel.Layout(base, code, squeezed.astype(np.uint8), slots)


def bytes_of(plan: DensePlan, size: int) -> int:
    """Return the memory of a sweep, in addition to a thread's buffer for a group; `size` is the size of a number."""
    return size * plan.states + 3**plan.slots + 4 * sum(kernel.count_of(*change[:2]) for change in _changes_in(plan))


def _changes_in(plan: DensePlan) -> list[tuple[int, int, int, int]]:
    alike = {(step.square, tuple(step.near.tolist()), used) for step, used in plan.steps}
    return sorted(set().union(*itertools.starmap(_changes_made_by, alike)))


def changes_of(plan: DensePlan) -> kernel.Changes:
    """Return the targets of matchings for all changes that some step makes."""
    most = 2 * kernel.MAX_PAIRS
    first = np.full((3, kernel.MAX_PAIRS + 1, most, most), -1, dtype=np.int64)
    size = 0
    for change in _changes_in(plan):
        first[change] = size
        size += kernel.count_of(*change[:2])
    targets = np.empty(size, dtype=np.int32)
    make = kernel_function("dense_change")
    for kind, pairs, i, j in zip(*np.nonzero(first >= 0), strict=True):
        count = kernel.count_of(kind, pairs)
        part = targets[first[kind, pairs, i, j] :][:count]
        for span in spans(count, 1 << 18):
            check_deadline()
            make(part, int(kind), int(pairs), int(i), int(j), *span)
    return kernel.Changes(targets, first.ravel())


def _changes_made_by(own: int, near: Sequence[int], used: int) -> set[tuple[int, int, int, int]]:
    """Return (kind, pairs, place, place) of the possible changes in a step of the slot `own`."""
    found: set[tuple[int, int, int, int]] = set()
    # A bare square joins two later ones, perhaps its heir in its slot; an end continues to one later square.
    joins = [(p, q, False) for p, q in itertools.combinations(near, 2)] + [(own, q, True) for q in near if q != own]
    for p, q, is_end in joins:
        others = [slot for slot in _slots_in(used) if slot not in (p, q, own)]
        below, upto = (sum(slot < bound for slot in others) for bound in sorted((p, q)))
        counts = (below, upto - below, len(others) - upto)
        # Whether p and q are ends, and the numbers of other ends below both, between them, and above.
        for p_ends, q_ends, i, between, above in itertools.product((0, 1), (0, 1), *(range(n + 1) for n in counts)):
            ends, j = i + between + above, i + between
            if (ends + p_ends + q_ends) % 2 or (p == own and p_ends != is_end) or (q == own and q_ends):
                continue
            if p_ends != q_ends:
                found.add((kernel.MOVED, ends // 2 + 1, *((i, j) if p_ends == (p < q) else (j, i))))
            elif not p_ends or ends:
                found.add((kernel.JOINED if p_ends else kernel.ADDED, ends // 2 + 1, i, j + 1))
    return found


class _Tools(NamedTuple):
    """Arrays of a thread: patterns of the touched slots, their numbers, and a buffer for the states of a group."""

    patterns: np.ndarray
    place: np.ndarray
    room: np.ndarray
    total: np.ndarray


def tools_of(planned: DenseStep, dtype: Any) -> _Tools:
    """Return the arrays of a thread for a step; `dtype` is the type of a number."""
    slots = _slots_in(planned.step.touched)
    digits = np.stack(np.unravel_index(np.arange(3 ** len(slots)), (3,) * len(slots)), axis=1)
    bits = np.array([1 << slot for slot in slots], dtype=np.int64)
    ends, done = (digits == 2) @ bits, (digits == 1) @ bits
    patterns = np.zeros((len(digits), 4), dtype=np.int64)
    patterns[:, kernel.ENDS], patterns[:, kernel.DONE] = ends, done
    short = np.array([1 << k for k in range(len(slots))], dtype=np.int64)
    place = np.full(1 << 2 * len(slots), -1, dtype=np.int64)
    place[((digits == 2) @ short) << len(slots) | (digits == 1) @ short] = np.arange(len(digits))
    others = planned.step.others.bit_count()
    sizes = np.array([*kernel.MATCHINGS, 0])
    counts = others + (digits == 2).sum(axis=1)
    # The largest groups have ends in all other slots, or in all but one.
    most = max(int(sizes[(counts - less) // 2][(counts - less) % 2 == 0].sum()) for less in (0, min(1, others)))
    return _Tools(patterns, place, np.zeros(most, dtype=dtype), np.zeros(2, dtype=dtype))


# ---------------------------------------------------------------- sweeps


class SweepResult(NamedTuple):
    """Result of a sweep: the sum over complete tours, or the maximum number of moves plus one; whether the sum is a
    residue; and the number of states."""

    total: int
    is_residue: bool
    states: int


def sweep(
    plan: DensePlan,
    watch: CountProgress,
    threads: int,
    dtype: type[np.generic] = np.uint8,
    modulus: int = 0,
    passes: tuple[int, int] = (0, 1),
    changes: kernel.Changes | None = None,
) -> SweepResult:
    """Process all squares.

    dtype: type of the numbers of tours; with bytes, the sweep computes the maximum number of moves instead. modulus:
    2**64 if no smaller modulus is needed. passes: number of completed passes, and of all passes. changes: `changes_of`
    the plan, if computed.
    """
    is_count, of_word = dtype is not np.uint8, modulus % (1 << 64)
    layout, changes = layout_of(plan.slots), changes or changes_of(plan)
    states, filled = np.zeros(plan.states, dtype=dtype), np.zeros(3**plan.slots, dtype=np.uint8)
    states[0] = filled[0] = 1
    name = kernel_function("dense_counts" if is_count else "dense_most")
    numbers = (of_word,) if is_count else ()
    total, is_residue, made = 0, of_word > 0, 0
    with Threads(threads) as pool:
        for t, planned in enumerate(plan.steps):
            tools = [tools_of(planned, dtype) for _ in range(threads)]
            spare = [name.bind(layout, changes, planned.step, states, filled, *tool) for tool in tools]
            groups = 3 ** planned.step.others.bit_count()
            parts_of_groups = list(spans(groups, -(-groups // (threads * _PARTS))))

            def job(k: int, spare: list[Any] = spare, cuts: list[tuple[int, int]] = parts_of_groups) -> int:
                mine = spare.pop()
                count: int = mine(*numbers, *cuts[k])
                spare.append(mine)
                return count

            for k, more in enumerate(pool.run(job, len(parts_of_groups))):
                made += more
                part = (passes[0] + (t + k / len(parts_of_groups)) / len(plan.steps)) / passes[1]
                watch.report(_text(t, len(plan.steps), *passes), part, watch.budget.nodes + more)
            for tool in tools:
                here = int(tool.total[0])
                total = total + here if is_count else max(total, here)
                is_residue |= is_count and bool(tool.total[1])
    if is_count:
        is_residue |= total >= modulus
        total %= modulus
    return SweepResult(total, is_residue, made)


def _text(t: int, squares: int, done: int, passes: int) -> str:
    return f"square {t + 1:,} of {squares:,}" + (f", pass {done + 1} of {passes}" if passes > 1 else "")


def count_by_matchings(
    problem: Problem, watch: CountProgress, threads: int, saved: Checkpoint | None = None
) -> tuple[int, int, bool]:
    """Return the number of undirected tours that may skip squares, the number of states, and whether it was resumed.

    >>> count_by_matchings(Problem((5, 5), closed=True, partial=True), CountProgress(Problem((5, 5))), 1)
    (128769, 227230, False)
    """
    plan, word = dense_plan(problem), word_of(problem, watch.most_bytes)
    residues, states, total, bound = Residues(at_once=1), 0, None, _bound_of(bits_at_most(problem))
    details = None if saved is None else saved.begin()
    if details is not None:
        residues, states, total = Residues(*details["residues"]), details["states"], details["total"]
    if total is None:
        watch.report("listing what moves make of states", 0.0)
        if word.size < 8:
            bound = math.ceil(min(bound, covers_of(plan)))
        residues.passes = passes_at_most(bound, word)
        changes = changes_of(plan)
    while total is None:
        passes = (len(residues.residues), residues.passes)
        residues.begin(word.moduli())
        found = sweep(plan, watch, threads, word.dtype, residues.modulus, passes, changes)
        states += found.states
        total = residues.add(found.total, bound if found.is_residue else found.total)
        if saved is not None:
            saved.save({"residues": astuple(residues), "states": states, "total": total}, {})
    return total, states, details is not None


def _bound_of(bits: float) -> int:
    """Return 2 ** bits, which may exceed a float."""
    return math.ceil(2 ** (53 + bits % 1)) << int(bits) >> 53


def covers_of(plan: DensePlan) -> float:
    """Return an upper bound on the number of tours that may skip squares: the number of sets of disjoint cycles, and of
    a path if tours are open. Rounding errors are at most a ten-thousandth. Needs 16 bytes * 3 ** plan.slots.

    >>> covers_of(dense_plan(Problem((5, 5), partial=True)))
    35808504.0
    """
    # Axes: number of moves at the square of each slot.
    ways = np.zeros((3,) * plan.slots)
    ways[(0,) * plan.slots] = 1
    for planned in plan.steps:
        check_deadline()
        own, near = planned.step.square, planned.step.near.tolist()
        after = np.zeros_like(ways)
        # The square has two moves already, or none and is skipped; else it is joined to one or two later squares.
        cases = itertools.chain(
            [(0,), (2,)], ((1, q) for q in near), ((0, *two) for two in itertools.combinations(near, 2))
        )
        for moves, *joined in cases:
            source, target = [slice(None)] * plan.slots, [slice(None)] * plan.slots
            for slot in joined:
                source[slot], target[slot] = slice(0, 2), slice(1, 3)
            # The slot is reused, perhaps by the heir of the square.
            source[own], target[own] = slice(moves, moves + 1), slice(own in joined, (own in joined) + 1)
            with np.errstate(over="ignore"):  # infinity is a bound, too
                after[tuple(target)] += ways[tuple(source)]
        ways = after
    joins = plan.steps[0].step.ends
    return float(ways[tuple(2 * (slot == joins) for slot in range(plan.slots))])


def word_of(problem: Problem, memory: int | None) -> Word:
    """Return the longest word that fits into the memory, else the shortest; `memory` in bytes (None: most of the
    free)."""
    plan, most = dense_plan(problem), MATCHINGS_SHARE * available_bytes() if memory is None else memory
    return next((word for word in _WORDS if bytes_of(plan, word.size) <= most), _WORDS[-1])


def passes_at_most(bound: int, word: Word) -> int:
    """Return the maximum number of passes: one if every number fits into a word."""
    known = list[int]()
    for modulus in word.moduli():
        known.append(modulus)
        if are_enough(known, bound):
            break
    return len(known)


# ---------------------------------------------------------------- the longest tour


def why_not_longest(problem: Problem) -> str | None:
    """Return the reason why this algorithm cannot maximise the number of visited squares, or None."""
    reason = why_not_dense(problem)
    if reason is not None:
        return reason
    if square_count(problem.board) > _MAX_SQUARES_OF_BYTES:
        return "the board has too many squares"
    if bytes_of(dense_plan(problem), 1) > MATCHINGS_SHARE * available_bytes():
        return "there are more states than fit into memory"
    return None


def most_squares(problem: Problem, budget: Budget) -> tuple[int, int]:
    """Return the maximum number of squares in a tour (0 without one) and the number of states. Raise LimitReached.

    >>> most_squares(Problem((4, 5), closed=True, partial=True), Budget())[0]
    18
    """
    found = sweep(dense_plan(problem), CountProgress(problem, budget), os.cpu_count() or 1)
    # An open tour visits one square more than it makes moves.
    return max(0, found.total - problem.closed), found.states


# ---------------------------------------------------------------- the row of WAYS


def needs_of_matchings(problem: Problem, memory: int | None) -> Needs:
    """Return the cost of a count by matchings; `memory` is as for word_of."""
    plan, word = dense_plan(problem), word_of(problem, memory)
    squares, bits = square_count(problem.board), bits_at_most(problem)
    passes = passes_at_most(_bound_of(bits), word)
    least = passes_at_most(_bound_of(_COVERS_BITS * bits), word) if word.size < 8 else 1
    seconds = plan.states * squares * word.seconds * least
    widest = plan.states * _FILLED
    size = bytes_of(plan, word.size)
    return Needs(widest, widest * squares / 2, size, 0.0, seconds, False, _MARGIN, least, passes)


def by_matchings(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Count the tours that may skip squares."""
    from knightstour.lab.counting.count import CountResult

    problem = fit.task.problem
    if settings.cluster is not None:
        raise ProblemError(
            f"a count of {plural_of(problem)} cannot be shared among workers", help="omit the workers; threads share it"
        )
    saved = (
        None if settings.checkpoint is None else Checkpoint(settings.checkpoint, fingerprint(problem, None, fit.name))
    )
    threads = settings.threads or os.cpu_count() or 1
    with lock_directory(saved.directory) if saved is not None else nullcontext():
        tours, states, resumed = count_by_matchings(problem, watch, threads, saved)
    return CountResult(tours, problem, method=fit.name, states=states, resumed=resumed)
