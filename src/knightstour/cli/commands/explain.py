"""`knightstour explain`: what a word of the tables means."""

from __future__ import annotations

import json
from collections.abc import Mapping

import click

from knightstour.cli import console
from knightstour.cli.help import Command
from knightstour.cli.options import json_option
from knightstour.drawing.styles import STYLES
from knightstour.formats.table import FORMATS
from knightstour.methods.table import METHODS
from knightstour.model.errors import ProblemError
from knightstour.model.validation import one_of
from knightstour.sampling.laws.table import LAWS
from knightstour.search.objectives.table import OBJECTIVES

# What a word is -> the table that has it.
_TABLES: Mapping[str, Mapping[str, object]] = {
    "method": METHODS,
    "law": LAWS,
    "format": FORMATS,
    "objective": OBJECTIVES,
    "style": STYLES,
}


@click.command("explain", cls=Command)
@click.argument("word")
@json_option(": what the word means, by table")
def command(word: str, as_json: bool) -> int:
    """Say what WORD means: a method such as warnsdorff, a law, a format, an objective or a style of pictures."""
    names = [name for table in _TABLES.values() for name in table]
    one_of(word, names, "word", error=ProblemError)
    meanings = {kind: _meaning(table[word]) for kind, table in _TABLES.items() if word in table}
    if as_json:
        click.echo(json.dumps({"word": word, **meanings}))
        return console.FOUND
    for kind, lines in meanings.items():
        click.echo(f"{word}, a {kind}:" if kind != "objective" else f"{word}, an objective:")
        for line in lines:
            click.echo(f"  {line}")
    return console.FOUND


def _meaning(row: object) -> list[str]:
    """What a row of a table says, a line each."""
    summary = getattr(row, "summary", None) or getattr(row, "help", None) or getattr(row, "text", "")
    lines = [str(summary)]
    source = getattr(row, "source", "")
    if source:
        lines.append(f"source: {source}")
    options = getattr(row, "options", None) or getattr(row, "parameters", None) or {}
    lines += [f"{option.flag}: {option.text}" for option in options.values()]
    return lines + [line.text for line in getattr(row, "pseudocode", ())]
