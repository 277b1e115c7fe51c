"""Tests of `make mutants`: its files exist, and contain everything that decides on a certificate."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROOM = ROOT / "src" / "knightstour" / "lab/certificates"

# Files that create, draw, read or describe certificates, without effect on verdicts.
NO_CHECKERS = ("__init__", "certificate", "certify", "claims", "make_*", "record", "scene*", "several")


def test_every_certificate_checker_is_mutated_by_existing_patterns():
    table = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["mutmut"]
    named = {pattern: set(ROOT.glob(pattern)) for pattern in table["only_mutate"]}
    assert all(named.values()), [pattern for pattern, files in named.items() if not files]
    others = {file for pattern in NO_CHECKERS for file in ROOM.glob(f"{pattern}.py")}
    assert set(ROOM.glob("*.py")) == set().union(*named.values()) | others
