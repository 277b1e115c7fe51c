"""The work of `knightstour solve`: call the library, and print or write the tours."""

from __future__ import annotations

import os
import sys
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

import click

from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.formats import streaming
from knightstour.core.formats.table import format_named
from knightstour.core.formats.tours import write_tours
from knightstour.core.machine import memory
from knightstour.core.methods.solve import SolveSettings, solve_problem
from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import square_count
from knightstour.core.model.budget import DEFAULT_SECONDS, Limits, as_arguments
from knightstour.core.model.errors import BoardError, FormatError, ProblemError
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Problem, checked_conditions
from knightstour.core.model.result import Result, Status, proved_objective
from knightstour.core.model.result_errors import NoTour
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import Trace
from knightstour.core.model.validation import check_count
from knightstour.core.model.wording import in_words
from knightstour.interfaces.cli import console, pictures
from knightstour.interfaces.cli.each_graph import ONE_LINE, file_in, is_folder
from knightstour.interfaces.cli.options import Target, check_only_one, is_cluster, open_workers, refuse
from knightstour.interfaces.cli.output import (
    LineWriter,
    TourWriter,
    check_holds_tours,
    check_output,
    check_proof,
    check_target,
    print_impossible,
)

if TYPE_CHECKING:
    from knightstour.interfaces.cli.pictures import PictureOptions

# Default methods of --watch. On small boards, backtracking comes first: it can also find that no tour exists.
_WATCHABLE, _FEW = ("warnsdorff", "backtracking"), 36
# Memory per square for a tour that is not streamed, in bytes.
_BYTES_PER_SQUARE = 400
# Limit on the squares of a written tour, beyond the size of any disk.
_MAX_WRITTEN = 10**15


class SolveRequest(NamedTuple):
    """Problem and options of the command. graph_number: From 1, in a file of several graphs; else None."""

    problem: Problem
    graph_number: int | None
    target: Target
    n: int
    seed: int | None
    timeout: float | None
    max_nodes: int | None
    method: str
    settings: dict[str, object]
    proofs: bool
    minimize: str | None
    maximize: str | None
    optimal: bool
    workers: str | None
    proof: str | None
    style: str | None
    watch: bool
    why: bool
    as_json: bool

    @property
    def objective(self) -> str | None:
        """The statistic to minimize or maximize."""
        return self.minimize if self.maximize is None else self.maximize

    @property
    def is_drat(self) -> bool:
        """Whether the proof is written as clauses for other checkers."""
        return self.proof is not None and (
            self.target.format_name == "drat" if is_folder(self.proof) else self.proof.lower().endswith(".drat")
        )


def check_request(request: SolveRequest) -> None:
    """Raise the errors of options that cannot be combined, before any search."""
    check_only_one({"--minimize": request.minimize, "--maximize": request.maximize})
    if request.optimal and request.objective is None:
        raise click.UsageError("--optimal requires --minimize or --maximize")
    which = "--maximize" if request.minimize is None else "--minimize"
    check_only_one({"--watch": request.watch, which: request.objective})
    check_only_one({"--why": request.why, "--json": request.as_json})
    check_only_one({"--proof": request.proof, "-n": request.n != 1})
    check_count(request.n, "-n")
    if is_cluster(request.workers) and request.method != "backtracking":
        raise ProblemError(
            f"method {request.method} does not support clusters", help="use --method backtracking, or omit --workers"
        )
    if request.objective is not None and request.optimal and request.proof is not None:
        from knightstour.lab.certificates.certify import check_objective
        from knightstour.lab.objectives.table import objective_of

        objective = objective_of(request.minimize, request.maximize)
        assert objective is not None
        check_objective(objective)


