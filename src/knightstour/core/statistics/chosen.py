"""Statistics of chosen squares or moves: `inside=a1..d4+e5`, `among=a1-b3+b3-d4`.

They are sums over moves. The text after the sign is parsed for a given board.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from knightstour.core.model.board import Board, move_graph, title_of
from knightstour.core.model.conditions import pairs_of
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.indices import take
from knightstour.core.model.names import parse_square
from knightstour.core.model.validation import an, one_of, quoted
from knightstour.core.statistics.statistic import Size, Statistic
from knightstour.core.statistics.strokes import Strokes, total

_RECTANGLE = ".."
_AND = "+"


def _squares(board: Board, words: str) -> np.ndarray:
    """Parse a text such as "a1..d4+e5": bool (rows * cols,)."""
    chosen = np.zeros((board.rows, board.cols), dtype=bool)
    for part in words.split(_AND):
        first, _, last = part.partition(_RECTANGLE)
        corners = [parse_square(corner, board.rows) for corner in (first, last or first)]
        for row, col in corners:
            if not (0 <= row < board.rows and 0 <= col < board.cols):
                raise BoardError(
                    f"there is no square {quoted(part)} on {an(title_of(board))}", help="use squares of the board"
                )
        (top, left), (bottom, right) = (tuple(map(pick, *corners)) for pick in (min, max))
        chosen[top : bottom + 1, left : right + 1] = True
    return chosen.reshape(-1)


def _inside(strokes: Strokes, words: str) -> np.ndarray:
    is_in = take(_squares(strokes.board, words), strokes.squares)
    return total(is_in[:-1] & is_in[1:])


def _most_inside(size: Size, words: str) -> int:
    """Return a bound: moves between some squares form paths, or a closed tour of all squares."""
    chosen = int(_squares(size.board, words)[move_graph(size.board).squares].sum())
    return min(size.moves, chosen if size.closed and chosen >= size.squares else max(0, chosen - 1))


def _most_among(size: Size, words: str) -> int:
    return min(size.moves, len(_moves(size.board, words)) // 2)


def _moves(board: Board, words: str) -> np.ndarray:
    """Return the rising codes of the moves: one square times the number of squares, plus the other."""
    size = board.rows * board.cols
    pairs = pairs_of(board, words.split(_AND), "a move to count")
    return np.array(sorted({k for a, b in pairs for k in (a * size + b, b * size + a)}), dtype=np.int64)


def _among(strokes: Strokes, words: str) -> np.ndarray:
    board = strokes.board
    squares = strokes.squares.astype(np.int64)
    return total(np.isin(squares[:-1] * (board.rows * board.cols) + squares[1:], _moves(board, words)))


@dataclass(frozen=True, slots=True)
class Kind:
    """Kind of statistic of chosen squares or moves.

    Attributes:
        takes: Placeholder after the sign.
        summary: Description with {} for the placeholder.
        example: Example of a name.
        read: Parser of the text; raises BoardError or ProblemError.
        most: Upper bound for all tours.
    """

    takes: str
    summary: str
    example: str
    count: Callable[[Strokes, str], np.ndarray]
    read: Callable[[Board, str], np.ndarray]
    most: Callable[[Size, str], int]


_KINDS: Final[dict[str, Kind]] = {
    "inside": Kind(
        "SQUARES",
        "moves between two of the squares {}",
        "inside=a1..d4+e5 for a rectangle and a square",
        _inside,
        _squares,
        _most_inside,
    ),
    "among": Kind(
        "MOVES", "moves that are one of {}, in either direction", "among=a1-b3+b3-d4", _among, _moves, _most_among
    ),
}
# The kinds by their names in lists, such as "inside=SQUARES".
CHOSEN: Final[dict[str, Kind]] = {f"{name}={kind.takes}": kind for name, kind in _KINDS.items()}


def chosen_summaries() -> dict[str, str]:
    """Return the description and an example of each kind, for lists of statistics."""
    return {name: f"{kind.summary.format(kind.takes)}: {kind.example}" for name, kind in CHOSEN.items()}


@functools.lru_cache(maxsize=64)
def chosen_statistic(name: str) -> Statistic:
    """Return the statistic of a name with an equals sign; raise ProblemError if the name or its text is invalid.

    >>> chosen_statistic("inside=a1..d4").summary
    'moves between two of the squares a1..d4'
    """
    called, _, words = name.partition("=")
    kind = _KINDS[one_of(called, _KINDS, "statistic with squares or moves")]
    if not words:
        raise ProblemError(f"{quoted(name)} lacks squares or moves", help=f"write it as in {', '.join(CHOSEN)}")

    def why_not(board: Board) -> str:
        kind.read(board, words)
        return ""

    return Statistic(
        name,
        kind.summary.format(words),
        lambda strokes: kind.count(strokes, words),
        "moves",
        why_not,
        most=lambda size: kind.most(size, words),
    )
