"""The origin of a picture: the command that created it, stored in the file as metadata."""

from __future__ import annotations

import re
import struct
import zlib
from collections.abc import Callable
from html import escape, unescape
from typing import Final, NamedTuple

_PNG_HEAD = 8 + 25  # the signature and the chunk IHDR
_PNG_TEXT = b"iTXtSource\0\0\0\0\0"  # keyword, not compressed, no language; then the text

_Put = Callable[[bytes, str], bytes | None]
_Find = Callable[[bytes], str | None]


class MetadataSlot(NamedTuple):
    """A row of PLACES: the place of the text in a kind of file. begins: its first bytes.
    put: returns the file with the text, or None if impossible. find: returns the text, or None.
    """

    begins: bytes
    put: _Put
    find: _Find


def with_origin(data: bytes, origin: str) -> bytes:
    """Return a picture with a text on its origin; files of other kinds are unchanged.

    >>> origin_of(with_origin(b"<svg><title>A tour</title></svg>", "knightstour solve 8x8"))
    'knightstour solve 8x8'
    """
    made = (place.put(data, origin) for place in PLACES if data.startswith(place.begins))
    return next(filter(None, made), data)


def origin_of(data: bytes) -> str | None:
    """Return the text stored by with_origin, or None.

    >>> origin_of(b"<svg></svg>") is None
    True
    """
    found = (place.find(data) for place in PLACES if data.startswith(place.begins))
    return next((text for text in found if text is not None), None)


def _after(mark: bytes, begin: str, end: str) -> tuple[_Put, _Find]:
    """Return put and find for text files: the origin follows the first `mark`."""

    def put(data: bytes, origin: str) -> bytes | None:
        head, found, rest = data.partition(mark)
        return head + found + f"{begin}{escape(origin)}{end}".encode() + rest if found else None

    def find(data: bytes) -> str | None:
        match = re.search(re.escape(mark + begin.encode()) + b"(.*?)" + re.escape(end.encode()), data, re.DOTALL)
        return None if match is None else unescape(match[1].decode("utf-8"))

    return put, find


def _png_with(data: bytes, origin: str) -> bytes:
    body = _PNG_TEXT + origin.encode("utf-8")
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return data[:_PNG_HEAD] + chunk + data[_PNG_HEAD:]


def _of_png(data: bytes) -> str | None:
    at = data.find(_PNG_TEXT)
    if at < 0:
        return None
    (length,) = struct.unpack(">I", data[at - 4 : at])
    return data[at + len(_PNG_TEXT) : at + 4 + length].decode("utf-8")


def _gif_head(data: bytes) -> int:
    return 13 + (3 << ((data[10] & 7) + 1) if data[10] & 0x80 else 0)


def _gif_with(data: bytes, origin: str) -> bytes:
    text, at = origin.encode("utf-8"), _gif_head(data)
    parts = [text[first : first + 255] for first in range(0, len(text), 255)]
    comment = b"!\xfe" + b"".join(bytes([len(part)]) + part for part in parts) + b"\0"
    return data[:at] + comment + data[at:]


def _of_gif(data: bytes) -> str | None:
    at = _gif_head(data)
    if data[at : at + 2] != b"!\xfe":
        return None
    at, text = at + 2, b""
    while length := data[at]:
        text, at = text + data[at + 1 : at + 1 + length], at + 1 + length
    return text.decode("utf-8")


def _line(begin: bytes, mark: bytes) -> tuple[_Put, _Find]:
    """Return put and find for text files with an optional first comment and a match of `mark`."""

    def put(data: bytes, origin: str) -> bytes | None:
        return begin + " ".join(origin.split()).encode("utf-8") + b"\n" + data if re.match(mark, data) else None

    def find(data: bytes) -> str | None:
        line, _, rest = data.removeprefix(begin).partition(b"\n")
        return line.decode("utf-8") if data.startswith(begin) and re.match(mark, rest) else None

    return put, find


def _pdf_with(data: bytes, origin: str) -> bytes:
    """Return a PDF with a subject, appended as PDF 1.4 allows."""
    start = re.findall(rb"startxref\s+(\d+)", data)[-1]
    (trailer,) = re.findall(rb"trailer\s*<<(.*?)>>\s*startxref", data, re.DOTALL)[-1:]
    (size,) = re.findall(rb"/Size (\d+)", trailer)
    (root,) = re.findall(rb"/Root (\d+ \d+ R)", trailer)
    info = re.search(rb"/Info (\d+) 0 R", trailer)
    known = b""
    number = int(size)
    if info is not None:
        number = int(info[1])
        known = re.findall(rb"\n%d 0 obj\s*<<(.*?)>>\s*endobj" % number, data, re.DOTALL)[-1]
    subject = b"/Subject <feff" + origin.encode("utf-16-be").hex().encode() + b">"
    added = b"%d 0 obj\n<<%s %s>>\nendobj\n" % (number, known.rstrip(), subject)
    place = len(data) + added.index(b"%d 0 obj" % number)
    table = b"xref\n%d 1\n%010d 00000 n \n" % (number, place)
    new_size = max(int(size), number + 1)
    end = b"trailer\n<< /Size %d /Root %s /Info %d 0 R /Prev %s >>\n" % (new_size, root, number, start)
    at = len(data) + len(added)
    return data + added + table + end + b"startxref\n%d\n%%%%EOF\n" % at


def _of_pdf(data: bytes) -> str | None:
    found = re.findall(rb"/Subject <feff([0-9a-f]*)>", data)
    return bytes.fromhex(found[-1].decode()).decode("utf-16-be") if found else None


PLACES: Final = (
    MetadataSlot(b"<svg", *_after(b"</title>", "<metadata>", "</metadata>")),
    MetadataSlot(b"\x89PNG", _png_with, _of_png),
    MetadataSlot(b"%PDF", _pdf_with, _of_pdf),
    MetadataSlot(b"GIF8", _gif_with, _of_gif),
    MetadataSlot(b"<!doctype html>", *_after(b'<meta charset="utf-8">\n', '<meta name="source" content="', '">')),
    MetadataSlot(b"% ", *_line(b"% ", rb"% [^\n]*\n\\begin\{tikzpicture\}")),
    MetadataSlot(b"", *_line(b"999\n", rb"  0\nSECTION\n")),
)
# First bytes of files that are always pictures.
_MARKS: Final = (b"<svg", b"\x89PNG", b"%PDF", b"GIF8")


def is_picture(head: bytes) -> bool:
    """Whether a file with this beginning is a picture. A text file is a picture if it has an origin."""
    return head.startswith(_MARKS) or origin_of(head) is not None