class Solving:
    """One run of the command: the options, and the state until its end."""

    def __init__(self, request: SolveRequest) -> None:
        self.tour_file: tuple[str, str] | None = None
        self.is_drat = request.is_drat
        if request.graph_number is not None:
            _refuse_for_lines(request)
            request = self._with_files(request, request.graph_number)
        if request.proof is not None:
            check_proof(request.proof, ".json", ".drat")
        self.request, self.problem, self.seed = request, request.problem, request.seed
        kind = pictures.picture_kind(request.target.format_name, request.target.output)
        # An animation shows the search instead of the terminal.
        self.is_recorded = request.watch and kind is not None and PICTURE_KINDS[kind].moves
        if request.watch and kind == "html":
            why = "a web page shows the tour, and not the search"
            raise FormatError(why, help="write the search as .gif, or omit --watch")
        self.is_live = request.watch and not self.is_recorded and console.is_live()
        if request.watch and not self.is_recorded:
            from knightstour.interfaces.cli.watch import check_watchable

            check_watchable(self.problem.board)
            if not self.is_live:
                console.print_message(
                    "note", "--watch is ignored: stdout is not a terminal; -o FILE.gif shows the search"
                )
        self.method = _watchable_method(request) if request.watch and request.method == "auto" else request.method
        self.limits = _limits(request, is_live=self.is_live)
        self.status = console.StatusLine("" if request.graph_number is None else f"graph {request.graph_number:,}: ")
        self.picture = self._picture_options()

    def _with_files(self, request: SolveRequest, graph_number: int) -> SolveRequest:
        """Return the options for one of several graphs, with its own files."""
        target, proof = request.target, request.proof
        if target.output is not None:
            row = format_named(("algebraic" if self.is_drat else target.format_name) or "algebraic")
            check_holds_tours(row.name, None)
            path = file_in(target.output, graph_number, row.suffixes[0])
            check_target(path)
            self.tour_file = path, row.name
        if proof is not None:
            proof = file_in(proof, graph_number, ".drat" if self.is_drat else ".json")
        return request._replace(proof=proof, target=Target(None, None))

    def _picture_options(self) -> PictureOptions:
        request = self.request
        return pictures.picture_options(
            request.target,
            style=request.style,
            board=self.problem.board,
            count=request.n,
            is_recorded=self.is_recorded,
        )

    def run(self) -> int:
        """Search for the tours and print or write them. Return the exit code."""
        request, board = self.request, self.problem.board
        if board.rows * board.cols >= streaming.GIANT_FROM and not request.watch:
            if self._can_stream:
                return _stream(self.problem, request.target, self.status)
            self._check_memory(board.rows * board.cols)
        writer = self._writer()
        started = time.perf_counter()
        if self.seed is None:
            self.seed = self._default_seed()
        is_many = self._print_estimate()
        try:
            result = self._find_tours(writer)
        except KeyboardInterrupt:
            return self._report_interruption(writer, time.perf_counter() - started)
        self.status.clear()
        if isinstance(writer, LineWriter):
            writer.finish(result, missing=self._missing_certificate(result))
        else:
            writer.finish(result)
            self._write_certificate(result)
        self._print_statistic(result)
        if is_many and result.status is Status.UNDECIDED:
            console.print_message("help", "--timeout SECONDS gives the search more time")
        if self.tour_file is not None and result.tour is not None:
            path, format_name = self.tour_file
            write_tours(path, result.tour, format_name)
        is_shown = sys.stdout.isatty() and request.n == 1 and not request.as_json
        if result.tour is not None and request.seed is None and is_shown:
            console.print_message("note", f"--seed {self.seed} repeats this tour")
        if request.why and result.status is Status.IMPOSSIBLE:
            self._explain(result)
        return console.exit_code(result.status)

    def _print_statistic(self, result: Result) -> None:
        """Print the value of the objective, unless the reason contains it."""
        request = self.request
        if result.tour is None or result.reason or request.objective is None or request.graph_number is not None:
            return
        from knightstour.lab.objectives.table import objective_of

        objective = objective_of(request.minimize, request.maximize)
        assert objective is not None
        console.print_message("note", f"{objective.statistic}: {objective.of(result.tour, self.problem.closed):,}")

    def _write_certificate(self, result: Result) -> None:
        path = self.request.proof
        if path is None or result.status is Status.UNDECIDED:
            return
        if self.is_drat and result.status is Status.FOUND:
            if self.request.graph_number is None:
                console.print_message("note", f"a tour exists, so there is no DRAT proof; {path} is not written")
            return
        with self.status.timing("proving"):
            limits = as_arguments(self.limits if proved_objective(result) else Limits())
            certificate = result.certificate(**limits, clauses=self.is_drat)
        self.status.clear()
        if self.is_drat:
            certificate.write_cnf(os.path.splitext(path)[0] + ".cnf")
        else:
            certificate.write(path)

    def _missing_certificate(self, result: Result) -> str:
        """Write the certificate; return the reason if it cannot be created, else ""."""
        try:
            self._write_certificate(result)
        except ProblemError as error:
            from knightstour.lab.certificates.certify import SOLVER_NEEDED

            if error.help == SOLVER_NEEDED:
                raise
            self.status.clear()
            return str(error)
        return ""

    def _print_estimate(self) -> bool:
        """Print an estimate of a large number of tours; return whether it was printed."""
        request = self.request
        if not checked_conditions(self.problem) or request.graph_number is not None or request.objective is not None:
            return False
        from knightstour.interfaces.cli.efforts import print_estimate
        from knightstour.lab.objectives.goals import search_of

        is_searched = self.method == "auto" and search_of(self.problem) is not None
        return not is_searched and print_estimate(self.problem)

    def _default_seed(self) -> int:
        """Return the default seed: random on a terminal, else 0."""
        # Not `secrets`, whose import needs 10 ms.
        return int.from_bytes(os.urandom(8)) % 10**6 if sys.stdout.isatty() else 0

    def _writer(self) -> TourWriter | LineWriter:
        request = self.request
        if request.graph_number is not None:
            return LineWriter(request.graph_number, as_json=request.as_json)
        return TourWriter(
            request.target, as_json=request.as_json, n=request.n, status=self.status, picture=self.picture
        )

    def _explain(self, result: Result) -> None:
        with self.status.timing("proving"):
            scenes = result.certificate().scenes
        self.status.clear()
        format_name, output = self.request.target
        kind = pictures.picture_kind(format_name, output)
        if kind is None:
            click.echo()
            pictures.print_with_characters(scenes)
        else:
            look: PictureOptions = {} if self.request.style is None else {"style": self.request.style}
            pictures.write_picture(pictures.picture_bytes(scenes, kind, **look), kind, output)
            if output is not None and output != "-":
                console.print_message("note", f"{output} shows why")

    def _find_tours(self, writer: TourWriter | LineWriter) -> Result:
        request = self.request
        run = solve_problem
        if self.is_live:
            from knightstour.interfaces.cli.watch import solve_watched

            run = solve_watched
            self.status.is_on = False
        with open_workers(request.workers) as workers, ExitStack() as until_found:
            until_found.enter_context(self.status.preparing())

            def take(tour: Tour, is_repeat: bool) -> None:
                until_found.close()
                writer.add(tour, is_repeat)

            trace = self.picture.get("trace")
            if request.watch and not self.is_live and trace is None:
                # Unwatchable searches are rejected without a terminal, too.
                trace = Trace(limit=0)
            assert self.seed is not None  # set by `run`
            settings = SolveSettings(
                self.method,
                {**request.settings, "proofs": request.proofs},
                self.seed,
                self.limits,
                request.minimize,
                request.maximize,
                request.optimal,
                n=request.n,
                unique=request.n > 1,
                workers=workers,
                on_tour=take,
                on_progress=self.status.progress,
                trace=trace,
            )
            return run(self.problem, settings)

    def _report_interruption(self, writer: TourWriter | LineWriter, seconds: float) -> int:
        """Print the progress, and write the tours found so far."""
        request = self.request
        self.status.clear()
        nodes, count = self.status.nodes, request.n
        known = Status.FOUND if writer.taken else Status.UNDECIDED
        seed = 0 if self.seed is None else self.seed
        result = Result(known, self.problem, None, "interrupted", "", request.method, seed, nodes, seconds)
        writer.finish(result, is_interrupted=True)
        where = "" if request.graph_number is None else f" at graph {request.graph_number:,}"
        text = f"interrupted{where} after {seconds:.1f} s and {nodes:,} nodes"
        if request.graph_number is None:
            text += f"; {writer.taken} of {count} tour{'s' if count > 1 else ''} found"
        console.print_message("note", text)
        return console.INTERRUPTED

    @property
    def _can_stream(self) -> bool:
        """Whether the only output is a rectangle's tour in an .npy file."""
        request, target = self.request, self.request.target
        if not str(target.output).endswith(".npy") or target.format_name not in (None, "npy"):
            return False
        others = (
            request.as_json,
            request.settings,
            request.objective,
            request.proof,
            request.why,
            request.workers,
            request.style,
        )
        is_plain = request.n == 1 and request.proofs and request.method in ("auto", "explicit") and not any(others)
        return is_plain and is_rectangle(self.problem.board)

    def _check_memory(self, squares: int) -> None:
        """Raise an error if the memory is too small for a tour."""
        board = self.problem.board
        ways = ["write it with -o tour.npy, which takes little memory"] if squares <= _MAX_WRITTEN else []
        ways.append("in Python implicit_tour(board) answers at any size")
        memory.require_memory(
            _BYTES_PER_SQUARE * squares,
            f"a tour of {board.rows} x {board.cols} squares in this form",
            "; ".join(ways) if is_rectangle(board) else "only plain rectangles can be so large",
        )


