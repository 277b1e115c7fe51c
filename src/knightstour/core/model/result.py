"""Interface of methods: Problem and Budget in, Outcome out; the user receives a Result."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from knightstour.core.model.budget import DEFAULT_SECONDS, limits_of
from knightstour.core.model.exports import page_of
from knightstour.core.model.problem import Problem, conditions_as_dict
from knightstour.core.model.slips import no_attribute
from knightstour.core.model.tour import Tour
from knightstour.core.model.unvisited import unvisited_names
from knightstour.core.model.validation import flag
from knightstour.core.model.wording import short_repr

if TYPE_CHECKING:
    from knightstour.lab.certificates.certificate import Certificate


# Reason and source of the answer to a question that is too small.
TOO_SMALL = ("a closed tour has at least three squares", "definition")


class Status(Enum):
    """Result of a search: a tour, a proof that none exists, or a limit that ended the search."""

    FOUND = "found"
    IMPOSSIBLE = "impossible"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result of a method.

    Attributes:
        order: The square numbers `row * cols + col` of the tour, start first, or None. solve() creates the checked
            Tour, so a method never validates its own work.
        reason, source: Reason why no tour exists, or the limit that ended the search; reason is empty if a tour was
            found.
        counters: Counters of the method besides nodes (restarts, backtracks, fails, ...).
        method: The method that found the result, if several were run; else empty.
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
    """Return the outcome of a proof that no tour exists."""
    return Outcome(Status.IMPOSSIBLE, None, reason, source, counters)


def undecided(reason: str, **counters: int) -> Outcome:
    """A search that ended without an answer."""
    return Outcome(Status.UNDECIDED, None, reason, counters=counters)


def exhausted(nodes: int) -> tuple[str, str]:
    """(reason, source) of a complete search that found nothing."""
    return f"an exhaustive search of {nodes:,} nodes found none", f"exhaustive search, {nodes:,} nodes"


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a search.

    Attributes:
        status: FOUND, IMPOSSIBLE (proved) or UNDECIDED (a limit ended the search).
        tour: The tour found, or None.
        reason: Reason why no tour exists, or the limit, or the reason for fewer tours than requested.
        source: The theorem, or the search, behind the reason.
        method: The method that found the result.
        seed: The seed; the same seed reproduces the same tour.
        nodes: Steps of the search.
        seconds: Wall-clock time.
        counters: Further counters of the method. "ways" is the number of optimal tours, undirected and with all images,
            if counted.
        bound: For an optimisation, the proved bound for all tours. With FOUND the tour is proved to be optimal; with
            UNDECIDED it is the best one found.
    """

    status: Status
    problem: Problem
    tour: Tour | None
    reason: str
    source: str
    method: str
    seed: int
    nodes: int
    seconds: float
    counters: dict[str, int] = field(default_factory=dict)
    bound: int | None = None
    # Such as "minimize turns", if the tour is proved best.
    _objective: str = field(default="", repr=False)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute("Result", name, dir(type(self)))

    def __bool__(self) -> bool:
        """Whether a tour was found: False if it is proved that none exists, or undecided."""
        return self.status is Status.FOUND

    def certificate(
        self, clauses: bool = False, *, timeout: float | None = DEFAULT_SECONDS, max_nodes: int | None = None
    ) -> Certificate:
        """Return the result with everything that is needed to check it; `kt.check` checks its file.

        If no tour exists, this repeats the proof in a form that can be checked, which may take a minute.

        Args:
            clauses: Whether impossibility must be proved by clauses, for checkers such as drat-trim.
            timeout, max_nodes: The most seconds (by default 60, of processor time) and search steps for the proof.

        Raises:
            ProblemError: If the problem is undecided, or no such proof is found.

        >>> from knightstour import solve
        >>> solve((4, 8), closed=True).certificate()
        <Certificate: impossible by argument>
        """
        from knightstour.lab.certificates.certify import certificate_of

        return certificate_of(self, limits_of(timeout, max_nodes), clauses=flag(clauses, "clauses"))

    def to_dict(self, tour: Tour | None = None) -> dict[str, object]:
        """Return the fields as a JSON-serialisable dict, with the given tour or else the first."""
        shown = tour or self.tour
        return {
            "status": self.status.value,
            "closed": self.problem.closed,
            **conditions_as_dict(self.problem),
            "rows": self.problem.board.rows,
            "cols": self.problem.board.cols if shown is None else shown.board.cols,
            "squares": None if shown is None else shown.squares.tolist(),
            **({"unvisited": list(unvisited_names(self.problem.board, shown))} if self.problem.partial else {}),
            "method": self.method,
            "reason": self.reason or None,
            "source": self.source or None,
            "seed": self.seed,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            **({} if self.bound is None else {"bound": self.bound}),
            **({"ways": self.counters["ways"]} if "ways" in self.counters else {}),
        }

    def _repr_html_(self) -> str:
        return page_of(str(self), [] if self.tour is None else [self.tour])

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


def proved_objective(result: Result) -> str:
    """Return the objective, such as "minimize turns", if the tour is proved best; else ""."""
    return result._objective
