"""Kernels of counting by halves: the halves are put together over the middle.

See counting/halves/middle.py for the whole, and class_lists.py for classes and words.
"""

from collections import namedtuple

from knightstour.kernels.counting import words
from knightstour.kernels.counting.class_lists import (
    class_of,
    ends_of,
    flipped,
    index_of,
    inner_of,
    number_of,
    partner,
    placed_in,
)
from knightstour.kernels.counting.words import (
    ALL_SLOTS,
    HIGH,
    JOIN,
    MOVE,
    NO_WORD,
    PAIR,
    bits_in,
    changed,
    changed_wide,
    hash_of,
    loose_of,
    mate_of,
    opened,
    place_of,
    turned,
    turned_wide,
)

# What join needs to know of one half. marks, weights, size: the set of its last classes, numbered, and how to look one
# up; classes, offsets, lengths, states, masses: their lists; subsets[x]: the slots that subset x of the half's middle
# moves touches once, those it touches twice, and the moves in it as a mask; moves: the pairs of slots of these;
# is_folded, flip, turn: whether a class is its flip as well, and the tables of the flip. shift, mask: where the count
# is in the second number of a state, which may be a pair of residues.
Side = namedtuple(
    "Side", "marks weights size classes offsets lengths states masses subsets moves is_folded flip turn shift mask"
)

# Tables for perfect matchings of 2k ends, numbered by their rank. matchings[k]: how many there are. take[take_at[k] +
# (x - 1) * matchings[k] + i]: rank of matching i after the lowest end and end x are joined, -1 if they are mates.
# undo[undo_at[k] + ((x - 1) * (2k - 2) + z) * matchings[k - 1] + y], k = 4, 5: the 2k - 2 matchings that become y so.
# last[i, j]: 1 if matchings i and j of 6 ends together make one cycle.
Tables = namedtuple("Tables", "matchings take take_at undo undo_at last")

# Room for one thread. table: hash table. found: (2 x subsets, 3). plan: (moves, 3). left, right: of (word, count).
# ranks, counts, ways: those of the left list in order of rank. by_rank: zeros, one for each rank. dense: sums by rank
# for 3, 4 and 5 pairs, from 0, 15 and 120 on. sparse, sixes: ranks with sums for 6 pairs, and zeros by rank. words: a
# list of words for 7 pairs; eights: one for 8 pairs, on the way from 9.
Scratch = namedtuple("Scratch", "table found plan left right ranks counts ways by_rank dense sparse sixes words eights")

# Lists of up to this many pairs are gathered by rank, if there are no more than 8 ranks a state.
GATHERED_BY_RANK = 4
# Items of counters, and what join returns.
NEXT, NEED_TABLE, NEED_LIST, JOINED, GATHERED, SEEN = range(6)
DONE, FULL, TOO_LARGE = range(3)
# The total is in digits of 31 bits, which may grow past them.
DIGIT = 31
DIGIT_MASK = (1 << DIGIT) - 1


# ---------------------------------------------------------------- lists of the last classes


def without_moves(c, once, twice):
    """The class that becomes c by adding these middle moves; -1 if none does."""
    inner = inner_of(c)
    ends = ends_of(c)
    if ~(inner | ends) & (once | twice) or ends & twice:
        return -1
    return class_of(placed_in(c), inner & ~(once | twice), (ends & ~once) | (inner & once))


def rank_of_wide(word, ends, pairs, matchings):
    """As rank_of, for a wide word."""
    word, m16, m17 = opened(word, ends)
    rank = 0
    for k in range(pairs - 1, 0, -1):
        bit = ends & -ends
        mate = 1 << mate_of(word, m16, m17, place_of(bit))
        ends ^= bit
        rank += bits_in(ends & (mate - 1)) * matchings[k]
        ends ^= mate
    return rank


