"""Tours and boards as SVG: `draw_svg` gives a text that browsers, notebooks and plotters understand.

A picture is built from the back to the front: squares, what is pointed out, border and names, the path, its marks,
numbers. Lengths are in units of a fortieth of a square (see strokes.py). Colours are written as attributes, for the
light theme; with theme="auto" a style sheet puts those of the dark theme in their place where the reader prefers it,
so that programs that know no style sheets still draw the light one.

Size: a move takes about 5 characters and a point 9, so 100x100 squares take 55 kB as a line and 150 kB in colours.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from knightstour.board import square_name
from knightstour.drawing import strokes
from knightstour.drawing.figure import Figure, Walk, Window, figure_of
from knightstour.drawing.look import Look, look_of
from knightstour.drawing.plotter import plot_sheet
from knightstour.drawing.strokes import UNIT, number
from knightstour.drawing.themes import Theme, ink_on, ramp, theme_of
from knightstour.errors import FormatError
from knightstour.files import open_target

# Longer side of a picture nobody gave a size for, in pixels; and the largest and smallest of one of its squares.
_USUAL_SIZE, _LARGEST_SQUARE, _SMALLEST_SQUARE = 800, 60, 8
# Boards of more squares have no dots, whatever the style.
_MOST_DOTS = 3600
# More squares than these cannot be shown as text that anything opens; PNG draws them otherwise.
MOST_SQUARES = 1_000_000
_RAMP_STEPS = 64
FONT = "Aileron,Helvetica Neue,Helvetica,Arial,sans-serif"
# Rows with longer names are told in a caption.
_LONGEST_NAME = 5
# How far a window fades out beyond its squares, in squares.
_FADE = 1.0

Box = tuple[float, float, float, float]


class Svg(str):
    """An SVG picture as text, which notebooks show as a picture."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return str(self)

    def save(self, path: str | Path, *, force: bool = False) -> None:
        """Write it to a file, which appears when it is complete; a FormatError where there is one, unless `force`."""
        with open_target(path, force=force) as file:
            file.write(self.encode("utf-8"))


def draw_svg(
    subject: Any,
    *,
    paths: Any = None,
    window: Window | None = None,
    **options: Any,
) -> Svg:
    """A tour, a board, or paths over a board, as an SVG picture.

    subject: a Tour, an ImplicitTour (with a window), or a board (also "8x8" or a pair).
    paths: with a board: squares in order of visit, or several such lists, each in its colour; a list that ends where
        it began is a loop. So partial paths and covers are drawn.
    window: (row, col, rows, cols): only that part. Where the board goes on, the picture fades out.

    Options, the same for draw_png, animate and draw_gallery:

    style: "board", "line", "curve", "numbers", "heat" or "plotter" (see STYLES).
    theme: "auto" (as the reader prefers), "light" or "dark". colors: other colours for a theme, {"path": "#aa0000"};
        the names are the fields of Theme.
    numbers: True for all, or k for each k-th. On an empty board they are the numbers of moves (degrees).
    labels: {square: text}, to stand there instead. coordinates: names of rows and columns; None: as the style has it.
    arrows: a head on each move. mark_ends: a disc at the start, a ring at the end; None: unless it is a loop without
        a board. closing_move: of a closed tour; True, False or "dashed".
    highlight: squares, or {square: colour}. filled: colour the inside of a closed path, by the even-odd rule.
    background: a colour, "paper" for that of the theme, None for none. width: of the line, in squares.
    size: longer side in pixels, for the plotter in millimetres. title: instead of the usual one.

    Raises FormatError for options that make no sense, BoardError for a board that cannot be drawn (graphs, too many
    squares), InvalidTour for paths that take no moves.

    >>> from knightstour.tour import Tour
    >>> tour = Tour.from_numbers([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> picture = draw_svg(tour, style="line")
    >>> picture[:4], len(picture) < 1500
    ('<svg', True)
    """
    return svg_of(figure_of(subject, paths=paths, window=window), look_of(options))


