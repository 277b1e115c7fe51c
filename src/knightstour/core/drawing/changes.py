"""Draw only the differences between consecutive frames of an animation.

A frame is split into facts: a move, a dot, a number, a mark. Only the rectangle around the squares with changed facts
is drawn again. Other changes, such as of the size of the numbers or the order of the colours, require a new picture.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from knightstour.core.drawing.figure import Figure, Walk
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.png import attribute_of, png_of, to_png
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.picture import part_of, svg_of
from knightstour.core.drawing.svg.strokes import UNIT
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard

if TYPE_CHECKING:
    from PIL.Image import Image

Square = tuple[int, int]
# A fact: its squares and their content.
Fact = tuple[tuple[Square, ...], object]

# Longest side; marks of larger boards extend far beyond their squares.
_MAX_SIDE = 100
# Margin that is drawn around the rectangle and cut off, in pixels, since lines are cut at the edge.
_EDGE = 2
# The edge of a coloured square lies within pixels of the adjacent squares.
_TINT, _PIXEL = "tint", 0.01


@dataclass(slots=True)
class Painter:
    _image: Image | None = None
    _facts: set[Fact] = field(default_factory=set)
    _whole: object = None
    # Pixels per unit of the drawing, and the position of the board's top left corner.
    _scale: float = 1.0
    _corner: tuple[float, float] = (0.0, 0.0)

    def image(self, figure: Figure, look: Look) -> Image:
        """Return the picture of a figure, equal to the result of `png_of`."""
        if (
            max(figure.rows, figure.cols) > _MAX_SIDE
            or figure.is_window
            or look.row.is_filled
            or isinstance(figure.board, CellBoard)
        ):
            return open_png(png_of(figure, look))
        facts, whole = set(_facts_of(figure, look)), _whole_of(figure, look)
        if self._image is None or whole != self._whole:
            self._image = self._drawn_whole(figure, look)
        elif changed := {square for fact in facts ^ self._facts for square in _visible_squares(fact, figure, look)}:
            self._image = self._drawn_again(self._image, figure, look, changed)
        self._facts, self._whole = facts, whole
        return self._image

    def _drawn_whole(self, figure: Figure, look: Look) -> Image:
        svg = svg_of(figure, look)
        image = open_png(to_png(svg, round(look.size or 1)))
        # Convert the units of the drawing to pixels: the longer sides of picture and image are equal.
        width, height = (attribute_of(svg, name) for name in ("width", "height"))
        x, y, wide, high = (float(part) for part in svg.split('viewBox="', 1)[1].split('"', 1)[0].split())
        pixel = max(image.size) / max(width, height)
        scale = min(width / wide, height / high)
        self._scale = pixel * scale
        self._corner = (
            pixel * ((width - scale * wide) / 2) - x * self._scale,
            pixel * ((height - scale * high) / 2) - y * self._scale,
        )
        return image

    def _drawn_again(self, before: Image, figure: Figure, look: Look, changed: set[Square]) -> Image:
        """Draw the changed squares again."""
        rows, cols = zip(*changed, strict=True)
        first, last = (min(rows), min(cols)), (max(rows), max(cols))
        left, top, right, bottom = self._pixels(first, last)
        width, height = right - left + 2 * _EDGE, bottom - top + 2 * _EDGE
        x, y = (start - _EDGE - corner for start, corner in zip((left, top), self._corner, strict=True))
        box = (x / self._scale, y / self._scale, width / self._scale, height / self._scale)
        here = look if _has_text(first, last, figure, look) else look.with_options(labels=None)
        part = open_png(to_png(part_of(figure, here, Pen(look), box, (width, height)), max(width, height)))
        image = before.copy()
        image.paste(part.crop((_EDGE, _EDGE, width - _EDGE, height - _EDGE)), (left, top))
        return image

    def _pixels(self, first: Square, last: Square) -> tuple[int, int, int, int]:
        """Return left, top, right and bottom in pixels."""
        (x, y), side = self._corner, self._scale * UNIT
        ends = (x + side * first[1], y + side * first[0], x + side * (last[1] + 1), y + side * (last[0] + 1))
        left, top, right, bottom = map(round, ends)
        return left, top, right, bottom


def open_png(png: bytes) -> Image:
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGB")


def _has_text(first: Square, last: Square, figure: Figure, look: Look) -> bool:
    """Whether a rectangle contains a label. Otherwise no font is loaded, which is slow."""
    squares = look.label_texts(figure.board)
    return any(first[0] <= row <= last[0] and first[1] <= col <= last[1] for row, col in squares)


def _whole_of(figure: Figure, look: Look) -> object:
    tones = tuple(figure.by_tone(len(look.palette.loops)))
    size = _letters(figure, look) if look.every() else 0
    return (size, bool(figure.walks), figure.is_tour, tones, figure.span or figure.length)


def _letters(figure: Figure, look: Look) -> int:
    """Return the length of the longest text on a square."""
    digits = len(str(figure.length)) if look.every() else 1
    return max([digits, *(len(str(text)) for text in (look.labels or {}).values())])


def _visible_squares(fact: Fact, figure: Figure, look: Look) -> Iterable[Square]:
    where, what = fact
    if len(where) == 1:
        is_tint = isinstance(what, tuple) and what[0] == _TINT
        room = max(_PIXEL if is_tint else 0.0, 1.3 * look.pen_width - 0.5)
        return where if room == 0 else _around(where, room, figure)
    # Lines are twice as wide over a heat map, and arrow heads wider than lines.
    width = max(1.3 * look.pen_width, 0.11 if look.arrows else 0.0)
    if look.is_smooth or figure.board.wrap is not None:
        assert isinstance(figure.board, GridBoard)
        reach = figure.board.piece.reach
        curve = 0.25 * reach if look.is_smooth else 0.0
        return _around(where, curve + width + (reach if figure.board.wrap is not None else 0), figure)
    return _along(where[0], where[1], width, figure)


def _around(squares: tuple[Square, ...], room: float, figure: Figure) -> list[Square]:
    """Return the squares in a rectangle around some squares."""
    rows, cols = zip(*squares, strict=True)
    top, bottom = math.floor(min(rows) - room), math.ceil(max(rows) + room)
    left, right = math.floor(min(cols) - room), math.ceil(max(cols) + room)
    return [
        (row, col)
        for row in range(max(0, top), min(figure.rows - 1, bottom) + 1)
        for col in range(max(0, left), min(figure.cols - 1, right) + 1)
    ]


def _along(first: Square, last: Square, width: float, figure: Figure) -> Iterator[Square]:
    """Yield the squares near the line between two centres."""
    down, across = last[0] - first[0], last[1] - first[1]
    length = math.hypot(down, across)
    far = 0.5 * (abs(down) + abs(across)) + width * length
    for row, col in _around((first, last), max(0.0, width - 0.5), figure):
        if abs((row - first[0]) * across - (col - first[1]) * down) <= far:
            yield row, col


def _facts_of(figure: Figure, look: Look) -> Iterator[Fact]:
    by_step = look.row.by_step or look.row.squares == "heat" or bool(look.every())
    for walk in figure.walks:
        squares: list[Square] = [(r, c) for r, c in walk.squares.tolist()]
        for k, square in enumerate(squares):
            yield (square,), (walk.tone, walk.first + k if by_step else 0)
        yield from _moves_of(walk, squares, look, by_step)
    start, end = figure.ends()
    for name, mark in (("start", start), ("end", None if figure.is_loop else end)):
        if mark is not None and (look.marks_ends(figure) or look.every()):
            yield (mark,), name
    for place, colour in look.highlight_colours(figure.board).items():
        yield (place,), (_TINT, colour)
    size = _letters(figure, look)
    for place, text in look.label_texts(figure.board).items():
        yield (place,), (text, size)


def _moves_of(walk: Walk, squares: list[Square], look: Look, by_step: bool) -> Iterator[Fact]:
    count = len(squares)
    for k in range(count if walk.is_closed else count - 1):
        ends = (squares[k], squares[(k + 1) % count])
        beyond: tuple[Square, ...] = ()
        if look.is_smooth:
            # The curve of a move depends on the moves before and after it.
            near = (k - 1, k + 2)
            beyond = tuple(squares[j % count] for j in near if walk.is_closed or 0 <= j < count)
        is_closing = walk.is_closed and k == count - 1
        where = ends if look.arrows or by_step else (min(ends), max(ends))
        yield where, (walk.tone, beyond, walk.first + k if by_step else 0, is_closing)
