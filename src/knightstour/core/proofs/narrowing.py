"""Narrowing: take out moves that no tour makes, by one argument after another, until one shows that there is no tour.

The arguments are about closed tours of the loop graph: forced moves (forced_moves.py), supply and demand (supply.py),
and sets of squares without which too many pieces are left (toughness.py). Each may speak only because of what another
has taken out. Together they exclude nearly all that has no tour on boards of a few hundred squares; that there is a
tour they never say.

Steps that the last one does not rest on are left out at the end. The others are for a reader (narrowing_words.py) and
for a certificate (docs/certificates.md), which other code checks.

Cost: about a millisecond for 64 squares, and what the trees of toughness.py take.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from types import MappingProxyType
from typing import NamedTuple

from knightstour.core.model.cycle_graph import LoopGraph, Near, loop_graph, pieces_without
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.forced_moves import Forced, forced_chain
from knightstour.core.proofs.supply import Balance, Weights, offered
from knightstour.core.proofs.toughness import tough_set

# Larger boards would take longer than a proof by hand is worth: before a search, when a short one has been in vain, and
# when a long one has.
MAX_SQUARES_QUICK, MAX_SQUARES, MAX_SQUARES_LATE = 1_000, 2_500, 20_000
# The same for boards with very many moves, each counted at both ends.
_MAX_MOVES = 500_000
# Moves looked at in all trees together, at any of these times; the last time there are no trees.
QUICK, THOROUGH, LATE = 2_000, 400_000, 0
# Before a search the moves that supply and demand leave out are looked for on boards of at most this many squares.
_MAX_SQUARES_SPENT = 400
_FEWEST_TREES, _MAX_TREES = 5, 150
# A certificate has a hundred steps at most.
_MAX_STEPS = 50
# Up to this many squares times steps, steps are left out.
_MAX_PRUNED = 20_000


class Step(NamedTuple):
    """A step of a proof about the loop graph.

    rule: the name that certificates have for it. removed: vertices, for "removal" and "tight". weights: for "weights"
    and "spent". A step "forced" takes all that is forced, and needs neither.
    """

    rule: str
    removed: frozenset[int] = frozenset()
    weights: Weights = MappingProxyType({})


class Effect(NamedTuple):
    """What follows from a step: a contradiction, or moves that no tour makes. forced: the chain of such a step."""

    is_contradiction: bool
    moves: list[tuple[int, int]]
    forced: Forced | None = None


def proof_steps(problem: Problem, looks: int = THOROUGH) -> tuple[LoopGraph, list[Step]] | None:
    """The graph of a question and the steps that prove that there is no tour; None where none are found.

    looks: how many moves the trees of toughness.py may look at.

    >>> _, steps = proof_steps(Problem.of((3, 8), closed=True))
    >>> [step.rule for step in steps]
    ['forced', 'removal']
    >>> proof_steps(Problem.of((3, 10), closed=True)) is None
    True
    """
    most = {QUICK: MAX_SQUARES_QUICK, LATE: MAX_SQUARES_LATE}.get(looks, MAX_SQUARES)
    if not 3 <= problem.board.square_count <= most:
        return None
    if problem.board.most_moves() > _MAX_MOVES:
        return None
    graph = loop_graph(problem)
    steps = _found(graph.copy().near, [Step("tight", inner) for inner in _inner_lines(graph)], looks)
    return None if steps is None else (graph, _needed(graph.near, steps))


def effect_of(near: Near, step: Step) -> Effect | None:
    """What follows from a step; None where the graph does not meet its condition."""
    if step.rule == "forced":
        forced = forced_chain([sorted(others) for others in near])
        return Effect(forced.is_contradiction, forced.left_out, forced)
    if step.rule in ("weights", "spent"):
        spare = offered(near, step.weights) - 2 * sum(step.weights.values())
        if step.rule == "weights":
            return Effect(True, []) if spare < 0 else None
        return Effect(False, negative_moves(near, step.weights)) if spare == 0 else None
    surplus = len(pieces_without(near, step.removed)) - max(1, len(step.removed))
    if step.rule == "removal":
        return Effect(True, []) if surplus > 0 else None
    inner = [(a, b) for a in step.removed for b in near[a] & step.removed if a < b]
    return Effect(False, inner) if surplus == 0 else None


def negative_moves(near: Near, weights: Weights) -> list[tuple[int, int]]:
    """The moves between squares whose weights have a negative sum."""
    return [
        (a, b)
        for a, weight in weights.items()
        for b in near[a]
        if weight + weights.get(b, 0) < 0 and (a < b or b not in weights)
    ]


def drop(near: Near, moves: list[tuple[int, int]]) -> None:
    """Take moves out of a graph."""
    for a, b in moves:
        near[a].discard(b)
        near[b].discard(a)


def _inner_lines(graph: LoopGraph) -> Iterator[frozenset[int]]:
    """The inner lines of a board of four: all by itself this set is an argument that many know."""
    board = graph.problem.board
    if isinstance(board, GridBoard) and 4 in (board.rows, board.cols):
        squares = [divmod(number, board.cols) for number in graph.numbers[: graph.square_count]]
        for is_line, length in ((0, board.rows), (1, board.cols)):
            if length == 4:
                yield frozenset(v for v, square in enumerate(squares) if square[is_line] in (1, 2))


def _found(near: Near, first: list[Step], looks: int) -> list[Step] | None:
    """Steps by turns until one is a contradiction, or nothing more can be taken out. The graph is changed.

    first: what is tried before all else.
    """
    steps: list[Step] = []
    while len(steps) < _MAX_STEPS:
        before = len(steps)
        for step in itertools.chain(first if not steps else (), _next_steps(near, looks)):
            check_deadline()
            effect = effect_of(near, step)
            if effect is None or not (effect.is_contradiction or effect.moves):
                continue
            steps.append(step)
            if effect.is_contradiction:
                return steps
            drop(near, effect.moves)
            if len(steps) == _MAX_STEPS:
                break
        if len(steps) == before:
            return None
    return None


def _next_steps(near: Near, looks: int) -> Iterator[Step]:
    """What may follow from the graph as it is when each is asked for."""
    yield Step("removal")
    yield Step("forced")
    yield Step("removal")
    balance = Balance(near)
    if balance.is_short:
        weights = balance.shortage()
        # A set of squares is easier to check, where it does.
        yield Step("removal", _negative(weights))
        yield Step("weights", weights=weights)
        return
    if looks <= QUICK and len(near) > _MAX_SQUARES_SPENT + 2:
        return
    is_spent = False
    for weights in balance.spent():
        is_spent = True
        yield Step("removal", _negative(weights))
        yield Step("tight", _negative(weights))
        yield Step("spent", weights=weights)
    trees = min(looks // max(1, sum(map(len, near)) // 2), _MAX_TREES)
    if not is_spent and trees >= _FEWEST_TREES:
        removed = frozenset(tough_set(near, trees) or ())
        yield Step("removal", removed)
        yield Step("tight", removed)


def _negative(weights: Weights) -> frozenset[int]:
    return frozenset(v for v, weight in weights.items() if weight < 0)


def _needed(near: Near, steps: list[Step]) -> list[Step]:
    """The steps without those that the last one does not rest on."""
    if len(near) * len(steps) > _MAX_PRUNED:
        return steps
    for k in range(len(steps) - 2, -1, -1):
        fewer = steps[:k] + steps[k + 1 :]
        if _is_proof([set(others) for others in near], fewer):
            steps = fewer
    return steps


def _is_proof(near: Near, steps: list[Step]) -> bool:
    """Whether the steps end in a contradiction. The graph is changed."""
    for step in steps:
        effect = effect_of(near, step)
        if effect is None:
            return False
        if effect.is_contradiction:
            return step is steps[-1]
        drop(near, effect.moves)
    return False
