"""Tours as drawings for other programs: DXF for laser cutters and CAD, and TikZ for LaTeX."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from knightstour.core.drawing.figure import Figure, Point
from knightstour.core.drawing.lines import lines_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.svg.gallery import check_sheet
from knightstour.core.drawing.svg.inscriptions import numbers_of, outline_lines
from knightstour.core.drawing.svg.strokes import number
from knightstour.core.model.errors import FormatError, MissingPackage
from knightstour.core.model.graph_board import CellBoard
from knightstour.lab.pictures.plotter import sheet_of

if TYPE_CHECKING:
    from types import ModuleType

_NOT_IN_TIKZ: Final = ("labels", "coordinates", "arrows", "highlight", "title", "background")
_TIKZ_STYLES: Final = ("board", "line", "curve", "numbers")
_SIZE_MM, _LONGEST, _MAX_LOOPS = 80.0, 100, 8
_POINTS = 72.27 / 25.4


def draw_dxf(figures: Sequence[Figure], look: Look, per_row: int | None = None) -> bytes:
    """Return the sheet of the style plotter as a DXF of AutoCAD 2000: one layer per pen, in millimetres.

    Several figures are placed side by side. Raises FormatError for other styles, and if the extra `dxf` is not
    installed.
    """
    if look.row.sheet is None:
        raise FormatError(f".dxf does not support the style {look.style}", help="use the style plotter")
    check_sheet(look, per_row)
    sheet = sheet_of(figures, look, per_row)
    ezdxf = _library()
    ezdxf.options.write_fixed_meta_data_for_testing = True  # the same tour gives the same file
    drawing = ezdxf.new("R2000", units=ezdxf.units.MM)
    for colour, pen in enumerate(sheet.pens, 1):
        layer = f"{pen.number} {pen.name}"
        drawing.layers.add(layer, color=colour)
        for line in pen.lines:
            # The y axis of the sheet points down, that of a DXF up.
            points = [(round(x - sheet.left, 4), round(sheet.top + sheet.height - y, 4)) for x, y in line.points]
            drawing.modelspace().add_lwpolyline(points, close=line.is_closed, dxfattribs={"layer": layer})
    text = io.StringIO()
    drawing.write(text)
    return text.getvalue().encode("utf-8")


def _library() -> ModuleType:
    try:
        import ezdxf
        import ezdxf.units
    except ImportError:
        raise MissingPackage("a .dxf file requires ezdxf", extra="dxf") from None
    return ezdxf


# ---------------------------------------------------------------- TikZ


def draw_tikz(figures: Sequence[Figure], look: Look, _: int | None = None) -> bytes:
    r"""Return a picture for LaTeX: squares, path, marks and numbers, for a document with \usepackage{tikz}.

    The size of the look is the longer side in millimetres, 80 by default. Raises FormatError for a style or an option
    that TikZ does not support, and for boards of more than 100 rows or columns.
    """
    (figure,) = figures
    if look.style not in _TIKZ_STYLES:
        raise FormatError(f"TikZ does not support the style {look.style}", help="use one of " + ", ".join(_TIKZ_STYLES))
    unused = [name for name in _NOT_IN_TIKZ if getattr(look, name) not in (None, False, (), [])]
    if unused:
        raise FormatError(f"TikZ does not support {unused[0]}", help="omit it, or use svg")
    longer = max(figure.rows, figure.cols)
    if longer > _LONGEST or isinstance(figure.board, CellBoard):
        raise FormatError(f"TikZ supports boards of at most {_LONGEST} rows and columns", help="write a .pdf")
    unit = number((look.size or _SIZE_MM) / longer)
    if look.line_mm is not None:
        look = look.on_squares_of(float(unit))
    theme = look.palette
    inks = {name: getattr(theme, name) for name in ("light", "dark", "frame", "path", "start", "end", "number")}
    inks |= {f"loop{k}": theme.loops[k % len(theme.loops)] for k in range(_MAX_LOOPS)}
    drawn = [*_squares(figure, look), *_paths(figure, look, float(unit)), *_numbers(figure, look)]
    used = {name for line in drawn for name in re.findall(r"\[kt(\w+)", line)}
    colours = [rf"\definecolor{{kt{name}}}{{HTML}}{{{ink[1:].upper()}}}" for name, ink in inks.items() if name in used]
    body = "\n".join([*colours, *drawn])
    title = figure.title.replace("\n", " ")
    return f"% {title}\n\\begin{{tikzpicture}}[x={unit}mm,y={unit}mm]\n{body}\n\\end{{tikzpicture}}\n".encode()


def _squares(figure: Figure, look: Look) -> list[str]:
    holes = set(figure.holes)
    lines = []
    if look.row.squares:
        lines = [
            rf"\fill[kt{'dark' if (figure.top + figure.left + row + col) % 2 else 'light'}] "
            rf"({col},{figure.rows - row - 1}) rectangle ++(1,1);"
            for row in range(figure.rows)
            for col in range(figure.cols)
            if (row, col) not in holes
        ]
    if look.has_frame:
        lines += [
            rf"\draw[ktframe] {_at(begin, figure)} -- {_at(end, figure)};"
            for begin, end in outline_lines(figure.rows, figure.cols, figure.holes)
        ]
    return lines


def _paths(figure: Figure, look: Look, unit: float) -> list[str]:
    found = []
    width = f"line width={number(look.pen_width * unit * _POINTS)}pt,line join=round,line cap=round"
    faint = "" if look.row.opacity == 1.0 else f",opacity={look.row.opacity:g}"
    for walk in figure.walks:
        ink = "path" if figure.is_tour else f"loop{walk.tone % _MAX_LOOPS}"
        for line in lines_of(figure, walk, smooth=look.is_smooth):
            points = " -- ".join(_at(point, figure) for point in line.points)
            found.append(rf"\draw[kt{ink},{width}{faint}] {points}{' -- cycle' if line.is_closed else ''};")
        if look.marks_ends(figure):
            first, last = ((float(s[1]) + 0.5, float(s[0]) + 0.5) for s in (walk.squares[0], walk.squares[-1]))
            found.append(rf"\fill[ktstart] {_at(first, figure)} circle (0.14);")
            found.append(
                rf"\draw[ktend,line width={number(0.06 * unit * _POINTS)}pt] {_at(last, figure)} circle (0.2);"
            )
    return found


def _numbers(figure: Figure, look: Look) -> list[str]:
    every = look.every()
    texts = sorted(numbers_of(figure, every).items()) if every else []
    return [
        rf"\node[ktnumber,scale=0.8] at {_at((col + 0.5, row + 0.5), figure)} {{{text}}};" for (row, col), text in texts
    ]


def _at(point: Point, figure: Figure) -> str:
    """Return a point in the coordinates of TikZ."""
    return f"({number(point[0])},{number(figure.rows - point[1])})"
