"""Sphinx extension that converts the docstrings of the package to reStructuredText.

Docstrings are plain text with `code` in single backquotes, doctests, and Google's sections (`Args:`, `Returns:`,
`Raises:`). Each public name becomes a link.
"""

import re
from typing import Any

from knightstour import _names

# An argument's name is at the start of a line or after a full stop.
_NAMES = r"[a-z_]\w*(?:, [a-z_]\w*)*"
_ARGUMENT = re.compile(rf"({_NAMES}): ")
_LATER = re.compile(rf"(?<=[.;)]) (?={_NAMES}: )")
# A heading of Google's style, and an entry below it: an argument or an exception.
_SECTION = re.compile(r"(Args|Attributes|Examples?|Notes?|Raises|Returns|Yields):$")
_TITLES = {"Args": "Arguments"}
_LISTS = ("Args", "Attributes", "Raises")
_ENTRY = re.compile(rf" {{4}}(\*{{0,2}}{_NAMES}|[A-Z]\w*(?:, [A-Z]\w*)*): ")
_PATHS = {path.rpartition(".")[2]: path for path in reversed(_names.public())}
_SPECIAL = re.compile(r"([*|\\]|_\b)")


def inline(text: str) -> str:
    """Convert plain text to reStructuredText, with code and links of public names."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(code(part) if part.startswith("`") else _SPECIAL.sub(r"\\\1", part) for part in parts)


def code(part: str) -> str:
    """Return `name` as code, or as a link if it is a public name."""
    text = part.strip("`")
    name, dot, member = text.partition(".")
    if name in _PATHS and re.fullmatch(r"\w+(\.\w+)?", text):
        # The escaped space is not printed; a letter may follow it.
        return f":py:obj:`{text} <knightstour.{_PATHS[name]}{dot}{member}>`\\ "
    return f"``{text.strip()}``\\ "


def bullet(text: str) -> list[str]:
    """Return an argument and its description."""
    name, _, said = text.partition(": ")
    return ["", f"- **{inline(name)}**: {inline(said)}"]


def convert_docstring(lines: list[str]) -> list[str]:
    """Convert a docstring without indentation to reStructuredText."""
    out: list[str] = []
    kind = section = ""
    for line in lines:
        text = line.strip()
        if text and not line.startswith(" "):
            section = ""
        if match := _SECTION.match(line):
            kind, section = "", match[1]
            out += ["", f"**{_TITLES.get(section, section)}:**", ""]
            continue
        if section in _LISTS and text:
            out += bullet(text) if _ENTRY.match(line) else [f"  {inline(text)}"]
            continue
        if section:
            line = line.removeprefix("    ")
        if not text:
            kind = ""
            out.append("")
        elif kind == "doctest" or text.startswith(">>>"):
            if kind != "doctest":
                out.append("")
            kind = "doctest"
            out.append(line)
        elif line.startswith(" ") and kind == "argument":
            first, *later = _LATER.split(text)
            out.append(f"  {inline(first)}")
            for piece in later:
                out += bullet(piece)
        elif line.startswith(" ") and kind not in ("text",):
            if kind != "literal":
                out += ["::", ""]
            kind = "literal"
            out.append(line)
        elif text.startswith("- "):
            out += ["", f"- {inline(text[2:])}"]
            kind = "argument"
        elif _ARGUMENT.match(text):
            for piece in _LATER.split(text):
                out += bullet(piece)
            kind = "argument"
        elif kind == "argument":
            # The text continues without an argument.
            out += ["", inline(text)]
            kind = "text"
        else:
            out.append(inline(text))
            kind = "text"
    return [*out, ""]


def on_docstring(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Convert a docstring for Sphinx."""
    lines[:] = convert_docstring(lines)


def on_signature(
    app: Any, what: str, name: str, obj: Any, options: Any, signature: str | None, returns: str | None
) -> tuple[str | None, str | None]:
    """Write a default that another function defines as `...`, and names without their modules."""
    return tuple(  # type: ignore[return-value]
        plain(text) if text else text for text in (signature, returns)
    )


def plain(signature: str) -> str:
    """Simplify a signature. `Sequence[...]` is Python's; `Sequence` without brackets is an OEIS sequence."""
    text = re.sub(r"\bknightstour\.(?:\w+\.)*(?=[A-Z])", "", signature.replace("Ellipsis", "..."))
    return re.sub(r"(?<!\.)\bSequence\[", "~collections.abc.Sequence[", text)


def setup(app: Any) -> dict[str, bool]:
    """Register the extension."""
    app.connect("autodoc-process-docstring", on_docstring)
    app.connect("autodoc-process-signature", on_signature)
    return {"parallel_read_safe": True}
