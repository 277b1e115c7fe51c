"""Kernel of improve: simulated annealing over covers by loops, towards one loop that is good in some number.

A cover gives every vertex two links. A step takes two links u-v and x-y away and puts u-x and v-y in their place; where
v-y is no move, it goes on with a third link z-w, and puts y-z and w-v. In one loop that turns parts of it round, moves
them elsewhere or cuts it; links of several loops join them. The cost is what is to be small, plus PENALTY for each loop
more than one, so that some steps by way of several loops may do what no single step can. Under a symmetry each step is
made with all its images, so that a cover that the symmetry lays on itself stays one.

Invariants between steps: links[2*v], links[2*v+1] are the two neighbours of v, and v is one of theirs;
directions[2*v+k] is the direction of that link as it leaves v (-1: none, as of a link that is more than a move); two
opposite directions differ in the last bit only, and even ones go down. frozen[2*v+k] is 1 for a link that must stay.
LOOPS and COST are always those of the links. best_links is a cover of one loop at the cost BEST, once there is one.
images[i * n + v]: where the symmetry, repeated i + 1 times, takes vertex v of n.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random

RUNNING, DONE = 0, 1

# counters: see below. odds[level * WIDTH + d]: chance, of 2**32, that a step which costs d more is taken.
# offsets, targets, codes: the moves of each vertex and their directions. at: vertex at a place of the grid, -1 for
# none; place: the vertex's place. crossed_from, crossed_place, crossed_code: for each downward direction, which links
# (place of the upper end from here, direction) cross it. over_from, over_place: likewise what places it passes over.
# move_cost[8 * v + direction], corner_cost[8 * direction + direction]: what moves and corners are worth.
# log, trail, seen, passes: what a step needs while it is made.
State = namedtuple(
    "State",
    "counters odds offsets targets codes links directions frozen best_links "
    "at place crossed_from crossed_place crossed_code over_from over_place "
    "move_cost corner_cost images log trail seen passes",
)

(NODES, RANDOM, COUNT, LOOPS, COST, BEST, SIGN, KIND, PENALTY, LEVELS, WIDTH, TOTAL, TAKEN, GOAL) = range(14)
# What one crossing is worth; whether corners are worth anything; what the value of a loop is divided by. Powers of the
# symmetry but the first; links that the step took away and that it made; a mark for `seen`; the value of all loops.
(CROSSING, HAS_CORNERS, DIVISOR, POWERS, REMOVED, MADE, MARK, VALUE) = range(14, 22)
COUNTERS = 22
NO_COST = 1 << 40

# How the number of a cover comes about: as a sum over moves, corners and crossings, whose change is that near the step;
# or counted again in each step: moves that nothing crosses, moves of the commonest slope, sums of signed moves round
# each loop, the longest line, passes over a square.
ADDED, UNCROSSED, COMMONEST, ROUND, LONGEST, MOST_PASSED, NEVER_PASSED = range(7)


def is_linked(links, v, w):
    """Whether two vertices have a link."""
    return links[2 * v] == w or links[2 * v + 1] == w


def slot_of(links, v, other, either):
    """Which of v's two links goes to `other`; the slot `either` where both do."""
    if links[2 * v] == other and links[2 * v + 1] == other:
        return either
    return 0 if links[2 * v] == other else 1


def code_of(offsets, targets, codes, v, w):
    """The direction of the move from v to w; -2 where there is none."""
    is_back = offsets[v + 1] - offsets[v] > offsets[w + 1] - offsets[w]
    if is_back:
        v, w = w, v
    for e in range(offsets[v], offsets[v + 1]):
        if targets[e] == w:
            return codes[e] ^ 1 if is_back and codes[e] >= 0 else codes[e]
    return -2


def crossings_of(at, place, directions, first, where, which, v, w, code):
    """How many links cross the one from v to w, which has this direction. first, where, which: crossed_from, ..."""
    if code < 0:
        return 0
    if code & 1:
        # Looked at from its upper end.
        v = w
        code ^= 1
    found = 0
    here = place[v]
    for i in range(first[code >> 1], first[(code >> 1) + 1]):
        other = at[here + where[i]]
        if other >= 0 and (directions[2 * other] == which[i] or directions[2 * other + 1] == which[i]):
            found += 1
    return found


