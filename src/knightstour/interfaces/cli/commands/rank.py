"""`knightstour rank`: the number of each tour among all tours of its board."""

from __future__ import annotations

import json

import click

from knightstour.core.model.budget import as_arguments
from knightstour.core.model.problem import Problem
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.spaces.tour_space import TourSpace


@click.command("rank", cls=Command)
@options.file_argument
@options.file_board_argument
@option("--open", "as_open", is_flag=True, help="Rank a closed tour among the open tours.")
@options.memory_option
@options.json_option
@any_digits()
def command(file: str, board: str | None, *, as_open: bool, memory: str | None, as_json: bool) -> int:
    """Print the number of each tour in FILE, among all tours of its board. Use - for stdin.

    \b
    $ knightstour rank tour.txt
    """
    status = console.StatusLine()
    limits = options.limits_of(None, memory=memory)
    for tour in options.TourFile(file, board).read():
        problem = Problem(tour.board, closed=tour.is_closed and not as_open)
        with console.noting_saved_spaces(status), status.timing("numbering all tours"):
            space = TourSpace(problem, **as_arguments(limits), on_progress=status.progress)
            number = space.rank(tour)
        status.clear()
        if as_json:
            click.echo(json.dumps({**problem.to_dict(), "number": str(number), "count": str(space.count)}))
        else:
            click.echo(str(number))
            console.print_message("note", f"of {space.count:,} {kind_of(problem)}")
    return console.FOUND
