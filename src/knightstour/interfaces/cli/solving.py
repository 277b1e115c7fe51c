"""What `knightstour solve` does: it asks the library, and prints or writes the tours as they are found."""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from typing import TYPE_CHECKING

import click

from knightstour.core.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.core.drawing.kinds import PICTURE_KINDS
from knightstour.core.formats import streaming
from knightstour.core.formats.table import format_named
from knightstour.core.formats.tours import write_tours
from knightstour.core.machine import memory
from knightstour.core.methods.solve import solve
from knightstour.core.methods.table import METHODS
from knightstour.core.model.budget import DEFAULT_SECONDS, Limits
from knightstour.core.model.condition_table import question_names
from knightstour.core.model.errors import BoardError, FormatError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import NoTour
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import Trace
from knightstour.core.model.wording import in_words
from knightstour.interfaces.cli import console, pictures
from knightstour.interfaces.cli.each_graph import ONE_LINE, file_in, is_folder
from knightstour.interfaces.cli.options import Target, TourWords, refuse, refuse_others
from knightstour.interfaces.cli.output import (
    LineWriter,
    TourWriter,
    check_holds_tours,
    check_output,
    check_target,
    tell_impossible,
)
from knightstour.interfaces.cli.solve_words import MethodWords, SolveWords

if TYPE_CHECKING:
    from knightstour.interfaces.cli.pictures import PictureOptions

# Methods to look at where nobody says which; on boards of few squares the one that also sees that there is no tour.
_WATCHABLE, _FEW = ("warnsdorff", "backtracking"), 36
# Memory for a tour that is not written part by part.
_BYTES_A_SQUARE = 400
# More squares than any disk holds.
_MAX_WRITTEN = 10**15


