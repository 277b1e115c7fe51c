"""Options that several commands share: the board, the question, the limits."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from knightstour.result import Limits
    from knightstour.scale import Workers

FORMAT_NAMES = "grid, grid0, squares, algebraic, csv, json, npy, npz, hcp, tour, xy"


def board_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """The argument BOARD, and what changes it."""
    for option in reversed(
        [
            click.argument("board"),
            click.option("--leaper", metavar="A,B", help="The piece; 1,2 is the knight."),
            click.option("--wrap", metavar="WRAP", help="Joined sides: cylinder, torus, mobius or klein."),
            click.option("--holes", metavar="SQ,SQ..|FILE", help="Squares that are not there."),
        ]
    ):
        function = option(function)
    return function


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

    command: Callable[..., Any] = asked
    for option in reversed(
        [
            click.option("--closed", is_flag=True, help="The tour must end a move from its start."),
            click.option(
                "--start", metavar="SQ", help="First square: a1 (bottom left) or row,col such as 0,0 (top left)."
            ),
            click.option("--end", metavar="SQ", help="Last square."),
        ]
    ):
        command = option(command)
    return board_options(command)


def limit_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """When to give up."""
    timeout = click.option(
        "--timeout", type=float, metavar="S", help="Seconds before giving up; default 60, inf for none."
    )
    nodes = click.option("--max-nodes", type=int, metavar="N", help="Steps of the search before giving up.")
    return timeout(nodes(function))


def limits_of(timeout: float | None, max_nodes: int | None, default: float | None) -> Limits:
    """The limits of --timeout and --max-nodes; `default` seconds where none are given."""
    from knightstour.result import Limits

    seconds = default if timeout is None else timeout
    return Limits(None if seconds == float("inf") else seconds, max_nodes)


def worker_options(what: str, *, note: str = "") -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Where the work is done, --workers or --scheduler; `workers_of` makes one of both. what: "Draw", for the help.

    note: what else there is to say of --workers.
    """
    processes = click.option("--workers", type=int, metavar="N", help=f"{what} in so many processes{note}.")
    cluster = click.option("--scheduler", metavar="ADDRESS", help=f"{what} on the Dask cluster at tcp://HOST:PORT.")
    return lambda function: processes(cluster(function))


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
