"""Backtracking from its definition: what is known of the edges is worked out from the path, move by move."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.search.backtracking import (
    BACKS,
    BASE,
    CAPACITY,
    CERTAIN,
    CLOSING,
    CONNECTIVITY,
    DEPTH,
    END,
    FEWEST,
    FIRST,
    FORCED,
    FRESH,
    HELD,
    ISLANDS,
    NODES,
    ONE_WAY,
    PRUNE,
    QUEUED,
    START,
    STARTED,
    STRANDED,
    TOTAL,
    TRAIL,
    State,
)
from knightstour.core.search.backtracking import Search
from knightstour.core.search.shared_backtracking import Branch, search_branch
from reference import Case, Row

RUNNING, FOUND, EXHAUSTED = 0, 1, 2


def step(s: State, nodes: int) -> int:
    """Place about so many squares."""
    c = s.counters
    if nodes > 0 and not c[STARTED]:
        _begin(s)
        nodes -= 1
    limit, status = c[NODES] + nodes, RUNNING
    while c[NODES] < limit and status == RUNNING:
        status = _lean_step(s) if _is_lean(c) else _pruned_step(s)
    return status


def follow(s: State, walk: list[int], base: int, waiting: int) -> None:
    """Go along a walk from the root, trying all moves before its own."""
    c = s.counters
    _begin(s)
    for here, there in itertools.pairwise(walk):
        if _is_lean(c):
            s.left[walk.index(here)] = 1 + _move(s, here, there)
            _write(s, [*walk[: walk.index(there)], there])
            s.left[c[DEPTH]] = s.offsets[there]
        else:
            _list_choices(s)
            while s.targets[_next_choice(s)] != there:
                pass
            _write(s, [*walk[: walk.index(there)], there])
    if _is_lean(c):
        s.left[c[DEPTH]] = waiting
    elif waiting >= 0:
        c[FRESH] = 0
        _list_choices(s)
        while s.left[c[DEPTH]] > waiting:
            _next_choice(s)
        _write_edges(s)
    c[BASE], c[NODES] = base, 0


# ---------------------------------------------------------------- the path


def _is_lean(c: list[int]) -> bool:
    return not c[PRUNE] and not c[FEWEST]


def _path(s: State) -> list[int]:
    return s.path[: s.counters[DEPTH] + 1]


def _moves(s: State, v: int) -> range:
    return range(s.offsets[v], s.offsets[v + 1])


def _move(s: State, v: int, w: int) -> int:
    return next(k for k in _moves(s, v) if s.targets[k] == w)


def _write(s: State, path: list[int]) -> None:
    s.counters[DEPTH] = len(path) - 1
    s.path[: len(path)] = path
    s.position[:] = [path.index(v) if v in path else -1 for v in range(len(s.position))]
    if not _is_lean(s.counters):
        _write_edges(s)


def _begin(s: State) -> None:
    c = s.counters
    c[STARTED] = 1
    c[NODES] += 1
    c[FRESH] = int(not _is_lean(c))
    s.left[0] = s.offsets[s.path[0]]
    if _is_lean(c) and c[START] >= 0:
        _write(s, [s.path[0], c[START]])
        s.left[1] = s.offsets[c[START]]
    else:
        _write(s, [s.path[0]])


def _may_enter(s: State, path: list[int], v: int) -> bool:
    return v not in path and (v != s.counters[END] or len(path) == s.counters[TOTAL] - 1)


def _goes_back(s: State) -> int:
    """Take the last move back, or end the search."""
    c = s.counters
    if c[DEPTH] == c[BASE]:
        return EXHAUSTED
    _write(s, _path(s)[:-1])
    c[BACKS] += 1
    return RUNNING


def _is_full(s: State) -> bool:
    """Whether the path is a tour that is wanted, and fills the room for tours."""
    c, path = s.counters, _path(s)
    if len(path) < c[TOTAL] or path[-1] not in [s.targets[k] for k in _moves(s, path[0])]:
        return False
    if c[ONE_WAY] and s.near_root[path[-1]] < s.near_root[path[1]]:
        return False
    tour = path[c[FIRST] :]
    s.tours[c[HELD] * len(tour) : (c[HELD] + 1) * len(tour)] = tour
    c[HELD] += 1
    return c[HELD] >= c[CAPACITY]


def _lean_step(s: State) -> int:
    c, path = s.counters, _path(s)
    moves = [k for k in _moves(s, path[-1]) if k >= s.left[c[DEPTH]] and _may_enter(s, path, s.targets[k])]
    if not moves:
        return _goes_back(s)
    s.left[c[DEPTH]] = moves[0] + 1
    _write(s, [*path, s.targets[moves[0]]])
    s.left[c[DEPTH]] = s.offsets[s.targets[moves[0]]]
    c[NODES] += 1
    return FOUND if _is_full(s) else RUNNING


def _pruned_step(s: State) -> int:
    c = s.counters
    if c[FRESH]:
        c[FRESH] = 0
        if _is_hopeless(s):
            s.left[c[DEPTH]] = 0
        else:
            _list_choices(s)
            _write_edges(s)
            if _is_full(s):
                return FOUND
    k = _next_choice(s)
    if k is None:
        return _goes_back(s)
    c[NODES] += 1
    c[FRESH] = 1
    _write(s, [*_path(s), s.targets[k]])
    if _edges(s) is None:
        c[FRESH] = 0
        _goes_back(s)
    return RUNNING


def _list_choices(s: State) -> None:
    c, path, edges = s.counters, _path(s), _edges(s, looked=True)
    assert edges is not None
    only = c[START] if c[DEPTH] == 0 and c[START] >= 0 else None
    moves = [k for k in _moves(s, path[-1]) if edges[k] and _may_enter(s, path, s.targets[k])]
    moves = [k for k in moves if only is None or s.targets[k] == only]
    s.left[c[DEPTH]] = len(moves)
    low = s.offsets[path[-1]]
    s.choices[low : low + len(moves)] = moves


def _next_choice(s: State) -> int | None:
    """The first of the moves that wait, or of those to squares with the fewest edges."""
    c, low = s.counters, s.offsets[_path(s)[-1]]
    moves = s.choices[low : low + s.left[c[DEPTH]]]
    if not moves:
        return None
    edges = _edges(s, looked=True)
    assert edges is not None
    best = min(moves, key=lambda k: _degree(s, edges, s.targets[k])) if c[FEWEST] else moves[0]
    moves.remove(best)
    s.left[c[DEPTH]] = len(moves)
    s.choices[low : low + len(moves)] = moves
    return best


# ---------------------------------------------------------------- the edges

# For each move 2 if it is certain, 1 if it is possible, 0 if not.
Edges = list[int]


# By what it depends on: the same is asked for again and again.
_known: dict[Any, Edges | None] = {}


def _edges(s: State, *, looked: bool | None = None, path: list[int] | None = None) -> Edges | None:
    """What is known of the edges after the moves of a path; None if that contradicts.

    looked: whether the prunings have looked at the last move too.
    """
    c = s.counters
    path = _path(s) if path is None else path
    looked = not c[FRESH] if looked is None else looked
    key = (*s.offsets, *s.targets, *s.near_root, c[PRUNE], c[ONE_WAY], c[TOTAL], *path, looked)
    if key not in _known:
        edges: Edges | None = [1] * len(s.targets)
        if len(path) > 1:
            before = _edges(s, looked=True, path=path[:-1])
            edges = None if before is None else _moved(s, before, path)
        _known[key] = _closure(s, edges) if looked and edges and c[PRUNE] & FORCED else edges
    return _known[key]


def _moved(s: State, edges: Edges, path: list[int]) -> Edges | None:
    """What follows at once from the last move of the path."""
    c, (here, there) = s.counters, path[-2:]
    last = _move(s, here, there)
    if c[PRUNE] & FORCED:
        found = _settled(s, _with(s, edges, [last], 2))
        if found is None:
            return None
        edges = found
    elif len(path) > 2:
        edges = _with(s, edges, [k for k in _moves(s, here) if s.targets[k] not in (there, path[-3])], 0)
    if len(path) == 2 and c[ONE_WAY]:
        lower = [k for k in _moves(s, here) if s.near_root[s.targets[k]] < s.near_root[there]]
        if any(edges[k] == 2 for k in lower):
            return None
        edges = _with(s, edges, lower, 0)
    return edges


def _with(s: State, edges: Edges, moves: Iterable[int], value: int) -> Edges:
    edges = edges[:]
    for k in moves:
        edges[k] = edges[s.mirror[k]] = value
    return edges


def _of(s: State, edges: Edges, v: int, value: int) -> list[int]:
    return [k for k in _moves(s, v) if edges[k] == value]


def _degree(s: State, edges: Edges, v: int) -> int:
    return sum(edges[k] > 0 for k in _moves(s, v))


def _vertices(s: State) -> list[int]:
    return [v for v in range(len(s.position)) if _moves(s, v)]


def _chain(s: State, edges: Edges, v: int) -> list[int]:
    """The vertices of the chain of certain edges that begins at v; of a cycle, all of them."""
    chain = [v]
    while True:
        near = [s.targets[k] for k in _of(s, edges, chain[-1], 2) if s.targets[k] not in chain]
        if not near:
            return chain
        chain.append(near[0])


def _settled(s: State, edges: Edges) -> Edges | None:
    """Without the edges that certain ones rule out: a third one of a vertex, and one that would close a cycle early."""
    total = s.counters[TOTAL]
    for v in _vertices(s):
        certain = _of(s, edges, v, 2)
        if len(certain) > 2:
            return None
        if len(certain) == 2:
            edges = _with(s, edges, _of(s, edges, v, 1), 0)
            chain = _chain(s, edges, v)
            is_cycle = all(len(_of(s, edges, w, 2)) == 2 for w in chain)
            if is_cycle and len(chain) < total:
                return None
        if len(certain) == 1:
            chain = _chain(s, edges, v)
            if len(chain) < total:
                edges = _with(s, edges, [k for k in _of(s, edges, v, 1) if s.targets[k] == chain[-1]], 0)
    return edges


def _closure(s: State, edges: Edges) -> Edges | None:
    """All that follows: where two edges are left, both are certain; None if that contradicts."""
    while True:
        degrees = {v: _degree(s, edges, v) for v in _vertices(s)}
        if min(degrees.values()) < 2:
            return None
        forced = [k for v, degree in degrees.items() if degree == 2 for k in _of(s, edges, v, 1)]
        if not forced:
            return edges
        settled = _settled(s, _with(s, edges, forced, 2))
        if settled is None:
            return None
        edges = settled


def _write_edges(s: State) -> None:
    edges = _edges(s)
    if edges is None:
        return
    s.edge[:] = edges
    s.counters[CERTAIN] = edges.count(2) // 2
    for v in range(len(s.position)):
        s.degree[v] = _degree(s, edges, v)
        s.fixed[v] = len(_of(s, edges, v, 2))
        s.mate[v] = _chain(s, edges, v)[-1]


# ---------------------------------------------------------------- prunings


def _is_hopeless(s: State) -> bool:
    c, edges, path = s.counters, _edges(s, looked=True), _path(s)
    if edges is None:
        return True
    poor = [v for v in _vertices(s) if _degree(s, edges, v) < 2]
    if any(c[PRUNE] & (CLOSING if v in (path[0], c[END]) else STRANDED) for v in poor):
        return True
    if len(path) == c[TOTAL]:
        return False
    rest = [v for v in range(len(s.position)) if v not in path and _moves(s, v)]
    if c[PRUNE] & CONNECTIVITY and len(_reached(s, edges, [*rest, path[-1]], path[-1])) <= len(rest):
        return True
    reached = _reached(s, edges, [*rest, path[-1]], path[-1])
    return bool(c[PRUNE] & ISLANDS) and any(_cuts_too_much(s, edges, reached, v) for v in reached)


def _reached(s: State, edges: Edges, among: Iterable[int], first: int) -> set[int]:
    """What hangs together with a vertex, among some of them."""
    allowed, found, new = set(among), {first}, {first}
    while new:
        new = {s.targets[k] for v in new for k in _moves(s, v) if edges[k]} & allowed - found
        found |= new
    return found


def _cuts_too_much(s: State, edges: Edges, reached: set[int], v: int) -> bool:
    """Whether a tour that passes v cannot end in all that v cuts off from the path's last square."""
    c, last = s.counters, _path(s)[-1]
    rest = reached - {v}
    if v != last:
        rest -= _reached(s, edges, rest, last)
    islands: list[set[int]] = []
    while rest:
        islands.append(_reached(s, edges, rest, min(rest)))
        rest = rest - islands[-1]
    if not islands:
        return False
    if len(islands) > 1:
        return True
    island, root = islands[0], s.path[0]
    if not any(edges[k] and s.targets[k] in island for k in _moves(s, root)):
        return True
    colours = {s.sign[s.targets[k]] for k in _moves(s, v) if edges[k] and s.targets[k] in island}
    return not any(_alternates(s, island, colour, c[FIRST] == 0) for colour in colours)


