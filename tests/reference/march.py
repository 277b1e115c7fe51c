"""Cases of steps of the frontier method from one layer to the next."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.search.frontier.marching import MADE, NEAR_COUNT, Algebra, Keys, Layers, March, Steps
from knightstour.core.search.frontier.plan import make_plan
from reference import Case, Row


def seen(steps: Steps, layers: Layers, *rest: Any) -> Any:
    """Omit the table and the unused states."""
    made = layers.counters[MADE]
    return layers.counters, layers.next.words[:made], rest


_PROBLEMS = [
    Problem((3, 4)),
    Problem((3, 10), closed=True),
    Problem((5, 5), start="a1", end="e5"),
    Problem((4, 5), start="a1"),
    Problem(Board(4, 4, wrap="torus"), closed=True),
    Problem(Board(5, 9, wrap="torus", holes=["c3"]), closed=True),
    Problem(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
    Problem(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]])), closed=True),
]


class _Nothing(Algebra):
    function = "march_sums"
    carried = ((np.uint64, 1),)

    def arguments(self, source: Any, target: Any) -> tuple[Any, ...]:
        sums = (source.carried[0].ravel(), target.carried[0].ravel(), np.zeros(1, dtype=np.uint64))
        return np.zeros(0, dtype=np.int64), *sums, 1, 0


def _layers(problem: Problem) -> Iterator[tuple[March, int, Any]]:
    """Yield each layer with its number; of wide ones some states."""
    march = March(make_plan(problem), _Nothing())
    layer = march.first_layer()
    for t in range(len(march.plan.order)):
        yield march, t, layer
        following = march.layer_after(t, 3000)
        march.expand(t, layer, following, min(layer.count, 12))
        layer = following


Rest = Callable[[March, int, int, int, np.random.Generator], tuple[Any, ...]]


def _cases(rest: Rest) -> Iterator[Case]:
    """rest(march, t, states of the layer, room of the next, random): the arguments after the layers."""
    random = np.random.default_rng(1)
    for problem in _PROBLEMS:
        for march, t, layer in _layers(problem):
            count = min(layer.count, 12)
            for states, most in [(100, 1 << 40), (4, 1 << 40), (100, 5)]:
                # Some of the layers of large boards, and some of the others with little room.
                if t % 4 and (len(problem.board) > 20 or (states, most) != (100, 1 << 40)):
                    continue
                following = march.layer_after(t, states).keys if states > 4 else _small(march, t)
                counters = np.array([0, 0, most], dtype=np.int64)
                layers = Layers(layer.keys.words[:count].copy(), counters, following)
                following.words[:] = 0
                arguments = (march.steps, layers, *rest(march, t, count, len(following.words), random))
                yield Case(f"{problem} {t} {states} {most}", arguments, [(t, min(3, count)), (t, count)])


def _small(march: March, t: int) -> Keys:
    room = march.children(t) + 4
    return Keys(np.zeros((room, march.width), dtype=np.uint64), np.zeros((64, 2), dtype=np.uint32))


def _picks(march: March, t: int) -> int:
    d = int(march.steps.info[t, NEAR_COUNT])
    return 1 + d + d * d


def _of_parents(march: March, t: int, count: int, room: int, random: np.random.Generator) -> tuple[Any, ...]:
    return np.zeros((room, 2), dtype=np.int32), np.zeros((1, 2), dtype=np.int32)


def _of_ways(march: March, t: int, count: int, room: int, random: np.random.Generator) -> tuple[Any, ...]:
    arrays = np.zeros((2, march.children(t) + 20), dtype=np.int32)
    return np.zeros(count + 1, dtype=np.int64), arrays[0].copy(), arrays[1].copy()


def _of_sums(march: March, t: int, count: int, room: int, random: np.random.Generator) -> tuple[Any, ...]:
    many, digits = 1 + t // 2 % 2, 1 + t % 2
    before = random.integers(0, 1 << 63, (count, many * digits)).astype(np.uint64) * np.uint64(2)
    weights = random.integers(-1000, 1000, (_picks(march, t) if many > 1 else 0, many))
    sums = (np.zeros(k * many * digits, dtype=np.uint64) for k in (room, 1))
    return weights.ravel(), before.ravel(), *sums, many, t % 2


def _of_best(march: March, t: int, count: int, room: int, random: np.random.Generator) -> tuple[Any, ...]:
    worth, before = random.integers(-2, 3, _picks(march, t)), random.integers(0, 4, (count, 1))
    best, ways = np.zeros((room, 1), dtype=np.int64), np.zeros((room, 2), dtype=np.int32)
    return worth, before, best, ways, np.array([0, 0, -1], dtype=np.int64)


ROWS = [
    Row("march_parents", None, lambda: _cases(_of_parents), seen),
    Row("march_ways", None, lambda: _cases(_of_ways), seen),
    Row("march_sums", None, lambda: _cases(_of_sums), seen),
    Row("march_best", None, lambda: _cases(_of_best), seen),
]
