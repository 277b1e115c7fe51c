"""Tours as JSON, which supports every board: one object per line, as printed by `solve --json`.

    {"status": "found", "closed": true, "rows": 6, "cols": 6, "squares": [[0, 0], [1, 2], ...]}
Boards other than rectangles have `holes`, `wrap`, `leaper` or `graph`; see boards.py.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain
from typing import Any, cast

import numpy as np

from knightstour.core.formats.boards import BoardRecord, board_from_dict, board_to_dict
from knightstour.core.formats.faults import TruncatedText
from knightstour.core.formats.text import Reading, agreed_board, rectangle_around
from knightstour.core.machine.files import PIECE_CHARS, Source
from knightstour.core.model.board import Board, are_moves
from knightstour.core.model.condition_table import CONDITIONS
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.strict_json import DECODER, bad_json, check_entries
from knightstour.core.model.tour import Tour

_MAX_JSON_CHARS = 1 << 27
# Allowed entries of a tour's record besides conditions.
_ENTRIES = (
    *("status", "closed", *BoardRecord.__annotations__, "squares"),
    *("start", "end"),
    *("method", "reason", "source", "seed", "nodes", "seconds", "bound"),
    *("number", "count", "objective", "before", "after", "steps"),
)
# Truncated JSON fails near its end.
_NEAR_END = 1000


def write_json(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield one object per line."""
    last: Board | None = None
    known: BoardRecord = {}
    for tour in tours:
        if tour.board is not last:
            last, known = tour.board, board_to_dict(tour.board)
        record = {"status": "found", "closed": tour.is_closed, **known, "squares": tour.squares.tolist()}
        yield json.dumps(record) + "\n"


