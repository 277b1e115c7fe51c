"""Encoding "lists by class": the lists of states of a layer, as the kernels of lists.cc take and make them.

Class j of a layer has lengths[j] states, from item offsets[j] on, in no order; their words differ. A state is a word
and what it carries (algebras.h): a row of int64 (states, 2), where a weight is a float in the same 64 bits; or, with a
polynomial, 1 + widths[j] items of int64, one state after the other. Arrays are of int64 unless it is said.
"""

from typing import NamedTuple

import numpy as np


class ByTarget(NamedTuple):
    """The edges of a step by target: those to class t of the new layer are edges[starts[t]] .. edges[starts[t + 1] -
    1]. An edge is the number of its source << OP_BITS | operation."""

    starts: np.ndarray
    edges: np.ndarray


class Lists(NamedTuple):
    """The lists of the layer before."""

    classes: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray


class Made(NamedTuple):
    """The lists that are made. room[t]: a power of two greater than the number of states that list t can have. masses:
    float64, the sum of what the states carry; 0 for residues."""

    room: np.ndarray
    offsets: np.ndarray
    lengths: np.ndarray
    masses: np.ndarray


class Packing(NamedTuple):
    """bits: of a coefficient. fields: coefficients in one number, the lowest first."""

    bits: int
    fields: int
