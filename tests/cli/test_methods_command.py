"""`knightstour methods`: all of them, or one line by line."""

from __future__ import annotations

import json

from helpers.command_line import run
from knightstour.methods.table import METHODS


def test_methods_lists_every_row_of_the_table(capsys):
    code, out, _ = run("methods", capsys=capsys)
    assert code == 0 and all(name in out for name in METHODS)
    assert set(json.loads(run("methods", "--json", capsys=capsys)[1])) == set(METHODS)


def test_one_method_is_listed_with_its_lines(capsys):
    _, out, _ = run("methods", "rotation", capsys=capsys)
    assert out.startswith("rotation  ") and "backtracking" not in out
    assert out.endswith("\n\n" + "".join(f"{line.text}\n" for line in METHODS["rotation"].pseudocode))
    (row,) = json.loads(run("methods", "rotation", "--json", capsys=capsys)[1]).values()
    assert row["pseudocode"][0] == {"text": METHODS["rotation"].pseudocode[0].text, "moments": ["stage", "put"]}
    code, out, err = run("methods", "rotations", capsys=capsys)
    assert (code, out) == (2, "") and "rotation" in err
