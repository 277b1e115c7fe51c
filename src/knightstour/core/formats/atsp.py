"""TSPLIB files of the type ATSP whose weights say which arcs there are: two weights, of which the lower is an arc.

So Hamiltonian cycle problems are written for solvers of travelling salesmen, as 0 and 1, or 1 and 9999. Files with more
weights are about lengths, and are refused. Source: G. Reinelt, TSPLIB 95, 1995.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from knightstour.core.formats.graphs import board_in, directed_error
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board

# A weight a pair of nodes: more nodes take gigabytes.
_MAX_NODES = 5_000
_HEAD = ("NAME", "COMMENT", "DIMENSION", "EDGE_WEIGHT_TYPE", "EDGE_WEIGHT_FORMAT")
_HELP = "only EDGE_WEIGHT_TYPE: EXPLICIT with EDGE_WEIGHT_FORMAT: FULL_MATRIX is read; write the arcs as a -> b a line"


def read_atsp(source: Source, pieces: Iterator[tuple[int, str, bool]], line: int) -> Board:
    """The directed graph of a file; its nodes are 1, 2, ... line: of its TYPE; pieces: what follows."""
    if not source.arcs:
        raise directed_error(source, "the type is ATSP", line)
    count, last = 0, line
    weights: list[str] | None = None
    for last, text, is_whole in pieces:
        words = text.replace(":", " : ", 1).split()
        if weights is not None:
            if words[:1] == ["EOF"]:
                break
            weights += words
            if len(weights) > count * count:
                raise source.fail(f"there are more than {count:,} x {count:,} weights", last)
            continue
        if not words or not is_whole:
            continue
        keyword, value = words[0].upper(), " ".join(words[1:]).removeprefix(": ").upper()
        if keyword == "EDGE_WEIGHT_SECTION":
            weights = []
            if not count:
                raise source.fail("the weights come before the DIMENSION", last)
        elif keyword not in _HEAD or (keyword in _HEAD[3:] and value not in ("EXPLICIT", "FULL_MATRIX")):
            raise source.fail(f"{text.strip()[:40]!r} is not read of a file of the type ATSP", last, help=_HELP)
        elif keyword == "DIMENSION":
            count = int(value) if re.fullmatch(r"[1-9]\d{0,8}", value) else 0
            if not 0 < count <= _MAX_NODES:
                raise source.fail(f"the dimension {value[:40]!r} is no number of nodes up to {_MAX_NODES:,}", last)
    if weights is None or len(weights) < count * count:
        raise source.fail(f"the file is cut off: it has fewer than {count:,} x {count:,} weights", last)
    return board_in(source, range(1, count + 1), _arcs(source, weights, count, last), last)


def _arcs(source: Source, weights: list[str], count: int, line: int) -> np.ndarray:
    """The pairs of two nodes with the lower of two weights, as places."""
    try:
        matrix = np.array(weights, dtype=float).reshape(count, count)
    except ValueError:
        raise source.fail("the weights are not all numbers", line) from None
    is_pair = ~np.eye(count, dtype=bool)
    kinds = np.unique(matrix[is_pair])
    if len(kinds) > 2:
        why = f"there are {len(kinds):,} different weights, and arcs are said by two, of which the lower is an arc"
        raise source.fail(why, line, help="write the arcs as a -> b a line")
    if len(kinds):
        source.remark(f"a weight of {kinds[0]:g} is an arc" + (f", one of {kinds[1]:g} none" if len(kinds) > 1 else ""))
        return np.argwhere(is_pair & (matrix == kinds[0]))
    return np.zeros((0, 2), dtype=np.int64)
