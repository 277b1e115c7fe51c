"""Kernels of counting by halves: classes of half-made tours, and their lists of states, layer by layer.

See counting/halves/layers.py for the whole. A *state* is a frontier of 16 slots, or 18. What kind of end each slot is
makes its *class*; how the ends belong together is its *word*.

class: one int. Bits 0-15, `ends`: the slots that end a path. Bits 16-31, `inner`: the slots with both moves taken. The
other slots are bare. Bits 32-33: how many ends of the tour are placed already, 0, 1 or 2 (always 0 for closed tours).
Where there are two slots more, bits 40-41 and 42-43 are their `ends` and `inner`: see ends_of() and its neighbours.
word: see words.py, where the operations on words are.

index of a class: each slot is a digit, 0 bare, 1 inner, 2 end; `weights[mask]` is the sum of the weights of its slots,
so the index is weights[inner] + 2 weights[ends] + placed * size. A set of classes is a list of bits over the indices,
`marks`: the low 32 bits of item k say which of the indices 32 k .. 32 k + 31 are in, and the bits above say how many
members come before, once `layers.number_marks` has put them there. So a member's number in it is found by one look.
"""

from knightstour.kernels.counting import words
from knightstour.kernels.counting.words import (
    FLIPPED,
    HIGH,
    JOIN,
    KEEP,
    LOOSEN,
    LOOSEN_LAST,
    MASK,
    MOVE,
    NO_WORD,
    PAIR,
    STUB_LAST,
    bits_in,
    changed,
    changed_wide,
    ends_after,
    hash_of,
    operation,
    parts_of,
    place_of,
    turned,
    turned_wide,
)

# Columns of the steps. DEAL: the square in SLOT takes the moves it lacks, to the slots of NEAR, and to its HEIR, a new
# square that has SLOT from then on, if there is one. END: nothing but decide whether the square in SLOT is an end of
# the tour. MOST_ENDS: it may be one if no more than this many are placed then. MUST_END: it has to be one.
KIND, SLOT, NEAR, HEIR, MOST_ENDS, MUST_END = range(6)
DEAL, END = range(2)

# An edge is the number of its source above this many bits of operation.
OP_BITS = 13
OP_MASK = (1 << OP_BITS) - 1

# Counts modulo two primes at once are one int: the residue modulo the first below, that modulo the second above. The
# two primes are one int in the same way; 0 above is one prime alone.
PAIR_SHIFT = 31
PAIR_MASK = (1 << PAIR_SHIFT) - 1

# What is the same of the two high slots in a class: bits 40 and 41, `ends`, bits 42 and 43, `inner`.
_HIGH_SLOTS = 3 << HIGH
_ENDS_UP, _INNER_UP = 24, 26

# ---------------------------------------------------------------- classes


def placed_in(c):
    """How many ends of the tour are placed."""
    return (c >> 32) & 3


def ends_of(c):
    """The slots that end a path."""
    return (c & MASK) | ((c >> _ENDS_UP) & _HIGH_SLOTS)


def inner_of(c):
    """The slots with both moves taken."""
    return ((c >> 16) & MASK) | ((c >> _INNER_UP) & _HIGH_SLOTS)


def class_of(placed, inner, ends):
    """The class with these slots."""
    low = (placed << 32) | ((inner & MASK) << 16) | (ends & MASK)
    return low | ((inner & _HIGH_SLOTS) << _INNER_UP) | ((ends & _HIGH_SLOTS) << _ENDS_UP)


def flipped(c, flip):
    """A class with its slots flipped; flip: the image of each mask of 16 slots."""
    return class_of(placed_in(c), flip[inner_of(c)], flip[ends_of(c)])


def index_of(c, weights, size):
    """Index of a class among all there could be."""
    return placed_in(c) * size + weights[inner_of(c)] + 2 * weights[ends_of(c)]


def number_of(marks, index):
    """Number of the class in a set whose marks are numbered, or -1."""
    entry = marks[index >> 5]
    low = index & 31
    if (entry >> low) & 1 == 0:
        return -1
    return (entry >> 32) + bits_in(entry & ((1 << low) - 1))


