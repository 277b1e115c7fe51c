"""Watch a search: live on a terminal, at a speed that eyes can follow, or as lines of a log elsewhere.

`solve_watched` calls methods.solve with a trace whose listener draws each event and waits. So the watcher sees the
search itself, not a recording, and may stop it at any moment. Keys: space pauses, + and - change the speed, n or the
right arrow goes one step, e goes to the end at full speed, q stops. Methods that report no steps show their nodes, and
at the end their tour, move by move.

On a terminal the view takes the whole screen. It gives the screen back, with its mode and its cursor, however it ends:
at the end, on q, Ctrl-C, Ctrl-Z, an error or a signal. The tours are printed after it, as without watching. Elsewhere,
and on terminals that cannot do this, plain lines on stderr describe the first steps, and the search then goes on at
full speed.
"""

from __future__ import annotations

import os
import signal
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from knightstour.core.methods import table
from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board, Square
from knightstour.core.model.budget import NO_LIMITS, Limits
from knightstour.core.model.errors import MethodError, ProblemError
from knightstour.core.model.problem import Problem, Question
from knightstour.core.model.progress import OnProgress, Progress
from knightstour.core.model.result import Result
from knightstour.core.model.sentences import sentence
from knightstour.core.model.tour import Tour
from knightstour.core.model.trace import Event, Trace, View
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.watch.board_pane import BoardPane, counters_of
from knightstour.interfaces.cli.watch.keys import Keys

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

DEFAULT_SPEED: Final = 10.0
# From this speed on nothing waits, and only drawing takes time: 25 pictures a second, and at most half of the time.
FULL_SPEED: Final = 100_000.0
_SLOWEST: Final = 0.1
# Each picture looks at the whole board, in interpreted Python, so larger boards would be too slow.
MAX_SQUARES: Final = 10_000

_KEYS = ("space pause", "+ - speed", "n step", "e to the end", "q stop")
_FRAME_SECONDS = 0.04
# How often the screen shows the nodes of a search without steps.
_LOOK_SECONDS = 0.1
# How often the screen is checked for another size while nothing happens.
_IDLE_SECONDS = 0.25
_COUNTERS_WIDTH = 30
_LOG_LINES = 200

# Events that change the board, so each is one step.
_STEPS = ("visit", "unvisit", "reverse", "path", "cover", "join", "repair", "restart", "tour")


def solve_watched(
    board: Question,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    speed: float | None = None,
    on_tour: Callable[[Tour, bool], None] | None = None,
    on_progress: OnProgress | None = None,
    limits: Limits | None = None,
    **asked: Any,
) -> Result:
    """methods.solve, watched. Its tours go to `on_tour` when the screen is free again.

    speed: steps a second; by default 10 on a terminal and as fast as possible in a log.
    limits: none by default, since the watcher can stop the search. Limits count the time of watching.

    Raises KeyboardInterrupt on Ctrl-C and when the watcher stops the search; MethodError for a board that is too large
    to be watched.
    """
    problem = Problem.of(board, closed=closed, start=start, end=end)
    board = problem.board
    if board.square_count > MAX_SQUARES:
        raise MethodError(
            f"a board of {board.square_count:,} squares cannot be watched",
            help=f"leave out --watch, or take one of up to {MAX_SQUARES:,}",
        )
    if speed is not None and not speed > 0:
        raise ProblemError(f"a speed of {speed:g} steps a second makes no sense", help="give more than 0")
    screen: LiveScreen | Log = LiveScreen(board, speed or DEFAULT_SPEED) if console.is_live() else Log(board, speed)
    asked |= {"limits": NO_LIMITS if limits is None else limits, "trace": screen.trace}
    found: list[tuple[Tour, bool]] = []
    try:
        with screen:
            result = solve(
                problem,
                on_tour=lambda tour, is_repeat: found.append((tour, is_repeat)),
                on_progress=_both(on_progress, screen.progress),
                **asked,
            )
            screen.finish(result)
    finally:
        for tour, is_repeat in found:
            if on_tour is not None:
                on_tour(tour, is_repeat)
    return result


def _both(first: OnProgress | None, second: OnProgress) -> OnProgress:
    def report(progress: Progress) -> None:
        if first is not None:
            first(progress)
        second(progress)

    return report


