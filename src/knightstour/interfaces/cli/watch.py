"""Watch a search on a terminal: the board as text, step by step, at a speed that eyes can follow.

`solve_watched` calls `solve` with a trace whose listener draws each step and waits. So it shows the search itself, not
a recording. Space pauses and then goes one step, Enter goes on, + and - change the speed, q stops the search. A method
that reports no steps shows its nodes, and at the end its tour, move by move.

The player takes the whole screen, and gives it back with its mode and its cursor at the end, on q, Ctrl-C, an error or
a signal. The tours are printed after it, as without watching.
"""

from __future__ import annotations

import os
import re
import select
import shutil
import signal
import sys
import textwrap
import time
from collections.abc import Sequence
from importlib.util import find_spec
from types import FrameType
from typing import Any, Final

from knightstour.core.drawing.text import text_of
from knightstour.core.methods.solve import SolveSettings, solve_problem
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.errors import KnightsTourError, ProblemError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import Progress
from knightstour.core.model.result import Result
from knightstour.core.model.sentences import sentence
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import COUNTERS, Event, Trace, View

DEFAULT_SPEED: Final = 10.0
# Each frame draws the whole board, so larger boards would be too slow.
MAX_SQUARES: Final = 10_000
_SLOWEST, _FASTEST = 0.1, 10_000.0
_FRAME_SECONDS = 0.04
_LOOK_SECONDS = 0.1
# Events that change the board. Each is a step.
_STEPS = ("visit", "unvisit", "reverse", "path", "cover", "join", "repair", "restart", "tour")
# Sequence for a key that is not a character, such as an arrow.
_SEQUENCE = re.compile(r"\x1b(?:\[[^A-Za-z~]*[A-Za-z~]|O.)?")
_BEGIN, _END = "\x1b[?1049h\x1b[?25l", "\x1b[?25h\x1b[?1049l"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"


def check_watchable(board: Board) -> None:
    """Raise an error for a board that the player cannot show."""
    if square_count(board) > MAX_SQUARES:
        raise ProblemError(
            f"a board of {square_count(board):,} squares cannot be watched",
            help=f"omit --watch, or use a board of at most {MAX_SQUARES:,} squares",
        )


def solve_watched(problem: Problem, settings: SolveSettings) -> Result:
    """Call `solve_problem`, and play its steps on the terminal. Then pass its tours to `on_tour`.

    Limits include the time of watching. Raises KeyboardInterrupt on Ctrl-C and q.
    """
    found: list[tuple[Tour, bool]] = []
    player = Player(problem.board, DEFAULT_SPEED)

    def take(tour: Tour, is_repeat: bool) -> None:
        found.append((tour, is_repeat))

    def progress(now: Progress) -> None:
        if settings.on_progress is not None:
            settings.on_progress(now)
        player.progress(now)

    try:
        with player:
            watched = settings._replace(trace=player.trace, on_tour=take, on_progress=progress)
            result = solve_problem(problem, watched)
            player.finish(result)
    finally:
        for tour, is_repeat in found:
            if settings.on_tour is not None:
                settings.on_tour(tour, is_repeat)
    return result


