"""`knightstour facts`: what is known of a board."""

from __future__ import annotations

import json

import click

from knightstour.cli import console
from knightstour.cli.help import Command
from knightstour.cli.options import boards_named, json_option
from knightstour.methods.overview import overview
from knightstour.model.board import Board
from knightstour.model.budget import Limits


@click.command("facts", cls=Command)
@boards_named
@click.option("--timeout", type=float, metavar="S", help="Seconds for all questions; default none.")
@json_option(" a board: its facts, and what is known of its tours")
def command(board: Board, place: int | None, timeout: float | None, as_json: bool) -> int:
    """Say what BOARD is, and which tours it has: squares, colours, degrees, parts, and what exists and why.

    BOARD may be a file of several graphs; - is stdin. Exit code 3: --timeout left an answer open.
    """
    status = console.StatusLine("" if place is None else f"graph {place:,}: ")
    with console.told_about_compiling(status), status.timing("looking at the board"):
        page = overview(board, limits=Limits(seconds=timeout))
    status.clear()
    if as_json:
        click.echo(json.dumps({**({} if place is None else {"number": place}), **page.to_dict()}))
    else:
        heading = "" if place is None else f"graph {place}\n"
        click.echo(("\n" if heading and place != 1 else "") + heading + page.to_text())
    return console.UNDECIDED if timeout is not None and page.is_undecided else console.FOUND
