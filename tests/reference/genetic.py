"""The genetic method, from its definition."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from helpers.both_ways import both_ways
from knightstour import Board, Problem
from knightstour.core.kernels.rng import next_random
from knightstour.core.kernels.search.genetic import (
    BEST,
    BIRTHS,
    BITS,
    BORN,
    FATHER,
    GROW,
    JUDGE,
    KIND,
    LENGTH,
    LOOSE,
    MAKE,
    MOST_BORN,
    MOTHER,
    MUTATION,
    NODES,
    OPEN_FIRST,
    PHASE,
    POPULATION,
    RANDOM,
    REPAIR,
    REPAIRS,
    RESTARTS,
    SEGMENTS,
    TURN,
    TURNS_LEFT,
    State,
)
from knightstour.core.model.cycle_graph import cycle_graph
from knightstour.lab.museum.genetic import start_state
from reference import Case, Row
from reference.lines import are_joined, gaps_of, near, note_loose, places, turn

RUNNING, FOUND = 0, 1


def step(s: State, nodes: int) -> int:
    """Make so many moves of walks, links of lines and turns."""
    c = s.counters
    for _ in range(nodes):
        c[NODES] += 1
        if c[PHASE] == MAKE:
            _make(s)
            c[PHASE] = GROW
        elif c[PHASE] == GROW:
            c[PHASE] = (_walk_on if c[KIND] == BITS else _link_on)(s)
        elif c[PHASE] == TURN and c[TURNS_LEFT] > 0 and c[LOOSE] > 0:
            c[TURNS_LEFT] -= 1
            _repair(s)
        elif c[PHASE] == TURN:
            c[PHASE] = JUDGE
        else:
            c[PHASE] = MAKE
            if _judge(s):
                return FOUND
    return RUNNING


def _draw(s: State, count: int) -> int:
    """One of so many numbers."""
    s.counters[RANDOM] = next_random(s.counters[RANDOM])
    return (s.counters[RANDOM] >> 4) % count


def _individual(s: State, who: int) -> list[int]:
    n = len(s.line)
    return s.genes[who * n : who * n + n]


def _make(s: State) -> None:
    """Begin a child."""
    c, n = s.counters, len(s.line)
    if c[BORN] >= c[MOST_BORN]:
        c[BORN] = 0
        c[RESTARTS] += 1
    if c[BORN] >= c[POPULATION]:
        for parent in (MOTHER, FATHER):
            pair = [_draw(s, c[POPULATION]) for _ in range(2)]
            # Of two alike the first.
            c[parent] = max(pair, key=lambda who: s.fitness[who])
    if c[KIND] == BITS:
        s.child[:] = _crossed(s)
        _write(s, list(s.opening))
        return
    if c[BORN] >= c[POPULATION]:
        s.one[:] = places(s, _individual(s, c[MOTHER]))
        s.other[:] = places(s, _individual(s, c[FATHER]))
    s.rest[:] = s.spot[:] = list(range(n))
    _write(s, [])
    _put(s, _draw(s, n))


def _write(s: State, walk: list[int]) -> None:
    """Bring the state in line with the child's walk or line."""
    c = s.counters
    s.line[: len(walk)] = walk
    s.place[:] = places(s, walk)
    c[LENGTH] = len(walk)
    if c[KIND] == BITS:
        c[OPEN_FIRST] = sum(v not in walk for v in near(s, walk[0]))


