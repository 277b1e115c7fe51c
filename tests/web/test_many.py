"""The API about many tours: counts, samples, listings, comparisons of methods, and all tours by number."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import httpx
import pytest

import knightstour as kt
from helpers.served import ask, refused, until
from knightstour.core.methods.solve import find_tour
from knightstour.core.model.tour import Tour
from knightstour.interfaces.web import spaces
from knightstour.lab.counting.spaces.tour_space import TourSpace

pytestmark = pytest.mark.processes


# ---------------------------------------------------------------- counts, samples, listings, comparisons


def test_tours_are_counted_as_python_counts_them(web: httpx.Client) -> None:
    question = {"board": "5x6", "closed": True}
    answer = ask(web, "count", **question, directed=True)
    assert answer["count"] == "16" == str(kt.count_tours("5x6", closed=True, directed=True))
    assert ask(web, "count", **question, up_to_symmetry=True)["count"] == "3"
    none = ask(web, "count", board="5x5", closed=True)
    assert none["count"] == "0" and "25 is odd" in none["reason"] and none["source"]
    stopped = ask(web, "count", board="6x7", nodes=10)
    assert stopped["count"] is None and "limit of 10 states" in stopped["reason"]
    assert "sideways" in refused(web, "count", **question, symmetry="sideways")["error"]


def test_from_each_square_there_are_as_many_tours_as_a_count_says(web) -> None:
    found = ask(web, "count/starts", board="5x5")
    assert (found["count"], found["starts"]["a1"], found["starts"]["c3"]) == ("1728", "304", "64")
    assert refused(web, "count/starts", board="5x5", closed=True)


def test_a_number_that_is_published_is_given_at_once_with_its_source(web: httpx.Client) -> None:
    found = ask(web, "count", board="8x8", closed=True, known=True)
    assert (found["count"], found["source"], found["is_published"]) == ("13267364410532", "OEIS A001230, a(4)", True)
    assert ask(web, "count", board="8x8", known=True)["source"] == "OEIS A308131, a(8)"
    own = ask(web, "count", board="9x10", closed=True, known=True)
    assert (own["count"], own["is_published"]) == ("19381952998732022416892", True)
    assert own["source"] == "knightstour, revision 37f6ef5" and "did not count it" in own["reason"]
    counted = ask(web, "count", board="5x6", closed=True, known=True)
    assert counted["count"] == "8" and "is_published" not in counted
    for more in ({"start": "a1"}, {"avoid": ["c3-d5"]}):
        stopped = ask(web, "count", **{"board": "8x8", "closed": True, "known": True, "nodes": 1000, **more})
        assert stopped["count"] is None and "limit" in stopped["reason"]


def test_a_count_is_planned_and_estimated(web: httpx.Client) -> None:
    plan = ask(web, "count/plan", board="8x8", closed=True)
    assert plan["way"] == kt.plan_count("8x8", closed=True).way == "halves"
    assert plan["states"] > 10**6 and plan["is_refused"] is False
    proof = ask(web, "count/plan", board="3x5", closed=True)
    assert proof["way"] == "proof" and proof["states"] is None and proof["reason"]
    answer = ask(web, "count/estimate", board="5x6", closed=True, samples=400, seed=1)
    assert answer["mean"] == kt.estimate_count("5x6", closed=True, samples=400, rng=1).mean
    assert ask(web, "count/estimate", board="3x5", closed=True)["mean"] == 0
    assert "samples must be from 40" in refused(web, "count/estimate", board="6x6", samples=3)["error"]


def test_a_sample_is_that_of_python(web: httpx.Client) -> None:
    answer = ask(web, "sample", board="6x6", closed=True, n=3, seed=7, distribution="warnsdorff")
    assert answer["orders"] == kt.sample_tours("6x6", 3, closed=True, rng=7, distribution="warnsdorff").orders.tolist()
    few = ask(web, "sample", board="5x6", closed=True, n=20, unique=True, seed=1)
    assert few["is_exhausted"] and len(few["orders"]) == 8 and "all 8" in few["reason"]
    assert ask(web, "sample", board="6x6", n=1, seed=1, options={"every": 5})["parameters"]["every"] == 5
    assert "no option 'board'" in refused(web, "sample", board="6x6", options={"board": "5x5"})["error"]
    assert "n must be from 1 to 500" in refused(web, "sample", board="6x6", n=501)["error"]


def test_the_first_tours_are_listed(web: httpx.Client) -> None:
    answer = ask(web, "enumerate", board="5x6", closed=True, n=3)
    listed = [tour.order.tolist() for tour in kt.iter_tours("5x6", closed=True)]
    assert answer["orders"] == listed[:3] and not answer["is_complete"]
    assert ask(web, "enumerate", board="5x6", closed=True, n=8) | {"orders": listed, "is_complete": True} == ask(
        web, "enumerate", board="5x6", closed=True, n=8
    )
    none = ask(web, "enumerate", board="4x4")
    assert none["is_complete"] and none["orders"] == [] and none["reason"]
    assert ask(web, "enumerate", board="8x8", closed=True, nodes=100)["reason"]


def test_a_tour_is_improved(web: httpx.Client) -> None:
    tour = find_tour("6x6", closed=True)
    answer = ask(web, "improve", board="6x6", squares=tour.squares.tolist(), seed=1, nodes=20_000)
    assert answer["before"] == tour.turns >= answer["after"] == Tour("6x6", answer["squares"]).turns
    assert "objective" in refused(web, "improve", board="6x6", squares=tour.labels, objective="beauty")["error"]
    chosen = "most-inside=a1..d4"
    answer = ask(web, "improve", board="6x6", squares=tour.labels, objective=chosen, seed=1, nodes=20_000)
    assert answer["objective"] == chosen and answer["before"] <= answer["after"]


def test_methods_are_compared(web: httpx.Client) -> None:
    answer = ask(web, "compare", board="6x6", closed=True, methods=["explicit", "rotation"], seeds=2)
    assert [(row["method"], row["answered"]) for row in answer["rows"]] == [("explicit", 1.0), ("rotation", 1.0)]
    answer = ask(web, "compare", board="5x5", closed=True, methods=["rotation"], seconds=1, overall=0.2)
    assert answer["reason"] == "the limit of 0.2 seconds was reached" and answer["rows"][0]["runs"] < 10
    assert "unknown method" in refused(web, "compare", board="6x6", methods=["magic"])["error"]


def test_distributions_objectives_and_drawings_are_described(web: httpx.Client) -> None:
    assert list(web.get("/api/distributions").json()) == list(kt.DISTRIBUTIONS)
    summaries = web.get("/api/objectives").json()
    chosen = ["inside=SQUARES", "most-inside=SQUARES", "among=MOVES", "most-among=MOVES"]
    assert list(summaries) == [*kt.OBJECTIVES, *chosen]
    assert summaries["most-inside=SQUARES"].endswith(": moves between two of the squares SQUARES")
    drawing = web.get("/api/drawing").json()
    assert len(drawing["ramp"]) == 64 and "curve" in drawing["styles"] and "line_width" in drawing["options"]


def test_sequences_are_listed_and_found(web: httpx.Client) -> None:
    assert [row["number"] for row in web.get("/api/sequences").json()] == list(kt.SEQUENCES)
    one = ask(web, "sequence", sequence="a193055")
    assert (one["number"], one["offset"], one["terms"][7]) == ("A193055", 1, "13267364410532")
    assert "there is no A000001" in refused(web, "sequence", sequence="A000001")["error"]
    found = ask(web, "sequence/of", board="6x8", closed=True)["places"]
    assert {"number": "A175881", "n": 8, "value": "55488142"}.items() <= found[0].items()
    assert ask(web, "sequence/of", board="3x10", closed=True, symmetry="vertical")["places"][0]["number"] == "A169765"


# ---------------------------------------------------------------- all tours by number


def test_all_tours_are_numbered_and_found_by_their_numbers(web: httpx.Client) -> None:
    question = {"board": "5x6", "closed": True}
    assert ask(web, "space/status", **question)["state"] == "absent"
    assert "not numbered yet" in refused(web, "space/unrank", 409, **question, number="1")["error"]
    assert ask(web, "space/build", **question)["state"] in ("building", "ready")
    until(lambda: ask(web, "space/status", **question)["state"] == "ready")
    assert ask(web, "space/build", **question)["count"] == "8"
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


def test_the_numbering_says_how_much_is_done_and_may_be_stopped(web: httpx.Client) -> None:
    question = {"board": "8x8", "closed": True}
    # What it takes is said beforehand.
    note = ask(web, "space/status", **question)["note"]
    assert re.fullmatch(r"this takes about 1\.8\d GB of memory, and 1\.1\d GB on the disk", note)
    begun = ask(web, "space/build", **question)
    assert (begun["state"], begun["note"]) == ("building", note)
    known: list[float] = []

    def has_grown() -> bool:
        now = ask(web, "space/status", **question)
        assert now["state"] == "building"
        if now["done"] is not None:
            known.append(now["done"])
        return len(set(known)) > 3

    until(has_grown)
    assert known == sorted(known) and 0 <= known[0] < known[-1] < 1
    for _ in range(2):
        assert ask(web, "space/cancel", **question)["state"] == "absent"
        assert ask(web, "space/status", **question)["state"] == "absent"
    # It can be started again, and stopped while it is not yet there.
    assert ask(web, "space/build", **question)["state"] == "building"
    assert ask(web, "space/cancel", **question)["state"] == "absent"


def test_one_board_is_numbered_at_a_time(web: httpx.Client) -> None:
    large, larger = ({"board": board, "closed": True} for board in ("8x8", "6x10"))
    for question in (large, larger):
        ask(web, "space/build", **question)
    until(lambda: ask(web, "space/status", **large)["seconds"] > 0)
    assert ask(web, "space/status", **larger)["seconds"] == 0
    for question in (larger, large):
        assert ask(web, "space/cancel", **question)["state"] == "absent"


def test_the_numbering_goes_on_while_somebody_else_waits(web: httpx.Client, monkeypatch: pytest.MonkeyPatch) -> None:
    question = {"board": "8x8", "closed": True}

    def as_page(name: str, path: str) -> dict[str, Any]:
        return web.post(f"/api/{path}", json=question, headers={"X-Client": name}).json()

    for path in ("space/build", "space/status"):
        for name in ("one", "other"):
            assert as_page(name, path)["state"] == "building"
    reply = as_page("one", "space/cancel")
    assert reply["state"] == "building" and "somebody else waits" in reply["note"]
    monkeypatch.setattr(spaces, "_SECONDS_WAITING", 0.0)
    assert as_page("one", "space/cancel")["state"] == "absent"


def test_a_space_that_cannot_be_built_says_why(web: httpx.Client) -> None:
    ask(web, "space/build", board="20x20")
    reply = until(lambda: (now := ask(web, "space/status", board="20x20"))["state"] == "failed" and now)
    assert "infeasible" in reply["error"]


def test_files_built_longest_ago_make_room_for_new_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spaces, "_MOST_CACHE_BYTES", 250)
    for age, name in enumerate(["new", "old", "older", "oldest"]):
        file = tmp_path / f"{name}.space"
        file.write_bytes(bytes(100))
        os.utime(file, (10**9 - age, 10**9 - age))
    (tmp_path / "mine.txt").write_bytes(bytes(1000))
    spaces._make_room(tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["mine.txt", "new.space", "old.space"]
