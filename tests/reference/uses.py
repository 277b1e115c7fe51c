"""How many tours use each move, from the definition: ways to go on from each state, added up along the edges."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.join import Fit, Side
from knightstour.core.kernels.counting.space import Chain
from knightstour.lab.counting.spaces.by_halves import partners
from knightstour.lab.counting.spaces.move_counts import turned_fit
from reference import Case, Row
from reference.join import Class, pair_of, value_of
from reference.space import moves_of_step, spaces, states_before


def uses_last(
    finals: list[int],
    left: Side,
    right: Side,
    fit: Fit,
    room: Any,
    tables: Any,
    counters: list[int],
    weights: list[int],
    uses: list[int],
    last: int,
) -> int:
    for code in finals[counters[joining.NEXT] : last]:
        pair = pair_of(code, left, right, fit)
        for key, other in pair.fitting() if pair else ():
            ways = sum(value_of(right, i) for _, i, _ in pair.right[other])
            for _, i, x in pair.left[key]:
                weights[i] += ways
                for m in range(len(uses)):
                    if left.subsets[x][2] >> m & 1:
                        uses[m] += ways * value_of(left, i)
    counters[joining.NEXT] = last
    return joining.DONE


def uses_back(
    chain: Chain,
    words: list[int],
    words_at: list[int],
    weights: list[int],
    weights_before: list[int],
    uses: list[int],
    t: int,
    first: int,
    last: int,
) -> None:
    origin = chain.begins[chain.class_at[t]]
    for j in range(first, last):
        after = Class.of(chain.classes[chain.class_at[t + 1] + j])
        for k in range(words_at[j], words_at[j + 1]):
            for source, i in states_before(chain, t, j, words[k]):
                before = Class.of(chain.classes[chain.class_at[t] + source])
                weights_before[i - origin] += weights[k]
                for slot, _ in moves_of_step(chain, t, before, after):
                    uses[slot] += weights[k] * chain.counts[i]


def lasts() -> Iterator[Case]:
    for name, space, desk in spaces():
        known = space.tools.space
        fits = [known.fit, turned_fit(space.cut)]
        finals = [space.finals, partners(space.cut, known.fit, space.finals)]
        sides = [known.left.side, known.right.side]
        for k in range(2):
            counters = np.zeros(joining.COUNTERS, dtype=np.int64)
            sums = (np.zeros(len(sides[k].states), dtype=np.int64), np.zeros(len(sides[k].moves), dtype=np.int64))
            room = (desk.scratch, space.tools.tables, counters)
            count = len(space.finals)
            yield Case(f"{name} {k}", (finals[k], sides[k], sides[1 - k], fits[k], *room, *sums), [(9,), (count,)])


def backs() -> Iterator[Case]:
    for name, space, _ in spaces():
        chain, side = space.tools.space.left
        words, words_at = np.ascontiguousarray(side.states[:, 0]), np.append(side.offsets, len(side.states))
        for t in range(len(chain.steps) - 1, -1, -1):
            first, last, end = (int(at) for at in chain.class_at[t : t + 3])
            low, high = int(chain.begins[first]), int(chain.begins[last])
            weights = np.arange(1, len(words) + 1, dtype=np.int64)
            sums = (np.zeros(high - low, dtype=np.int64), np.zeros(16, dtype=np.int64))
            count = end - last
            yield Case(
                f"{name} {t}", (chain, words, words_at, weights, *sums, t), [(0, count // 2), (count // 2, count)]
            )
            words, words_at = chain.words[low:high], chain.begins[first : last + 1] - low


ROWS = [
    Row("uses_last", uses_last, lasts, lambda *a: (a[6][joining.NEXT], a[7], a[8])),
    Row("uses_back", uses_back, backs, lambda *a: (a[4], a[5])),
]
