"""The first use: nobody waits for a compiler that does not pay, and without one everything still answers."""

from __future__ import annotations

import importlib
import logging
import os
import pkgutil
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from knightstour import kernels
from knightstour.kernels.counting import lists, sorted_lists
from knightstour.machine import compiling, engine


def run(code: str, folder: Path, **words: str) -> str:
    """What a fresh interpreter prints whose compiled kernels are in a folder."""
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(folder), **words}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, timeout=1200, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


WITHOUT_NUMBA = """
import logging, sys, tempfile
sys.modules["numba"] = None
import knightstour as kt
from knightstour.machine import engine
engine.INTERPRETED_SECONDS = 0
few = kt.Limits(nodes=2000)
tour = kt.solve("8x8", closed=True, method="rotation", rng=1).tour
print(tour.is_closed, kt.count_tours("5x6", closed=True), kt.count_tours("5x5"))
for law in ("backbite", "merge", "warnsdorff"):
    print(len(kt.sample_tours("6x6", 3, closed=law != "warnsdorff", rng=1, law=law)))
with tempfile.TemporaryDirectory() as folder:
    space = kt.TourSpace.build("5x6", path=folder + "/space", closed=True)
    print(space.rank(space.unrank(3)))
    kt.write_tours(folder + "/tours.json", [tour])
    print(kt.check_tours(folder + "/tours.json").is_valid)
print(kt.improve(tour, rng=1, limits=few).after < tour.turns)
print(bool(kt.compare("6x6", methods=["auto", "rotation", "backtracking"], seeds=1, limits=few, largest=False)))
"""


def test_without_numba_everything_answers_with_one_note(tmp_path: Path) -> None:
    said = run(WITHOUT_NUMBA, tmp_path).splitlines()
    notes = [line for line in said if line.startswith("numba is not installed")]
    assert len(notes) == 1
    said.remove(notes[0])
    assert said == ["True 8 864", "3", "3", "3", "3", "True", "True", "True"]


def test_small_counts_and_samples_do_not_load_numba(tmp_path: Path) -> None:
    code = "import sys, knightstour as kt; from knightstour.machine import engine; engine.INTERPRETED_SECONDS = 60\n"
    code += "print(kt.count_tours('6x6', closed=True), len(kt.sample_tours('8x8', 50, rng=1)), 'numba' in sys.modules)"
    assert run(code, tmp_path) == "9862 50 False\n"
    assert not list(tmp_path.iterdir())


def doors_of_all_kernels() -> list[tuple[str, str]]:
    """(module, door) of each door that there is."""
    found = []
    for info in pkgutil.walk_packages(kernels.__path__, "knightstour.kernels."):
        module = importlib.import_module(info.name)
        if hasattr(module, "KERNELS"):
            found += [(info.name, door.__name__) for door in compiling.doors_of(module)]
    return found


# ---------------------------------------------------------------- when compiled code is due


