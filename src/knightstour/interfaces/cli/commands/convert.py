"""`knightstour convert`: tours and graphs in another format."""

from __future__ import annotations

import json

import click

from knightstour.core.formats.boards import board_to_dict
from knightstour.core.model.board import read_as_record
from knightstour.core.model.tour import Tour
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.each_graph import is_folder
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.output import check_holds_tours, check_target, write_graphs, write_out
from knightstour.interfaces.cli.pictures import picture_options


@click.command("convert", cls=Command)
@options.file_argument
@options.file_board_argument
@options.output_option
@options.format_option
@option("--rotate", type=int, metavar="ANGLE", help="Turn clockwise by 90, 180 or 270.")
@option("--reflect", metavar="AXIS", help="Mirror: vertical, horizontal, diagonal, antidiagonal.")
@option("--canonical", is_flag=True, help="Write the canonical form under rotation and reflection.")
@options.json_option
def command(
    file: str,
    board: str | None,
    *,
    output: str | None,
    format_name: str | None,
    rotate: int | None,
    reflect: str | None,
    canonical: bool,
    as_json: bool,
) -> int:
    """Write the tours or graphs of FILE (- for stdin), or the graph of a board, in another format.

    \b
    $ knightstour convert tour.txt -o tour.csv
    $ knightstour convert 8x8 --format graph6
    """
    target = options.Target(format_name, output).in_json(as_json)
    if target.output is not None and not target.is_stdout and not is_folder(target.output):
        check_target(target.output)
    look = picture_options(target)
    source = options.TourFile(file, board)
    boards = source.read_graphs()
    if boards is not None:
        changes = {"--rotate": rotate, "--reflect": reflect, "--canonical": canonical}
        options.refuse(changes, "the file contains a graph, and no tour")
        if as_json:
            for each in boards:
                click.echo(json.dumps({**board_to_dict(each), **read_as_record(each)}))
        else:
            write_graphs(boards, target)
        return console.FOUND
    check_holds_tours(target.format_name, target.output)
    tours = [_transform_tour(tour, rotate, reflect, canonical) for tour in source.read()]
    write_out(tours, target, look)
    return console.FOUND


def _transform_tour(tour: Tour, rotate: int | None, reflect: str | None, canonical: bool) -> Tour:
    if rotate is not None:
        tour = tour.rotated(rotate)
    if reflect is not None:
        tour = tour.reflected(reflect)
    return tour.canonical() if canonical else tour
