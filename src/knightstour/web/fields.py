"""What requests say, understood: the fields of a JSON object as boards, squares, numbers; or an error in plain words.

Nothing here reads files or searches, and each answer comes in time that the size of the body bounds, so the server may
ask it before it knows whether the question is any good.
"""

from __future__ import annotations

import json
import math
from collections.abc import Collection, Iterable
from typing import Any, Final, NoReturn

from knightstour.model.board import Board, Square
from knightstour.model.errors import BoardError, FormatError, ProblemError
from knightstour.model.problem import Problem
from knightstour.model.validation import whole_number

# Squares of the largest board that is searched, and of the largest there is in any request.
MOST_SEARCHED: Final = 60 * 60
MOST_SQUARES: Final = 40_000
_BOARD_FIELDS = ("rows", "cols", "holes", "wrap", "leaper")
_MOST_SECONDS = 30.0


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number")


def parse_object(body: bytes) -> dict[str, Any]:
    """The JSON object of a body; a FormatError for anything else.

    >>> parse_object(b'{"board": "8x8"}')
    {'board': '8x8'}
    """
    try:
        value = json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise FormatError(f"the body is not JSON: {reason}", help='send an object such as {"board": "8x8"}') from None
    if not isinstance(value, dict):
        raise FormatError("the body is not a JSON object", help='send an object such as {"board": "8x8"}')
    return value


class Fields:
    """The fields of one request. Each method reads one, and raises a KnightsTourError where it makes no sense.

    A field that is missing or null has its default.
    """

    def __init__(self, body: dict[str, Any], allowed: Collection[str], needed: Iterable[str]) -> None:
        for name in body:
            if name not in allowed:
                raise ProblemError(f"there is no field {name[:60]!r}", help="fields: " + ", ".join(allowed))
        for name in needed:
            if body.get(name) is None:
                raise ProblemError(f"the field {name!r} is missing")
        self._body = body

    def __contains__(self, name: str) -> bool:
        return self._body.get(name) is not None

    def raw(self, name: str) -> Any:
        """The value as it came, or None."""
        return self._body.get(name)

    def flag(self, name: str) -> bool:
        """True or false; false if missing."""
        value = self._body.get(name)
        if value is not None and not isinstance(value, bool):
            raise ProblemError(f"{name} must be true or false, not {_shown(value)}")
        return bool(value)

    def text(self, name: str, default: str = "") -> str:
        """A text."""
        value = self._body.get(name)
        if value is None:
            return default
        if not isinstance(value, str):
            raise ProblemError(f"{name} must be a text, not {_shown(value)}")
        return value

    def whole(self, name: str, *, least: int | None = None, most: int | None = None) -> int | None:
        """A whole number, or None if missing."""
        value = self._body.get(name)
        if value is None:
            return None
        number = whole_number(value, name)
        if (least is not None and number < least) or (most is not None and number > most):
            bounds = f"at least {least:,}" if most is None else f"from {least:,} to {most:,}"
            raise ProblemError(f"{name} must be {bounds}, not {number}")
        return number

    def seconds(self, default: float, most: float = _MOST_SECONDS) -> float:
        """The time that a search may take."""
        value = self._body.get("seconds")
        if value is None:
            return default
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ProblemError(f"seconds must be a number, not {_shown(value)}")
        if not 0 < value <= most or not math.isfinite(value):
            raise ProblemError(
                f"a search takes more than 0 and at most {most:g} seconds here, not {value:g}",
                help="longer ones are for the command line: knightstour solve --timeout",
            )
        return float(value)

    def mapping(self, name: str) -> dict[str, Any]:
        """An object; empty if missing."""
        value = self._body.get(name)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise ProblemError(f"{name} must be an object, not {_shown(value)}")
        return value

    def listing(self, name: str) -> list[Any]:
        """A list."""
        value = self._body.get(name)
        if not isinstance(value, list):
            raise ProblemError(f"{name} must be a list, not {_shown(value)}")
        return value

    def board(self, most: int = MOST_SQUARES) -> Board:
        """The field `board`, of at most so many squares."""
        return board_of(self._body.get("board"), most)

    def problem(self, most: int = MOST_SEARCHED) -> Problem:
        """The question that board, closed, start and end ask."""
        board = self.board(most)
        ends = [None if self._body.get(name) is None else square_of(self._body[name], board) for name in _ENDS]
        return Problem.of(board, closed=self.flag("closed"), start=ends[0], end=ends[1])


