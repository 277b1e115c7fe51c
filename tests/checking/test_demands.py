"""What an exercise demands of a tour: its start, its end, that it is closed; and what a tour is instead."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import run
from knightstour.interfaces.web import api

OPEN = kt.find_tour((5, 5), start="c3", end="a1", method="backtracking", prune="all")
CLOSED = kt.find_tour((5, 6), closed=True, start="b3", rng=1)

DEMANDS: list[tuple[kt.Tour, dict[str, Any], str]] = [
    (OPEN, {"start": "c3"}, ""),
    (OPEN, {"start": (2, 2), "end": "a1"}, ""),
    (OPEN, {"start": "a1"}, "starts at c3, not a1"),
    (OPEN, {"end": "e5"}, "ends at a1, not e5"),
    (OPEN, {"start": "a1", "end": "c3"}, "starts at c3, not a1, and ends at a1, not c3"),
    (OPEN, {"closed": True}, "is open, not closed"),
    (OPEN, {"start": "e5", "closed": True}, "starts at c3, not e5, and is open, not closed"),
    (CLOSED, {"closed": True}, ""),
    (CLOSED, {"closed": True, "start": "b3"}, ""),
    (CLOSED, {"closed": True, "start": "a1"}, "starts at b3, not a1"),
]


def words(demands: dict[str, Any]) -> list[str]:
    """The same on the command line."""
    found = []
    for name, value in demands.items():
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        found += ["--closed"] if name == "closed" else [f"--{name}", text]
    return found


@pytest.mark.parametrize(("tour", "demands", "reason"), DEMANDS, ids=str)
@pytest.mark.parametrize("name", ["t.txt", "t.json", "t.npy"])
def test_a_tour_is_as_demanded_or_it_is_said_what_it_is_instead(
    tour: kt.Tour, demands: dict[str, Any], reason: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    kt.write_tours(path, [tour])
    report = kt.check_tours(path, **demands)
    assert [(one.number, one.reason) for one in report.unmet] == ([(1, reason)] if reason else [])
    assert report.is_valid == (not reason) and not report.faults and report.tour_count == 1
    code, out, _ = run("check", str(path), *words(demands), capsys=capsys)
    assert code == (1 if reason else 0)
    start = f"tour 1: valid, but {reason}: " if reason else "tour 1: valid "
    assert out.startswith(start + ("closed" if tour.is_closed else "open") + " tour of the")
    record = json.loads(run("check", str(path), *words(demands), "--json", capsys=capsys)[1])
    assert (record["valid"], record["unmet"]) == (True, reason or None)


@pytest.mark.parametrize(("tour", "demands", "reason"), DEMANDS, ids=str)
def test_the_page_says_the_same(tour: kt.Tour, demands: dict[str, Any], reason: str) -> None:
    rows, cols = tour.board.rows, tour.board.cols
    asked = {name: list(value) if isinstance(value, tuple) else value for name, value in demands.items()}
    squares = {"board": [rows, cols], "squares": tour.order.tolist()}
    for body in ({"text": str(tour)}, squares):
        call = api.call_of("check", {**body, **asked})
        assert isinstance(call, api.Call)
        answer = json.loads(call.function(*call.arguments))
        assert (answer["valid"], answer["tours"][0]["valid"]) == (not reason, True)
        assert answer["tours"][0]["unmet"] == (reason or None)
    call = api.call_of("check", {"text": str(tour)})
    assert isinstance(call, api.Call) and "unmet" not in json.loads(call.function(*call.arguments))["tours"][0]


def test_without_demands_the_report_is_as_before(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    kt.write_tours(path, [OPEN])
    assert "unmet" not in json.loads(run("check", str(path), "--json", capsys=capsys)[1])
    assert run("check", str(path), capsys=capsys)[1].startswith("tour 1: valid open tour of the 5x5 board, c3 to a1;")


def test_an_invalid_tour_is_a_fault_whatever_is_demanded() -> None:
    grid = OPEN.numbers.copy()
    grid[grid == 3] = 2
    report = kt.check_tours(np.array([grid, OPEN.numbers]), start="a1")
    assert [fault.number for fault in report.faults] == [1] and [one.number for one in report.unmet] == [2]


def test_of_a_sample_each_row_is_held_against_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sample = kt.sample_tours("6x6", 200, closed=True, rng=7)
    rows = sample.orders.copy()
    rows[[3, 50]] = np.roll(rows[[3, 50]], 5, axis=1)
    first = kt.Board(6).name(divmod(int(rows[0, 0]), 6))
    rows[7, :2] = rows[7, 1::-1]
    other = [k + 1 for k in range(200) if k != 7 and rows[k, 0] != rows[0, 0]]
    report = kt.check_tours(rows, board="6x6", start=first)
    assert [one.number for one in report.unmet] == other and {4, 51} <= set(other)
    assert [fault.number for fault in report.faults] == [8] and report.tour_count == 200
    assert kt.check_tours(sample, closed=True).is_valid
    np.save(tmp_path / "s.npy", rows.astype(np.uint8))
    code, out, _ = run("check", str(tmp_path / "s.npy"), "6x6", "--start", first, capsys=capsys)
    assert code == 1 and out.splitlines()[-1].endswith(f"; {len(other)} not as demanded")
    assert len(out.splitlines()) == len(other) + 2
    last = run("check", str(tmp_path / "s.npy"), "6x6", "--closed", "--json", capsys=capsys)[1]
    assert json.loads(last.splitlines()[-1])["unmet"] == 0


def test_open_tours_of_a_sample_are_not_closed() -> None:
    sample = kt.sample_tours("5x5", 40, rng=3)
    assert len(kt.check_tours(sample, closed=True).unmet) == 40


def test_nodes_of_a_graph_are_starts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    graph = kt.Board.from_graph({0: [1], 1: [0, 2], 2: [1, 3], 3: [2]})
    tour = kt.find_tour(graph, start=(0, 0))
    path = tmp_path / "t.json"
    kt.write_tours(path, [tour])
    assert run("check", str(path), "--start", "0", "--end", "3", capsys=capsys)[0] == 0
    code, out, _ = run("check", str(path), "--start", "3", capsys=capsys)
    assert code == 1 and "starts at 0, not 3" in out


def test_bad_demands_are_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "t.txt"
    kt.write_tours(path, [OPEN])
    for square, said in (("h8", "not on the board"), ("zz", "not a square")):
        code, _, err = run("check", str(path), "--start", square, capsys=capsys)
        assert code == 2 and said in err and "Traceback" not in err
    with pytest.raises(kt.KnightsTourError):
        kt.check_tours(path, closed="yes")  # type: ignore[arg-type]
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "_manifest.json").write_text("{}")
    code, _, err = run("check", str(folder), "--closed", capsys=capsys)
    assert code == 2 and "--closed is not for this" in err
