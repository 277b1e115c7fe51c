"""Kernels of a census by halves: states that have a polynomial each, where those of a count have a number.

See counting/census/by_halves.py for the whole, class_lists.py for classes and words, and class_join.py for the join.

polynomial: coefficient k is how many half-made tours have value k more than `low` of their class. Coefficients are
packed: `fields` of them in one int, `bits` bits each, the lowest first. No coefficient, nor any sum of some, reaches
2**bits, since a class has fewer half-made tours; so packed numbers are added like any others.
"""

from collections import namedtuple

from knightstour.kernels.counting import class_join
from knightstour.kernels.counting.class_join import (
    DONE,
    FULL,
    GATHERED,
    JOINED,
    NEED_LIST,
    NEED_TABLE,
    NEXT,
    SEEN,
    TOO_LARGE,
    complete,
    find_sources,
    pairs_of,
    plan_moves,
    room_for,
    sort_by_rank,
)
from knightstour.kernels.counting.class_lists import DEAL, KIND, OP_BITS, SLOT, partner
from knightstour.kernels.counting.words import (
    JOIN,
    KEEP,
    LOOSEN,
    LOOSEN_LAST,
    MASK,
    NO_WORD,
    STUB_LAST,
    changed,
    hash_of,
    loose_of,
    place_of,
    turned,
)

# The states of a layer: class j has lengths[j] of them, with words from words[offsets[j]] on; each has widths[j] packed
# numbers, from sums[at[j]] on.
Lists = namedtuple("Lists", "classes offsets lengths words widths at sums")

# One half, for the join: class_join.Side, whose `states` are words alone, and what polynomials need. lows, highs: the
# least and the largest value of each class; values[x]: that of subset x of the middle moves.
Half = namedtuple(
    "Half",
    "marks weights size classes offsets lengths states masses subsets moves is_folded flip turn shift mask "
    "lows highs widths at sums values",
)

# Room for the polynomials of one thread. left, right: packed, of one class. plain: those of the left, not packed.
# part: the sums of a class by degree.
Room = namedtuple("Room", "left right plain part")

# Where a class needs more room, items of `asked`: for packed numbers and for plain ones.
NEED_SUMS, NEED_PLAIN = range(2)


def add_moved(source, first, width, shift, bits, fields, target, to):
    """Add the polynomial of `width` numbers at source[first], `shift` coefficients up, to that at target[to]."""
    skip = shift // fields
    rest = shift - skip * fields
    to += skip
    if rest == 0:
        for j in range(width):
            target[to + j] += source[first + j]
        return
    up = rest * bits
    down = (fields - rest) * bits
    low = (1 << down) - 1
    for j in range(width):
        packed = source[first + j]
        target[to + j] += (packed & low) << up
        above = packed >> down
        if above != 0:
            target[to + j + 1] += above


def add_values(step, classes, edges, values, out):
    """out[e]: the value of the moves that edge e makes. values[slot]: that of the move from the square of the step to
    the one that is in the slot after it."""
    s = step[SLOT]
    bit = 1 << s
    for e in range(len(edges)):
        out[e] = 0
        if step[KIND] != DEAL:
            continue
        code = edges[e]
        op = code & 15
        a = (code >> 4) & 15
        b = (code >> 8) & 15
        c = classes[code >> OP_BITS]
        if (c >> 16) & bit:
            continue
        if c & bit:
            if op == KEEP:
                out[e] = values[s]
            elif op != LOOSEN and op != LOOSEN_LAST:
                out[e] = values[b]
        elif op in (KEEP, LOOSEN, LOOSEN_LAST, STUB_LAST):
            out[e] = values[a]
        else:
            out[e] = values[a] + values[b]


