"""`knightstour cache`: the spaces of tours that are kept between commands."""

from __future__ import annotations

import json

import click

from knightstour.cli import console
from knightstour.cli.help import Command
from knightstour.cli.options import json_option
from knightstour.counting.spaces import kept
from knightstour.model.wording import in_words


@click.command("cache", cls=Command)
@click.option("--clear", is_flag=True, help="Delete them; they are made again when they are needed.")
@json_option(": the folder, and its files with their sizes")
def command(clear: bool, as_json: bool) -> int:
    """List the spaces of tours that are kept between commands, where and how large they are."""
    files = kept.kept_files()
    total = sum(files.values())
    if clear:
        for path in files:
            path.unlink(missing_ok=True)
    if as_json:
        listed = [{"name": path.name, "bytes": size} for path, size in files.items()]
        record = {"folder": str(kept.cache_folder()), "bytes": total, "files": listed, "cleared": clear}
        click.echo(json.dumps(record))
        return console.FOUND
    if not clear:
        for path, size in files.items():
            click.echo(f"{in_words(size):>9}  {path.name}")
    done = "deleted from" if clear else "in"
    click.echo(f"{in_words(total)} {done} {kept.cache_folder()}")
    return console.FOUND
