"""`knightstour enumerate`: list all tours."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from knightstour import console
from knightstour.commands.options import (
    FORMAT_NAMES,
    limit_options,
    limits_of,
    output_options,
    question,
    worker_options,
    workers_of,
)
from knightstour.errors import LimitReached

if TYPE_CHECKING:
    from knightstour.result import Problem


@click.command("enumerate")
@question
@limit_options
@click.option("--directed", is_flag=True, help="List each tour in both directions.")
@click.option("--order", default="classic", help="Order of the moves, as for backtracking.")
@click.option("-n", "count", type=int, metavar="N", help="Stop after N tours.")
@click.option("--count", "only_count", is_flag=True, help="Print only how many there are.")
@output_options(formats=f"{FORMAT_NAMES}; default algebraic.")
@worker_options("Search")
def list_tours(
    problem: Problem,
    timeout: float | None,
    max_nodes: int | None,
    directed: bool,
    order: str,
    count: int | None,
    only_count: bool,
    format_name: str | None,
    output: str | None,
    force: bool,
    workers: int | None,
    scheduler: str | None,
) -> int:
    """List all tours of BOARD, in the order of backtracking, which is the same for all workers."""
    from knightstour import enumeration
    from knightstour.arguments import known_proof
    from knightstour.given import amount
    from knightstour.writing import Listing

    amount(count, "-n")
    status = console.StatusLine()
    listing = Listing(format_name, output, force=force, only_count=only_count, status=status)
    limits = limits_of(timeout, max_nodes, None)
    try:
        with console.told_about_compiling(status), workers_of(workers, scheduler) as crew:
            search: dict[str, Any] = {"directed": directed, "order": order, "limits": limits, "workers": crew}
            if only_count:
                with closing(enumeration.iter_counts(problem, **search)) as counts:
                    listing.count(counts, count)
            else:
                with closing(enumeration.iter_tours(problem.board, **problem.conditions, **search)) as tours:
                    listing.take(tours, count)
        listing.finish("directed" if directed else "undirected")
        proof = None if listing.taken else known_proof(problem)
        if proof is not None:
            console.say("note", f"{proof.reason} ({proof.source})")
    except LimitReached as limit:
        listing.finish(None)
        console.say("note", f"{limit}; {listing.taken:,} listed so far")
        return console.UNDECIDED
    except KeyboardInterrupt:
        listing.finish(None)
        console.say("note", f"interrupted; {listing.taken:,} listed so far")
        return console.INTERRUPTED
    return console.FOUND if listing.taken else console.IMPOSSIBLE
