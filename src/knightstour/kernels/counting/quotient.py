"""Kernel of weighted counting: the states of one layer make those of the next, each with two sums of weights.

A state, its key and the plan are those of the frontier search (frontier.py). A layer is keys[0 .. count-1], all
different; values[k] are the two sums of state k, over all ways to it, of the products of the weights of the moves
taken; index is a table of a power of two of places that holds k + 1, or 0 where free. With `prime` 0 the sums are exact
and the caller sees to it that they stay below 2**63; else they are residues below `prime` < 2**31.
"""

from knightstour.kernels.counting.frontier import (
    ALL_SEEN,
    MADE,
    NEAR_COUNT,
    NEAR_MASK,
    PRESENT,
    ROOM,
    SLOT,
    TOUCHED,
    enter,
    hash_of,
    is_alive,
    reindex,
)

DONE, FULL = 0, 1

# Items of `counters`: the next state to expand; and, as in frontier.py, MADE, the number of states of the next layer.
NEXT = 0


def add(child, words, one, other, prime, keys, values, index, counters):
    """Add two sums to those of a state of the next layer, which is made if it is not there."""
    made = counters[MADE]
    k = enter(child, words, keys, index, counters)
    if k == made:
        values[k, 0] = one
        values[k, 1] = other
        return
    values[k, 0] += one
    values[k, 1] += other
    if prime > 0:
        values[k, 0] %= prime
        values[k, 1] %= prime


def link(key, a, b, word, shift, field_mask):
    """Take the move between slots a and b, the ends of two paths or bare: the far ends become mates."""
    a_field = (key[word[a]] >> shift[a]) & field_mask
    b_field = (key[word[b]] >> shift[b]) & field_mask
    x = a ^ a_field
    y = b ^ b_field
    # An end that is joined becomes inner and loses its field; a bare square is its own far end.
    if a_field != 0:
        key[word[a]] ^= a_field << shift[a]
        key[0] ^= 1 << a
    if b_field != 0:
        key[word[b]] ^= b_field << shift[b]
        key[0] ^= 1 << b
    key[word[x]] ^= (a_field ^ x ^ y) << shift[x]
    key[word[y]] ^= (b_field ^ x ^ y) << shift[y]


def expand(
    steps, weights, t, virtual, field_mask, prime, source, sums, last, keys, values, index, child, totals, counters
):
    """Expand states counters[NEXT] .. last-1 of layer t into the next layer; cycles that hold all go to `totals`.

    weights: (step, place, 2), of the move to near[t, place]. Returns DONE, or FULL when the next layer needs more room.
    """
    info, near, later, unseen, word, shift = steps
    words = len(child)
    inner_mask = (1 << len(word)) - 1
    v = info[t, SLOT]
    v_bit = 1 << v
    present = info[t, PRESENT]
    is_all_seen = info[t, ALL_SEEN] != 0
    near_mask = info[t, NEAR_MASK]
    near_count = info[t, NEAR_COUNT]
    touched = info[t, TOUCHED]
    while counters[NEXT] < last:
        # Half the table stays free, and the room for all children of one state is there before it begins.
        if counters[MADE] + info[t, ROOM] > len(keys) or 2 * (counters[MADE] + info[t, ROOM]) > len(index):
            return FULL
        s = counters[NEXT]
        key = source[s]
        inner = key[0] & inner_mask
        if inner & v_bit != 0:
            for j in range(words):
                child[j] = key[j]
            child[0] ^= v_bit
            if is_alive(steps, t, child, near_mask, virtual, field_mask):
                add(child, words, sums[s, 0], sums[s, 1], prime, keys, values, index, counters)
            counters[NEXT] = s + 1
            continue
        field = (key[word[v]] >> shift[v]) & field_mask
        for i in range(near_count):
            a = near[t, i]
            if (inner >> a) & 1 != 0:
                continue
            a_field = (key[word[a]] >> shift[a]) & field_mask
            first = sums[s, 0] * weights[t, i, 0]
            first_other = sums[s, 1] * weights[t, i, 1]
            if prime > 0:
                first %= prime
                first_other %= prime
            # With one move taken already v takes one more, to a; else two, to a and to b.
            for k in range(i if field != 0 else i + 1, i + 1 if field != 0 else near_count):
                b = near[t, k]
                if (inner >> b) & 1 != 0:
                    continue
                one = first
                other = first_other
                if field == 0:
                    one *= weights[t, k, 0]
                    other *= weights[t, k, 1]
                    if prime > 0:
                        one %= prime
                        other %= prime
                if (field != 0 and field ^ v == a) or (field == 0 and a_field != 0 and a_field ^ a == b):
                    # The path would become a cycle: right if it holds all, wrong if not.
                    if is_all_seen and inner | v_bit | (1 << a) | (1 << b) == present:
                        totals[0] += one
                        totals[1] += other
                        if prime > 0:
                            totals[0] %= prime
                            totals[1] %= prime
                    continue
                affected = near_mask
                if a_field != 0:
                    affected |= later[t, a] if a != virtual else touched
                for j in range(words):
                    child[j] = key[j]
                link(child, v, a, word, shift, field_mask)
                if field == 0:
                    b_field = (key[word[b]] >> shift[b]) & field_mask
                    if b_field != 0:
                        affected |= later[t, b] if b != virtual else touched
                    link(child, v, b, word, shift, field_mask)
                child[0] ^= v_bit
                if is_alive(steps, t, child, affected, virtual, field_mask):
                    add(child, words, one, other, prime, keys, values, index, counters)
        counters[NEXT] = s + 1
    return DONE


KERNELS = (hash_of, reindex, enter, add, link, is_alive, expand)
INNER = (hash_of, enter, add, link, is_alive)
