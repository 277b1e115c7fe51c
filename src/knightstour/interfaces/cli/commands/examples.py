"""`knightstour examples`: historical tours, and graphs with known answers."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from knightstour.core.formats.tours import format_tour
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.validation import did_you_mean, quoted
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.each_graph import check_folder, is_folder
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.output import check_output, check_target, write_graphs, write_out
from knightstour.interfaces.cli.pictures import picture_options
from knightstour.lab.catalogues.table import CATALOGUES, Entry, catalogue, entry_names
from knightstour.lab.instances.table import FAMILIES, instances, read_family

if TYPE_CHECKING:
    from knightstour.lab.instances.instance import Instance


@click.command("examples", cls=Command)
@click.argument("name", required=False)
@options.output_option
@options.format_option
@options.json_option
def command(name: str | None, *, output: str | None, format_name: str | None, as_json: bool) -> int:
    """Print historical tours, and graphs with known answers. Without NAME, list them.

    \b
    $ knightstour examples historical-8x8:euler
    $ knightstour examples petersen:n=5..50,k=2 --format hcp -o graphs/
    """
    if name is None:
        options.refuse({"-o": output, "--format": format_name}, "the list has no file")
        return _list(as_json)
    target = options.Target(format_name, output).in_json(as_json)
    table = name.partition(":")[0]
    if table in CATALOGUES:
        check_output(target, may_draw=True)
        look = picture_options(target)
        entries = _entries(name)
        if target.is_stdout and target.format_name is None and sys.stdout.isatty():
            _print_named(table, entries)
        else:
            write_out([entry.tour for entry in entries], target, look)
        return console.FOUND
    if table not in FAMILIES:
        meant = did_you_mean(table, [*CATALOGUES, *FAMILIES]) or _entry_meant(table)
        raise ProblemError(f"unknown example {quoted(table)}{meant}", help="`knightstour examples` lists them")
    if target.output is not None and not target.is_stdout and not is_folder(target.output):
        check_target(target.output)
    return _write_family(name, target, as_json)


def _list(as_json: bool) -> int:
    tables: dict[str, dict[str, str]] = {
        "tours": {row.name: row.summary for row in CATALOGUES.values()},
        "graphs": {row.name: row.summary for row in FAMILIES.values()},
    }
    if as_json:
        for kind, table in tables.items():
            for name, summary in table.items():
                click.echo(json.dumps({"kind": kind, "name": name, "summary": summary}))
        return console.FOUND
    width = max(len(name) for table in tables.values() for name in table)
    for k, (kind, table) in enumerate(tables.items()):
        click.echo(("\n" if k else "") + kind)
        for name, summary in table.items():
            click.echo(f"  {name:<{width}}  {summary}")
    return console.FOUND


def _entry_meant(name: str) -> str:
    """Return the end of an error that suggests the entry with the nearest name, or ""."""
    names = entry_names()
    nearest = {f"; did you mean {each!r}?": f"; did you mean '{table}:{each}'?" for each, table in names.items()}
    return nearest.get(did_you_mean(name, names), "")


def _print_named(table: str, entries: Sequence[Entry]) -> None:
    """Print each tour below the words that select it."""
    named = (f"{table}:{entry.name or entry.number}\n{format_tour(entry.tour)}" for entry in entries)
    click.echo("\n".join(named), nl=False)


def _entries(text: str) -> Sequence[Entry]:
    """Return the entries of a catalogue, or the entry after a colon; print their source."""
    name, colon, which = text.partition(":")
    found = catalogue(name)
    if colon:
        entry = found.entry(int(which) if which.isdecimal() else which)
        console.print_message("note", f"from {entry.source or found.row.source}")
        return [entry]
    row = found.row
    more = f"complete: {row.complete} (from {row.source})" if row.complete else f"sources: examples {name}:1, ..."
    console.print_message("note", f"{row.summary}; {more}")
    return found.entries


def _write_family(text: str, target: options.Target, as_json: bool) -> int:
    """Write the graphs of a family, or print each with its result."""
    family, parameters = read_family(text)
    numbers = Counter[bool]()

    def count_instances() -> Iterator[Instance]:
        for one in instances(family, **parameters):
            numbers[one.is_hamiltonian] += 1
            yield one

    if as_json:
        for one in count_instances():
            click.echo(json.dumps(one.to_dict()))
    elif target.output is not None and not target.is_stdout and is_folder(target.output):
        from knightstour.lab.instances.folder import ANSWERS, write_folder

        check_folder(target.output)
        write_folder(target.output, count_instances(), target.format_name or "hcp")
        console.print_message("note", f"the answers are in {os.path.join(target.output, ANSWERS)}")
    else:
        write_graphs((one.board for one in count_instances()), target)
    console.print_message(
        "note",
        f"{numbers.total():,} graphs: {numbers[True]:,} ha{'s' if numbers[True] == 1 else 've'} a Hamiltonian cycle, "
        f"{numbers[False]:,} ha{'s' if numbers[False] == 1 else 've'} none",
    )
    return console.FOUND
