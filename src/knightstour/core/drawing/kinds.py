"""Picture files: the class Picture, and the table of the formats. Nothing here loads NumPy."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from knightstour.core.model.errors import FormatError
from knightstour.core.model.lazy import Lazy, Table

if TYPE_CHECKING:
    from knightstour.core.drawing import pdf as _pdf
    from knightstour.core.drawing import png as _png
    from knightstour.core.drawing.svg import gallery as _gallery
else:
    _gallery = Lazy("knightstour.core.drawing.svg.gallery")
    _png = Lazy("knightstour.core.drawing.png")
    _pdf = Lazy("knightstour.core.drawing.pdf")

_PIXELS_PER_MM = 96 / 25.4


class Picture:
    """A picture of a tour, a board, a puzzle, ... in one format. Notebooks show it.

    format: "svg", "png", "pdf", "gif", "html", "text", or a format that a plug-in adds.

    `bytes(picture)` is the content of a file, `str(picture)` the text of a format of text. `save` writes a file.

    >>> picture = Picture("svg", b'<svg width="20" height="10"></svg>')
    >>> picture
    <Picture: svg, 20 x 10, 34 bytes>
    """

    __slots__ = ("_data", "_make", "format")

    def __init__(self, format: str, data: bytes | Callable[[str | None], bytes]) -> None:
        """data: content of the file, or a function that returns it for a font (a name, a file, or None)."""
        self.format = format
        self._data: bytes | None = data if isinstance(data, bytes) else None
        self._make: Callable[[str | None], bytes] | None = None if isinstance(data, bytes) else data

    @property
    def data(self) -> bytes:
        """Content of the file."""
        if self._data is None:
            assert self._make is not None
            self._data = self._make(None)
        return self._data

    @property
    def width(self) -> int | None:
        """Width in pixels (PDF: points, text: characters), or None if the format has no size."""
        size = self._size()
        return None if size is None else size[0]

    @property
    def height(self) -> int | None:
        """Height in pixels (PDF: points, text: lines), or None if the format has no size."""
        size = self._size()
        return None if size is None else size[1]

    def _size(self) -> tuple[int, int] | None:
        measure = _SIZES.get(self.format)
        return None if measure is None else measure(self.data)

    def _with_font(self, font: str | None) -> bytes:
        """Raises FormatError if the format has no fonts."""
        if font is None:
            return self.data
        if self._make is None:
            raise FormatError(f"a .{self.format} picture has no font to choose", help='omit font, or use format="pdf"')
        return self._make(font)

    def save(self, path: str | os.PathLike[str], *, font: str | None = None) -> None:
        """Write the picture to a file. An existing file is replaced.

        Args:
            font: For a PDF: the name of a font (Helvetica, Times or Courier), or a .ttf file.

        Raises:
            FormatError: If the suffix does not belong to the format.
        """
        from knightstour.core.machine.files import open_target

        suffix = os.path.splitext(os.fspath(path))[1].lower()
        row = PICTURE_KINDS.get(self.format)
        own = () if row is None else row.suffixes or (".txt",)
        if own and suffix not in own:
            kind = kind_of_suffix(suffix)
            what = f"the picture is {self.format}, not {kind or suffix or 'a file without a suffix'}"
            help = f"end the name in {' or '.join(own)}" + (f', or draw it with format="{kind}"' if kind else "")
            raise FormatError(what, path=os.fspath(path), help=help)
        data = self._with_font(font)
        with open_target(path) as file:
            file.write(data)

    def __bytes__(self) -> bytes:
        return self.data

    def __str__(self) -> str:
        row = PICTURE_KINDS.get(self.format)
        return self.data.decode("utf-8") if row is not None and row.is_text else repr(self)

    def __repr__(self) -> str:
        size = self._size()
        shown = "" if size is None else f"{size[0]} x {size[1]}, "
        return f"<Picture: {self.format}, {shown}{len(self.data):,} bytes>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Picture):
            return NotImplemented
        return self.format == other.format and self.data == other.data

    def __hash__(self) -> int:
        return hash((self.format, self.data))

    def __reduce__(self) -> tuple[object, ...]:
        return Picture, (self.format, self.data)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        import base64

        if self.format == "svg":
            return {"image/svg+xml": str(self), "text/plain": repr(self)}
        if self.format in ("png", "gif"):
            data = base64.b64encode(self.data).decode("ascii")
            return {"text/html": f'<img alt="" src="data:image/{self.format};base64,{data}">', "text/plain": repr(self)}
        return {"text/plain": str(self) if self.format == "text" else repr(self)}


def _size_of_svg(data: bytes) -> tuple[int, int]:
    head = data[: data.index(b">")].decode("utf-8")
    width, height = (_pixels(head, name) for name in ("width", "height"))
    return width, height


def _pixels(head: str, name: str) -> int:
    found = re.search(rf' {name}="([\d.]+)(mm)?"', head)
    assert found is not None
    return round(float(found[1]) * (_PIXELS_PER_MM if found[2] else 1))


def _size_of_pdf(data: bytes) -> tuple[int, int] | None:
    found = re.search(rb"/MediaBox \[[\d.]+ [\d.]+ ([\d.]+) ([\d.]+)\]", data)
    return None if found is None else (round(float(found[1])), round(float(found[2])))


def _size_of_text(data: bytes) -> tuple[int, int]:
    lines = data.decode("utf-8").split("\n")
    return max(map(len, lines)), len(lines)


_SIZES: Final[Mapping[str, Callable[[bytes], tuple[int, int] | None]]] = {
    "svg": _size_of_svg,
    "png": lambda data: struct.unpack(">II", data[16:24]),
    "gif": lambda data: struct.unpack("<HH", data[6:10]),
    "pdf": _size_of_pdf,
    "text": _size_of_text,
}


class PictureKind(NamedTuple):
    """A row of PICTURE_KINDS.

    summary: one line about the format. media_type: its MIME type. moves: whether it is an animation. is_text: whether a
    terminal can show it. is_single: whether it shows one subject only. defaults: defaults of the look.
    draw: returns figures with a look as the content of a file, `per_row` in a row, or as a function of a font.
    draw_page: draws one subject as a web page. Animations and texts have neither.
    """

    summary: str
    media_type: str
    suffixes: tuple[str, ...]
    moves: bool = False
    is_text: bool = False
    is_single: bool = False
    defaults: Mapping[str, Any] = MappingProxyType({})
    draw: Callable[..., bytes | Callable[[str | None], bytes]] | None = None
    draw_page: Callable[..., bytes] | None = None


_ON_PAPER: Final = MappingProxyType({"background": "paper"})
_KINDS: Final[dict[str, PictureKind]] = {
    "svg": PictureKind(
        "lines and letters, for web pages and plotters", "image/svg+xml", (".svg",), is_text=True, draw=_gallery.to_svg
    ),
    "png": PictureKind("pixels, for boards of any size", "image/png", (".png",), defaults=_ON_PAPER, draw=_png.to_file),
    "pdf": PictureKind("a page to print", "application/pdf", (".pdf",), draw=_pdf.to_file),
    "gif": PictureKind("an animation", "image/gif", (".gif",), moves=True),
    "text": PictureKind("characters, for a terminal", "text/plain; charset=utf-8", (), is_text=True),
}
# lab/pictures/rows.py adds dxf and tikz, interfaces/web/rows.py adds html.
PICTURE_KINDS: Final = Table("picture kinds", _KINDS)


def picture_suffixes() -> dict[str, str]:
    """Return suffix -> format of the picture files."""
    return {suffix: kind for kind, row in PICTURE_KINDS.items() for suffix in row.suffixes}


def kind_of_suffix(suffix: str) -> str | None:
    """Return the format of a picture file with this suffix, or None if it is not a picture."""
    return picture_suffixes().get(suffix)