def rank_of(word, ends, pairs, matchings):
    """Number of a perfect matching of the ends: by the mate of the lowest end, then that of the lowest one left, ..."""
    if ends >> HIGH:
        return rank_of_wide(word, ends, pairs, matchings)
    rank = 0
    for k in range(pairs - 1, 0, -1):
        bit = ends & -ends
        a = place_of(bit)
        mate = 1 << (a ^ ((word >> (a << 2)) & 15))
        ends ^= bit
        rank += bits_in(ends & (mate - 1)) * matchings[k]
        ends ^= mate
    return rank


def find_sources(side, c, found):
    """The lists that class c is gathered from: found[i] is the class they are of, the subset, and 1 if to be flipped.

    Returns (how many, how many states they have, the sum of their masses).
    """
    n = 0
    inputs = 0
    mass = 0.0
    for x in range(len(side.subsets)):
        base = without_moves(c, side.subsets[x, 0], side.subsets[x, 1])
        if base < 0:
            continue
        image = base
        if side.is_folded:
            image = flipped(base, side.flip)
        number = number_of(side.marks, index_of(min(base, image), side.weights, side.size))
        if number < 0 or side.lengths[number] == 0:
            continue
        # A class that is its own flip holds half of its states, and their flips are the rest.
        if base <= image:
            found[n, 0] = number
            found[n, 1] = x
            found[n, 2] = 0
            n += 1
            inputs += side.lengths[number]
            mass += side.masses[number]
        if side.is_folded and image <= base:
            found[n, 0] = number
            found[n, 1] = x
            found[n, 2] = 1
            n += 1
            inputs += side.lengths[number]
            mass += side.masses[number]
    return n, inputs, mass


def pairs_of(c):
    """How many pairs the ends of a class make, a loose path being mated with a slot of its own."""
    return (bits_in(ends_of(c)) + (1 if placed_in(c) == 1 else 0)) >> 1


def room_for(inputs, pairs, matchings):
    """Size of a hash table for these states: a power of two, at most two thirds full."""
    most = min(inputs, matchings[pairs])
    room = 16
    while 2 * room < 3 * most + 2:
        room *= 2
    return room


def plan_moves(side, base, chosen, plan):
    """The operations that add the chosen middle moves to a class: plan[q] is (operation, a, b). Returns how many."""
    ends = ends_of(base)
    bare = ~(ends | inner_of(base)) & ALL_SLOTS
    n = 0
    m = 0
    while chosen:
        if chosen & 1:
            a = side.moves[m, 0]
            b = side.moves[m, 1]
            a_bit = 1 << a
            b_bit = 1 << b
            if bare & a_bit and ends & b_bit:
                a, b = b, a
                a_bit, b_bit = b_bit, a_bit
            plan[n, 0] = JOIN if ends & a_bit and ends & b_bit else PAIR if bare & a_bit else MOVE
            plan[n, 1] = a
            plan[n, 2] = b
            n += 1
            ends ^= a_bit | b_bit
            bare &= ~(a_bit | b_bit)
        chosen >>= 1
        m += 1
    return n


