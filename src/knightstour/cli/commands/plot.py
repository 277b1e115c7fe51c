"""`knightstour plot`: what people would rather look at than read."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from knightstour.cli import console
from knightstour.cli.options import board_named, bundled, seed_option
from knightstour.cli.output import check_target
from knightstour.drawing.plots import plot_degrees, plot_distribution, plot_shares
from knightstour.machine.files import open_target
from knightstour.methods.comparison import success_of_ties
from knightstour.model.board import Board
from knightstour.model.errors import FormatError
from knightstour.sampling.sample_tours import iter_sample

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SUFFIXES = (".png", ".svg", ".pdf")
_USUAL_TOURS = 300


class Wish(NamedTuple):
    """Of what a plot is made. theme: "light" or "dark"."""

    n: int
    closed: bool
    seed: int
    theme: str


class Plot(NamedTuple):
    """A row of PLOTS. make(board, wish, status) -> Figure. uses: the options that change it. summary: for people."""

    make: Callable[[Board, Wish, console.StatusLine], Figure]
    uses: tuple[str, ...]
    summary: str


def _degrees(board: Board, wish: Wish, status: console.StatusLine) -> Figure:
    return plot_degrees(board, theme=wish.theme)


def _ties(board: Board, wish: Wish, status: console.StatusLine) -> Figure:
    shares = success_of_ties(board, wish.n, wish.seed, on_progress=status.progress)
    title = f"Warnsdorff's rule at the first try, {wish.n} random starts each"
    return plot_shares(shares, what="n of the n x n board", title=title, theme=wish.theme)


def _of_tours(what: str) -> Callable[[Board, Wish, console.StatusLine], Figure]:
    """A plot of a number that each tour of a random sample has."""

    def make(board: Board, wish: Wish, status: console.StatusLine) -> Figure:
        values: list[int] = []
        for sample in iter_sample(board, wish.n, closed=wish.closed, rng=wish.seed):
            for tour in sample:
                values.append(getattr(tour, what))
                status.show(f"{len(values):,} of {wish.n:,} tours")
        kind = "closed tours" if wish.closed else "tours"
        title = f"{what.capitalize()} of {len(values):,} random {kind}, {board}"
        return plot_distribution(values, what=what, title=title, theme=wish.theme)

    return make


PLOTS: dict[str, Plot] = {
    "degrees": Plot(_degrees, (), "how many moves the squares of BOARD have"),
    "turns": Plot(_of_tours("turns"), ("n", "seed", "closed"), "how many turns random tours of BOARD have"),
    "crossings": Plot(
        _of_tours("crossings"), ("n", "seed", "closed"), "how often random tours of BOARD cross themselves"
    ),
    "ties": Plot(
        _ties,
        ("n", "seed"),
        "how often Warnsdorff's rule finds a tour at the first try, for each way to break ties, up to n x n BOARD",
    ),
}


class _Words(NamedTuple):
    """What was typed of the plot."""

    output: str
    n: int | None
    closed: bool
    seed: int | None
    theme: str
    force: bool


@click.command("plot")
@click.argument("what", metavar="WHAT")
@board_named
@bundled(
    "words",
    _Words,
    click.option("-o", "--output", metavar="FILE", required=True, help="The plot: .png, .svg or .pdf."),
    click.option("-n", "n", type=int, metavar="N", help="How many tours or starts; default 300."),
    click.option("--closed", is_flag=True, help="Of closed tours."),
    seed_option("plot"),
    click.option("--theme", type=click.Choice(["light", "dark"]), default="light", help="Its colours."),
    click.option("--force", is_flag=True, help="Overwrite FILE."),
)
def command(what: str, board: Board, words: _Words) -> int:
    """Plot WHAT of BOARD: degrees, turns, crossings, or ties (needs the extra `plot`).

    degrees: how many moves its squares have. turns, crossings: how many random tours have, see `knightstour sample`.
    ties: how often Warnsdorff's rule succeeds at once, for each way to break ties, over n up to an n x n BOARD.
    """
    suffix = PurePath(words.output).suffix.lower()
    if what not in PLOTS:
        raise FormatError(f"there is no plot of {what!r}", help="one of " + ", ".join(PLOTS))
    if suffix not in _SUFFIXES:
        names = ", ".join(_SUFFIXES)
        raise FormatError(f"a plot cannot be written as {words.output!r}", help=f"the suffixes are {names}")
    for name, value in (("n", words.n), ("seed", words.seed), ("closed", words.closed or None)):
        if value is not None and name not in PLOTS[what].uses:
            flag = "-n" if name == "n" else f"--{name}"
            raise FormatError(f"{what} are the same whatever {flag} says", help="leave it out")
    wish = Wish(_USUAL_TOURS if words.n is None else words.n, words.closed, words.seed or 0, words.theme)
    if wish.n < 1:
        raise FormatError(f"{wish.n} tours are no sample", help="give 1 or more")
    check_target(words.output, words.force)
    status = console.StatusLine()
    figure = PLOTS[what].make(board, wish, status)
    status.clear()
    out = io.BytesIO()
    options: dict[str, Any] = {"format": suffix[1:], "dpi": 144}
    figure.savefig(out, **options)
    with open_target(words.output, force=words.force) as file:
        file.write(out.getvalue())
    return console.FOUND
