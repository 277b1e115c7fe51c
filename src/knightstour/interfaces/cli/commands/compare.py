"""`knightstour compare`: all methods on the same problem, as a table."""

from __future__ import annotations

import functools
import json
import sys
from typing import cast

import click

from knightstour.core.formats.table import suffix_of
from knightstour.core.machine.files import open_target
from knightstour.core.methods.comparison import DEFAULT_SECONDS_PER_RUN, DEFAULT_SEEDS, Comparison, compare
from knightstour.core.methods.table import METHODS
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import csv_text
from knightstour.core.model.literals import MethodName
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.output import check_target


@click.command("compare", cls=Command)
@options.board_argument
@options.closed_option
@options.start_option
@options.end_option
@option("--methods", metavar="NAME,..", help="Only these methods.")
@option("--starts", metavar="SQ,..", help="First squares; one row each.")
@option("--seeds", type=int, metavar="N", default=DEFAULT_SEEDS, help=f"Runs per row (default: {DEFAULT_SEEDS}).")
@option("--set", "settings", metavar="NAME=V,V", multiple=True, help="Values of a setting; one row each.")
@options.timeout_option("5 for each run")
@options.max_nodes_option("Stop a run after N search steps.")
@option("-o", "--output", metavar="FILE", help="Write the table as .csv.")
@options.json_option
def command(
    board: str,
    *,
    closed: bool,
    start: str | None,
    end: str | None,
    methods: str | None,
    starts: str | None,
    seeds: int,
    settings: tuple[str, ...],
    timeout: float | None,
    max_nodes: int | None,
    output: str | None,
    as_json: bool,
) -> int:
    """Run all methods on BOARD with several seeds, and print a table of answers, times and nodes.

    \b
    $ knightstour compare 8x8 --starts a1,d4
    $ knightstour compare 6x6 --set move_order=classic,warnsdorff
    """
    problem = parsing.problem_of(parsing.board_with_notes(board), closed=closed, start=start, end=end)
    chosen = options.setting_lists_of(settings, {name: row.options for name, row in METHODS.items()}, "method")
    if output is not None:
        if suffix_of(output) != ".csv":
            raise FormatError(f"unknown suffix: {output}", help="use .csv")
        check_target(output)
    status = console.StatusLine()
    with status.timing("comparing"):
        table = compare(
            problem,
            methods=None if methods is None else cast("list[MethodName]", _words(methods)),
            settings=chosen or None,
            starts=None if starts is None else "all" if starts == "all" else _words(starts),
            seeds=seeds,
            timeout=DEFAULT_SECONDS_PER_RUN if timeout is None else timeout,
            max_nodes=max_nodes,
            on_row=None if as_json else functools.partial(_print_row, status=status),
            on_progress=status.progress,
        )
    status.clear()
    for line in [json.dumps(table.to_dict())] if as_json else table.ending:
        click.echo(line)
    if output is not None:
        records = table.records()
        with open_target(output) as file:
            file.write(csv_text(list(records[0]), records).encode("utf-8"))
    return console.FOUND


def _words(typed: str) -> list[str]:
    return [word.strip() for word in typed.split(",")]


def _print_row(table: Comparison, *, status: console.StatusLine) -> None:
    status.clear()
    lines = table.heading if len(table.rows) == 1 else []
    lines += [table.line(row) for row in table.rows[-1:] if row.runs]
    for line in lines:
        click.echo(line)
    sys.stdout.flush()
