"""The table of all sequences, one row each, and the search for sequences that contain a count.

If a count is infeasible, the published terms and the numbers of known.toml are returned with their source. Counts do
not read them.
"""

from __future__ import annotations

import functools
import tomllib
from importlib import resources
from typing import Final, NamedTuple

from knightstour.core.model.board import board_of
from knightstour.core.model.conditions import symmetry_named
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import (
    Problem,
    Question,
    check_supported,
    condition_names,
    problem_of,
    replace_conditions,
)
from knightstour.core.model.validation import flag
from knightstour.lab.counting.ways import split_symmetry
from knightstour.lab.sequences.families import Antidiagonals, CellTriangles, Prefixes, Squares, Strips, Triangle, sides
from knightstour.lab.sequences.kinds import (
    CORNER_COLOUR,
    OTHER_COLOUR,
    SAME_COLUMN,
    AllTours,
    ByEnds,
    CountConditions,
    HalfTurnTours,
    Longest,
    SymmetricClasses,
)
from knightstour.lab.sequences.sequence import Sequence, number_of

_CLOSED, _OPEN = AllTours(closed=True), AllTours(closed=False)
_DIRECTED_CLOSED, _DIRECTED_OPEN = AllTours(closed=True, directed=True), AllTours(closed=False, directed=True)
_CLOSED_CLASSES = AllTours(closed=True, up_to_symmetry=True)
_CYCLES, _PATHS = AllTours(closed=True, partial=True), AllTours(closed=False, partial=True)
_TO_CORNER = AllTours(closed=False, partial=True, has_corners=True)
_OPEN_CLASSES = AllTours(closed=False, up_to_symmetry=True)
_RECURRENCE = "thousands of terms at once, by a recurrence"
_QUOTIENT = "hundreds of terms, a second or less each"
_TABLE = "dozens of terms, some seconds each"

