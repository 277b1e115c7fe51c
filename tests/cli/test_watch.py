"""Watching a search: in a terminal of its own (a pseudo terminal), as a log, and drawn at all sizes."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

import knightstour as kt
from helpers.examples import examples
from helpers.strategies import boards
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.sentences import sentence
from knightstour.core.model.trace import Event, Trace, View, replay
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.app import main
from knightstour.interfaces.cli.watch import screen as watch
from knightstour.interfaces.cli.watch.board_pane import BoardPane, counters_of
from knightstour.interfaces.cli.watch.keys import Keys, keys_of

ENTERS, LEAVES = b"\x1b[?1049h", b"\x1b[?1049l"
THE_END = b"\x00the end\x00"
HIDES, SHOWS = b"\x1b[?25l", b"\x1b[?25h"
# The process makes the pseudo terminal its own, as a shell's jobs have theirs.
IN_TERMINAL = (
    "import fcntl, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0); "
    "from knightstour.interfaces.cli.app import main; main()"
)


class Terminal:
    """A process on a pseudo terminal."""

    def __init__(self, process: subprocess.Popen[bytes], master: int, slave: int) -> None:
        self.process, self.master, self.slave = process, master, slave
        self.shown = b""

    def read(self) -> None:
        """Take what is there, after a wait for it that is short."""
        if select.select([self.master], [], [], 0.1)[0]:
            self.shown += os.read(self.master, 1 << 16)

    def wait_for(self, text: bytes) -> None:
        self.wait_for_pattern(re.escape(text))

    def wait_for_pattern(self, pattern: bytes) -> None:
        end = time.monotonic() + 120
        while not re.search(pattern, self.shown):
            assert time.monotonic() < end, self.shown[-2000:]
            self.read()

    def press(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def code(self) -> int:
        end = time.monotonic() + 120
        while self.process.poll() is None:
            assert time.monotonic() < end, self.shown[-2000:]
            self.read()
        # What is written now comes behind all that the process has written.
        os.write(self.slave, THE_END)
        self.wait_for(THE_END)
        self.shown = self.shown.removesuffix(THE_END)
        return self.process.returncode


@contextmanager
def terminal(*words: str, width: int = 80, height: int = 24, **env: str) -> Iterator[Terminal]:
    """`knightstour` with these words on a terminal; checked at the end: it is as it was."""
    import fcntl
    import pty
    import struct
    import termios

    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
    before = termios.tcgetattr(slave)
    process = subprocess.Popen(
        [sys.executable, "-c", IN_TERMINAL, *words],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        env={**os.environ, "TERM": "xterm-256color", "PYTHONUTF8": "1", **env},
    )
    it = Terminal(process, master, slave)
    try:
        yield it
        it.code()
        assert termios.tcgetattr(slave) == before
        assert it.shown.count(ENTERS) == it.shown.count(LEAVES)
        assert it.shown.rfind(SHOWS) >= it.shown.rfind(HIDES)
    finally:
        process.kill()
        process.wait()
        os.close(master)
        os.close(slave)


def plain(shown: bytes) -> str:
    """The text without control codes."""
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode()).replace("\r\n", "\n")


# ---------------------------------------------------------------- in a terminal


def test_a_search_is_watched_paused_stepped_and_stopped(capfd):
    with terminal("solve", "8x8", "--method", "warnsdorff", "--watch", "--speed", "1", NO_COLOR="1") as it:
        it.wait_for(b"1. ")
        it.press(" ")
        it.wait_for(b"paused")
        *_, step = re.findall(rb"(\d+)\. (?:to|the knight)", it.shown[: it.shown.rfind(b"paused")])
        it.press("nn\x1b[C+")
        it.wait_for(b"2 steps/s")
        it.wait_for(b"%d. " % (int(step) + 3))
        it.press("q")
        assert it.code() == 130
    text = plain(it.shown)
    assert "goes to the square with the fewest ways on" in text and "failed moves" in text
    # Colours are 30 to 37, 90 to 97 and 38: with NO_COLOR there are none, but bold and dim stay.
    assert not re.search(rb"\x1b\[(\d+;)*(3[0-8]|9[0-7])[;m]", it.shown) and b"\x1b[2m" in it.shown
    assert "interrupted after" in plain(it.shown[it.shown.rfind(LEAVES) :])


@pytest.mark.long
@pytest.mark.parametrize("how", ["Ctrl-C", "a signal"])
def test_what_ends_the_process_gives_the_terminal_back(how):
    with terminal("solve", "8x8", "--method", "backtracking", "--watch", width=40) as it:
        it.wait_for(b"space pause")
        if how == "Ctrl-C":
            it.press("\x03")
        else:
            it.process.send_signal(signal.SIGTERM)
        assert it.code() == (130 if how == "Ctrl-C" else 128 + signal.SIGTERM)
    assert how != "Ctrl-C" or "0 of 1 tour found" in plain(it.shown[it.shown.rfind(LEAVES) :])


@pytest.mark.long
def test_the_tour_is_printed_after_the_view_and_is_the_one_without_watching(capsys):
    words = ["solve", "5x5", "--method", "merge", "--seed", "3"]
    with terminal(*words, "--watch", "--speed", "1") as it:
        it.wait_for(b"space pause")
        # The loops have colours; the tour at the end has not.
        it.wait_for_pattern(rb"\x1b\[3[1-6]m")
        it.press("e")
        it.wait_for(b"any key goes on")
        it.press("x")
        assert it.code() == 0
    with pytest.raises(SystemExit):
        main(words)
    assert plain(it.shown[it.shown.rfind(LEAVES) :]).strip() == capsys.readouterr().out.strip()


# ---------------------------------------------------------------- as a log


def test_elsewhere_the_steps_are_plain_lines_on_stderr(run):
    words = ("solve", "5x5", "--method", "warnsdorff", "--seed", "1")
    code, out, err = run(*words, "--watch")
    assert code == 0 and out == run(*words)[1]
    lines = err.splitlines()
    assert "\x1b" not in err and len(lines) == 28
    assert lines[0].startswith("warnsdorff: goes to the square")
    assert lines[1] == "1. the knight is put down on a5; next may be b3 (5) or c4 (5)"
    assert lines[-2] == "a tour is found, from a5 to c3"
    assert lines[-1] == "found by warnsdorff: nodes 25, restarts 0, critical points 4, backs 0"


def test_a_log_is_bounded_and_the_search_goes_on(run):
    words = ("solve", "8x8", "--method", "backtracking", "--set", "prune=none", "--start", "a1")
    code, out, err = run(*words, "--watch")
    lines = err.splitlines()
    assert code == 0 and len(out.split()) == 64
    assert 200 < len(lines) < 210 and any(" is a dead end: " in line for line in lines)
    assert lines[-1].startswith("found by backtracking: nodes 3,242,065")


def test_a_log_names_the_stages_of_auto_and_the_reason(run):
    code, _, err = run("solve", "4x4", "--closed", "--watch", "--speed", "1e6")
    assert code == 1
    assert "explicit: builds the tour of any rectangle" in err and "(reports no steps)" in err
    assert err.splitlines()[-1] == "impossible by explicit: nodes 0"


def test_a_dumb_terminal_gets_the_log(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    assert not console.is_live()
    monkeypatch.setenv("TERM", "xterm")
    assert console.is_live()


# ---------------------------------------------------------------- what is drawn


def frame(view: View, width: int, height: int) -> list[str]:
    """The lines of a frame."""
    screen = watch.LiveScreen(view.board, 10)
    screen.view = view
    console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
    console.print(screen._frame(width, height))
    return console.file.getvalue().splitlines()


def seen(board: Any, method: str, steps: int, **question: Any) -> View:
    """The view after this many events."""
    message = Trace(limit=steps)
    kt.solve(board, method=method, rng=1, trace=message, limits=Limits(nodes=20000), **question)
    *_, view = replay([event for event in message if event.kind != "tour"], board)
    return view


@pytest.mark.long
@pytest.mark.parametrize("width", [40, 80, 200])
@pytest.mark.parametrize("size", [(8, 8), (16, 16), (3, 100), (60, 7), (100, 100)])
@pytest.mark.parametrize("method", ["warnsdorff", "merge"])
def test_every_frame_fits_its_terminal(width, size, method):
    view = seen(size, method, 30)
    for height in (12, 24, 50):
        lines = frame(view, width, height)
        assert len(lines) <= height and max(map(len, lines)) <= width
        text = "\n".join(lines)
        assert ("squares" in text or "components" in text) and "Ctrl-C stops" in text
        if method == "warnsdorff":
            assert text.count("♞") == 1
        is_whole = sum(line.count("·") for line in lines) + len(view.path) >= size[0] * size[1]
        if size in ((60, 7), (100, 100)) and height < 60:
            assert re.search(rf"only rows \d+-\d+ of {size[0]}", text) or is_whole
        if size == (3, 100) and width < 100:
            assert re.search(r"columns \d+-\d+ of 100", text)


def test_numbers_degrees_and_the_knight_are_in_their_squares():
    view = View((8, 8))
    for event in (Event("visit", (56, 41, 51)), Event("candidates", (34, 61), (5, 3))):
        view.apply(event)
    text, note = BoardPane(view.board).draw(view, 80, 24)
    assert note == ""
    assert [" ".join(line.split()) for line in text.plain.splitlines()[3:]] == [
        "5 · · · · · · · ·",
        "4 · · (5) · · · · ·",
        "3 · 2 · · · · · ·",
        "2 · · · ♞ · · · ·",
        "1 1 · · · · (3) · ·",
        "a b c d e f g h",
    ]
    styles = {text.plain[span.start : span.end]: span.style for span in text.spans}
    assert styles["(3)"] == "bold green" and styles["(5)"] == "green" and styles["♞"] == "bold reverse"
    narrow, note = BoardPane(view.board, is_ascii=True).draw(view, 20, 24)
    assert note == "numbers need 34 columns"
    assert narrow.plain.splitlines()[-3:] == ["2  . . . N . . . .", "1  o . . . . 3 . .", "   a b c d e f g h"]
    assert narrow.plain.isascii()


def test_holes_are_empty_and_graphs_have_no_names():
    board = Board.from_text(".#.\n...\n...")
    text, _ = BoardPane(board).draw(View(board), 40, 10)
    assert text.plain.splitlines()[0] == "3    ·       ·"
    graph = Board.from_graph({"x": ["y"], "y": ["x"]})
    text, _ = BoardPane(graph).draw(View(graph), 40, 10)
    assert text.plain.split() == ["·", "·"]


def test_the_window_follows_the_knight_and_stays_while_it_may():
    pane, view = BoardPane(Board(100, 100)), View((100, 100))
    view.apply(Event("visit", (5050,)))
    first = pane.draw(view, 40, 10)
    view.apply(Event("visit", (5050 + 201,)))
    second = pane.draw(view, 40, 10)
    assert first[1] == second[1] == "only rows 46-55 of 100, columns 31-70 of 100"
    view.apply(Event("visit", (0,)))
    assert pane.draw(view, 40, 10)[1] == "only rows 91-100 of 100, columns 1-40 of 100"


def test_a_loop_keeps_its_number_while_others_join_it():
    pane, view = BoardPane(Board(4, 4)), View((4, 4))
    view.apply(Event("cover", (0, 6, 6, 0, 1, 7, 7, 1, 9, 15, 15, 9)))
    assert pane.draw(view, 80, 24)[0].plain.split().count("3") == 3
    view.apply(Event("join", (0, 6, 1, 7, 0, 7, 6, 1), (2, 2)))
    squares = [word for line in pane.draw(view, 80, 24)[0].plain.splitlines()[:4] for word in line.split()[1:]]
    assert squares.count("1") == 4 and squares.count("2") == 0 and squares.count("3") == 2


@given(boards(most_side=8), st.integers(0, 99))
@examples(10)
def test_every_event_of_any_board_can_be_reported_and_drawn(board, seed):
    message = Trace(limit=300)
    for method in ("warnsdorff", "merge", "rotation"):
        kt.solve(board, method=method, rng=seed, trace=message, limits=Limits(nodes=300))
    pane = BoardPane(board)
    for event, view in zip(message, replay(message, board), strict=True):
        assert isinstance(sentence(event, view), str)
        text, _ = pane.draw(view, 30, 8)
        assert len(text.plain.splitlines()) <= 8 and max(map(len, text.plain.splitlines())) <= 30
    assert dict(counters_of(view, 1234567, 1e6))["nodes/s"] == "1,000,000"


# ---------------------------------------------------------------- keys and pace


def test_keys_are_read_one_by_one_from_what_a_terminal_sends():
    assert keys_of("\x1b[C\x1bOCn+- q\r") == ["right", "right", "n", "+", "-", " ", "q", "enter"]
    assert keys_of("\x1b") == ["escape"] and keys_of("\x1b[15~\x1b[1;5Cx") == ["x"]


def test_without_a_terminal_there_are_no_keys(monkeypatch):
    def missing(*anything: Any) -> int:
        raise OSError

    monkeypatch.setattr(os, "open", missing)
    with Keys() as keys:
        assert not keys.is_on and keys.get(0) == ""


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in its first item, for who waits."""
    now = [100.0]
    monkeypatch.setattr(watch.time, "monotonic", lambda: now[0])
    return now


