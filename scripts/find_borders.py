"""Borders with few crossings for method straight: python scripts/find_borders.py 10 22

It lists the patterns of a period of columns, four rows deep, that turn back lines of moves (-1, 2) with at most the
given number of crossings in a period, leave no loop, neither by themselves nor with sides that pair even lines c with
c - 3 or with c + 5, and balance the corners. First it proves how few crossings a column there can be, whatever the
period: the least mean weight of a closed walk in the graph below. It takes two seconds.

The graph: a vertex holds the moves that cross the gap between two columns. An arc adds the moves that go to the right
from the next column; it weighs as many crossings as there are of these moves with each other and with those before.
"""

from __future__ import annotations

import argparse
import itertools
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

DEPTH = 4
KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
SIDES = {"c - 3": (-3, 3), "c + 5": (5, -5)}

# A move to the right: row, rows down, columns on.
Move = tuple[int, int, int]
# Moves into the next column from the last one, past it from the last one, and into it from the one before.
Gap = tuple[tuple[Move, ...], tuple[Move, ...], tuple[Move, ...]]
Arc = tuple[int, int]  # (vertex, weight)

MOVES = [(r, dr, 3 - abs(dr)) for r in range(DEPTH) for dr in (2, -2, 1, -1) if 0 <= r + dr < DEPTH]
# The line to the inside is one of the two moves of each square of the last row.
WANTED = [2] * (DEPTH - 1) + [1]


