"""The styles `ribbon` and `plotter` as rows of STYLES, and DXF and TikZ as rows of PICTURE_KINDS (core/drawing)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.drawing.kinds import PICTURE_KINDS, PictureKind
from knightstour.core.drawing.styles import STYLES, Style
from knightstour.core.model.lazy import Lazy

if TYPE_CHECKING:
    from knightstour.lab.pictures import drawings as _drawings
    from knightstour.lab.pictures import knot as _knot
    from knightstour.lab.pictures import plotter as _plotter
else:
    _drawings = Lazy("knightstour.lab.pictures.drawings")
    _plotter = Lazy("knightstour.lab.pictures.plotter")
    _knot = Lazy("knightstour.lab.pictures.knot")

STYLES["ribbon"] = Style(
    "the path as a knot: a ribbon that passes over and under itself, with changing colour",
    squares="",
    width=0.145,
    frame=False,
    moves=False,
    hides_ends=True,
    ignores=("arrows",),
    path=_knot.draw_ribbon,
)

STYLES["plotter"] = Style(
    "for a pen plotter: millimetres, strokes only, one path per pen",
    squares="",
    frame=False,
    moves=False,
    on_page=False,
    on_paper=True,
    hides_ends=True,
    ignores=("labels", "arrows", "highlight"),
    sheet=_plotter.plot_sheet,
)

PICTURE_KINDS["dxf"] = PictureKind(
    "strokes for laser cutters and CAD",
    "image/vnd.dxf",
    (".dxf",),
    defaults={"style": "plotter"},
    draw=_drawings.draw_dxf,
)

PICTURE_KINDS["tikz"] = PictureKind(
    "a picture for LaTeX",
    "application/x-tex",
    (".tex", ".tikz"),
    is_text=True,
    is_single=True,
    draw=_drawings.draw_tikz,
)
