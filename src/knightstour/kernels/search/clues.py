"""Kernel of the search for numberings: at which steps may a square be, and which moves may be in the tour.

Two views of one question, and each rules out what the other cannot see. A step is a bit: bit t % 64 of word t // 64, t
counted from 0, in 64-bit integers that count bit 63 as negative. So all steps of a square are looked at in one go.

What is concluded before each choice:
  a square at a step has a neighbour one step before, and another one step after
  the two ends of a certain move are one step apart, and those of two certain moves lie on both sides
  a step of a square that has no other is lost to all other squares; a step with one square left is that square's
  a move that no steps of its ends allow is lost; so are all others of a square that has its two, and one that would
  close a loop too early
  a square with two moves left needs both; one with a known step and one way on, or one way back, needs that move

Then a square is tried at a step; when that fails the step is struck out and the search goes on from there. So when it
runs dry it has seen everything. Until it has found something it starts again now and then, in another order; what was
struck out before the first choice stays so.

The fields of a level follow one another, level 0 first: time, alive, fixed, mate and size. A level is what was known
before a choice, and the choices at levels 0, 1, ... are in `squares` and `steps`.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# near: the squares a move away from square s are near[s * ways + k]; back: the k of the same move at its other end; -1
# where there is none. time: the steps at which a square may be, `words` words a square. alive: bit k is 1 for a move
# that may be in the tour, and fixed: for one that is. The certain moves make chains: mate is the other end of the chain
# that ends in a square, and size the number of its squares. up, down: the steps one after and one before those of a
# square, at the level of now. noise: what makes one order of choices differ from the next. queue, waits: squares to be
# looked at, and whether a square is among them. counts: squares for each step. tours: room for numberings.
State = namedtuple(
    "State",
    "counters near back time alive fixed mate size up down noise queue waits counts squares steps tours",
)

# Items of `counters`.
(
    NODES,
    DEPTH,  # choices that hold now; -1 when the search has run dry
    SIZE,  # squares
    WORDS,
    WAYS,  # most moves of a square
    CLOSED,
    LAST,  # the bit of the last step in the last word
    ALL,  # all bits of the last word
    PHASE,
    HELD,  # numberings in `tours`
    CAPACITY,  # stop as soon as this many are held
    HEAD,  # where in `queue` the next square is
    QUEUED,
    CHOICES,  # squares tried at a step
    HAS_FOUND,
    LIMIT,  # node at which to start again
    ROUND,  # nodes of this round
    RANDOM,
    WHY,  # what the last contradiction was
    WHERE,  # and its square or step
) = range(20)
COUNTERS = 20

# Contradictions: a square that can be at no step; a step for which no square is left; a square that is needed for two
# steps; a square with too few moves; certain moves that meet at a square; a loop that leaves squares out; a certain
# move that no steps allow.
NO_STEP, NO_SQUARE, TWO_STEPS, FEW_MOVES, MANY_MOVES, LOOP, NO_MOVE = range(1, 8)

# Nodes after which the search starts again for the first time.
ROUND_NODES = 500
# Noise is below this; a square with one move more counts as so much.
NOISE = 300
_MOVE = 100

# Values of PHASE: nothing is done yet; conclusions are to be drawn at the level of DEPTH; or a choice is to be made.
_NEW, _SETTLING, _READY = range(3)
# How `settle` ends, besides 0 and 1.
_UNSETTLED = 2
# Squares looked at in a call for each of its nodes.
_LOOKS_A_NODE = 500

_TOP = -(1 << 63)
_LOW = (1 << 62) - 1
_NEXT = 1 << 62
_MOST = (1 << 63) - 1


def popcount(x):
    """How many bits are 1."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 0xFF


def lowest(x):
    """The place of the lowest bit that is 1."""
    return popcount((x & -x) - 1)


def without_lowest(x):
    """The word without its lowest bit."""
    return 0 if x == _TOP else x & (x - 1)


def bit_of(t):
    """The word in which only the bit of step t is 1."""
    b = t & 63
    return _TOP if b == 63 else 1 << b


def fail(c, where):
    """Note the place of a contradiction; 0. The kind is in WHY already: a constant here would be compiled for each."""
    c[WHERE] = where
    return 0


