"""Views of a text: unchanged, or without comment marks, HTML tags or TeX marks, line by line.

Text outside of the brackets that contain nearly all of it is on separate lines, as a heading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

# Beginnings of comments, or of quoted lines.
_COMMENT = re.compile(r"(?m)^([^\S\n]*)(//+|#+|%+|;+|--+|\*+|>+|/\*+)(?=[^\S\n]|$)")
_COMMENT_AFTER = re.compile(r"(?m)(?<=\S)[^\S\n]+(#|//|%|;|--)[^\S\n][^\n]*$")
_KNIGHTS = str.maketrans(dict.fromkeys("♘♞", "N"))
_COLOUR = re.compile(r"\x1b\[[0-9;:]*[A-Za-z]")
_POWERS = re.compile(r"(?<![\w.])\d+(\.\d+)?e[+-]\d+(?![\w.])", re.IGNORECASE)
_ANGLES = re.compile(r"<(\s*\d+\s*[,;]\s*\d+\s*)>")
_TAG = re.compile(r"<[^<>\n]*>")
_BRACKET = re.compile(r"[\[({\])}]")
INNERMOST = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_BETWEEN_LISTS = re.compile(r"(?<=[\])}][\])}]),\s*(?=[\[({]\s*[\[({])")
_TOKEN = re.compile(r"[A-Za-z]{0,2}\d+")
# Minimum share of the numbers and names of a text in its list.
_NEARLY_ALL = 0.7


class Line(NamedTuple):
    """A line of a view, and its number in the text, from 1."""

    number: int
    text: str


class View(NamedTuple):
    """Lines of a text, and remarks on their extraction."""

    lines: tuple[Line, ...]
    remarks: tuple[str, ...]


def _plain_number(match: re.Match[str]) -> str:
    value = float(match[0])
    return str(int(value)) if value.is_integer() and value < 1e12 else match[0]


def normalise_text(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with normalised digits, spaces, line ends and knights, and remarks on omitted parts."""
    plain = unicodedata.normalize("NFKC", text.lstrip("\ufeff")).translate(_KNIGHTS)
    plain = plain.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")
    bare = _COLOUR.sub("", plain)
    return _POWERS.sub(_plain_number, bare), ("colours left out",) if bare != plain else ()


def fault_of_whole(text: str) -> str:
    """Return the reason why a text is truncated, or ""."""
    if re.search(r"\d[\s,]*(\.\.\.+)[\s,]*\d|(?m:^[\s\[(|,]*\.\.\.+[\s\]),|]*$)", text):
        return "it is truncated: '...' replaces numbers"
    for opening, closing in ("[]", "{}"):
        if text.count(opening) > text.count(closing):
            return f"it is truncated: {opening!r} is not closed"
    return ""


def views(text: str, remarks: tuple[str, ...] = ()) -> Iterator[View]:
    """Yield the views of a normalised text, from few to many changes."""
    for changed, said in _text_variants(_ANGLES.sub(r"(\1)", text)):
        lines = [Line(k, line) for k, line in enumerate(changed.split("\n"), 1)]
        apart = [part for line in _with_headings(changed, lines) for part in _lists_apart(line)]
        yield View(tuple(apart), (*remarks, *said))


def _text_variants(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield variants of the text, with changes such as removed comments."""
    yield text, ()
    if _COMMENT.search(text):
        yield _COMMENT.sub(r"\1", text), ("comment marks left out",)
    if _COMMENT_AFTER.search(text):
        yield _COMMENT_AFTER.sub("", text), ("comments left out",)
    if re.search(r"\d[ \t,]+\d+[ \t,]*;", text):
        yield re.sub(r";+", "\n", text), ("semicolons end rows",)
    if re.search(r"<t[dr]\b", text, re.IGNORECASE):
        lines = re.sub(r"(?i)</tr\s*>", "\n", " ".join(text.split()))
        cells = re.sub(r"(?i)[^\S\n]*</?t[dh]\b[^<>]*>[^\S\n]*", "|", lines)
        yield _TAG.sub(" ", re.sub(r"\|\|", "|", cells)), ("tags left out",)
    if "\\" in text:
        yield re.sub(r"\\\\(\[[^\]]*\])?|\\hline|\\cline\{[^}]*\}", " ", text), ("marks of TeX left out",)


def _with_headings(text: str, lines: list[Line]) -> list[Line]:
    """Return the lines, split at the smallest brackets that contain nearly all of the text."""
    places = [match.start() for match in _TOKEN.finditer(text)]
    stack: list[tuple[int, int]] = []
    best: tuple[int, int] | None = None
    seen = 0
    for match in _BRACKET.finditer(text):
        at = match.start()
        while seen < len(places) and places[seen] < at:
            seen += 1
        if match[0] in "[({":
            stack.append((at, seen))
        elif stack:
            start, before = stack.pop()
            if best is None and seen - before >= max(2, _NEARLY_ALL * len(places)):
                best = (start, at + 1)
    if best is None:
        return lines
    found, at = [], 0
    for number, line in lines:
        cuts = sorted({0, len(line), *(place - at for place in best if at < place < at + len(line))})
        found += [Line(number, line[a:b]) for a, b in zip(cuts, cuts[1:], strict=False)] or [Line(number, line)]
        at += len(line) + 1
    return found


def _lists_apart(line: Line) -> list[Line]:
    """Split a line at several lists in brackets, with empty lines between them."""
    parts = _BETWEEN_LISTS.split(line.text)
    return [Line(line.number, text) for part in parts for text in ("", part)][1:]


def by_brackets(view: View) -> tuple[Line, ...]:
    """Return the innermost brackets as lines, with an empty line between groups, or () for fewer than two.

    Numbers outside are kept, before a row or on a separate line.
    """
    text = "\n".join(line.text for line in view.lines)
    found = list(INNERMOST.finditer(text))
    if sum(1 + match[1].count(";") for match in found) < 2:
        return ()
    lines: list[Line] = []
    index = end = counted = 0
    for match in found:
        gap = text[end : match.start()]
        index += text.count("\n", counted, match.start())
        counted, end = match.start(), match.end()
        number = view.lines[index].number
        *above, before = re.sub(r"[\[\](){},;]", " ", gap).split("\n")
        lines += [Line(number, line) for line in above if re.search(r"\d", line)]
        if re.search(r"[\])}][^\[({]*[\[({]", gap + match[0][:1]) and lines:
            lines.append(Line(number, ""))
        # In some languages semicolons end the rows of an array.
        rows = match[1].split(";") if match[1].count(";") > 1 else [match[1]]
        lines += [
            Line(number, (before if not k and re.search(r"\d", before) else "") + " ".join(row.split("\n")))
            for k, row in enumerate(rows)
        ]
    lines += [Line(view.lines[-1].number, line) for line in text[end:].split("\n") if re.search(r"\d", line)]
    return tuple(lines)
