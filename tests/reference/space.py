"""Numbers of tours of two halves, from the definition: all half-made tours are listed, in the order of the numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import classes as words
from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.space import PLACE, Chain, Half, Space
from knightstour.lab.counting.halves.middle import Desk
from knightstour.lab.counting.spaces.by_halves import HalvesSpace
from reference import Case, Row, as_lists
from reference.join import OUT, Class, Found, Key, key_of, mates_of, pair_of, value_of
from reference.lists import changed, edge_of

# The moves of a tour, or of half of one: pairs of squares, the lower one first.
Moves: TypeAlias = frozenset[tuple[int, int]]


def move(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)


# ---------------------------------------------------------------- half-made tours


def moves_of_step(chain: Chain, t: int, before: Class, after: Class) -> Iterator[tuple[int, int]]:
    """The slot of each move that a step makes, and its number of times."""
    kind, slot = chain.steps[t][words.KIND], chain.steps[t][words.SLOT]
    for other in range(16):
        bit = 1 << other
        # What was in the square's own slot goes with it, and an heir begins bare.
        was = 0 if other == slot else 2 if before.inner & bit else 1 if before.ends & bit else 0
        now = 2 if after.inner & bit else 1 if after.ends & bit else 0
        if kind == words.DEAL and now > was:
            yield other, now - was


def states_before(chain: Chain, t: int, c: int, word: int) -> Iterator[tuple[int, int]]:
    """The class, numbered within its layer, and the place of each state that a step makes this one of, in order."""
    here = chain.class_at[t + 1] + c
    after = key_of(mates_of(word, Class.of(chain.classes[here])))
    for e in range(chain.edge_starts[here], chain.edge_starts[here + 1]):
        source, name, a, b, _ = edge_of(chain.edges[e])
        there = chain.class_at[t] + source
        before = Class.of(chain.classes[there])
        found = []
        for i in range(chain.begins[there], chain.begins[there + 1]):
            mates = mates_of(chain.words[i], before)
            new = changed(mates, name, a, b)
            is_it = chain.words[i] == word if name == words.KEEP else new is not None and key_of(new) == after
            if is_it:
                # Where one path comes from two: by the slot that went with a, if any, then by that which went with b.
                cut = (0, 0)
                if name == words.LOOSEN_LAST or (name == words.JOIN and mates[a] != OUT):
                    cut = (mates[a], 0)
                elif name == words.JOIN:
                    cut = (mates[b], 1)
                found.append((cut, i))
        yield from ((source, i) for _, i in sorted(found))


def halves_of_state(chain: Chain, t: int, c: int, word: int) -> list[Moves]:
    """All half-made tours that have a state after t steps, in order."""
    if t == 0:
        return [frozenset()]
    after = Class.of(chain.classes[chain.class_at[t] + c])
    found = []
    for source, i in states_before(chain, t - 1, c, word):
        before = Class.of(chain.classes[chain.class_at[t - 1] + source])
        square, places = chain.square_at[t - 1], chain.square_in[t - 1]
        made = {move(square, places[slot]) for slot, _ in moves_of_step(chain, t - 1, before, after)}
        found += [tour | made for tour in halves_of_state(chain, t - 1, source, chain.words[i])]
    return found


def halves_of_word(half: Half, states: list[tuple[int, int, int]]) -> list[Moves]:
    """All half-made tours that have a class and a word, in order."""
    found = []
    for j, i, x in states:
        middle = {move(a, b) for m, (a, b) in enumerate(half.chain.moves) if half.side.subsets[x][2] >> m & 1}
        word = half.side.states[i][0]
        found += [tour | middle for tour in halves_of_state(half.chain, len(half.chain.steps), j, word)]
    return found


def rank_of(key: Key, extra: int) -> int:
    """Of all the ways to pair these ends, by the mate of the lowest one, then that of the lowest one left, ...

    extra: the slot that the loose end is taken to be in.
    """
    mates = {extra if a == OUT else a: extra if b == OUT else b for a, b in key}
    left, rank = sorted(mates), 0
    while left:
        mate = mates[left.pop(0)]
        # How many ways there are for the rest: 1 * 3 * 5 * ...
        ways = 1
        for odd in range(3, len(left), 2):
            ways *= odd
        rank += left.index(mate) * ways
        left.remove(mate)
    return rank


# ---------------------------------------------------------------- tours of a class


def words_of(space: Space, code: int) -> tuple[list[Key], list[Key], Found, Found]:
    """The left and the right words of a class, by rank, and where they come from; right words in left slots."""
    pair = pair_of(code, space.left.side, space.right.side, space.fit)
    if pair is None:
        return [], [], {}, {}
    ends = Class.of(code).ends
    extra = next(slot for slot in range(17) if not ends >> slot & 1)
    left, right = (sorted(found, key=lambda key: rank_of(key, extra)) for found in (pair.left, pair.right))
    return left, right, pair.left, pair.right


def fitting(left: Key, rights: list[Key]) -> list[Key]:
    from reference.join import is_one_cycle

    return [right for right in rights if is_one_cycle(left, right)]


def count_of(half: Half, states: list[tuple[int, int, int]]) -> int:
    return sum(value_of(half.side, i) for _, i, _ in states)


_NUMBERED: dict[int, tuple[Any, dict[int, list[Moves]]]] = {}


def tours_of(space: Space, code: int) -> list[Moves]:
    """The moves of the tours of a class, in order: by left word, right half and left half."""
    known = _NUMBERED.setdefault(id(space.left.side.classes), (space.left.side.classes, {}))[1]
    if code not in known:
        lefts, rights, left_from, right_from = words_of(space, code)
        found = known[code] = []
        for left in lefts:
            mine = halves_of_word(space.left, left_from[left])
            others = [tour for key in fitting(left, rights) for tour in halves_of_word(space.right, right_from[key])]
            found += [one | other for other in others for one in mine]
    return known[code]


def space_totals(
    finals: list[int], space: Space, room: Any, tables: Any, counters: list[int], totals: list[list[int]], last: int
) -> int:
    for k in range(counters[joining.NEXT], last):
        total = len(tours_of(space, finals[k]))
        totals[k] = [total >> 31 * j & 2**31 - 1 for j in range(4)]
    counters[joining.NEXT] = last
    return joining.DONE


def space_unrank(
    finals: list[int],
    asked: list[list[int]],
    space: Space,
    room: Any,
    paper: Any,
    tables: Any,
    counters: list[int],
    links: list[list[list[int]]],
    size: int,
    last: int,
) -> int:
    while counters[joining.NEXT] < last:
        k, number = asked[counters[joining.NEXT]]
        tours = tours_of(space, finals[k])
        if number >= len(tours):
            return joining.BROKEN
        near = links[counters[joining.NEXT]]
        for a, b in tours[number]:
            for one, other in ((a, b), (b, a)):
                near[one] = [max(near[one]), other] if max(near[one]) >= 0 else [-1, other]
        counters[joining.NEXT] += 1
    return joining.DONE


def space_rank(
    finals: list[int],
    places: list[int],
    space: Space,
    room: Any,
    paper: Any,
    tables: Any,
    counters: list[int],
    links: list[list[list[int]]],
    found: list[list[int]],
    size: int,
    last: int,
) -> int:
    while counters[joining.NEXT] < last:
        q = counters[joining.NEXT]
        tour = frozenset(move(a, b) for a, near in enumerate(links[q]) for b in near if b >= 0)
        known = [(k, tours_of(space, code)) for k, code in enumerate(finals)]
        where = [(k, tours.index(tour)) for k, tours in known if tour in tours]
        if not where:
            return joining.BROKEN
        ((k, number),) = where
        found[q] = [places[k], number]
        counters[joining.NEXT] += 1
    return joining.DONE


# ---------------------------------------------------------------- cases


QUESTIONS = [
    Problem.of((5, 6), closed=True),
    Problem.of((3, 10), closed=True),
    Problem.of((4, 5)),
    Problem.of((4, 5), start=(0, 0)),
]


def spaces() -> Iterator[tuple[str, HalvesSpace, Desk]]:
    for problem in QUESTIONS:
        space = HalvesSpace.build(problem, threads=1)
        with space.desks.lent() as desk:
            desk.grow(1 << 10, 1 << 9)
            for array in (desk.counters, desk.scratch.ranks, desk.scratch.values, desk.scratch.ways):
                array[:] = 0
            yield str(problem), space, desk


def totals() -> Iterator[Case]:
    for name, space, desk in spaces():
        count = len(space.finals)
        sums = np.zeros((count, 4), dtype=np.int64)
        arguments = (space.finals, space.tools.space, desk.scratch, space.tools.tables, desk.counters, sums)
        yield Case(name, arguments, [(count // 2,), (count,)])


def asked_of(space: HalvesSpace) -> np.ndarray:
    """Tours by their class and number in it."""
    known = as_lists(space.tools.space)
    rows = []
    for k, code in enumerate(space.finals.tolist()):
        rows += [(k, number) for number in range(len(tours_of(known, code)))]
    return np.array(rows[:: max(1, len(rows) // 60)], dtype=np.int64).reshape(-1, PLACE)


def unranking() -> Iterator[Case]:
    for name, space, desk in spaces():
        asked = asked_of(space)
        # The last one is no tour.
        asked = np.concatenate([asked, [[asked[-1, 0], 10**9]]])
        links = np.full((len(asked), space.size, 2), -1, dtype=np.int64)
        room = (desk.scratch, desk.paper, space.tools.tables, desk.counters)
        arguments = (space.finals, asked, space.tools.space, *room, links, space.size)
        yield Case(name, arguments, [(len(asked) // 2,), (len(asked) - 1,), (len(asked),)])


def ranking() -> Iterator[Case]:
    for name, space, desk in spaces():
        numbers = np.linspace(0, space.count - 1, 40).astype(np.int64)
        links = space.links(numbers)
        # And a tour with one move less.
        broken = links[0].copy()
        a = int(np.flatnonzero(broken[:, 1] >= 0)[0])
        b = int(broken[a, 1])
        broken[a, 1] = -1
        broken[b][broken[b] == a] = -1
        links = np.concatenate([links, broken[None]])
        found = np.zeros((len(links), PLACE), dtype=np.int64)
        room = (desk.scratch, desk.paper, space.tools.tables, desk.counters)
        arguments = (space.tools.rising, space.tools.places, space.tools.space, *room, links, found, space.size)
        yield Case(name, arguments, [(10,), (len(numbers),), (len(links),)])


def space_write_orders(links: list[list[list[int]]], size: int, firsts: list[int], orders: list[list[int]]) -> int:
    for near, first, order in zip(links, firsts, orders, strict=True):
        order[0] = first
        order[1] = min(square for square in near[first] if square >= 0)
        for step in range(2, len(order)):
            (order[step],) = (square for square in near[order[step - 1]] if square != order[step - 2])
    return 0


def writing_orders() -> Iterator[Case]:
    for name, space, _ in spaces():
        links = space.links(np.linspace(0, space.count - 1, 40).astype(np.int64))
        firsts = np.array([np.flatnonzero(near[:, 1] < 0)[-1] if (near < 0).any() else 0 for near in links])
        for kind in (np.uint8, np.uint16, np.int32):
            orders = np.zeros((len(links), space.size), dtype=kind)
            yield Case(f"{name}, {kind.__name__}", (links, space.size, firsts, orders), [()])


def _sorted(links: list[list[list[int]]]) -> list[list[list[int]]]:
    return [[sorted(near) for near in tour] for tour in links]


ROWS = [
    Row("space_write_orders", space_write_orders, writing_orders, lambda *a: a[3]),
    Row("space_totals", space_totals, totals, lambda *a: (a[4][joining.NEXT], a[5])),
    Row("space_unrank", space_unrank, unranking, lambda *a: (a[6][joining.NEXT], _sorted(a[7][: a[6][joining.NEXT]]))),
    Row("space_rank", space_rank, ranking, lambda *a: (a[6][joining.NEXT], a[8][: a[6][joining.NEXT]])),
]
