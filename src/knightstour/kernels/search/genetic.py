"""Kernel of the genetic method: a population of individuals, of which two have a child that may take the place of one.

Individual p is the vertices genes[p * V .. p * V + V - 1], in one of two kinds:

bits: gene i says which move the walk takes from its i-th vertex. The walk ends where that move leads nowhere; repair
takes the next possible one instead and writes it into the gene. Fitness: the length of the walk. It must come back to
its first vertex, so the last free neighbour of that one may be entered only as the last of all.

segments: the genes are a closed line through all vertices. A child follows the links of its parents, those of both
first, else any move, else it jumps: a gap. Repair takes a gap u-p and a link v-q out, on the same side of u and v, and
puts a move u-v and p-q in, whatever that is: a part of the line is turned round, and there are no more gaps. Fitness:
the number of links that are moves.

line is the child's walk or line, place its inverse, -1 for vertices that are not on it, and open_first the number of
free neighbours of the first vertex. rest lists the vertices not yet on the line, later those beside a gap; spot[v] is
where v is in it.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random
from knightstour.kernels.search.lines import are_joined, is_gap, note_loose, reverse

RUNNING, FOUND = 0, 1

# opening: the vertices every walk of bits begins with. bits: width of each gene. is_near: 1 for the neighbours of the
# first vertex of such walks. child: the genes of the child.
# one, other: where each vertex is in the lines of the parents.
State = namedtuple(
    "State", "counters offsets targets opening bits is_near genes fitness child line place rest spot one other"
)

# Items of `counters`.
(
    NODES,
    RANDOM,
    PHASE,
    VERTICES,
    KIND,
    POPULATION,
    BORN,  # individuals of this population so far
    MOST_BORN,
    REPAIR,  # of a hundred
    MUTATION,  # of a thousand
    LENGTH,
    TURNS_LEFT,
    OPEN_FIRST,
    MOTHER,
    FATHER,
    BIRTHS,
    REPAIRS,
    BEST,
    RESTARTS,
    LOOSE,
) = range(20)
COUNTERS = 20

BITS, SEGMENTS = range(2)
MAKE, GROW, TURN, JUDGE = range(4)
# Turns tried for each vertex of a child at a repair of 100.
TURNS_A_VERTEX = 4
# Swaps a node after which a call also gives back control.
SWAPS_A_NODE = 100


def draw(c):
    """The next random number, without its weakest bits: 0 to 2**28 - 1."""
    c[RANDOM] = next_random(c[RANDOM])
    return c[RANDOM] >> 4


def better_of_two(c, fitness):
    """A tournament: the fitter of two at random."""
    a = draw(c) % c[POPULATION]
    b = draw(c) % c[POPULATION]
    return a if fitness[a] >= fitness[b] else b


def enter(state, v):
    """Put v at the end of the child's line."""
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    i = c[LENGTH]
    line[i] = v
    place[v] = i
    c[LENGTH] = i + 1
    if c[KIND] == BITS:
        c[OPEN_FIRST] -= is_near[v]
        return
    left = c[VERTICES] - i - 1
    last = rest[left]
    rest[spot[v]] = last
    spot[last] = spot[v]


def make(state):
    """Begin a child: choose its parents and, of bits, its genes; and empty its line."""
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    n = c[VERTICES]
    if c[BORN] >= c[MOST_BORN]:
        c[BORN] = 0
        c[RESTARTS] += 1
    is_founder = c[BORN] < c[POPULATION]
    if not is_founder:
        c[MOTHER] = better_of_two(c, fitness)
        c[FATHER] = better_of_two(c, fitness)
    mother = c[MOTHER] * n
    father = c[FATHER] * n
    if c[KIND] == BITS:
        # One cut between two bits of the whole string.
        cut = draw(c) % n
        mask = (1 << draw(c) % (bits[cut] + 1)) - 1
        for i in range(n):
            if is_founder:
                child[i] = draw(c) & ((1 << bits[i]) - 1)
                continue
            gene = genes[mother + i] if i < cut else genes[father + i]
            if i == cut:
                gene = (genes[mother + i] & mask) | (gene & ~mask)
            child[i] = gene
        if not is_founder:
            flips = c[MUTATION] * n + draw(c) % 1000
            while flips >= 1000:
                flips -= 1000
                i = draw(c) % n
                child[i] ^= 1 << draw(c) % bits[i]
    elif not is_founder:
        for i in range(n):
            one[genes[mother + i]] = i
            other[genes[father + i]] = i
    c[LENGTH] = 0
    if c[KIND] == BITS:
        for v in range(n):
            place[v] = -1
        first = opening[0]
        c[OPEN_FIRST] = offsets[first + 1] - offsets[first]
        for v in opening:
            enter(state, v)
        return
    for v in range(n):
        place[v] = -1
        rest[v] = v
        spot[v] = v
    enter(state, draw(c) % n)


def may_enter(state, v):
    """Whether a walk of bits may go on to v, and still come back."""
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    if place[v] >= 0:
        return False
    if c[OPEN_FIRST] > 1 or c[LENGTH] == c[VERTICES] - 1:
        return True
    return is_near[v] == 0


def walk_on(state):
    """One move of a walk of bits. Returns whether there was one."""
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    i = c[LENGTH] - 1
    low = offsets[line[i]]
    degree = offsets[line[i] + 1] - low
    if i + 1 == c[VERTICES] or degree == 0:
        return False
    gene = child[i] % degree
    if may_enter(state, targets[low + gene]):
        enter(state, targets[low + gene])
        return True
    if draw(c) % 100 >= c[REPAIR]:
        return False
    for j in range(1, degree):
        k = (gene + j) % degree
        if may_enter(state, targets[low + k]):
            child[i] = k
            c[REPAIRS] += 1
            enter(state, targets[low + k])
            return True
    return False


