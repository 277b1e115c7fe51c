"""Kernel of the Warnsdorff law: always go to a free square with the fewest free neighbours, ties at random, and begin
again at a dead end.

is_off[s] is 1 once s was visited, and free[s] the number of its unvisited neighbours. No number
here goes beyond 63 bits, since in compiled code that means anything.
"""

from knightstour.kernels.rng import bits, next_state

RANDOM, COUNT, START, END, CLOSED, MADE, NODES, FAILS = range(8)
COUNTERS = 8


def restart(c, offsets, near, degrees, is_off, free, line, labels, out, nodes):
    """Try until `out` is filled or about `nodes` squares were visited; c[MADE] rows hold tours.

    labels: the board's number of each square. is_off: 1 for a square visited. An attempt is never left half done.
    """
    count = c[COUNT]
    x = c[RANDOM]
    limit = c[NODES] + nodes
    while c[MADE] < len(out) and c[NODES] < limit:
        x = next_state(x)
        at = c[START]
        while at < 0 or (at == c[END] and count > 1):
            at = (bits(x) * count) >> 32
            x = next_state(x)
        first = at
        for s in range(count):
            free[s] = degrees[s]
            is_off[s] = 0
        length = 0
        while True:
            line[length] = at
            length += 1
            is_off[at] = 1
            for k in range(offsets[at], offsets[at + 1]):
                free[near[k]] -= 1
            if length == count:
                break
            # A closed tour needs a way back, which the last square of all must use.
            if c[CLOSED] == 1 and free[first] == 0:
                break
            best = -1
            lowest = 1 << 62
            for k in range(offsets[at], offsets[at + 1]):
                s = near[k]
                if is_off[s] == 1 or (s == c[END] and length < count - 1):
                    continue
                x = next_state(x)
                rank = (free[s] << 32) + bits(x)
                if rank < lowest:
                    lowest = rank
                    best = s
            if best < 0:
                break
            at = best
        c[NODES] += length
        good = length == count
        if good and c[CLOSED] == 1:
            good = False
            for k in range(offsets[at], offsets[at + 1]):
                if near[k] == first:
                    good = count > 2
        if not good:
            c[FAILS] += 1
            continue
        for i in range(count):
            out[c[MADE], i] = labels[line[i]]
        c[MADE] += 1
    c[RANDOM] = x


KERNELS = (next_state, bits, restart)
INNER = (next_state, bits)
