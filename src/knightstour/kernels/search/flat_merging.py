"""Kernel of the merging of large flat knight's boards: pairs, joined row by row, without a list of moves.

The board lies in a frame: square (row, col) is the number (row + 2) * (cols + 2) + col, so that a move is a fixed step
from any square, and one off the board ends outside `is_square`. ways[s] has a bit for each direction in which a link
leads from s: one bit of the 8 in a loop of two squares, two in longer ones, and the bit END, instead of a direction, at
an end of an open tour. Direction 7 - d is opposite to d.

All that a row needs lies in the rows beside it, so the cache holds it. Labels are trees, as in merging.py.
"""

from knightstour.kernels.rng import next_random

# As a bit of `ways`.
END = 256

# Places further apart belong to no two squares in a row: it is where the walk round the loop began and ended.
_NEXT = 1.5
# A segment to be turned round that is as short as this is short enough.
_SHORT = 500.0
_LONG = 5000.0
# The place that is no square's: it holds the least gap between two places. Below this they are numbered again.
GAP = 0
_LEAST_GAP = 1e-4
# Longer segments do not become loops again.
_MOST_SWAPPED = 200.0


def low_bit(bits):
    """The number of the lowest bit that is set, of those of directions; 8 if none is."""
    for k in range(8):
        if (bits >> k) & 1:
            return k
    return 8


def direction(steps, a, b):
    """The direction of the move from a to b, -1 where there is none."""
    for d in range(8):
        if a + steps[d] == b:
            return d
    return -1


def root_of(label, s):
    """The root of the tree of labels, to which all on the way come nearer."""
    while label[s] != s:
        label[s] = label[label[s]]
        s = label[s]
    return s


def put_pair(ways, label, a, b, d):
    """A loop of two squares, b in direction d of a."""
    ways[a] = 1 << d
    ways[b] = 1 << (7 - d)
    first = a if a < b else b
    label[a] = first
    label[b] = first


def take_link(ways, a, d):
    """Take away one link of a; a loop of two squares has two of the same direction."""
    if ways[a] != 1 << d:
        ways[a] ^= 1 << d


def put_link(steps, ways, a, b):
    """Link two squares that are a move apart."""
    d = direction(steps, a, b)
    ways[a] |= 1 << d
    ways[b] |= 1 << (7 - d)


# ---------------------------------------------------------------- the pairs


def pair_blocks(rows, cols, steps, is_square, ways, label, loops, x):
    """Each loop of four of each whole 4x4 block as two pairs, in one of the two ways. Returns the random number.

    loops: (4, 4, 2), the squares (row, col) of the four loops of a block.
    """
    width = cols + 2
    for top in range(2, rows - 1, 4):
        for left in range(0, cols - 3, 4):
            x = next_random(x)
            corner = top * width + left
            is_whole = True
            for i in range(4):
                for j in range(4):
                    if not is_square[corner + i * width + j]:
                        is_whole = False
            if not is_whole:
                continue
            for k in range(4):
                first = (x >> (8 + k)) & 1
                for i in range(first, first + 3, 2):
                    j = (i + 1) % 4
                    a = corner + loops[k, i, 0] * width + loops[k, i, 1]
                    b = corner + loops[k, j, 0] * width + loops[k, j, 1]
                    put_pair(ways, label, a, b, direction(steps, a, b))
    return x


def pair_rest(steps, is_square, ways, label, queue, via, reached, single, alone):
    """Pair the squares `alone`, of one colour, by augmenting paths. Returns how many of them could be paired.

    single: a square that is to stay without a pair, or -1.
    """
    made = 0
    for i in range(len(alone)):
        if augment(steps, is_square, ways, label, queue, via, reached, single, alone[i], i + 1):
            made += 1
    return made


