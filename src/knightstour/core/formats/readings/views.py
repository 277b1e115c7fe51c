"""A text seen in several ways: unchanged, without comment marks, with a line for each pair of brackets, and so on.

A reading asks for lines. What is a line depends on the form: a row of a grid is a line of the text, or what is in one
pair of brackets. So each view is a list of lines, and says what it left out or joined to make them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

# Lines that begin so are comments of some language, or quoted in a letter.
_COMMENT = re.compile(r"(?m)^([^\S\n]*)(//+|#+|%+|;+|--+|\*+|>+|/\*+)(?=[^\S\n]|$)")
_COMMENT_AFTER = re.compile(r"(?m)(?<=\S)[^\S\n]+(#|//|%|;|--)[^\S\n][^\n]*$")
_KNIGHTS = str.maketrans(dict.fromkeys("♘♞", "N"))
_INNERMOST = re.compile(r"[\[({]([^\[\](){}]*)[\])}]")
_ANGLES = re.compile(r"<(\s*\d+\s*[,;]\s*\d+\s*)>")
# The most numbers that stand between two brackets: those of steps, or a size.
_MOST_BETWEEN = 2
_TAG = re.compile(r"<[^<>\n]*>")


class Line(NamedTuple):
    """A line of a view, and its number in the text, from 1."""

    number: int
    text: str


class View(NamedTuple):
    """The lines of a text, and what was done to get them."""

    lines: tuple[Line, ...]
    remarks: tuple[str, ...]


def normalised(text: str) -> str:
    """The text with all kinds of spaces, digits, line ends and knights as the plain ones."""
    plain = unicodedata.normalize("NFKC", text.lstrip("\ufeff")).translate(_KNIGHTS)
    return plain.replace("\r\n", "\n").replace("\r", "\n").replace("\f", "\n")


def fault_of_whole(text: str) -> str:
    """Why a text is not all that it was, or "": an array printed with '...', or brackets that are never closed."""
    if re.search(r"\d[\s,]*(\.\.\.+)[\s,]*\d|(?m:^[\s\[(|,]*\.\.\.+[\s\]),|]*$)", text):
        return "it is cut short: '...' is in place of numbers"
    for opening, closing in ("[]", "{}"):
        if text.count(opening) > text.count(closing):
            return f"it is cut off: a {opening!r} is never closed"
    return ""


def views(text: str) -> Iterator[View]:
    """The ways to see a normalised text, those first that change least."""
    for changed, remarks in _changed(text):
        yield View(tuple(Line(k, line) for k, line in enumerate(changed.split("\n"), 1)), remarks)
        for apart, lines in _by_brackets(changed):
            yield View(lines, (*remarks, *apart))


def _changed(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The text; and without comment marks, comments after lines, tags of HTML, marks of TeX."""
    yield text, ()
    if _COMMENT.search(text):
        yield _COMMENT.sub(r"\1", text), ("comment marks left out",)
    if _COMMENT_AFTER.search(text):
        yield _COMMENT_AFTER.sub("", text), ("comments left out",)
    if re.search(r"<t[dr]\b", text, re.IGNORECASE):
        lines = re.sub(r"(?i)</tr\s*>", "\n", " ".join(text.split()))
        cells = re.sub(r"(?i)[^\S\n]*</?t[dh]\b[^<>]*>[^\S\n]*", "|", lines)
        yield _TAG.sub(" ", re.sub(r"\|\|", "|", cells)), ("tags left out",)
    if "\\" in text:
        yield re.sub(r"\\\\(\[[^\]]*\])?|\\hline|\\cline\{[^}]*\}", " ", text), ("marks of TeX left out",)


def _by_brackets(text: str) -> Iterator[tuple[tuple[str, ...], tuple[Line, ...]]]:
    """The innermost brackets as lines, an empty line between two groups of them; nothing where there are not two.

    Once with, once without an empty line where a line of the text ends between two of them.
    """
    text = _ANGLES.sub(r"(\1)", text)
    found = list(_INNERMOST.finditer(text))
    if not found:
        return
    gaps = [text[a.end() : b.start()] for a, b in zip(found, found[1:], strict=False)]
    if any(len(re.findall(r"\d+", gap)) > _MOST_BETWEEN for gap in gaps):
        return
    is_new_group = [re.search(r"[\])}][^\[({]*[\[({]", gap) is not None for gap in gaps]
    yield (), _lines_of(text, found, is_new_group)
    ends_line = [new or "\n" in gap for new, gap in zip(is_new_group, gaps, strict=True)]
    if ends_line != is_new_group and not all(ends_line):
        yield ("a tour a line",), _lines_of(text, found, ends_line)


def _lines_of(text: str, found: list[re.Match[str]], is_new_group: list[bool]) -> tuple[Line, ...]:
    lines: list[Line] = []
    number = counted = 0
    for match, is_new in zip(found, [False, *is_new_group], strict=True):
        number += text.count("\n", counted, match.start())
        counted = match.start()
        if is_new:
            lines.append(Line(number + 1, ""))
        # In the notation of some languages semicolons end the rows of an array.
        for row in match[1].split(";") if match[1].count(";") > 1 else [match[1]]:
            lines.append(Line(number + 1, " ".join(row.split("\n"))))
    return tuple(lines)
