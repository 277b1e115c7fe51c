"""Tests of the API of counts and of all tours by number."""

import json
import os
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

from helpers.served import ask, refused
from knightstour.core.methods.solve import find_tour
from knightstour.interfaces.web import numbering
from knightstour.lab.counting.spaces.tour_space import TourSpace

pytestmark = pytest.mark.processes


# ---------------------------------------------------------------- counts


def test_zero_or_stopped_count_has_a_reason(web: httpx.Client) -> None:
    none = ask(web, "count", board="5x5", closed=True)
    assert none["count"] == "0" and "25 is odd" in none["reason"] and none["source"]
    stopped = ask(web, "count", board="6x7", nodes=10)
    assert stopped["count"] is None and "limit of 10 states" in stopped["reason"]
    infeasible = ask(web, "count", board="20x20", closed=True)
    assert infeasible["count"] is None and "is infeasible" in infeasible["reason"]
    assert "sideways" in refused(web, "count", board="5x6", closed=True, symmetry="sideways")["error"]


def test_published_number_is_shown_with_its_source(web: httpx.Client) -> None:
    found = ask(web, "count", board="8x8", closed=True, known=True)
    assert (found["count"], found["source"], found["is_published"]) == ("13267364410532", "OEIS A001230, a(4)", True)
    assert ask(web, "count", board="8x8", known=True)["source"] == "OEIS A308131, a(8)"
    own = ask(web, "count", board="9x10", closed=True, known=True)
    assert (own["count"], own["is_published"]) == ("19381952998732022416892", True)
    assert own["source"] == "knightstour, revision 37f6ef5" and "did not count it" in own["reason"]
    counted = ask(web, "count", board="5x6", closed=True, known=True)
    assert counted["count"] == "8" and "is_published" not in counted
    for more in ({"start": "a1"}, {"forbid": ["c3-d5"]}):
        stopped = ask(web, "count", **{"board": "8x8", "closed": True, "known": True, "nodes": 1000, **more})
        assert stopped["count"] is None and "limit" in stopped["reason"]


# ---------------------------------------------------------------- all tours by number


def built(web: httpx.Client, **question: Any) -> list[dict[str, Any]]:
    """Return the events of numbering all tours."""
    text = web.post("/api/space/build", json=question).text
    return [json.loads(line.removeprefix("data: ")) for line in text.splitlines() if line.startswith("data: ")]


def test_all_tours_are_numbered_and_found_by_their_numbers(web: httpx.Client) -> None:
    question = {"board": "5x6", "closed": True}
    status = built(web, **question, max_bytes=0)[-1]
    assert status.pop("bytes") > 1_000_000 and status == {"count": None, "note": None}
    # A small board is numbered when that is needed.
    assert ask(web, "space/unrank", **question, number="1")["count"] == "8"
    assert built(web, **question, max_bytes=0)[-1]["count"] == built(web, **question)[-1]["count"] == "8"
    space = TourSpace("5x6", closed=True)
    for number in (1, 8):
        reply = ask(web, "space/unrank", **question, number=str(number))
        assert reply == {"number": str(number), "count": "8", "squares": space.unrank(number).squares.tolist()}
        assert ask(web, "space/rank", **question, squares=reply["squares"]) == {"number": str(number), "count": "8"}
    one, two = (ask(web, "space/random", **question, seed=5) for _ in range(2))
    assert one == two and one["squares"] == space.unrank(int(one["number"])).squares.tolist()
    assert "no tour number 9" in refused(web, "space/unrank", **question, number="9")["error"]
    assert "whole number" in refused(web, "space/unrank", **question, number="1.5")["error"]
    open_tour = find_tour("5x6", start="a1", end="a2").squares.tolist()
    assert "not closed" in refused(web, "space/rank", **question, squares=open_tour)["error"]


def test_numbering_reports_progress(web: httpx.Client) -> None:
    question = {"board": "7x8", "closed": True}
    # The needed memory is reported beforehand.
    note = built(web, **question, max_bytes=0)[-1]["note"]
    assert re.fullmatch(r"this takes about [\d.]+ MB of memory, and [\d.]+ MB on the disk", note)
    parts = built(web, **question)
    known = [part["done"] for part in parts[1:-1]]
    assert known and known == sorted(known) and known[0] >= 0 and known[-1] <= 1 and parts[-1]["count"] == "34524432316"
    # A second request finds the numbers, without progress.
    for more in ({}, {"max_bytes": 0}, {"max_bytes": 10}):
        assert built(web, **question, **more) == [{}, {"count": "34524432316", "note": None, "bytes": None}]


def test_failed_tour_space_has_a_reason(web: httpx.Client) -> None:
    assert "infeasible" in refused(web, "space/build", board="20x20")["error"]
    assert "not numbered yet" in refused(web, "space/unrank", 409, board="20x20", number="1")["error"]


def test_files_built_longest_ago_make_room_for_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbering, "_MAX_CACHE_BYTES", 250)
    for age, name in enumerate(["new", "old", "older", "oldest"]):
        file = tmp_path / f"{name}.space"
        file.write_bytes(bytes(100))
        os.utime(file, (10**9 - age, 10**9 - age))
    (tmp_path / "mine.txt").write_bytes(bytes(1000))
    numbering._make_room(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mine.txt", "new.space", "old.space"]
