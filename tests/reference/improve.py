"""Cases of annealing of covers by loops, and the value of a cover by definition."""

from collections.abc import Iterator
from typing import Any

from helpers.objectives import OBJECTIVES
from knightstour import BoardError, find_tour
from knightstour.core.model.symmetry import symmetries
from knightstour.core.proofs.symmetric import order_of_image
from knightstour.lab.objectives.covers import (
    COUNT,
    CROSSING,
    DIRECTIONS,
    DIVISOR,
    KIND,
    MADE,
    MARK,
    REMOVED,
    VALUE,
    State,
    cover_of,
    start_state,
)
from knightstour.lab.objectives.worth import ADDED, COMMONEST, LONGEST, MAX_PASSED, NEVER_PASSED, ROUND, UNCROSSED
from reference import Case, Row


def loops_of(s: State) -> list[list[int]]:
    """Return the slots along each loop, from its first vertex by its first link."""
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


def _vertex_moves(s: State) -> Iterator[tuple[int, int, int]]:
    """Yield (upper end, lower end, direction) of all links that are moves."""
    for slot, code in enumerate(s.directions):
        if code >= 0 and code % 2 == 0:
            yield slot // 2, s.links[slot], code


def _crossings(s: State, v: int, code: int) -> int:
    """Count the crossings of a move down from v."""
    first, last = s.crossed_from[code // 2 : code // 2 + 2]
    others = [(s.at[s.place[v] + s.crossed_place[i]], s.crossed_code[i]) for i in range(first, last)]
    return sum(w >= 0 and wanted in s.directions[2 * w : 2 * w + 2] for w, wanted in others)


def _passes(s: State) -> list[int]:
    """Return the passed positions, with repetitions."""
    return [
        s.place[v] + s.over_place[i]
        for v, _, code in _vertex_moves(s)
        for i in range(s.over_from[code // 2], s.over_from[code // 2 + 1])
    ]


def _longest_line(codes: list[int]) -> int:
    """Return the longest run of one direction on a loop."""
    runs = [1]
    for a, b in zip(codes * 2, (codes * 2)[1:], strict=False):
        runs.append(runs[-1] + 1 if a == b >= 0 else 1)
    return max(runs)


def value_of(s: State) -> int:
    """Return the value of the cover, by definition."""
    c, moves = s.counters, list(_vertex_moves(s))
    if c[KIND] == UNCROSSED:
        return sum(_crossings(s, v, code) == 0 for v, _, code in moves)
    if c[KIND] == COMMONEST:
        return max(sum(code == slope for _, _, code in moves) for slope in range(0, c[DIRECTIONS], 2))
    if c[KIND] == ROUND:
        sums = [sum(s.move_cost[slot // 2][s.directions[slot]] for slot in loop) for loop in loops_of(s)]
        return sum(abs(found) // c[DIVISOR] for found in sums)
    if c[KIND] == LONGEST:
        return max(_longest_line([s.directions[slot] for slot in loop]) for loop in loops_of(s))
    if c[KIND] == MAX_PASSED:
        passes = _passes(s)
        return max(map(passes.count, passes), default=0)
    if c[KIND] == NEVER_PASSED:
        passes = set(_passes(s))
        return sum(s.at[place] == v and place not in passes for v, place in enumerate(s.place))
    assert c[KIND] == ADDED
    pairs = [s.directions[2 * v : 2 * v + 2] for v in range(c[COUNT])]
    corners = sum(s.corner_cost[c[DIRECTIONS] * a + b] for a, b in pairs if min(a, b) >= 0)
    # Each crossing is met from both moves.
    crossings = sum(_crossings(s, v, code) for v, _, code in moves) // 2
    return sum(s.move_cost[v][code] for v, _, code in moves) + corners + c[CROSSING] * crossings


def seen(s: State, *rest: Any) -> Any:
    """Return the current and the best cover."""
    for name in (REMOVED, MADE, MARK, VALUE):
        s.counters[name] = 0
    return s.counters, s.links, s.directions, s.best_links


def _cover(size: tuple[int, int], closed: bool, keeps_ends: bool = False, symmetry: str | None = None) -> Any:
    tour = find_tour(size, closed=closed, method="rotation", symmetry=symmetry, seed=3)
    cover = cover_of(tour.board, tour.order.tolist(), closed, keeps_ends, sorted(tour.order.tolist()))
    if symmetry is None:
        return cover
    kept = next(found for found in symmetries(tour.board) if found.name == symmetry)
    return cover.with_symmetry(kept.image, order_of_image(kept.image))


def cases() -> Iterator[Case]:
    """Yield each kind of value, from closed, open and symmetric tours; and longer searches."""
    calls = [(0,), *[(1,)] * 3, (7,), (50,), (200,)]
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


ROWS = [Row("improve_step", None, cases, seen)]
