"""Moving pictures (GIF, APNG, WebP): a tour that is being drawn, or a search as it was recorded.

A search is replayed from its Trace. Squares that it has just given up are tinted, squares that may come next carry
their degrees, and loops keep their colours until they are joined. Of more events than frames, evenly many are left
out: a frame shows the board after its events.

Frames are rendered as PNG pictures are. A GIF has one palette for all frames and no dithering, so that only what
changes is stored. Cost: about 30 ms a frame of 8x8 squares at 480 pixels.
"""

from __future__ import annotations

import io
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from knightstour.drawing.figure import Drawable, Figure, Walk, board_of, figure_of
from knightstour.drawing.look import Look, LookOptions, look_of
from knightstour.drawing.png import png_of
from knightstour.drawing.themes import mixed
from knightstour.model.board import Board, are_moves
from knightstour.model.errors import FormatError
from knightstour.model.progress import OnProgress, Reporter
from knightstour.model.trace import Event, Trace, View, replay
from knightstour.model.validation import listed, real_number, whole_number

if TYPE_CHECKING:
    from PIL.Image import Image

# Name of each kind of file, and what Pillow calls it.
ANIMATIONS: dict[str, str] = {"gif": "GIF", "apng": "PNG", "webp": "WEBP"}
MOST_FRAMES = 1000
_USUAL_FRAMES = 240
_USUAL_SIZE = 480
# All pixels of all frames; a gigabyte while they are put together.
_MOST_PIXELS = 400_000_000
# How long the last frame stays, in seconds.
_REST = 2.5
# Events that change nothing to be seen.
_SILENT = {"count"}


@dataclass(frozen=True, slots=True)
class Frame:
    """One picture: what is on the board, what is tinted (square: colour), and texts on squares."""

    figure: Figure
    tinted: dict[tuple[int, int], str]
    labels: dict[tuple[int, int], str]


def animate(
    subject: Drawable,
    *,
    format: str = "gif",
    trace: Trace | Iterable[Event] | None = None,
    fps: float | None = None,
    frames: int | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[LookOptions],
) -> bytes:
    """A tour being drawn, or with `trace` the search on a board, as the bytes of a moving picture.

    subject: a Tour; with a trace, the board (or its tour).
    format: "gif", "apng" or "webp".
    fps: frames a second, up to 50; None: 3 to 25, so that it takes some ten seconds.
    frames: how many at most, up to 1000; None: 240.
    on_progress: called with a Progress after each frame.
    Other options as for `draw_png`; size is the longer side in pixels, 480 if not given.

    Raises FormatError for options that make no sense and for more pixels than can be held, BoardError for a board that
    cannot be drawn.

    >>> from knightstour.model.tour import Tour
    >>> tour = Tour.from_numbers([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> animate(tour, size=60)[:6]
    b'GIF89a'
    """
    if not isinstance(format, str) or format not in ANIMATIONS:
        raise FormatError(f"no moving pictures are written as {format!r}", help="one of " + ", ".join(ANIMATIONS))
    if fps is not None and not 0.1 <= real_number(fps, "fps", error=FormatError) <= 50:
        raise FormatError(f"{fps} frames a second make no sense", help="give 0.1 to 50")
    most = _USUAL_FRAMES if frames is None else whole_number(frames, "frames", error=FormatError)
    if not 1 <= most <= MOST_FRAMES:
        raise FormatError(f"{most} frames are out of bounds", help=f"give 1 to {MOST_FRAMES}")
    look = look_of({"background": "paper", "size": _USUAL_SIZE, **options})
    look = look.changed(theme="dark" if look.theme == "dark" else "light")
    if look.style == "plotter":
        raise FormatError("pictures for plotters do not move", help="use another style")
    shots = frames_of_tour(subject, most) if trace is None else frames_of_search(subject, trace, most, look)
    if len(shots) * float(look.size or 1) ** 2 > _MOST_PIXELS:
        raise FormatError(
            f"{len(shots)} frames of {look.size:.0f} pixels are too much to hold", help="give a smaller size or fewer"
        )
    rate = fps if fps is not None else min(25.0, max(3.0, len(shots) / 10))
    images = []
    report = Reporter(on_progress, "drawing frames", len(shots))
    for shot in shots:
        images.append(_image(shot, look))
        report(len(images))
    return _encoded(images, format, rate)


# ---------------------------------------------------------------- what the frames show


def frames_of_tour(subject: Drawable, most: int) -> list[Frame]:
    """The tour after more and more moves; the last frame is the whole of it."""
    whole = figure_of(subject)
    if len(whole.walks) != 1:
        raise FormatError("only a tour can be drawn step by step", help="give a Tour, or a board and a trace")
    walk = whole.walks[0]
    count = len(walk)
    lengths = np.unique(np.linspace(1, count, min(count, max(1, most - 1))).round().astype(int)).tolist()
    shots = [
        Frame(replace(whole, walks=(Walk(walk.squares[:k], 0, False),), length=k, span=count), {}, {}) for k in lengths
    ]
    return [*shots[: most - 1], Frame(whole, {}, {})]


