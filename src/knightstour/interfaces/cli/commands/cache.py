"""`knightstour cache`: the folder with the tour spaces that commands keep."""

from __future__ import annotations

import click

from knightstour.core.model.wording import in_words
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.lab.counting.spaces.file import cache_folder, kept_files


@click.command("cache", cls=Command)
@option("--clear", is_flag=True, help="Delete the cached files.")
def command(*, clear: bool) -> int:
    """Print the cache folder and its size.

    \b
    $ knightstour cache --clear
    """
    files = kept_files()
    size = f"{in_words(sum(files.values()))} in {len(files)} file{'' if len(files) == 1 else 's'}"
    if clear:
        for path in files:
            path.unlink(missing_ok=True)
        click.echo(f"{cache_folder()}: deleted {size}")
    else:
        click.echo(f"{cache_folder()}: {size}")
    return console.FOUND
