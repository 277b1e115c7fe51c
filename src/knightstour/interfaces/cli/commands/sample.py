"""`knightstour sample`: random tours in bulk, written as they come, and a summary of them at the end.

A `.npy` file is written row by row in bounded memory, and appears under its name, complete, when all is done. Ctrl-C
ends the drawing between two blocks: what is written by then is a valid file, and a note says with which seed and offset
to go on. The tours of a seed are the same for any number of threads, so the parts fit together.
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
from dataclasses import replace
from typing import Annotated, Any, BinaryIO, NamedTuple

import click
import numpy as np

from knightstour.core.formats.arrays import array_head
from knightstour.core.formats.tours import format_tour, write_tours
from knightstour.core.machine.files import open_target
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import Progress
from knightstour.core.model.tour import Tour
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    DatasetWords,
    LimitWords,
    Target,
    TourWords,
    WorkerWords,
    declared,
    json_option,
    question,
    refuse,
    seed_option,
    settings,
    several_options,
    timeout_option,
    worker_options,
)
from knightstour.interfaces.cli.output import check_output, gap_before, write_out
from knightstour.interfaces.cli.picture_options import PictureWords, tour_output_options
from knightstour.interfaces.cli.pictures import PictureOptions, checked_picture, picture_kind
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Seen, Stream


class _SampleWords(NamedTuple):
    distribution: Annotated[
        str,
        typed(
            f"The distribution they are drawn from: {', '.join(DISTRIBUTIONS)}; default backbite.", default="backbite"
        ),
    ]
    seed: Annotated[int | None, seed_option("tours")]
    offset: Annotated[int, typed("Leave out the first N tours of the seed.", "N", default=0)]
    timeout: Annotated[float | None, timeout_option()]
    max_nodes: Annotated[int | None, typed("Steps of the sampler before giving up; default none.", "N")]
    stats: Annotated[bool, typed("Say at the end how the drawing went: rate, repeats, failures.")]
    as_json: Annotated[bool, json_option(": how the drawing went, without the tours")]


@click.command("sample", cls=Command)
@question
@several_options
@declared("wanted", _SampleWords)
@settings(lambda: {name: row.parameters for name, row in DISTRIBUTIONS.items()}, "distribution")
@worker_options("Draw")
@tour_output_options("Write the tours there, or a picture; .npy holds millions, DIR/ billions.", metavar="FILE|DIR/")
@declared("dataset", DatasetWords)
def command(
    problem: Problem,
    tour_words: TourWords,
    wanted: _SampleWords,
    worker_words: WorkerWords,
    target: Target,
    picture: PictureWords,
    dataset: DatasetWords,
    options: dict[str, Any],
) -> int:
    """Draw random tours of BOARD in bulk, from a named distribution. See docs/sampling.md.

    \b
    knightstour sample 8x8 -n 10 --closed --seed 1
    knightstour sample 8x8 -n 1000000 --closed -o tours.npy
    """
    asked = SampleQuestion(
        problem, tour_words.n, wanted.distribution, options, tour_words.unique, wanted.seed, wanted.offset
    )
    if target.output is not None and _is_directory(target.output):
        from knightstour.interfaces.cli.commands.sample_dataset import draw_dataset

        names: dict[str, float | str | None] = {
            "--offset": wanted.offset or None,
            "--print": None if tour_words.shown == "all" else tour_words.shown,
            "--force": target.force or None,
            "--max-nodes": wanted.max_nodes,
        }
        refuse({**names, **picture.by_flag()}, "a data set says itself what it holds, or write to a file")
        return draw_dataset(
            asked,
            target.output,
            dataset,
            worker_words,
            part_format=target.format_name or "parquet",
            timeout=wanted.timeout,
            stats=wanted.stats,
            as_json=wanted.as_json,
        )
    for flag, word in {"columns": dataset.columns, "part-tours": dataset.part_tours}.items():
        if word is not None:
            raise ProblemError(f"--{flag} is for data sets", help="write one with -o DIR/")
    return draw(asked, wanted, worker_words, target, picture, tour_words.shown)


def _is_directory(output: str) -> bool:
    """Whether an output names a data set: it ends as directories do, or is one."""
    return output.endswith(("/", os.sep)) or os.path.isdir(output)


def draw(
    asked: SampleQuestion,
    wanted: _SampleWords,
    worker_words: WorkerWords,
    target: Target,
    picture: PictureWords,
    shown: str,
) -> int:
    """Draw tours and write or print them; returns the exit code.

    shown: "all" tours, the "repeats" of earlier ones, or "none"; for a file as for stdout.
    """
    check_output(target, may_draw=True)
    look = checked_picture(picture, target, board=asked.problem.board, count=asked.n)
    if wanted.as_json and target.output is None and target.format_name is not None:
        raise FormatError("--json prints the summary and no tours", help="leave out --format, or give -o FILE")
    status = console.StatusLine()
    limits = LimitWords(wanted.timeout, wanted.max_nodes)
    with worker_words.open() as workers:
        unique = asked.unique and shown != "repeats"
        began = time.perf_counter()
        with status.timing("getting ready"):
            stream = Stream(
                replace(asked, unique=unique), workers=workers, limits=limits.limits(None) if limits.is_given else None
            )
        counts_repeats = wanted.stats or shown == "repeats"
        drawing = _Drawing(stream, status, began=began, counts_repeats=counts_repeats, shown=shown)
        _write(drawing, target, look, is_silent=shown == "none" or (target.output is None and wanted.as_json))
    status.clear()
    summary = drawing.summary()
    if wanted.as_json:
        print(json.dumps(summary))
    elif shown == "none":
        print(_in_words(summary, asked.distribution))
    elif wanted.stats:
        console.say("note", _in_words(summary, asked.distribution))
    if stream.rejected:
        part = stream.drawn / (stream.drawn + stream.rejected)
        console.say("note", f"{stream.rejected:,} tours drawn were not such; {part:.3g} of all were")
    if stream.reason:
        console.say("note", stream.reason)
    if drawing.is_interrupted:
        console.say("note", f"interrupted after {stream.given:,} tours")
        console.say("help", f"go on with --seed {stream.seed} --offset {stream.offset + stream.given}")
        return console.INTERRUPTED
    if stream.is_limited:
        console.say(
            "help", f"go on with --seed {stream.seed} --offset {stream.offset + stream.given}, or a higher limit"
        )
        return console.UNDECIDED
    return console.FOUND


def _write(drawing: _Drawing, target: Target, picture: PictureOptions, *, is_silent: bool) -> None:
    """Write or print the tours as they come; is_silent: only draw them."""
    if is_silent:
        for _ in drawing:
            pass
    elif picture_kind(target.format_name, target.output) is not None:
        write_out(list(drawing.tours()), target, picture)
    elif target.output is None or target.is_stdout:
        _print(drawing, target.format_name or "grid")
    elif target.format_name == "npy" or (target.format_name is None and target.output.lower().endswith(".npy")):
        with open_target(target.output, force=target.force) as file:
            _write_array(drawing, file)
    else:
        write_tours(target.output, drawing.tours(), target.format_name, force=target.force)


class _Drawing:
    """The rows to write, as arrays; it counts, shows the progress, and ends on Ctrl-C."""

    def __init__(
        self, stream: Stream, status: console.StatusLine, *, began: float, counts_repeats: bool, shown: str
    ) -> None:
        self.stream, self.status, self.shown = stream, status, shown
        self.seen = Seen(stream.problem) if counts_repeats and not stream.unique else None
        self.repeats = 0
        self.is_interrupted = False
        # With what is made ready for the first tour, which may take longer than all of them.
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
                    # What was on its way is not written, so it does not count.
                    self.stream.given = given
                    break
                if array is None:
                    self.is_interrupted = ask.is_wanted
                    return
                if self.seen is not None:
                    is_new = self.seen.add(array)
                    self.repeats += len(array) - int(is_new.sum())
                    if self.shown == "repeats":
                        array = array[~is_new]
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
        """The rows as tours."""
        for rows in self:
            for row in rows:
                yield Tour.from_order(self.stream.problem.board, row.astype(np.int64))

    def summary(self) -> dict[str, Any]:
        """What was done, as JSON knows it."""
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
    """All rows as one array; its head, with their number, is written last. What cannot seek gets all at the end."""
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


class _Ask:
    """Whether Ctrl-C was pressed. It stops the stream; while workers draw under `now`, it interrupts the wait for them.

    A KeyboardInterrupt may come up at a place that swallows it or leaves a lock behind, so it is not used for threads.
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
def _interrupts(stream: Stream) -> Iterator[_Ask]:
    ask = _Ask(stream)
    if threading.current_thread() is not threading.main_thread():
        yield ask
        return
    before = signal.signal(signal.SIGINT, ask.handle)
    try:
        yield ask
    finally:
        signal.signal(signal.SIGINT, before)