def gather(side, c, virtual, n, inputs, found, plan, table, out, matchings):
    """Write the list of class c, from the n lists found, to `out`; returns its length.

    Where one end is placed, the loose path of each word becomes the mate of the slot `virtual`, which is no end of c.
    """
    pairs = pairs_of(c)
    is_loose = placed_in(c) == 1
    ends = ends_of(c)
    all_ends = ends | (1 << virtual) if is_loose else ends
    by_rank = pairs <= GATHERED_BY_RANK and matchings[pairs] < 8 * inputs
    room = matchings[pairs] if by_rank else room_for(inputs, pairs, matchings)
    for i in range(room):
        table[i, 0] = NO_WORD
    is_wide = len(side.turn) > 8
    for f in range(n):
        number = found[f, 0]
        low = side.offsets[number]
        base = side.classes[number]
        unturned = ends_of(base)
        is_flipped = found[f, 2] != 0
        if is_flipped:
            base = flipped(base, side.flip)
        moves = plan_moves(side, base, side.subsets[found[f, 1], 2], plan)
        for i in range(low, low + side.lengths[number]):
            word = side.states[i, 0]
            if is_flipped:
                word = turned_wide(word, unturned, side.turn) if is_wide else turned(word, side.turn)
            before = ends_of(base)
            for q in range(moves):
                op = plan[q, 0]
                a = plan[q, 1]
                b = plan[q, 2]
                if is_wide:
                    word = changed_wide(word, op, a, b, before)
                    before ^= (1 << a) ^ (1 << b)
                else:
                    word = changed(word, op, a, b, ends)
                if word == NO_WORD:
                    break
            if word == NO_WORD:
                continue
            if is_loose:
                y = loose_of(word, ends)
                word ^= ((y ^ virtual) << (y << 2)) ^ ((y ^ virtual) << (virtual << 2))
            if by_rank:
                k = rank_of(word, all_ends, pairs, matchings)
            else:
                k = hash_of(word) & (room - 1)
                while table[k, 0] != word and table[k, 0] != NO_WORD:
                    k = (k + 1) & (room - 1)
            count = (side.states[i, 1] >> side.shift) & side.mask
            if table[k, 0] == word:
                table[k, 1] += count
            else:
                table[k, 0] = word
                table[k, 1] = count
    made = 0
    for i in range(room):
        if table[i, 0] != NO_WORD:
            out[made, 0] = table[i, 0]
            out[made, 1] = table[i, 1]
            made += 1
    return made


# ---------------------------------------------------------------- one cycle

# A left and a right matching of the same ends fit if together they make one cycle. To try a left matching, its pairs
# are joined one by one in the right one: joining the lowest end with its left mate leaves a matching of two ends fewer,
# unless they are mates there too. Left matchings in order of rank share the first pairs, so the right list is joined
# once for all that do.


def sort_by_rank(words, n, ends, pairs, by_rank, ranks, counts, matchings):
    """Bring a list in order of rank: ranks[i], counts[i]. by_rank: zeros, before and after."""
    for i in range(n):
        by_rank[rank_of(words[i, 0], ends, pairs, matchings)] = words[i, 1]
    k = 0
    for rank in range(matchings[pairs]):
        if by_rank[rank] != 0:
            ranks[k] = rank
            counts[k] = by_rank[rank]
            by_rank[rank] = 0
            k += 1
    return k


def complete_3(ranks, low, high, origin, ways, dense, last):
    """For left matchings low .. high-1 of 3 pairs: how much of dense, by rank, completes each."""
    for i in range(low, high):
        row = ranks[i] - origin
        total = 0
        for j in range(15):
            total += last[row, j] * dense[j]
        ways[i] = total


def end_of_run(ranks, begin, high, limit):
    """Where the ranks below the limit end, which begin at `begin` and rise."""
    end = begin + 1
    while end < high and ranks[end] < limit:
        end += 1
    return end


def join_dense(pairs, x, dense, tables):
    """From the sums for 4 or 5 pairs to those for one pair less, joining the lowest end with end x + 1."""
    below = tables.matchings[pairs - 1]
    source = 15 if pairs == 4 else 120
    target = 0 if pairs == 4 else 15
    many = 2 * pairs - 2
    at = tables.undo_at[pairs] + x * many * below
    for y in range(below):
        dense[target + y] = dense[source + tables.undo[at + y]]
    for _ in range(1, many):
        at += below
        for y in range(below):
            dense[target + y] += dense[source + tables.undo[at + y]]


def complete_dense(pairs, ranks, low, high, origin, ways, dense, tables):
    """As complete_3, for 3, 4 or 5 pairs."""
    if pairs == 3:
        complete_3(ranks, low, high, origin, ways, dense, tables.last)
        return
    begin_5 = low
    while begin_5 < high:
        end_5 = high
        origin_5 = origin
        if pairs == 5:
            x = (ranks[begin_5] - origin) // 105
            origin_5 = origin + x * 105
            end_5 = end_of_run(ranks, begin_5, high, origin_5 + 105)
            join_dense(5, x, dense, tables)
        begin_4 = begin_5
        while begin_4 < end_5:
            x = (ranks[begin_4] - origin_5) // 15
            origin_4 = origin_5 + x * 15
            end_4 = end_of_run(ranks, begin_4, end_5, origin_4 + 15)
            join_dense(4, x, dense, tables)
            complete_3(ranks, begin_4, end_4, origin_4, ways, dense, tables.last)
            begin_4 = end_4
        begin_5 = end_5


