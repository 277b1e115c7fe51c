"""Division of a board into two halves: the cut, the order of the squares, and their slots.

The squares are divided into A, the middle F and B, with no moves between A and B. The *left half* of a tour consists
of its moves at the squares of A, the *right half* of its moves at the squares of B. Each half is built square by
square, as in core/search/frontier, until its frontier is F. A tour is a left half and a right half that fit together
over F. Each move within F, a *middle move*, belongs to one of the halves, which can add it after its last square.
Likewise one of the halves decides whether a square of F is an end of an open tour.

A square of the frontier occupies one of 16 *slots* (18 for closed tours of boards with 9 rows), so that a partial
tour fits into one word. One of the new neighbours of a processed square, its *heir*, inherits its slot. On a plain
board the squares are processed column by column along the long side, in each column first the even rows downwards,
then the odd rows upwards. Then each square has at most one new neighbour, and boards of 8 rows need at most 16 slots.

Two symmetries save work if the board has them and no start or end is given. The *mirror* (first column to last) maps
the left half to the right half, so that one half is enough. The *flip* (first row to last) maps each state at the end
of a column to another such state, and only one of the two is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from knightstour.core.kernels.counting.classes import DEAL, END
from knightstour.core.model.board import Board, move_graph, square_count, title_of
from knightstour.core.model.errors import ProblemError, check_own_answer
from knightstour.core.model.grid_board import is_knights
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.proofs.facts import components
from knightstour.lab.counting import orders

SLOTS = 16
# Maximum with wide words (core/kernels/counting/words.h), for closed tours of plain boards with 9 rows.
WIDE_SLOTS = 18


class Half(NamedTuple):
    """One half of a board: squares, steps and slots.

    squares: the processed squares, in order. steps: int64 (steps, 6), see core/kernels/counting/classes.py: KIND, SLOT,
    NEAR, HEIR, MAX_ENDS, MUST_END; a step processes a square, or decides whether a square of the middle is an end.
    slots: maximum number of slots in use. slot_of: the final slot of each square of the middle. folds: by index of a
    step at whose end states are folded, the image of each slot under the flip: int64 (slots,). flip: the same at the
    end, or None if the middle cannot be folded. moves: middle moves of this half, as pairs of slots: int64 (moves, 2).
    step_squares: the square of each step. slots_at: for each step, the squares in the slots during it.
    """

    squares: tuple[int, ...]
    steps: np.ndarray
    slots: int
    slot_of: dict[int, int]
    folds: dict[int, np.ndarray]
    flip: np.ndarray | None
    moves: np.ndarray
    step_squares: tuple[int, ...]
    slots_at: tuple[dict[int, int], ...]

    def slots_after(self, t: int) -> dict[int, int]:
        """Return the squares in the slots after step t."""
        return self.slots_at[t + 1] if t + 1 < len(self.steps) else self.slot_of


class Cut(NamedTuple):
    """A board cut into halves.

    shared: number of initial steps that are equal in both halves. is_even: whether the halves are images of each other,
    so that right is left. to_left: for each slot of the right half in the middle, the slot of the left half. ends: 2
    for open tours, 0 for closed ones. is_folded: whether layers are folded at the ends of columns. joins_folded:
    whether the joined layers are also folded. across: the side along the cut, if it was chosen.
    """

    left: Half
    right: Half
    shared: int
    is_even: bool
    is_mirrored: bool
    to_left: np.ndarray
    ends: int
    is_folded: bool
    joins_folded: bool
    across: int | None = None


class TooWide(Exception):
    """More slots are required than available."""


def slots_of_arrays(slots: int) -> int:
    """Return the length of arrays with one item per slot: 16 or 18."""
    return SLOTS if slots <= SLOTS else WIDE_SLOTS


def make_cut(
    problem: Problem,
    *,
    fold: bool = True,
    columns: int | None = None,
    across: int | None = None,
    is_count: bool = False,
) -> Cut | None:
    """Return the best known cut for a problem, or None if 16 slots are too few or one side is empty.

    fold: whether the flip can be used. columns: for plain boards, the number of columns of the left half, by default
    about half of them. across: for plain boards, the side along the cut, by default the shorter one. Other values of
    columns and across count independently. is_count: whether the cut is for a count. Then words of closed tours can be
    wide, with 18 slots, and boards that are not plain can be cut anywhere (orders.py). A tour space compares only a few
    cuts, since ranks of tours depend on the cut.

    >>> cut = make_cut(Problem((8, 8), closed=True))
    >>> cut.left.slots, len(cut.left.steps), cut.is_even, cut.is_folded, cut.shared
    (16, 24, True, True, 24)
    >>> make_cut(Problem((9, 9))) is None
    True
    """
    board = problem.board
    if _is_plain(board) and square_count(board) <= 4000:
        grid = _Grid(problem, is_turned=board.rows > board.cols if across is None else board.rows != across)
        for slots in (SLOTS, WIDE_SLOTS) if is_count and problem.closed else (SLOTS,):
            cut = grid.make_cut(fold, columns, slots) if 2 * grid.rows <= slots or across is not None else None
            if cut is not None:
                return cut._replace(across=across)
    return _general_cut(problem, is_count=is_count) if across is None else None


def the_cut(problem: Problem, *, fold: bool = True, columns: int | None = None, across: int | None = None) -> Cut:
    """Return the best known cut for a count; the arguments are as for make_cut. Raise ProblemError if no cut exists.

    >>> the_cut(Problem((5, 6), closed=True)).is_even
    True
    >>> the_cut(Problem((9, 8), closed=True), across=9).left.slots
    18
    """
    cut = make_cut(problem, fold=fold, columns=columns, across=across, is_count=True)
    if cut is not None:
        return cut
    most = WIDE_SLOTS if problem.closed and _is_plain(problem.board) else SLOTS
    if across is not None:
        raise ProblemError(
            f"the {title_of(problem.board)} has no cut across {across} squares: a half can contain at most "
            f"{most} squares in two columns, with others on both sides",
            help="choose the other side, or omit across",
        )
    raise ProblemError(
        f"the {title_of(problem.board)} has no cut into halves over at most {most} squares",
        help="count its states instead, which is slower",
    )


def check_across(problem: Problem, across: int) -> None:
    """Raise ProblemError for a side that a cut of the board cannot follow."""
    board = problem.board
    if not _is_plain(board):
        raise ProblemError(
            f"there is no side to choose on the {title_of(board)}",
            help="omit across, which requires a plain board",
        )
    if across not in (board.rows, board.cols):
        raise ProblemError(
            f"a cut of the {title_of(board)} goes across one of its sides, "
            f"{board.rows} or {board.cols} squares, not {across}"
        )


def _is_plain(board: Board) -> bool:
    """Return whether it is a knight's board without wraps."""
    return board.wrap is None and is_knights(board)


