"""`knightstour enumerate`: print all tours."""

from __future__ import annotations

from contextlib import closing

import click

from knightstour.core.methods.enumeration import iter_tours
from knightstour.core.model.problem import checked_conditions, is_numbered
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.validation import check_count
from knightstour.core.proofs.arguments import known_proof
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.efforts import print_estimate
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.output import Listing
from knightstour.interfaces.cli.pictures import picture_options


@click.command("enumerate", cls=Command)
@options.board_argument
@options.closed_option
@options.start_option
@options.end_option
@options.directed_option
@option("-n", "n", type=int, metavar="N", help="Stop after N tours.")
@options.given_option()
@options.require_option()
@options.forbid_option()
@options.symmetry_option()
@options.where_option()
@options.timeout_option()
@options.output_option
@options.format_option
@options.json_option
def command(
    board: str,
    *,
    closed: bool,
    start: str | None,
    end: str | None,
    directed: bool,
    n: int | None,
    given: tuple[str, ...],
    require: tuple[str, ...],
    forbid: tuple[str, ...],
    symmetry: str | None,
    where: tuple[str, ...],
    timeout: float | None,
    output: str | None,
    format_name: str | None,
    as_json: bool,
) -> int:
    """Print all tours of BOARD, one after another, in the order of a backtracking search.

    \b
    $ knightstour enumerate 5x5 --start a1
    $ knightstour enumerate 6x6 --closed -o all.npy
    """
    check_count(n, "-n")
    problem = parsing.problem_of(
        parsing.board_with_notes(board),
        closed=closed,
        start=start,
        end=end,
        given=given,
        require=require,
        forbid=forbid,
        symmetry=symmetry,
        where=where,
    )
    status = console.StatusLine()
    target = options.Target(format_name, output)
    listing = Listing(target, as_json=as_json, status=status)
    if checked_conditions(problem) or (n is None and is_numbered(problem)):
        print_estimate(problem)
    # Without -n there may be any number of tours.
    count = 2 if n is None else n
    listing.picture = picture_options(target.in_json(as_json), board=problem.board, count=count)
    try:
        with closing(iter_tours(problem, directed=directed, timeout=timeout)) as tours:
            listing.add(tours, n)
        listing.finish("numberings" if problem.given else "directed" if directed else "undirected")
        proof = None if listing.taken else known_proof(problem)
        if proof is not None:
            console.print_message("note", f"{proof.reason} ({proof.source})")
    except LimitReached as limit:
        listing.finish(None)
        console.print_message("note", f"{limit}; {listing.taken:,} listed so far")
        return console.UNDECIDED
    except KeyboardInterrupt:
        listing.finish(None)
        console.print_message("note", f"interrupted; {listing.taken:,} listed so far")
        return console.INTERRUPTED
    return console.FOUND if listing.taken else console.IMPOSSIBLE