@pytest.fixture
def rule(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    """What the rule is given to see of the machine: the disk, another process, and numba."""
    seen = {"disk": False, "numba": True, "background": False, "over": False, "started": False}

    class Process:
        @property
        def is_over(self) -> bool:
            return seen["over"]

    def ahead(*_: object) -> Process:
        seen["started"] = True
        return Process()

    monkeypatch.setattr(engine, "INTERPRETED_SECONDS", 1.0)
    monkeypatch.setattr(engine, "COMPILE_AFTER", 10.0)
    monkeypatch.setattr(engine, "ahead", ahead)
    monkeypatch.setattr(engine, "is_wanted", lambda: seen["background"])
    monkeypatch.setattr(compiling, "is_on_disk", lambda *_: seen["disk"])
    monkeypatch.setattr(compiling, "has_compiler", lambda: seen["numba"])
    monkeypatch.setattr(compiling, "_unsaid", [])
    return seen


def is_due(worked: float, expected: float = 0.0, left: float = float("inf"), together: float = 0.0) -> bool:
    words = {"expected": expected, "left": left, "together": together}
    return engine.is_due(sorted_lists, "sort_in_place", lambda: ("value", 7), worked, **words)


def test_code_on_the_disk_is_loaded_when_the_work_is_worth_it(rule: dict[str, bool]) -> None:
    rule["disk"] = True
    assert not is_due(0.1) and is_due(1.0) and is_due(0.0, expected=1.0)
    assert not is_due(1.0, left=0.1)
    rule["numba"] = False
    assert not is_due(100.0)


def test_what_must_be_compiled_is_compiled_later_and_never_shortly_before_a_limit(rule: dict[str, bool]) -> None:
    assert not is_due(9.0) and is_due(10.0) and is_due(0.0, expected=10.0)
    assert not is_due(10.0, left=1.0)


def test_doors_that_take_a_little_each_are_compiled_for_the_next_time(rule: dict[str, bool]) -> None:
    assert not is_due(2.0, together=20.0) and not rule["started"]
    rule["background"] = True
    assert not is_due(0.1, together=20.0) and not is_due(2.0, together=9.0) and not rule["started"]
    assert not is_due(2.0, together=20.0) and rule["started"]


def test_a_long_call_is_compiled_for_another_process(rule: dict[str, bool], monkeypatch: pytest.MonkeyPatch) -> None:
    rule["background"] = True
    monkeypatch.setattr(engine.Door, "together", 20.0)
    monkeypatch.setattr(engine, "INTERPRETED_SECONDS", 0.0)
    rows = np.array([[0, 1]])
    engine.Door(sorted_lists, lambda array: array)(rows)
    assert rule["started"]


def test_another_process_compiles_unless_the_work_is_very_long(rule: dict[str, bool]) -> None:
    rule["background"] = True
    assert not is_due(9.0) and not rule["started"]
    assert is_due(0.0, expected=1000.0) and not rule["started"]
    assert not is_due(10.0) and rule["started"]
    rule["over"] = True
    assert is_due(10.0)


# ---------------------------------------------------------------- doors


def test_a_door_goes_on_compiled_in_the_midst_of_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    door = engine.Door(sorted_lists, sorted_lists.sort_in_place)
    one, scratch = np.array([0]), np.zeros((2, 3), dtype=np.int64)

    def sort() -> list[int]:
        made = np.array([[3, 1], [1, 1], [2, 1]])
        door(0, 1, one, np.array([3]), made, np.array([0, 3]), *scratch, np.zeros(256, dtype=np.int64))
        return made[:, 0].tolist()

    assert sort() == [1, 2, 3] and not door.is_compiled
    for name in ("INTERPRETED_SECONDS", "COMPILE_AFTER"):
        monkeypatch.setattr(engine, name, 0.0)
    door._look_at = 0.0
    assert sort() == [1, 2, 3] and door.is_compiled
    assert compiling.is_on_disk(sorted_lists, "sort_in_place")


def test_sums_of_short_integers_are_whole_when_interpreted() -> None:
    plain = engine._plain((np.array([200, 100], dtype=np.uint8), np.array([1 << 40]), 3))
    assert plain[0][0] + plain[0][1] == 300 and isinstance(plain[1], np.ndarray) and plain[2] == 3


@pytest.mark.parametrize(
    "value",
    [
        np.zeros((3, 2), dtype=np.int16),
        np.zeros((3, 2), dtype=np.int64, order="F"),
        np.zeros((8, 8))[::2, ::2],
        np.int32(5),
        (7, True, 2.5, lists.Lists(*(np.zeros(2, dtype=np.int64) for _ in lists.Lists._fields))),
    ],
    ids=str,
)
def test_the_value_of_a_form_is_to_the_compiler_as_the_argument_was(value: object) -> None:
    import numba

    form = compiling.form_of(value)
    assert numba.typeof(compiling.value_of(form)) == numba.typeof(value)
    assert compiling.form_of(compiling.value_of(form)) == form


def test_a_read_only_array_has_a_form_of_its_own() -> None:
    array = np.zeros(3)
    form = compiling.form_of(array)
    array.flags.writeable = False
    assert compiling.form_of(array) != form and not compiling.value_of(compiling.form_of(array)).flags.writeable


# ---------------------------------------------------------------- in another process

BACKGROUND = """
import sys, time
import numpy as np
from knightstour.kernels.counting import sorted_lists as kernel
from knightstour.machine import engine
engine.INTERPRETED_SECONDS = engine._LOOK_SECONDS = 0
engine.COMPILE_AFTER = 1e-9
door = engine.doors(kernel).sort_in_place
states = np.array([[3, 1], [1, 1], [2, 1]])
def sort():
    one, scratch = np.array([0]), np.zeros((2, 3), dtype=np.int64)
    made = states.copy()
    door(0, 1, one, np.array([3]), made, np.array([0, 3]), *scratch, np.zeros(256, dtype=np.int64))
    return made[:, 0].tolist()
sort()
first, was_compiled, was_imported = sort(), door.is_compiled, "numba" in sys.modules
deadline = time.monotonic() + 60
while not door.is_compiled and time.monotonic() < deadline:
    time.sleep(0.05)
    sort()
print(first, was_compiled, was_imported, door.is_compiled, sort())
"""


@pytest.mark.long
def test_another_process_compiles_meanwhile_and_leaves_only_good_code(tmp_path: Path) -> None:
    said = run(BACKGROUND, tmp_path, KNIGHTSTOUR_COMPILE="background")
    assert said == "[1, 2, 3] False False True [1, 2, 3]\n"
    assert any(tmp_path.rglob("sorted_lists.sort_in_place.*.any.compiled"))


@pytest.mark.long
def test_it_goes_on_when_the_process_that_wanted_the_code_has_ended(tmp_path: Path) -> None:
    ended = BACKGROUND.partition("deadline =")[0]
    assert run(ended, tmp_path, KNIGHTSTOUR_COMPILE="background") == ""
    deadline = time.monotonic() + 60
    while not any(tmp_path.rglob("sorted_lists.*.compiled")) and time.monotonic() < deadline:
        time.sleep(0.1)
    code = "from knightstour.kernels.counting import sorted_lists as k; from knightstour.machine import compiling; "
    code += f"print(compiling.is_on_disk(k, {sorted_lists.sort_in_place.__name__!r}))"
    assert run(code, tmp_path) == "True\n"


def test_the_word_in_the_environment_switches_it_off(tmp_path: Path) -> None:
    said = run(BACKGROUND, tmp_path, KNIGHTSTOUR_COMPILE="here")
    assert said.splitlines()[-1] == "[1, 2, 3] True True True [1, 2, 3]"


# ---------------------------------------------------------------- all at once


@pytest.mark.slow
def test_warming_up_compiles_every_door(tmp_path: Path) -> None:
    run("import knightstour as kt\nif __name__ == '__main__': kt.warm_up()", tmp_path)
    code = "import importlib, sys; from knightstour.machine import compiling\n"
    code += f"for name, door in {doors_of_all_kernels()!r}:\n"
    code += "    assert compiling.is_on_disk(importlib.import_module(name), door), (name, door)"
    assert run(code, tmp_path) == ""


def test_warming_up_without_numba_is_an_error(tmp_path: Path) -> None:
    code = "import sys; sys.modules['numba'] = None\nimport knightstour as kt\n"
    code += "try: kt.warm_up()\nexcept kt.KnightsTourError as error: print(error)"
    assert "numba is not installed" in run(code, tmp_path)


def test_waiting_for_the_compiler_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="knightstour"):
        compiling.announce(sorted_lists, ["sort_in_place"])
    assert "compiling sort_in_place of the sorted_lists kernel" in caplog.text


def test_at_a_terminal_the_first_wait_is_a_warning_with_its_length(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiling, "_unsaid_of_compiling", ["someone waits"])
    monkeypatch.setattr(compiling, "_SECONDS", {"sorted_lists": 12})
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    with caplog.at_level(logging.INFO, logger="knightstour"):
        compiling.announce(sorted_lists, ["sort_in_place"])
        compiling.announce(sorted_lists, ["sort_in_place"])
    assert [record.levelname for record in caplog.records] == ["WARNING", "INFO"]
    assert "about 12 s" in caplog.records[0].getMessage()
