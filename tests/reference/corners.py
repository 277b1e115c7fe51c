"""The states of a network with marks, from the definition: marks by square, a polynomial as a list."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting.corners import (
    BARE,
    BOTH,
    HIGHEST,
    MADE,
    MOST_CHILDREN,
    NEXT,
    ONE,
    Layers,
    Squares,
    Ways,
)
from knightstour.core.kernels.counting.march import Keys
from knightstour.lab.counting.census.by_corners import squares_of
from knightstour.lab.counting.spaces.by_states import WaySpace
from knightstour.lab.statistics.table import statistic_named
from reference import Case, Row

Marks = dict[int, int]  # square -> mark, without bare ones


def _awaited(squares: Squares, u: int, mark: int) -> int | None:
    """The neighbour that a square waits for."""
    return squares.near[u][mark - 1] if BARE < mark < ONE else None


def _options(squares: Squares, marks: Marks, t: int, u: int) -> list[int]:
    """What the mark of u may become when it is joined to square t of the order."""
    v = squares.order[t]
    mark = marks.get(u, BARE)
    if mark == BARE:
        bits = squares.corners[u][squares.near[u].index(v)]
        later = [p for p in range(8) if bits >> p & 1 and squares.position[squares.near[u][p]] > t]
        return [ONE, *(p + 1 for p in later)]
    return [BOTH] if mark == ONE or _awaited(squares, u, mark) == v else []


def _is_possible(squares: Squares, marks: Marks, t: int, is_last: bool) -> bool:
    """Whether all squares that wait for a neighbour can have it."""
    waits = {u: _awaited(squares, u, mark) for u, mark in marks.items() if _awaited(squares, u, mark) is not None}
    for p in set(waits.values()):
        asking = [u for u, awaited in waits.items() if awaited == p]
        mark = marks.get(p, BARE)
        if is_last or squares.position[p] <= t:
            return False
        if p in waits:
            if asking != [waits[p]]:
                return False
        elif len(asking) > {BARE: 2, ONE: 1, BOTH: 0}[mark]:
            return False
    return True


def _ways_with_marks(squares: Squares, ways: Ways, t: int, source: list[int]) -> Iterator[tuple[int, Marks, int]]:
    """(target, marks after it, marks more) of all ways of a source and manners to mark."""
    state, packed = source
    v = squares.order[t]
    marks = {squares.order[t + k]: packed >> 4 * k & 15 for k in range(16) if packed >> 4 * k & 15}
    awaited = _awaited(squares, v, marks.pop(v, BARE))
    for way in range(ways.offsets[state], ways.offsets[state + 1]):
        code, target = ways.codes[way], ways.targets[way]
        others = [u for u in ways.picked[code] if u >= 0]
        if awaited is not None and others != [awaited]:
            continue
        is_corner = 0
        if len(others) == 2:
            i, k = (squares.near[v].index(u) for u in others)
            is_corner = squares.corners[v][i] >> k & 1
        for chosen in itertools.product(*(_options(squares, marks, t, u) for u in others)):
            after = {**marks, **dict(zip(others, chosen, strict=True))}
            if _is_possible(squares, after, t, target < 0):
                new = sum(BARE < mark < ONE for mark in chosen)
                yield from ((target, after, new + more) for more in range(1 + is_corner))


Enter = Callable[[int, int, bool, int], None]


def _mark(squares: Squares, ways: Ways, layers: Layers, t: int, last: int, enter: Enter) -> None:
    """enter(source, state or -1 for a tour, whether that is new, marks more)."""
    counters, keys = layers.counters, layers.next.words
    while counters[NEXT] < last and counters[MADE] + MOST_CHILDREN <= min(len(keys), len(layers.next.table) // 2):
        s = counters[NEXT]
        for target, marks, more in _ways_with_marks(squares, ways, t, layers.sources[s]):
            if target < 0:
                enter(s, -1, False, more)
                continue
            key = [target, sum(mark << 4 * (squares.position[u] - t - 1) for u, mark in marks.items())]
            count = counters[MADE]
            k = keys.index(key) if key in keys[:count] else count
            keys[k] = key
            counters[MADE] = max(count, k + 1)
            enter(s, k, k == count, more)
        counters[NEXT] += 1


def count(
    squares: Squares,
    ways: Ways,
    layers: Layers,
    sums: list[list[int]],
    values: list[list[int]],
    tours: list[int],
    modulus: int,
    t: int,
    last: int,
) -> None:
    def enter(s: int, k: int, is_new: bool, more: int) -> None:
        if is_new:
            values[k] = [0] * len(values[k])
        target = tours if k < 0 else values[k]
        for j, coefficient in enumerate(sums[s]):
            if coefficient:
                target[j + more] = (target[j + more] + coefficient) % modulus
                if k >= 0:
                    layers.counters[HIGHEST] = max(layers.counters[HIGHEST], j + more)

    _mark(squares, ways, layers, t, last, enter)


def seen(squares: Squares, ways: Ways, layers: Layers, before: Any, carried: Any, *rest: Any) -> Any:
    made = layers.counters[MADE]
    others = [each[:made] if len(each) > 10 + MOST_CHILDREN else each for each in rest if isinstance(each, list)]
    return layers.counters, layers.next.words[:made], carried[:made], others


# ---------------------------------------------------------------- cases


def _layers(room: int, sources: np.ndarray) -> Layers:
    keys = Keys(np.zeros((room, 2), dtype=np.uint64), np.zeros((4096, 2), dtype=np.uint32))
    return Layers(np.zeros(3, dtype=np.int64), sources, keys)


def cases() -> Iterator[Case]:
    problems = [Problem.of((3, 7)), Problem.of((3, 10), closed=True), Problem.of((4, 5), start="a1")]
    random = np.random.default_rng(2)
    for problem, kind in itertools.product(problems, ("turns", "acute")):
        space = WaySpace.build(problem)
        squares, _ = squares_of(space, statistic_named(kind))
        sources = np.zeros((1, 2), dtype=np.uint64)
        for t in range(len(space.ways)):
            ways = Ways(*space.ways[t], space.picked[t])
            room = MOST_CHILDREN + 30
            layers = _layers(room, sources)
            sums = random.integers(0, 90, (len(sources), 1 + t % 3))
            values = np.zeros((room, sums.shape[1] + 3), dtype=np.int64)
            rest = (sums, values, np.zeros(40, dtype=np.int64), 97)
            yield Case(f"{problem} {kind} {t}", (squares, ways, layers, *rest), [(t, 1), (t, len(sources))])
            made = int(layers.counters[MADE])
            sources = layers.next.words[:made][:: max(1, made // 8)].copy()
            if not made:
                break


ROWS = [Row("corners_count", count, cases, seen)]
