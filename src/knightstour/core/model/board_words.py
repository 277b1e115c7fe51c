"""A board as one word: its size and then, after colons, the piece, the joined sides and the holes.

    8x8   10x10:2,3   8x8:king   8x8:knight+camel   8x8:torus   13x24:3,4:klein   8x8:-a1,h8   8
    4x4x4   4x4x4:king:-a1.1,d4.4   4x4x4:0,0,1+0,1,1   hex:6:king   tri:8

The parts may come in any order, each once. The same text is typed on the command line and in Python, is the first field
of a link, and is `str(board)`. A word is cheap to read at any size: squares are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import Final, Literal, NamedTuple, TypeAlias, TypeVar

from knightstour.core.model.errors import BoardError
from knightstour.core.model.names import parse_size, square_name
from knightstour.core.model.pieces import PIECES, Piece, help_for_piece, is_piece_word
from knightstour.core.model.validation import did_you_mean, quoted

Wrap: TypeAlias = Literal["cylinder", "torus", "mobius", "klein"]
_Said = TypeVar("_Said")
WRAPS: tuple[Wrap, ...] = ("cylinder", "torus", "mobius", "klein")

_SQUARE: Final = re.compile(r"\s*([A-Za-z]+\d+(?:\.\d+)*|\(?-?\d+\s*,\s*-?\d+\)?)\s*([,;\s]|$)")
# Coordinates of a cell of a box; several cells are separated by brackets, semicolons or spaces.
_CELL: Final = re.compile(r"\s*([A-Za-z]+\d+(?:\.\d+)*|\([^()]*\)|-?\d+(?:\s*,\s*-?\d+)*)\s*([,;\s]|$)")
PARTS_HELP: Final = "after the size come a piece (king, 2,3 or knight+camel), joined sides (torus), holes (-a1,h8)"


class BoardParts(NamedTuple):
    """Values of the parts after the size; None or no holes if missing. Holes are not parsed yet."""

    piece: Piece | None = None
    wrap: Wrap | None = None
    holes: tuple[str, ...] = ()


def read_board_word(text: str) -> tuple[tuple[int, int], BoardParts]:
    """Return (rows, cols) and the parts of a board's specification; raise BoardError for an invalid part.

    >>> read_board_word("8x12:torus:2,3")
    ((8, 12), BoardParts(piece=Piece(leaps=((2, 3),)), wrap='torus', holes=()))
    """
    size, *parts = text.split(":")
    return parse_size(size, text), read_parts(parts)


def read_parts(parts: Iterable[str], dimension: int = 2) -> BoardParts:
    """Return the values of these parts of a specification; raise BoardError for an invalid or repeated part.

    Args:
        dimension: Number of axes of the board, more than 2 in a box.

    >>> read_parts(["zebra", "-a1,0,0"])
    BoardParts(piece=Piece(leaps=((2, 3),)), wrap=None, holes=('a1', '0,0'))
    """
    found: dict[str, object] = {}
    for part in parts:
        name, value = _meaning(part.strip(), dimension)
        if name in found:
            what = {"piece": "piece", "wrap": "joining of sides", "holes": "list of holes"}[name]
            raise BoardError(f"duplicate {what} in two parts of the board", help=PARTS_HELP)
        found[name] = value
    return BoardParts(**found)  # type: ignore[arg-type]


def _meaning(part: str, dimension: int) -> tuple[str, object]:
    """The field of BoardParts that a part is about, and its value."""
    word = part.lower()
    if part.startswith("-"):
        return "holes", words_of_squares(part[1:], dimension)
    if word in WRAPS:
        return "wrap", word
    if is_piece_word(word):
        return "piece", Piece.of(word, dimension)
    names = [*WRAPS, *PIECES]
    help = help_for_piece(word)
    near = "" if help else did_you_mean(word, names)
    raise BoardError(f"unknown part of a board: {quoted(part)}{near}", help=help or PARTS_HELP)


def agreed_value(name: str, in_word: _Said | None, beside: _Said | None) -> _Said | None:
    """Return the value in the specification of a board or in an argument; raise BoardError if they differ."""
    if in_word is not None and beside is not None and in_word != beside:
        raise BoardError(
            f"the board and {name}= contradict each other: {in_word} and {beside}", help="omit one of them"
        )
    return beside if in_word is None else in_word


def words_of_squares(text: str, dimension: int = 2) -> tuple[str, ...]:
    """Return the squares in a list such as "a1,b2" or "0,0;1,1"; raise BoardError for an invalid list.

    >>> words_of_squares("a1,0,0 b2"), words_of_squares("a1.1,(0,0,1) 2,1,0", 3)
    (('a1', '0,0', 'b2'), ('a1.1', '0,0,1', '2,1,0'))
    """
    squares, at = list[str](), 0
    text = text.strip()
    while at < len(text):
        match = (_SQUARE if dimension == 2 else _CELL).match(text, at)
        if not match:
            help = "write names such as a1,b2 or pairs as in 0,0;1,1"
            if dimension > 2:
                help = f"write names such as a1{'.1' * (dimension - 2)}, or coordinates in brackets"
            raise BoardError(f"not a list of squares: {text[at : at + 40]!r}", help=help)
        squares.append(match[1].strip("()"))
        at = match.end()
        while at < len(text) and text[at] in ",; ":
            at += 1
    return tuple(squares)


def board_word(rows: int, cols: int, piece: Piece, wrap: str | None, holes: Collection[tuple[int, int]]) -> str:
    """Return the specification of a board that is not a graph, as for `read_board_word`; the knight is omitted.

    Holes are in the order of their names: by column, and then from below.

    >>> board_word(4, 5, Piece(((2, 3),)), "torus", [(3, 0)])
    '4x5:2,3:torus:-a1'
    """
    parts = [f"{rows}x{cols}"]
    if not piece.is_knight:
        parts.append(piece.word)
    if wrap is not None:
        parts.append(wrap)
    if holes:
        by_name = sorted(holes, key=lambda hole: (hole[1], -hole[0]))
        parts.append("-" + ",".join(square_name(hole, rows) for hole in by_name))
    return ":".join(parts)
