"""The methods that lay straight lines, and quartes, as rows of METHODS (core/methods/table.py)."""

from __future__ import annotations

from typing import Final

from knightstour.core.methods.pseudocode import Line
from knightstour.core.methods.table import METHODS, Method
from knightstour.core.model.condition_table import LISTED, MOVES, STEPS
from knightstour.core.model.lazy import Lazy
from knightstour.core.model.option import Option, by_name

_quartes = Lazy("knightstour.lab.objectives.quartes")
_straight = Lazy("knightstour.lab.objectives.straight")

FEWEST: Final[dict[str, str]] = {
    "turns": "borders with two turns a column and two a row",
    "crossings": "lines with a quarter to three tenths fewer crossings, and more turns",
}

OF_STRAIGHT: Final = by_name(Option("fewest", str, "what the lines are laid for", choices=FEWEST, default="turns"))

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

METHODS["quartes"] = Method(
    _quartes.quartes,
    "lays four numbers at a time in blocks of 4x4 squares: magic and semi-magic tours",
    "Wenzelides 1849; Murray 1951",
    _quartes.why_not_quartes,
    ways=(MOVES, STEPS, LISTED),
    is_whole=True,
    pseudocode=(
        Line("cut the board into blocks of 4x4 squares", ("stage",)),
        Line("repeat: lay the next four numbers in four rows and columns of a block"),
        Line("  take them back if no quartes fill the rest of the block"),
        Line("  or a band of rows or columns can no longer have the magic sum"),
        Line("  when all are laid: that is the tour", ("tour",)),
    ),
)