def test_pace_waits_pauses_steps_and_changes_its_speed(clock):
    pace = watch.Pace(10)
    pace.begin_step()
    assert pace.left() == pytest.approx(0.1) and str(pace) == "10 steps/s"
    clock[0] += 0.1
    assert pace.left() == pytest.approx(0)
    pace.press(" ")
    assert pace.left() == float("inf") and str(pace) == "paused, 10 steps/s"
    pace.press("n")
    assert pace.left() == 0 and pace.left() == float("inf")
    pace.press(" ")
    for _ in range(40):
        pace.press("+")
    pace.begin_step()
    assert pace.left() == pytest.approx(0) and str(pace) == "full speed"
    for _ in range(40):
        pace.press("-")
    assert str(pace) == "0.1 steps/s"
    # The first press of the step key only pauses.
    running = watch.Pace(1)
    running.press("right")
    assert running.is_paused and running.left() == float("inf")


def test_late_steps_are_not_made_good(clock):
    pace = watch.Pace(10)
    clock[0] += 60
    pace.begin_step()
    assert pace.left() == pytest.approx(0.06)
    pace.begin_step()
    assert pace.left() == pytest.approx(0.16)


class ScriptedKeys:
    """Keys that come one after another, whenever they are asked for; then none, and q before anybody waits for ever."""

    is_on = True

    def __init__(self, keys: list[str]) -> None:
        self.keys = keys
        self.asked = 0

    def __enter__(self) -> "ScriptedKeys":
        return self

    def __exit__(self, *failure: object) -> None:
        pass

    def get(self, seconds: float) -> str:
        self.asked += 1
        # Until the next step the search is waited for as ever; what waits for a key alone gets it at once.
        if seconds < watch._IDLE_SECONDS:
            time.sleep(seconds)
        # Each is followed by no other at once, as people type.
        if self.asked > 1000:
            return "q"
        return self.keys.pop(0) if self.keys and self.asked % 2 else ""


