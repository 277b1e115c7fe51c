"""Stored results that the page shows before the library is loaded.

The library computes them by the page's requests (`here.answer`): tables, tours of the first board, facts and counts of
square boards, and the daily puzzles of three years.
"""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

from knightstour.core.formats.boards import board_to_dict
from knightstour.core.model.board import Board
from knightstour.interfaces.web import here
from knightstour.interfaces.web.replies import tables
from knightstour.lab.puzzles.daily import Daily, dailies_of

TABLES = ("methods", "words")
# Number of tours of the first board. Each visitor sees one of them.
_TOURS = 6
# Numbers of days with stored puzzles: before today, and in total.
_DAYS_BEFORE, _DAYS = 31, 31 + 3 * 366
# Fields without effect on a stored response; engine/answers.js ignores them too.
_IDLE = ("seconds", "nodes", "progress")
_CHESS = {"rows": 8, "cols": 8}


def request_name(path: str, body: dict[str, Any]) -> str:
    """Return the name of a request, as in engine/answers.js.

    >>> named("solve", {"start": None, "closed": True, "board": {"rows": 5, "cols": 5}, "seconds": 9})
    'solve {"board":{"cols":5,"rows":5},"closed":true}'
    """
    return f"{path} {json.dumps(_sort_fields(body), separators=(',', ':'), ensure_ascii=False)}"


def _sort_fields(value: Any) -> Any:
    if isinstance(value, list):
        return [_sort_fields(each) for each in value]
    if not isinstance(value, dict):
        return value
    return {name: _sort_fields(value[name]) for name in sorted(value) if name not in _IDLE and value[name] is not None}


def ask_library(path: str, body: dict[str, Any]) -> Any:
    """Return the library's response to a request; raise ValueError for an error."""
    status, parts = 0, []

    def send(kind: str, *values: Any) -> None:
        nonlocal status
        if kind == "head":
            status = values[0]
        elif kind == "part":
            parts.append(values[0])

    here.answer(path, json.dumps(body).encode(), send)
    answer = json.loads(b"".join(parts))
    if status != 200:
        raise ValueError(f"{path} {body}: {answer}")
    return answer


def first() -> dict[str, Any]:
    """Return the file that the page loads first; see engine/answers.js."""
    found: dict[str, list[Any]] = {}
    made = tables()
    for path, body in _questions():
        found.setdefault(request_name(path, body), []).append(ask_library(path, body))
    begin = date.today() - timedelta(_DAYS_BEFORE)
    days = [dailies_of(begin)[1], dailies_of(begin + timedelta(_DAYS))[1]]
    return {"tables": {name: json.loads(made[name]) for name in TABLES}, "asked": found, "days": days}


def _questions() -> Iterator[tuple[str, dict[str, Any]]]:
    for closed in (True, False):
        for _ in range(_TOURS if closed else 1):
            yield "solve", {"board": _CHESS, "closed": closed, "method": "auto", "options": {}, "seconds": 10}
    for n in range(1, 9):
        for closed in (True, False):
            question = {"board": {"rows": n, "cols": n}, "closed": closed, "seconds": 10}
            if n < 8:
                yield "solve", {**question, "method": "auto", "options": {}}
    yield "facts", {"board": _CHESS}


def puzzles() -> dict[str, dict[str, list[Any]]]:
    """Return the daily puzzles by weeks, named after their Mondays: responses by file and request."""
    weeks: dict[str, dict[str, list[Any]]] = {}
    begin = date.today() - timedelta(_DAYS_BEFORE)
    for k in range(_DAYS + 1):
        day = begin + timedelta(k)
        monday = day - timedelta(day.weekday())
        of_day, seed = dailies_of(day)
        for daily in of_day.values():
            body = _question_of(daily, seed)
            week = weeks.setdefault(f"puzzles-{monday:%Y%m%d}.json", {})
            week[request_name("puzzle", body)] = [ask_library("puzzle", body)]
    return weeks


def _question_of(daily: Daily, seed: int) -> dict[str, Any]:
    """Return the page's request for a daily puzzle, with all hints, so that they do not need the library.

    >>> named("", _question_of(dailies_of(date(2026, 11, 24))[0]["other"], 7)).partition('"clues"')[2]
    ':8,"hints":true,"kind":"zip","of_link":true,"seed":7}'
    """
    zip_of = {"kind": "zip", "clues": daily.in_order} if daily.in_order else {}
    wish = {"level": daily.level, "pattern": daily.pattern, **zip_of}
    kind = {"board": board_to_dict(Board(daily.board)), "closed": daily.closed}
    return {**kind, **wish, "seed": seed, "of_link": True, "hints": True}
