"""`knightstour unrank`: the tours with given numbers."""

from __future__ import annotations

import json
import re

import click

from knightstour.core.formats.tours import format_tour
from knightstour.core.model.budget import as_arguments
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.tour import tour_of
from knightstour.core.model.validation import quoted
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.output import check_output, write_out
from knightstour.interfaces.cli.pictures import picture_options
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.spaces.empty import no_tours_error
from knightstour.lab.counting.spaces.tour_space import TourSpace

# Largest number of tours of a range.
_MAX_NUMBERS = 1_000_000


@click.command("unrank", cls=Command)
@options.board_argument
@click.argument("number", nargs=-1, required=True, metavar="NUMBER...")
@options.closed_option
@options.memory_option
@options.output_option
@options.format_option
@options.style_option()
@options.json_option
@any_digits()
def command(
    board: str,
    number: tuple[str, ...],
    *,
    closed: bool,
    memory: str | None,
    output: str | None,
    format_name: str | None,
    style: str | None,
    as_json: bool,
) -> int:
    """Print the tours with these numbers, from 1 to the count; 5..9 is five of them.

    \b
    $ knightstour unrank 8x8 --closed 1000000
    """
    problem = parsing.problem_of(parsing.board_with_notes(board), closed=closed)
    target = options.Target(format_name, output).in_json(as_json)
    check_output(target, may_draw=True)
    numbers = [each for word in number for each in _numbers_of(word)]
    look = picture_options(target, style=style, board=problem.board, count=len(numbers))
    status = console.StatusLine()
    limits = options.limits_of(None, memory=memory)
    with console.noting_saved_spaces(status), status.timing("numbering all tours"):
        space = TourSpace(problem, **as_arguments(limits), on_progress=status.progress)
    if not space.count:
        raise no_tours_error(problem)
    with status.timing("creating the tours"):
        tours = [tour_of(problem.board, order) for order in space.orders(numbers)]
    status.clear()
    if as_json:
        for found, tour in zip(numbers, tours, strict=True):
            place = {"number": str(found), "count": str(space.count)}
            click.echo(json.dumps(place | json.loads(format_tour(tour, "json"))))
    else:
        write_out(tours, target, look)
    which = f"number {numbers[0]:,}" if len(numbers) == 1 else f"{len(numbers):,}"
    console.print_message("note", f"{which} of {space.count:,} {kind_of(problem)}")
    return console.FOUND


def _numbers_of(word: str) -> list[int]:
    """Return the numbers of a word: 17, or 5..9.

    >>> _numbers_of("8..10"), _numbers_of("1,000")
    ([8, 9, 10], [1000])
    """

    def one(text: str) -> int:
        plain = text.replace(",", "").replace("_", "")
        if not re.fullmatch(r"\d+", plain):
            raise ProblemError(f"invalid number of a tour: {quoted(text)}", help="write a number, or a range: 5..9")
        return int(plain)

    if ".." not in word:
        return [one(word)]
    low, high = (one(part) for part in word.split("..", 1))
    if high < low:
        raise ProblemError(f"invalid range: {word}", help=f"write {high}..{low}")
    if high - low >= _MAX_NUMBERS:
        raise FormatError(f"{word} has {high - low + 1:,} tours", help=f"use at most {_MAX_NUMBERS:,}")
    return list(range(low, high + 1))
