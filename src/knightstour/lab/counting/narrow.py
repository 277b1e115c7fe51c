"""Numbers of tours of boards with few rows and any length, and their linear recurrences.

Far from the ends of a long board the states of partial tours are the same in each column, so the number a(n) of tours
of the rows x n board is an entry of a matrix power. Therefore a(n) follows a linear recurrence, and its generating
function, the sum of a(n) x^n, is a quotient P(x) / Q(x) of polynomials with Q(0) = 1 and integer coefficients (Fatou's
lemma). scripts/make_recurrences.py computes them from such matrices and writes recurrences.json. A term is a sum over
`order` earlier terms. (The halving of Bostan and Mori was slower, since its coefficients are larger than the terms.)

Conventions: undirected tours; open ones are Hamiltonian paths, including re-entrant ones; a(0) = 0.

Sources for 3 rows, closed: D. E. Knuth, Leaper graphs, 1994; N. D. Elkies and R. P. Stanley, The mathematical knight,
2003.
"""

from __future__ import annotations

import functools
import itertools
import json
import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from knightstour.core.model.errors import ProblemError
from knightstour.core.model.exports import record_of
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Question, check_supported, problem_of
from knightstour.core.model.validation import whole_number

# Terms between two reports; each takes from a microsecond to some milliseconds.
_COLUMNS_AT_ONCE = 64
# From this term on, terms whose indices have equal parity grow evenly (odd ones may be 0).
_EVEN_GROWTH = 200
# Called with the number of completed columns.
OnColumn = Callable[[int], None]
# Seconds for a product in a recurrence, and for each byte of its factor.
_PRODUCT_SECONDS = (250e-9, 0.75e-9)


def _polynomial(coefficients: tuple[int, ...]) -> str:
    """Return a polynomial as text, lowest power first.

    >>> _polynomial((1, 0, -6, 1))
    '1 - 6 x^2 + x^3'
    """
    text = ""
    for k, c in enumerate(coefficients):
        if c:
            power = "" if k == 0 else "x" if k == 1 else f"x^{k}"
            size = str(abs(c)) if abs(c) != 1 or k == 0 else ""
            sign = ("-" if c < 0 else "") if not text else (" - " if c < 0 else " + ")
            text += sign + " ".join(part for part in (size, power) if part)
    return text or "0"


class Recurrence(NamedTuple):
    """The numbers a(n) of tours of the boards of a width: the sum of a(n) x^n is numerator / denominator.

    numerator, denominator: lowest coefficients first. The recurrence a(n) = -(denominator[1] a(n - 1) + ...) holds for
    n above the degree of the numerator. fitted: number of terms it was derived from. checked: number of further terms
    that agree with it.
    """

    rows: int
    closed: bool
    numerator: tuple[int, ...]
    denominator: tuple[int, ...]
    fitted: int
    checked: int

    @property
    def order(self) -> int:
        """Number of earlier terms that determine a term."""
        return len(self.denominator) - 1

    def to_dict(self) -> dict[str, object]:
        """Return the fields and the order as JSON-serialisable data."""
        return {**record_of(self), "order": self.order}

    def lines(self) -> list[str]:
        """Return the numerator and the denominator as text."""
        return [f"numerator    {_polynomial(self.numerator)}", f"denominator  {_polynomial(self.denominator)}"]

    def notes(self) -> list[str]:
        """Return the meaning of the terms, and the evidence for the recurrence."""
        kind = "closed" if self.closed else "open"
        return [
            f"the sum of a(n) x^n, a(n) undirected {kind} tours of {self.rows} x n; order {self.order}, "
            f"found from {self.fitted} terms and checked with {self.checked} more"
        ]

    def terms(self) -> Iterator[int]:
        """Yield a(0), a(1), a(2), ... without end."""
        back = [(k, -q) for k, q in enumerate(self.denominator) if k and q]
        last: list[int] = [0] * self.order  # the newest last
        for n in itertools.count():
            value = self.numerator[n] if n < len(self.numerator) else 0
            value += sum([q * last[-k] for k, q in back])
            yield value
            last.append(value)
            # The numbers are long, so old ones are deleted.
            if len(last) > 2 * self.order + 16:
                del last[: -self.order or None]

    def term(self, n: int, on_column: OnColumn | None = None) -> int:
        """Return a(n), exactly. on_column: called now and then with the index of the current term."""
        terms = self.terms()
        for k, _ in enumerate(itertools.islice(terms, n)):
            if on_column is not None and k % _COLUMNS_AT_ONCE == 0:
                on_column(k)
        return next(terms)

    def rate(self) -> tuple[float, float]:
        """Return two floats that enclose the growth rate of a(n), adjacent or nearly.

        The rate is 1 / r, where r is the smallest positive root of the denominator. No root is nearer to 0, since no
        a(n) is negative (Pringsheim 1894).

        >>> narrow_recurrence(4, closed=False).rate()
        (4.4764274845348115, 4.476427484534814)
        """
        low, high = 0.0, 1.0
        while low < (middle := (low + high) / 2) < high:
            low, high = (low, middle) if _has_root(self.denominator, middle) else (middle, high)
        return math.nextafter(1 / high, 0.0), math.nextafter(1 / low, math.inf)