def link_on(state):
    """The next vertex of a line of segments: by a link of both parents, of one, by any move, or by a jump."""
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    n = c[VERTICES]
    v = line[c[LENGTH] - 1]
    best = -1
    rank = 0
    ties = 0
    if c[BORN] >= c[POPULATION] and draw(c) % 1000 >= c[MUTATION]:
        mother = c[MOTHER] * n
        father = c[FATHER] * n
        for side in range(4):
            i = one[v] if side < 2 else other[v]
            i += 1 if side % 2 == 0 else n - 1
            s = genes[(mother if side < 2 else father) + i % n]
            if place[s] >= 0 or not are_joined(offsets, targets, v, s):
                continue
            # Of both parents? Then it is next to v in the other one too.
            gap = (one[s] - one[v]) % n
            far = (other[s] - other[v]) % n
            mine = 2 if (gap == 1 or gap == n - 1) and (far == 1 or far == n - 1) else 1
            if mine > rank:
                rank = mine
                ties = 0
            if mine == rank:
                ties += 1
                if draw(c) % ties == 0:
                    best = s
    if best < 0:
        for k in range(offsets[v], offsets[v + 1]):
            if place[targets[k]] < 0:
                ties += 1
                if draw(c) % ties == 0:
                    best = targets[k]
    if best < 0:
        best = rest[draw(c) % (n - c[LENGTH])]
    enter(state, best)


def turn(state):
    """Repair of segments: at a gap turn a part of the line round, if no more gaps come of it.

    Returns the number of swaps.
    """
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    n = c[VERTICES]
    u = rest[draw(c) % c[LOOSE]]
    forward = draw(c) % 2 == 0
    if not is_gap(offsets, targets, line, place[u] if forward else (place[u] + n - 1) % n):
        forward = not forward
    p = line[(place[u] + (1 if forward else n - 1)) % n]
    degree = offsets[u + 1] - offsets[u]
    if degree == 0:
        return 0
    v = targets[offsets[u] + draw(c) % degree]
    q = line[(place[v] + (1 if forward else n - 1)) % n]
    if v == p or q == u:
        return 0
    a = place[p] if forward else place[v]
    b = place[v] if forward else place[p]
    swaps = reverse(line, place, a, b)
    c[REPAIRS] += 1
    for s in (u, p, v, q):
        c[LOOSE] = note_loose(offsets, targets, line, place, rest, spot, c[LOOSE], s)
    return swaps


def judge(state):
    """Weigh the child, and let it replace the worse of two if it is no worse. Returns whether it is a tour."""
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    n = c[VERTICES]
    worth = c[LENGTH]
    is_tour = worth == n and are_joined(offsets, targets, line[n - 1], line[0])
    if c[KIND] == SEGMENTS:
        worth = 0
        for i in range(n):
            if are_joined(offsets, targets, line[i], line[(i + 1) % n]):
                worth += 1
            child[i] = line[i]
        is_tour = worth == n
    c[BIRTHS] += 1
    if worth > c[BEST]:
        c[BEST] = worth
    who = c[BORN]
    if who >= c[POPULATION]:
        who = draw(c) % c[POPULATION]
        rival = draw(c) % c[POPULATION]
        if fitness[rival] < fitness[who]:
            who = rival
    if c[BORN] < c[POPULATION] or worth >= fitness[who]:
        fitness[who] = worth
        for i in range(n):
            genes[who * n + i] = child[i]
    c[BORN] += 1
    return is_tour


def step(state, nodes):
    """Go on for about `nodes` moves of walks, links of lines and turns."""
    c, offsets, targets, opening, bits, is_near, genes, fitness, child, line, place, rest, spot, one, other = state
    n = c[VERTICES]
    limit = c[NODES] + nodes
    swaps = 0
    while c[NODES] < limit and swaps < nodes * SWAPS_A_NODE:
        c[NODES] += 1
        if c[PHASE] == MAKE:
            swaps += n
            make(state)
            c[PHASE] = GROW
        elif c[PHASE] == GROW and c[KIND] == BITS:
            if not walk_on(state):
                c[PHASE] = JUDGE
        elif c[PHASE] == GROW:
            if c[LENGTH] < n:
                link_on(state)
            else:
                c[TURNS_LEFT] = n * TURNS_A_VERTEX * c[REPAIR] // 100 if c[BORN] >= c[POPULATION] else 0
                c[LOOSE] = 0
                for v in range(n):
                    spot[v] = -1
                for v in range(n):
                    c[LOOSE] = note_loose(offsets, targets, line, place, rest, spot, c[LOOSE], v)
                c[PHASE] = TURN
        elif c[PHASE] == TURN:
            if c[TURNS_LEFT] > 0 and c[LOOSE] > 0:
                c[TURNS_LEFT] -= 1
                swaps += turn(state)
            else:
                c[PHASE] = JUDGE
        else:
            swaps += n
            c[PHASE] = MAKE
            if judge(state):
                return FOUND
    return RUNNING


KERNELS = (
    next_random,
    draw,
    are_joined,
    better_of_two,
    enter,
    make,
    may_enter,
    walk_on,
    link_on,
    is_gap,
    note_loose,
    reverse,
    turn,
    judge,
    step,
)
INNER = KERNELS[:-1]
