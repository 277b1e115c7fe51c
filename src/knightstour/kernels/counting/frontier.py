"""Kernel of the frontier method: expand the states of one layer into the next, held in open hash tables.

See frontier.py for what a state is. Here its key is `words` int64 words: bits 0 .. slots-1 of word 0 are the inner
mask, and the field of slot i (its number xor that of its mate, 0 without mate) lies in word `word[i]` at bit
`shift[i]`. A layer is keys[0 .. count-1] in the order they were made, parents[k] being the number of the state of the
layer before that made state k; index is a table of a power of two of places that holds k + 1, or 0 where free.
Every arithmetic step stays below 2**63; only shifts use the sign bit.
"""

from collections import namedtuple

RUNNING, FOUND, EXHAUSTED, FULL, SPENT = 0, 1, 2, 3, 4

# Plan of the whole search; step t of it is row t. info: see the constants below. near: slots of the later neighbours
# (step, place). later, unseen: (step, slot). word, shift: (slot,).
Steps = namedtuple("Steps", "info near later unseen word shift")
SLOT, PRESENT, ALL_SEEN, NEAR_COUNT, NEAR_MASK, TOUCHED, ROOM = range(7)

# Items of `counters`: the next state to expand, the number of states of the next layer, and how many it may have.
DONE, MADE, MOST = range(3)


def hash_of(key, words):
    """A number below 2**31 from all bits of a key."""
    h = 0x2545F491
    for j in range(words):
        w = key[j]
        h = ((h ^ (w & 0x7FFFFFFF)) * 0x5D588B65) & 0x3FFFFFFFFFFFFFFF
        h = (h ^ (h >> 29)) & 0x7FFFFFFF
        h = ((h ^ ((w >> 31) & 0x7FFFFFFF)) * 0x6C078965) & 0x3FFFFFFFFFFFFFFF
        h = (h ^ (h >> 29)) & 0x7FFFFFFF
        h = ((h ^ ((w >> 62) & 3)) * 0x4F2EB2B3) & 0x3FFFFFFFFFFFFFFF
        h = (h ^ (h >> 31)) & 0x7FFFFFFF
    return h


def reindex(keys, words, index, first, last):
    """Enter states first .. last-1, known to differ, into the table."""
    mask = len(index) - 1
    for k in range(first, last):
        place = hash_of(keys[k], words) & mask
        while index[place] != 0:
            place = (place + 1) & mask
        index[place] = k + 1


def is_alive(steps, t, key, affected, virtual, field_mask):
    """Whether each affected slot still has enough neighbours to come for the moves it lacks."""
    info, near, later, unseen, word, shift = steps
    slots = len(word)
    inner = key[0] & ((1 << slots) - 1)
    free = info[t, PRESENT] & ~(1 << info[t, SLOT]) & ~inner
    spare = 0
    if virtual >= 0 and (inner >> virtual) & 1 == 0:
        spare = 2
        if (key[word[virtual]] >> shift[virtual]) & field_mask != 0:
            spare = 1
    todo = affected & free
    for i in range(slots):
        if (todo >> i) & 1 == 0:
            continue
        open_near = later[t, i] & free
        field = (key[word[i]] >> shift[i]) & field_mask
        if field != 0:
            mate = field ^ i
            if info[t, ALL_SEEN] == 0:
                open_near &= ~(1 << mate)
                if mate == virtual and open_near == 0 and unseen[t, i] == 0:
                    return False
            if open_near != 0 or unseen[t, i] > 0:
                continue
        else:
            have = unseen[t, i]
            if open_near != 0:
                have += 1
                if open_near & (open_near - 1) != 0:
                    have += 1
            if have >= 2:
                continue
            if have == 0:
                return False
        if spare == 0:
            return False
        spare -= 1
    return True


def enter(child, words, keys, index, counters):
    """Number of a state in the next layer, put there unless it is; counters[MADE] counts those that are new."""
    mask = len(index) - 1
    place = hash_of(child, words) & mask
    while index[place] != 0:
        k = index[place] - 1
        same = True
        for j in range(words):
            if keys[k, j] != child[j]:
                same = False
                break
        if same:
            return k
        place = (place + 1) & mask
    k = counters[MADE]
    for j in range(words):
        keys[k, j] = child[j]
    index[place] = k + 1
    counters[MADE] = k + 1
    return k


