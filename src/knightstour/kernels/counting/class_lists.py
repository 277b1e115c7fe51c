"""Kernels of counting by halves: classes of half-made tours, and their lists of states, layer by layer.

See counting/layers.py for the whole. A *state* is a frontier of 16 slots. What kind of end each slot is makes its
*class*; how the ends belong together is its *word*.

class: one int. Bits 0-15, `ends`: the slots that end a path. Bits 16-31, `inner`: the slots with both moves taken. The
other slots are bare. From bit 32: how many ends of the tour are placed already, 0, 1 or 2 (always 0 for closed tours).
word: 64 bits; nibble i is the number of slot i xor that of its mate, and 0 where slot i is no end. One end of the tour
placed: one path is *loose*, that is, its other end is the end of the tour; its slot ends a path and has nibble 0. Both
placed: the two loose paths count as one path, as if the two ends of the tour were joined, so nothing is loose.
That a path which joins its own ends is thrown away keeps cycles, and tours that are complete too early, out.

index of a class: each slot is a digit, 0 bare, 1 inner, 2 end; `weights[mask]` is the sum of the weights of its slots,
so the index is weights[inner] + 2 weights[ends] + placed * size. A set of classes is a list of bits over the indices,
`marks`: the low 32 bits of item k say which of the indices 32 k .. 32 k + 31 are in, and the bits above say how many
members come before, once `layers.number_marks` has put them there. So a member's number in it is found by one look.

No number goes beyond 63 bits, but for words, on which only shifts, xor, and, or are used: the topmost nibble may make
them negative, compiled and interpreted alike.
"""

# Columns of the steps. DEAL: the square in SLOT takes the moves it lacks, to the slots of NEAR, and to its HEIR, a new
# square that has SLOT from then on, if there is one. END: nothing but decide whether the square in SLOT is an end of
# the tour. MOST_ENDS: it may be one if no more than this many are placed then. MUST_END: it has to be one.
KIND, SLOT, NEAR, HEIR, MOST_ENDS, MUST_END = range(6)
DEAL, END = range(2)

# What a choice does to the words of a class. An operation is one int: its name, slot a << 4, slot b << 8, and FLIPPED
# if the state is then replaced by its image under the flip of the board. Those in LAST place the tour's second end.
(
    KEEP,  # nothing, for the word; a bare slot that becomes loose has nibble 0 before and after
    PAIR,  # a and b, both bare, become mates
    MOVE,  # the path that ended at a now ends at b, which was bare
    JOIN,  # the paths that end at a and at b become one
    LOOSEN,  # the path that ends at a ends the tour there: its other end becomes loose
    LOOSEN_LAST,
    STUB_LAST,  # a, bare, ends a path whose other end is the end of the tour
) = range(7)
FLIPPED = 1 << 12
# An edge is the number of its source above this many bits of operation.
OP_BITS = 13
OP_MASK = (1 << OP_BITS) - 1

# Counts modulo two primes at once are one int: the residue modulo the first below, that modulo the second above. The
# two primes are one int in the same way; 0 above is one prime alone.
PAIR_SHIFT = 31
PAIR_MASK = (1 << PAIR_SHIFT) - 1

# A word that no state has, in place of none: slot 0 has mate 1, slot 1 has no mate.
NO_WORD = 1
MASK = 0xFFFF

# Place of the lowest bit of 16: by a de Bruijn sequence, whose windows of four bits all differ.
_SEQUENCE = 0x09AF
_PLACES = sum(i << 4 * ((_SEQUENCE << i & MASK) >> 12) for i in range(16))
_PLACES -= (_PLACES >> 63) << 64


def place_of(bit):
    """Number of the one bit that is set, 0 to 15."""
    return (_PLACES >> ((((bit * _SEQUENCE) >> 12) & 15) << 2)) & 15


def bits_in(x):
    """How many of the low 32 bits are set."""
    x -= (x >> 1) & 0x55555555
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) >> 24) & 0xFF


# ---------------------------------------------------------------- classes


