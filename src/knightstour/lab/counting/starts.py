"""Counts of tours by start: one count for each class of squares that are equivalent under the symmetries.

Tours are directed here, since a tour and its reverse start on different squares. The numbers of all squares add up to
the number of directed tours, twice the number of undirected tours.

Cost: one count per symmetry class of squares, six for 6x6 and ten for 8x8.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Unpack

from knightstour.core.machine.sharing import Workers, threads_and_cluster
from knightstour.core.model.board import Square, move_graph, square_at, square_count
from knightstour.core.model.budget import limits_of
from knightstour.core.model.condition_table import MOVES, PARTIAL, Conditions
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import (
    Problem,
    Question,
    check_supported,
    condition_names,
    problem_for,
    replace_fields,
)
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.symmetry import Symmetry, symmetries
from knightstour.lab.counting.conventions import kind_of, on_squares
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.settings import CountProgress, CountSettings, count_budget


class StartCounts(dict[Square, int]):
    """Number of directed tours from each square, row by row; `problem` describes the tours."""

    def __init__(self, problem: Problem, counts: Mapping[Square, int]) -> None:
        super().__init__(counts)
        self.problem = problem

    def to_dict(self) -> dict[str, object]:
        """Return problem and result as JSON-serialisable data; numbers are text, since they can have any length.

        >>> StartCounts(Problem((1, 1)), {(0, 0): 1}).to_dict()["starts"]
        {'a1': '1'}
        """
        named = {self.problem.board.square_name(square): str(tours) for square, tours in self.items()}
        return {**self.problem.to_dict(), "directed": True, "count": str(sum(self.values())), "starts": named}

    def lines(self) -> list[str]:
        """Return the numbers on their squares."""
        return on_squares(self.problem.board, self)

    def notes(self) -> list[str]:
        """Return the total with its convention."""
        return [f"{sum(self.values()):,} {kind_of(self.problem, directed=True)}, by their starts"]


def start_counts(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
    **conditions: Unpack[Conditions],
) -> StartCounts:
    """Count the open tours that start at each square of a board, row by row.

    A tour and its reverse count as two, from different squares. With an `end`, all tours end there.

    Args:
        board, end, partial, require, forbid, timeout, max_nodes, memory, workers, on_progress: As for `count`; the
            limits apply to all squares together.

    Raises:
        ProblemError: For closed tours, a start, given, symmetry, visit_order or where.
        LimitReached: At a limit.

    >>> starts = start_counts((5, 5))
    >>> starts[0, 0], starts[0, 1], starts[2, 2], sum(starts.values())
    (304, 0, 64, 1728)
    """
    limits = limits_of(timeout, max_nodes=max_nodes, memory=memory)
    threads, cluster = threads_and_cluster(workers)
    problem = problem_for(start_counts, board, closed, start, end, conditions)
    settings = CountSettings(limits, threads, cluster, on_progress=on_progress)
    check_supported(problem, "a count from each square", MOVES, PARTIAL)
    if problem.closed:
        raise ProblemError(
            "closed tours have no fixed start: each square starts equally many",
            help="count them: count(board, closed=True, directed=True), or `count --closed --directed`",
        )
    if problem.start is not None:
        raise ProblemError("a count from each square cannot have a start", help="omit the start")
    return _count_all(problem, settings)


def _count_all(problem: Problem, settings: CountSettings) -> StartCounts:
    watch = CountProgress(problem, count_budget(settings.limits, settings.on_progress))
    board = problem.board
    turns: list[Symmetry] = []
    found: dict[Square, int] = {}
    with watch.keeping_deadline():
        squares = move_graph(board).squares
    for number in squares.tolist():
        square = square_at(board, number)
        if square in found:
            continue
        found[square] = (
            0 if square == problem.end and square_count(board) > 1 else _count_from(square, problem, settings, watch)
        )
        # A condition or an end breaks the symmetry. Giant boards have many symmetries, so these are computed only
        # after the first count was accepted.
        if problem.end is None and not condition_names(problem):
            turns = turns or list(symmetries(board))
            found |= {turn.takes(square): found[square] for turn in turns}
    return StartCounts(problem, {square: found[square] for square in board.squares})


def _count_from(square: Square, problem: Problem, settings: CountSettings, watch: CountProgress) -> int:
    watch.check()
    limits, spent = settings.limits, watch.budget
    if limits is not None:
        seconds = None if limits.seconds is None else limits.seconds - spent.seconds
        nodes = None if limits.nodes is None else limits.nodes - spent.nodes
        limits = replace(limits, seconds=seconds, nodes=nodes)
    try:
        made = count_problem(replace_fields(problem, start=square), settings=settings._replace(limits=limits))
    except LimitReached as limit:
        # Only the remaining limit was reached; report the limit of the whole call.
        spent.nodes += limit.result.nodes
        watch.check()
        raise
    spent.nodes += made.states
    return made.tours
