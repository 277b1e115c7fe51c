"""`knightstour convert`: tours of a file in another format."""

from __future__ import annotations

import click

from knightstour.cli import console
from knightstour.cli.help import Command
from knightstour.cli.options import Target, TourFile, output_options, tour_file
from knightstour.cli.output import check_target, write_graph, write_out


@click.command("convert", cls=Command)
@tour_file()
@output_options("Where to; default stdout.", names=("--format", "--to"))
def command(source: TourFile, target: Target) -> int:
    """Write the tours of FILE (- for stdin), or the graph in it, in another format."""
    if target.output is not None and not target.is_stdout:
        check_target(target.output, target.force)
    board = source.read_graph()
    if board is not None:
        write_graph(board, target)
    else:
        write_out(source.read(), target)
    return console.FOUND