def half_turn_cut(problem: Problem) -> Cut | None:
    """Return the cut without flips whose right half is the left half after a half turn, or None if none exists.

    >>> cut = half_turn_cut(Problem((6, 8), closed=True))
    >>> cut.is_even, cut.is_folded
    (True, False)
    >>> half_turn_cut(Problem((5, 8), closed=True)) is None
    True
    """
    cut = make_cut(problem, fold=False)
    board = problem.board
    # With an odd number of rows the half turn maps the middle moves of a half to themselves.
    if cut is None or not cut.is_even or min(board.rows, board.cols) % 2:
        return None
    last = board.rows * board.cols - 1
    images = {v: last - v for v in cut.left.slot_of}
    if set(images.values()) != set(images):
        return None
    return cut._replace(to_left=_to_left(cut.left, cut.right, images))


def count_without_cut(problem: Problem) -> int | None:
    """Return the number of tours of a board of one square, or of several parts without moves between them; else None.

    >>> [count_without_cut(Problem((n, n))) for n in (1, 3, 6)]
    [1, 0, None]
    """
    if square_count(problem.board) == 1:
        return int(not problem.closed)
    return 0 if components(problem.board).max() > 0 else None


# ---------------------------------------------------------------- one half


class HalvesSpec(NamedTuple):
    """Properties of both halves. near: neighbours of each square. ends: number of ends of a tour, 0 or 2. must: squares
    that must be ends. flip: image of each square, or None if folding is impossible. slots: number of available
    slots."""

    near: Sequence[Sequence[int]]
    ends: int
    must: frozenset[int]
    flip: dict[int, int] | None = None
    slots: int = SLOTS


