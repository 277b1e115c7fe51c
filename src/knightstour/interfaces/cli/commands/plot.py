"""`knightstour plot`: a picture of numbers, as `kt.plot` makes it, in a file."""

from __future__ import annotations

import io
from pathlib import PurePath

import click

from knightstour.core.machine.files import open_target
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import option
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import board_named, seed_option
from knightstour.interfaces.cli.output import check_target
from knightstour.lab.sampling.plot import PLOTS, plot

_EXTENSIONS = (".png", ".svg", ".pdf")


@click.command("plot", cls=Command)
@click.argument("what", metavar="WHAT")
@board_named
@option("-o", "--output", metavar="FILE", required=True, help="The plot: .png, .svg or .pdf.")
@option("-n", "n", type=int, metavar="N", help="How many tours or starts; default 300.")
@option("--closed", is_flag=True, help="Of closed tours.")
@seed_option("plot")
@option("--force", is_flag=True, help="Overwrite FILE.")
def command(what: str, board: Board, n: int | None, closed: bool, output: str, force: bool, seed: int | None) -> int:
    """Plot WHAT of BOARD: degrees, turns, crossings, or ties (needs the extra `plot`).

    degrees: how many moves its squares have. turns, crossings: how many random tours have, see `knightstour sample`.
    ties: how often Warnsdorff's rule succeeds at once, for each way to break ties, over n up to an n x n BOARD.

    \b
    knightstour plot degrees 8x8 -o degrees.svg
    knightstour plot turns 8x8 --closed -n 1000 -o turns.png
    """
    suffix = PurePath(output).suffix.lower()
    if suffix not in _EXTENSIONS:
        names = ", ".join(_EXTENSIONS)
        raise FormatError(f"a plot cannot be written as {output!r}", help=f"the suffixes are {names}")
    check_target(output, force)
    # The same plot each time, unless another seed is asked for.
    rng = 0 if seed is None and what in PLOTS and "rng" in PLOTS[what].uses else seed
    status = console.StatusLine()
    figure = plot(what, board, n=n, closed=closed, rng=rng, on_progress=status.progress)
    status.clear()
    out = io.BytesIO()
    figure.savefig(out, format=suffix[1:], dpi=144)
    with open_target(output, force=force) as file:
        file.write(out.getvalue())
    return console.FOUND
