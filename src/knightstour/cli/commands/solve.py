"""`knightstour solve`: find a tour, or say why there is none."""

from __future__ import annotations

import functools
import secrets
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, NamedTuple

import click

from knightstour.cli import console, pictures
from knightstour.cli.options import (
    FORMAT_NAMES,
    LimitWords,
    ManyWords,
    TableCommand,
    Target,
    WorkerWords,
    bundled,
    json_lines_option,
    limit_options,
    output_options,
    question,
    seed_option,
    several_options,
    worker_options,
)
from knightstour.cli.output import TourWriter, check_output, tell_impossible
from knightstour.constructions.implicit import implicit_tour
from knightstour.drawing.look import LookOptions
from knightstour.formats import giant
from knightstour.machine import memory
from knightstour.methods.solve import solve
from knightstour.methods.table import METHODS
from knightstour.model.budget import DEFAULT_SECONDS
from knightstour.model.errors import BoardError, MethodError, NoTour
from knightstour.model.option import Option
from knightstour.model.problem import Problem
from knightstour.model.result import Result, Status
from knightstour.model.tour import Tour
from knightstour.model.wording import in_words
from knightstour.search.objectives import improve

# Of a tour that is not written part by part.
_BYTES_A_SQUARE = 400
# More squares than any disk holds.
_MOST_WRITTEN = 10**15


class _PictureWords(NamedTuple):
    """How a picture of the tour looks, and whether it shows the search."""

    style: str | None
    theme: str | None
    size: float | None
    is_recorded: bool

    @property
    def look(self) -> LookOptions:
        """What was given of the look."""
        look: LookOptions = {}
        if self.style is not None:
            look["style"] = self.style
        if self.theme is not None:
            look["theme"] = self.theme
        if self.size is not None:
            look["size"] = self.size
        return look


class _WatchWords(NamedTuple):
    """Whether the search is watched, and how many steps a second."""

    is_watched: bool
    speed: float | None


class _MethodWords(NamedTuple):
    """Who is asked, for what, and whether proofs come first."""

    method: str
    objective: str | None
    no_proofs: bool


_method_options = bundled(
    "ask",
    _MethodWords,
    click.option("--method", default="auto", metavar="M", help="See `knightstour methods`; default auto."),
    click.option("--objective", metavar="WHAT", help="Give it few turns or crossings, or most-turns, most-crossings."),
    click.option("--no-proofs", is_flag=True, help="Search even where a theorem says that there is none."),
)
_picture_options = bundled(
    "picture",
    _PictureWords,
    click.option("--style", metavar="STYLE", help="Of a picture: board, line, curve, numbers, heat or plotter."),
    click.option("--theme", metavar="THEME", help="Of a picture: auto, light or dark."),
    click.option("--size", type=float, metavar="N", help="Of a picture: longer side in pixels."),
    click.option("--search", "is_recorded", is_flag=True, help="Of a moving picture: show the search, too."),
)
_watch_options = bundled(
    "watch",
    _WatchWords,
    click.option("--watch", "is_watched", is_flag=True, help="See the search at work, until you have seen enough."),
    click.option("--speed", type=float, metavar="N", help="With --watch: steps a second; default 10."),
)


class _SolveCommand(TableCommand):
    """`solve` has the options of all methods."""

    kind = "method"

    def rows(self) -> dict[str, Mapping[str, Option]]:
        return {name: row.options for name, row in METHODS.items()}


@click.command("solve", cls=_SolveCommand)
@question
@limit_options()
@_method_options
@several_options
@seed_option("tour")
@worker_options("backtracking: search", note="; portfolio: race the methods in them")
@output_options(
    "Write the tours there, or a picture; the suffix says which.",
    formats=f"{FORMAT_NAMES}; or svg, png, gif, apng, webp.",
)
@json_lines_option
@_picture_options
@_watch_options
def command(problem: Problem, **asked: Any) -> int:
    """Find a tour of BOARD, or say why there is none.

    BOARD is rows x columns such as 8x12, one number for a square board, or a file that draws the board with . and #.
    """
    return _Solving(problem, **asked).run()


