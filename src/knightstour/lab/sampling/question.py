"""The validated arguments of a sample."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from knightstour.core.methods.solve import checked_settings
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import Seed, flag, seed_of, whole_number


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """A sample: n tours of the stream of a problem, a distribution and a seed, after the first `offset` tours.

    n: None for all. distribution, parameters, unique: as for sample. seed: None for a random seed.
    """

    problem: Problem
    n: int | None
    distribution: str = "backbite"
    parameters: Mapping[str, object] = field(default_factory=dict)
    unique: bool = False
    seed: int | None = None
    offset: int = 0

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "n", None if self.n is None else whole_number(self.n, "n", least=0))
        put(self, "offset", whole_number(self.offset, "offset", least=0))
        put(self, "unique", flag(self.unique, "unique"))

    @classmethod
    def of(
        cls,
        problem: Problem,
        n: int | None,
        distribution: str,
        settings: Mapping[str, int] | None,
        *,
        unique: bool,
        seed: Seed,
        offset: int,
    ) -> SampleQuestion:
        """Check the arguments of `sample`."""
        parameters = {} if settings is None else checked_settings(settings)
        first_seed = None if seed is None else seed_of(seed)
        return cls(problem, n, distribution, parameters, unique, first_seed, offset)