def flipped(c, flip):
    """A class with its slots flipped; flip: the image of each mask of 16 slots."""
    return ((c >> 32) << 32) | (flip[(c >> 16) & MASK] << 16) | flip[c & MASK]


def index_of(c, weights, size):
    """Index of a class among all there could be."""
    return (c >> 32) * size + weights[(c >> 16) & MASK] + 2 * weights[c & MASK]


def number_of(marks, index):
    """Number of the class in a set whose marks are numbered, or -1."""
    entry = marks[index >> 5]
    low = index & 31
    if (entry >> low) & 1 == 0:
        return -1
    return (entry >> 32) + bits_in(entry & ((1 << low) - 1))


def choices(step, c, children, ops):
    """All that a step can make of a class: children[i] by operation ops[i]. Returns how many."""
    placed = c >> 32
    inner = (c >> 16) & MASK
    ends = c & MASK
    tag = placed << 32
    next_tag = (placed + 1) << 32
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
                children[n] = next_tag | ((inner | bit) << 16) | (ends ^ bit)
                ops[n] = (LOOSEN + is_loose) | (s << 4)
                n += 1
            elif inner & bit == 0:
                children[n] = next_tag | (inner << 16) | ends | bit
                ops[n] = (STUB_LAST if is_loose else KEEP) | (s << 4)
                n += 1
        return n
    near = step[NEAR] & ~inner
    if inner & bit:
        if not must_end:
            children[0] = tag | ((inner ^ bit) << 16) | ends
            ops[0] = KEEP
            n = 1
        return n
    if ends & bit:
        without = ends ^ bit
        if may_end:
            children[0] = next_tag | (inner << 16) | without
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
                children[n] = tag | ((inner | a_bit) << 16) | (without ^ a_bit)
                ops[n] = JOIN | (s << 4) | (a << 8)
            else:
                children[n] = tag | (inner << 16) | without | a_bit
                ops[n] = MOVE | (s << 4) | (a << 8)
            n += 1
        return n
    # The square is bare. One move, if it is an end of the tour:
    if may_end:
        if step[HEIR]:
            children[n] = next_tag | (inner << 16) | ends | bit
            ops[n] = (STUB_LAST if is_loose else KEEP) | (s << 4)
            n += 1
        left = near
        while left:
            a_bit = left & -left
            left ^= a_bit
            a = place_of(a_bit)
            if ends & a_bit:
                children[n] = next_tag | ((inner | a_bit) << 16) | (ends ^ a_bit)
                ops[n] = (LOOSEN + is_loose) | (a << 4)
            else:
                children[n] = next_tag | (inner << 16) | ends | a_bit
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
                children[n] = tag | ((inner | a_bit) << 16) | (ends ^ a_bit) | bit
                ops[n] = MOVE | (a << 4) | (s << 8)
            else:
                children[n] = tag | (inner << 16) | ends | a_bit | bit
                ops[n] = PAIR | (a << 4) | (s << 8)
            n += 1
        left = near
        while left:
            b_bit = left & -left
            left ^= b_bit
            b = place_of(b_bit)
            both = a_bit | b_bit
            if ends & both == both:
                children[n] = tag | ((inner | both) << 16) | (ends ^ both)
                ops[n] = JOIN | (a << 4) | (b << 8)
            elif ends & a_bit:
                children[n] = tag | ((inner | a_bit) << 16) | (ends ^ both)
                ops[n] = MOVE | (a << 4) | (b << 8)
            elif ends & b_bit:
                children[n] = tag | ((inner | b_bit) << 16) | (ends ^ both)
                ops[n] = MOVE | (b << 4) | (a << 8)
            else:
                children[n] = tag | (inner << 16) | ends | both
                ops[n] = PAIR | (a << 4) | (b << 8)
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
    inner = (c >> 16) & MASK
    ends = c & MASK
    if inner & (once | twice) or ends & twice:
        return -1
    return ((c >> 32) << 32) | ((inner | twice | (ends & once)) << 16) | ((ends ^ once) & ~twice)


