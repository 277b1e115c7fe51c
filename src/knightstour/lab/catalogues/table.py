"""CATALOGUES: the lists of tours in the package, one row each. `catalogue` reads a list.

scripts/make_catalogues.py writes their files. Each line is a tour with six fields, separated by tabs: its number, a
name or "-", the board, facts such as `turns=32`, the squares in order, and the source, or "-" for the source of the
list.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import resources
from typing import NamedTuple

from knightstour.core.model.board import Board, board_of
from knightstour.core.model.errors import FormatError, KnightsTourError, ProblemError
from knightstour.core.model.names import parse_square
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import did_you_mean, one_of, quoted
from knightstour.core.statistics.measure import measure
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.certify import tour_certificate

_SQUARE = re.compile(r"[a-z]+\d+")


class CatalogueRow(NamedTuple):
    """A row of CATALOGUES.

    Attributes:
        length: Number of tours.
        boards: Boards of the tours.
        summary: Contents.
        complete: The set of tours that the list contains completely, or "".
        source: Reference for the completeness, or "" if each entry has a source.
    """

    name: str
    length: int
    boards: tuple[str, ...]
    summary: str
    complete: str
    source: str


@dataclass(frozen=True)
class Entry:
    """A tour of a catalogue.

    Attributes:
        number: Index, from 1.
        name: A name such as "euler", or "".
        facts: Checked values of statistics; "closed" is 1 if the tour counts as closed.
        given: Clues of a puzzle with this tour as its only solution.
        source: Source of the tour, or "" for the source of the catalogue.
    """

    number: int
    name: str
    tour: Tour
    facts: Mapping[str, int]
    given: Mapping[str, int]
    source: str

    @property
    def certificate(self) -> Certificate:
        """Certificate of the tour."""
        return tour_certificate(Problem(self.tour.board, closed=bool(self.facts["closed"])), self.tour)


@dataclass(frozen=True)
class Catalogue:
    """Tours with numbers and sometimes names.

    Attributes:
        row: Contents, completeness and source.
        entries: Tours in the order of their numbers.

    >>> from knightstour.examples import catalogue
    >>> magic = catalogue("magic-8x8")
    >>> len(magic.entries), magic.entry(1).facts["magic-rows"]
    (105, 8)
    """

    row: CatalogueRow
    entries: tuple[Entry, ...]

    @property
    def tours(self) -> tuple[Tour, ...]:
        """Tours without the other fields of the entries."""
        return tuple(entry.tour for entry in self.entries)

    def entry(self, key: int | str) -> Entry:
        """Return the entry with a number or a name.

        Raises:
            ProblemError: If there is no such entry.

        >>> from knightstour.examples import catalogue
        >>> catalogue("historical-8x8").entry("euler").number
        1
        """
        for entry in self.entries:
            if key in (entry.number, entry.name) and key != "":
                return entry
        names = [entry.name for entry in self.entries if entry.name]
        help = f"numbers from 1 to {len(self.entries)}" + (f", or {', '.join(names)}" if names else "")
        raise ProblemError(f"{self.row.name} has no entry {quoted(key)}{did_you_mean(key, names)}", help=help)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)


@functools.cache
def read_catalogue(row: CatalogueRow) -> Catalogue:
    """Read a catalogue, and check the moves, squares and facts of each entry.

    Raises:
        FormatError: If an entry is damaged.
    """
    entries = parse_entries(row.name, _text_of(row))
    if len(entries) != row.length:
        raise _damaged_error(row.name, min(len(entries), row.length) + 1, f"there are {len(entries)} of {row.length}")
    return Catalogue(row, entries)


def _text_of(row: CatalogueRow) -> str:
    return resources.files(__package__).joinpath("data", f"{row.name}.txt").read_text(encoding="utf-8")


def entry_names() -> dict[str, str]:
    """Return the names of all entries, each with its catalogue.

    >>> entry_names()["euler"]
    'historical-8x8'
    """
    names = {line.split("\t")[1]: row.name for row in CATALOGUES.values() for line in _text_of(row).splitlines()}
    return {name: table for name, table in names.items() if name != "-"}


def parse_entries(name: str, text: str) -> tuple[Entry, ...]:
    """Parse and check the text of a catalogue."""
    entries = []
    for number, line in enumerate(text.splitlines(), 1):
        try:
            entries.append(_parse_entry(number, line))
        except (KnightsTourError, ValueError, KeyError) as error:
            raise _damaged_error(name, number, str(error)) from error
    _check_facts(name, entries)
    return tuple(entries)


def _parse_entry(number: int, line: str) -> Entry:
    place, name, size, facts, squares, source = line.split("\t")
    if place != str(number):
        raise ValueError(f"its number is {quoted(place)}")
    if "".join(names := _SQUARE.findall(squares)) != squares:
        raise ValueError("its squares cannot be read")
    whole = board_of(size)
    visited = [parse_square(square, whole.rows) for square in names]
    unvisited = [square for square in whole.squares if square not in set(visited)]
    tour = Tour(Board(whole.rows, whole.cols, holes=unvisited) if unvisited else whole, visited)
    values = dict(fact.split("=") for fact in facts.split(";"))
    words = [word.split(":") for word in values.pop("given", "").split(",") if word]
    given = {square: int(step) for square, step in words}
    numbers = {whole.square_name(square): step for step, square in enumerate(visited, 1)}
    wrong = [square for square, step in given.items() if numbers.get(square) != step]
    if wrong:
        raise ValueError(f"its number at {wrong[0]} is {numbers.get(wrong[0])}")
    if unvisited and "visits" not in values:
        raise ValueError(f"its tour leaves {len(unvisited)} squares")
    if values["closed"] == "1" and not tour.is_closed:
        raise ValueError("its tour is open")
    counts = {key if key == "closed" else statistic_named(key).name: int(value) for key, value in values.items()}
    return Entry(number, name.removeprefix("-"), tour, counts, given, source.removeprefix("-"))


def _check_facts(name: str, entries: list[Entry]) -> None:
    """Measure every claimed statistic, together for entries with the same board and facts."""
    alike: dict[tuple[Board, bool, tuple[str, ...]], list[Entry]] = defaultdict(list)
    for entry in entries:
        facts = tuple(sorted(entry.facts.keys() - {"closed"}))
        alike[entry.tour.board, bool(entry.facts["closed"]), facts].append(entry)
    for (_, closed, facts), same in alike.items():
        measured = measure([entry.tour for entry in same], facts, closed=closed) if facts else {}
        for fact, values in measured.items():
            for entry, value in zip(same, values.tolist(), strict=True):
                if value != entry.facts[fact]:
                    raise _damaged_error(name, entry.number, f"{fact} is {value}, not {entry.facts[fact]}")


def _damaged_error(name: str, number: int, why: str) -> FormatError:
    return FormatError(f"entry {number} of the catalogue {name} is damaged: {why}", help="install knightstour again")


CATALOGUES: dict[str, CatalogueRow] = {
    row.name: row
    for row in (
        CatalogueRow(
            "magic-8x8",
            105,
            ("8x8",),
            "magic tours of the chessboard",
            "all tours of regular quartes, which have four numbers in each block of 4x4 squares: 105 of the 140 classes"
            " (a class contains the images and the reversals of a tour)",
            "the method quartes; the number 140: Stertenbrink, Meyrignac and Mackay, 2003",
        ),
        CatalogueRow(
            "closed-6x6",
            1245,
            ("6x6",),
            "closed tours of 6x6, one of each class",
            "all 1,245 classes of the 9,862 closed tours",
            "count 6x6 --closed --up-to-symmetry; the number also by G. P. Jelliss",
        ),
        CatalogueRow(
            "extremes-6x6",
            58,
            ("6x6",),
            "closed tours of 6x6 with the smallest and the largest value of each statistic",
            "every statistic of closed tours, over all 9,862 tours",
            "enumerate 6x6 --closed, with all statistics measured",
        ),
        CatalogueRow(
            "uncrossed",
            11,
            ("3x3", "4x4", "5x5", "6x6", "7x7", "8x8"),
            "longest paths and cycles that do not cross themselves, on square boards",
            "a path and a cycle of each greatest length in the OEIS, on these boards",
            "lengths: OEIS A003192 (paths), A157416 (cycles); found by a SAT solver",
        ),
        CatalogueRow(
            "fewest-givens",
            3,
            ("6x6", "8x8"),
            "puzzles with one solution and the fewest known clues",
            "one puzzle per board; for 5x5, 5x6 and 6x6 it is proved that fewer clues are not enough (see the page on"
            " puzzles)",
            "scripts/fewest_givens.py",
        ),
        CatalogueRow(
            "historical-8x8",
            7,
            ("8x8",),
            "historical tours of the chessboard",
            "",
            "",
        ),
    )
}


def catalogues_of(board: Board) -> list[str]:
    """Return the names of the catalogues with tours of a board.

    >>> catalogues_of(Board(6, 6))
    ['closed-6x6', 'extremes-6x6', 'uncrossed', 'fewest-givens']
    """
    return [row.name for row in CATALOGUES.values() if any(board_of(size) == board for size in row.boards)]


def catalogue(name: str) -> Catalogue:
    """Return a catalogue of tours, each checked while it is read.

    Args:
        name: The name of a row of CATALOGUES.

    Raises:
        ProblemError: If the name is unknown.
        FormatError: If an entry is damaged.

    >>> catalogue("closed-6x6").row.complete
    'all 1,245 classes of the 9,862 closed tours'
    """
    return read_catalogue(CATALOGUES[one_of(name, CATALOGUES, "catalogue")])
