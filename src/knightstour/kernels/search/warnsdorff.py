"""Kernel of Warnsdorff's rule with critical points.

The path is path[0 .. length-1]; position[] is its inverse, -1 off the path. free[s] is the number of neighbours of s to
which a move from s could still go: those off the path, and the first square too if the tour is closed. The moves that
were tied at a square of the path and not tried yet wait in tied[offsets[square] ...], waiting[square] of them.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random

RUNNING, FOUND = 0, 1

# counters: see the constants below. offsets, targets: the moves, as in MoveGraph. keys: for ROTH, the lower the sooner
# a square is taken. For SQUIRREL: directions, the number of each move among the eight; plan, nine items for each phase:
# the rank of each of the eight moves, and the square that ends the phase; phase, that of each step of the path.
State = namedtuple(
    "State", "counters offsets targets path position free tied waiting starts keys directions plan phase"
)

# Items of `counters`.
(
    NODES,
    RANDOM,
    LENGTH,
    COUNT,
    GOAL,
    TIES,
    NOISE,  # after a restart, one tie in NOISE is broken at random
    PATIENCE,  # times of going back after which it restarts
    SINCE_RESTART,  # times backed up since the last restart
    RESTARTS,
    CRITICAL,  # critical points met
    BACKS,
) = range(12)
COUNTERS = 12

CLOSED, ANY = -2, -1  # as GOAL, beside the square that must come last
FIRST, AT_RANDOM, POHL, ROTH, SQUIRREL = range(5)


def back_up(state):
    """Go back to the latest critical point with a move to try; without one, or without patience, to the very start."""
    c, offsets, targets, path, position, free, tied, waiting, starts, keys, directions, plan, phase = state
    c[BACKS] += 1
    c[SINCE_RESTART] += 1
    gives_up = c[SINCE_RESTART] > c[PATIENCE]
    length = c[LENGTH]
    while length > 0 and (gives_up or waiting[path[length - 1]] == 0):
        length -= 1
        x = path[length]
        position[x] = -1
        if length > 0 or c[GOAL] != CLOSED:
            for k in range(offsets[x], offsets[x + 1]):
                free[targets[k]] += 1
    c[LENGTH] = length
    if length == 0:
        c[RESTARTS] += 1
        c[SINCE_RESTART] = 0


def list_ties(state):
    """List the moves from the last square that the rule allows: those to squares with the fewest free neighbours.

    A move that would take the last way to the goal is left out. None is listed at a plain dead end: where a neighbour
    could not be left again, or where several neighbours have one way left and so would each have to come next.
    """
    c, offsets, targets, path, position, free, tied, waiting, starts, keys, directions, plan, phase = state
    length, goal = c[LENGTH], c[GOAL]
    here = path[length - 1]
    low = offsets[here]
    left = c[COUNT] - length
    closing = path[0] if goal == CLOSED else goal
    guards = closing >= 0 and free[closing] == 1 and left > (1 if goal == CLOSED else 2)
    fewest = 1 << 40
    count = 0
    lonely = 0
    for k in range(low, offsets[here + 1]):
        x = targets[k]
        if position[x] >= 0 or (x == goal and left > 1):
            continue
        degree = free[x]
        if guards:
            takes_last = False
            for j in range(offsets[x], offsets[x + 1]):
                if targets[j] == closing:
                    takes_last = True
            if takes_last:
                continue
        if degree < fewest:
            fewest = degree
            count = 0
        if degree == fewest:
            tied[low + count] = k
            count += 1
        if degree == 1:
            lonely += 1
    # Of the squares with one way left one may be the tour's end, unless the end is given.
    if left > 1 and (fewest == 0 or lonely > (2 if goal == ANY else 1)):
        count = 0
    waiting[here] = count
    if count > 1:
        c[CRITICAL] += 1


def take_tied(state):
    """The square that the next of the tied moves leads to, or -1."""
    c, offsets, targets, path, position, free, tied, waiting, starts, keys, directions, plan, phase = state
    here = path[c[LENGTH] - 1]
    count = waiting[here]
    if count == 0:
        return -1
    low = offsets[here]
    best = low
    ties = c[TIES]
    if count > 1:
        if c[RESTARTS] > 0 and ties != AT_RANDOM:
            c[RANDOM] = next_random(c[RANDOM])
            if c[RANDOM] % c[NOISE] == 0:
                ties = AT_RANDOM
        if ties == AT_RANDOM:
            c[RANDOM] = next_random(c[RANDOM])
            best = low + c[RANDOM] % count
        elif ties != FIRST:
            least = 1 << 60
            for i in range(low, low + count):
                k = tied[i]
                x = targets[k]
                if ties == ROTH:
                    rank = keys[x]
                elif ties == SQUIRREL:
                    rank = plan[9 * phase[c[LENGTH] - 1] + directions[k]]
                else:
                    rank = 0
                    for j in range(offsets[x], offsets[x + 1]):
                        if position[targets[j]] < 0:
                            rank += free[targets[j]]
                if rank < least:
                    least = rank
                    best = i
    x = targets[tied[best]]
    for i in range(best, low + count - 1):
        tied[i] = tied[i + 1]
    waiting[here] = count - 1
    return x


def step(state, nodes):
    """Go on for about `nodes` squares placed. Returns RUNNING or FOUND; it never gives up by itself."""
    c, offsets, targets, path, position, free, tied, waiting, starts, keys, directions, plan, phase = state
    limit = c[NODES] + nodes
    while c[NODES] < limit:
        length = c[LENGTH]
        x = starts[c[RESTARTS] % len(starts)] if length == 0 else take_tied(state)
        if x < 0:
            back_up(state)
            continue
        path[length] = x
        position[x] = length
        c[LENGTH] = length + 1
        c[NODES] += 1
        if length > 0 or c[GOAL] != CLOSED:
            for k in range(offsets[x], offsets[x + 1]):
                free[targets[k]] -= 1
        if c[TIES] == SQUIRREL:
            now = 0 if length == 0 else phase[length - 1]
            phase[length] = now + 1 if plan[9 * now + 8] == x else now
        if length + 1 == c[COUNT]:
            return FOUND
        list_ties(state)
    return RUNNING


INNER = (next_random, back_up, list_ties, take_tied)
KERNELS = (*INNER, step)