def crosses(one: Move, other: Move, shift: int) -> bool:
    """Whether two moves cross, the second from a column so much further to the left."""
    a, b = (one[0], 0), (one[0] + one[1], one[2])
    c, d = (other[0], -shift), (other[0] + other[1], other[2] - shift)

    def side(p: tuple[int, int], q: tuple[int, int], x: tuple[int, int]) -> int:
        return (q[0] - p[0]) * (x[1] - p[1]) - (q[1] - p[1]) * (x[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def counts(rows: Iterator[int]) -> tuple[int, ...]:
    found = [0] * DEPTH
    for row in rows:
        found[row] += 1
    return tuple(found)


def graph() -> tuple[list[Gap], list[list[Arc]]]:
    """The vertices, and the arcs from each."""
    sets = defaultdict(list)  # of moves from one column, by how many leave each square
    for size in range(2 * DEPTH + 1):
        for chosen in itertools.combinations(MOVES, size):
            within = sum(crosses(a, b, 0) for a, b in itertools.combinations(chosen, 2))
            ones, twos = (tuple(m for m in chosen if m[2] == across) for across in (1, 2))
            sets[counts(m[0] for m in chosen)].append((ones, twos, within))
    weights = {(a, b): crosses(a, b, 1) for a in MOVES for b in MOVES if b[2] == 2}
    singles = [tuple(c) for n in range(DEPTH) for c in itertools.combinations([m for m in MOVES if m[2] == 2], n)]
    pairs = [tuple(c) for n in range(DEPTH) for c in itertools.combinations([m for m in MOVES if m[2] == 1], n)]
    number = {gap: k for k, gap in enumerate(itertools.product(pairs, singles, singles))}
    gaps, arcs = list(number), []
    for gap in gaps:  # grows while it is gone through
        ones, twos, before = gap
        there = counts(m[0] + m[1] for m in (*ones, *before))
        out = []
        for new_ones, new_twos, within in sets.get(tuple(w - t for w, t in zip(WANTED, there, strict=True)), ()):
            after = (new_ones, new_twos, twos)
            if after not in number:
                number[after] = len(gaps)
                gaps.append(after)
            weight = within + sum(weights[a, b] for a in (*new_ones, *new_twos) for b in twos)
            out.append((number[after], weight))
        arcs.append(out)
    return gaps, arcs


def potentials(arcs: list[list[Arc]], mean: Fraction) -> np.ndarray | None:
    """For each vertex the least sum of weight - mean on a walk from it, times the denominator; None: there is none."""
    tails = np.array([a for a, out in enumerate(arcs) for _ in out])
    heads = np.array([b for out in arcs for b, _ in out])
    weights = np.array([w for out in arcs for _, w in out])
    least = np.zeros(len(arcs), dtype=np.int64)
    for _ in range(len(arcs)):
        better = np.zeros_like(least)
        np.minimum.at(better, tails, weights * mean.denominator - mean.numerator + least[heads])
        if (better == least).all():
            return least
        least = better
        if least.min() < -1000 * mean.denominator:
            return None
    return None


def closed_walks(
    arcs: list[list[Arc]], least: np.ndarray, mean: Fraction, period: int, most: int
) -> Iterator[list[int]]:
    """The vertices of closed walks of at most this weight, each from its smallest vertex on."""
    slack = most * mean.denominator - period * mean.numerator
    on, back = defaultdict(list), defaultdict(list)
    for a, out in enumerate(arcs):
        for b, weight in out:
            extra = int(weight * mean.denominator - mean.numerator + least[b] - least[a])
            if extra <= slack:
                on[a].append((b, extra))
                back[b].append((a, extra))
    for first in list(on):
        home = [{first: 0}]  # by steps left: what the way back costs at least
        for _ in range(period):
            nearer: dict[int, int] = {}
            for b, cost in home[-1].items():
                for a, extra in back[b]:
                    if a >= first and cost + extra <= slack:
                        nearer[a] = min(nearer.get(a, slack), cost + extra)
            home.append(nearer)
        stack = [([first], 0)] if first in home[period] else []
        while stack:
            walk, cost = stack.pop()
            left = period - len(walk) + 1
            if left == 0:
                yield walk[1:]
                continue
            for b, extra in on[walk[-1]]:
                if cost + extra + home[left - 1].get(b, slack + 1) <= slack:
                    stack.append(([*walk, b], cost + extra))


Table = list[list[list[tuple[int, int]]]]


def table_of(columns: list[tuple[Move, ...]]) -> Table:
    """The two moves of each square, by row and column."""
    period = len(columns)
    table: Table = [[[] for _ in range(period)] for _ in range(DEPTH)]
    for col, moves in enumerate(columns):
        for row, down, on in moves:
            table[row][col].append((down, on))
            table[row + down][(col + on) % period].append((-down, -on))
        table[DEPTH - 1][col].append((1, -2))
    return table


def joined(table: Table) -> dict[int, int] | None:
    """For each line, modulo the period, how many lines further it comes back; None where squares lie on loops."""
    period, found, used = len(table[0]), {}, 0
    for first in range(period):
        row, col, came = DEPTH - 1, first, (1, -2)
        while row < DEPTH:
            used += 1
            one, other = table[row][col % period]
            went = other if one == came else one
            row, col, came = row + went[0], col + went[1], (-went[0], -went[1])
        line = first + 2 * (DEPTH - 1)
        found[line % period] = col + 2 * row - line
    return found if used == 2 * DEPTH * period else None


def drift(pairs: dict[int, int], side: tuple[int, int]) -> int:
    """How far the slowest walk between the border and a side moves until it repeats; 0 where one closes to a loop."""
    period, moved = len(pairs), []
    for first in range(period):
        line = first
        while True:
            line += pairs[line % period]
            line += side[line % 2]
            if (line - first) % period == 0:
                break
        moved.append(abs(line - first))
    return min(moved)


def is_balanced(table: Table, side: int = 20) -> bool:
    """Whether the first corner, of even size, lacks as many moves at light squares as at dark ones."""
    lacking, corner = 0, 8
    for row in range(side):
        for col in range(side):
            if row < corner and col < corner:
                continue
            moves = [(-1, 2), (1, -2)]
            if row < DEPTH:
                moves = table[row][col % len(table[0])]
            elif col < 2:
                moves = [(-1, 2), (-2, 1) if col == 0 else (2, -1)]
            for down, on in moves:
                if 0 <= row + down < corner and 0 <= col + on < corner:
                    lacking += (-1) ** (row + down + col + on)
    return lacking == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("period", type=int)
    parser.add_argument("most", type=int, help="crossings in a period")
    asked = parser.parse_args()
    gaps, arcs = graph()
    mean = Fraction(11, 6)
    least = potentials(arcs, mean)
    assert least is not None, "some pattern has fewer"
    print(f"{len(gaps):,} vertices; no pattern has fewer than {mean} crossings a column")
    known: set[tuple[tuple[Move, ...], ...]] = set()
    for walk in closed_walks(arcs, least, mean, asked.period, asked.most):
        columns = [gaps[v][0] + gaps[v][1] for v in walk]
        turned = [tuple(columns[k:] + columns[:k]) for k in range(asked.period)]
        if asked.period % 2 or not known.isdisjoint(turned):
            continue
        known.add(turned[0])
        for first in (0, 1):
            table = table_of(columns[first:] + columns[:first])
            pairs = joined(table)
            if pairs is None or not is_balanced(table):
                continue
            sides = {name: drift(pairs, side) for name, side in SIDES.items()}
            if any(sides.values()):
                print(f"drift {sides}")
                for row in table:
                    print("   ", " ".join("".join(str(k) for k in sorted(map(KNIGHT.index, two))) for two in row))


if __name__ == "__main__":
    main()
