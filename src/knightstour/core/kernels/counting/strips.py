"""The states of a strip of rows between two columns, and the ways that lead through a column; strips.cc makes them.

A state is a word of 4 bits for each square from the current one on, down the columns. They name the place of the square
where its path ends (its own, if it is bare); FULL where both moves are made; LOOSE where its path ends in an end of
the tour. Two columns are touched, so that 2 * rows squares tell all; one more, bare between columns, is there for the
steps down a column. A state and its image under the flip of the rows are one: the lower word.
"""

from typing import Any, NamedTuple

FULL, LOOSE = 15, 14
# A square is joined to two of four others at most.
MOST_WAYS = 6


class Layer(NamedTuple):
    """sources: the words of the states before a row, uint64. State s has the ways offsets[s] .. offsets[s + 1] - 1
    (int64), and way e leads to state targets[e] of the next (int32). next: the states that follow, as march.Keys."""

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
    turned = (2 * rows) << (8 * rows)
    for k in range(2 * rows):
        code = (word >> (4 * k)) & 15
        if code < 2 * rows:
            code = code // rows * rows + rows - 1 - code % rows
        turned |= code << (4 * (k // rows * rows + rows - 1 - k % rows))
    return turned


def lower_of_both(word: int, rows: int) -> int:
    """The word that a state and its image share."""
    return min(word, flipped(word, rows))
