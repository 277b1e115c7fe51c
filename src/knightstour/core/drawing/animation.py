"""Animations (GIF): a tour being drawn, a recorded search, or a proof step by step.

A search is replayed from its Trace. Squares just removed from the path are tinted, candidates for the next move show
their degrees, and loops keep their colours until they are joined. If a trace has more events than frames, a frame shows
the board after several events. Counters are shown below the board.

A GIF has one palette for all frames and no dithering, so that it stores only the changes; changes.py draws only them.
Cost: 4 ms per frame of 12x18 squares at 480 pixels.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from knightstour.core.drawing.changes import Painter, open_png
from knightstour.core.drawing.figure import Drawable, Figure, Walk, board_of, figure_of
from knightstour.core.drawing.look import Look
from knightstour.core.drawing.png import to_png
from knightstour.core.drawing.styles import STYLES
from knightstour.core.drawing.svg.pen import Pen
from knightstour.core.drawing.svg.picture import document, picture, with_square_size
from knightstour.core.drawing.themes import mix_colours
from knightstour.core.model.board import Board, are_moves, square_count
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.model.scene import Scene
from knightstour.core.model.trace import COUNTERS, Event, Trace, View, replay
from knightstour.core.model.validation import as_list, real_number

if TYPE_CHECKING:
    from PIL.Image import Image

# Counters below a search, if they are not 0.
_COUNTED = ("nodes", "dead_ends", "restarts", "reversals", "joins")
_USUAL_FRAMES = 240
# Longer side in pixels.
USUAL_SIZE = 480
# Limit on the pixels of all frames together, which need a gigabyte of memory.
_MAX_PIXELS = 400_000_000
# Duration of the last frame, in seconds.
_REST = 2.5


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: the figure, tinted squares, texts on squares, and a line below the board."""

    figure: Figure
    tinted: dict[tuple[int, int], str] = field(default_factory=dict)
    labels: dict[tuple[int, int], str] = field(default_factory=dict)
    caption: str = ""


def animate(
    subject: Drawable | Trace | Sequence[Scene],
    look: Look,
    *,
    fps: float | None = None,
    most: int = _USUAL_FRAMES,
    on_progress: OnProgress | None = None,
) -> bytes:
    """Return a GIF of a tour being drawn, of a search, or of the scenes of a proof.

    fps: frames per second, up to 50 (default: 3 to 25, for about ten seconds, or by the length of a proof's sentences).
    most: upper bound on the number of frames. on_progress: called with a Progress after each frame.
    """
    if fps is not None and not 0.1 <= real_number(fps, "fps", error=FormatError) <= 50:
        raise FormatError(f"invalid fps: {fps}", help="use 0.1 to 50")
    look = look.with_options(theme="dark" if look.theme == "dark" else "light")
    check_moves(look)
    scenes = scenes_in(subject)
    if scenes:
        steps = frames_of_scenes(scenes, most)
        _check_pixels(len(steps), look)
        drawn = (open_png(to_png(svg, round(look.size or 1))) for svg in svgs_of(steps, look))
        seconds = [seconds_for(step) if fps is None else 1 / fps for step in steps]
    else:
        is_search = isinstance(subject, Trace)
        board = cast(Drawable, subject.board if isinstance(subject, Trace) else subject)
        if board is None:
            raise FormatError("the trace is empty: no search has used it", help="solve(board, trace=trace) fills it")
        look = with_square_size(figure_of(board), look)
        shots = (
            frames_of_search(board, subject, most, look) if isinstance(subject, Trace) else frames_of_tour(board, most)
        )
        _check_pixels(len(shots), look)
        painter = Painter()
        plain = ((painter.image(shot.figure, look_for(shot, look)), shot.caption) for shot in shots)
        drawn = (_add_caption(image, caption, look) if is_search else image for image, caption in plain)
        seconds = [1 / (fps if fps is not None else min(25.0, max(3.0, len(shots) / 10)))] * len(shots)
    images = []
    report = Reporter(on_progress, "drawing frames", len(seconds))
    for image in drawn:
        images.append(image)
        report(len(images))
    return _encode_gif(images, seconds)


