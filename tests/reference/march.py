"""The states of one layer of the frontier method and the next, from the definition: sets of slots, and their mates."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.counting.march import (
    DONE,
    FOUND,
    FULL,
    IS_ALL_SEEN,
    MADE,
    MOST,
    NEAR_COUNT,
    NEAR_MASK,
    PRESENT,
    ROOM,
    RUNNING,
    SLOT,
    SPENT,
    TOUCHED,
    Keys,
    Layers,
    Steps,
)
from knightstour.core.search.frontier.marching import Algebra, March
from knightstour.core.search.frontier.plan import make_plan
from reference import Case, Row


class _Half(NamedTuple):
    """A half-made tour: the slots whose squares have both moves, and the other end of each path that ends in a slot."""

    inner: frozenset[int]
    mates: dict[int, int]


def _read(steps: Steps, words: list[int]) -> _Half:
    slots = range(len(steps.word))
    fields = {i: words[steps.word[i]] >> steps.shift[i] & steps.field_mask for i in slots}
    return _Half(frozenset(i for i in slots if words[0] >> i & 1), {i: f ^ i for i, f in fields.items() if f})


def _written(steps: Steps, half: _Half) -> list[int]:
    words = [0] * (steps.word[-1] + 1)
    words[0] = _mask(half.inner)
    for i, mate in half.mates.items():
        words[steps.word[i]] |= (i ^ mate) << steps.shift[i]
    return words


def _mask(slots: Any) -> int:
    return sum(1 << i for i in slots)


def _set(mask: int) -> set[int]:
    return {i for i in range(64) if mask >> i & 1}


def _joined(half: _Half, a: int, b: int) -> _Half | None:
    """With a move between two slots more; None where it closes a path."""
    x, y = half.mates.get(a, a), half.mates.get(b, b)
    if x == b:
        return None
    mates = {i: mate for i, mate in half.mates.items() if i not in (a, b)}
    return _Half(half.inner | {end for end in (a, b) if end in half.mates}, {**mates, x: y, y: x})


def _children(steps: Steps, t: int, half: _Half) -> Iterator[tuple[int, _Half | None]]:
    """(pick, what it leads to) of a state; None for a whole tour."""
    info, v = steps.info[t], steps.info[t][SLOT]
    near = steps.near[t][: info[NEAR_COUNT]]
    d = len(near)
    if v in half.inner:
        picks = [(0, ())]
    elif v in half.mates:
        picks = [(1 + i, (a,)) for i, a in enumerate(near)]
    else:
        pairs = itertools.combinations(range(d), 2)
        picks = [(1 + d + i * d + k, (near[i], near[k])) for i, k in pairs]
    for pick, others in picks:
        if half.inner & set(others):
            continue
        child: _Half | None = half
        before = half
        affected = _set(info[NEAR_MASK])
        for a in others:
            assert child is not None
            if a in half.mates:
                affected |= _set(info[TOUCHED] if a == steps.virtual_slot else steps.later[t][a])
            before, child = child, _joined(child, v, a)
            if child is None and (before.inner | {v, a} != _set(info[PRESENT]) or not info[IS_ALL_SEEN]):
                break
        else:
            if child is None:
                yield pick, None
            elif _is_alive(steps, t, child := _Half(child.inner - {v}, child.mates), affected):
                yield pick, child


def _is_alive(steps: Steps, t: int, half: _Half, affected: set[int]) -> bool:
    """Whether the affected slots can still get all their moves, some of them from the virtual square."""
    free = _set(steps.info[t][PRESENT]) - {steps.info[t][SLOT]} - half.inner
    helper = steps.virtual_slot
    spare = (2 - (helper in half.mates)) if helper in free else 0
    needed = 0
    for i in affected & free:
        mate = half.mates.get(i)
        partners = _set(steps.later[t][i]) & free
        if mate is not None and not steps.info[t][IS_ALL_SEEN]:
            partners -= {mate}
            if mate == helper and not partners and not steps.unseen[t][i]:
                return False
        missing = (2 if mate is None else 1) - len(partners) - steps.unseen[t][i]
        if missing == 2:
            return False
        needed += max(missing, 0)
    return needed <= spare


class _Carry:
    """What states carry: called with the state, the pick, and the number of the next state."""

    def enter(self, s: int, pick: int, k: int, is_new: bool) -> None: ...
    def close(self, s: int, pick: int) -> bool:
        return False

    def has_room(self, s: int, room: int) -> bool:
        return True

    def leave(self, s: int) -> None: ...


def _march(steps: Steps, layers: Layers, carry: _Carry, t: int, last: int) -> int:
    counters, keys = layers.counters, layers.next.words
    room = steps.info[t][ROOM]
    while counters[DONE] < last:
        s, made = counters[DONE], counters[MADE]
        if made >= counters[MOST]:
            return SPENT
        if made + room > min(len(keys), len(layers.next.table) // 2) or not carry.has_room(s, room):
            return FULL
        for pick, child in _children(steps, t, _read(steps, layers.source[s])):
            if child is None:
                if carry.close(s, pick):
                    return FOUND
                continue
            words, count = _written(steps, child), counters[MADE]
            k = keys.index(words) if words in keys[:count] else count
            keys[k] = words
            counters[MADE] = max(count, k + 1)
            carry.enter(s, pick, k, k == count)
        carry.leave(s)
        counters[DONE] += 1
    return RUNNING


def parents(steps: Steps, layers: Layers, ways: list[list[int]], closed: list[list[int]], t: int, last: int) -> int:
    class Carry(_Carry):
        def enter(self, s: int, pick: int, k: int, is_new: bool) -> None:
            if is_new:
                ways[k] = [s, pick]

        def close(self, s: int, pick: int) -> bool:
            closed[0] = [s, pick]
            return True

    return _march(steps, layers, Carry(), t, last)


def ways(
    steps: Steps, layers: Layers, offsets: list[int], targets: list[int], codes: list[int], t: int, last: int
) -> int:
    class Carry(_Carry):
        count = offsets[layers.counters[DONE]]

        def enter(self, s: int, pick: int, k: int, is_new: bool) -> None:
            targets[self.count], codes[self.count] = k, pick
            self.count += 1

        def close(self, s: int, pick: int) -> bool:
            self.enter(s, pick, -1, False)
            return False

        def has_room(self, s: int, room: int) -> bool:
            return self.count + room <= len(targets)

        def leave(self, s: int) -> None:
            offsets[s + 1] = self.count

    return _march(steps, layers, Carry(), t, last)


def sums(
    steps: Steps,
    layers: Layers,
    weights: list[int],
    before: list[int],
    sums: list[int],
    total: list[int],
    many: int,
    t: int,
    last: int,
) -> int:
    size, digits = len(total), len(total) // many

    def number(numbers: list[int]) -> int:
        return sum(digit << 64 * j for j, digit in enumerate(numbers))

    def add(sums: list[int], at: int, s: int, pick: int, is_new: bool = False) -> None:
        for j in range(many):
            here, there = (slice(k * size + j * digits, k * size + (j + 1) * digits) for k in (at, s))
            weight = weights[pick * many + j] if weights else 1
            whole = (0 if is_new else number(sums[here])) + weight * number(before[there])
            sums[here] = [whole >> 64 * d & (1 << 64) - 1 for d in range(digits)]

    class Carry(_Carry):
        def enter(self, s: int, pick: int, k: int, is_new: bool) -> None:
            add(sums, k, s, pick, is_new)

        def close(self, s: int, pick: int) -> bool:
            add(total, 0, s, pick)
            return False

    return _march(steps, layers, Carry(), t, last)


def best(
    steps: Steps,
    layers: Layers,
    worth: list[int],
    before: list[list[int]],
    best: list[list[int]],
    ways: list[list[int]],
    closed: list[int],
    t: int,
    last: int,
) -> int:
    class Carry(_Carry):
        def enter(self, s: int, pick: int, k: int, is_new: bool) -> None:
            value = before[s][0] + worth[pick]
            if is_new or value > best[k][0]:
                best[k], ways[k] = [value], [s, pick]

        def close(self, s: int, pick: int) -> bool:
            value = before[s][0] + worth[pick]
            if closed[2] < 0 or value > closed[0]:
                closed[:] = value, s, pick
            return False

    return _march(steps, layers, Carry(), t, last)


def reindex(keys: Keys, width: int, first: int, last: int) -> None:
    for k in range(first, last):
        place = next(i for i, (number, _) in enumerate(keys.table) if not number)
        keys.table[place] = [k + 1, 0]


def numbers_of(keys: Keys, *rest: Any) -> tuple[Any, ...]:
    """Without the places in the table, which are the kernel's affair; it must hold the same numbers."""
    return keys.words, sorted(number for number, _ in keys.table)


