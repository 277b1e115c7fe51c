"""The distribution backbite: a random walk on the open tours of the board, sampled at intervals.

A step selects a neighbour of one of the two ends, adds the move to it, and removes the move that would close a loop.
The result is a tour with another end (Oberdorf et al. 2006; Posa rotations, 1976). The two ends alternate. The walk is
sampled after every `every` steps, and a sample is a closed tour if its ends are one move apart. Other samples are
dropped, since waiting for the next closed tour would prefer tours that are easy to reach. Each closed tour occurs with
a probability proportional to a known weight, and is rejected with a probability that compensates for it. So all closed
tours that the walk can reach are equally likely.

Open tours are the closed tours of the board with one more square, adjacent to all possible ends; with a given end, the
move from it to that square is never removed. Tours between two given ends are the closed tours of the board with a move
between these, which is never removed. Samples are rotated and reflected at random as far as the problem allows.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.machine import slices
from knightstour.core.machine.native import kernel_function
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.indices import bincount, repeat
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.sample import order_type
from knightstour.core.proofs.facts import colour_classes
from knightstour.core.search import rotation
from knightstour.lab.sampling.distributions.common import (
    PATIENCE_SQUARES,
    SLICE,
    Block,
    Stop,
    gave_up_error,
    random_state,
    squares_of,
)


class State(NamedTuple):
    """Arguments of the kernel: several walks, one per row of the arrays.

    pos[s] is the step at which square s is visited, link[s] and other[s] are the squares before and after s, in any
    order; at an end of the tour only link is valid. A step selects an end e of the tour and a neighbour c that is not
    next to it on the tour, adds the move e-c, and removes the move from c to the square d towards e. This reverses the
    stretch from d to e, and makes d the end: pos becomes lo + hi - pos there.

    From e there are degree(e) - 1 steps, and a step from d reverses each. The stationary probability of an open tour is
    therefore proportional to the product of degree - 1 over its two ends. A closed tour results from an open tour for
    each of its moves, so its probability is proportional to the sum of these products over its moves, its weight. It
    is accepted with probability lowest / weight.

    counters: see below. offsets, near: the moves, uint32. pos: padded to a multiple of 64, of uint8, uint16 or uint32.
    link, other: uint32. ends: uint32, the two ends of each tour. line: uint32, work array with the length of a tour.
    images: int32, one row per symmetry of the problem, from squares of the kernel to squares of the board. out:
    rows of square numbers of the board: uint8, uint16 or int32.
    """

    counters: np.ndarray
    offsets: np.ndarray
    near: np.ndarray
    pos: np.ndarray
    link: np.ndarray
    other: np.ndarray
    ends: np.ndarray
    line: np.ndarray
    images: np.ndarray
    out: np.ndarray


# Fields of `counters` that Python uses; the struct Counters defines all. KEPT_S: the two squares of the fixed move, or
# -1. HEAD: the square to write first, or -1 for any. SKIPS: 1: omit that square, which is not on the board. DIRECTION:
# RANDOM_WAY, or the direction of writing: with TOWARDS the square after HEAD, or with it last. START: number on the
# board of the square to write first, or -1. LEFT: steps until the next sample. LOWEST: lower bound for the weight of
# closed tours. REFUSED: number of rejected closed tours.
RANDOM, COUNT, KEPT_S, KEPT_T, HEAD, SKIPS, DIRECTION, TOWARDS, START, EVERY, LEFT = range(11)
LOWEST, MADE, TURNS, READINGS, REFUSED = range(12, 17)
COUNTERS = 17
RANDOM_WAY, FIRST_IS, LAST_IS = range(3)


# Parallel walks of a block; on large boards, a block has too few tours for more than one.
_WALKS = 4
_FEWEST_WALKED = 3
# A walk stops after this number of steps without a tour: about ten seconds on a small board. On large boards a tour
# needs samples in proportion to a tenth of the squares, so a large multiple of this is allowed.
_PATIENCE_TURNS = 1 << 29
_PATIENCE_READINGS = 2  # per square
# Steps per square of the search for the first tour of a walk.
_START_STEPS = 500


def default_every(problem: Problem) -> int:
    """Return the default number of steps between samples: measured on 5x5 to 8x8, extrapolated on larger boards."""
    count = square_count(problem.board)
    return max(40, 5 * count // 8, 128 - 4 * max(0, count - 36))


class Backbite:
    """The walk on a board with an additional square adjacent to all others, or a move between the given ends."""

    def __init__(self, problem: Problem, first: np.ndarray, *, every: int | None = None, burn_in: int | None = None):
        self.problem, self.first = problem, first
        count = square_count(problem.board)
        self.every = default_every(problem) if every is None else every
        self.burn_in = 100 * count + 10 * self.every if burn_in is None else burn_in
        self.parameters = {"every": self.every, "burn_in": self.burn_in}
        squares = squares_of(problem)
        self.place = squares.place
        start, end = (-1 if s is None else int(squares.place[s]) for s in (start_index(problem), end_index(problem)))
        self.head, self.skips, self.kept, self.towards = -1, False, (-1, -1), -1
        self.direction = RANDOM_WAY
        offsets, near, images = squares.offsets, squares.near, squares.images
        if not problem.closed:
            both = start >= 0 and end >= 0 and count > 1
            self.head = start if both else count
            self.skips = not both
            if both:
                self.kept = (start, end)
                self.direction, self.towards = LAST_IS, end
                if end not in near[offsets[start] : offsets[start + 1]]:
                    offsets, near = _with_move(offsets, near, start, end)
            else:
                if max(start, end) >= 0:
                    self.towards = max(start, end)
                    self.kept = (count, self.towards)
                    self.direction = FIRST_IS if start >= 0 else LAST_IS
                ends = squares.place[_possible_ends(problem)]
                near = np.append(np.insert(near, offsets[ends + 1], count), ends)
                degrees = np.diff(offsets)
                degrees[ends] += 1
                offsets = np.concatenate([[0], np.cumsum(degrees), [len(near)]])
                images = np.append(images, np.zeros((len(images), 1), dtype=images.dtype), axis=1)
        self.lowest = least_weight(offsets, near, *self.kept)
        self.offsets, self.near, self.images = (
            offsets.astype(np.uint32),
            near.astype(np.uint32),
            images.astype(np.int32),
        )

    def _state(self, seed: int, out: np.ndarray) -> State:
        walks = _WALKS if self.images.shape[1] <= 1 << 12 else 1
        lines = [self._start_line(seed + w) for w in range(walks)]
        count = len(lines[0])
        c = np.zeros(COUNTERS, dtype=np.int64)
        c[RANDOM] = random_state(seed)
        c[COUNT] = count
        c[KEPT_S], c[KEPT_T] = self.kept
        c[HEAD], c[SKIPS], c[DIRECTION], c[TOWARDS] = self.head, self.skips, self.direction, self.towards
        start = start_index(self.problem)
        c[START] = -1 if not self.problem.closed or start is None else start
        c[EVERY], c[LEFT], c[LOWEST] = self.every, self.burn_in, self.lowest
        pos_kind = np.uint8 if count <= 1 << 8 else np.uint16 if count <= 1 << 16 else np.uint32
        pos = np.zeros((walks, -(-count // 64) * 64), dtype=pos_kind)
        link, other = np.zeros((2, walks, count), dtype=np.uint32)
        for w, line in enumerate(lines):
            pos[w, line] = np.arange(count)
            link[w, line] = np.roll(line, 1)
            other[w, line] = np.roll(line, -1)
            link[w, line[0]] = line[1 % count]
        return State(
            counters=c,
            offsets=self.offsets,
            near=self.near,
            pos=pos,
            link=link,
            other=other,
            ends=np.array([(line[0], line[-1]) for line in lines], dtype=np.uint32),
            line=np.zeros(count, dtype=np.uint32),
            images=self.images,
            out=out,
        )

    def _start_line(self, seed: int) -> np.ndarray:
        """Return a first tour with the kept move inside."""
        line = self.place[self._start_tour(seed)]
        if self.skips:
            line = np.append(line, len(line))
            # The kept move is between the additional square, which is last, and the given end.
            if self.direction == FIRST_IS:
                line = np.roll(line, 1)
        return np.roll(line, len(line) // 2) if self.kept != (-1, -1) else line

    def _start_tour(self, seed: int) -> np.ndarray:
        """Return a first tour, between given ends if there are two."""
        problem = self.problem
        question = Problem(problem.board) if problem.closed else problem
        budget = Budget(Limits(seconds=None, nodes=_START_STEPS * square_count(problem.board) + 1000))
        state = rotation.start_state(question, seed)
        if slices.drive("rotation_step", state, budget) != slices.FOUND:
            return self.first
        return rotation.path_of(question, state)

    def __call__(self, seed: int, count: int, stop: Stop) -> Block:
        if square_count(self.problem.board) < _FEWEST_WALKED:
            return self._trivial_block(seed, count)
        squares = square_count(self.problem.board)
        out = np.empty((count, squares), dtype=order_type(self.problem.board))
        state = self._state(seed, out)
        walk, c = kernel_function("backbite_walk").bind(state), state.counters
        turns_at_once = max(1, SLICE // (squares + 64))
        between = max(self.every, default_every(self.problem))
        patience = max(min(_PATIENCE_TURNS, PATIENCE_SQUARES // squares), _PATIENCE_READINGS * squares * between)
        patience += self.burn_in
        made, since = 0, 0
        while c[MADE] < count:
            stop.check()
            walk(turns_at_once)
            if c[MADE] > made:
                made, since = int(c[MADE]), int(c[TURNS])
            elif c[TURNS] - since > patience:
                raise gave_up_error(self.problem, f"no tour in {patience:,} steps", seed, int(c[TURNS]))
        return Block(out, int(c[READINGS]) - count, int(c[TURNS]))

    def _trivial_block(self, seed: int, count: int) -> Block:
        """Return tours of one or two squares."""
        out = np.tile(self.first.astype(order_type(self.problem.board)), (count, 1))
        if self.problem.start is None and self.problem.end is None:
            flipped = np.random.default_rng(seed).integers(2, size=count) == 1
            out[flipped] = out[flipped, ::-1]
        return Block(out, 0, 0)


def _possible_ends(problem: Problem) -> np.ndarray:
    """Return the possible ends of an open tour by colour, including given ends."""
    squares = move_graph(problem.board).squares
    colours = colour_classes(problem.board)
    if colours is None:
        return squares
    ones = squares[colours[squares] == 1]
    twos = squares[colours[squares] == 0]
    given = start_index(problem) if problem.start is not None else end_index(problem)
    if len(ones) != len(twos):
        return max(ones, twos, key=len)
    if given is None:
        return squares
    return np.sort(np.append(twos if colours[given] == 1 else ones, given))


def _with_move(offsets: np.ndarray, near: np.ndarray, s: int, t: int) -> tuple[np.ndarray, np.ndarray]:
    """Add a move between s and t."""
    near = np.insert(near, [offsets[s + 1], offsets[t + 1]], [t, s])
    offsets = offsets.copy()
    offsets[s + 1 :] += 1
    offsets[t + 1 :] += 1
    return offsets, near


def least_weight(offsets: np.ndarray, near: np.ndarray, s: int, t: int) -> int:
    """Return a lower bound for the weight of closed tours: the sum over moves of the product of degree - 1.

    The move s-t, if it exists, has weight 0. The bound is half the sum of the two lightest moves of each square. Prices
    of squares shift weight between moves before, which preserves the order of tours but improves the bound (Held and
    Karp 1970).
    """
    count = len(offsets) - 1
    degrees: np.ndarray = offsets[1:].astype(np.int64) - offsets[:-1].astype(np.int64)
    tails = repeat(np.arange(count), degrees)
    heads = near.astype(np.int64)
    others = degrees - 1
    if count < 3 or others.min() < 1:
        return 0
    weight = (others[tails] * others[heads]).astype(float)
    is_kept = ((tails == s) & (heads == t)) | ((tails == t) & (heads == s))
    weight[is_kept] = 0
    firsts = offsets[:-1].astype(np.int64)
    price = np.zeros(count)
    best = 0.0
    rounds = 200 if len(heads) < 1 << 14 else 20
    for k in range(rounds):
        check_deadline()
        reduced = weight - price[tails] - price[heads]
        reduced[is_kept] = -1e12
        ranks = np.lexsort((reduced, tails))
        chosen = np.concatenate([ranks[firsts], ranks[firsts + 1]])
        used = np.where(is_kept[chosen], weight[chosen] - price[tails[chosen]] - price[heads[chosen]], reduced[chosen])
        best = max(best, float(2 * price.sum() + used.sum() / 2))
        # Excess or deficit of chosen moves of each square.
        taken = bincount(heads[chosen], minlength=count) - 2
        if not taken.any():
            break
        price -= taken * (2.0 / (1 + k / 10))
    return max(0, int(best * (1 - 1e-9) - 1e-6))
