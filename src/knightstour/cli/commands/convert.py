"""`knightstour convert`: tours of a file in another format."""

from __future__ import annotations

import click

from knightstour.cli import console
from knightstour.cli.options import Target, TourFile, output_options, tour_file
from knightstour.cli.output import check_target, write_out


@click.command("convert")
@tour_file()
@output_options("Where to; default stdout.", names=("--format", "--to"))
def command(source: TourFile, target: Target) -> int:
    """Write the tours of FILE (- for stdin) in another format."""
    if target.output is not None and not target.is_stdout:
        check_target(target.output, target.force)
    write_out(source.read(), target)
    return console.FOUND
