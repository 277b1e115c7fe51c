"""`knightstour rank`: the number of each tour among all of its board and kind."""

from __future__ import annotations

import json
from typing import Annotated, NamedTuple

import click

from knightstour.core.model.budget import as_arguments
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.declared import option, typed
from knightstour.interfaces.cli.efforts import EffortWords, effort_options
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import TourFile, declared, json_option, tour_file
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.spaces.asked import space_of


class _Among(NamedTuple):
    as_open: Annotated[bool, typed("Number closed tours among the open ones.", flags="--open")]
    from_start: Annotated[bool, typed("Among the tours with the same start.")]
    to_end: Annotated[bool, typed("Among the tours with the same end.")]

    def question(self, tour: Tour) -> Problem:
        """The question whose answers a tour is numbered among."""
        closed = tour.is_closed and not any(self)
        return Problem(tour.board, closed, tour.start if self.from_start else None, tour.end if self.to_end else None)


@click.command("rank", cls=Command)
@tour_file()
@declared("among", _Among)
@option("--space", "path", metavar="FILE", help="A file of all tours; it is made if it does not exist.")
@effort_options(without=("max_nodes", "threads"))
@json_option(" a tour: its number, and how many there are")
@any_digits()
def command(source: TourFile, among: _Among, path: str | None, effort: EffortWords, as_json: bool) -> int:
    """Give the number of each tour in FILE (- for stdin) among all tours of its board and kind.

    \b
    knightstour rank tours.txt
    knightstour rank tours.txt --from-start
    """
    status = console.StatusLine()
    for tour in source.read():
        problem = among.question(tour)
        with console.saying_what_is_kept(status), status.timing("numbering all tours"):
            space = space_of(
                problem, path, **as_arguments(effort.limits), workers=effort.threads, on_progress=status.progress
            )
            number = space.rank(tour)
        status.clear()
        if as_json:
            record = {**problem.to_dict(), "number": str(number), "count": str(space.count)}
            click.echo(json.dumps(record))
        else:
            click.echo(str(number))
            console.say("note", f"of {space.count:,} {kind_of(problem)}")
    return console.FOUND