def augment(steps, is_square, ways, label, queue, via, reached, single, first, mark):
    """Turn over an augmenting path from the square `first`, if there is one. reached: less than mark where not seen."""
    queue[0] = first
    head = 0
    tail = 1
    while head < tail:
        a = queue[head]
        head += 1
        for d in range(8):
            b = a + steps[d]
            if not is_square[b] or reached[b] == mark or b == single:
                continue
            reached[b] = mark
            via[b] = d
            if ways[b] != 0:
                queue[tail] = b + steps[low_bit(ways[b])]
                tail += 1
                continue
            while True:
                d = via[b]
                a = b - steps[d]
                mate = -1 if a == first else a + steps[low_bit(ways[a])]
                put_pair(ways, label, a, b, d)
                if mate < 0:
                    return True
                b = mate
    return False


def lay_path(steps, is_square, ways, label, queue, via, reached, start, end, mark, x):
    """The path of an open tour, from the start to the end, made of pairs. end: -1 for any. Returns whether there is.

    The start is alone if the tour has an odd number of squares.
    """
    is_alone = ways[start] == 0
    if not is_alone and end < 0:
        ways[start] |= END
        ways[start + steps[low_bit(ways[start])]] |= END
        return True
    head = 0
    tail = 1
    # The squares from which the path may go on: the start alone, or the other of its pair, and so with all that follow.
    queue[0] = start if is_alone else start + steps[low_bit(ways[start])]
    reached[start] = mark
    last = queue[0] if queue[0] == end else -1
    while head < tail and last < 0:
        a = queue[head]
        head += 1
        x = next_random(x)
        for k in range(8):
            d = ((x >> 10) + k) & 7
            b = a + steps[d]
            if not is_square[b] or reached[b] == mark:
                continue
            reached[b] = mark
            via[b] = d
            mate = b + steps[low_bit(ways[b])]
            queue[tail] = mate
            tail += 1
            if end < 0 or mate == end:
                last = mate
                break
    if last < 0:
        return False
    # Back from the end, a pair at a time; the places in `queue` are free now.
    count = 0
    s = last
    while True:
        queue[count] = s
        count += 1
        if s == start:
            break
        s += steps[low_bit(ways[s])]
        queue[count] = s
        count += 1
        if s == start:
            break
        s -= steps[via[s]]
    for i in range(count):
        label[queue[i]] = start
        if i > 0:
            put_link(steps, ways, queue[i - 1], queue[i])
    ways[start] |= END
    ways[last] |= END
    return True


# ---------------------------------------------------------------- joining


def join_rows(rows, cols, steps, ways, label, x):
    """Join loops at links that lie alike, row by row: a-b and p-q, of one direction, with moves a-p and b-q.

    At each square one of its links is chosen at random, and one of the places where it can be joined to another loop.
    Returns (how many were joined, random number).
    """
    made = 0
    width = cols + 2
    for r in range(2, rows + 2):
        for a in range(r * width, r * width + cols):
            x = next_random(x)
            links = ways[a] & 255
            d = low_bit(links)
            if (x >> 20) & 1 and links & (links - 1):
                d = low_bit(links & (links - 1))
            if d == 8:
                continue
            fits = 0
            for e in range(8):
                fits |= ((ways[a + steps[e]] >> d) & 1) << e
            fits &= ~((1 << d) | (1 << (7 - d)))
            if fits == 0:
                continue
            turn = (x >> 24) & 7
            fits = ((fits | fits << 8) >> turn) & 255
            mine = root_of(label, a)
            while fits:
                e = (low_bit(fits) + turn) & 7
                fits &= fits - 1
                p = a + steps[e]
                other = root_of(label, p)
                if other == mine:
                    continue
                join(steps, ways, a, d, p, d, e, e)
                if other < mine:
                    label[mine] = other
                else:
                    label[other] = mine
                made += 1
                break
    return made, x


def join(steps, ways, a, d, p, g, e, h):
    """Loops a-b and p-q, b in direction d of a and q in direction g of p, become one:
    in direction h of b."""
    b = a + steps[d]
    q = p + steps[g]
    take_link(ways, a, d)
    take_link(ways, b, 7 - d)
    take_link(ways, p, g)
    take_link(ways, q, 7 - g)
    ways[a] |= 1 << e
    ways[p] |= 1 << (7 - e)
    ways[b] |= 1 << h
    ways[q] |= 1 << (7 - h)


