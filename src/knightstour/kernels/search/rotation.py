"""Kernel of the rotation method: grow a path by Warnsdorff's rule, and turn its end round where it is stuck.

The path is path[0 .. length-1], position[] its inverse (-1 off the path), and free[s] the number of neighbours of s
that are off the path. A rotation at an inner square x of the path that is a neighbour of the end reverses everything
after x: the path stays a path, and its end is another one.

The new end is two moves from the old one, so that an end turned at random strays over the board like a drunkard, and
the last free squares of a big board, far from each other, would be found by luck. So on larger boards the end is led to
them: distance[] holds how far the nearest one is from each square of the path.
"""

from collections import namedtuple

from knightstour.kernels.rng import next_random

RUNNING, FOUND = 0, 1

# counters: see the constants below. offsets, targets: the moves, as in MoveGraph. distance: empty if ends are not led;
# queue is room for as many squares.
State = namedtuple("State", "counters offsets targets path position free near_start distance queue")

# Items of `counters`.
(
    NODES,
    RANDOM,
    LENGTH,
    COUNT,
    START,
    END,
    SINCE_RESTART,
    RESTART_AFTER,
    RESTARTS,
    ROTATIONS,
    NOISE,
    SWAPPED,
    STUCK_AT,
    IS_KNOWN,
    IDLE,
    NEAREST,
) = range(16)
# Swaps a node after which a call also gives back control: on big boards a rotation costs thousands of extensions.
SWAPS_A_NODE = 30
LONGEST_TRY = 1 << 50
# A path on a large board that was turned so often before it has half its length, as a part of a whole try, is given up:
# its end may be where only a few squares can be turned round, for ever and at hardly any cost.
TRAPPED = 2
# Longer paths are seldom turned round in larger parts than this.
NEAR = 10000
# How often an end that is stuck is turned at random before it is led: while much is free that is enough, and it
# costs less than to look for the distances.
UNLED = 8
# It is led until this many turns have brought it no nearer; then, since the way may be barred, it strays for a while.
LED, STRAYING = 16, 64
# One turn in this many is at random all the same.
LED_NOISE = 8
FAR = 1 << 40
CLOSED = -2  # as END: the end must be a neighbour of the start
ANY = -1  # as START or END


def begin(state):
    """Empty path, then its first square."""
    c, offsets, targets, path, position, free, near_start, distance, queue = state
    for s in range(len(position)):
        position[s] = -1
        near_start[s] = 0
        free[s] = offsets[s + 1] - offsets[s]
    if c[START] >= 0:
        first = c[START]
    else:
        c[RANDOM] = next_random(c[RANDOM])
        first = path[0]
        # Any square will do: walk a random way from the last one so that holes are never met.
        for _ in range(c[RANDOM] % 16):
            if offsets[first + 1] > offsets[first]:
                c[RANDOM] = next_random(c[RANDOM])
                first = targets[offsets[first] + c[RANDOM] % (offsets[first + 1] - offsets[first])]
        if first == c[END]:
            first = targets[offsets[first]]
    path[0] = first
    position[first] = 0
    c[LENGTH] = 1
    for k in range(offsets[first], offsets[first + 1]):
        free[targets[k]] -= 1
        near_start[targets[k]] = 1
    c[SINCE_RESTART] = 0
    c[STUCK_AT] = 0


def reverse_after(state, at):
    """Rotate at path[at]: reverse path[at + 1 ..]."""
    c, offsets, targets, path, position, free, near_start, distance, queue = state
    i = at + 1
    j = c[LENGTH] - 1
    while i < j:
        a = path[i]
        b = path[j]
        path[i] = b
        path[j] = a
        position[b] = i
        position[a] = j
        i += 1
        j -= 1
    if i == j:
        position[path[i]] = i


