"""`knightstour enumerate`: list all tours."""

from __future__ import annotations

from contextlib import closing
from typing import Annotated, Any, NamedTuple

import click

from knightstour.core.methods.enumeration import iter_counts, iter_tours
from knightstour.core.methods.table import METHODS
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.validation import how_many
from knightstour.core.proofs.arguments import known_proof
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.efforts import say_if_many
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    LimitWords,
    Target,
    WorkerWords,
    arcs_option,
    declared,
    json_option,
    limit_options,
    question,
    settings,
    worker_options,
)
from knightstour.interfaces.cli.output import Listing
from knightstour.interfaces.cli.picture_options import PictureWords, tour_output_options
from knightstour.interfaces.cli.pictures import checked_picture


class _EnumerateWords(NamedTuple):
    directed: Annotated[bool, typed("List each tour in both directions.")]
    n: Annotated[int | None, typed("Stop after N tours.", "N", flags="-n")]
    only_count: Annotated[bool, typed("Print only how many there are.", flags="--count")]


@click.command("enumerate", cls=Command)
@arcs_option
@question
@limit_options("none")
@declared("wanted", _EnumerateWords)
@settings(lambda: {"backtracking": {"move_order": METHODS["backtracking"].options["move_order"]}}, "method")
@tour_output_options(default="algebraic")
@json_option(" a tour: the board and its squares; with --count the question and the number")
@worker_options("Search")
def command(
    problem: Problem,
    limits: LimitWords,
    wanted: _EnumerateWords,
    target: Target,
    picture: PictureWords,
    as_json: bool,
    worker_words: WorkerWords,
    options: dict[str, Any],
) -> int:
    """List all tours of BOARD, in the order of backtracking, which is the same for all workers.

    \b
    knightstour enumerate 5x5 --start a1
    knightstour enumerate 6x6 --closed --count
    """
    how_many(wanted.n, "-n")
    status = console.StatusLine()
    listing = Listing(target, only_count=wanted.only_count, as_json=as_json, status=status)
    # Without -n there may be any number of tours, so what shows one tour is refused.
    count = 2 if wanted.n is None else wanted.n
    if problem.checked_conditions or (wanted.n is None and (problem.is_numbered or wanted.only_count)):
        say_if_many(problem)
    listing.picture = checked_picture(picture, target.in_json(as_json), board=problem.board, count=count)
    try:
        with worker_words.open() as workers:
            search: dict[str, Any] = {"directed": wanted.directed, **options}
            search |= {"limits": limits.limits(None), "workers": workers}
            if wanted.only_count:
                with closing(iter_counts(problem, **search)) as counts:
                    listing.count(counts, wanted.n)
            else:
                with closing(iter_tours(problem, **search)) as tours:
                    listing.take(tours, wanted.n)
        listing.finish(
            "numberings" if problem.given else "directed" if wanted.directed else "undirected",
            {**problem.to_dict(), "directed": wanted.directed},
        )
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
