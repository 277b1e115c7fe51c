"""Quotient of a board by a symmetry, the problems on it whose solutions are symmetric tours, and their lift.

The quotient has a vertex for each orbit (a square with its images under the symmetry). Two orbits are neighbours if a
move joins them. A tour that the symmetry shifts is a Hamiltonian cycle of the quotient, repeated as often as the order
of the symmetry. The lift succeeds if one round leads to an image that generates all images. Otherwise one of several
moves between two orbits is exchanged, or another cycle is searched. A tour that the symmetry mirrors is a path through
the quotient from one place on the mirror to the other, followed by its image; an open tour has one such place.

A place is a fixed square, or a move between a square and its image. For the possible actions of a symmetry see
core/proofs/symmetric.py.

A symmetric tour that contains a move contains its images too, so a condition on a move applies to all its images. A
forbidden move is removed from the quotient. A required move is required in the quotient, and if several moves join two
orbits the lift chooses the required one. An open tour begins at the image of its end, so its start determines the last
orbit of the path.

Source: the lift is from J. L. Gross and T. W. Tucker, Topological Graph Theory, 1987.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board, are_moves, move_graph
from knightstour.core.model.graph_board import board_of_edges
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem, end_index, replace_conditions, start_index
from knightstour.core.proofs.symmetric import Action


class Quotient(NamedTuple):
    """Orbits of an action.

    Attributes:
        images: int64; images[q, i] is the image of the first square of orbit q under the i-th power of the symmetry.
        graph: The adjacency of orbits.
        kept, crossed: The orbits of one square, and the orbits with a move between a square and its image.
        required: The pairs of orbits that required moves join, the lower first.
        required_moves, forbidden_moves: These moves with all their images, each as one number, see `_codes`; int64.
    """

    board: Board
    action: Action
    images: np.ndarray
    graph: Board
    kept: list[int]
    crossed: list[int]
    required: frozenset[tuple[int, int]]
    required_moves: np.ndarray
    forbidden_moves: np.ndarray

    def steps_between(self, ones: np.ndarray, others: np.ndarray) -> np.ndarray:
        """Return whether a move leads from the first square of orbit ones[i] to image s of the first square of
        others[i].

        The result is bool (i, s). Forbidden moves are excluded, and all moves except a required one.
        """
        firsts = self.images[ones, 0]
        fits = np.empty((len(ones), self.action.order), dtype=bool)
        pairs = np.array(sorted(self.required), dtype=np.int64).reshape(-1, 2)
        wide = len(self.images)
        is_required = np.isin(_codes(ones, others, wide), _codes(pairs[:, 0], pairs[:, 1], wide))
        size = self.board.rows * self.board.cols
        for s in range(self.action.order):
            there = self.images[others, s]
            fits[:, s] = are_moves(self.board, firsts, there)
            if len(self.required_moves) or len(self.forbidden_moves):
                codes = _codes(firsts, there, size)
                fits[:, s] &= ~np.isin(codes, self.forbidden_moves)
                fits[:, s] &= ~is_required | np.isin(codes, self.required_moves)
        return fits


class Question(NamedTuple):
    """A problem on a quotient: a cycle, or a path from one orbit, perhaps to another.

    is_arc: whether the path leads from one place on the mirror to the other, as in closed tours.
    """

    quotient: Quotient
    start: int | None = None
    end: int | None = None
    is_arc: bool = False

    @property
    def problem(self) -> Problem:
        """Return the problem on the quotient."""
        start, end = (None if orbit is None else (0, orbit) for orbit in (self.start, self.end))
        quotient = self.quotient
        problem = Problem(quotient.graph, closed=quotient.action.is_shift, start=start, end=end)
        return replace_conditions(problem, require=quotient.required)

    def all_lifts(self, order: np.ndarray) -> Iterator[np.ndarray]:
        """Yield all tours of the board for a tour of the quotient: one for each choice of moves between two orbits."""
        choices = [np.flatnonzero(row) for row in self.choices(order[None])[0]]
        for steps in itertools.product(*(choice.tolist() for choice in choices)):
            lifted = self.lift_by(order[None], np.array(steps, dtype=np.int64)[None])
            yield from lifted

    def choices(self, orders: np.ndarray) -> np.ndarray:
        """Return whether step k of tour i of the quotient may lead to image s: bool (i, k, s). From a fixed square a
        move and its image give the same tour, so one of them suffices."""
        others = np.roll(orders, -1, axis=1) if self.quotient.action.is_shift else orders[:, 1:]
        ones = orders[:, : others.shape[1]]
        fits = self.quotient.steps_between(ones.ravel(), others.ravel())
        if self.quotient.kept:
            is_single = np.isin(ones.ravel(), self.quotient.kept) | np.isin(others.ravel(), self.quotient.kept)
            fits[is_single] &= np.cumsum(fits[is_single], axis=1) == 1
        return fits.reshape(*others.shape, -1)

    def lift_by(self, orders: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """Return the lifts of tours of the quotient by these steps; failed lifts are omitted."""
        if not self.quotient.action.is_shift:
            return _paths_by(self.quotient, orders, steps, self.is_arc)
        order = self.quotient.action.order
        is_tour = np.gcd(steps.sum(axis=1), order) == 1
        return _cycles_by(self.quotient, orders[is_tour], steps[is_tour])

    def lift(self, order: np.ndarray) -> np.ndarray | None:
        """Return the lift of a tour of the quotient, or None."""
        fits = self.choices(order[None])[0]
        steps = fits.argmax(axis=1)
        if self.quotient.action.is_shift and math.gcd(int(steps.sum()), self.quotient.action.order) != 1:
            exchanged = exchanged_steps(fits, self.quotient.action.order)
            if exchanged is None:
                return None
            steps = exchanged
        return self.lift_by(order[None], steps[None])[0]


# ---------------------------------------------------------------- the quotient


def quotient_of(problem: Problem, action: Action) -> Quotient:
    """Return the orbits of a board under an action, joined by the allowed moves.

    >>> from knightstour.core.proofs.symmetric import actions
    >>> problem = Problem((6, 6), closed=True, symmetry="180")
    >>> made = quotient_of(problem, actions(problem)[0][0])
    >>> made.images.shape, made.images[0].tolist(), len(made.graph), made.crossed
    ((18, 2), [0, 35], 18, [])
    """
    board = problem.board
    moves = move_graph(board)
    squares, image = moves.squares, action.image
    powers = [np.arange(len(image))]
    for _ in range(action.order - 1):
        powers.append(image[powers[-1]])
    images, orbit = orbits_under(squares, np.stack(powers))
    firsts = images[:, 0]
    size = len(image)
    required, forbidden = (_with_images(pairs, action) for pairs in (problem.require, problem.forbid))
    forbidden_moves = _codes(forbidden[:, 0], forbidden[:, 1], size)
    is_first = np.zeros(size, dtype=bool)
    is_first[firsts] = True
    is_edge = repeat(is_first, moves.degrees)
    crossings = _codes(firsts, image[firsts], size)
    is_kept = image[firsts] == firsts
    is_crossed = are_moves(board, firsts, image[firsts]) & ~is_kept
    if len(forbidden):
        is_edge &= ~np.isin(_codes(moves.tails, moves.targets, size), forbidden_moves)
        is_crossed &= ~np.isin(crossings, forbidden_moves)
    edges = np.stack([orbit[moves.tails[is_edge]], orbit[moves.targets[is_edge]]], axis=1)
    return Quotient(
        board,
        action,
        images,
        board_of_edges(range(len(firsts)), edges),
        np.flatnonzero(is_kept).tolist(),
        np.flatnonzero(is_crossed).tolist(),
        frozenset((min(a, b), max(a, b)) for a, b in orbit[required].tolist()),
        _codes(required[:, 0], required[:, 1], size),
        forbidden_moves,
    )


def orbits_under(squares: np.ndarray, group: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the orbits of squares, and the orbit of each square: int64 (orbits, symmetries) and int64 (size,).

    The first array contains the images of the lowest square of each orbit, sorted by it.

    Args:
        group: int64 (symmetries, size), the images of all squares under a group of symmetries, the identity first.

    >>> images, orbit = orbits_under(np.arange(4), np.array([[0, 1, 2, 3], [3, 2, 1, 0]]))
    >>> images.tolist(), orbit.tolist()
    ([[0, 3], [1, 2]], [0, 1, 1, 0])
    """
    lowest = group.min(axis=0)
    firsts = squares[lowest[squares] == squares]
    orbit = np.full(len(lowest), -1, dtype=np.int64)
    orbit[firsts] = np.arange(len(firsts))
    return np.ascontiguousarray(group[:, firsts].T), orbit[lowest]


