"""The method `auto`: construct the tour, or prove that there is none, or search."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import replace

from knightstour.core.constructions.explicit import explicit, why_not_explicit
from knightstour.core.methods.table import METHODS
from knightstour.core.model.budget import Budget
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, Status, undecided

_MAX_SQUARES_EXACT = 64
# Steps of rotation before a complete search is tried on a small board: about 50 ms in plain Python.
_ROTATION_STEPS_A_SQUARE = 200
# On larger boards these take turns, each with this many steps a square at first and twice as many each time round.
# Where `warnsdorff` succeeds it is the quickest, and most boards that it fails on are quickest by `rotation`: five
# times on 100x100 with the leaper (2,3). But that turns ever longer parts of its path round: 500x500 takes as long as
# by `merge`, 1000x1000 three times as long.
_TURNS = (("warnsdorff", 2), ("rotation", 3), ("merge", 40))
_VERY_LARGE_TURNS = (("warnsdorff", 2), ("merge", 40), ("rotation", 3))
_VERY_LARGE = 500_000
# Searches of a larger board after which arguments are looked for that take longer: a tenth of a second, on 400 squares.
_SEARCHES_BEFORE_PROOF = 2
# The methods that can prove that there is no tour, with their states or conflicts in the first round and four times as
# many each time round. Either can be thousands of times quicker than the other, so they take turns.
_PROVERS = (("exact", 100_000), ("sat", 10_000))
# On larger boards they come after the first round of the others, which find nearly every tour that there is: up to so
# many squares each.
_LARGER_PROVERS = (("exact", 20_000, 128), ("sat", 1_000, 400))
# Graphs with few moves a square have few tours, which the others seldom meet: the provers come before `merge`. A
# frontier of at most this many slots is narrow: graphs of 2,000 squares take 40 states a square or so.
_MAX_SPARSE_SQUARES = 20_000
_NARROW_SLOTS = 24
_STATES_A_SQUARE = 50


def auto(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Construct it, or prove by an argument that there is none, or search."""
    if problem.leaves_squares:
        from knightstour.core.search.some_squares import shortest

        return shortest(problem)
    if why_not_explicit(problem) is None:
        budget.tell_stage("explicit")
        return explicit(problem, budget, seed)
    from knightstour.core.proofs.arguments import is_argued_late, known_proof

    # Rotations find most tours of a small board sooner than all but the shortest arguments say that there is none. Who
    # watches is shown no search where an argument is enough.
    argues_later = problem.board.square_count <= _MAX_SQUARES_EXACT and not problem.asked and budget.trace is None
    proof = known_proof(problem, at_once=argues_later or is_argued_late(problem))
    if proof is not None:
        return proof
    if problem.is_numbered:
        budget.tell_stage("clues")
        return replace(METHODS["clues"].ask(problem, budget, seed), method="clues")
    if problem.symmetry is not None:
        from knightstour.core.search.conditioned import answer

        return answer(_searched_orbits, problem, budget, seed)
    return searched(problem, budget, seed, argues_later=argues_later)


def why_not_auto(problem: Problem) -> str | None:
    """Why nobody can be asked this, or None where somebody can."""
    return METHODS["clues"].why_not(problem) if problem.is_numbered else None


def _searched_orbits(problem: Problem, budget: Budget, seed: int) -> Outcome:
    """Search the orbits of a board. On larger ones no tour that becomes none of the board is found again and again."""
    return searched(problem, budget, seed, vary=problem.board.square_count > _MAX_SQUARES_EXACT)


def searched(problem: Problem, budget: Budget, seed: int, *, vary: bool = False, argues_later: bool = False) -> Outcome:
    """Search: a small board by rotations, then completely; a larger one in several ways by turns.

    After a search or two in vain it is argued once more, at length, that there is none.
    vary: one tour of several is wanted, and not the same for all seeds. argues_later: the first search comes before
    arguments that take longer.
    """
    from knightstour.core.proofs.arguments import later_proof, thorough_proof

    searches = 0
    is_small = problem.board.square_count <= _MAX_SQUARES_EXACT
    for turn, (name, part) in enumerate(attempts(problem, budget, vary)):
        if turn == (1 if is_small else _SEARCHES_BEFORE_PROOF):
            proof = thorough_proof(problem)
            if proof is not None:
                return proof
        row = METHODS[name]
        budget.tell_stage(name)
        outcome = row.ask(problem, part, seed + searches, **(row.varied if vary else {}))
        searches += not row.complete
        if turn == 0 and argues_later and outcome.status is Status.UNDECIDED:
            # Where an argument says it, the rotations count for nothing.
            proof = later_proof(problem)
            if proof is not None:
                return proof
        budget.spend(part.nodes)
        if outcome.status is not Status.UNDECIDED:
            return replace(outcome, method=name)
        if budget.is_spent:
            break
    return undecided(budget.why_stopped())


def attempts(problem: Problem, budget: Budget, vary: bool) -> Iterator[tuple[str, Budget]]:
    """The methods to search by, each with its part of what is then left of the budget."""
    squares = problem.board.square_count
    if squares <= _MAX_SQUARES_EXACT:
        if not vary:
            yield "rotation", budget.part(nodes=_ROTATION_STEPS_A_SQUARE * squares)
            yield from _provers(problem, budget)
        yield "rotation", budget.part()
        return
    order = _TURNS if squares < _VERY_LARGE else _VERY_LARGE_TURNS
    turns = [(name, steps * squares, 1) for name, steps in order if METHODS[name].excuse(problem) is None]
    if not vary:
        provers = [row for row in _larger_provers(problem) if METHODS[row[0]].excuse(problem) is None]
        is_late = _is_sparse_graph(problem) and turns[-1][0] == "merge"
        turns = [*turns[:-1], *provers, turns[-1]] if is_late else [*turns, *provers]
    for turn in itertools.count():
        for name, nodes, doublings in turns:
            yield name, budget.part(nodes=nodes << doublings * turn)


def _larger_provers(problem: Problem) -> list[tuple[str, int, int]]:
    """(method, nodes in the first round, how often they are doubled each time round), for a board of many squares."""
    squares = problem.board.square_count
    if not _is_sparse_graph(problem):
        return [(name, nodes, 2) for name, nodes, most in _LARGER_PROVERS if squares <= most]
    from knightstour.core.search.frontier.plan import make_plan

    is_narrow = make_plan(problem).slots <= _NARROW_SLOTS
    (exact, states, _), (sat, conflicts, _) = _LARGER_PROVERS
    return [(exact, states + _STATES_A_SQUARE * squares, 2)] * is_narrow + [(sat, conflicts, 2)]


def _is_sparse_graph(problem: Problem) -> bool:
    """Whether the board is a graph of at most two moves a square, and not too large for a complete search."""
    board = problem.board
    if board.graph is None or board.square_count > _MAX_SPARSE_SQUARES:
        return False
    return sum(map(len, board.graph)) <= 4 * board.square_count


def _provers(problem: Problem, budget: Budget) -> Iterator[tuple[str, Budget]]:
    """The complete searches of a small board: by turns, for as long as there is time; `exact` alone without the others.

    Alone it leaves some time to a search that might have luck where it has no memory.
    """
    provers = [(name, nodes) for name, nodes in _PROVERS if METHODS[name].excuse(problem) is None]
    if len(provers) == 1:
        yield provers[0][0], budget.part(share=0.7)
        return
    for turn in itertools.count():
        for name, nodes in provers:
            yield name, budget.part(nodes=nodes << 2 * turn)
