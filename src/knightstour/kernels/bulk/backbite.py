"""Kernel of the backbite law: random walks on the tours of a graph, read off where their ends meet.

The state of a walk is an open tour: pos[s] is the step at which square s is visited, link[s] and other[s] are the
squares before and after s (in no order; at an end of the tour only link is true). A turn takes an end e of the tour and
a neighbour c of it that is not next to it, adds the move e-c, and takes away the move from c to the square d that lies
towards e. That turns the stretch from d to e round, and makes d the end: pos becomes lo + hi - pos there, a pass over
bytes that the processor does 32 at a time. The two ends take turns. Several walks go side by side, each in its row of
the arrays: the processor begins the turn of one while it waits for that of another, which takes a third off the time.

From e there are degree(e) - 1 turns, and each is undone by one from d. So the walk comes by an open tour in proportion
to the product of degree - 1 over its two ends. A closed tour is met as any of the open tours that it is when cut, so
in proportion to the sum of these products over its moves, its weight; it is accepted with probability lowest / weight,
which makes all closed tours equally likely. The move between KEPT_S and KEPT_T, if there is one, is never taken away.

No number here goes beyond 63 bits, since in compiled code that means anything. No function of arrays is called inside
the walk: passing them costs more than a turn.
"""

from knightstour.kernels.rng import bits, next_state

(
    RANDOM,
    COUNT,
    KEPT_S,  # the two squares of the move that is kept, or -1
    KEPT_T,
    HEAD,  # the square to write first, or -1 for any
    SKIPS,  # 1: do not write that square, it is none of the board
    DIRECTION,  # RANDOM_WAY, or which way to write: with TOWARDS the square after HEAD, or with it last
    TOWARDS,
    START,  # number on the board of the square to write first, or -1
    EVERY,
    LEFT,  # turns to the next reading
    SIDE,
    LOWEST,  # no closed tour has less weight than this
    MADE,
    TURNS,
    READINGS,
    REFUSED,  # closed tours passed over for their weight
) = range(17)
COUNTERS = 17
RANDOM_WAY, FIRST_IS, LAST_IS = range(3)


def walk(c, offsets, near, pos, link, other, bound, ends, line, images, out, turns):
    """Make about `turns` turns in each walk, or fewer if `out` is filled; c[MADE] rows of it hold tours.

    pos, link, other: a row for each walk, that of pos filled up to a multiple of 128. ends: the two ends of each walk.
    bound: 3 items of the type of pos. line: as long as a tour.
    images: each row a symmetry that the question allows, from the squares of the kernel to those of the board.
    """
    count = c[COUNT]
    walks = len(pos)
    last = count - 1
    x = c[RANDOM]
    kept_s = c[KEPT_S]
    kept_t = c[KEPT_T]
    made = c[MADE]
    left = c[LEFT]
    side = c[SIDE]
    spent = 0
    while made < len(out) and spent < turns:
        todo = min(left, turns - spent)
        for _ in range(todo):
            side = 1 - side
            for w in range(walks):
                x = next_state(x)
                e = ends[w, side]
                low = offsets[e]
                turnings = offsets[e + 1] - low - 1
                if turnings <= 0:
                    continue
                # The last neighbour takes the place of the one e is joined to. A sum: a branch would be guessed wrong.
                k = (bits(x) * turnings) >> 32
                k += (turnings - k) * (near[low + k] == link[w, e])
                to = near[low + k]
                at = int(pos[w, to])
                a = link[w, to]
                b = other[w, to]
                if side == 1:
                    d = a if pos[w, a] > at else b
                    bound[0] = at + 1
                    bound[1] = last
                    bound[2] = at + 1 + last
                else:
                    d = a if pos[w, a] < at else b
                    bound[0] = 0
                    bound[1] = at - 1
                    bound[2] = at - 1
                if (to == kept_s and d == kept_t) or (to == kept_t and d == kept_s):
                    continue
                link[w, to] = e if a == d else a
                other[w, to] = b if a == d else e
                other[w, e] = to
                link[w, d] = link[w, d] + other[w, d] - to
                ends[w, side] = d
                lo = bound[0]
                hi = bound[1]
                total = bound[2]
                for q in range(pos.shape[1]):
                    v = pos[w, q]
                    pos[w, q] = total - v if (v >= lo and v <= hi) else v
        spent += todo
        left -= todo
        if left > 0:
            break
        x = next_state(x)
        # One turn more or less, so that no rhythm of the walk falls in with that of the readings.
        left = c[EVERY] + (bits(x) & 1)
        for w in range(walks):
            if made == len(out):
                break
            c[READINGS] += 1
            e = ends[w, 0]
            f = ends[w, 1]
            if offsets[e + 1] - offsets[e] > offsets[f + 1] - offsets[f]:
                e = ends[w, 1]
                f = ends[w, 0]
            is_closed = False
            for k in range(offsets[e], offsets[e + 1]):
                if near[k] == f:
                    is_closed = True
            if not is_closed:
                continue
            for s in range(count):
                line[pos[w, s]] = s
            weight = 0
            before = line[last]
            for i in range(count):
                s = line[i]
                if not ((s == kept_s and before == kept_t) or (s == kept_t and before == kept_s)):
                    weight += (offsets[s + 1] - offsets[s] - 1) * (offsets[before + 1] - offsets[before] - 1)
                before = s
            x = next_state(x)
            if bits(x) * weight >= (c[LOWEST] << 32):
                c[REFUSED] += 1
                continue
            x = next_state(x)
            image = ((bits(x) >> 1) * len(images)) >> 31
            backwards = bits(x) & 1 == 1
            first = 0
            if c[HEAD] >= 0:
                first = int(pos[w, c[HEAD]])
                if c[DIRECTION] != RANDOM_WAY:
                    backwards = (line[(first + 1) % count] == c[TOWARDS]) == (c[DIRECTION] == LAST_IS)
            elif c[START] >= 0:
                while images[image, line[first]] != c[START]:
                    first += 1
            at = first
            for i in range(out.shape[1] + c[SKIPS]):
                if i >= c[SKIPS]:
                    out[made, i - c[SKIPS]] = images[image, line[at]]
                at += -1 if backwards else 1
                if at > last:
                    at = 0
                elif at < 0:
                    at = last
            made += 1
    c[RANDOM] = x
    c[MADE] = made
    c[LEFT] = left
    c[SIDE] = side
    c[TURNS] += spent * walks