class Pace:
    """How fast the steps follow each other, and whether they wait for a key."""

    def __init__(self, speed: float) -> None:
        self.speed = min(max(speed, _SLOWEST), FULL_SPEED)
        self.is_paused = False
        self._steps = 0
        self._due = time.monotonic()

    def press(self, key: str) -> None:
        """Do what a key means; other keys mean nothing here."""
        if key == " ":
            self.is_paused = not self.is_paused
        elif key in ("n", "right"):
            self._steps += self.is_paused
            self.is_paused = True
        elif key in ("+", "="):
            self.speed = min(self.speed * 2, FULL_SPEED)
        elif key in ("-", "_"):
            self.speed = max(self.speed / 2, _SLOWEST)
        else:
            return
        self._due = min(self._due, time.monotonic() + 1 / self.speed)

    def begin_step(self) -> None:
        """Set when the next step is due. Steps that came late are not made up for."""
        if self.speed < FULL_SPEED:
            self._due = max(self._due, time.monotonic() - _FRAME_SECONDS) + 1 / self.speed

    def left(self) -> float:
        """Seconds until the next step; infinite while paused."""
        if self.is_paused and self._steps:
            self._steps -= 1
            return 0.0
        return float("inf") if self.is_paused else max(0.0, self._due - time.monotonic())

    def __str__(self) -> str:
        number = f"{self.speed:,.0f}" if self.speed >= 10 else f"{self.speed:.2g}"
        speed = "full speed" if self.speed >= FULL_SPEED else f"{number} steps/s"
        return f"paused, {speed}" if self.is_paused else speed


