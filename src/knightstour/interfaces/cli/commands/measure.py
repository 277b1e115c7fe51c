"""`knightstour measure`: what tours are like as drawings."""

from __future__ import annotations

import json

import click

from knightstour.core.model.board import Board
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.validation import an
from knightstour.core.statistics.chosen import chosen_summaries
from knightstour.core.statistics.measure import measure
from knightstour.core.statistics.table import STATISTICS
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.deadline import deadline_option
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import TourFile, json_option, tour_file

# What is said in a word, after the statistics.
_MAGIC = "magic"


@click.command("measure", cls=Command)
@tour_file(is_needed=False)
@option("--by", multiple=True, needs="file", metavar="STATISTIC", help="Only this one, or several with commas between.")
@option(
    "--open", "as_open", is_flag=True, needs="file", help="Measure closed tours as open ones, without the last move."
)
@option(
    "--csv",
    "as_csv",
    is_flag=True,
    needs="file",
    without="as_json",
    help="One line a tour, with commas, below a line of names.",
)
@deadline_option
@json_option(" a tour: its statistics by name")
def command(source: TourFile, by: tuple[str, ...], as_open: bool, as_csv: bool, as_json: bool) -> int:
    """Say how many turns, crossings, angles and slopes the tours of FILE (- for stdin) have, and which are magic.

    The last line, `magic`, is a word: no, semi-magic, quasi-magic, near-magic, magic or diagonally magic.

    Without FILE: list all statistics.

    \b
    knightstour measure tours.txt --by turns,crossings
    knightstour measure tours.txt --csv
    """
    if not source.path:
        _list(as_json)
        return console.FOUND
    tours = source.read()
    places: dict[Board, list[int]] = {}
    for k, tour in enumerate(tours):
        places.setdefault(tour.board, []).append(k)
    if as_csv and len(places) > 1:
        raise ProblemError("tours of several boards do not make one table", help="leave out --csv, or give one board")
    found: dict[int, dict[str, float | str]] = {}
    names = _names(by)
    statistics = [name for name in names if name != _MAGIC]
    for board, here in places.items():
        is_measured = bool(statistics or not names)
        some = [tours[k] for k in here]
        by_name = measure(some, statistics or None, closed=False if as_open else None) if is_measured else {}
        in_words = isinstance(board, GridBoard) and board.is_flat and (_MAGIC in names or not names)
        if not by_name and not in_words:
            raise ProblemError(
                f"tours of {an(board.title)} have no statistics", help="statistics are those of flat boards"
            )
        for i, k in enumerate(here):
            found[k] = {name: values[i].item() for name, values in by_name.items()}
            found[k] |= {_MAGIC: tours[k].magic_kind} if in_words else {}
    if as_csv and found:
        click.echo(",".join(["number", *found[0]]))
    for k in range(len(tours)):
        if as_csv:
            click.echo(",".join(map(str, [k + 1, *found[k].values()])))
        elif as_json:
            click.echo(json.dumps({"number": k + 1, **found[k]}))
        else:
            _print(k + 1, found[k], alone=len(tours) == 1)
    return console.FOUND


def _names(by: tuple[str, ...]) -> list[str]:
    """The names that were typed; those with an equals sign may have commas in squares."""
    return [name.strip() for text in by for name in ([text] if "=" in text else text.split(","))]


def _list(as_json: bool) -> None:
    if as_json:
        for row in STATISTICS.values():
            click.echo(json.dumps(row.to_dict()))
        return
    listed = {row.name: row.summary for row in STATISTICS.values()} | chosen_summaries()
    width = max(map(len, listed))
    for name, summary in listed.items():
        click.echo(f"{name:<{width}}  {summary}")


def _print(number: int, found: dict[str, float | str], *, alone: bool) -> None:
    if not alone:
        click.echo(f"{number}")
    width = max(map(len, found))
    for name, value in found.items():
        click.echo(f"{'' if alone else '  '}{name:<{width}}  {value}")
