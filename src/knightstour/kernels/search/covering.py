"""Kernel of the merging method, first part: what its state is, and the cover of the board by small loops.

See merging.py, which joins the loops.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random
from knightstour.kernels.search.links import are_joined, match_together, plant, put_pair, unlink

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


def turned_moves(c, offsets, a):
    """Where the moves of a square are listed, how many, and which comes first: at random unless nothing is random."""
    low = offsets[a]
    degree = offsets[a + 1] - low
    turn = 0
    if c[RANDOMNESS] > 0 and degree > 0:
        c[RANDOM] = next_random(c[RANDOM])
        turn = c[RANDOM] % degree
    return low, degree, turn


def cover_square(c, offsets, targets, base, before, after, a):
    """Put a free square into its 4-cycle of the base, else into another of free squares, else into a pair."""
    b = base[a]
    if b >= 0:
        put_four(c, before, after, a, b, base[b], base[base[b]])
        return
    low, degree, turn = turned_moves(c, offsets, a)
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
            low, degree, turn = turned_moves(c, offsets, a)
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
