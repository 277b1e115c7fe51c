"""Kernel of estimating: all walks of a population take one step each, at random, and keep the weights of their choices.

Walk i has come to head[i]; free[i, s] is 1 for squares not visited yet, degree[i, s] the number of free neighbours of s
(right for free squares). last[i] is the square that must come last, or -1. log_weight[i] is the logarithm of 1 over the
probability of the choices made so far; a walk that cannot become a tour has DEAD there and rests. hope[i] is the sum
over the free squares of promise[degree]: a guess at the logarithm of the number of ways to go on.
"""

from collections import namedtuple
from math import log

from knightstour.kernels.rng import next_random

DEAD = -1e300

# offsets, targets: the moves, as in MoveGraph. near_root: 1 for neighbours of the first square of closed tours, else 0.
# liking, promise: (degree,), floats. random: (1,).
Field = namedtuple("Field", "offsets targets near_root liking promise random")
Walks = namedtuple("Walks", "head last free degree log_weight hope roots")


def advance(field, walks, left, closed):
    """One step of each walk; `left` squares are free before it."""
    offsets, targets, near_root, liking, promise, random = field
    head, last, free, degree, log_weight, hope, roots = walks
    for i in range(len(head)):
        if log_weight[i] == DEAD:
            continue
        v = head[i]
        low = offsets[v]
        high = offsets[v + 1]
        # Once v is left, a free neighbour of it that has just one more neighbour is *tight*: next, or last of all.
        tight = 0
        is_lost = False
        for k in range(low, high):
            s = targets[k]
            if free[i, s] == 0 or left == 1:
                continue
            ways = degree[i, s] + near_root[s]
            if ways == 0:
                is_lost = True
            elif ways == 1 and s != last[i]:
                tight += 1
        spare = 1 if not closed and last[i] < 0 else 0
        if is_lost or tight > 1 + spare:
            log_weight[i] = DEAD
            continue
        only_tight = tight > spare
        total = 0.0
        for k in range(low, high):
            s = targets[k]
            if free[i, s] == 1 and may_be_next(field, walks, i, s, left, closed, only_tight):
                total += liking[degree[i, s]]
        if total == 0.0:
            log_weight[i] = DEAD
            continue
        random[0] = next_random(random[0])
        rest = total * (random[0] / 4294967296.0)
        chosen = -1
        for k in range(low, high):
            s = targets[k]
            if free[i, s] == 1 and may_be_next(field, walks, i, s, left, closed, only_tight):
                # The last one is taken where rounding leaves a rest.
                chosen = s
                rest -= liking[degree[i, s]]
                if rest < 0.0:
                    break
        log_weight[i] += log(total) - log(liking[degree[i, chosen]])
        if spare == 1 and left > 1:
            for k in range(low, high):
                s = targets[k]
                if free[i, s] == 1 and s != chosen and degree[i, s] == 1:
                    last[i] = s
        free[i, chosen] = 0
        head[i] = chosen
        hope[i] -= promise[degree[i, chosen]]
        roots[i] -= near_root[chosen]
        for k in range(offsets[chosen], offsets[chosen + 1]):
            s = targets[k]
            if free[i, s] == 1:
                hope[i] += promise[degree[i, s] - 1] - promise[degree[i, s]]
                degree[i, s] -= 1


def may_be_next(field, walks, i, s, left, closed, only_tight):
    """Whether walk i can go to the free neighbour s of its head without being lost at once."""
    if left == 1:
        return not closed or field.near_root[s] == 1
    if walks.degree[i, s] == 0 or s == walks.last[i]:
        return False
    if closed and field.near_root[s] == 1 and walks.roots[i] == 1:
        # The way back to the first square would be lost.
        return False
    return not only_tight or walks.degree[i, s] + field.near_root[s] == 1


KERNELS = (next_random, may_be_next, advance)
INNER = (next_random, may_be_next)
