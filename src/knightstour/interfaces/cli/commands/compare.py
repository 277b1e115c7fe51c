"""`knightstour compare`: all methods asked the same question; a table, JSON, CSV."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from knightstour.core.machine.files import open_target
from knightstour.core.methods.comparison import (
    DEFAULT_SECONDS_A_RUN,
    DEFAULT_SEEDS,
    Comparison,
    compare,
)
from knightstour.core.methods.table import METHODS
from knightstour.core.model.budget import as_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import csv_text
from knightstour.core.model.problem import Problem
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import LimitWords, declared, json_option, limit_options, question, settings
from knightstour.interfaces.cli.output import check_target

_SET_HELP = (
    "A row for each value of an option, such as move_order=classic,random; `knightstour explain METHOD` lists them."
)


class _CompareWords(NamedTuple):
    """Which methods are compared, from where, how often each is asked, and whether its largest board is looked for."""

    methods: Annotated[
        str | None, typed("Which methods; default all, or with --set those that have the settings.", "A,B,..")
    ]
    starts: Annotated[str | None, typed("Squares to begin with, a row for each; or all.", "SQ,SQ..")]
    seeds: Annotated[int, typed(f"Runs of each row; default {DEFAULT_SEEDS}.", "N", default=DEFAULT_SEEDS)]
    overall: Annotated[float | None, typed("Seconds by the clock for all runs together; default none.", "S")]
    largest: Annotated[bool, typed("Look for the largest square board that each solves within the timeout.")]


class _OutputWords(NamedTuple):
    as_json: Annotated[bool, json_option(": the question, and a row a method")]
    output: Annotated[
        str | None,
        typed("Also write the table, as .csv.", "FILE", flags="-o --output"),
    ]
    force: Annotated[bool, typed("Overwrite FILE.", needs="output")]


@click.command("compare", cls=Command)
@question
@limit_options("5 of processor time, for each run", nodes="Steps of each run before giving up.")
@declared("wanted", _CompareWords)
@settings(lambda: {name: row.options for name, row in METHODS.items()}, "method", help=_SET_HELP, are_several=True)
@declared("output_words", _OutputWords)
def command(
    problem: Problem,
    limits: LimitWords,
    wanted: _CompareWords,
    options: dict[str, list[object]],
    output_words: _OutputWords,
) -> int:
    """Ask every method for a tour of BOARD, with several seeds, and compare: answers, time, nodes, largest board.

    Times are processor seconds of one run, with all kernels loaded, and so is --timeout. Exit code 3: --overall ended
    it; the table has what was measured until then.

    \b
    knightstour compare 8x8 --methods merge,rotation -o times.csv
    knightstour compare 6x6 --set move_order=classic,random,warnsdorff --starts a1,b1,c3
    """
    if output_words.output is not None:
        _check_output(output_words.output, output_words.force)
    status = console.StatusLine()
    shown = None if output_words.as_json else functools.partial(_show, status=status)
    with status.timing("comparing"):
        table = compare(
            problem,
            methods=None if wanted.methods is None else _words(wanted.methods),
            settings=options or None,
            starts=None if wanted.starts is None else "all" if wanted.starts == "all" else _words(wanted.starts),
            seeds=wanted.seeds,
            **as_arguments(limits.limits(DEFAULT_SECONDS_A_RUN)),
            overall=wanted.overall,
            largest=wanted.largest,
            on_row=shown,
            on_progress=status.progress,
        )
    status.clear()
    for line in [json.dumps(table.to_dict())] if output_words.as_json else table.ending:
        click.echo(line)
    if output_words.output is not None:
        records = table.records()
        with open_target(output_words.output, force=output_words.force) as file:
            file.write(csv_text(list(records[0]), records).encode("utf-8"))
    if table.reason:
        console.say("note", table.reason)
        return console.UNDECIDED
    return console.FOUND


def _words(typed: str) -> list[str]:
    return [word.strip() for word in typed.split(",")]


def _show(table: Comparison, *, status: console.StatusLine) -> None:
    """Print the last row as soon as it is there, after the heading if it is the first."""
    status.clear()
    lines = table.heading if len(table.rows) == 1 else []
    lines += [table.line(row) for row in table.rows[-1:] if row.runs]
    for line in lines:
        click.echo(line)
    sys.stdout.flush()


def _check_output(output: str, force: bool) -> None:
    """The errors that writing would raise at the end, before the long work."""
    if Path(output).suffix.lower() != ".csv":
        raise FormatError(f"the name {output!r} names no format of a table", help="end it in .csv")
    check_target(output, force)
