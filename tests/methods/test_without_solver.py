"""Tests without python-sat: the other methods are used, or an error reports the missing package."""

import importlib.util
import sys

import pytest

import knightstour as kt
from knightstour.core.search import clues

WHEEL = kt.Board.from_graph({v: [(v + 1) % 90, (v - 1) % 90, (v + 45) % 90] for v in range(90)})
RING = kt.Board.from_graph({v: [(v + 1) % 70, (v + 9) % 70] for v in range(70)}, directed=True)
HIDATO = {(r, c): 15 * r + (c if r % 2 == 0 else 14 - c) + 1 for r in range(15) for c in range(0, 15, 2)}


@pytest.fixture(autouse=True)
def no_solver(monkeypatch):
    """Hide python-sat."""
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: (name != "pysat" and find_spec(name, *more)) or None
    )
    for name in [name for name in sys.modules if name.split(".")[0] == "pysat"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pysat", None)
    clues.has_sat.cache_clear()
    yield
    clues.has_sat.cache_clear()


@pytest.mark.parametrize(
    ("board", "asked", "status"),
    [
        ("8x8", {"closed": True}, kt.Status.FOUND),
        (kt.Board(20, 20, holes=["a1", "b1"]), {"closed": True}, kt.Status.FOUND),
        (WHEEL, {"closed": True}, kt.Status.FOUND),
        (RING, {"closed": True}, kt.Status.FOUND),
        (kt.Board(12, 12, holes=["a1", "a2"], moves="wazir"), {"closed": True}, kt.Status.FOUND),
        (kt.Board(15, 15, moves="king"), {"given": HIDATO}, kt.Status.FOUND),
        (kt.Board(4, 4), {"closed": True, "forbid": ["a1-b3"]}, kt.Status.IMPOSSIBLE),
        (kt.Board(6), {"given": {"a1": 1, "b3": 3}}, kt.Status.IMPOSSIBLE),
    ],
    ids=str,
)
def test_questions_are_answered(board, asked, status):
    result = kt.solve(board, **asked, seed=1, timeout=20)
    assert result.status is status and result.method != "sat"


def test_missing_package_error_names_it():
    with pytest.raises(kt.ProblemError, match="it needs python-sat, which is not installed: pip install python-sat"):
        kt.solve("8x8", method="sat")
    with pytest.raises(kt.ProblemError, match=r"without python-sat .* for up to 1,024 squares"):
        kt.solve("40x40", given={"a1": 5})
