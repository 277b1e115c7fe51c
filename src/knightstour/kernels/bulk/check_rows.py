"""Kernel that checks tours in bulk against a table of moves. Compiled only; it shares nothing with what makes tours."""


def first_fault(orders, first, last, joined, seen, closed, start, end):
    """Number of the first row among orders[first:last] that is no such tour, or -1.

    joined[a, b]: whether squares a and b are a move apart, never for a hole. seen: one item a square, 0 at first.
    """
    count = orders.shape[1]
    size = len(seen)
    for i in range(first, last):
        before = orders[i, 0]
        behind = orders[i, count - 1]
        if before < 0 or before >= size or behind < 0 or behind >= size:
            return i
        if (start >= 0 and before != start) or (end >= 0 and behind != end):
            return i
        mark = i + 1
        faults = closed == 1 and joined[behind, before] == 0
        seen[before] = mark
        for k in range(1, count):
            s = orders[i, k]
            if s < 0 or s >= size:
                return i
            faults = faults or seen[s] == mark or joined[before, s] == 0
            seen[s] = mark
            before = s
        if faults:
            return i
    return -1


KERNELS = (first_fault,)
