"""Four ways to draw random tours in bulk, each with its law: what the tours are distributed like.

A law is made for a question and its parameters, once; `block(seed, count, stop)` then gives `count` tours that depend
on nothing but the question, the parameters and the seed of the block, and the first of them not even on `count`.

Each law has a file of its own, which says how it draws.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any, Final

import numpy as np

from knightstour.kernels.bulk import backbite, restarts
from knightstour.kernels.search import merging
from knightstour.machine import engine
from knightstour.model.arguments import meant_by
from knightstour.model.errors import MethodError
from knightstour.model.option import Option, checked_options
from knightstour.model.problem import Problem
from knightstour.model.validation import one_of
from knightstour.sampling.laws.backbite import Backbite
from knightstour.sampling.laws.common import Draw, Stop
from knightstour.sampling.laws.merge import Merge
from knightstour.sampling.laws.symmetric import symmetric_law
from knightstour.sampling.laws.uniform import Uniform
from knightstour.sampling.laws.warnsdorff import Warnsdorff
from knightstour.sampling.question import SampleArguments
from knightstour.search import options

# What a square of a tour takes, interpreted.
SECONDS_A_SQUARE = 1.2e-5
# More turns than anyone waits for.
_MOST_TURNS = 1 << 50


@dataclass(frozen=True, slots=True)
class Law:
    """A row of LAWS.

    make: make(problem, a tour that answers it, **parameters) -> Draw.
    summary: for people.
    parameters: the keyword arguments of `make`, each an Option, by name.
    kernel: what draws the tours.
    is_even: whether it is uniform, exactly or in the limit.
    """

    make: Callable[..., Draw]
    summary: str
    parameters: Mapping[str, Option] = field(default_factory=dict)
    kernel: ModuleType | None = None
    is_even: bool = False


def _parameters(*options: Option) -> dict[str, Option]:
    return {option.name: option for option in options}


LAWS: Final[dict[str, Law]] = {
    "backbite": Law(
        Backbite,
        "a random walk on tours, read every few turns: uniform in the limit",
        _parameters(
            Option("every", int, "turns between two readings", least=1, most=_MOST_TURNS),
            Option("burn_in", int, "turns before the first reading of a block", least=0, most=_MOST_TURNS),
        ),
        backbite,
        is_even=True,
    ),
    "merge": Law(
        Merge,
        "loops joined at random into one: not uniform",
        _parameters(*options.OF_MERGE.values()),
        merging,
    ),
    "uniform": Law(
        Uniform,
        "every tour with the same chance, exactly; they are counted first, so not for large boards",
        is_even=True,
    ),
    "warnsdorff": Law(
        Warnsdorff,
        "Warnsdorff's rule, ties at random, started again at dead ends: far from uniform",
        kernel=restarts,
    ),
}


def make_law(
    name: str, problem: Problem, first_tour: Callable[[Problem], np.ndarray], parameters: Mapping[str, Any]
) -> Draw:
    """The law of that name for a question; a MethodError for a wrong name.

    first_tour: gives a tour that answers a question.
    """
    row = LAWS[one_of(name, LAWS, "law", error=MethodError)]
    for parameter in parameters:
        if parameter not in row.parameters:
            owners = [other for other, law in LAWS.items() if parameter in law.parameters]
            raise MethodError(
                f"law {name} has no parameter {parameter!r}",
                help=f"{parameter} goes with law {owners[0]}"
                if owners
                else meant_by(parameter, (*SampleArguments.__annotations__, "limits"))
                or "see knightstour sample --help",
            )
    chosen = checked_options(row.parameters, parameters, f"law {name}")

    def make(asked: Problem, first: np.ndarray) -> Draw:
        return row.make(asked, first, **chosen)

    first = first_tour(problem)
    if problem.symmetry is not None:
        return symmetric_law(problem, make, first_tour, is_even=row.is_even)
    return make(problem, first)


def warm(name: str, problem: Problem, tours: int | None) -> None:
    """Say how many tours of a question will be drawn; if they are many, load the kernel of the law, in this thread."""
    kernel = LAWS[name].kernel
    if kernel is None:
        return
    seconds = (tours or 0) * problem.board.square_count * SECONDS_A_SQUARE
    engine.expect(kernel, seconds)
    if seconds >= engine.INTERPRETED_SECONDS:
        first = np.array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11])
        make_law(name, Problem.of((3, 4)), lambda problem: first, {})(1, 1, Stop())