def pull_polynomials(
    first,
    last,
    starts,
    edges,
    shifts,
    before,
    room,
    words,
    sums,
    offsets,
    lengths,
    widths,
    at,
    masses,
    table,
    bits,
    fields,
):
    """Make the lists of targets first .. last-1, one after the other from words[0] and sums[0] on.

    shifts[e]: how many coefficients edge e moves a polynomial up. before: the layer before. room[t]: as for
    class_lists.pull. offsets, lengths, at: of the new layer, which are filled; widths: known. Returns (words, numbers,
    states looked at).
    """
    place = 0
    total = 0
    seen = 0
    field = (1 << bits) - 1
    for t in range(first, last):
        offsets[t] = place
        at[t] = total
        width = widths[t]
        begin = starts[t]
        end = starts[t + 1]
        is_copy = False
        if end - begin == 1:
            op = edges[begin] & 15
            is_copy = op != JOIN and op != LOOSEN_LAST
        most = room[t]
        if begin != end and not is_copy:
            for i in range(most):
                table[i, 0] = NO_WORD
        made = 0
        for e in range(begin, end):
            code = edges[e]
            op = code & 15
            a = (code >> 4) & 15
            b = (code >> 8) & 15
            source = code >> OP_BITS
            ends = before.classes[source] & MASK
            low = before.offsets[source]
            source_width = before.widths[source]
            source_at = before.at[source]
            seen += before.lengths[source]
            for i in range(before.lengths[source]):
                word = changed(before.words[low + i], op, a, b, ends)
                if word == NO_WORD:
                    continue
                here = made
                if not is_copy:
                    k = hash_of(word) & (most - 1)
                    while table[k, 0] != word and table[k, 0] != NO_WORD:
                        k = (k + 1) & (most - 1)
                    if table[k, 0] == word:
                        here = table[k, 1]
                    else:
                        table[k, 0] = word
                        table[k, 1] = made
                if here == made:
                    words[place + made] = word
                    for j in range(width):
                        sums[total + made * width + j] = 0
                    made += 1
                from_ = source_at + i * source_width
                add_moved(before.sums, from_, source_width, shifts[e], bits, fields, sums, total + here * width)
        mass = 0
        for j in range(width):
            packed = 0
            for i in range(made):
                packed += sums[total + i * width + j]
            while packed != 0:
                mass += packed & field
                packed >>= bits
        lengths[t] = made
        masses[t] = mass
        place += made
        total += made * width
    return place, total, seen


# ---------------------------------------------------------------- the join


def extent(half, n, found, fields):
    """(The least value of a class that is gathered from n lists, how many packed numbers its polynomials take)."""
    low = 1 << 40
    high = 0
    for f in range(n):
        number = found[f, 0]
        value = half.values[found[f, 1]]
        low = min(low, half.lows[number] + value)
        high = max(high, half.highs[number] + value)
    return low, (high - low) // fields + 1


def gather_polynomials(half, c, virtual, n, room, found, plan, table, low, width, bits, fields, out, sums):
    """As class_join.gather: out[i] is (word, i), and its polynomial is at sums[i * width]. Returns how many."""
    is_loose = c >> 32 == 1
    ends = c & MASK
    for i in range(room):
        table[i, 0] = NO_WORD
    made = 0
    for f in range(n):
        number = found[f, 0]
        first = half.offsets[number]
        source_width = half.widths[number]
        base = half.classes[number]
        shift = half.lows[number] + half.values[found[f, 1]] - low
        moves = plan_moves(half, base, half.subsets[found[f, 1], 2], plan)
        for i in range(half.lengths[number]):
            word = half.states[first + i]
            for q in range(moves):
                op = plan[q, 0]
                a = plan[q, 1]
                b = plan[q, 2]
                word = changed(word, op, a, b, ends)
                if word == NO_WORD:
                    break
            if word == NO_WORD:
                continue
            if is_loose:
                y = loose_of(word, ends)
                word ^= ((y ^ virtual) << (y << 2)) ^ ((y ^ virtual) << (virtual << 2))
            k = hash_of(word) & (room - 1)
            while table[k, 0] != word and table[k, 0] != NO_WORD:
                k = (k + 1) & (room - 1)
            if table[k, 0] != word:
                table[k, 0] = word
                table[k, 1] = made
                out[made, 0] = word
                out[made, 1] = made
                for j in range(width):
                    sums[made * width + j] = 0
                made += 1
            to = table[k, 1] * width
            add_moved(half.sums, half.at[number] + i * source_width, source_width, shift, bits, fields, sums, to)
    return made


def add_products(n, numbers, width, sums, degree, ways, bits, fields, part):
    """Add to part the products of the polynomials sums[numbers[i] * width ...], plain, and those packed in ways[i].

    degree: that of the lowest coefficient in ways, from the lowest of part on.
    """
    field = (1 << bits) - 1
    for i in range(n):
        packed = ways[i]
        at = degree
        first = numbers[i] * width
        while packed != 0:
            way = packed & field
            if way != 0:
                for j in range(width):
                    part[at + j] += sums[first + j] * way
            packed >>= bits
            at += 1


