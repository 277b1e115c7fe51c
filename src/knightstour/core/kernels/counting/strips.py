"""Encoding "words of a strip": the states between two columns and the ways through one; strips.cc makes them.

A state is a word of 4 bits for each square from the current one on, down the columns. They name the place of the square
where its path ends (its own, if it is bare); FULL where both moves are made; BEYOND where its path ends beyond the
board, where the two ends of an open tour meet. Two columns are touched, so that 2 * rows squares tell all; one more,
bare between columns, is there for the steps down a column. Squares behind the last column are FULL from the outset.
A state and its image under the flip of the rows are one: the lower word.
"""

from typing import Any, NamedTuple

FULL, BEYOND = 15, 14
# With 7 rows the words have no value left for a path that ends beyond the board.
MOST_ROWS = 6
# Of an open tour: both of its ends are there.
ENDED = 1 << 60
# A square is joined to two of four others at most, or of five with what is beyond the board.
MOST_WAYS = 10


class Rule(NamedTuple):
    """How a square in row `row` is dealt with. is_open: whether a path may come to end beyond the board. is_ending:
    whether no square comes in behind the others; then a tour may be completed."""

    rows: int
    row: int
    is_open: int
    is_ending: int


class Layer(NamedTuple):
    """sources: the words of the states before a row, uint64. State s has the ways offsets[s] .. offsets[s + 1] - 1
    (int64), and way e leads to state targets[e] of the next (int32), -1 where it completes a tour. next: the states
    that follow, as march.Keys."""

    counters: Any
    sources: Any
    offsets: Any
    targets: Any
    next: Any


# Items of `counters`.
(
    DONE,  # states dealt with
    MADE,  # states that follow
    WAYS,  # ways to them
) = range(3)
COUNTERS = 3


def flipped(word: int, rows: int) -> int:
    """The state between two columns with its rows in the other order."""
    turned = word >> (8 * rows) << (8 * rows)
    for k in range(2 * rows):
        code = (word >> (4 * k)) & 15
        if code < 2 * rows:
            code = code // rows * rows + rows - 1 - code % rows
        turned |= code << (4 * (k // rows * rows + rows - 1 - k % rows))
    return turned


def lower_of_both(word: int, rows: int) -> int:
    """The word that a state and its image share."""
    return min(word, flipped(word, rows))
