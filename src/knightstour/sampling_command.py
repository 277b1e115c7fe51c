"""What `knightstour sample` does: draws tours, writes them as they come, and tells at the end what they are.

A `.npy` file is written row by row in bounded memory, and stands at its name, complete, when all is done. Ctrl-C ends
the drawing between two blocks: what is written by then is a valid file, and a note says with which seed and offset to
go on. The tours of a seed are the same whatever the number of threads, so the parts fit together.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, BinaryIO

import numpy as np

from knightstour import console
from knightstour.commands.options import workers_of
from knightstour.distinct import Seen
from knightstour.errors import FormatError
from knightstour.files import open_target
from knightstour.formats import format_tour, write_tours
from knightstour.sampling import SampleQuestion, Stream
from knightstour.tour import Tour
from knightstour.writing import check_output, gap_before, note_graph_only

_HEADER_BYTES = 192


def sample_command(
    question: SampleQuestion,
    *,
    threads: int | None = None,
    workers: int | None = None,
    scheduler: str | None = None,
    stats: bool = False,
    shown: str = "all",
    output: str | None = None,
    force: bool = False,
    format_name: str | None = None,
    as_json: bool = False,
) -> int:
    """Draw tours and write or print them; returns the exit code.

    shown: "all" tours, the "repeats" of earlier ones, or "none"; for a file as for stdout. stats: also count repeats
    where `unique` does not, and tell how the drawing went; told anyway if no tour is printed. as_json: the summary as
    one JSON object on stdout, and no tours there. The other arguments are those of sample_tours.
    """
    check_output(format_name, output, force)
    if as_json and output is None and format_name is not None:
        raise FormatError("--json prints the summary and no tours", help="leave out --format, or give -o FILE")
    status = console.StatusLine()
    with console.told_about_compiling(status), workers_of(workers, scheduler) as crew:
        unique = question.unique and shown != "repeats"
        began = time.perf_counter()
        with status.timing("getting ready"):
            stream = Stream(replace(question, unique=unique), threads=threads, workers=crew)
        drawing = _Drawing(stream, status, began=began, counts_repeats=stats or shown == "repeats", shown=shown)
        if shown == "none" or (output is None and as_json):
            for _ in drawing:
                pass
        elif output is None or output == "-":
            _print(drawing, format_name or "grid")
            note_graph_only(format_name, None)
        elif format_name == "npy" or (format_name is None and output.lower().endswith(".npy")):
            with open_target(output, force=force) as file:
                _write_array(drawing, file)
        else:
            write_tours(output, drawing.tours(), format_name, force=force)
            note_graph_only(format_name, output)
    status.clear()
    summary = drawing.summary()
    if as_json:
        print(json.dumps(summary))
    elif stats or shown == "none":
        text = _in_words(summary, question.law)
        if shown == "none":
            print(text)
        else:
            console.say("note", text)
    if stream.reason:
        console.say("note", stream.reason)
    if drawing.is_interrupted:
        next_offset = stream.offset + stream.given
        console.say("note", f"interrupted after {stream.given:,} tours")
        console.say("help", f"go on with --seed {stream.seed} --offset {next_offset}")
        return console.INTERRUPTED
    return console.FOUND


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
        with _interrupts() as ask:
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
                    return
                if self.seen is not None:
                    is_new = self.seen.add(array)
                    self.repeats += len(array) - int(is_new.sum())
                    if self.shown == "repeats":
                        array = array[~is_new]
                self.status.show(self._progress())
                yield array
            self.is_interrupted = True

    def _progress(self) -> str:
        seconds = time.perf_counter() - self._began
        wanted = "" if self.stream.n is None else f" of {self.stream.n:,}"
        rate = self.stream.given / seconds
        speed = f"{rate:,.0f} a second" if rate >= 10 else f"{seconds:.0f} s"
        return f"{self.stream.given:,}{wanted} tours, {speed} (Ctrl-C stops)"

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
            "law": stream.law_name,
            "parameters": dict(stream.law.parameters),
            "unique": stream.unique,
            "repeats": stream.repeats if stream.unique else self.repeats if self.seen is not None else None,
            "fails": stream.fails,
            "steps": stream.steps,
            "exhausted": stream.is_exhausted,
            "reason": stream.reason or None,
            "interrupted": self.is_interrupted,
            "seed": stream.seed,
            "offset": stream.offset,
            "next_offset": stream.offset + stream.given,
            "seconds": round(seconds, 6),
        }


def _in_words(summary: dict[str, Any], law: str) -> str:
    seconds = max(summary["seconds"], 1e-9)
    options = "".join(f" {name}={value}" for name, value in summary["parameters"].items())
    repeats = "" if summary["repeats"] is None else f"{summary['repeats']:,} repeats, "
    rate = summary["tours"] / seconds
    return (
        f"{summary['tours']:,} tours in {seconds:.2f} s ({rate:,.0f} a second) by law {law}{options}: "
        f"{repeats}{summary['fails']:,} fails; seed {summary['seed']}, offset {summary['offset']}"
    )


def _print(drawing: _Drawing, name: str) -> None:
    for count, tour in enumerate(drawing.tours()):
        drawing.status.clear()
        sys.stdout.write(gap_before(count, name) + format_tour(tour, name))


def _write_array(drawing: _Drawing, file: BinaryIO) -> None:
    """All rows as one array. Its length is written last, where it stands first."""
    empty = drawing.stream.empty()
    can_seek = file.seekable()
    held: list[np.ndarray] = []
    if can_seek:
        file.write(bytes(_HEADER_BYTES))
    count = 0
    for rows in drawing:
        count += len(rows)
        if can_seek:
            file.write(np.ascontiguousarray(rows).data)
        else:
            held.append(rows.copy())
    header = _header(empty.dtype, count, empty.shape[1])
    if can_seek:
        file.seek(0)
        file.write(header)
    else:
        file.write(header)
        for rows in held:
            file.write(np.ascontiguousarray(rows).data)


def _header(kind: np.dtype[Any], rows: int, cols: int) -> bytes:
    """The head of a .npy file (version 1.0), always of the same length."""
    text = f"{{'descr': {np.lib.format.dtype_to_descr(kind)!r}, 'fortran_order': False, 'shape': ({rows}, {cols}), }}"
    length = _HEADER_BYTES - 10
    return b"\x93NUMPY\x01\x00" + length.to_bytes(2, "little") + text.ljust(length - 1).encode("latin1") + b"\n"


class _Ask:
    """Whether Ctrl-C was pressed; it interrupts only what is done under `now`."""

    def __init__(self) -> None:
        self.is_wanted = False
        self._at_once = False

    def handle(self, signum: int, frame: Any) -> None:
        if self._at_once or self.is_wanted:
            raise KeyboardInterrupt
        self.is_wanted = True

    @contextmanager
    def now(self) -> Iterator[None]:
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False


@contextmanager
def _interrupts() -> Iterator[_Ask]:
    ask = _Ask()
    if threading.current_thread() is not threading.main_thread():
        yield ask
        return
    before = signal.signal(signal.SIGINT, ask.handle)
    try:
        yield ask
    finally:
        signal.signal(signal.SIGINT, before)
