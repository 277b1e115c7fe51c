"""What changes from one frame of a moving picture to the next, and drawing only that.

A frame is taken apart into facts, each on its squares: a move, a dot, a number, a mark. Where two frames differ lies in
the squares of the facts that only one of them has, so the next frame is the one before with that rectangle drawn again.
What has no squares of its own (the size of the numbers, the order of the colours) makes the whole picture new.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from knightstour.core.drawing.figure import Figure, Walk
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.png import png_of, to_png
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.picture import part_of, svg_of
from knightstour.core.drawing.svg.strokes import UNIT

if TYPE_CHECKING:
    from PIL.Image import Image

Square = tuple[int, int]
# A fact: its squares, and what is on them.
Fact = tuple[tuple[Square, ...], object]

# Marks of larger boards reach far beyond their squares.
_MOST_SIDE = 100
# Where more of the board than this is to be drawn again, the whole picture is.
_MOST_SHARE = 0.5
# In pixels.
_EDGE = 2


@dataclass(slots=True)
class Painter:
    """Draws the frames of a moving picture one after the other."""

    _image: Image | None = None
    _facts: set[Fact] = field(default_factory=set)
    _whole: object = None
    # Pixels of a unit of the drawing, and where the top left of the board is.
    _scale: float = 1.0
    _corner: tuple[float, float] = (0.0, 0.0)

    def image(self, figure: Figure, look: Look) -> Image:
        """The picture of a figure, the same as `png_of` gives it."""
        if max(figure.rows, figure.cols) > _MOST_SIDE or figure.is_window or look.filled:
            return opened(png_of(figure, look))
        facts, whole = set(_facts_of(figure, look)), _whole_of(figure, look)
        changed = facts ^ self._facts
        image = None
        if self._image is not None and whole == self._whole:
            image = self._drawn_again(figure, look, changed) if changed else self._image
        if image is None:
            image = self._new(figure, look)
        self._image, self._facts, self._whole = image, facts, whole
        return image

    def _new(self, figure: Figure, look: Look) -> Image:
        svg = svg_of(figure, look)
        image = opened(to_png(svg, round(look.size or 1)))
        # From the units of the drawing to pixels: the longer side of the picture is that of the image.
        width, height = (_attribute(svg, name) for name in ("width", "height"))
        x, y, wide, high = (float(part) for part in svg.split('viewBox="', 1)[1].split('"', 1)[0].split())
        pixel = max(image.size) / max(width, height)
        scale = min(width / wide, height / high)
        self._scale = pixel * scale
        self._corner = (
            pixel * ((width - scale * wide) / 2) - x * self._scale,
            pixel * ((height - scale * high) / 2) - y * self._scale,
        )
        return image

    def _drawn_again(self, figure: Figure, look: Look, changed: set[Fact]) -> Image | None:
        """The last image with the rectangle round the changed facts drawn again; None where that is too large."""
        assert self._image is not None
        squares = [square for where, _ in changed for square in where]
        rows, cols = zip(*squares, strict=True)
        room = _room(figure, look)
        left, top = max(0.0, min(cols) - room), max(0.0, min(rows) - room)
        right, bottom = min(figure.cols, max(cols) + 1 + room), min(figure.rows, max(rows) + 1 + room)
        if (right - left) * (bottom - top) > _MOST_SHARE * figure.rows * figure.cols:
            return None
        (x, y), side = self._corner, self._scale * UNIT
        inner = (
            max(0, math.floor(x + side * left)),
            max(0, math.floor(y + side * top)),
            min(self._image.width, math.ceil(x + side * right)),
            min(self._image.height, math.ceil(y + side * bottom)),
        )
        # A little more is drawn than is taken, for lines are cut at its edge.
        pixels = (inner[0] - _EDGE, inner[1] - _EDGE)
        width, height = inner[2] - inner[0] + 2 * _EDGE, inner[3] - inner[1] + 2 * _EDGE
        box = ((pixels[0] - x) / self._scale, (pixels[1] - y) / self._scale, width / self._scale, height / self._scale)
        part = opened(to_png(part_of(figure, look, Pen(look), box, (width, height)), max(width, height)))
        if part.size != (width, height):
            return None
        image = self._image.copy()
        image.paste(part.crop((_EDGE, _EDGE, width - _EDGE, height - _EDGE)), inner[:2])
        return image


def opened(png: bytes) -> Image:
    """A PNG as an image of Pillow, in red, green and blue."""
    from PIL import Image

    with Image.open(io.BytesIO(png)) as image:
        return image.convert("RGB")


def _attribute(svg: str, name: str) -> float:
    return float(svg.split(f' {name}="', 1)[1].split('"', 1)[0])


def _room(figure: Figure, look: Look) -> float:
    """How far a line, its dots and its arrow heads reach beyond its squares, in squares."""
    reach = max(figure.board.leaper)
    curve = 0.25 * reach if look.is_smooth else 0.0
    border = float(reach) if figure.board.wrap is not None else 0.0
    return 0.1 + max(0.0, 1.3 * look.pen_width - 0.5) + curve + border


def _whole_of(figure: Figure, look: Look) -> object:
    """What shows all over the picture."""
    every = look.every()
    digits = len(str(figure.length)) if every else 0
    letters = max((len(str(text)) for text in (look.labels or {}).values()), default=0)
    tones = tuple(figure.by_tone(len(look.palette.loops)))
    return (max(digits, letters), bool(figure.walks), figure.is_tour, tones, figure.span or figure.length)


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
    for place, colour in look.highlighted(figure.board).items():
        yield (place,), colour
    for place, text in look.labelled(figure.board).items():
        yield (place,), (text,)


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
