"""Counts of symmetric tours and of classes, and a table of both; each count uses a quotient of the board."""

from __future__ import annotations

from collections.abc import Iterable

from knightstour.core.machine.sharing import Workers
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, Question, check_supported, problem_of
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.validation import check_amount
from knightstour.lab.counting import plan, sums, symmetric
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.count import CountResult, count_task
from knightstour.lab.counting.settings import CountOptions, CountProgress, CountSettings, count_budget
from knightstour.lab.counting.ways import EACH, TABLE, Fit, Task, find_way


def by_quotient(fit: Fit, settings: CountSettings, watch: CountProgress) -> CountResult:
    """Count the tours with a symmetry, or the classes of all tours."""
    task = fit.task
    board, closed, symmetry = task.problem.board, task.problem.closed, task.symmetry
    assert symmetry is not None
    effort = _effort(fit, watch)
    if symmetry != EACH:
        tours = symmetric.count_symmetric(board, symmetry, closed=closed, effort=effort)
        return CountResult(tours, task.problem, symmetry=symmetry, method=fit.name, states=effort.states)
    total = count_task(task._replace(symmetry=None), settings, watch)._replace(up_to_symmetry=True)
    if not total.tours:
        return total
    classes = symmetric.count_classes(board, closed=closed, total=total.tours, effort=effort)
    return total._replace(tours=classes, states=total.states + effort.states)


class SymmetryTable(list[symmetric.SymmetryRow]):
    """Rows of a table of tours by symmetry; `problem` describes the tours."""

    def __init__(self, problem: Problem, rows: Iterable[symmetric.SymmetryRow]) -> None:
        super().__init__(rows)
        self.problem = problem

    @property
    def tours(self) -> int:
        """Total number of tours."""
        return sum(row.tours for row in self)

    def to_dict(self) -> dict[str, object]:
        """Return problem and rows as JSON-serialisable data; numbers are text, since they can have any length."""
        rows = [{"symmetry": row.symmetry, "tours": str(row.tours), "classes": str(row.classes)} for row in self]
        return {**self.problem.to_dict(), "count": str(self.tours), "table": rows}

    def lines(self) -> list[str]:
        """Return the rows in columns, with their totals."""
        cells = [("symmetry", "tours", "classes"), *((r.symmetry, f"{r.tours:,}", f"{r.classes:,}") for r in self)]
        cells.append(("all", f"{self.tours:,}", f"{sum(row.classes for row in self):,}"))
        widths = [max(len(line[k]) for line in cells) for k in range(3)]
        return [f"{name:<{widths[0]}}  {all:>{widths[1]}}  {kinds:>{widths[2]}}" for name, all, kinds in cells]

    def notes(self) -> list[str]:
        """Description of the counted tours."""
        return [kind_of(self.problem)]


def symmetry_table(
    board: Question,
    *,
    closed: bool = False,
    timeout: float | None = None,
    max_nodes: int | None = None,
    memory: int | str | None = None,
    workers: Workers = None,
    on_progress: OnProgress | None = None,
) -> SymmetryTable:
    """Count the tours and classes of a board by their exact symmetries.

    board, closed, timeout, max_nodes, memory, workers, on_progress: as for `count`; tours are undirected.

    Returns a row for each kind of symmetry that occurs. Each tour and each class belongs to exactly one row.
    Raises ProblemError for a wrapped board, a start or an end, and the errors of `count`.

    >>> for row in symmetry_table((6, 6), closed=True): print(*row)
    none 9784 1223
    180 68 17
    90 10 5
    """
    options: CountOptions = {"timeout": timeout, "max_nodes": max_nodes, "memory": memory, "workers": workers}
    options["on_progress"] = on_progress
    problem, settings = problem_of(board, closed=closed), CountSettings.of(options)
    check_supported(problem, "the table of symmetries")
    if (problem.start, problem.end) != (None, None):
        raise ProblemError("the table includes all undirected tours", help="omit the start and the end")
    check_amount(settings.threads, "workers")
    watch = CountProgress(problem, count_budget(settings.limits, settings.on_progress))
    with watch.keeping_deadline():
        symmetric.check_table(problem.board)
        fit = find_way(Task(problem, TABLE))
        plan.refuse(fit, watch.most_bytes)
    total, effort = count_task(Task(problem), settings, watch), _effort(fit, watch)
    rows = symmetric.symmetry_table(problem.board, closed=problem.closed, total=total.tours, effort=effort)
    return SymmetryTable(problem, rows)


def _effort(fit: Fit, watch: CountProgress) -> sums.Effort:
    return sums.Effort(watch, sum(sums.work_of(quotient) for quotient in fit.evidence.plans))