class LiveScreen:
    """The search on a terminal. A context: from its beginning to its end it has the whole screen."""

    def __init__(self, board: Board, speed: float) -> None:
        from rich.console import Console
        from rich.live import Live

        self.trace = Trace(limit=0, on_event=self._take)
        self.view = View(board)
        self.pace = Pace(speed)
        self._console = Console(file=sys.stdout, highlight=False)
        is_ascii = not (self._console.encoding or "").lower().startswith("utf")
        self._pane = BoardPane(board, is_ascii=is_ascii)
        self._keys = Keys()
        self._live = Live(
            console=self._console, screen=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
        )
        self._signals: dict[int, Any] = {}
        # Whether the stage has made steps to wait at; and the nodes that the search has reported.
        self._reports = False
        self._nodes = 0
        self._rate = 0.0
        self._rated = (time.monotonic(), 0)
        # What is shown below the board: an event and a text, or the answer.
        self._last: Event | None = None
        self._note = ""
        self._ending = ""
        self._drawn_at = 0.0
        self._drawing = 0.0
        self._size = (0, 0)

    def __enter__(self) -> LiveScreen:
        # Only the main thread can handle signals.
        if threading.current_thread() is threading.main_thread():
            # Not every system has all of them.
            for name, handler in (("SIGTERM", self._end), ("SIGHUP", self._end), ("SIGTSTP", self._stop_for_a_while)):
                if hasattr(signal, name):
                    number = getattr(signal, name)
                    self._signals[number] = signal.signal(number, handler)
        try:
            self._keys.__enter__()
            self._live.start()
            self._draw()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *failure: object) -> None:
        # A second Ctrl-C must not come between the screen and the keys.
        if self._signals:
            self._signals[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._live.stop()
        finally:
            self._keys.__exit__()
            for number, handler in self._signals.items():
                signal.signal(number, handler)

    def _end(self, number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    def _stop_for_a_while(self, number: int, frame: FrameType | None) -> None:
        """Ctrl-Z: give the terminal back, stop, and take it again when the shell lets us go on."""
        self._live.stop()
        self._keys.suspend()
        signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, self._stop_for_a_while)
        self._keys.resume()
        self._live.start()
        self._draw()

    # ------------------------------------------------------------ what happens

    def _take(self, event: Event) -> None:
        """Show the view before an event for its time, then apply the event."""
        if event.kind == "tour" and not self.view.path and not self.view.links:
            # The method has reported no steps, so its tour is shown move by move.
            for square in event.squares:
                self._take(Event("visit", (square,)))
        if event.kind in _STEPS:
            self._reports = True
            # An empty board is not worth waiting for.
            if self.view.path or self.view.links:
                self._wait()
        self.view.apply(event)
        if event.kind == "stage":
            self._last = None
            self._reports = False
            is_silent = event.name in table.METHODS and not table.METHODS[event.name].watchable
            self._note = f"{event.name} reports no steps: its tour, move by move" if is_silent else ""
        elif event.kind not in ("count", "candidates"):
            # For speed, its sentence is made only when it is drawn.
            self._last = event

    def progress(self, progress: Progress) -> None:
        """Note the nodes of the search. While it makes no events, this draws and reads the keys."""
        self._nodes = progress.done
        if time.monotonic() - self._drawn_at >= _LOOK_SECONDS:
            self._look()
        while not self._reports and self.pace.left() == float("inf"):
            self._look(_IDLE_SECONDS)

    def _wait(self) -> None:
        """Show the view until it is time for the next step."""
        self.pace.begin_step()
        left = self.pace.left()
        frame = max(_FRAME_SECONDS, self._drawing)
        if left < frame and time.monotonic() - self._drawn_at < frame:
            if left > 0:
                time.sleep(left)
            return
        self._look()
        while (left := self.pace.left()) > 0:
            self._look(min(left, _IDLE_SECONDS), is_still=True)

    def _look(self, seconds: float = 0.0, *, is_still: bool = False) -> None:
        """Draw, unless nothing can have changed, and wait for a key; then do what the keys mean."""
        if not is_still or self._console.size != self._size:
            self._draw()
        key = self._keys.get(seconds)
        while key:
            if key == "q":
                raise KeyboardInterrupt
            if key == "e":
                # Without a listener the search no longer goes step by step.
                self.trace.on_event = None
                self._reports = False
                self.pace = Pace(FULL_SPEED)
            self.pace.press(key)
            if self.pace.is_paused:
                self._rated = (time.monotonic(), self._nodes)
            self._draw()
            key = self._keys.get(0)

    def finish(self, result: Result) -> None:
        """Show the answer until a key is pressed; without keys just leave."""
        if result.tour is not None and self.view.tour is None:
            self._last = Event("tour", tuple(result.tour.order.tolist()))
            self.view.apply(self._last)
        self.view.stage = result.method
        self._nodes = result.nodes
        self._rate = result.nodes / max(result.seconds, 1e-9)
        self._rated = (float("inf"), 0)
        if self.trace.on_event is None:
            # The view has not seen all events, but the method has counted them.
            self.view.counters.clear()
            self.view.counters.update(result.counters)
        self._ending = f"{result.status.value}: {result.problem}"
        if result.reason:
            self._ending += f"; {result.reason}"
        self.trace.on_event = None
        self._draw()
        try:
            while self._keys.is_on and not self._keys.get(_IDLE_SECONDS):
                if self._console.size != self._size:
                    self._draw()
        except KeyboardInterrupt:
            # The search is over, and its answer is not lost by this.
            pass

    # ------------------------------------------------------------ what is seen

    def _draw(self) -> None:
        now = time.monotonic()
        before, nodes = self._rated
        if now - before >= 1.0 and not self.pace.is_paused:
            self._rate = (self._nodes - nodes) / (now - before)
            self._rated = (now, self._nodes)
        self._size = self._console.size
        self._live.update(self._frame(*self._size), refresh=True)
        self._drawn_at = time.monotonic()
        self._drawing = self._drawn_at - now

    def _frame(self, width: int, height: int) -> RenderableType:
        """Everything in these columns and lines: side by side if there is room, else one below the other."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        method = self.view.stage.removeprefix("portfolio: ")
        title = Text(self.view.stage, "bold", no_wrap=True, overflow="ellipsis")
        if method in table.METHODS:
            title.append(f"  {table.METHODS[method].summary}", "not bold dim")
        counters = counters_of(self.view, self._nodes, self._rate)
        said = "" if self._last is None else self._said(self._last)
        below = textwrap.wrap(self._ending or " - ".join(filter(None, (said, self._note))), width)[:4] or [""]
        is_beside = width >= self._pane.width() + 3 + _COUNTERS_WIDTH
        lines = [] if is_beside else _in_lines(counters, width)
        keys = self._key_lines(width)
        room = height - 1 - len(below) - len(lines) - len(keys) - 1
        board, note = self._pane.draw(self.view, width - (3 + _COUNTERS_WIDTH) * is_beside, max(1, room))
        shown: RenderableType = board
        if is_beside:
            shown = Table.grid(padding=(0, 3))
            shown.add_row(board, _in_column(counters))
        notes = [Text(line, no_wrap=True) for line in lines]
        notes.append(Text(note, "yellow", no_wrap=True, overflow="ellipsis"))
        notes += [Text(line, "bold" if self._ending else "") for line in below]
        return Group(title, shown, *notes, *keys)

    def _said(self, event: Event) -> str:
        """The step, and at a dead end what is around it; the ways there are elsewhere are on the board."""
        view = self.view
        is_stuck = view.is_listed and not view.candidates
        ahead = sentence(Event("candidates"), view) if is_stuck else ""
        return "; ".join(filter(None, (_step(event, view), ahead)))

    def _key_lines(self, width: int) -> list[Text]:
        from rich.text import Text

        if self._ending:
            return [Text("any key goes on", "reverse")] if self._keys.is_on else []
        keys = "   ".join(_KEYS) if self._keys.is_on else "Ctrl-C stops"
        state = Text(str(self.pace), "bold reverse" if self.pace.is_paused else "bold")
        if len(keys) + 3 + len(state) <= width:
            return [state.append("   " + keys, "not bold not reverse dim")]
        return [state, *(Text(line, "dim") for line in textwrap.wrap(keys, width))]


def _step(event: Event, view: View) -> str:
    """What an event did and why, with its place in the path."""
    number = f"{len(view.path)}. " if event.kind == "visit" else ""
    return number + sentence(event, view)


def _in_column(counters: list[tuple[str, str]]) -> Text:
    from rich.text import Text

    text = Text(no_wrap=True)
    for name, number in counters:
        text.append(f"{name:<16}", "dim")
        text.append(f"{number:>14}\n", "bold")
    return text


def _in_lines(counters: list[tuple[str, str]], width: int) -> list[str]:
    """The counters one after another, in as few lines as they need."""
    lines: list[str] = []
    for part in (f"{name} {number}" for name, number in counters):
        if lines and len(lines[-1]) + 3 + len(part) <= width:
            lines[-1] += f"   {part}"
        else:
            lines.append(part)
    return lines


class Log:
    """The first two hundred steps of the search as plain lines on stderr; the rest goes on without lines."""

    def __init__(self, board: Board, speed: float | None) -> None:
        self.trace = Trace(limit=0, on_event=self._take)
        self.view = View(board)
        self._pause = 0.0 if speed is None else 1 / speed
        self._lines = 0
        self._line = ""

    def __enter__(self) -> Log:
        return self

    def __exit__(self, *failure: object) -> None:
        self._say()

    def _take(self, event: Event) -> None:
        view = self.view
        view.apply(event)
        if event.kind == "stage":
            self._say()
            self._line = event.name
            if event.name in table.METHODS:
                row = table.METHODS[event.name]
                self._line += f": {row.summary}" + ("" if row.watchable else " (reports no steps)")
            self._say()
        elif event.kind == "candidates":
            # One line describes a move and the candidates after it.
            self._line += ("; " if self._line else "") + sentence(event, view)
        elif event.kind != "count":
            self._say()
            if self._lines == _LOG_LINES:
                self._line = "the rest of the steps are not shown; the search goes on at full speed to its answer"
                self._say()
                self.trace.on_event = None
                return
            self._line = _step(event, view)
            time.sleep(self._pause)

    def _say(self) -> None:
        if self._line:
            click.echo(self._line.rstrip("; "), err=True)
            self._lines += 1
        self._line = ""

    def progress(self, progress: Progress) -> None:
        """Do nothing: the answer says the nodes."""

    def finish(self, result: Result) -> None:
        """The answer and what was counted."""
        self._say()
        counted = {"nodes": result.nodes, **result.counters}
        numbers = ", ".join(f"{name.replace('_', ' ')} {number:,}" for name, number in counted.items())
        self._line = f"{result.status.value} by {result.method}: {numbers}"
        self._say()