def complete_6(ranks, low, high, origin, ways, sparse, n, dense, tables):
    """As complete_3, for 6 pairs; the right list is sparse[i] = (rank, count), i < n."""
    five = high - high + 5  # no literal
    begin = low
    while begin < high:
        x = (ranks[begin] - origin) // 945
        next_origin = origin + x * 945
        end = end_of_run(ranks, begin, high, next_origin + 945)
        for y in range(945):
            dense[120 + y] = 0
        at = tables.take_at[6] + x * 10395
        for i in range(n):
            y = tables.take[at + sparse[i, 0]]
            if y >= 0:
                dense[120 + y] += sparse[i, 1]
        complete_dense(five, ranks, begin, end, next_origin, ways, dense, tables)
        begin = end


def end_number(ends, x):
    """The end with x ends below it, as a bit."""
    for _ in range(x):
        ends &= ends - 1
    return ends & -ends


def complete_7(ends, ranks, low, high, origin, ways, words, n, sparse, sixes, dense, tables):
    """As complete_3, for 7 pairs; the right list is words[i] = (word, count), i < n. sixes: zeros by rank."""
    first = ends & -ends
    a = place_of(first)
    zero = n - n
    begin = low
    while begin < high:
        x = (ranks[begin] - origin) // 10395
        next_origin = origin + x * 10395
        end = end_of_run(ranks, begin, high, next_origin + 10395)
        other = end_number(ends ^ first, x)
        b = place_of(other)
        rest = ends ^ first ^ other
        made = zero
        for i in range(n):
            word = changed_wide(words[i, 0], JOIN, a, b, ends)
            if word == NO_WORD:
                continue
            y = rank_of(word, rest, 6, tables.matchings)
            if sixes[y] == 0:
                sparse[made, 0] = y
                made += 1
            sixes[y] += words[i, 1]
        for i in range(made):
            y = sparse[i, 0]
            sparse[i, 1] = sixes[y]
            sixes[y] = 0
        if made:
            complete_6(ranks, begin, end, next_origin, ways, sparse, made, dense, tables)
        else:
            for i in range(begin, end):
                ways[i] = 0
        begin = end


def complete_8(ends, ranks, low, high, origin, ways, right, n_right, scratch, tables):
    """As complete_7, for 8 pairs; the right list is right[j] = (word, count), j < n_right."""
    first = ends & -ends
    a = place_of(first)
    zero = low - low
    begin = low
    while begin < high:
        x = (ranks[begin] - origin) // 135135
        next_origin = origin + x * 135135
        end = end_of_run(ranks, begin, high, next_origin + 135135)
        other = end_number(ends ^ first, x)
        b = place_of(other)
        made = zero
        for j in range(n_right):
            word = changed_wide(right[j, 0], JOIN, a, b, ends)
            if word != NO_WORD:
                scratch.words[made, 0] = word
                scratch.words[made, 1] = right[j, 1]
                made += 1
        rest = ends ^ first ^ other
        complete_7(
            rest,
            ranks,
            begin,
            end,
            next_origin,
            ways,
            scratch.words,
            made,
            scratch.sparse,
            scratch.sixes,
            scratch.dense,
            tables,
        )
        begin = end


def complete_9(ends, ranks, low, high, ways, right, n_right, scratch, tables):
    """As complete_8, for 9 pairs."""
    first = ends & -ends
    a = place_of(first)
    zero = low - low
    begin = low
    while begin < high:
        x = ranks[begin] // 2027025
        end = end_of_run(ranks, begin, high, (x + 1) * 2027025)
        other = end_number(ends ^ first, x)
        b = place_of(other)
        made = zero
        for j in range(n_right):
            word = changed_wide(right[j, 0], JOIN, a, b, ends)
            if word != NO_WORD:
                scratch.eights[made, 0] = word
                scratch.eights[made, 1] = right[j, 1]
                made += 1
        rest = ends ^ first ^ other
        complete_8(rest, ranks, begin, end, x * 2027025, ways, scratch.eights, made, scratch, tables)
        begin = end


