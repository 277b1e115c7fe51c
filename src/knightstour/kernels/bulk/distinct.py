"""Kernel that finds which tours were seen before, exactly, and keeps each in a few words.

A tour is packed from its first square on, in the direction that the question leaves free or fixes: each step is the
place of the move in the list of its square, `bits` bits, as many to a word as fit into 63 bits. The table is a hash
table of row numbers with 31 bits of the hash beside; only tours with the same 31 bits are compared, word by word.
"""

KIND, BITS, USED, ROWS, NEXT, HOME = range(6)  # items of c; NEXT: the next row to put into a grown table
COUNTERS = 6
DIRECTED, UNDIRECTED, CYCLES = range(3)  # KIND: what counts as the same tour


def blend(h, word):
    """Hash of a hash and one word more, both of up to 63 bits; none of its numbers needs more."""
    h ^= word
    h = 698769069 * (h & 0xFFFFFFFF) + (h >> 32)
    h = 698769069 * (h & 0xFFFFFFFF) + (h >> 32)
    return 698769069 * (h & 0xFFFFFFFF) + (h >> 32)


def insert(c, orders, first, last, codes, table, store, is_new):
    """Look up the tours orders[first:last], keep the new ones, and mark them in is_new. Store and table have room."""
    count = orders.shape[1]
    size = codes.shape[0]
    bits = c[BITS]
    per_word = 63 // bits
    words = len(store) // c[ROWS]
    mask = len(table) - 1
    made = c[USED]
    for i in range(first, last):
        start = 0
        step = 1
        if c[KIND] == CYCLES:
            while orders[i, start] != c[HOME]:
                start += 1
            if orders[i, (start + 1) % count] > orders[i, start - 1]:
                step = -1
        elif c[KIND] == UNDIRECTED and orders[i, 0] > orders[i, count - 1]:
            start = count - 1
            step = -1
        base = made * words
        word = 0
        held = 0
        k = 0
        h = 0
        if c[KIND] != CYCLES:
            word = int(orders[i, start])
            store[base] = word
            h = blend(h, word)
            k = 1
            word = 0
        at = start
        before = int(orders[i, at])
        for _ in range(count - 1):
            at += step
            if at == count:
                at = 0
            elif at < 0:
                at = count - 1
            now = int(orders[i, at])
            word = (word << bits) | (codes[before, now] if size > 0 else now)
            before = now
            held += 1
            if held == per_word:
                store[base + k] = word
                h = blend(h, word)
                k += 1
                word = 0
                held = 0
        if held > 0:
            store[base + k] = word
            h = blend(h, word)
        # Its place in the table: that of the same tour, or the first that is free.
        tag = (h >> 30) & 0x7FFFFFFF
        place = h & mask
        new = True
        while new and table[place] != 0:
            if (table[place] >> 32) & 0x7FFFFFFF == tag:
                old = ((table[place] & 0xFFFFFFFF) - 1) * words
                new = False
                for k in range(words):
                    if store[old + k] != store[base + k]:
                        new = True
            place = (place + 1) & mask if new else place
        is_new[i] = new
        if new:
            made += 1
            table[place] = (tag << 32) | made
    c[USED] = made


def refill(c, table, store, rows):
    """Put `rows` of the kept tours more into a larger, at first empty table."""
    words = len(store) // c[ROWS]
    for row in range(c[NEXT], min(c[NEXT] + rows, c[USED])):
        h = 0
        for k in range(words):
            h = blend(h, store[row * words + k])
        place = h & (len(table) - 1)
        while table[place] != 0:
            place = (place + 1) & (len(table) - 1)
        table[place] = (((h >> 30) & 0x7FFFFFFF) << 32) | (row + 1)
    c[NEXT] += rows


KERNELS = (blend, insert, refill)
INNER = (blend,)
