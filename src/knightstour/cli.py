"""The command line: parse, ask the library, print. No search and no drawing here.

Nothing heavy is imported before a command needs it, so `--help` is there at once.
"""

from __future__ import annotations

import json
import re
import secrets
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from knightstour import __version__, console
from knightstour.errors import BoardError, KnightsTourError, LimitReached, NoTour

if TYPE_CHECKING:
    from collections.abc import Callable

    from knightstour.result import Limits, Problem

# Rectangles from so many squares on are written part by part; other tours of that size need the memory for it.
_GIANT_FROM = 4_000_000
_BYTES_A_SQUARE = 400
# More squares than any disk holds.
_MOST_WRITTEN = 10**15

_FORMAT_NAMES = "grid, grid0, squares, algebraic, csv, json, npy, npz, hcp, tour, xy"


def main(args: list[str] | None = None) -> None:
    """Run the command line and end the process with its exit code."""
    arguments = list(sys.argv[1:] if args is None else args)
    debug = "--debug" in arguments
    if debug:
        arguments.remove("--debug")
    sys.exit(_run(arguments, debug))


def _run(arguments: list[str], debug: bool) -> int:
    console.open_closed_streams()
    if console.is_stdout_closed():
        console.say("error", "there is nowhere to print: stdout is closed")
        console.say("help", "send it to a file, or to /dev/null")
        return console.USAGE
    try:
        # Not group.main(), which makes exit code 1, our "impossible", of a reader that has gone.
        with group.make_context("knightstour", arguments) as context:
            code = group.invoke(context)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except click.UsageError as error:
        if debug:
            raise
        negative = [word for word in arguments if re.fullmatch(r"-\d+([xX]-?\d+)?", word)]
        if isinstance(error, click.NoSuchOption) and negative:
            console.say("error", f"a board of {negative[0]} has no square: rows and columns are at least 1")
            return console.USAGE
        console.say("error", error.format_message().rstrip("."))
        if error.ctx is not None:
            console.say("help", f"{error.ctx.command_path} --help")
        return console.USAGE
    except (KeyboardInterrupt, click.Abort):
        console.say("note", "interrupted")
        return console.INTERRUPTED
    except BrokenPipeError:
        console.drop_stdout()
        return console.NO_READER
    except KnightsTourError as error:
        if debug:
            raise
        console.say_error(error)
        if isinstance(error, NoTour):
            return console.IMPOSSIBLE
        return console.UNDECIDED if isinstance(error, LimitReached) else console.USAGE
    except MemoryError:
        console.say("error", "there is not enough memory for this")
        return console.USAGE
    except OSError as error:
        if debug:
            raise
        try:
            sys.stdout.flush()
        except OSError:
            console.drop_stdout()
        console.say("error", f"{error.filename + ': ' if error.filename else ''}{error.strerror or error}")
        return console.USAGE
    except Exception as error:
        if debug:
            raise
        console.say("error", f"this should not have happened: {type(error).__name__}: {error}")
        console.say("help", "run it again with --debug to see where, and please report it")
        return 70


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="knightstour")
@click.pass_context
def group(context: click.Context) -> int | None:
    """Knight's tours: ask for one on any board, and get it or the proof that there is none.

    Without a command it asks you what you want.

    \b
    Exit codes: 0 found or valid, 1 proved impossible or invalid,
    2 wrong usage, 3 undecided at a limit, 130 interrupted.
    """
    if context.invoked_subcommand is None:
        from knightstour.dialogue import converse

        if not converse():
            click.echo(context.get_help())
    return None


def _board_options(function: Callable[..., Any]) -> Callable[..., Any]:
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


def _question_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for option in reversed(
        [
            click.option("--closed", is_flag=True, help="The tour must end a move from its start."),
            click.option(
                "--start", metavar="SQ", help="First square: a1 (bottom left) or row,col such as 0,0 (top left)."
            ),
            click.option("--end", metavar="SQ", help="Last square."),
            click.option(
                "--timeout", type=float, metavar="S", help="Seconds before giving up; default 60, inf for none."
            ),
            click.option("--max-nodes", type=int, metavar="N", help="Steps of the search before giving up."),
        ]
    ):
        function = option(function)
    return function


def _limits(timeout: float | None, max_nodes: int | None, default: float | None) -> Limits:
    from knightstour.result import Limits

    seconds = default if timeout is None else timeout
    return Limits(None if seconds == float("inf") else seconds, max_nodes)