def svg_of(figure: Figure, look: Look) -> Svg:
    """The picture of a figure."""
    if figure.rows * figure.cols > MOST_SQUARES:
        raise FormatError(
            f"{figure.rows} x {figure.cols} squares are too many for an SVG picture",
            note=f"at most {MOST_SQUARES:,}",
            help="draw a PNG, or a window of it",
        )
    if look.style == "plotter":
        return Svg(plot_sheet(figure, look))
    pen = Pen(look)
    content, box = picture(figure, look, pen)
    return Svg(document(content, box, look, pen, look.title or figure.title, figure.description))


class Pen:
    """Colours as attributes, remembered so that a style sheet can give those of the other theme."""

    def __init__(self, look: Look) -> None:
        self.theme = look.light
        self.is_auto = look.theme == "auto"
        self.other: Theme = theme_of("dark", look.colors)
        self._used: dict[str, tuple[str, str]] = {}

    def __call__(self, attribute: str, role: str, loop: int = 0) -> str:
        """fill= or stroke= in the colour of a role of the theme."""

        def colour(theme: Theme) -> str:
            return theme.loops[loop % len(theme.loops)] if role == "loops" else str(getattr(theme, role))

        here = colour(self.theme)
        if not self.is_auto:
            return f'{attribute}="{here}"'
        name = f"{attribute[0]}-{role}" + (str(loop % len(self.theme.loops)) if role == "loops" else "")
        self._used[name] = (attribute, colour(self.other))
        return f'class="{name}" {attribute}="{here}"'

    def style_sheet(self) -> tuple[str, str]:
        """The class of the picture, and the rules for the dark theme; both empty if the theme is fixed."""
        if not self._used:
            return "", ""
        # The rules count for one picture only, though a page may hold many.
        scope = f"kt-{zlib.crc32(repr(sorted(self._used.items())).encode()):08x}"
        rules = "".join(f".{scope} .{n}{{{a}:{c}}}" for n, (a, c) in sorted(self._used.items()))
        return scope, f"<style>@media(prefers-color-scheme:dark){{{rules}}}</style>"


def document(content: str, box: Box, look: Look, pen: Pen, title: str, description: str) -> str:
    """The whole SVG round what was drawn in a box (x, y, width, height)."""
    x, y, width, height = box
    longer = max(width, height)
    count = longer / UNIT
    size = look.size or max(min(_USUAL_SIZE, _LARGEST_SQUARE * count), _SMALLEST_SQUARE * count)
    scale = size / longer
    back = ""
    if look.background is not None:
        fill = pen("fill", "paper") if look.background == "paper" else f'fill="{look.background}"'
        back = f'<rect x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}" {fill}/>'
    scope, style = pen.style_sheet()
    name = f' class="{scope}"' if scope else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg"{name} role="img" width="{number(width * scale)}" '
        f'height="{number(height * scale)}" viewBox="{number(x)} {number(y)} {number(width)} {number(height)}">'
        f"<title>{escape(title)}</title><desc>{escape(description)}</desc>{style}{back}{content}</svg>"
    )


# ---------------------------------------------------------------- the parts of a picture


def picture(figure: Figure, look: Look, pen: Pen) -> tuple[str, Box]:
    """The drawing, and the box it fills."""
    parts = [_squares(figure, look, pen), _highlights(figure, look, pen)]
    parts.append(_path(figure, look, pen))
    if look.row.dots and figure.walks and figure.rows * figure.cols <= _MOST_DOTS and not look.every():
        parts.append(_dots(figure, look, pen))
    if look.marks_ends(figure) and not look.every():
        parts.append(_marks(figure, pen))
    parts.append(_texts(figure, look, pen))
    content = "".join(parts)
    if figure.is_window:
        content = _faded(content, figure)
    border, margin = _border(figure, look, pen)
    top, right, bottom, left = margin
    legend = _legend(figure, look, pen, bottom) if look.row.squares == "heat" else ""
    height = figure.rows * UNIT + top + bottom + (34 if legend else 0)
    box = (-left, -top, figure.cols * UNIT + left + right, height)
    return content + border + legend, box


