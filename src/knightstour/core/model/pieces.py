"""Pieces: a piece is a set of leaps, and PIECES contains the named ones.

A leap (a, b) goes a squares along one side of the board and b along the other, in up to eight directions. The knight is
(1, 2), the king (0, 1) and (1, 1) together. Every such piece has all symmetries of the board. In a box a leap has up to
as many numbers as the box has sides: the king of a cube has (0, 1), (1, 1) and (1, 1, 1).
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias, cast

from knightstour.core.model.errors import BoardError, with_notes
from knightstour.core.model.validation import an, did_you_mean, is_whole, quoted, whole_number

# Distances along the axes, in increasing order. Zeros are omitted, except for a minimum of two numbers.
Leap: TypeAlias = tuple[int, ...]
# Pieces: a name, names and numbers joined by "+", a leap, several of these, or a Piece.
Moves: TypeAlias = "str | Leap | Sequence[str | Leap] | Piece"


class NamedPiece(NamedTuple):
    """A row of PIECES: its leaps, whose name it is, and whether it steps to every cell that touches its own, as a king.

    In a box such a piece also has the leaps (1, 1, 1), ...; the leaps of the others are the same everywhere.
    """

    name: str
    leaps: tuple[Leap, ...]
    source: str
    is_touching: bool = False

    def __repr__(self) -> str:
        return f"{self.name}: leaps {' and '.join(map(str, self.leaps))}"

    def leaps_in(self, dimension: int) -> tuple[Leap, ...]:
        """Return the leaps on a board with this number of axes."""
        more = range(3, dimension + 1) if self.is_touching else ()
        return (*self.leaps, *((1,) * count for count in more))


_CHESS: Final = "the laws of chess"
_SHATRANJ: Final = "medieval chess"
_FAIRY: Final = "fairy chess problems"
_JELLISS: Final = "G. P. Jelliss, Knight's Tour Notes"
PIECES: Final[dict[str, NamedPiece]] = {
    row.name: row
    for row in (
        NamedPiece("knight", ((1, 2),), _CHESS),
        NamedPiece("king", ((0, 1), (1, 1)), _CHESS, is_touching=True),
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
# Riders move any distance, so they are not leapers.
_RIDERS: Final = ("queen", "rook", "bishop")
_NUMBERS: Final = re.compile(r"\(?\s*-?\d{1,9}(?:\s*[,x;]\s*-?\d{1,9}){1,5}\s*\)?")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece, by its distinct sorted leaps. `Piece.of` creates one from other forms.

    Attributes:
        dimension: Number of axes of its board, 2 except in a box. The names of pieces depend on it: the king of a cube
            has 26 neighbours, and the leaps (0, 1) and (1, 1) are there the wazir+ferz, which has 18.

    >>> Piece.of("king").leaps, Piece.of([(2, 1), "camel"]).name, Piece.of("knight").changes_colour
    (((0, 1), (1, 1)), 'gnu', True)
    """

    leaps: tuple[Leap, ...]
    dimension: int = field(default=2, repr=False)

    @classmethod
    def of(cls, moves: Moves, dimension: int = 2) -> Piece:
        """Return the piece of a name such as "king", the numbers of a leap, or several of these.

        Raises BoardError if no piece has such a name, or a leap has more numbers than the board has axes.

        >>> Piece.of("knight+1,3") == Piece.of([(1, 2), "camel"]) == Piece.of("gnu")
        True
        >>> Piece.of("king", 3) == Piece.of("0,0,1+0,1,1+1,1,1", 3), Piece.of([(0, 1), (1, 1)], 3).name
        (True, 'wazir+ferz')
        """
        if isinstance(moves, Piece):
            return moves if moves.dimension == dimension else cls.of(moves.leaps, dimension)
        parts: Iterable[object] = [moves]
        if isinstance(moves, str):
            parts = moves.split("+")
        elif isinstance(moves, Sequence) and moves and not all(map(is_whole, moves)):
            parts = moves
        return cls(tuple(sorted({leap for part in parts for leap in _leaps_of(part, dimension)})), dimension)

    @property
    def vectors(self) -> tuple[tuple[int, int], ...]:
        """The moves (drow, dcol), in the order of the classical backtracking programs, leap by leap.

        In a box a move has a number for each axis.
        """
        if self.dimension == 2:
            return _vectors(self.leaps)
        return cast("tuple[tuple[int, int], ...]", _vectors_in_space(self.leaps, self.dimension))

    @property
    def reach(self) -> int:
        """Largest number of rows or columns of a move."""
        return max(leap[-1] for leap in self.leaps)

    @property
    def is_knight(self) -> bool:
        """Whether it is the knight."""
        return self.leaps == ((1, 2),)

    @property
    def leaper(self) -> Leap | None:
        """The numbers of a piece with one leap, None for others."""
        return self.leaps[0] if len(self.leaps) == 1 else None

    @property
    def changes_colour(self) -> bool:
        """Whether each move leads to a square of the other colour of a chessboard."""
        return all(sum(leap) % 2 for leap in self.leaps)

    @property
    def name(self) -> str:
        """Its name in PIECES, else the names of its leaps joined by "+", or numbers.

        >>> Piece.of("camel+wazir").name, Piece.of([(5, 6), (0, 1)]).name
        ('wazir+camel', 'wazir+5,6')
        """
        whole = _name(self.leaps, self.dimension)
        return whole or "+".join(_name((leap,), self.dimension) or _numbers(leap) for leap in self.leaps)

    @property
    def word(self) -> str:
        """Its part of a board's specification: its numbers, or the name of a piece of several leaps of a flat board.

        In a box a name of several leaps is not used, as it does not show the number of neighbours.

        >>> Piece.of("king").word, Piece.of("king", 3).word, Piece.of("camel", 3).word
        ('king', '0,0,1+0,1,1+1,1,1', '1,3')
        """
        if self.dimension == 2:
            named = _name(self.leaps, 2) if len(self.leaps) > 1 else ""
            return named or "+".join(map(_numbers, self.leaps))
        width = self.dimension if any(len(leap) > 2 for leap in self.leaps) else 2
        return "+".join(_numbers((0,) * (width - len(leap)) + leap) for leap in self.leaps)

    @property
    def title(self) -> str:
        """Its name in sentences: "knight", "zebra", "(5,6) leaper", "wazir+camel"."""
        if self.leaper is None or self.name in PIECES:
            return self.name
        return f"({_numbers(self.leaper)}) leaper"

    @property
    def its_move(self) -> str:
        """One of its moves in sentences: "a knight's move", "a (5,6) move", "a move of the wazir+camel"."""
        if self.name in PIECES:
            return f"{an(self.name)}'s move"
        return f"a move of the {self.name}" if self.leaper is None else f"a ({_numbers(self.leaper)}) move"


