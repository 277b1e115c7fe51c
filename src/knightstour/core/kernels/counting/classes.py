"""Encodings "classes", of partial tours as numbers (classes.cc lists the classes of a layer), and "lists by class".

class: one int64. Bits 0-15, `ends`: the slots that end a path. Bits 16-31, `inner`: the slots with both moves. The
other slots are bare. Bits 32-33: number of placed ends of the tour, 0, 1 or 2 (always 0 for closed tours). With two
more slots, bits 40-41 and 42-43 are their `ends` and `inner`.

The functions here accept ints and arrays.
"""

from typing import Any, NamedTuple

import numpy as np

# Columns of the steps. DEAL: the square in SLOT gets its missing moves, to the slots of NEAR, and to its HEIR, a new
# square that inherits SLOT, if there is one. END: only decide whether the square in SLOT is an end of the tour.
# MAX_ENDS: it can be an end only if at most this number is placed afterwards. MUST_END: it must be an end.
KIND, SLOT, NEAR, HEIR, MAX_ENDS, MUST_END = range(6)
DEAL, END = range(2)

# Effect of an operation on the words of a class; see Name in words.h.
KEEP, PAIR, MOVE, JOIN, LOOSEN, LOOSEN_LAST, STUB_LAST = range(7)
# Flag: the state is then replaced by its image under the flip of the board.
FLIPPED = 1 << 12
# Number of low bits of an edge, for its operation; the index of its source is above.
OP_BITS = 13
OP_MASK = (1 << OP_BITS) - 1
# Maximum number of choices of a step for a class.
MAX_CHOICES = 160

# Counts modulo two primes are one int: residue modulo the first prime in the low bits, modulo the second above. The two
# primes are packed in the same way.
PAIR_SHIFT = 31
PAIR_MASK = (1 << PAIR_SHIFT) - 1

# Slots 0 to 15, and slots 16 and 17.
LOW_SLOTS, HIGH_SLOTS = 0xFFFF, 0x30000
# Bit positions of the fields of a class.
_ENDS_UP, _INNER_UP = 24, 26


class Stepping(NamedTuple):
    """Step on classes. step: a row of cut.Half.steps. folds: 1 to keep only the lower of two children that are flips of
    each other. flip: the image of each mask of slots."""

    step: np.ndarray
    folds: int
    flip: np.ndarray


class Adding(NamedTuple):
    """Effect of middle moves on classes. subsets: see middle.subsets_of. joins_folded: 1 if the lower one of two flips
    represents both. is_folded: 1 to include the flips of the classes."""

    subsets: np.ndarray
    is_folded: int
    joins_folded: int
    flip: np.ndarray


class Set(NamedTuple):
    """A set of classes.

    The index of a class: each slot is a digit, 0 bare, 1 inner, 2 end; `weights[mask]` is the sum of the weights of its
    slots, so the index is weights[inner] + 2 weights[ends] + placed * size. The low 32 bits of item k of `marks` are a
    bit set of the indices 32 k .. 32 k + 31; after `classes_number` the bits above are the number of members before
    them. One access therefore yields the number of a member.
    """

    weights: np.ndarray
    size: int
    marks: np.ndarray


def placed_in(c: Any) -> Any:
    """Number of placed ends of the tour."""
    return (c >> 32) & 3


def ends_of(c: Any) -> Any:
    """Return the slots that end a path.

    >>> bin(ends_of(class_of(0, 0b1, 0b110)))
    '0b110'
    """
    return (c & LOW_SLOTS) | ((c >> _ENDS_UP) & HIGH_SLOTS)


def inner_of(c: Any) -> Any:
    """Return the slots with two moves."""
    return ((c >> 16) & LOW_SLOTS) | ((c >> _INNER_UP) & HIGH_SLOTS)


def class_of(placed: Any, inner: Any, ends: Any) -> Any:
    """Return the class with these slots."""
    low = (placed << 32) | ((inner & LOW_SLOTS) << 16) | (ends & LOW_SLOTS)
    return low | ((inner & HIGH_SLOTS) << _INNER_UP) | ((ends & HIGH_SLOTS) << _ENDS_UP)


class ByTarget(NamedTuple):
    """Edges of a step by target: edges to class t of the new layer are edges[starts[t]] .. edges[starts[t + 1] - 1]. An
    edge is the index of its source << OP_BITS | operation."""

    starts: np.ndarray
    edges: np.ndarray


class Lists(NamedTuple):
    """Lists of states of a layer, by class, as input and output of lists.cc.

    Class j has lengths[j] states, from item offsets[j] on, unsorted, with distinct words. A state is a word and its
    value (algebras.h): a row of int64 (states, 2), or, with a polynomial, 1 + widths[j] items of int64. Floats are
    stored in the same 64 bits.
    """

    classes: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray


class NewLists(NamedTuple):
    """Output lists. room[t]: a power of two greater than the maximum length of list t. masses: float64, sum of the
    values of the states; 0 for residues."""

    room: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray
    masses: np.ndarray


class Packing(NamedTuple):
    """bits: per coefficient. fields: coefficients per number, lowest first."""

    bits: int
    fields: int
