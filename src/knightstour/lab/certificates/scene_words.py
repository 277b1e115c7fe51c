"""Words that the sentences of scenes share."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from knightstour.core.model.board import Board
from knightstour.core.model.scene import Line, Mark, Scene
from knightstour.lab.certificates.loop_graph import Near
from knightstour.lab.certificates.question import Move

_MAX_NAMED = 6
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(slots=True)
class Stage:
    """A question and its loop graph, as the steps change it.

    outside: the virtual squares that join the ends of an open tour. is_narrowed: whether a step has taken moves out.
    middles: the virtual squares that halve required moves, each with its move.
    """

    board: Board
    is_closed: bool
    ends: tuple[int, ...]
    near: Near
    outside: list[int]
    is_narrowed: bool = False
    middles: Mapping[int, Move] = field(default_factory=dict)

    def is_virtual(self, square: int) -> bool:
        """Whether a square of the graph is none of the board."""
        return square >= self.board.rows * self.board.cols

    def on_board(self, squares: Iterable[int]) -> list[int]:
        """Those that are squares of the board, rising."""
        return sorted(square for square in squares if not self.is_virtual(square))

    def name(self, square: int) -> str:
        """The name of a square, also outside the board; of the middle of a required move that of the move."""
        if square in self.middles:
            return f"the move {'-'.join(map(self.name, self.middles[square]))}"
        return Scene(self.board, "", "", "", outside=len(self.outside)).name(square)

    def beyond(self, square: int, other: int) -> int:
        """Where a move of the graph from a square leads to: through the middle of a required move, to its other end."""
        if other not in self.middles or square not in self.middles[other]:
            return other
        a, b = self.middles[other]
        return b if square == a else a

    def names(self, squares: Iterable[int], link: str = "and") -> str:
        """The first few names of some squares in words."""
        listed = sorted(squares)
        if len(listed) > _MAX_NAMED:
            return f"{', '.join(map(self.name, listed[: _MAX_NAMED - 1]))} {link} {len(listed) - _MAX_NAMED + 1} more"
        shown = [self.name(square) for square in listed]
        return f" {link} ".join(filter(None, [", ".join(shown[:-1]), shown[-1]]))

    def counted(self, squares: Sequence[int] | set[int]) -> str:
        """How many squares these are, those outside apart, and the required moves among them.

        >>> Stage(Board(3, 4), False, (), {}, [12]).counted([3, 7, 12])
        '2 squares and the outside'
        """
        inside = len(self.on_board(squares))
        words = [number_of(inside, "square")] if inside else []
        beyond = sorted(set(squares) & set(self.outside))
        moves = len(set(squares) & self.middles.keys())
        words += [*map(self.name, beyond), *([number_of(moves, "required move")] if moves else [])]
        return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "no squares"


@dataclass(slots=True)
class SceneDraft:
    """What a step becomes: the parts of a Scene, but for the board."""

    title: str
    sentence: str = ""
    marks: list[Mark] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    beats: list[str] = field(default_factory=list)


def number_of(count: int, word: str) -> str:
    """A number of things.

    >>> number_of(1, "move"), number_of(12, "move")
    ('1 move', '12 moves')
    """
    return f"{count:,} {word}{'s' * (count != 1)}"


def letter_of(place: int, count: int) -> str:
    """The letter of one of `count` pieces; beyond 26 pieces a number from 1.

    >>> letter_of(2, 3), letter_of(2, 30)
    ('C', '3')
    """
    return _LETTERS[place] if count <= len(_LETTERS) else str(place + 1)


def lettered(count: int) -> str:
    """The first and the last letter of pieces.

    >>> lettered(2), lettered(5)
    ('A and B', 'A to E')
    """
    if count == 2:
        return "A and B"
    return f"{letter_of(0, count)} to {letter_of(count - 1, count)}"
