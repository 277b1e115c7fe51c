"""`knightstour explain`: all tables, or one row of them line by line."""

import json

from knightstour.core.drawing.styles import STYLES
from knightstour.core.formats.table import FORMATS
from knightstour.core.methods.table import METHODS
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS


def test_explain_lists_every_row_of_the_tables(run):
    code, out, _ = run("explain")
    names = {line.split()[0] for line in out.splitlines() if line.startswith("  ")}
    assert code == 0 and {*METHODS, *DISTRIBUTIONS, *FORMATS, *STYLES} <= names
    tables = json.loads(run("explain", "--json")[1])
    assert set(tables["method"]) == set(METHODS) and set(tables["distribution"]) == set(DISTRIBUTIONS)


def test_one_method_is_explained_with_its_settings_and_lines(run):
    _, out, _ = run("explain", "rotation")
    assert out.startswith("rotation, a method:\n") and "backtracking" not in out
    assert out.endswith("".join(f"  {line.text}\n" for line in METHODS["rotation"].pseudocode))
    row = json.loads(run("explain", "rotation", "--json")[1])["method"]
    assert row["pseudocode"][0] == {"text": METHODS["rotation"].pseudocode[0].text, "moments": ["stage", "put"]}
    assert "--set ties=: how ties are broken" in run("explain", "warnsdorff")[1]
    assert "proves impossible" in run("explain", "backtracking")[1]
    code, out, err = run("explain", "rotations")
    assert (code, out) == (2, "") and "rotation" in err
