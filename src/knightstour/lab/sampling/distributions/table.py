"""The distributions of random tours, one row each.

A distribution is created once for a problem and its parameters; `block(seed, count, stop)` then returns `count` tours
that depend only on the problem, the parameters and the seed of the block. The first tours do not depend on `count`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from knightstour.core.model.arguments import meant_by
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.option import Option, checked_options
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import one_of
from knightstour.core.search import options
from knightstour.lab.sampling.distributions.backbite import Backbite
from knightstour.lab.sampling.distributions.common import Block, Draw, Stop
from knightstour.lab.sampling.distributions.searched import Merge, Warnsdorff
from knightstour.lab.sampling.distributions.symmetric import symmetric_distribution

# Upper bound for numbers of steps.
_MAX_TURNS = 1 << 50


@dataclass(frozen=True, slots=True, repr=False)
class Distribution:
    """A row of DISTRIBUTIONS.

    make: creates the distribution: make(problem, a tour, **parameters) -> Draw. summary: description. parameters:
    keyword arguments of `make`, each an Option, by name. is_even: whether it is uniform, exactly or in the limit.
    """

    make: Callable[..., Draw]
    summary: str
    parameters: Mapping[str, Option] = field(default_factory=dict)
    is_even: bool = False

    def __repr__(self) -> str:
        names = [name for name, row in DISTRIBUTIONS.items() if row is self]
        return ": ".join([*names, self.summary])


def _parameters(*options: Option) -> dict[str, Option]:
    return {option.name: option for option in options}


class Uniform:
    """Draws random numbers of tours and converts them to tours (lab/counting/spaces)."""

    def __init__(self, problem: Problem, first: np.ndarray) -> None:
        # Imported here, since most samples do not need it.
        from knightstour.lab.counting.spaces.tour_space import TourSpace

        self.parameters: dict[str, int] = {}
        self._space = TourSpace(problem)

    @property
    def tours(self) -> int:
        """Number of tours."""
        return self._space.count

    def __call__(self, seed: int, n: int, stop: Stop) -> Block:
        stop.check()
        return Block(self._space.orders(self._space.random_numbers(n, seed)), 0, n)


DISTRIBUTIONS: Final[dict[str, Distribution]] = {
    "backbite": Distribution(
        Backbite,
        "a random walk on tours, sampled at intervals: uniform in the limit",
        _parameters(
            Option("every", int, "steps between two samples", least=1, most=_MAX_TURNS),
            Option("burn_in", int, "steps before the first sample of a block", least=0, most=_MAX_TURNS),
        ),
        is_even=True,
    ),
    "merge": Distribution(Merge, "loops joined at random: not uniform", _parameters(*options.OF_MERGE.values())),
    "uniform": Distribution(
        Uniform,
        "all tours with equal probability; requires a count of the tours, so it does not support large boards",
        is_even=True,
    ),
    "warnsdorff": Distribution(
        Warnsdorff, "Warnsdorff's rule with random ties, restarted at dead ends: far from uniform"
    ),
}


def make_distribution(
    name: str, problem: Problem, first_tour: Callable[[Problem], np.ndarray], parameters: Mapping[str, Any]
) -> Draw:
    """Return the distribution with a name for a problem; raise ProblemError if the name is unknown.

    first_tour: returns a tour of a problem.
    """
    row = DISTRIBUTIONS[one_of(name, DISTRIBUTIONS, "distribution", error=ProblemError)]
    for parameter in parameters:
        if parameter not in row.parameters:
            owners = [other for other, distribution in DISTRIBUTIONS.items() if parameter in distribution.parameters]
            raise ProblemError(
                f"distribution {name} has no parameter {parameter!r}",
                help=f"{parameter} requires distribution {owners[0]}"
                if owners
                else meant_by(parameter, row.parameters) or "see knightstour sample --help",
            )
    chosen = checked_options(row.parameters, parameters, f"distribution {name}")

    def make(problem: Problem, first: np.ndarray) -> Draw:
        return row.make(problem, first, **chosen)

    first = first_tour(problem)
    if problem.symmetry is not None:
        return symmetric_distribution(problem, make, first_tour, is_even=row.is_even)
    return make(problem, first)