@group.command()
@_board_options
@_question_options
@click.option("--method", default="auto", metavar="M", help="See `knightstour methods`; default auto.")
@click.option("--ties", help="warnsdorff: how ties are broken.")
@click.option("--randomness", type=int, help="merge: 0, 1 or 2.")
@click.option("--order", help="backtracking: order of the moves.")
@click.option("--prune", help="backtracking: what is cut early; all, none or names with commas.")
@click.option("--workers", type=int, help="portfolio: number of processes.")
@click.option("-n", "count", type=int, default=1, metavar="N", help="How many tours.")
@click.option("--unique", is_flag=True, help="All different.")
@click.option(
    "--print",
    "shown",
    type=click.Choice(["all", "repeats", "none"]),
    default="all",
    help="Of several tours: print all, those that came before, or none.",
)
@click.option("--seed", type=int, metavar="N", help="Any whole number; the same seed gives the same tour.")
@click.option("--format", "format_name", metavar="FORMAT", help=f"{_FORMAT_NAMES}.")
@click.option("-o", "--output", metavar="FILE", help="Write the tours there; the suffix tells the format.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line, whatever the answer.")
def solve(
    board: str,
    leaper: str | None,
    wrap: str | None,
    holes: str | None,
    closed: bool,
    start: str | None,
    end: str | None,
    timeout: float | None,
    max_nodes: int | None,
    method: str,
    count: int,
    unique: bool,
    shown: str,
    seed: int | None,
    format_name: str | None,
    output: str | None,
    force: bool,
    as_json: bool,
    **options: Any,
) -> int:
    """Find a tour of BOARD, or tell why there is none.

    BOARD is rows x columns such as 8x12, one number for a square board, or a file that draws the board with . and #.
    """
    from knightstour import inputs, memory, methods
    from knightstour.result import DEFAULT_SECONDS, Result, Status
    from knightstour.writing import TourWriter

    problem = inputs.problem_of(inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes), closed, start, end)
    limits = _limits(timeout, max_nodes, DEFAULT_SECONDS)
    status = console.StatusLine()
    if problem.board.rows * problem.board.cols >= _GIANT_FROM:
        streams = count == 1 and method in ("auto", "explicit") and not as_json and problem.board.is_rectangle
        if streams:
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
        format_name, output, force=force, as_json=as_json, shown=shown, unique=unique, wanted=count, status=status
    )
    begun = time.perf_counter()
    seed = secrets.randbits(32) if seed is None else seed
    try:
        with console.told_about_compiling(status):
            result = methods.solve(
                problem.board,
                closed=problem.closed,
                start=problem.start,
                end=problem.end,
                method=method,
                seed=seed,
                limits=limits,
                n=count,
                unique=unique,
                on_tour=writer.take,
                on_progress=status.searching,
                **{name: value for name, value in options.items() if value is not None},
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
        tour = implicit_tour(problem.board, closed=problem.closed, start=problem.start, end=problem.end)
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


@group.command()
@click.argument("file")
@click.option("--board", "board_text", metavar="BOARD", help="The board, where the file does not say it.")
@click.option(
    "--format", "format_name", metavar="FORMAT", help="What the file is, if not told by its suffix or content."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--leaper", metavar="A,B", help="The piece of --board.")
@click.option("--wrap", metavar="WRAP", help="Joined sides of --board.")
@click.option("--holes", metavar="SQ,SQ..|FILE", help="Holes of --board.")
def check(
    file: str,
    board_text: str | None,
    format_name: str | None,
    as_json: bool,
    leaper: str | None,
    wrap: str | None,
    holes: str | None,
) -> int:
    """Check the tours in FILE (- for stdin).

    Valid: closed or open, symmetry, turns, crossings, magic. Invalid: exactly which step is wrong.
    """
    from knightstour import checking

    board = checking.board_for(board_text, leaper, wrap, holes)
    status = console.StatusLine()
    all_valid = True
    for number, report in enumerate(checking.reports(file, format_name, board, status.checking), 1):
        all_valid &= report.is_valid
        status.clear()
        click.echo(json.dumps(report.to_dict(number)) if as_json else report.to_text(number))
    return console.FOUND if all_valid else console.IMPOSSIBLE


@group.command()
@click.argument("file")
@click.option("--from", "read_format", metavar="FORMAT", help="What FILE is, if not told by its suffix or content.")
@click.option("--format", "--to", "format_name", metavar="FORMAT", help=f"{_FORMAT_NAMES}.")
@click.option("-o", "--output", metavar="FILE", help="Where to; default stdout.")
@click.option("--board", "board_text", metavar="BOARD", help="The board, where the file does not say it.")
@click.option("--force", is_flag=True, help="Overwrite the output file.")
def convert(
    file: str, read_format: str | None, format_name: str | None, output: str | None, board_text: str | None, force: bool
) -> int:
    """Write the tours of FILE (- for stdin) in another format."""
    from knightstour import checking, formats
    from knightstour.writing import write_out

    board = checking.board_for(board_text, None, None, None)
    tours = formats.read_tours(checking.source_of(file), read_format, board)
    write_out(tours, format_name, output, force)
    return console.FOUND


@group.command()
@_board_options
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def facts(board: str, leaper: str | None, wrap: str | None, holes: str | None, as_json: bool) -> int:
    """Tell what BOARD is and which tours it has: squares, colours, degrees, parts, and what exists and why."""
    from knightstour import inputs, overview

    page = overview.overview(inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes))
    click.echo(json.dumps(page.to_dict()) if as_json else page.to_text())
    return console.FOUND


@group.command("methods")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
def list_methods(as_json: bool) -> int:
    """List the methods, what they do and their options."""
    from knightstour.methods import METHODS

    if as_json:
        rows = {
            name: {
                "summary": row.summary,
                "source": row.source,
                "complete": row.complete,
                "varies": row.varies,
                "options": dict(row.options),
            }
            for name, row in METHODS.items()
        }
        click.echo(json.dumps(rows))
        return console.FOUND
    width = max(map(len, METHODS))
    for name, row in METHODS.items():
        proves = "; proves impossible" if row.complete else ""
        click.echo(f"{name:<{width}}  {row.summary}{proves}")
        click.echo(f"{'':<{width}}  source: {row.source}")
        for option, text in row.options.items():
            click.echo(f"{'':<{width}}  --{option}: {text}")
    return console.FOUND


@group.command()
@_board_options
@click.option("-n", "count", type=int, default=1, metavar="N", help="How many tours.")
@click.option("--closed", is_flag=True, help="Closed tours.")
@click.option("--start", metavar="SQ", help="First square of all.")
@click.option("--end", metavar="SQ", help="Last square of all.")
@click.option("--law", default="backbite", help="How they are drawn: backbite, merge or warnsdorff; default backbite.")
@click.option("--every", type=int, help="backbite: turns between two readings.")
@click.option("--burn-in", type=int, help="backbite: turns before the first reading of a block.")
@click.option("--randomness", type=int, help="merge: 0, 1 or 2.")
@click.option("--unique", is_flag=True, help="All different.")
@click.option("--seed", type=int, metavar="N", help="Any whole number; the same seed gives the same tours.")
@click.option("--offset", type=int, default=0, metavar="N", help="Go on after so many tours of the seed.")
@click.option("--threads", type=int, metavar="N", help="Default one a core; the tours are the same for any number.")
@click.option("--stats", is_flag=True, help="Tell rate, repeats and failures at the end.")
@click.option(
    "--print",
    "shown",
    type=click.Choice(["all", "repeats", "none"]),
    default="all",
    help="Print all tours, those that came before, or none.",
)
@click.option("--format", "format_name", metavar="FORMAT", help=f"{_FORMAT_NAMES}.")
@click.option("-o", "--output", metavar="FILE", help="Write the tours there; .npy holds millions.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object.")
def sample(
    board: str,
    leaper: str | None,
    wrap: str | None,
    holes: str | None,
    count: int,
    closed: bool,
    start: str | None,
    end: str | None,
    every: int | None,
    burn_in: int | None,
    randomness: int | None,
    **choices: Any,
) -> int:
    """Draw random tours of BOARD in bulk, by a law that is stated. See docs/sampling.md."""
    from knightstour import inputs
    from knightstour.sampling_command import sample_command

    problem = inputs.problem_of(inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes), closed, start, end)
    parameters = {"every": every, "burn_in": burn_in, "randomness": randomness}
    choices.update((name, value) for name, value in parameters.items() if value is not None)
    return sample_command(problem.board, count, closed=closed, start=problem.start, end=problem.end, **choices)


