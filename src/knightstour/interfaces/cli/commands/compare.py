"""`knightstour compare`: all methods asked the same question; a table, JSON, CSV, and a chart of the times."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import IO, NamedTuple

import click

from knightstour.core.machine.files import open_target
from knightstour.core.methods.comparison import DEFAULT_SECONDS_A_RUN, Comparison, compare, share_of_answers
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import LimitWords, bundled, json_option, limit_options, symmetric_question
from knightstour.interfaces.cli.output import check_target

PICTURES = ("svg", "png", "pdf")
_FIELDS = (
    *("method", "runs", "found", "impossible", "undecided", "answered"),
    *("median", "p95", "nodes", "largest", "excuse"),
)


class _Wish(NamedTuple):
    """Which methods are compared, how often each is asked, and whether its largest board is looked for."""

    methods: str | None
    seeds: int
    overall: float | None
    largest: bool


class _Form(NamedTuple):
    """How the answer is printed and drawn."""

    as_json: bool
    output: str | None
    force: bool


@click.command("compare", cls=Command)
@symmetric_question
@limit_options("5 of processor time, for each run", nodes="Steps of each run before giving up.")
@bundled(
    "wish",
    _Wish,
    option("--methods", metavar="A,B,..", help="Which methods; default all."),
    option("--seeds", type=int, default=100, metavar="N", help="Runs of each method; default 100."),
    option("--overall", type=float, metavar="S", help="Seconds by the clock for all runs together; default none."),
    option(
        "--largest/--no-largest",
        default=True,
        help="Look for the largest square board that each solves within the timeout.",
    ),
)
@bundled(
    "form",
    _Form,
    json_option(": the question, and a row a method"),
    option(
        "-o", "--output", metavar="FILE", help="Also write the table, as .csv, or draw the times: .svg, .png or .pdf."
    ),
    option("--force", is_flag=True, needs="output", help="Overwrite FILE."),
)
def command(problem: Problem, limits: LimitWords, wish: _Wish, form: _Form) -> int:
    """Ask every method for a tour of BOARD, with many seeds, and compare: answers, time, nodes, largest board.

    Times are processor seconds of one run, with all kernels loaded, and so is --timeout. Exit code 3: --overall ended
    it; the table has what was measured until then.

    \b
    knightstour compare 8x8 --closed --seeds 20
    knightstour compare 8x8 --methods merge,rotation -o times.svg
    """
    if form.output is not None:
        _check_output(form.output, form.force)
    status = console.StatusLine()
    with status.timing("comparing"):
        table = compare(
            problem,
            methods=None if wish.methods is None else [name.strip() for name in wish.methods.split(",")],
            seeds=wish.seeds,
            limits=limits.limits(DEFAULT_SECONDS_A_RUN),
            overall=wish.overall,
            largest=wish.largest,
            on_progress=status.progress,
        )
    status.clear()
    if form.as_json:
        click.echo(json.dumps(table.to_dict()))
    else:
        click.echo(table.to_text(), nl=False)
    if form.output is not None:
        kind = Path(form.output).suffix[1:].lower()
        with open_target(form.output, force=form.force) as file:
            if kind == "csv":
                file.write(_in_csv(table).encode("utf-8"))
            else:
                draw_times(table, file, kind)
    if table.reason:
        console.say("note", table.reason)
        return console.UNDECIDED
    return console.FOUND


def _in_csv(table: Comparison) -> str:
    """The rows of the table with commas, below a line of names."""
    text = io.StringIO()
    writer = csv.DictWriter(text, _FIELDS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: row.to_dict()[name] for name in _FIELDS} for row in table.rows)
    return text.getvalue()


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

    rows = sorted((row for row in table.rows if row.runs), key=lambda row: row.median or 0, reverse=True)
    figure = Figure(figsize=(8, 1.2 + 0.42 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
    for k, row in enumerate(rows):
        times = [max(seconds, 1e-6) for seconds in table.times[row.method]]
        axes.scatter(times, [k] * len(times), s=14, alpha=0.35, color="#0072b2", linewidths=0)
        axes.scatter([max(row.median or 0, 1e-6)], [k], marker="|", s=240, linewidths=2.5, color="#d55e00")
        axes.annotate(share_of_answers(row), (1.01, k), xycoords=("axes fraction", "data"), va="center", fontsize=9)
    axes.set_xscale("log")
    axes.set_yticks(range(len(rows)), [row.method for row in rows])
    axes.set_xlabel("processor seconds of one run (dots; bar: median; right: answered)")
    axes.set_title(str(table.problem), loc="left", fontsize=11)
    axes.grid(axis="x", alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(file, format=kind, dpi=150)
