"""Tests that the Literal types of names equal their tables."""

from typing import get_args

import pytest

import knightstour as kt
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.text import TEXT_STYLES
from knightstour.core.drawing.themes import THEMES
from knightstour.core.model import literals
from knightstour.lab.counting.ways import NAMES
from knightstour.lab.puzzles import daily, make, sheets
from knightstour.lab.puzzles.reasoning import LEVELS

TABLES = {
    "MethodName": kt.METHODS,
    "CountMethod": ("auto", *NAMES),
    "DistributionName": kt.DISTRIBUTIONS,
    "StatisticName": kt.STATISTICS,
    "PictureFormat": PICTURE_KINDS,
    "StyleName": (*STYLES, *TEXT_STYLES, "ascii"),
    "ThemeName": ("auto", *THEMES),
    "LevelName": ("auto", *LEVELS, "any"),
    "PuzzleKind": make.KINDS,
    "DayKind": daily.KINDS,
    "WorksheetKind": sheets.WORKSHEETS,
}


@pytest.mark.parametrize("name", TABLES)
def test_a_type_of_names_equals_its_table(name: str) -> None:
    assert sorted(get_args(getattr(literals, name))) == sorted(TABLES[name])


def test_each_type_of_names_has_a_table() -> None:
    assert {name for name, value in vars(literals).items() if get_args(value)} == set(TABLES)