def _squares(figure: Figure, look: Look, pen: Pen) -> str:
    if look.row.squares == "heat":
        return _heat(figure)
    if look.row.squares != "chess":
        return ""
    # Each row of dark squares is one dashed line; a1, at the bottom left, is dark.
    reach = 1 if figure.is_window else 0
    rows, cols = range(-reach, figure.rows + reach), figure.cols + 2 * reach
    holes = set(figure.holes)

    def is_dark(row: int, col: int) -> bool:
        return (figure.board.rows - 1 - figure.top - row + figure.left + col) % 2 == 0

    if not holes:
        width, height = cols * UNIT, len(rows) * UNIT
        corner = f'x="{-reach * UNIT}" y="{-reach * UNIT}" ' if reach else ""
        light = f'<rect {corner}width="{width}" height="{height}" {pen("fill", "light")}/>'
        lines = []
        for row in rows:
            shift = 0 if is_dark(row, -reach) else 1
            if cols > shift:
                lines.append(f"M{(shift - reach) * UNIT} {row * UNIT + UNIT // 2}h{(cols - shift) * UNIT}")
        dark = (
            f'<path d="{"".join(lines)}" fill="none" stroke-width="{UNIT}" stroke-dasharray="{UNIT}" '
            f"{pen('stroke', 'dark')}/>"
        )
        return f'<g shape-rendering="crispEdges">{light}{dark}</g>'
    every = [(r, c) for r in rows for c in range(-reach, figure.cols + reach) if (r, c) not in holes]
    light = f'<path d="{_cells([s for s in every if not is_dark(*s)])}" {pen("fill", "light")}/>'
    dark = f'<path d="{_cells([s for s in every if is_dark(*s)])}" {pen("fill", "dark")}/>'
    return f'<g shape-rendering="crispEdges">{light}{dark}</g>'


def _cells(squares: list[tuple[int, int]]) -> str:
    return "".join(f"M{c * UNIT} {r * UNIT}h{UNIT}v{UNIT}h-{UNIT}z" for r, c in squares)


def heat_of(figure: Figure) -> dict[tuple[int, int], float]:
    """How far along the tour each square of the window is, 0 to 1; on an empty board its share of the most moves."""
    if figure.walks:
        squares, steps = figure.steps()
        last = max(1, (figure.span or figure.length) - 1)
        return {(r, c): step / last for (r, c), step in zip(squares.tolist(), steps, strict=True)}
    degrees = figure.degrees()
    most = max(1, int(degrees.max()))
    return {(r, c): degrees[r, c] / most for r, c in np.argwhere(degrees >= 0).tolist()}


def _heat(figure: Figure) -> str:
    """Squares of one colour are one path; those not visited stay grey."""
    colours = ramp(_RAMP_STEPS)
    by_colour: dict[str, list[tuple[int, int]]] = {}
    heat = heat_of(figure)
    for square, share in heat.items():
        by_colour.setdefault(colours[round(share * (_RAMP_STEPS - 1))], []).append(square)
    holes = set(figure.holes)
    rest = [
        (r, c) for r in range(figure.rows) for c in range(figure.cols) if (r, c) not in heat and (r, c) not in holes
    ]
    paths = [f'<path d="{_cells(squares)}" fill="{colour}"/>' for colour, squares in sorted(by_colour.items())]
    if rest:
        paths.append(f'<path d="{_cells(rest)}" fill="#888888" fill-opacity=".18"/>')
    return f'<g shape-rendering="crispEdges">{"".join(paths)}</g>'


def _highlights(figure: Figure, look: Look, pen: Pen) -> str:
    parts = []
    for (row, col), colour in look.highlighted(figure.board).items():
        r, c = row - figure.top, col - figure.left
        if 0 <= r < figure.rows and 0 <= c < figure.cols:
            fill = f'fill="{colour}"' if colour else pen("fill", "mark")
            parts.append(f'<path d="{_cells([(r, c)])}" {fill}/>')
    return "".join(parts)


