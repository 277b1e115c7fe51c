"""`knightstour facts`: what is known of a board."""

from __future__ import annotations

import json

import click

from knightstour.core.methods.facts import facts
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.each_graph import GraphsCommand
from knightstour.interfaces.cli.options import board_option, json_option, refuse
from knightstour.lab.catalogues.table import catalogues_of


@click.command("facts", cls=GraphsCommand)
@board_option
@option("--timeout", type=float, metavar="S", help="Seconds for all questions; default none.")
@option(
    "--from-to",
    nargs=2,
    metavar="SQ SQ",
    help="Only how many moves one square is from another, and how many ways lead.",
)
@json_option(" a board: its facts, and what is known of its tours")
def command(
    board: Board, place: int | None, timeout: float | None, from_to: tuple[str, str] | None, as_json: bool
) -> int:
    """Say what BOARD is, and which tours it has: squares, colours, degrees, parts, and what exists and why.

    BOARD may be a file of several graphs; - is stdin. Exit code 3: --timeout left an answer open.

    \b
    knightstour facts 8x8:torus
    knightstour facts 8x8 --from-to a8 h1
    """
    if from_to is not None:
        refuse({"--timeout": timeout}, "ways are not searched for")
        return _say_ways(board, place, from_to, as_json)
    status = console.StatusLine("" if place is None else f"graph {place:,}: ")
    with status.timing("looking at the board"):
        page = facts(board, limits=Limits(seconds=timeout))
    status.clear()
    if as_json:
        number = {} if place is None else {"number": place}
        click.echo(json.dumps({**number, **page.to_dict(), "catalogues": catalogues_of(board)}))
    else:
        heading = "" if place is None else f"graph {place}\n"
        click.echo(("\n" if heading and place != 1 else "") + heading + page.to_text())
        lists = catalogues_of(board)
        if lists:
            click.echo(f"tours to take    {', '.join(lists)} (convert --catalogue NAME)")
    return console.UNDECIDED if timeout is not None and page.is_undecided else console.FOUND


def _say_ways(board: Board, place: int | None, from_to: tuple[str, str], as_json: bool) -> int:
    """Print how many moves and shortest ways there are from a square to another, and the first way."""
    ways = board.paths(*(board.square(text) for text in from_to))
    record = ways.to_dict()
    if as_json:
        click.echo(json.dumps({**({} if place is None else {"number": place}), **record}))
    else:
        heading = "" if place is None else f"graph {place}: "
        first = "" if ways.moves is None else f"; the first: {' '.join(ways.named(next(iter(ways))))}"
        click.echo(f"{heading}{record['from']} to {record['to']}: {ways}{first}")
    return console.IMPOSSIBLE if ways.moves is None else console.FOUND