def _alternates(s: State, island: set[int], colour: int, closed: bool) -> bool:
    """Whether a path over the island that begins on a colour may alternate, and come back to the root if closed."""
    odd = len(island) % 2
    if colour == 0:
        return True
    ends_on = colour if odd else -colour
    return sum(s.sign[v] for v in island) == colour * odd and (not closed or ends_on == -s.sign[s.path[0]])


# ---------------------------------------------------------------- what is compared


def seen(s: State, *rest: Any) -> State:
    """Without scratch, what lies beyond the path's end, and moves that wait no longer."""
    c = s.counters
    depth = c[DEPTH]
    c[TRAIL] = c[QUEUED] = 0
    has_ended = depth == c[BASE] and s.left[depth] == 0 and not _is_lean(c)
    for x in range(len(s.position)):
        at = s.position[x]
        waiting = s.left[at] if at >= 0 and not _is_lean(c) and not (c[FRESH] and at == depth) else 0
        low, high = s.offsets[x] + waiting, s.offsets[x + 1]
        s.choices[low:high] = [0] * (high - low)
        if s.fixed[x] == 2:
            s.mate[x] = -1
    if c[FRESH]:
        s.left[depth] = 0
    if _is_lean(c) and c[START] >= 0:
        s.left[0] = 0
    del s.path[depth + 1 :], s.left[depth + 1 :], s.trail[:], s.marks[:], s.queue[:], s.memory[:]
    # A search that ends at its root may do so amid a contradiction.
    for part in (s.edge, s.degree, s.fixed, s.mate) if has_ended or _is_lean(c) else ():
        part.clear()
    c[CERTAIN] *= not has_ended
    return s


