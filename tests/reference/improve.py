"""Annealing of covers by loops, from its definition: loops and worth are counted from the links, in each step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from knightstour import BoardError, find_tour
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.improve import (
    ADDED,
    BEST,
    COMMONEST,
    COST,
    COUNT,
    CROSSING,
    DIVISOR,
    GOAL,
    KIND,
    LEVELS,
    LONGEST,
    LOOPS,
    MADE,
    MARK,
    MOST_PASSED,
    NEVER_PASSED,
    NODES,
    PENALTY,
    POWERS,
    RANDOM,
    REMOVED,
    ROUND,
    SIGN,
    TAKEN,
    TOTAL,
    UNCROSSED,
    VALUE,
    WIDTH,
    State,
)
from knightstour.core.model.symmetry import symmetries
from knightstour.core.proofs.symmetric import order_of_image
from knightstour.lab.objectives.covers import cover_of, start_state
from knightstour.lab.objectives.table import OBJECTIVES
from reference import Case, Row

RUNNING, DONE = 0, 1


class _Cannot(Exception):
    """A step that cannot be made."""


def step(s: State, nodes: int) -> int:
    """Try so many steps."""
    c = s.counters
    if c[LOOPS] == 0:
        c[LOOPS], c[COST] = len(loops_of(s)), c[SIGN] * value_of(s)
        _keep_best(s)
    for _ in range(nodes):
        if c[NODES] >= c[TOTAL] or c[BEST] <= c[GOAL]:
            return DONE
        c[NODES] += 1
        trail = _trail(s)
        if trail:
            _try(s, trail)
    return RUNNING


def _keep_best(s: State) -> None:
    c = s.counters
    if c[LOOPS] == 1 and c[COST] < c[BEST]:
        c[BEST], s.best_links[:] = c[COST], s.links


# ---------------------------------------------------------------- what a cover is worth


def loops_of(s: State) -> list[list[int]]:
    """The slots along each loop, from its first vertex by the first of its links."""
    loops: list[list[int]] = []
    for first in range(s.counters[COUNT]):
        if not any(slot // 2 == first for loop in loops for slot in loop):
            loop = [2 * first]
            while len(loop) < 2 or loop[-1] // 2 != first:
                there, here = s.links[loop[-1]], loop[-1] // 2
                back = [2 * there + k for k in (0, 1) if s.links[2 * there + k] == here]
                # Where both links go back, they are one loop of two vertices.
                came = back[0] if len(back) == 1 else 2 * there + loop[-1] % 2
                loop.append(came ^ 1)
            loops.append(loop[:-1])
    return loops


def _moves(s: State) -> Iterator[tuple[int, int, int]]:
    """(upper end, lower end, direction) of all links that are moves."""
    for slot, code in enumerate(s.directions):
        if code >= 0 and code % 2 == 0:
            yield slot // 2, s.links[slot], code


def _crossings(s: State, v: int, code: int) -> int:
    """How many moves cross that which goes down from v."""
    first, last = s.crossed_from[code // 2 : code // 2 + 2]
    others = [(s.at[s.place[v] + s.crossed_place[i]], s.crossed_code[i]) for i in range(first, last)]
    return sum(w >= 0 and wanted in s.directions[2 * w : 2 * w + 2] for w, wanted in others)


def _passes(s: State) -> list[int]:
    """The places that moves pass over, each as often as it happens."""
    return [
        s.place[v] + s.over_place[i]
        for v, _, code in _moves(s)
        for i in range(s.over_from[code // 2], s.over_from[code // 2 + 1])
    ]


def _longest_line(codes: list[int]) -> int:
    """The longest run of one direction on a loop."""
    runs = [1]
    for a, b in zip(codes * 2, (codes * 2)[1:], strict=False):
        runs.append(runs[-1] + 1 if a == b >= 0 else 1)
    return max(runs)


def value_of(s: State) -> int:
    """The number of the cover, by its definition."""
    c, moves = s.counters, list(_moves(s))
    if c[KIND] == UNCROSSED:
        return sum(_crossings(s, v, code) == 0 for v, _, code in moves)
    if c[KIND] == COMMONEST:
        return max(sum(code == slope for _, _, code in moves) for slope in range(0, 8, 2))
    if c[KIND] == ROUND:
        sums = [sum(s.move_cost[slot // 2][s.directions[slot]] for slot in loop) for loop in loops_of(s)]
        return sum(abs(found) // c[DIVISOR] for found in sums)
    if c[KIND] == LONGEST:
        return max(_longest_line([s.directions[slot] for slot in loop]) for loop in loops_of(s))
    if c[KIND] == MOST_PASSED:
        passes = _passes(s)
        return max(map(passes.count, passes), default=0)
    if c[KIND] == NEVER_PASSED:
        passes = set(_passes(s))
        return sum(s.at[place] == v and place not in passes for v, place in enumerate(s.place))
    assert c[KIND] == ADDED
    pairs = [s.directions[2 * v : 2 * v + 2] for v in range(c[COUNT])]
    corners = sum(s.corner_cost[8 * a + b] for a, b in pairs if min(a, b) >= 0)
    # Each crossing is met from both moves.
    crossings = sum(_crossings(s, v, code) for v, _, code in moves) // 2
    return sum(s.move_cost[v][code] for v, _, code in moves) + corners + c[CROSSING] * crossings


# ---------------------------------------------------------------- a step


def _draw(c: list[int]) -> int:
    c[RANDOM] = next_random(c[RANDOM])
    return c[RANDOM]


def _near(s: State, v: int) -> list[int]:
    return s.targets[s.offsets[v] : s.offsets[v + 1]]


def _linked(s: State, v: int) -> list[int]:
    return s.links[2 * v : 2 * v + 2]


def _trail(s: State) -> list[int]:
    """Vertices whose first link is to go, whose second to come, and so on in turn; none where what is drawn is no step.

    Two links and their vertices' neighbours; three where two would not do.
    """
    c = s.counters
    u, drawn = _draw(c) % c[COUNT], _draw(c)
    if not _near(s, u):
        return []
    x = _near(s, u)[drawn // 4 % len(_near(s, u))]
    at_u, at_x = 2 * u + drawn % 2, 2 * x + drawn // 2 % 2
    v, y = s.links[at_u], s.links[at_x]
    if x in _linked(s, u) or s.frozen[at_u] or s.frozen[at_x]:
        return []
    if v != y and y in _near(s, v):
        return [] if y in _linked(s, v) else [v, u, x, y]
    if not _near(s, y):
        return []
    drawn = _draw(c)
    z = _near(s, y)[drawn // 4 % len(_near(s, y))]
    w = s.links[2 * z + drawn % 2]
    is_step = not s.frozen[2 * z + drawn % 2] and w != v and w in _near(s, v)
    return [v, u, x, y, z, w] if is_step and z not in _linked(s, y) and w not in _linked(s, v) else []


def _try(s: State, trail: list[int]) -> None:
    """Make the step of a trail, with its images; leave it again if it costs too much."""
    c = s.counters
    before = s.links[:], s.directions[:]
    try:
        removed = _make(s, trail)
    except _Cannot:
        s.links[:], s.directions[:] = before
        return
    drawn = _draw(c)
    level = min(c[NODES] * c[LEVELS] // c[TOTAL], c[LEVELS] - 1)

    def is_taken(price: int) -> bool:
        return price <= 0 or (price < c[WIDTH] and drawn < s.odds[level * c[WIDTH] + price])

    more = c[SIGN] * value_of(s) - c[COST]
    loops = len(loops_of(s))
    if is_taken(more + c[PENALTY] * (loops - c[LOOPS])):
        # As many loops may become one as there are links that go.
        assert c[KIND] != ADDED or loops > c[LOOPS] - removed
        c[LOOPS], c[COST], c[TAKEN] = loops, c[COST] + more, c[TAKEN] + 1
        _keep_best(s)
    else:
        s.links[:], s.directions[:] = before


def _make(s: State, trail: list[int]) -> int:
    """Change the links. Returns how many go."""
    c, count = s.counters, s.counters[COUNT]
    powers = [list(range(count)), *(s.images[count * i : count * (i + 1)] for i in range(c[POWERS]))]
    pairs = list(zip(trail, trail[1:] + trail[:1], strict=True))
    changes: list[list[tuple[int, int]]] = [[], []]
    for image in powers:
        for i, (v, w) in enumerate(pairs):
            link = (image[v], image[w])
            # Images may be the same link. Of the trail itself all links count.
            known = changes[i % 2]
            if image is powers[0] or not {link, link[::-1]} & set(known):
                known.append(link)
    for v, w in changes[0]:
        slots = [
            max((k for k in (2 * a, 2 * a + 1) if s.links[k] == b and not s.frozen[k]), default=-1)
            for a, b in ((v, w), (w, v))
        ]
        if min(slots) < 0:
            raise _Cannot
        for k in slots:
            s.links[k] = s.directions[k] = -1
    for v, w in changes[1]:
        codes = [s.codes[k] for k in range(s.offsets[v], s.offsets[v + 1]) if s.targets[k] == w]
        if not codes or w in _linked(s, v) or -1 not in _linked(s, v) or -1 not in _linked(s, w):
            raise _Cannot
        for a, b, code in ((v, w, codes[0]), (w, v, codes[0] ^ 1 if codes[0] >= 0 else -1)):
            k = 2 * a + _linked(s, a).index(-1)
            s.links[k], s.directions[k] = b, code
    if len(changes[0]) != len(changes[1]):
        raise _Cannot
    return len(changes[0])


# ---------------------------------------------------------------- cases


def seen(s: State, *rest: Any) -> State:
    """Without scratch."""
    for name in (REMOVED, MADE, MARK, VALUE):
        s.counters[name] = 0
    del s.log[:], s.trail[:], s.seen[:], s.passes[:]
    return s


def _cover(size: tuple[int, int], closed: bool, keeps_ends: bool = False, symmetry: str | None = None) -> Any:
    tour = find_tour(size, closed=closed, method="rotation", symmetry=symmetry, rng=3)
    cover = cover_of(tour.board, tour.order.tolist(), closed, keeps_ends, sorted(tour.order.tolist()))
    if symmetry is None:
        return cover
    kept = next(found for found in symmetries(tour.board) if found.name == symmetry)
    return cover.with_symmetry(kept.image, order_of_image(kept.image))


def cases() -> Iterator[Case]:
    """Each kind of number, from closed, open and symmetric tours; and longer searches, where much is rare."""
    calls = [(0,), *[(1,)] * 10, (7,), (50,), (200,)]
    for kind in (((6, 6), True), ((5, 6), False), ((5, 6), False, True), ((6, 6), True, False, "90")):
        cover = _cover(*kind)
        for name, objective in OBJECTIVES.items():
            try:
                objective.check(cover.board, kind[1])
            except BoardError:
                continue
            yield Case(f"{kind} {name}", (start_state(cover, objective, 5, 200, None),), calls)
    for name, kind in (("most-in-one-line", ((6, 6), True)), ("turns", ((6, 6), True, False, "180"))):
        state = start_state(_cover(*kind), OBJECTIVES[name], 5, 1_500, None)
        yield Case(f"{kind} {name} for long", (state,), [(100,)] * 16)


ROWS = [Row("improve_step", step, cases, seen)]