def frames_of_search(subject: Drawable, trace: Trace | Iterable[Event], most: int, look: Look) -> list[Frame]:
    """The board after the events of a search, as many as there is room for."""
    board = board_of(subject)
    empty = figure_of(board)
    events = listed(trace, "a trace", error=FormatError)
    if not all(isinstance(event, Event) for event in events):
        raise FormatError("these are not the events of a search", help="give a Trace")
    shown = [k for k, event in enumerate(events) if event.kind not in _SILENT]
    # A square entered and the ways on from it are one frame.
    seen = [
        k
        for k, after in itertools.zip_longest(shown, shown[1:])
        if after is None or (events[k].kind, events[after].kind) != ("visit", "candidates")
    ]
    if not seen:
        raise FormatError("the trace has no event to show")
    chosen = set(np.array(seen)[np.unique(np.linspace(0, len(seen) - 1, min(len(seen), most)).round().astype(int))])
    shots: list[Frame] = []
    tones: dict[int, int] = {}
    given_up: tuple[int, ...] = ()
    for k, (event, view) in enumerate(zip(events, replay(events, board), strict=True)):
        if event.kind == "unvisit":
            given_up = event.squares
        elif event.kind in ("visit", "restart", "stage", "tour"):
            given_up = ()
        if k in chosen:
            shots.append(_frame(empty, view, given_up, tones, look))
    return shots


def _frame(empty: Figure, view: View, given_up: tuple[int, ...], tones: dict[int, int], look: Look) -> Frame:
    board = empty.board

    def at(square: int) -> tuple[int, int]:
        return divmod(square, board.cols)

    tint = mixed(look.palette.start, look.palette.light, 0.45)
    tinted = dict.fromkeys((at(s) for s in given_up if s not in view.path), tint)
    tinted |= {at(s): look.palette.mark for s in view.candidates}
    labels = {at(s): str(degree) for s, degree in view.candidates.items()}
    if view.tour is not None and view.path:
        squares = np.array([at(s) for s in view.tour], dtype=np.int64)
        closed = len(squares) > 2 and _is_move(board, view.tour[-1], view.tour[0])
        return Frame(replace(empty, walks=(Walk(squares, 0, closed),), length=len(squares), is_tour=True), {}, {})
    if not view.links:
        squares = np.array([at(s) for s in view.path], dtype=np.int64).reshape(-1, 2)
        path: tuple[Walk, ...] = (Walk(squares),) if len(squares) else ()
        span = board.square_count
        return Frame(replace(empty, walks=path, length=len(squares), is_tour=True, span=span), tinted, labels)
    walks = tuple(_loops(board, view, tones))
    length = sum(map(len, walks))
    return Frame(replace(empty, walks=walks, length=length, is_tour=False), tinted, labels)


def _loops(board: Board, view: View, tones: dict[int, int]) -> Iterator[Walk]:
    """The components of a cover. Each has the colour that its lowest square was given first, if it still is free."""
    for part in view.components:
        tone = tones.setdefault(min(part), len(tones))
        neighbours = [len(view.links[s]) for s in part]
        squares = np.array([divmod(s, board.cols) for s in part], dtype=np.int64)
        is_loop = len(part) > 2 and all(k == 2 for k in neighbours)
        if is_loop or max(neighbours) <= 2:
            yield Walk(squares, 0, is_loop, tone)
            continue
        for a in part:
            for b in view.links[a]:
                if a < b:
                    yield Walk(np.array([divmod(a, board.cols), divmod(b, board.cols)]), 0, False, tone)


def _is_move(board: Board, a: int, b: int) -> bool:
    return bool(are_moves(board, np.array([a]), np.array([b]))[0])


# ---------------------------------------------------------------- files


def _image(shot: Frame, look: Look) -> Image:
    from PIL import Image

    if shot.tinted or shot.labels:
        top, left = shot.figure.top, shot.figure.left
        tinted = {(r + top, c + left): colour for (r, c), colour in shot.tinted.items()}
        look = look.changed(highlight=tinted, labels=shot.labels)
    with Image.open(io.BytesIO(png_of(shot.figure, look))) as image:
        return image.convert("RGB")


def _encoded(images: list[Image], format: str, fps: float) -> bytes:
    pause = round(1000 / fps)
    durations = [pause] * (len(images) - 1) + [max(pause, round(1000 * _REST))]
    out = io.BytesIO()
    extra: dict[str, bool | int] = {}
    if format == "gif":
        images = _with_one_palette(images)
        extra = {"optimize": False, "disposal": 1}
    elif format == "webp":
        extra = {"lossless": True, "quality": 60, "method": 3}
    images[0].save(
        out,
        ANIMATIONS[format],
        save_all=True,
        append_images=images[1:],
        duration=durations,
        loop=0,
        **extra,
    )
    return out.getvalue()


def _with_one_palette(images: list[Image]) -> list[Image]:
    """The frames in 256 colours that are the same for all, taken from a few of them."""
    from PIL import Image

    width, height = images[0].size
    few = [images[k] for k in sorted({0, len(images) // 3, 2 * len(images) // 3, len(images) - 1})]
    sheet = Image.new("RGB", (width, height * len(few)))
    for k, image in enumerate(few):
        sheet.paste(image, (0, k * height))
    palette = sheet.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]
