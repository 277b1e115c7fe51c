"""Kernel of improve for symmetric tours: as improve.py, but each exchange of two links is made with all its images.

So a cover that a symmetry lays on itself stays one. An exchange that is its own image is made once; one that cannot be
made with all its images is taken back.

Invariants: those of improve.py. images[i * n + v]: where the symmetry, repeated i + 1 times, takes vertex v of n.
undo: ten items for each exchange of the step at hand.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random
from knightstour.kernels.search.improve import (
    BEST,
    COST,
    COUNT,
    COUNTS_CROSSINGS,
    GOAL,
    LEVELS,
    LOOPS,
    NODES,
    PENALTY,
    RANDOM,
    SIGN,
    TAKEN,
    TOTAL,
    WIDTH,
    begin,
    count_loops,
    crossings_of,
    first_met,
    is_turn,
    keep_best,
    put,
    slot_of,
    total_cost,
    upper_end,
)

RUNNING, DONE = 0, 1
State = namedtuple(
    "State",
    "counters odds offsets targets codes links directions frozen best_links "
    "at place crossed_from crossed_place crossed_code images undo",
)

# What the exchanges of a step change so far, after the counters of improve.py; the number of powers of the symmetry.
(MORE, MORE_LOOPS, MADE, POWERS) = range(14, 18)
COUNTERS = 18
_UNDO = 10


def is_linked(links, v, w):
    """Whether two vertices have a link."""
    return links[2 * v] == w or links[2 * v + 1] == w


def code_of(offsets, targets, codes, v, w):
    """The direction of the move from v to w; -2 where there is none."""
    for e in range(offsets[v], offsets[v + 1]):
        if targets[e] == w:
            return codes[e]
    return -2


def cost_round(state, u, v, x, y):
    """The turns at these four vertices, or the crossings of the links u-v and x-y, of which both are taken out."""
    links, directions = state.links, state.directions
    if state.counters[COUNTS_CROSSINGS] == 0:
        return is_turn(directions, u) + is_turn(directions, v) + is_turn(directions, x) + is_turn(directions, y)
    j, jv = slot_of(links, u, v, 0), slot_of(links, v, u, 0)
    k, ky = slot_of(links, x, y, 0), slot_of(links, y, x, 0)
    found = crossings_of(state, u, directions[2 * u + j])
    put(links, directions, u, j, v, -1)
    put(links, directions, v, jv, u, -1)
    found += crossings_of(state, x, directions[2 * x + k])
    put(links, directions, x, k, y, -1)
    put(links, directions, y, ky, x, -1)
    return found


def exchange(state, u, v, x, y):
    """Put u-x and v-y in the place of u-v and x-y. Returns 1, or 0 where that cannot be done and nothing is changed."""
    c, links, directions, frozen, undo = state.counters, state.links, state.directions, state.frozen, state.undo
    if u in (x, y) or v in (x, y) or not is_linked(links, u, v) or not is_linked(links, x, y):
        return 0
    if is_linked(links, u, x) or is_linked(links, v, y):
        return 0
    if links[2 * u] == links[2 * u + 1] or links[2 * x] == links[2 * x + 1]:
        return 0
    j, jv = slot_of(links, u, v, 0), slot_of(links, v, u, 0)
    k, ky = slot_of(links, x, y, 0), slot_of(links, y, x, 0)
    if frozen[2 * u + j] or frozen[2 * x + k]:
        return 0
    code_ux = code_of(state.offsets, state.targets, state.codes, u, x)
    code_vy = code_of(state.offsets, state.targets, state.codes, v, y)
    if code_ux == -2 or code_vy == -2:
        return 0
    met = first_met(links, u, v, x, y)
    c[MORE_LOOPS] += 0 if met == x else 1 if met == y else -1
    at = _UNDO * c[MADE]
    undo[at], undo[at + 1], undo[at + 2], undo[at + 3] = 2 * u + j, 2 * v + jv, 2 * x + k, 2 * y + ky
    for i in range(4):
        undo[at + 4 + i] = directions[undo[at + i]]
    undo[at + 8], undo[at + 9] = u, x
    c[MADE] += 1
    more = -cost_round(state, u, v, x, y)
    put(links, directions, u, j, x, code_ux)
    put(links, directions, x, k, u, code_ux ^ 1 if code_ux >= 0 else -1)
    if c[COUNTS_CROSSINGS]:
        # The other link is not there yet, so that a crossing of both counts once.
        put(links, directions, v, jv, y, -1)
        put(links, directions, y, ky, v, -1)
        more += crossings_of(state, u, code_ux)
    put(links, directions, v, jv, y, code_vy)
    put(links, directions, y, ky, v, code_vy ^ 1 if code_vy >= 0 else -1)
    if c[COUNTS_CROSSINGS]:
        more += crossings_of(state, v, code_vy)
    else:
        more += is_turn(directions, u) + is_turn(directions, v) + is_turn(directions, x) + is_turn(directions, y)
    c[MORE] += more
    return 1


def take_back(state):
    """Undo the exchanges of the step at hand, the last first."""
    c, links, directions, undo = state.counters, state.links, state.directions, state.undo
    while c[MADE] > 0:
        c[MADE] -= 1
        at = _UNDO * c[MADE]
        u, v, x, y = undo[at] >> 1, undo[at + 1] >> 1, undo[at + 2] >> 1, undo[at + 3] >> 1
        links[undo[at]], links[undo[at + 1]] = v, u
        links[undo[at + 2]], links[undo[at + 3]] = y, x
        for i in range(4):
            directions[undo[at + i]] = undo[at + 4 + i]


def is_exchanged(state, u, v, x, y):
    """Whether an exchange has been made already, as the image of an earlier one of the step."""
    links = state.links
    if is_linked(links, u, v) or is_linked(links, x, y):
        return False
    return is_linked(links, u, x) and is_linked(links, v, y)


def try_step(state):
    """Draw an exchange, make it with its images; take it or leave it."""
    c, links, images = state.counters, state.links, state.images
    n = c[COUNT]
    c[RANDOM] = next_random(c[RANDOM])
    u = c[RANDOM] % n
    c[RANDOM] = next_random(c[RANDOM])
    draw = c[RANDOM]
    degree = state.offsets[u + 1] - state.offsets[u]
    if degree == 0:
        return
    v = links[2 * u + (draw & 1)]
    x = state.targets[state.offsets[u] + (draw >> 2) % degree]
    y = links[2 * x + ((draw >> 1) & 1)]
    c[MORE], c[MORE_LOOPS], c[MADE] = 0, 0, 0
    if exchange(state, u, v, x, y) == 0:
        return
    for i in range(c[POWERS]):
        a, b, p, q = images[i * n + u], images[i * n + v], images[i * n + x], images[i * n + y]
        if is_exchanged(state, a, b, p, q):
            continue
        if exchange(state, a, b, p, q) == 0:
            take_back(state)
            return
    more = c[MORE] * c[SIGN]
    price = more + c[PENALTY] * c[MORE_LOOPS]
    level = min(c[NODES] * c[LEVELS] // c[TOTAL], c[LEVELS] - 1)
    c[RANDOM] = next_random(c[RANDOM])
    if price <= 0 or (price < c[WIDTH] and c[RANDOM] < state.odds[level * c[WIDTH] + price]):
        c[LOOPS] += c[MORE_LOOPS]
        c[COST] += more
        c[TAKEN] += 1
        keep_best(state)
    else:
        take_back(state)


def step(state, nodes):
    """Up to `nodes` steps."""
    c = state.counters
    if c[LOOPS] == 0:
        begin(state)
    for _ in range(nodes):
        if c[NODES] >= c[TOTAL] or c[BEST] <= c[GOAL]:
            return DONE
        c[NODES] += 1
        try_step(state)
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
    is_linked,
    code_of,
    cost_round,
    exchange,
    take_back,
    is_exchanged,
    try_step,
    step,
)
INNER = KERNELS[:-1]
