"""The style ribbon and that of pen plotters, as rows of STYLES (core/drawing)."""

from __future__ import annotations

from knightstour.core.drawing.styles import STYLES, Style
from knightstour.core.model.lazy import Lazy

STYLES["ribbon"] = Style(
    "the path as a ribbon that passes over and under itself, its colour changing along it",
    squares="",
    line="smooth",
    width=0.22,
    frame=False,
    moves=False,
    on_page=False,
    ignores=("arrows", "filled"),
    path=Lazy("knightstour.lab.pictures.weaving").draw_ribbon,
)

STYLES["plotter"] = Style(
    "for a pen plotter: millimetres, strokes only, one path per pen",
    squares="",
    frame=False,
    moves=False,
    on_paper=True,
    ignores=("sums", "labels", "arrows", "mark_ends", "highlight", "filled", "background"),
    sheet=Lazy("knightstour.lab.pictures.plotter").plot_sheet,
)
