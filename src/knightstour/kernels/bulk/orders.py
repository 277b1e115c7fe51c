"""Kernels over the order of one large tour on a flat board: is it a tour, and its numbers and squares.

They know nothing of how tours are made. An order is square numbers `row * cols + col` below 2**31. A division by cols
would take most of the time, so the row of a square is `square * factor >> shift`, see `reciprocal`.
"""


def reciprocal(cols):
    """(factor, shift): `square * factor >> shift` is `square // cols` for squares below 2**31, without leaving int64.

    The factor is 2**shift / cols rounded up, so a product is less than 2**31 * 2**shift / 2**shift too large to reach
    the next multiple of cols (Granlund & Montgomery 1994).
    """
    shift = 31 + (cols - 1).bit_length()
    return -(-(1 << shift) // cols), shift


def first_fault(order, first, last, size, cols, factor, shift, seen):
    """The first of the steps first..last - 1 that is off the board, seen before or no knight's move; or -1.

    seen: a byte a square, 0 at first.
    """
    row_before = 0
    col_before = 0
    if first > 0:
        square = order[first - 1]
        row_before = (square * factor) >> shift
        col_before = square - row_before * cols
    for k in range(first, last):
        square = order[k]
        if square < 0 or square >= size or seen[square] != 0:
            return k
        seen[square] = 1
        row = (square * factor) >> shift
        col = square - row * cols
        # Of whole numbers only 1 and 2 have the product 2.
        product = (row - row_before) * (col - col_before)
        if product * product != 4 and k > 0:
            return k
        row_before = row
        col_before = col
    return -1


def put_numbers(order, numbers):
    """Write the number of each square, from 1, into a flat array."""
    for k in range(len(order)):
        numbers[order[k]] = k + 1


def put_squares(order, cols, factor, shift, squares):
    """Write the row and the column of each square into squares[:, 0] and squares[:, 1]."""
    for k in range(len(order)):
        square = order[k]
        row = (square * factor) >> shift
        squares[k, 0] = row
        squares[k, 1] = square - row * cols


KERNELS = (first_fault, put_numbers, put_squares)
