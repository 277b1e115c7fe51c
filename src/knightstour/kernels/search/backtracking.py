"""Kernel of the backtracking method: every tour is a cycle through one vertex, the root, and grows square by square.

A closed tour's root is a square of the board. For open tours the root is one vertex more, joined to every square where
a tour may start or end, so that open tours are cycles too and one search serves both.

Without prunings (`lean`) the search knows only which squares are visited. With prunings (`full`) it also keeps the
edges that are still possible. Invariants of `full`:
  edge[k] is 2 if move k is certain to be in the tour, 1 if it may be, 0 if it cannot; edge[mirror[k]] is the same
  degree[v] counts the edges of v that are not 0, fixed[v] those that are 2
  the certain edges make chains; mate[v] is the other end of the chain that ends at v (v itself if it has none)
  trail lists what was changed, newest last; marks[d] is its length before the move from path[d] was made
"""

from collections import namedtuple

RUNNING, FOUND, EXHAUSTED = 0, 1, 2

# offsets, targets: the moves, as in MoveGraph, in the order in which to try them, the root's after all others.
# mirror: the same move seen from its other end. near_root: 0, or for neighbours of the root their places among the
# squares, from 1. sign: the colours as +1 and -1, or all 0 without a colouring. left: in `lean` the next move to try
# from path[d], in `full` how many moves wait for their turn in choices[offsets[path[d]] ...]. tours: room for finished
# tours, one after another.
# queue: squares whose edges have become few. memory: what `is_split` notes of each square, one note after another.
State = namedtuple(
    "State",
    "counters offsets targets mirror near_root sign path position left choices tours "
    "edge degree fixed mate trail marks queue memory",
)

# Items of `counters`.
(
    NODES,
    DEPTH,  # path[DEPTH] is the last square placed; path[0] is the root
    START,  # the only square to which a move from the root may lead, or -1
    TOTAL,  # vertices of the cycle
    FIRST,  # where in the path the tour begins: 1 if the root is no square
    END,  # the square that must come last, or -1
    PRUNE,  # sum of the prunings below
    FEWEST,  # 1: try the move to the square with the fewest possible edges first
    ONE_WAY,  # 1: leave out cycles whose last square has a lower place than the first after the root
    STARTED,
    FRESH,  # 1 if the prunings have not yet looked at the last move
    TRAIL,  # length of trail
    CERTAIN,  # number of certain edges
    QUEUED,  # length of queue
    HELD,  # tours in `tours`
    CAPACITY,  # stop as soon as this many are held
    BACKS,
    BASE,  # the search ends where it would take back the move to path[BASE]
) = range(18)
COUNTERS = 18

# The notes in `memory`: note i of square v is memory[i * vertices + v]. When v was reached, from 1, or 0; the earliest
# square reached from below v; the sum of the colours below v, the number of squares there, and whether one leads to the
# root; the square from which v was reached; how many islands hang on v.
REACHED, LOW, WEIGHT, SIZE, HOME, PARENT, CUTS = range(7)
NOTES = 7

STRANDED, FORCED, CLOSING, CONNECTIVITY, ISLANDS = 1, 2, 4, 8, 16


def remove(state, k):
    """Rule move k out."""
    c, degree, queue = state.counters, state.degree, state.queue
    m = state.mirror[k]
    u = state.targets[m]
    v = state.targets[k]
    state.edge[k] = 0
    state.edge[m] = 0
    state.trail[c[TRAIL]] = k
    c[TRAIL] += 1
    degree[u] -= 1
    degree[v] -= 1
    if degree[u] <= 2:
        queue[c[QUEUED]] = u
        c[QUEUED] += 1
    if degree[v] <= 2:
        queue[c[QUEUED]] = v
        c[QUEUED] += 1


