"""Kernels of counting by halves: the halves are put together over the middle, where lists are counts by rank.

See counting/halves/rank_join.py for the whole, rank_lists.py for the lists, and class_join.py for the same with words.
"""

from collections import namedtuple

from knightstour.kernels.counting import class_join, matchings
from knightstour.kernels.counting.class_join import (
    add_product,
    complete_6,
    complete_dense,
    end_of_run,
    joint_of,
    pairs_of,
)
from knightstour.kernels.counting.class_lists import ends_of
from knightstour.kernels.counting.matchings import MOST_IN_TABLES, add_turned, changed_rank, changes_from
from knightstour.kernels.counting.words import JOIN, bits_in, place_of

# Classes to be joined. left, right: of the halves; turns: 1 where the right one is the flip of the left one's partner;
# weights: how often each tour counts; starts: where their lists begin.
Joints = namedtuple("Joints", "left right turns weights starts")

# The lists of classes to be joined, by rank: left, those of the left classes; left_flips, those of their flips, in the
# order of their own ends; right and right_flips.
JointLists = namedtuple("JointLists", "left left_flips right right_flips")

# What permutes slots. left_flip, right_flip: the flips of the halves; to_left[0, s]: the left slot of the right slot s,
# to_left[1, s]: that of the flip of s.
Turns = namedtuple("Turns", "left_flip right_flip to_left")

# Room for one thread. left, right: counts by rank. ranks, counts, ways: the list of a left class. nines, eights, sevens
# and sixes: lists of (rank, count) for as many pairs. dense: see class_join.Scratch. by_rank: zeros. to_new, from_new:
# how the order of the ends changes.
Desk = namedtuple("Desk", "left right ranks counts ways nines eights sevens sixes dense by_rank to_new from_new")


def pair_up(is_even, joins_folded, all_ends, present, to_right, left_flip, right_flip, joints):
    """Find the right classes of joints.left, their turns and weights; these are 0 for classes not to be joined."""
    for i in range(len(joints.left)):
        c = joints.left[i]
        joints.right[i], joints.turns[i], joints.weights[i] = joint_of(
            c, is_even, joins_folded, all_ends, present, to_right, left_flip, right_flip
        )
        if pairs_of(c) == 0:
            joints.weights[i] = 0


def set_orders(ends, image, to_new, from_new):
    """How a permutation of the slots changes the order of the ends. Returns the ends it makes."""
    after = 0
    left = ends
    while left:
        bit = left & -left
        left ^= bit
        after |= 1 << image[place_of(bit)]
    i = 0
    left = ends
    while left:
        bit = left & -left
        left ^= bit
        new = bits_in(after & ((1 << image[place_of(bit)]) - 1))
        to_new[i] = new
        from_new[new] = i
        i += 1
    return after


def list_left(size, desk, modulus):
    """List the left counts that are not 0. Returns how many there are."""
    n = 0
    for rank in range(size):
        count = desk.left[rank] % modulus if modulus else desk.left[rank]
        if count != 0:
            desk.ranks[n] = rank
            desk.counts[n] = count
            n += 1
    return n


def list_counts(counts, size, into):
    """List the counts that are not 0: into[i] = (rank, count). Returns how many there are."""
    n = 0
    for rank in range(size):
        if counts[rank] != 0:
            into[n, 0] = rank
            into[n, 1] = counts[rank]
            n += 1
    return n


def join_first(pairs, x, source, n, into, by_rank, ranks):
    """Join the lowest end of all matchings with the one x ends further, and list what that makes. Returns how many."""
    made = 0
    has_table = pairs <= MOST_IN_TABLES
    at = changes_from(JOIN, 2 * pairs, 0, x + 1, pairs, ranks) if has_table else 0
    for i in range(n):
        if has_table:
            y = ranks.changes[at + source[i, 0]]
        else:
            y = changed_rank(source[i, 0], JOIN, 2 * pairs, 0, x + 1, ranks.many, ranks.mates)
        if y >= 0:
            if by_rank[y] == 0:
                into[made, 0] = y
                made += 1
            by_rank[y] += source[i, 1]
    for i in range(made):
        y = into[i, 0]
        into[i, 1] = by_rank[y]
        by_rank[y] = 0
    return made


def complete_7(low, high, origin, n, desk, ranks, tables):
    """Set ways[low:high] for left matchings of 7 pairs, ranks from origin on; the right list, of n, is in sevens."""
    size = ranks.many[6]
    begin = low
    while begin < high:
        x = (desk.ranks[begin] - origin) // size
        next_origin = origin + x * size
        end = end_of_run(desk.ranks, begin, high, next_origin + size)
        made = join_first(7, x, desk.sevens, n, desk.sixes, desk.by_rank, ranks)
        complete_6(desk.ranks, begin, end, next_origin, desk.ways, desk.sixes, made, desk.dense, tables)
        begin = end


