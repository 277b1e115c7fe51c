"""`knightstour explain`: the meaning of a word."""

from __future__ import annotations

import functools
import json
import os
import re
import textwrap
from collections.abc import Mapping
from typing import NamedTuple

import click

from knightstour.core.drawing.styles import STYLES
from knightstour.core.formats.table import FORMATS
from knightstour.core.methods.table import METHODS, Method
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.pieces import PIECES, NamedPiece
from knightstour.core.model.validation import an, did_you_mean, quoted
from knightstour.core.statistics.table import STATISTICS
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.help import Command
from knightstour.lab.catalogues.table import CATALOGUES
from knightstour.lab.instances.table import FAMILIES
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS


class _Term(NamedTuple):
    """A row for a word without a text in its table. source: the origin of the word."""

    summary: str
    source: str = ""


def _piece(row: NamedPiece) -> _Term:
    return _Term(f"a piece that leaps {' and '.join(map(str, row.leaps))}, as in 8x8:{row.name}", row.source)


_WRAPS = {
    "cylinder": _Term("the left and right sides of the board are joined, as in 8x8:cylinder"),
    "torus": _Term("the left and right sides are joined, and so are the top and bottom, as in 8x8:torus"),
    "mobius": _Term("the left and right sides are joined with a half turn, as in 8x8:mobius"),
    "klein": _Term("as mobius, and the top and bottom sides are joined, too, as in 8x8:klein"),
}
# The kinds of terms, each with its table.
_TABLES: Mapping[str, Mapping[str, object]] = {
    "method": METHODS,
    "distribution": DISTRIBUTIONS,
    "format": FORMATS,
    "statistic": STATISTICS,
    "style": STYLES,
    "family": FAMILIES,
    "catalogue": CATALOGUES,
    "piece": {name: _piece(row) for name, row in PIECES.items()},
    "wrap": _WRAPS,
}


@functools.cache
def glossary() -> dict[str, str]:
    """The meaning of each word of the glossary.

    >>> glossary()["leaper"]
    'a piece of one leap'
    """
    path = os.path.join(os.path.dirname(os.path.dirname(__file__)), "glossary.tsv")
    with open(path, encoding="utf-8") as file:
        rows = (line.rstrip("\n").split("\t", 1) for line in file)
        return {row[0]: row[1] for row in rows}


@click.command("explain", cls=Command)
@click.argument("words", metavar="[WORD]", nargs=-1, shell_complete=lambda _context, _word, typed: _terms_from(typed))
@options.json_option
def command(words: tuple[str, ...], *, as_json: bool) -> int:
    """Explain a word: a method, distribution, statistic, format, style, piece, or any other term of the glossary.
    Without WORD, list all terms.

    \b
    $ knightstour explain warnsdorff
    """
    if not words:
        return _list(as_json)
    known = _find_word(" ".join(words))
    rows = {kind: table[known] for kind, table in _TABLES.items() if known in table}
    in_glossary = {name.lower(): name for name in glossary()}
    meaning = glossary()[in_glossary[known.lower()]] if known.lower() in in_glossary else ""
    if as_json:
        term = {"glossary": meaning} if meaning else {}
        click.echo(json.dumps({"word": known, **{kind: _record(row) for kind, row in rows.items()}, **term}))
        return console.FOUND
    if meaning:
        click.echo(f"{in_glossary[known.lower()]}: {meaning}")
    for kind, row in rows.items():
        click.echo(f"{known}, {an(kind)}:")
        for line in _meaning(row):
            click.echo(f"  {line}".rstrip())
    return console.FOUND


def _terms_from(typed: str) -> list[str]:
    """Return the terms that begin with the typed text, for the completion of the shell."""
    return [term for term in _terms() if term.startswith(typed)]


def _terms() -> list[str]:
    """Return all terms of the tables and the glossary."""
    return list(dict.fromkeys([*(name for table in _TABLES.values() for name in table), *glossary()]))


def _find_word(word: str) -> str:
    """Return the known word, also for a plural. Raises ProblemError with similar words."""
    names = _terms()
    folded = {name.lower(): name for name in reversed(names)}
    lower = re.sub(r"(?<=.) tours?$", "", word.strip().lower())
    singular = {"ves": "f", "ies": "y", "es": "", "s": ""}
    forms = [lower.removesuffix(end) + new for end, new in singular.items() if lower.endswith(end)]
    for form in (word, word.lower(), lower, *forms):
        if form in names or form in folded:
            return form if form in names else folded[form]
    help = "`knightstour explain` lists the words"
    raise ProblemError(f"unknown word {quoted(word)}{did_you_mean(word, names)}", help=help)


def _list(as_json: bool) -> int:
    if as_json:
        tables = {kind: {name: _record(row) for name, row in table.items()} for kind, table in _TABLES.items()}
        click.echo(json.dumps({**tables, "glossary": glossary()}))
        return console.FOUND
    width = max(len(name) for table in _TABLES.values() for name in table)
    for k, (kind, table) in enumerate(_TABLES.items()):
        click.echo(("\n" if k else "") + kind.removesuffix("y") + ("ies" if kind.endswith("y") else "s"))
        for name, row in table.items():
            click.echo(f"  {name:<{width}}  {_summary(row)}")
    click.echo("\nother words")
    click.echo(
        textwrap.fill(", ".join(sorted(glossary(), key=str.lower)), 80, initial_indent="  ", subsequent_indent="  ")
    )
    return console.FOUND


def _record(row: object) -> object:
    return row.to_dict() if isinstance(row, Method) else _meaning(row)


def _summary(row: object) -> str:
    return str(getattr(row, "summary", None) or getattr(row, "help", None) or getattr(row, "text", ""))


def _meaning(row: object) -> list[str]:
    lines = [_summary(row)]
    if isinstance(row, Method) and row.proves_impossible != "none":
        where = "" if row.proves_impossible == "all" else f", for {row.proves_impossible}"
        lines.append(f"can prove that no tour exists{where}")
    complete = getattr(row, "complete", "")
    if complete and not isinstance(row, Method):
        lines.append(f"complete: {complete}")
    source = getattr(row, "source", "")
    if source:
        lines.append(f"source: {source}")
    options = getattr(row, "options", None) or getattr(row, "parameters", None) or {}
    lines += [f"{option.flag}: {option.text}" for option in options.values()]
    return lines + [line.text for line in getattr(row, "pseudocode", ())]