def questions_of(problem: Problem, action: Action) -> Iterator[Question]:
    """Yield the problems on the quotient of an action; each tour of the board is the lift of a solution of exactly one.

    Yields nothing if required moves and their images cannot be in one tour, or if the ends are impossible.
    """
    quotient = quotient_of(problem, action)
    passed = {a for a, b in quotient.required if a == b}
    quotient = quotient._replace(required=frozenset(pair for pair in quotient.required if pair[0] != pair[1]))
    if not _has_room(quotient):
        return
    kept, crossed = quotient.kept, quotient.crossed
    if action.is_shift:
        if not passed:
            yield Question(quotient)
        return
    if not passed <= set(crossed):
        return
    if not problem.closed:
        ends = [s for s in (start_index(problem), end_index(problem)) if s is not None]
        last = None if not ends else int(np.flatnonzero((quotient.images == ends[0]).any(axis=1))[0])
        for orbit in kept or crossed:
            if passed <= {orbit} and orbit != last:
                yield Question(quotient, orbit, last)
        return
    if len(kept) == 2:
        places = [(kept[0], kept[1])]
    elif kept:
        places = [(kept[0], orbit) for orbit in crossed]
    else:
        places = list(itertools.combinations(crossed, 2))
    yield from (Question(quotient, one, other, is_arc=True) for one, other in places if passed <= {one, other})


