"""Puzzles with one solution, published or from long searches, and the beginnings of the solutions."""

from typing import NamedTuple


class KnownPuzzle(NamedTuple):
    """Numbers as "a1=1 c2=17", the kind of tour, and the first row of the unique solution."""

    given: str
    closed: bool
    first_row: str

    @property
    def numbers(self) -> dict[str, int]:
        return {name: int(number) for name, number in (word.split("=") for word in self.given.split())}

    def squares(self, cols: int = 8, rows: int = 8) -> list[tuple[int, set[int]]]:
        """Return the given numbers in the form of the search."""
        return [
            ((rows - int(name[1:])) * cols + ord(name[0]) - ord("a"), {number}) for name, number in self.numbers.items()
        ]


# Published with 33 numbers; it asks for no guess.
THIRTY_THREE = """
 .  .  .  . 58 23  . 35
 .  . 25  . 15  .  .  .
54 27  4  . 24  .  .  .
 1  .  .  .  . 16 21 60
52 29  .  5  .  .  . 37
43  6  . 32  9  . 17 64
 . 51  . 41  . 19  . 11
 7 42 31 50 39  .  . 18
"""
THIRTY_THREE_ROW = "26 55 46 3 58 23 14 35"
# Published in 2012: twelve numbers in a ring.
RING = """
 .  .  .  .  .  .  .  .
 .  .  .  1 18  .  .  .
 .  . 15  .  . 64  .  .
 . 29  .  .  .  .  4  .
 . 20  .  .  .  . 33  .
 .  . 22  .  . 57  .  .
 .  .  . 36 53  .  .  .
 .  .  .  .  .  .  .  .
"""
# The fewest numbers found for 8x8, and some with one more.
FEWEST = [
    KnownPuzzle("c7=37 d7=4 e6=12 a2=30 c2=32 f2=9 g1=1", True, "38 43 40 13 22 17 56 15"),
    KnownPuzzle("a7=13 f6=35 h6=47 h3=50 f2=53 d1=10 f1=6", False, "42 31 40 17 38 33 46 1"),
    KnownPuzzle("h8=43 a5=49 c5=29 e5=21 a4=16 b4=19 c4=64 f2=53", False, "10 31 38 33 8 27 40 43"),
    KnownPuzzle("c7=37 d7=4 e6=12 b5=34 d5=40 a2=30 f2=9 g1=1", True, "38 43 46 57 36 61 16 59"),
]
# The fewest that any 6x6 puzzle of open tours can have, which is proved.
FEWEST_6X6 = "c5=24 a2=13 d2=26"
