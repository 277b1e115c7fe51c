"""The puzzle of the day: the same for everybody, on the page, on the command line and in Python."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

from knightstour.model.arguments import explains_arguments
from knightstour.puzzles.make import make_puzzle
from knightstour.puzzles.puzzle import Puzzle


class Daily(NamedTuple):
    """What the puzzle of a day is like: some arguments of make_puzzle. pattern: None for none."""

    board: str
    closed: bool
    level: str
    pattern: str | None


# Of each day of the week, Monday first. The page has the same table (static/model/puzzle.js); a test compares them.
WEEK: Final = (
    Daily("5x5", False, "easy", None),
    Daily("6x6", True, "easy", None),
    Daily("6x6", False, "medium", "180"),
    Daily("7x6", False, "easy", None),
    Daily("8x8", True, "easy", "mirror"),
    Daily("8x8", False, "medium", None),
    Daily("8x8", True, "hard", "180"),
)


def daily_of(day: date) -> tuple[Daily, int]:
    """What the puzzle of a day is like, and its seed.

    >>> daily_of(date(2026, 12, 31))
    (Daily(board='7x6', closed=False, level='easy', pattern=None), 20261231)
    """
    return WEEK[day.weekday()], 10_000 * day.year + 100 * day.month + day.day


@explains_arguments
def puzzle_of_day(day: date) -> Puzzle:
    """The puzzle of a day, by UTC: its kind from the day of the week, its seed from the date.

    >>> puzzle = puzzle_of_day(date(2026, 11, 30))
    >>> str(puzzle.board), puzzle.level
    ('5x5 board', 'easy')
    """
    wanted, seed = daily_of(day)
    return make_puzzle(wanted.board, closed=wanted.closed, level=wanted.level, pattern=wanted.pattern, rng=seed)