def look_around(state):
    """Fill in distance[]: how far each square is from one that may be entered, or, if none is free, the start.

    That is the least odd number of moves. Even ones are of no use: a turn takes the end two moves on, and one more
    enters the square. Squares over two moves farther than the end is now stay FAR. Returns how much work it was, in
    squares looked at.
    """
    c, offsets, targets, path, position, free, near_start, distance, queue = state
    length = c[LENGTH]
    last = path[length - 1]
    for s in range(len(distance)):
        distance[s] = FAR
    count = 0
    if length == c[COUNT]:
        first = path[0]
        for k in range(offsets[first], offsets[first + 1]):
            distance[targets[k]] = 1
            queue[count] = targets[k]
            count += 1
    else:
        for s in range(len(position)):
            if position[s] >= 0 or (s == c[END] and length != c[COUNT] - 1):
                continue
            for k in range(offsets[s], offsets[s + 1]):
                y = targets[k]
                if position[y] >= 0 and distance[y] == FAR:
                    distance[y] = 1
                    queue[count] = y
                    count += 1
    done = 0
    farthest = FAR
    while done < count and distance[queue[done]] < farthest:
        x = queue[done]
        done += 1
        if x == last:
            farthest = distance[x] + 2
        for k in range(offsets[x], offsets[x + 1]):
            y = targets[k]
            if position[y] < 0:
                continue
            for m in range(offsets[y], offsets[y + 1]):
                z = targets[m]
                if position[z] >= 0 and distance[z] == FAR:
                    distance[z] = distance[x] + 2
                    queue[count] = z
                    count += 1
    return len(distance) + 8 * done


def is_led(state):
    """Whether the end, stuck again, is to be led this time."""
    c, offsets, targets, path, position, free, near_start, distance, queue = state
    length = c[LENGTH]
    if c[STUCK_AT] != length:
        c[STUCK_AT] = length
        c[IS_KNOWN] = 0
        c[IDLE] = LED + STRAYING - UNLED
    c[IDLE] += 1
    if c[IDLE] > LED + STRAYING:
        c[IDLE] = 1
        c[NEAREST] = FAR
        if distance[path[length - 1]] == FAR:
            c[IS_KNOWN] = 0
    if c[IDLE] > LED:
        return False
    c[RANDOM] = next_random(c[RANDOM])
    return (c[RANDOM] >> 8) % LED_NOISE != 0


def turn_nearer(state):
    """Where to turn the end so that the new one is nearest to what is wanted; -1 if it cannot be turned."""
    c, offsets, targets, path, position, free, near_start, distance, queue = state
    length = c[LENGTH]
    last = path[length - 1]
    if distance[last] < c[NEAREST]:
        c[NEAREST] = distance[last]
        c[IDLE] = 1
    at = -1
    ties = 0
    fewest = FAR + 1
    for k in range(offsets[last], offsets[last + 1]):
        p = position[targets[k]]
        if p < 0 or p >= length - 2:
            continue
        if distance[path[p + 1]] < fewest:
            fewest = distance[path[p + 1]]
            at = p
            ties = 1
        elif distance[path[p + 1]] == fewest:
            ties += 1
            c[RANDOM] = next_random(c[RANDOM])
            if c[RANDOM] % ties == 0:
                at = p
    return at


def turn_anywhere(state):
    """Where to turn the end: to one that closes the tour, else at random; -1 if it cannot be turned."""
    c, offsets, targets, path, position, free, near_start, distance, queue = state
    length = c[LENGTH]
    last = path[length - 1]
    at = -1
    ties = 0
    farthest = length
    if length > NEAR:
        # Seldom far, and ever more seldom farther: most of the time would go into long turns. But an end that
        # can go on is taken however far it is.
        c[RANDOM] = next_random(c[RANDOM])
        farthest = NEAR
        x = c[RANDOM]
        while x & 1 == 1 and farthest < length:
            x >>= 1
            farthest *= 2
    nearest = -1
    for k in range(offsets[last], offsets[last + 1]):
        p = position[targets[k]]
        if p < 0 or p >= length - 2:
            continue
        if c[END] == CLOSED and length == c[COUNT] and near_start[path[p + 1]] == 1:
            at = p
            break
        if length > NEAR and length < c[COUNT] and free[path[p + 1]] > 0:
            at = p
            break
        if p > nearest:
            nearest = p
        if length - p > farthest:
            continue
        ties += 1
        c[RANDOM] = next_random(c[RANDOM])
        if c[RANDOM] % ties == 0:
            at = p
    return nearest if at < 0 else at