# ---------------------------------------------------------------- the path


def _path(figure: Figure, look: Look, pen: Pen) -> str:
    if not figure.walks:
        return ""
    style = look.row
    trace: Callable[..., str] = strokes.smooth if style.line == "smooth" else strokes.straight
    solid = look.closing_move is True
    if style.squares == "heat" and look.every():
        # The colours tell the way, and the numbers can be read.
        return ""
    width = look.line_width * UNIT
    # A round end would stick out over a joined border.
    cap = "butt" if figure.board.wrap else "round"
    common = f'stroke-linejoin="round" stroke-linecap="{cap}" stroke-width="{number(width)}"'
    if style.opacity < 1:
        common += f' stroke-opacity="{number(style.opacity)}"'
    groups: dict[int, list[Walk]] = {}
    for index, walk in enumerate(figure.walks):
        tone = index if walk.tone is None else walk.tone
        groups.setdefault(0 if figure.is_tour else tone % len(pen.theme.loops), []).append(walk)
    parts = []
    for loop, walks in groups.items():
        role = "path" if figure.is_tour else "loops"
        data = "".join(trace(figure, walk, with_closing=solid) for walk in walks)
        if style.squares == "heat":
            parts.append(f'<path d="{data}" fill="none" stroke="#000" stroke-opacity=".45" {_wider(common, width)}/>')
            parts.append(f'<path d="{data}" fill="none" stroke="#fff" {common}/>')
        else:
            if look.filled:
                parts.append(f'<path d="{data}" fill-rule="evenodd" fill-opacity=".16" {pen("fill", role, loop)}/>')
            parts.append(f'<path d="{data}" fill="none" {pen("stroke", role, loop)} {common}/>')
        if look.closing_move == "dashed":
            last = "".join(_closing(figure, walk) for walk in walks)
            dashes = f'stroke-dasharray="{number(width * 0.1)} {number(width * 2.2)}"'
            parts.append(
                f'<path d="{last}" fill="none" {pen("stroke", role, loop)} {common} {dashes}/>' if last else ""
            )
        if look.arrows:
            heads = "".join(strokes.arrows(figure, walk, with_closing=solid) for walk in walks)
            parts.append(f'<path d="{heads}" {pen("fill", role, loop)}/>')
    return "".join(parts)


def _wider(common: str, width: float) -> str:
    return common.replace(f'stroke-width="{number(width)}"', f'stroke-width="{number(2.4 * width)}"')


def _closing(figure: Figure, walk: Walk) -> str:
    """Path data of the closing move alone."""
    if not walk.is_closed:
        return ""
    return strokes.straight(figure, Walk(walk.squares[[-1, 0]]))


def _dots(figure: Figure, look: Look, pen: Pen) -> str:
    parts = []
    for index, walk in enumerate(figure.walks):
        role, loop = ("path", 0) if figure.is_tour else ("loops", index if walk.tone is None else walk.tone)
        rows, cols = walk.squares[:, 0], walk.squares[:, 1]
        inside = (rows >= 0) & (rows < figure.rows) & (cols >= 0) & (cols < figure.cols)
        data = strokes.dots(walk.squares[inside])
        width = number(2.1 * look.line_width * UNIT)
        parts.append(f'<path d="{data}" {pen("stroke", role, loop)} stroke-width="{width}" stroke-linecap="round"/>')
    return "".join(parts)


def _marks(figure: Figure, pen: Pen) -> str:
    start, end = figure.ends()
    parts = []
    radius = 0.2 * UNIT
    for square, is_start in ((start, True), (None if figure.is_loop or start == end else end, False)):
        if square is None:
            continue
        place = f'cx="{number((square[1] + 0.5) * UNIT)}" cy="{number((square[0] + 0.5) * UNIT)}"'
        if is_start:
            parts.append(f'<circle {place} r="{number(radius)}" {pen("fill", "start")}/>')
        else:
            ring = f'{pen("stroke", "end")} stroke-width="{number(0.09 * UNIT)}"'
            parts.append(f'<g {ring}><circle {place} r="{number(radius * 0.82)}" {pen("fill", "paper")}/></g>')
    return "".join(parts)