def touch(c, queue, waits, s):
    """Have a square looked at."""
    if waits[s] == 0:
        waits[s] = 1
        tail = c[HEAD] + c[QUEUED]
        if tail >= c[SIZE]:
            tail -= c[SIZE]
        queue[tail] = s
        c[QUEUED] += 1


def shift(state, d, s):
    """Work out `up` and `down` of a square from its steps."""
    c, time, up, down = state.counters, state.time, state.up, state.down
    words = c[WORDS]
    base = (d * c[SIZE] + s) * words
    row = s * words
    last = words - 1
    carry = 0
    if c[CLOSED] and time[base + last] & c[LAST]:
        carry = 1
    for w in range(words):
        x = time[base + w]
        up[row + w] = ((x & _LOW) << 1) | ((x & _NEXT) * -2) | carry
        carry = (x >> 63) & 1
        y = (x >> 1) & _MOST
        if w < last:
            y |= (time[base + w + 1] & 1) * _TOP
        down[row + w] = y
    up[row + last] &= c[ALL]
    if c[CLOSED] and time[base] & 1:
        down[row + last] |= c[LAST]


def spread(state, d, s):
    """The steps of a square have changed: have the squares a move away looked at."""
    shift(state, d, s)
    c, near = state.counters, state.near
    ways = c[WAYS]
    moves = state.alive[d * c[SIZE] + s]
    for k in range(ways):
        if (moves >> k) & 1:
            touch(c, state.queue, state.waits, near[s * ways + k])


def alone(state, d, s, t):
    """Square s is at step t, so no other is."""
    c, time = state.counters, state.time
    n, words = c[SIZE], c[WORDS]
    bit = bit_of(t)
    w = t >> 6
    for v in range(n):
        at = (d * n + v) * words + w
        if v != s and time[at] & bit:
            time[at] ^= bit
            touch(c, state.queue, state.waits, v)
            spread(state, d, v)


def kill(state, d, s, k):
    """Rule out move k of a square."""
    c, alive = state.counters, state.alive
    n = c[SIZE]
    i = s * c[WAYS] + k
    u = state.near[i]
    alive[d * n + s] &= ~(1 << k)
    alive[d * n + u] &= ~(1 << state.back[i])
    touch(c, state.queue, state.waits, s)
    touch(c, state.queue, state.waits, u)


def kill_others(state, d, s):
    """Rule out the moves of a square that has its two."""
    rest = state.alive[d * state.counters[SIZE] + s] & ~state.fixed[d * state.counters[SIZE] + s]
    for k in range(state.counters[WAYS]):
        if (rest >> k) & 1:
            kill(state, d, s, k)


def fix(state, d, s, k):
    """Make move k of a square certain; 0 where that contradicts."""
    c, fixed, mate, size = state.counters, state.fixed, state.mate, state.size
    n, ways = c[SIZE], c[WAYS]
    base = d * n
    u = state.near[s * ways + k]
    if (fixed[base + s] >> k) & 1:
        return 1
    if popcount(fixed[base + s]) == 2:
        c[WHY] = MANY_MOVES
        return fail(c, s)
    if popcount(fixed[base + u]) == 2:
        c[WHY] = MANY_MOVES
        return fail(c, u)
    a = mate[base + s]
    b = mate[base + u]
    closes = a == u
    if closes and not (c[CLOSED] and size[base + s] == n):
        c[WHY] = LOOP
        return fail(c, s)
    fixed[base + s] |= 1 << k
    fixed[base + u] |= 1 << state.back[s * ways + k]
    touch(c, state.queue, state.waits, s)
    touch(c, state.queue, state.waits, u)
    if closes:
        return 1
    total = size[base + a] + size[base + b]
    mate[base + a] = b
    mate[base + b] = a
    size[base + a] = total
    size[base + b] = total
    if popcount(fixed[base + s]) == 2:
        kill_others(state, d, s)
    if popcount(fixed[base + u]) == 2:
        kill_others(state, d, u)
    if not (c[CLOSED] and total == n):
        # The ends of a chain are not joined while squares are left out.
        rest = state.alive[base + a] & ~fixed[base + a]
        for j in range(ways):
            if (rest >> j) & 1 and state.near[a * ways + j] == b:
                kill(state, d, a, j)
    return 1


