"""What a step makes of all states of tours that may leave squares, state by state: each with the mates of its ends."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import dense as kernel
from knightstour.core.kernels.counting.dense import Layout, Step
from knightstour.core.machine.native import door
from knightstour.lab.counting import matchings
from reference import Case, Row

Mates = tuple[int, ...]


@functools.cache
def all_matchings(ends: int) -> list[Mates]:
    """The mates of each of some ends, for all ways to match them, in order."""
    if ends == 0:
        return [()]
    found = []
    for mate in range(1, ends):
        rest = [x for x in range(1, ends) if x != mate]
        for inner in all_matchings(ends - 2):
            mates = {0: mate, mate: 0} | {rest[x]: rest[y] for x, y in enumerate(inner)}
            found.append(tuple(mates[x] for x in range(ends)))
    return found


def change(targets: list[int], kind: int, pairs: int, i: int, j: int, first: int, last: int) -> None:
    ends = 2 * (pairs - (kind == kernel.ADDED))
    for rank in range(first, last):
        mates = all_matchings(ends)[rank]
        # Ends as names in order: what is added, moved or joined changes the order alone.
        names: list[Any] = list(range(ends))
        partner = dict(enumerate(mates))
        if kind == kernel.ADDED:
            for place, name in sorted([(i, "one"), (j, "other")]):
                names.insert(place, name)
            partner |= {"one": "other", "other": "one"}  # type: ignore[dict-item]
        elif kind == kernel.MOVED:
            names.insert(j, names.pop(i))
        elif mates[i] == j:
            targets[rank] = -1
            continue
        else:
            names = [x for x in names if x not in (i, j)]
            partner |= {mates[i]: mates[j], mates[j]: mates[i]}
        made = tuple(names.index(partner[name]) for name in names)
        targets[rank] = all_matchings(len(names)).index(made)


class State(NamedTuple):
    """The mate of each slot that is an end, and the slots that are done."""

    mates: frozenset[tuple[int, int]]
    done: frozenset[int]


def places(layout: Layout) -> dict[State, int]:
    """Where each state is."""
    found = {}
    for ends in itertools.chain.from_iterable(itertools.combinations(range(layout.slots), n) for n in range(0, 99, 2)):
        others = [slot for slot in range(layout.slots) if slot not in ends]
        ways = all_matchings(len(ends))
        for which in range(1 << len(others)):
            done = frozenset(slot for k, slot in enumerate(others) if which >> k & 1)
            for rank, way in enumerate(ways):
                mates = frozenset((ends[x], ends[y]) for x, y in enumerate(way))
                found[State(mates, done)] = layout.base[sum(1 << s for s in ends)] + which * len(ways) + rank
    return found


def after(state: State, step: Step, near: list[int]) -> Iterator[tuple[State | None, int]]:
    """What a state becomes, and how many moves are made; None for a whole tour."""
    mate, square = dict(state.mates), step.square
    if square in state.done:
        yield State(state.mates, state.done - {square}), 0
        return
    # "here" is the square that is dealt with; its slot may be that of a new square.
    if square in mate:
        far = mate.pop(square)
        mate["here"], mate[far] = far, "here"  # type: ignore[index, assignment]
        choices = [(slot,) for slot in near]
    else:
        yield state, 0
        choices = list(itertools.combinations(near, 2))  # type: ignore[arg-type]
    for chosen in choices:
        moves = sum(slot != step.ends for slot in chosen)
        joined: dict[Any, Any] = dict(mate)
        done = set(state.done)
        if any(slot in done for slot in chosen):
            continue
        tip: Any = joined.pop("here") if "here" in joined else None
        is_closed = False
        for slot in chosen:
            if tip is None:
                # The path of the square begins at the other end of what it meets first.
                tip = joined.pop(slot, slot)
                if tip != slot:
                    done.add(slot)
                continue
            if tip == slot:
                is_closed = True
                joined.pop(slot)
                done.add(slot)
                continue
            far = joined.pop(slot, slot)
            if far != slot:
                done.add(slot)
            joined[tip], joined[far] = far, tip
        if not is_closed:
            yield State(frozenset(joined.items()), frozenset(done)), moves
        elif not joined and (step.ends < 0 or step.ends in done):
            yield None, moves


def swept(add: Callable[[Any, int, int, int], None], *arguments: Any) -> int:
    """add(array, place, number, moves): adds a way with this number to an item."""
    layout, _, step, states, filled, _, _, _, total, first, last = arguments
    place = places(layout)
    others = [slot for slot in range(layout.slots) if step.others >> slot & 1]

    def group(state: State) -> int:
        ends = {a for a, _ in state.mates}
        return sum((2 if slot in ends else slot in state.done) * 3**k for k, slot in enumerate(others))

    made = [0] * len(states)
    chosen = {state: at for state, at in place.items() if first <= group(state) < last}
    for state, at in chosen.items():
        if states[at]:
            for child, moves in after(state, step, step.near):
                add(total if child is None else made, 0 if child is None else place[child], states[at], moves)
    for at in chosen.values():
        states[at] = made[at]
    classes: dict[int, bool] = {}
    for state, at in chosen.items():
        ends = {a for a, _ in state.mates}
        number = sum((2 if slot in ends else slot in state.done) * 3**slot for slot in range(layout.slots))
        classes[number] = classes.get(number, False) or states[at] > 0
    for number, is_filled in classes.items():
        filled[number] = int(is_filled)
    return sum(states[at] > 0 for at in chosen.values())


def counts(*arguments: Any) -> int:
    *most, modulus, first, last = arguments
    total = arguments[8]

    def add(array: Any, place: int, number: int, moves: int) -> None:
        summed = array[place] + number
        total[1] |= int(not modulus and summed >= 1 << 64)
        array[place] = summed % (modulus or 1 << 64)

    return swept(add, *most, first, last)


def most(*arguments: Any) -> int:
    def add(array: Any, place: int, number: int, moves: int) -> None:
        array[place] = max(array[place], number + moves)

    return swept(add, *arguments)


def cases_of(dtype: type[np.generic], numbers: tuple[int, ...], start: int) -> Iterator[Case]:
    questions: list[tuple[str, dict[str, Any]]] = [
        ("3x3", {"closed": True}),
        ("3x4", {"closed": True}),
        ("3x3", {}),
        ("3x3:king", {"start": "a1", "end": "c3"}),
    ]
    for board, asked in questions:
        plan = matchings.dense_plan(Problem.of(board, visits="some", **asked))
        if plan.slots > 6:
            continue
        layout, changes = matchings.layout_of(plan.slots), matchings.changes_of(plan)
        states, filled = np.zeros(plan.states, dtype=dtype), np.zeros(3**plan.slots, dtype=np.uint8)
        states[0], filled[0] = start, 1
        name = door("dense_most" if dtype is np.uint8 else "dense_counts")
        for t, dealt in enumerate(plan.steps):
            groups = 3 ** dealt.step.others.bit_count()
            held = (layout, changes, dealt.step, states.copy(), filled.copy(), *matchings.tools_of(dealt, dtype))
            halves = [(*numbers, 0, groups // 2), (*numbers, groups // 2, groups)]
            yield Case(f"{board} {asked}, step {t}", held, halves)
            name(layout, changes, dealt.step, states, filled, *matchings.tools_of(dealt, dtype), *numbers, 0, groups)


def count_cases() -> Iterator[Case]:
    for modulus, start in ((0, 1), (97, 1), (0, (1 << 63) + 5)):
        yield from cases_of(np.uint64, (modulus,), start)


def change_cases() -> Iterator[Case]:
    for pairs in (1, 2, 3, 4):
        for i, j in itertools.permutations(range(2 * pairs), 2):
            for kind in range(3):
                count = kernel.MATCHINGS[pairs - (kind == kernel.ADDED)]
                if kind == kernel.MOVED or i < j:
                    yield Case(
                        f"{kind} {pairs} {i} {j}", (np.zeros(count, dtype=np.int32), kind, pairs, i, j), [(0, count)]
                    )


def seen(*arguments: Any) -> Any:
    states, filled, total = arguments[3], arguments[4], arguments[8]
    return states, filled, total


ROWS = [
    Row("dense_counts", counts, count_cases, seen),
    Row("dense_most", most, lambda: cases_of(np.uint8, (), 1), seen),
    Row("dense_change", change, change_cases),
]