def watched_with(
    monkeypatch: pytest.MonkeyPatch, keys: list[str], board: Any, **question: Any
) -> tuple[Any, list[str]]:
    """solve_watched as on a terminal, with these keys, and what its frames showed below the board."""
    message: list[str] = []
    frames = watch.LiveScreen._frame

    def noted(self: watch.LiveScreen, width: int, height: int) -> Any:
        console = Console(file=io.StringIO(), width=width, height=height, color_system=None)
        console.print(frames(self, width, height))
        message.append(console.file.getvalue())
        return frames(self, width, height)

    monkeypatch.setattr(watch.console, "is_live", lambda: True)
    monkeypatch.setattr(watch, "Keys", lambda: ScriptedKeys(keys))
    monkeypatch.setattr(watch.LiveScreen, "_frame", noted)
    return watch.solve_watched(board, **question), message


def test_a_method_without_steps_shows_its_tour_move_by_move(monkeypatch):
    tours: list[kt.Tour] = []
    question = {"method": "explicit", "speed": 400, "on_tour": lambda tour, is_repeat: tours.append(tour)}
    result, message = watched_with(monkeypatch, [" ", "n", "n", " "], (8, 8), **question)
    assert result.tour == kt.find_tour((8, 8), rng=result.seed) and tours == [result.tour]
    # What is said may go on in the next line.
    assert any("explicit reports no steps: its tour, move by move" in " ".join(text.split()) for text in message)
    assert "found: an open tour of the 8x8 board" in message[-1] and "64 of 64" in message[-1]


def test_what_is_counted_at_the_end_is_the_methods_own_once_nobody_looks(monkeypatch):
    question = {"method": "backtracking", "start": "e5", "prune": "stranded", "speed": 1000, "rng": 1}
    result, message = watched_with(monkeypatch, ["e", "x"], (5, 5), **question)
    assert result.tour == kt.solve((5, 5), method="backtracking", start="e5", prune="stranded").tour
    assert re.search(rf"nodes +{result.nodes:,}\b", message[-1]) and re.search(
        rf"backs +{result.counters['backs']:,}\b", message[-1]
    )


def test_a_search_without_steps_is_paused_and_stopped_too(monkeypatch):
    monkeypatch.setattr(watch, "_LOOK_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        watched_with(monkeypatch, [" ", "+", " ", "q"], (6, 6), method="exact")


def test_an_error_of_the_search_is_not_hidden_by_the_view(monkeypatch):
    with pytest.raises(kt.MethodError, match="unknown ties"):
        watched_with(monkeypatch, [], (6, 6), method="warnsdorff", ties="none")
