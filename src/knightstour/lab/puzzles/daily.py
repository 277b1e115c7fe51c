"""The daily puzzles, equal on the page, at the command line and in Python."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.literals import DayKind
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.validation import one_of, quoted
from knightstour.lab.puzzles.make import seeded_puzzle
from knightstour.lab.puzzles.puzzle import Puzzle

# The kinds of daily puzzles; the first is the puzzle of the day.
KINDS: Final = ("first", "hard", "other")
# The day of puzzle number 1, also used by the page.
FIRST_DAY: Final = date(2026, 1, 1)


class Daily(NamedTuple):
    """Properties of a puzzle of a day, as arguments of make_puzzle."""

    board: str
    closed: bool
    level: str | None
    pattern: str | None
    in_order: int | None = None


# From this day on, the first puzzle of a day depends on the weekday. Earlier days keep their puzzles.
WEEKDAYS_FROM: Final = date(2026, 12, 1)


class First(NamedTuple):
    """The first puzzle of a weekday. closed: None for closed on even dates (the second puzzle: on odd dates)."""

    board: str
    closed: bool | None
    level: str


# The first puzzle of each day of the week, Monday first.
FIRST_WEEK: Final = (
    First("5x5", False, "easy"),
    First("6x6", None, "easy"),
    First("6x6", None, "easy"),
    First("6x6", None, "medium"),
    First("7x7", False, "medium"),
    First("8x8", None, "medium"),
    First("8x8", None, "hard"),
)

# The third puzzle of each day of the week, Monday first. The page has the same table (page/src/model/puzzle.js), and a
# test compares the puzzles.
WEEK: Final = (
    Daily("5x5:torus", True, "medium", None),
    Daily("7x7:wazir", False, None, None, 8),
    Daily("6x6:cylinder", True, "easy", None),
    Daily("8x8:wazir", False, "medium", None),
    Daily("8x8", True, "medium", "mirror"),
    Daily("8x8:king", False, "medium", None),
    Daily("8x8", True, "medium", "180"),
)


def dailies_of(day: date) -> tuple[dict[str, Daily], int]:
    """Return the properties of the three puzzles of a day, by kind, and their common seed.

    >>> dailies_of(date(2026, 12, 31))[0]["first"]
    Daily(board='6x6', closed=False, level='medium', pattern=None, in_order=None)
    """
    seed = 10_000 * day.year + 100 * day.month + day.day
    first = FIRST_WEEK[day.weekday()] if day >= WEEKDAYS_FROM else First("6x6", None, "easy")
    closed = seed % 2 == 0 if first.closed is None else first.closed
    one, hard = Daily(first.board, closed, first.level, None), Daily("8x8", seed % 2 == 1, "hard", None)
    return dict(zip(KINDS, (one, hard, WEEK[day.weekday()]), strict=True)), seed


def day_of(day: date | str | None) -> date:
    """Return the day: today by the local clock for None; a text is a date such as 2026-12-24.

    >>> day_of("2026-12-24")
    datetime.date(2026, 12, 24)
    """
    if day is None:
        return date.today()
    if isinstance(day, date):
        return date(day.year, day.month, day.day)
    try:
        if isinstance(day, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", day):
            return date.fromisoformat(day)
        why = "a day consists of year, month and day"
    except ValueError:
        why = "the calendar has no such day"
    raise ProblemError(f"invalid day: {quoted(day)}", note=why, help="write it as 2026-12-24, or omit it for today")


def daily_of(day: date | str | None, kind: str) -> tuple[Daily, int]:
    """Return the properties and the seed of the puzzle of a day and a kind, for `puzzle_of_day`.

    >>> daily_of("2026-12-24", "hard")
    (Daily(board='8x8', closed=False, level='hard', pattern=None, in_order=None), 20261224)
    """
    of_day, seed = dailies_of(day_of(day))
    return of_day[one_of(kind, KINDS, "kind of a daily puzzle")], seed


def puzzle_of_day(day: date | str | None = None, kind: DayKind = "first") -> Puzzle:
    """Return a puzzle of a day; its seed is the date.

    Args:
        day: A date, or a text such as "2026-12-24"; by default today, according to this computer.
        kind: "first", from an easy 5x5 on Monday to a hard 8x8 on Sunday (before December 2026: an easy 6x6); "hard"
            (8x8); or "other", by the day of the week: a torus, a Zip, a cylinder, a Numbrix, a Hidato or a symmetry.

    Raises:
        ProblemError: If the day or the kind is invalid.

    >>> puzzle = puzzle_of_day("2026-11-30")
    >>> str(puzzle.board), puzzle.level
    ('6x6', 'easy')
    """
    daily, seed = daily_of(day, kind)
    return create_puzzle_of_day(daily, seed)


def create_puzzle_of_day(
    daily: Daily, seed: int, limits: Limits | None = None, on_progress: OnProgress | None = None
) -> Puzzle:
    """Create the puzzle that `daily_of` describes, with its seed.

    >>> create_puzzle_of_day(*daily_of("2026-11-30", "first")) == puzzle_of_day("2026-11-30")
    True
    """
    words = daily._asdict()
    return seeded_puzzle(words.pop("board"), seed=seed, limits=limits, on_progress=on_progress, **words)