def narrow(state, d, s):
    """Strike out the steps of a square that its neighbours do not allow; how many are left."""
    c, near, time, up, down = state.counters, state.near, state.time, state.up, state.down
    n, words, ways = c[SIZE], c[WORDS], c[WAYS]
    moves, sure = state.alive[d * n + s], state.fixed[d * n + s]
    one = other = -1
    for k in range(ways):
        if (sure >> k) & 1:
            other = one
            one = near[s * ways + k] * words
    free = moves & ~sure
    base = (d * n + s) * words
    count = changed = 0
    at = s  # of the type of a step, whatever it is; a constant would be compiled for itself
    for w in range(words):
        begins = ends = 0
        if c[CLOSED] == 0:
            if w == 0:
                begins = 1
            if w == words - 1:
                ends = c[LAST]
        if other >= 0:
            may = (up[one + w] & down[other + w]) | (down[one + w] & up[other + w])
        else:
            # Steps after those of one neighbour at least, and of two; before those of one, and of two; both of one.
            after = after2 = before = before2 = both = 0
            for k in range(ways):
                if (free >> k) & 1:
                    u = near[s * ways + k] * words + w
                    x = up[u]
                    y = down[u]
                    after2 |= after & x
                    after |= x
                    before2 |= before & y
                    before |= y
                    both |= x & y
            if one >= 0:
                may = (up[one + w] & (before | ends)) | (down[one + w] & (after | begins))
            else:
                may = (after & before & (after2 | before2 | ~both)) | (begins & before) | (ends & after)
        old = time[base + w]
        now = old & may
        if now != old:
            changed = 1
            time[base + w] = now
        if now != 0:
            count += popcount(now)
            at = 64 * w + lowest(now)
    if changed and count > 0:
        if count == 1:
            alone(state, d, s, at)
        spread(state, d, s)
    return count


def look(state, d, s):
    """Draw all conclusions about one square; 0 where there is a contradiction."""
    c, near, time, up, down = state.counters, state.near, state.time, state.up, state.down
    n, words, ways = c[SIZE], c[WORDS], c[WAYS]
    count = narrow(state, d, s)
    if count == 0:
        c[WHY] = NO_STEP
        return fail(c, s)
    base = (d * n + s) * words
    is_end = c[CLOSED] == 0 and (time[base] & 1 != 0 or time[base + words - 1] & c[LAST] != 0)
    moves, sure = state.alive[d * n + s], state.fixed[d * n + s]
    ways_on = ways_back = 0
    on = back = ways
    for k in range(ways):
        if (moves >> k) & 1 == 0:
            continue
        u = near[s * ways + k] * words
        goes = comes = 0
        for w in range(words):
            now = time[base + w]
            if up[u + w] & now:
                comes = 1
            if down[u + w] & now:
                goes = 1
        if goes == 0 and comes == 0:
            if (sure >> k) & 1:
                c[WHY] = NO_MOVE
                return fail(c, s)
            kill(state, d, s, k)
        if goes:
            ways_on += 1
            on = k
        if comes:
            ways_back += 1
            back = k
    degree = popcount(state.alive[d * n + s])
    if degree < 2 and not (is_end and degree == 1):
        if n > 1:
            c[WHY] = FEW_MOVES
            return fail(c, s)
    if degree == 2 and not is_end and popcount(state.fixed[d * n + s]) < 2:
        moves = state.alive[d * n + s]
        for k in range(ways):
            if (moves >> k) & 1 and fix(state, d, s, k) == 0:
                return 0
    if count == 1:
        if ways_on == 1 and (c[CLOSED] or time[base + words - 1] & c[LAST] == 0) and fix(state, d, s, on) == 0:
            return 0
        if ways_back == 1 and (c[CLOSED] or time[base] & 1 == 0) and fix(state, d, s, back) == 0:
            return 0
    return 1