class _Solving:
    """One run of the command: what was asked, and what is kept of it until the end."""

    def __init__(
        self,
        problem: Problem,
        *,
        limits: LimitWords,
        ask: _MethodWords,
        many: ManyWords,
        seed: int | None,
        where: WorkerWords,
        target: Target,
        as_json: bool,
        picture: _PictureWords,
        watch: _WatchWords,
        options: dict[str, Any],
    ) -> None:
        if where.scheduler is not None and ask.method != "backtracking":
            raise MethodError(
                f"method {ask.method} does not search on a cluster", help="--scheduler goes with --method backtracking"
            )
        if watch.is_watched and ask.objective is not None:
            raise click.UsageError("--watch and --objective do not go together")
        if watch.speed is not None and not watch.is_watched:
            raise click.UsageError("--speed goes with --watch")
        self.problem, self.ask, self.many, self.where, self.target = problem, ask, many, where, target
        self.options, self.watch, self.as_json = options, watch, as_json
        seconds = improve.DEFAULT_SECONDS if ask.objective is not None else DEFAULT_SECONDS
        self.limits = limits.limits(None if watch.is_watched else seconds)
        self.seed = seed
        self.status = console.StatusLine()
        self.picture = self._checked_picture(picture)

    def _checked_picture(self, words: _PictureWords) -> pictures.PictureOptions:
        """The options of a picture, if the answer becomes one; with the trace of the search where that is shown."""
        format_name, output = self.target.format_name, self.target.output
        if pictures.picture_kind(format_name, output) is not None:
            count = self.many.n
            return pictures.checked_for(self.problem.board, format_name, output, words.look, words.is_recorded, count)
        if words.look or words.is_recorded:
            raise click.UsageError("--style, --theme, --size and --search go with a picture, such as -o tour.svg")
        return {}

    def run(self) -> int:
        """Find it and print or write it; returns the exit code."""
        board = self.problem.board
        if board.rows * board.cols >= giant.GIANT_FROM and not self.watch.is_watched:
            if self._can_stream:
                return _stream(self.problem, self.target, self.status)
            self._need_memory(board.rows * board.cols)
        writer = TourWriter(
            self.target,
            as_json=self.as_json,
            many=self.many,
            status=self.status,
            picture=self.picture,
        )
        began = time.perf_counter()
        self.seed = secrets.randbits(32) if self.seed is None else self.seed
        try:
            result = self._solved(writer)
        except KeyboardInterrupt:
            return self._interrupted(writer, time.perf_counter() - began)
        self.status.clear()
        writer.finish(result)
        return console.exit_code(result.status)

    def _solved(self, writer: TourWriter) -> Result:
        """The library's answer; tours go to the writer as they are found."""
        ask: Callable[..., Result] = solve
        if self.watch.is_watched:
            from knightstour.cli.watch.screen import solve_watched

            ask = functools.partial(solve_watched, speed=self.watch.speed)
            self.status.is_on = False
        with (
            console.told_about_compiling(self.status),
            self.where.open() as workers,
            ExitStack() as until_found,
        ):
            until_found.enter_context(self.status.preparing())

            def take(tour: Tour, is_repeat: bool) -> None:
                until_found.close()
                writer.take(tour, is_repeat)

            if self.picture.get("trace") is not None:
                ask = functools.partial(ask, trace=self.picture["trace"])
            return ask(
                self.problem,
                method=self.ask.method,
                rng=self.seed,
                limits=self.limits,
                n=self.many.n,
                unique=self.many.unique,
                objective=self.ask.objective,
                proofs=not self.ask.no_proofs,
                workers=workers,
                on_tour=take,
                on_progress=self.status.progress,
                **self.options,
            )

    def _interrupted(self, writer: TourWriter, seconds: float) -> int:
        """Say how far it came; tours found by then are not lost."""
        self.status.clear()
        nodes, count = self.status.nodes, self.many.n
        known = Status.FOUND if writer.taken else Status.UNDECIDED
        seed = 0 if self.seed is None else self.seed
        result = Result(known, self.problem, (), "interrupted", "", self.ask.method, seed, nodes, seconds)
        writer.finish(result, is_interrupted=True)
        plural = "s" if count > 1 else ""
        text = f"interrupted after {seconds:.1f} s and {nodes:,} nodes; {writer.taken} of {count} tour{plural} found"
        console.say("note", text)
        return console.INTERRUPTED

    @property
    def _can_stream(self) -> bool:
        """Whether the tour of a giant rectangle is all that is asked: whatever else is, a search has to answer."""
        is_plain = self.many == ManyWords(1, self.many.unique, "all") and not self.as_json and not self.options
        is_plain = is_plain and self.ask in (_MethodWords(name, None, False) for name in ("auto", "explicit"))
        return is_plain and self.where == (None, None) and self.problem.board.is_rectangle

    def _need_memory(self, squares: int) -> None:
        """An error where a tour of that size cannot be held, with other ways to have it."""
        board = self.problem.board
        ways = ["write it with -o tour.npy, which takes little memory"] if squares <= _MOST_WRITTEN else []
        ways.append("in Python implicit_tour(board) answers at any size")
        memory.need(
            _BYTES_A_SQUARE * squares,
            f"a tour of {board.rows} x {board.cols} squares in this form",
            "; ".join(ways) if board.is_rectangle else "only plain rectangles can be so large",
        )


def _stream(problem: Problem, target: Target, status: console.StatusLine) -> int:
    """Write the constructed tour of a giant rectangle without holding it in memory."""
    check_output(target)
    squares = problem.board.rows * problem.board.cols
    if squares > _MOST_WRITTEN:
        raise BoardError(
            f"a tour of {problem.board.rows} x {problem.board.cols} squares would take {in_words(8 * squares)}",
            help="in Python implicit_tour(board) answers for single squares and steps at any size",
        )
    try:
        tour = implicit_tour(problem)
    except NoTour as no:
        tell_impossible(no.result)
        return console.IMPOSSIBLE
    try:
        with console.told_about_compiling(status):
            if target.output is None or target.is_stdout:
                giant.stream_to(tour, sys.stdout.buffer, target.format_name or "grid")
            else:
                giant.stream_tour(
                    tour, target.output, target.format_name, force=target.force, on_progress=status.progress
                )
    except KeyboardInterrupt:
        status.clear()
        console.say("note", "interrupted" + (f"; {target.output} was not written" if target.output else ""))
        return console.INTERRUPTED
    status.clear()
    return console.FOUND
