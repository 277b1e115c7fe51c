"""A sequence: a family of boards, a kind of count, and the published terms."""

from __future__ import annotations

import functools
import re
import tomllib
from dataclasses import dataclass
from datetime import date
from importlib import resources
from typing import NamedTuple

from knightstour.core.model.board import Board, square_count
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard, is_knights
from knightstour.core.model.validation import quoted, whole_number
from knightstour.core.model.wording import short_repr
from knightstour.lab.counting.narrow import has_recurrence
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.sequences.families import Family
from knightstour.lab.sequences.kinds import CountConditions, Kind, Number, divide_exactly


@dataclass(frozen=True, slots=True, repr=False)
class Sequence:
    """A sequence of counts: a row of SEQUENCES, or a sequence that is not in the OEIS.

    Attributes:
        number: A-number; empty if it has none.
        family: The board of each term.
        kind: The kind of count.
        reach: The largest feasible terms on a laptop, as text.
        times, parts: The term is the count times `times`, divided by `parts`.
        single: Term of a board of one square, if the convention of the entry differs. By default one square is an open
            tour and not a closed one.
    """

    number: str
    family: Family
    kind: Kind
    reach: str
    times: int = 1
    parts: int = 1
    single: int | None = None

    def __repr__(self) -> str:
        return short_repr(self, f"{self.number}, {self.name}" if self.number else self.name)

    @property
    def entry(self) -> PublishedEntry:
        """Published data of the entry; a new sequence has no terms."""
        return published_entries().get(self.number, _NEW)

    @property
    def offset(self) -> int:
        """Index of the first term."""
        return self.entry.offset

    @property
    def last(self) -> int:
        """Index of the last published term."""
        return self.offset + len(self.entry.terms) - 1

    @property
    def end(self) -> int | None:
        """Index of the last board of a finite family; None for an infinite one."""
        return getattr(self.family, "end", None)

    @property
    def recurring(self) -> int | None:
        """The fixed side of the boards, if a recurrence in the other side yields the counts; else None."""
        width: int | None = getattr(self.family, "width", None)
        if width is None or not has_recurrence(width, closed=self.kind.closed):
            return None
        is_of_all = any(self.kind.matches(CountConditions(self.kind.closed, directed)) for directed in (False, True))
        return width if is_of_all else None

    @property
    def address(self) -> str:
        """Address of the entry."""
        return f"https://oeis.org/{self.number}"

    @property
    def title(self) -> str:
        """Tours and boards that the sequence counts, with the piece if it is not the knight.

        >>> from knightstour.lab.sequences.table import SEQUENCES
        >>> SEQUENCES["A079312"].title
        '4 times the undirected open tours of 4 x n boards'
        >>> SEQUENCES["A140519"].title
        "undirected closed king's tours of n x n boards"
        """
        factor = f"{self.times} times the " if self.times > 1 else "half of the " if self.parts == 2 else ""
        title, moves = factor + self.kind.of(str(self.family)), getattr(self.family, "moves", "knight")
        return title if moves == "knight" else title.replace(" tours", f" {moves}'s tours", 1)

    @property
    def label(self) -> str:
        """Name: its A-number, or a description of its count if it has none."""
        return self.number or f"the {self.name}"

    @property
    def name(self) -> str:
        """The title with the piece: the knight's tours, or another piece's.

        >>> from knightstour.lab.sequences.table import SEQUENCES
        >>> SEQUENCES["A083386"].name
        "undirected open knight's tours of 5 x n boards"
        """
        board = self.family.board(self.offset)
        piece = board.piece if isinstance(board, GridBoard | CellBoard) else None
        whose = "knight" if is_knights(board) or piece is None else piece.title
        return self.title.replace(" tours", f" {whose}'s tours", 1)

    def board(self, n: int) -> Board:
        """Return the board of a(n); raise ProblemError if n is below the offset.

        >>> from knightstour.lab.sequences.table import SEQUENCES
        >>> SEQUENCES["A175855"].board(4)
        Board(5, 8)
        """
        n = whole_number(n, "n")
        if n < self.offset:
            raise ProblemError(f"{self.label} begins at n = {self.offset}, so there is no a({n})")
        return self.family.board(n)

    def term(self, n: int, settings: CountSettings | None = None) -> int:
        """Count a(n).

        Args:
            n: An index, from the offset on.
            settings: Limits, threads and the callback for progress.

        Raises:
            ProblemError: If n is below the offset.
            LimitReached: If a limit is reached, or the count is infeasible.

        >>> from knightstour.lab.sequences.table import SEQUENCES
        >>> SEQUENCES["A001230"].term(3)
        9862
        """
        return self.count(n, settings or CountSettings()).value

    def count(self, n: int, settings: CountSettings) -> Number:
        """Return a(n) with its algorithm; errors as for `term`."""
        board = self.board(n)
        return self._of_single(board) or self.scale(n, self.kind.count(board, settings))

    def _of_single(self, board: Board) -> Number | None:
        """Return the conventional term of a board of one square."""
        value = int(not self.kind.closed) if self.single is None else self.single
        return Number(value, "convention") if square_count(board) == 1 else None

    def scale(self, n: int, counted: Number) -> Number:
        """Convert a count of the board of a(n) to a(n)."""
        value = divide_exactly(self.times * counted.value, self.parts, f"the count for a({n}) of {self.label}")
        return counted._replace(value=value)

    def published_term(self, n: int) -> int | None:
        """Return the published term for n, or None."""
        n = whole_number(n, "n")
        return self.entry.terms[n - self.offset] if self.offset <= n <= self.last else None

    def index(self, board: Board, requested: CountConditions) -> int | None:
        """Return the n for which a(n) is the requested count of this board, or None."""
        if not self.kind.matches(requested) or (self.times, self.parts) != (1, 1):
            return None
        n = self.family.index(board)
        return n if n is not None and n >= self.offset else None

    def to_dict(self) -> dict[str, object]:
        """Return the row as JSON-serialisable data; terms are text, since they can have any length."""
        return {
            "number": self.number,
            "title": self.title,
            "offset": self.offset,
            "terms": [str(term) for term in self.entry.terms],
            "author": self.entry.author,
            "read": self.entry.read.isoformat(),
            "address": self.address,
            "reach": self.reach,
        }

    def __str__(self) -> str:
        return f"{self.number}: {self.title}" if self.number else self.label


