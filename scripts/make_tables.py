"""Write docs/tables/: counts of tours that are in no entry of the OEIS, each number counted by two routes.

    python scripts/make_tables.py        about six minutes
    python scripts/make_tables.py leapers.md      these files alone

The routes share nothing but the board. "states" goes through the squares one by one and keeps every state of the
frontier; "halves" cuts the board in two and joins the halves; "quotient" counts symmetric tours on the board folded by
its symmetry; "listing" is a search that finds the tours one after the other. Classes of all tours take two of them: one
for all tours, and one for the tours with each symmetry (Burnside). A table ends where the second route gets too long,
and a number on which the routes differ ends the script.
"""

from __future__ import annotations

import functools
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from knightstour.core.methods.enumeration import iter_tours
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import BoardError, LimitReached
from knightstour.core.model.problem import Problem
from knightstour.core.model.symmetry import symmetries
from knightstour.core.model.tour import Tour
from knightstour.lab.counting.by_symmetry import count_table
from knightstour.lab.counting.count import count
from knightstour.lab.counting.settings import CountSettings

HERE = Path(__file__).parents[1] / "docs" / "tables"
# As many states as a route may make, and squares that a listing may try.
MAX_STATES = {"states": 250_000, "halves": 2_000_000, "quotient": 1_000_000}
MAX_NODES = 1_000_000
# Squares of boards of which all tours are listed.
MAX_LISTED = 12
WIDTH = 118
# The routes of classes of all tours.
BY_HALVES, BY_STATES = "halves and quotient", "states and listing"


class Table(NamedTuple):
    """One sequence. title: what is counted. board: that of n. closed, symmetry: which tours. first: the first n.

    classes: tours that are images of each other count once. With it a symmetry of "any" is that of tours that have one.
    effort: how many times as many states a route may make.
    routes: the two to try, the second of them on boards too large for the first one; `listing` takes the place of one
    that does not suit the board.
    """

    title: str
    board: Callable[[int], Board]
    closed: bool
    first: int = 1
    last: int = 8
    symmetry: str | None = None
    classes: bool = False
    effort: int = 1

    @property
    def routes(self) -> tuple[str, ...]:
        """The routes by which it can be counted."""
        if self.classes and self.symmetry is None:
            return BY_HALVES, BY_STATES, "listing"
        return ("quotient", "listing") if self.symmetry else ("states", "halves", "listing")


class Term(NamedTuple):
    """a(n), and the two routes by which it was counted."""

    n: int
    value: int
    routes: tuple[str, ...]


def counted(table: Table, n: int, route: str) -> int | None:
    """The number by one route; None where that takes too long, or does not suit the board."""
    try:
        if table.classes:
            return counted_classes(table, n, route)
        return counted_tours(table, n, route)
    except (LimitReached, BoardError):
        return None


def counted_tours(table: Table, n: int, route: str) -> int | None:
    """The number of tours."""
    problem = Problem.of(table.board(n), closed=table.closed)
    if route == "listing":
        if table.symmetry is None and problem.board.square_count > MAX_LISTED:
            return None
        return len(listed(problem.board, table.closed, table.symmetry))
    settings = settings_of(table, route)._replace(way=None if table.symmetry else route)
    return count(problem, symmetry=table.symmetry, settings=settings).tours


def counted_classes(table: Table, n: int, route: str) -> int | None:
    """The number of classes of all tours, or of those that have a symmetry."""
    problem = Problem.of(table.board(n), closed=table.closed)
    board = problem.board
    images = [symmetry.name for symmetry in symmetries(board) if symmetry.name != "identity"]
    if route == "listing":
        if table.symmetry is None and board.square_count > MAX_LISTED:
            return None
        names = [None] if table.symmetry is None else images
        tours = itertools.chain.from_iterable(listed(board, table.closed, name) for name in names)
        return len({tour.canonical(closed=table.closed) for tour in tours})
    if route == "quotient":
        rows = count_table(problem, limits=Limits(nodes=MAX_STATES["halves"]))
        return sum(row.classes for row in rows if row.symmetry != "none")
    if route == BY_HALVES:
        return count(problem, up_to_symmetry=True, settings=settings_of(table, "halves")._replace(way="halves")).tours
    total = count(problem, settings=settings_of(table, "states")._replace(way="states")).tours
    fixed = sum(len(listed(board, table.closed, image)) for image in images)
    classes, rest = divmod(total + fixed, len(images) + 1)
    if rest:
        raise AssertionError(f"{table.title}, n = {n}: {total} tours and {fixed} images are no whole number of classes")
    return classes


def settings_of(table: Table, route: str) -> CountSettings:
    """How much a route may do."""
    return CountSettings(Limits(nodes=table.effort * MAX_STATES[route]))


@functools.lru_cache(maxsize=64)
def listed(board: Board, closed: bool, symmetry: str | None) -> tuple[Tour, ...]:
    """All tours, or those with a symmetry, found one after the other; LimitReached where they are too many."""
    return tuple(iter_tours(board, closed=closed, symmetry=symmetry, limits=Limits(nodes=MAX_NODES)))


def terms_of(table: Table) -> Iterator[Term]:
    """The terms for which two routes agree, from the first on."""
    for n in range(table.first, table.last + 1):
        found: dict[str, int] = {}
        for route in table.routes:
            value = counted(table, n, route)
            if value is not None:
                found[route] = value
            if len(found) == 2:
                break
        if len(set(found.values())) > 1:
            raise AssertionError(f"{table.title}, n = {n}: the routes differ: {found}")
        if len(found) < 2:
            return
        yield Term(n, next(iter(found.values())), tuple(found))


