"""Whatever is read or asked is answered, or refused with an error of ours. More of it: `make fuzz`."""

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from helpers import fuzz

# In the default run a few; a night's work with KNIGHTSTOUR_FUZZ=100000, which keeps what it finds.
COUNT = int(os.environ.get("KNIGHTSTOUR_FUZZ", "0"))
some = settings(max_examples=150)
if COUNT:
    from hypothesis.database import DirectoryBasedExampleDatabase

    some = settings(
        max_examples=COUNT,
        derandomize=False,
        database=DirectoryBasedExampleDatabase(Path(__file__).parents[2] / ".hypothesis" / "fuzz"),
        suppress_health_check=list(HealthCheck),
    )

pytestmark = pytest.mark.long


@some
@given(fuzz.texts)
def test_any_text_is_read_or_refused(text: str) -> None:
    fuzz.try_text(text)


@some
@given(fuzz.damaged())
def test_any_damaged_file_is_read_or_refused(file: tuple[str, bytes]) -> None:
    fuzz.try_file(*file)


@some
@given(fuzz.requests())
def test_any_request_is_planned_or_refused(request: tuple[str, dict[str, fuzz.Json]]) -> None:
    fuzz.try_request(*request)


@some
@given(line=fuzz.lines)
def test_any_command_line_is_answered_or_refused(line: tuple[str, list[str]]) -> None:
    fuzz.try_line(*line)
