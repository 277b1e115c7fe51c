"""Kernels of counting by halves: words, which say how the ends of half-made tours belong together.

word: 64 bits; nibble i is the number of slot i xor that of its mate, and 0 where slot i is no end. One end of the tour
placed: one path is *loose*, that is, its other end is the end of the tour; its slot ends a path and has nibble 0. Both
placed: the two loose paths count as one path, as if the two ends of the tour were joined, so nothing is loose.
That a path which joins its own ends is thrown away keeps cycles, and tours that are complete too early, out.

*Wide words*, of 18 slots, are of the same 64 bits, and of closed tours only. The two *high* slots, 16 and 17, have no
nibble. The end that is the mate of a high slot has nibble 0; of two such ends the mate of slot 16 has the nibble that
leads to the mate of slot 17, which leads nowhere. So a word is clear only with the ends of its class, which functions
for wide words take. A wide word without ends in high slots is a word like all others.

No number goes beyond 63 bits, but for words, on which only shifts, xor, and, or are used: the topmost nibble may make
them negative, compiled and interpreted alike.
"""

# What a choice does to the words of a class. An operation is one int: its name, slot a << 4, slot b << 8, and FLIPPED
# if the state is then replaced by its image under the flip of the board. Those in LAST place the tour's second end.
# Where a or b is a high slot, 4 bits hold its number less 16, and the name is one of nine more: see operation().
(
    KEEP,  # nothing, for the word; a bare slot that becomes loose has nibble 0 before and after
    PAIR,  # a and b, both bare, become mates
    MOVE,  # the path that ended at a now ends at b, which was bare
    JOIN,  # the paths that end at a and at b become one
    LOOSEN,  # the path that ends at a ends the tour there: its other end becomes loose
    LOOSEN_LAST,
    STUB_LAST,  # a, bare, ends a path whose other end is the end of the tour
) = range(7)
FLIPPED = 1 << 12
# A word that no state has, in place of none: slot 0 has mate 1, slot 1 has mate 2, slot 2 has no mate.
NO_WORD = 0x31
MASK = 0xFFFF
# Slots 16 and 17, and all.
HIGH = 16
ALL_SLOTS = 0x3FFFF
# A bit for each nibble, the highest bit of each, and the number of each, as 64 bits with a sign.
_ONES = 0x1111111111111111
_EIGHTS = 8 * _ONES - (1 << 64)
_NUMBERS = 0xFEDCBA9876543210 - (1 << 64)
_NAMES, _HIGH_NAMES = 3, 7

# Place of the lowest bit of 16: by a de Bruijn sequence, whose windows of four bits all differ.
_SEQUENCE = 0x09AF
_PLACES = sum(i << 4 * ((_SEQUENCE << i & MASK) >> 12) for i in range(16))
_PLACES -= (_PLACES >> 63) << 64


def place_of(bit):
    """Number of the one bit that is set, 0 to 17."""
    high = bit >> HIGH
    return ((_PLACES >> ((((bit * _SEQUENCE) >> 12) & 15) << 2)) & 15) + high + 15 * ((high + 1) >> 1)


