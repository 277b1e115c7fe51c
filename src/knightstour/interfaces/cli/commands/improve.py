"""`knightstour improve`: tours of a file, with less or more of a statistic."""

from __future__ import annotations

import json

import click

from knightstour.core.formats.tours import format_tour
from knightstour.core.model.literals import ChosenStatistic, StatisticName
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.output import check_output, write_out
from knightstour.interfaces.cli.pictures import picture_options
from knightstour.lab.objectives.improve import Improvement, improve
from knightstour.lab.objectives.table import objective_of


@click.command("improve", cls=Command)
@options.file_argument
@options.file_board_argument
@option("--minimize", metavar="NAME", help="Statistic to minimize (default: turns).")
@option("--maximize", metavar="NAME", help="Statistic to maximize.")
@option("--keep-ends", is_flag=True, help="Keep first and last square of open tours.")
@options.symmetry_option(help="Keep this symmetry.")
@options.seed_option
@options.timeout_option("5 for each tour")
@options.output_option
@options.format_option
@options.json_option
def command(
    file: str,
    board: str | None,
    *,
    minimize: StatisticName | ChosenStatistic | None,
    maximize: StatisticName | ChosenStatistic | None,
    keep_ends: bool,
    symmetry: str | None,
    seed: int | None,
    timeout: float | None,
    output: str | None,
    format_name: str | None,
    as_json: bool,
) -> int:
    """Improve the tours in FILE by local search: fewer turns, crossings, ... Use - for stdin.

    \b
    $ knightstour improve tour.txt --minimize crossings -o better.txt
    """
    options.check_only_one({"--minimize": minimize, "--maximize": maximize})
    objective_of(minimize, maximize)
    target = options.Target(format_name, output).in_json(as_json)
    check_output(target, may_draw=True)
    given = options.TourFile(file, board).read()
    look = picture_options(target, board=given[0].board if given else None, count=len(given))
    status = console.StatusLine()
    better = []
    is_interrupted = False
    for tour in given:
        try:
            found = improve(
                tour,
                minimize=minimize,
                maximize=maximize,
                keep_ends=keep_ends,
                symmetry=symmetry,
                seed=seed,
                timeout=timeout,
                on_progress=status.progress,
            )
        except KeyboardInterrupt:
            is_interrupted = True
            break
        status.clear()
        better.append(found.tour)
        _print(found, as_json)
    status.clear()
    if better and not as_json:
        write_out(better, target, look)
    if is_interrupted:
        console.print_message("note", f"interrupted after {len(better):,} of {len(given):,} tours")
        return console.INTERRUPTED
    return console.FOUND


def _print(found: Improvement, as_json: bool) -> None:
    if as_json:
        figures = {name: getattr(found, name) for name in ("objective", "before", "after", "seed")}
        click.echo(json.dumps({**figures, **json.loads(format_tour(found.tour, "json"))}))
        return
    what = found.objective.split()[-1]
    console.print_message("note", f"{found.before:,} {what} before, {found.after:,} after; seed {found.seed}")
