"""`knightstour warm`: compile all kernels now, so that nobody waits for them later."""

from __future__ import annotations

import click

from knightstour.cli import console
from knightstour.cli.help import Command
from knightstour.sampling.warm_up import warm_up


@click.command("warm", cls=Command)
@click.option("--workers", type=int, default=2, metavar="N", help="Processes that share the work; default 2.")
def command(workers: int) -> int:
    """Compile everything that may be compiled, once, so that no later command waits for it.

    This takes about a minute, or a second if everything is compiled already. Use it when you build a container image,
    or before a class.
    """
    status = console.StatusLine()
    with status.timing("compiling kernels"):
        warm_up(workers=workers, on_progress=status.progress)
    status.clear()
    console.say("note", "all kernels are compiled")
    return console.FOUND