def check_moves(look: Look) -> None:
    """Raise FormatError for a style without animations."""
    if not look.row.moves:
        styles = ", ".join(name for name, row in STYLES.items() if row.moves)
        raise FormatError(f"the style {look.style} has no animations", help=f"use {styles}")


def _check_pixels(count: int, look: Look) -> None:
    if count * float(look.size or 1) ** 2 > _MAX_PIXELS:
        raise FormatError(f"{count} frames of {look.size:.0f} pixels need too much memory", help="use a smaller size")


# ---------------------------------------------------------------- content of the frames


def frames_of_tour(subject: Drawable, most: int) -> list[Frame]:
    """Return frames of a growing tour; the last frame shows all of it."""
    whole = figure_of(subject)
    if len(whole.walks) != 1:
        raise FormatError("an animation shows a tour, a search or a proof", help="use a Tour, a Trace or scenes")
    walk = whole.walks[0]
    count = len(walk)
    lengths = _evenly(1, count, min(count, max(1, most - 1)))[: most - 1]
    parts = [replace(whole, walks=(Walk(walk.squares[:k]),), length=k, span=count) for k in lengths]
    return [Frame(figure) for figure in (*parts, whole)]


def _evenly(first: int, last: int, count: int) -> list[int]:
    """Return at most `count` integers, spread evenly from the first to the last."""
    return np.unique(np.linspace(first, last, count).round().astype(int)).tolist()


def frames_of_search(subject: Drawable, trace: Trace | Iterable[Event], most: int, look: Look) -> list[Frame]:
    """Return frames of the board during a search, at most `most`."""
    board = board_of(subject)
    empty = figure_of(board)
    events = as_list(trace, "a trace")
    if not all(isinstance(event, Event) for event in events):
        raise FormatError("these are not the events of a search", help="pass a Trace")
    # Counts are invisible. A visit and its candidates share a frame.
    shown = [k for k, event in enumerate(events) if event.kind != "count"]
    kinds = [events[k].kind for k in shown]
    seen = [k for k, *pair in zip(shown, kinds, [*kinds[1:], ""], strict=False) if pair != ["visit", "candidates"]]
    if not seen:
        raise FormatError("the trace has no event to show")
    chosen = {seen[k] for k in _evenly(0, len(seen) - 1, min(len(seen), most))}
    shots: list[Frame] = []
    tones: dict[int, int] = {}
    given_up: tuple[int, ...] = ()
    for k, (event, view) in enumerate(zip(events, replay(events, board), strict=True)):
        if event.kind == "unvisit":
            given_up = event.squares
        elif event.kind in ("visit", "restart", "stage", "tour"):
            given_up = ()
        if k in chosen:
            counted = [f"{COUNTERS[name].name} {view.counters[name]:,}" for name in _COUNTED if view.counters[name]]
            shot = _frame(empty, view, given_up, tones, look)
            shots.append(replace(shot, caption=" \u00b7 ".join(counted)))
    return shots


def _frame(empty: Figure, view: View, given_up: tuple[int, ...], tones: dict[int, int], look: Look) -> Frame:
    board = empty.board

    def at(square: int) -> tuple[int, int]:
        return divmod(square, board.cols)

    tint = mix_colours(look.palette.start, look.palette.light, 0.45)
    tinted = dict.fromkeys((at(s) for s in given_up if s not in view.path), tint)
    tinted |= {at(s): look.palette.mark for s in view.candidates}
    labels = {at(s): str(degree) for s, degree in view.candidates.items()}
    if view.links:
        walks = tuple(_loops(board, view, tones))
        return Frame(replace(empty, walks=walks, length=sum(map(len, walks)), is_tour=False), tinted, labels)
    is_tour = view.tour is not None and bool(view.path)
    order = view.tour if view.tour is not None and view.path else view.path
    squares = np.array([at(s) for s in order], dtype=np.int64).reshape(-1, 2)
    if is_tour:
        closed = len(order) > 2 and bool(are_moves(board, np.array(order[-1:]), np.array(order[:1]))[0])
        return Frame(replace(empty, walks=(Walk(squares, 0, closed),), length=len(order), is_tour=True))
    walks = (Walk(squares),) if len(order) else ()
    span = square_count(board)
    return Frame(replace(empty, walks=walks, length=len(order), is_tour=True, span=span), tinted, labels)


