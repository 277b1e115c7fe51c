"""The plan of a count, made before it starts: in which way it counts, and the states, memory and time that it takes.

What is infeasible is refused at once (refusals.py), and not minutes later when the memory is full. The figures are
estimates (needs.py), so a board is refused only if a count that takes `Needs.margin` times less than estimated
would still not fit. Nothing is estimated for a board that is sure to fit, so counts of small boards take no longer.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import Unpack

from knightstour.core.model.budget import Limits
from knightstour.core.model.condition_table import LISTED, MOVES, STEPS, QuestionArguments
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.late import Part
from knightstour.core.model.notebook import page_of
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.question_arguments import takes_question
from knightstour.core.model.reduced import reduced
from knightstour.core.model.validation import amount, flag
from knightstour.core.model.validation import path as given_path
from knightstour.core.model.wording import in_figures, in_time, in_words, short_repr
from knightstour.core.proofs import arguments
from knightstour.lab.counting.refusals import instead, weigh
from knightstour.lab.counting.ways import EACH, Task, find_way

known_number = Part("known numbers").known_number


@dataclass(frozen=True, slots=True)
class CountPlan:
    """What a count would take; the figures are estimates.

    problem: the question.
    way: "proof", "recurrence", "states", "halves" or, with a symmetry, "quotient".
    reason, source: of a proof, why there are no tours, and where that is published.
    widest, states: states of the widest layer, and of all layers.
    bytes: memory of the process, or disk with a checkpoint.
    seconds: of one processor, all passes together.
    passes, most_passes: how often the states are made, about and at most (by a proved bound): more than once where
        counts are too long for a machine word, so that they are made modulo two primes each time.
    is_least: the figures are lower bounds; the true ones are far larger.
    margin: the count is refused only if even this many times less would not fit.
    limit: bytes of memory that may be used.
    disk: bytes free for the checkpoint, or None without one.
    is_refused: whether the count would be refused.
    instead: what to do then.
    missing: what this version lacks to count by that way, if anything; the count is refused then.
    symmetry, up_to_symmetry: as asked. Classes take what all tours take, by the `way`, and what the tours with each
        symmetry take.
    """

    problem: Problem
    way: str
    reason: str = ""
    source: str = ""
    widest: float = 0.0
    states: float = 0.0
    bytes: float = 0.0
    seconds: float = 0.0
    passes: int = 1
    most_passes: int = 1
    is_least: bool = False
    margin: float = 1.0
    limit: int = 0
    disk: int | None = None
    is_refused: bool = False
    instead: tuple[str, ...] = ()
    missing: str = ""
    symmetry: str | None = None
    up_to_symmetry: bool = False

    @property
    def has_figures(self) -> bool:
        """Whether there is anything to estimate: not where a proof or a recurrence is all it takes."""
        return self.way in ("states", "halves", "quotient") or self.states > 0 or self.bytes > 0

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def _repr_html_(self) -> str:
        """What notebooks show: the same, and what to do instead where it is infeasible."""
        return page_of("\n".join([str(self), *([self.reason] if self.reason else []), *self.instead]))

    def to_dict(self) -> dict[str, object]:
        """The plan as JSON knows it; figures, to three digits, are None where there is nothing to estimate."""
        figures = {
            **{name: float(f"{getattr(self, name):.3g}") for name in ("states", "widest", "bytes", "seconds")},
            "passes": self.passes,
            "most_passes": self.most_passes,
            "is_least": self.is_least,
            "margin": self.margin,
            "memory": self.limit,
            "disk": self.disk,
        }
        return {
            **self.problem.to_dict(),
            "symmetry": self.symmetry,
            "up_to_symmetry": self.up_to_symmetry,
            "way": self.way,
            "reason": self.reason or None,
            "source": self.source or None,
            "missing": self.missing or None,
            **{name: figure if self.has_figures else None for name, figure in figures.items()},
            "is_refused": self.is_refused,
            "instead": list(self.instead),
        }

    def __str__(self) -> str:
        what = Task(self.problem, EACH if self.up_to_symmetry else self.symmetry).what
        if self.way == "proof":
            return f"there are no {self.problem.plural}: {self.reason}"
        if not self.has_figures:
            return f"{what}: by a recurrence, at once"
        least = "at least" if self.is_least else "about"
        by = "a recurrence" if self.way == "recurrence" else self.way
        states = f"{in_figures(self.states)} states, {in_figures(self.widest)} at once, " if self.states else ""
        if self.passes > 1:
            states += f"in {self.passes} passes modulo two primes each (at most {self.most_passes}), "
        size = in_words(int(self.bytes))
        lacks = f", which needs {self.missing}" if self.missing else ", which is infeasible" if self.is_refused else ""
        return f"{what}: by {by}, {least} {states}{size}, {in_time(self.seconds)} of processor time{lacks}"


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
    limits: its bytes are the memory that may be used, by default most of what is free.
    checkpoint: a directory for layers on disk.
    across: as for count_tours.

    Raises BoardError and ProblemError for questions that make no sense, as count_tours does.

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
    problem, symmetry = what_to_count(problem, None, up_to_symmetry)
    check(problem, symmetry, up_to_symmetry, across)
    if symmetry is not None and checkpoint is not None:
        raise ProblemError("a count of symmetric tours keeps nothing on disk", help="leave out the checkpoint")
    task = Task(problem, symmetry, keeps_files=checkpoint is not None, across=across)
    plan = _plan_all(task, limit, checkpoint)
    plan = _plan_classes(plan, limit) if up_to_symmetry else plan
    known = known_number(problem, symmetry=symmetry, up_to_symmetry=up_to_symmetry) if plan.is_refused else None
    if known is None:
        return plan
    return replace(plan, instead=(f"the number is known, and count_tours gives it ({known.source})", *plan.instead))


def _plan_all(task: Task, limit: int | None, checkpoint: str | os.PathLike[str] | None) -> CountPlan:
    """The plan of a count of all tours, or of those with a symmetry."""
    problem = task.problem
    problem.check_takes("a plan", MOVES)
    if problem.asked:
        proof = arguments.known_proof(problem)
        if proof is not None:
            return CountPlan(problem, "proof", proof.reason, proof.source)
        task = task._replace(problem=reduced(problem).problem)
        return replace(_plan_all(task, limit, checkpoint), problem=problem)
    fit = find_way(task)
    proof = fit.found.proof
    if proof is not None:
        return CountPlan(problem, fit.name, proof.reason, proof.source)
    weighed = weigh(fit, limit, checkpoint, always=True)
    needs, symmetry = weighed.needs, None if task.symmetry == EACH else task.symmetry
    if needs is None:
        return CountPlan(problem, fit.name, symmetry=symmetry)
    is_refused = weighed.is_refused(fit)
    return CountPlan(
        problem,
        fit.name,
        **needs.figures(),
        limit=weighed.limit,
        disk=weighed.disk,
        is_refused=is_refused,
        instead=tuple(instead(fit, weighed)) if is_refused else (),
        missing=fit.way.missing,
        symmetry=symmetry,
    )


def _plan_classes(plan: CountPlan, limit: int | None) -> CountPlan:
    """The plan of a count of classes, for that of all tours."""
    from knightstour.lab.counting.symmetric import check_classes

    check_classes(plan.problem.board, closed=plan.problem.closed)
    if plan.way == "proof":
        return replace(plan, up_to_symmetry=True)
    each = _plan_all(Task(plan.problem, EACH), limit, None)
    # The one that is refused says why; else the one that takes more memory.
    larger = max(plan, each, key=lambda one: (one.is_refused, one.bytes))
    return replace(
        larger,
        way=plan.way,
        widest=max(plan.widest, each.widest),
        states=plan.states + each.states,
        bytes=max(plan.bytes, each.bytes),
        seconds=plan.seconds + each.seconds,
        is_least=plan.is_least or each.is_least,
        disk=plan.disk,
        up_to_symmetry=True,
    )


def check(problem: Problem, symmetry: str | None, up_to_symmetry: bool, across: int | None = None) -> None:
    """A ProblemError for a symmetry, for classes, or for a side that a cut goes across, where they make no sense."""
    if (symmetry is not None or up_to_symmetry) and (problem.start is not None or problem.end is not None):
        raise ProblemError(
            "counts by symmetry are of all tours", help="leave out the start and the end, or the symmetry"
        )
    if symmetry is not None and up_to_symmetry:
        raise ProblemError("classes are counted of all tours", help="leave out the symmetry, or the classes")
    amount(across, "across")
    if across is not None and (symmetry is not None or problem.asked):
        raise ProblemError(
            "only a count of all tours is made of two halves of the board",
            help="leave out across (--across), or the conditions and the symmetry",
        )


def what_to_count(problem: Problem, symmetry: str | None, up_to_symmetry: bool) -> tuple[Problem, str | None]:
    """The question without its symmetry, and the symmetry; a MethodError for conditions that no count knows of."""
    if problem.symmetry is not None:
        if symmetry not in (None, problem.symmetry):
            raise ProblemError("two symmetries are asked for", help="give the question or the count one")
        symmetry, problem = problem.symmetry, problem.changed(symmetry=None)
    if isinstance(symmetry, str) and symmetry in KINDS:
        raise ProblemError(
            f"{symmetry} tours are not counted by themselves",
            help=f"count those with symmetry {' or '.join(KINDS[symmetry][0])}, or see the table of symmetries",
        )
    if symmetry is not None or up_to_symmetry:
        problem.check_takes("a count by symmetry")
    problem.check_takes("a count", STEPS, MOVES, LISTED)
    return problem, symmetry
