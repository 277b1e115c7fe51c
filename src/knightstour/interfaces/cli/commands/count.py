"""`knightstour count`: the number of tours."""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple, cast

import click

from knightstour.core.machine.memory import available_bytes
from knightstour.core.machine.sharing import Workers
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.literals import CountMethod
from knightstour.core.model.problem import Problem, checked_conditions, is_numbered
from knightstour.core.model.result_errors import LimitReached
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.each_graph import ONE_LINE, answer_boards, line_of
from knightstour.interfaces.cli.efforts import print_estimate, print_forecast
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.options import MORE
from knightstour.lab.counting import count as counting
from knightstour.lab.counting.plan import CountPlan
from knightstour.lab.counting.plan import plan as plan_of
from knightstour.lab.counting.settings import CountSettings

# Shortest count, in seconds, whose forecast is printed at the start; boards with fewer squares never need as long.
_LONG_SECONDS, _LONG_SQUARES = 60, 40


class _CountRequest(NamedTuple):
    """The options that concern one board."""

    problem: Problem
    graph_number: int | None
    directed: bool
    up_to_symmetry: bool
    proof: str | None
    workers: str | None
    as_json: bool


@click.command("count", cls=Command)
@options.board_argument
@options.closed_option
@options.start_option
@options.end_option
@options.directed_option
@options.classes_option
@option("--plan", is_flag=True, help="Print the method, time and memory needed, without counting.")
@options.symmetry_option()
@options.require_option()
@options.forbid_option()
@options.partial_option()
@options.timeout_option()
@options.memory_option
@options.workers_option()
@options.json_option
@option("--method", metavar="NAME", group=MORE, help="Counting method: states, halves, listing, ...")
@options.where_option(MORE)
@option("--checkpoint", metavar="DIR", group=MORE, help="Save progress in DIR, and resume from it.")
@option("--proof", metavar="FILE", group=MORE, help="Write a certificate (.json).")
@any_digits()
def command(
    board: str,
    *,
    closed: bool,
    start: str | None,
    end: str | None,
    directed: bool,
    up_to_symmetry: bool,
    plan: bool,
    symmetry: str | None,
    require: tuple[str, ...],
    forbid: tuple[str, ...],
    partial: bool,
    timeout: float | None,
    memory: str | None,
    workers: str | None,
    as_json: bool,
    method: str | None,
    where: tuple[str, ...],
    checkpoint: str | None,
    proof: str | None,
) -> int:
    """Count the tours of BOARD exactly. A tour and its reverse count once, and so does a closed tour with all its
    starts.

    \b
    $ knightstour count 6x6 --closed
    $ knightstour count 8x8 --plan
    """
    _check_combined(
        directed=directed,
        up_to_symmetry=up_to_symmetry,
        plan=plan,
        symmetry=symmetry,
        timeout=timeout,
        memory=memory,
        workers=workers,
        checkpoint=checkpoint,
        proof=proof,
    )
    limits = options.limits_of(timeout, memory=memory)
    if options.is_cluster(workers) and memory is None:
        # The default is for one process; the workers of a cluster limit their own memory.
        limits = replace(limits, bytes=None)

    def settings_with(found: Workers) -> CountSettings:
        cores = found if isinstance(found, int) else None
        cluster = None if isinstance(found, int) else found
        return CountSettings(limits, cores, cluster, checkpoint, method=method)

    def answer(graph: Board, graph_number: int | None) -> int:
        problem = parsing.problem_of(
            graph,
            closed=closed,
            start=start,
            end=end,
            partial=partial,
            require=require,
            forbid=forbid,
            symmetry=symmetry,
            where=where,
        )
        request = _CountRequest(problem, graph_number, directed, up_to_symmetry, proof, workers, as_json)
        if graph_number is not None:
            options.refuse({"--plan": plan, "--proof": proof, "--checkpoint": checkpoint}, ONE_LINE)
        if plan:
            found = _plan(request, settings_with(None))
            console.print_answer(found, as_json, "; ".join(found.instead))
            return console.FOUND
        with options.open_workers(workers) as opened:
            return _run_count(request, settings_with(opened))

    return answer_boards(board, answer)


def _check_combined(
    *,
    directed: bool,
    up_to_symmetry: bool,
    plan: bool,
    symmetry: str | None,
    timeout: float | None,
    memory: str | None,
    workers: str | None,
    checkpoint: str | None,
    proof: str | None,
) -> None:
    """Raise an error for options that cannot be combined."""
    options.check_only_one({"--plan": plan, "--proof": proof})
    without: dict[str, tuple[object, dict[str, object]]] = {
        "--up-to-symmetry": (up_to_symmetry, {"--symmetry": symmetry, "--directed": directed, "--proof": proof}),
        "--plan": (plan, {"--directed": directed, "--workers": workers, "--timeout": timeout}),
        "--proof": (
            proof,
            {"--symmetry": symmetry, "--memory": memory, "--checkpoint": checkpoint, "--workers": workers},
        ),
    }
    for flag, (value, others) in without.items():
        if value:
            for other, given in others.items():
                options.check_only_one({other: given, flag: value})
    if checkpoint == "":
        raise ProblemError("--checkpoint requires the name of a directory", help="write one, such as counts/")


