"""Every command of docs/recipes.md runs as it is printed, from top to bottom, in an empty folder."""

from __future__ import annotations

import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from knightstour.interfaces.cli import app

PAGE = Path(__file__).parents[2] / "docs" / "recipes.md"


def commands() -> list[str]:
    """The lines of the page: indented ones, and those of the table, with what is said about them."""
    text = PAGE.read_text(encoding="utf-8")
    found = re.findall(r"^    (knightstour .*)$|^\| [^|]+ \| `(knightstour [^`]+)` \|", text, re.MULTILINE)
    return [(indented or cell).replace("\\|", "|") for indented, cell in found]


def run(line: str, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]) -> int:
    """Run the commands of a line, each reading what the one before it has printed; returns the last exit code."""
    printed, code = b"", 0
    for part in line.split(" | "):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(printed), encoding="utf-8"))
        code = app._run(shlex.split(part)[1:], debug=False)
        printed = capsysbinary.readouterr().out
    return code


@pytest.mark.long
def test_every_command_runs_as_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.chdir(tmp_path)
    lines = commands()
    assert len(lines) > 50
    wrong = {}
    for line in lines:
        command, _, said = line.partition("  #")
        expected = 1 if "exit code 1" in said or command.endswith("5x5 --start a2") else 0
        code = run(command, monkeypatch, capsysbinary)
        if code != expected:
            wrong[command] = code
    assert not wrong
    # What was to be written is there.
    named = {name for line in lines for name in re.findall(r"(?:-o|--sheet|--bfile|--proof) (\S+)", line)}
    assert not [name for name in named if not (tmp_path / name).stat().st_size]
