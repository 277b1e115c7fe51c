"""--timeout: long commands support it, end in time, keep their results, and report them as undecided."""

import gc
import json
import time
from collections.abc import Iterator

import numpy as np
import pytest

import knightstour as kt
from cli.test_forms_of_answers import options_of
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.app import all_commands
from knightstour.interfaces.cli.deadline import Deadline, within

# Commands whose work has no limit of time: it is short, or ends with Ctrl-C.
NO_TIMEOUT = {
    *("explain", "serve", "examples", "cache", "convert", "measure", "draw", "rank", "unrank"),
    *("puzzle", "oeis", "puzzle today", "puzzle sheet", "puzzle worksheet", "oeis list", "oeis find"),
}


@pytest.fixture(autouse=True)
def no_callbacks_of_the_collector() -> Iterator[None]:
    """Disable the callbacks of property tests, in which exceptions of an alarm are lost."""
    kept = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = kept


@pytest.mark.parametrize("name", all_commands())
def test_long_commands_have_a_timeout(name):
    assert ("--timeout" in options_of(name)) != (name in NO_TIMEOUT)


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        "count 8x9 --closed",
        "count 8x8 --closed --up-to-symmetry",
        "census 8x8 --closed --by symmetry",
        "count 9x9 --symmetry 180",
        "census 6x8 --closed --by turns",
        "count 8x8",
        "enumerate 8x8 --json",
        "oeis check A193055",
        "oeis extend A193055 --memory 8GB",
        "puzzle 12x12 -n 10000",
        "solve 30x30 --closed --method backtracking --set move_order=random --seed 1",
        "sample 20x20 -n 100000000",
        "facts 9x10:1,4",
        "check tours.npy",
    ],
)
def test_long_work_ends_at_the_limit_and_is_undecided(words, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    if "tours.npy" in words:
        np.save("tours.npy", np.tile(kt.find_tour("100x100", seed=0).numbers.astype(np.int16), (3000, 1, 1)))
    code, out, err = run(*words.split(), "--timeout", "0.3")
    assert code == console.UNDECIDED, err
    assert "limit" in out + err or words.startswith("facts")


def test_a_deadline_ends_the_work_within_and_nothing_after():
    with pytest.raises(KeyboardInterrupt), Deadline(0.01) as clock:
        while True:
            time.sleep(1)
    assert clock.is_over and clock.reason == "the limit of 0.01 seconds was reached"
    with Deadline(60) as clock:
        pass
    with Deadline(None):
        pass
    assert not clock.is_over


def test_ctrl_c_before_the_limit_is_reported_as_interrupt():
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert within(60.0, lambda: console.INTERRUPTED) == console.INTERRUPTED
    assert within(60.0, lambda: 0) == 0
    with pytest.raises(KeyboardInterrupt):
        within(60.0, interrupted)


def test_facts_report_unknown_answers_in_time(run):
    code, out, _ = run("facts", "6x6:mobius", "--timeout", "0.000001", "--json")
    record = json.loads(out)
    assert code == console.UNDECIDED and "undecided" in record["starts"].values()
    page = kt.facts(kt.Board(6, 6, wrap="mobius"), timeout=1e-6)
    assert page.is_undecided
    # Each reason names the part of the time that was left for its question, which differs from run to run.
    asked = {**page.to_dict(), "catalogues": []}
    for kind in ("closed", "open"):
        assert "limit" in asked[kind].pop("reason") and "limit" in record[kind].pop("reason")
    assert asked == record


@pytest.mark.long
def test_data_set_keeps_drawn_tours_and_resumes(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    words = ["sample", "6x6", "-n", "20000", "--seed", "7", "--part-tours", "500", "-o", "set/"]
    code, _, err = run(*words, "--timeout", "0.5")
    if code == console.UNDECIDED:  # a quick machine is done by then
        assert "the limit of 0.5 seconds" in err and "interrupted" in err
        code, _, err = run(*words)
    assert code == console.FOUND
    assert kt.datasets.check_dataset("set").tour_count == 20000
