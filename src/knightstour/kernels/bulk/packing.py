"""Kernels that pack tours in few bits a move and back, measure them as drawings, and find repeats among packed ones.

A move is coded by its direction (or its place in a list of neighbours), `bits` bits, the first move in the highest
bits of the first byte, as `numpy.packbits` lays bits. steps[s, k] is the square that code k leads to from square s, -1
where it leads nowhere; codes[a, b] says the same the other way round, and may be empty on large boards.
"""

AS_IT_IS, UNDIRECTED, CYCLES = range(3)  # how a tour is packed: as it is, from its lower end, from the lowest square

USED = 0  # item of c of `mark_repeats`: number of keys kept


def code_of(codes, steps, a, b):
    """The code of the move from square a to square b, the number of codes if there is none."""
    if codes.shape[0] > 0:
        return int(codes[a, b])
    k = 0
    while k < steps.shape[1] and steps[a, k] != b:
        k += 1
    return k


def pack(orders, first, last, kind, home, codes, steps, bits, out, starts):
    """Pack the tours orders[first:last] into rows of bytes and their first squares.

    kind: AS_IT_IS, or another, and then tours that count as the same are packed alike; home: the lowest square.
    """
    count = orders.shape[1]
    width = out.shape[1]
    for i in range(first, last):
        at = 0
        step = 1
        if kind == CYCLES:
            while orders[i, at] != home:
                at += 1
            if orders[i, (at + 1) % count] > orders[i, at - 1]:
                step = -1
        elif kind == UNDIRECTED and orders[i, 0] > orders[i, count - 1]:
            at = count - 1
            step = -1
        before = int(orders[i, at])
        starts[i] = before
        word = 0
        held = 0
        place = 0
        for _ in range(count - 1):
            at += step
            if at == count:
                at = 0
            elif at < 0:
                at = count - 1
            now = int(orders[i, at])
            word = (word << bits) | code_of(codes, steps, before, now)
            before = now
            held += bits
            while held >= 8:
                held -= 8
                out[i, place] = (word >> held) & 255
                place += 1
            word &= 255
        if held > 0:
            out[i, place] = (word << (8 - held)) & 255
            place += 1
        while place < width:
            out[i, place] = 0
            place += 1


def unpack(packed, starts, first, last, steps, bits, out):
    """The tours of packed rows; the number of the first row that holds a move to nowhere, or -1."""
    count = out.shape[1]
    size = steps.shape[0]
    kinds = steps.shape[1]
    mask = (1 << bits) - 1
    for i in range(first, last):
        s = int(starts[i])
        if s < 0 or s >= size:
            return i
        out[i, 0] = s
        word = 0
        held = 0
        place = 0
        for k in range(1, count):
            while held < bits:
                word = ((word << 8) | int(packed[i, place])) & 0xFFFFFF
                held += 8
                place += 1
            held -= bits
            code = (word >> held) & mask
            if code >= kinds:
                return i
            s = int(steps[s, code])
            if s < 0:
                return i
            out[i, k] = s
    return -1


def count_turns(orders, first, last, closed, codes, steps, out):
    """For each tour, at how many squares the direction changes. closed: 1 for each closed tour, else 0."""
    count = orders.shape[1]
    for i in range(first, last):
        total = 0
        before = -1
        start = -1
        for k in range(1, count):
            code = code_of(codes, steps, int(orders[i, k - 1]), int(orders[i, k]))
            total += before != -1 and code != before
            if start == -1:
                start = code
            before = code
        if closed[i]:
            code = code_of(codes, steps, int(orders[i, count - 1]), int(orders[i, 0]))
            total += (code != before) + (code != start)
        out[i] = total


def count_crossings(orders, first, last, closed, codes, steps, lines, places, spots, begins, jumps, drawn, out):
    """For each tour, how many pairs of its moves cross.

    lines[code]: twice the number of the move's direction up or down, one more if it goes upwards. places: where a
    square lies in a picture with a margin. spots: scratch. begins, jumps: for each direction, from a move to those that
    may cross it. drawn: one picture a direction, all 0; so it is left.
    """
    count = orders.shape[1]
    for i in range(first, last):
        moves = count if closed[i] else count - 1
        for k in range(moves):
            a = int(orders[i, k])
            b = int(orders[i, (k + 1) % count])
            line = int(lines[code_of(codes, steps, a, b)])
            spots[k] = places[b if line & 1 else a] + (line >> 1) * (len(drawn) // (len(begins) - 1))
            drawn[spots[k]] = 1
        total = 0
        for k in range(moves):
            at = spots[k]
            way = at // (len(drawn) // (len(begins) - 1))
            for j in range(begins[way], begins[way + 1]):
                total += drawn[at + jumps[j]]
        for k in range(moves):
            drawn[spots[k]] = 0
        out[i] = total


def find_symmetries(orders, first, last, closed, images, step_of, out):
    """For each tour, the images that lay it on itself, a bit each. step_of: scratch, an item a square."""
    count = orders.shape[1]
    for i in range(first, last):
        for k in range(count):
            step_of[orders[i, k]] = k
        found = 0
        for g in range(images.shape[0]):
            before = int(step_of[images[g, orders[i, 0]]])
            good = True
            k = 1
            while good and k < count + int(closed[i]):
                now = int(step_of[images[g, orders[i, k % count]]])
                apart = abs(now - before)
                good = apart == 1 or (closed[i] == 1 and apart == count - 1)
                before = now
                k += 1
            if good:
                found |= 1 << g
        out[i] = found


def mark_repeats(c, keys, hashes, first, last, table, store, is_repeat):
    """Look up keys[first:last], rows of words; mark those seen before, and keep the others in store.

    table: an open hash table of row numbers in store plus 1, 0 for none; it and the store have room.
    """
    words = keys.shape[1]
    mask = len(table) - 1
    used = c[USED]
    for i in range(first, last):
        place = int(hashes[i]) & mask
        repeat = False
        while table[place] != 0 and not repeat:
            old = table[place] - 1
            repeat = True
            for k in range(words):
                if store[old, k] != keys[i, k]:
                    repeat = False
            if not repeat:
                place = (place + 1) & mask
        is_repeat[i] = repeat
        if not repeat:
            for k in range(words):
                store[used, k] = keys[i, k]
            used += 1
            table[place] = used
    c[USED] = used


def refill(hashes, first, table):
    """Put the kept keys from number `first` on, those whose hashes are given, into a larger table."""
    mask = len(table) - 1
    for k in range(len(hashes)):
        place = int(hashes[k]) & mask
        while table[place] != 0:
            place = (place + 1) & mask
        table[place] = first + k + 1


KERNELS = (code_of, pack, unpack, count_turns, count_crossings, find_symmetries, mark_repeats, refill)
INNER = (code_of,)
