"""Kernel of growth rates: the states of a strip of rows between two columns, and the ways that lead through a column.

A state is a word of 4 bits for each square from the current one on, down the columns. They name the place of the square
where its path ends (its own, if it is bare); FULL where both moves are made; LOOSE where its path ends in an end of
the tour. Two columns are touched, so that 2 * rows squares tell all; one more, bare between columns, is there for the
steps down a column. A state and its image under the flip of the rows are one: the lower word.

While a square is dealt with, the places are in an array of 2 * rows + 2, with BOTH for FULL and AN_END for LOOSE.
"""

from knightstour.kernels.counting.frontier import MADE, enter, hash_of, reindex

FULL, LOOSE = 15, 14
BOTH, AN_END = -1, -2
# Items of `counters`: MADE of the frontier's kernel, and these.
DONE, WAYS = 0, 2
# A square is joined to two of four others at most.
MOST_WAYS = 6


def unpack(word, rows, places):
    """Write the places of a word; the square that comes in behind them is bare."""
    for k in range(2 * rows + 1):
        code = (word >> (4 * k)) & 15
        places[k] = BOTH if code == FULL else (AN_END if code == LOOSE and rows < 7 else code)
    places[2 * rows + 1] = 2 * rows + 1


def moved_on(places, rows):
    """The word without the first square, so that all places are one less."""
    word = 0
    for k in range(1, 2 * rows + 2):
        place = places[k]
        code = FULL if place == BOTH else (LOOSE if place == AN_END else place - 1)
        word |= code << (4 * (k - 1))
    return word


def flipped(word, rows):
    """The state between two columns with its rows in the other order."""
    turned = (2 * rows) << (8 * rows)
    for k in range(2 * rows):
        code = (word >> (4 * k)) & 15
        if code < 2 * rows:
            code = code // rows * rows + rows - 1 - code % rows
        turned |= code << (4 * (k // rows * rows + rows - 1 - k % rows))
    return turned


def lower_of_both(word, rows):
    """The word that a state and its image share."""
    other = flipped(word, rows)
    return word if word < other else other


def join(before, u, rows, places):
    """Write the places after the current square is joined to that at place u; False where that makes a cycle."""
    x = before[0]
    y = before[u]
    if x == u:
        return False
    for k in range(2 * rows + 2):
        places[k] = before[k]
    if x == AN_END:
        places[y] = AN_END
    elif y == AN_END:
        places[x] = AN_END
    else:
        places[x] = y
        places[y] = x
    if x != 0:
        places[0] = BOTH
    if y != u:
        places[u] = BOTH
    return True


def later(row, rows, i):
    """The place of the i-th of four later squares a move away from the current one; -1 where there is none."""
    if i == 0:
        return rows - 2 if row >= 2 else -1
    if i == 1:
        return rows + 2 if row + 2 < rows else -1
    if i == 2:
        return 2 * rows - 1 if row >= 1 else -1
    return 2 * rows + 1 if row + 1 < rows else -1


def enter_after(places, row, rows, child, keys, index, counters, targets):
    """Enter the state after the current square among those of the next row, and the way to it."""
    word = moved_on(places, rows)
    child[0] = lower_of_both(word, rows) if row == rows - 1 else word
    targets[counters[WAYS]] = enter(child, 1, keys, index, counters)
    counters[WAYS] += 1


def spread(rows, row, sources, upto, keys, index, counters, offsets, targets, places, child):
    """Deal with the square in row `row` of states counters[DONE] .. upto - 1: enter what follows, and the ways there.

    sources: their words. keys, index: the states that follow. Ways that close a cycle are left out. places: three
    arrays; child: for one word. Stops where room runs short; a state has 6 ways at most.
    """
    while counters[DONE] < upto:
        if counters[WAYS] + MOST_WAYS > len(targets) or counters[MADE] + MOST_WAYS > len(keys):
            return
        s = counters[DONE]
        unpack(sources[s, 0], rows, places[0])
        first = places[0, 0]
        if first == BOTH:
            enter_after(places[0], row, rows, child, keys, index, counters, targets)
        else:
            for i in range(4):
                u = later(row, rows, i)
                if u < 0 or places[0, u] == BOTH or not join(places[0], u, rows, places[1]):
                    continue
                if first != 0:
                    enter_after(places[1], row, rows, child, keys, index, counters, targets)
                    continue
                for j in range(i + 1, 4):
                    v = later(row, rows, j)
                    if v >= 0 and places[1, v] != BOTH and join(places[1], v, rows, places[2]):
                        enter_after(places[2], row, rows, child, keys, index, counters, targets)
        counters[DONE] = s + 1
        offsets[s + 1] = counters[WAYS]


KERNELS = (
    hash_of,
    reindex,
    enter,
    unpack,
    moved_on,
    flipped,
    lower_of_both,
    join,
    later,
    enter_after,
    spread,
)
INNER = tuple(f for f in KERNELS if f not in (reindex, spread))
