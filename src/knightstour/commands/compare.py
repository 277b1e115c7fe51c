"""`knightstour compare`: all methods asked the same question."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from knightstour.commands.options import question

if TYPE_CHECKING:
    from knightstour.result import Problem


@click.command()
@question
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
    problem: Problem,
    methods: str | None,
    seeds: int,
    timeout: float,
    largest: bool,
    as_json: bool,
    as_csv: bool,
    output: str | None,
    force: bool,
) -> int:
    """Ask every method for a tour of BOARD, with many seeds, and compare: answers, time, nodes, largest board.

    Times are processor seconds of one run, with all kernels loaded.
    """
    from knightstour.comparing_command import compare_command

    if as_json and as_csv:
        raise click.UsageError("--json and --csv are two forms; ask for one")
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