def _loops(board: Board, view: View, tones: dict[int, int]) -> Iterator[Walk]:
    """Yield the components of a cover. The colour of a component is determined by its lowest square."""
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


# ---------------------------------------------------------------- files


def look_for(shot: Frame, look: Look) -> Look:
    """Return the look with the tints and texts of a frame."""
    if not shot.tinted and not shot.labels:
        return look
    top, left = shot.figure.top, shot.figure.left
    tinted = {(r + top, c + left): colour for (r, c), colour in shot.tinted.items()}
    return look.with_options(highlight=tinted, labels=shot.labels)


def _add_caption(image: Image, caption: str, look: Look) -> Image:
    from PIL import Image as images
    from PIL import ImageDraw, ImageFont

    height = max(16, image.width // 20)
    ground = look.palette.paper if look.background in (None, "paper") else look.background
    whole = images.new("RGB", (image.width, image.height + height), ground)
    whole.paste(image, (0, 0))
    font = ImageFont.load_default(0.62 * height)
    middle = (image.width / 2, image.height + 0.4 * height)
    ImageDraw.Draw(whole).text(middle, caption, fill=look.palette.text, font=font, anchor="mm")
    return whole


def _encode_gif(images: list[Image], seconds: list[float]) -> bytes:
    """Return a GIF. seconds: duration of each image; the last one has a minimum."""
    durations = [round(1000 * each) for each in (*seconds[:-1], max(seconds[-1], _REST))]
    out = io.BytesIO()
    images = _with_one_palette(images)
    rest = images[1:]
    images[0].save(
        out, "GIF", save_all=True, append_images=rest, duration=durations, loop=0, optimize=False, disposal=1
    )
    return out.getvalue()


def _with_one_palette(images: list[Image]) -> list[Image]:
    """Convert the frames to 256 common colours."""
    from PIL import Image

    width, height = images[0].size
    few = [images[k] for k in sorted({0, len(images) // 3, 2 * len(images) // 3, len(images) - 1})]
    sheet = Image.new("RGB", (width, height * len(few)))
    for k, image in enumerate(few):
        sheet.paste(image, (0, k * height))
    palette = sheet.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)
    return [image.quantize(palette=palette, dither=Image.Dither.NONE) for image in images]


# Reading time of a frame: a second, and this time per letter of the sentence.
_SECONDS, _SECONDS_PER_LETTER = 1.0, 0.045


def scenes_in(subject: object) -> tuple[Scene, ...]:
    """Return the scenes of a subject, or () for other subjects."""
    if isinstance(subject, Scene):
        return (subject,)
    if isinstance(subject, list | tuple) and subject and all(isinstance(each, Scene) for each in subject):
        return tuple(subject)
    return ()


def frames_of_scenes(scenes: Sequence[Scene], most: int) -> list[Scene]:
    """Return one frame per beat of each scene. Raises FormatError for more than `most` frames."""
    frames = [frame for scene in scenes for frame in scene.frames]
    if len(frames) > most:
        raise FormatError(
            f"the proof has {len(frames)} steps, and an animation has at most {most} frames",
            help="draw one scene",
        )
    return frames


def seconds_for(frame: Scene) -> float:
    return _SECONDS + _SECONDS_PER_LETTER * len(frame.sentence)


def svgs_of(frames: Sequence[Scene], look: Look) -> list[str]:
    """Return the frames as SVG texts of equal size, with the board at a fixed position."""
    figures = [figure_of(frame) for frame in frames]
    pens = [Pen(look) for _ in frames]
    drawn = [picture(figure, look, pen) for figure, pen in zip(figures, pens, strict=True)]
    boxes = [box for _, box in drawn]
    left, top = (min(box[k] for box in boxes) for k in (0, 1))
    right, bottom = (max(box[k] + box[k + 2] for box in boxes) for k in (0, 1))
    box = (left, top, right - left, bottom - top)
    return [
        document(content, box, look, pen, figure.title, figure.description)
        for (content, _), pen, figure in zip(drawn, pens, figures, strict=True)
    ]
