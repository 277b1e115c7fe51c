"""Create certificates; each is checked before it is returned."""

from __future__ import annotations

from collections.abc import Callable
from typing import Unpack

import numpy as np

from knightstour.core.formats.boards import board_to_dict
from knightstour.core.model.board import Square, move_graph, square_count
from knightstour.core.model.budget import Budget, Limits, limits_of
from knightstour.core.model.condition_table import (
    CONDITIONS,
    IMAGES,
    MOVES,
    PARTIAL,
    STEPS,
    Conditions,
)
from knightstour.core.model.errors import ProblemError, check_own_answer
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import (
    Problem,
    Question,
    check_supported,
    condition_values,
    end_index,
    is_numbered,
    plural_of,
    problem_for,
    start_index,
)
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Result, Status, proved_objective
from knightstour.core.model.tour import Tour
from knightstour.core.model.unvisited import order_on
from knightstour.core.model.validation import flag
from knightstour.core.statistics.strokes import Strokes
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.certificates.certificate import BY_CLAUSES, Certificate
from knightstour.lab.certificates.make_arguments import argument_for
from knightstour.lab.certificates.make_bounds import layers_for
from knightstour.lab.certificates.make_drat import has_solver, search_for
from knightstour.lab.certificates.record import FORMAT
from knightstour.lab.certificates.verify import Verdict, allowance_of, verify
from knightstour.lab.objectives.table import LONGEST, Objective, parse_objective

SOLVER_NEEDED = "it needs python-sat: pip install python-sat"
# Maximum number of squares for a list of the moves in a proof.
_MAX_SQUARES = 200_000
# If the exact search answered first on a board or graph with more squares than this, there are few states.
_FEW_SQUARES, _FEW_NODES = 64, 32
# Maximum number of squares of a tour, because of its checker.
_MAX_SQUARES_OF_TOUR = 2_000_000


def certificate_of(result: Result, limits: Limits | None = None, *, clauses: bool = False) -> Certificate:
    """Return the certificate of a result; see `Result.certificate`.

    limits: for finding the proof, by default 60 seconds of processor time. clauses: whether impossibility must be
    proved by clauses, for other checkers; raises ProblemError if no such proof is found.
    """
    problem = result.problem
    if result.status is Status.UNDECIDED:
        raise ProblemError("an undecided problem has no certificate", help="use a larger timeout or max_nodes")
    if result.tour is not None:
        objective = proved_objective(result)
        if objective and objective != str(LONGEST):
            return best_certificate(problem, result.tour, parse_objective(objective), limits)
        return tour_certificate(problem, result.tour)
    few = _FEW_SQUARES if isinstance(problem.board, GridBoard) else _FEW_NODES
    by_states = result.method == "exact" and square_count(problem.board) > few
    record = question_record(problem) | {"answer": "impossible", "reason": result.reason, "source": result.source}
    proof = _proof_of_none(problem, record, Budget(limits), by_states, clauses)
    if clauses and proof is None:
        raise ProblemError(
            f"no proof by {BY_CLAUSES} was found",
            help="omit --for drat, which requires one" if has_solver() else SOLVER_NEEDED,
        )
    return _check_own_certificate(
        Certificate(record | {"proof": proof or {"kind": "theorem", "source": result.source}})
    )


def tour_certificate(problem: Problem, tour: Tour) -> Certificate:
    if len(tour) > _MAX_SQUARES_OF_TOUR:
        raise ProblemError(
            f"certificates support tours of up to {_MAX_SQUARES_OF_TOUR:,} squares",
            help="write the tour to a file, and verify it with check",
        )
    proof = {"kind": "tour", "squares": order_on(problem.board, tour).tolist()}
    return _check_own_certificate(Certificate({**question_record(problem), "answer": "found", "proof": proof}))


def best_certificate(problem: Problem, tour: Tour, objective: Objective, limits: Limits | None = None) -> Certificate:
    """Return the certificate that no tour of a problem is better than this one.

    limits: as for certify_count. Raises ProblemError if better tours are not excluded within them, or the objective
    does not count moves.
    """
    check_objective(objective)
    wanted = objective
    statistic, graph = statistic_named(wanted.statistic), move_graph(problem.board)
    named: object = statistic.name
    if "=" in statistic.name:
        ends = np.sort(np.stack([graph.tails, graph.targets], axis=1))
        named = np.unique(ends[statistic.of(Strokes.of_moves(problem.board)) > 0], axis=0).tolist()
    record = question_record(problem) | {"answer": "best", "statistic": named, "most": wanted.sign < 0}
    record["value"] = wanted.of(tour, problem.closed)
    proof = layers_for(problem, record, allowance_of(limits))
    if proof is None:
        raise ProblemError(
            f"there are too many states to exclude better {plural_of(problem)}",
            help="use a larger max_nodes, or omit optimal to get a certificate of the tour",
        )
    return _check_own_certificate(Certificate({**record, "proof": proof | {"squares": tour.order.tolist()}}), limits)


def check_objective(objective: Objective) -> None:
    """Raise ProblemError if certificates of optimality do not support an objective."""
    if objective == LONGEST or statistic_named(objective.statistic).adds_up_over != "moves":
        raise ProblemError(
            f"there is no certificate for {objective}: the statistic is not a sum over moves",
            help="omit optimal to get a certificate of the tour",
        )


