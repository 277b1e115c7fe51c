"""Tests of compare() and its command."""

import csv
import functools
import io
import itertools
import json
import time
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.methods.comparison import compare
from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import Board
from knightstour.core.model.errors import ProblemError


@pytest.mark.long
def test_every_method_has_a_tested_or_excused_row() -> None:
    table = compare((3, 4), seeds=1, timeout=0.2)
    assert [row.method for row in table.rows] == list(METHODS)
    for row in table.rows:
        assert row.why_fewer or row.found + row.impossible + row.undecided == row.runs >= 1


def test_an_impossible_board_separates_provers_from_searchers() -> None:
    auto, merge, rotation = compare((4, 4), methods=["auto", "merge", "rotation"], seeds=2).rows
    assert (auto.impossible, auto.answer_rate) == (2, 1.0)
    # It proves some boards to have no tour, and is given a moment; the other one none.
    assert (merge.runs, merge.undecided) == (1, 1) and (merge.median or 0) < 1
    assert (rotation.runs, rotation.answer_rate) == (0, None)
    assert rotation.why_fewer == "there is no tour, and it could not prove that"


def test_method_without_seeds_runs_once() -> None:
    explicit, rotation = compare((5, 6), closed=True, methods=["explicit", "rotation"], seeds=9).rows
    assert explicit.runs < rotation.runs == 9
    assert explicit.why_fewer == "another seed gives the same answer"


def test_method_without_answers_is_soon_skipped() -> None:
    ask = functools.partial(compare, (30, 30), seeds=50, max_nodes=1)
    for method, runs, reason in (
        ("rotation", 3, "it reached the limit each time"),
        ("backtracking", 1, "it reached the limit, and another seed changes nothing"),
    ):
        (row,) = ask(methods=[method]).rows
        assert (row.undecided, row.runs, row.why_fewer) == (runs, runs, reason)


def test_settings_and_starts_are_rows(tmp_path: Path, run: Run) -> None:
    orders = {"move_order": ["classic", "warnsdorff"], "prune": "all"}
    table = compare("5x5", settings=orders, starts=["a1", (2, 2)], seeds=2)
    assert [(row.method, row.start, row.settings["move_order"]) for row in table.rows] == [
        ("backtracking", start, order) for start in ("a1", "c3") for order in ("classic", "warnsdorff")
    ]
    for row in table.rows:
        assert row.start is not None
        alone = kt.solve("5x5", start=row.start, method="backtracking", settings=row.settings)
        assert row.nodes == alone.nodes and row.found == row.runs == 2
    assert list(table.times) == [row.name for row in table.rows]

    target = tmp_path / "orders.csv"
    words = ["--set", "move_order=classic,warnsdorff", "--set", "prune=all", "--starts", "a1,c3", "--seeds", "2"]
    code, out, _ = run("compare", "5x5", *words, "-o", str(target))
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert [int(row["nodes"]) for row in rows] == [row.nodes for row in table.rows]
    assert [(row["start"], row["move_order"], row["runs"]) for row in rows][1] == ("a1", "warnsdorff", "2")
    lines = [line.split() for line in out.splitlines()[2:]]
    assert lines[0][:4] == ["method", "start", "move_order", "prune"]
    assert [line[1:3] for line in lines[1:]] == [[row["start"], row["move_order"]] for row in rows]


def test_a_random_order_is_another_with_each_seed() -> None:
    (row,) = compare("5x5", settings={"move_order": "random"}, starts=["a1"], seeds=7).rows
    assert row.runs == 7 and row.why_fewer == ""


def test_rows_are_handed_over_as_they_are_finished() -> None:
    seen: list[int] = []
    table = compare("5x6", methods=["warnsdorff", "rotation"], seeds=1, on_row=lambda now: seen.append(len(now.rows)))
    assert seen == [1, 2]
    assert table.to_text().splitlines() == [*table.heading, *map(table.line, table.rows), *table.ending]


def test_run_limit_and_report_use_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: 3600.0 * next(hours))
    (row,) = compare((10, 10), methods=["backtracking"], seeds=1, timeout=0.05).rows
    assert row.undecided == 1 and row.median is not None and row.median >= 0.05


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"methods": ["nonsense"]}, "nonsense"),
        ({"seeds": 0}, "the number of seeds"),
        ({"seeds": 10**30}, "the number of seeds"),
        ({"settings": {"move_ordr": ["classic"]}}, "unknown setting 'move_ordr'"),
        ({"settings": {"move_order": ["classic"]}, "methods": ["rotation"]}, "rotation has no option 'move_order'"),
        ({"settings": {"move_order": "classic", "population": 3}}, "no method has all of these options"),
        ({"settings": {"move_order": []}}, "create 0 rows"),
        ({"start": "a1", "starts": ["c3"]}, "start and starts cannot be combined"),
        ({"starts": []}, "starts is empty"),
    ],
    ids=str,
)
def test_rejects_invalid_arguments(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        compare("5x5", **asked)


@pytest.mark.long
def test_proofs_are_distinguished_from_tours_in_the_table(run: Run) -> None:
    words = ["compare", "5x5", "--start", "a2", "--methods", "auto,rotation", "--seeds", "2", "--timeout", "0.05"]
    code, out, _ = run(*words)
    assert code == 0
    auto, *_, rotation = out.splitlines()[3:]
    assert "100 %" in auto and auto.endswith("  (proved impossible)")
    assert "rotation: there is no tour, and it could not prove that" in rotation


def test_all_squares_are_compared_as_starts(run) -> None:
    table = compare("3x4", methods=["backtracking"], starts="all", seeds=1)
    assert [row.start for row in table.rows] == [Board(3, 4).square_name(square) for square in Board(3, 4).squares]
    assert sum(row.found for row in table.rows) == 6
    code, out, _ = run("compare", "3x4", "--methods", "backtracking", "--starts", "all", "--seeds", "1", "--json")
    assert code == 0 and [row["start"] for row in json.loads(out)["rows"]] == [row.start for row in table.rows]
    with pytest.raises(ProblemError, match="'every'"):
        compare("3x4", starts="every")  # type: ignore[arg-type]
