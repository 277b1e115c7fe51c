"""Tests of the days of the page's puzzles: local days, numbers, and streaks (model/daily.js); in Node."""

import json
from datetime import date, timedelta
from typing import Any

import pytest

from helpers.node import run_script
from knightstour.core.model.board import Board
from knightstour.lab.puzzles.daily import FIRST_DAY, dailies_of

# Each starts Node.
pytestmark = pytest.mark.long

_CASE = """
const daily = await import(process.argv[1]);
const asked = JSON.parse(process.argv[2]);
const answers = {
  streak: ([solved, today]) => daily.streakOf((day) => solved.includes(day), daily.dateOf(today)),
  clock: (seconds) => {
    const now = new Date(1000 * seconds);
    return [daily.dayNumber(now), daily.puzzleNumber(now), daily.untilTomorrow(now), daily.dailies(now)[0].puzzle.seed];
  },
  date: (number) => daily.dateOf(number) !== null,
  three: (number) => daily.dailies(daily.dateOf(number)).map(({ board, closed, puzzle }) => {
    const { rows, cols, wrap, leaps } = board;
    return [rows, cols, wrap, leaps, closed, puzzle];
  }),
};
console.log(JSON.stringify(asked.map(([what, given]) => answers[what](given))));
"""


def answers(asked: list[tuple[str, Any]], zone: str = "UTC") -> list[Any]:
    return run_script(_CASE, "model/daily.js", json.dumps(asked), TZ=zone)


def number(day: date) -> int:
    return int(day.strftime("%Y%m%d"))


TODAY = date(2026, 3, 2)


def days(pattern: str) -> list[int]:
    """Return the days with a # in a pattern that ends today; tomorrow may follow a bar."""
    before, _, after = pattern.partition("|")
    first = TODAY - timedelta(days=len(before) - 1)
    return [number(first + timedelta(days=k)) for k, sign in enumerate(before + after) if sign == "#"]


# Solved days, ending today, and the length of the streak.
ROWS = {
    "": 0,
    "#": 1,
    "###": 3,
    "###.": 3,  # today is not over
    "###..": 3,  # yesterday is forgiven
    "###...": 0,
    "##.##": 4,
    "##.##.": 4,
    "#.#.#": 2,  # the second within seven days is not
    "##.######.##": 10,  # seven days apart
    "##.#####.##": 7,
    "##..##": 2,
    "#..": 1,
    "##|#": 3,  # the clock went back a day
    "##.|#": 3,
    "#####.###.####.": 7,
    "#" * 400: 400,
}


def test_streak_forgives_one_day_and_a_clock_set_back():
    asked = [("streak", [days(pattern), number(TODAY)]) for pattern in ROWS]
    # Across both changes of the clock in a year, too.
    for zone in ("UTC", "America/Los_Angeles"):
        assert dict(zip(ROWS, answers(asked, zone), strict=True)) == ROWS


@pytest.mark.parametrize(
    ("zone", "day", "left"), [("UTC", 27, 20.5), ("America/Los_Angeles", 26, 4.5), ("Pacific/Auckland", 27, 7.5)]
)
def test_a_day_begins_at_local_midnight(zone, day, left):
    # 27 November 2026, 3:30 by UTC.
    [[today, which, seconds, seed]] = answers([("clock", 1795750200)], zone)
    assert (today, seed) == (20261100 + day, 20261100 + day)
    assert seconds == 3600 * left
    assert which == (date(2026, 11, day) - FIRST_DAY).days + 1


def test_day_with_23_hours_is_handled():
    # 8 March 2026, 0:00 in Los Angeles.
    assert answers([("clock", 1772956800)], "America/Los_Angeles") == [[20260308, 67, 82800, 20260308]]


def test_three_daily_puzzles_match_the_library_for_weeks():
    # A week before the day from which the first puzzle depends on the weekday, the days around it, and a week after it.
    week = [date(2026, 3, day) for day in range(1, 8)] + [date(2026, 11, 30) + timedelta(days=k) for k in range(14)]
    for day, three in zip(week, answers([("three", number(day)) for day in week]), strict=True):
        wanted = []
        for daily in dailies_of(day)[0].values():
            board, wish = Board(daily.board), {"level": daily.level, "pattern": daily.pattern or ""}
            wish = {"inOrder": daily.in_order} if daily.in_order else wish
            leaps = [list(leap) for leap in board.piece.leaps]
            wanted.append([board.rows, board.cols, board.wrap, leaps, daily.closed, {**wish, "seed": number(day)}])
        assert three == wanted


def test_only_days_of_the_calendar_are_days():
    given = {20260228: True, 20260229: False, 20280229: True, 20261301: False, 20260100: False, 7: False, 0: False}
    assert answers([("date", each) for each in given]) == list(given.values())