_ENDS = ("start", "end")


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."


def board_of(value: Any, most: int = MOST_SQUARES) -> Board:
    """The board that a request names: "8x8", a drawing with . and #, or an object with rows, cols and what else it has.

    >>> board_of({"rows": 5, "cols": 6, "holes": ["a1", [0, 0]]})
    Board(5, 6, holes=[(0, 0), (4, 0)])
    >>> board_of(".#.\\n...").holes
    frozenset({(0, 1)})
    """
    if isinstance(value, str) and ("\n" in value or (value and not value.strip(".#"))):
        # A line end for each square, at most.
        if len(value) > 2 * most:
            raise BoardError(f"the drawing has more than {most:,} squares", help=_elsewhere(most))
        return Board.from_text(value)
    if isinstance(value, dict):
        for name in value:
            if name not in _BOARD_FIELDS:
                raise BoardError(f"a board has no {name[:60]!r}", help="fields: " + ", ".join(_BOARD_FIELDS))
        for name in ("rows", "cols"):
            if name not in value:
                raise BoardError(f"the board's {name} are missing")
        bare = Board(
            value["rows"], value["cols"], wrap=value.get("wrap"), leaper=_pair(value.get("leaper"), default=(1, 2))
        )
        _check_size(bare, most)
        holes = value.get("holes") or []
        if not isinstance(holes, list):
            raise BoardError(f"holes must be a list of squares, not {_shown(holes)}")
        if len(holes) > bare.square_count:
            raise BoardError(f"there are more holes than the {bare.square_count:,} squares of the board")
        if not holes:
            return bare
        return Board(bare.rows, bare.cols, holes=holes, wrap=bare.wrap, leaper=bare.leaper)
    if not isinstance(value, str | list):
        raise BoardError(f"not a board: {_shown(value)}", help='give a size such as "8x8", or an object')
    board = Board.of(value if isinstance(value, str) else (value[0], value[1]) if len(value) == 2 else str(value))
    _check_size(board, most)
    return board


def _pair(value: Any, default: tuple[int, int]) -> Any:
    return default if value is None else tuple(value) if isinstance(value, list) else value


def _check_size(board: Board, most: int) -> None:
    if board.rows * board.cols > most:
        raise BoardError(
            f"{board.rows}x{board.cols} is more than the {most:,} squares that a board may have here",
            help=_elsewhere(most),
        )


def _elsewhere(most: int) -> str:
    bound = "60x60 is searched here" if most == MOST_SEARCHED else "200x200 is shown here"
    return f"up to {bound}; larger boards are for the command line: knightstour solve 1000x1000 -o tour.npy"


def square_of(value: Any, board: Board) -> Square:
    """The square "a1", "0,0" or [0, 0].

    >>> square_of("a1", Board(8, 8)), square_of([0, 7], Board(8, 8))
    ((7, 0), (0, 7))
    """
    return board.square(value)


def steps_of(values: list[Any], board: Board) -> list[Any]:
    """Squares of a walk, as Tour takes them: square numbers become pairs; the rest stays as it is.

    >>> steps_of([0, 9, "a1"], Board(8, 8))
    [(0, 0), (1, 1), 'a1']
    """
    if len(values) > MOST_SQUARES:
        raise ProblemError(f"{len(values):,} squares are more than the {MOST_SQUARES:,} that a tour may have here")
    return [
        divmod(value, board.cols) if isinstance(value, int) and not isinstance(value, bool) else value
        for value in values
    ]
