"""Tests of watched searches on a pseudo terminal, on other streams, and in all sizes."""

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

import knightstour as kt
from helpers.examples import examples
from helpers.strategies import boards
from knightstour.core.drawing.text import text_of
from knightstour.core.methods.solve import SolveSettings
from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.core.model.trace import Trace, View, replay
from knightstour.interfaces.cli import console, watch
from knightstour.interfaces.cli.app import main

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
        """Read the available output after a short wait."""
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
        # This text follows all output of the process.
        os.write(self.slave, THE_END)
        self.wait_for(THE_END)
        self.shown = self.shown.removesuffix(THE_END)
        return self.process.returncode


@contextmanager
def terminal(*words: str, width: int = 80, height: int = 24, **env: str) -> Iterator[Terminal]:
    """Run `knightstour` on a terminal; at the end check that the terminal is restored."""
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


def test_a_search_is_watched_paused_stepped_and_stopped():
    with terminal("solve", "8x8", "--method", "warnsdorff", "--watch") as it:
        it.wait_for(b"2 of 64 squares")
        it.press(" ")
        it.wait_for(b"paused, 10 steps/s")
        *_, step = re.findall(rb"(\d+) of 64 squares", it.shown)
        it.press("  ")
        it.wait_for(b"%d of 64 squares" % (int(step) + 2))
        it.press("+")
        it.wait_for(b"paused, 20 steps/s")
        it.press("\r")
        it.wait_for(b"%d of 64 squares" % (int(step) + 4))
        it.press("\x1b[C\x1b[3~\x1bOAq")
        assert it.code() == 130
    text = plain(it.shown)
    assert "warnsdorff: " in text and "the fewest of" in text
    assert "interrupted after" in plain(it.shown[it.shown.rfind(LEAVES) :])


@pytest.mark.long
@pytest.mark.parametrize("how", ["Ctrl-C", "a signal"])
def test_exit_restores_the_terminal(how):
    with terminal("solve", "8x8", "--method", "backtracking", "--watch", width=40) as it:
        it.wait_for(b"space pause")
        if how == "Ctrl-C":
            it.press("\x03")
        else:
            it.process.send_signal(signal.SIGTERM)
        assert it.code() == (130 if how == "Ctrl-C" else 128 + signal.SIGTERM)
    assert how != "Ctrl-C" or "0 of 1 tour found" in plain(it.shown[it.shown.rfind(LEAVES) :])


def test_printed_tour_matches_the_unwatched_one(capsys):
    words = ["solve", "5x5", "--method", "merge", "--seed", "3"]
    with terminal(*words, "--watch") as it:
        it.wait_for(b"any key goes on")
        it.press("x")
        assert it.code() == 0
    with pytest.raises(SystemExit):
        main(words)
    assert plain(it.shown[it.shown.rfind(LEAVES) :]).strip() == capsys.readouterr().out.strip()


# ---------------------------------------------------------------- elsewhere


def test_without_a_terminal_the_tour_is_printed_with_a_note(run):
    words = ("solve", "5x5", "--method", "warnsdorff", "--seed", "1")
    code, out, err = run(*words, "--watch")
    assert code == 0 and out == run(*words)[1]
    assert "stdout is not a terminal" in err and "-o FILE.gif" in err and "\x1b" not in err


def test_dumb_terminal_is_not_interactive(monkeypatch):
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    monkeypatch.setenv("TERM", "dumb")
    assert not console.is_live()
    monkeypatch.setenv("TERM", "xterm")
    assert console.is_live()


# ---------------------------------------------------------------- frames


def frame(view: View, width: int, height: int) -> list[str]:
    player = watch.Player(view.board, 10)
    player.view = view
    return player.frame(width, height)


def seen(board: Any, method: str, steps: int) -> View:
    """Return the view after this number of events."""
    trace = Trace(limit=steps)
    kt.solve(board, method=method, seed=1, trace=trace, max_nodes=20000)
    *_, view = replay([event for event in trace if event.kind != "tour"], board)
    return view


@pytest.mark.parametrize("size", [(8, 8), (3, 100), (60, 7), "hex:4:king", "2x2x3:king"])
@pytest.mark.parametrize("method", ["warnsdorff", "merge"])
def test_every_frame_fits_its_terminal(size, method):
    view = seen(size, method, 30)
    for width in (9, 40, 80, 120):
        for height in (5, 24, 40):
            lines = frame(view, width, height)
            assert len(lines) <= height and max(map(len, lines)) <= width
    text = "\n".join(lines)
    assert ("squares" in text or "components" in text) and "Ctrl-C stops" in text


