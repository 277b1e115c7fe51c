"""How the command line shows how far it has come."""

from __future__ import annotations

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helpers.reference import CLASSIC_8X8
from knightstour.core.model.errors import FormatError
from knightstour.interfaces.cli import app
from knightstour.interfaces.cli.console import StatusLine, say_error


class Terminal(io.StringIO):
    """A stream that passes for a terminal, and notes when something is written."""

    def __init__(self) -> None:
        super().__init__()
        self.is_written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.is_written.set()
        return super().write(text)


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """What is stderr in this test. (No fixture: pytest has stderr of its own when the test begins.)"""
    it = Terminal()
    monkeypatch.setattr(sys, "stderr", it)
    return it


def test_work_that_says_nothing_reports_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    status = StatusLine()
    threads = set(threading.enumerate())
    with status.ticking(lambda: "at work"):
        assert terminal.is_written.wait(60)
        assert len(set(threading.enumerate()) - threads) == 1
    assert terminal.getvalue().startswith("\r\x1b[Kat work") and set(threading.enumerate()) <= threads
    status.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_work_that_fails_ends_what_reports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_of(monkeypatch)
    threads = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError), StatusLine().ticking(lambda: "at work"):
        raise ZeroDivisionError
    assert set(threading.enumerate()) <= threads


def test_nothing_is_reported_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    threads = set(threading.enumerate())
    with StatusLine().ticking(lambda: "at work"):
        assert set(threading.enumerate()) <= threads


@pytest.mark.parametrize(
    "words, message",
    [
        (["facts", "3x3"], "looking at the board, "),
        (["solve", "6x6"], "searching: 0 nodes, "),
        (["sample", "6x6", "-n", "1"], "getting ready, "),
        (["check", "tour.txt"], "checking, "),
        (["unrank", "3x4", "1"], "numbering all tours, "),
    ],
)
def test_commands_say_what_they_do_before_they_know_how_far_they_are(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tour.txt").write_text(CLASSIC_8X8)
    texts: list[str] = []

    @contextmanager
    def ticking(status: StatusLine, text: Callable[[], str]) -> Iterator[None]:
        texts.append(text())
        yield

    monkeypatch.setattr(StatusLine, "ticking", ticking)
    assert app._run(words, debug=True) in (0, 1)
    assert texts[0].startswith(message) and texts[0].endswith(" s (Ctrl-C stops)")


def test_an_error_writes_what_steers_a_terminal_as_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    say_error(FormatError("in 'a\x1b[2Jb\x07' and \x9b", note="tab\there"))
    assert capsys.readouterr().err == "error: in 'a\\x1b[2Jb\\x07' and \\x9b\nnote: tab\\there\n"
