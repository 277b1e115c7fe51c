"""Cases of the states of a network with marks."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Problem
from knightstour.core.machine.native import kernel_function
from knightstour.core.search.frontier.marching import Keys
from knightstour.core.statistics.table import statistic_named
from knightstour.lab.counting.census.on_network import MADE, MAX_CHILDREN, Layers, Squares, Ways, squares_of
from knightstour.lab.counting.spaces.by_states import WaySpace
from reference import Case, Row


def seen(squares: Squares, ways: Ways, layers: Layers, before: Any, carried: Any, *rest: Any) -> Any:
    made = layers.counters[MADE]
    others = [each[:made] if len(each) > 10 + MAX_CHILDREN else each for each in rest if isinstance(each, list)]
    return layers.counters, layers.next.words[:made], carried[:made], others


def _layers(room: int, sources: np.ndarray) -> Layers:
    keys = Keys(np.zeros((room, 2), dtype=np.uint64), np.zeros((4096, 2), dtype=np.uint32))
    return Layers(np.zeros(3, dtype=np.int64), sources, keys)


def cases() -> Iterator[Case]:
    problems = [Problem((3, 7)), Problem((3, 10), closed=True), Problem((4, 5), start="a1")]
    random = np.random.default_rng(2)
    for problem, kind in itertools.product(problems, ("turns", "acute")):
        space = WaySpace.build(problem)
        squares, _ = squares_of(space, statistic_named(kind))
        sources = np.zeros((1, 2), dtype=np.uint64)
        for t in range(len(space.ways)):
            ways = Ways(*space.ways[t], space.picked[t])
            room = MAX_CHILDREN + 30
            layers = _layers(room, sources)
            sums = random.integers(0, 90, (len(sources), 1 + t % 3))
            values = np.zeros((room, sums.shape[1] + 3), dtype=np.int64)
            rest = (sums, values, np.zeros(40, dtype=np.int64), 97)
            yield Case(f"{problem} {kind} {t}", (squares, ways, layers, *rest), [(t, 1), (t, len(sources))])
            if not layers.counters.any():  # if nobody has asked
                for states in (1, len(sources)):
                    kernel_function("corners_count")(squares, ways, layers, *rest, t, states)
            made = int(layers.counters[MADE])
            sources = layers.next.words[:made][:: max(1, made // 8)].copy()
            if not made:
                break


ROWS = [Row("corners_count", None, cases, seen)]