def next_of(steps, ways, s, back):
    """The direction in which a walk goes on from s, that came from direction `back` (8 at its beginning); 8: an end."""
    links = ways[s] & 255
    if back < 8 and links & (links - 1):
        links ^= 1 << back
    elif back < 8 and ways[s] & END:
        return 8
    return low_bit(links)


def walk(steps, ways, first, tour):
    """Write the squares of a loop, or of the path from its end `first`, one after another. Returns how many."""
    s = first
    back = 8
    count = 0
    while count < len(tour):
        tour[count] = s
        count += 1
        d = next_of(steps, ways, s, back)
        if d == 8:
            break
        s += steps[d]
        back = 7 - d
        if s == first:
            break
    return count


# ---------------------------------------------------------------- the last loops


def largest(label, is_square, sizes):
    """A square of the loop that has most squares."""
    for s in range(len(is_square)):
        sizes[s] = 0
    best = 0
    for s in range(len(is_square)):
        if is_square[s]:
            root = root_of(label, s)
            sizes[root] += 1
            if sizes[root] > sizes[best]:
                best = root
    return best


def list_small(tour, count, is_square, place, listed):
    """Give the squares of the walk their places in it, and list all others, whose place is -1. Returns how many."""
    for s in range(len(is_square)):
        place[s] = -1.0
    place[GAP] = 1.0
    for i in range(count):
        place[tour[i]] = i
    small = 0
    for s in range(len(is_square)):
        if is_square[s] and place[s] < 0:
            listed[small] = s
            small += 1
    return small


def number_again(steps, ways, place, first, inner):
    """Give the squares of the large loop whole numbers as places again. first: where a walk round it may begin.

    Where loops were fitted in beside each other over and over, places come so near that their order could be lost.
    """
    if place[first] < 0:
        # It has left the loop, which has no ends then.
        first = GAP + 1
        while place[first] < 0:
            first += 1
    for i in range(walk(steps, ways, first, inner)):
        place[inner[i]] = i
    place[GAP] = 1.0


def fit_in(steps, ways, place, listed, small, first, inner, x):
    """Join the small loops to the large one, whose squares have places. Returns how many squares are left over.

    first: where a walk round the large one begins, its end if it is a path.

    A link a-b of a small loop and one c-d of the large one give way to b-c and d-a. Where that does not do, a-b, c-d
    and e-f give way to b-c, d-e and f-a, if the walk comes to c and f, or to d and e, first: then the segment between
    is turned round, the shortest of those that are found. Two small loops are joined too. inner: as long as `listed`.
    """
    patience = 1000 + 4 * small
    while small > 0 and patience > 0:
        i = 0
        while i < small and patience > 0:
            if place[listed[i]] < 0:
                x = next_random(x)
                patience -= 1
                if small + 2 * _MOST_SWAPPED > len(listed):
                    return small
                if place[GAP] < _LEAST_GAP:
                    number_again(steps, ways, place, first, inner)
                small = fit(steps, ways, place, listed, small, listed[i], inner, x)
            i += 1
        left = 0
        for i in range(small):
            if place[listed[i]] < 0:
                listed[left] = listed[i]
                left += 1
        small = left
    return small


