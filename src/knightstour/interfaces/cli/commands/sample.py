"""`knightstour sample`: write random tours in bulk as they are drawn, and a summary at the end.

A `.npy` file is written row by row in bounded memory, and gets its name when it is complete. Ctrl-C ends the work
between two blocks. The file is then valid, and a note contains the seed and the offset for resuming. The tours of a
seed do not depend on the number of threads, so the parts fit together.
"""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

import click
import numpy as np

from knightstour.core.formats.arrays import array_head
from knightstour.core.formats.tours import format_tour, write_tours
from knightstour.core.machine.files import open_target
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.progress import Progress
from knightstour.core.model.tour import Tour, tour_of
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.output import check_output, gap_before, write_out
from knightstour.interfaces.cli.pictures import PictureOptions, picture_kind, picture_options
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import SeenTours, Stream

_DATA_SETS = "Data sets"


@click.command("sample", cls=Command)
@options.board_argument
@options.closed_option
@options.start_option
@options.end_option
@option("-n", "n", type=int, metavar="N", default=1, help="Number of tours (default: 1).")
@option(
    "--distribution",
    metavar="NAME",
    default="backbite",
    help="backbite (default), merge, uniform or warnsdorff.",
)
@options.seed_option
@option(
    "--offset",
    type=int,
    metavar="N",
    default=0,
    help="Skip the first N tours of the seed, for several machines.",
)
@option("--unique", is_flag=True, help="Draw each tour at most once.")
@options.where_option()
@options.timeout_option()
@options.workers_option()
@options.output_option
@options.format_option
@options.json_option
@option("--columns", metavar="NAME,..", group=_DATA_SETS, help="With -o DIR/: keep these statistics of each tour.")
@option("--part-tours", type=int, metavar="N", group=_DATA_SETS, help="With -o DIR/: tours per file.")
def command(
    board: str,
    *,
    closed: bool,
    start: str | None,
    end: str | None,
    n: int,
    distribution: str,
    seed: int | None,
    offset: int,
    unique: bool,
    where: tuple[str, ...],
    timeout: float | None,
    workers: str | None,
    output: str | None,
    format_name: str | None,
    as_json: bool,
    columns: str | None,
    part_tours: int | None,
) -> int:
    """Draw random tours of BOARD.

    \b
    $ knightstour sample 8x8 -n 1000 --seed 1 -o tours.npy
    $ knightstour sample 6x6 --closed --distribution uniform
    """
    on = parsing.board_with_notes(board)
    problem = parsing.problem_of(on, closed=closed, start=start, end=end, where=where)
    question = SampleQuestion(problem, n, distribution, {}, unique, seed, offset)
    if output is not None and _is_directory(output):
        from knightstour.interfaces.cli.commands.sample_dataset import draw_dataset

        options.refuse({"--offset": offset or None}, "a data set starts at the first tour of its seed")
        return draw_dataset(
            question,
            output,
            columns=columns,
            part_tours=part_tours,
            workers=workers,
            part_format=format_name or "parquet",
            timeout=timeout,
            as_json=as_json,
        )
    for flag, word in {"--columns": columns, "--part-tours": part_tours}.items():
        if word is not None:
            raise ProblemError(f"{flag} requires a data set", help="write one with -o DIR/")
    return draw(question, options.Target(format_name, output), timeout=timeout, workers=workers, as_json=as_json)


def _is_directory(output: str) -> bool:
    """Whether an output is a data set."""
    return output.endswith(("/", os.sep)) or os.path.isdir(output)


def draw(
    question: SampleQuestion, target: options.Target, *, timeout: float | None, workers: str | None, as_json: bool
) -> int:
    """Draw tours and write or print them; return the exit code."""
    check_output(target, may_draw=True)
    look = picture_options(target, board=question.problem.board, count=question.n)
    if as_json and target.output is None and target.format_name is not None:
        raise FormatError("--json and --format cannot be combined", help="omit --format, or add -o FILE")
    status = console.StatusLine()
    with options.open_workers(workers) as opened:
        began = time.perf_counter()
        with status.timing("getting ready"):
            limits = None if timeout is None else Limits(timeout)
            stream = Stream(question, workers=opened, limits=limits)
        drawing = _Drawing(stream, status, began=began, counts_repeats=as_json)
        _write(drawing, target, look, is_silent=target.output is None and as_json)
    status.clear()
    summary = drawing.summary()
    if as_json:
        print(json.dumps(summary))
    elif question.n != 1:
        console.print_message("note", _in_words(summary, question.distribution))
    if stream.rejected:
        part = stream.drawn / (stream.drawn + stream.rejected)
        console.print_message("note", f"{stream.rejected:,} tours were rejected; {part:.3g} of all were accepted")
    if stream.reason:
        console.print_message("note", stream.reason)
    resume = f"resume with --seed {stream.seed} --offset {stream.offset + stream.given}"
    if drawing.is_interrupted:
        console.print_message("note", f"interrupted after {stream.given:,} tours")
        console.print_message("help", resume)
        return console.INTERRUPTED
    if stream.is_limited:
        console.print_message("help", f"{resume}, or use a higher limit")
        return console.UNDECIDED
    return console.FOUND


