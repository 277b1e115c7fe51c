"""compare(): every method asked the same question, and what the command line makes of it."""

from __future__ import annotations

import csv
import functools
import io
import itertools
import json
import time
from collections.abc import Callable
from pathlib import Path

import matplotlib
import pytest
from PIL import Image

import knightstour as kt
from helpers.command_line import run
from knightstour.core.methods import comparison
from knightstour.core.methods.comparison import Row, compare, percentile
from knightstour.core.methods.table import METHODS
from knightstour.core.model.errors import MethodError, ProblemError

QUICK = ["explicit", "rotation", "warnsdorff"]


def test_every_method_has_a_row_that_was_asked_or_excused() -> None:
    table = compare((3, 4), seeds=1, limits=kt.Limits(seconds=0.2), largest=False)
    assert [row.method for row in table.rows] == list(METHODS)
    for row in table.rows:
        assert row.excuse or row.found + row.impossible + row.undecided == row.runs >= 1


def test_an_impossible_board_separates_provers_from_searchers() -> None:
    auto, rotation = compare(
        (4, 4), methods=["auto", "rotation"], seeds=2, limits=kt.Limits(seconds=0.05), largest=False
    ).rows
    assert (auto.impossible, auto.answered) == (2, 1.0)
    assert (rotation.undecided, rotation.answered) == (2, 0.0)


def test_a_method_without_seeds_is_not_asked_a_hundred_times() -> None:
    explicit, rotation = compare((5, 6), closed=True, methods=["explicit", "rotation"], seeds=9, largest=False).rows
    assert explicit.runs < rotation.runs == 9


def test_a_method_without_any_answer_is_asked_ten_times() -> None:
    (row,) = compare(
        (5, 5), closed=True, methods=["rotation"], seeds=50, limits=kt.Limits(seconds=0.02), largest=False
    ).rows
    assert row.undecided == row.runs == 10


def test_the_limit_of_a_run_is_of_processor_time_as_is_what_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    hours = itertools.count()
    monkeypatch.setattr(time, "perf_counter", lambda: 3600.0 * next(hours))
    (row,) = compare(
        (5, 5), closed=True, methods=["rotation"], seeds=1, limits=kt.Limits(seconds=0.05), largest=False
    ).rows
    assert row.undecided == 1 and row.median is not None and row.median >= 0.05


@pytest.fixture
def seconds_of_reports(monkeypatch: pytest.MonkeyPatch) -> Callable[[object], None]:
    """An on_progress; by the clock a second goes by at each report, and none in between."""
    now = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])

    def report(progress: object) -> None:
        now[0] += 1

    return report


def test_the_overall_limit_leaves_what_was_measured_until_then(seconds_of_reports: Callable[[object], None]) -> None:
    ask = functools.partial(compare, (4, 4), seeds=3, largest=False, on_progress=seconds_of_reports)
    table = ask(methods=["auto", "backtracking", "exact"], overall=6.5)
    auto, backtracking, exact = table.rows
    # Each of the three runs of `auto`, and the first one, is reported.
    assert (auto.runs, auto.impossible, auto.excuse) == (3, 3, "")
    assert 0 <= backtracking.runs < 3 and exact.runs == 0
    assert backtracking.excuse == exact.excuse == table.reason == "the limit of 6.5 seconds was reached"
    assert "exact: the limit of 6.5 seconds was reached" in table.to_text()
    assert table.to_dict()["reason"] == table.reason
    assert ask(methods=["auto"]).reason == ""


def test_a_run_tells_how_far_it_is_and_the_overall_limit_ends_it(
    seconds_of_reports: Callable[[object], None],
) -> None:
    table = compare(
        (5, 5), closed=True, methods=["rotation"], overall=20, largest=False, on_progress=seconds_of_reports
    )
    assert table.reason and table.rows[0].runs < 10


def test_the_overall_limit_must_make_sense(capsys: pytest.CaptureFixture[str]) -> None:
    for bad in (0, -1, "long", float("nan")):
        with pytest.raises(ProblemError):
            compare((5, 5), overall=bad)  # type: ignore[arg-type]
    code, out, err = run("compare", "5x5", "--closed", "--methods", "rotation", "--overall", "0.2", capsys=capsys)
    assert (code, err) == (3, "note: the limit of 0.2 seconds was reached\n") and "rotation" in out


