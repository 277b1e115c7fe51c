"""Files for pen plotters: HPGL, which plotters have read since 1976, and G-code, as most kits read it.

Both have the strokes of the style `plotter`, one after the other, with the pen up between them: the tour is one stroke
unless it goes over joined borders. Lengths count from the lower left corner of the sheet.
"""

from __future__ import annotations

from typing import Unpack

from knightstour.core.drawing.figure import Drawable, Figure, Paths, Point, Window, figure_of
from knightstour.core.drawing.look import Look, LookOptions, look_of
from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.errors import FormatError
from knightstour.lab.pictures.plotter.sheet import PenSheet, sheet_of

# Steps of HPGL in a millimetre.
_HPGL_STEPS = 40
# G-code: where the pen is, in mm, and how fast it goes down and along, in mm a minute.
_UP, _DOWN, _DOWN_SPEED, _SPEED = 5, 0, 600, 2000
# Larger boards would take a plotter weeks.
MOST_SQUARES = 1_000_000


@shows_arguments
def draw_hpgl(
    subject: Drawable, *, paths: Paths | None = None, window: Window | None = None, **options: Unpack[LookOptions]
) -> str:
    """A tour, a board, or paths over a board, as an HPGL file for a pen plotter.

    Takes what `draw_svg` takes in the style "plotter": paper, margin, landscape, size in millimetres, line, numbers,
    coordinates, closing_move. Raises FormatError for other styles.

    >>> draw_hpgl("3x4", size=40)
    'IN;\\nSP1;\\nPU200,1400;PD1800,1400,1800,200,200,200,200,1400;PU;\\nSP0;\\n'
    """
    sheet = _sheet("an HPGL file", subject, paths, window, options)[0]
    lines = ["IN;"]
    for pen in sheet.pens:
        lines.append(f"SP{pen.number};")
        for stroke in pen.strokes:
            steps = [(round(x * _HPGL_STEPS), round(y * _HPGL_STEPS)) for x, y in _from_below(sheet, stroke)]
            (x, y), *others = steps
            lines.append(f"PU{x},{y};PD{','.join(f'{x},{y}' for x, y in others)};PU;")
    return "\n".join([*lines, "SP0;", ""])


@shows_arguments
def draw_gcode(
    subject: Drawable, *, paths: Paths | None = None, window: Window | None = None, **options: Unpack[LookOptions]
) -> str:
    """A tour, a board, or paths over a board, as G-code for a pen plotter.

    Takes what `draw_hpgl` takes. The pen is up at Z5 and down at Z0; before the next pen the program pauses (M0).

    >>> draw_gcode("3x4", size=40).splitlines()[:3]
    ['; 3x4 board', 'G21 ; millimetres', 'G90 ; from the lower left corner']
    """
    sheet, title = _sheet("G-code", subject, paths, window, options)
    lines = [f"; {title}", "G21 ; millimetres", "G90 ; from the lower left corner", f"G0 Z{_UP}"]
    for k, pen in enumerate(sheet.pens):
        pause = "M0 " if k else ""
        lines.append(f"{pause}; pen {pen.number}: {pen.name}")
        for stroke in pen.strokes:
            (x, y), *others = _from_below(sheet, stroke)
            lines += [f"G0 X{x:.3f} Y{y:.3f}", f"G1 Z{_DOWN} F{_DOWN_SPEED}"]
            lines += [f"G1 X{x:.3f} Y{y:.3f}" + f" F{_SPEED}" * (not at) for at, (x, y) in enumerate(others)]
            lines.append(f"G0 Z{_UP}")
    return "\n".join([*lines, "G0 X0 Y0", "M2", ""])


def _sheet(
    what: str, subject: Drawable, paths: Paths | None, window: Window | None, options: LookOptions
) -> tuple[PenSheet, str]:
    """The sheet, and its title in one line of ASCII."""
    look = look_of(options, style="plotter")
    if look.style != "plotter":
        raise FormatError(
            f"{what} has strokes only, and no style {look.style}",
            help="leave the style out; line smooth and numbers are for plotters too",
        )
    figure = figure_of(subject, paths=paths, window=window)
    _check(figure, what)
    return sheet_of(figure, look), _one_line(figure, look)


def _check(figure: Figure, what: str) -> None:
    if figure.scene is not None:
        raise FormatError(f"{what} shows tours, and no scene of a proof", help="write an .svg or .pdf")
    if figure.rows * figure.cols > MOST_SQUARES:
        raise FormatError(
            f"{figure.rows} x {figure.cols} squares are too many for a plotter", help="draw a window of it"
        )


def _one_line(figure: Figure, look: Look) -> str:
    text = " ".join((look.title or figure.title).split())
    return text.encode("ascii", "replace").decode()


def _from_below(sheet: PenSheet, stroke: list[Point]) -> list[Point]:
    return [(x - sheet.left, sheet.height - (y - sheet.top)) for x, y in stroke]
