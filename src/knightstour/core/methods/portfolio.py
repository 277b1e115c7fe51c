"""The method `portfolio`: several methods, seeds and start squares run in parallel; the first result wins.

The result depends on timing, so the same seed may give another tour.
"""

from __future__ import annotations

from dataclasses import replace

from knightstour.core.machine import sharing
from knightstour.core.machine.calls import Call
from knightstour.core.machine.worker_pool import first_answer, processes
from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import Square, move_graph, square_at, square_count
from knightstour.core.model.budget import Budget, Limits, processor_seconds
from knightstour.core.model.cycle_graph import trivial
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, replace_fields
from knightstour.core.model.result import Outcome, Status, undecided

# Maximum number of squares for a complete search.
_MAX_SQUARES_EXACT = 100


def portfolio(problem: Problem, budget: Budget, seed: int, *, workers: int | None = None) -> Outcome:
    """Run the methods in processes (default: one per core) until one has a result."""
    if sharing.is_cluster(sharing.checked_workers(workers)):
        raise ProblemError(
            "method portfolio does not support clusters",
            help="use a number of processes, or method backtracking",
        )
    answer_at_once = trivial(problem)
    if answer_at_once is not None:
        return answer_at_once
    entries = _entries(problem)
    calls = [
        Call(run_entry, (name, _rotated_to(problem, start), budget.remaining_limits(least=0.01), seed + k))
        for k, (name, start) in enumerate(entries)
    ]
    most = processes(workers)

    def ends(value: tuple[Outcome, int, float]) -> bool:
        """Whether the value is a result, or the time is over."""
        budget.spend_elsewhere(value[2] / most)
        return value[0].status is not Status.UNDECIDED or budget.seconds_left <= 0

    answer = first_answer(calls, ends, workers=workers, seconds=budget.clock_left)
    if answer is None or answer[1][0].status is Status.UNDECIDED:
        reason = budget.why_stopped() if budget.is_spent else "none of the methods found an answer within its limits"
        return undecided(reason, entries=len(entries))
    k, (outcome, nodes, _) = answer
    budget.spend(nodes)
    counters = {**outcome.counters, "entries": len(entries)}
    return replace(outcome, counters=counters, method=f"portfolio: {entries[k][0]}")


def run_entry(name: str, problem: Problem, limits: Limits, seed: int) -> tuple[Outcome, int, float]:
    """Run one entry in a worker; return its outcome, nodes, and seconds of processor time."""
    before = processor_seconds()
    budget = Budget(limits)
    options = {"move_order": "warnsdorff", "prune": "all"} if name == "backtracking" else {}
    outcome = METHODS[name].run_on(problem, budget, seed, **options)
    return outcome, budget.nodes, processor_seconds() - before


def _entries(problem: Problem) -> list[tuple[str, Square | None]]:
    """Return (method, start square or None) in order of priority."""
    names = ["rotation", "backtracking", "warnsdorff"]
    if square_count(problem.board) <= _MAX_SQUARES_EXACT:
        names.insert(1, "exact")
    if METHODS["merge"].why_unsupported(problem) is None:
        names.append("merge")
    entries: list[tuple[str, Square | None]] = [(name, None) for name in names]
    if problem.start is None:
        # A closed tour may start anywhere, an open one from any possible start.
        squares = move_graph(problem.board).squares
        for k in (0, len(squares) // 3, 2 * len(squares) // 3):
            entries.append(("warnsdorff", square_at(problem.board, int(squares[k]))))
    return entries


def _rotated_to(problem: Problem, start: Square | None) -> Problem:
    if start is None or start == problem.end:
        return problem
    return replace_fields(problem, start=start)
