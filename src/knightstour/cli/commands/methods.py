"""`knightstour methods`: what searches for tours."""

from __future__ import annotations

import json

import click

from knightstour.cli import console
from knightstour.cli.options import json_option
from knightstour.methods.table import METHODS


@click.command("methods")
@json_option
def command(as_json: bool) -> int:
    """List the methods, what they do and their options."""
    if as_json:
        click.echo(json.dumps({name: row.to_dict() for name, row in METHODS.items()}))
        return console.FOUND
    width = max(map(len, METHODS))
    for name, row in METHODS.items():
        which = row.proves_impossible
        proves = {"all": "; proves impossible", "none": ""}.get(which, f"; proves impossible {which}")
        click.echo(f"{name:<{width}}  {row.summary}{proves}")
        click.echo(f"{'':<{width}}  source: {row.source}")
        for option in row.options.values():
            click.echo(f"{'':<{width}}  {option.flag}: {option.text}")
    return console.FOUND