# ---------------------------------------------------------------- texts


def _texts(figure: Figure, look: Look, pen: Pen) -> str:
    """Numbers or labels on squares. Over a path each stands on a disc of its own."""
    labels = {(row - figure.top, col - figure.left): text for (row, col), text in look.labelled(figure.board).items()}
    every = look.every()
    if every:
        labels = {**_numbers(figure, every), **labels}
    if not labels:
        return ""
    longest = max(1, *map(len, labels.values()))
    is_heat = look.row.squares == "heat"
    has_discs = bool(figure.walks) and not look.row.numbers and not is_heat
    size = UNIT * (min(0.34, 0.95 / longest) if has_discs else min(0.42, 1.5 / longest))
    squares = sorted(labels)
    discs = ""
    if has_discs:
        data = strokes.dots(np.array(squares, dtype=np.int64).reshape(-1, 2))
        wide = f'd="{data}" stroke-linecap="round"'
        discs = (
            f'<path {wide} stroke-width="{number(0.66 * UNIT)}" {pen("stroke", "path")}/>'
            f'<path {wide} stroke-width="{number(0.58 * UNIT)}" {pen("stroke", "light")}/>'
        )
        if every and look.marks_ends(figure):
            discs += _disc_marks(figure, pen)
    shades: dict[str, list[tuple[int, int]]] = {}
    heat = heat_of(figure) if is_heat else {}
    for square in squares:
        ground = ramp(_RAMP_STEPS)[round(heat[square] * (_RAMP_STEPS - 1))] if square in heat else ""
        shades.setdefault(ink_on(ground) if ground else "", []).append(square)
    font = f'font-family="{FONT}" font-size="{number(size)}" text-anchor="middle"'
    parts = []
    for ink, group in shades.items():
        fill = f'fill="{ink}"' if ink else pen("fill", "number")
        rows: dict[int, list[tuple[int, int]]] = {}
        for square in group:
            rows.setdefault(square[0], []).append(square)
        lines = []
        for row, line in rows.items():
            spans = "".join(f'<tspan x="{c * UNIT + UNIT // 2}">{escape(labels[r, c])}</tspan>' for r, c in line)
            lines.append(f'<text y="{number((row + 0.5) * UNIT + 0.355 * size)}">{spans}</text>')
        parts.append(f"<g {font} {fill}>{''.join(lines)}</g>")
    return discs + "".join(parts)


def _disc_marks(figure: Figure, pen: Pen) -> str:
    """The ends of a path whose squares have discs: the rims of theirs."""
    rims = []
    start, end = figure.ends()
    for square in {start, None if figure.is_loop else end} - {None}:
        assert square is not None
        place = f'cx="{number((square[1] + 0.5) * UNIT)}" cy="{number((square[0] + 0.5) * UNIT)}"'
        rims.append(f'<circle {place} r="{number(0.32 * UNIT)}"/>')
    return f'<g fill="none" {pen("stroke", "start")} stroke-width="{number(0.08 * UNIT)}">{"".join(sorted(rims))}</g>'


def _numbers(figure: Figure, every: int) -> dict[tuple[int, int], str]:
    """Text of each square that has a number to show: of its step, or of its moves on an empty board."""
    if not figure.walks:
        degrees = figure.degrees()
        return {(r, c): str(degrees[r, c]) for r, c in np.argwhere(degrees >= 0).tolist()}
    squares, steps = figure.steps()
    shown = ((step + 1) % every == 0 or step in (0, figure.length - 1) for step in steps)
    return {
        (r, c): _shortened(step + 1)
        for (r, c), step, is_shown in zip(squares.tolist(), steps, shown, strict=True)
        if is_shown
    }


def _shortened(number: int) -> str:
    """Giant numbers by their last digits, since neighbours differ only there."""
    text = str(number)
    return text if len(text) <= 6 else "…" + text[-4:]


