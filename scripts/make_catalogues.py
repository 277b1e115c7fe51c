"""Write the catalogues of tours: python scripts/make_catalogues.py (one minute)

Lists are computed by the library. Single tours are below: historical tours as printed in their sources, uncrossed tours
found by a SAT solver, and the puzzles of scripts/fewest_givens.py.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

import fewest_givens
import knightstour as kt
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.result_errors import LimitReached

DATA = Path(__file__).parent.parent / "src/knightstour/lab/catalogues/data"

_BALL = "W. W. Rouse Ball, Mathematical Recreations and Essays, 4th edition (gutenberg.org/ebooks/26839)"
# Name, source, and the numbers of the squares in rows from the top.
HISTORICAL = (
    (
        "euler",
        "OEIS A226697, after M. Gardner, Mathematical Magic Show: attributed to L. Euler, 1759",
        """37 62 43 56 35 60 41 50 44 55 36 61 42 49 34 59 63 38 53 46 57 40 51 48 54 45 64 39 52 47 58 33
        1 26 15 20 7 32 13 22 16 19 8 25 14 21 6 31 27 2 17 10 29 4 23 12 18 9 28 3 24 11 30 5""",
    ),
    (
        "beverley",
        "printed as Euler's at johndcook.com/blog/magic_knight; the first magic tour is W. Beverley's, of 1847, and"
        " Euler made none (G. P. Jelliss, mayhematics.com/t/1d.htm)",
        """1 48 31 50 33 16 63 18 30 51 46 3 62 19 14 35 47 2 49 32 15 34 17 64 52 29 4 45 20 61 36 13
        5 44 25 56 9 40 21 60 28 53 8 41 24 57 12 37 43 6 55 26 39 10 59 22 54 27 42 7 58 23 38 11""",
    ),
    (
        "wenzelides",
        "its first row as in nhftb.org/book/16757, chapter 14; the rest is the one magic tour of the catalogue that has"
        " that row",
        """47 10 23 64 49 2 59 6 22 63 48 9 60 5 50 3 11 46 61 24 1 52 7 58 62 21 12 45 8 57 4 51
        19 36 25 40 13 44 53 30 26 39 20 33 56 29 14 43 35 18 37 28 41 16 31 54 38 27 34 17 32 55 42 15""",
    ),
    (
        "dudeney",
        "H. E. Dudeney, Amusements in Mathematics: the magic knight's tour; diagonals of 264 and 256",
        """46 55 44 19 58 9 22 7 43 18 47 56 21 6 59 10 54 45 20 41 12 57 8 23 17 42 53 48 5 24 11 60
        52 3 32 13 40 61 34 25 31 16 49 4 33 28 37 62 2 51 14 29 64 39 26 35 15 30 1 50 27 36 63 38""",
    ),
    (
        "vandermonde",
        f"A. T. Vandermonde, 1771, as fractions x/y, here column and row; so {_BALL}",
        """26 29 24 47 18 53 58 55 23 46 27 30 59 56 17 52 28 25 48 21 50 19 54 57 45 22 31 4 1 60 51 16
        32 3 44 49 20 15 6 61 41 38 35 2 5 64 9 12 36 33 40 43 14 11 62 7 39 42 37 34 63 8 13 10""",
    ),
    (
        "de-moivre",
        f"A. de Moivre, end of the 17th century; so {_BALL}",
        """34 49 22 11 36 39 24 1 21 10 35 50 23 12 37 40 48 33 62 57 38 25 2 13 9 20 51 54 63 60 41 26
        32 47 58 61 56 53 14 3 19 8 55 52 59 64 27 42 46 31 6 17 44 29 4 15 7 18 45 30 5 16 43 28""",
    ),
    (
        "roget",
        f"by P. M. Roget's method of 1840; so {_BALL}",
        """34 51 32 15 38 53 18 3 31 14 35 52 17 2 39 54 50 33 16 29 56 37 4 19 13 30 49 36 1 20 55 40
        48 63 28 9 44 57 22 5 27 12 45 64 21 8 41 58 62 47 10 25 60 43 6 23 11 26 61 46 7 24 59 42""",
    ),
)
# Board, whether it is a cycle, and its squares.
UNCROSSED = (
    ("4x4", True, "d4b3a1c2"),
    ("5x5", True, "d5b4a2c3b1d2c4e3"),
    ("6x6", True, "d6b5a3c2b4d3c1e2f4d5e3c4"),
    ("7x7", True, "a7c6b4d5c7e6g7f5d6e4g5f3g1e2f4d3e1c2a1b3d2c4a3b5"),
    ("8x8", True, "c8a7b5d4c6e7d5e3c4a5b3a1c2b4d3c1e2g1h3f2e4g3f5h4g6h8f7g5e6f8d7b6"),
    ("3x3", False, "c2a3b1"),
    ("4x4", False, "b3d4c2a3b1d2"),
    ("5x5", False, "e5c4a5b3a1c2b4d3c1e2d4"),
    ("6x6", False, "d3b2c4a3b1d2e4c3d5b4a6c5e6d4f5e3d1f2"),
    ("7x7", False, "f7g5e4f6d5e7c6a7b5d6c4e5d3f4e2g3f1d2b1a3c2d4b3c5a4"),
    ("8x8", False, "b6a8c7e6d8f7h8g6e7f5d6b7c5a6b4c2a3b1d2e4c3b5d4c6e5g4f6h5g3h1f2d1e3g2f4d5"),
)


def line(
    number: int, tour: kt.Tour, facts: dict[str, object], name: str = "-", source: str = "-", size: str = ""
) -> str:
    """Return a line of a catalogue."""
    names = "".join(tour.board.square_name(square) for square in tour)
    said = ";".join(f"{key}={value}" for key, value in facts.items())
    return "\t".join((str(number), name, size or f"{tour.board.rows}x{tour.board.cols}", said, names, source)) + "\n"


def measure_tour(tour: kt.Tour, names: Iterable[str], closed: bool) -> dict[str, object]:
    """Return statistics of a tour, after its kind."""
    values = kt.measure(tour, list(names), closed=closed)
    return {"closed": int(closed), **{name: int(value[0]) for name, value in values.items()}}


def magic() -> Iterator[str]:
    """Yield all magic tours that the method finds, one per class, in the order of their squares."""
    found = set()
    try:
        for tour in kt.iter_tours("8x8", where={"magic-rows": 8, "magic-columns": 8}):
            found.add(tour.canonical(closed=False))
    except LimitReached as error:
        assert "all of regular quartes" in str(error), error
    lines = ("magic-rows", "magic-columns", "magic-diagonals")
    for number, tour in enumerate(sorted(found, key=list), 1):
        yield line(number, tour, measure_tour(tour, lines, tour.is_closed))


def closed_six() -> Iterator[str]:
    """Yield a closed tour of each class."""
    classes = {tour.canonical() for tour in kt.iter_tours("6x6", closed=True)}
    for number, tour in enumerate(sorted(classes, key=list), 1):
        yield line(number, tour, measure_tour(tour, ("turns", "crossings"), True))


def extremes() -> Iterator[str]:
    """Yield the first two closed 6x6 tours with the extreme values of each statistic."""
    tours = list(kt.iter_tours("6x6", closed=True))
    number = 0
    for name, row in kt.STATISTICS.items():
        if row.is_numbered:
            continue
        try:
            values = kt.measure(tours, [name], closed=True)[name]
        except ProblemError:
            continue
        for word, place in (("least", int(np.argmin(values))), ("most", int(np.argmax(values)))):
            number += 1
            yield line(number, tours[place], {"closed": 1, name: int(values[place])}, name=f"{word}-{name}")


def uncrossed_lines() -> Iterator[str]:
    """Yield the longest paths and cycles."""
    for number, (size, is_cycle, text) in enumerate(UNCROSSED, 1):
        side = int(size.partition("x")[0])
        visited = [text[k : k + 2] for k in range(0, len(text), 2)]
        board = kt.Board(side, side)
        left = [square for square in board.squares if board.square_name(square) not in visited]
        tour = kt.Tour(kt.Board(side, side, holes=left), visited)
        facts = measure_tour(tour, ("crossings", "visits"), is_cycle)
        yield line(number, tour, facts, name=f"{'cycle' if is_cycle else 'path'}-{size}", size=size)


def givens() -> Iterator[str]:
    """Yield the solution of each puzzle."""
    for number, (size, closed, text) in enumerate(fewest_givens.RECORDS, 1):
        given = {square: int(step) for square, step in (word.split("=") for word in text.split())}
        [tour] = kt.iter_tours(size, closed=closed, given=given)
        said = ",".join(f"{square}:{step}" for square, step in given.items())
        name = f"{'closed' if closed else 'open'}-{size}"
        yield line(number, tour, {"closed": int(closed), "given": said}, name=name)


def historical() -> Iterator[str]:
    """Yield the named tours."""
    for number, (name, source, text) in enumerate(HISTORICAL, 1):
        tour = kt.Tour.from_array(np.array(text.split(), dtype=int).reshape(8, 8))
        facts = measure_tour(tour, ("magic-rows", "magic-columns"), tour.is_closed)
        yield line(number, tour, facts, name=name, source=source)


FILES = {
    "magic-8x8": magic,
    "closed-6x6": closed_six,
    "extremes-6x6": extremes,
    "uncrossed": uncrossed_lines,
    "fewest-givens": givens,
    "historical-8x8": historical,
}


def main() -> None:
    for name, lines in FILES.items():
        (DATA / f"{name}.txt").write_text("".join(lines()), encoding="utf-8")
        print(name, (DATA / f"{name}.txt").stat().st_size)


if __name__ == "__main__":
    main()
