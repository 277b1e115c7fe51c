"""Options that several commands share: the board, the question, the limits."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import click

if TYPE_CHECKING:
    from knightstour.result import Limits
    from knightstour.scale import Workers

FORMAT_NAMES = "grid, grid0, squares, algebraic, csv, json, npy, npz, hcp, tour, xy"


# What a command is decorated with.
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def together(*options: Decorator) -> Decorator:
    """Several options as one, in this order."""
    return lambda function: functools.reduce(lambda made, option: option(made), reversed(options), function)


board_options = together(
    click.argument("board"),
    click.option("--leaper", metavar="A,B", help="The piece; 1,2 is the knight."),
    click.option("--wrap", metavar="WRAP", help="Joined sides: cylinder, torus, mobius or klein."),
    click.option("--holes", metavar="SQ,SQ..|FILE", help="Squares that are not there."),
)


class BoardWords(NamedTuple):
    """What the options of `file_board` say of the board of a file; None where they were not given."""

    board: str | None
    leaper: str | None
    wrap: str | None
    holes: str | None


def file_board(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options for the board of a file of tours: the command is given them as one `words`."""

    @functools.wraps(function)
    def said(board: str | None, leaper: str | None, wrap: str | None, holes: str | None, **others: Any) -> Any:
        return function(words=BoardWords(board, leaper, wrap, holes), **others)

    options = together(
        click.option("--board", metavar="BOARD", help="The board, where the file does not say it."),
        click.option("--leaper", metavar="A,B", help="The piece of --board."),
        click.option("--wrap", metavar="WRAP", help="Joined sides of --board."),
        click.option("--holes", metavar="SQ,SQ..|FILE", help="Holes of --board."),
    )
    return options(said)


def question(function: Callable[..., Any]) -> Callable[..., Any]:
    """The argument BOARD and what is asked of it: the command is given them as one `problem`."""

    @functools.wraps(function)
    def asked(
        board: str,
        leaper: str | None,
        wrap: str | None,
        holes: str | None,
        closed: bool,
        start: str | None,
        end: str | None,
        **others: Any,
    ) -> Any:
        from knightstour import inputs

        made = inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes)
        return function(inputs.problem_of(made, closed, start, end), **others)

    options = together(
        board_options,
        click.option("--closed", is_flag=True, help="The tour must end a move from its start."),
        click.option("--start", metavar="SQ", help="First square: a1 (bottom left) or row,col such as 0,0 (top left)."),
        click.option("--end", metavar="SQ", help="Last square."),
    )
    return options(asked)


# When to give up.
limit_options = together(
    click.option("--timeout", type=float, metavar="S", help="Seconds before giving up; default 60, inf for none."),
    click.option("--max-nodes", type=int, metavar="N", help="Steps of the search before giving up."),
)


def limits_of(timeout: float | None, max_nodes: int | None, default: float | None) -> Limits:
    """The limits of --timeout and --max-nodes; `default` seconds where none are given."""
    from knightstour.result import Limits

    seconds = default if timeout is None else timeout
    return Limits(None if seconds == float("inf") else seconds, max_nodes)


# How many tours, and which of them are printed.
several_options = together(
    click.option("-n", "count", type=int, default=1, metavar="N", help="How many tours."),
    click.option("--unique", is_flag=True, help="All different."),
    click.option(
        "--print",
        "shown",
        type=click.Choice(["all", "repeats", "none"]),
        default="all",
        help="Of several tours: print all, those that came before, or none.",
    ),
)


def output_options(
    where: str = "Write the tours there.", *, formats: str = f"{FORMAT_NAMES}.", metavar: str = "FILE"
) -> Decorator:
    """How tours are written: --format, whose help is `formats`, --output, whose help is `where`, and --force."""
    return together(
        click.option("--format", "format_name", metavar="FORMAT", help=formats),
        click.option("-o", "--output", metavar=metavar, help=where),
        click.option("--force", is_flag=True, help="Overwrite FILE."),
    )


def worker_options(what: str, *, note: str = "") -> Decorator:
    """Where the work is done, --workers or --scheduler; `workers_of` makes one of both. what: "Draw", for the help.

    note: what else there is to say of --workers.
    """
    return together(
        click.option("--workers", type=int, metavar="N", help=f"{what} in so many processes{note}."),
        click.option("--scheduler", metavar="ADDRESS", help=f"{what} on the Dask cluster at tcp://HOST:PORT."),
    )


@contextmanager
def workers_of(workers: int | None, scheduler: str | None) -> Iterator[Workers]:
    """What the options --workers and --scheduler name."""
    if scheduler is None:
        yield workers
        return
    if workers is not None:
        from knightstour.errors import MethodError

        raise MethodError("--workers and --scheduler are two places to work", help="give one of them")
    from knightstour import cluster

    with cluster.cluster_at(scheduler) as client:
        yield client