def fit(steps, ways, place, listed, small, first, inner, x):
    """Join the small loop of a square to another one, if that can be done. Returns how many squares are listed then.

    Where it would take long, or cannot be done, the loop takes the place of a short segment of
    the large one, which becomes a small loop.
    """
    size = walk(steps, ways, first, inner)
    is_path = ways[first] & END != 0
    if not is_path and ways[inner[size - 1]] & END:
        # From the middle of the path: it is fitted in when its first square comes.
        return small
    if is_path:
        # The large loop may become a path by this, which begins elsewhere than its numbers.
        place[GAP] = 0.0
    best = -1.0
    moves = (0, 0, 0, 0, 0, 0)
    swaps = 0
    swap = moves
    for i in range(size):
        a = inner[i]
        for side in range(2):
            # Both directions of each link: b is the square after a, or the one before it.
            b = inner[(i + 1) % size] if side == 0 else inner[(i + size - 1) % size]
            if is_path and i == (size - 1 if side == 0 else 0):
                continue
            for k in range(8):
                c = b + steps[k]
                if ways[c] == 0 or c == a:
                    continue
                if place[c] < 0:
                    if join_small(steps, ways, inner, size, a, b, c):
                        return small
                    continue
                for d in linked(steps, ways, c):
                    if d < 0 or abs(place[c] - place[d]) > _NEXT:
                        continue
                    if direction(steps, d, a) >= 0:
                        put_places(place, inner, size, i, side, place[c], place[d])
                        exchange(steps, ways, a, b, c, d)
                        return small
                    for h in range(8):
                        e = d + steps[h]
                        if ways[e] == 0 or place[e] < 0 or e == c:
                            continue
                        for f in linked(steps, ways, e):
                            if f < 0 or f in (d, c) or abs(place[e] - place[f]) > _NEXT:
                                continue
                            if direction(steps, f, a) < 0:
                                continue
                            is_rising = place[d] > place[c]
                            length = abs(place[d] - place[f])
                            if is_rising == (place[e] > place[f]):
                                if best < 0 or length < best:
                                    best = length
                                    moves = (i, side, c, d, e, f)
                            elif is_rising == (place[e] > place[d]) and length < _MOST_SWAPPED:
                                swaps += 1
                                x = next_random(x)
                                if x % swaps == 0:
                                    swap = (i, side, c, d, e, f)
        if 0 <= best <= _SHORT:
            break
    x = next_random(x)
    if swaps > 0 and (best < 0 or best > _LONG) and x & 12 != 0:
        return swap_in(steps, ways, place, listed, small, inner, size, swap)
    if best >= 0:
        turn_and_fit(steps, ways, place, inner, size, moves)
        return small
    return split_near(steps, ways, place, listed, small, inner, inner[x % size], x)


def linked(steps, ways, s):
    """The two squares that links lead to; -1 for a missing one."""
    links = ways[s] & 255
    one = -1 if links == 0 else s + steps[low_bit(links)]
    links &= links - 1
    return one, -1 if links == 0 else s + steps[low_bit(links)]


def exchange(steps, ways, a, b, c, d):
    """Links a-b and c-d give way to b-c and d-a."""
    join(
        steps,
        ways,
        a,
        direction(steps, a, b),
        d,
        direction(steps, d, c),
        direction(steps, a, d),
        direction(steps, b, c),
    )


def join_small(steps, ways, inner, size, a, b, c):
    """Join the loop of a and b to the small one of c, if that is another one and has a fitting link."""
    for i in range(size):
        if inner[i] == c:
            return False
    for d in linked(steps, ways, c):
        if d >= 0 and direction(steps, d, a) >= 0:
            exchange(steps, ways, a, b, c, d)
            return True
    return False


def put_places(place, inner, size, i, side, before, after):
    """Places between two others for the squares of a loop, which is entered beside square i of it, away from it.

    The square beside, b, comes next to `before`, and square i next to `after`.
    """
    gap = abs(after - before) / (size + 1)
    if gap < place[GAP]:
        place[GAP] = gap
    for k in range(size):
        j = (i + 1 + k) % size if side == 0 else (i + size - 1 - k) % size
        place[inner[j]] = before + (after - before) * (k + 1) / (size + 1)


