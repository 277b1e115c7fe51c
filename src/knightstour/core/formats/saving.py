"""Tours as files of any type, by suffix: a picture, a page with a player, or a format of tours."""

from __future__ import annotations

import os
from typing import Any, Final

from knightstour.core.drawing.kinds import kind_of_suffix
from knightstour.core.formats.links import with_link
from knightstour.core.formats.table import format_of_extension, suffix_of
from knightstour.core.formats.tours import format_tour, write_tours
from knightstour.core.machine.files import open_target
from knightstour.core.model.errors import FormatError
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import did_you_mean

_PICTURES: Final = (".svg", ".png", ".pdf", ".gif", ".html")
_TEXTS: Final = (".txt", ".csv", ".json")


def unknown_suffix(path: str | os.PathLike[str], *, may_draw: bool = True, otherwise: str = "") -> FormatError:
    """Return the error for a file name whose suffix does not specify a format of tours.

    Args:
        may_draw: Whether pictures are supported.
        otherwise: A further step for the help.
    """
    suffix = suffix_of(path)
    meant = did_you_mean(suffix, [*_TEXTS, *_PICTURES] if may_draw else _TEXTS)
    steps = [f"for text, end it in {' '.join(_TEXTS)}"]
    if may_draw:
        steps.append(f"for a picture, in {' '.join(_PICTURES)}")
    what = f"unknown suffix {suffix!r}" if suffix else "the file name has no suffix"
    return FormatError(what + meant, path=os.fspath(path), help="; ".join([*steps, *filter(None, [otherwise])]))


def save(tour: Tour, path: str | os.PathLike[str], **look: Any) -> None:
    """Implement `Tour.save`."""
    suffix = suffix_of(path)
    row = format_of_extension(path)
    kind = kind_of_suffix(suffix)
    if kind is not None:
        from knightstour.core.drawing.pictures import picture_of

        font = look.pop("font", None)
        data = with_link(picture_of(tour, kind, **look)._with_font(font), [tour])
        with open_target(path) as file:
            file.write(data)
        return
    if row is None:
        raise unknown_suffix(path)
    if not row.holds_tours:
        why = f"the format {row.name} supports graphs, not tours"
        raise FormatError(why, path=os.fspath(path), help="tour.board.save(path) writes the graph")
    if look:
        raise FormatError(f"{min(look)} is only supported for pictures", path=os.fspath(path), help="use .svg or .png")
    write_tours(path, tour)


def text_of(tour: Tour, format: str) -> str:
    """Return a tour as text, for `Tour.to_text`."""
    return format_tour(tour, format)
