"""`knightstour solve`: find a tour, or say why there is none. interfaces/cli/solving.py does the work."""

from __future__ import annotations

import click

from knightstour.core.methods.table import METHODS
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    bundled,
    json_option,
    limit_options,
    seed_option,
    settings,
    several_options,
    symmetric_questions,
    worker_options,
)
from knightstour.interfaces.cli.picture_options import tour_output_options
from knightstour.interfaces.cli.solve_words import MethodWords, SolveWords, WatchWords
from knightstour.interfaces.cli.wording import any_digits

_method_options = bundled(
    "ask",
    MethodWords,
    option("--method", default="auto", metavar="M", help="How it is found, see `knightstour explain`; default auto."),
    option("--objective", metavar="WHAT", help="Look for few turns, crossings, ..., or for many: most-turns, ..."),
    option("--optimal", "is_best", is_flag=True, help="Prove that no tour is better in the objective."),
    option("--no-proofs", is_flag=True, help="Search even if a theorem says that there is no tour."),
    option(
        "--explain",
        "is_explained",
        is_flag=True,
        without="as_json",
        why="--explain draws, so it does not go with --json",
        help="If there is no tour, draw why, on the terminal or into -o.",
    ),
    option("--proof", metavar="FILE", help="Write the answer there with all that `verify` needs to check it."),
    option(
        "--for",
        "proof_for",
        type=click.Choice(["drat"]),
        needs="proof",
        help="With --proof: if there is no tour, prove it by clauses, for checkers such as drat-trim.",
    ),
)
_watch_options = bundled(
    "watch",
    WatchWords,
    option(
        "--watch",
        "is_watched",
        is_flag=True,
        without="objective",
        help="See the search at work, until you have seen enough; a moving picture with -o shows it, too.",
    ),
    option("--speed", type=float, metavar="N", needs="is_watched", help="With --watch: steps a second; default 10."),
)


@click.command("solve", cls=Command)
@symmetric_questions
@limit_options()
@_method_options
@settings(lambda: {name: row.options for name, row in METHODS.items()}, "method")
@several_options
@seed_option("tour")
@worker_options("backtracking: search", note="; portfolio: race the methods in them")
@tour_output_options("Write the tours there, or a picture; the suffix says which.")
@json_option(" a tour: the question, the answer and the squares")
@_watch_options
@option(
    "--at",
    multiple=True,
    metavar="STEP|SQ",
    help="Only say where the constructed tour is at this step, or when it visits this square; boards of any size.",
)
@any_digits()
@bundled("asked", SolveWords)
def command(asked: SolveWords, at: tuple[str, ...]) -> int:
    """Find a tour of BOARD, or say why there is none.

    BOARD is one word: 8x12; 10x10:2,3 for another piece; 8x8:torus for joined sides; 8x8:-a1,h8 for holes; or a file
    (- for stdin) that draws a board with . and # or holds graphs, of which each gets a line.

    \b
    knightstour solve 8x8 --closed -o tour.svg
    knightstour solve 10x10:zebra --start a1 --end j1
    """
    if at:
        from knightstour.interfaces.cli.stepping import say_places

        return say_places(asked, at)
    from knightstour.interfaces.cli.solving import Solving

    return Solving(asked).run()
