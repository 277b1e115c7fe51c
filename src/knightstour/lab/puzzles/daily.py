"""The puzzles of the day: the same for everybody, on the page, on the command line and in Python."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.errors import ProblemError
from knightstour.lab.puzzles.make import make_puzzle
from knightstour.lab.puzzles.puzzle import Puzzle

# The three of a day, the first of which is the puzzle of the day.
KINDS: Final = ("easy", "hard", "other")


class Daily(NamedTuple):
    """What a puzzle of a day is like: some arguments of make_puzzle. level, pattern, in_order: None for none."""

    board: str
    closed: bool
    level: str | None
    pattern: str | None
    in_order: int | None = None


# The third puzzle of each day of the week, Monday first. The page has the same table (static/model/puzzle.js); a test
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

    >>> dailies_of(date(2026, 12, 31))[0]["easy"]
    Daily(board='6x6', closed=False, level='easy', pattern=None, in_order=None)
    """
    seed = 10_000 * day.year + 100 * day.month + day.day
    easy, hard = Daily("6x6", seed % 2 == 0, "easy", None), Daily("8x8", seed % 2 == 1, "hard", None)
    return dict(zip(KINDS, (easy, hard, WEEK[day.weekday()]), strict=True)), seed


@explains_arguments
def puzzle_of_day(day: date, kind: str = "easy") -> Puzzle:
    """A puzzle of a day, by UTC: its seed is the date.

    kind: "easy" (6x6), "hard" (8x8), or "other", which goes by the day of the week: a torus, a Zip, a cylinder, a
        Numbrix, a Hidato, or a symmetry.

    >>> puzzle = puzzle_of_day(date(2026, 11, 30))
    >>> str(puzzle.board), puzzle.level
    ('6x6', 'easy')
    """
    of_day, seed = dailies_of(day)
    if kind not in of_day:
        raise ProblemError(f"unknown kind of a daily puzzle: {kind!r}", help=f"choose one of {', '.join(KINDS)}")
    wanted = of_day[kind]
    return make_puzzle(
        wanted.board, rng=seed, **{key: value for key, value in wanted._asdict().items() if key != "board"}
    )
