"""Pieces: a piece is a set of leaps, and PIECES names those that have a name.

A leap (a, b) goes a squares along one side of the board and b along the other, in each of the up to eight ways. The
knight is (1, 2), the king (0, 1) and (1, 1) together. Every piece that moves so has all symmetries of the board.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from knightstour.core.model.errors import BoardError
from knightstour.core.model.validation import did_you_mean, is_whole, quoted, whole_number

Leap: TypeAlias = tuple[int, int]
# What may be given for a piece: a name, names and numbers joined by "+", two numbers, several of these, or a Piece.
Moves: TypeAlias = "str | Leap | Sequence[str | Leap] | Piece"


class NamedPiece(NamedTuple):
    """A row of PIECES: its leaps, whose name it is, and the chess symbol of the piece where Unicode has one."""

    name: str
    leaps: tuple[Leap, ...]
    source: str


_CHESS: Final = "the laws of chess"
_SHATRANJ: Final = "medieval chess"
_FAIRY: Final = "fairy chess problems"
_JELLISS: Final = "G. P. Jelliss, Knight's Tour Notes"
PIECES: Final[dict[str, NamedPiece]] = {
    row.name: row
    for row in (
        NamedPiece("knight", ((1, 2),), _CHESS),
        NamedPiece("king", ((0, 1), (1, 1)), _CHESS),
        NamedPiece("wazir", ((0, 1),), _SHATRANJ),
        NamedPiece("ferz", ((1, 1),), _SHATRANJ),
        NamedPiece("fers", ((1, 1),), _SHATRANJ),
        NamedPiece("dabbaba", ((0, 2),), _SHATRANJ),
        NamedPiece("alfil", ((2, 2),), _SHATRANJ),
        NamedPiece("threeleaper", ((0, 3),), _FAIRY),
        NamedPiece("camel", ((1, 3),), _SHATRANJ),
        NamedPiece("zebra", ((2, 3),), _FAIRY),
        NamedPiece("tripper", ((3, 3),), _FAIRY),
        NamedPiece("fourleaper", ((0, 4),), _FAIRY),
        NamedPiece("giraffe", ((1, 4),), _FAIRY),
        NamedPiece("antelope", ((3, 4),), _FAIRY),
        NamedPiece("fiveleaper", ((0, 5), (3, 4)), _JELLISS),
        NamedPiece("root-50-leaper", ((1, 7), (5, 5)), _JELLISS),
        NamedPiece("gnu", ((1, 2), (1, 3)), _FAIRY),
        NamedPiece("okapi", ((1, 2), (2, 3)), _FAIRY),
        NamedPiece("bison", ((1, 3), (2, 3)), _FAIRY),
    )
}
# Riders go as far as they like, so their moves are no leaps.
_RIDERS: Final = ("queen", "rook", "bishop")
_NUMBERS: Final = re.compile(r"\(?\s*(-?\d{1,9})\s*[,x;]\s*(-?\d{1,9})\s*\)?")


@dataclass(frozen=True, slots=True)
class Piece:
    """What moves, as its leaps (a, b): a <= b, all different, in rising order. `Piece.of` makes one of anything else.

    >>> Piece.of("king").leaps, Piece.of([(2, 1), "camel"]).name, Piece.of("knight").changes_colour
    (((0, 1), (1, 1)), 'gnu', True)
    """

    leaps: tuple[Leap, ...]

    @classmethod
    def of(cls, moves: Moves) -> Piece:
        """The piece of a name such as "king", two numbers, or several of these; a BoardError where it is none.

        >>> Piece.of("knight+1,3") == Piece.of([(1, 2), "camel"]) == Piece.of("gnu")
        True
        """
        if isinstance(moves, Piece):
            return moves
        parts: Iterable[object] = [moves]
        if isinstance(moves, str):
            parts = moves.split("+")
        elif isinstance(moves, Sequence) and moves and not all(map(is_whole, moves)):
            parts = moves
        return cls(tuple(sorted({leap for part in parts for leap in _leaps_of(part)})))

    @property
    def vectors(self) -> tuple[Leap, ...]:
        """The moves (drow, dcol), in the order of the classical backtracking programs, leap by leap."""
        return _vectors(self.leaps)

    @property
    def reach(self) -> int:
        """How many rows or columns a move goes at most."""
        return max(b for _, b in self.leaps)

    @property
    def is_knight(self) -> bool:
        """Whether it is the knight."""
        return self.leaps == ((1, 2),)

    @property
    def leaper(self) -> Leap | None:
        """The two numbers of a piece with one leap, None for others."""
        return self.leaps[0] if len(self.leaps) == 1 else None

    @property
    def changes_colour(self) -> bool:
        """Whether each move leads to a square of the other colour of a chessboard."""
        return all((a + b) % 2 for a, b in self.leaps)

    @property
    def name(self) -> str:
        """Its name in PIECES, else those of its leaps joined by "+", numbers where they have none.

        >>> Piece.of("camel+wazir").name, Piece.of([(5, 6), (0, 1)]).name
        ('wazir+camel', 'wazir+5,6')
        """
        return _name(self.leaps) or "+".join(_name((leap,)) or "{},{}".format(*leap) for leap in self.leaps)

    @property
    def word(self) -> str:
        """What a board's word says of it: its numbers, or the name of a piece of several leaps."""
        named = _name(self.leaps) if len(self.leaps) > 1 else ""
        return named or "+".join(f"{a},{b}" for a, b in self.leaps)

    @property
    def title(self) -> str:
        """What sentences call it: "knight", "king", "(2,3) leaper", "wazir+camel"."""
        if self.leaper is None or self.is_knight:
            return self.name
        return "({},{}) leaper".format(*self.leaper)

    @property
    def its_move(self) -> str:
        """One of its moves, as a sentence says it: "a knight's move", "a (2,3) move", "a move of the wazir+camel"."""
        if self.leaper is not None and not self.is_knight:
            return "a ({},{}) move".format(*self.leaper)
        return f"a {self.name}'s move" if self.name in PIECES else f"a move of the {self.name}"


