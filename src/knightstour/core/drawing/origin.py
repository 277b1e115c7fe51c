"""The way back from a picture: how it was made, kept in its file where nobody sees it."""

from __future__ import annotations

import re
import struct
import zlib

# How the files begin that may have such a text and are no plain text.
PICTURE_MARKS = (b"<svg", b"\x89PNG", b"%PDF")
_PNG_HEAD = 8 + 25  # the signature and the chunk IHDR
_KEYWORD = b"Source"


def with_origin(data: bytes, origin: str) -> bytes:
    """A picture with a text on how it was made: an SVG, PNG, PDF or TikZ; others are left as they are.

    An SVG has it as <metadata>, a PNG as the text "Source", a PDF as its subject, TikZ as a comment. `origin_of` reads
    it.

    >>> origin_of(with_origin(b"<svg><title>A tour</title></svg>", "knightstour solve 8x8"))
    'knightstour solve 8x8'
    """
    if data.startswith(b"<svg"):
        from knightstour.core.drawing.svg.pen import escape

        head, end, rest = data.partition(b"</title>")
        return head + end + f"<metadata>{escape(origin)}</metadata>".encode() + rest if end else data
    if data.startswith(b"\x89PNG"):
        # iTXt: keyword, not compressed, no language, and the text.
        body = b"iTXt" + _KEYWORD + b"\0\0\0\0\0" + origin.encode("utf-8")
        chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
        return data[:_PNG_HEAD] + chunk + data[_PNG_HEAD:]
    if data.startswith(b"%PDF"):
        return _pdf_with(data, origin)
    if data.startswith(b"% ") and b"\\begin{tikzpicture}" in data:
        return f"% {' '.join(origin.split())}\n".encode() + data
    return data


def origin_of(data: bytes) -> str | None:
    """The text of with_origin in a picture; None where there is none.

    >>> origin_of(b"<svg></svg>") is None
    True
    """
    if data.startswith(b"<svg") and (match := re.search(rb"<metadata>(.*?)</metadata>", data, re.DOTALL)):
        from html import unescape

        return unescape(match[1].decode("utf-8"))
    if data.startswith(b"\x89PNG"):
        match = re.search(rb"iTXt" + _KEYWORD + rb"\0\0\0\0\0", data)
        if match:
            (length,) = struct.unpack(">I", data[match.start() - 4 : match.start()])
            return data[match.end() : match.start() + 4 + length].decode("utf-8")
    if data.startswith(b"%PDF") and (found := re.findall(rb"/Subject <feff([0-9a-f]*)>", data)):
        return bytes.fromhex(found[-1].decode()).decode("utf-16-be")
    if data.startswith(b"% ") and b"\\begin{tikzpicture}" in data:
        first, second = data.split(b"\n", 2)[:2]
        return first[2:].decode("utf-8") if second.startswith(b"% ") else None
    return None


def _pdf_with(data: bytes, origin: str) -> bytes:
    """A PDF with a subject: what is new is written behind the old file, as PDF 1.4 allows."""
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
