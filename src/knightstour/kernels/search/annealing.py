"""Kernel of the annealing method: one closed line through all vertices, and the gaps in it that are no moves.

line is a cyclic order of all vertices and place its inverse. Where two that follow each other are not joined by a move
there is a gap, so the line is a cover by as many paths as it has gaps; without gaps it is a tour. A turn takes two
links u-p and v-q out, where p and q follow u and v on the same side, and puts u-v, which is a move, and p-q in: the
part of the line between them is turned round. It changes the number of gaps by -2 to 1.

loose[] lists the vertices beside a gap, and spot[v] is where v is in it, or -1.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random
from knightstour.kernels.search.lines import are_joined, is_gap, note_loose, reverse

RUNNING, FOUND = 0, 1

# chances: for each stage of the cooling, the chance of 2**32 to take a turn that makes one gap more.
State = namedtuple("State", "counters offsets targets chances line place loose spot free")

# Items of `counters`.
(
    NODES,
    RANDOM,
    PHASE,
    CURSOR,
    VERTICES,
    GAPS,
    LOOSE,
    STAGE,
    LEFT,  # turns left to propose in this stage
    STAGE_TURNS,
    IS_GREEDY,
    TURNS,
    WORSE,  # turns taken that made a gap more
    HEATS,
    LENGTH,
    SWAPS,  # vertices moved in this call, for turns that take long
) = range(16)
COUNTERS = 16

SHUFFLE, WALK, COUNT, COOL = range(4)
# Swaps a node after which a call also gives back control.
SWAPS_A_NODE = 100
# How many vertices a turn usually moves at most.
NEAR = 1000
# Of 8 proposals, how many begin at a gap.
AT_GAPS = 6


def walk(state):
    """Put one more vertex on the line: a free neighbour of the last one with the fewest free neighbours, or any."""
    c, offsets, targets, chances, line, place, loose, spot, free = state
    best = -1
    fewest = 1 << 60
    ties = 0
    if c[LENGTH] > 0:
        last = line[c[LENGTH] - 1]
        for k in range(offsets[last], offsets[last + 1]):
            s = targets[k]
            if place[s] >= 0 or free[s] > fewest:
                continue
            if free[s] < fewest:
                fewest = free[s]
                ties = 0
            ties += 1
            c[RANDOM] = next_random(c[RANDOM])
            if (c[RANDOM] >> 4) % ties == 0:
                best = s
    if best < 0:
        # `loose` is here the random order in which the vertices are looked for.
        while place[loose[c[CURSOR]]] >= 0:
            c[CURSOR] += 1
        best = loose[c[CURSOR]]
    place[best] = c[LENGTH]
    line[c[LENGTH]] = best
    c[LENGTH] += 1
    for k in range(offsets[best], offsets[best + 1]):
        free[targets[k]] -= 1


def propose(state):
    """Propose a turn, and take it if it makes no more gaps; if it makes one more, with the chance of this stage."""
    c, offsets, targets, chances, line, place, loose, spot, free = state
    n = c[VERTICES]
    x = next_random(c[RANDOM])
    at_gap = (x >> 3) % 8 < AT_GAPS
    forward = (x >> 7) & 1 == 1
    x = next_random(x)
    u = loose[(x >> 4) % c[LOOSE]] if at_gap else line[(x >> 4) % n]
    i = place[u]
    before = (i if i > 0 else n) - 1
    after = i + 1 if i + 1 < n else 0
    if at_gap and not is_gap(offsets, targets, line, i if forward else before):
        forward = not forward
    p = line[after] if forward else line[before]
    low = offsets[u]
    degree = offsets[u + 1] - low
    x = next_random(x)
    c[RANDOM] = x
    if degree == 0:
        return
    v = targets[low + (x >> 4) % degree]
    if v == p or v == line[before if forward else after]:
        return
    j = place[v]
    # Seldom far, and ever more seldom farther: on large boards most of the time would go into long turns.
    x = next_random(x)
    c[RANDOM] = x
    farthest = NEAR
    while x & 1 == 1 and farthest < n:
        x >>= 1
        farthest *= 2
    length = j - i if j > i else i - j
    if length > farthest and n - length > farthest:
        return
    q = line[(j + 1 if j + 1 < n else 0) if forward else ((j if j > 0 else n) - 1)]
    change = 0 if are_joined(offsets, targets, p, q) else 1
    if not are_joined(offsets, targets, u, p):
        change -= 1
    if not are_joined(offsets, targets, v, q):
        change -= 1
    if change > 0:
        c[RANDOM] = next_random(c[RANDOM])
        if c[RANDOM] >= chances[c[STAGE]]:
            return
        c[WORSE] += 1
    if forward:
        c[SWAPS] += reverse(line, place, after, j)
    else:
        c[SWAPS] += reverse(line, place, j, before)
    c[TURNS] += 1
    c[GAPS] += change
    for s in (u, p, v, q):
        c[LOOSE] = note_loose(offsets, targets, line, place, loose, spot, c[LOOSE], s)


def step(state, nodes):
    """Go on for about `nodes` turns proposed. Returns RUNNING or FOUND."""
    c, offsets, targets, chances, line, place, loose, spot, free = state
    n = c[VERTICES]
    limit = c[NODES] + nodes
    c[SWAPS] = 0
    while c[NODES] < limit and c[SWAPS] < nodes * SWAPS_A_NODE:
        c[NODES] += 1
        if c[PHASE] == SHUFFLE:
            # Insert the next vertex at random: all orders are alike.
            i = c[CURSOR]
            c[RANDOM] = next_random(c[RANDOM])
            j = c[RANDOM] % (i + 1)
            loose[i] = loose[j]
            loose[j] = i
            free[i] = offsets[i + 1] - offsets[i]
            place[i] = -1
            c[CURSOR] += 1
            if c[CURSOR] == n:
                c[CURSOR] = 0
                c[LENGTH] = 0
                c[PHASE] = WALK
        elif c[PHASE] == WALK:
            if c[IS_GREEDY] == 1:
                walk(state)
            else:
                line[c[LENGTH]] = loose[c[LENGTH]]
                place[line[c[LENGTH]]] = c[LENGTH]
                c[LENGTH] += 1
            if c[LENGTH] == n:
                c[CURSOR] = 0
                c[LOOSE] = 0
                c[GAPS] = 0
                for v in range(n):
                    spot[v] = -1
                c[PHASE] = COUNT
        elif c[PHASE] == COUNT:
            if is_gap(offsets, targets, line, c[CURSOR]):
                c[GAPS] += 1
            c[LOOSE] = note_loose(offsets, targets, line, place, loose, spot, c[LOOSE], line[c[CURSOR]])
            c[CURSOR] += 1
            if c[CURSOR] == n:
                c[STAGE] = 0
                c[LEFT] = c[STAGE_TURNS]
                c[PHASE] = COOL
        else:
            if c[GAPS] == 0:
                return FOUND
            propose(state)
            c[LEFT] -= 1
            if c[LEFT] == 0:
                c[LEFT] = c[STAGE_TURNS]
                c[STAGE] += 1
                if c[STAGE] == len(chances):
                    c[STAGE] = 0
                    c[HEATS] += 1
    return RUNNING


KERNELS = (next_random, are_joined, is_gap, note_loose, walk, reverse, propose, step)
INNER = KERNELS[:-1]