def complete(pairs, ends, ranks, n_left, ways, right, n_right, scratch, tables):
    """ways[i]: the counts of all right words that make one cycle with the left matching of rank ranks[i], added up.

    ends: those of the left words, and of the right ones, which are in the slots of the left half. ranks: rising.
    """
    matchings = tables.matchings
    dense = scratch.dense
    # numba compiles a function once more for each literal it is called with; this is none.
    zero = n_left - n_left
    if pairs <= 2:
        for i in range(n_left):
            total = 0
            for j in range(n_right):
                # Two matchings of four ends make one cycle if they differ.
                if pairs == 1 or (pairs == 2 and rank_of(right[j, 0], ends, 2, matchings) != ranks[i]):
                    total += right[j, 1]
            ways[i] = total
    elif pairs <= 5:
        at = 0 if pairs == 3 else 15 if pairs == 4 else 120
        for y in range(matchings[pairs]):
            dense[at + y] = 0
        for j in range(n_right):
            dense[at + rank_of(right[j, 0], ends, pairs, matchings)] += right[j, 1]
        complete_dense(pairs, ranks, zero, n_left, zero, ways, dense, tables)
    elif pairs == 6:
        for j in range(n_right):
            scratch.sparse[j, 0] = rank_of(right[j, 0], ends, 6, matchings)
            scratch.sparse[j, 1] = right[j, 1]
        complete_6(ranks, zero, n_left, zero, ways, scratch.sparse, n_right, dense, tables)
    elif pairs == 7:
        complete_7(ends, ranks, zero, n_left, zero, ways, right, n_right, scratch.sparse, scratch.sixes, dense, tables)
    elif pairs == 8:
        complete_8(ends, ranks, zero, n_left, zero, ways, right, n_right, scratch, tables)
    else:
        complete_9(ends, ranks, zero, n_left, ways, right, n_right, scratch, tables)


def add_product(total, a, b):
    """Add a * b, both below 2**62, to a total in digits of 31 bits."""
    a0 = a & DIGIT_MASK
    a1 = a >> DIGIT
    b0 = b & DIGIT_MASK
    b1 = b >> DIGIT
    low = a0 * b0
    middle = a1 * b0 + a0 * b1
    high = a1 * b1
    total[0] += low & DIGIT_MASK
    total[1] += (low >> DIGIT) + (middle & DIGIT_MASK)
    total[2] += (middle >> DIGIT) + (high & DIGIT_MASK)
    total[3] += high >> DIGIT


def joint_of(c, is_even, joins_folded, all_ends, present, to_right, left_flip, right_flip):
    """The right class that a last class of the left half is joined with, whether that is the flip of its partner, and
    how often the tours count, 0 if they are counted elsewhere."""
    other = partner(c, all_ends, present, to_right)
    is_flipped = 0
    weight = 1
    if joins_folded:
        image = flipped(other, right_flip)
        if image < other:
            other = image
            is_flipped = 1
        if flipped(c, left_flip) != c:
            weight = 2
    if is_even:
        # The halves are images of each other, so the partners have swapped places elsewhere.
        if other < c:
            weight = 0
        elif other != c:
            weight *= 2
    return other, is_flipped, weight