def look_at_steps(state, d):
    """Give each step with one square left to that square; 0 where a step has none."""
    c, time = state.counters, state.time
    n, words = c[SIZE], c[WORDS]
    for w in range(words):
        once = twice = 0
        for i in range(d * n * words + w, (d + 1) * n * words, words):
            x = time[i]
            twice |= once & x
            once |= x
        full = c[ALL] if w == words - 1 else -1
        if once != full:
            c[WHY] = NO_SQUARE
            return fail(c, 64 * w + lowest(full & ~once))
        single = once & ~twice
        if single == 0:
            continue
        for v in range(n):
            base = (d * n + v) * words
            mine = time[base + w] & single
            if mine == 0:
                continue
            if without_lowest(mine) != 0:
                c[WHY] = TWO_STEPS
                return fail(c, v)
            changed = time[base + w] != mine
            time[base + w] = mine
            for x in range(words):
                if x != w and time[base + x] != 0:
                    changed = True
                    time[base + x] = 0
            if changed:
                touch(c, state.queue, state.waits, v)
                spread(state, d, v)
    return 1


def settle(state, d, looks):
    """Draw all conclusions from what waits; 0 where there is a contradiction.

    _UNSETTLED: `looks` squares were looked at, and more wait.
    """
    c, queue, waits = state.counters, state.queue, state.waits
    while True:
        while c[QUEUED] > 0:
            s = queue[c[HEAD]]
            c[HEAD] += 1
            if c[HEAD] == c[SIZE]:
                c[HEAD] = 0
            c[QUEUED] -= 1
            waits[s] = 0
            if look(state, d, s) == 0:
                return 0
            looks -= 1
            if looks == 0:
                return _UNSETTLED
        if look_at_steps(state, d) == 0:
            return 0
        if c[QUEUED] == 0:
            return 1


def drop_queue(state):
    """Nothing waits."""
    state.counters[HEAD] = 0
    state.counters[QUEUED] = 0
    for v in range(state.counters[SIZE]):
        state.waits[v] = 0


def choose(state, d):
    """Note in `squares` and `steps` what to try: of the step with the fewest squares, or the square with the fewest
    steps. 0 where all is known.
    """
    c, time, counts, noise = state.counters, state.time, state.counts, state.noise
    n, words = c[SIZE], c[WORDS]
    for t in range(n):
        counts[t] = 0
    best = 1 << 40
    square = step = n  # none yet
    for s in range(n):
        count = 0
        for w in range(words):
            x = time[(d * n + s) * words + w]
            while x != 0:
                counts[64 * w + lowest(x)] += 1
                x = without_lowest(x)
                count += 1
        if count > 1 and 8 * count + 2 < best:
            best = 8 * count + 2
            square = s
    for t in range(n):
        count = counts[t]
        if count > 1:
            score = 8 * count
            # Beside a known step there is a chain to go on with.
            if (t > 0 and counts[t - 1] == 1) or (t < n - 1 and counts[t + 1] == 1):
                score -= 1
            if score < best:
                best = score
                step = t
    if square == n and step == n:
        return 0
    least = 1 << 40
    if step < n:
        bit = bit_of(step)
        for s in range(n):
            if time[(d * n + s) * words + (step >> 6)] & bit:
                score = popcount(state.alive[d * n + s]) * _MOVE + noise[s]
                if score < least:
                    least = score
                    square = s
    else:
        for w in range(words):
            x = time[(d * n + square) * words + w]
            while x != 0:
                t = 64 * w + lowest(x)
                x = without_lowest(x)
                if counts[t] * _MOVE + noise[t] < least:
                    least = counts[t] * _MOVE + noise[t]
                    step = t
    state.squares[d] = square
    state.steps[d] = step
    return 1


def descend(state, d):
    """Make the choice noted for level d, at level d + 1, from which the conclusions are to be drawn."""
    c, time = state.counters, state.time
    n, words = c[SIZE], c[WORDS]
    s = state.squares[d]
    t = state.steps[d]
    for i in range(d * n * words, (d + 1) * n * words):
        time[i + n * words] = time[i]
    for i in range(d * n, (d + 1) * n):
        state.alive[i + n] = state.alive[i]
        state.fixed[i + n] = state.fixed[i]
        state.mate[i + n] = state.mate[i]
        state.size[i + n] = state.size[i]
    c[DEPTH] = d + 1
    c[CHOICES] += 1
    base = ((d + 1) * n + s) * words
    for w in range(words):
        time[base + w] = 0
    time[base + (t >> 6)] = bit_of(t)
    drop_queue(state)
    touch(c, state.queue, state.waits, s)
    alone(state, d + 1, s, t)
    spread(state, d + 1, s)
    c[PHASE] = _SETTLING


