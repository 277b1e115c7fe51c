"""plan_count(): in which way a count would be made, and the states, memory and time that it takes, before it begins."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Unpack

from knightstour.core.model.budget import Limits
from knightstour.core.model.condition_table import MOVES, QuestionArguments
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.lazy import Plugin
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.question_arguments import takes_question
from knightstour.core.model.validation import flag
from knightstour.core.model.validation import path as given_path
from knightstour.lab.counting.refusals import CountPlan, plan_of
from knightstour.lab.counting.settings import Watch, count_budget
from knightstour.lab.counting.ways import EACH, Task, find_way, what_to_count

known_number = Plugin("known numbers").known_number


@takes_question
def plan_count(
    board: Question,
    *,
    up_to_symmetry: bool = False,
    limits: Limits | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    across: int | None = None,
    **question: Unpack[QuestionArguments],
) -> CountPlan:
    """What count_tours would do for these arguments, and what it would take, without counting.

    It takes about a second, and a few seconds for boards of many squares.

    question, up_to_symmetry: as for count_tours.
    limits: its bytes are the memory that may be used, by default most of what is free; its seconds are for planning.
    checkpoint: a directory for layers on disk.
    across: as for count_tours.

    Raises BoardError and ProblemError for questions that make no sense, as count_tours does; LimitReached.

    >>> plan = plan_count((8, 8), closed=True)
    >>> plan.way, plan.is_refused, round(plan.states)
    ('halves', False, 43400000)
    >>> plan_count((12, 12), closed=True).is_refused
    True
    >>> print(plan_count((4, 100)))
    open tours of the 4x100 board: by a recurrence, at once
    >>> few = Limits(bytes=10**10)
    >>> [plan_count((10, 10), closed=True, symmetry=turn, limits=few).is_refused for turn in ("90", "180")]
    [False, True]
    """
    problem = Problem.of(board, **question)
    limit = None if limits is None else limits.bytes
    checkpoint = None if checkpoint is None else given_path(checkpoint, "the checkpoint")
    up_to_symmetry = flag(up_to_symmetry, "up_to_symmetry")
    problem, symmetry = what_to_count(problem, None, up_to_symmetry, across)
    problem.check_takes("a plan", MOVES)
    if symmetry is not None and checkpoint is not None:
        raise ProblemError("a count of symmetric tours keeps nothing on disk", help="leave out the checkpoint")
    task = Task(problem, EACH if up_to_symmetry else symmetry, keeps_files=checkpoint is not None, across=across)
    with Watch(problem, count_budget(limits), "plan").keeping_deadline():
        plan = plan_of(find_way(task), limit, checkpoint)
        if up_to_symmetry and plan.way != "proof":
            plan = _of_classes(plan_of(find_way(task._replace(symmetry=None)), limit, checkpoint), plan)
    known = known_number(problem, symmetry=symmetry, up_to_symmetry=up_to_symmetry) if plan.is_refused else None
    first = () if known is None else (f"the number is known, and count_tours gives it ({known.source})",)
    return replace(plan, problem=problem, instead=(*first, *plan.instead))


def _of_classes(tours: CountPlan, each: CountPlan) -> CountPlan:
    """The plan of a count of classes, from that of all tours and that of the tours with each symmetry."""
    # The one that is refused says why; else the one that takes more memory.
    larger = max(tours, each, key=lambda one: (one.is_refused, one.bytes))
    return replace(
        larger,
        way=tours.way,
        widest=max(tours.widest, each.widest),
        states=tours.states + each.states,
        bytes=max(tours.bytes, each.bytes),
        seconds=tours.seconds + each.seconds,
        is_least=tours.is_least or each.is_least,
        disk=tours.disk,
        up_to_symmetry=True,
    )