def choices(step, c, children, ops):
    """All that a step can make of a class: children[i] by operation ops[i]. Returns how many."""
    placed = placed_in(c)
    inner = inner_of(c)
    ends = ends_of(c)
    s = step[SLOT]
    bit = 1 << s
    must_end = step[MUST_END] != 0
    may_end = placed < step[MOST_ENDS]
    is_loose = 1 if placed == 1 else 0
    n = 0
    if step[KIND] == END:
        if not must_end:
            children[0] = c
            ops[0] = KEEP
            n = 1
        if may_end:
            if ends & bit:
                children[n] = class_of(placed + 1, inner | bit, ends ^ bit)
                ops[n] = (LOOSEN + is_loose) | (s << 4)
                n += 1
            elif inner & bit == 0:
                children[n] = class_of(placed + 1, inner, ends | bit)
                ops[n] = (STUB_LAST if is_loose else KEEP) | (s << 4)
                n += 1
        return n
    near = step[NEAR] & ~inner
    if inner & bit:
        if not must_end:
            children[0] = class_of(placed, inner ^ bit, ends)
            ops[0] = KEEP
            n = 1
        return n
    if ends & bit:
        without = ends ^ bit
        if may_end:
            children[0] = class_of(placed + 1, inner, without)
            ops[0] = (LOOSEN + is_loose) | (s << 4)
            n = 1
        if must_end:
            return n
        if step[HEIR]:
            children[n] = c
            ops[n] = KEEP
            n += 1
        while near:
            a_bit = near & -near
            near ^= a_bit
            a = place_of(a_bit)
            if ends & a_bit:
                children[n] = class_of(placed, inner | a_bit, without ^ a_bit)
                ops[n] = operation(JOIN, s, a)
            else:
                children[n] = class_of(placed, inner, without | a_bit)
                ops[n] = operation(MOVE, s, a)
            n += 1
        return n
    # The square is bare. One move, if it is an end of the tour:
    if may_end:
        if step[HEIR]:
            children[n] = class_of(placed + 1, inner, ends | bit)
            ops[n] = (STUB_LAST if is_loose else KEEP) | (s << 4)
            n += 1
        left = near
        while left:
            a_bit = left & -left
            left ^= a_bit
            a = place_of(a_bit)
            if ends & a_bit:
                children[n] = class_of(placed + 1, inner | a_bit, ends ^ a_bit)
                ops[n] = (LOOSEN + is_loose) | (a << 4)
            else:
                children[n] = class_of(placed + 1, inner, ends | a_bit)
                ops[n] = (STUB_LAST if is_loose else KEEP) | (a << 4)
            n += 1
    if must_end:
        return n
    # Two moves, to the heir and a, or to a and b:
    while near:
        a_bit = near & -near
        near ^= a_bit
        a = place_of(a_bit)
        if step[HEIR]:
            if ends & a_bit:
                children[n] = class_of(placed, inner | a_bit, (ends ^ a_bit) | bit)
                ops[n] = operation(MOVE, a, s)
            else:
                children[n] = class_of(placed, inner, ends | a_bit | bit)
                ops[n] = operation(PAIR, a, s)
            n += 1
        left = near
        while left:
            b_bit = left & -left
            left ^= b_bit
            b = place_of(b_bit)
            both = a_bit | b_bit
            if ends & both == both:
                children[n] = class_of(placed, inner | both, ends ^ both)
                ops[n] = operation(JOIN, a, b)
            elif ends & a_bit:
                children[n] = class_of(placed, inner | a_bit, ends ^ both)
                ops[n] = operation(MOVE, a, b)
            elif ends & b_bit:
                children[n] = class_of(placed, inner | b_bit, ends ^ both)
                ops[n] = operation(MOVE, b, a)
            else:
                children[n] = class_of(placed, inner, ends | both)
                ops[n] = operation(PAIR, a, b)
            n += 1
    return n


def mark_children(step, folds, flip, weights, size, classes, first, last, marks, children, ops):
    """Mark the classes that a step makes of classes first .. last-1; of two that are flips, the lower one."""
    for j in range(first, last):
        n = choices(step, classes[j], children, ops)
        for i in range(n):
            c = children[i]
            if folds:
                c = min(c, flipped(c, flip))
            index = index_of(c, weights, size)
            marks[index >> 5] |= 1 << (index & 31)


def keep_parents(step, folds, flip, weights, size, classes, first, last, marks, children, ops, keep):
    """Set keep[j] for each class that the step makes a marked class of."""
    for j in range(first, last):
        n = choices(step, classes[j], children, ops)
        for i in range(n):
            c = children[i]
            if folds:
                c = min(c, flipped(c, flip))
            index = index_of(c, weights, size)
            if (marks[index >> 5] >> (index & 31)) & 1:
                keep[j] = 1
                break


