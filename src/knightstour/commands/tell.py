"""`knightstour facts` and `methods`: what is known of a board, and what searches for its tours."""

from __future__ import annotations

import json

import click

from knightstour import console
from knightstour.commands.options import board_options


@click.command()
@board_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def facts(board: str, leaper: str | None, wrap: str | None, holes: str | None, as_json: bool) -> int:
    """Tell what BOARD is and which tours it has: squares, colours, degrees, parts, and what exists and why."""
    from knightstour import inputs, overview

    status = console.StatusLine()
    with console.told_about_compiling(status), status.timing("looking at the board"):
        page = overview.overview(inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes))
    status.clear()
    click.echo(json.dumps(page.to_dict()) if as_json else page.to_text())
    return console.FOUND


@click.command("methods")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def list_methods(as_json: bool) -> int:
    """List the methods, what they do and their options."""
    from knightstour.methods import METHODS

    if as_json:
        click.echo(json.dumps({name: row.to_dict() for name, row in METHODS.items()}))
        return console.FOUND
    width = max(map(len, METHODS))
    for name, row in METHODS.items():
        proves = "; proves impossible" if row.complete else ""
        click.echo(f"{name:<{width}}  {row.summary}{proves}")
        click.echo(f"{'':<{width}}  source: {row.source}")
        for option, text in row.options.items():
            click.echo(f"{'':<{width}}  --{option}: {text}")
    return console.FOUND
