"""The method that lays straight lines, as a row of METHODS (core/methods/table.py)."""

from __future__ import annotations

from typing import Final

from knightstour.core.methods.pseudocode import Line
from knightstour.core.methods.table import METHODS, Method
from knightstour.core.model.lazy import Lazy
from knightstour.core.model.option import Option, by_name

_straight = Lazy("knightstour.lab.objectives.straight")

FEWEST: Final[dict[str, str]] = {
    "turns": "borders with two turns a column and two a row",
    "crossings": "lines with a quarter to three tenths fewer crossings, and more turns",
}

OF_STRAIGHT: Final = by_name(
    Option("fewest", str, "what the lines are laid for", choices=FEWEST, default="turns"),
)

METHODS["straight"] = Method(
    _straight.straight,
    "lays straight lines, turned back or folded: large closed tours with few turns or few crossings",
    "after Besa, Johnson, Mamano, Osegueda & Williams 2022; Mamano 2026",
    _straight.why_not_straight,
    options=OF_STRAIGHT,
    pseudocode=(
        Line("lay straight lines of moves next to each other over the board", ("stage",)),
        Line("turn them back at the borders, so that loops arise"),
        Line("join the loops where they touch"),
        Line("that is the tour", ("tour",)),
    ),
)
