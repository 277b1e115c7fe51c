"""Ranges of statistics as a row of CONDITIONS (core/model/condition_table.py)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from knightstour.core.model.condition_table import CONDITIONS, LISTED, Condition

if TYPE_CHECKING:
    import numpy as np

    from knightstour.core.model.board import Board
    from knightstour.core.model.problem import Problem
    from knightstour.core.statistics.where import Ranges


class StatisticRanges(Condition["Ranges"]):
    """Required ranges of statistics."""

    name, words, way, normal = "where", "a range of a statistic", LISTED, tuple
    help = "A statistic of the tour must be in a range: turns=45..47; crossings=0. An open tour has no closing move."
    metavar, example = "NAME=VALUE", "turns=45..47 crossings=0"
    schema: ClassVar[Mapping[str, Any]] = {
        "type": ["object", "array"],
        "description": 'statistics and their ranges: {"turns": [45, 47], "crossings": 0}; or ["turns=45..47"]',
    }
    supports_partial = True

    def read(self, board: Board, written: object) -> Ranges:
        from knightstour.core.statistics import where

        return where.read(board, written, self.name)

    def write(self, value: Ranges, square: Callable[[int], object]) -> object:
        from knightstour.core.statistics import where

        return where.ranges_to_dict(value, square)

    def describe(self, board: Board, value: Ranges) -> str:
        from knightstour.core.statistics import where

        return where.describe(value)

    def fault(self, problem: Problem, value: Ranges, order: np.ndarray, step: np.ndarray) -> str | None:
        from knightstour.core.statistics import where

        return where.fault(problem, value, order, step)

    def check(self, problem: Problem, value: Ranges) -> None:
        from knightstour.core.statistics import where

        where.check(problem, value)

    def why_impossible(self, problem: Problem, value: Ranges) -> tuple[str, str] | None:
        from knightstour.core.statistics.magic import why_none

        return why_none(problem, value)


CONDITIONS["where"] = StatisticRanges()
