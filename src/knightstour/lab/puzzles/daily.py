"""The daily puzzles, equal on the page, on the command line and in Python."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.validation import one_of, quoted
from knightstour.lab.puzzles.make import seeded_puzzle
from knightstour.lab.puzzles.puzzle import Puzzle

# The three of a day, the first of which is the puzzle of the day.
KINDS: Final = ("first", "hard", "other")
# The day whose puzzles have the number 1; the page has it from here, too.
FIRST_DAY: Final = date(2026, 1, 1)


class Daily(NamedTuple):
    """What a puzzle of a day is like: some arguments of make_puzzle. level, pattern, in_order: None for none."""

    board: str
    closed: bool
    level: str | None
    pattern: str | None
    in_order: int | None = None


# From this day on, the first puzzle of a day depends on the weekday. Earlier days keep their puzzles.
WEEKDAYS_FROM: Final = date(2026, 12, 1)


class First(NamedTuple):
    """The first puzzle of a weekday. closed: None if the parity of the date decides; so it differs from the second."""

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

# The third puzzle of each day of the week, Monday first. The page has the same table (page/src/model/puzzle.js); a test
# compares the puzzles of both.
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
    """What the three puzzles of a day are like, by their kinds, and the seed of all.

    >>> dailies_of(date(2026, 12, 31))[0]["first"]
    Daily(board='6x6', closed=False, level='medium', pattern=None, in_order=None)
    """
    seed = 10_000 * day.year + 100 * day.month + day.day
    first = FIRST_WEEK[day.weekday()] if day >= WEEKDAYS_FROM else First("6x6", None, "easy")
    closed = seed % 2 == 0 if first.closed is None else first.closed
    one, hard = Daily(first.board, closed, first.level, None), Daily("8x8", seed % 2 == 1, "hard", None)
    return dict(zip(KINDS, (one, hard, WEEK[day.weekday()]), strict=True)), seed


def day_of(day: date | str | None) -> date:
    """The day that is meant: None is today where the computer is; a text is a date such as 2026-12-24.

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
        why = "a day is written as year, month and day"
    except ValueError:
        why = "the calendar has no such day"
    raise ProblemError(f"no day: {quoted(day)}", note=why, help="write it as 2026-12-24, or leave it out for today")


def daily_of(day: date | str | None, kind: str) -> tuple[Daily, int]:
    """What the puzzle of a day and a kind is like, and its seed; as `puzzle_of_day` takes both.

    >>> daily_of("2026-12-24", "hard")
    (Daily(board='8x8', closed=False, level='hard', pattern=None, in_order=None), 20261224)
    """
    of_day, seed = dailies_of(day_of(day))
    return of_day[one_of(kind, KINDS, "kind of a daily puzzle")], seed


def puzzle_of_day(day: date | str | None = None, kind: str = "first") -> Puzzle:
    """A puzzle of a day: its seed is the date. A ProblemError for what is no day, or an unknown kind.

    day: a date, or a text such as "2026-12-24"; default today, by the clock of this computer.
    kind: "first", which goes from an easy 5x5 on Monday to a hard 8x8 on Sunday (before December 2026: an easy 6x6);
        "hard" (8x8); or "other", by the day of the week: a torus, a Zip, a cylinder, a Numbrix, a Hidato or a symmetry.

    >>> puzzle = puzzle_of_day("2026-11-30")
    >>> str(puzzle.board), puzzle.level
    ('6x6', 'easy')
    """
    daily, seed = daily_of(day, kind)
    return made_of_day(daily, seed)


def made_of_day(daily: Daily, seed: int, limits: Limits | None = None, on_progress: OnProgress | None = None) -> Puzzle:
    """Create the puzzle that `daily_of` describes, with its seed.

    >>> made_of_day(*daily_of("2026-11-30", "first")) == puzzle_of_day("2026-11-30")
    True
    """
    words = daily._asdict()
    return seeded_puzzle(words.pop("board"), seed=seed, limits=limits, on_progress=on_progress, **words)