def list_edges(step, folds, flip, weights, size, classes, lengths, first, marks, children, ops, targets, edges, made):
    """List the ways from classes with states to the classes of a numbered set, `made` of them being there already.

    Edge e leads to class number targets[e] from class edges[e] >> OP_BITS by operation edges[e] & OP_MASK. Returns (the
    next class, how many edges there are): not all classes are done when there may be no room for those of the next one.
    """
    j = first
    while j < len(classes) and made + len(children) <= len(targets):
        if lengths[j] > 0:
            n = choices(step, classes[j], children, ops)
            for i in range(n):
                c = children[i]
                op = ops[i]
                if folds:
                    image = flipped(c, flip)
                    if image < c:
                        c = image
                        op |= FLIPPED
                number = number_of(marks, index_of(c, weights, size))
                if number >= 0:
                    targets[made] = number
                    edges[made] = (j << OP_BITS) | op
                    made += 1
        j += 1
    return j, made


def sort_edges(targets, edges, made, lengths, masses, starts, inputs, bounds, sorted_edges, fill):
    """Bring the edges in order of their targets: those of target t become starts[t] .. starts[t+1]-1.

    inputs[t]: how many states they lead from; bounds[t], a float: the sum of the masses of their sources.
    starts: one longer than the targets. fill: scratch, as long as the targets.
    """
    count = len(fill)
    for t in range(count + 1):
        starts[t] = 0
    for t in range(count):
        inputs[t] = 0
        bounds[t] = 0.0
    for e in range(made):
        t = targets[e]
        source = edges[e] >> OP_BITS
        starts[t + 1] += 1
        inputs[t] += lengths[source]
        bounds[t] += masses[source]
    for t in range(count):
        starts[t + 1] += starts[t]
        fill[t] = starts[t]
    for e in range(made):
        t = targets[e]
        sorted_edges[fill[t]] = edges[e]
        fill[t] += 1


# ---------------------------------------------------------------- the last classes


def with_moves(c, once, twice):
    """The class after some middle moves are added, given the slots they touch once and twice; -1 if it cannot be."""
    inner = inner_of(c)
    ends = ends_of(c)
    if inner & (once | twice) or ends & twice:
        return -1
    return class_of(placed_in(c), inner | twice | (ends & once), (ends ^ once) & ~twice)


def partner(c, all_ends, present, to_other):
    """The class of the other half that completes c: bare where c is inner, inner where it is bare, ends with ends."""
    inner = inner_of(c)
    ends = ends_of(c)
    return class_of(all_ends - placed_in(c), to_other[present & ~inner & ~ends], to_other[ends])


def mark_finals(classes, first, last, subsets, is_folded, joins_folded, flip, weights, size, marks):
    """Mark what classes first .. last-1 become by the subsets of the middle moves.

    joins_folded: of two that are flips, the lower one. is_folded alone: the flips of the classes are meant, too.
    """
    for j in range(first, last):
        for turn in range(2 if is_folded and not joins_folded else 1):
            base = flipped(classes[j], flip) if turn else classes[j]
            for x in range(len(subsets)):
                c = with_moves(base, subsets[x, 0], subsets[x, 1])
                if c < 0:
                    continue
                if joins_folded:
                    c = min(c, flipped(c, flip))
                index = index_of(c, weights, size)
                marks[index >> 5] |= 1 << (index & 31)


def keep_partnered(
    finals, first, last, all_ends, present, to_other, joins_folded, other_flip, weights, size, marks, keep
):
    """Set keep[j] for each of the classes whose partner is among the marked ones of the other half."""
    for j in range(first, last):
        c = partner(finals[j], all_ends, present, to_other)
        if joins_folded:
            c = min(c, flipped(c, other_flip))
        index = index_of(c, weights, size)
        keep[j] = (marks[index >> 5] >> (index & 31)) & 1


def keep_bases(classes, first, last, subsets, is_folded, joins_folded, flip, weights, size, marks, keep):
    """Set keep[j] for each class that becomes a marked one by some middle moves."""
    for j in range(first, last):
        for turn in range(2 if is_folded and not joins_folded else 1):
            base = flipped(classes[j], flip) if turn else classes[j]
            for x in range(len(subsets)):
                c = with_moves(base, subsets[x, 0], subsets[x, 1])
                if c < 0:
                    continue
                if joins_folded:
                    c = min(c, flipped(c, flip))
                index = index_of(c, weights, size)
                if (marks[index >> 5] >> (index & 31)) & 1:
                    keep[j] = 1
                    break
            if keep[j]:
                break


