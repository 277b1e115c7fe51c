"""`knightstour measure`: the statistics of tours."""

from __future__ import annotations

import json

import click

from knightstour.core.checking.reports import magic_kind
from knightstour.core.model.board import Board, title_of
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.validation import an
from knightstour.core.statistics.measure import measure
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option

# Printed as a word, after the statistics.
_MAGIC = "magic"


@click.command("measure", cls=Command)
@options.file_argument
@options.file_board_argument
@option("--by", metavar="NAME,..", multiple=True, help="Only these statistics.")
@option("--csv", "as_csv", is_flag=True, help="Print a table, a line per tour.")
@options.json_option
def command(file: str, board: str | None, *, by: tuple[str, ...], as_csv: bool, as_json: bool) -> int:
    """Print statistics of the tours in FILE (- for stdin), such as turns.

    \b
    $ knightstour measure tour.txt --by turns,crossings
    """
    options.check_only_one({"--csv": as_csv, "--json": as_json})
    tours = options.TourFile(file, board).read()
    places: dict[Board, list[int]] = {}
    for k, tour in enumerate(tours):
        places.setdefault(tour.board, []).append(k)
    if as_csv and len(places) > 1:
        raise ProblemError("--csv does not support tours of several boards", help="omit --csv, or use one board")
    found: dict[int, dict[str, float | str]] = {}
    names = _names(by)
    statistics = [name for name in names if name != _MAGIC]
    for where, here in places.items():
        is_measured = bool(statistics or not names)
        some = [tours[k] for k in here]
        by_name = measure(some, statistics or None) if is_measured else {}
        in_words = isinstance(where, GridBoard) and is_flat(where) and (_MAGIC in names or not names)
        if not by_name and not in_words:
            raise ProblemError(
                f"tours of {an(title_of(where))} have no statistics", help="statistics require a flat board"
            )
        for i, k in enumerate(here):
            found[k] = {name: values[i].item() for name, values in by_name.items()}
            found[k] |= {_MAGIC: magic_kind(tours[k])} if in_words else {}
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
    """Split --by at commas, unless it has an equals sign."""
    return [name.strip() for text in by for name in ([text] if "=" in text else text.split(","))]


def _print(number: int, found: dict[str, float | str], *, alone: bool) -> None:
    if not alone:
        click.echo(f"{number}")
    width = max(map(len, found))
    for name, value in found.items():
        click.echo(f"{'' if alone else '  '}{name:<{width}}  {value}")
