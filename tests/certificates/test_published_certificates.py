"""docs/proofs.jsonl: the certificates published with docs/proofs.md are right, and there for all its exceptions."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import knightstour as kt

LINES = (Path(__file__).parents[2] / "docs" / "proofs.jsonl").read_text(encoding="utf-8").splitlines()
RECORDS = [json.loads(line) for line in LINES]


def test_all_are_right():
    assert len(RECORDS) > 100
    assert all(kt.verify(record).is_right for record in RECORDS)


@pytest.mark.parametrize(
    ("board", "closed"),
    [
        ((3, 4), True),
        ((3, 6), True),
        ((3, 8), True),
        ((3, 3), False),
        ((3, 5), False),
        ((3, 6), False),
        ((4, 4), False),
    ],
)
def test_each_exception_has_one(board, closed):
    size = {"rows": board[0], "cols": board[1]}
    found = [r for r in RECORDS if r["board"] == size and r["closed"] == closed and r["answer"] == "impossible"]
    assert any("start" not in record for record in found)


def test_the_pairs_of_3x13_have_theirs():
    pairs = {(r["start"], r["end"]) for r in RECORDS if r["board"] == {"rows": 3, "cols": 13} and "end" in r}
    assert pairs == {(2, 10), (2, 36)}
