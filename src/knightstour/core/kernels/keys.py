"""Encoding "keys": different rows of words, numbered in the order in which they are first met; see keys.h."""

from typing import NamedTuple

import numpy as np


class Keys(NamedTuple):
    """words: uint64 (room, words of a key). table: uint32 (places, 2), a power of two of places, at least two a key:
    1 + the number of a key, 0 where the place is free, and a part of its hash."""

    words: np.ndarray
    table: np.ndarray
