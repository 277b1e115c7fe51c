"""Keywords of `solve` and `find_tour`. Written by `make docs` from METHODS."""

from __future__ import annotations

from typing import TypedDict

from knightstour.core.model.condition_table import QuestionArguments


class MethodOptions(TypedDict, total=False):
    """Options of all methods; for the options of one method see `METHODS[name].options`."""

    cold: float
    cover: str
    critical_budget: int
    generations: int
    hot: float
    kind: str
    move_order: str
    mutation: int
    population: int
    prune: str
    randomness: int
    repair: int
    ties: str
    turns: int
    update: str


class SolveArguments(QuestionArguments, MethodOptions, total=False):
    """A question and the options of its method."""
