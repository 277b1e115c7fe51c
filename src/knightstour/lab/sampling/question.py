"""Description of a sample: the common arguments of all interfaces to random tours, and their validated form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from knightstour.core.model.arguments import defaults_in, taken_from
from knightstour.core.model.condition_table import QuestionArguments, question_names
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.validation import Seed, flag, seed_of, whole_number


class SampleArguments(QuestionArguments, total=False):
    """Which tours are drawn; `sample` says what each word means."""

    distribution: str
    unique: bool
    seed: Seed
    offset: int
    every: int
    burn_in: int
    randomness: int


@dataclass(frozen=True, slots=True)
class SampleQuestion:
    """Which tours are drawn: n of the stream of a question, a distribution and a seed, after the first `offset`.

    n: None for all that come. distribution, parameters, unique: as for sample. seed: None for an accidental one.
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
        words: dict[str, Any] = {**asked}
        problem = Problem.of(board, **cast(QuestionArguments, taken_from(words, question_names())))
        written = words.pop("seed", None)
        how = taken_from(words, ("distribution", "unique", "offset"))
        return cls(problem, n, **how, parameters=words, seed=None if written is None else seed_of(written))


defaults_in(SampleArguments, SampleQuestion)