def _refuse_for_lines(request: SolveRequest) -> None:
    """Raise an error for an option without meaning for one line per graph."""
    target, proof = request.target, request.proof
    given = {
        "--output": target.output if target.output is None or not is_folder(target.output) else None,
        "--format": None if target.output is not None or request.is_drat else target.format_name,
        "--proof": proof if proof is None or not is_folder(proof) else None,
        "--why": request.why,
        "--watch": request.watch,
        "-n": request.n != 1,
        "--style": request.style,
    }
    refuse(given, f"{ONE_LINE}; use --json, -o DIR or --proof DIR")


def solve_one(request: SolveRequest) -> int:
    """Run the command for one board. Workers import this function by name."""
    return Solving(request).run()


def _watchable_method(request: SolveRequest) -> str:
    """Return a method that supports the problem and shows its steps, or auto."""
    from knightstour.core.proofs.arguments import known_proof

    problem = request.problem
    names = _WATCHABLE if square_count(problem.board) > _FEW else reversed(_WATCHABLE)
    name = next((name for name in names if not METHODS[name].why_unsupported(problem)), "auto")
    return "auto" if known_proof(problem) is not None else name


def _limits(request: SolveRequest, *, is_live: bool) -> Limits | None:
    """Return the limits; a watched search has no default limit, since the user can stop it."""
    if is_live or (request.timeout, request.max_nodes) != (None, None):
        is_timed = not is_live and (request.objective is None or request.optimal)
        default = DEFAULT_SECONDS if is_timed else None
        return Limits(default if request.timeout is None else request.timeout, request.max_nodes)
    return None


def _stream(problem: Problem, target: Target, status: console.StatusLine) -> int:
    check_output(target)
    squares = problem.board.rows * problem.board.cols
    if squares > _MAX_WRITTEN:
        raise BoardError(
            f"a tour of {problem.board.rows} x {problem.board.cols} squares would take {in_words(8 * squares)}",
            help="in Python implicit_tour(board) answers for single squares and steps at any size",
        )
    try:
        tour = implicit_tour(problem)
    except NoTour as no:
        print_impossible(no.result)
        return console.IMPOSSIBLE
    assert target.output is not None
    try:
        streaming.stream_tour(tour, target.output, on_progress=status.progress)
    except KeyboardInterrupt:
        status.clear()
        console.print_message("note", f"interrupted; {target.output} was not written")
        return console.INTERRUPTED
    status.clear()
    return console.FOUND