def _write(drawing: _Drawing, target: options.Target, picture: PictureOptions, *, is_silent: bool) -> None:
    """is_silent: only draw the tours."""
    if is_silent:
        for _ in drawing:
            pass
    elif picture_kind(target.format_name, target.output) is not None:
        write_out(list(drawing.tours()), target, picture)
    elif target.output is None or target.is_stdout:
        _print(drawing, target.format_name or "grid")
    elif target.format_name == "npy" or (target.format_name is None and target.output.lower().endswith(".npy")):
        with open_target(target.output) as file:
            _write_array(drawing, file)
    else:
        write_tours(target.output, drawing.tours(), target.format_name)


class _Drawing:
    """The rows to write, as arrays; it counts, shows the progress, and ends on Ctrl-C."""

    def __init__(self, stream: Stream, status: console.StatusLine, *, began: float, counts_repeats: bool) -> None:
        self.stream, self.status = stream, status
        self.seen = SeenTours(stream.problem) if counts_repeats and not stream.unique else None
        self.repeats = 0
        self.is_interrupted = False
        # Includes the preparation for the first tour, which may be slower than all tours.
        self._began = began

    def __iter__(self) -> Iterator[np.ndarray]:
        rows = iter(self.stream)
        with _interrupts(self.stream) as ask:
            while not ask.is_wanted:
                given = self.stream.given
                try:
                    with self.status.ticking(self._progress), ask.now():
                        array = next(rows, None)
                except KeyboardInterrupt:
                    # An unfinished block is not written, so it does not count.
                    self.stream.given = given
                    break
                if array is None:
                    self.is_interrupted = ask.is_wanted
                    return
                if self.seen is not None:
                    is_new = self.seen.add(array)
                    self.repeats += len(array) - int(is_new.sum())
                self.status.progress(self._progress())
                yield array
            self.is_interrupted = True

    def _progress(self) -> Progress:
        seconds = time.perf_counter() - self._began
        given, n = self.stream.given, self.stream.n
        rate = given / seconds
        notes = ["" if n is not None else f"{given:,} tours", f"{rate:,.0f} a second" if rate >= 10 else ""]
        return Progress("drawing tours", given, n, seconds, ", ".join(filter(None, notes)))

    def tours(self) -> Iterator[Tour]:
        for rows in self:
            for row in rows:
                yield tour_of(self.stream.problem.board, row.astype(np.int64))

    def summary(self) -> dict[str, Any]:
        stream = self.stream
        seconds = time.perf_counter() - self._began
        problem = stream.problem
        return {
            "tours": stream.given,
            "rows": problem.board.rows,
            "cols": problem.board.cols,
            "closed": problem.closed,
            "start": problem.start,
            "end": problem.end,
            "distribution": stream.distribution_name,
            "parameters": dict(stream.distribution.parameters),
            "unique": stream.unique,
            "repeats": stream.repeats if stream.unique else self.repeats if self.seen is not None else None,
            "fails": stream.fails,
            "rejected": stream.rejected,
            "steps": stream.steps,
            "exhausted": stream.is_exhausted,
            "limited": stream.is_limited,
            "reason": stream.reason or None,
            "interrupted": self.is_interrupted,
            "seed": stream.seed,
            "offset": stream.offset,
            "next_offset": stream.offset + stream.given,
            "seconds": round(seconds, 6),
        }


def _in_words(summary: dict[str, Any], distribution: str) -> str:
    seconds = max(summary["seconds"], 1e-9)
    options = "".join(f" {name}={value}" for name, value in summary["parameters"].items())
    repeats = "" if summary["repeats"] is None else f"{summary['repeats']:,} repeats, "
    rate = summary["tours"] / seconds
    return (
        f"{summary['tours']:,} tours in {seconds:.2f} s ({rate:,.0f} a second), "
        f"distribution {distribution}{options}: "
        f"{repeats}{summary['fails']:,} fails; seed {summary['seed']}, offset {summary['offset']}"
    )


def _print(drawing: _Drawing, name: str) -> None:
    for count, tour in enumerate(drawing.tours()):
        drawing.status.clear()
        sys.stdout.write(gap_before(count, name) + format_tour(tour, name))


def _write_array(drawing: _Drawing, file: BinaryIO) -> None:
    """Write all rows as one array, with its header last if the file can seek."""
    empty = drawing.stream.empty()
    count, held = 0, io.BytesIO()
    rows_go_to = file if file.seekable() else held
    rows_go_to.write(array_head(empty.dtype, (0, empty.shape[1])))
    for rows in drawing:
        count += len(rows)
        rows_go_to.write(np.ascontiguousarray(rows).data)
    rows_go_to.seek(0)
    rows_go_to.write(array_head(empty.dtype, (count, empty.shape[1])))
    if rows_go_to is held:
        file.write(held.getbuffer())


class _StopOnInterrupt:
    """Whether Ctrl-C was pressed. It stops the stream and, under `now`, the wait for workers.

    Threads do not use KeyboardInterrupt, since it may be swallowed or leave a lock behind.
    """

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self.is_wanted = False
        self._at_once = False

    def handle(self, signum: int, frame: object) -> None:
        is_second, self.is_wanted = self.is_wanted, True
        self.stream.stop()
        if is_second or (self._at_once and self.stream.workers is not None):
            raise KeyboardInterrupt

    @contextmanager
    def now(self) -> Iterator[None]:
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False


@contextmanager
def _interrupts(stream: Stream) -> Iterator[_StopOnInterrupt]:
    ask = _StopOnInterrupt(stream)
    if threading.current_thread() is not threading.main_thread():
        yield ask
        return
    before = signal.signal(signal.SIGINT, ask.handle)
    try:
        yield ask
    finally:
        signal.signal(signal.SIGINT, before)
