"""`knightstour methods`: what searches for tours."""

from __future__ import annotations

import json

import click

from knightstour.cli import console
from knightstour.cli.help import Command
from knightstour.cli.options import json_option
from knightstour.methods.table import METHODS, Method
from knightstour.model.errors import MethodError
from knightstour.model.validation import one_of


@click.command("methods", cls=Command)
@click.argument("name", required=False)
@json_option(": the methods by name")
def command(name: str | None, as_json: bool) -> int:
    """List the methods, what they do and their options. With a NAME: that one, line by line, as pseudocode."""
    chosen = METHODS if name is None else {name: METHODS[one_of(name, METHODS, "method", error=MethodError)]}
    if as_json:
        click.echo(json.dumps({key: row.to_dict() for key, row in chosen.items()}))
        return console.FOUND
    width = max(map(len, chosen))
    for key, row in chosen.items():
        _print_row(key, row, width)
    if name is not None and chosen[name].pseudocode:
        click.echo()
        for line in chosen[name].pseudocode:
            click.echo(line.text)
    return console.FOUND


def _print_row(name: str, row: Method, width: int) -> None:
    which = row.proves_impossible
    proves = {"all": "; proves impossible", "none": ""}.get(which, f"; proves impossible {which}")
    click.echo(f"{name:<{width}}  {row.summary}{proves}")
    click.echo(f"{'':<{width}}  source: {row.source}")
    for option in row.options.values():
        click.echo(f"{'':<{width}}  {option.flag}: {option.text}")