# Orders of moves, and whether both directions count.
ORDERS = (("classic", False), ("lexicographic", False), ("warnsdorff", True))
PRUNES = ("none", "all", "stranded", "closing", "forced", "connectivity", "islands", "forced,islands")


def _searches() -> Iterator[tuple[str, Search]]:
    for problem in (
        Problem.of((3, 4)),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), closed=True),
        Problem.of((5, 5), start="a1"),
        Problem.of((5, 5), start="a1", end="c3"),
        Problem.of((4, 5), end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
    ):
        for prune, (move_order, directed) in itertools.product(PRUNES, ORDERS):
            name = f"{problem} {prune} {move_order}"
            yield name, Search(problem, 3, move_order, prune, directed)


def cases() -> Iterator[Case]:
    """All prunings on boards of all kinds; a search that has found a tour may go on."""
    for name, search in _searches():
        state = search.begin(2)
        state.counters[CAPACITY] = 2
        yield Case(name, (state,), [(0,), *[(1,)] * 10, (7,), (30,)])


def walks() -> Iterator[Case]:
    """Branches as pieces of a search leave them."""
    for name, search in _searches():
        for nodes in (9, 30):
            for branch in search_branch(search, Branch(), nodes, 100, True).rest:
                walk = np.array(branch.walk, dtype=np.int64)
                yield Case(f"{name} {nodes}", (search.begin(1), walk, branch.base, branch.waiting))


ROWS = [Row("backtracking_step", step, cases, seen), Row("backtracking_follow", follow, walks, seen)]
