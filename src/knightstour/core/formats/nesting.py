"""Lists in lists as programs print them, with brackets of any kind: `[(0, 1), (1, 2)]`, `{{1,2},{2,3}}`, `{0: [1]}`."""

from __future__ import annotations

import re
from typing import TypeAlias

Nested: TypeAlias = "str | list[Nested] | dict[str, Nested]"

_TOKEN = re.compile(
    r"""\s*(?:([\[({<])|([\])}>])|([,;:])|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s\[\](){}<>,;:"'=]+))"""
)
_NAME = re.compile(r"\s*[A-Za-z_][\w ]{0,30}\s*(=|:=|<-)\s*")
_CLOSING = {"[": "]", "(": ")", "{": "}", "<": ">"}
# Deeper ones hold no graph and no board.
_MOST_DEPTH = 6


class NestingFault(Exception):
    """Text that is no lists in lists; `at` is the character."""

    def __init__(self, message: str, at: int) -> None:
        super().__init__(message)
        self.at = at


def parse_nested(text: str) -> Nested:
    """The lists in a text: words become str, brackets lists, and brackets with colons mappings.

    Several lists one after another are one list of them. A name before it, `edges = `, is left out.

    >>> parse_nested("E = [(0, 1), (1, 'b')]"), parse_nested("{0: [1], 1: [0]}")
    ([['0', '1'], ['1', 'b']], {'0': ['1'], '1': ['0']})
    >>> parse_nested("(0, 1)\\n(1, 2)\\n")
    [['0', '1'], ['1', '2']]
    """
    named = _NAME.match(text)
    at = named.end() if named else 0
    end = len(text.rstrip().rstrip(".;,"))
    found = list[Nested]()
    while at < end:
        if text[at].isspace() or (found and text[at] in ",;"):
            at += 1
            continue
        value, at = _value(text, at, end, 0)
        if isinstance(value, str):
            raise NestingFault(f"{value[:40]!r} is outside of brackets", at)
        found.append(value)
    if not found:
        raise NestingFault("there are no brackets", 0)
    return found[0] if len(found) == 1 and (named or not _is_flat(found[0])) else found


def _is_flat(value: Nested) -> bool:
    return isinstance(value, list) and not any(isinstance(item, list | dict) for item in value)


def _value(text: str, at: int, end: int, depth: int) -> tuple[Nested, int]:
    match = _TOKEN.match(text, at, end)
    if match is None:
        raise NestingFault(f"{text[at : at + 20].strip()!r} is not understood", at)
    opening, closing, mark, double, single, bare = match.groups()
    if opening:
        if depth == _MOST_DEPTH:
            raise NestingFault("brackets are nested too deep", at)
        return _group(text, match.end(), end, opening, depth)
    if closing or mark:
        raise NestingFault(f"{(closing or mark)!r} comes before a value", match.end() - 1)
    return next(word for word in (double, single, bare) if word is not None), match.end()


def _group(text: str, at: int, end: int, opening: str, depth: int) -> tuple[Nested, int]:
    items, keys = list[Nested](), list[str]()
    while True:
        match = _TOKEN.match(text, at, end)
        if match is None:
            raise NestingFault(f"{opening!r} is never closed", min(at, end))
        if match[2]:
            if match[2] != _CLOSING[opening]:
                raise NestingFault(f"{opening!r} is closed by {match[2]!r}", match.end() - 1)
            if keys and len(keys) != len(items):
                raise NestingFault("a key has no value", match.end() - 1)
            if len(set(keys)) < len(keys):
                raise NestingFault("a key is there twice", match.end() - 1)
            return (dict(zip(keys, items, strict=True)) if keys else items), match.end()
        if match[3] in (",", ";"):
            at = match.end()
            continue
        value, at = _value(text, at, end, depth + 1)
        after = _TOKEN.match(text, at, end)
        if after is not None and after[3] == ":":
            if not isinstance(value, str) or len(keys) != len(items):
                raise NestingFault("a key of a mapping is a word", at)
            keys.append(value)
            item, at = _value(text, after.end(), end, depth + 1)
            items.append(item)
        elif keys:
            raise NestingFault("a value has no key", at)
        else:
            items.append(value)
