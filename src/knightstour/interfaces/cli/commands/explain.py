"""`knightstour explain`: what a word of the tables means."""

from __future__ import annotations

import json
from collections.abc import Mapping

import click

from knightstour.core.drawing.styles import STYLES
from knightstour.core.formats.table import FORMATS
from knightstour.core.methods.table import METHODS, Method
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.validation import an, one_of
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import json_option
from knightstour.lab.catalogues.table import CATALOGUES
from knightstour.lab.instances.table import FAMILIES
from knightstour.lab.objectives.table import OBJECTIVES
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS

# What a word is -> the table that has it.
_TABLES: Mapping[str, Mapping[str, object]] = {
    "method": METHODS,
    "distribution": DISTRIBUTIONS,
    "format": FORMATS,
    "objective": OBJECTIVES,
    "style": STYLES,
    "family": FAMILIES,
    "catalogue": CATALOGUES,
}


@click.command("explain", cls=Command)
@click.argument("word", required=False)
@json_option(": what the word means, by table; without a word the tables")
def command(word: str | None, as_json: bool) -> int:
    """List the methods, distributions, formats, objectives, styles, families of graphs and catalogues of
    tours; or say what WORD among them means.

    Of a method or a distribution also what --set may say, and of a method how it goes, line by line.

    \b
    knightstour explain
    knightstour explain warnsdorff
    """
    if word is None:
        return _list(as_json)
    names = [name for table in _TABLES.values() for name in table]
    one_of(word, names, "word", error=ProblemError)
    rows = {kind: table[word] for kind, table in _TABLES.items() if word in table}
    if as_json:
        click.echo(json.dumps({"word": word, **{kind: _record(row) for kind, row in rows.items()}}))
        return console.FOUND
    for kind, row in rows.items():
        click.echo(f"{word}, {an(kind)}:")
        for line in _meaning(row):
            click.echo(f"  {line}".rstrip())
    return console.FOUND


def _list(as_json: bool) -> int:
    if as_json:
        tables = {kind: {name: _record(row) for name, row in table.items()} for kind, table in _TABLES.items()}
        click.echo(json.dumps(tables))
        return console.FOUND
    width = max(len(name) for table in _TABLES.values() for name in table)
    for k, (kind, table) in enumerate(_TABLES.items()):
        click.echo(("\n" if k else "") + kind.removesuffix("y") + ("ies" if kind.endswith("y") else "s"))
        for name, row in table.items():
            click.echo(f"  {name:<{width}}  {_summary(row)}")
    return console.FOUND


def _record(row: object) -> object:
    return row.to_dict() if isinstance(row, Method) else _meaning(row)


def _summary(row: object) -> str:
    return str(getattr(row, "summary", None) or getattr(row, "help", None) or getattr(row, "text", ""))


def _meaning(row: object) -> list[str]:
    lines = [_summary(row)]
    if isinstance(row, Method) and row.proves_impossible != "none":
        lines.append("proves impossible" + ("" if row.proves_impossible == "all" else f" {row.proves_impossible}"))
    complete = getattr(row, "complete", "")
    if complete:
        lines.append(f"complete: {complete}")
    source = getattr(row, "source", "")
    if source:
        lines.append(f"source: {source}")
    options = getattr(row, "options", None) or getattr(row, "parameters", None) or {}
    lines += [f"{option.flag}: {option.text}" for option in options.values()]
    return lines + [line.text for line in getattr(row, "pseudocode", ())]
