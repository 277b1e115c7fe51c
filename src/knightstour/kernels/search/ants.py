"""Kernel of the ant colony: walks that choose their moves by the scent earlier ones have left.

line[0 .. length-1] is the walk of the ant on its way, taken[i] the move (an item of targets) by which it came to
line[i]; is_off[v] is 1 once v was visited and free[v] counts the unvisited neighbours of v. A walk must come back to
its first vertex, so the last free neighbour of that one may be entered only as the last vertex of all.

scent[k] is what lies on move k, in its direction; fresh[k] what the ants of this round leave. It never falls below
LEAST, so that every move stays possible.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random

RUNNING, FOUND = 0, 1

# opening: the vertices every walk begins with. bonus: what a move's scent is multiplied by, by the number of free
# neighbours of its target.
State = namedtuple("State", "counters offsets targets opening bonus scent fresh line taken is_off free")

# Items of `counters`.
(
    NODES,
    RANDOM,
    VERTICES,
    LENGTH,  # 0: the next ant sets out
    OPEN,  # free neighbours of the first vertex
    ANT,
    ANTS,
    ROUND,
    MOST_ROUNDS,
    KEPT,  # part of a thousand of the scent that is left after a round
    WALKS,
    LONGEST,
    RESTARTS,
) = range(13)
COUNTERS = 13

FIRST, LEAST, MOST = 1 << 10, 1 << 4, 1 << 20
# What a walk of all vertices leaves on its first move.
DROP = 1 << 10
# Above this number of moves one is taken whatever the scent: only virtual vertices have more.
MANY = 64


def enter(state, k, v):
    """Put v, reached by move k, at the end of the walk."""
    c, offsets, targets, opening, bonus, scent, fresh, line, taken, is_off, free = state
    line[c[LENGTH]] = v
    taken[c[LENGTH]] = k
    c[LENGTH] += 1
    is_off[v] = 1
    first = line[0]
    for j in range(offsets[v], offsets[v + 1]):
        s = targets[j]
        free[s] -= 1
    c[OPEN] = free[first]


def set_out(state):
    """The next ant starts at the end of the opening."""
    c, offsets, targets, opening, bonus, scent, fresh, line, taken, is_off, free = state
    for v in range(c[VERTICES]):
        is_off[v] = 0
        free[v] = offsets[v + 1] - offsets[v]
    c[LENGTH] = 0
    for v in opening:
        enter(state, -1, v)


def may_enter(state, v):
    """Whether the walk may go on to v, and still come back."""
    c, offsets, targets, opening, bonus, scent, fresh, line, taken, is_off, free = state
    if is_off[v] == 1:
        return False
    if c[OPEN] > 1 or c[LENGTH] == c[VERTICES] - 1:
        return True
    # The way back is closed by entering its last vertex too soon.
    first = line[0]
    for k in range(offsets[v], offsets[v + 1]):  # noqa: SIM110 (a generator is slower, and nothing that numba knows)
        if targets[k] == first:
            return False
    return True


def choose(state):
    """The move to take next, by scent and free neighbours, or -1 at a dead end."""
    c, offsets, targets, opening, bonus, scent, fresh, line, taken, is_off, free = state
    last = line[c[LENGTH] - 1]
    low = offsets[last]
    high = offsets[last + 1]
    c[RANDOM] = next_random(c[RANDOM])
    x = c[RANDOM]
    if high - low > MANY:
        k = low + x % (high - low)
        return k if may_enter(state, targets[k]) else -1
    total = 0
    for k in range(low, high):
        v = targets[k]
        if may_enter(state, v):
            total += scent[k] * bonus[free[v] if free[v] < len(bonus) else len(bonus) - 1]
    if total == 0:
        return -1
    c[RANDOM] = next_random(x)
    ball = ((x >> 2 << 32) + c[RANDOM]) % total
    for k in range(low, high):
        v = targets[k]
        if may_enter(state, v):
            ball -= scent[k] * bonus[free[v] if free[v] < len(bonus) else len(bonus) - 1]
            if ball < 0:
                return k
    return -1


def leave(state):
    """The ant has ended its walk: what it leaves grows with the length and is most on the first moves."""
    c, offsets, targets, opening, bonus, scent, fresh, line, taken, is_off, free = state
    c[WALKS] += 1
    if c[LENGTH] > c[LONGEST]:
        c[LONGEST] = c[LENGTH]
    for i in range(len(opening), c[LENGTH]):
        fresh[taken[i]] += DROP * (c[LENGTH] - i) // (c[VERTICES] - i)
    c[ANT] += 1
    c[LENGTH] = 0


def end_round(state):
    """Part of the scent fades, and that of this round is added; after many rounds in vain all of it is forgotten."""
    c, offsets, targets, opening, bonus, scent, fresh, line, taken, is_off, free = state
    c[ANT] = 0
    c[ROUND] += 1
    forget = c[ROUND] >= c[MOST_ROUNDS]
    if forget:
        c[ROUND] = 0
        c[RESTARTS] += 1
    for k in range(len(scent)):
        left = scent[k] * c[KEPT] // 1000 + fresh[k]
        left = LEAST if left < LEAST else MOST if left > MOST else left
        scent[k] = FIRST if forget else left
        fresh[k] = 0


def step(state, nodes):
    """Go on for at most about `nodes` moves of ants."""
    c, offsets, targets, opening, bonus, scent, fresh, line, taken, is_off, free = state
    limit = c[NODES] + nodes
    while c[NODES] < limit:
        c[NODES] += 1
        if c[LENGTH] == 0:
            if c[ANT] == c[ANTS]:
                end_round(state)
            set_out(state)
        if c[LENGTH] == c[VERTICES]:
            # The last vertex was entered as a neighbour of the first, or there was none to come back by.
            last = line[c[LENGTH] - 1]
            for k in range(offsets[last], offsets[last + 1]):
                if targets[k] == line[0]:
                    leave(state)
                    return FOUND
        k = choose(state)
        if k < 0:
            leave(state)
        else:
            enter(state, k, targets[k])
    return RUNNING


KERNELS = (next_random, enter, set_out, may_enter, choose, leave, end_round, step)
INNER = KERNELS[:-1]
