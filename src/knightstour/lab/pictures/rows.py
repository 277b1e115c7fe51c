"""The styles `ribbon` and `plotter` as rows of STYLES, and DXF and TikZ as rows of PICTURE_KINDS (core/drawing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.drawing.kinds import PICTURE_KINDS, PictureKind
from knightstour.core.drawing.styles import STYLES, Style
from knightstour.core.model.lazy import Lazy

if TYPE_CHECKING:
    from knightstour.lab.pictures import drawings as _drawings
    from knightstour.lab.pictures import plotter as _plotter
    from knightstour.lab.pictures import weaving as _weaving
else:
    _drawings = Lazy("knightstour.lab.pictures.drawings")
    _plotter = Lazy("knightstour.lab.pictures.plotter")
    _weaving = Lazy("knightstour.lab.pictures.weaving")

STYLES["ribbon"] = Style(
    "the path as a ribbon that passes over and under itself, its colour changing along it",
    squares="",
    line="smooth",
    width=0.22,
    frame=False,
    moves=False,
    on_page=False,
    ignores=("arrows", "filled"),
    path=_weaving.draw_ribbon,
)

STYLES["plotter"] = Style(
    "for a pen plotter: millimetres, strokes only, one path per pen",
    squares="",
    frame=False,
    moves=False,
    on_page=False,
    on_paper=True,
    ignores=("sums", "labels", "arrows", "mark_ends", "highlight", "filled", "background"),
    sheet=_plotter.plot_sheet,
)

PICTURE_KINDS["dxf"] = PictureKind(
    "strokes for laser cutters and CAD",
    "image/vnd.dxf",
    (".dxf",),
    draw=_drawings.draw_dxf,
    draw_sheet=_drawings.draw_dxf,
)

PICTURE_KINDS["tikz"] = PictureKind(
    "a picture for LaTeX",
    "application/x-tex",
    (".tex", ".tikz"),
    is_text=True,
    is_single=True,
    draw=_drawings.draw_tikz,
)