# ---------------------------------------------------------------- words


def pull(
    first,
    last,
    starts,
    edges,
    classes,
    offsets,
    lengths,
    states,
    room,
    out,
    place,
    new_offsets,
    new_lengths,
    new_masses,
    turn,
    table,
    sums,
    modulus,
):
    """Make the lists of states of targets first .. last-1, one after the other from out[place] on.

    classes, offsets, lengths, states: the layer before; class j has lengths[j] states, from states[offsets[j]] on, and
    states[i] is a word and how many half-made tours have it. room[t]: size of the table for target t, a
    power of two greater than the number of its states. new_masses[t]: the sum of its counts.
    sums: with a pair of primes, room for the sums modulo the second, as long as the table.
    modulus: keep counts modulo this prime or pair of primes, or 0; the masses of a pair are 0. Returns (where the next
    list would begin, how many states were looked at).
    """
    seen = 0
    is_wide = len(turn) > 8
    prime = modulus & PAIR_MASK
    second = modulus >> PAIR_SHIFT
    for t in range(first, last):
        new_offsets[t] = place
        begin = starts[t]
        end = starts[t + 1]
        if begin == end:
            new_lengths[t] = 0
            new_masses[t] = 0
            continue
        mass = 0
        is_copy = False
        if end - begin == 1:
            op, a, b = parts_of(edges[begin])
            is_copy = op != JOIN and op != LOOSEN_LAST
        if is_copy:
            # One source, and no two words become the same: no table is needed.
            code = edges[begin]
            op, a, b = parts_of(code)
            source = code >> OP_BITS
            ends = ends_of(classes[source])
            low = offsets[source]
            for i in range(low, low + lengths[source]):
                if is_wide:
                    word = changed_wide(states[i, 0], op, a, b, ends)
                    if code & FLIPPED:
                        word = turned_wide(word, ends_after(ends, op, a, b), turn)
                else:
                    word = changed(states[i, 0], op, a, b, ends)
                    if code & FLIPPED:
                        word = turned(word, turn)
                out[place, 0] = word
                out[place, 1] = states[i, 1]
                if second == 0:
                    mass += states[i, 1]
                place += 1
            seen += lengths[source]
            new_lengths[t] = lengths[source]
            new_masses[t] = mass
            continue
        most = room[t]
        for i in range(most):
            table[i, 0] = NO_WORD
        for e in range(begin, end):
            code = edges[e]
            op, a, b = parts_of(code)
            source = code >> OP_BITS
            ends = ends_of(classes[source])
            low = offsets[source]
            seen += lengths[source]
            for i in range(low, low + lengths[source]):
                word = changed_wide(states[i, 0], op, a, b, ends) if is_wide else changed(states[i, 0], op, a, b, ends)
                if word == NO_WORD:
                    continue
                if code & FLIPPED:
                    word = turned_wide(word, ends_after(ends, op, a, b), turn) if is_wide else turned(word, turn)
                k = hash_of(word) & (most - 1)
                while table[k, 0] != word and table[k, 0] != NO_WORD:
                    k = (k + 1) & (most - 1)
                count = states[i, 1]
                if second != 0:
                    above = count >> PAIR_SHIFT
                    count &= PAIR_MASK
                    if table[k, 0] == word:
                        sums[k, 0] += above
                    else:
                        sums[k, 0] = above
                if table[k, 0] == word:
                    table[k, 1] += count
                else:
                    table[k, 0] = word
                    table[k, 1] = count
        made = place
        for i in range(most):
            if table[i, 0] != NO_WORD:
                count = table[i, 1]
                if modulus != 0:
                    count %= prime
                if second != 0:
                    count |= (sums[i, 0] % second) << PAIR_SHIFT
                else:
                    mass += count
                out[place, 0] = table[i, 0]
                out[place, 1] = count
                place += 1
        new_lengths[t] = place - made
        new_masses[t] = mass
    return place, seen


KERNELS = (
    *words.KERNELS,
    placed_in,
    ends_of,
    inner_of,
    class_of,
    flipped,
    index_of,
    number_of,
    choices,
    mark_children,
    keep_parents,
    list_edges,
    sort_edges,
    with_moves,
    partner,
    mark_finals,
    keep_partnered,
    keep_bases,
    pull,
)
_DOORS = (
    *(mark_children, keep_parents, list_edges, sort_edges),
    *(mark_finals, keep_partnered, keep_bases, pull),
)
INNER = tuple(f for f in KERNELS if f not in _DOORS)
