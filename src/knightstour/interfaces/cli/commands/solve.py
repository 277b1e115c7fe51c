"""`knightstour solve`: find a tour, or prove that none exists. interfaces/cli/solving.py does the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from knightstour.core.model.option import Option
from knightstour.core.model.validation import one_of
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.options import CONDITIONS, OUTPUT, SEARCH

if TYPE_CHECKING:
    from knightstour.core.model.board import Board
    from knightstour.interfaces.cli.each_graph import WorkerCall

# The setting of all methods.
_PROOFS = Option("proofs", str, "yes (default) or no: use theorems before the search")


@click.command("solve", cls=Command)
@click.argument("board", required=False, metavar="BOARD")
@options.closed_option
@options.start_option
@options.end_option
@options.output_option
@options.format_option
@option("-n", "n", type=int, metavar="N", default=1, help="Number of different tours (default: 1).")
@options.seed_option
@options.timeout_option("60")
@option(
    "--method",
    metavar="NAME",
    default="auto",
    help="Search method (default: auto); knightstour explain lists them.",
)
@option("--minimize", metavar="NAME", help="Find a tour with few turns, crossings, ...")
@option("--maximize", metavar="NAME", help="Find a tour with many of them.")
@option("--watch", is_flag=True, help="Show the search step by step.")
@option("--why", is_flag=True, help="Draw the reason if no tour exists.")
@options.json_option
@options.partial_option(CONDITIONS)
@options.given_option(CONDITIONS)
@options.require_option(CONDITIONS)
@options.forbid_option(CONDITIONS)
@options.symmetry_option(CONDITIONS)
@options.visit_order_option(CONDITIONS)
@options.where_option(CONDITIONS)
@option("--set", "settings", metavar="NAME=VALUE", multiple=True, group=SEARCH, help="A setting of the method.")
@options.max_nodes_option(group=SEARCH)
@options.workers_option(SEARCH)
@option(
    "--optimal",
    is_flag=True,
    group=SEARCH,
    help="Prove that the tour is the best (--minimize, --maximize).",
)
@option(
    "--proof",
    metavar="FILE",
    group="Proof",
    help="Write a certificate (.json), or clauses and a DRAT proof (.drat).",
)
@options.style_option(OUTPUT)
@any_digits()
def command(
    board: str | None,
    *,
    closed: bool,
    start: str | None,
    end: str | None,
    output: str | None,
    format_name: str | None,
    n: int,
    seed: int | None,
    timeout: float | None,
    method: str,
    minimize: str | None,
    maximize: str | None,
    watch: bool,
    why: bool,
    as_json: bool,
    partial: bool,
    given: tuple[str, ...],
    require: tuple[str, ...],
    forbid: tuple[str, ...],
    symmetry: str | None,
    visit_order: str | None,
    where: tuple[str, ...],
    settings: tuple[str, ...],
    max_nodes: int | None,
    workers: str | None,
    optimal: bool,
    proof: str | None,
    style: str | None,
) -> int:
    """Find a tour of BOARD, or prove that none exists.

    BOARD is a size, with changes after a colon: 8x8, 5x9:king, 10x10:2,3 (leaps), 8x8:torus, 8x8:-a1,h8 (holes), 4x4x4,
    hex:6. It can also be a file: a drawing with . and #, or a graph (graph6, DIMACS, edge list).

    \b
    $ knightstour solve 8x8 --closed -o tour.svg
    $ knightstour solve 5x5 --start a1 --seed 7
    """
    if board is None:
        return _converse()
    from knightstour.core.methods.table import METHODS
    from knightstour.interfaces.cli import parsing
    from knightstour.interfaces.cli.each_graph import WorkerCall, answer_boards
    from knightstour.interfaces.cli.solving import SolveRequest, check_request, solve_one

    chosen: dict[str, object] = {}
    if settings:
        rows = {name: row.options for name, row in METHODS.items()} | {"all": {"proofs": _PROOFS}}
        chosen = options.settings_of(settings, rows, "method")
    proofs = one_of(str(chosen.pop("proofs", "yes")), ("yes", "no"), "value of proofs") == "yes"

    def make_request(graph: Board, graph_number: int | None) -> SolveRequest:
        problem = parsing.problem_of(
            graph,
            closed=closed,
            start=start,
            end=end,
            partial=partial,
            given=given,
            require=require,
            forbid=forbid,
            symmetry=symmetry,
            visit_order=visit_order,
            where=where,
        )
        return SolveRequest(
            problem,
            graph_number,
            options.Target(format_name, output),
            n=n,
            seed=seed,
            timeout=timeout,
            max_nodes=max_nodes,
            method=method,
            settings=chosen,
            proofs=proofs,
            minimize=minimize,
            maximize=maximize,
            optimal=optimal,
            workers=workers,
            proof=proof,
            style=style,
            watch=watch,
            why=why,
            as_json=as_json,
        )

    def answer(graph: Board, graph_number: int | None) -> int | WorkerCall:
        one = make_request(graph, graph_number)
        check_request(one)
        if graph_number is not None and workers is not None:
            # Each worker solves one graph.
            return WorkerCall(workers, solve_one, one._replace(workers=None))
        return solve_one(one)

    return answer_boards(board, answer)


def _converse() -> int:
    """Raises the usual error if there is no terminal."""
    if not console.is_terminal():
        raise click.MissingParameter(param_type="argument", param_hint="'BOARD'", ctx=click.get_current_context())
    from knightstour.interfaces.cli.app import run_command
    from knightstour.interfaces.cli.dialogue import converse

    converse(run_command)
    return 0
