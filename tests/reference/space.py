"""Cases of ranking and unranking of tours."""

from collections.abc import Iterator

import numpy as np

from knightstour import Problem
from knightstour.core.kernels.counting import join as joining
from knightstour.core.kernels.counting.join import PLACE
from knightstour.lab.counting.spaces.by_halves import HalvesSpace
from reference import Case, Row
from reference.join import room_of

QUESTIONS = [
    Problem((5, 6), closed=True),
    Problem((3, 10), closed=True),
    Problem((4, 5)),
    Problem((4, 5), start=(0, 0)),
]


def spaces() -> Iterator[tuple[str, HalvesSpace]]:
    for problem in QUESTIONS:
        yield str(problem), HalvesSpace.build(problem, threads=1)


def totals() -> Iterator[Case]:
    for name, space in spaces():
        count = len(space.finals)
        sums = np.zeros((count, 4), dtype=np.int64)
        arguments = (space.finals, space.tools.space, *room_of(), sums)
        yield Case(name, arguments, [(count // 2,), (count,)])


def asked_of(space: HalvesSpace) -> np.ndarray:
    """Return tours by their class and number in it."""
    sizes = np.diff(space._begins).tolist()
    rows = [(k, number) for k, size in enumerate(sizes) for number in range(size)]
    return np.array(rows[:: max(1, len(rows) // 60)], dtype=np.int64).reshape(-1, PLACE)


def unranking() -> Iterator[Case]:
    for name, space in spaces():
        asked = asked_of(space)
        # The last one is no tour.
        asked = np.concatenate([asked, [[asked[-1, 0], 10**9]]])
        links = np.full((len(asked), space.size, 2), -1, dtype=np.int64)
        arguments = (space.finals, asked, space.tools.space, *room_of(), links, space.size)
        yield Case(name, arguments, [(len(asked) // 2,), (len(asked) - 1,), (len(asked),)])


def ranking() -> Iterator[Case]:
    for name, space in spaces():
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
        arguments = (space.tools.rising, space.tools.places, space.tools.space, *room_of(), links, found, space.size)
        yield Case(name, arguments, [(10,), (len(numbers),), (len(links),)])


def writing_orders() -> Iterator[Case]:
    for name, space in spaces():
        links = space.links(np.linspace(0, space.count - 1, 40).astype(np.int64))
        firsts = np.array([np.flatnonzero(near[:, 1] < 0)[-1] if (near < 0).any() else 0 for near in links])
        for kind in (np.uint8, np.uint16, np.int32):
            orders = np.zeros((len(links), space.size), dtype=kind)
            yield Case(f"{name}, {kind.__name__}", (links, space.size, firsts, orders), [()])


def _sorted(links: list[list[list[int]]]) -> list[list[list[int]]]:
    return [[sorted(near) for near in tour] for tour in links]


ROWS = [
    Row("space_write_orders", None, writing_orders, lambda *a: a[3]),
    Row("space_totals", None, totals, lambda *a: (a[4][joining.NEXT], a[5])),
    Row("space_unrank", None, unranking, lambda *a: (a[5][joining.NEXT], _sorted(a[6][: a[5][joining.NEXT]]))),
    Row("space_rank", None, ranking, lambda *a: (a[5][joining.NEXT], a[7][: a[5][joining.NEXT]])),
]
