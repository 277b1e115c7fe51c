"""What orders.cc takes besides the order of one large tour on a flat board."""


def columns_of(cols: int, size: int) -> tuple[int, int, int]:
    """(cols, factor, shift): `square * factor >> shift` is `square // cols` for squares below 2**31, within int64.

    On boards of that size and more the factor is 0, which says that numbers are to be divided. Else it is 2**shift /
    cols rounded up, so a product is less than 2**31 * 2**shift / 2**shift too large to reach the next multiple of cols
    (Granlund & Montgomery 1994).

    >>> cols, factor, shift = columns_of(7, 1001)
    >>> 1000 * factor >> shift, 1000 // 7
    (142, 142)
    """
    if size > 1 << 31:
        return cols, 0, 0
    shift = 31 + (cols - 1).bit_length()
    return cols, -(-(1 << shift) // cols), shift
