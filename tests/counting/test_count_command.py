"""The command `count` with long, estimated or listed numbers; and for boards without tours."""

import itertools
import json
import math
import re
from pathlib import Path

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.progress import Progress
from knightstour.lab.counting import narrow
from knightstour.lab.counting import plan as plans
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.estimate import Estimate, estimate
from knightstour.lab.counting.plan import plan
from knightstour.lab.counting.settings import CountSettings

# ---------------------------------------------------------------- long boards


@pytest.mark.parametrize("as_json", [False, True])
def test_a_number_of_many_digits_is_printed(as_json: bool, run: Run) -> None:
    code, out, _ = run("count", "3x9000", "--closed", *["--json"] * as_json)
    digits = json.loads(out)["count"] if as_json else out.strip()
    assert code == 0 and len(digits) > 4300 and re.fullmatch("[0-9]+", digits)
    assert int(digits[-9:]) == count_problem(kt.Problem((3, 9000), closed=True)).tours % 10**9


@pytest.mark.parametrize(("rows", "closed"), [(3, True), (3, False), (4, False)])
def test_a_long_board_reports_progress_and_keeps_its_limit(rows: int, closed: bool) -> None:
    cols = 300
    columns: list[int] = []
    found = narrow.narrow_count(rows, cols, closed=closed, on_column=columns.append)
    terms = narrow.narrow_recurrence(rows, closed=closed).terms()
    assert found == next(itertools.islice(terms, cols, None))
    assert columns == sorted(set(columns)) and len(columns) > 3 and columns[-1] <= cols
    steps: list[Progress] = []
    with pytest.raises(kt.LimitReached, match="limit of"):
        count_problem(
            kt.Problem((rows, 1000), closed=closed),
            settings=CountSettings(Limits(seconds=1e-09), on_progress=steps.append),
        )
    assert not steps


def test_progress_goes_on_with_the_columns() -> None:
    steps: list[Progress] = []
    count_problem(kt.Problem((3, 2000), closed=True), settings=CountSettings(on_progress=steps.append))
    parts = [step.part for step in steps if step.part is not None]
    assert parts == sorted(parts) and 0 <= parts[0] < 0.1 and 0.8 < parts[-1] <= 1


@pytest.mark.parametrize(("rows", "closed"), [(3, True), (3, False), (4, False)])
def test_the_effort_of_a_long_board_is_foreseen(rows: int, closed: bool) -> None:
    cols = {3: 3000, 4: 2000}[rows]
    effort = narrow.narrow_effort(rows, cols, closed=closed)
    digits = narrow.narrow_count(rows, cols, closed=closed).bit_length() * math.log10(2)
    assert digits < 1.1 * effort.digits and effort.digits < 1.1 * digits + 5
    assert effort.bytes > digits / 3 and effort.seconds > 0


def test_rejects_number_that_exceeds_memory() -> None:
    with pytest.raises(kt.LimitReached, match="infeasible") as refused:
        count_problem(kt.Problem((3, 10**12), closed=True))
    assert "count_recurrence(board)" in refused.value.help and "states" not in str(refused.value)
    with pytest.raises(kt.LimitReached, match="infeasible"):
        count_problem(kt.Problem((3, 10**6), closed=True), settings=CountSettings(Limits(seconds=None, bytes=10**6)))
    assert kt.plan((10**12, 3), closed=True).is_refused
    assert not kt.plan((3, 10**6), closed=True, memory=10**9).is_refused


def test_a_plan_of_a_long_board_has_memory_and_time(run: Run) -> None:
    code, out, _ = run("count", "3x1000000", "--closed", "--plan")
    assert code == 0 and "states" not in out and "memory   " in out and "time     " in out
    assert "by a recurrence, about" in str(plan((3, 10**6), closed=True))


# ---------------------------------------------------------------- estimates


NOTHING = Estimate(kt.Problem("5x5"), False, 0.0, 0.0, -math.inf, math.inf, 40, 20, "a distribution")
ENDLESS = Estimate(kt.Problem("5x5"), False, math.inf, math.inf, 400.5, 0.25, 40, 20, "a distribution")


