"""Kernel of improve: simulated annealing over covers by loops, towards one loop with few turns or crossings.

A cover gives every vertex two links. A step takes two links u-v and x-y away and puts u-x and v-y in their place, where
both are moves. In one loop that either turns a part of it round (it stays one loop) or cuts it in two; links of two
loops join them. The cost is what is to be small, plus PENALTY for each loop more than one, so that two steps by way of
two loops may do what no single step can.

Invariants: links[2*v], links[2*v+1] are the two neighbours of v, and v is one of theirs; directions[2*v+k] is the
direction of that link as it leaves v (-1: none, as of a link that is more than a move); two opposite directions
differ in the last bit only, and even ones go down. frozen[2*v+k] is 1 for a link that must stay. loops and cost are
always those of the links. best_links is a cover of one loop at the cost BEST, once there is one.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random

RUNNING, DONE = 0, 1

# counters: see below. odds[level * WIDTH + d]: chance, of 2**32, that a step which costs d more is taken.
# offsets, targets, codes: the moves of each vertex and their directions. at: vertex at a place of the grid, -1 for
# none; place: the vertex's place. crossed_from, crossed_place, crossed_code: for each downward direction, which links
# (place of the upper end from here, direction) cross it.
State = namedtuple(
    "State",
    "counters odds offsets targets codes links directions frozen best_links "
    "at place crossed_from crossed_place crossed_code",
)

(NODES, RANDOM, COUNT, LOOPS, COST, BEST, SIGN, COUNTS_CROSSINGS, PENALTY, LEVELS, WIDTH, TOTAL, TAKEN, GOAL) = range(
    14
)
NO_COST = 1 << 40


def slot_of(links, v, other, either):
    """Which of v's two links goes to `other`; the slot `either` where both do."""
    if links[2 * v] == other and links[2 * v + 1] == other:
        return either
    return 0 if links[2 * v] == other else 1


def is_turn(directions, v):
    """1 if the way turns at v, else 0."""
    a, b = directions[2 * v], directions[2 * v + 1]
    return 1 if a >= 0 and b >= 0 and a ^ b != 1 else 0


def first_met(links, u, v, x, y):
    """Going from u over v onwards: which of x, y, u comes first."""
    before, here = u, v
    slot = 1 - slot_of(links, here, before, 0)
    while here != x and here != y and here != u:
        after = links[2 * here + slot]
        slot = 1 - slot_of(links, after, here, slot)
        here = after
    return here


def crossings_of(state, v, code):
    """How many links cross the link that leaves v in this direction."""
    if code < 0:
        return 0
    if code & 1:
        # Looked at from its upper end.
        v = upper_end(state, v, code)
        code ^= 1
    found = 0
    here = state.place[v]
    for i in range(state.crossed_from[code >> 1], state.crossed_from[(code >> 1) + 1]):
        w = state.at[here + state.crossed_place[i]]
        if w >= 0:
            wanted = state.crossed_code[i]
            if state.directions[2 * w] == wanted or state.directions[2 * w + 1] == wanted:
                found += 1
    return found


def upper_end(state, v, code):
    """The vertex that the link of this direction joins to v."""
    return state.links[2 * v] if state.directions[2 * v] == code else state.links[2 * v + 1]


def put(links, directions, v, slot, other, code):
    """Set one of v's links."""
    links[2 * v + slot] = other
    directions[2 * v + slot] = code


def count_loops(state):
    """Number of loops, by walking all of them. Marks are kept in best_links, so only before there is a best."""
    links, marks = state.links, state.best_links
    n = state.counters[COUNT]
    for v in range(n):
        marks[v] = 0
    loops = 0
    for first in range(n):
        if marks[first] == 0:
            loops += 1
            here, slot = first, 0
            while marks[here] == 0:
                marks[here] = 1
                after = links[2 * here + slot]
                slot = 1 - slot_of(links, after, here, slot)
                here = after
    return loops


def total_cost(state):
    """What the whole cover costs, loops left out."""
    c = state.counters
    total = 0
    for v in range(c[COUNT]):
        if c[COUNTS_CROSSINGS]:
            for k in range(2):
                code = state.directions[2 * v + k]
                if code >= 0 and code & 1 == 0:
                    total += crossings_of(state, v, code)
        else:
            total += is_turn(state.directions, v)
    if c[COUNTS_CROSSINGS]:
        total //= 2
    return c[SIGN] * total