class Share(NamedTuple):
    """Properties of one half.

    order: its squares, in processing order. middle: the squares between the halves. own_moves: middle moves of this
    half. own_ends: squares of the middle whose ends this half decides. first_slots: initial slots of squares.
    fold_after: numbers of squares after which states are folded, if the frontier is its own image.
    """

    order: Sequence[int]
    middle: Sequence[int]
    own_moves: Sequence[tuple[int, int]]
    own_ends: Sequence[int] = ()
    first_slots: Mapping[int, int] = MappingProxyType({})
    fold_after: Sequence[int] = ()


def make_half(spec: HalvesSpec, part: Share) -> Half:
    """Assign slots to the squares in processing order; raise TooWide if there are too few."""
    maker = _HalfMaker(spec, part.first_slots)
    for count, v in enumerate(part.order, start=1):
        maker.process(v)
        if spec.flip is not None and count in part.fold_after:
            maker.fold()
    check_own_answer(set(maker.slot_of) <= set(part.middle), "the middle must hold all later neighbours")
    for v in part.middle:
        maker.enter(v)
    flip = maker.flip_image()
    if part.own_ends and spec.ends:
        for v in part.own_ends:
            maker.decide(v)
        maker.fold()
    slot_of = maker.slot_of
    return Half(
        squares=tuple(part.order),
        steps=np.array(maker.rows, dtype=np.int64).reshape(-1, 6),
        slots=maker.highest + 1,
        slot_of=slot_of,
        folds=maker.folds,
        flip=flip,
        moves=np.array([(slot_of[a], slot_of[b]) for a, b in part.own_moves], dtype=np.int64).reshape(-1, 2),
        step_squares=tuple(maker.about),
        slots_at=tuple(maker.slots_at),
    )


class _HalfMaker:
    def __init__(self, spec: HalvesSpec, first_slots: Mapping[int, int]) -> None:
        self.spec = spec
        self.slot_of = dict(first_slots)
        self.free = sorted(set(range(spec.slots)) - set(first_slots.values()), reverse=True)
        self.highest = max(first_slots.values(), default=-1)
        self.rows: list[tuple[int, ...]] = []
        self.about: list[int] = []
        self.slots_at: list[dict[int, int]] = []
        self.folds: dict[int, np.ndarray] = {}
        self._done: set[int] = set()
        self._waiting = set(spec.must)

    def enter(self, v: int) -> None:
        """Assign a slot to a new square."""
        if v not in self.slot_of:
            if not self.free:
                raise TooWide
            self.slot_of[v] = self.free.pop()
            self.highest = max(self.highest, self.slot_of[v])

    def process(self, v: int) -> None:
        """Process a square: its new neighbours enter, one of them in its slot."""
        self.enter(v)
        slot = self.slot_of[v]
        later = [u for u in self.spec.near[v] if u not in self._done]
        fresh = [u for u in later if u not in self.slot_of]
        self.slots_at.append(dict(self.slot_of))
        del self.slot_of[v]
        for u in fresh[1:]:
            self.enter(u)
        heir = fresh[0] if fresh else None
        if heir is not None:
            self.slot_of[heir] = slot
        else:
            self.free.append(slot)
            self.free.sort(reverse=True)
        mask = sum(1 << self.slot_of[u] for u in later if u != heir)
        self._add(v, (DEAL, slot, mask, int(heir is not None)))
        self._done.add(v)

    def decide(self, v: int) -> None:
        """Decide whether a square of the middle is an end."""
        self.slots_at.append(dict(self.slot_of))
        self._add(v, (END, self.slot_of[v], 0, 0))

    def _add(self, v: int, row: tuple[int, int, int, int]) -> None:
        # Reserve an end for each square that must be one and is processed later.
        self._waiting.discard(v)
        self.rows.append((*row, self.spec.ends - len(self._waiting), int(v in self.spec.must)))
        self.about.append(v)

    def flip_image(self) -> np.ndarray | None:
        """Return the image of each slot, or None if the flip changes the frontier."""
        flip = self.spec.flip
        if flip is None or any(flip[v] not in self.slot_of for v in self.slot_of):
            return None
        image = np.arange(self.spec.slots, dtype=np.int64)
        for v, slot in self.slot_of.items():
            image[slot] = self.slot_of[flip[v]]
        return image

    def fold(self) -> None:
        """Fold states at the end of the last step, if possible."""
        image = self.flip_image()
        if image is not None:
            self.folds[len(self.rows) - 1] = image


