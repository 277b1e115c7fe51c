"""Write docs/tables/: counts of tours that are in no entry of the OEIS, each number counted in two ways.

    python scripts/make_tables.py        about two minutes
    python scripts/make_tables.py leapers.md      these files alone

The ways share nothing but the board (docs/counting.md). A table ends where the second way gets too long, and a number
on which the ways differ ends the script.
"""

import itertools
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.sequences.check import Term, count_terms
from knightstour.lab.sequences.families import Grown
from knightstour.lab.sequences.kinds import AllTours, Kind, SymmetricClasses
from knightstour.lab.sequences.sequence import Sequence
from knightstour.lab.sequences.written import by_how, data_line, offset_of, runs

HERE = Path(__file__).parents[1] / "docs" / "tables"
WIDTH = 118
# As many states as a first count may make, for each unit of effort.
MAX_STATES = 2_000_000


class Table(NamedTuple):
    """One sequence: of boards that grow, from n = 1 to `last`. effort: of the second counts."""

    family: Grown
    kind: Kind
    last: int = 8
    effort: int = 1

    @property
    def sequence(self) -> Sequence:
        """The row."""
        return Sequence("", self.family, self.kind, "")

    @property
    def heading(self) -> str:
        """What is counted."""
        name = self.sequence.name.removeprefix("undirected ")
        return f"{name[0].upper()}{name[1:]}"


def terms_of(table: Table) -> Iterator[Term]:
    """The terms that two ways agree on, from the first on."""
    settings = CountSettings(Limits(nodes=table.effort * MAX_STATES))
    terms = count_terms(table.sequence, range(1, table.last + 1), settings, again=table.effort)
    return itertools.takewhile(lambda term: term.again, terms)


def lines_of(table: Table) -> Iterator[str]:
    """A table as Markdown: its title, the data line, the offset, and which ways agreed."""
    terms = list(terms_of(table))
    yield f"## {table.heading}"
    yield ""
    yield "```"
    yield from textwrap.wrap(f"DATA    {data_line(terms)}", WIDTH, subsequent_indent=" " * 8, break_long_words=False)
    yield f"OFFSET  {offset_of(terms)}"
    yield "```"
    yield ""
    yield from (f"- {how}: n = {runs(numbers)}" for how, numbers in by_how(terms).items())
    yield ""


def _both(family: Grown, last: int = 8) -> list[Table]:
    return [Table(family, AllTours(closed), last) for closed in (True, False)]


def _wrapped(wrap: str) -> list[Table]:
    strips = [Grown(Board(rows, 8, wrap=wrap)) for rows in (2, 3, 4, 5)]
    return [table for family in (*strips, Grown(Board(8, 8, wrap=wrap), "squares")) for table in _both(family)]


def _around(leaper: tuple[int, int]) -> list[Table]:
    """Tours of a leaper on wrapped boards of some numbers of rows."""
    boards = [*(Board(rows, 10, leaper=leaper, wrap="torus") for rows in (2, 3, 4))]
    boards.append(Board(5, 10, leaper=leaper, wrap="cylinder"))
    return [table for board in boards for table in _both(Grown(board), 10)]


def _classes(rows: int, closed: bool, last: int, step: int = 1) -> list[Table]:
    family = Grown(Board(rows, 8), step=step)
    return [
        Table(family, AllTours(closed, up_to_symmetry=True), effort=40),
        Table(family, SymmetricClasses(closed), last, effort=10),
    ]


def _turned(rows: int, closed: bool, last: int, step: int = 1) -> Table:
    return Table(Grown(Board(rows, 8), step=step), AllTours(closed, symmetry="180"), last, effort=10)


_ZEBRA, _GIRAFFE = (2, 3), (1, 4)
TABLES: dict[str, tuple[str, list[Table]]] = {
    "tori.md": ("Tours of tori", _wrapped("torus")),
    "cylinders.md": ("Tours of cylinders", _wrapped("cylinder")),
    "symmetric.md": (
        "Symmetric tours",
        [_turned(5, True, 6, 2), _turned(6, True, 8), _turned(7, True, 4, 2), _turned(5, False, 7)],
    ),
    "classes.md": (
        "Classes of tours",
        [
            *_classes(5, True, 6, 2),
            *_classes(6, True, 8),
            _classes(7, True, 3, 2)[1],
            *_classes(5, False, 8),
            _classes(6, False, 8)[0],
        ],
    ),
    "leapers.md": (
        "Tours of the zebra, a (2, 3) leaper, and the giraffe, a (1, 4) leaper",
        [
            Table(Grown(Board(5, 8, leaper=_ZEBRA), step=2), AllTours(closed=True), 12, effort=10),
            Table(Grown(Board(5, 8, leaper=_GIRAFFE), step=2), AllTours(closed=True), 14, effort=10),
            *_around(_ZEBRA),
            *_around(_GIRAFFE),
        ],
    ),
}
HEAD = """# {title}

Tours are undirected; open ones are Hamiltonian paths, those whose ends are a move apart included. A move that leads to
the same square in two ways is one move, as on small wrapped boards. A survey of the OEIS in November 2026 found none of
these sequences there. Each number was counted in two [ways](../counting.md#the-ways-of-counting), which share nothing
but the board; classes, which count tours that are images of each other once, take two of them each: one for all tours,
one for those with each symmetry. A sequence ends where the second way takes too long.

[scripts/make_tables.py](../../scripts/make_tables.py) writes this page.

"""


def main() -> None:
    """Write all files, or those named."""
    HERE.mkdir(exist_ok=True)
    for name in sys.argv[1:] or TABLES:
        title, tables = TABLES[name]
        text = HEAD.format(title=title) + "\n".join("\n".join(lines_of(table)) for table in tables)
        (HERE / name).write_text(text.rstrip() + "\n", encoding="utf-8")
        print(f"written: {name}")


if __name__ == "__main__":
    main()