def force(state, k):
    """Make move k certain, with what follows at once; 0 if that contradicts."""
    c, offsets, targets, edge = state.counters, state.offsets, state.targets, state.edge
    fixed, mate, trail = state.fixed, state.mate, state.trail
    m = state.mirror[k]
    u = targets[m]
    v = targets[k]
    if fixed[u] == 2 or fixed[v] == 2:
        return 0
    a = mate[u]
    b = mate[v]
    closes = a == v
    if closes and c[CERTAIN] != c[TOTAL] - 1:
        return 0  # a cycle that leaves squares out
    edge[k] = 2
    edge[m] = 2
    fixed[u] += 1
    fixed[v] += 1
    c[CERTAIN] += 1
    t = c[TRAIL]
    trail[t] = -1 if closes else a
    trail[t + 1] = b
    trail[t + 2] = -1 - k
    c[TRAIL] = t + 3
    if closes:
        return 1
    mate[a] = b
    mate[b] = a
    if fixed[u] == 2:
        for j in range(offsets[u], offsets[u + 1]):
            if edge[j] == 1:
                remove(state, j)
    if fixed[v] == 2:
        for j in range(offsets[v], offsets[v + 1]):
            if edge[j] == 1:
                remove(state, j)
    if c[CERTAIN] < c[TOTAL] - 1:
        # The two ends of a chain must not be joined yet. Look from the end with fewer moves: the root has many.
        if offsets[a + 1] - offsets[a] > offsets[b + 1] - offsets[b]:
            a = b
            b = mate[a]
        for j in range(offsets[a], offsets[a + 1]):
            if targets[j] == b and edge[j] == 1:
                remove(state, j)
    return 1


def propagate(state):
    """Force both edges of every square that has two left, until nothing follows any more; 0 if that contradicts."""
    c, offsets, degree = state.counters, state.offsets, state.degree
    i = 0
    while i < c[QUEUED]:
        x = state.queue[i]
        i += 1
        if degree[x] < 2:
            return 0
        if degree[x] == 2 and state.fixed[x] < 2:
            for k in range(offsets[x], offsets[x + 1]):
                if state.edge[k] == 1 and force(state, k) == 0:
                    return 0
    return 1


def undo(state, mark):
    """Take back everything on the trail after `mark`."""
    c, targets, edge = state.counters, state.targets, state.edge
    degree, fixed, mate, trail = state.degree, state.fixed, state.mate, state.trail
    t = c[TRAIL]
    while t > mark:
        t -= 1
        entry = trail[t]
        k = entry if entry >= 0 else -1 - entry
        m = state.mirror[k]
        u = targets[m]
        v = targets[k]
        edge[k] = 1
        edge[m] = 1
        if entry >= 0:
            degree[u] += 1
            degree[v] += 1
            continue
        fixed[u] -= 1
        fixed[v] -= 1
        c[CERTAIN] -= 1
        t -= 2
        if trail[t] >= 0:
            mate[trail[t]] = u
            mate[trail[t + 1]] = v
    c[TRAIL] = mark


def is_split(state):
    """1 if the unvisited squares do not hang together as CONNECTIVITY and ISLANDS want it.

    One depth-first search from the last square over the edges still possible. A square v cuts off what lies under its
    child w if nothing there reaches above v (Tarjan 1972): an island. The tour passes v once, so it ends in the island:
    v has no other one, some square of the island leads to the root, and its colours alternate from w on.
    """
    c, offsets, targets, edge, position = state.counters, state.offsets, state.targets, state.edge, state.position
    memory, following = state.memory, state.queue
    n = len(position)
    root = state.path[0]
    depth = c[DEPTH]
    last = state.path[depth]
    for v in range(n):
        memory[v] = 0
    clock = 1
    memory[last] = 1
    memory[LOW * n + last] = 1
    memory[PARENT * n + last] = -1
    memory[CUTS * n + last] = 0
    following[last] = offsets[last]
    v = last
    while v >= 0:
        k = following[v]
        if k < offsets[v + 1]:
            following[v] = k + 1
            w = targets[k]
            reached = memory[w]
            if edge[k] == 0:
                continue
            if w == root:
                memory[HOME * n + v] = 1
                if root == last:
                    memory[LOW * n + v] = 1
            elif position[w] >= 0:
                if w == last:
                    memory[LOW * n + v] = 1
            elif reached == 0:
                clock += 1
                memory[w] = clock
                memory[LOW * n + w] = clock
                memory[PARENT * n + w] = v
                memory[WEIGHT * n + w] = state.sign[w]
                memory[SIZE * n + w] = 1
                memory[HOME * n + w] = 0
                memory[CUTS * n + w] = 0
                following[w] = offsets[w]
                v = w
            elif reached < memory[LOW * n + v]:
                memory[LOW * n + v] = reached
            continue
        up = memory[PARENT * n + v]
        if up >= 0:
            low = memory[LOW * n + v]
            if low < memory[up]:
                if low < memory[LOW * n + up]:
                    memory[LOW * n + up] = low
            elif c[PRUNE] & ISLANDS:
                memory[CUTS * n + up] += 1
                if memory[CUTS * n + up] > 1 or memory[HOME * n + v] == 0:
                    return 1
                sign = state.sign[v]
                weight = memory[WEIGHT * n + v]
                odd = memory[SIZE * n + v] % 2
                if up == root and c[FIRST] == 1 and weight == -sign * odd:
                    sign = -sign  # the start is still free to choose, and so is its colour
                # A closed tour comes back from the colour other than its start's.
                if sign != 0 and (
                    weight != sign * odd or (c[FIRST] == 0 and sign * (2 * odd - 1) != -state.sign[root])
                ):
                    return 1
            memory[WEIGHT * n + up] += memory[WEIGHT * n + v]
            memory[SIZE * n + up] += memory[SIZE * n + v]
            if memory[HOME * n + v] == 1:
                memory[HOME * n + up] = 1
        v = up
    if c[PRUNE] & CONNECTIVITY and clock != c[TOTAL] - depth:
        return 1
    return 0


