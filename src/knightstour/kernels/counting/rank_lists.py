"""Kernels of counting by halves: lists of last classes as counts by rank, and the middle moves made in them.

See counting/halves/rank_join.py for the whole, class_lists.py for classes, and matchings.py for ranks.
"""

from collections import namedtuple

from knightstour.kernels.counting import class_join, matchings
from knightstour.kernels.counting.class_join import pairs_of, rank_of
from knightstour.kernels.counting.class_lists import class_of, ends_of, index_of, inner_of, number_of, placed_in
from knightstour.kernels.counting.matchings import add_changed
from knightstour.kernels.counting.words import JOIN, MOVE, PAIR, bits_in

# The lists of a last layer. marks, weights, size: the set of its classes, numbered, and how to look one up; starts[i]:
# where the counts of class number i begin, -1 where it has none; counts: by rank; masses: the sum of each list. shift,
# mask: where the count is in a number of counts, which may be a pair of residues.
RankLists = namedtuple("RankLists", "marks weights size starts counts masses shift mask")

# Middle moves and the slots that they touch. Classes that differ in these slots only are a *group*, and have *numbers*
# in it: a digit of base 3 a slot, 0 bare, 1 an end, 2 inner. moves: their slots; steps: what each adds to the number;
# inner, ends: of each number, as masks; weights: of each mask of the slots, the number with just these as ends;
# touched: the mask of all slots touched.
Ways = namedtuple("Ways", "moves steps inner ends weights touched")

# Room for one thread. needed, filled, masses, at, source: for each number; active: a list of numbers; counts: lists.
Room = namedtuple("Room", "needed filled masses at source active counts")

# Items of counters, and what make_moves returns.
NEXT, NEED_COUNTS = range(2)
DONE, FULL = range(2)


def rank_states(classes, offsets, lengths, states, first, last, many, counts):
    """Write the lists of classes first .. last-1 as counts by rank, one after the other; classes without states have
    none. many[k]: how many matchings k pairs have."""
    start = 0
    for i in range(first, last):
        if lengths[i] == 0:
            continue
        ends = ends_of(classes[i])
        pairs = pairs_of(classes[i])
        for rank in range(many[pairs]):
            counts[start + rank] = 0
        for j in range(offsets[i], offsets[i] + lengths[i]):
            counts[start + rank_of(states[j, 0], ends, pairs, many)] = states[j, 1]
        start += many[pairs]


def number_in_group(ways, c):
    """The number of a class in its group."""
    return 2 * ways.weights[inner_of(c) & ways.touched] + ways.weights[ends_of(c) & ways.touched]


def may_have(ways, number, move):
    """Whether the class with this number may have the move in it."""
    some = ways.inner[number] | ways.ends[number]
    return some >> ways.moves[move, 0] & 1 != 0 and some >> ways.moves[move, 1] & 1 != 0


def find_needed(ways, wanted, first, last, room):
    """What the classes wanted[first:last], a group, are made of: room.needed[n], bit m: number n is, before move m; or,
    after the last move, wanted. Returns how many numbers are, which are in room.active, rising."""
    moves = len(ways.moves)
    for number in range(len(ways.inner)):
        room.needed[number] = 0
    for i in range(first, last):
        room.needed[number_in_group(ways, wanted[i])] = 1 << moves
    for move in range(moves - 1, -1, -1):
        after = 2 << move
        for number in range(len(ways.inner)):
            if room.needed[number] & after:
                room.needed[number] |= 1 << move
                if may_have(ways, number, move):
                    room.needed[number - ways.steps[move]] |= 1 << move
    active = 0
    for number in range(len(ways.inner)):
        if room.needed[number]:
            room.active[active] = number
            active += 1
    return active


def is_fed(ways, number, move, room):
    """Whether the move leads to the class with this number, which is needed after it, from one that has counts."""
    return (
        room.needed[number] >> (move + 1) & 1 != 0
        and may_have(ways, number, move)
        and room.filled[number - ways.steps[move]] >> move & 1 != 0
    )


