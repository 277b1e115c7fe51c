"""The woven style and that of pen plotters, as rows of STYLES (core/drawing)."""

from __future__ import annotations

from knightstour.core.drawing.styles import STYLES, Style
from knightstour.core.model.lazy import Lazy

STYLES["weave"] = Style(
    "the path as a band that goes over and under itself by turns",
    squares="",
    width=0.12,
    frame=False,
    moves=False,
    on_page=False,
    ignores=("arrows", "filled"),
    path=Lazy("knightstour.lab.pictures.bands").draw_bands,
)

STYLES["plotter"] = Style(
    "for a pen plotter: millimetres, strokes only, one path per pen",
    squares="",
    frame=False,
    moves=False,
    on_paper=True,
    ignores=("labels", "arrows", "mark_ends", "highlight", "filled", "background", "line_width"),
    sheet=Lazy("knightstour.lab.pictures.plotter.svg").plot_sheet,
)
