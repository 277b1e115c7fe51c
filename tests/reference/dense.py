"""Cases of counting/dense: steps of small plans, with the states in both halves of their groups."""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import dense as kernel
from knightstour.core.machine.native import kernel_function
from knightstour.lab.counting import matchings
from reference import Case, Row


def cases_of(dtype: type[np.generic], numbers: tuple[int, ...], start: int) -> Iterator[Case]:
    questions: list[tuple[str, dict[str, Any]]] = [
        ("3x3", {"closed": True}),
        ("3x4", {"closed": True}),
        ("3x3", {}),
        ("3x3:king", {"start": "a1", "end": "c3"}),
    ]
    for board, asked in questions:
        plan = matchings.dense_plan(Problem(board, partial=True, **asked))
        if plan.slots > 6:
            continue
        layout, changes = matchings.layout_of(plan.slots), matchings.changes_of(plan)
        states, filled = np.zeros(plan.states, dtype=dtype), np.zeros(3**plan.slots, dtype=np.uint8)
        states[0], filled[0] = start, 1
        name = kernel_function("dense_most" if dtype is np.uint8 else "dense_counts")
        for t, dealt in enumerate(plan.steps):
            groups = 3 ** dealt.step.others.bit_count()
            held = (layout, changes, dealt.step, states.copy(), filled.copy(), *matchings.tools_of(dealt, dtype))
            halves = [(*numbers, 0, groups // 2), (*numbers, groups // 2, groups)]
            yield Case(f"{board} {asked}, step {t}", held, halves)
            name(layout, changes, dealt.step, states, filled, *matchings.tools_of(dealt, dtype), *numbers, 0, groups)


def count_cases() -> Iterator[Case]:
    for modulus, start in ((0, 1), (97, 1), (0, (1 << 63) + 5)):
        yield from cases_of(np.uint64, (modulus,), start)
    yield from cases_of(np.uint16, (65521,), 65520)


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
    Row("dense_counts", None, count_cases, seen),
    Row("dense_most", None, lambda: cases_of(np.uint8, (), 1), seen),
    Row("dense_change", None, change_cases),
]