def certify_count(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    directed: bool = False,
    timeout: float | None = None,
    max_nodes: int | None = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> Certificate:
    """Return the number of tours with a proof, for boards up to about 6x6.

    The arguments are as for `count`, with the conditions partial, given, require and forbid; symmetry, visit_order and
    where are not supported. The check computes the states again, by the independent code of layers.py.

    Args:
        timeout, max_nodes: Limits for the count and its check; by default 30,000,000 steps of that code, about ten
            seconds. With a larger max_nodes, `verify` needs the same number.
        on_progress: Callback with a Progress after each layer.

    Raises:
        ProblemError: If a condition is not about moves.
        LimitReached: If there are too many states.

    >>> certificate = certify_count((5, 6), closed=True)
    >>> certificate.record["count"], verify(certificate).is_right
    ('8', True)
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    from knightstour.lab.counting.count import count_problem
    from knightstour.lab.counting.settings import CountSettings

    problem = problem_for(certify_count, board, closed, start, end, conditions)
    check_countable(problem)
    directed = flag(directed, "directed")
    # The layers come first, since their limit is reached in seconds and the count may take hours.
    proof = _count_proof(problem, directed, limits, on_progress)
    # The number to certify must be counted, not read from a table.
    tours = count_problem(problem, directed=directed, settings=CountSettings(limits)).tours
    return _check_own_certificate(Certificate({**_count_record(problem, tours, directed), "proof": proof}), limits)


def count_certificate(
    problem: Problem,
    tours: int,
    *,
    directed: bool = False,
    limits: Limits | None = None,
    on_progress: OnProgress | None = None,
) -> Certificate:
    """Return the certificate of a known number of tours; the arguments are as for certify_count."""
    check_countable(problem)
    proof = _count_proof(problem, directed, limits, on_progress)
    return _check_own_certificate(Certificate({**_count_record(problem, tours, directed), "proof": proof}), limits)


def _count_record(problem: Problem, tours: int, directed: bool) -> dict[str, object]:
    return question_record(problem) | {"answer": "count", "count": str(tours), "directed": directed}


def _count_proof(
    problem: Problem, directed: bool, limits: Limits | None, on_progress: OnProgress | None
) -> dict[str, object]:
    """Return the layers of a count; raise LimitReached if there are too many."""
    proof = layers_for(problem, _count_record(problem, 0, directed), allowance_of(limits), on_progress)
    if proof is None:
        if square_count(problem.board) < 2 + problem.closed:
            raise ProblemError("a count on one or two squares has no certificate", help="count the tours by hand")
        from knightstour.lab.counting.settings import CountProgress

        reason = f"there are too many states of the {plural_of(problem)} for a certificate"
        raise CountProgress(problem, method="certificate").limit_error(reason, help="use a larger max_nodes")
    return proof


def check_countable(problem: Problem) -> None:
    """Raise ProblemError if certificates do not support a count of these tours."""
    check_supported(problem, "the certificate of a count", MOVES, PARTIAL)


def question_record(problem: Problem) -> dict[str, object]:
    """Return the entries of a certificate that describe the problem; raise ProblemError for unsupported conditions."""
    check_supported(problem, "a certificate", MOVES, STEPS, IMAGES, PARTIAL)
    if problem.closed and problem.visit_order:
        raise ProblemError("certificates support visit_order for open tours only", help="omit visit_order")
    if problem.board.is_directed:
        help = "certificates support undirected edges only; use `check` for a tour along arcs"
        raise ProblemError("certificates do not support directed graphs", help=help)
    record: dict[str, object] = {"format": FORMAT, "board": board_to_dict(problem.board), "closed": problem.closed}
    for name, square in (("start", start_index(problem)), ("end", end_index(problem))):
        if square is not None:
            record[name] = square
    if problem.partial:
        record["partial"] = True
    for name, value in condition_values(problem):
        written = CONDITIONS[name].write(value, int)
        record[name] = [list(item) for item in written.items()] if isinstance(written, dict) else written
    return record


def _proof_of_none(
    problem: Problem, record: dict[str, object], budget: Budget, by_states: bool, clauses: bool
) -> dict[str, object] | None:
    """Return the first accepted proof. by_states: try states before a search."""
    if problem.board.rows * problem.board.cols > _MAX_SQUARES:
        return None
    makers: dict[str, Callable[[], dict[str, object] | None]] = {
        "argument": lambda: argument_for(problem, record),
        "symmetry": lambda: {"kind": "symmetry"},
        "search": lambda: search_for(record, budget),
        "layers": lambda: layers_for(problem, record, allowance_of(None)),
    }
    order = ["argument", "layers", "search"] if by_states else ["argument", "search", "layers"]
    if problem.partial:
        order = ["layers"]
    elif is_numbered(problem):
        # The other proofs ignore given numbers.
        order = ["argument"]
    elif problem.symmetry is not None:
        order = ["symmetry", "argument", "search"]
    for kind in [kind for kind in order if kind == BY_CLAUSES] if clauses else order:
        proof = makers[kind]()
        if proof is not None and verify({**record, "proof": proof}).is_right:
            return proof
    return None


def _check_own_certificate(certificate: Certificate, limits: Limits | None = None) -> Certificate:
    limits = limits or Limits()
    found = verify(certificate, timeout=limits.seconds, max_nodes=limits.nodes)
    check_own_answer(found.verdict is not Verdict.WRONG, f"the checker rejects the certificate: {found}")
    return certificate