def _crossed(s: State) -> list[int]:
    """The genes of a child: new ones, or those of its parents before and after a cut between two bits."""
    c, n = s.counters, len(s.line)
    cut = _draw(s, n)
    low = _draw(s, s.bits[cut] + 1)
    if c[BORN] < c[POPULATION]:
        return [_draw(s, 2**width) for width in s.bits]
    mother, father = (_individual(s, c[parent]) for parent in (MOTHER, FATHER))
    middle = mother[cut] % 2**low + (father[cut] >> low << low)
    child = [*mother[:cut], middle, *father[cut + 1 :]]
    for _ in range((c[MUTATION] * n + _draw(s, 1000)) // 1000):
        i = _draw(s, n)
        child[i] ^= 2 ** _draw(s, s.bits[i])
    return child


def _walk_on(s: State) -> int:
    """One move of a walk of bits. Returns the phase that follows."""
    c = s.counters
    walk = s.line[: c[LENGTH]]
    ways = near(s, walk[-1])
    if len(walk) == len(s.line) or not ways:
        return JUDGE
    gene = s.child[len(walk) - 1] % len(ways)
    # The last way back to the first vertex is kept for the end.
    barred = near(s, walk[0]) if c[OPEN_FIRST] <= 1 and len(walk) < len(s.line) - 1 else []
    may = [v not in (*walk, *barred) for v in ways]
    if not may[gene]:
        if _draw(s, 100) >= c[REPAIR] or not any(may):
            return JUDGE
        gene = next(k % len(ways) for k in range(gene, gene + len(ways)) if may[k % len(ways)])
        s.child[len(walk) - 1] = gene
        c[REPAIRS] += 1
    _write(s, [*walk, ways[gene]])
    return GROW


def _put(s: State, v: int) -> None:
    """Put v at the end of a line; in the list of the others the last one takes its place."""
    others = s.rest[: len(s.line) - s.counters[LENGTH]]
    s.spot[others[-1]] = others.index(v)
    s.rest[others.index(v)] = others[-1]
    _write(s, [*s.line[: s.counters[LENGTH]], v])


def _link_on(s: State) -> int:
    """Put the next vertex on a line of segments, or begin its repair. Returns the phase that follows."""
    c, n = s.counters, len(s.line)
    line = s.line[: c[LENGTH]]
    is_founder = c[BORN] < c[POPULATION]
    if len(line) == n:
        c[TURNS_LEFT] = 0 if is_founder else n * 4 * c[REPAIR] // 100
        c[LOOSE] = 0
        for v in range(n):
            note_loose(s, s.rest, LOOSE, v)
        s.spot[:] = places(s, s.rest[: c[LOOSE]])
        return TURN
    best = None
    if not is_founder and _draw(s, 1000) >= c[MUTATION]:
        best = _inherited(s, line)
    if best is None:
        best = _any_of(s, [v for v in near(s, line[-1]) if v not in line])
    _put(s, s.rest[_draw(s, n - len(line))] if best is None else best)
    return GROW


def _any_of(s: State, vertices: list[int]) -> int | None:
    best = None
    for ties, v in enumerate(vertices, 1):
        if _draw(s, ties) == 0:
            best = v
    return best


def _inherited(s: State, line: list[int]) -> int | None:
    """A vertex beside the last one in the lines of both parents, or else of one."""
    parents = [_individual(s, s.counters[parent]) for parent in (MOTHER, FATHER)]
    beside = [[parent[(parent.index(line[-1]) + way) % len(parent)] for way in (1, -1)] for parent in parents]
    best, rank, ties = None, 0, 0
    for v in itertools.chain(*beside):
        mine = sum(v in pair for pair in beside)
        if v in line or not are_joined(s, line[-1], v) or mine < rank:
            continue
        ties = ties + 1 if mine == rank else 1
        rank = mine
        if _draw(s, ties) == 0:
            best = v
    return best


def _repair(s: State) -> None:
    """Take a gap u-p and a link v-q out of a line, and put a move u-v and p-q in."""
    c, line, n = s.counters, s.line, len(s.line)
    u = s.rest[_draw(s, c[LOOSE])]
    side = (1, -1)[_draw(s, 2)]
    if are_joined(s, u, line[(line.index(u) + side) % n]):
        side = -side
    if not near(s, u):
        return
    v = near(s, u)[_draw(s, len(near(s, u)))]
    p, q = (line[(line.index(x) + side) % n] for x in (u, v))
    if v == p or q == u:
        return
    c[REPAIRS] += 1
    s.line[:] = turn(line, u, v, side)
    s.place[:] = places(s, s.line)
    for x in (u, p, v, q):
        note_loose(s, s.rest, LOOSE, x)


def _judge(s: State) -> bool:
    """Let the child replace the worse of two if it is no worse. Returns whether it is a tour."""
    c, n = s.counters, len(s.line)
    worth = c[LENGTH]
    is_tour = worth == n and not gaps_of(s, s.line)
    if c[KIND] == SEGMENTS:
        worth = n - len(gaps_of(s, s.line))
        s.child[:] = s.line
    c[BIRTHS] += 1
    c[BEST] = max(c[BEST], worth)
    who = c[BORN]
    if who >= c[POPULATION]:
        pair = [_draw(s, c[POPULATION]) for _ in range(2)]
        who = min(pair, key=lambda rival: s.fitness[rival])
    if c[BORN] < c[POPULATION] or worth >= s.fitness[who]:
        s.fitness[who] = worth
        s.genes[who * n : who * n + n] = s.child
    c[BORN] += 1
    return is_tour


def cases() -> Iterator[Case]:
    """Boards of all kinds, by both kinds of genes."""
    problems = [
        Problem.of((5, 5), start="a1"),
        Problem.of((6, 6), closed=True),
        Problem.of((4, 4)),  # has none
        Problem.of((5, 6), start="a1", end="b1"),
        Problem.of(Board(4, 5, wrap="torus", holes=["b2"]), closed=True),
        Problem.of(Board.from_graph(both_ways([[1, 2, 3], [2, 3], [3, 4], [4], [0]]))),
        Problem.of(Board.from_graph(both_ways([[1], [], []])), closed=True),  # a node without moves
    ]
    calls = [(0,), *[(1,)] * 100, (7,), (400,), (1000,)]
    options = [("bits", 100, 100), ("bits", 50, 20), ("bits", 0, 500), ("segments", 100, 5), ("segments", 5, 200)]
    for problem, (kind, repair, mutation) in itertools.product(problems, options):
        state = start_state(problem, cycle_graph(problem), 3, kind, 3)
        c = state.counters
        c[REPAIR], c[MUTATION], c[MOST_BORN] = repair, mutation, 20
        yield Case(f"{problem} {kind} {repair} {mutation}", (state,), calls)


def seen(state: State, *rest: int) -> State:
    """Without what lies beyond the ends of lists."""
    c = state.counters
    listed = c[LOOSE] if c[PHASE] in (TURN, JUDGE) else len(state.line) - c[LENGTH]
    kept = state.rest[:listed]
    del state.line[c[LENGTH] :], state.rest[listed:]
    state.spot[:] = [spot if v in kept else -1 for v, spot in enumerate(state.spot)]
    return state


ROWS = [Row("genetic_step", step, cases, seen)]
