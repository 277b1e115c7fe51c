"""`knightstour census`: how many of all tours have which number of turns, crossings, ..."""

from __future__ import annotations

import json
from typing import Annotated, NamedTuple

import click

from knightstour.core.drawing.pictures import draw
from knightstour.core.formats.tours import format_tour
from knightstour.core.machine.files import open_target
from knightstour.core.model.problem import Problem
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.efforts import EffortWords, effort_options
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import declared, json_option, plain_question
from knightstour.interfaces.cli.output import check_target
from knightstour.lab.counting.census.census import census
from knightstour.lab.counting.census.result import Census, check_file

_BAR_WIDTH = 40


class _CensusWords(NamedTuple):
    by: Annotated[str, typed("A name that `knightstour measure` lists.", "STATISTIC", required=True)]
    samples: Annotated[int | None, typed("Estimate from N tours drawn at random.", "N", flags="--sample")]
    seed: Annotated[int | None, typed("With --sample: the same seed draws the same tours.", "N", needs="samples")]
    extremes: Annotated[
        bool,
        typed(
            "Print a tour with the least value, and one with the most.",
            without="as_json",
            why="--extremes is for the table; --json has both tours",
        ),
    ]
    plot: Annotated[str | None, typed("Draw the bars, too, into an SVG file.", "FILE")]
    output: Annotated[
        str | None, typed("Write the values there, too: .csv, .json or .parquet.", "FILE", flags="-o --output")
    ]
    force: Annotated[bool, typed("Overwrite the files.", needs="output plot")]
    as_json: Annotated[bool, json_option(": the question, and the tours by value")]


@click.command("census", cls=Command)
@plain_question
@declared("wanted", _CensusWords)
@effort_options(without=("max_nodes", "threads"))
def command(problem: Problem, wanted: _CensusWords, effort: EffortWords) -> int:
    """Count the tours of BOARD by their number of turns, crossings, moves of a slope, or any other statistic.

    Exit code 1: there is no tour.

    \b
    knightstour census 6x6 --closed --by turns
    knightstour census 8x8 --closed --by crossings --sample 100000
    """
    if wanted.plot is not None and not wanted.plot.lower().endswith(".svg"):
        raise click.UsageError(f"--plot writes SVG, and {wanted.plot!r} does not end in .svg")
    if wanted.output is not None:
        check_file(wanted.output)
    for path in filter(None, (wanted.plot, wanted.output)):
        check_target(path, wanted.force)
    status = console.StatusLine()
    with status.timing("counting"):
        found = census(
            problem,
            wanted.by,
            samples=wanted.samples,
            seed=wanted.seed,
            limits=effort.limits,
            threads=effort.threads,
            on_progress=status.progress,
        )
    status.clear()
    if wanted.plot is not None:
        with open_target(wanted.plot, force=wanted.force) as file:
            file.write(bytes(draw(found)))
    if wanted.output is not None:
        found.save(wanted.output, force=wanted.force)
    if wanted.as_json:
        click.echo(json.dumps(found.to_dict()))
    else:
        _print(found, extremes=wanted.extremes)
    return console.FOUND if found.seen else console.IMPOSSIBLE


def _print(found: Census, *, extremes: bool) -> None:
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
    if not found.is_exact and found.seen:
        click.echo(f"seed {found.seed}; the ranges hold the number with 95 % confidence, each")
    if extremes and found.least is not None and found.most is not None:
        for word, extreme in (("least", found.least), ("most", found.most)):
            click.echo(f"\n{word}, {extreme.value}:\n{format_tour(extreme.tour)}")
    elif extremes:
        console.say("note", "these tours were counted together, without making one; --sample draws some")