class Solving:
    """One run of the command: what was typed, and what is kept of it until the end."""

    def __init__(self, asked: SolveWords) -> None:
        method = asked.method_words.method
        self.tour_file: tuple[str, str] | None = None
        if asked.place is not None:
            _refuse_for_lines(asked)
            asked = self._with_files(asked, asked.place)
        if asked.worker_words.is_cluster and method != "backtracking":
            raise ProblemError(
                f"method {method} does not search on a cluster", help="a cluster is for --method backtracking"
            )
        if asked.method_words.proof is not None:
            check_target(asked.method_words.proof, asked.target.force)
            if asked.tour_words.n > 1:
                raise click.UsageError("--proof is about one tour, so it does not go with -n")
            if asked.method_words.objective is not None and asked.method_words.is_best:
                from knightstour.lab.certificates.certify import check_objective

                check_objective(asked.method_words.objective)
        self.asked, self.problem, self.seed = asked, asked.problem, asked.seed
        kind = pictures.picture_kind(asked.target.format_name, asked.target.output)
        # A picture that moves is watched instead of the terminal.
        self.is_recorded = asked.watch.is_watched and kind is not None and PICTURE_KINDS[kind].moves
        if asked.watch.is_watched and kind == "html":
            why = "a web page shows the tour, and not how it was found"
            raise FormatError(why, help="write the search as .gif, or omit --watch")
        self.is_live = asked.watch.is_watched and not self.is_recorded and console.is_live()
        if asked.watch.is_watched and not self.is_recorded:
            from knightstour.interfaces.cli.watch import check_watchable

            check_watchable(self.problem.board, asked.watch.speed)
            if not self.is_live:
                console.say("note", "--watch shows nothing, for stdout is no terminal; -o FILE.gif shows the search")
        self.method = _watchable(asked) if asked.watch.is_watched and method == "auto" else method
        self.limits = _limits(asked, is_live=self.is_live)
        self.status = console.StatusLine("" if asked.place is None else f"graph {asked.place:,}: ")
        self.picture = self._checked_picture()

    def _with_files(self, asked: SolveWords, place: int) -> SolveWords:
        """What is asked of a graph of several: its tour and its certificate have files of their own in the folders."""
        target, proof = asked.target, asked.method_words.proof
        if target.output is not None:
            row = format_named(target.format_name or "algebraic")
            check_holds_tours(row.name, None)
            path = file_in(target.output, place, row.suffixes[0])
            check_target(path, target.force)
            self.tour_file = path, row.name
        if proof is not None:
            asked = asked._replace(method_words=asked.method_words._replace(proof=file_in(proof, place, ".json")))
        return asked._replace(target=Target(None, None, target.force))

    def _checked_picture(self) -> PictureOptions:
        asked = self.asked
        return pictures.checked_picture(
            asked.picture,
            asked.target,
            board=self.problem.board,
            count=asked.tour_words.n,
            is_recorded=self.is_recorded,
        )

    def run(self) -> int:
        """Find it and print or write it; returns the exit code."""
        asked, board = self.asked, self.problem.board
        if board.rows * board.cols >= streaming.GIANT_FROM and not asked.watch.is_watched:
            if self._can_stream:
                return _stream(self.problem, asked.target, self.status)
            self._need_memory(board.rows * board.cols)
        writer = self._writer()
        started = time.perf_counter()
        if self.seed is None:
            self.seed = self._drawn_seed()
        is_many = self._say_if_many()
        try:
            result = self._solved(writer)
        except KeyboardInterrupt:
            return self._interrupted(writer, time.perf_counter() - started)
        self.status.clear()
        if isinstance(writer, LineWriter):
            writer.finish(result, missing=self._missing_certificate(result))
        else:
            writer.finish(result)
            self._write_certificate(result)
        if is_many and result.status is Status.UNDECIDED:
            console.say("help", "--timeout SECONDS gives the search more time")
        if self.tour_file is not None and result.tours:
            path, format_name = self.tour_file
            write_tours(path, result.tours[:1], format_name, force=asked.target.force)
        if (
            result.tours
            and asked.seed is None
            and sys.stdout.isatty()
            and asked.tour_words.n == 1
            and not asked.as_json
        ):
            console.say("note", f"--seed {self.seed} gives this tour again")
        if asked.method_words.is_explained and result.status is Status.IMPOSSIBLE:
            self._explain(result)
        return console.exit_code(result.status)

    def _write_certificate(self, result: Result) -> None:
        """Write the certificate of the answer, if one is required."""
        words = self.asked.method_words
        if words.proof is None or result.status is Status.UNDECIDED:
            return
        with self.status.timing("proving"):
            limits = self.limits if result.objective else None
            certificate = result.certify(limits, needs_clauses=words.proof_for is not None)
        self.status.clear()
        certificate.write(words.proof, force=self.asked.target.force)

    def _missing_certificate(self, result: Result) -> str:
        """Write the certificate of a graph of several; return the reason if there is none, which its line states."""
        try:
            self._write_certificate(result)
        except ProblemError as error:
            from knightstour.lab.certificates.certify import SOLVER_NEEDED

            if error.help == SOLVER_NEEDED:
                raise
            self.status.clear()
            return str(error)
        return ""

    def _say_if_many(self) -> bool:
        """Print at the start about how many tours are listed, if they are many; returns whether they are."""
        asked = self.asked
        if not self.problem.checked_conditions or asked.place is not None or asked.method_words.objective is not None:
            return False
        from knightstour.interfaces.cli.efforts import say_if_many
        from knightstour.lab.objectives.goals import search_of

        is_searched = self.method == "auto" and search_of(self.problem) is not None
        return not is_searched and say_if_many(self.problem)

    def _drawn_seed(self) -> int:
        """Return the default seed: random on a terminal, so that each call finds another tour, else 0."""
        # Not `secrets`, which takes 10 ms to load.
        return int.from_bytes(os.urandom(8)) % 10**6 if sys.stdout.isatty() else 0

    def _writer(self) -> TourWriter | LineWriter:
        asked = self.asked
        if asked.place is not None:
            return LineWriter(asked.place, as_json=asked.as_json)
        return TourWriter(
            asked.target, as_json=asked.as_json, tour_words=asked.tour_words, status=self.status, picture=self.picture
        )

    def _explain(self, result: Result) -> None:
        with self.status.timing("proving"):
            scenes = result.certificate.scenes
        self.status.clear()
        format_name, output, force = self.asked.target
        kind = pictures.picture_kind(format_name, output)
        if kind is None:
            click.echo()
            pictures.print_with_characters(scenes)
        else:
            data = pictures.picture_bytes(scenes, kind, **pictures.options_of(self.asked.picture))
            pictures.write_picture(data, kind, output, force)
            if output is not None and output != "-":
                console.say("note", f"{output} shows why")

    def _solved(self, writer: TourWriter | LineWriter) -> Result:
        asked = self.asked
        ask: Callable[..., Result] = solve
        if self.is_live:
            from knightstour.interfaces.cli.watch import solve_watched

            ask = functools.partial(solve_watched, speed=asked.watch.speed)
            self.status.is_on = False
        with asked.worker_words.open() as workers, ExitStack() as until_found:
            until_found.enter_context(self.status.preparing())

            def take(tour: Tour, is_repeat: bool) -> None:
                until_found.close()
                writer.take(tour, is_repeat)

            trace = self.picture.get("trace")
            if asked.watch.is_watched and not self.is_live and trace is None:
                # What cannot be watched is refused without a terminal, too.
                trace = Trace(limit=0)
            if trace is not None:
                ask = functools.partial(ask, trace=trace)
            return ask(
                self.problem,
                method=self.method,
                seed=self.seed,
                limits=self.limits,
                n=asked.tour_words.n,
                unique=asked.tour_words.unique,
                objective=asked.method_words.objective,
                optimal=asked.method_words.is_best,
                proofs=not asked.method_words.no_proofs,
                workers=workers,
                on_tour=take,
                on_progress=self.status.progress,
                **asked.options,
            )

    def _interrupted(self, writer: TourWriter | LineWriter, seconds: float) -> int:
        """Say how far it came; tours found by then are not lost."""
        asked = self.asked
        self.status.clear()
        nodes, count = self.status.nodes, asked.tour_words.n
        known = Status.FOUND if writer.taken else Status.UNDECIDED
        seed = 0 if self.seed is None else self.seed
        result = Result(known, self.problem, (), "interrupted", "", asked.method_words.method, seed, nodes, seconds)
        writer.finish(result, is_interrupted=True)
        where = "" if asked.place is None else f" at graph {asked.place:,}"
        text = f"interrupted{where} after {seconds:.1f} s and {nodes:,} nodes"
        if asked.place is None:
            text += f"; {writer.taken} of {count} tour{'s' if count > 1 else ''} found"
        console.say("note", text)
        return console.INTERRUPTED

    @property
    def _can_stream(self) -> bool:
        """Whether nothing is asked but the tour of a rectangle in an .npy file, which is not held in memory."""
        asked, target = self.asked, self.asked.target
        if not str(target.output).endswith(".npy") or target.format_name not in (None, "npy"):
            return False
        is_plain = (
            asked.tour_words == TourWords(1, asked.tour_words.unique, "all") and not asked.as_json and not asked.options
        )
        plain = [MethodWords(name, None, False, False, False, None) for name in ("auto", "explicit")]
        is_plain = is_plain and asked.method_words in plain
        return is_plain and asked.worker_words.workers is None and self.problem.board.is_rectangle

    def _need_memory(self, squares: int) -> None:
        """An error where a tour of that size cannot be held, with other ways to have it."""
        board = self.problem.board
        ways = ["write it with -o tour.npy, which takes little memory"] if squares <= _MAX_WRITTEN else []
        ways.append("in Python implicit_tour(board) answers at any size")
        memory.need(
            _BYTES_A_SQUARE * squares,
            f"a tour of {board.rows} x {board.cols} squares in this form",
            "; ".join(ways) if board.is_rectangle else "only plain rectangles can be so large",
        )


