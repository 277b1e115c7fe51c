"""`knightstour census`: the number of tours for each value of a statistic."""

from __future__ import annotations

import json

import click

from knightstour.core.drawing.pictures import draw
from knightstour.core.machine.files import open_target
from knightstour.core.model.budget import as_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.literals import ChosenStatistic, StatisticName
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.output import check_target
from knightstour.lab.counting.by_symmetry import SymmetryTable
from knightstour.lab.counting.census.census import census
from knightstour.lab.counting.census.result import Census
from knightstour.lab.counting.starts import StartCounts

_BAR_WIDTH = 40
# Names of --by for a table whose rows are not the values of a statistic.
_TABLES = ("symmetry", "start")
_SUFFIXES = (".csv", ".json", ".svg")


@click.command("census", cls=Command)
@options.board_argument
@option(
    "--by",
    metavar="NAME",
    default="symmetry",
    help="Statistic (default: symmetry); knightstour explain lists them.",
)
@options.closed_option
@options.start_option
@options.end_option
@option("--samples", type=int, metavar="N", help="Estimate from N random tours, for larger boards.")
@options.seed_option
@options.timeout_option()
@options.memory_option
@option("-o", "--output", metavar="FILE", help="Write the table as .csv or .json, or a chart as .svg.")
@options.json_option
@any_digits()
def command(
    board: str,
    *,
    by: StatisticName | ChosenStatistic,
    closed: bool,
    start: str | None,
    end: str | None,
    samples: int | None,
    seed: int | None,
    timeout: float | None,
    memory: str | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Count the tours of BOARD for each value of a statistic: turns, crossings, ..., symmetry, start.

    \b
    $ knightstour census 6x6 --closed --by turns
    $ knightstour census 6x6 --by symmetry
    """
    if seed is not None and samples is None:
        raise click.UsageError("--seed requires --samples")
    if output is not None:
        if not output.lower().endswith(_SUFFIXES):
            raise FormatError(f"unknown suffix: {output}", help=f"use one of {' '.join(_SUFFIXES)}")
        check_target(output)
    problem = parsing.problem_of(parsing.board_with_notes(board), closed=closed, start=start, end=end)
    status = console.StatusLine()
    limits = options.limits_of(timeout, memory=memory)
    if by in _TABLES:
        options.refuse({"--samples": samples}, f"the table by {by} is exact")
        if output is not None and not output.lower().endswith(".json"):
            raise FormatError(f"a table by {by} is written as .json", help="use -o FILE.json")
    with status.timing("counting"):
        found = census(problem, by, samples=samples, seed=seed, **as_arguments(limits), on_progress=status.progress)
    status.clear()
    if not isinstance(found, Census):
        return _write_table(found, output, as_json)
    if output is not None:
        _write(found, output)
    if as_json:
        click.echo(json.dumps(found.to_dict()))
    else:
        _print(found)
    return console.FOUND if found.tours_seen else console.IMPOSSIBLE


def _write_table(found: SymmetryTable | StartCounts, output: str | None, as_json: bool) -> int:
    if output is not None:
        with open_target(output) as file:
            file.write((json.dumps(found.to_dict()) + "\n").encode())
    console.print_answer(found, as_json)
    return console.FOUND


def _write(found: Census, output: str) -> None:
    if output.lower().endswith(".svg"):
        with open_target(output) as file:
            file.write(bytes(draw(found)))
    else:
        found.save(output)


def _print(found: Census) -> None:
    most = max(found.counts.values(), default=1)
    width = max((len(str(value)) for value in found.counts), default=1)
    column = max((len(f"{round(found.estimate(value)):,}") for value in found.counts), default=1)
    for value, hits in found.counts.items():
        tours = f"{round(found.estimate(value)):,}"
        bar = "#" * max(1, round(_BAR_WIDTH * hits / most))
        low, high = found.interval(value)
        between = "" if found.is_exact else f"  {low:,.0f} to {high:,.0f}"
        click.echo(f"{value:>{width}}  {tours:>{column}}  {bar:<{_BAR_WIDTH}}{between}".rstrip())
    click.echo(str(found))
    if not found.is_exact and found.tours_seen:
        click.echo(f"seed {found.seed}; each range contains the number with 95 % confidence")
