"""Kernels on a closed line through all vertices, as annealing and genetic segments turn it: its gaps, and its turns.

line is a cyclic order of all vertices and place its inverse. There is a gap where two that follow each other are not
joined by a move. The first `count` items of loose[] are the vertices beside a gap, and spot[v] is where v is there,
or -1.
"""


def are_joined(offsets, targets, a, b):
    """Whether there is a move between two vertices. The one with fewer moves is looked at: a virtual one has many."""
    if offsets[a + 1] - offsets[a] > offsets[b + 1] - offsets[b]:
        swap = a
        a = b
        b = swap
    for k in range(offsets[a], offsets[a + 1]):  # noqa: SIM110 (a generator is slower, and nothing that numba knows)
        if targets[k] == b:
            return True
    return False


def is_gap(offsets, targets, line, i):
    """Whether there is no move from the vertex at i to the next one."""
    j = i + 1
    if j == len(line):
        j = 0
    return not are_joined(offsets, targets, line[i], line[j])


def note_loose(offsets, targets, line, place, loose, spot, count, v):
    """Keep the list of vertices beside a gap, after the links of v have changed. Returns how many they are now."""
    i = place[v]
    before = (i if i > 0 else len(line)) - 1
    is_loose = is_gap(offsets, targets, line, i) or is_gap(offsets, targets, line, before)
    if is_loose == (spot[v] >= 0):
        return count
    if is_loose:
        spot[v] = count
        loose[count] = v
        return count + 1
    last = loose[count - 1]
    loose[spot[v]] = last
    spot[last] = spot[v]
    spot[v] = -1
    return count - 1


def reverse(line, place, i, j):
    """Turn the part of the line from i to j round, which may run over the end; or the rest, if that is shorter.

    Returns the number of swaps.
    """
    n = len(line)
    length = j - i + 1
    if length <= 0:
        length += n
    if 2 * length > n:
        swap = i
        i = j + 1 if j + 1 < n else 0
        j = (swap if swap > 0 else n) - 1
        length = n - length
    for _ in range(length // 2):
        a = line[i]
        b = line[j]
        line[i] = b
        place[b] = i
        line[j] = a
        place[a] = j
        i = i + 1 if i + 1 < n else 0
        j = (j if j > 0 else n) - 1
    return length // 2