def value_of_corner(directions, corner_cost, v):
    """What the corner at v adds."""
    a, b = directions[2 * v], directions[2 * v + 1]
    return corner_cost[8 * a + b] if a >= 0 and b >= 0 else 0


def worth_of_loop(c, links, directions, move_cost, first):
    """What a loop is worth by itself: the sum of its moves without sign, or its longest line."""
    here, slot = first, 0
    total = longest = run = turns = 0
    last = -1
    while True:
        code = directions[2 * here + slot]
        if c[KIND] == ROUND:
            total += move_cost[8 * here + code]
        else:
            if code >= 0 and code == last:
                run += 1
            else:
                run = 1 if code >= 0 else 0
                turns += 1
            last = code
            # Until the first turn this is the end of the run that closes the loop.
            if turns == 1:
                total = run
            longest = max(longest, run)
        after = links[2 * here + slot]
        slot = 1 - slot_of(links, after, here, slot)
        here = after
        if here == first:
            break
    if c[KIND] == ROUND:
        return abs(total) // c[DIVISOR]
    if last >= 0 and turns > 1 and last == directions[2 * first]:
        longest = max(longest, run + total)
    return longest


def walk(c, links, directions, move_cost, seen):
    """Count the loops, by walking all of them; VALUE becomes what they are worth, where that is asked for."""
    c[MARK] += 1
    mark = c[MARK]
    has_worth = c[KIND] in (ROUND, LONGEST)
    c[VALUE] = 0
    loops = 0
    for first in range(c[COUNT]):
        if seen[first] == mark:
            continue
        loops += 1
        here, slot = first, 0
        while seen[here] != mark:
            seen[here] = mark
            after = links[2 * here + slot]
            slot = 1 - slot_of(links, after, here, slot)
            here = after
        if has_worth:
            value = worth_of_loop(c, links, directions, move_cost, first)
            c[VALUE] = max(c[VALUE], value) if c[KIND] == LONGEST else c[VALUE] + value
    return loops


def value_of_passes(state):
    """The most passes over one place, or the number of vertices that no link passes over."""
    c, passes, directions = state.counters, state.passes, state.directions
    for i in range(len(passes)):
        passes[i] = 0
    for i in range(2 * c[COUNT]):
        code = directions[i]
        if code >= 0 and code & 1 == 0:
            for k in range(state.over_from[code >> 1], state.over_from[(code >> 1) + 1]):
                passes[state.place[i >> 1] + state.over_place[k]] += 1
    found = 0
    if c[KIND] == MOST_PASSED:
        for i in range(len(passes)):
            found = max(found, passes[i])
        return found
    for v in range(c[COUNT]):
        if passes[state.place[v]] == 0 and state.at[state.place[v]] == v:
            found += 1
    return found


def value_of_all(state):
    """The number of the whole cover. Where loops have values, these are as `walk` has found them."""
    c, links, directions = state.counters, state.links, state.directions
    at, place, first, where, which = state.at, state.place, state.crossed_from, state.crossed_place, state.crossed_code
    if c[KIND] in (ROUND, LONGEST):
        return c[VALUE]
    if c[KIND] in (MOST_PASSED, NEVER_PASSED):
        return value_of_passes(state)
    total = crossed = most = 0
    for slope in range(4):
        found = 0
        for i in range(2 * c[COUNT]):
            code = directions[i]
            if code == 2 * slope:
                found += 1
                v, w = i >> 1, links[i]
                if c[KIND] == UNCROSSED:
                    total += 1 if crossings_of(at, place, directions, first, where, which, v, w, code) == 0 else 0
                elif c[KIND] == ADDED:
                    total += state.move_cost[8 * v + code]
                    if c[CROSSING] != 0:
                        crossed += crossings_of(at, place, directions, first, where, which, v, w, code)
        most = max(most, found)
    if c[KIND] == COMMONEST:
        return most
    if c[KIND] == ADDED and c[HAS_CORNERS] != 0:
        for v in range(c[COUNT]):
            total += value_of_corner(directions, state.corner_cost, v)
    return total + c[CROSSING] * crossed // 2


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
    c[LOOPS] = walk(c, state.links, state.directions, state.move_cost, state.seen)
    c[COST] = c[SIGN] * value_of_all(state)
    keep_best(state)