def read_json(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Read objects, or lists of them, or a bare list of [row, col] pairs."""
    boards = _Boards(source, given_board)
    for value, line in _json_values(source):
        if isinstance(value, list) and value and isinstance(value[0], dict):
            for record in value:
                yield boards.reading(record, line)
        else:
            yield boards.reading(value, line)


def _json_values(source: Source) -> Iterator[tuple[Any, int]]:
    """Yield (value, line); the file is parsed in pieces."""
    text, line, try_at = "", 1, 0
    is_first, is_end = True, False
    while not is_end:
        more = source.read_text(PIECE_CHARS)
        is_end = not more
        text += more
        if is_first and not re.match(r"\s*(\{\s*(\"|\}|$)|\[\s*(\[|\{|\]|$)|$)", text[:1000]):
            raise source.fail("this is not the JSON of a tour", 1, help="use an object as printed by --json")
        is_first = False
        if len(text) < try_at and not is_end:
            continue
        at = 0
        while True:
            blank = re.compile(r"\s*").match(text, at)
            assert blank is not None
            line += text.count("\n", at, blank.end())
            at = blank.end()
            if at == len(text):
                break
            try:
                value, end = DECODER.raw_decode(text, at)
            except json.JSONDecodeError as error:
                is_string = error.msg.startswith("Unterminated string")
                place = line + text.count("\n", at, error.pos)
                if is_end and (is_string or error.pos >= len(text.rstrip())):
                    raise source.fail("the JSON is truncated", place, error=TruncatedText) from None
                if is_end or error.pos < len(text) - (PIECE_CHARS if is_string else _NEAR_END):
                    raise source.fail(f"invalid JSON: {error.msg}", place) from None
                break
            except (RecursionError, ValueError) as error:
                raise source.fail(f"invalid JSON: {bad_json(error).why}", line) from None
            yield value, line
            line += text.count("\n", at, end)
            at = end
        text = text[at:]
        try_at = 2 * len(text)
        if len(text) >= PIECE_CHARS:
            _refuse_repeats(source, text, line)
        if len(text) > _MAX_JSON_CHARS:
            raise source.fail(
                f"one JSON value of more than {_MAX_JSON_CHARS:,} characters", line, help="use .npy for giant tours"
            )


def _refuse_repeats(source: Source, text: str, line: int) -> None:
    """Reject a long unfinished list of pairs with a repeated pair, so that noise is not read to its end."""
    pairs = text[text.rfind("[[") : text.rfind("]")].replace(" ", "").split("],[")
    if len(pairs) > 1000 and len(set(pairs)) < len(pairs):
        raise source.fail(f"not a tour: a square is repeated among the first {len(pairs):,}", line)


class _Boards:
    """Creates the boards of records, once for consecutive records of the same board."""

    def __init__(self, source: Source, given_board: Board | None) -> None:
        self._source = source
        self._given = given_board
        self._key: BoardRecord | None = None
        self._board: Board | None = None

    def reading(self, record: Any, line: int) -> Reading:
        source = self._source
        if isinstance(record, list):
            squares = self._squares(record, line)
            return Reading(self._given or rectangle_around(squares), squares, line)
        if not isinstance(record, dict):
            raise source.fail(f"{str(record)[:40]!r} is not a tour", line, help="use an object as printed by --json")
        try:
            check_entries(record, (*_ENTRIES, "partial", "unvisited", *CONDITIONS), "the record of a tour")
        except FormatError as error:
            raise source.fail(error.message, line, help=error.help) from None
        if record.get("squares") is None:
            status = record.get("status")
            raise source.fail(
                f"this record holds no tour: its status is {status!r}" if status else "this record has no squares", line
            )
        squares = self._squares(record["squares"], line)
        key = cast(BoardRecord, {k: record[k] for k in BoardRecord.__annotations__ if record.get(k) is not None})
        if self._board is None or key != self._key:
            self._key, self._board = key, self._board_in({**key}, squares, line)
        self._check_claims(record, Reading(self._board, squares, line), line)
        return Reading(self._board, squares, line)

    def _check_claims(self, record: dict[str, Any], reading: Reading, line: int) -> None:
        """Check the other entries of a record against its squares, unless they are not a tour."""
        claims = {name: record[name] for name in ("status", "closed", "start", "end") if record.get(name) is not None}
        if not claims:
            return
        board, squares = reading.board, reading.squares
        if claims.get("status", "found") != "found":
            raise self._source.fail(f"the status is {str(claims['status'])[:40]!r}, but there are squares", line)
        if (squares < 0).any() or (squares >= (board.rows, board.cols)).any():
            return
        order = squares[:, 0].astype(np.int64) * board.cols + squares[:, 1]
        is_closed = len(order) > 2 and bool(are_moves(board, order[-1:], order[:1])[0])
        if "closed" in claims and claims["closed"] != is_closed and len(order) > 2:
            what = "closed, since no move leads from the last square to the first" if claims["closed"] else "open"
            if claims["closed"] is not False:
                raise self._source.fail(f"the record contradicts its squares: the tour is not {what}", line)
        for name, square in (("start", squares[0]), ("end", squares[-1])):
            row, col = map(int, square)
            if name in claims and claims[name] not in ([row, col], board.square_name((row, col))):
                raise self._source.fail(
                    f"the {name} is {str(claims[name])[:40]!r}, which contradicts the squares", line
                )

    def _board_in(self, key: BoardRecord, squares: np.ndarray, line: int) -> Board:
        word = key.pop("board", None) if key.keys() & {"rows", "cols", "graph"} else None
        board = self._whole(key, squares, line)
        # Records of the commands contain the board twice, except graphs.
        if word is not None and "graph" not in key and self._board_of({"board": word}, line) != board:
            raise self._source.fail(
                f"the record contradicts itself: board {word}, but rows and columns of {board}", line
            )
        return board

    def _whole(self, key: BoardRecord, squares: np.ndarray, line: int) -> Board:
        given = self._given
        # The given board may complete rows and columns.
        if given is not None and (given.rows, given.cols) == (key.get("rows", given.rows), key.get("cols", given.cols)):
            if not key.keys() - {"rows", "cols"}:
                return given
        if not key:
            return rectangle_around(squares)
        named = self._board_of(key, line)
        return agreed_board(self._source, given, named, line) or named

    def _board_of(self, key: BoardRecord, line: int) -> Board:
        try:
            return board_from_dict(key)
        except BoardError as error:
            raise self._source.fail(str(error), line, help=error.help) from error

    def _squares(self, value: Any, line: int) -> np.ndarray:
        squares = np.array(None)
        # The types are checked first, since one long text would need memory in every item of an array.
        with suppress(TypeError, ValueError, OverflowError):
            if isinstance(value, list) and set(map(type, chain.from_iterable(value))) <= {int}:
                squares = np.array(value)
        if squares.ndim != 2 or squares.shape[1] != 2 or squares.dtype.kind not in "iu":
            raise self._source.fail("squares must be a list of [row, col] pairs of integers", line)
        return squares
