"""Tests of random input: each is answered, or rejected with an error of the package.

`make fuzz` searches for counterexamples for hours, and stores them in .hypothesis.
"""

import contextlib
import io
import json
import os
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from helpers.examples import examples
from helpers.format_samples import SMALL, TOUR_FORMATS, written
from knightstour.core.formats.tours import parse_tours, read_board, read_candidates
from knightstour.core.model.board import Board
from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.cli import app
from knightstour.interfaces.web import api
from knightstour.interfaces.web.fields import FIELDS, Json

# By default a few examples; a night's work with KNIGHTSTOUR_FUZZ=100000, which stores counterexamples.
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

# Words that the readers know, so that noise gets past the first look.
_WORDS = ["# board 3x4", "leaper 1,2", "wrap torus", "holes a1", "row,col", "a1", "0,0", "X: 1 Y: 1", "TYPE : HCP"]
_WORDS += ["DIMENSION : 4", "TOUR_SECTION", "EDGE_DATA_SECTION", '{"rows": 3,', '"squares": [[0, 0]', *"]}.", "-1"]
_pieces = st.one_of(
    st.sampled_from(_WORDS), st.text(max_size=8), st.integers().map(str), st.sampled_from(["\n", " ", ",", "1" * 5000])
)
texts = st.lists(_pieces, max_size=30).map("".join)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """Draw a format, and a file with a deleted, repeated or replaced part."""
    name = draw(st.sampled_from(TOUR_FORMATS))
    data = written(name, SMALL)
    data = data if isinstance(data, bytes) else data.encode()
    first, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
    middle = draw(st.one_of(st.binary(max_size=20), st.just(data[first:end] * 2), texts.map(str.encode)))
    return name, data[:first] + middle + data[end:]


_KNOWN = st.sampled_from(["6x6", "a1", [0, 0], [0, 6], ["a1", "b3"], {"rows": 3, "cols": 4}, "svg", "1 2\n", "merge"])
_scalars = st.none() | st.booleans() | st.integers(-3, 12) | st.integers() | st.floats() | st.text(max_size=12) | _KNOWN
_values = st.recursive(_scalars, lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=5), some))


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, Json]]:
    """Draw a path of the API, and fields for it, some of them unknown."""
    name = draw(st.sampled_from(sorted(api.ROUTES)))
    fields = draw(st.dictionaries(st.sampled_from([*api.ROUTES[name].fields, *sorted(FIELDS)]), _values, max_size=6))
    board: Any = draw(st.sampled_from(["5x6", "3x4", {"rows": 4, "cols": 4, "wrap": "torus"}, 7, "x", None]))
    return name, {"board": board, **fields}


_OPTIONS = ["--closed", "--start", "--end", "--goal", "--directed", "--method", "--format", "--seed", "-n"]
_OPTIONS += ["--timeout", "--json", "--style", "--size", "--plan", "--symmetry", "--threads", "--distribution"]
_given = st.sampled_from(["3x4", "5x6", "1x7", "0", "-3", "a1", "0,0", "torus", "2,3", "1e9", "", "\x1b[2J", "x" * 500])
lines = st.tuples(
    st.sampled_from(
        ["solve", "check", "facts", "count", "sample", "enumerate", "draw", "convert", "explain", "unrank"]
    ),
    st.lists(st.one_of(st.sampled_from(_OPTIONS), _given), max_size=6),
)


@some
@example("1" * 5000 + ' "squares": [[0, 0]# board 3x4')
@given(texts)
def test_any_text_is_read_or_rejected_as_tours_and_board(text: str) -> None:
    for board in (None, Board(3, 4)):
        with contextlib.suppress(KnightsTourError):
            parse_tours(text, board=board)
    with contextlib.suppress(KnightsTourError):
        read_board(io.StringIO(text))


@some
@given(damaged())
def test_any_damaged_file_is_read_or_refused(file: tuple[str, bytes]) -> None:
    name, data = file
    for format in (name, None):
        with contextlib.suppress(KnightsTourError):
            list(read_candidates(io.BytesIO(data), format))


@some
@given(requests())
def test_any_request_is_planned_or_refused(request: tuple[str, dict[str, Json]]) -> None:
    with contextlib.suppress(KnightsTourError):
        call = api.call_of(*request)
        if call.lane == api.QUICK and call.first_event is None:
            call.function(*call.arguments)


# These take seconds, whatever the board.
LONG = {"count/estimate", "space/build", "space/unrank", "space/rank", "space/random"}


@pytest.mark.processes
@examples(40)
@given(requests().filter(lambda request: request[0] not in LONG))
def test_any_body_is_handled_without_server_error(web: httpx.Client, request: tuple[str, dict[str, Json]]) -> None:
    path, fields = request
    answer = web.post(f"/api/{path}", content=json.dumps(fields), headers={"Content-Type": "application/json"})
    assert answer.status_code in (200, 400, 409), (fields, answer.text)
    assert "this should not have happened" not in answer.text, (fields, answer.text)


@some
@given(lines)
def test_any_command_line_is_answered_or_refused(line: tuple[str, list[str]]) -> None:
    """Commands have short time limits; exit code 70 is a fault of the program."""
    command, words = line
    limit = ["--timeout", "0.2"] if command in ("solve", "count", "sample", "enumerate") else []
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        code = app._run([command, *words, *limit], debug=False)
    assert code != 70, f"{command} {words}: {said.getvalue()}"