def bits_in(x):
    """How many of the low 32 bits are set."""
    x -= (x >> 1) & 0x55555555
    x = (x & 0x33333333) + ((x >> 2) & 0x33333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F
    return ((x * 0x01010101) >> 24) & 0xFF


def operation(name, a, b):
    """KEEP, PAIR, MOVE or JOIN, and others for slots below 16, with slots a and b, as one int."""
    high = (a >> 4) | ((b >> 4) << 1)
    if high:
        name += _HIGH_NAMES - 1 + _NAMES * (high - 1)
    return name | ((a & 15) << 4) | ((b & 15) << 8)


def parts_of(op):
    """What operation() was made of: the name, a and b."""
    name = op & 15
    a = (op >> 4) & 15
    b = (op >> 8) & 15
    if name >= _HIGH_NAMES:
        high = (name - _HIGH_NAMES) // _NAMES + 1
        name = (name - _HIGH_NAMES) % _NAMES + 1
        a |= (high & 1) << 4
        b |= (high >> 1) << 4
    return name, a, b


# ---------------------------------------------------------------- words of 16 slots


def loose_of(word, ends):
    """Slot of the one loose path."""
    left = ends
    while left:
        bit = left & -left
        slot = place_of(bit)
        if (word >> (slot << 2)) & 15 == 0:
            return slot
        left ^= bit
    return 0


def changed(word, op, a, b, ends):
    """The word after an operation, or NO_WORD where a path would join its own ends. ends: of the class before it."""
    if op == KEEP:
        return word
    a4 = a << 2
    if op == STUB_LAST:
        y = loose_of(word, ends)
        return word ^ ((a ^ y) << a4) ^ ((a ^ y) << (y << 2))
    b4 = b << 2
    if op == PAIR:
        return word ^ ((a ^ b) << a4) ^ ((a ^ b) << b4)
    f = (word >> a4) & 15
    x = a ^ f
    if op == LOOSEN:
        return word ^ (f << a4) ^ (f << (x << 2))
    if op == LOOSEN_LAST:
        if f == 0:
            return NO_WORD
        y = loose_of(word, ends)
        return word ^ (f << a4) ^ ((f ^ x ^ y) << (x << 2)) ^ ((x ^ y) << (y << 2))
    if op == MOVE:
        if f == 0:
            return word
        return word ^ (f << a4) ^ ((x ^ b) << b4) ^ ((a ^ b) << (x << 2))
    if x == b:
        return NO_WORD
    g = (word >> b4) & 15
    y = b ^ g
    if f == 0:
        return word ^ (g << b4) ^ (g << (y << 2))
    if g == 0:
        return word ^ (f << a4) ^ (f << (x << 2))
    return word ^ (f << a4) ^ (g << b4) ^ ((a ^ y) << (x << 2)) ^ ((b ^ x) << (y << 2))


def turned(word, turn):
    """The word with its slots permuted; turn[k, byte]: what byte k of the word becomes (see layers.turn_table)."""
    return (
        turn[0, word & 255]
        ^ turn[1, (word >> 8) & 255]
        ^ turn[2, (word >> 16) & 255]
        ^ turn[3, (word >> 24) & 255]
        ^ turn[4, (word >> 32) & 255]
        ^ turn[5, (word >> 40) & 255]
        ^ turn[6, (word >> 48) & 255]
        ^ turn[7, (word >> 56) & 255]
    )


def hash_of(word):
    """A number below 2**63 whose low bits depend on all of the word."""
    h = ((word & 0xFFFFFFFF) * 0x2545F491) ^ (((word >> 32) & 0xFFFFFFFF) * 0x6C078965)
    return h ^ (h >> 32)


# ---------------------------------------------------------------- wide words


def spread(ends):
    """A bit in the nibble of each of the ends in slots 0 to 15."""
    x = ends & MASK
    x = (x | (x << 24)) & 0x000000FF000000FF
    x = (x | (x << 12)) & 0x000F000F000F000F
    x = (x | (x << 6)) & 0x0303030303030303
    return (x | (x << 3)) & _ONES


def empty_nibbles(word):
    """The lowest bit of each nibble that is 0."""
    some = word | (word >> 1)
    some |= some >> 2
    return ~some & _ONES


def nibble_of(bit):
    """The number of the nibble whose lowest bit is set."""
    far = 8 * ((bit >> 32) != 0)
    bit >>= far << 2
    near = 4 * ((bit >> 16) != 0)
    bit >>= near << 2
    return far + near + (((bit >> 4) & 1) | ((bit >> 7) & 2) | ((bit >> 11) & 2) | ((bit >> 12) & 1))


def opened(word, ends):
    """A wide word as (its nibbles, those of mates of high slots being 0; the mate of slot 16; that of slot 17); -1 for
    the mate of a slot that is no end."""
    none = (ends & 0) - 1
    high = ends >> HIGH
    if high == 0:
        return word, none, none
    where = spread(ends)
    empty = empty_nibbles(word) & where
    if empty == 0:
        # They are mates of each other.
        return word, none + 18, none + 17
    u = nibble_of(empty & -empty)
    if high == 1:
        return word, u, none
    if high == 2:
        return word, none, u
    # The one end that leads to u is the mate of slot 16.
    to_u = (-(u & 1) & _ONES) | (-(u >> 1 & 1) & (2 * _ONES)) | (-(u >> 2 & 1) & (4 * _ONES)) | (-(u >> 3) & _EIGHTS)
    leads = empty_nibbles(word ^ _NUMBERS ^ to_u) & where & ~empty
    v = nibble_of(leads)
    return word ^ ((u ^ v) << (v << 2)), v, u


def shut(word, m16, m17):
    """The wide word that opened() makes these of."""
    if 0 <= m16 < HIGH and 0 <= m17 < HIGH:
        word ^= (m16 ^ m17) << (m16 << 2)
    return word


def mate_of(word, m16, m17, a):
    """The mate of end a in an opened word."""
    if a == HIGH:
        return m16
    if a > HIGH:
        return m17
    if a == m16:
        return a - a + HIGH
    if a == m17:
        return a - a + HIGH + 1
    return a ^ ((word >> (a << 2)) & 15)


def linked(word, m16, m17, a, b):
    """The opened word in which ends a and b, which had no mates, are mates."""
    if a < HIGH and b < HIGH:
        return word ^ ((a ^ b) << (a << 2)) ^ ((a ^ b) << (b << 2)), m16, m17
    if a == HIGH or b == HIGH:
        m16 = a + b - HIGH
    if a > HIGH or b > HIGH:
        m17 = a + b - HIGH - 1
    return word, m16, m17


def unlinked(word, m16, m17, a, b):
    """The opened word in which ends a and b, which were mates, have none."""
    if a < HIGH and b < HIGH:
        return word ^ ((a ^ b) << (a << 2)) ^ ((a ^ b) << (b << 2)), m16, m17
    if a == HIGH or b == HIGH:
        m16 = (m16 & 0) - 1
    if a > HIGH or b > HIGH:
        m17 = (m17 & 0) - 1
    return word, m16, m17


def changed_wide(word, op, a, b, ends):
    """The wide word after an operation, as changed(). ends: of the class before it."""
    if op == KEEP:
        return word
    if (ends | (1 << a) | (1 << b)) >> HIGH == 0:
        return changed(word, op, a, b, ends)
    word, m16, m17 = opened(word, ends)
    if op == PAIR:
        word, m16, m17 = linked(word, m16, m17, a, b)
        return shut(word, m16, m17)
    x = mate_of(word, m16, m17, a)
    if op == JOIN:
        if x == b:
            return NO_WORD
        y = mate_of(word, m16, m17, b)
        word, m16, m17 = unlinked(word, m16, m17, b, y)
    else:
        y = b
    word, m16, m17 = unlinked(word, m16, m17, a, x)
    word, m16, m17 = linked(word, m16, m17, x, y)
    return shut(word, m16, m17)


def ends_after(ends, op, a, b):
    """The ends of the class after KEEP, PAIR, MOVE or JOIN."""
    return ends if op == KEEP else ends ^ (1 << a) ^ (1 << b)


def turned_wide(word, ends, turn):
    """The wide word with its slots permuted; turn[8, slot]: where the slot goes. ends: of its class."""
    word, m16, m17 = opened(word, ends)
    found = word & 0
    n16 = (ends & 0) - 1
    n17 = n16
    if m16 >= 0:
        found, n16, n17 = linked(found, n16, n17, turn[8, HIGH], turn[8, m16])
    if m17 >= 0 and m17 != HIGH:
        found, n16, n17 = linked(found, n16, n17, turn[8, HIGH + 1], turn[8, m17])
    left = ends & MASK
    while left:
        bit = left & -left
        a = place_of(bit)
        f = (word >> (a << 2)) & 15
        left ^= bit
        if f != 0:
            left ^= 1 << (a ^ f)
            found, n16, n17 = linked(found, n16, n17, turn[8, a], turn[8, a ^ f])
    return shut(found, n16, n17)


KERNELS = (
    place_of,
    bits_in,
    operation,
    parts_of,
    loose_of,
    changed,
    turned,
    hash_of,
    spread,
    empty_nibbles,
    nibble_of,
    opened,
    shut,
    mate_of,
    linked,
    unlinked,
    changed_wide,
    ends_after,
    turned_wide,
)
INNER = KERNELS
