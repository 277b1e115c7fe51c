"""The method `auto`: construct the tour, prove that none exists, or search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from knightstour.core.constructions.explicit import explicit, why_not_explicit
from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.budget import Budget
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem, condition_names, is_numbered
from knightstour.core.model.result import Outcome, Status, undecided

_MAX_SQUARES_EXACT = 64
# Steps of rotation before a complete search of a small board.
_ROTATION_STEPS_PER_SQUARE = 200
# On larger boards these take turns, each with a number of steps per square in the first round, doubled in each round.
# `warnsdorff` is the fastest if it succeeds, and `rotation` is mostly the fastest otherwise. But `rotation` reverses
# ever longer parts of its path: it needs as long as `merge` for 500x500, and three times as long for 1000x1000.
_TURNS = (("warnsdorff", 2), ("rotation", 3), ("merge", 40))
_VERY_LARGE_TURNS = (("warnsdorff", 2), ("merge", 40), ("rotation", 3))
_VERY_LARGE = 500_000
# Number of searches of a larger board before longer arguments, which need a tenth of a second for 400 squares.
_SEARCHES_BEFORE_PROOF = 2
# Number of searches before an argument that needs a second for 100x100; fewer on boards with few moves, on which few
# searches find a tour.
_SEARCHES_BEFORE_LATE, _SEARCHES_WITH_FEW_MOVES = 6, 3
# Complete methods, with their states or conflicts in the first round, quadrupled in each round. They take turns, since
# either can be thousands of times faster.
_PROVERS = (("exact", 100_000), ("sat", 10_000))
# On larger boards they run after the first round of the others. The last number is the maximum number of squares. `sat`
# keeps its solver between rounds.
_LARGER_PROVERS = (("exact", 20_000, 128), ("sat", 1_000, 20_000))
# Above this number of squares, the clauses need more time than another round of the others.
_MAX_SQUARES_SOON, _ROUNDS_BEFORE = 2_500, 2
# If the squares have few moves, or many nodes of a graph do, paths can hardly be rotated, and `sat` mostly finishes
# within this number of conflicts. "Many" is one in four nodes with two moves, in a directed graph one in three.
_FIRST_CONFLICTS, _MORE_CONFLICTS = 300, 8_000
_PART_WITH_TWO = 0.25
# Boards with few moves per square have few tours, so the complete methods run before `merge`. A frontier up to this
# width is narrow: graphs of 2,000 squares need about 40 states per square.
_MAX_SPARSE_SQUARES = 20_000
_NARROW_SLOTS = 24
_STATES_PER_SQUARE = 50


def auto(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Construct a tour, prove by an argument that none exists, or search."""
    if problem.partial:
        from knightstour.core.search.some_squares import shortest

        return shortest(problem)
    if why_not_explicit(problem) is None:
        budget.tell_stage("explicit")
        return explicit(problem, budget, seed)
    from knightstour.core.proofs.arguments import is_argued_late, known_proof

    # Rotations find most tours of a small board before slower arguments are finished. A watched search is skipped if an
    # argument decides the problem.
    is_small = square_count(problem.board) <= _MAX_SQUARES_EXACT
    argues_later = is_small and not condition_names(problem) and budget.trace is None
    proof = known_proof(problem, at_once=argues_later or is_argued_late(problem))
    if proof is not None:
        return proof
    if is_numbered(problem):
        budget.tell_stage("clues")
        return replace(METHODS["clues"].run_on(problem, budget, seed), method="clues")
    if problem.symmetry is not None:
        from knightstour.core.search.conditioned import run_reduced

        return run_reduced(_searched_orbits, problem, budget, seed)
    return search_in_stages(problem, budget, seed, argues_later=argues_later)


def why_not_auto(problem: Problem) -> str | None:
    """Return the reason why the problem is not supported, or None."""
    return METHODS["clues"].why_not(problem) if is_numbered(problem) else None