class Player:
    """Shows the steps of a search on a terminal. As a context manager, it uses the whole screen."""

    def __init__(self, board: Board, speed: float) -> None:
        self.trace = Trace(limit=0, on_event=self._apply_event)
        self.view = View(board)
        self.speed = min(max(speed, _SLOWEST), _FASTEST)
        self.is_paused = False
        # Number of requested steps while the search is paused.
        self.steps = 0
        self.words = ""
        self.nodes = 0
        self._keys = Keys()
        self._has_steps = False
        # Time of the next step, and time of the last frame.
        self._due = self._drawn = 0.0
        self._handlers: dict[int, Any] = {}

    def __enter__(self) -> Player:
        def end(number: int, frame: FrameType | None) -> None:
            raise SystemExit(128 + number)

        # Not every system supports all these signals. Ctrl-Z would not restore the terminal.
        for name, handler in (("SIGTERM", end), ("SIGHUP", end), ("SIGTSTP", signal.SIG_IGN)):
            if hasattr(signal, name):
                number = getattr(signal, name)
                self._handlers[number] = signal.signal(number, handler)
        self._keys.open()
        _write(_BEGIN)
        return self

    def __exit__(self, *failure: object) -> None:
        # A second Ctrl-C must not interrupt the restoration of screen and keys.
        self._handlers[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            _write(_END)
        finally:
            self._keys.close()
            for number, handler in self._handlers.items():
                signal.signal(number, handler)

    def progress(self, progress: Progress) -> None:
        """Note the nodes of the search; while it reports no steps, draw them and read the keys."""
        self.nodes = progress.done
        if time.monotonic() - self._drawn >= _LOOK_SECONDS:
            self._draw()
            self._handle_keys(0.0)
            while self.is_paused and not self._has_steps and not self._has_step():
                self._handle_keys(_LOOK_SECONDS)

    def finish(self, result: Result) -> None:
        """Show the answer until a key is pressed; without keys leave at once."""
        if result.tour is not None and self.view.tour is None:
            self.view.apply(Event("tour", tuple(result.tour.order.tolist())))
        self.nodes = result.nodes
        self.words = f"{result.status.value}: {result.problem}" + (f"; {result.reason}" if result.reason else "")
        self._draw("any key goes on")
        while self._keys.is_on and not self._keys.get(_LOOK_SECONDS):
            pass

    def _apply_event(self, event: Event) -> None:
        """Apply an event; after a change, show the board until the next step is due."""
        if event.kind == "tour" and not self.view.path and not self.view.links:
            # The method has reported no steps.
            for square in event.squares:
                self._apply_event(Event("visit", (square,)))
        self.view.apply(event)
        if event.kind == "stage":
            self._has_steps = False
        if event.kind not in ("count", "candidates"):
            self.words = sentence(event, self.view)
        if event.kind in _STEPS:
            self._has_steps = True
            self._wait()

    def _wait(self) -> None:
        now = time.monotonic()
        # Delays are not compensated by faster steps.
        self._due = max(self._due + 1 / self.speed, now - _FRAME_SECONDS)
        if self._due - self._drawn < _FRAME_SECONDS and not self.is_paused:
            return
        self._draw()
        self._handle_keys(0.0)
        while (left := self._due - time.monotonic()) > 0 or self.is_paused:
            if self.is_paused and self._has_step():
                return
            self._handle_keys(_LOOK_SECONDS if self.is_paused else left)

    def _has_step(self) -> bool:
        """Consume a requested step, if any."""
        is_there = self.steps > 0
        self.steps -= is_there
        return is_there

    def _handle_keys(self, seconds: float) -> None:
        """Handle keys for some seconds."""
        for key in self._keys.get(seconds):
            if key in ("q", "\x04"):
                raise KeyboardInterrupt
            if key == " ":
                self.steps += self.is_paused
                self.is_paused = True
            elif key in "\r\n":
                self.is_paused, self.steps = False, 0
            elif key in "+=":
                self.speed = min(self.speed * 2, _FASTEST)
            elif key in "-_":
                self.speed = max(self.speed / 2, _SLOWEST)
            self._due = min(self._due, time.monotonic() + 1 / self.speed)
            self._draw()

    def _draw(self, ending: str = "") -> None:
        width, height = shutil.get_terminal_size()
        lines = self.frame(width - 1, height, ending)
        _write(_HOME + "\n".join(line + _CLEAR_LINE for line in lines) + _CLEAR_BELOW)
        self._drawn = time.monotonic()

    def frame(self, width: int, height: int, ending: str = "") -> list[str]:
        """Return the lines of a frame: the method and its progress, the board, the last step, and the keys."""
        view = self.view
        figures = [f"{len(view.path):,} of {square_count(view.board):,} squares"]
        if view.links:
            figures = [f"{len(view.components):,} components"]
        counted = (f"{row.name} {view.counters[name]:,}" for name, row in COUNTERS.items() if view.counters[name])
        figures += [*counted, *([f"nodes {self.nodes:,}"] if self.nodes and not view.counters["nodes"] else [])]
        head = f"{view.stage}: {', '.join(figures)}"
        speed = f"{self.speed:,.0f}" if self.speed >= 10 else f"{self.speed:.2g}"
        keys = f"{speed} steps/s   space pause   + - speed   q stop"
        if self.is_paused:
            keys = f"paused, {speed} steps/s   space step   enter go on   q stop"
        keys = ending or (keys if self._keys.is_on else "Ctrl-C stops")
        below = textwrap.wrap(self.words, max(1, width))[:3]
        # Three lines, so that the board does not move.
        below += [""] * (3 - len(below))
        room = max(1, height - 2 - len(below))
        lines = [head, *self._board(max(1, width), room)[:room], *below, keys]
        return [line[:width] for line in lines[-height:]]

    def _board(self, width: int, height: int) -> list[str]:
        view, board = self.view, self.view.board
        places = [divmod(square, board.cols) for square in range(square_count(board) + len(board.holes))]
        squares: Sequence[Any] = board.labels if isinstance(board, GraphBoard) else places
        parts = view.moves if view.links else [view.path] if view.path else []
        is_ascii = not (sys.stdout.encoding or "").lower().startswith("utf")
        try:
            paths = [[squares[square] for square in part] for part in parts]
            return text_of(board, paths=paths, width=width, height=height, ascii=is_ascii).splitlines()
        except KnightsTourError as error:
            # For example, a board of a graph.
            return textwrap.wrap(str(error), width)


class Keys:
    """Pressed keys, without Enter, from the terminal even if stdin is redirected.

    is_on: whether keys can be read; a program in the background receives none.
    """

    def __init__(self) -> None:
        self.is_on = False
        self._file = -1
        self._mode: Any = None

    def open(self) -> None:
        """Read keys without a line end or echo. Ctrl-C works as before. Windows is not supported."""
        if find_spec("termios") is None:
            return
        import termios
        import tty

        try:
            self._file = os.open("/dev/tty", os.O_RDONLY | os.O_NOCTTY)
            # A background job that changes the terminal would be stopped.
            if os.tcgetpgrp(self._file) == os.getpgrp():
                self._mode = termios.tcgetattr(self._file)
                tty.setcbreak(self._file, termios.TCSANOW)
                self.is_on = True
        except (OSError, termios.error):
            self.is_on = False

    def close(self) -> None:
        """Put the terminal's mode back."""
        if self._mode is not None:
            import termios

            termios.tcsetattr(self._file, termios.TCSANOW, self._mode)
        if self._file >= 0:
            os.close(self._file)
        self.is_on, self._file, self._mode = False, -1, None

    def get(self, seconds: float) -> str:
        """Return the next keys within a time limit. Keys that are not characters, such as arrows, are ignored."""
        if not self.is_on:
            time.sleep(max(0.0, seconds))
            return ""
        if not select.select([self._file], [], [], max(0.0, seconds))[0]:
            return ""
        sent = os.read(self._file, 64)
        # No input: the terminal is closed.
        self.is_on = bool(sent)
        return _SEQUENCE.sub("", sent.decode(errors="ignore"))


def _write(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()
