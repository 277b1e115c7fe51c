"""`knightstour embed`: the script that shows tours on pages of one's own."""

from __future__ import annotations

import click

from knightstour.cli import console
from knightstour.cli.help import Command
from knightstour.cli.output import check_target
from knightstour.machine.files import open_target
from knightstour.web.embed import embed_script


@click.command("embed", cls=Command)
@click.option("-o", "--output", metavar="FILE", help="Write it there, such as knights-tour.js.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def command(output: str | None, force: bool) -> int:
    """Print the script that lets any page show and replay tours: it is one file and loads nothing.

    With it <knights-tour tour="LINK"></knights-tour> shows a tour; `convert --to link` prints the LINK of a tour.
    See docs/web.md.
    """
    script = embed_script()
    if output is None or output == "-":
        click.echo(script, nl=False)
        return console.FOUND
    check_target(output, force)
    with open_target(output, force=force) as file:
        file.write(script.encode("utf-8"))
    return console.FOUND
