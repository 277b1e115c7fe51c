"""Kernel of the neural method: a neuron for every move, and each square wants two of them on.

output[m] is 0 or 1: whether move m is part of the cover. potential[m] rises by one for each move that its two squares
still want and falls for each one too many; the neuron goes on above 3 and off below 0, and stays as it is between (the
hysteresis). degree[v] is the number of neurons on at v: in the synchronous mode as it was before the sweep, else now.
Where all degrees are two nothing changes any more: the neurons on are a cover by loops.

A neuron between two squares that have what they want does not change, so a sweep only visits the others: wrong[] lists
the vertices whose degree is not two, and place[v] is where v is in it, or -1.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random

RUNNING, FOUND = 0, 1

# tails, heads: the two ends of each neuron's move. offsets, slots: the neurons at each vertex. turns: the neurons this
# sweep visits. fresh: degrees after a synchronous sweep. marks: the last sweep that listed a neuron. cycle: the loops.
State = namedtuple(
    "State", "counters tails heads offsets slots output potential degree fresh turns marks wrong place cycle"
)

# Items of `counters`.
(
    NODES,
    RANDOM,
    PHASE,
    CURSOR,
    VERTICES,
    MOVES,
    IS_SYNCHRONOUS,
    WANTS_COVER,  # 1: any cover by loops will do
    SWEEP,  # sweeps of this try
    MOST_SWEEPS,
    TURNS,  # neurons in `turns`
    WRONG,  # vertices in `wrong`
    LOOPS,  # of the last cover
    RESTARTS,
    CONVERGED,
    SINGLE,
    SWEEPS,
) = range(17)
COUNTERS = 17

BEGIN, GATHER, SWEEPING, TRACE = range(4)
ON_ABOVE, OFF_BELOW = 3, 0


def count_wrong(c, degree, wrong, place, v):
    """Keep the list of vertices that have not what they want, after degree[v] has changed."""
    if (degree[v] != 2) == (place[v] >= 0):
        return
    if degree[v] != 2:
        place[v] = c[WRONG]
        wrong[c[WRONG]] = v
        c[WRONG] += 1
    else:
        c[WRONG] -= 1
        last = wrong[c[WRONG]]
        wrong[place[v]] = last
        place[last] = place[v]
        place[v] = -1


def begin(c, tails, heads, offsets, output, potential, degree, wrong, place, m):
    """A random beginning of one neuron: on with the chance that gives its fuller end two of them."""
    a = tails[m]
    b = heads[m]
    most = offsets[a + 1] - offsets[a]
    if most < offsets[b + 1] - offsets[b]:
        most = offsets[b + 1] - offsets[b]
    x = next_random(c[RANDOM])
    is_on = 1 if (x >> 4) % most < 2 else 0
    degree[a] += is_on - output[m]
    degree[b] += is_on - output[m]
    output[m] = is_on
    count_wrong(c, degree, wrong, place, a)
    count_wrong(c, degree, wrong, place, b)
    # They must not all wake at once.
    x = next_random(x)
    potential[m] = 0 if is_on == 1 else -((x >> 4) % (2 * most))
    c[RANDOM] = x


def gather(c, offsets, slots, turns, marks, wrong):
    """List the neurons at vertices that are wrong; in the asynchronous mode in a random order."""
    length = 0
    c[SWEEPS] += 1
    for i in range(c[WRONG]):
        v = wrong[i]
        for k in range(offsets[v], offsets[v + 1]):
            m = slots[k]
            if marks[m] != c[SWEEPS]:
                marks[m] = c[SWEEPS]
                turns[length] = m
                length += 1
    c[TURNS] = length
    if c[IS_SYNCHRONOUS] == 1:
        return
    x = c[RANDOM]
    for i in range(length - 1, 0, -1):
        x = next_random(x)
        j = x % (i + 1)
        m = turns[i]
        turns[i] = turns[j]
        turns[j] = m
    c[RANDOM] = x


def update(tails, heads, output, potential, degree, fresh, m):
    """One step of one neuron; it writes to `fresh` what it does. Returns whether it went on or off."""
    potential[m] += 4 - degree[tails[m]] - degree[heads[m]]
    new = output[m]
    if potential[m] > ON_ABOVE:
        new = 1
    elif potential[m] < OFF_BELOW:
        new = 0
    change = new - output[m]
    fresh[tails[m]] += change
    fresh[heads[m]] += change
    output[m] = new
    return change != 0


def trace(c, tails, heads, offsets, slots, output, fresh, cycle):
    """Write the loops of a cover into `cycle`, the last vertex of each as -1 - v, and count them."""
    for v in range(c[VERTICES]):
        fresh[v] = 0
    c[LOOPS] = 0
    length = 0
    for first in range(c[VERTICES]):
        if fresh[first] == 1:
            continue
        c[LOOPS] += 1
        v = first
        while v >= 0:
            fresh[v] = 1
            cycle[length] = v
            length += 1
            going = -1
            for k in range(offsets[v], offsets[v + 1]):
                m = slots[k]
                other = tails[m] + heads[m] - v
                if output[m] == 1 and fresh[other] == 0:
                    going = other
            v = going
        cycle[length - 1] = -1 - cycle[length - 1]


def step(state, nodes):
    """Go on for about `nodes` updates of neurons. FOUND: one loop, or any cover where that will do."""
    c, tails, heads, offsets, slots, output, potential, degree, fresh, turns, marks, wrong, place, cycle = state
    limit = c[NODES] + nodes
    while c[NODES] < limit:
        if c[PHASE] == BEGIN:
            c[NODES] += 1
            if c[CURSOR] < c[MOVES]:
                begin(c, tails, heads, offsets, output, potential, degree, wrong, place, c[CURSOR])
                c[CURSOR] += 1
            else:
                for v in range(c[VERTICES]):
                    count_wrong(c, degree, wrong, place, v)
                    fresh[v] = degree[v]
                c[SWEEP] = 0
                c[PHASE] = GATHER
        elif c[PHASE] == GATHER:
            c[CURSOR] = 0
            if c[WRONG] == 0:
                c[PHASE] = TRACE
            elif c[SWEEP] == c[MOST_SWEEPS]:
                c[RESTARTS] += 1
                c[PHASE] = BEGIN
            else:
                c[SWEEP] += 1
                gather(c, offsets, slots, turns, marks, wrong)
                c[PHASE] = SWEEPING
                # A vertex without moves leaves nothing to visit, yet the sweep must count.
                c[NODES] += 1
        elif c[PHASE] == SWEEPING:
            while c[CURSOR] < c[TURNS] and c[NODES] < limit:
                c[NODES] += 1
                m = turns[c[CURSOR]]
                c[CURSOR] += 1
                if c[IS_SYNCHRONOUS] == 1:
                    update(tails, heads, output, potential, degree, fresh, m)
                elif update(tails, heads, output, potential, degree, degree, m):
                    count_wrong(c, degree, wrong, place, tails[m])
                    count_wrong(c, degree, wrong, place, heads[m])
            if c[CURSOR] == c[TURNS]:
                if c[IS_SYNCHRONOUS] == 1:
                    for i in range(c[TURNS]):
                        for v in (tails[turns[i]], heads[turns[i]]):
                            degree[v] = fresh[v]
                            count_wrong(c, degree, wrong, place, v)
                c[PHASE] = GATHER
        else:
            c[NODES] += c[VERTICES]
            c[CONVERGED] += 1
            trace(c, tails, heads, offsets, slots, output, fresh, cycle)
            c[PHASE] = BEGIN
            if c[LOOPS] == 1:
                c[SINGLE] += 1
            if c[LOOPS] == 1 or c[WANTS_COVER] == 1:
                return FOUND
            c[RESTARTS] += 1
    return RUNNING


KERNELS = (next_random, count_wrong, begin, gather, update, trace, step)
INNER = KERNELS[:-1]
