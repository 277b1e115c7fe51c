"""b-files on their way out of the command line: `count --bfile` and `oeis --bfile`."""

from __future__ import annotations

from collections.abc import Iterable

import click

from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.output import check_target
from knightstour.lab.sequences.bfile import write_lines


def put_bfile(path: str, lines: Iterable[str], *, force: bool, status: console.StatusLine) -> None:
    """Print the lines as they come, where the path is "-"; else write them to the file, at the end."""
    if path == "-":
        for line in lines:
            status.clear()
            click.echo(line)
        return
    check_target(path, force)
    write_lines(path, lines, force=force)
    status.clear()


def note_if_short(last: int, wanted: int | None) -> bool:
    """Say where a b-file ends before the index that was wanted; returns whether it does."""
    if wanted is None or last >= wanted:
        return False
    console.say("note", f"a limit was reached; the b-file ends at n = {last}")
    return True
