"""`knightstour solve`: find a tour, or say why there is none. interfaces/cli/solving.py does the work."""

from __future__ import annotations

from typing import Any

import click

from knightstour.core.methods.table import METHODS
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.each_graph import GraphsCommand
from knightstour.interfaces.cli.options import (
    declared,
    json_option,
    limit_options,
    questions,
    seed_option,
    settings,
    several_options,
    worker_options,
)
from knightstour.interfaces.cli.picture_options import tour_output_options
from knightstour.interfaces.cli.solve_words import MethodWords, SolveWords, WatchWords


@click.command("solve", cls=GraphsCommand)
@questions
@limit_options()
@declared("method_words", MethodWords)
@settings(lambda: {name: row.options for name, row in METHODS.items()}, "method")
@several_options
@seed_option("tour")
@worker_options("backtracking: search", note="; portfolio: race the methods; of several graphs: answer one each")
@tour_output_options("Write the tours there, or a picture; the suffix says which.")
@json_option(" a tour: the question, the answer and the squares")
@declared("watch", WatchWords)
@option(
    "--at",
    multiple=True,
    metavar="STEP|SQ",
    help="Only say where the constructed tour is at this step, or when it visits this square; boards of any size.",
)
@any_digits()
def command(at: tuple[str, ...], **given: Any) -> int | Any:
    """Find a tour of BOARD, or say why there is none.

    BOARD is one word: 8x12; 10x10:2,3 for another piece; 8x8:torus for joined sides; 8x8:-a1,h8 for holes; or a file
    (- for stdin) that draws a board with . and # or holds graphs, of which each gets a line, and with -o DIR or
    --proof DIR a file.

    \b
    knightstour solve 8x8 --closed -o tour.svg
    knightstour solve 10x10:zebra --start a1 --end j1
    """
    from knightstour.interfaces.cli.solving import Solving, say_places, solve_one

    asked = SolveWords(**given)
    if at:
        return say_places(asked, at)
    if asked.place is not None and asked.worker_words.workers is not None:
        from knightstour.interfaces.cli.each_graph import Elsewhere
        from knightstour.interfaces.cli.options import WorkerWords

        # Of several graphs each worker answers one after another.
        return Elsewhere(asked.worker_words, solve_one, asked._replace(worker_words=WorkerWords(None)))
    return Solving(asked).run()
