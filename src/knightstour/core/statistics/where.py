"""The condition `where`: statistics of a tour must be in a range, as {"turns": (45, 47)} or "turns=45..47".

The normal form is a tuple of (name, least, most), sorted by name. On small boards all tours are listed: a Sieve filters
them and reports the observed ranges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem, plural_of, without_checked
from knightstour.core.model.unvisited import answer_of
from knightstour.core.model.validation import is_whole, quoted, wrong_type
from knightstour.core.statistics.measure import measure
from knightstour.core.statistics.table import statistic_named

Ranges: TypeAlias = "tuple[tuple[str, int, int], ...]"

_RANGE = re.compile(r"\s*(\d{1,100})\s*(?:\.\.\s*(\d{1,100}))?\s*")
_HELP = 'pass a number or a range for each statistic, such as {"turns": (45, 47)}, or "turns=45..47"'
# Maximum number of tours processed together. The first ones are processed singly, for an early result.
_MAX_AT_ONCE = 1024
# Upper bound of statistics; larger ends of a range do not fit into arrays.
_LARGE = 1 << 62


def read(board: Board, written: object, name: str) -> Ranges:
    """Return the ranges in normal form. Raises an error for an unknown statistic or an invalid range."""
    found: dict[str, tuple[int, int]] = {}
    for statistic, value in _pairs(written, name):
        row = statistic_named(statistic)
        least, most = _range(row.name, value)
        low, high = found.get(row.name, (least, most))
        found[row.name] = max(low, least), min(high, most)
        if found[row.name][0] > found[row.name][1]:
            raise ProblemError(f"{name}: no number is in both ranges of {row.name}", help="pass one range for each")
    return tuple((statistic, *found[statistic]) for statistic in sorted(found))


def _pairs(written: object, name: str) -> Iterator[tuple[str, object]]:
    if written is None:
        return
    if isinstance(written, Mapping):
        yield from written.items()
        return
    texts = [written] if isinstance(written, str) else written
    if not isinstance(texts, Iterable) or isinstance(texts, bytes):
        raise wrong_type(name, "ranges of statistics", written, help=_HELP)
    for text in texts:
        # The last sign separates them: inside=a1..d4=3..5.
        statistic, mark, value = text.rpartition("=") if isinstance(text, str) else ("", "", "")
        if not mark:
            raise ProblemError(f"{name}: not a statistic and its range: {quoted(text)}", help=_HELP)
        yield statistic.strip(), value


def _range(statistic: str, value: object) -> tuple[int, int]:
    """Return (least, most) from a number, two numbers, a Python range, or a text."""
    ends: Sequence[object] = ()
    if is_whole(value):
        ends = (value, value)
    elif isinstance(value, range):
        ends = (value.start, value.stop - 1) if value.step == 1 else ()
    elif isinstance(value, str) and (match := _RANGE.fullmatch(value)) is not None:
        ends = (int(match[1]), int(match[2] or match[1]))
    elif isinstance(value, tuple | list):
        ends = value
    elif not isinstance(value, str):
        raise wrong_type(f"where: {statistic}", "a range", value, help=_HELP)
    if len(ends) != 2 or not all(map(is_whole, ends)):
        raise ProblemError(f"where: invalid range of {statistic}: {quoted(value)}", help=_HELP)
    least, most = (int(end) for end in ends)  # type: ignore[call-overload]
    if least > most or most < 0:
        raise ProblemError(f"where: no number of {statistic} is from {quoted(least)} to {quoted(most)}", help=_HELP)
    return max(least, 0), most


def ranges_to_dict(value: Ranges, square: Callable[[int], object]) -> dict[str, Any]:
    """Return the ranges in the form of Python and JSON."""
    return {name: least if least == most else [least, most] for name, least, most in value}


def _ranges_as_text(value: Ranges) -> str:
    return " and ".join(f"{name}={least}" + (f"..{most}" if most > least else "") for name, least, most in value)


def describe(value: Ranges) -> str:
    """Return the ranges as the end of a sentence on tours."""
    return f"with {_ranges_as_text(value)}"


def check(problem: Problem, value: Ranges) -> None:
    """Raise an error if a statistic is undefined for the tours of a problem."""
    for name, _, _ in value:
        row = statistic_named(name)
        row.check(problem.board, problem.closed)
        if problem.partial and row.is_numbered:
            raise ProblemError(
                f"{name} cannot be combined with partial=True: a square may stay unvisited",
                help=f"omit {name} or partial",
            )


def numbers_matter(problem: Problem) -> bool:
    """Whether the first number of a closed tour affects the ranges.

    >>> numbers_matter(Problem("8x8", closed=True, where={"magic-rows": 8}))
    True
    """
    ranges: Ranges = problem.where
    return problem.closed and any(statistic_named(name).is_numbered for name, _, _ in ranges)


def is_at_most(problem: Problem, statistic: str, most: int) -> bool:
    ranges: Ranges = problem.where
    return any(name == statistic and limit <= most for name, _, limit in ranges)


def _measure_orders(
    problem: Problem, orders: Sequence[Sequence[int] | np.ndarray] | np.ndarray, names: list[str]
) -> dict[str, np.ndarray]:
    """Return statistics of tours; partial ones are measured on their own boards."""
    if not problem.partial:
        return measure(np.array(orders, dtype=np.int64), names, problem.board, closed=problem.closed)
    each = [measure(answer_of(problem, order), names, closed=problem.closed) for order in orders]
    return {name: np.concatenate([found[name] for found in each]) for name in names}


def fault(problem: Problem, value: Ranges, order: np.ndarray, step: np.ndarray) -> str | None:
    """Return the first statistic out of its range as text, or None."""
    found = _measure_orders(problem, [order], [name for name, _, _ in value])
    for name, least, most in value:
        number = int(found[name][0])
        if not least <= number <= most:
            return f"its {name} are {number}, but {_ranges_as_text(((name, least, most),))} is required"
    return None


def measure_in_range(
    problem: Problem, value: Ranges, orders: Sequence[Sequence[int] | np.ndarray] | np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return the statistics of tours, square numbers in order of visit, by name; and which tours are in range."""
    found = _measure_orders(problem, orders, [name for name, _, _ in value])
    fits = np.ones(len(orders), dtype=bool)
    for name, least, most in value:
        fits &= (found[name] >= min(least, _LARGE)) & (found[name] <= min(most, _LARGE))
    return found, fits