def _run_count(request: _CountRequest, settings: CountSettings) -> int:
    """Print the count, and return the exit code."""
    problem, graph_number = request.problem, request.graph_number
    status = console.StatusLine("" if graph_number is None else f"graph {graph_number:,}: ")
    settings = settings._replace(on_progress=status.progress)
    try:
        if graph_number is None:
            _print_forecast(request, settings)
        with console.noting_saved_spaces(status):
            found = _count_tours(request, settings)
            status.clear()
            if graph_number is None:
                console.print_answer(found, request.as_json)
            else:
                print_line(
                    graph_number, problem, found.to_dict() if request.as_json else None, found.lines()[0], found.reason
                )
            return console.FOUND
    except KeyboardInterrupt:
        status.clear()
        console.print_message(
            "note", "interrupted" if graph_number is None else f"interrupted at graph {graph_number:,}"
        )
        if settings.checkpoint is not None:
            console.print_message("help", _resume_options(request, settings))
        return console.INTERRUPTED
    except LimitReached as limit:
        status.clear()
        if graph_number is not None:
            record = {**problem.to_dict(), "directed": request.directed, "count": None, "reason": str(limit)}
            print_line(graph_number, problem, record if request.as_json else None, "undecided", str(limit))
            return console.UNDECIDED
        if settings.checkpoint is not None and limit.plan is None:
            limit.help = _resume_options(request, settings)
        raise


def _count_tours(request: _CountRequest, settings: CountSettings) -> counting.CountResult:
    if request.proof is not None:
        from knightstour.interfaces.cli.output import check_proof
        from knightstour.lab.certificates.certify import check_countable

        check_countable(request.problem)
        check_proof(request.proof, ".json")
    found = counting.count_problem(
        request.problem,
        directed=request.directed,
        up_to_symmetry=request.up_to_symmetry,
        settings=settings,
        # A certificate contains a number that was counted, not a published one.
        allow_known=request.proof is None,
    )
    if request.proof is not None:
        from knightstour.lab.certificates.certify import count_certificate

        certificate = count_certificate(
            found.problem,
            found.tours,
            directed=found.directed,
            limits=settings.limits,
            on_progress=settings.on_progress,
        )
        certificate.write(request.proof)
    return found


def _plan(request: _CountRequest, settings: CountSettings) -> CountPlan:
    return plan_of(
        request.problem,
        up_to_symmetry=request.up_to_symmetry,
        timeout=None if settings.limits is None else settings.limits.seconds,
        memory=settings.memory,
        checkpoint=settings.checkpoint,
        method=cast("CountMethod", settings.method or "auto"),
    )


def _print_forecast(request: _CountRequest, settings: CountSettings) -> None:
    """Print the forecast of a count that needs over a minute or a third of the free memory."""
    problem = request.problem
    if is_numbered(problem) or checked_conditions(problem) or settings.method == "listing":
        from knightstour.lab.counting import listed

        # A list that needs hours is refused without a limit, and the error has the estimate.
        if not listed.is_unlimited(settings.limits) or listed.nodes_without_limit(problem) is None:
            print_estimate(problem)
        return
    if square_count(problem.board) < _LONG_SQUARES:
        return
    plan = _plan(request, settings._replace(checkpoint=None))
    if plan.is_refused or not (plan.seconds > _LONG_SECONDS or 3 * plan.bytes > available_bytes()):
        return
    print_forecast("this count", plan.seconds, plan.bytes)
    if settings.checkpoint is None:
        console.print_message("help", "--checkpoint DIR saves progress, --memory is a limit; `estimate` needs seconds")


def print_line(
    graph_number: int, problem: Problem, record: Mapping[str, object] | None, answer: str, reason: str
) -> None:
    """Print the line, or the record, of a graph of several."""
    text = (
        line_of(graph_number, problem.board, answer, reason)
        if record is None
        else json.dumps({"number": graph_number, **record})
    )
    click.echo(text)


def _resume_options(request: _CountRequest, settings: CountSettings) -> str:
    workers = "" if request.workers is None else f" --workers {request.workers}"
    return f"resume with --checkpoint {shlex.quote(str(settings.checkpoint))}{workers}"
