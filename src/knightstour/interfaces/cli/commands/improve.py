"""`knightstour improve`: tours of a file, with less or more of a statistic."""

from __future__ import annotations

import json
from typing import Annotated, NamedTuple

import click

from knightstour.core.formats.tours import format_tour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    LimitWords,
    Target,
    TourFile,
    declared,
    json_option,
    limit_options,
    seed_option,
    tour_file,
)
from knightstour.interfaces.cli.output import check_output, write_out
from knightstour.interfaces.cli.picture_options import PictureWords, tour_output_options
from knightstour.interfaces.cli.pictures import checked_picture
from knightstour.lab.objectives.improve import Improvement, improve
from knightstour.lab.objectives.table import checked_objective


class _ImproveWords(NamedTuple):
    objective: Annotated[
        str,
        typed(
            "Fewer turns (the default), crossings or any statistic of `measure`, such as inside=a1..d4; with most- "
            "before it, more.",
            "WHAT",
            default="turns",
        ),
    ]
    goal: Annotated[int | None, typed("Stop as soon as a tour has N of them.", "N")]
    closed: Annotated[
        bool | None,
        typed("Look for closed tours, or for open ones; default as in FILE.", flags="--closed/--open", default=None),
    ]
    keep_ends: Annotated[bool, typed("Keep the two ends of open tours.")]
    symmetry: Annotated[str | None, typed("Keep this symmetry of the tours: 180, 90, vertical, ...", "NAME")]
    seed: Annotated[int | None, seed_option("tours, without --timeout")]


@click.command("improve", cls=Command)
@tour_file()
@declared("wanted", _ImproveWords)
@limit_options("none", nodes="Steps for each tour; default 5000000, fewer on boards of over 3600 squares.")
@tour_output_options()
@json_option(" a tour: what it had before and has after, and its squares")
def command(
    source: TourFile, wanted: _ImproveWords, limits: LimitWords, target: Target, picture: PictureWords, as_json: bool
) -> int:
    """Look for tours with fewer turns, or less or more of any statistic, than those in FILE (- for stdin).

    The new tours are of the same boards and kinds.

    Each tour is annealed for some five seconds, or until --timeout or --max-nodes. A tour never becomes worse.

    \b
    knightstour improve tours.txt -o better.txt
    knightstour improve tours.txt --objective most-crossings --timeout 20
    """
    checked_objective(wanted.objective)
    target = target.in_json(as_json)
    check_output(target, may_draw=True)
    given = source.read()
    look = checked_picture(picture, target, board=given[0].board if given else None, count=len(given))
    bounds = limits.limits(None) if limits.is_given else None
    status = console.StatusLine()
    better = []
    is_interrupted = False
    for tour in given:
        try:
            found = improve(
                tour,
                wanted.objective,
                closed=wanted.closed,
                keep_ends=wanted.keep_ends,
                symmetry=wanted.symmetry,
                goal=wanted.goal,
                seed=wanted.seed,
                limits=bounds,
                on_progress=status.progress,
            )
        except KeyboardInterrupt:
            is_interrupted = True
            break
        status.clear()
        better.append(found.tour)
        _say_found(found, as_json)
    status.clear()
    if better and not as_json:
        write_out(better, target, look)
    if is_interrupted:
        console.say("note", f"interrupted after {len(better):,} of {len(given):,} tours")
        return console.INTERRUPTED
    return console.FOUND


def _say_found(found: Improvement, as_json: bool) -> None:
    if as_json:
        figures = {name: getattr(found, name) for name in ("objective", "before", "after", "seed")}
        click.echo(json.dumps({**figures, **json.loads(format_tour(found.tour, "json"))}))
        return
    what = checked_objective(found.objective).statistic
    console.say("note", f"{found.before:,} {what} before, {found.after:,} after; seed {found.seed}")
