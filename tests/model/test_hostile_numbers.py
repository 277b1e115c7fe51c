"""Every number that a public function takes, replaced by one beyond all bounds, or by what is no number."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from helpers.hostile_calls import FUNCTIONS, METHODS, NEVER_WHOLE, hostile_calls, outcome, right_call
from helpers.public import PUBLIC

# These ask for an extra that may not be there, or make sets of thousands of tours.
LONG = {"compare", "plot", "sample_dataset", "animate", "draw_widget"}
# There is no data set; or the work that is done before these can answer takes long.
WITHOUT_ANSWER = {"check_dataset", "read_dataset", "growth_rate"}


def test_every_public_function_is_tried() -> None:
    public = {name for name, value in PUBLIC.items() if inspect.isfunction(value)}
    assert public == set(FUNCTIONS), "say in helpers/hostile_calls.py how a new function is called"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in (*FUNCTIONS, *METHODS)]
)
def test_a_number_beyond_all_bounds_is_one_clear_error(name: str, tmp_path: Path) -> None:
    if name not in WITHOUT_ANSWER:
        assert outcome(right_call(name, tmp_path)) == ""
    for asked, kind, ask in hostile_calls(name, tmp_path):
        said = outcome(ask)
        assert len(said) < 400 and "\n" not in said and "Exceeds" not in said, f"{asked}: {said}"
        if re.fullmatch(r"int( \| None)?", kind):
            assert said or not any(f"={word}," in asked for word in NEVER_WHOLE), f"{asked} is taken"
