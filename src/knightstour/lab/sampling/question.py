"""What is asked of a sample: the words that all doors to random tours share, and their checked form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypedDict

from knightstour.core.model.board import Square
from knightstour.core.model.conditions import Given, Moves
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.validation import Randomness, flag, seed_of, whole_number


class SampleArguments(TypedDict, total=False):
    """Which tours are drawn; `sample_tours` says what each word means."""

    closed: bool
    start: Square | str | None
    end: Square | str | None
    given: Given | None
    through: Moves | None
    avoid: Moves | None
    symmetry: str | None
    distribution: str
    unique: bool
    rng: Randomness
    offset: int
    every: int
    burn_in: int
    randomness: int


_OF_THE_QUESTION = (
    "closed",
    "start",
    "end",
    "given",
    "through",
    "avoid",
    "symmetry",
    "distribution",
    "unique",
    "rng",
    "offset",
)


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """Which tours are drawn: n of the stream of a question, a distribution and a seed, after the first `offset`.

    n: None for all that come. distribution, parameters, unique: as for sample_tours. seed: None for an accidental one.
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
    def of(cls, board: Question, n: int | None, asked: SampleArguments) -> SampleQuestion:
        """The question in checked form. Words that are not of the question are parameters of the distribution."""
        rng = asked.get("rng")
        return cls(
            Problem.of(
                board,
                closed=asked.get("closed", False),
                start=asked.get("start"),
                end=asked.get("end"),
                given=asked.get("given"),
                through=asked.get("through"),
                avoid=asked.get("avoid"),
                symmetry=asked.get("symmetry"),
            ),
            n,
            distribution=asked.get("distribution", "backbite"),
            parameters={name: value for name, value in asked.items() if name not in _OF_THE_QUESTION},
            unique=asked.get("unique", False),
            seed=None if rng is None else seed_of(rng),
            offset=asked.get("offset", 0),
        )