def turn_and_fit(steps, ways, place, inner, size, moves):
    """Make the exchange of three links: turn the segment between round, and put the small loop in beside it."""
    i, side, c, d, e, f = moves
    a = inner[i]
    b = inner[(i + 1) % size] if side == 0 else inner[(i + size - 1) % size]
    # The segment lies between the two links: from d to f, or from c to e.
    s, last = (d, f) if (place[d] > place[c]) == (place[f] > place[c]) else (c, e)
    back = direction(steps, s, c if s == d else d)
    total = place[s] + place[last]
    while True:
        here = s
        g = next_of(steps, ways, s, back)
        place[here] = total - place[here]
        if here == last:
            break
        s = here + steps[g]
        back = 7 - g
    # b is linked to c and a to f, each of which is at an end of the segment or beside it.
    put_places(place, inner, size, i, side, place[c], place[f])
    exchange_three(steps, ways, a, b, c, d, e, f)


def swap_in(steps, ways, place, listed, small, inner, size, moves):
    """The same where the segment from d to e closes to a loop, whose squares are listed. Returns how many are then."""
    i, side, c, d, e, f = moves
    a = inner[i]
    b = inner[(i + 1) % size] if side == 0 else inner[(i + size - 1) % size]
    put_places(place, inner, size, i, side, place[c], place[f])
    exchange_three(steps, ways, a, b, c, d, e, f)
    return list_loop(steps, ways, place, listed, small, inner, d)


def split_near(steps, ways, place, listed, small, inner, c, x):
    """Make a short segment of the large loop near a square c a small loop, which leaves more ways to fit in others.

    Links c-d and e-f give way to c-f and d-e. Returns how many squares are listed then.
    """
    for _ in range(1 + x % 3):
        x = next_random(x)
        if ways[c + steps[(x >> 8) & 7]] != 0:
            c += steps[(x >> 8) & 7]
    if place[c] < 0:
        return small
    for d in linked(steps, ways, c):
        if d < 0 or abs(place[c] - place[d]) > _NEXT:
            continue
        x = next_random(x)
        for k in range(8):
            e = d + steps[((x >> 8) + k) & 7]
            if ways[e] == 0 or e == c or place[e] < 0 or abs(place[e] - place[d]) > _MOST_SWAPPED:
                continue
            for f in linked(steps, ways, e):
                if f < 0 or f in (d, c) or abs(place[e] - place[f]) > _NEXT or direction(steps, c, f) < 0:
                    continue
                is_rising = place[d] > place[c]
                if is_rising == (place[f] > place[e]) and is_rising == (place[e] > place[d]):
                    exchange(steps, ways, c, d, e, f)
                    return list_loop(steps, ways, place, listed, small, inner, d)
    return small


def list_loop(steps, ways, place, listed, small, inner, first):
    """Take the squares of a new small loop out of the places. Returns how many squares are listed then.

    Where they do not fit into the list it counts as full, which ends the search.
    """
    count = walk(steps, ways, first, inner)
    if small + count > len(listed):
        return len(listed)
    for k in range(count):
        place[inner[k]] = -1.0
        listed[small + k] = inner[k]
    return small + count


def exchange_three(steps, ways, a, b, c, d, e, f):
    """Links a-b, c-d and e-f give way to b-c, d-e and f-a."""
    ab = direction(steps, a, b)
    cd = direction(steps, c, d)
    ef = direction(steps, e, f)
    take_link(ways, a, ab)
    take_link(ways, b, 7 - ab)
    take_link(ways, c, cd)
    take_link(ways, d, 7 - cd)
    take_link(ways, e, ef)
    take_link(ways, f, 7 - ef)
    put_link(steps, ways, b, c)
    put_link(steps, ways, d, e)
    put_link(steps, ways, f, a)


KERNELS = (
    next_random,
    low_bit,
    direction,
    root_of,
    put_pair,
    take_link,
    put_link,
    pair_blocks,
    augment,
    pair_rest,
    lay_path,
    join,
    join_rows,
    next_of,
    walk,
    largest,
    list_small,
    linked,
    exchange,
    join_small,
    put_places,
    exchange_three,
    turn_and_fit,
    list_loop,
    swap_in,
    number_again,
    split_near,
    fit,
    fit_in,
)
_DOORS = (pair_blocks, pair_rest, lay_path, join_rows, largest, walk, list_small, fit_in)
INNER = tuple(f for f in KERNELS if f not in _DOORS)
