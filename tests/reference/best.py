"""Cases of the largest value of a tour of two halves."""

from collections.abc import Iterator

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.classes import NewLists
from knightstour.core.model.budget import Budget
from knightstour.lab.counting.census.by_halves import Values, chosen_cut
from knightstour.lab.counting.halves import middle
from knightstour.lab.counting.halves.layers import Side as SideToMake
from knightstour.lab.counting.halves.machine import LayerAt, Machine, Threads, target_classes
from knightstour.lab.objectives.best_by_halves import HalfSweep, Join
from reference import Case, Row
from reference.join import room_of

QUESTIONS = [
    Problem((5, 6), closed=True),
    Problem((3, 10), closed=True),
    Problem((4, 5)),
    Problem((4, 5), start=(0, 0)),
]


def works() -> Iterator[tuple[str, Join, list[LayerAt], SideToMake, Values]]:
    """Yield both halves of some boards, with random values."""
    rng = np.random.default_rng(6)
    for problem in QUESTIONS:
        numbers = rng.integers(0, 4, (len(problem.board),) * 2)
        work = HalfSweep(problem, Values(numbers + numbers.T), Budget(), Threads(1))
        cut, image = chosen_cut(problem, work.values)
        classes = middle.find_classes(cut)
        values = [work.values, work.values.seen_by(image)]
        kept = [work.half(side, seen) for side, seen in zip(classes.sides, values, strict=True)]
        join = Join(cut, classes, (kept[0][-1].layer, kept[1][-1].layer), values)
        yield str(problem), join, kept[0], classes.sides[0], values[0]


def added_by(side: SideToMake, values: Values, before: LayerAt, after: LayerAt) -> np.ndarray:
    """Return the values of the edges between two layers."""
    assert after.edges is not None
    return values.of_edges(side.half, before.step, before.layer.classes, after.edges)


def pulls() -> Iterator[Case]:
    for name, _, kept, side, values in works():
        for t, (before, after) in enumerate(zip(kept, kept[1:], strict=False)):
            if t % 3 or before.layer.size > 100:
                continue
            ahead = target_classes(side, t, before.layer, 2.0**60)
            count = len(side.classes[t + 1])
            made = NewLists(ahead.room, *np.zeros((2, count), dtype=np.int64), np.zeros(count))
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
        yield Case(name, (join.finals, join.halves, *room_of(), best), [(count // 2,), (count,)])


def finding() -> Iterator[Case]:
    for name, join, *_ in works():
        value, k = join.best(Machine(Threads(1)))
        found = np.full((2, 5), -1, dtype=np.int64)
        yield Case(name, (join.finals, join.halves, *room_of(), found, value), [(k + 1,)])


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
    Row("best_pull", None, pulls, lambda *a: (a[3], a[4])),
    Row("best_join", None, joins, lambda *a: (a[4][joining.NEXT], a[5])),
    Row("best_states", None, finding, lambda *a: a[5]),
    Row("best_back", None, backs, lambda *a: a[4]),
]