def _to_left(left: Half, right: Half, image: dict[int, int] | None, slots: int = SLOTS) -> np.ndarray:
    """Return the slot of the left half for each slot of the right half. image: from right to left squares."""
    table = np.arange(slots, dtype=np.int64)
    used = {}
    for v, slot in right.slot_of.items():
        used[slot] = left.slot_of[image[v] if image is not None else v]
    spare = [slot for slot in range(slots) if slot not in used.values()]
    for slot in range(slots):
        table[slot] = used[slot] if slot in used else spare.pop(0)
    return table


def _shared_steps(left: Half, right: Half) -> int:
    for t, (one, other) in enumerate(zip(left.steps, right.steps, strict=False)):
        folds = [half.folds[t].tolist() if t in half.folds else None for half in (left, right)]
        if (one != other).any() or folds[0] != folds[1]:
            return t
    return min(len(left.steps), len(right.steps))


def _must(problem: Problem) -> frozenset[int]:
    return frozenset(s for s in (start_index(problem), end_index(problem)) if s is not None and not problem.closed)


# ---------------------------------------------------------------- boards of up to 9 rows


class _Grid:
    """A knight's board without wraps, with or without holes, whose short side is a column."""

    def __init__(self, problem: Problem, *, is_turned: bool) -> None:
        board: Board = problem.board
        self.problem = problem
        self.rows, self.cols = (board.cols, board.rows) if is_turned else (board.rows, board.cols)
        self.number = {}
        for s in move_graph(board).squares.tolist():
            row, col = divmod(s, board.cols)
            self.number[(col, row) if is_turned else (row, col)] = s
        self.near = move_graph(board).neighbour_lists()
        self.must = _must(problem)
        self.flip = self._symmetry(lambda row, col: (self.rows - 1 - row, col))
        self.mirror = self._symmetry(lambda row, col: (row, self.cols - 1 - col))

    def _symmetry(self, image: Callable[[int, int], tuple[int, int]]) -> dict[int, int] | None:
        """Return the image of each square, or None if the board or given ends are not symmetric."""
        images = {s: self.number.get(image(*place), -1) for place, s in self.number.items()}
        return None if self.must or -1 in images.values() else images

    def column(self, col: int) -> list[int]:
        """Return a column: even rows downwards, then odd rows upwards."""
        rows = [*range(0, self.rows, 2), *reversed(range(1, self.rows, 2))]
        return [self.number[row, col] for row in rows if (row, col) in self.number]

    def make_cut(self, fold: bool, columns: int | None, slots: int) -> Cut | None:
        """Cut into columns 0 .. h-1, h and h+1, and the rest; return None if the slots do not suffice."""
        h = (self.cols - 2) // 2 if columns is None else columns
        if h < 1 or self.cols - 2 - h < 1:
            return None
        if self.mirror is not None and h > self.cols - 2 - h:
            h = self.cols - 2 - h
        middle = [*self.column(h), *self.column(h + 1)]
        flip = self.flip if fold else None
        left_moves, right_moves = self._middle_moves(h)
        spec = HalvesSpec(self.near, 0 if self.problem.closed else 2, self.must, flip, slots)
        try:
            left = self._half(spec, range(h), Share([], middle, left_moves, self.column(h)))
            if self.mirror is None:
                backwards = range(self.cols - 1, h + 1, -1)
                right = self._half(spec, backwards, Share([], middle, right_moves, self.column(h + 1)))
                to_left, shared = _to_left(left, right, None, slots), 0
            else:
                mirror = self.mirror
                there = [mirror[v] for v in middle]
                moves = [(mirror[a], mirror[b]) for a, b in right_moves]
                first = self.cols - 2 - h
                right = left
                if first != h:
                    right = self._half(spec, range(first), Share([], there, moves, self.column(first)))
                to_left, shared = _to_left(left, right, mirror, slots), _shared_steps(left, right)
        except TooWide:
            return None
        is_even = right is left
        if slots > SLOTS:
            # Both halves have arrays with one item per slot.
            left, right = (half._replace(slots=slots) for half in (left, right))
        return Cut(
            left=left,
            right=left if is_even else right,
            shared=shared,
            is_even=is_even,
            is_mirrored=self.mirror is not None,
            to_left=to_left,
            ends=spec.ends,
            is_folded=flip is not None,
            joins_folded=flip is not None and self.rows % 2 == 0,
        )

    def _half(self, spec: HalvesSpec, columns: range, part: Share) -> Half:
        """Return the half that processes these columns."""
        order = [v for col in columns for v in self.column(col)]
        fold_after = np.cumsum([len(self.column(col)) for col in columns]).tolist()
        # Slots of the first columns are fixed, so that a flip reverses each octet of slots.
        first_slots = {}
        if self.rows == 8:
            for i, col in enumerate(list(columns)[:2]):
                for row in range(8):
                    if (row, col) in self.number:
                        first_slots[self.number[row, col]] = 8 * i + row
            if len(columns) == 1:
                next_column = columns[0] + 1 if columns[0] == 0 else columns[0] - 1
                first_slots |= {
                    self.number[row, next_column]: 8 + row for row in range(8) if (row, next_column) in self.number
                }
        return make_half(spec, part._replace(order=order, first_slots=first_slots, fold_after=fold_after))

    def _middle_moves(self, h: int) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        """Return the moves of the left and of the right half between columns h and h+1.

        The mirror maps one set to the other. For an even number of rows the flip maps each set to itself. (For an odd
        number both are impossible, since flip and mirror together fix a middle move.) With nine rows, moves that share
        a square belong to the same half, so that each half has squares without its own moves. (The ranks of tours of
        smaller boards depend on this assignment.)
        """
        mine: list[tuple[int, int]] = []
        others: list[tuple[int, int]] = []
        for row in range(self.rows):
            for other in (row - 2, row + 2):
                a, b = self.number.get((row, h)), self.number.get((other, h + 1))
                if a is None or b is None:
                    continue
                if self.rows % 2 == 0:
                    is_mine = row % 4 == 0 or (self.rows - 1 - row) % 4 == 0
                else:
                    is_mine = row % 4 >= 2 if self.rows == 9 else other > row
                (mine if is_mine else others).append((a, b))
        return mine, others


# ---------------------------------------------------------------- all other boards


def _general_cut(problem: Problem, *, is_count: bool) -> Cut | None:
    """Return the cut with the fewest expected states."""
    near = move_graph(problem.board).neighbour_lists()
    most = WIDE_SLOTS if is_count and problem.closed else SLOTS
    parting = orders.best_parting(problem, most) if is_count else orders.best_of_orders(problem, SLOTS)
    if parting is None:
        return None
    parts = orders.parts_of(near, parting)
    is_middle = set(parts.middle)
    moves = [(a, b) for a in parts.middle for b in near[a] if b in is_middle and a < b]
    for slots in (SLOTS, WIDE_SLOTS)[: 1 + (most > SLOTS)]:
        spec = HalvesSpec(near, 0 if problem.closed else 2, _must(problem), slots=slots)
        try:
            left = make_half(spec, Share(parts.left, parts.middle, moves[::2], parts.middle))
            right = make_half(spec, Share(parts.right, parts.middle, moves[1::2]))
        except TooWide:
            continue
        to_left = _to_left(left, right, None, slots)
        if slots > SLOTS:
            left, right = (half._replace(slots=slots) for half in (left, right))
        return Cut(left, right, 0, False, False, to_left, spec.ends, False, False)
    return None