@group.command("enumerate")
@_board_options
@_question_options
@click.option("--directed", is_flag=True, help="List each tour in both directions.")
@click.option("--order", default="classic", help="Order of the moves, as for backtracking.")
@click.option("-n", "count", type=int, metavar="N", help="Stop after N tours.")
@click.option("--count", "only_count", is_flag=True, help="Print only how many there are.")
@click.option("--format", "format_name", metavar="FORMAT", help=f"{_FORMAT_NAMES}; default algebraic.")
@click.option("-o", "--output", metavar="FILE", help="Write the tours there.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def list_tours(
    board: str,
    leaper: str | None,
    wrap: str | None,
    holes: str | None,
    closed: bool,
    start: str | None,
    end: str | None,
    timeout: float | None,
    max_nodes: int | None,
    directed: bool,
    order: str,
    count: int | None,
    only_count: bool,
    format_name: str | None,
    output: str | None,
    force: bool,
) -> int:
    """List all tours of BOARD, in the order of backtracking."""
    from knightstour import inputs, methods
    from knightstour.writing import Listing

    problem = inputs.problem_of(inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes), closed, start, end)
    status = console.StatusLine()
    listing = Listing(format_name, output, force=force, only_count=only_count, status=status)
    tours = methods.iter_tours(
        problem.board,
        closed=closed,
        start=problem.start,
        end=problem.end,
        directed=directed,
        order=order,
        limits=_limits(timeout, max_nodes, None),
    )
    code = console.FOUND
    try:
        with console.told_about_compiling(status):
            for tour in tours:
                listing.take(tour)
                if count is not None and listing.taken >= count:
                    break
            else:
                code = console.FOUND if listing.taken else console.IMPOSSIBLE
        listing.finish("directed" if directed else "undirected")
    except LimitReached as limit:
        listing.finish(None)
        console.say("note", f"{limit}; {listing.taken:,} listed so far")
        return console.UNDECIDED
    except KeyboardInterrupt:
        listing.finish(None)
        console.say("note", f"interrupted; {listing.taken:,} listed so far")
        return console.INTERRUPTED
    return code


if __name__ == "__main__":
    main()
