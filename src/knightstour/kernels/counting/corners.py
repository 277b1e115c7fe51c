"""Kernel of a census of corners: the ways of a network, gone through with marks on the ends of paths.

See counting/census/by_corners.py for the whole, and counting/spaces/by_states.py for the network.

marks: one int, four bits for each square still to be dealt with, the next one lowest. BARE: the square has no move yet.
ONE, BOTH: it has one or two. Any other number i: it has one, and its second goes to its neighbour i - 1, so that they
make a chosen corner there.
"""

BARE, ONE, BOTH = 0, 14, 15
MARK_BITS = 4
MARK_MASK = 15
# Squares whose marks fit into one int.
MOST_OPEN = 15
# Items of counters: states made; the source to go on with; the highest power so far.
MADE, NEXT, HIGHEST = range(3)
# No source leads to more states than this.
MOST_CHILDREN = 1024


def place_in(near, v, u):
    """Which neighbour of v the square u is."""
    i = 0
    while near[v, i] != u:
        i += 1
    return i


def find(state, marks, keys, index):
    """The place in the index of a state with marks, or the empty one where it belongs."""
    low = len(index) - 1
    h = ((marks & 0xFFFFFFFF) * 0x2545F491) ^ ((marks >> 32) * 0x6C078965) ^ (state * 0x5851F42D)
    h ^= h >> 29
    k = h & low
    while index[k] >= 0 and (keys[index[k], 0] != state or keys[index[k], 1] != marks):
        k = (k + 1) & low
    return k


def add_moved(source, width, power, modulus, target, highest):
    """Add a polynomial, `power` powers up, to another. Returns the highest power there, or before."""
    for j in range(width):
        if source[j] != 0:
            total = target[j + power] + source[j]
            target[j + power] = total - modulus if total >= modulus else total
            highest = max(highest, j + power)
    return highest


def add_to(state, marks, power, source, sums, width, modulus, counters, keys, values, index):
    """Add a polynomial, `power` powers up, to that of a state with marks."""
    k = find(state, marks, keys, index)
    here = index[k]
    if here < 0:
        here = counters[MADE]
        counters[MADE] = here + 1
        index[k] = here
        keys[here, 0] = state
        keys[here, 1] = marks
        for j in range(len(values[here])):
            values[here, j] = 0
    counters[HIGHEST] = add_moved(sums[source], width, power, modulus, values[here], counters[HIGHEST])


def marks_of(u, i, mark, near, corners, position, t, found):
    """found[k]: what the mark of u may become when it is joined to its neighbour i, whose turn it is. Returns how many.

    corners[u, i]: bits of the neighbours that make a chosen corner at u with that one.
    """
    if mark == BARE:
        found[0] = ONE
        n = 1
        bits = corners[u, i]
        p = 0
        while bits:
            if bits & 1 and position[near[u, p]] > t:
                found[n] = p + 1
                n += 1
            bits >>= 1
            p += 1
        return n
    if mark == ONE or mark == i + 1:
        found[0] = BOTH
        return 1
    return 0


def is_marked(mark):
    """Whether a square waits for a certain neighbour."""
    return mark != BARE and mark < ONE


def is_possible(marks, t, near, order, position, is_last):
    """Whether all squares that wait for a neighbour can have it. is_last: nobody can, when the tour is whole."""
    left = marks
    here = t
    asked = 0
    while left:
        here += 1
        mark = left & MARK_MASK
        left >>= MARK_BITS
        if not is_marked(mark):
            continue
        u = order[here]
        p = near[u, mark - 1]
        place = position[p] - t - 1
        if is_last or place < 0:
            return False
        if place >= MOST_OPEN:
            continue
        at = MARK_BITS * place
        held = (marks >> at) & MARK_MASK
        if is_marked(held):
            if near[p, held - 1] != u:
                return False
            continue
        asked += 1 << at
        many = (asked >> at) & MARK_MASK
        if held == BOTH or many > 2 or (held == ONE and many > 1):
            return False
    return True


def make_layer(
    t,
    v,
    sources,
    sums,
    width,
    modulus,
    ways,
    picked,
    near,
    corners,
    order,
    position,
    first_marks,
    other_marks,
    counters,
    keys,
    values,
    index,
    tours,
):
    """Make the states of layer t + 1 from those of layer t, from source counters[NEXT] on, while there is room.

    sources[i]: (state, marks), and sums[i] its polynomial. ways: (offsets, targets, codes) of
    the layer; picked[code]: the squares that square v of the order is joined to, -1 for none. order, position: the
    squares as they are dealt with, and the place of each in it. tours: the polynomial of
    whole tours. modulus: of all coefficients, below 2**62.
    """
    offsets, targets, codes = ways
    while counters[NEXT] < len(sources) and counters[MADE] + MOST_CHILDREN < len(keys):
        source = counters[NEXT]
        counters[NEXT] = source + 1
        state = sources[source, 0]
        mark = sources[source, 1] & MARK_MASK
        marks = sources[source, 1] >> MARK_BITS
        for w in range(offsets[state], offsets[state + 1]):
            a = picked[codes[w], 0]
            b = picked[codes[w], 1]
            if is_marked(mark) and (b >= 0 or a < 0 or place_in(near, v, a) != mark - 1):
                continue
            corner = 0
            if b >= 0:
                corner = (corners[v, place_in(near, v, a)] >> place_in(near, v, b)) & 1
            first_at = 0
            other_at = 0
            many = 1
            others = 1
            first_marks[0] = 0
            other_marks[0] = 0
            if a >= 0:
                first_at = MARK_BITS * (position[a] - t - 1)
                held = (marks >> first_at) & MARK_MASK
                many = marks_of(a, place_in(near, a, v), held, near, corners, position, t, first_marks)
                marks_left = marks & ~(MARK_MASK << first_at)
            else:
                marks_left = marks
            if b >= 0:
                other_at = MARK_BITS * (position[b] - t - 1)
                held = (marks >> other_at) & MARK_MASK
                others = marks_of(b, place_in(near, b, v), held, near, corners, position, t, other_marks)
                marks_left &= ~(MARK_MASK << other_at)
            target = targets[w]
            for i in range(many):
                for k in range(others):
                    after = marks_left | (first_marks[i] << first_at) | (other_marks[k] << other_at)
                    power = 0
                    if is_marked(first_marks[i]):
                        power += 1
                    if is_marked(other_marks[k]):
                        power += 1
                    if not is_possible(after, t, near, order, position, target < 0):
                        continue
                    if target < 0:
                        add_moved(sums[source], width, power, modulus, tours, power)
                        if corner:
                            add_moved(sums[source], width, power + 1, modulus, tours, power)
                        continue
                    add_to(target, after, power, source, sums, width, modulus, counters, keys, values, index)
                    if corner:
                        add_to(target, after, power + 1, source, sums, width, modulus, counters, keys, values, index)


def index_again(keys, count, index):
    """Fill an empty index with the keys."""
    for i in range(count):
        index[find(keys[i, 0], keys[i, 1], keys, index)] = i


KERNELS = (place_in, find, add_moved, add_to, marks_of, is_marked, is_possible, make_layer, index_again)
INNER = KERNELS[:-2]
