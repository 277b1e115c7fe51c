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

from knightstour.kernels.rng import next_random
from knightstour.kernels.search.covering import (
    ANY as ANY,
)
from knightstour.kernels.search.covering import (
    COMPONENTS as COMPONENTS,
)
from knightstour.kernels.search.covering import (
    COUNT as COUNT,
)
from knightstour.kernels.search.covering import (
    COUNTERS as COUNTERS,
)
from knightstour.kernels.search.covering import (
    COVER as COVER,
)
from knightstour.kernels.search.covering import (
    CURSOR as CURSOR,
)
from knightstour.kernels.search.covering import (
    END as END,
)
from knightstour.kernels.search.covering import (
    ENDS as ENDS,
)
from knightstour.kernels.search.covering import (
    EXHAUSTED as EXHAUSTED,
)
from knightstour.kernels.search.covering import (
    FAILED_SQUARES as FAILED_SQUARES,
)
from knightstour.kernels.search.covering import (
    FAILED_TARGETS as FAILED_TARGETS,
)
from knightstour.kernels.search.covering import (
    FEWEST as FEWEST,
)
from knightstour.kernels.search.covering import (
    FOCUS as FOCUS,
)
from knightstour.kernels.search.covering import (
    FOUND as FOUND,
)
from knightstour.kernels.search.covering import (
    FRESH as FRESH,
)
from knightstour.kernels.search.covering import (
    HAS_TOUR as HAS_TOUR,
)
from knightstour.kernels.search.covering import (
    IS_FIRST as IS_FIRST,
)
from knightstour.kernels.search.covering import (
    JOKER as JOKER,
)
from knightstour.kernels.search.covering import (
    KICKS_SINCE as KICKS_SINCE,
)
from knightstour.kernels.search.covering import (
    LABEL as LABEL,
)
from knightstour.kernels.search.covering import (
    LISTED as LISTED,
)
from knightstour.kernels.search.covering import (
    MATCH as MATCH,
)
from knightstour.kernels.search.covering import (
    MERGED as MERGED,
)
from knightstour.kernels.search.covering import (
    MERGES as MERGES,
)
from knightstour.kernels.search.covering import (
    NARROW as NARROW,
)
from knightstour.kernels.search.covering import (
    NODES as NODES,
)
from knightstour.kernels.search.covering import (
    NONE as NONE,
)
from knightstour.kernels.search.covering import (
    PATIENCE as PATIENCE,
)
from knightstour.kernels.search.covering import (
    PHASE as PHASE,
)
from knightstour.kernels.search.covering import (
    RANDOM as RANDOM,
)
from knightstour.kernels.search.covering import (
    RANDOMNESS as RANDOMNESS,
)
from knightstour.kernels.search.covering import (
    REPAIR as REPAIR,
)
from knightstour.kernels.search.covering import (
    REPAIRS as REPAIRS,
)
from knightstour.kernels.search.covering import (
    RESTARTS as RESTARTS,
)
from knightstour.kernels.search.covering import (
    ROUNDS as ROUNDS,
)
from knightstour.kernels.search.covering import (
    RUNNING as RUNNING,
)
from knightstour.kernels.search.covering import (
    SEARCHES as SEARCHES,
)
from knightstour.kernels.search.covering import (
    START as START,
)
from knightstour.kernels.search.covering import (
    STUCK as STUCK,
)
from knightstour.kernels.search.covering import (
    SWEEP as SWEEP,
)
from knightstour.kernels.search.covering import (
    UNMATCHED as UNMATCHED,
)
from knightstour.kernels.search.covering import (
    WALKED as WALKED,
)
from knightstour.kernels.search.covering import (
    WINDOW as WINDOW,
)
from knightstour.kernels.search.covering import (
    WRITE as WRITE,
)
from knightstour.kernels.search.covering import (
    State as State,
)
from knightstour.kernels.search.covering import (
    clear,
    close_and_label,
    cover,
    cover_square,
    match,
    open_ends,
    put_four,
    shuffle,
    turned_moves,
)
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

# How far a loop is usually walked to see whether it closes.
NEAR = 500

# Nodes of one phase take longer than those of another, so a call never does more than this.
MOST_NODES = 1 << 17
MOST_WALKED = 1 << 22

# Longer trails seldom leave as few loops as there were.
LONGEST_TRAIL = 16

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
    turned_moves,
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