_ROWS = (
    # Closed tours.
    Sequence("A001230", Squares(2), _CLOSED, "8x8 in ten seconds; 10x10 is infeasible"),
    Sequence("A070030", Strips(3, 2), _CLOSED, _RECURRENCE),
    Sequence("A169764", Strips(3), _CLOSED, _RECURRENCE),
    Sequence("A158074", Strips(3, 2), _DIRECTED_CLOSED, _RECURRENCE),
    Sequence("A175855", Strips(5, 2), _CLOSED, "any length, by states: 5x410 in half a minute"),
    Sequence("A175881", Strips(6), _CLOSED, "6x20 in a second, 6x40 in six seconds"),
    Sequence("A193054", Strips(7, 2), _CLOSED, "7x12 in five seconds, 7x30 in a minute and a half"),
    Sequence("A193055", Strips(8), _CLOSED, "8x16 in eight minutes and 9 GB; 8x32 in two hours, by residues"),
    Sequence("A391999", Strips(9, 2), _CLOSED, "9x8 in half an hour; 9x10 needs 67 GB"),
    Sequence("A392000", Antidiagonals(), _CLOSED, "all boards of up to 8 rows"),
    Sequence("A383660", Prefixes(3, 2), _CLOSED, "dozens of terms at once"),
    Sequence("A383661", Prefixes(5, 2), _CLOSED, "dozens of terms, a second each"),
    Sequence("A383662", Prefixes(6, 2), _CLOSED, "dozens of terms, some seconds each"),
    Sequence("A383663", Prefixes(7, 2), _CLOSED, "dozens of terms, a minute each"),
    Sequence("A383664", Prefixes(8, 2), _CLOSED, "up to 8x8 in a minute; longer boards need some GB"),
    Sequence("A234623", Squares(), _CYCLES, "6x6 in a second, 7x7 in half a minute; 8x8 needs 11 GB"),
    Sequence(
        "A157416",
        Squares(),
        Longest("crossings", closed=True),
        "8x8 in some seconds; 10x10 in three minutes and 1.6 GB",
    ),
    Sequence("A165143", Squares(), Longest("chords", closed=True), "6x6 in some seconds; 7x7 is infeasible"),
    # Open tours.
    Sequence("A165134", Squares(), _DIRECTED_OPEN, "8x8 in four minutes and 6 GB; 9x9 is infeasible"),
    Sequence("A308131", Squares(), _OPEN, "8x8 in four minutes and 6 GB; 9x9 is infeasible", single=0),
    Sequence(
        "A289204",
        Squares(),
        _PATHS,
        "6x6 in some seconds, 7x7 in two minutes and 2.5 GB; 8x8 takes two hours and 16 GB",
        single=0,
    ),
    Sequence("A212715", Squares(), _TO_CORNER, "6x6 in some seconds, 7x7 in a minute and 2.5 GB"),
    Sequence("A003192", Squares(), Longest("crossings", closed=False), "8x8 in some seconds, 9x9 in minutes", single=0),
    Sequence("A357500", Squares(), Longest("chords", closed=False, in_squares=True), "5x5 in ten seconds"),
    Sequence("A169696", Strips(3), _OPEN, _RECURRENCE),
    Sequence("A118067", Strips(3), _DIRECTED_OPEN, _RECURRENCE),
    Sequence("A079137", Strips(4), _OPEN, _RECURRENCE),
    Sequence("A123935", Strips(4), _DIRECTED_OPEN, _RECURRENCE),
    Sequence("A123936", Strips(4), _OPEN, _RECURRENCE, parts=2),
    Sequence("A079312", Strips(4), _OPEN, _RECURRENCE, times=4),
    Sequence("A083386", Strips(5), _OPEN, "dozens of terms, some seconds each"),
    Sequence("A306281", Strips(6), _OPEN, "dozens of terms, a minute each"),
    Sequence("A306283", Strips(7), _OPEN, "7x7 in eight seconds; 7x8 and more in minutes, some GB"),
    Sequence("A389760", Strips(8), _OPEN, "8x8 in four minutes and 6 GB; 8x10 needs 32 to 60 GB"),
    Sequence("A391009", Strips(9), _OPEN, "9x7 in minutes; 9x8 needs 20 GB or more, 9x9 is infeasible"),
    Sequence("A390833", Antidiagonals(), _OPEN, "all boards of up to 7 rows, and 8x8", single=0),
    Sequence("A306282", Triangle(), _DIRECTED_OPEN, "all boards of up to 7 rows, and 8x8"),
    Sequence("A389759", Prefixes(3), _OPEN, "dozens of terms at once"),
    Sequence("A389754", Prefixes(4), _OPEN, "dozens of terms, a second each"),
    Sequence("A389755", Prefixes(5), _OPEN, "dozens of terms, some seconds each"),
    Sequence("A389756", Prefixes(6), _OPEN, "dozens of terms, a minute each"),
    Sequence("A389757", Prefixes(7), _OPEN, "up to 7x7 in minutes; longer boards need some GB"),
    Sequence("A389758", Prefixes(8), _OPEN, "up to 8x7 in minutes; longer boards need some GB"),
    # Kings and wazirs.
    Sequence("A140519", Squares(moves="king"), _CLOSED, "9x9 in a second, 12x12 in minutes", single=1),
    Sequence("A140521", Squares(moves="king"), _DIRECTED_CLOSED, "9x9 in a second, 12x12 in minutes", single=1),
    Sequence("A158651", Squares(moves="king"), _DIRECTED_OPEN, "8x8 in seconds, 10x10 in minutes"),
    Sequence("A308129", Squares(moves="king"), _OPEN, "8x8 in seconds, 10x10 in minutes"),
    Sequence("A339200", Strips(3, moves="king"), _CLOSED, "dozens of terms at once"),
    Sequence("A339201", Strips(4, moves="king"), _CLOSED, "dozens of terms at once"),
    Sequence("A339202", Strips(5, moves="king"), _CLOSED, "dozens of terms, a second each"),
    Sequence("A003763", Squares(2, moves="wazir"), _CLOSED, "12x12 in a second, 16x16 in half a minute"),
    Sequence("A006864", Strips(4, moves="wazir"), _CLOSED, "dozens of terms at once"),
    Sequence("A096969", Squares(moves="wazir"), _DIRECTED_OPEN, "12x12 in seconds, 15x15 in minutes"),
    Sequence("A120443", Squares(moves="wazir"), _OPEN, "12x12 in seconds, 15x15 in minutes"),
    Sequence("A112675", CellTriangles(), _DIRECTED_OPEN, "n = 12 in seconds, n = 15 in minutes"),
    Sequence("A112676", CellTriangles(), _CLOSED, "n = 12 in seconds, n = 15 in minutes", single=1),
    Sequence("A266513", CellTriangles(), _CYCLES, "n = 12 in seconds, n = 15 in minutes", single=0),
    Sequence("A174589", CellTriangles(), _DIRECTED_CLOSED, "n = 12 in seconds, n = 15 in minutes", single=1),
    # Symmetric tours, classes, and tours by their ends.
    Sequence("A169765", Strips(3), AllTours(closed=True, symmetry="vertical"), _QUOTIENT),
    Sequence("A169766", Strips(3), HalfTurnTours(is_positive=False), _QUOTIENT),
    Sequence("A169767", Strips(3), HalfTurnTours(is_positive=True), _QUOTIENT),
    Sequence("A169768", Strips(3), SymmetricClasses(closed=True), _QUOTIENT),
    Sequence("A169769", Strips(3), _CLOSED_CLASSES, _QUOTIENT),
    Sequence("A169770", Strips(3), ByEnds(SAME_COLUMN), _TABLE),
    Sequence("A169771", Strips(3), ByEnds(CORNER_COLOUR), _TABLE),
    Sequence("A169772", Strips(3), ByEnds(OTHER_COLOUR), _TABLE),
    Sequence("A169773", Strips(3), ByEnds(SAME_COLUMN, is_symmetric=True), _QUOTIENT),
    Sequence("A169774", Strips(3), ByEnds(CORNER_COLOUR, is_symmetric=True), _QUOTIENT),
    Sequence("A169775", Strips(3), ByEnds(OTHER_COLOUR, is_symmetric=True), _QUOTIENT),
    Sequence("A169776", Strips(3), SymmetricClasses(closed=False), _QUOTIENT),
    Sequence("A169777", Strips(3), _OPEN_CLASSES, _QUOTIENT),
    Sequence("A328340", Strips(4, 2, -1), SymmetricClasses(closed=False), _TABLE),
    Sequence("A328341", Strips(4), _OPEN_CLASSES, _TABLE),
)
SEQUENCES: Final[dict[str, Sequence]] = {row.number: row for row in _ROWS}