def _has_room(quotient: Quotient) -> bool:
    """Return whether the required moves between two orbits are images of each other."""
    pairs = np.array(sorted(quotient.required), dtype=np.int64).reshape(-1, 2)
    fits = quotient.steps_between(pairs[:, 0], pairs[:, 1])
    is_kept = np.isin(pairs, quotient.kept).any(axis=1)
    return bool((fits.any(axis=1) & ((fits.sum(axis=1) == 1) | is_kept)).all())


def _with_images(pairs: Iterable[tuple[int, int]], action: Action) -> np.ndarray:
    moves = np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)
    found = [moves]
    for _ in range(action.order - 1):
        found.append(action.image[found[-1]])
    return np.concatenate(found)


def _codes(ones: np.ndarray, others: np.ndarray, count: int) -> np.ndarray:
    """Return a number for each unordered pair."""
    return np.minimum(ones, others) * count + np.maximum(ones, others)


# ---------------------------------------------------------------- lifting


def _cycles_by(quotient: Quotient, cycles: np.ndarray, steps: np.ndarray) -> np.ndarray:
    """Return the closed tours that repeat the steps `order` times."""
    order = quotient.action.order
    once = steps.sum(axis=1, keepdims=True) % order
    reached = np.cumsum(steps, axis=1) - steps
    laps = [quotient.images[cycles, (reached + lap * once) % order] for lap in range(order)]
    return np.concatenate(laps, axis=1)


def exchanged_steps(fits: np.ndarray, order: int) -> np.ndarray | None:
    """Return possible steps between the orbits of a cycle whose sum is coprime to the order, or None."""
    steps = fits.argmax(axis=1)
    total = int(steps.sum())
    several = np.flatnonzero(fits.sum(axis=1) > 1)
    for at in several.tolist():
        for step in np.flatnonzero(fits[at]).tolist():
            if math.gcd(total - int(steps[at]) + step, order) == 1:
                steps[at] = step
                return steps
    # If one exchange is not enough, several may be: compute how to reach each sum of the first steps.
    fixed = total - int(steps[several].sum())
    ways: list[dict[int, int]] = [{fixed % order: 0}]
    for at in several.tolist():
        choices = np.flatnonzero(fits[at]).tolist()
        ways.append({(before + step) % order: step for before in ways[-1] for step in choices})
    last = next((total for total in ways[-1] if math.gcd(total, order) == 1), None)
    if last is None:
        return None
    for at, known in zip(several.tolist()[::-1], ways[:0:-1], strict=True):
        steps[at] = known[last]
        last = (last - known[last]) % order
    return steps


def _paths_by(quotient: Quotient, paths: np.ndarray, steps: np.ndarray, is_arc: bool) -> np.ndarray:
    """Return the tours that consist of a path and its reversed image."""
    reached = np.concatenate([np.zeros((len(steps), 1), dtype=np.int64), np.cumsum(steps, axis=1)], axis=1)
    halves = quotient.images[paths, reached % 2]
    images = quotient.images[paths, (reached + 1) % 2]
    if len(paths) and halves[0, 0] == images[0, 0]:
        images = images[:, 1:]
    if len(paths) and is_arc and halves[0, -1] == images[0, -1]:
        images = images[:, :-1]
    return np.concatenate([images[:, ::-1], halves], axis=1)
