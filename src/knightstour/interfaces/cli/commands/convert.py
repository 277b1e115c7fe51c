"""`knightstour convert`: tours of a file in another format."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import click

from knightstour.core.formats.boards import board_to_dict
from knightstour.core.model.tour import Tour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.deadline import deadline_option
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.each_graph import is_folder
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import Target, TourFile, declared, json_option, refuse, tour_file
from knightstour.interfaces.cli.output import check_holds_tours, check_target, write_graphs, write_out
from knightstour.interfaces.cli.picture_options import PictureWords, tour_output_options
from knightstour.interfaces.cli.pictures import checked_picture

if TYPE_CHECKING:
    from knightstour.lab.instances.instance import Instance


class _Change(NamedTuple):
    """What is done to each tour before it is written."""

    rotate: Annotated[int | None, typed("Turn clockwise by 90, 180 or 270 degrees.", "ANGLE")]
    reflect: Annotated[
        str | None, typed("Mirror: vertical swaps left and right; horizontal, diagonal, antidiagonal.", "AXIS")
    ]
    reverse: Annotated[bool, typed("Exchange start and end, and go the other way.")]
    shift: Annotated[int | None, typed("Start closed tours N steps later.", "N")]
    canonical: Annotated[bool, typed("Write the one tour that represents all turned and mirrored ones.")]
    open: Annotated[bool, typed("With --canonical: closed tours keep their two ends, as open ones.", needs="canonical")]

    def made(self, tour: Tour) -> Tour:
        """The tour, changed."""
        if self.rotate is not None:
            tour = tour.rotated(self.rotate)
        if self.reflect is not None:
            tour = tour.reflected(self.reflect)
        if self.reverse:
            tour = tour.reversed()
        if self.shift is not None:
            tour = tour.shifted(self.shift)
        return tour.canonical(closed=False if self.open else None) if self.canonical else tour


class _Origin(NamedTuple):
    """What is written instead of what a file holds."""

    family: Annotated[
        str | None,
        typed(
            "Instead of FILE: graphs whose answers are known, such as petersen:n=5..50,k=2.",
            "NAME:P=N,..",
            without="file catalogue",
        ),
    ]
    catalogue: Annotated[
        str | None,
        typed("Instead of FILE: the tours of a list, or one: historical-8x8:euler.", "NAME[:ENTRY]", without="file"),
    ]


@click.command("convert", cls=Command)
@tour_file(is_needed=False)
@declared("origin", _Origin)
@declared("change", _Change)
@tour_output_options("Where to; default stdout. A picture, too.", names=("--format", "--to"))
@deadline_option
@json_option(" a tour, or a graph: all that its file says")
def command(
    source: TourFile, origin: _Origin, change: _Change, target: Target, picture: PictureWords, as_json: bool
) -> int:
    """Write the tours of FILE (- for stdin), or the graphs in it or of a board, in another format.

    Of several graphs -o DIR gets a file each; of a family also answers.jsonl, a line for each graph. `explain` lists
    families and catalogues.

    Changes are made in the order of the help: turned, mirrored, reversed, started elsewhere.

    \b
    knightstour convert tours.txt --rotate 90 -o tours.json
    knightstour convert --family petersen:n=5..50 -o graphs.g6
    """
    changes = {f"--{name}": value for name, value in change._asdict().items()}
    if origin.family is None and origin.catalogue is None and not source.file:
        raise click.UsageError("Missing argument 'FILE'.")
    target = target.in_json(as_json)
    if target.output is not None and not target.is_stdout and not is_folder(target.output):
        check_target(target.output, target.force)
    if origin.family is not None:
        refuse(changes, "a family has graphs, and no tour")
        return _write_family(origin.family, target, as_json)
    look = checked_picture(picture, target)
    boards = source.read_graphs() if origin.catalogue is None else None
    if boards is not None:
        refuse(changes, "FILE holds a graph, and no tour")
        if as_json:
            for board in boards:
                click.echo(json.dumps({**board_to_dict(board), **board.read_as_record()}))
        else:
            write_graphs(boards, target)
    else:
        check_holds_tours(target.format_name, target.output)
        tours = source.read() if origin.catalogue is None else _listed(origin.catalogue)
        write_out([change.made(tour) for tour in tours], target, look)
    return console.FOUND


def _write_family(text: str, target: Target, as_json: bool) -> int:
    """Write the graphs of a family, or print each with its answer; how many have a cycle is said at the end."""
    from knightstour.lab.instances.table import instances, read_family

    family, parameters = read_family(text)
    numbers = Counter[bool]()

    def counted() -> Iterator[Instance]:
        for one in instances(family, **parameters):
            numbers[one.is_hamiltonian] += 1
            yield one

    if as_json:
        for one in counted():
            click.echo(json.dumps(one.to_dict()))
    elif target.output is not None and not target.is_stdout and is_folder(target.output):
        from knightstour.lab.instances.folder import ANSWERS, write_folder

        write_folder(target.output, counted(), target.format_name or "hcp", force=target.force)
        console.say("note", f"the answers are in {os.path.join(target.output, ANSWERS)}")
    else:
        write_graphs((one.board for one in counted()), target)
    console.say(
        "note",
        f"{numbers.total():,} graphs: {numbers[True]:,} ha{'s' if numbers[True] == 1 else 've'} a Hamiltonian cycle, "
        f"{numbers[False]:,} ha{'s' if numbers[False] == 1 else 've'} none",
    )
    return console.FOUND


def _listed(text: str) -> list[Tour]:
    """The tours of a catalogue, or of its entry after a colon; what it is complete of is said."""
    from knightstour.lab.catalogues.table import catalogue

    name, colon, which = text.partition(":")
    found = catalogue(name)
    if colon:
        entry = found.entry(int(which) if which.isdecimal() else which)
        console.say("note", f"from {entry.source or found.row.source}")
        return [entry.tour]
    console.say("note", f"{found.row.summary}; complete: {found.row.complete} (from {found.row.source})")
    return list(found.tours)