KNIGHT: Final = Piece(((1, 2),))


@functools.cache
def _vectors(leaps: tuple[Leap, ...]) -> tuple[tuple[int, int], ...]:
    eight = (((b, a), (a, b), (-a, b), (-b, a), (-b, -a), (-a, -b), (a, -b), (b, -a)) for a, b in leaps)
    return tuple(dict.fromkeys(move for moves in eight for move in moves))


@functools.cache
def _vectors_in_space(leaps: tuple[Leap, ...], dimension: int) -> tuple[Leap, ...]:
    found = (
        tuple(sign * number for sign, number in zip(signs, order, strict=True))
        for leap in leaps
        for order in itertools.permutations((0,) * (dimension - len(leap)) + leap)
        for signs in itertools.product((1, -1), repeat=dimension)
    )
    return tuple(dict.fromkeys(found))


def _name(leaps: tuple[Leap, ...], dimension: int) -> str:
    return next((row.name for row in PIECES.values() if row.leaps_in(dimension) == leaps), "")


def _numbers(leap: Leap) -> str:
    return ",".join(map(str, leap))


def is_piece_word(word: str) -> bool:
    """Whether a part of a board's specification is a piece: names or numbers of leaps joined by "+".

    >>> is_piece_word("knight+1,3"), is_piece_word("torus")
    (True, False)
    """
    return all(part.strip() in PIECES or _NUMBERS.fullmatch(part.strip()) for part in word.lower().split("+"))


def _leaps_of(part: object, dimension: int) -> tuple[Leap, ...]:
    """Return the leaps of one name, or of the numbers of one leap."""
    if not isinstance(part, str):
        return (checked_leap(part, dimension),)
    word = part.strip().lower()
    if word in PIECES:
        return PIECES[word].leaps_in(dimension)
    if _NUMBERS.fullmatch(word):
        return (checked_leap([int(number) for number in re.findall(r"-?\d+", word)], dimension),)
    help = help_for_piece(word) or f"pieces are {', '.join(PIECES)}, numbers such as 2,3, and several joined by '+'"
    raise BoardError(f"no piece is called {quoted(part)}{did_you_mean(word, [*PIECES])}", help=help)


def checked_leap(leap: object, dimension: int = 2) -> Leap:
    """Return the numbers of a leap in rising order, without needless zeros.

    Raises BoardError if they are not 2 numbers, or in a box up to one for each axis.

    >>> checked_leap((2, 1)), checked_leap((1, 0, 0), 3), checked_leap((1, 2, 1), 3)
    ((1, 2), (0, 1), (1, 1, 2))
    """
    numbers = list(leap) if isinstance(leap, Sequence) and not isinstance(leap, str) else []
    if len(numbers) < 2 or not all(map(is_whole, numbers)):
        help = help_for_piece(leap) or "pass two whole numbers, (1, 2) for the knight"
        message = f"not a leaper: {quoted(leap)}"
        is_value = isinstance(leap, tuple | list) and all(map(is_whole, numbers))
        raise BoardError(message, help=help) if is_value else with_notes(TypeError(message), help=help)
    given = tuple(whole_number(x, "a number of the leaper", error=BoardError) for x in numbers)
    if len(given) > dimension:
        note = f"a leap has a number for each axis, and this board has {dimension} axes"
        help = "pass two numbers, (1, 2) for the knight" if dimension == 2 else f"pass at most {dimension} numbers"
        raise BoardError(f"not a leaper: {given}", note=note, help=help)
    far = tuple(sorted(given))
    if far[0] < 0 or far[-1] == 0:
        help = "no number is negative, and not all are 0; the knight is (1, 2)"
        raise BoardError(f"no piece leaps {given}", help=help)
    while len(far) > 2 and far[0] == 0:
        far = far[1:]
    return far


def checked_leaper(leaper: object) -> tuple[int, int]:
    """Return the two numbers of a leaper, the smaller first, or raise BoardError."""
    a, b = checked_leap(leaper)
    return a, b


def is_rider(word: str) -> bool:
    """Whether a word is the name of a piece that slides, such as "queen"."""
    return word.strip().lower() in _RIDERS


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
