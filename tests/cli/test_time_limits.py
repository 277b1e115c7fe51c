"""--timeout: every command that may take long has it, ends in time, keeps what it has, and calls it undecided."""

import gc
import json
import time
from collections.abc import Iterator

import numpy as np
import pytest

import knightstour as kt
from cli.test_forms_of_answers import options_of
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.app import COMMANDS
from knightstour.interfaces.cli.deadline import Deadline, deadline_option

NO_TIMEOUT = {
    "explain": "prints a row of a table",
    "serve": "goes on until Ctrl-C; each question has a limit",
}


@pytest.fixture(autouse=True)
def no_callbacks_of_the_collector() -> Iterator[None]:
    """What an alarm raises within one of these is lost; property tests have one."""
    kept = gc.callbacks[:]
    gc.callbacks.clear()
    yield
    gc.callbacks[:] = kept


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_that_may_take_long_has_a_time_limit(name):
    assert ("--timeout" in options_of(name)) != (name in NO_TIMEOUT)


@pytest.mark.long
@pytest.mark.parametrize(
    "words",
    [
        "count 8x9 --closed",
        "count 8x8 --closed --classes",
        "count 8x8 --closed --by symmetry",
        "count 9x9 --symmetry 180",
        "count 6x6 --by steps",
        "count 7x8 --closed --by moves",
        "census 6x8 --closed --by turns",
        "enumerate 8x8 --count",
        "enumerate 8x8 --json",
        "oeis A193055 --check",
        "oeis A193055 --extend --memory 8GB",
        "rank big.txt --open",
        "unrank 7x8 1",
        "puzzle 12x12 -n 10000",
        "solve 30x30 --closed --method backtracking --set move_order=random --seed 1",
        "sample 20x20 -n 100000000 --print none",
        "facts 9x10:1,4",
        "check tours.npy",
    ],
)
def test_long_work_ends_at_the_limit_and_is_undecided(words, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    kt.write_tours("big.txt", kt.find_tour("7x8", seed=0))
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
    @deadline_option
    def work(answer: int) -> int:
        if answer < 0:
            raise KeyboardInterrupt
        return answer

    params = {"timeout": 60.0}
    assert work(answer=console.INTERRUPTED, **params) == console.INTERRUPTED
    assert work(answer=0, **params) == 0
    with pytest.raises(KeyboardInterrupt):
        work(answer=-1, **params)


def test_facts_report_unknown_answers_in_time(run):
    code, out, _ = run("facts", "6x6:mobius", "--timeout", "0.000001", "--json")
    record = json.loads(out)
    assert code == console.UNDECIDED and "undecided" in record["starts"].values()
    page = kt.overview(kt.Board(6, 6, wrap="mobius"), limits=kt.Limits(seconds=1e-6))
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
