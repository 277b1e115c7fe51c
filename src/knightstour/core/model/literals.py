"""Types of names that public functions accept, so that type checkers find misspelt names.

tests/house/test_literals.py compares each type with its table.
"""

from __future__ import annotations

from typing import Literal, NewType, TypeAlias

MethodName: TypeAlias = Literal[
    "auto", "explicit", "backtracking", "warnsdorff", "merge", "rotation", "exact", "sat", "clues", "portfolio",
    "neural", "neural+merge", "annealing", "genetic", "quartes",
]  # fmt: skip
CountMethod: TypeAlias = Literal[
    "auto", "proof", "listing", "matchings", "quotient", "recurrence", "halves", "states"
]  # fmt: skip
DistributionName: TypeAlias = Literal["backbite", "merge", "uniform", "warnsdorff"]
StatisticName: TypeAlias = Literal[
    "turns", "straight", "angle-37", "angle-53", "angle-90", "angle-127", "angle-143", "acute", "obtuse",
    "in-one-line", "steep-up", "flat-up", "flat-down", "steep-down", "of-one-slope", "in-border", "same-ring",
    "next-ring", "across-rows", "across-columns", "in-quarter", "crossings", "uncrossed", "over-one-square",
    "never-passed", "area", "winding", "visits", "chords", "magic-rows", "magic-columns", "magic-diagonals",
    "line-spread",
]  # fmt: skip
# A statistic with its squares, its moves or its angle: ChosenStatistic("inside=a1..d4").
ChosenStatistic = NewType("ChosenStatistic", str)
PictureFormat: TypeAlias = Literal["svg", "png", "pdf", "gif", "html", "text", "dxf", "tikz"]
StyleName: TypeAlias = Literal[
    "board", "line", "curve", "steps", "filled", "mosaic", "numbers", "heat", "oblique", "ribbon", "plotter",
    "lines", "blocks", "boxes", "ascii",
]  # fmt: skip
ThemeName: TypeAlias = Literal["auto", "light", "dark"]
LevelName: TypeAlias = Literal["auto", "easy", "medium", "hard", "expert", "any"]
PuzzleKind: TypeAlias = Literal["numbers", "zip", "every", "places"]
DayKind: TypeAlias = Literal["first", "hard", "other"]
WorksheetKind: TypeAlias = Literal["wrong-move", "degrees", "empty"]