def _refuse_for_lines(asked: SolveWords) -> None:
    """The error of an option that has no place in a line for each graph."""
    method, tours, target, picture = asked.method_words, asked.tour_words, asked.target, asked.picture
    typed = {
        "--output": target.output if target.output is None or not is_folder(target.output) else None,
        "--format": None if target.output is not None else target.format_name,
        "--proof": method.proof if method.proof is None or not is_folder(method.proof) else None,
        "--explain": method.is_explained,
        "--watch": asked.watch.is_watched,
        "-n": tours.n != 1,
        "--unique": tours.unique,
        "--print": tours.shown != "all",
        **picture.by_flag(),
    }
    refuse(typed, f"{ONE_LINE}; --json has the tours, and -o DIR and --proof DIR have a file each")


def solve_one(asked: SolveWords) -> int:
    """Answer the question; for workers, which are given this by name."""
    return Solving(asked).run()


def _watchable(asked: SolveWords) -> str:
    """A method that shows its steps and applies to the question; auto where none does, or a proof will come first."""
    from knightstour.core.proofs.arguments import known_proof

    problem = asked.problem
    names = _WATCHABLE if problem.board.square_count > _FEW else reversed(_WATCHABLE)
    name = next((name for name in names if not METHODS[name].excuse(problem)), "auto")
    return "auto" if known_proof(problem) is not None else name


def _limits(asked: SolveWords, *, is_live: bool) -> Limits | None:
    """None for those of `solve`. A watcher can stop the search, and so has none."""
    if is_live or asked.limits.is_given:
        is_timed = not is_live and (asked.method_words.objective is None or asked.method_words.is_best)
        return asked.limits.limits(DEFAULT_SECONDS if is_timed else None)
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
        tell_impossible(no.result)
        return console.IMPOSSIBLE
    assert target.output is not None
    try:
        streaming.stream_tour(tour, target.output, force=target.force, on_progress=status.progress)
    except KeyboardInterrupt:
        status.clear()
        console.say("note", f"interrupted; {target.output} was not written")
        return console.INTERRUPTED
    status.clear()
    return console.FOUND


# ---------------------------------------------------------------- steps and squares of a constructed tour

_AT = "--at asks about the constructed tour"


def say_places(asked: SolveWords, words: Iterable[str]) -> int:
    """Print a step, from 1, and its square for each word, which is the one or the other.

    A billion by a billion squares are fine. The tour is the one that `solve BOARD --seed 0` prints.
    """
    method = asked.method_words.method
    refuse({"--method": None if method in ("auto", "explicit") else method}, _AT)
    refuse_others((*question_names(), "board", "arcs", "at", "method", "as_json"), _AT)
    tour = implicit_tour(asked.problem)
    for word in words:
        step, square = _found(word, tour)
        name = asked.problem.board.name(square)
        if asked.as_json:
            click.echo(json.dumps({**asked.problem.to_dict(), "step": step, "square": list(square), "name": name}))
        else:
            click.echo(f"{step} {name}")
    return console.FOUND


def _found(word: str, tour: ImplicitTour) -> tuple[int, tuple[int, int]]:
    """The step, from 1, and the square that a word names: either the one or the other."""
    plain = word.replace("_", "")
    if not plain.isdecimal():
        square = tour.board.square(word)
        return tour.index_of(square) + 1, square
    step = int(plain)
    if not 1 <= step <= tour.length:
        raise ProblemError(f"there is no step {word}", note=f"the tour has steps 1 to {tour.length:,}")
    return step, tour.square_at(step - 1)
