"""The command line, run in the test's process."""

from __future__ import annotations

import pytest

from knightstour.interfaces.cli import app


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    """Exit code, output and errors of a command."""
    code = app._run(list(words), debug=False)
    captured = capsys.readouterr()
    return code, captured.out, captured.err
