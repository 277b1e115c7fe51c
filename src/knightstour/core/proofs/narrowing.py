"""Narrowing: exclude moves by one argument after another, until one proves that no tour exists.

The arguments apply to closed tours of the loop graph: forced moves (forced_moves.py), supply and demand (supply.py),
and sets of squares whose removal leaves too many pieces (toughness.py). Each may depend on exclusions by another.
Together they detect nearly all boards of a few hundred squares without a tour.

Finally the unused steps are removed. The rest is printed (narrowing_words.py) or written as a certificate

Cost: about a millisecond for 64 squares, plus the trees of toughness.py.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from types import MappingProxyType
from typing import NamedTuple

from knightstour.core.model.board import most_moves, square_count
from knightstour.core.model.cycle_graph import LoopGraph, Near, loop_graph, pieces_without
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.forced_moves import ForcedMoves, forced_chain
from knightstour.core.proofs.supply import Balance, Weights, total_offer
from knightstour.core.proofs.toughness import tough_set

# Maximum sizes: before a search, after a short failed search, and after a long failed search.
MAX_SQUARES_QUICK, MAX_SQUARES, MAX_SQUARES_LATE = 1_000, 2_500, 20_000
_MAX_MOVES = 500_000
# Limits on the moves examined in all trees together, at the same times.
QUICK, THOROUGH, LATE = 2_000, 400_000, 0
# Before a search, moves excluded by supply and demand are computed on boards up to this size.
_MAX_SQUARES_SPENT = 400
_FEWEST_TREES, _MAX_TREES = 5, 150
# A certificate has a hundred steps at most.
_MAX_STEPS = 50
# Maximum product of squares and steps for removing unused steps.
_MAX_PRUNED = 20_000


class Step(NamedTuple):
    """Step of a proof about the loop graph.

    Attributes:
        rule: Name of the rule in certificates.
        removed: Vertices, for "removal" and "tight".
        weights: For "weights" and "spent".
    """

    rule: str
    removed: frozenset[int] = frozenset()
    weights: Weights = MappingProxyType({})


class Effect(NamedTuple):
    """Consequence of a step: a contradiction, or excluded moves, and the chain of a step "forced"."""

    is_contradiction: bool
    moves: list[tuple[int, int]]
    forced: ForcedMoves | None = None


def proof_steps(problem: Problem, looks: int = THOROUGH) -> tuple[LoopGraph, list[Step]] | None:
    """Return the graph of a problem and the steps of a proof that no tour exists, or None.

    Args:
        looks: Limit on the moves that the trees of toughness.py examine.

    >>> _, steps = proof_steps(Problem((3, 8), closed=True))
    >>> [step.rule for step in steps]
    ['forced', 'removal']
    >>> proof_steps(Problem((3, 10), closed=True)) is None
    True
    """
    most = {QUICK: MAX_SQUARES_QUICK, LATE: MAX_SQUARES_LATE}.get(looks, MAX_SQUARES)
    if not 3 <= square_count(problem.board) <= most:
        return None
    if most_moves(problem.board) > _MAX_MOVES:
        return None
    graph = loop_graph(problem)
    steps = _search_steps(graph.copy().near, [Step("tight", inner) for inner in _inner_lines(graph)], looks)
    return None if steps is None else (graph, _needed_steps(graph.near, steps))


def effect_of(near: Near, step: Step) -> Effect | None:
    """Return the consequence of a step; None if the graph does not satisfy its condition."""
    if step.rule == "forced":
        forced = forced_chain([sorted(others) for others in near])
        return Effect(forced.is_contradiction, forced.left_out, forced)
    if step.rule in ("weights", "spent"):
        spare = total_offer(near, step.weights) - 2 * sum(step.weights.values())
        if step.rule == "weights":
            return Effect(True, []) if spare < 0 else None
        return Effect(False, negative_moves(near, step.weights)) if spare == 0 else None
    surplus = len(pieces_without(near, step.removed)) - max(1, len(step.removed))
    if step.rule == "removal":
        return Effect(True, []) if surplus > 0 else None
    inner = [(a, b) for a in step.removed for b in near[a] & step.removed if a < b]
    return Effect(False, inner) if surplus == 0 else None


def negative_moves(near: Near, weights: Weights) -> list[tuple[int, int]]:
    """Return the moves between squares whose weights have a negative sum."""
    return [
        (a, b)
        for a, weight in weights.items()
        for b in near[a]
        if weight + weights.get(b, 0) < 0 and (a < b or b not in weights)
    ]


def drop(near: Near, moves: list[tuple[int, int]]) -> None:
    """Remove moves from a graph."""
    for a, b in moves:
        near[a].discard(b)
        near[b].discard(a)


def _inner_lines(graph: LoopGraph) -> Iterator[frozenset[int]]:
    """Yield the inner lines of a board of four rows, which are a well-known argument."""
    board = graph.problem.board
    if isinstance(board, GridBoard) and 4 in (board.rows, board.cols):
        squares = [divmod(number, board.cols) for number in graph.numbers[: graph.square_count]]
        for is_line, length in ((0, board.rows), (1, board.cols)):
            if length == 4:
                yield frozenset(v for v, square in enumerate(squares) if square[is_line] in (1, 2))


def _search_steps(near: Near, first: list[Step], looks: int) -> list[Step] | None:
    """Return steps up to a contradiction, `first` first, or None. The graph is changed."""
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
    yield Step("removal")
    yield Step("forced")
    yield Step("removal")
    balance = Balance(near)
    if balance.is_short:
        weights = balance.shortage()
        # As a proof, a set of squares is easier to check than weights.
        yield Step("removal", _negative(weights))
        yield Step("weights", weights=weights)
        return
    if looks <= QUICK and len(near) > _MAX_SQUARES_SPENT + 2:
        return
    is_spent = False
    for weights in balance.exhausting_weights():
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


def _needed_steps(near: Near, steps: list[Step]) -> list[Step]:
    """Return the steps that the last one depends on."""
    if len(near) * len(steps) > _MAX_PRUNED:
        return steps
    for k in range(len(steps) - 2, -1, -1):
        fewer = steps[:k] + steps[k + 1 :]
        if _is_proof([set(others) for others in near], fewer):
            steps = fewer
    return steps


def _is_proof(near: Near, steps: list[Step]) -> bool:
    for step in steps:
        effect = effect_of(near, step)
        if effect is None:
            return False
        if effect.is_contradiction:
            return step is steps[-1]
        drop(near, effect.moves)
    return False
