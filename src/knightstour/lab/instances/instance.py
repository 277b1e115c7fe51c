"""A graph with a known answer: whether it has a Hamiltonian cycle, the reason, and the source of the proof."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from knightstour.core.formats.boards import board_to_dict
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.certify import tour_certificate


class FamilyGraph(NamedTuple):
    """A graph of a family, with a Hamiltonian cycle if the construction contains one."""

    board: Board
    is_hamiltonian: bool
    reason: str
    source: str
    tour: Tour | None = None


class Parameter(NamedTuple):
    """An integer parameter of a family, from least to most; it is required if default is None."""

    name: str
    text: str
    least: int
    default: int | None = None
    most: int | None = 1_000_000

    @property
    def flag(self) -> str:
        """Syntax of the parameter."""
        return f"{self.name}=N"


class Family(NamedTuple):
    """A row of FAMILIES: graphs with integer parameters.

    why_not returns the reason why no graph exists for the parameters, or "". make creates the graph.
    """

    name: str
    summary: str
    parameter_list: tuple[Parameter, ...]
    why_not: Callable[..., str]
    make: Callable[..., FamilyGraph]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """Parameters by name."""
        return {each.name: each for each in self.parameter_list}


@dataclass(frozen=True)
class Instance:
    """A graph of a known family, with its answer.

    Attributes:
        family: Name of a row of FAMILIES.
        parameters: Parameters of the graph.
        board: The graph.
        is_hamiltonian: Whether it has a Hamiltonian cycle.
        reason, source: The reason, and the source of its proof.
        tour: The cycle that the construction contains, or None.

    >>> from knightstour.examples import instances
    >>> [petersen] = instances("petersen", n=5, k=2)
    >>> petersen.name, petersen.is_hamiltonian, petersen.source
    ('petersen:n=5,k=2', False, 'B. Alspach, 1983')
    """

    family: str
    parameters: Mapping[str, int]
    board: Board
    is_hamiltonian: bool
    reason: str
    source: str
    tour: Tour | None = None

    @property
    def name(self) -> str:
        """Family and parameters, in the syntax of the command line."""
        return f"{self.family}:" + ",".join(f"{name}={value}" for name, value in self.parameters.items())

    @property
    def certificate(self) -> Certificate:
        """Certificate of the answer, for an independent check; it may need a minute.

        The cycle comes from the construction, or from `solve`. Impossibility is proved by a search, without theorems.

        Raises:
            ProblemError: If 60 seconds are not enough.
        """
        if self.tour is not None:
            return tour_certificate(Problem(self.board, closed=True), self.tour)
        return solve(self.board, closed=True, timeout=60).certificate()

    def answer(self) -> dict[str, object]:
        """Return the fields as JSON-serialisable data, without the graph and the cycle."""
        return {
            "name": self.name,
            "family": self.family,
            "parameters": dict(self.parameters),
            "is_hamiltonian": self.is_hamiltonian,
            "reason": self.reason,
            "source": self.source,
        }

    def to_dict(self) -> dict[str, object]:
        """Return the fields as JSON-serialisable data, with the graph, and the cycle as a list of squares."""
        squares = None if self.tour is None else self.tour.squares.tolist()
        return {**self.answer(), "squares": squares, **board_to_dict(self.board)}
