"""`knightstour unrank`: the tours of given numbers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import click

from knightstour.core.formats.tours import format_tour
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.efforts import EffortWords, effort_options
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import Target, json_option, plain_question, seed_option
from knightstour.interfaces.cli.output import check_output, write_out
from knightstour.interfaces.cli.picture_options import PictureWords, tour_output_options
from knightstour.interfaces.cli.pictures import checked_picture
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.spaces.asked import no_tours_error, space_of

# Numbers that one range may give.
_MAX_NUMBERS = 1_000_000


@click.command("unrank", cls=Command)
@plain_question
@click.argument("number", nargs=-1, required=True, metavar="NUMBER...")
@option("--space", "path", metavar="FILE", help="A file of all tours; made if it is not there.")
@seed_option("`random` numbers")
@effort_options(without=("max_nodes", "threads"))
@tour_output_options()
@json_option(" a tour: its number, how many there are, and its squares")
@any_digits()
def command(
    problem: Problem,
    number: tuple[str, ...],
    path: str | None,
    seed: int | None,
    effort: EffortWords,
    target: Target,
    picture: PictureWords,
    as_json: bool,
) -> int:
    """Print the tours of these numbers: from 1 to the count, or `first`, `last` or `random`; 5..9 is five of them.

    \b
    knightstour unrank 6x6 1 last --closed
    knightstour unrank 6x6 random --closed --seed 1
    """
    target = target.in_json(as_json)
    check_output(target, may_draw=True)
    count = None if any(".." in word for word in number) else len(number)
    look = checked_picture(picture, target, board=problem.board, count=count)
    status = console.StatusLine()
    with console.saying_what_is_kept(status), status.timing("numbering all tours"):
        space = space_of(problem, path, limits=effort.limits, threads=effort.threads, on_progress=status.progress)
    if not space.count:
        raise no_tours_error(problem)
    if seed is not None and "random" not in number:
        raise ProblemError("--seed draws `random` numbers, and there are none", help="leave out --seed")
    drawn = iter(space.random_numbers(number.count("random"), seed=seed) if "random" in number else [])
    wanted: list[int] = []
    for word in number:
        wanted += _numbers_of(word, space.count, lambda: next(drawn))
    with status.timing("making the tours"):
        tours = [Tour.from_order(problem.board, order) for order in space.orders(wanted)]
    status.clear()
    if as_json:
        for found, tour in zip(wanted, tours, strict=True):
            place = {"number": str(found), "count": str(space.count)}
            click.echo(json.dumps(place | json.loads(format_tour(tour, "json"))))
    else:
        write_out(tours, target, look)
    which = f"number {wanted[0]:,}" if len(wanted) == 1 else f"{len(wanted):,}"
    console.say("note", f"{which} of {space.count:,} {kind_of(problem)}")
    return console.FOUND


def _numbers_of(word: str, count: int, random: Callable[[], int] | None) -> list[int]:
    """The numbers that a word means: 17, 5..9, first, last, random.

    >>> _numbers_of("8..last", 10, None), _numbers_of("1,000", 5000, None)
    ([8, 9, 10], [1000])
    """

    def one(text: str) -> int:
        named = {"first": 1, "last": count}
        if text in named:
            return named[text]
        plain = text.replace(",", "").replace("_", "")
        if not re.fullmatch(r"\d+", plain):
            raise ProblemError(
                f"not the number of a tour: {text!r}", help="give a whole number, first, last, random, or 5..9"
            )
        return int(plain)

    if word == "random":
        assert random is not None
        return [random()]
    if ".." not in word:
        return [one(word)]
    low, high = (one(part) for part in word.split("..", 1))
    if high < low:
        raise ProblemError(f"{word} goes down", help=f"write {high}..{low}")
    if high - low >= _MAX_NUMBERS:
        raise FormatError(f"{word} is {high - low + 1:,} tours", help=f"at most {_MAX_NUMBERS:,} at once")
    return list(range(low, high + 1))
