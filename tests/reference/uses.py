"""Cases of the number of tours that use each move."""

from collections.abc import Iterator

import numpy as np

from knightstour.core.kernels.counting import join as joining
from knightstour.lab.counting.spaces.by_halves import partners
from knightstour.lab.counting.spaces.move_counts import swap_halves
from reference import Case, Row
from reference.join import room_of
from reference.space import spaces


def lasts() -> Iterator[Case]:
    for name, space in spaces():
        known = space.tools.space
        fits = [known.fit, swap_halves(space.cut)]
        finals = [space.finals, partners(space.cut, known.fit, space.finals)]
        sides = [known.left.side, known.right.side]
        for k in range(2):
            sums = (np.zeros(len(sides[k].states), dtype=np.int64), np.zeros(len(sides[k].moves), dtype=np.int64))
            count = len(space.finals)
            yield Case(f"{name} {k}", (finals[k], sides[k], sides[1 - k], fits[k], *room_of(), *sums), [(9,), (count,)])


def backs() -> Iterator[Case]:
    for name, space in spaces():
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
    Row("uses_last", None, lasts, lambda *a: (a[6][joining.NEXT], a[7], a[8])),
    Row("uses_back", None, backs, lambda *a: (a[4], a[5])),
]