def lines_of(table: Table) -> Iterator[str]:
    """A table as Markdown: its title, the data line, the offset, and which routes agreed."""
    terms = list(terms_of(table))
    place = next((k for k, term in enumerate(terms, 1) if term.value > 1), 1)
    yield f"## {table.title}"
    yield ""
    yield "```"
    line = "DATA    "
    for k, term in enumerate(terms):
        word = f"{term.value}{', ' if k + 1 < len(terms) else ''}"
        if len(line) + len(word.rstrip()) > WIDTH:
            yield line.rstrip()
            line = " " * 8
        line += word
    yield line
    yield f"OFFSET  {table.first},{place}"
    yield "```"
    yield ""
    for routes in dict.fromkeys(term.routes for term in terms):
        numbers = ", ".join(str(term.n) for term in terms if term.routes == routes)
        yield f"- by {' and by '.join(routes)}: n = {numbers}"
    yield ""


def strips(rows: int, wrap: str, step: int = 1) -> Callable[[int], Board]:
    """The boards of some rows and step n columns."""
    return lambda n: Board(rows, step * n, wrap=wrap)


def plain(rows: int, step: int = 1) -> Callable[[int], Board]:
    """The plain boards of some rows and step n columns."""
    return lambda n: Board(rows, step * n)


def _wrapped(wrap: str, what: str) -> list[Table]:
    found = [
        Table(f"{kind} tours of the {rows} x n {what}", strips(rows, wrap), closed=kind == "Closed")
        for rows in (2, 3, 4, 5)
        for kind in ("Closed", "Open")
    ]
    return [
        *found,
        Table(f"Closed tours of the n x n {what}", lambda n: Board(n, n, wrap=wrap), closed=True),
        Table(f"Open tours of the n x n {what}", lambda n: Board(n, n, wrap=wrap), closed=False),
    ]


def _classes(board: str, squares: Callable[[int], Board], closed: bool) -> Table:
    kind = "closed" if closed else "open"
    return Table(f"Classes of {kind} tours of the {board} board", squares, closed, classes=True, effort=40)


def _symmetric_classes(board: str, squares: Callable[[int], Board], closed: bool, last: int) -> Table:
    title = f"Classes of {'closed' if closed else 'open'} tours with a symmetry of the {board} board"
    return Table(title, squares, closed, symmetry="any", classes=True, last=last)


def leaping(leaper: tuple[int, int], rows: int, step: int = 1, wrap: str | None = None) -> Callable[[int], Board]:
    """The boards of some rows and step n columns for a leaper."""
    return lambda n: Board(rows, step * n, leaper=leaper, wrap=wrap)


def _around(name: str, leaper: tuple[int, int], wrap: str, what: str, rows: tuple[int, ...]) -> list[Table]:
    """Tours of a leaper on wrapped boards of some numbers of rows."""
    return [
        Table(f"{kind} {name}'s tours of the {r} x n {what}", leaping(leaper, r, wrap=wrap), kind == "Closed", last=10)
        for r in rows
        for kind in ("Closed", "Open")
    ]


_ZEBRA, _GIRAFFE = (2, 3), (1, 4)
TABLES: dict[str, tuple[str, list[Table]]] = {
    "tori.md": ("Tours of tori", _wrapped("torus", "torus")),
    "cylinders.md": ("Tours of cylinders", _wrapped("cylinder", "cylinder, n squares around")),
    "symmetric.md": (
        "Symmetric tours",
        [
            Table("Closed tours of the 5 x 2n board with symmetry 180", plain(5, 2), True, symmetry="180", last=6),
            Table("Closed tours of the 6 x n board with symmetry 180", plain(6), True, symmetry="180", last=8),
            Table("Closed tours of the 7 x 2n board with symmetry 180", plain(7, 2), True, symmetry="180", last=4),
            Table("Open tours of the 5 x n board with symmetry 180", plain(5), False, symmetry="180", last=7),
        ],
    ),
    "classes.md": (
        "Classes of tours",
        [
            _classes("5 x 2n", plain(5, 2), True),
            _symmetric_classes("5 x 2n", plain(5, 2), True, 6),
            _classes("6 x n", plain(6), True),
            _symmetric_classes("6 x n", plain(6), True, 8),
            _symmetric_classes("7 x 2n", plain(7, 2), True, 3),
            _classes("5 x n", plain(5), False),
            _symmetric_classes("5 x n", plain(5), False, 8),
            _classes("6 x n", plain(6), False),
        ],
    ),
    "leapers.md": (
        "Tours of the zebra, a (2, 3) leaper, and the giraffe, a (1, 4) leaper",
        [
            Table("Closed zebra's tours of the 5 x 2n board", leaping(_ZEBRA, 5, 2), True, last=12, effort=10),
            Table("Closed giraffe's tours of the 5 x 2n board", leaping(_GIRAFFE, 5, 2), True, last=14, effort=10),
            *_around("zebra", _ZEBRA, "torus", "torus", (2, 3, 4)),
            *_around("zebra", _ZEBRA, "cylinder", "cylinder, n squares around", (5,)),
            *_around("giraffe", _GIRAFFE, "torus", "torus", (2, 3, 4)),
            *_around("giraffe", _GIRAFFE, "cylinder", "cylinder, n squares around", (5,)),
        ],
    ),
}
HEAD = """# {title}

Tours are undirected; open ones are Hamiltonian paths, those whose ends are a move apart included. A move that leads to
the same square in two ways is one move, as on small wrapped boards. A survey of the OEIS in November 2026 found none of
these sequences there. Each number was counted by two of these routes, which share nothing but the board: *states*,
square by square along a frontier; *halves*, two halves joined over the middle; *quotient*, on the board folded by the
symmetry; *listing*, a search that finds every tour. Classes, which count tours that are images of each other once, take
two of them each: one for all tours, one for those with each symmetry. A sequence ends where the second route takes too
long.

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