def make_children(steps, t, virtual, field_mask, key, children, picks):
    """Write the living states that one step makes of a state; how many, or -1 if it closes a tour.

    picks[j] says to which later neighbours (places in `near`) the square was joined for children[j]: 0 to none, 1 + i
    to i, 1 + d + i * d + k to i and k, d being the number of them. It is in picks[0] where a tour closes.
    """
    info, near, later, unseen, word, shift = steps
    slots = len(word)
    words = children.shape[1]
    v = info[t, SLOT]
    v_bit = 1 << v
    present = info[t, PRESENT]
    is_all_seen = info[t, ALL_SEEN] != 0
    near_mask = info[t, NEAR_MASK]
    near_count = info[t, NEAR_COUNT]
    touched = info[t, TOUCHED]
    inner = key[0] & ((1 << slots) - 1)
    made = 0
    if inner & v_bit != 0:
        child = children[0]
        for j in range(words):
            child[j] = key[j]
        child[0] ^= v_bit
        if is_alive(steps, t, child, near_mask, virtual, field_mask):
            picks[0] = 0
            made = 1
        return made
    field = (key[word[v]] >> shift[v]) & field_mask
    for i in range(near_count):
        a = near[t, i]
        if (inner >> a) & 1 != 0:
            continue
        a_field = (key[word[a]] >> shift[a]) & field_mask
        # With one move used already v takes one more, to a; else two, to a and to b.
        for k in range(i if field != 0 else i + 1, i + 1 if field != 0 else near_count):
            b = near[t, k]
            if (inner >> b) & 1 != 0:
                continue
            pick = 1 + i if field != 0 else 1 + near_count + i * near_count + k
            affected = near_mask
            b_field = (key[word[b]] >> shift[b]) & field_mask
            new_inner = 0
            if field != 0:
                # x, the far end of the path so far, and y, that of the path through a, become mates.
                x = field ^ v
                x_field = field
                y = a
            else:
                x = b
                x_field = 0
                if b_field != 0:
                    x = b_field ^ b
                    x_field = b_field
                    new_inner |= 1 << b
                    affected |= later[t, b] if b != virtual else touched
                y = a
            y_field = 0
            if (field != 0 and x == a) or (field == 0 and a_field != 0 and a_field ^ a == b):
                if is_all_seen and inner | v_bit | (1 << a) | (1 << b) == present:
                    picks[0] = pick
                    return -1
                continue
            if a_field != 0:
                y = a_field ^ a
                y_field = a_field
                new_inner |= 1 << a
                affected |= later[t, a] if a != virtual else touched
            child = children[made]
            for j in range(words):
                child[j] = key[j]
            if field != 0:
                child[word[v]] ^= field << shift[v]
            # Ends that become inner lose their field; the two far ends point at each other.
            if a_field != 0:
                child[word[a]] ^= a_field << shift[a]
            if field == 0 and b_field != 0:
                child[word[b]] ^= b_field << shift[b]
            child[word[x]] ^= (x_field ^ x ^ y) << shift[x]
            child[word[y]] ^= (y_field ^ x ^ y) << shift[y]
            child[0] ^= new_inner
            if is_alive(steps, t, child, affected, virtual, field_mask):
                picks[made] = pick
                made += 1
    return made


def expand(steps, t, virtual, field_mask, source, last, keys, parents, index, children, picks, counters):
    """Expand states counters[DONE] .. last-1 of layer t, `source`, into the next layer.

    Returns RUNNING when done, FOUND when state counters[DONE] closes a tour, FULL when the next layer needs more room
    and SPENT when counters[MADE] has reached counters[MOST].
    """
    words = children.shape[1]
    room = steps.info[t, ROOM]
    while counters[DONE] < last:
        if counters[MADE] >= counters[MOST]:
            return SPENT
        # Half the table stays free, and the room for all children of one state is there before it begins.
        if counters[MADE] + room > len(keys) or 2 * (counters[MADE] + room) > len(index):
            return FULL
        s = counters[DONE]
        made = make_children(steps, t, virtual, field_mask, source[s], children, picks)
        if made < 0:
            return FOUND
        for j in range(made):
            before = counters[MADE]
            k = enter(children[j], words, keys, index, counters)
            if k == before:
                parents[k] = s
        counters[DONE] = s + 1
    return RUNNING


def branch(
    steps, t, virtual, field_mask, source, last, keys, index, children, picks, counters, offsets, targets, codes
):
    """As `expand`, but every way from state to state is written down, and closing a tour does not end it.

    State s has the ways offsets[s] .. offsets[s + 1] - 1; each leads to state targets[e] of the next layer, -1 being
    the complete tour, by the pick codes[e]. offsets[counters[DONE]] is set before. Returns RUNNING when done, FULL
    when the next layer or the ways need more room, and SPENT when counters[MADE] has reached counters[MOST].
    """
    words = children.shape[1]
    room = steps.info[t, ROOM]
    while counters[DONE] < last:
        if counters[MADE] >= counters[MOST]:
            return SPENT
        s = counters[DONE]
        e = offsets[s]
        if counters[MADE] + room > len(keys) or 2 * (counters[MADE] + room) > len(index) or e + room > len(targets):
            return FULL
        made = make_children(steps, t, virtual, field_mask, source[s], children, picks)
        if made < 0:
            targets[e] = -1
            codes[e] = picks[0]
            e += 1
        for j in range(made):
            targets[e] = enter(children[j], words, keys, index, counters)
            codes[e] = picks[j]
            e += 1
        offsets[s + 1] = e
        counters[DONE] = s + 1
    return RUNNING


KERNELS = (hash_of, reindex, is_alive, enter, make_children, expand, branch)
INNER = (hash_of, is_alive, enter, make_children)
