"""Tests of progress reports on the command line."""

import io
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from helpers.reference import CLASSIC_8X8
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import Progress
from knightstour.interfaces.cli import app
from knightstour.interfaces.cli.console import StatusLine, line_of, print_error, print_message

AT_WORK = Progress("at work", 0, None, 3.0)


class Terminal(io.StringIO):
    """A stream that imitates a terminal and records the time of output."""

    def __init__(self) -> None:
        super().__init__()
        self.is_written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.is_written.set()
        return super().write(text)


def terminal_of(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """Replace stderr. This is not a fixture, since pytest replaces stderr when the test begins."""
    it = Terminal()
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setattr(sys, "stderr", it)
    return it


def test_silent_work_reports_until_it_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    status = StatusLine()
    threads = set(threading.enumerate())
    with status.ticking(lambda: AT_WORK):
        assert terminal.is_written.wait(60)
        assert len(set(threading.enumerate()) - threads) == 1
    assert (
        terminal.getvalue().startswith("\r\x1b[Kat work  Ctrl-C stops  3 s") and set(threading.enumerate()) <= threads
    )
    status.clear()
    assert terminal.getvalue().endswith("\r\x1b[K")


def test_a_message_takes_the_place_of_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = terminal_of(monkeypatch)
    status = StatusLine("graph 3: ")
    monkeypatch.setattr(status, "_next", 0.0)
    status.progress(AT_WORK)
    print_message("note", "interrupted")
    status.clear()
    assert "graph 3: at work" in terminal.getvalue() and terminal.getvalue().endswith("3 s\r\x1b[Knote: interrupted\n")


LONG = Progress("counting", 500, 1000, 60.0, "joining the halves: 1 of 364, 2,027,106 states, 9.84 MB")


@pytest.mark.parametrize("width", range(1, 200))
def test_remaining_time_is_shown_if_the_line_has_room(width: int) -> None:
    line = line_of(LONG, width)
    assert len(line) <= width and "\n" not in line and "," not in line.replace("2,027,106", "")
    assert line.endswith("about 60 s to go") if width >= 16 else line


@pytest.mark.parametrize(
    ("report", "width", "line"),
    [
        (LONG, 60, "counting  50 %  joining the halves: 1 of …  about 60 s to go"),
        (LONG, 40, "counting  50 %  about 60 s to go"),
        (LONG._replace(note=""), 80, "counting  50 %  Ctrl-C stops  60 s  about 60 s to go"),
        (Progress("checking", 30, 120, 1.0), 80, "checking  30 of 120  Ctrl-C stops  1 s"),
        (Progress("searching", 7, None, 90.0, "7 nodes"), 80, "searching  7 nodes  Ctrl-C stops  90 s"),
        (Progress("counting", 10, 1000, 90.0), 80, "counting  1 %  Ctrl-C stops  90 s"),
    ],
)
def test_line_has_the_columns_that_fit(report: Progress, width: int, line: str) -> None:
    assert line_of(report, width) == line


def test_work_that_fails_ends_what_reports_it(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal_of(monkeypatch)
    threads = set(threading.enumerate())
    with pytest.raises(ZeroDivisionError), StatusLine().ticking(lambda: AT_WORK):
        raise ZeroDivisionError
    assert set(threading.enumerate()) <= threads


def test_no_progress_without_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    threads = set(threading.enumerate())
    with StatusLine().ticking(lambda: AT_WORK):
        assert set(threading.enumerate()) <= threads


@pytest.mark.parametrize(
    "words, message",
    [
        (["facts", "3x3"], "examining the board: "),
        (["solve", "6x6"], "searching: 0 nodes, "),
        (["sample", "6x6", "-n", "1"], "getting ready: "),
        (["check", "tour.txt"], "checking: "),
        (["unrank", "3x4", "1"], "numbering all tours: "),
    ],
)
def test_commands_report_their_task_before_progress(
    words: list[str], message: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("tour.txt").write_text(CLASSIC_8X8)
    reports: list[Progress] = []

    @contextmanager
    def ticking(status: StatusLine, report: Callable[[], Progress]) -> Iterator[None]:
        reports.append(report())
        yield

    monkeypatch.setattr(StatusLine, "ticking", ticking)
    assert app._run(words, debug=True) in (0, 1)
    assert str(reports[0]) == f"{message}0 s"


def test_error_escapes_terminal_control_characters(capsys: pytest.CaptureFixture[str]) -> None:
    print_error(FormatError("in 'a\x1b[2Jb\x07' and \x9b", note="tab\there"))
    assert capsys.readouterr().err == "error: in 'a\\x1b[2Jb\\x07' and \\x9b\nnote: tab\\there\n"
