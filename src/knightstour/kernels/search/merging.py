"""Kernel of the merging method: cover the board by small loops, and join them two at a time until one is left.

A cover is two links a square, before[s] and after[s], which say what lies on either side of s in its loop; they have
no direction once the cover is made. A loop of two squares has both links of each on the other. An open tour is a loop
through one square more, the joker: after[joker] is the start and before[joker] the end. The joker has no moves, so only
the code that moves a free end ever touches it.

Two loops with links a-b and p-q become one when a-p and b-q are put in instead. Where no such place is left, a closed
trail of moves, by turns taken away and put in, changes the loops otherwise. label[s] is the loop of s, loops[l] the
number of squares of loop l (0: no such loop). While nothing but joining happens (phase SWEEP) the labels are trees,
so that a loop need not be walked round to take another's label: label[s] leads on to the root. Source: B. A. Galler and
M. J. Fischer, An improved equivalence algorithm, 1964.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random
from knightstour.kernels.search.links import (
    are_joined,
    link,
    match_together,
    plant,
    put_pair,
    relabel,
    relabel_all,
    relink,
    trace,
    undo_trail,
    unlink,
)

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# squares: all the squares, shuffled in place. base: the fixed cover by 4-cycles as the square after each, -1 where it
# has none. queue, reached, via: the search for a matching;
# later `reached` marks what was counted, and `via` is the trail.
State = namedtuple("State", "counters offsets targets squares base before after label loops queue reached via tour")

# Half the memory is half the time of a large board, whose arrays no cache holds.
NARROW = ("offsets", "targets", "squares", "base", "before", "after", "label", "loops", "queue", "via", "tour")

# Items of `counters`.
(
    NODES,
    RANDOM,
    PHASE,
    CURSOR,
    COUNT,
    JOKER,
    START,  # a square, ANY, or NONE in a closed tour
    END,  # the same; given only together with the start
    RANDOMNESS,
    ROUNDS,  # how many more times the finished tour is cut into pairs
    HAS_TOUR,
    COMPONENTS,
    SEARCHES,
    SEARCHING,
    HEAD,
    TAIL,
    OPEN_TARGETS,
    UNMATCHED,
    FAILED_SQUARES,
    FAILED_TARGETS,
    MERGED,
    FEWEST,
    KICKS_SINCE,
    MERGES,
    STUCK,
    REPAIRS,
    RESTARTS,
    PATIENCE,
    FOCUS,
    FRESH,
    WALKED,  # squares walked over in this call, for nodes that take long
    LISTED,  # how many squares of small loops are listed
    IS_FIRST,  # on large boards: whether the search or sweep is one of the first, which are quicker
) = range(33)
COUNTERS = 33

# As START and END.
ANY, NONE = -1, -2

# Items of `counters` at PHASE.
COVER, ENDS, MATCH, LABEL, SWEEP, REPAIR, WRITE = range(7)

# Squares are shuffled this near on large boards: at random all over, 1000x1000 took nearly twice as long.
WINDOW = 4096

# How far a loop is usually walked to see whether it closes.
NEAR = 500

# Nodes of one phase take longer than those of another, so a call never does more than this.
MOST_NODES = 1 << 17
MOST_WALKED = 1 << 22

# Longer trails seldom leave as few loops as there were.
LONGEST_TRAIL = 16


# ---------------------------------------------------------------- the cover


def clear(c, squares, before, after, reached):
    """No links yet, and the squares in another random order; those of randomness 0 keep theirs until the merging."""
    for s in range(c[JOKER] + 1):
        before[s] = -1
        after[s] = -1
        reached[s] = 0
    if c[RANDOMNESS] > 0:
        shuffle(c, squares)
    c[SEARCHES] = 0
    c[SEARCHING] = -1
    c[FAILED_SQUARES] = 0
    c[FAILED_TARGETS] = 0
    c[CURSOR] = 0


def shuffle(c, squares):
    """The squares in a random order; on large boards in one where neighbours stay near, for the sake of the cache."""
    x = c[RANDOM]
    for i in range(c[COUNT] - 1, 0, -1):
        x = next_random(x)
        # A remainder by a fixed power of two is a mask, which is much quicker.
        j = i - x % (i + 1) if i < WINDOW else i - x % WINDOW
        s = squares[i]
        squares[i] = squares[j]
        squares[j] = s
    c[RANDOM] = x


def put_four(c, before, after, a, b, p, q):
    """The 4-cycle a b p q: at randomness 0 whole, else as two pairs in one of two ways."""
    if c[RANDOMNESS] == 0:
        after[a] = b
        after[b] = p
        after[p] = q
        after[q] = a
        before[b] = a
        before[p] = b
        before[q] = p
        before[a] = q
        return
    c[RANDOM] = next_random(c[RANDOM])
    if (c[RANDOM] >> 8) & 1 == 0:
        put_pair(before, after, a, b)
        put_pair(before, after, p, q)
    else:
        put_pair(before, after, b, p)
        put_pair(before, after, q, a)


def cover_square(c, offsets, targets, base, before, after, a):
    """Put a free square into its 4-cycle of the base, else into another of free squares, else into a pair."""
    b = base[a]
    if b >= 0:
        put_four(c, before, after, a, b, base[b], base[base[b]])
        return
    low = offsets[a]
    degree = offsets[a + 1] - low
    turn = 0
    if c[RANDOMNESS] > 0 and degree > 0:
        c[RANDOM] = next_random(c[RANDOM])
        turn = c[RANDOM] % degree
    for i in range(degree):
        b = targets[low + (i + turn) % degree]
        if after[b] >= 0 or base[b] >= 0:
            continue
        for j in range(i + 1, degree):
            q = targets[low + (j + turn) % degree]
            if after[q] >= 0 or base[q] >= 0:
                continue
            for k in range(offsets[b], offsets[b + 1]):
                p = targets[k]
                if p != a and p != q and after[p] < 0 and base[p] < 0 and are_joined(offsets, targets, p, q):
                    put_four(c, before, after, a, b, p, q)
                    return
    for k in range(low, low + degree):
        b = targets[k]
        if after[b] < 0 and base[b] < 0:
            put_pair(before, after, a, b)
            return


def cover(state, limit):
    """Phase COVER: pairs of the last tour, or 4-cycles and pairs, as far as that goes."""
    c, offsets, targets, squares, base, before, after, label, loops, queue, reached, via, tour = state
    if c[CURSOR] == 0:
        clear(c, squares, before, after, reached)
        if c[HAS_TOUR] == 1:
            # Where the first pair begins is free in a loop; in an odd path it is one square in two that is left over.
            c[RANDOM] = next_random(c[RANDOM])
            first = (c[RANDOM] >> 8) & 1
            single = -1
            if c[END] != NONE:
                first = 0
            if c[COUNT] % 2 == 1:
                c[RANDOM] = next_random(c[RANDOM])
                single = c[RANDOM] % (c[COUNT] // 2 + 1) * 2
            i = first
            while i < c[COUNT] - 1 + first:
                if i == single:
                    i += 1
                if i < c[COUNT] - 1 + first:
                    put_pair(before, after, tour[i % c[COUNT]], tour[(i + 1) % c[COUNT]])
                i += 2
            c[CURSOR] = c[COUNT]
    while c[CURSOR] < c[COUNT]:
        if c[NODES] >= limit:
            return
        c[NODES] += 1
        a = squares[c[CURSOR]]
        c[CURSOR] += 1
        if after[a] < 0:
            cover_square(c, offsets, targets, base, before, after, a)
    c[CURSOR] = 0
    c[PHASE] = ENDS


def open_ends(c, squares, before, after):
    """Phase ENDS: nothing before the start and nothing after the end, where they are given; then count what is free."""
    if c[START] >= 0 and before[c[START]] >= 0:
        after[before[c[START]]] = -1
        before[c[START]] = -1
    if c[END] >= 0 and after[c[END]] >= 0:
        before[after[c[END]]] = -1
        after[c[END]] = -1
    c[OPEN_TARGETS] = 0
    c[UNMATCHED] = 0
    for i in range(c[COUNT]):
        s = squares[i]
        if before[s] < 0 and s != c[START]:
            c[OPEN_TARGETS] += 1
        if after[s] < 0 and s != c[END]:
            c[UNMATCHED] += 1
    c[CURSOR] = 0
    c[IS_FIRST] = 1 if c[COUNT] > WINDOW else 0
    c[PHASE] = MATCH


def match(state, limit):
    """Phase MATCH: give every square one after it, by augmenting paths. Returns EXHAUSTED if that cannot be done.

    A square as the one that is followed and the same square as the one that follows are two sides of a bipartite
    graph, whatever the board; a tour is a perfect matching of it, but for the ends.
    """
    c, offsets, targets, squares, base, before, after, label, loops, queue, reached, via, tour = state
    while c[IS_FIRST] == 1 and c[OPEN_TARGETS] > 0 and c[UNMATCHED] > 0:
        if c[NODES] >= limit:
            return RUNNING
        c[NODES] += c[COUNT] >> 3
        c[SEARCHES] += 1
        c[RANDOM] = next_random(c[RANDOM])
        ends = (c[START], c[END])
        made = match_together(
            ends, offsets, targets, squares, before, after, label, queue, reached, via, c[SEARCHES], c[RANDOM]
        )
        c[OPEN_TARGETS] -= made
        c[UNMATCHED] -= made
        if made == 0:
            c[IS_FIRST] = 0
    while c[CURSOR] < c[COUNT]:
        if c[SEARCHING] < 0:
            if c[OPEN_TARGETS] == 0 or c[UNMATCHED] == 0:
                break
            a = squares[c[CURSOR]]
            if after[a] >= 0 or a == c[END]:
                c[CURSOR] += 1
                continue
            c[SEARCHING] = a
            c[SEARCHES] += 1
            queue[0] = a
            c[HEAD] = 0
            c[TAIL] = 1
        found = -1
        while c[HEAD] < c[TAIL] and found < 0:
            if c[NODES] >= limit:
                return RUNNING
            c[NODES] += 1
            a = queue[c[HEAD]]
            c[HEAD] += 1
            low = offsets[a]
            degree = offsets[a + 1] - low
            turn = 0
            if c[RANDOMNESS] > 0 and degree > 0:
                c[RANDOM] = next_random(c[RANDOM])
                turn = c[RANDOM] % degree
            for i in range(degree):
                b = targets[low + (i + turn) % degree]
                # Squares of a search that failed are never of use again: their mark is -1.
                if reached[b] == c[SEARCHES] or reached[b] < 0 or b == c[START]:
                    continue
                reached[b] = c[SEARCHES]
                via[b] = a
                if before[b] < 0:
                    found = b
                    break
                queue[c[TAIL]] = before[b]
                c[TAIL] += 1
        if found >= 0:
            b = found
            while True:
                a = via[b]
                following = after[a]
                after[a] = b
                before[b] = a
                if a == c[SEARCHING]:
                    break
                b = following
            c[OPEN_TARGETS] -= 1
            c[UNMATCHED] -= 1
        else:
            c[FAILED_SQUARES] += c[TAIL]
            c[FAILED_TARGETS] += c[TAIL] - 1
            for i in range(1, c[TAIL]):
                reached[after[queue[i]]] = -1
        c[SEARCHING] = -1
        c[CURSOR] += 1
    c[CURSOR] = 0
    c[PHASE] = LABEL
    allowed = 1 if c[END] == ANY else 0
    return RUNNING if c[UNMATCHED] <= allowed else EXHAUSTED


def close_and_label(c, squares, before, after, label, loops):
    """Phase LABEL: put the joker between end and start, then number the loops."""
    joker = c[JOKER]
    shuffle(c, squares)
    if c[START] != NONE:
        first = c[START]
        last = c[END]
        if first == ANY and c[UNMATCHED] == 0:
            # Everything lies in loops: any of them may be opened.
            first = squares[0]
            unlink(before, after, before[first], first)
            before[first] = -1
        for i in range(c[COUNT]):
            if first == ANY and before[squares[i]] < 0:
                first = squares[i]
            if last == ANY and after[squares[i]] < 0:
                last = squares[i]
        after[joker] = first
        before[joker] = last
        before[first] = joker
        after[last] = joker
    c[COMPONENTS] = plant(joker, before, after, label, loops)
    c[CURSOR] = 0
    c[MERGED] = 0
    c[IS_FIRST] = 1 if c[COUNT] > WINDOW else 0
    c[PHASE] = SWEEP


# ---------------------------------------------------------------- the merging


def loop_of(c, label, s):
    """The loop of a square: its label, or in phase SWEEP the root of its tree, to which all on the way come nearer."""
    if c[PHASE] != SWEEP:
        return label[s]
    while label[s] != s:
        label[s] = label[label[s]]
        s = label[s]
    return s


def merge(c, before, after, label, loops, a, b, p, q):
    """Join two loops: a-b and p-q become a-p and b-q; the smaller one takes the label of the larger."""
    keep = loop_of(c, label, a)
    drop = loop_of(c, label, p)
    first = p
    if loops[keep] < loops[drop]:
        other = keep
        keep = drop
        drop = other
        first = a
    if c[PHASE] == SWEEP:
        label[drop] = keep
    else:
        relabel(before, after, label, first, keep)
    loops[keep] += loops[drop]
    loops[drop] = 0
    relink(before, after, a, b, p)
    relink(before, after, b, a, q)
    relink(before, after, p, q, a)
    relink(before, after, q, p, b)
    c[COMPONENTS] -= 1
    c[MERGES] += 1
    c[MERGED] += 1


def try_merge(c, offsets, targets, before, after, label, loops, a):
    """Join the loop of a to another one at a link of a, if that can be done.

    A free end is linked to the joker, which may go anywhere: then any loop beside it fits.
    """
    joker = c[JOKER]
    low = offsets[a]
    degree = offsets[a + 1] - low
    mine = loop_of(c, label, a)
    is_end = c[END] == ANY and (before[joker] == a or (after[joker] == a and c[START] == ANY))
    c[RANDOM] = next_random(c[RANDOM])
    turn = c[RANDOM] >> 4
    b = after[a]
    other = before[a]
    if (c[RANDOM] >> 3) & 1 == 0:
        b = other
        other = after[a]
    if degree > 0:
        turn %= degree
    for i in range(degree):
        # One remainder a square, since one a move takes longer than all the rest.
        k = i + turn if i + turn < degree else i + turn - degree
        p = targets[low + k]
        if loop_of(c, label, p) == mine:
            continue
        for side in range(2):
            q = after[p] if side == 0 else before[p]
            if (is_end and b == joker) or are_joined(offsets, targets, q, b):
                merge(c, before, after, label, loops, a, b, p, q)
                return True
            if other != b and ((is_end and other == joker) or are_joined(offsets, targets, q, other)):
                merge(c, before, after, label, loops, a, other, p, q)
                return True
    return False


def try_parallel(c, offsets, targets, before, after, label, loops, a):
    """Join the loop of a to another one at links that lie alike: a-b and p-q with p - a = q - b, as most on boards do.

    A look at two numbers says so, where `try_merge` looks for a move: on large boards the first sweep is much quicker.
    """
    low = offsets[a]
    degree = offsets[a + 1] - low
    c[RANDOM] = next_random(c[RANDOM])
    x = c[RANDOM]
    b = after[a] if (x >> 3) & 1 == 0 else before[a]
    if b == c[JOKER] or degree == 0:
        return False
    turn = (x >> 4) % degree
    for i in range(degree):
        p = targets[low + (i + turn if i + turn < degree else i + turn - degree)]
        q = p + b - a
        if (
            (after[p] == q or before[p] == q)
            and q != a
            and q != c[JOKER]
            and loop_of(c, label, p) != loop_of(c, label, a)
            and are_joined(offsets, targets, b, q)
        ):
            merge(c, before, after, label, loops, a, b, p, q)
            return True
    return False


def sweep(state, limit):
    """Phase SWEEP: try every square in turn, over and over until nothing can be joined any more."""
    c, offsets, targets, squares, base, before, after, label, loops, queue, reached, via, tour = state
    while c[COMPONENTS] > 1:
        while c[CURSOR] < c[COUNT] and c[COMPONENTS] > 1:
            if c[NODES] >= limit:
                return
            c[NODES] += 1
            a = squares[c[CURSOR]]
            c[CURSOR] += 1
            # A merge is seen from both sides, but for one at a free end, so the largest loop need not look.
            if loops[loop_of(c, label, a)] * 2 <= c[COUNT] + 1 or a == before[c[JOKER]] or a == after[c[JOKER]]:
                if c[IS_FIRST] == 1:
                    try_parallel(c, offsets, targets, before, after, label, loops, a)
                else:
                    try_merge(c, offsets, targets, before, after, label, loops, a)
        c[CURSOR] = 0
        if c[MERGED] == 0 and c[IS_FIRST] == 0:
            break
        c[MERGED] = 0
        c[IS_FIRST] = 0
    c[CURSOR] = 0
    if c[COMPONENTS] == 1:
        c[PHASE] = WRITE
    else:
        c[STUCK] += 1
        c[PHASE] = REPAIR
        c[COMPONENTS] = relabel_all(squares, before, after, label, loops)
        c[LISTED] = 0
        c[FEWEST] = c[COMPONENTS]
        c[KICKS_SINCE] = 0
        c[FOCUS] = squares[0]


# ---------------------------------------------------------------- repair


def trail(c, offsets, targets, before, after, via, first):
    """A closed trail from `first` that takes links away and puts moves in by turns; returns how many squares it has.

    They are via[0], via[1], ...: the links via[0]-via[1], via[2]-via[3], ... are gone, and via[1]-via[2], ... and the
    one from the last to the first are there instead. 0: it came to nothing, and the links are as they were.
    """
    joker = c[JOKER]
    x = next_random(c[RANDOM])
    s = after[first] if (x >> 5) & 1 == 0 else before[first]
    if first == joker and c[START] >= 0:
        s = before[joker]
        if s == after[joker]:
            # The path is the given start alone, which must stay where it is.
            c[RANDOM] = x
            return 0
    if s == joker:
        c[RANDOM] = x
        return 0
    unlink(before, after, first, s)
    unlink(before, after, s, first)
    via[0] = first
    via[1] = s
    length = 2
    while length < LONGEST_TRAIL:
        # Two links are missing: one at s, one at the first square.
        low = offsets[s]
        degree = offsets[s + 1] - low
        x = next_random(x)
        turn = x >> 8
        p = -1
        for i in range(degree):
            t = targets[low + (i + turn) % degree]
            if t != before[s] and t != after[s] and t != via[length - 2] and (p < 0 or t == first):
                p = t
        if p == first or (first == joker and length > 2):
            link(before, after, s, first)
            link(before, after, first, s)
            c[RANDOM] = x
            return length
        if p < 0:
            break
        x = next_random(x)
        q = after[p]
        if (x >> 5) & 1 == 0 or q < 0 or q == joker:
            q = before[p]
            if q < 0 or q == joker:
                q = after[p]
        if q < 0 or q == joker or (first == joker and q == c[START]):
            # Nor may the path shrink to a given start alone: the joker's two links could not be distinguished.
            break
        relink(before, after, p, q, s)
        link(before, after, s, p)
        unlink(before, after, q, p)
        via[length] = p
        via[length + 1] = q
        length += 2
        s = q
    c[RANDOM] = x
    undo_trail(before, after, via, length)
    return 0


def kick(state, first):
    """Change links by a random trail, if that makes no more loops; now and then if it makes one more.

    Only the squares of the trail are looked at, and so much of their loops as is near; where that leaves it open how
    many loops there are, the change is taken back. Returns the number of squares of the trail, 0 if nothing changed.
    """
    c, offsets, targets, squares, base, before, after, label, loops, queue, reached, via, tour = state
    length = trail(c, offsets, targets, before, after, via, first)
    if length == 0:
        return 0
    # The labels there were, each once, in `queue`.
    old_count = 0
    total = 0
    largest = label[first]
    for i in range(length):
        is_new = True
        for j in range(old_count):
            if queue[j] == label[via[i]]:
                is_new = False
        if is_new:
            queue[old_count] = label[via[i]]
            old_count += 1
            total += loops[label[via[i]]]
            if loops[label[via[i]]] > loops[largest]:
                largest = label[via[i]]
    c[SEARCHES] += 2
    mark = c[SEARCHES]
    for i in range(length):
        reached[via[i]] = mark - 1
    # Seldom far, and ever more seldom farther: so no change is out of reach, and the walks are short on average. On a
    # large board most time goes into long walks, and few are needed.
    c[RANDOM] = next_random(c[RANDOM])
    x = c[RANDOM]
    farthest = NEAR
    seldom = 1 if c[COUNT] <= WINDOW else 7
    while x & seldom == seldom and farthest <= c[COUNT]:
        x >>= 1 if seldom == 1 else 3
        farthest *= 2
    far = -1
    far_count = 0
    for is_final in range(2):
        # First only count, then, if the change is to stay, go over the same loops again and label them.
        c[SEARCHES] += 2
        mark = c[SEARCHES]
        for i in range(length):
            reached[via[i]] = mark - 1
        new_count = 0
        new = -1
        for i in range(length):
            if reached[via[i]] != mark - 1:
                continue
            new_count += 1
            if is_final == 1:
                new = largest
                if via[i] != far:
                    new = free_label(c, loops, queue, old_count)
            for side in range(2):
                steps = trace(before, after, label, reached, mark, farthest, via[i], side, new)
                c[WALKED] += steps if steps > 0 else farthest
                if steps > 0:
                    break
            if is_final == 1 and via[i] != far:
                loops[new] = steps
                if far >= 0:
                    loops[largest] -= steps
            elif is_final == 0 and steps == 0:
                far = via[i]
                far_count += 1
        if is_final == 0:
            # A loop too long to walk through is the rest of the largest; of two one cannot tell whether they are one.
            if far_count > 1 or new_count > old_count + 1 or (new_count > old_count and x & 14 != 0):
                unlink(before, after, via[length - 1], first)
                unlink(before, after, first, via[length - 1])
                undo_trail(before, after, via, length)
                return 0
            for j in range(old_count):
                loops[queue[j]] = 0
            if far >= 0:
                loops[largest] = total
            c[REPAIRS] += 1
            c[COMPONENTS] += new_count - old_count
    return length


def free_label(c, loops, queue, old_count):
    """A label no loop has: one of those the trail has made free, if any is left."""
    for j in range(old_count):
        if loops[queue[j]] == 0:
            return queue[j]
    while loops[c[FRESH]] > 0:
        c[FRESH] = (c[FRESH] + 1) % c[COUNT]
    return c[FRESH]


def next_listed(c, squares, label, loops, queue):
    """The next square of a small loop, all round, without a look at those of the largest, which are nearly all.

    They are listed in `queue` after the labels of `kick`; those whose loops were joined since are left out on the way.
    """
    low = LONGEST_TRAIL
    while True:
        if c[LISTED] == 0:
            for i in range(c[COUNT]):
                if loops[label[squares[i]]] * 2 <= c[COUNT] + 1:
                    queue[low + c[LISTED]] = squares[i]
                    c[LISTED] += 1
            c[WALKED] += c[COUNT]
            c[CURSOR] = 0
        s = queue[low + c[CURSOR]]
        if loops[label[s]] * 2 <= c[COUNT] + 1:
            c[CURSOR] = (c[CURSOR] + 1) % c[LISTED]
            return s
        c[LISTED] -= 1
        queue[low + c[CURSOR]] = queue[low + c[LISTED]]
        if c[CURSOR] == c[LISTED]:
            c[CURSOR] = 0


def repair(state, limit):
    """Phase REPAIR: where nothing can be joined, change links at random near the small loops until something can."""
    c, offsets, targets, squares, base, before, after, label, loops, queue, reached, via, tour = state
    while c[COMPONENTS] > 1:
        if c[NODES] >= limit or c[WALKED] >= MOST_WALKED:
            return
        c[NODES] += 1
        if c[COMPONENTS] < c[FEWEST]:
            c[FEWEST] = c[COMPONENTS]
            c[KICKS_SINCE] = 0
        c[KICKS_SINCE] += 1
        if c[KICKS_SINCE] > c[PATIENCE]:
            c[RESTARTS] += 1
            c[PHASE] = COVER
            c[CURSOR] = 0
            return
        x = next_random(c[RANDOM])
        c[RANDOM] = x
        if x % 64 == 0 or loops[label[c[FOCUS]]] * 2 > c[COUNT] + 1:
            if c[COUNT] <= WINDOW:
                i = (x >> 6) % c[COUNT]
                while loops[label[squares[i]]] * 2 > c[COUNT] + 1:
                    i = (i + 1) % c[COUNT]
                c[FOCUS] = squares[i]
            else:
                c[FOCUS] = next_listed(c, squares, label, loops, queue)
        s = c[FOCUS]
        if c[END] == ANY and (x >> 8) % 4 == 0:
            # A free end is worth moving: it can join any loop beside it.
            s = c[JOKER]
        else:
            for _ in range((x >> 10) % 4):
                if offsets[s + 1] > offsets[s]:
                    x = next_random(x)
                    s = targets[offsets[s] + (x >> 4) % (offsets[s + 1] - offsets[s])]
            c[RANDOM] = x
            if try_merge(c, offsets, targets, before, after, label, loops, s):
                continue
        for i in range(kick(state, s)):
            if via[i] != c[JOKER]:
                try_merge(c, offsets, targets, before, after, label, loops, via[i])
    c[PHASE] = WRITE


def write(c, squares, before, after, tour):
    """Phase WRITE: the squares in order. Returns FOUND, or RUNNING if they are now to be cut into pairs."""
    s = squares[0]
    came = before[s]
    if c[START] != NONE:
        came = c[JOKER]
        s = after[came]
    for i in range(c[COUNT]):
        tour[i] = s
        going = after[s]
        if going == came:
            going = before[s]
        came = s
        s = going
    if c[ROUNDS] == 0:
        return FOUND
    c[ROUNDS] -= 1
    c[HAS_TOUR] = 1
    c[CURSOR] = 0
    c[PHASE] = COVER
    return RUNNING


def step(state, nodes):
    """Go on for about `nodes` squares looked at. EXHAUSTED: no cover exists, hence no tour."""
    c, offsets, targets, squares, base, before, after, label, loops, queue, reached, via, tour = state
    limit = c[NODES] + (nodes if nodes < MOST_NODES else MOST_NODES)
    c[WALKED] = 0
    while c[NODES] < limit and c[WALKED] < MOST_WALKED:
        if c[PHASE] == COVER:
            cover(state, limit)
        elif c[PHASE] == ENDS:
            open_ends(c, squares, before, after)
        elif c[PHASE] == MATCH:
            if match(state, limit) == EXHAUSTED:
                return EXHAUSTED
        elif c[PHASE] == LABEL:
            close_and_label(c, squares, before, after, label, loops)
            return RUNNING  # so that the cover can be looked at before it is changed
        elif c[PHASE] == SWEEP:
            sweep(state, limit)
        elif c[PHASE] == REPAIR:
            repair(state, limit)
        elif write(c, squares, before, after, tour) == FOUND:
            return FOUND
    return RUNNING


KERNELS = (
    next_random,
    match_together,
    shuffle,
    are_joined,
    put_pair,
    put_four,
    clear,
    cover_square,
    cover,
    open_ends,
    match,
    relink,
    unlink,
    link,
    relabel,
    plant,
    relabel_all,
    close_and_label,
    loop_of,
    merge,
    try_merge,
    try_parallel,
    sweep,
    trail,
    undo_trail,
    trace,
    free_label,
    kick,
    next_listed,
    repair,
    write,
    step,
)
INNER = KERNELS[:-1]