# ---------------------------------------------------------------- border, names, fading


def _border(figure: Figure, look: Look, pen: Pen) -> tuple[str, tuple[float, float, float, float]]:
    """The frame with the names, and the room it takes at the top, right, bottom and left."""
    width, height = figure.cols * UNIT, figure.rows * UNIT
    pad = 0.25 * UNIT
    parts = []
    if figure.is_window:
        pad = _FADE * UNIT
    elif look.row.frame or figure.board.wrap is not None:
        parts.append(_frame(figure, pen, width, height))
        if figure.board.wrap is not None:
            pad = 0.4 * UNIT
    before = below = over = 0.0
    if look.has_names(figure):
        names, before, below, over = _names(figure, pen, width, height, pad)
        parts.append(names)
    return "".join(parts), (pad + over, pad + over, pad + below, pad + before)


def _frame(figure: Figure, pen: Pen, width: int, height: int) -> str:
    """The border. Joined sides are dashed, and arrow heads show how they are joined, as topologists draw it."""
    stroke = f'fill="none" {pen("stroke", "frame")} stroke-width="2"'
    wrap = figure.board.wrap
    if wrap is None:
        if figure.holes:
            return ""
        return f'<rect width="{width}" height="{height}" {stroke} rx="1"/>'
    sides = f"M0 0v{height}M{width} 0v{height}"
    ends = f"M0 0h{width}M0 {height}h{width}"
    dashes = 'stroke-dasharray="5 4"'
    heads = []
    middle, centre = height / 2, width / 2
    turned = wrap in ("mobius", "klein")
    for x, is_up in ((0, True), (width, not turned)):
        tip = -7 if is_up else 7
        heads.append(f"M{x - 5} {number(middle - tip / 2)}l5 {tip} 5 {-tip}z")
    if wrap in ("torus", "klein"):
        for y in (0, height):
            heads += [f"M{number(centre - 7 + gap)} {y - 5}l7 5-7 5z" for gap in (0, 6)]
        border = f'<path d="{sides}{ends}" {stroke} {dashes}/>'
    else:
        border = f'<path d="{sides}" {stroke} {dashes}/><path d="{ends}" {stroke}/>'
    return border + f'<path d="{"".join(heads)}" {pen("fill", "text")}/>'


def _names(figure: Figure, pen: Pen, width: int, height: int, pad: float) -> tuple[str, float, float, float]:
    """Letters below and numbers at the left, or each 5th or 10th; the room at the left, below, and over the corner."""
    longer = max(figure.rows, figure.cols)
    every = 1 if longer <= 30 else 5 if longer <= 60 else 10
    # On large boards names are larger than squares, so that they can be read when the picture is scaled down.
    size = UNIT * 0.32 * max(1.0, longer / 15)
    texts = []
    rows = [r for r in range(figure.rows) if (figure.board.rows - figure.top - r) % every == 0 or every == 1]
    cols = [c for c in range(figure.cols) if (c + figure.left + 1) % every == 0 or every == 1]
    row_names = {r: square_name((r + figure.top, 0), figure.board.rows)[1:] for r in rows}
    col_names = {c: square_name((0, c + figure.left), 1)[:-1] for c in cols}
    longest = max([len(x) for x in (*row_names.values(), *col_names.values())], default=1)
    if longest > _LONGEST_NAME:
        caption, below = _caption(figure, pen, width, height + pad)
        return caption, 0.0, below, 0.0
    room = max(size * (0.75 + 0.55 * longest), 0.45 * UNIT)
    gap = pad * 0.45
    for row, name in row_names.items():
        texts.append(
            f'<text x="{number(-gap - 0.3 * size)}" y="{number((row + 0.5) * UNIT + 0.355 * size)}">{name}</text>'
        )
    across = [
        f'<text x="{number((col + 0.5) * UNIT)}" y="{number(height + gap + 1.05 * size)}">{name}</text>'
        for col, name in col_names.items()
    ]
    font = f'font-family="{FONT}" font-size="{number(size)}" {pen("fill", "text")}'
    return (
        f'<g {font}><g text-anchor="end">{"".join(texts)}</g><g text-anchor="middle">{"".join(across)}</g></g>',
        room,
        room,
        max(0.0, 0.3 * size * longest - pad - UNIT / 2),
    )