def test_an_estimate_that_met_no_tour_is_undecided(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knightstour.interfaces.cli.commands.estimate.estimate", lambda *_, **__: NOTHING)
    code, out, err = run("estimate", "20x20", "--samples", "40")
    assert code == 3 and out.startswith("undecided: no tour among 40 walks") and "use more --samples" in err
    code, out, _ = run("estimate", "20x20", "--samples", "40", "--json")
    record = json.loads(out)
    assert (
        code == 3
        and record["mean"] is record["standard_error"] is record["log10_mean"] is None
        and record["samples"] == 40
    )


def test_an_estimate_that_its_limit_ended_is_printed_and_undecided(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # The timeout passes at the 400th check: a population needs about 36.
    asked = itertools.count()
    monkeypatch.setattr(
        Budget, "is_spent", property(lambda self: self.limits.seconds is not None and next(asked) > 400)
    )
    words = ("estimate", "6x6", "--samples", "4000", "--seed", "1")
    code, out, err = run(*words, "--timeout", "5")
    drawn = int(re.search(r"from ([\d,]+) samples", err)[1].replace(",", ""))  # type: ignore[index]
    assert code == 3 and " +- " in out and "limit of 5 seconds was reached; 4,000 samples were requested" in err
    assert 0 < drawn < 4000 and drawn % 200 == 0
    words = (*words[:3], str(drawn), *words[4:])
    code, _, err = run(*words)
    assert code == 0 and "limit" not in err
    assert not json.loads(run(*words, "--json")[1])["limited"]


def test_an_estimate_beyond_floating_point_is_printed_by_its_power(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knightstour.interfaces.cli.commands.estimate.estimate", lambda *_, **__: ENDLESS)
    code, out, _ = run("estimate", "26x26:torus", "--samples", "40")
    assert (code, out) == (0, "3.162e+400 +- 0.79e+400\n")
    _, out, _ = run("estimate", "26x26", "--samples", "40", "--json")
    record = json.loads(out, parse_constant=lambda name: pytest.fail(f"{name} is no JSON"))
    assert record["mean"] is None and record["log10_mean"] == 400.5 and record["relative_error"] == 0.25


def test_estimate_skips_sampling_after_a_proof(run: Run) -> None:
    code, out, err = run("estimate", "5x5", "--closed", "--samples", "40")
    assert (code, out) == (0, "0\n") and "Schwenk" in err
    _, out, _ = run("estimate", "5x5", "--closed", "--samples", "40", "--json")
    assert (json.loads(out)["mean"], json.loads(out)["samples"]) == (0.0, 0)


def test_directed_estimates_match_directed_counts(run: Run) -> None:
    assert run("estimate", "1x1", "--samples", "40", "--directed")[1] == "1 +- 0\n"


@pytest.mark.long
def test_an_estimate_ends_with_its_time(processor_clock: None) -> None:
    # The first call loads the kernels.
    estimate((8, 8), samples=1000, seed=1)
    seen: list[int] = []
    found = estimate(
        (8, 8),
        samples=10**9,
        seed=1,
        timeout=0.5,
        on_progress=lambda progress: seen.append(progress.done),
    )
    assert found.samples == seen[-1] >= 2000 and 0 < found.relative_error < 10
    assert found.is_limited and found.limit.startswith("the limit of 0.5 seconds was reached")
    with pytest.raises(kt.LimitReached, match="limit of"):
        kt.estimate((8, 8), samples=10**6, seed=1, timeout=1e-09)


# ---------------------------------------------------------------- no tours


@pytest.mark.parametrize(
    "words", [["unrank", "5x5", "1", "--closed"], ["sample", "5x5", "--closed", "-n", "2"]], ids=str
)
def test_impossible_questions_are_answered_in_the_words_of_solve(words: list[str], run: Run) -> None:
    _, solved, _ = run("solve", "5x5", "--closed")
    assert run(*words) == (1, "", solved)


def test_empty_listing_has_a_reason(run: Run) -> None:
    code, _, err = run("enumerate", "5x5", "--closed")
    assert code == 1 and "Schwenk" in err


def test_unwritable_checkpoint_is_reported_without_an_invalid_number() -> None:
    if not Path("/proc/self").exists():
        pytest.skip("no folder here that nobody can write to")
    with pytest.raises(OSError, match="/proc/none"):
        kt.count("7x8", closed=True, checkpoint="/proc/none")


@pytest.mark.parametrize("words", [("8x8", "--memory", "1"), ("8x8", "--closed", "--memory", "100MB")], ids=" ".join)
def test_too_small_memory_error_states_what_is_needed(words: tuple[str, ...], run: Run) -> None:
    code, out, err = run("count", *words)
    assert code == 0 and int(out) in (9795914085489952, 13267364410532)
    needed = "takes about 7.73 GB" if len(words) == 3 else "takes about 598 MB"
    allowed = "1 byte of memory may be used" if len(words) == 3 else "100 MB of memory may be used"
    assert needed in err and f"{allowed}, so this is from the table of known numbers" in err and "infeasible" not in err


def test_full_disk_for_a_checkpoint_is_reported(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plans, "free_bytes", lambda place: 3_000_000)
    code, out, err = run("count", "7x8", "--closed", "--checkpoint", str(tmp_path / "work"))
    assert (code, out) == (3, "") and "3 MB of disk are free" in err and "a disk with 16.6 MB free" in err