def go_back(state):
    """Strike out the latest choice, from which the conclusions are to be drawn; DEPTH is -1 where there is none."""
    c = state.counters
    n, words = c[SIZE], c[WORDS]
    d = c[DEPTH] - 1
    c[DEPTH] = d
    c[PHASE] = _SETTLING
    if d < 0:
        return
    s = state.squares[d]
    t = state.steps[d]
    state.time[(d * n + s) * words + (t >> 6)] ^= bit_of(t)
    drop_queue(state)
    for v in range(n):
        shift(state, d, v)
    touch(c, state.queue, state.waits, s)
    spread(state, d, s)


def begin(state):
    """Lay out the conclusions to be drawn from the question alone."""
    c, time = state.counters, state.time
    n, words, d = c[SIZE], c[WORDS], c[DEPTH]
    c[PHASE] = _SETTLING
    drop_queue(state)
    for s in range(n):
        shift(state, d, s)
        touch(c, state.queue, state.waits, s)
    for s in range(n):
        count = 0
        at = s
        for w in range(words):
            x = time[s * words + w]
            if x != 0:
                count += popcount(x)
                at = 64 * w + lowest(x)
        if count == 1:
            alone(state, d, s, at)


def start_again(state):
    """Take all choices back, and make the next ones in another order."""
    c, noise = state.counters, state.noise
    c[DEPTH] = 0
    d = c[DEPTH]
    c[ROUND] = c[ROUND] * 3 // 2
    c[LIMIT] = c[NODES] + c[ROUND]
    for s in range(c[SIZE]):
        c[RANDOM] = next_random(c[RANDOM])
        noise[s] = c[RANDOM] % NOISE
        shift(state, d, s)


def write_down(state, d):
    """Keep the numbering of a level where every square has one step."""
    c, time = state.counters, state.time
    n, words = c[SIZE], c[WORDS]
    first = c[HELD] * n
    for s in range(n):
        for w in range(words):
            x = time[(d * n + s) * words + w]
            if x != 0:
                state.tours[first + 64 * w + lowest(x)] = s
    c[HELD] += 1
    c[HAS_FOUND] = 1


def step(state, nodes):
    """Search on for about `nodes` nodes. FOUND: numberings are in `tours`, and the next call goes on after them.

    A node is done, and counted, when all is concluded from its choice. With few numbers that takes as long as thousands
    of others, so it may take several calls.
    """
    c = state.counters
    limit = c[NODES] + nodes
    if nodes > 0 and c[PHASE] == _NEW:
        begin(state)
    while c[NODES] < limit:
        if c[PHASE] == _SETTLING:
            if c[DEPTH] >= 0:
                ended = settle(state, c[DEPTH], nodes * _LOOKS_A_NODE)
                if ended == _UNSETTLED:
                    return RUNNING
                if ended == 0:
                    go_back(state)
                    continue
            c[PHASE] = _READY
            c[NODES] += 1
            if c[HELD] >= c[CAPACITY]:
                return FOUND
            continue
        d = c[DEPTH]
        if d < 0:
            return EXHAUSTED
        if c[HAS_FOUND] == 0 and c[NODES] >= c[LIMIT]:
            start_again(state)
            d = c[DEPTH]
        if choose(state, d) == 0:
            write_down(state, d)
            go_back(state)
        else:
            descend(state, d)
    return EXHAUSTED if c[DEPTH] < 0 else RUNNING


INNER = (
    next_random,
    popcount,
    lowest,
    without_lowest,
    bit_of,
    fail,
    touch,
    shift,
    spread,
    alone,
    kill,
    kill_others,
    fix,
    narrow,
    look,
    look_at_steps,
    settle,
    drop_queue,
    choose,
    descend,
    go_back,
    begin,
    start_again,
    write_down,
)
KERNELS = (*INNER, step)
