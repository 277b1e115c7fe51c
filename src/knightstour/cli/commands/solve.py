"""`knightstour solve`: find a tour, or say why there is none. cli/solving.py does the work."""

from __future__ import annotations

from collections.abc import Mapping

import click

from knightstour.cli.options import (
    TableCommand,
    bundled,
    json_option,
    limit_options,
    seed_option,
    several_options,
    symmetric_questions,
    worker_options,
)
from knightstour.cli.picture_options import tour_output_options
from knightstour.cli.solve_words import MethodWords, SolveWords, WatchWords
from knightstour.methods.table import METHODS
from knightstour.model.option import Option

_method_options = bundled(
    "ask",
    MethodWords,
    click.option("--method", default="auto", metavar="M", help="See `knightstour methods`; default auto."),
    click.option(
        "--objective", metavar="WHAT", help="Look for few turns, crossings, ..., or for many: most-turns, ..."
    ),
    click.option("--optimal", "is_best", is_flag=True, help="Prove that no tour is better in the objective."),
    click.option("--no-proofs", is_flag=True, help="Search even if a theorem says that there is no tour."),
    click.option(
        "--explain", "is_explained", is_flag=True, help="If there is no tour, draw why, on the terminal or into -o."
    ),
    click.option("--proof", metavar="FILE", help="Write the answer there with all that `verify` needs to check it."),
    click.option(
        "--for",
        "proof_for",
        type=click.Choice(["drat"]),
        help="With --proof: if there is no tour, prove it by clauses, for checkers such as drat-trim.",
    ),
)
_watch_options = bundled(
    "watch",
    WatchWords,
    click.option("--watch", "is_watched", is_flag=True, help="See the search at work, until you have seen enough."),
    click.option("--speed", type=float, metavar="N", help="With --watch: steps a second; default 10."),
    click.option("--search", "is_recorded", is_flag=True, help="Of a moving picture: show the search, too."),
)


class _SolveCommand(TableCommand):
    """`solve` has the options of all methods."""

    kind = "method"

    def rows(self) -> dict[str, Mapping[str, Option]]:
        return {name: row.options for name, row in METHODS.items()}


@click.command("solve", cls=_SolveCommand)
@symmetric_questions
@limit_options()
@_method_options
@several_options
@seed_option("tour")
@worker_options("backtracking: search", note="; portfolio: race the methods in them")
@tour_output_options("Write the tours there, or a picture; the suffix says which.")
@json_option(" a tour: the question, the answer and the squares")
@_watch_options
@bundled("asked", SolveWords)
def command(asked: SolveWords) -> int:
    """Find a tour of BOARD, or say why there is none.

    BOARD is rows x columns such as 8x12, one number for a square board, or a file (- for stdin) that draws the board
    with . and #, or holds a graph. Of a file of several graphs each gets a line: its place, its nodes, and the answer.
    """
    from knightstour.cli.solving import Solving

    return Solving(asked).run()