def join_polynomials(
    finals,
    last,
    left,
    right,
    is_even,
    all_ends,
    present,
    to_right,
    to_left_turn,
    slot_to_right,
    bits,
    fields,
    scratch,
    rooms,
    tables,
    counters,
    asked,
    total,
):
    """As class_join.join, without folds: add to total[k] how many tours have value k, in digits of 31 bits (values, 2).

    Returns DONE, FULL where a class needs more scratch (counters) or more of `rooms` (asked), or TOO_LARGE where a
    class has 2**bits half-made tours.
    """
    matchings = tables.matchings
    most_mass = 1 << bits
    digit = (1 << class_join.DIGIT) - 1
    while counters[NEXT] < last:
        c = finals[counters[NEXT]]
        other = partner(c, all_ends, present, to_right)
        weight = 1
        if is_even:
            if other < c:
                counters[NEXT] += 1
                continue
            if other != c:
                weight = 2
        pairs = pairs_of(c)
        if pairs == 0:
            counters[NEXT] += 1
            continue
        n, inputs, mass = find_sources(left, c, scratch.found)
        if n == 0:
            counters[NEXT] += 1
            continue
        room = room_for(inputs, pairs, matchings)
        low, width = extent(left, n, scratch.found, fields)
        m, other_inputs, other_mass = find_sources(right, other, scratch.found)
        if m == 0:
            counters[NEXT] += 1
            continue
        other_room = room_for(other_inputs, pairs, matchings)
        other_low, other_width = extent(right, m, scratch.found, fields)
        most_left = min(inputs, matchings[pairs])
        most_right = min(other_inputs, matchings[pairs])
        if mass >= most_mass or other_mass >= most_mass:
            return TOO_LARGE
        counters[NEED_TABLE] = max(room, other_room)
        counters[NEED_LIST] = max(most_left, most_right)
        asked[NEED_SUMS] = max(most_left * width, most_right * other_width)
        asked[NEED_PLAIN] = most_left * width * fields
        is_full = counters[NEED_TABLE] > len(scratch.table) or counters[NEED_LIST] > len(scratch.left)
        if is_full or asked[NEED_SUMS] > len(rooms.left) or asked[NEED_PLAIN] > len(rooms.plain):
            return FULL
        ends = c & MASK
        virtual = 0
        other_virtual = 0
        if c >> 32 == 1:
            virtual_bit = ~ends & (ends + 1)
            virtual = place_of(virtual_bit)
            ends |= virtual_bit
            other_virtual = slot_to_right[virtual]
        n_right = gather_polynomials(
            right,
            other,
            other_virtual,
            m,
            other_room,
            scratch.found,
            scratch.plan,
            scratch.table,
            other_low,
            other_width,
            bits,
            fields,
            scratch.right,
            rooms.right,
        )
        n, inputs, mass = find_sources(left, c, scratch.found)
        n_left = gather_polynomials(
            left,
            c,
            virtual,
            n,
            room,
            scratch.found,
            scratch.plan,
            scratch.table,
            low,
            width,
            bits,
            fields,
            scratch.left,
            rooms.left,
        )
        counters[NEXT] += 1
        counters[SEEN] += inputs + other_inputs
        if n_left == 0 or n_right == 0:
            continue
        counters[JOINED] += 1
        counters[GATHERED] += n_left + n_right
        for i in range(n_right):
            scratch.right[i, 0] = turned(scratch.right[i, 0], to_left_turn)
        field = most_mass - 1
        for i in range(n_left * width):
            packed = rooms.left[i]
            for j in range(fields):
                rooms.plain[i * fields + j] = packed & field
                packed >>= bits
        # Each word in its place, so that the place is found again; 0 would be none.
        for i in range(n_left):
            scratch.left[i, 1] += 1
        n_left = sort_by_rank(
            scratch.left, n_left, ends, pairs, scratch.by_rank, scratch.ranks, scratch.counts, matchings
        )
        for i in range(n_left):
            scratch.counts[i] -= 1
        degrees = (width + other_width) * fields
        for k in range(degrees):
            rooms.part[k] = 0
        for j in range(other_width):
            for i in range(n_right):
                scratch.right[i, 1] = rooms.right[i * other_width + j]
            complete(pairs, ends, scratch.ranks, n_left, scratch.ways, scratch.right, n_right, scratch, tables)
            add_products(
                n_left, scratch.counts, width * fields, rooms.plain, j * fields, scratch.ways, bits, fields, rooms.part
            )
        for k in range(degrees):
            product = rooms.part[k]
            if product != 0:
                total[low + other_low + k, 0] += weight * (product & digit)
                total[low + other_low + k, 1] += weight * (product >> class_join.DIGIT)
    return DONE


KERNELS = (
    *(f for f in class_join.KERNELS if f not in (class_join.gather, class_join.join)),
    add_moved,
    add_values,
    pull_polynomials,
    extent,
    gather_polynomials,
    add_products,
    join_polynomials,
)
INNER = tuple(f for f in KERNELS if f not in (add_values, pull_polynomials, join_polynomials))
