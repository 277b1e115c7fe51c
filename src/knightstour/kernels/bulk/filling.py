"""Kernel that fills arrays with arithmetic patterns, at nearly the speed of memory.

An item says: for i in from_row..to_row - 1 and e in begin..end - 1, with x = e % width and the tables at `offset + x`,

    out[place + i * step + e] = first + i * rise + (e // width) * jump

The first block of a row is made from the tables; every later element is the one a block before plus a constant, which
is one load, one addition and one store, many at a time. Scratch rows: the next first block, its rise from row to row,
and the constant from block to block. Every element is written once, so items may be shared out to threads at will.
"""

PLACE, STEP, WIDTH, OFFSET, FROM_ROW, TO_ROW, BEGIN, END = range(8)


def fill(out, items, first, rise, jump, scratch, block_size):
    """Write all the items. out: flat array. scratch: (3, at least block_size and every width) of out's type."""
    for t in range(items.shape[0]):
        place = items[t, PLACE]
        step = items[t, STEP]
        width = items[t, WIDTH]
        offset = items[t, OFFSET]
        from_row = items[t, FROM_ROW]
        to_row = items[t, TO_ROW]
        begin = items[t, BEGIN]
        count = items[t, END] - begin
        if count == 1:
            x = begin % width
            value = first[offset + x] + (begin // width) * jump[offset + x] + from_row * rise[offset + x]
            for i in range(from_row, to_row):
                out[place + i * step + begin] = value
                value += rise[offset + x]
            continue
        laps = max(1, block_size // width)
        block = min(laps * width, count)
        head = scratch[0, :block]
        down = scratch[1, :block]
        right = scratch[2, :block]
        lap = begin // width
        x = begin - lap * width
        for k in range(block):
            head[k] = first[offset + x] + lap * jump[offset + x] + from_row * rise[offset + x]
            down[k] = rise[offset + x]
            right[k] = laps * jump[offset + x]
            x += 1
            if x == width:
                x = 0
                lap += 1
        for i in range(from_row, to_row):
            at = place + i * step + begin
            here = out[at : at + block]
            for k in range(block):
                here[k] = head[k]
                head[k] += down[k]
            done = block
            while done < count:
                size = min(block, count - done)
                before = out[at + done - block : at + done - block + size]
                here = out[at + done : at + done + size]
                for k in range(size):
                    here[k] = before[k] + right[k]
                done += size


KERNELS = (fill,)
