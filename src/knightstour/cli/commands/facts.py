"""`knightstour facts`: what is known of a board."""

from __future__ import annotations

import json

import click

from knightstour.cli import console
from knightstour.cli.options import board_named, json_option
from knightstour.methods.overview import overview
from knightstour.model.board import Board


@click.command("facts")
@board_named
@json_option
def command(board: Board, as_json: bool) -> int:
    """Say what BOARD is, and which tours it has: squares, colours, degrees, parts, and what exists and why."""
    status = console.StatusLine()
    with console.told_about_compiling(status), status.timing("looking at the board"):
        page = overview(board)
    status.clear()
    click.echo(json.dumps(page.to_dict()) if as_json else page.to_text())
    return console.FOUND
