"""Links of a cover: before[s] and after[s] say what lies on either side of s in its loop; they have no direction.

Kernels that the merging kernel is made of, without its counters.
"""


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