def _caption(figure: Figure, pen: Pen, width: float, top: float) -> tuple[str, float]:
    """Where on a giant board the window is, in place of names that would not fit."""
    first, last = figure.top, figure.top + figure.rows - 1
    left, right = figure.left, figure.left + figure.cols - 1
    lines = [
        f"rows {_grouped(first)} to {_grouped(last)} of {_grouped(figure.board.rows)}",
        f"columns {_grouped(left)} to {_grouped(right)} of {_grouped(figure.board.cols)}",
    ]
    size = min(0.4 * UNIT, 1.7 * width / max(map(len, lines)))
    texts = "".join(
        f'<text x="{number(width / 2)}" y="{number(top + 1.3 * size * (k + 0.8))}">{line}</text>'
        for k, line in enumerate(lines)
    )
    font = f'font-family="{FONT}" font-size="{number(size)}" text-anchor="middle" {pen("fill", "text")}'
    return f"<g {font}>{texts}</g>", 3 * size


def _grouped(number: int) -> str:
    text = f"{number:,}"
    return text if len(text) <= 26 else f"{text[:7]} … {text[-7:]}"


def _legend(figure: Figure, look: Look, pen: Pen, below: float) -> str:
    """The ramp under a heat map, with what its ends stand for."""
    width = min(figure.cols * UNIT, 320)
    top = figure.rows * UNIT + below + 4
    colours = ramp(16)
    step = width / len(colours)
    bars = "".join(
        f'<rect x="{number(k * step)}" y="{number(top)}" width="{number(step + 0.6)}" height="8" fill="{colour}"/>'
        for k, colour in enumerate(colours)
    )
    if figure.walks:
        low, high = "1", f"{figure.span or figure.length}"
    else:
        low, high = "0 moves", str(max(1, int(figure.degrees().max())))
    font = f'font-family="{FONT}" font-size="12" {pen("fill", "text")}'
    y = number(top + 22)
    return (
        f'<g>{bars}</g><g {font}><text y="{y}">{low}</text>'
        f'<text x="{number(width)}" y="{y}" text-anchor="end">{high}</text></g>'
    )


def _faded(content: str, figure: Figure) -> str:
    """A drawing that fades out on the sides where the board goes on, and is cut at the others."""
    key = f"{zlib.crc32(content.encode()):08x}"
    top, right, bottom, left = (_FADE * UNIT * is_open for is_open in figure.open_sides)
    width, height = figure.cols * UNIT, figure.rows * UNIT
    box = (
        f'x="{number(-left)}" y="{number(-top)}" width="{number(width + left + right)}" '
        f'height="{number(height + top + bottom)}"'
    )

    def ramp_of(name: str, direction: str, low: float, size: float, high: float) -> str:
        whole = low + size + high
        stops = [(0, 0 if low else 1), (low / whole, 1), (1 - high / whole, 1), (1, 0 if high else 1)]
        marks = "".join(f'<stop offset="{number(at)}" stop-color="#fff" stop-opacity="{seen}"/>' for at, seen in stops)
        return f'<linearGradient id="{name}{key}" {direction}>{marks}</linearGradient>'

    gradients = ramp_of("x", 'x2="1"', left, width, right) + ramp_of("y", 'x2="0" y2="1"', top, height, bottom)
    masks = "".join(
        f'<mask id="m{name}{key}" maskUnits="userSpaceOnUse" {box}><rect {box} fill="url(#{name}{key})"/></mask>'
        for name in "xy"
    )
    return f'<defs>{gradients}{masks}</defs><g mask="url(#mx{key})"><g mask="url(#my{key})">{content}</g></g>'