class Sieve:
    """Filter for listed tours with statistics in given ranges; records the observed ranges.

    Args:
        are_double: Whether each tour is listed in both directions.
        kind: Adjective and a blank for incomplete lists.
    """

    def __init__(
        self,
        problem: Problem,
        value: Ranges,
        orders: Iterator[Sequence[int] | np.ndarray],
        are_double: bool,
        kind: str = "",
    ) -> None:
        self._problem, self._value, self._orders, self._are_double = problem, value, orders, are_double
        self._looked_at = 0
        self._kind = kind
        self._seen: dict[str, tuple[int, int]] = {}

    def __iter__(self) -> Iterator[np.ndarray]:
        at_once = 1
        while some := list(islice(self._orders, at_once)):
            self._looked_at += len(some)
            found, fits = measure_in_range(self._problem, self._value, some)
            for name, numbers in found.items():
                low, high = self._seen.get(name, (int(numbers[0]), int(numbers[0])))
                self._seen[name] = min(low, int(numbers.min())), max(high, int(numbers.max()))
            yield from (np.asarray(some[k], dtype=np.int64) for k in np.flatnonzero(fits))
            at_once = min(2 * at_once, _MAX_AT_ONCE)

    @property
    def reason(self) -> str:
        """The reason why no tour fits, after all were checked."""
        of = (
            ("numberings of " if numbers_matter(self._problem) else "")
            + self._kind
            + plural_of(without_checked(self._problem))
        )
        if not self._looked_at:
            return f"there are no {of}"
        seen = " and ".join(
            f"{name}={low}" + (f"..{high}" if high > low else "") for name, (low, high) in self._seen.items()
        )
        count = self._looked_at // (2 if self._are_double else 1)
        return f"none of the {count:,} {of} has {_ranges_as_text(self._value)}: they have {seen}"
