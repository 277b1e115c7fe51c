"""Kernels: perfect matchings by their rank, and what joining, moving or adding ends makes of them.

A *matching* pairs 2k ends, the bits of a mask. Its *rank* says which of the (2k - 1)!! it is: the mate of the lowest
end comes first, then that of the lowest end that remains, and so on. The rank depends on the order of the ends alone.
Lists of counts by rank need no words and no hash table: an operation on ends is a table from rank to rank.
"""

from collections import namedtuple

from knightstour.kernels.counting.class_join import end_number
from knightstour.kernels.counting.words import MOVE, PAIR, bits_in, place_of

# Tables, filled as they are needed. many[k]: how many matchings k pairs have. changes: the ranks that operations lead
# to, -1 where a path would join its own ends; changes_at[operation, n]: where those among n ends begin; made: which are
# there. words: the mates of each matching, a nibble an end; words_at[k]: where those of k pairs begin; words_made[k]:
# whether they are there. mates: scratch, of one thread; threads may share all else, for what they write is the same.
Ranks = namedtuple("Ranks", "many changes changes_at made words words_at words_made mates")

# With more pairs than this each matching is worked out by itself.
MOST_IN_TABLES = 7


def unrank(rank, ends, pairs, many, mates):
    """Set mates[a] for each end a of the matching with this rank."""
    for k in range(pairs - 1, -1, -1):
        bit = ends & -ends
        x = rank // many[k]
        rank -= x * many[k]
        ends ^= bit
        other = end_number(ends, x)
        ends ^= other
        a = place_of(bit)
        b = place_of(other)
        mates[a] = b
        mates[b] = a


def rank_of_mates(mates, ends, pairs, many):
    """The rank of the matching of these ends in which a has the mate mates[a]."""
    rank = 0
    for k in range(pairs - 1, 0, -1):
        bit = ends & -ends
        mate = 1 << mates[place_of(bit)]
        ends ^= bit
        rank += bits_in(ends & (mate - 1)) * many[k]
        ends ^= mate
    return rank


def changed_rank(rank, op, n, a, b, many, mates):
    """The rank after an operation; -1 where a path would join its own ends. a and b are two of n ends in order, which
    are those before the operation together with those after it."""
    both = 1 << a | 1 << b
    union = (1 << n) - 1
    if op == PAIR:
        k = (n >> 1) - 1
        unrank(rank, union ^ both, k, many, mates)
        mates[a] = b
        mates[b] = a
        return rank_of_mates(mates, union, k + 1, many)
    if op == MOVE:
        k = n >> 1
        unrank(rank, union ^ (1 << b), k, many, mates)
        x = mates[a]
        mates[b] = x
        mates[x] = b
        return rank_of_mates(mates, union ^ (1 << a), k, many)
    k = n >> 1
    unrank(rank, union, k, many, mates)
    x = mates[a]
    if x == b:
        return -1
    y = mates[b]
    mates[x] = y
    mates[y] = x
    return rank_of_mates(mates, union ^ both, k - 1, many)


def changes_from(op, n, a, b, pairs, ranks):
    """Where the table of an operation on matchings of this many pairs begins; it is made if it is not there."""
    size = ranks.many[pairs]
    at = ranks.changes_at[op, n] + (a * n + b) * size
    if ranks.made[op, n, a, b] == 0:
        for rank in range(size):
            ranks.changes[at + rank] = changed_rank(rank, op, n, a, b, ranks.many, ranks.mates)
        ranks.made[op, n, a, b] = 1
    return at


def add_changed(op, n, a, b, pairs, source, source_at, target, target_at, ranks):
    """Add the counts of all matchings of this many pairs, by rank, to those that an operation makes of them."""
    size = ranks.many[pairs]
    if op == MOVE and (b == a + 1 or a == b + 1):
        # The order of the ends stays.
        for rank in range(size):
            target[target_at + rank] += source[source_at + rank]
    elif pairs <= MOST_IN_TABLES:
        at = changes_from(op, n, a, b, pairs, ranks)
        for rank in range(size):
            y = ranks.changes[at + rank]
            if y >= 0:
                target[target_at + y] += source[source_at + rank]
    else:
        for rank in range(size):
            count = source[source_at + rank]
            if count != 0:
                y = changed_rank(rank, op, n, a, b, ranks.many, ranks.mates)
                if y >= 0:
                    target[target_at + y] += count


def words_from(pairs, ranks):
    """Where the words of all matchings of this many pairs begin; they are made if they are not there."""
    at = ranks.words_at[pairs]
    if ranks.words_made[pairs] == 0:
        union = (1 << 2 * pairs) - 1
        for rank in range(ranks.many[pairs]):
            unrank(rank, union, pairs, ranks.many, ranks.mates)
            word = 0
            for a in range(2 * pairs):
                word |= ranks.mates[a] << (a << 2)
            ranks.words[at + rank] = word
        ranks.words_made[pairs] = 1
    return at


def add_turned(pairs, to_new, from_new, source, source_at, target, target_at, ranks):
    """Add counts by rank to those of the same matchings with their ends in another order.

    to_new[i]: which of the ends end i becomes; from_new: the other way round.
    """
    union = (1 << 2 * pairs) - 1
    has_words = pairs <= MOST_IN_TABLES
    at = words_from(pairs, ranks) if has_words else 0
    for rank in range(ranks.many[pairs]):
        count = source[source_at + rank]
        if count == 0:
            continue
        if has_words:
            word = ranks.words[at + rank]
        else:
            word = 0
            unrank(rank, union, pairs, ranks.many, ranks.mates)
        left = union
        found = 0
        for k in range(pairs - 1, 0, -1):
            bit = left & -left
            old = from_new[place_of(bit)]
            mate = 1 << to_new[word >> (old << 2) & 15 if has_words else ranks.mates[old]]
            left ^= bit
            found += bits_in(left & (mate - 1)) * ranks.many[k]
            left ^= mate
        target[target_at + found] += count


KERNELS = (unrank, rank_of_mates, changed_rank, changes_from, add_changed, words_from, add_turned)
INNER = KERNELS
