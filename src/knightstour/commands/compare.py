"""`knightstour compare`: all methods asked the same question."""

from __future__ import annotations

import click

from knightstour.commands.options import board_options


@click.command()
@board_options
@click.option("--closed", is_flag=True, help="The tour must end a move from its start.")
@click.option("--start", metavar="SQ", help="First square.")
@click.option("--end", metavar="SQ", help="Last square.")
@click.option("--methods", metavar="A,B,..", help="Which methods; default all.")
@click.option("--seeds", type=int, default=100, metavar="N", help="Runs of each method; default 100.")
@click.option("--timeout", type=float, default=5.0, metavar="S", help="Seconds of one run; default 5.")
@click.option(
    "--largest/--no-largest", default=True, help="Look for the largest square board each solves in that time."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--csv", "as_csv", is_flag=True, help="Comma-separated values.")
@click.option("-o", "--output", metavar="FILE", help="Also draw the times: .svg, .png or .pdf.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def compare(
    board: str,
    leaper: str | None,
    wrap: str | None,
    holes: str | None,
    closed: bool,
    start: str | None,
    end: str | None,
    methods: str | None,
    seeds: int,
    timeout: float,
    largest: bool,
    as_json: bool,
    as_csv: bool,
    output: str | None,
    force: bool,
) -> int:
    """Ask every method for a tour of BOARD, with many seeds, and compare: success, time, nodes, largest board.

    Times are processor seconds of one run, with all kernels loaded.
    """
    from knightstour import inputs
    from knightstour.comparing_command import compare_command

    problem = inputs.problem_of(inputs.board_of(board, leaper=leaper, wrap=wrap, holes=holes), closed, start, end)
    return compare_command(
        problem,
        methods=None if methods is None else [name.strip() for name in methods.split(",")],
        seeds=seeds,
        seconds=timeout,
        largest=largest,
        form="json" if as_json else "csv" if as_csv else "table",
        output=output,
        force=force,
    )