def _has_root(polynomial: Sequence[int], end: float) -> bool:
    """Return whether a polynomial has a root in (0, end], if no root is nearer to 0 than its smallest positive one: by
    the rule of signs after the substitution of end / (1 + y) for x (Vincent 1834, Obreshkoff 1963)."""
    p, q = end.as_integer_ratio()
    degree = len(polynomial) - 1
    moved = [c * p**k * q ** (degree - k) for k, c in enumerate(polynomial)]
    for length in range(degree + 1, 0, -1):
        moved[:length] = itertools.accumulate(moved[:length])
    return any(c <= 0 for c in moved)


# ---------------------------------------------------------------- the numbers of tours

# Widths whose recurrence is in recurrences.json: (rows, closed).
NARROW = ((1, False), (1, True), (2, False), (2, True), (3, False), (3, True), (4, False), (4, True))


def has_recurrence(rows: int, *, closed: bool) -> bool:
    """Return whether `narrow_recurrence` supports boards of this width."""
    return (rows, closed) in NARROW


def narrow_recurrence(rows: int, *, closed: bool) -> Recurrence:
    """Return the recurrence and generating function of boards of this width; raise ProblemError if unknown.

    >>> found = narrow_recurrence(3, closed=True)
    >>> found.order, found.numerator[10], found.denominator[:5]
    (42, 16, (1, 0, -6, 0, -64))
    """
    if not has_recurrence(rows, closed=closed):
        raise ProblemError(
            f"no recurrence is known here for {'closed' if closed else 'open'} tours of boards with {rows} rows",
            note="known: 1 to 4 rows, open and closed",
            help="count boards of a given length one by one",
        )
    return _kept_recurrences()[rows, closed]


@functools.cache
def _kept_recurrences() -> dict[tuple[int, bool], Recurrence]:
    from importlib import resources

    text = resources.files("knightstour.lab.counting").joinpath("recurrences.json").read_text(encoding="ascii")
    found = {}
    for item in json.loads(text):
        item["numerator"], item["denominator"] = tuple(item["numerator"]), tuple(item["denominator"])
        found[item["rows"], item["closed"]] = Recurrence(**item)
    return found


def narrow_count(rows: int, cols: int, *, closed: bool, on_column: OnColumn | None = None) -> int:
    """Return the exact number of tours of a plain board with few rows and any number of columns.

    on_column: called now and then with the number of completed columns. Raises ProblemError for unsupported rows.

    >>> narrow_count(3, 10, closed=True), narrow_count(4, 5, closed=False)
    (16, 82)
    >>> len(str(narrow_count(3, 1000, closed=True)))
    491
    """
    cols = whole_number(cols, "the number of columns")
    if cols < 1:
        raise ProblemError(f"a board of {cols} columns has no squares", help="pass at least 1")
    return narrow_recurrence(rows, closed=closed).term(cols, on_column)


class Effort(NamedTuple):
    """Estimated cost of a count on a long board. digits: length of the result. bytes: maximum in memory. seconds:
    processor time, up to four times too high."""

    digits: float
    bytes: float
    seconds: float


def narrow_effort(rows: int, cols: int, *, closed: bool) -> Effort:
    """Return the cost of `narrow_count`.

    >>> effort = narrow_effort(3, 10**6, closed=True)
    >>> round(effort.digits, -3), effort.bytes < 10**8, effort.seconds > 60
    (495000.0, True, True)
    """
    recurrence = narrow_recurrence(rows, closed=closed)
    few, more = itertools.islice(recurrence.terms(), _EVEN_GROWTH, 2 * _EVEN_GROWTH + 1, _EVEN_GROWTH)
    bits = cols * (more.bit_length() - few.bit_length()) / _EVEN_GROWTH
    held, products = 2.0 * recurrence.order + 16, sum(map(bool, recurrence.denominator))
    # The numbers grow evenly, so their mean length is half the final length.
    each = _PRODUCT_SECONDS[0] + bits / 16 * _PRODUCT_SECONDS[1]
    return Effort(bits * math.log10(2), held * (bits / 8 + 28), cols * products * each)


def count_recurrence(board: Question, *, closed: bool = False) -> Recurrence:
    """Return the linear recurrence and generating function of the numbers of tours of boards with few rows.

    Args:
        board: Any board of the width, which is its shorter side.
        closed: As for count.

    Raises:
        ProblemError: Unless the board is plain and has up to 4 rows.

    >>> found = count_recurrence((3, 10), closed=True)
    >>> found.order, list(zip(range(13), found.terms()))[10:]
    (42, [(10, 16), (11, 0), (12, 176)])
    """
    problem = problem_of(board, closed=closed)
    check_supported(problem, "a recurrence")
    if not is_rectangle(problem.board) or (problem.start, problem.end) != (None, None):
        raise ProblemError("recurrences count all tours of plain boards", help="pass rows x cols only")
    return narrow_recurrence(min(problem.board.rows, problem.board.cols), closed=problem.closed)
