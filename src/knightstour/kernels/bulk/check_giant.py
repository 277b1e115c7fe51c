"""Kernels that check giant tours, from diagrams or lists, a part at a time.

They know nothing of how tours are made. A diagram is checked square by square: does a neighbour carry the next number?
A list is walked: is each square new, and a move from the one before?
"""

# Items of `found` of `check_diagram`: how many zeros, numbers beyond 1..most and squares without a next number; the
# least number of these; then for number 1, the last number and a stray one where in the block it is first met; and how
# often 1 and the last are there.
ZEROS, STRAY, LOST, LEAST_LOST, AT_FIRST, FIRSTS, AT_LAST, LASTS, AT_STRAY = range(9)

# Items of `state` of `check_list`: steps taken, and the square before.
STEP, ROW, COL = range(3)


def check_diagram(block, top, bottom, left, right, stride, most, low, high, moves, wanted, found):
    """Look at rows [top, bottom) and columns [left, right) of a block that reaches a move further on each side.

    block: flat array, `stride` places a row; off the board it has zeros. most: the last number. low, high: 1 and most
    in the block's type. moves: eight distances in the block. wanted: scratch of the block's type, a row long.
    """
    width = right - left
    for r in range(top, bottom):
        at = r * stride + left
        here = block[at : at + width]
        want = wanted[:width]
        a = block[at + moves[0] : at + moves[0] + width]
        b = block[at + moves[1] : at + moves[1] + width]
        c = block[at + moves[2] : at + moves[2] + width]
        d = block[at + moves[3] : at + moves[3] + width]
        e = block[at + moves[4] : at + moves[4] + width]
        f = block[at + moves[5] : at + moves[5] + width]
        g = block[at + moves[6] : at + moves[6] + width]
        h = block[at + moves[7] : at + moves[7] + width]
        for k in range(width):
            want[k] = here[k] + 1
        good = 0
        for k in range(width):
            w = want[k]
            is_followed = (
                (a[k] == w)
                | (b[k] == w)
                | (c[k] == w)
                | (d[k] == w)
                | (e[k] == w)
                | (f[k] == w)
                | (g[k] == w)
                | (h[k] == w)
            )
            good += is_followed & (here[k] > low) & (here[k] < high)
        if good == width:
            continue
        for k in range(width):
            x = here[k]
            if x == 0:
                found[ZEROS] += 1
                continue
            if x < 1 or x > most:
                if found[STRAY] == 0:
                    found[AT_STRAY] = at + k
                found[STRAY] += 1
                continue
            if x == 1:
                if found[FIRSTS] == 0:
                    found[AT_FIRST] = at + k
                found[FIRSTS] += 1
            if x == most:
                if found[LASTS] == 0:
                    found[AT_LAST] = at + k
                found[LASTS] += 1
                continue
            w = want[k]
            if not (
                (a[k] == w)
                | (b[k] == w)
                | (c[k] == w)
                | (d[k] == w)
                | (e[k] == w)
                | (f[k] == w)
                | (g[k] == w)
                | (h[k] == w)
            ):
                if found[LOST] == 0 or x < found[LEAST_LOST]:
                    found[LEAST_LOST] = x
                found[LOST] += 1


def check_list(rows, cols, board_rows, board_cols, short, long, visited, state):
    """Walk on over these squares; the place in `rows` of the first that is off the board, no move, or not new; or -1.

    visited: a bit a square. short, long: the leap.
    """
    before_row = state[ROW]
    before_col = state[COL]
    step = state[STEP]
    for k in range(len(rows)):
        r = rows[k]
        c = cols[k]
        if r < 0 or r >= board_rows or c < 0 or c >= board_cols:
            return k
        if step > 0:
            down = abs(r - before_row)
            along = abs(c - before_col)
            if not ((down == short and along == long) or (down == long and along == short)):
                return k
        square = r * board_cols + c
        bit = 1 << (square & 7)
        if visited[square >> 3] & bit:
            return k
        visited[square >> 3] |= bit
        before_row = r
        before_col = c
        step += 1
    state[STEP] = step
    state[ROW] = before_row
    state[COL] = before_col
    return -1


KERNELS = (check_diagram, check_list)
