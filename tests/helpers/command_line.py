"""The command line in the test's process."""

from collections.abc import Callable
from typing import NamedTuple

import pytest

from knightstour.interfaces.cli import app


class Answer(NamedTuple):
    """Result of a command."""

    code: int
    out: str
    err: str


# The fixture `run`, a function of the arguments.
Run = Callable[..., Answer]


def run(*words: str, capsys: pytest.CaptureFixture[str]) -> Answer:
    """Return exit code, output and errors of a command."""
    capsys.readouterr()
    return Answer(app._run(list(words), debug=False), *capsys.readouterr())
