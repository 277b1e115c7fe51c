"""Tests of the index of results: commands reproduce the rows."""

import shlex

import pytest

import results
from helpers.command_line import Run


@pytest.mark.long
@pytest.mark.parametrize("row", [row for row in results.FIGURES if row.tested], ids=lambda row: row.what)
def test_the_command_of_a_figure_makes_it(row: results.Figure, run: Run) -> None:
    code, out, err = run(*shlex.split(row.command))
    assert code == 0
    assert row.figure.replace(",", "") in (out + err).replace(",", "")