def step(state, nodes):
    """Go on for at most `nodes` extensions and rotations. Returns RUNNING or FOUND; it never gives up by itself."""
    c, offsets, targets, path, position, free, near_start, distance, queue = state
    limit = c[NODES] + nodes
    swaps_left = nodes * SWAPS_A_NODE
    while c[NODES] < limit and swaps_left > 0:
        # Nodes that did not lengthen the path, before it is half as long as it shall be: it may be in a trap.
        is_trapped = c[LENGTH] * 2 < c[COUNT] and c[SINCE_RESTART] - c[LENGTH] > c[RESTART_AFTER] >> TRAPPED
        if c[LENGTH] == 0 or c[SINCE_RESTART] >= c[RESTART_AFTER] or (is_trapped and len(distance) > 0):
            if c[LENGTH] > 0:
                c[RESTARTS] += 1
                # Luck mostly decides soon; but a hard board gets ever longer tries, within 63 bits.
                if c[RESTART_AFTER] < LONGEST_TRY:
                    c[RESTART_AFTER] += c[RESTART_AFTER] >> 3
                if c[START] >= 0 and c[END] >= 0:
                    # A tour between two squares is looked for from both sides in turn.
                    swap = c[START]
                    c[START] = c[END]
                    c[END] = swap
                    c[SWAPPED] = 1 - c[SWAPPED]
            begin(state)
        c[NODES] += 1
        c[SINCE_RESTART] += 1
        length = c[LENGTH]
        last = path[length - 1]
        if length == c[COUNT]:
            # Two squares with a move between them are no closed tour.
            if c[END] == ANY or last == c[END] or (c[END] == CLOSED and length > 2 and near_start[last] == 1):
                return FOUND
        low = offsets[last]
        high = offsets[last + 1]
        c[RANDOM] = next_random(c[RANDOM])
        chosen = -1
        if length < c[COUNT]:
            is_noisy = c[NOISE] > 0 and c[RANDOM] % c[NOISE] == 0
            fewest = 1 << 40
            ties = 0
            for k in range(low, high):
                x = targets[k]
                if position[x] >= 0 or (x == c[END] and length != c[COUNT] - 1):
                    continue
                rank = 0 if is_noisy else free[x]
                if rank < fewest:
                    fewest = rank
                    chosen = x
                    ties = 1
                elif rank == fewest:
                    ties += 1
                    c[RANDOM] = next_random(c[RANDOM])
                    if c[RANDOM] % ties == 0:
                        chosen = x
        if chosen >= 0:
            path[length] = chosen
            position[chosen] = length
            c[LENGTH] = length + 1
            for k in range(offsets[chosen], offsets[chosen + 1]):
                free[targets[k]] -= 1
            continue
        at = -1
        if len(distance) > 0 and is_led(state):
            if c[IS_KNOWN] == 0:
                c[IS_KNOWN] = 1
                swaps_left -= look_around(state)
            at = turn_nearer(state)
        if at < 0:
            at = turn_anywhere(state)
        if at < 0:
            c[SINCE_RESTART] = c[RESTART_AFTER]
            continue
        reverse_after(state, at)
        swaps_left -= (length - 1 - at) // 2
        c[ROTATIONS] += 1
    return RUNNING


KERNELS = (next_random, begin, reverse_after, look_around, is_led, turn_nearer, turn_anywhere, step)
INNER = KERNELS[:-1]