def is_hopeless(state):
    """1 if the prunings see, from what was just removed, that this path leads to no tour."""
    c = state.counters
    prune = c[PRUNE]
    if prune & FORCED:
        if propagate(state) == 0:
            return 1
    elif prune & (STRANDED + CLOSING):
        for i in range(c[QUEUED]):
            x = state.queue[i]
            if state.degree[x] < 2:
                if x == state.path[0] or x == c[END]:
                    if prune & CLOSING:
                        return 1
                elif prune & STRANDED:
                    return 1
    if prune & (CONNECTIVITY + ISLANDS) and c[DEPTH] < c[TOTAL] - 1:
        return is_split(state)
    return 0


def advance(state, k):
    """Make move k from the last square; 0 if that contradicts. The other moves from that square are ruled out."""
    c, offsets, targets, edge, path = state.counters, state.offsets, state.targets, state.edge, state.path
    depth = c[DEPTH]
    here = path[depth]
    there = targets[k]
    state.marks[depth] = c[TRAIL]
    path[depth + 1] = there
    state.position[there] = depth + 1
    c[DEPTH] = depth + 1
    c[NODES] += 1
    c[QUEUED] = 0
    if c[PRUNE] & FORCED:
        if edge[k] == 1 and force(state, k) == 0:
            return 0
    elif depth > 0:
        for j in range(offsets[here], offsets[here + 1]):
            if edge[j] == 1 and j != k and targets[j] != path[depth - 1]:
                remove(state, j)
    if depth == 0 and c[ONE_WAY]:
        for j in range(offsets[here], offsets[here + 1]):
            if state.near_root[targets[j]] < state.near_root[there] and edge[j] == 2:
                return 0
            if state.near_root[targets[j]] < state.near_root[there] and edge[j] == 1:
                remove(state, j)
    return 1


def retreat(state):
    """Take the last move back."""
    c = state.counters
    state.position[state.path[c[DEPTH]]] = -1
    c[DEPTH] -= 1
    c[BACKS] += 1
    undo(state, state.marks[c[DEPTH]])


def list_choices(state):
    """List the moves from the last square."""
    c, offsets, edge, position = state.counters, state.offsets, state.edge, state.position
    here = state.path[c[DEPTH]]
    low = offsets[here]
    count = 0
    # When all squares but the end are visited it comes; before that it may not.
    barred = c[END] if c[DEPTH] != c[TOTAL] - 2 else -1
    for k in range(low, offsets[here + 1]):
        x = state.targets[k]
        if edge[k] != 0 and position[x] < 0 and x != barred and (c[DEPTH] > 0 or c[START] < 0 or x == c[START]):
            state.choices[low + count] = k
            count += 1
    state.left[c[DEPTH]] = count