def is_logged(log, first, count, v, w):
    """Whether a link is among those that the step took away, or made."""
    for i in range(first, first + 3 * count, 3):
        a, b = log[i] >> 1, log[i + 1] >> 1
        if (a == v and b == w) or (a == w and b == v):
            return True
    return False


def take_away(c, links, directions, frozen, log, v, w):
    """Take the link v-w away. Returns its direction, and -2 where there is no such link that may go."""
    j = k = -1
    for slot in range(2):
        if links[2 * v + slot] == w and frozen[2 * v + slot] == 0:
            j = slot
        if links[2 * w + slot] == v and frozen[2 * w + slot] == 0:
            k = slot
    if j < 0 or k < 0:
        return -2
    code = directions[2 * v + j]
    i = 3 * c[REMOVED]
    log[i] = 2 * v + j
    log[i + 1] = 2 * w + k
    log[i + 2] = code
    c[REMOVED] += 1
    links[2 * v + j] = -1
    links[2 * w + k] = -1
    directions[2 * v + j] = -1
    directions[2 * w + k] = -1
    return code


def put_in(c, links, directions, log, v, w, code):
    """Make the link v-w of this direction, where both have one missing."""
    j, k = slot_of(links, v, -1, 0), slot_of(links, w, -1, 0)
    i = len(log) // 2 + 3 * c[MADE]
    log[i] = 2 * v + j
    log[i + 1] = 2 * w + k
    c[MADE] += 1
    links[2 * v + j] = w
    links[2 * w + k] = v
    directions[2 * v + j] = code
    directions[2 * w + k] = code ^ 1 if code >= 0 else -1


def take_back(c, links, directions, log):
    """Undo the step at hand."""
    half = len(log) // 2
    for i in range(half, half + 3 * c[MADE], 3):
        for k in range(i, i + 2):
            links[log[k]] = -1
            directions[log[k]] = -1
    for i in range(0, 3 * c[REMOVED], 3):
        a, b, code = log[i], log[i + 1], log[i + 2]
        links[a] = b >> 1
        links[b] = a >> 1
        directions[a] = code
        directions[b] = code ^ 1 if code >= 0 else -1


def corners_at(c, directions, corner_cost, trail, images, seen, length):
    """What the corners at the vertices of the trail and of its images add."""
    c[MARK] += 1
    total = 0
    for i in range(c[POWERS] + 1):
        for k in range(length):
            v = trail[k]
            if i > 0:
                v = images[(i - 1) * c[COUNT] + v]
            if seen[v] != c[MARK]:
                seen[v] = c[MARK]
                total += value_of_corner(directions, corner_cost, v)
    return total


def make(state, length):
    """Make the step of the trail with all its images: its first link goes, the second comes, and so on in turn.

    Returns by how much the sum over moves, corners and crossings grows; NO_COST where the step cannot be made, which
    leaves a part of it to be taken back.
    """
    c, links, directions, log = state.counters, state.links, state.directions, state.log
    trail, images, seen, frozen = state.trail, state.images, state.seen, state.frozen
    offsets, targets, codes = state.offsets, state.targets, state.codes
    move_cost, corner_cost = state.move_cost, state.corner_cost
    at, place, first, where, which = state.at, state.place, state.crossed_from, state.crossed_place, state.crossed_code
    c[REMOVED] = 0
    c[MADE] = 0
    half = len(log) // 2
    more = -corners_at(c, directions, corner_cost, trail, images, seen, length) if c[HAS_CORNERS] else 0
    for i in range(c[POWERS] + 1):
        for k in range(0, length, 2):
            v, w = trail[k], trail[k + 1]
            if i > 0:
                v, w = images[(i - 1) * c[COUNT] + v], images[(i - 1) * c[COUNT] + w]
                if is_logged(log, 0, c[REMOVED], v, w):
                    continue
            code = take_away(c, links, directions, frozen, log, v, w)
            if code == -2:
                return NO_COST
            if code >= 0:
                more -= move_cost[8 * v + code]
                if c[CROSSING]:
                    found = crossings_of(at, place, directions, first, where, which, v, w, code)
                    more -= c[CROSSING] * found
    for i in range(c[POWERS] + 1):
        for k in range(1, length, 2):
            v, w = trail[k], trail[(k + 1) % length]
            if i > 0:
                v, w = images[(i - 1) * c[COUNT] + v], images[(i - 1) * c[COUNT] + w]
                if is_logged(log, half, c[MADE], v, w):
                    continue
            code = code_of(offsets, targets, codes, v, w)
            if code == -2 or is_linked(links, v, w) or not is_linked(links, v, -1) or not is_linked(links, w, -1):
                return NO_COST
            if code >= 0:
                more += move_cost[8 * v + code]
                if c[CROSSING]:
                    found = crossings_of(at, place, directions, first, where, which, v, w, code)
                    more += c[CROSSING] * found
            put_in(c, links, directions, log, v, w, code)
    # Images that overlap may take more links away than they make.
    if c[MADE] != c[REMOVED]:
        return NO_COST
    if c[HAS_CORNERS]:
        more += corners_at(c, directions, corner_cost, trail, images, seen, length)
    return more


