"""How the command line tells how far it is."""

from __future__ import annotations

import io
import sys
import threading

import pytest

from knightstour.console import StatusLine


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
    """What stands for stderr in this test. (No fixture: pytest has stderr of its own when the test begins.)"""
    it = Terminal()
    monkeypatch.setattr(sys, "stderr", it)
    return it


def test_work_that_says_nothing_is_told_of_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    status = StatusLine()
    threads = set(threading.enumerate())
    with status.ticking(lambda: "at work"):
        assert terminal.is_written.wait(60)
        assert len(set(threading.enumerate()) - threads) == 1
    assert terminal.getvalue().startswith("\r\x1b[Kat work") and set(threading.enumerate()) <= threads
    status.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_work_that_fails_ends_what_is_told_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_of(monkeypatch)
    threads = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError), StatusLine().ticking(lambda: "at work"):
        raise ZeroDivisionError
    assert set(threading.enumerate()) <= threads


def test_nothing_is_told_where_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    threads = set(threading.enumerate())
    with StatusLine().ticking(lambda: "at work"):
        assert set(threading.enumerate()) <= threads