KNIGHT: Final = Piece(((1, 2),))


@functools.cache
def _vectors(leaps: tuple[Leap, ...]) -> tuple[Leap, ...]:
    eight = (((b, a), (a, b), (-a, b), (-b, a), (-b, -a), (-a, -b), (a, -b), (b, -a)) for a, b in leaps)
    return tuple(dict.fromkeys(move for moves in eight for move in moves))


def _name(leaps: tuple[Leap, ...]) -> str:
    return next((row.name for row in PIECES.values() if row.leaps == leaps), "")


def is_piece_word(word: str) -> bool:
    """Whether a part of a board's word says a piece: each of what "+" joins is a name or two numbers.

    >>> is_piece_word("knight+1,3"), is_piece_word("torus")
    (True, False)
    """
    return all(part.strip() in PIECES or _NUMBERS.fullmatch(part.strip()) for part in word.lower().split("+"))


def _leaps_of(part: object) -> tuple[Leap, ...]:
    """The leaps that one name or one pair of numbers says."""
    if not isinstance(part, str):
        return (checked_leaper(part),)
    word = part.strip().lower()
    if word in PIECES:
        return PIECES[word].leaps
    if numbers := _NUMBERS.fullmatch(word):
        return (checked_leaper((int(numbers[1]), int(numbers[2]))),)
    help = help_for_piece(word) or f"pieces are {', '.join(PIECES)}, numbers such as 2,3, and several joined by '+'"
    raise BoardError(f"no piece is called {quoted(part)}{did_you_mean(word, [*PIECES])}", help=help)


def checked_leaper(leaper: object) -> Leap:
    """The two numbers of a leaper, the smaller first; a BoardError where they are none."""
    numbers = list(leaper) if isinstance(leaper, Sequence) and not isinstance(leaper, str) else []
    if len(numbers) != 2 or not all(map(is_whole, numbers)):
        help = help_for_piece(leaper) or "give two whole numbers, (1, 2) for the knight"
        raise BoardError(f"not a leaper: {quoted(leaper)}", help=help)
    a, b = sorted(whole_number(x, "a number of the leaper", error=BoardError) for x in numbers)
    if a < 0 or b == 0:
        help = "both numbers are at least 0 and not both 0; the knight is (1, 2)"
        raise BoardError(f"no piece leaps ({numbers[0]}, {numbers[1]})", help=help)
    return a, b


def help_for_piece(name: object) -> str:
    """What to give for a name of a piece, or ""; for any other value, too.

    >>> help_for_piece("Camel"), help_for_piece("prawn")
    ("the camel is a piece: Board('10x10:camel'), or 10x10:camel on the command line", '')
    """
    word = name.strip().lower() if isinstance(name, str) else ""
    if word in PIECES:
        return f"the {word} is a piece: Board('10x10:{word}'), or 10x10:{word} on the command line"
    if word in _RIDERS:
        return f"the {word} slides and has no leaps: docs/graphs.md shows how to search the graph of such moves"
    return ""
