"""Links of a cover: before[s] and after[s] say what lies on either side of s in its loop; they have no direction.

Kernels that the merging kernel is made of, without its counters.
"""

from knightstour.kernels.rng import next_random


def put_pair(before, after, a, b):
    """A loop of two squares."""
    before[a] = b
    after[a] = b
    before[b] = a
    after[b] = a


def are_joined(offsets, targets, a, b):
    """Whether there is a move between two squares."""
    for k in range(offsets[a], offsets[a + 1]):  # noqa: SIM110 (a generator is slower, and nothing that numba knows)
        if targets[k] == b:
            return True
    return False


def relink(before, after, s, old, new):
    """Replace one link of s; `before` goes first, since after[joker] may be a start that was given."""
    if before[s] == old:
        before[s] = new
    else:
        after[s] = new


def unlink(before, after, s, old):
    """Take one link of s away: -1 is a missing link."""
    if after[s] == old:
        after[s] = -1
    else:
        before[s] = -1


def link(before, after, s, new):
    """Put a link of s where one is missing."""
    if after[s] < 0:
        after[s] = new
    else:
        before[s] = new


def relabel(before, after, label, first, new):
    """Give the whole loop of `first` another label; returns its length."""
    s = first
    came = before[s]
    length = 0
    while True:
        label[s] = new
        length += 1
        going = after[s]
        if going == came:
            going = before[s]
        came = s
        s = going
        if s == first:
            return length


def undo_trail(before, after, via, length):
    """Put everything back, the last change first; the link that closes the trail is gone already."""
    while length > 2:
        length -= 2
        q = via[length + 1]
        p = via[length]
        s = via[length - 1]
        link(before, after, q, p)
        unlink(before, after, s, p)
        relink(before, after, p, s, q)
    link(before, after, via[1], via[0])
    link(before, after, via[0], via[1])


def trace(before, after, label, reached, mark, farthest, first, side, new):
    """Walk a loop from `first` to one side (0 or 1), marking as `mark` what is marked mark - 1, until it closes.

    It is given up `farthest` steps after the last such square. Returns the number of steps, 0 if given up. With
    new >= 0 the squares are given that label.
    """
    s = first
    came = before[s]
    going = after[s]
    if side == 1:
        came = after[s]
        going = before[s]
    steps = 0
    since = 0
    while since < farthest:
        if reached[s] >= mark - 1:
            reached[s] = mark
            since = 0
        if new >= 0:
            label[s] = new
        came = s
        s = going
        going = after[s]
        if going == came:
            going = before[s]
        steps += 1
        since += 1
        if s == first:
            return steps
    return 0


def match_together(ends, offsets, targets, squares, before, after, root, queue, reached, via, mark, x):
    """Look for augmenting paths from all squares without one after them at once, and turn over those that are found.

    ends: the start and the end, or negative. A tree grows from each such square; no two trees meet, and one that has
    found a square without one before it grows no more: root[s], the square it grew from, now has a square after it.
    mark: greater than all in `reached`. x: a random number. Returns how many were found: 0 when there is no path left.
    """
    start, end = ends
    tail = 0
    for i in range(len(squares)):
        a = squares[i]
        if after[a] < 0 and a != end:
            root[a] = a
            queue[tail] = a
            tail += 1
    head = 0
    made = 0
    while head < tail:
        a = queue[head]
        head += 1
        low = offsets[a]
        degree = offsets[a + 1] - low
        if after[root[a]] >= 0 or degree == 0:
            continue
        x = next_random(x)
        turn = x % degree
        for i in range(degree):
            b = targets[low + (i + turn if i + turn < degree else i + turn - degree)]
            if reached[b] == mark or b == start:
                continue
            reached[b] = mark
            via[b] = a
            s = before[b]
            if s >= 0:
                root[s] = root[a]
                queue[tail] = s
                tail += 1
                continue
            made += 1
            s = root[a]
            while True:
                p = via[b]
                following = after[p]
                after[p] = b
                before[b] = p
                if p == s:
                    break
                b = following
            break
    return made


def plant(joker, before, after, label, loops):
    """A tree for each loop: label[s] leads from s to its root, which is its own label; loops[root] as for labels.

    joker: the last of the numbers that may be in loops. Returns how many loops there are.
    """
    count = 0
    for s in range(joker + 1):
        label[s] = -1
        loops[s] = 0
    for s in range(joker + 1):
        if after[s] >= 0 and label[s] < 0:
            loops[s] = relabel(before, after, label, s, s)
            count += 1
    return count


def relabel_all(squares, before, after, label, loops):
    """Number all loops again; returns how many there are."""
    for s in range(len(label)):
        label[s] = -1
    fresh = 0
    for i in range(len(squares)):
        if label[squares[i]] < 0:
            loops[fresh] = relabel(before, after, label, squares[i], fresh)
            fresh += 1
    # What an earlier cover left behind: a label without squares must be seen to be free.
    for spare in range(fresh, len(squares)):
        loops[spare] = 0
    return fresh
