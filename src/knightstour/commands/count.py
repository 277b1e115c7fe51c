"""`knightstour count`, `rank` and `unrank`: how many tours there are, and their numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from knightstour.commands.options import file_board, output_options, question, worker_options, workers_of

if TYPE_CHECKING:
    from knightstour.result import Problem


@click.command()
@question
@click.option("--directed", is_flag=True, help="A tour and the same walked backwards are two.")
@click.option("--symmetry", metavar="NAME", help="Only tours with this symmetry: 180, 90, vertical, ...")
@click.option("--classes", is_flag=True, help="Count tours that are images of each other once.")
@click.option("--table", is_flag=True, help="How many tours and classes have which symmetries.")
@click.option("--estimate", type=int, metavar="N", help="Estimate from N random walks, with its standard error.")
@click.option("--seed", type=int, metavar="N", help="With --estimate: any whole number.")
@click.option(
    "--bfile",
    metavar="FILE",
    help="Write the counts of all lengths up to BOARD's, as the OEIS wants them; - is stdout.",
)
@click.option("--recurrence", is_flag=True, help="Boards of up to 4 rows: the recurrence for all lengths.")
@click.option("--plan", is_flag=True, help="Do not count: tell by which way, and what it would take, about.")
@click.option("--memory", metavar="SIZE", help="Memory that may be used, such as 8GB; beyond it the disk, or an error.")
@click.option("--checkpoint", metavar="DIR", help="Keep there what is needed to go on, and what memory cannot hold.")
@click.option("--resume", is_flag=True, help="Go on from what DIR holds.")
@click.option("--threads", type=int, metavar="N", help="Default one a core.")
@worker_options("Count", note="; with --checkpoint")
@click.option("--timeout", type=float, metavar="S", help="Seconds before giving up; default none.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.option("--force", is_flag=True, help="Overwrite FILE.")
def count(
    problem: Problem,
    directed: bool,
    symmetry: str | None,
    classes: bool,
    table: bool,
    estimate: int | None,
    seed: int | None,
    bfile: str | None,
    recurrence: bool,
    plan: bool,
    memory: str | None,
    checkpoint: str | None,
    resume: bool,
    threads: int | None,
    workers: int | None,
    scheduler: str | None,
    timeout: float | None,
    as_json: bool,
    force: bool,
) -> int:
    """Count the tours of BOARD exactly.

    Tours are undirected unless --directed; open ones are Hamiltonian paths, those that happen to be closed included.
    """
    from knightstour.counting_command import Wish, count_command

    if resume and checkpoint is None:
        raise click.UsageError("--resume goes with --checkpoint")
    if seed is not None and estimate is None:
        raise click.UsageError("--seed goes with --estimate")
    if plan and (workers is not None or scheduler is not None):
        raise click.UsageError("--plan tells what it takes in all, and shares nothing out")
    wish = Wish(directed, symmetry, classes, table, estimate, seed, bfile, recurrence, as_json, force, plan)

    where = "" if workers is None else f"--workers {workers}"
    with workers_of(workers, scheduler) as crew:
        return count_command(
            problem,
            wish,
            memory=memory,
            checkpoint=checkpoint,
            resume=resume,
            threads=threads,
            timeout=timeout,
            workers=crew,
            where=where if scheduler is None else f"--scheduler {scheduler}",
        )


@click.command()
@click.argument("file")
@click.option("--open", "as_open", is_flag=True, help="Number closed tours among the open ones.")
@click.option("--from-start", is_flag=True, help="Among the tours with the same start.")
@click.option("--to-end", is_flag=True, help="Among the tours with the same end.")
@file_board
@click.option("--format", "format_name", metavar="FORMAT", help="What FILE is, if not told by its suffix or content.")
@click.option("--space", "path", metavar="FILE", help="A file of all tours; made if it is not there.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
def rank(file: str, **choices: Any) -> int:
    """Tell the number of each tour in FILE (- for stdin) among all tours of its board and kind."""
    from knightstour.counting_command import rank_command

    return rank_command(file, **choices)


@click.command()
@question
@click.argument("numbers", nargs=-1, required=True, metavar="NUMBER...")
@click.option("--space", metavar="FILE", help="A file of all tours; made if it is not there.")
@output_options()
def unrank(
    problem: Problem,
    numbers: tuple[str, ...],
    space: str | None,
    format_name: str | None,
    output: str | None,
    force: bool,
) -> int:
    """Print the tours of these numbers: from 1 to the count, or `first`, `last` or `random`; 5..9 is five of them."""
    from knightstour.counting_command import unrank_command

    return unrank_command(problem, numbers, path=space, format_name=format_name, output=output, force=force)
