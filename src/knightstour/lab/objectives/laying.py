"""What is known of a board that is laid with straight lines: the moves of each square, some squares left free."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol

from knightstour.core.model.board import Board

Step = tuple[int, int]
Place = tuple[int, int]
Pattern = tuple[tuple[tuple[Step, Step], ...], ...]
KNIGHT: Final[tuple[Step, ...]] = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


class Laying(Protocol):
    """A board laid with lines.

    board: as it is laid, which may be turned. free: the squares whose moves are not given.
    """

    @property
    def board(self) -> Board: ...

    @property
    def free(self) -> list[Place]: ...

    def moves_at(self, row: int, col: int) -> tuple[Step, Step]:
        """The two moves of a square that is not free."""
        ...

    def straight_on(self, row: int, col: int, going: Step) -> int:
        """How many steps lead from a square to others that surely all go straight on; there may be more."""
        ...


def pattern(*rows: str) -> Pattern:
    """The two moves of each square, by their numbers in KNIGHT."""
    return tuple(tuple((KNIGHT[int(two[0])], KNIGHT[int(two[1])]) for two in row.split()) for row in rows)


def steps_within(limits: Iterable[tuple[int, int, int]], place: Place, going: Step) -> int:
    """How many steps from here keep a * row + b * col <= most, for each (a, b, most); 0 where it does not hold here.

    >>> steps_within([(1, 0, 9), (0, -1, 0)], (2, 5), (2, -1))
    3
    """
    count: int | None = None
    for a, b, most in limits:
        left = most - a * place[0] - b * place[1]
        nearer = a * going[0] + b * going[1]
        if left < 0:
            return 0
        if nearer > 0:
            count = left // nearer if count is None else min(count, left // nearer)
    assert count is not None, "a line without end"
    return count
