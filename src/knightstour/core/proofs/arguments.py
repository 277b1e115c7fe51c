"""Short proofs that no tour exists, each of which can be checked by hand on any board.

connectivity: all squares must be connected. degree: a square with a single move can only be an end. colour: if all
moves change colour, a tour alternates. removal: a part connected by one square contains an end. forced: see
forced_moves.py. narrowing: all arguments of narrowing.py in turn.

Each is a function of a Problem that returns (reason, source) or None. `ARGUMENTS` lists them, the easiest to check
first. Together they need less than a second for 200x200 squares. `thorough_proof` is for a problem that a short search
has not decided.

Sources: folklore; blocks after J. Hopcroft and R. Tarjan, 1973.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from knightstour.core.model.board import most_moves, move_graph, square_count
from knightstour.core.model.condition_table import CONDITIONS
from knightstour.core.model.deadline import check_deadline
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import (
    Problem,
    checked_conditions,
    condition_names,
    condition_values,
    replace_conditions,
    without_checked,
    without_conditions,
)
from knightstour.core.model.reduced import reduce_problem
from knightstour.core.model.result import Outcome, Status, impossible
from knightstour.core.proofs import theorems
from knightstour.core.proofs.conditions import unmet
from knightstour.core.proofs.facts import blocks, colour_classes, components, given_ends, name, names
from knightstour.core.proofs.forced_moves import prove_by_forced_moves
from knightstour.core.proofs.narrowing_words import late_narrowing, narrowing, thorough_narrowing

Argument = Callable[[Problem], "tuple[str, str] | None"]

# Larger boards have no argument: their moves take too long to list.
MAX_SQUARES = 200_000
# Limit for pieces with very many leaps and for dense graphs; a move counts at both of its ends.
_MAX_MOVES = 8_000_000
# On larger boards a search precedes the slow arguments.
_MAX_SQUARES_AT_ONCE = 2_500


def known_proof(problem: Problem, *, at_once: bool = False) -> Outcome | None:
    """Return IMPOSSIBLE by a theorem of theorems.py, or else by an argument; None if neither applies.

    The outcome's method is "theorem" or "argument".

    Args:
        at_once: Whether to skip the arguments of `later_proof`, which are slower than a search that finds a tour.

    >>> outcome = known_proof(Problem((4, 8), closed=True))
    >>> outcome.method, outcome.source
    ('theorem', 'Schwenk 1991; Cull & De Curtins 1978')
    """
    if problem.partial:
        return _proof_of_listed(problem)
    if checked_conditions(problem):
        return known_proof(without_checked(problem), at_once=at_once) or _proof_of_listed(problem)
    if condition_names(problem):
        return _proof_under_conditions(problem, at_once)
    board = problem.board
    theorem = theorems.rectangle_proof(problem) if is_rectangle(board) else None
    theorem = theorem or theorems.surface_proof(problem) or theorems.box_proof(problem) or theorems.leaper_proof(board)
    if theorem is not None:
        return Outcome(Status.IMPOSSIBLE, None, *theorem, method="theorem")
    return _try_arguments(problem, AT_ONCE if at_once else ARGUMENTS)


def _proof_of_listed(problem: Problem) -> Outcome | None:
    """Return IMPOSSIBLE if a condition that is checked by listing cannot be met."""
    proofs = (
        CONDITIONS[name].why_impossible(problem, value)
        for name, value in condition_values(problem)
        if name in checked_conditions(problem)
    )
    proof = next((proof for proof in proofs if proof is not None), None)
    return None if proof is None else Outcome(Status.IMPOSSIBLE, None, *proof, method="argument")


def later_proof(problem: Problem) -> Outcome | None:
    """Return IMPOSSIBLE by an argument that `known_proof` skips with at_once, else None."""
    return _try_arguments(problem, _left_out())


def _left_out() -> tuple[Argument, ...]:
    return tuple(argument for argument in ARGUMENTS if argument not in AT_ONCE)


def _try_arguments(problem: Problem, tried: tuple[Argument, ...]) -> Outcome | None:
    board = problem.board
    is_settled = is_rectangle(board) and (problem.closed or theorems.are_pairs_settled(board.rows, board.cols))
    if is_settled or theorems.has_box_theorem(problem):
        # The theorems exclude all boards without a tour, so arguments cannot succeed.
        return None
    argued = why_none(problem, tried)
    return None if argued is None else replace(argued, method="argument")


def _proof_under_conditions(problem: Problem, at_once: bool) -> Outcome | None:
    """Try proofs without the conditions, of the conditions, and of the reduced graph."""
    proof = known_proof(without_conditions(problem), at_once=at_once)
    if proof is not None:
        return proof
    reason = unmet(problem)
    if reason is not None:
        return Outcome(Status.IMPOSSIBLE, None, *reason, method="argument")
    graph, words = _reduced_problem(problem)
    argued = None if graph is None else why_none(graph, AT_ONCE if at_once else ARGUMENTS)
    return None if argued is None else replace(argued, reason=words + argued.reason, method="argument")


def _reduced_problem(problem: Problem) -> tuple[Problem | None, str]:
    """Return the problem on the graph reduced by required and forbidden moves, if any, and the changes as text."""
    if problem.symmetry is not None or problem.board.rows * problem.board.cols > MAX_SQUARES:
        return None, ""
    moves = replace_conditions(problem, given=(), visit_order=())
    changed = ["without the forbidden moves"] if moves.forbid else []
    changed += ["with each required move halved by a square"] if moves.require else []
    return (reduce_problem(moves).problem, " and ".join(changed) + ", ") if condition_names(moves) else (None, "")


def is_argued_late(problem: Problem) -> bool:
    """Whether some arguments take so long on this board that a search precedes them."""
    return problem.board.rows * problem.board.cols > _MAX_SQUARES_AT_ONCE


def why_none(problem: Problem, tried: tuple[Argument, ...] | None = None) -> Outcome | None:
    """Return IMPOSSIBLE by the first argument that applies, or None. tried: some of ARGUMENTS (default: all).

    >>> why_none(Problem((5, 5), closed=True)).reason
    'a closed tour alternates colours, but the board has 13 squares of one colour and 12 of the other'
    >>> why_none(Problem((8, 8), closed=True)) is None
    True
    """
    board = problem.board
    if problem.partial or board.rows * board.cols > MAX_SQUARES or most_moves(board) > _MAX_MOVES:
        return None
    for argument in ARGUMENTS if tried is None else tried:
        check_deadline()
        proof = argument(problem)
        if proof is not None:
            return impossible(*proof)
    return None


def thorough_proof(problem: Problem) -> Outcome | None:
    """Return IMPOSSIBLE by the arguments that `known_proof` skips, or by longer versions of its arguments, or None.

    It needs a tenth of a second for 400 squares, half a second for 200x200.
    """
    if problem.partial:
        return None
    if condition_names(problem):
        graph, words = _reduced_problem(problem)
        left = None if graph is None else thorough_proof(graph)
        return thorough_proof(without_conditions(problem)) or (left and replace(left, reason=words + left.reason))
    if is_argued_late(problem):
        argued = why_none(problem, _left_out())
    else:
        proof = thorough_narrowing(problem)
        argued = None if proof is None else impossible(*proof)
    return None if argued is None else replace(argued, method="argument")


def late_proof(problem: Problem) -> Outcome | None:
    """Return IMPOSSIBLE by supply and demand on a board where `is_argued_late`, or None.

    >>> late_proof(Problem((8, 8), closed=True)) is None
    True
    """
    if problem.partial or not is_argued_late(problem):
        return None
    graph, words = _reduced_problem(problem) if condition_names(problem) else (problem, "")
    argued = None if graph is None else why_none(graph, (late_narrowing,))
    return None if argued is None else replace(argued, reason=words + argued.reason, method="argument")


def connectivity(problem: Problem) -> tuple[str, str] | None:
    """Prove impossibility by parts of the board that no move connects.

    >>> connectivity(Problem((3, 3)))[0]
    'the squares fall into 2 parts with no move between them: none leads from a3 to b2'
    """
    labels = components(problem.board)
    count = int(labels.max()) + 1
    if count < 2:
        return None
    one, other = (name(problem.board, int(np.argmax(labels == part))) for part in (0, 1))
    return (
        f"the squares fall into {count} parts with no move between them: none leads from {one} to {other}",
        "parts without a move between them",
    )


def degree(problem: Problem) -> tuple[str, str] | None:
    """Prove impossibility by squares with fewer than two moves, which can only be ends.

    >>> degree(Problem((3, 4), closed=True)) is None
    True
    >>> degree(Problem((2, 5), closed=True))[0]
    'a closed tour takes two moves at every square, but a2 has only 1'
    """
    board = problem.board
    moves = move_graph(board)
    degrees = moves.degrees
    poor: list[int] = moves.squares[degrees[moves.squares] < 2].tolist()
    if not poor or (not problem.closed and square_count(board) == 1):
        return None
    source = "squares with a single move"
    if problem.closed:
        count = "only 1" if degrees[poor[0]] else "none"
        return f"a closed tour takes two moves at every square, but {name(board, poor[0])} has {count}", source
    ends = given_ends(problem)
    others = [s for s in poor if s not in ends]
    if len(others) <= 2 - len(ends):
        return None
    shown = names(board, others)
    if len(ends) == 2:
        verb = "has" if len(others) == 1 else "have"
        return f"{shown} {verb} a single move and so would be an end, but both ends are given", source
    if ends:
        return f"each of {shown} has a single move and so would be the end, and only one can be", source
    return f"each of {shown} has a single move and so would be an end, and a tour has two ends", source


def colour(problem: Problem) -> tuple[str, str] | None:
    """Prove impossibility by colours: if all moves change colour, a tour alternates colours.

    >>> colour(Problem((8, 8), start="a1", end="h8"))[0]
    'a tour of 64 squares that alternates colours ends on the other colour than it starts, but a1 and h8 have the same
    colour'
    """
    board = problem.board
    colours = colour_classes(board)
    if colours is None:
        return None
    sizes = [int((colours == 0).sum()), int((colours == 1).sum())]
    count = sum(sizes)
    more = max(sizes)
    less = min(sizes)
    tally = f"the board has {more} square{'s' if more > 1 else ''} of one colour and {less or 'none'} of the other"
    if problem.closed:
        return None if more == less else (f"a closed tour alternates colours, but {tally}", "colour argument")
    if more - less > 1:
        return f"a tour alternates colours, but {tally}", "colour argument"
    ends = given_ends(problem)
    if more > less:
        larger = sizes.index(more)
        for s in ends:
            if colours[s] != larger:
                return (
                    f"a tour that alternates colours has both ends on the colour of {more} squares, "
                    f"but {name(board, s)} has the colour of {less}",
                    "colour",
                )
    elif len(ends) == 2 and colours[ends[0]] == colours[ends[1]]:
        return (
            f"a tour of {count} squares that alternates colours ends on the other colour than it starts, "
            f"but {name(board, ends[0])} and {name(board, ends[1])} have the same colour",
            "colour",
        )
    return None


def removal(problem: Problem) -> tuple[str, str] | None:
    """Prove impossibility by parts attached to a single square: each is entered once, so it contains an end.

    >>> from knightstour.core.model.board import Board
    >>> removal(Problem(Board(3, 5, holes=["c3"]), closed=True))[0]
    'c1 alone leads to the part of e2, so a closed tour cannot go there and come back'
    """
    board = problem.board
    moves = move_graph(board)
    if square_count(board) < 3 or int(components(board).max()) > 0:
        return None
    near = moves.neighbour_lists()
    squares = moves.squares.tolist()
    parts = blocks(near, squares)
    if len(parts) == 1:
        return None
    blocks_of: dict[int, int] = {}
    for block in parts:
        for s in block:
            blocks_of[s] = blocks_of.get(s, 0) + 1
    ends = given_ends(problem)
    free_ends = 0 if problem.closed else 2 - len(ends)
    lonely = []
    for block in parts:
        cuts = [s for s in block if blocks_of[s] > 1]
        if len(cuts) == 1 and not any(s in ends for s in block if s != cuts[0]):
            lonely.append((cuts[0], next(s for s in block if s != cuts[0])))
    if len(lonely) <= free_ends:
        return None
    shown = lonely[: free_ends + 1]
    hangs = "; ".join(f"{name(board, cut)} alone leads to the part of {name(board, s)}" for cut, s in shown)
    if problem.closed:
        return f"{hangs}, so a closed tour cannot go there and come back", "removal of a square"
    if free_ends == 0:
        return f"{hangs}, so a tour would end there, but neither given end lies in it", "removal of a square"
    bound = "a tour has two ends" if free_ends == 2 else f"besides {name(board, ends[0])} a tour has only one end"
    return f"{hangs}; each of these {free_ends + 1} parts would hold an end, but {bound}", "removal of squares"


ARGUMENTS: tuple[Argument, ...] = (connectivity, degree, colour, removal, prove_by_forced_moves, narrowing)
AT_ONCE: tuple[Argument, ...] = (connectivity, degree, colour)
