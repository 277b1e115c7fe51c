"""Write docs/tables/: counts of tours that are in no entry of the OEIS, each number counted by two routes.

    python scripts/make_tables.py        about two minutes

The routes share nothing but the board. "states" goes through the squares one by one and keeps every state of the
frontier; "halves" cuts the board in two and joins the halves; "quotient" counts symmetric tours on the board folded by
its symmetry; "listing" is a search that finds the tours one after the other. A table ends where the second route gets
too long, and a number on which the routes differ ends the script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from knightstour.counting.count import count
from knightstour.counting.means import Means
from knightstour.methods.enumeration import iter_tours
from knightstour.model.board import Board
from knightstour.model.budget import Limits
from knightstour.model.errors import BoardError, LimitReached
from knightstour.model.problem import Problem

HERE = Path(__file__).parents[1] / "docs" / "tables"
# As many states as a route may make, and squares that a listing may try.
MOST_STATES = {"states": 250_000, "halves": 2_000_000, "quotient": 1_000_000}
MOST_NODES = 1_000_000
# Squares of boards of which all tours are listed.
MOST_LISTED = 12
WIDTH = 118


class Table(NamedTuple):
    """One sequence. title: what is counted. board: that of n. closed, symmetry: which tours. first: the first n.

    routes: the two to try, the second of them on boards too large for the first one; `listing` takes the place of one
    that does not suit the board.
    """

    title: str
    board: Callable[[int], Board]
    closed: bool
    first: int = 1
    last: int = 8
    symmetry: str | None = None

    @property
    def routes(self) -> tuple[str, ...]:
        """The routes by which it can be counted."""
        return ("quotient", "listing") if self.symmetry else ("states", "halves", "listing")


class Term(NamedTuple):
    """a(n), and the two routes by which it was counted."""

    n: int
    value: int
    routes: tuple[str, ...]


def counted(table: Table, n: int, route: str) -> int | None:
    """The number by one route; None where that takes too long, or does not suit the board."""
    problem = Problem.of(table.board(n), closed=table.closed)
    if route == "listing":
        if table.symmetry is None and problem.board.square_count > MOST_LISTED:
            return None
        limits = Limits(nodes=MOST_NODES)
        try:
            return sum(
                1 for _ in iter_tours(problem.board, closed=table.closed, symmetry=table.symmetry, limits=limits)
            )
        except LimitReached:
            return None
    try:
        means = Means(Limits(nodes=MOST_STATES[route]))
        return count(problem, symmetry=table.symmetry, route=None if table.symmetry else route, means=means).tours
    except (LimitReached, BoardError):
        return None


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
}
HEAD = """# {title}

Tours are undirected; open ones are Hamiltonian paths, those whose ends are a move apart included. A move that leads to
the same square in two ways is one move, as on small wrapped boards. A survey of the OEIS in November 2026 found none of
these sequences there. Each number was counted by two of these routes, which share nothing but the board: *states*,
square by square along a frontier; *halves*, two halves joined over the middle; *quotient*, on the board folded by the
symmetry; *listing*, a search that finds every tour. A sequence ends where the second route takes too long.

[scripts/make_tables.py](../../scripts/make_tables.py) writes this page.

"""


def main() -> None:
    """Write all files."""
    HERE.mkdir(exist_ok=True)
    for name, (title, tables) in TABLES.items():
        text = HEAD.format(title=title) + "\n".join("\n".join(lines_of(table)) for table in tables)
        (HERE / name).write_text(text.rstrip() + "\n", encoding="utf-8")
        print(f"written: {name}")


if __name__ == "__main__":
    main()