# ---------------------------------------------------------------- interpreted

_BYTES = 256


def walk_in_bytes(c, offsets, near, pos, link, other, bound, ends, line, images, out, turns):
    """The same as `walk`, for the interpreter: there turning a stretch round as bytes takes a fiftieth of the time."""
    arrays = (offsets, near, pos, link, other, bound, ends, line, images, out)
    if c[COUNT] > _BYTES:
        walk(c, *arrays, turns)
        return
    tables = [_turned_tables(int(c[COUNT]), side) for side in range(2)]
    graph = offsets.tolist(), near.tolist()
    spent = 0
    while c[MADE] < len(out) and spent < turns:
        todo = min(int(c[LEFT]), turns - spent)
        _turn_in_bytes(c, *graph, pos, link, other, ends, tables, todo)
        spent += todo
        if c[LEFT] == 0:
            # It reads the tours, and makes one turn.
            walk(c, *arrays, 1)
            spent += 1


def _turned_tables(count, side):
    """For each step: what becomes of every step when the stretch from it to the end of this side is turned round."""
    steps = bytes(range(_BYTES))
    if side == 1:
        return [steps[: at + 1] + steps[at + 1 : count][::-1] + steps[count:] for at in range(count)]
    return [steps[:at][::-1] + steps[at:] for at in range(count)]


def _turn_in_bytes(c, offsets, near, pos, link, other, ends, tables, turns):
    """Make `turns` turns in each walk, without a reading."""
    x = int(c[RANDOM])
    kept = {(int(c[KEPT_S]), int(c[KEPT_T])), (int(c[KEPT_T]), int(c[KEPT_S]))}
    side = int(c[SIDE])
    rows = [row.tobytes() for row in pos]
    links, others, tips = link.tolist(), other.tolist(), ends.tolist()
    walks = range(len(rows))
    for _ in range(turns):
        side = 1 - side
        turned = tables[side]
        for w in walks:
            x = 698769069 * (x & 0xFFFFFFFF) + (x >> 32)
            e = tips[w][side]
            low = offsets[e]
            turnings = offsets[e + 1] - low - 1
            if turnings <= 0:
                continue
            before, after, row = links[w], others[w], rows[w]
            to = near[low + ((((x ^ (x >> 32)) & 0xFFFFFFFF) * turnings) >> 32)]
            if to == before[e]:
                to = near[low + turnings]
            at = row[to]
            a = before[to]
            b = after[to]
            d = a if (row[a] > at) == (side == 1) else b
            if (to, d) in kept:
                continue
            before[to], after[to] = (e, b) if a == d else (a, e)
            after[e] = to
            before[d] += after[d] - to
            tips[w][side] = d
            rows[w] = row.translate(turned[at])
    for w in walks:
        # Each is an array of bytes.
        pos[w] = memoryview(rows[w])
    link[:], other[:], ends[:] = links, others, tips
    c[RANDOM] = x
    c[SIDE] = side
    c[LEFT] -= turns
    c[TURNS] += turns * len(rows)


KERNELS = (next_state, bits, walk)
INNER = (next_state, bits)
# Functions that do the same as a kernel, and are quicker interpreted.
INTERPRETED = {walk: walk_in_bytes}