def partner(c, all_ends, present, to_other):
    """The class of the other half that completes c: bare where c is inner, inner where it is bare, ends with ends."""
    inner = (c >> 16) & MASK
    ends = c & MASK
    return ((all_ends - (c >> 32)) << 32) | (to_other[present & ~inner & ~ends] << 16) | to_other[ends]


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


def loose_of(word, ends):
    """Slot of the one loose path."""
    left = ends
    while left:
        bit = left & -left
        slot = place_of(bit)
        if (word >> (slot << 2)) & 15 == 0:
            return slot
        left ^= bit
    return 0


def changed(word, op, a, b, ends):
    """The word after an operation, or NO_WORD where a path would join its own ends. ends: of the class before it."""
    if op == KEEP:
        return word
    a4 = a << 2
    if op == STUB_LAST:
        y = loose_of(word, ends)
        return word ^ ((a ^ y) << a4) ^ ((a ^ y) << (y << 2))
    b4 = b << 2
    if op == PAIR:
        return word ^ ((a ^ b) << a4) ^ ((a ^ b) << b4)
    f = (word >> a4) & 15
    x = a ^ f
    if op == LOOSEN:
        return word ^ (f << a4) ^ (f << (x << 2))
    if op == LOOSEN_LAST:
        if f == 0:
            return NO_WORD
        y = loose_of(word, ends)
        return word ^ (f << a4) ^ ((f ^ x ^ y) << (x << 2)) ^ ((x ^ y) << (y << 2))
    if op == MOVE:
        if f == 0:
            return word
        return word ^ (f << a4) ^ ((x ^ b) << b4) ^ ((a ^ b) << (x << 2))
    if x == b:
        return NO_WORD
    g = (word >> b4) & 15
    y = b ^ g
    if f == 0:
        return word ^ (g << b4) ^ (g << (y << 2))
    if g == 0:
        return word ^ (f << a4) ^ (f << (x << 2))
    return word ^ (f << a4) ^ (g << b4) ^ ((a ^ y) << (x << 2)) ^ ((b ^ x) << (y << 2))


def turned(word, turn):
    """The word with its slots permuted; turn[k, byte]: what byte k of the word becomes (see layers.turn_table)."""
    return (
        turn[0, word & 255]
        ^ turn[1, (word >> 8) & 255]
        ^ turn[2, (word >> 16) & 255]
        ^ turn[3, (word >> 24) & 255]
        ^ turn[4, (word >> 32) & 255]
        ^ turn[5, (word >> 40) & 255]
        ^ turn[6, (word >> 48) & 255]
        ^ turn[7, (word >> 56) & 255]
    )


def hash_of(word):
    """A number below 2**63 whose low bits depend on all of the word."""
    h = ((word & 0xFFFFFFFF) * 0x2545F491) ^ (((word >> 32) & 0xFFFFFFFF) * 0x6C078965)
    return h ^ (h >> 32)


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
            op = edges[begin] & 15
            is_copy = op != JOIN and op != LOOSEN_LAST
        if is_copy:
            # One source, and no two words become the same: no table is needed.
            code = edges[begin]
            op = code & 15
            a = (code >> 4) & 15
            b = (code >> 8) & 15
            source = code >> OP_BITS
            ends = classes[source] & MASK
            low = offsets[source]
            for i in range(low, low + lengths[source]):
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
            op = code & 15
            a = (code >> 4) & 15
            b = (code >> 8) & 15
            source = code >> OP_BITS
            ends = classes[source] & MASK
            low = offsets[source]
            seen += lengths[source]
            for i in range(low, low + lengths[source]):
                word = changed(states[i, 0], op, a, b, ends)
                if word == NO_WORD:
                    continue
                if code & FLIPPED:
                    word = turned(word, turn)
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
    place_of,
    bits_in,
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
    loose_of,
    changed,
    turned,
    hash_of,
    pull,
)
_DOORS = (
    *(mark_children, keep_parents, list_edges, sort_edges),
    *(mark_finals, keep_partnered, keep_bases, pull),
)
INNER = tuple(f for f in KERNELS if f not in _DOORS)