def test_the_largest_board_is_one_that_the_method_solves_in_time() -> None:
    (row,) = compare((6, 6), closed=True, methods=["exact"], seeds=1, limits=kt.Limits(seconds=0.1)).rows
    assert row.largest is not None and 6 <= row.largest <= 32 and row.largest % 2 == 0


def test_times_are_reported_for_every_run() -> None:
    table = compare((8, 8), methods=["rotation"], seeds=7, largest=False)
    assert len(table.times["rotation"]) == 7
    (row,) = table.rows
    assert row.median is not None and row.p95 is not None and 0 < row.median <= row.p95 == max(table.times["rotation"])


def test_percentiles_are_values_that_occur() -> None:
    assert percentile(range(1, 101), 95) == 95
    assert percentile([7], 95) == percentile([7], 50) == 7


def test_wrong_questions_are_refused() -> None:
    with pytest.raises(MethodError, match="nonsense"):
        compare((8, 8), methods=["nonsense"])
    with pytest.raises(ProblemError, match="0 seeds"):
        compare((8, 8), seeds=0)


def test_the_table_names_each_method_and_how_often_it_answered(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "6x6", "--closed", "--methods", ",".join([*QUICK, "merge"]), "--seeds", "2", "--no-largest"]
    code, out, _ = run(*words, capsys=capsys)
    assert code == 0
    lines = [line.split() for line in out.splitlines() if line]
    assert lines[1][:2] == ["method", "answered"]
    assert {line[0]: line[1] for line in lines[2:6]} == dict.fromkeys([*QUICK, "merge"], "100")


def test_proofs_are_distinguished_from_tours_in_the_table_and_the_chart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chart = tmp_path / "times.svg"
    words = ["compare", "5x5", "--start", "a2", "--methods", "auto,rotation", "--seeds", "2", "--timeout", "0.05"]
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        code, out, _ = run(*words, "--no-largest", "-o", str(chart), capsys=capsys)
    assert code == 0
    auto, rotation = out.splitlines()[-2:]
    assert "100 % (proved there is none)" in auto and "0 %" in rotation and "proved" not in rotation
    assert chart.read_text().count("100 % (proved there is none)") == 1


def test_a_method_that_does_not_apply_is_listed_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = run("compare", "4x4:torus", "--methods", "explicit", "--no-largest", capsys=capsys)
    assert code == 0 and "not asked:\n  explicit:" in out


def test_json_and_csv_hold_the_same_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["compare", "5x5", "--start", "a1", "--methods", ",".join(QUICK), "--seeds", "2", "--no-largest"]
    _, out, _ = run(*words, "--json", capsys=capsys)
    asked = json.loads(out)
    assert (asked["board"], asked["start"], asked["closed"]) == ("5x5", "a1", False)
    target = tmp_path / "times.csv"
    assert run(*words, "-o", str(target), capsys=capsys)[0] == 0
    rows = list(csv.DictReader(io.StringIO(target.read_text())))
    assert [row["method"] for row in rows] == [row["method"] for row in asked["rows"]] == QUICK
    assert [int(row["found"]) for row in rows] == [row["found"] for row in asked["rows"]]


def test_the_chart_is_a_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "times.png"
    words = ["compare", "6x6", "--methods", "rotation", "--seeds", "2", "--no-largest", "-o", str(target)]
    assert run(*words, capsys=capsys)[0] == 0
    with Image.open(target) as picture:
        assert picture.width > 500
    code, _, err = run(*words, capsys=capsys)
    assert code == 2 and "exists" in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--methods", "nonsense"], "unknown method 'nonsense'"),
        (["--seeds", "0"], "0 seeds"),
        (["--csv"], "the file's name says it: -o values.csv"),
        (["--timeout", "-1"], "leaves no time"),
        (["-o", "x.txt"], "names no format of a table or picture"),
    ],
)
def test_bad_input_is_one_clear_error(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = run("compare", "6x6", *words, capsys=capsys)
    assert (code, out) == (2, "") and said in err


def test_short_times_keep_two_digits() -> None:
    assert [comparison._time_in_words(s) for s in (None, 1e-6, 0.0123, 0.12, 12.0)] == [
        "",
        "0.001 ms",
        "12 ms",
        "120 ms",
        "12 s",
    ]
    assert Row("x").answered is None
