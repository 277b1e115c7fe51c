"""`knightstour facts`: facts about a board."""

from __future__ import annotations

import json

import click

from knightstour.core.methods.facts import facts
from knightstour.core.model.board import Board, title_of
from knightstour.core.model.result import Status
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.each_graph import answer_boards
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.lab.catalogues.table import catalogues_of


@click.command("facts", cls=Command)
@options.board_argument
@option("--from-to", nargs=2, metavar="SQ SQ", help="Print only the distance between two squares, in moves.")
@options.timeout_option()
@options.json_option
def command(board: str, *, from_to: tuple[str, str] | None, timeout: float | None, as_json: bool) -> int:
    """Print facts about BOARD: squares, moves, components, symmetries, and which tours exist.

    BOARD is a size, with changes after a colon: 8x8, 5x9:king, 10x10:2,3 (leaps), 8x8:torus, 8x8:-a1,h8 (holes), 4x4x4,
    hex:6. It can also be a file: a drawing with . and #, or a graph (graph6, DIMACS, edge list).

    \b
    $ knightstour facts 3x10
    $ knightstour facts 8x8 --from-to a1 h8
    """
    if from_to is not None:
        options.refuse({"--timeout": timeout}, "a distance needs no search")
        return answer_boards(board, lambda graph, graph_number: _print_distance(graph, graph_number, from_to, as_json))
    return answer_boards(board, lambda graph, graph_number: _print_facts(graph, graph_number, timeout, as_json))


def _print_facts(board: Board, graph_number: int | None, timeout: float | None, as_json: bool) -> int:
    status = console.StatusLine("" if graph_number is None else f"graph {graph_number:,}: ")
    with status.timing("examining the board"):
        page = facts(board, timeout=timeout)
    status.clear()
    if as_json:
        number = {} if graph_number is None else {"number": graph_number}
        click.echo(json.dumps({**number, **page.to_dict(), "catalogues": catalogues_of(board)}))
    else:
        heading = "" if graph_number is None else f"graph {graph_number}\n"
        click.echo(("\n" if heading and graph_number != 1 else "") + heading + page.to_text())
        # The paths and cycles of this list omit squares.
        has_none = page.open is not None and page.open.status is Status.IMPOSSIBLE
        lists = [name for name in catalogues_of(board) if not (has_none and name == "uncrossed")]
        if lists:
            command = "knightstour examples " + (lists[0] if len(lists) == 1 else f"NAME ({', '.join(lists)})")
            # The first line is "board", blanks, and the title.
            click.echo("see also".ljust(page.to_text().index(title_of(board))) + command)
    return console.UNDECIDED if timeout is not None and page.is_undecided else console.FOUND


def _print_distance(board: Board, graph_number: int | None, from_to: tuple[str, str], as_json: bool) -> int:
    """Print the distance, the number of shortest paths, and the first path."""
    ways = board.paths(*(board.square(text) for text in from_to))
    record = ways.to_dict()
    if as_json:
        click.echo(json.dumps({**({} if graph_number is None else {"number": graph_number}), **record}))
    else:
        heading = "" if graph_number is None else f"graph {graph_number}: "
        first = "" if ways.moves is None else f"; the first: {' '.join(ways.square_names(next(iter(ways))))}"
        click.echo(f"{heading}{record['from']} to {record['to']}: {ways}{first}")
    return console.IMPOSSIBLE if ways.moves is None else console.FOUND
