"""`knightstour solve`: find a tour, or tell why there is none."""

from __future__ import annotations

import functools
import secrets
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from knightstour import console
from knightstour.commands.options import (
    FORMAT_NAMES,
    limit_options,
    limits_of,
    output_options,
    question,
    several_options,
    worker_options,
    workers_of,
)
from knightstour.errors import BoardError, MethodError, NoTour

if TYPE_CHECKING:
    from collections.abc import Callable

    from knightstour.result import Problem
    from knightstour.tour import Tour

# Of a tour that is not written part by part.
_BYTES_A_SQUARE = 400
# More squares than any disk holds.
_MOST_WRITTEN = 10**15


@click.command()
@question
@limit_options
@click.option("--method", default="auto", metavar="M", help="See `knightstour methods`; default auto.")
@click.option("--ties", help="warnsdorff: how ties are broken.")
@click.option("--randomness", type=int, help="merge: 0, 1 or 2.")
@click.option("--order", help="backtracking: order of the moves.")
@click.option("--prune", help="backtracking: what is cut early; all, none or names with commas.")
@click.option("--update", help="neural: asynchronous or synchronous.")
@click.option("--cover", help="annealing: the first paths, greedy or random.")
@click.option("--hot", type=float, help="annealing: the first temperature.")
@click.option("--cold", type=float, help="annealing: the last temperature.")
@click.option("--turns", type=int, help="annealing: turns proposed a square while it cools.")
@click.option("--objective", metavar="WHAT", help="Make it have few turns or crossings, or most-turns, most-crossings.")
@click.option("--ants", type=int, help="ants: how many in a round.")
@click.option("--fading", type=int, help="ants: thousandths of the scent that fade after a round.")
@click.option("--sight", type=int, help="ants: 0 to 3, how much squares with few ways on are preferred.")
@click.option("--kind", help="genetic: bits or segments.")
@click.option("--population", type=int, help="genetic: its members.")
@click.option("--generations", type=int, help="genetic: before a new population is founded.")
@click.option("--repair", type=int, help="genetic: percentage of what may be repaired that is; of segments up to 1000.")
@click.option("--mutation", type=int, help="genetic: thousandths of the genes that change by chance.")
@worker_options("backtracking: search", note="; portfolio: race the methods in them")
@click.option("--no-proofs", is_flag=True, help="Let the method search where a theorem says that there is none, too.")
@several_options
@click.option("--seed", type=int, metavar="N", help="A whole number, 0 or more; the same seed gives the same tour.")
@output_options(
    "Write the tours there, or a picture; the suffix tells.", formats=f"{FORMAT_NAMES}; or svg, png, gif, apng, webp."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, whatever the answer.")
@click.option("--style", metavar="STYLE", help="Of a picture: board, line, curve, numbers, heat or plotter.")
@click.option("--theme", metavar="THEME", help="Of a picture: auto, light or dark.")
@click.option("--size", type=float, metavar="N", help="Of a picture: longer side in pixels.")
@click.option("--search", "is_recorded", is_flag=True, help="Of a moving picture: show the search, not only the tour.")
@click.option("--watch", "is_watched", is_flag=True, help="See the search at work, until you have seen enough.")
@click.option("--speed", type=float, metavar="N", help="With --watch: steps a second; default 10.")
def solve(
    problem: Problem,
    timeout: float | None,
    max_nodes: int | None,
    method: str,
    no_proofs: bool,
    count: int,
    unique: bool,
    shown: str,
    seed: int | None,
    format_name: str | None,
    output: str | None,
    force: bool,
    as_json: bool,
    style: str | None,
    theme: str | None,
    size: float | None,
    is_recorded: bool,
    is_watched: bool,
    speed: float | None,
    objective: str | None,
    workers: int | None,
    scheduler: str | None,
    **options: Any,
) -> int:
    """Find a tour of BOARD, or tell why there is none.

    BOARD is rows x columns such as 8x12, one number for a square board, or a file that draws the board with . and #.
    """
    from knightstour import improvement, memory, methods, pictures
    from knightstour.result import DEFAULT_SECONDS, Result, Status
    from knightstour.streaming import GIANT_FROM
    from knightstour.writing import TourWriter

    if scheduler is not None and method != "backtracking":
        raise MethodError(
            f"method {method} does not search on a cluster", help="--scheduler goes with --method backtracking"
        )
    limits = limits_of(timeout, max_nodes, None if is_watched else DEFAULT_SECONDS)
    status = console.StatusLine()
    ask: Callable[..., Result] = methods.solve
    if objective is not None:
        ask = functools.partial(ask, objective=objective)
        limits = limits_of(timeout, max_nodes, improvement.DEFAULT_SECONDS)
    if is_watched:
        if objective is not None:
            raise click.UsageError("--watch and --objective do not go together")
        from knightstour.watch import solve_watched

        ask = functools.partial(solve_watched, speed=speed)
        status.is_on = False
    elif speed is not None:
        raise click.UsageError("--speed goes with --watch")
    picture = {name: x for name, x in {"style": style, "theme": theme, "size": size}.items() if x is not None}
    if pictures.picture_kind(format_name, output) is not None:
        picture = pictures.checked_for(problem.board, format_name, output, picture, is_recorded, count)
        if "trace" in picture:
            ask = functools.partial(ask, trace=picture["trace"])
    elif picture or is_recorded:
        raise click.UsageError("--style, --theme, --size and --search go with a picture, such as -o tour.svg")
    if problem.board.rows * problem.board.cols >= GIANT_FROM and not is_watched:
        streams = count == 1 and method in ("auto", "explicit") and not as_json and problem.board.is_rectangle
        # What else is asked, a search has to answer, or an error.
        asked = [objective, workers, scheduler, *options.values(), no_proofs or None]
        if streams and asked == [None] * len(asked) and shown == "all":
            return _stream(problem, format_name, output, force, status)
        squares = problem.board.rows * problem.board.cols
        ways = ["write it with -o tour.npy, which takes little memory"] * (squares <= _MOST_WRITTEN)
        ways.append("in Python implicit_tour(board) answers at any size")
        memory.need(
            _BYTES_A_SQUARE * squares,
            f"a tour of {problem.board.rows} x {problem.board.cols} squares in this form",
            "; ".join(ways) if problem.board.is_rectangle else "only plain rectangles can be so large",
        )
    writer = TourWriter(
        format_name,
        output,
        force=force,
        as_json=as_json,
        shown=shown,
        unique=unique,
        wanted=count,
        status=status,
        picture=picture,
    )
    begun = time.perf_counter()
    seed = secrets.randbits(32) if seed is None else seed
    try:
        with (
            console.told_about_compiling(status),
            workers_of(workers, scheduler) as crew,
            ExitStack() as until_found,
        ):
            until_found.enter_context(status.preparing())

            def take(tour: Tour, is_repeat: bool) -> None:
                until_found.close()
                writer.take(tour, is_repeat)

            result = ask(
                problem.board,
                **problem.conditions,
                method=method,
                proofs=not no_proofs,
                seed=seed,
                limits=limits,
                n=count,
                unique=unique,
                on_tour=take,
                on_progress=status.searching,
                **{name: value for name, value in {**options, "workers": crew}.items() if value is not None},
            )
    except KeyboardInterrupt:
        seconds = time.perf_counter() - begun
        status.clear()
        known = Status.FOUND if writer.taken else Status.UNDECIDED
        result = Result(known, problem, (), "interrupted", "", method, seed, status.nodes, seconds)
        writer.finish(result, is_interrupted=True)
        console.say(
            "note",
            f"interrupted after {seconds:.1f} s and {status.nodes:,} nodes; "
            f"{writer.taken} of {count} tour{'s' * (count > 1)} found",
        )
        return console.INTERRUPTED
    status.clear()
    writer.finish(result)
    return console.exit_code(result.status)


def _stream(
    problem: Problem, format_name: str | None, output: str | None, force: bool, status: console.StatusLine
) -> int:
    """Write the constructed tour of a giant rectangle without holding it in memory."""
    from knightstour import streaming
    from knightstour.implicit import implicit_tour
    from knightstour.memory import in_words
    from knightstour.writing import check_output, tell_impossible

    check_output(format_name, output, force)
    squares = problem.board.rows * problem.board.cols
    if squares > _MOST_WRITTEN:
        raise BoardError(
            f"a tour of {problem.board.rows} x {problem.board.cols} squares would take {in_words(8 * squares)}",
            help="in Python implicit_tour(board) answers for single squares and steps at any size",
        )
    try:
        tour = implicit_tour(problem.board, **problem.conditions)
    except NoTour as no:
        tell_impossible(no.result)
        return console.IMPOSSIBLE
    try:
        with console.told_about_compiling(status):
            if output is None or output == "-":
                streaming.stream_to(tour, sys.stdout.buffer, format_name or "grid")
            else:
                streaming.stream_tour(tour, output, format_name, force=force, on_progress=status.writing)
    except KeyboardInterrupt:
        status.clear()
        console.say("note", "interrupted" + (f"; {output} was not written" if output else ""))
        return console.INTERRUPTED
    status.clear()
    return console.FOUND
