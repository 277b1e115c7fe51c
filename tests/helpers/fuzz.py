"""Questions that nobody foresaw, for every reader, the API of the page and the command line.

Whatever comes is answered, or refused with an error of ours. `make fuzz` looks for what is neither, for hours; what it
finds is kept in .hypothesis and tried first the next time.
"""

import contextlib
import io
from typing import Any

from hypothesis import strategies as st

from helpers.format_samples import SMALL, TOUR_FORMATS, written
from knightstour.core.formats.table import FORMATS
from knightstour.core.formats.tours import parse_tours, read_board, read_candidates
from knightstour.core.model.board import Board
from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.cli import app
from knightstour.interfaces.web import api
from knightstour.interfaces.web.fields import FIELDS, Json

# Words that the readers know, so that noise gets past the first look.
_WORDS = ["# board 3x4", "leaper 1,2", "wrap torus", "holes a1", "row,col", "a1", "0,0", "X: 1 Y: 1", "TYPE : HCP"]
_WORDS += [
    "DIMENSION : 4",
    "TOUR_SECTION",
    "EDGE_DATA_SECTION",
    '{"rows": 3,',
    '"squares": [[0, 0]',
    "]",
    "}",
    "-1",
    ".",
]
_pieces = st.one_of(
    st.sampled_from(_WORDS), st.text(max_size=8), st.integers().map(str), st.sampled_from(["\n", " ", ",", "1" * 5000])
)
texts = st.lists(_pieces, max_size=30).map("".join)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """A format, and a file of it of which a part is cut off, doubled or replaced."""
    name = draw(st.sampled_from(TOUR_FORMATS))
    data = written(name, SMALL)
    data = data if isinstance(data, bytes) else data.encode()
    first, end = sorted(draw(st.tuples(*[st.integers(0, len(data))] * 2)))
    middle = draw(st.one_of(st.binary(max_size=20), st.just(data[first:end] * 2), texts.map(str.encode)))
    return name, data[:first] + middle + data[end:]


_scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 12), st.integers(), st.floats(), st.text(max_size=12), st.just("6x6")
)
_values = st.recursive(_scalars, lambda some: st.lists(some, max_size=4) | st.dictionaries(st.text(max_size=5), some))


@st.composite
def requests(draw: st.DrawFn) -> tuple[str, dict[str, Json]]:
    """A path of the API, and fields for it: some of those it has, some others."""
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


def try_text(text: str, format: str | None = None) -> None:
    """Read a text as tours and as a board."""
    board = Board(3, 4)
    for read in (lambda: parse_tours(text, format), lambda: parse_tours(text, format, board)):
        with contextlib.suppress(KnightsTourError):
            read()
    with contextlib.suppress(KnightsTourError):
        read_board(io.StringIO(text))


def try_file(name: str, data: bytes) -> None:
    """Read bytes as what they were, and as what they look like."""
    for format in (name, None):
        with contextlib.suppress(KnightsTourError):
            list(read_candidates(io.BytesIO(data), format))
    assert name in FORMATS


def try_request(name: str, body: dict[str, Json]) -> None:
    """Plan the job of a request."""
    with contextlib.suppress(KnightsTourError):
        api.call_of(name, body)


def try_line(command: str, words: list[str]) -> None:
    """Run a command that has no time for long work; exit code 70 is a fault of the program."""
    limit = ["--timeout", "0.2"] if command in ("solve", "count", "sample", "enumerate") else []
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()) as said:
        code = app._run([command, *words, *limit], debug=False)
    assert code != 70, f"{command} {words}: {said.getvalue()}"
