"""`knightstour compare`: all methods asked the same question; a table, JSON, CSV, and a chart of the times."""

from __future__ import annotations

import functools
import json
import sys
from pathlib import Path
from typing import IO, Annotated, NamedTuple

import click

from knightstour.core.machine.files import open_target
from knightstour.core.methods.comparison import (
    DEFAULT_SECONDS_A_RUN,
    DEFAULT_SEEDS,
    Comparison,
    compare,
    share_of_answers,
)
from knightstour.core.methods.table import METHODS
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import csv_text
from knightstour.core.model.problem import Problem
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import LimitWords, declared, json_option, limit_options, question, settings
from knightstour.interfaces.cli.output import check_target

PICTURES = ("svg", "png", "pdf")
_SET_HELP = (
    "A row for each value of an option, such as move_order=classic,random; `knightstour explain METHOD` lists them."
)


class _CompareWords(NamedTuple):
    """Which methods are compared, from where, how often each is asked, and whether its largest board is looked for."""

    methods: Annotated[
        str | None, typed("Which methods; default all, or with --set those that have the settings.", "A,B,..")
    ]
    starts: Annotated[str | None, typed("Squares to begin with, a row for each.", "SQ,SQ..")]
    seeds: Annotated[int, typed(f"Runs of each row; default {DEFAULT_SEEDS}.", "N", default=DEFAULT_SEEDS)]
    overall: Annotated[float | None, typed("Seconds by the clock for all runs together; default none.", "S")]
    largest: Annotated[bool, typed("Look for the largest square board that each solves within the timeout.")]


class _OutputWords(NamedTuple):
    as_json: Annotated[bool, json_option(": the question, and a row a method")]
    output: Annotated[
        str | None,
        typed("Also write the table, as .csv, or draw the times: .svg, .png or .pdf.", "FILE", flags="-o --output"),
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
    knightstour compare 8x8 --methods merge,rotation -o times.svg
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
            starts=None if wanted.starts is None else _words(wanted.starts),
            seeds=wanted.seeds,
            limits=limits.limits(DEFAULT_SECONDS_A_RUN),
            overall=wanted.overall,
            largest=wanted.largest,
            on_row=shown,
            on_progress=status.progress,
        )
    status.clear()
    for line in [json.dumps(table.to_dict())] if output_words.as_json else table.ending:
        click.echo(line)
    if output_words.output is not None:
        kind = Path(output_words.output).suffix[1:].lower()
        with open_target(output_words.output, force=output_words.force) as file:
            if kind == "csv":
                records = table.records()
                file.write(csv_text(list(records[0]), records).encode("utf-8"))
            else:
                draw_times(table, file, kind)
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
    kind = Path(output).suffix[1:].lower()
    if kind not in (*PICTURES, "csv"):
        raise FormatError(
            f"the name {output!r} names no format of a table or picture",
            help="end it in " + ", ".join(f".{p}" for p in ("csv", *PICTURES)),
        )
    check_target(output, force)
    if kind == "csv":
        return
    try:
        import matplotlib  # noqa: F401 - only whether it is there
    except ImportError:
        raise FormatError("drawing a chart needs matplotlib", help="pip install 'knightstour[plot]'") from None


def draw_times(table: Comparison, file: IO[bytes], kind: str) -> None:
    """A chart of the seconds of all runs, a line a method, on a logarithmic scale."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter, LogLocator, NullLocator

    rows = sorted((row for row in table.rows if row.runs), key=lambda row: row.median or 0, reverse=True)
    figure = Figure(figsize=(8, 1.2 + 0.42 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    for k, row in enumerate(rows):
        times = [max(seconds, 1e-6) for seconds in table.times[row.name]]
        axes.scatter(times, [k] * len(times), s=14, alpha=0.35, color="#0072b2", linewidths=0)
        axes.scatter([max(row.median or 0, 1e-6)], [k], marker="|", s=240, linewidths=2.5, color="#d55e00")
        answers = share_of_answers(row) + (" (proved there is none)" if row.impossible else "")
        axes.annotate(answers, (1.01, k), xycoords=("axes fraction", "data"), va="center", fontsize=9)
    axes.set_xscale("log")
    # Few marks that are far enough from each other, in ms as the table has them.
    spent = [max(seconds, 1e-6) for row in rows for seconds in table.times[row.name]]
    is_narrow = bool(spent) and max(spent) < 20 * min(spent)
    axes.xaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if is_narrow else (1,), numticks=8))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(EngFormatter(unit="s"))
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_xlabel("processor time of one run (dots; bar: median; right: answered)")
    axes.set_title(str(table.problem), loc="left", fontsize=11)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, format=kind, dpi=150)
