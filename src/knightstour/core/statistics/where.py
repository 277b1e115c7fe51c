"""The condition `where`: statistics of a tour that must be in a range, as {"turns": (45, 47)} or "turns=45..47".

Its normal form is a tuple of (name, least, most), sorted by name. Small boards are decided by their complete lists: a
Sieve processes many tours together, and reports the observed ranges.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias

import numpy as np

from knightstour.core.model.board import Board
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.unvisited import answer_of
from knightstour.core.model.validation import is_whole, quoted
from knightstour.core.statistics.measure import measure
from knightstour.core.statistics.table import statistic_named

Ranges: TypeAlias = "tuple[tuple[str, int, int], ...]"

_RANGE = re.compile(r"\s*(\d{1,100})\s*(?:\.\.\s*(\d{1,100}))?\s*")
_HELP = 'give a number or a range for each statistic, such as {"turns": (45, 47)}, or "turns=45..47"'
# Maximum number of tours processed together; the first ones are processed singly, for an early result.
_MAX_AT_ONCE = 1024
# No statistic is so large; larger ends of a range do not fit into arrays.
_LARGE = 1 << 62


def read(board: Board, written: object, name: str) -> Ranges:
    """Return the ranges in normal form; raise an error for an unknown statistic or an invalid range."""
    found: dict[str, tuple[int, int]] = {}
    for statistic, value in _pairs(written, name):
        row = statistic_named(statistic)
        least, most = _range(row.name, value)
        low, high = found.get(row.name, (least, most))
        found[row.name] = max(low, least), min(high, most)
        if found[row.name][0] > found[row.name][1]:
            raise ProblemError(f"{name}: no number is in both ranges of {row.name}", help="give one range for each")
    return tuple((statistic, *found[statistic]) for statistic in sorted(found))


def _pairs(written: object, name: str) -> Iterator[tuple[str, object]]:
    """Each statistic with its range as written."""
    if written is None:
        return
    if isinstance(written, Mapping):
        yield from written.items()
        return
    texts = [written] if isinstance(written, str) else written
    if not isinstance(texts, Iterable):
        raise ProblemError(f"{name}: not a range of statistics: {quoted(written)}", help=_HELP)
    for text in texts:
        # The last sign parts them, for a name may have one: inside=a1..d4=3..5.
        statistic, mark, value = text.rpartition("=") if isinstance(text, str) else ("", "", "")
        if not mark:
            raise ProblemError(f"{name}: not a statistic and its range: {quoted(text)}", help=_HELP)
        yield statistic.strip(), value


def _range(statistic: str, value: object) -> tuple[int, int]:
    """(least, most) of a number, two numbers, a range of Python, or a text."""
    ends: Sequence[object] = ()
    if is_whole(value):
        ends = (value, value)
    elif isinstance(value, range):
        ends = (value.start, value.stop - 1) if value.step == 1 else ()
    elif isinstance(value, str) and (match := _RANGE.fullmatch(value)) is not None:
        ends = (int(match[1]), int(match[2] or match[1]))
    elif isinstance(value, tuple | list):
        ends = value
    if len(ends) != 2 or not all(map(is_whole, ends)):
        raise ProblemError(f"where: invalid range of {statistic}: {quoted(value)}", help=_HELP)
    least, most = (int(end) for end in ends)  # type: ignore[call-overload]
    if least > most or most < 0:
        raise ProblemError(f"where: no number of {statistic} is from {least} to {most}", help=_HELP)
    return max(least, 0), most


def written(value: Ranges, square: Callable[[int], object]) -> dict[str, Any]:
    """The ranges as Python and JSON write them."""
    return {name: least if least == most else [least, most] for name, least, most in value}


def _ranges_as_text(value: Ranges) -> str:
    return " and ".join(f"{name}={least}" + f"..{most}" * (most > least) for name, least, most in value)


def said(board: Board, value: Ranges) -> str:
    """The end of a sentence on tours."""
    return f"with {_ranges_as_text(value)}"


def check(problem: Problem, value: Ranges) -> None:
    """An error where such tours have no such statistic."""
    for name, _, _ in value:
        row = statistic_named(name)
        row.check(problem.board, problem.closed)
        if problem.partial and row.is_numbered:
            raise ProblemError(
                f"{name} cannot be combined with partial=True: a square may stay unvisited",
                help=f"omit {name} or partial",
            )


def numbers_matter(problem: Problem) -> bool:
    """Whether a closed tour may meet the ranges or not, depending on where its numbers begin.

    >>> numbers_matter(Problem.of("8x8", closed=True, where={"magic-rows": 8}))
    True
    """
    ranges: Ranges = dict(problem.values).get("where", ())
    return problem.closed and any(statistic_named(name).is_numbered for name, _, _ in ranges)


def is_at_most(problem: Problem, statistic: str, most: int) -> bool:
    """Whether the ranges limit a statistic to at most this value."""
    ranges: Ranges = dict(problem.values).get("where", ())
    return any(name == statistic and limit <= most for name, _, limit in ranges)


def _measured(
    problem: Problem, orders: Sequence[Sequence[int] | np.ndarray] | np.ndarray, names: list[str]
) -> dict[str, np.ndarray]:
    """Return the statistics of tours; tours that leave squares are measured on their own boards."""
    if not problem.partial:
        return measure(np.array(orders, dtype=np.int64), names, problem.board, closed=problem.closed)
    each = [measure(answer_of(problem, order), names, closed=problem.closed) for order in orders]
    return {name: np.concatenate([found[name] for found in each]) for name in names}


def fault(problem: Problem, value: Ranges, order: np.ndarray, step: np.ndarray) -> str | None:
    """The first statistic that is in another range."""
    found = _measured(problem, [order], [name for name, _, _ in value])
    for name, least, most in value:
        number = int(found[name][0])
        if not least <= number <= most:
            return f"its {name} are {number}, but {_ranges_as_text(((name, least, most),))} is required"
    return None


def looked_at(
    problem: Problem, value: Ranges, orders: Sequence[Sequence[int] | np.ndarray] | np.ndarray
) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """The statistics of tours, as squares in order, by name; and whether each tour has them in range."""
    found = _measured(problem, orders, [name for name, _, _ in value])
    fits = np.ones(len(orders), dtype=bool)
    for name, least, most in value:
        fits &= (found[name] >= min(least, _LARGE)) & (found[name] <= min(most, _LARGE))
    return found, fits


class Sieve:
    """Filter for listed tours whose statistics are in their ranges; records the observed ranges.

    Args:
        are_double: Whether each tour is listed in both directions.
        kind: Adjective and a blank for the listed tours, if not all are listed.
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
            found, fits = looked_at(self._problem, self._value, some)
            for name, numbers in found.items():
                low, high = self._seen.get(name, (int(numbers[0]), int(numbers[0])))
                self._seen[name] = min(low, int(numbers.min())), max(high, int(numbers.max()))
            yield from (np.asarray(some[k], dtype=np.int64) for k in np.flatnonzero(fits))
            at_once = min(2 * at_once, _MAX_AT_ONCE)

    @property
    def reason(self) -> str:
        """Return the reason why no tour fits, after all were checked."""
        of = "numberings of " * numbers_matter(self._problem) + self._kind + self._problem.without_checked.plural
        if not self._looked_at:
            return f"there are no {of}"
        seen = " and ".join(f"{name}={low}" + f"..{high}" * (high > low) for name, (low, high) in self._seen.items())
        count = self._looked_at // (2 if self._are_double else 1)
        return f"none of the {count:,} {of} has {_ranges_as_text(self._value)}: they have {seen}"
