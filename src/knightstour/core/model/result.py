"""What goes into every method and what comes out: Problem and Budget in, Outcome out; the user sees a Result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np

from knightstour.core.model.budget import Limits
from knightstour.core.model.exports import page_of
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.core.model.unvisited import unvisited
from knightstour.core.model.wording import short_repr

if TYPE_CHECKING:
    from knightstour.lab.certificates.certificate import Certificate


# Reason and source of the answer to a question that is too small.
TOO_SMALL = ("a closed tour has at least three squares", "definition")


class Status(Enum):
    """The three answers: a tour, a proof that there is none, or a limit that ended the search."""

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a method answers.

    order: the square numbers `row * cols + col` of the tour found, start first, else None. solve() makes the checked
        Tour of it, so a method never validates its own work.
    reason, source: why there is none, or which limit ended it; reason is empty when found.
    counters: what the method counted besides nodes (restarts, backtracks, fails, ...).
    method: which method answered, where one asks several; else empty.
    """

    status: Status
    order: Sequence[int] | np.ndarray | None = None
    reason: str = ""
    source: str = ""
    counters: dict[str, int] = field(default_factory=dict)
    method: str = ""


def found(order: Sequence[int] | np.ndarray, **counters: int) -> Outcome:
    """A tour."""
    return Outcome(Status.FOUND, order, counters=counters)


def impossible(reason: str, source: str, **counters: int) -> Outcome:
    """A proof that there is none."""
    return Outcome(Status.IMPOSSIBLE, None, reason, source, counters)


def undecided(reason: str, **counters: int) -> Outcome:
    """A search that ended without an answer."""
    return Outcome(Status.UNDECIDED, None, reason, counters=counters)


def exhausted(nodes: int) -> tuple[str, str]:
    """(reason, source) of a complete search that found nothing."""
    return f"an exhaustive search of {nodes:,} nodes found none", f"exhaustive search, {nodes:,} nodes"


@dataclass(frozen=True, slots=True)
class Result:
    """The answer to a question.

    status: FOUND, IMPOSSIBLE (proved) or UNDECIDED (a limit ended the search).
    tours: the tours found, checked; `tour` is the first, or None.
    reason: why there is none, or which limit was reached, or why there are fewer tours than asked for.
    source: the theorem, or the search, behind the reason.
    method: the method that answered. seed: the one used; the same seed gives the same tour.
    nodes: steps of the search. seconds: wall-clock time. counters: what the method counted besides.
    bound: where the best tour was asked for, the number that no tour goes beyond, as far as that was proved. FOUND then
        means that the tour is proved to be best, and UNDECIDED comes with the best one that was found.
    objective: what it is best in; empty where that was not asked for.
    ways: how many tours are as good as the best, undirected and with all images, where that was counted too.
    """

    status: Status
    problem: Problem
    tours: tuple[Tour, ...]
    reason: str
    source: str
    method: str
    seed: int
    nodes: int
    seconds: float
    counters: dict[str, int] = field(default_factory=dict)
    bound: int | None = None
    objective: str = ""
    ways: int | None = None

    def __bool__(self) -> bool:
        """Whether a tour was found: False where it is proved that there is none, and where that is not known."""
        return self.status is Status.FOUND

    @property
    def tour(self) -> Tour | None:
        """The tour found (the first of several), or None."""
        return self.tours[0] if self.tours else None

    @property
    def unvisited(self) -> tuple[str, ...]:
        """The names of the squares that the tour leaves, with partial=True: holes of `tour.board` that were none."""
        return unvisited(self.problem.board, self.tour)

    @property
    def certificate(self) -> Certificate:
        """The answer with all that is needed to check it, made when asked for; `verify` checks it.

        Where there is no tour this finds the proof again in a form to check, which may take up to a minute. Raises
        ProblemError if the question is undecided.

        >>> from knightstour import solve
        >>> solve((4, 8), closed=True).certificate
        <Certificate: impossible by argument>
        """
        return self.certify()

    def certify(self, limits: Limits | None = None, *, needs_clauses: bool = False) -> Certificate:
        """The same; limits: for finding the proof, by default 60 seconds.

        needs_clauses: that there is no tour must be proved by clauses, for checkers such as drat-trim; a ProblemError
        where no such proof is found.
        """
        from knightstour.lab.certificates.certify import certificate_of

        return certificate_of(self, limits, needs_clauses=needs_clauses)

    def to_dict(self, tour: Tour | None = None) -> dict[str, object]:
        """The fields as JSON knows them, with the given tour or else the first."""
        shown = tour or self.tour
        return {
            "status": self.status.value,
            "closed": self.problem.closed,
            **self.problem.asked_as_dict(),
            "rows": self.problem.board.rows,
            "cols": self.problem.board.cols if shown is None else shown.board.cols,
            "squares": None if shown is None else shown.squares.tolist(),
            **({"unvisited": list(unvisited(self.problem.board, shown))} if self.problem.partial else {}),
            "method": self.method,
            "reason": self.reason or None,
            "source": self.source or None,
            "seed": self.seed,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            **({} if self.bound is None else {"bound": self.bound}),
            **({} if self.ways is None else {"ways": self.ways}),
        }

    def _repr_html_(self) -> str:
        """What notebooks show: the answer in words, and its first tours."""
        return page_of(str(self), self.tours[:4])

    def __str__(self) -> str:
        """All of the answer in words."""
        return self._words() + self._effort()

    def __repr__(self) -> str:
        return short_repr(self, self._words(), self._effort())

    def _words(self) -> str:
        words = [self.status.value, str(self.problem)]
        if self.reason:
            words.append(self.reason)
        return "; ".join(words)

    def _effort(self) -> str:
        return f" ({self.method}, {self.nodes:,} nodes, {self.seconds:.3g} s)"