def seen(steps: Steps, layers: Layers, *rest: Any) -> Any:
    """Without the table, and what lies behind the states that are made."""
    made = layers.counters[MADE]
    return layers.counters, layers.next.words[:made], rest


# ---------------------------------------------------------------- cases

_PROBLEMS = [
    Problem.of((3, 4)),
    Problem.of((3, 10), closed=True),
    Problem.of((5, 5), start="a1", end="e5"),
    Problem.of((4, 5), start="a1"),
    Problem.of(Board(4, 4, wrap="torus"), closed=True),
    Problem.of(Board(5, 9, wrap="torus", holes=["c3"]), closed=True),
    Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
    Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]])), closed=True),
]


class _Nothing(Algebra):
    door = "march_sums"
    carried = ((np.uint64, 1),)

    def arguments(self, source: Any, target: Any) -> tuple[Any, ...]:
        sums = (source.carried[0].ravel(), target.carried[0].ravel(), np.zeros(1, dtype=np.uint64))
        return np.zeros(0, dtype=np.int64), *sums, 1


def _layers(problem: Problem) -> Iterator[tuple[March, int, Any]]:
    """Each layer with its number; of wide ones some states."""
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
                if t % 4 and (problem.board.square_count > 20 or (states, most) != (100, 1 << 40)):
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
    return weights.ravel(), before.ravel(), *sums, many


def _of_best(march: March, t: int, count: int, room: int, random: np.random.Generator) -> tuple[Any, ...]:
    worth, before = random.integers(-2, 3, _picks(march, t)), random.integers(0, 4, (count, 1))
    best, ways = np.zeros((room, 1), dtype=np.int64), np.zeros((room, 2), dtype=np.int32)
    return worth, before, best, ways, np.array([0, 0, -1], dtype=np.int64)


def _to_reindex() -> Iterator[Case]:
    for width, count in [(1, 1), (2, 300), (5, 40)]:
        words = np.arange(width * count, dtype=np.uint64).reshape(count, width) ** np.uint64(5)
        keys = Keys(words, np.zeros((1024, 2), dtype=np.uint32))
        yield Case(f"{count} keys", (keys, width), [(0, count // 2), (count // 2, count)])


ROWS = [
    Row("march_parents", parents, lambda: _cases(_of_parents), seen),
    Row("march_ways", ways, lambda: _cases(_of_ways), seen),
    Row("march_sums", sums, lambda: _cases(_of_sums), seen),
    Row("march_best", best, lambda: _cases(_of_best), seen),
    Row("march_reindex", reindex, _to_reindex, numbers_of),
]