def sequence_named(name: Sequence | str | int) -> Sequence:
    """Return the row with an A-number, or the row itself; raise ProblemError if it is unknown.

    >>> sequence_named("a1230").number
    'A001230'
    """
    if isinstance(name, Sequence):
        return name
    number = number_of(name)
    if number not in SEQUENCES:
        raise ProblemError(
            f"unknown sequence {number}",
            help="list the sequences with `knightstour oeis list` or kt.sequences.SEQUENCES",
        )
    return SEQUENCES[number]


def _conditions_of(
    board: Question, closed: bool, directed: bool, symmetry: str | None, up_to_symmetry: bool
) -> tuple[CountConditions, Problem]:
    """Return the conditions, and the problem without its symmetry."""
    flags = flag(directed, "directed"), flag(up_to_symmetry, "up_to_symmetry")
    problem = problem_of(board, closed=closed)
    if (name := symmetry_named(problem.board, symmetry)) is not None:
        if problem.symmetry not in (None, name):
            raise ProblemError("two symmetries are given", help="set the symmetry in the problem or in the sequence")
        problem = replace_conditions(problem, symmetry=name)
    problem, symmetry = split_symmetry(problem, flags[1])
    check_supported(problem, "the table of sequences")
    return CountConditions(problem.closed, flags[0], symmetry, flags[1]), problem


class Place(NamedTuple):
    """A term of a sequence. value: the published value, or None beyond the published terms."""

    sequence: Sequence
    n: int
    value: int | None

    def to_dict(self) -> dict[str, object]:
        """Return the place as JSON-serialisable data."""
        value = None if self.value is None else str(self.value)
        return {"number": self.sequence.number, "title": self.sequence.title, "n": self.n, "value": value}


def find(
    board: Question,
    *,
    closed: bool = False,
    directed: bool = False,
    symmetry: str | None = None,
    up_to_symmetry: bool = False,
) -> list[Place]:
    """Return the sequences that contain a count as a term, with its index; nothing is counted.

    The arguments are as for count. Raises BoardError and ProblemError if they are invalid.

    >>> [(place.sequence.number, place.n, place.value) for place in find("8x8", closed=True)][:2]
    [('A001230', 4, 13267364410532), ('A193055', 8, 13267364410532)]
    """
    conditions, problem = _conditions_of(board, closed, directed, symmetry, up_to_symmetry)
    if (problem.start, problem.end) != (None, None):
        raise ProblemError("sequences do not support given ends", help="omit start and end")
    places = ((row, row.index(problem.board, conditions)) for row in SEQUENCES.values())
    return [Place(row, n, row.published_term(n)) for row, n in places if n is not None]


class KnownCount(NamedTuple):
    """A published number of tours. reason: a note for the result. source: its reference."""

    tours: int
    reason: str
    source: str


def known_number(
    problem: Problem, *, directed: bool = False, symmetry: str | None = None, up_to_symmetry: bool = False
) -> KnownCount | None:
    """Return the number of tours of a problem if it is published; None otherwise, and for ends or conditions.

    directed, symmetry, up_to_symmetry: as for count.

    >>> known_number(Problem((9, 8), closed=True)).source
    'OEIS A193055, a(9)'
    >>> known_number(Problem((10, 9), closed=True)).tours
    19381952998732022416892
    >>> known_number(Problem((10, 10), closed=True)) is None
    True
    """
    if (problem.start, problem.end) != (None, None) or condition_names(problem) or problem.partial:
        return None
    for place in find(problem, directed=directed, symmetry=symmetry, up_to_symmetry=up_to_symmetry):
        if place.value is not None:
            source = f"OEIS {place.sequence.number}, a({place.n})"
            return KnownCount(place.value, "this number is published, and was not counted here", source)
    if directed:
        # Each tour and its reversal count as two.
        one_way = known_number(problem, symmetry=symmetry, up_to_symmetry=up_to_symmetry)
        return None if one_way is None else one_way._replace(tours=2 * one_way.tours)
    if symmetry is not None or up_to_symmetry or not is_rectangle(problem.board):
        return None
    return _known_counts().get((sides(problem.board), problem.closed))


@functools.cache
def _known_counts() -> dict[tuple[tuple[int, int], bool], KnownCount]:
    """Return the numbers of known.toml, by sides and whether tours are closed."""
    text = resources.files("knightstour.lab.sequences").joinpath("known.toml").read_text(encoding="utf-8")
    return {
        (sides(board_of(row["board"])), row["closed"]): KnownCount(int(row["tours"]), row["how"], row["source"])
        for row in tomllib.loads(text)["number"]
    }