def test_path_is_drawn_with_its_counts():
    view = seen("5x5", "backtracking", 12)
    text = "\n".join(frame(view, 80, 24))
    assert text.startswith(f"backtracking: {len(view.path)} of 25 squares, nodes {view.counters['nodes']}")
    board = text_of(Board("5x5"), paths=[[divmod(s, 5) for s in view.path]], width=80, height=19)
    assert board in text


def test_a_board_that_has_no_picture_is_watched_in_words():
    graph = Board.from_graph({"x": ["y"], "y": ["x", "z"], "z": ["y"]})
    assert any("has no squares to draw" in line for line in frame(View(graph), 80, 24))


@given(boards(most_side=8), st.integers(0, 99))
@examples(10)
def test_every_event_of_any_board_can_be_drawn(board, seed):
    trace = Trace(limit=60)
    for method in ("warnsdorff", "merge", "rotation"):
        kt.solve(board, method=method, seed=seed, trace=trace, max_nodes=60)
    for view in replay(trace, board):
        lines = frame(view, 30, 12)
        assert len(lines) <= 12 and max(map(len, lines)) <= 30


# ---------------------------------------------------------------- keys and pace


class ScriptedKeys:
    """Returns one key per request, and finally q."""

    is_on = True

    def __init__(self, keys: str) -> None:
        self.keys = keys

    def open(self) -> None:
        pass

    def close(self) -> None:
        pass

    def get(self, seconds: float) -> str:
        key, self.keys = self.keys[:1] or "q", self.keys[1:]
        return key


def watched_with(monkeypatch: pytest.MonkeyPatch, keys: str, board: Any, **question: Any) -> tuple[Any, list[str]]:
    """Return the result of solve_watched with these keys, and its output."""
    written: list[str] = []
    monkeypatch.setattr(watch, "Keys", lambda: ScriptedKeys(keys))
    monkeypatch.setattr(watch, "_write", written.append)
    settings = SolveSettings(**question)
    return watch.solve_watched(Problem(board), settings), written


def test_a_method_without_steps_shows_its_tour_move_by_move(monkeypatch):
    tours: list[kt.Tour] = []
    question = {"method": "explicit", "on_tour": lambda tour, is_repeat: tours.append(tour)}
    result, written = watched_with(monkeypatch, " " * 200, (8, 8), **question)
    assert result.tour == kt.find_tour((8, 8), seed=result.seed) and tours == [result.tour]
    text = "".join(written)
    assert [k for k in range(1, 65) if f"explicit: {k} of 64 squares" not in text] == []
    assert "found: an open tour of the 8x8 board" in written[-2]


def test_space_pauses_and_steps_and_signs_change_the_speed(monkeypatch):
    player = watch.Player(Board(5, 5), 10)
    monkeypatch.setattr(watch, "_write", lambda text: None)
    player._keys = ScriptedKeys("x +- +\r---")  # type: ignore[assignment]
    said = []
    for _ in range(10):
        player._handle_keys(0)
        said.append((player.is_paused, player.steps, player.speed))
    assert said == [
        (False, 0, 10),
        (True, 0, 10),
        (True, 0, 20),
        (True, 0, 10),
        (True, 1, 10),
        (True, 1, 20),
        (False, 0, 20),
        (False, 0, 10),
        (False, 0, 5),
        (False, 0, 2.5),
    ]
    with pytest.raises(KeyboardInterrupt):
        player._handle_keys(0)


def test_a_speed_has_bounds():
    for speed, shown in ((1e-9, 0.1), (7, 7), (1e9, 10_000)):
        assert watch.Player(Board(5, 5), speed).speed == shown


@pytest.mark.parametrize("method", ["exact", "backtracking"])
def test_a_search_is_stopped_with_or_without_steps(monkeypatch, method):
    monkeypatch.setattr(watch, "_LOOK_SECONDS", 0.0)
    with pytest.raises(KeyboardInterrupt):
        watched_with(monkeypatch, " +\r", (6, 6), method=method)


def test_view_does_not_hide_a_search_error(monkeypatch):
    with pytest.raises(kt.ProblemError, match="unknown ties"):
        watched_with(monkeypatch, "", (6, 6), method="warnsdorff", settings={"ties": "none"})


def test_without_a_terminal_there_are_no_keys(monkeypatch):
    def missing(*anything: Any) -> int:
        raise OSError

    monkeypatch.setattr(os, "open", missing)
    keys = watch.Keys()
    keys.open()
    assert not keys.is_on and keys.get(0) == ""
    keys.close()
