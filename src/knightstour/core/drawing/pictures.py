"""All pictures that are files: tours, boards or the scenes of a proof, as any kind of picture or on a sheet.

What a kind cannot show is an error that is raised before anything is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Unpack, cast

from knightstour.core.drawing.figure import Drawable, Marked, Paths, TourLike, Window, marked
from knightstour.core.drawing.kinds import PICTURE_KINDS, Picture, draw_still
from knightstour.core.drawing.look import Look, LookOptions, look_of
from knightstour.core.model.arguments import defaults_in, shows_arguments
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.sample import Sample
from knightstour.core.model.scene import Scene
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import Trace
from knightstour.core.model.validation import one_of


class PictureOptions(LookOptions, total=False):
    """What `draw` takes besides the look: the sheet, the part that is shown, the frames, and a search to show."""

    per_row: int | None
    captions: Sequence[str] | None
    window: Window | None
    fps: float | None
    frames: int | None
    trace: Trace | None


defaults_in(PictureOptions, Look)


@shows_arguments
def draw(
    subjects: Drawable | Marked | Iterable[Drawable],
    kind: str = "svg",
    *,
    paths: Paths | None = None,
    on_progress: OnProgress | None = None,
    **options: Unpack[PictureOptions],
) -> Picture:
    """A picture as the bytes of a file, which notebooks show: "svg", "png", "pdf", "dxf", "tikz", "gif", "apng",
    "webp" or "mp4".

    subjects: a tour, a board, a puzzle or a scene; or several, which become a sheet. A moving picture shows one tour,
        or the scenes of a proof.
    paths, window: as of draw_svg. per_row: how many on a line of a sheet. captions: a line under each. fps, frames: of
        a moving picture. trace: the search that it shows before the tour. The other options are those of draw_svg.

    Raises FormatError for what the kind does not show, and what draw_svg raises.

    >>> from knightstour.core.model.tour import Tour
    >>> tour = Tour.from_numbers([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
    >>> draw(tour, style="line")[:4], draw([tour, tour], "svg").count(b"<svg")
    (b'<svg', 3)
    """
    one_of(kind, [name for name in PICTURE_KINDS if name != "html"], "kind of picture", error=FormatError)
    if isinstance(subjects, Marked):
        options = marked(subjects, options)
        subjects = subjects if subjects.walls is not None else subjects.board
    shown = _listed(subjects)
    if not shown:
        raise FormatError("there is no tour to draw")
    is_proof = isinstance(shown[0], Scene)
    trace = options.pop("trace", None)
    check_kind(kind, options, len(shown), is_recorded=trace is not None, is_proof=is_proof)
    per_row, window = options.pop("per_row", None), options.pop("window", None)
    captions = options.pop("captions", None)
    fps, frames = options.pop("fps", None), options.pop("frames", None)
    look = cast(LookOptions, options)
    if PICTURE_KINDS[kind].moves:
        from knightstour.core.drawing.animation import animate

        subject = cast(Sequence[Scene], shown) if is_proof else shown[0]
        return animate(subject, format=kind, trace=trace, fps=fps, frames=frames, on_progress=on_progress, **look)
    if len(shown) > 1 or per_row is not None:
        return Picture(_sheet(shown, kind, per_row, captions, look))
    return Picture(draw_still(kind, shown[0], paths=paths, window=window, **look))


def _listed(subjects: Drawable | Iterable[Drawable]) -> list[Drawable]:
    """One subject or several as a list. A pair of numbers is a board, and so is a list of texts."""
    if isinstance(subjects, Sample):
        return list(subjects)
    if isinstance(subjects, list | tuple) and all(isinstance(x, Tour | TourLike | Board | Scene) for x in subjects):
        return list(subjects)
    return [cast(Drawable, subjects)]


def check_kind(
    kind: str, options: PictureOptions, count: int, *, is_recorded: bool = False, is_proof: bool = False
) -> None:
    """Raise a FormatError for what a picture of that kind does not show.

    count: of the tours. is_proof: whether it shows the scenes of a proof, one after the other where it moves.
    """
    row = PICTURE_KINDS[kind]
    per_row, window, frames = (options.get(name) for name in ("per_row", "window", "frames"))
    if kind == "html":
        if count > 1:
            raise _one_tour_only(kind, count)
        for other, value in {"tours in a row": per_row, "window": window, "frames": frames}.items():
            if value is not None:
                raise FormatError(
                    f"a web page shows one whole tour, and has no {other}", help="draw it as .svg or .gif"
                )
        return
    if row.moves:
        if count > 1 and not is_proof:
            raise _one_tour_only(kind, count)
        if window is not None:
            raise FormatError(f"a {kind} shows the whole board", help="draw a window as .svg or .png")
        if per_row is not None:
            raise FormatError(f"a {kind} is no sheet with several in a row", help="draw several tours as .svg or .png")
        return
    moving = {"frames": frames, "frames a second": options.get("fps"), "search": is_recorded or None}
    for name, value in moving.items():
        if value is not None:
            raise FormatError(f"a .{kind} picture does not move, so it shows no {name}", help="write .gif or .webp")
    if row.is_single and (count > 1 or per_row is not None):
        raise _one_tour_only(kind, count)
    if count > 1 or per_row is not None:
        if window is not None:
            raise FormatError("a window is of one tour", help="draw one tour, or omit the window")


def _sheet(
    subjects: Sequence[Drawable], kind: str, per_row: int | None, captions: Sequence[str] | None, options: LookOptions
) -> bytes:
    from knightstour.core.drawing.svg.gallery import check_sheet, draw_gallery

    if kind == "svg":
        return draw_gallery(subjects, per_row=per_row, captions=captions, **options).encode("utf-8")
    if kind == "pdf":
        from knightstour.core.drawing.pdf import gallery_pdf

        return gallery_pdf(subjects, per_row=per_row, captions=captions, **options)
    draw_sheet = PICTURE_KINDS[kind].draw_sheet
    if draw_sheet is not None:
        if captions is not None:
            raise FormatError(f"a {kind} has no captions", help="leave them out")
        check_sheet(look_of(options, style="plotter"), per_row)
        return draw_sheet(*subjects, per_row=per_row, **options)
    from knightstour.core.drawing.png import to_png

    if look_of(options, coordinates=False).row.sheet is not None:
        raise FormatError("a .png has no sheet of strokes of several tours", help="write .svg, .pdf or .dxf")
    size = options.pop("size", None)
    options["theme"] = "dark" if options.get("theme") == "dark" else "light"
    on_paper: LookOptions = {"background": "paper", **options}
    return to_png(
        draw_gallery(subjects, per_row=per_row, captions=captions, **on_paper), None if size is None else round(size)
    )


def _one_tour_only(kind: str, count: int) -> FormatError:
    name = "web page" if kind == "html" else kind
    return FormatError(f"a {name} shows one tour, not {count}", help="draw several on a sheet: .svg, .png or .pdf")
