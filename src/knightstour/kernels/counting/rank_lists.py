"""Kernels of counting by halves: lists of last classes as counts by rank, and the middle moves made in them.

See counting/halves/rank_join.py for the whole, class_lists.py for classes, and matchings.py for ranks.
"""

from collections import namedtuple

from knightstour.kernels.counting import class_join, matchings
from knightstour.kernels.counting.class_join import pairs_of, rank_of
from knightstour.kernels.counting.class_lists import ends_of, inner_of
from knightstour.kernels.counting.matchings import add_changed
from knightstour.kernels.counting.words import JOIN, MOVE, PAIR, bits_in

# The lists of a last layer. classes; starts[i]: where the counts of class i begin; counts: by rank; masses: the sum of
# each list. shift, mask: where the count is in a number of counts, which may be a pair of residues.
RankLists = namedtuple("RankLists", "classes starts counts masses shift mask")

# Middle moves and the slots that they touch. Classes that differ in these slots only are a *group*, and have *numbers*
# in it: a digit of base 3 a slot, 0 bare, 1 an end, 2 inner. moves: their slots; steps: what each adds to the number;
# inner, ends: of each number, as masks; weights: of each mask of the slots, the number with just these as ends;
# touched: the mask of all slots touched.
Ways = namedtuple("Ways", "moves steps inner ends weights touched")

# What is to be made. wanted: classes; starts: where the list of each is to begin, by rank. Group g of them is
# wanted[groups[g] : groups[g + 1]]; it is made of the lists of the same group, sources[source_ends[g, 0] :
# source_ends[g, 1]].
Wanted = namedtuple("Wanted", "wanted starts groups sources source_ends")

# Room for one thread. needed, filled, masses, at, source: for each number, needed and filled 0 between groups; active,
# live: lists of numbers; counts: lists.
Room = namedtuple("Room", "needed filled masses at source active live counts")

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


def may_become(ways, number, move):
    """Whether the class with this number may have the move added to it."""
    return (ways.inner[number] >> ways.moves[move, 0] | ways.inner[number] >> ways.moves[move, 1]) & 1 == 0


def find_needed(ways, asked, group, room):
    """What the classes of a group are made of: room.needed[n], bit m: number n is, before move m; or, after the last
    move, wanted. Returns how many numbers are, which are in room.active; the bits of others are 0."""
    moves = len(ways.moves)
    active = 0
    for i in range(asked.groups[group], asked.groups[group + 1]):
        number = number_in_group(ways, asked.wanted[i])
        room.needed[number] = 1 << moves
        room.active[active] = number
        active += 1
    for move in range(moves - 1, -1, -1):
        for i in range(active):
            number = room.active[i]
            if room.needed[number] >> (move + 1) & 1 == 0:
                continue
            room.needed[number] |= 1 << move
            if may_have(ways, number, move):
                source = number - ways.steps[move]
                if room.needed[source] == 0:
                    room.active[active] = source
                    active += 1
                room.needed[source] |= 1 << move
    return active


def find_filled(lists, ways, asked, group, ends, room, many):
    """Which of the numbers needed get counts: room.filled[n], bit m: number n has some before move m.

    room.source[n]: the list that it begins with, or -1; room.at[n]: where it is in room.counts. ends: of the group,
    outside of the slots touched. Returns how many numbers there are, which are in room.live, and how many counts they
    have together.
    """
    live = 0
    for i in range(asked.source_ends[group, 0], asked.source_ends[group, 1]):
        source = asked.sources[i]
        number = number_in_group(ways, lists.classes[source])
        if room.needed[number] & 1:
            room.source[number] = source
            room.masses[number] = lists.masses[source]
            room.filled[number] = 1
            room.live[live] = number
            live += 1
    for move in range(len(ways.moves)):
        for i in range(live):
            number = room.live[i]
            if room.filled[number] >> move & 1 == 0:
                continue
            if room.needed[number] >> (move + 1) & 1:
                room.filled[number] |= 2 << move
            made = number + ways.steps[move]
            if may_become(ways, number, move) and room.needed[made] >> (move + 1) & 1:
                if room.filled[made] == 0:
                    room.source[made] = -1
                    room.masses[made] = 0.0
                    room.live[live] = made
                    live += 1
                room.filled[made] |= 2 << move
    top = 0
    for i in range(live):
        room.at[room.live[i]] = top
        top += many[bits_in(ends | ways.ends[room.live[i]]) >> 1]
    return live, top


def is_fed(ways, number, move, room):
    """Whether the move leads to the class with this number, which is needed after it, from one that has counts."""
    return (
        room.needed[number] >> (move + 1) & 1 != 0
        and may_have(ways, number, move)
        and room.filled[number - ways.steps[move]] >> move & 1 != 0
    )


def both_inner(ways, number, move):
    """1 if both slots of a move are inner in the class with this number, else 0."""
    return ways.inner[number] >> ways.moves[move, 0] & ways.inner[number] >> ways.moves[move, 1] & 1


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


def make_moves(lists, ways, asked, last, ranks, room, counters, counts, masses):
    """Write the lists of the wanted classes, with all middle moves made: the groups counters[NEXT] .. last-1.

    counts: of the lists, by rank; masses: of each. Returns DONE, or FULL where a group needs room for
    counters[NEED_COUNTS] counts.
    """
    many = ranks.many
    moves = len(ways.moves)
    while counters[NEXT] < last:
        group = counters[NEXT]
        ends = ends_of(asked.wanted[asked.groups[group]]) & ~ways.touched
        active = find_needed(ways, asked, group, room)
        live, top = find_filled(lists, ways, asked, group, ends, room, many)
        has_room = top <= len(room.counts)
        if has_room:
            for i in range(live):
                number = room.live[i]
                at = room.at[number]
                size = many[bits_in(ends | ways.ends[number]) >> 1]
                if room.source[number] >= 0:
                    start = lists.starts[room.source[number]]
                    for rank in range(size):
                        room.counts[at + rank] = (lists.counts[start + rank] >> lists.shift) & lists.mask
                else:
                    for rank in range(size):
                        room.counts[at + rank] = 0
            for move in range(moves):
                # Where both slots become inner, the class before may itself be made by the move, so it comes later.
                for to_inner in (1, 0):
                    for i in range(live):
                        number = room.live[i]
                        if to_inner == both_inner(ways, number, move) and is_fed(ways, number, move, room):
                            add_move(ways, number, move, ends, room, ranks)
            for i in range(asked.groups[group], asked.groups[group + 1]):
                number = number_in_group(ways, asked.wanted[i])
                size = many[bits_in(ends | ways.ends[number]) >> 1]
                start = asked.starts[i]
                if room.filled[number] >> moves & 1:
                    masses[i] = room.masses[number]
                    at = room.at[number]
                    for rank in range(size):
                        counts[start + rank] = room.counts[at + rank]
                else:
                    masses[i] = 0.0
                    for rank in range(size):
                        counts[start + rank] = 0
        for i in range(active):
            room.needed[room.active[i]] = 0
        for i in range(live):
            room.filled[room.live[i]] = 0
        if not has_room:
            counters[NEED_COUNTS] = top
            return FULL
        counters[NEXT] += 1
    return DONE


KERNELS = (
    *class_join.KERNELS,
    *matchings.KERNELS,
    rank_states,
    number_in_group,
    may_have,
    may_become,
    find_needed,
    find_filled,
    is_fed,
    both_inner,
    add_move,
    make_moves,
)
INNER = tuple(f for f in KERNELS if f not in (rank_states, make_moves))
