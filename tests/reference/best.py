"""The largest value of a tour of two halves, from the definition: of all states that fit together the best pair."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.lists import ByTarget, Lists, Made
from knightstour.core.model.budget import Budget
from knightstour.lab.counting.census.best import Join, _Work
from knightstour.lab.counting.census.by_halves import Values, chosen_cut
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.layers import Side as SideToMake
from knightstour.lab.counting.halves.machine import Machine, Reached, Workers, foresee
from reference import Case, Row
from reference.join import Class, Pair, Side, key_of, mates_of, pair_of
from reference.lists import changed, edge_of, pulled

# (left side, right side, fit, left values, right values)
Valued = tuple[Side, Side, Any, list[int], list[int]]


def best_pull(
    edges: ByTarget,
    before: Lists,
    states: list[list[int]],
    made: Made,
    out: list[list[int]],
    turn: list[list[int]],
    table: list[int],
    added: list[int],
    first: int,
    last: int,
) -> int:
    place = 0
    for t in range(first, last):
        found = pulled(edges, before, lambda i: states[i][0], turn, t)
        for k, (word, origins) in enumerate(found.items()):
            out[place + k] = [word, max(states[i][1] + added[e] for e, i in origins)]
        made.offsets[t], made.lengths[t], made.masses[t] = place, len(found), 0.0
        place += len(found)
    return place


def pairs_of(pair: Pair, halves: Valued) -> Iterator[tuple[int, tuple[int, int, int], tuple[int, int, int]]]:
    """All states that make a tour together: the value of that, plus 1, and the states."""
    left, right, _, left_values, right_values = halves
    for a, b in pair.fitting():
        for one in pair.left[a]:
            for other in pair.right[b]:
                value = left.states[one[1]][1] + left_values[one[2]]
                yield value + right.states[other[1]][1] + right_values[other[2]] - 1, one, other


def best_join(
    finals: list[int],
    halves: Valued,
    room: Any,
    tables: Any,
    counters: list[int],
    best: list[list[int]],
    last: int,
) -> int:
    for k in range(counters[joining.NEXT], last):
        pair = pair_of(finals[k], *halves[:3])
        value = max((value for value, *_ in pairs_of(pair, halves)), default=0) if pair else 0
        if value > best[0][0]:
            best[0] = [value, k]
    counters[joining.NEXT] = last
    return joining.DONE


def best_states(halves: Valued, room: Any, tables: Any, found: list[list[int]], c: int, value: int) -> int:
    pair = pair_of(c, *halves[:3])
    for made, *states in pairs_of(pair, halves) if pair else ():
        if made == value:
            for row, side, (j, i, x) in zip(range(2), halves[:2], states, strict=True):
                found[row] = [j, i, side.states[i][0], x, side.states[i][1]]
            return joining.DONE
    return joining.BROKEN


def is_pair(halves: Valued, room: Any, tables: Any, found: list[list[int]], c: int, value: int) -> bool:
    """Whether the states that were found make a tour of this value; any will do."""
    pair = pair_of(c, *halves[:3])
    states = [(value, (row[0], row[1], row[3])) for row in found]
    known = pair is not None and (value, states[0][1], states[1][1]) in list(pairs_of(pair, halves))
    ours = [side.states[row[1]] == [row[2], row[4]] for side, row in zip(halves[:2], found, strict=True)]
    return known and all(ours)


def best_back(
    edges: ByTarget, before: Lists, states: list[list[int]], added: list[int], found: list[list[int]], target: int
) -> int:
    _, _, word, _, value = found[0]
    for e in range(edges.starts[target], edges.starts[target + 1]):
        source, name, a, b, _ = edge_of(edges.edges[e])
        for i in range(before.offsets[source], before.offsets[source] + before.lengths[source]):
            new = changed(mates_of(states[i][0], Class.of(before.classes[source])), name, a, b)
            if new is not None and states[i][1] + added[e] == value and word_of_key(new) == word:
                found[0] = [source, i, states[i][0], e, states[i][1]]
                return joining.DONE
    return joining.BROKEN


def word_of_key(mates: dict[int, int]) -> int:
    word = sum((a ^ b) << 4 * a for a, b in key_of(mates) if a >= 0 and b >= 0)
    return word - (word >> 63 << 64)


# ---------------------------------------------------------------- cases


QUESTIONS = [
    Problem.of((5, 6), closed=True),
    Problem.of((3, 10), closed=True),
    Problem.of((4, 5)),
    Problem.of((4, 5), start=(0, 0)),
]


def works() -> Iterator[tuple[str, Join, list[Reached], SideToMake, Values]]:
    """Both halves of some boards, with values at random."""
    rng = np.random.default_rng(6)
    for problem in QUESTIONS:
        numbers = rng.integers(0, 4, (problem.board.square_count,) * 2)
        work = _Work(problem, Values(numbers + numbers.T), Budget(), Workers(1))
        cut, image = chosen_cut(problem, work.values)
        classes = middle.find_classes(cut)
        values = [work.values, work.values.seen_by(image)]
        kept = [work.half(side, seen) for side, seen in zip(classes.sides, values, strict=True)]
        join = Join(cut, classes, (kept[0][-1].layer, kept[1][-1].layer), values)
        yield str(problem), join, kept[0], classes.sides[0], values[0]


def added_by(side: SideToMake, values: Values, before: Reached, after: Reached) -> np.ndarray:
    """The values of the edges between two layers."""
    assert after.edges is not None
    return values.of_edges(side.half, before.step, before.layer.classes, after.edges)


def pulls() -> Iterator[Case]:
    for name, _, kept, side, values in works():
        for t, (before, after) in enumerate(zip(kept, kept[1:], strict=False)):
            if t % 3 or before.layer.size > 100:
                continue
            ahead = foresee(side, t, before.layer, 2.0**60)
            count = len(side.classes[t + 1])
            made = Made(ahead.room, *np.zeros((2, count), dtype=np.int64), np.zeros(count))
            out, table = (
                np.zeros((int(ahead.most.sum()), 2), dtype=np.int64),
                np.zeros(int(ahead.room.max(initial=16)), dtype=np.int32),
            )
            added = added_by(side, values, before, after)
            lists = (before.layer.lists, before.layer.states, made, out, side.turn(t), table, added)
            yield Case(f"{name} {t}", (ahead.edges.by_target, *lists), [(count // 2, count)])


def joins() -> Iterator[Case]:
    for name, join, *_ in works():
        count, best = len(join.finals), np.zeros((1, 2), dtype=np.int64)
        with join.desks.lent() as desk:
            desk.grow(1 << 10, 1 << 9)
            arguments = (join.finals, join.halves, desk.scratch, middle.make_tables(), desk.counters, best)
            yield Case(name, arguments, [(count // 2,), (count,)])


def finding() -> Iterator[Case]:
    for name, join, *_ in works():
        value, k = join.best(Machine(Workers(1)))
        with join.desks.lent() as desk:
            arguments = (join.halves, desk.scratch, middle.make_tables(), np.zeros((2, 5), dtype=np.int64))
            yield Case(name, arguments, [(int(join.finals[k]), value)])


def backs() -> Iterator[Case]:
    for name, _, kept, side, values in works():
        for t, (before, after) in enumerate(zip(kept, kept[1:], strict=False)):
            if t % 3:
                continue
            layer = after.layer
            j = int(np.argmax(layer.lengths))
            i = int(layer.offsets[j] + layer.lengths[j] // 2)
            word, value = layer.states[i].tolist()
            assert after.edges is not None
            edges, added = after.edges.by_target, added_by(side, values, before, after)
            for more in (0, 10**6):
                found = np.array([[j, i, word, 0, value + more]], dtype=np.int64)
                arguments = (edges, before.layer.lists, before.layer.states, added, found)
                yield Case(f"{name} {t} {more}", arguments, [(j,)])


ROWS = [
    Row("best_pull", best_pull, pulls, lambda *a: (a[3], a[4])),
    Row("best_join", best_join, joins, lambda *a: (a[4][joining.NEXT], a[5])),
    Row("best_states", best_states, finding, is_pair),
    Row("best_back", best_back, backs, lambda *a: a[4]),
]
