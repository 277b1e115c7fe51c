"""`knightstour estimate`: estimate the number of tours."""

from __future__ import annotations

import click

from knightstour.core.model.board import Board
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.commands.count import print_line
from knightstour.interfaces.cli.each_graph import answer_boards
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.lab.counting.estimate import estimate

_SAMPLES = 20_000


@click.command("estimate", cls=Command)
@options.board_argument
@options.closed_option
@options.start_option
@options.end_option
@options.directed_option
@option("--samples", type=int, metavar="N", default=_SAMPLES, help=f"Number of walks (default: {_SAMPLES}).")
@options.seed_option
@options.timeout_option()
@options.json_option
def command(
    board: str,
    *,
    closed: bool,
    start: str | None,
    end: str | None,
    directed: bool,
    samples: int,
    seed: int | None,
    timeout: float | None,
    as_json: bool,
) -> int:
    """Estimate the number of tours of BOARD from random walks, with the standard error.

    \b
    $ knightstour estimate 8x8
    $ knightstour estimate 20x20 --closed --samples 100000
    """

    def answer(graph: Board, graph_number: int | None) -> int:
        problem = parsing.problem_of(graph, closed=closed, start=start, end=end)
        status = console.StatusLine("" if graph_number is None else f"graph {graph_number:,}: ")
        found = estimate(
            problem,
            directed=directed,
            samples=samples,
            seed=seed,
            timeout=timeout,
            on_progress=status.progress,
        )
        status.clear()
        help = ""
        if not found.is_known:
            help = "use more --samples"
        elif found.is_limited:
            help = "use a higher --timeout, or fewer --samples"
        if graph_number is None:
            console.print_answer(found, as_json, help)
        else:
            print_line(graph_number, problem, found.to_dict() if as_json else None, found.lines()[0], found.reason)
        return console.UNDECIDED if help else console.FOUND

    return answer_boards(board, answer)
