"""`knightstour check` and `convert`: tours from files."""

from __future__ import annotations

import itertools
import json
import os
from typing import Any

import click

from knightstour import console
from knightstour.commands.options import FORMAT_NAMES, BoardWords, file_board, worker_options
from knightstour.errors import ProblemError


@click.command()
@click.argument("file")
@file_board
@click.option(
    "--format", "format_name", metavar="FORMAT", help="What the file is, if not told by its suffix or content."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@worker_options("For a data set: check")
def check(
    file: str,
    words: BoardWords,
    format_name: str | None,
    as_json: bool,
    workers: int | None,
    scheduler: str | None,
) -> int:
    """Check the tours in FILE (- for stdin), or all of a data set in a directory.

    Valid: closed or open, symmetry, turns, crossings, magic. Invalid: exactly which step is wrong.
    """
    if os.path.isdir(file):
        from knightstour.dataset_command import check_dataset_command

        told = {f"--{name}": word for name, word in words._asdict().items()}
        _refuse({**told, "--format": format_name}, "a data set says itself what it holds")
        return check_dataset_command(file, workers=workers, scheduler=scheduler, as_json=as_json)
    from knightstour import checking

    _refuse({"--workers": workers, "--scheduler": scheduler}, "only data sets, in directories, are checked so")
    board = checking.board_for(*words)
    status = console.StatusLine()
    all_valid = True
    reports = checking.reports(file, format_name, board, status.checking)
    for number in itertools.count(1):
        with status.timing("checking"):
            report = next(reports, None)
        status.clear()
        if report is None:
            break
        all_valid &= report.is_valid
        click.echo(json.dumps(report.to_dict(number)) if as_json else report.to_text(number))
    return console.FOUND if all_valid else console.IMPOSSIBLE


def _refuse(given: dict[str, Any], why: str) -> None:
    """An error for options that would change nothing here."""
    for name, value in given.items():
        if value is not None:
            raise ProblemError(f"{name} is not for this: {why}", help=f"leave out {name}")


@click.command()
@click.argument("file")
@click.option("--from", "read_format", metavar="FORMAT", help="What FILE is, if not told by its suffix or content.")
@click.option("--format", "--to", "format_name", metavar="FORMAT", help=f"{FORMAT_NAMES}.")
@click.option("-o", "--output", metavar="FILE", help="Where to; default stdout.")
@file_board
@click.option("--force", is_flag=True, help="Overwrite the output file.")
def convert(
    file: str, read_format: str | None, format_name: str | None, output: str | None, words: BoardWords, force: bool
) -> int:
    """Write the tours of FILE (- for stdin) in another format."""
    from knightstour import checking, formats
    from knightstour.writing import check_target, write_out

    if output not in (None, "-"):
        check_target(output, force)
    board = checking.board_for(*words)
    tours = formats.read_tours(checking.source_of(file), read_format, board)
    write_out(tours, format_name, output, force)
    return console.FOUND
