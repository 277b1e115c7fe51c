"""Closed lines through all vertices, which annealing and the genetic segments turn."""

from __future__ import annotations

from typing import Any

# No kernel of its own: lines.h.
ROWS: list[Any] = []


def near(s: Any, v: int) -> list[int]:
    """The vertices that v has moves to."""
    return s.targets[s.offsets[v] : s.offsets[v + 1]]


def are_joined(s: Any, a: int, b: int) -> bool:
    """Whether there is a move between two vertices."""
    return b in near(s, a)


def gaps_of(s: Any, line: list[int]) -> list[tuple[int, int]]:
    """The pairs that follow each other in a closed line and are no move apart."""
    return [pair for pair in zip(line, line[1:] + line[:1], strict=True) if not are_joined(s, *pair)]


def places(s: Any, listed: list[int]) -> list[int]:
    """Where each vertex is in a list, or -1."""
    place = {v: i for i, v in enumerate(listed)}
    return [place.get(v, -1) for v in range(len(s.line))]


def note_loose(s: Any, loose: list[int], count: int, v: int) -> None:
    """Keep the list of the vertices beside a gap, after the links of v have changed. count: the counter of its length.

    A new one comes last, and the last one takes the place of one that goes.
    """
    c, i = s.counters, s.line.index(v)
    beside = s.line[i - 1], s.line[(i + 1) % len(s.line)]
    is_loose = not all(are_joined(s, v, u) for u in beside)
    listed = loose[: c[count]]
    if is_loose and v not in listed:
        listed.append(v)
    elif not is_loose and v in listed:
        listed[listed.index(v)] = listed[-1]
        listed.pop()
    else:
        return
    c[count] = len(listed)
    loose[: len(listed)] = listed
    s.spot[:] = places(s, listed)


def turn(line: list[int], u: int, v: int, side: int) -> list[int]:
    """The line with u beside v, and those beside each other that came after them on the side 1 or before them, -1.

    Of the two parts between them the shorter one is turned round; of two equal ones the first.
    """
    n = len(line)
    first, last = line.index(u), line.index(v)
    first, last = (first + 1, last) if side > 0 else (last, first - 1)
    length = (last - first) % n + 1
    if 2 * length > n:
        first, last, length = last + 1, first - 1, n - length
    turned = line[:]
    for k in range(length):
        turned[(first + k) % n] = line[(last - k) % n]
    return turned