def next_choice(state):
    """The next move to try from the last square, or -1."""
    c, choices, left = state.counters, state.choices, state.left
    depth = c[DEPTH]
    count = left[depth]
    if count == 0:
        return -1
    low = state.offsets[state.path[depth]]
    best = low
    if c[FEWEST]:
        fewest = state.degree[state.targets[choices[low]]]
        for i in range(low + 1, low + count):
            degree = state.degree[state.targets[choices[i]]]
            if degree < fewest:
                fewest = degree
                best = i
    k = choices[best]
    for i in range(best, low + count - 1):
        choices[i] = choices[i + 1]
    left[depth] = count - 1
    return k


def is_tour(state):
    """Write the finished path down if it is a tour that is wanted; 1 if the room for tours is now full."""
    c, path = state.counters, state.path
    last = path[c[DEPTH]]
    if state.near_root[last] == 0 or (c[ONE_WAY] and state.near_root[last] < state.near_root[path[1]]):
        return 0
    count = c[TOTAL] - c[FIRST]
    at = c[HELD] * count
    for i in range(count):
        state.tours[at + i] = path[c[FIRST] + i]
    c[HELD] += 1
    return 1 if c[HELD] >= c[CAPACITY] else 0


def lean(state, nodes):
    """`step` without prunings."""
    c, offsets, targets, path = state.counters, state.offsets, state.targets, state.path
    position, left = state.position, state.left
    limit = c[NODES] + nodes
    total, end = c[TOTAL], c[END]
    base = c[BASE]
    depth = c[DEPTH]
    done = c[NODES]
    while done < limit:
        here = path[depth]
        k = left[depth]
        stop = offsets[here + 1]
        barred = end if depth != total - 2 else -1
        while k < stop and (position[targets[k]] >= 0 or targets[k] == barred):
            k += 1
        if k < stop:
            x = targets[k]
            left[depth] = k + 1
            depth += 1
            done += 1
            path[depth] = x
            position[x] = depth
            left[depth] = offsets[x]
            if depth == total - 1:
                c[DEPTH] = depth
                if is_tour(state):
                    c[NODES] = done
                    return FOUND
            continue
        if depth == base:
            c[NODES] = done
            c[DEPTH] = depth
            return EXHAUSTED
        position[here] = -1
        depth -= 1
        c[BACKS] += 1
    c[NODES] = done
    c[DEPTH] = depth
    return RUNNING


def full(state, nodes):
    """`step` with prunings."""
    c = state.counters
    limit = c[NODES] + nodes
    while c[NODES] < limit:
        if c[FRESH]:
            c[FRESH] = 0
            if is_hopeless(state):
                state.left[c[DEPTH]] = 0
            else:
                list_choices(state)
                if c[DEPTH] == c[TOTAL] - 1 and is_tour(state):
                    return FOUND
        k = next_choice(state)
        if k >= 0:
            c[FRESH] = 1
            if advance(state, k) == 0:
                c[FRESH] = 0
                retreat(state)
        elif c[DEPTH] == c[BASE]:
            return EXHAUSTED
        else:
            retreat(state)
    return RUNNING


def begin(state):
    """Place the root; in `full` let the prunings look at all squares, in `lean` place the given start too."""
    c, path = state.counters, state.path
    c[STARTED] = 1
    c[NODES] += 1
    state.position[path[0]] = 0
    if c[PRUNE] == 0 and c[FEWEST] == 0:
        if c[START] >= 0:
            path[1] = c[START]
            state.position[path[1]] = 1
            c[DEPTH] = 1
        state.left[c[DEPTH]] = state.offsets[path[c[DEPTH]]]
        return
    c[FRESH] = 1
    for v in range(len(state.degree)):
        if state.degree[v] <= 2 and state.offsets[v + 1] > state.offsets[v]:
            state.queue[c[QUEUED]] = v
            c[QUEUED] += 1


def step(state, nodes):
    """Search on for about `nodes` nodes. FOUND: tours are in `tours`, and the next call goes on after them."""
    c = state.counters
    if nodes > 0 and c[STARTED] == 0:
        begin(state)
        nodes -= 1
    if c[PRUNE] == 0 and c[FEWEST] == 0:
        return lean(state, nodes)
    return full(state, nodes)


INNER = (
    remove,
    force,
    propagate,
    undo,
    is_split,
    is_hopeless,
    advance,
    retreat,
    list_choices,
    next_choice,
    is_tour,
    lean,
    full,
    begin,
)
KERNELS = (*INNER, step)