def find_filled(lists, ways, c, active, room, many):
    """Which of the active numbers get counts: room.filled[n], bit m: number n has some before move m. c: of the group.

    room.source[n]: the list that it begins with, or -1; room.at[n]: where it is in room.counts. Returns how many counts
    they have together.
    """
    inner = inner_of(c) & ~ways.touched
    ends = ends_of(c) & ~ways.touched
    for i in range(active):
        number = room.active[i]
        room.filled[number] = 0
        room.masses[number] = 0.0
        room.source[number] = -1
        if room.needed[number] & 1:
            base = class_of(placed_in(c), inner | ways.inner[number], ends | ways.ends[number])
            source = number_of(lists.marks, index_of(base, lists.weights, lists.size))
            if source >= 0 and lists.starts[source] >= 0:
                room.source[number] = source
                room.masses[number] = lists.masses[source]
                room.filled[number] = 1
    for move in range(len(ways.moves)):
        for i in range(active):
            number = room.active[i]
            stays = room.filled[number] >> move & 1 != 0 and room.needed[number] >> (move + 1) & 1 != 0
            if stays or is_fed(ways, number, move, room):
                room.filled[number] |= 2 << move
    top = 0
    for i in range(active):
        number = room.active[i]
        if room.filled[number]:
            room.at[number] = top
            top += many[bits_in(ends | ways.ends[number]) >> 1]
    return top


def add_move(ways, number, move, ends, room, ranks):
    """Add what a move makes of another class to the counts of this one. ends: outside of the slots touched."""
    source = number - ways.steps[move]
    a = ways.moves[move, 0]
    b = ways.moves[move, 1]
    before = ends | ways.ends[source]
    union = before | 1 << a | 1 << b
    x = bits_in(union & ((1 << a) - 1))
    y = bits_in(union & ((1 << b) - 1))
    op = PAIR
    if before >> a & 1:
        op = JOIN if before >> b & 1 else MOVE
    elif before >> b & 1:
        op = MOVE
        x, y = y, x
    room.masses[number] += room.masses[source]
    at = room.at[source]
    add_changed(op, bits_in(union), x, y, bits_in(before) >> 1, room.counts, at, room.counts, room.at[number], ranks)


def make_moves(lists, ways, wanted, groups, last, ranks, room, counters, starts, counts, masses):
    """Write the lists of the wanted classes, with all middle moves made: the groups counters[NEXT] .. last-1.

    groups: where each group begins in wanted. starts: where the list of each is to begin in counts, by rank.
    Returns DONE, or FULL where a group needs room for counters[NEED_COUNTS] counts.
    """
    many = ranks.many
    moves = len(ways.moves)
    while counters[NEXT] < last:
        first = groups[counters[NEXT]]
        end = groups[counters[NEXT] + 1]
        c = wanted[first]
        ends = ends_of(c) & ~ways.touched
        active = find_needed(ways, wanted, first, end, room)
        top = find_filled(lists, ways, c, active, room, many)
        if top > len(room.counts):
            counters[NEED_COUNTS] = top
            return FULL
        for i in range(active):
            number = room.active[i]
            if room.filled[number]:
                at = room.at[number]
                size = many[bits_in(ends | ways.ends[number]) >> 1]
                if room.source[number] >= 0:
                    start = lists.starts[room.source[number]]
                    for rank in range(size):
                        room.counts[at + rank] = (lists.counts[start + rank] >> lists.shift) & lists.mask
                else:
                    for rank in range(size):
                        room.counts[at + rank] = 0
        # A class leads to classes with higher numbers, so from the top down each is still as it was before the move.
        for move in range(moves):
            for i in range(active - 1, -1, -1):
                if is_fed(ways, room.active[i], move, room):
                    add_move(ways, room.active[i], move, ends, room, ranks)
        for i in range(first, end):
            number = number_in_group(ways, wanted[i])
            size = many[bits_in(ends | ways.ends[number]) >> 1]
            start = starts[i]
            if room.filled[number] >> moves & 1:
                masses[i] = room.masses[number]
                at = room.at[number]
                for rank in range(size):
                    counts[start + rank] = room.counts[at + rank]
            else:
                masses[i] = 0.0
                for rank in range(size):
                    counts[start + rank] = 0
        counters[NEXT] += 1
    return DONE


KERNELS = (
    *class_join.KERNELS,
    *matchings.KERNELS,
    rank_states,
    number_in_group,
    may_have,
    find_needed,
    is_fed,
    find_filled,
    add_move,
    make_moves,
)
INNER = tuple(f for f in KERNELS if f not in (rank_states, make_moves))
