"""The method of quartes as a row of METHODS (core/methods/table.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.methods.pseudocode import Line
from knightstour.core.methods.table import METHODS, Method
from knightstour.core.model.condition_table import LISTED, MOVES, STEPS
from knightstour.core.model.lazy import Lazy

if TYPE_CHECKING:
    from knightstour.lab.objectives import quartes as _quartes
else:
    _quartes = Lazy("knightstour.lab.objectives.quartes")

METHODS["quartes"] = Method(
    _quartes.quartes,
    "places four consecutive numbers in blocks of 4x4 squares: magic and semi-magic tours",
    "Wenzelides 1849; Murray 1951",
    _quartes.why_not_quartes,
    ways=(MOVES, STEPS, LISTED),
    is_whole=True,
    pseudocode=(
        Line("cut the board into blocks of 4x4 squares", ("stage",)),
        Line("repeat: place the next four numbers in four rows and columns of a block"),
        Line("  remove them if no quartes fill the rest of the block"),
        Line("  or a band of rows or columns can no longer have the magic sum"),
        Line("  when all are placed: that is the tour", ("tour",)),
    ),
)