def keep_best(state):
    """Remember the cover, if it is one loop and cheaper than any before."""
    c = state.counters
    if c[LOOPS] == 1 and c[COST] < c[BEST]:
        c[BEST] = c[COST]
        for i in range(2 * c[COUNT]):
            state.best_links[i] = state.links[i]


def begin(state):
    """Count loops and cost of the cover given."""
    c = state.counters
    c[LOOPS] = count_loops(state)
    c[COST] = total_cost(state)
    keep_best(state)


def try_switch(state):
    """Draw a step; take it or leave it."""
    c, odds, offsets, targets, codes, links, directions, frozen, best, at, place, first, where, which = state
    c[RANDOM] = next_random(c[RANDOM])
    u = c[RANDOM] % c[COUNT]
    c[RANDOM] = next_random(c[RANDOM])
    draw = c[RANDOM]
    j = draw & 1
    v = links[2 * u + j]
    degree = offsets[u + 1] - offsets[u]
    if frozen[2 * u + j] or degree == 0:
        return
    i = offsets[u] + (draw >> 2) % degree
    x = targets[i]
    k = (draw >> 1) & 1
    y = links[2 * x + k]
    if x == v or links[2 * u] == x or links[2 * u + 1] == x or y in (u, v) or frozen[2 * x + k]:
        return
    if links[2 * v] == y or links[2 * v + 1] == y:
        return
    if links[2 * u] == links[2 * u + 1] or links[2 * x] == links[2 * x + 1]:
        # A loop of two, one of whose links is more than a move.
        return
    code_ux = codes[i]
    code_vy = -2
    for e in range(offsets[v], offsets[v + 1]):
        if targets[e] == y:
            code_vy = codes[e]
            break
    if code_vy == -2:
        return
    met = first_met(links, u, v, x, y)
    more_loops = 0 if met == x else 1 if met == y else -1
    jv, ky = slot_of(links, v, u, 0), slot_of(links, y, x, 0)
    code_uv, code_vu = directions[2 * u + j], directions[2 * v + jv]
    code_xy, code_yx = directions[2 * x + k], directions[2 * y + ky]
    code_xu = code_ux ^ 1 if code_ux >= 0 else -1
    code_yv = code_vy ^ 1 if code_vy >= 0 else -1
    if c[COUNTS_CROSSINGS]:
        more = -crossings_of(state, u, code_uv)
        put(links, directions, u, j, v, -1)
        put(links, directions, v, jv, u, -1)
        more -= crossings_of(state, x, code_xy)
        put(links, directions, x, k, u, code_xu)
        put(links, directions, u, j, x, code_ux)
        put(links, directions, y, ky, v, -1)
        more += crossings_of(state, u, code_ux)
        put(links, directions, v, jv, y, code_vy)
        put(links, directions, y, ky, v, code_yv)
        more += crossings_of(state, v, code_vy)
    else:
        more = -is_turn(directions, u) - is_turn(directions, v) - is_turn(directions, x) - is_turn(directions, y)
        put(links, directions, u, j, x, code_ux)
        put(links, directions, x, k, u, code_xu)
        put(links, directions, v, jv, y, code_vy)
        put(links, directions, y, ky, v, code_yv)
        more += is_turn(directions, u) + is_turn(directions, v) + is_turn(directions, x) + is_turn(directions, y)
    more *= c[SIGN]
    price = more + c[PENALTY] * more_loops
    level = min(c[NODES] * c[LEVELS] // c[TOTAL], c[LEVELS] - 1)
    c[RANDOM] = next_random(c[RANDOM])
    if price <= 0 or (price < c[WIDTH] and c[RANDOM] < odds[level * c[WIDTH] + price]):
        c[LOOPS] += more_loops
        c[COST] += more
        c[TAKEN] += 1
        keep_best(state)
        return
    put(links, directions, u, j, v, code_uv)
    put(links, directions, v, jv, u, code_vu)
    put(links, directions, x, k, y, code_xy)
    put(links, directions, y, ky, x, code_yx)


def step(state, nodes):
    """Up to `budget` steps."""
    c = state.counters
    if c[LOOPS] == 0:
        begin(state)
    for _ in range(nodes):
        if c[NODES] >= c[TOTAL] or c[BEST] <= c[GOAL]:
            return DONE
        c[NODES] += 1
        try_switch(state)
    return RUNNING


KERNELS = (
    next_random,
    slot_of,
    is_turn,
    upper_end,
    first_met,
    crossings_of,
    put,
    count_loops,
    total_cost,
    keep_best,
    begin,
    try_switch,
    step,
)
INNER = KERNELS[:-1]