def _searched_orbits(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Search the orbits of a board. On larger ones, the seeds vary, so that useless orbits are not found repeatedly."""
    return search_in_stages(problem, budget, seed, vary=square_count(problem.board) > _MAX_SQUARES_EXACT)


def search_in_stages(
    problem: Problem, budget: Budget, seed: int, *, vary: bool = False, argues_later: bool = False
) -> Outcome:
    """Search: a small board by rotations, then completely; a larger one by several methods in turn.

    After some failed searches, longer arguments that no tour exists are tried.

    Args:
        vary: Whether different seeds should give different tours.
        argues_later: Whether the first search runs before slow arguments.
    """
    from knightstour.core.proofs.arguments import late_proof, later_proof, thorough_proof
    from knightstour.core.search.sat import SatTurns

    searches = 0
    is_small = square_count(problem.board) <= _MAX_SQUARES_EXACT
    first_late = _SEARCHES_WITH_FEW_MOVES if _has_few_moves(problem) else _SEARCHES_BEFORE_LATE
    with SatTurns() as sat_turns:
        kept = {"sat": replace(METHODS["sat"], run=sat_turns.go_on)}
        for turn, (name, part) in enumerate(attempts(problem, budget, vary)):
            argue = {1 if is_small else _SEARCHES_BEFORE_PROOF: thorough_proof, first_late: late_proof}.get(turn)
            proof = None if argue is None else argue(problem)
            if proof is not None:
                return proof
            row = kept.get(name) or METHODS[name]
            budget.tell_stage(name)
            outcome = row.run_on(problem, part, seed + searches, **(row.varied if vary else {}))
            searches += not row.complete
            is_open = outcome.status is Status.UNDECIDED
            # An argument is easier to follow than a solver's result.
            proof = later_proof(problem) if turn == 0 and argues_later and is_open else None
            if turn == 0 and row.complete and outcome.status is Status.IMPOSSIBLE:
                proof = thorough_proof(problem)
            if proof is not None:
                return proof
            budget.spend(part.nodes)
            if not is_open:
                return replace(outcome, method=name)
            if budget.is_spent:
                break
    return undecided(budget.why_stopped())


def attempts(problem: Problem, budget: Budget, vary: bool) -> Iterator[tuple[str, Budget]]:
    """Yield the methods with their shares of the remaining budget."""
    squares = square_count(problem.board)
    if squares <= _MAX_SQUARES_EXACT:
        if not vary:
            yield "rotation", budget.part(nodes=_ROTATION_STEPS_PER_SQUARE * squares)
            yield from _provers(problem, budget)
        yield "rotation", budget.part()
        return
    order = _TURNS if squares < _VERY_LARGE else _VERY_LARGE_TURNS
    turns = [(name, steps * squares, 1) for name, steps in order if METHODS[name].why_unsupported(problem) is None]
    has_few_moves = _has_few_moves(problem)
    provers = [row for row in _larger_provers(problem, vary) if METHODS[row[0]].why_unsupported(problem) is None]
    is_late = has_few_moves and turns[-1][0] == "merge"
    turns = [*turns[:-1], *provers, turns[-1]] if is_late else [*turns, *provers]
    if has_few_moves and any(name == "sat" for name, _, _ in provers):
        yield "sat", budget.part(nodes=_FIRST_CONFLICTS)
    first_round = 0 if has_few_moves or squares <= _MAX_SQUARES_SOON else _ROUNDS_BEFORE
    for turn in itertools.count():
        for name, nodes, doublings in turns:
            if turn >= first_round or name in dict(order):
                yield name, budget.part(nodes=nodes << doublings * turn)


def _larger_provers(problem: Problem, vary: bool) -> list[tuple[str, int, int]]:
    """Return (method, nodes in the first round, doublings per round) of the complete methods for a large board.

    Args:
        vary: Whether different seeds should give different tours. Only `sat` supports this.
    """
    squares = square_count(problem.board)
    (exact, states, most_exact), (sat, conflicts, most_sat) = _LARGER_PROVERS
    has_few_moves = _has_few_moves(problem)
    conflicts = _MORE_CONFLICTS if has_few_moves else conflicts
    found = [(sat, conflicts, 2)] if squares <= most_sat and (has_few_moves or not vary) else []
    if vary:
        return found
    if has_few_moves and _is_sparse(problem):
        from knightstour.core.search.frontier.plan import make_plan

        is_narrow = make_plan(problem).slots <= _NARROW_SLOTS
        return ([(exact, states + _STATES_PER_SQUARE * squares, 2)] if is_narrow else []) + found
    return ([(exact, states, 2)] if squares <= most_exact else []) + found


def _has_few_moves(problem: Problem) -> bool:
    """Whether the squares have few moves on average, or many of them do, and complete methods are feasible."""
    board = problem.board
    if square_count(board) > _MAX_SPARSE_SQUARES:
        return False
    with_two = int((move_graph(board).degrees <= 2).sum())
    return _is_sparse(problem) or (isinstance(board, GraphBoard) and with_two >= _PART_WITH_TWO * square_count(board))


def _is_sparse(problem: Problem) -> bool:
    return len(move_graph(problem.board).targets) <= 4 * square_count(problem.board)


def _provers(problem: Problem, budget: Budget) -> Iterator[tuple[str, Budget]]:
    """Yield the complete methods of a small board in turn. `exact` alone leaves some time to another search."""
    provers = [(name, nodes) for name, nodes in _PROVERS if METHODS[name].why_unsupported(problem) is None]
    if len(provers) == 1:
        yield provers[0][0], budget.part(share=0.7)
        return
    for turn in itertools.count():
        for name, nodes in provers:
            yield name, budget.part(nodes=nodes << 2 * turn)