def complete_8(low, high, origin, n, desk, ranks, tables):
    """As complete_7, for 8 pairs; the right list is in eights."""
    size = ranks.many[7]
    begin = low
    while begin < high:
        x = (desk.ranks[begin] - origin) // size
        next_origin = origin + x * size
        end = end_of_run(desk.ranks, begin, high, next_origin + size)
        made = join_first(8, x, desk.eights, n, desk.sevens, desk.by_rank, ranks)
        complete_7(begin, end, next_origin, made, desk, ranks, tables)
        begin = end


def complete_9(high, n, desk, ranks, tables):
    """As complete_8, for 9 pairs; the right list is in nines."""
    size = ranks.many[8]
    begin = 0
    while begin < high:
        x = desk.ranks[begin] // size
        end = end_of_run(desk.ranks, begin, high, (x + 1) * size)
        made = join_first(9, x, desk.nines, n, desk.eights, desk.by_rank, ranks)
        complete_8(begin, end, x * size, made, desk, ranks, tables)
        begin = end


def complete(pairs, n_left, desk, ranks, tables):
    """ways[i]: the counts of all right matchings that make one cycle with the left one of rank ranks[i], added up."""
    many = ranks.many
    zero = n_left - n_left
    if pairs <= 2:
        for i in range(n_left):
            total = 0
            for rank in range(many[pairs]):
                # Two matchings of four ends make one cycle if they differ.
                if pairs == 1 or rank != desk.ranks[i]:
                    total += desk.right[rank]
            desk.ways[i] = total
    elif pairs <= 5:
        at = 0 if pairs == 3 else 15 if pairs == 4 else 120
        for rank in range(many[pairs]):
            desk.dense[at + rank] = desk.right[rank]
        complete_dense(pairs, desk.ranks, zero, n_left, zero, desk.ways, desk.dense, tables)
    elif pairs == 6:
        n = list_counts(desk.right, many[6], desk.sixes)
        complete_6(desk.ranks, zero, n_left, zero, desk.ways, desk.sixes, n, desk.dense, tables)
    elif pairs == 7:
        n = list_counts(desk.right, many[7], desk.sevens)
        complete_7(zero, n_left, zero, n, desk, ranks, tables)
    elif pairs == 8:
        n = list_counts(desk.right, many[8], desk.eights)
        complete_8(zero, n_left, zero, n, desk, ranks, tables)
    else:
        n = list_counts(desk.right, many[9], desk.nines)
        complete_9(n_left, n, desk, ranks, tables)


def join_lists(joints, first, last, lists, turns, desk, ranks, tables, modulus, total):
    """Join the lists of classes first .. last-1; add to total, in digits, or to total[0] modulo the modulus.

    Returns how many classes have tours.
    """
    joined = 0
    for i in range(first, last):
        c = joints.left[i]
        pairs = pairs_of(c)
        size = ranks.many[pairs]
        at = joints.starts[i]
        for rank in range(size):
            desk.left[rank] = lists.left[at + rank]
            desk.right[rank] = 0
        if len(lists.left_flips):
            set_orders(ends_of(c), turns.left_flip, desk.to_new, desk.from_new)
            # The flip of a flip is the class itself, so the orders change places.
            add_turned(pairs, desk.from_new, desk.to_new, lists.left_flips, at, desk.left, 0, ranks)
        n_left = list_left(size, desk, modulus)
        if n_left == 0:
            continue
        ends = ends_of(joints.right[i])
        set_orders(ends, turns.to_left[joints.turns[i]], desk.to_new, desk.from_new)
        add_turned(pairs, desk.to_new, desk.from_new, lists.right, at, desk.right, 0, ranks)
        if len(lists.right_flips):
            ends = set_orders(ends, turns.right_flip, desk.to_new, desk.from_new)
            set_orders(ends, turns.to_left[1 - joints.turns[i]], desk.to_new, desk.from_new)
            add_turned(pairs, desk.to_new, desk.from_new, lists.right_flips, at, desk.right, 0, ranks)
        if modulus:
            for rank in range(size):
                desk.right[rank] %= modulus
        complete(pairs, n_left, desk, ranks, tables)
        has_tours = 0
        weight = joints.weights[i]
        for j in range(n_left):
            if desk.ways[j]:
                has_tours = 1
            if modulus == 0:
                add_product(total, weight * desk.counts[j], desk.ways[j])
            else:
                total[0] = (total[0] + (weight * desk.counts[j] % modulus) * (desk.ways[j] % modulus)) % modulus
        joined += has_tours
    return joined


KERNELS = (
    *class_join.KERNELS,
    *matchings.KERNELS,
    pair_up,
    set_orders,
    list_left,
    list_counts,
    join_first,
    complete_7,
    complete_8,
    complete_9,
    complete,
    join_lists,
)
INNER = tuple(f for f in KERNELS if f not in (pair_up, join_lists))
