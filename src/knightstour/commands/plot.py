"""`knightstour plot`: what people would rather look at than read."""

from __future__ import annotations

import click

from knightstour.commands.options import board_options


@click.command()
@click.argument("what", metavar="WHAT")
@board_options
@click.option("-o", "--output", metavar="FILE", required=True, help="The plot: .png, .svg or .pdf.")
@click.option("-n", "count", type=int, metavar="N", help="How many tours or starts; default 300.")
@click.option("--closed", is_flag=True, help="Of closed tours.")
@click.option("--seed", type=int, metavar="N", help="A whole number, 0 or more; the same seed gives the same plot.")
@click.option("--theme", type=click.Choice(["light", "dark"]), default="light", help="Its colours.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def plot(
    what: str,
    board: str,
    leaper: str | None,
    wrap: str | None,
    holes: str | None,
    output: str,
    count: int | None,
    closed: bool,
    seed: int | None,
    theme: str,
    force: bool,
) -> int:
    """Plot WHAT of BOARD: degrees, turns, crossings, or ties (needs the extra `plot`).

    degrees: how many moves its squares have. turns, crossings: how many random tours have, see `knightstour sample`.
    ties: how often Warnsdorff's rule succeeds at once, for each way to break ties, over n up to an n x n BOARD.
    """
    from knightstour import inputs
    from knightstour.plotting_command import plot_command

    asked = inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes)
    return plot_command(what, asked, output, count=count, closed=closed, seed=seed, theme=theme, force=force)
