"""`knightstour sample`: random tours in bulk."""

from __future__ import annotations

from typing import Any

import click

from knightstour.commands.options import FORMAT_NAMES, board_options


@click.command()
@board_options
@click.option("-n", "count", type=int, default=1, metavar="N", help="How many tours.")
@click.option("--closed", is_flag=True, help="Closed tours.")
@click.option("--start", metavar="SQ", help="First square of all.")
@click.option("--end", metavar="SQ", help="Last square of all.")
@click.option("--law", default="backbite", help="How they are drawn: backbite (default), uniform, merge or warnsdorff.")
@click.option("--every", type=int, help="backbite: turns between two readings.")
@click.option("--burn-in", type=int, help="backbite: turns before the first reading of a block.")
@click.option("--randomness", type=int, help="merge: 0, 1 or 2.")
@click.option("--unique", is_flag=True, help="All different.")
@click.option("--seed", type=int, metavar="N", help="Any whole number; the same seed gives the same tours.")
@click.option("--offset", type=int, default=0, metavar="N", help="Go on after so many tours of the seed.")
@click.option("--threads", type=int, metavar="N", help="Default one a core; the tours are the same for any number.")
@click.option("--stats", is_flag=True, help="Tell rate, repeats and failures at the end.")
@click.option(
    "--print",
    "shown",
    type=click.Choice(["all", "repeats", "none"]),
    default="all",
    help="Print all tours, those that came before, or none.",
)
@click.option("--format", "format_name", metavar="FORMAT", help=f"{FORMAT_NAMES}.")
@click.option("-o", "--output", metavar="FILE", help="Write the tours there; .npy holds millions.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
@click.option("--json", "as_json", is_flag=True, help="The summary as one JSON object.")
def sample(
    board: str,
    leaper: str | None,
    wrap: str | None,
    holes: str | None,
    count: int,
    closed: bool,
    start: str | None,
    end: str | None,
    every: int | None,
    burn_in: int | None,
    randomness: int | None,
    **choices: Any,
) -> int:
    """Draw random tours of BOARD in bulk, by a law that is stated. See docs/sampling.md."""
    from knightstour import inputs
    from knightstour.sampling_command import sample_command

    problem = inputs.problem_of(inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes), closed, start, end)
    parameters = {"every": every, "burn_in": burn_in, "randomness": randomness}
    choices.update((name, value) for name, value in parameters.items() if value is not None)
    return sample_command(problem.board, count, closed=closed, start=problem.start, end=problem.end, **choices)
