"""Tests of the API without a server, as a page uses it with the library in the browser."""

import json
import math
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from helpers.node import parts_for_browsers
from helpers.questions import QUESTIONS, all_answers, answer_of
from knightstour.interfaces.web import here
from knightstour.interfaces.web.api import ROUTES
from knightstour.interfaces.web.puzzles import puzzle_of

ROOT = Path(__file__).parents[2]


def sent(path: str, body: dict[str, Any], **how: bool) -> list[tuple[Any, ...]]:
    """Return all parts of a response."""
    found: list[tuple[Any, ...]] = []
    here.answer(path, json.dumps(body).encode(), lambda *values: found.append(values), **how)
    return found


def test_answer_has_turn_head_body_and_end():
    turn, head, part, end = sent("solve", {"board": "8x8", "closed": True})
    assert turn[:2] == ("turn", "quick")
    assert json.loads(turn[3])["error"].endswith("so the search was stopped")
    assert head == ("head", 200, "application/json")
    assert json.loads(part[1])["status"] == "found"
    assert end == ("end",)


def test_search_waits_for_a_slot_and_quick_request_does_not():
    assert sent("count", {"board": "5x5"}, may_search=False) == [("later",)]
    assert sent("solve", {"board": "8x8"}, may_search=False)[-1] == ("end",)
    # Errors are immediate.
    assert sent("count", {"board": "0x5"}, may_search=False)[0] == ("head", 400, "application/json")


@pytest.mark.parametrize("wish", [{"level": "medium"}, {"kind": "zip", "clues": 5}])
def test_hints_come_with_a_puzzle_where_they_are_wanted(wish: dict[str, Any]):
    body = {"board": "5x5:wazir", "seed": 3, **wish}
    made, bare = (json.loads(sent("puzzle", {**body, **more})[2][1]) for more in ({"hints": True}, {}))
    hints = made.pop("hints")
    assert made == bare
    puzzle = puzzle_of(made)
    assert hints == [[puzzle.board.square_name(hint.square), hint.number, hint.reason] for hint in puzzle.hints()]
    assert len(hints) == 25 - len(made["given"]) - 2 * ("kind" in wish)


def test_missing_browser_feature_is_reported(monkeypatch):
    assert "does not fit in a browser" in answer_of("space/build", {"board": "8x8", "closed": True})["body"]["error"]
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    found = answer_of("draw", {"board": "5x5", "format": "png"})
    assert (
        found["status"] == 400 and "resvg_py" in found["body"]["error"] and "knightstour serve" in found["body"]["help"]
    )


def test_every_path_of_the_api_has_a_question():
    assert QUESTIONS.keys() == ROUTES.keys()


def is_same(one: Any, other: Any) -> bool:
    """Whether two responses are equal; numbers of other mathematics libraries may differ in the last digits."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-12)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


@pytest.mark.processes
@pytest.mark.timeout(600)
def test_a_browser_answers_every_path_as_the_server_does(tmp_path, monkeypatch):
    """Run the page's package in Node, and compare 150 responses with this machine's, except times."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    found = parts_for_browsers()
    make_page = pytest.importorskip("make_page")
    make_page.write_engine(tmp_path / "engine", found)
    said = make_page.licences(found)
    assert all(
        words in said for words in ("Mozilla Public License 2.0", "PYTHON SOFTWARE FOUNDATION", "NumPy Developers")
    )
    node = ["node", str(ROOT / "scripts/in_pyodide.mjs"), str(found.pyodide), str(ROOT / "tests/helpers/questions.py")]
    paths = [str(tmp_path / "engine" / f"{name}.pack") for name in ("python", "numpy", "knightstour")]
    done = subprocess.run([*node, *paths], capture_output=True, text=True, check=False, env=dict(os.environ))
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    wanted = [json.loads(line) for line in all_answers()]
    assert len(lines) == len(wanted)
    wrong = [
        (path, body) for (path, body, ours), theirs in zip(wanted, lines, strict=True) if not is_same(ours, theirs[2])
    ]
    assert wrong == []
    counts = [answer["body"]["count"] for path, body, answer in lines if path == "count" and body == {"board": "5x5"}]
    assert [int(count) for count in counts] == [864]
