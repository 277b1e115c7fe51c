"""`knightstour improve`: tours of a file, with less or more of a statistic."""

from __future__ import annotations

import json
from typing import NamedTuple

import click

from knightstour.core.formats.tours import format_tour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    LimitWords,
    Target,
    TourFile,
    bundled,
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


class _Wish(NamedTuple):
    """What is to become better, how far, and what must stay."""

    objective: str
    goal: int | None
    closed: bool | None
    keep_ends: bool
    symmetry: str | None
    seed: int | None


_wish_options = bundled(
    "wish",
    _Wish,
    click.option(
        "--objective",
        default="turns",
        metavar="WHAT",
        help="Fewer turns (the default), crossings or any statistic of `measure`, such as inside=a1..d4; with most- "
        "before it, more.",
    ),
    click.option("--goal", type=int, metavar="N", help="Stop as soon as a tour has N of them."),
    click.option("--closed/--open", default=None, help="Look for closed tours, or for open ones; default as in FILE."),
    click.option("--keep-ends", is_flag=True, help="Keep the two ends of open tours."),
    click.option("--symmetry", metavar="NAME", help="Keep this symmetry of the tours: 180, 90, vertical, ..."),
    seed_option("tours, without --timeout"),
)


@click.command("improve", cls=Command)
@tour_file()
@_wish_options
@limit_options("none", nodes="Steps for each tour; default 5000000, fewer on boards of over 3600 squares.")
@tour_output_options()
@json_option(" a tour: what it had before and has after, and its squares")
def command(
    source: TourFile, wish: _Wish, limits: LimitWords, target: Target, picture: PictureWords, as_json: bool
) -> int:
    """Look for tours with fewer turns, or less or more of any statistic, than those in FILE (- for stdin).

    The new tours are of the same boards and kinds.

    Each tour is annealed for some five seconds, or until --timeout or --max-nodes. A tour never becomes worse.

    \b
    knightstour improve tours.txt -o better.txt
    knightstour improve tours.txt --objective most-crossings --timeout 20
    """
    checked_objective(wish.objective)
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
                wish.objective,
                closed=wish.closed,
                keep_ends=wish.keep_ends,
                symmetry=wish.symmetry,
                goal=wish.goal,
                rng=wish.seed,
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
    """How much better a tour became."""
    if as_json:
        figures = {name: getattr(found, name) for name in ("objective", "before", "after", "seed")}
        click.echo(json.dumps({**figures, **json.loads(format_tour(found.tour, "json"))}))
        return
    what = checked_objective(found.objective).statistic
    console.say("note", f"{found.before:,} {what} before, {found.after:,} after; seed {found.seed}")