def number_of(name: object) -> str:
    """Return an A-number in its usual form; raise ProblemError if it is invalid.

    >>> number_of("a1230"), number_of("A193055"), number_of(165134)
    ('A001230', 'A193055', 'A165134')
    """
    if isinstance(name, int) and not isinstance(name, bool):
        name = f"A{name}"
    match = re.fullmatch(r"[Aa]?0*(\d{1,7})", name.strip()) if isinstance(name, str) else None
    if match is None:
        raise ProblemError(f"not an A-number: {quoted(name)}", help="write it like A193055")
    return f"A{int(match[1]):06}"


class PublishedEntry(NamedTuple):
    """Data of an OEIS entry. offset: index of the first term. read: date of reading."""

    author: str
    offset: int
    terms: tuple[int, ...]
    read: date


_NEW = PublishedEntry("", 1, (), date.min)


@functools.cache
def published_entries() -> dict[str, PublishedEntry]:
    """Return all entries of published.toml, by A-number.

    >>> published_entries()["A001230"].terms
    (0, 0, 9862, 13267364410532)
    """
    text = resources.files("knightstour.lab.sequences").joinpath("published.toml").read_text(encoding="utf-8")
    entries = tomllib.loads(text)
    read = entries.pop("read")
    return {
        number: PublishedEntry(
            entry["author"], entry["offset"][0], tuple(map(int, entry["terms"].split(","))), entry.get("read", read)
        )
        for number, entry in entries.items()
    }