def draw(state):
    """Draw a trail of vertices, whose first link goes, whose second comes, and so on. Returns its length, or 0."""
    c, links, trail, frozen = state.counters, state.links, state.trail, state.frozen
    offsets, targets, codes = state.offsets, state.targets, state.codes
    c[RANDOM] = next_random(c[RANDOM])
    u = c[RANDOM] % c[COUNT]
    c[RANDOM] = next_random(c[RANDOM])
    drawn = c[RANDOM]
    degree = offsets[u + 1] - offsets[u]
    if degree == 0:
        return 0
    x = targets[offsets[u] + (drawn >> 2) % degree]
    at_u, at_x = 2 * u + (drawn & 1), 2 * x + ((drawn >> 1) & 1)
    if is_linked(links, u, x) or frozen[at_u] or frozen[at_x]:
        return 0
    v, y = links[at_u], links[at_x]
    trail[0], trail[1], trail[2], trail[3] = v, u, x, y
    if y != v and code_of(offsets, targets, codes, v, y) != -2:
        return 0 if is_linked(links, v, y) else 4
    degree = offsets[y + 1] - offsets[y]
    if degree == 0:
        return 0
    c[RANDOM] = next_random(c[RANDOM])
    drawn = c[RANDOM]
    z = targets[offsets[y] + (drawn >> 2) % degree]
    at_z = 2 * z + (drawn & 1)
    w = links[at_z]
    if frozen[at_z] or w == v or code_of(offsets, targets, codes, v, w) == -2:
        return 0
    if is_linked(links, y, z) or is_linked(links, v, w):
        return 0
    trail[4], trail[5] = z, w
    return 6


def try_step(state):
    """Draw a step, make it with its images; take it or leave it."""
    length = draw(state)
    if length == 0:
        return
    c, odds, links, directions, log = state.counters, state.odds, state.links, state.directions, state.log
    more = make(state, length)
    if more >= NO_COST:
        take_back(c, links, directions, log)
        return
    c[RANDOM] = next_random(c[RANDOM])
    row = c[WIDTH] * min(c[NODES] * c[LEVELS] // c[TOTAL], c[LEVELS] - 1)
    more *= c[SIGN]
    # Loops are counted last, since that takes longest: where no number of them would let the step be taken, not at all.
    least = more - c[PENALTY] * min(c[REMOVED] - 1, c[LOOPS] - 1)
    if c[KIND] == ADDED and least > 0 and (least >= c[WIDTH] or c[RANDOM] >= odds[row + least]):
        take_back(c, links, directions, log)
        return
    loops = walk(c, links, directions, state.move_cost, state.seen)
    if c[KIND] != ADDED:
        more = c[SIGN] * value_of_all(state) - c[COST]
    price = more + c[PENALTY] * (loops - c[LOOPS])
    if price <= 0 or (price < c[WIDTH] and c[RANDOM] < odds[row + price]):
        c[LOOPS] = loops
        c[COST] += more
        c[TAKEN] += 1
        keep_best(state)
    else:
        take_back(c, links, directions, log)


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
    is_linked,
    slot_of,
    code_of,
    crossings_of,
    value_of_corner,
    worth_of_loop,
    walk,
    value_of_passes,
    value_of_all,
    keep_best,
    begin,
    is_logged,
    take_away,
    put_in,
    take_back,
    corners_at,
    make,
    draw,
    try_step,
    step,
)
INNER = KERNELS[:-1]
