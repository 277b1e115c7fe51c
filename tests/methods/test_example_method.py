"""Tests of docs/examples/method.py, the template of a new method."""

import json
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

import knightstour as kt
import make_docs
from knightstour.interfaces.cli import app
from knightstour.interfaces.web.replies import tables

EXAMPLE = Path(__file__).parents[2] / "docs/examples/method.py"


@pytest.fixture(autouse=True)
def example() -> Iterator[None]:
    """Add its row to the table during a test."""
    runpy.run_path(str(EXAMPLE))
    yield
    del kt.METHODS["walks"]


def test_it_is_short_enough_to_be_copied():
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) <= 50


def test_python_has_it():
    tour = kt.solve((8, 8), closed=True, method="walks", settings={"wander": 10}, seed=1).tour
    assert tour is not None and tour.is_closed
    assert tour == kt.solve((8, 8), closed=True, method="walks", settings={"wander": 10}, seed=1).tour
    with pytest.raises(kt.ProblemError, match="wander must be from 0 to 100, not 101"):
        kt.solve((8, 8), method="walks", settings={"wander": 101})
    with pytest.raises(kt.ProblemError) as wrong:
        kt.solve((8, 8), method="rotation", settings={"wander": 10})
    assert wrong.value.help == "wander is an option of method walks"


def test_the_command_line_has_it_and_its_option(capsys):
    assert (
        app._run(["solve", "6x6", "--method", "walks", "--set", "wander=10", "--seed", "1", "--json"], debug=True) == 0
    )
    assert json.loads(capsys.readouterr().out)["method"] == "walks"
    assert app._run(["explain", "walks"], debug=True) == 0
    assert "--set wander=: moves at random, in per cent, from 0 to 100; default 5" in capsys.readouterr().out
    assert app._run(["solve", "6x6", "--method", "walks", "--set", "wander=101"], debug=False) == 2
    assert "wander must be from 0 to 100" in capsys.readouterr().err


def test_method_appears_on_command_line_page_and_docs(capsys):
    assert app._run(["explain"], debug=True) == 0
    assert "walks by Warnsdorff's rule" in capsys.readouterr().out
    assert json.loads(tables()["methods"])["walks"]["options"]["wander"]["most"] == 100
    assert "| `walks` | walks by Warnsdorff's rule" in make_docs.methods_table()
    assert "| `walks` | `--set wander=` | moves at random" in make_docs.options_table()