def join(
    finals,
    last,
    left,
    right,
    is_even,
    joins_folded,
    all_ends,
    present,
    to_right,
    to_left_turn,
    to_left_flipped_turn,
    slot_to_right,
    flip_slots,
    scratch,
    tables,
    modulus,
    most_count,
    counters,
    total,
    bound,
):
    """Join classes finals[counters[NEXT]] .. finals[last-1] of the left half with their partners; add to total.

    total: digits (4), or with a modulus the sum modulo it in total[0]. bound[0]: a float, at least the sum.
    Returns DONE, FULL where the class counters[NEXT] needs more scratch (counters[NEED_TABLE], counters[NEED_LIST]),
    or TOO_LARGE where its counts might reach most_count.
    """
    matchings = tables.matchings
    while counters[NEXT] < last:
        c = finals[counters[NEXT]]
        other, is_flipped, weight = joint_of(
            c, is_even, joins_folded, all_ends, present, to_right, left.flip, right.flip
        )
        pairs = pairs_of(c)
        if weight == 0 or pairs == 0:
            counters[NEXT] += 1
            continue
        n, inputs, mass = find_sources(left, c, scratch.found)
        if n == 0:
            counters[NEXT] += 1
            continue
        room = room_for(inputs, pairs, matchings)
        m, other_inputs, other_mass = find_sources(right, other, scratch.found)
        if m == 0:
            counters[NEXT] += 1
            continue
        room = max(room, room_for(other_inputs, pairs, matchings), matchings[pairs] if pairs <= GATHERED_BY_RANK else 0)
        most = min(max(inputs, other_inputs), matchings[pairs])
        if room > len(scratch.table) or most > len(scratch.left):
            counters[NEED_TABLE] = room
            counters[NEED_LIST] = most
            return FULL
        if modulus == 0 and (mass >= most_count or other_mass >= most_count):
            return TOO_LARGE
        bound[0] += weight * mass * other_mass
        ends = ends_of(c)
        virtual = 0
        other_virtual = 0
        if placed_in(c) == 1:
            virtual_bit = ~ends & (ends + 1)
            virtual = place_of(virtual_bit)
            ends |= virtual_bit
            other_virtual = slot_to_right[virtual]
            if is_flipped:
                other_virtual = flip_slots[other_virtual]
        n_right = gather(
            right,
            other,
            other_virtual,
            m,
            other_inputs,
            scratch.found,
            scratch.plan,
            scratch.table,
            scratch.right,
            matchings,
        )
        n, inputs, mass = find_sources(left, c, scratch.found)
        n_left = gather(
            left, c, virtual, n, inputs, scratch.found, scratch.plan, scratch.table, scratch.left, matchings
        )
        counters[NEXT] += 1
        counters[SEEN] += inputs + other_inputs
        if n_left == 0 or n_right == 0:
            continue
        counters[JOINED] += 1
        counters[GATHERED] += n_left + n_right
        to_left = to_left_flipped_turn if is_flipped else to_left_turn
        for j in range(n_right):
            if len(to_left) > 8:
                scratch.right[j, 0] = turned_wide(scratch.right[j, 0], ends_of(other), to_left)
            else:
                scratch.right[j, 0] = turned(scratch.right[j, 0], to_left)
        n_left = sort_by_rank(
            scratch.left, n_left, ends, pairs, scratch.by_rank, scratch.ranks, scratch.counts, matchings
        )
        complete(pairs, ends, scratch.ranks, n_left, scratch.ways, scratch.right, n_right, scratch, tables)
        if modulus == 0:
            for i in range(n_left):
                add_product(total, weight * scratch.counts[i], scratch.ways[i])
        else:
            for i in range(n_left):
                total[0] = (total[0] + (weight * scratch.counts[i] % modulus) * (scratch.ways[i] % modulus)) % modulus
    return DONE


KERNELS = (
    *words.KERNELS,
    placed_in,
    ends_of,
    inner_of,
    class_of,
    flipped,
    index_of,
    number_of,
    partner,
    without_moves,
    rank_of_wide,
    rank_of,
    find_sources,
    pairs_of,
    room_for,
    plan_moves,
    gather,
    sort_by_rank,
    complete_3,
    end_of_run,
    join_dense,
    complete_dense,
    complete_6,
    end_number,
    complete_7,
    complete_8,
    complete_9,
    complete,
    add_product,
    joint_of,
    join,
)
INNER = tuple(f for f in KERNELS if f not in (find_sources, gather, sort_by_rank, complete, join))
