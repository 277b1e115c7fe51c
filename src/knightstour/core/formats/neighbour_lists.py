"""Graphs as lists of neighbours and as adjacency matrices, which contain each edge from both ends."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps

import numpy as np

from knightstour.core.formats.arrays import array_in
from knightstour.core.formats.graph_lines import (
    COUNT,
    NUMBER,
    GraphReading,
    Line,
    Misfit,
    checked_name,
    neighbours_found,
)
from knightstour.core.formats.graphs import ARCS_HELP, board_in
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board
from knightstour.core.model.drawing import is_matrix_of_signs
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graphs import nodes_and_edges

_MAX_ENTRIES = 100_000_000
_SAID_OF_MATRIX = "an adjacency matrix, in which nonzero entries are edges"


def _perhaps_under_counts(
    read: Callable[[Sequence[Line], bool], GraphReading],
) -> Callable[[Sequence[Line], bool, bool], list[GraphReading]]:
    """Try all lines, or else the lines below counts of nodes and optionally edges."""

    @wraps(read)
    def reading(lines: Sequence[Line], is_plain: bool, arcs: bool) -> list[GraphReading]:
        try:
            return [read(lines, arcs)]
        except Misfit as misfit:
            top = lines[0].text.split()
            if len(lines) < 2 or len(top) > 2 or not all(map(COUNT.match, top)):
                raise
            try:
                found = read(lines[1:], arcs)
            except Misfit as below:
                raise below if below.is_sure else misfit from None
            said = [len(found.nodes), len(found.pairs)][: len(top)]
            if [int(word) for word in top] != said:
                why = f"the first line {lines[0].text!r} is wrong: {said[0]} nodes and {len(found.pairs)} edges follow"
                raise Misfit(why, lines[0].number, is_sure=True) from None
            remark = f"the first line {lines[0].text!r} is omitted: it counts the lines below"
            return [found._replace(remarks=(*found.remarks, remark), is_counted=True)]

    return reading


# ---------------------------------------------------------------- neighbours


@_perhaps_under_counts
def with_colons(lines: Sequence[Line], arcs: bool) -> GraphReading:
    """Read lines `a: b c`, a node and its neighbours."""
    near, at = dict[str, list[str]](), dict[str, int]()
    for number, text in lines:
        head, mark, rest = text.partition(":")
        if not mark:
            raise Misfit(f"there is no ':' after a node in {text[:40]!r}", number)
        name = checked_name(head.strip(), number)
        if name in near:
            raise Misfit(f"the neighbours of {name!r} are listed twice", number, is_sure=True)
        rest = rest.strip().rstrip(".;,")
        if rest[:1] + rest[-1:] in ("[]", "()", "{}"):
            rest = rest[1:-1]
        near[name], at[name] = [checked_name(word, number) for word in re.split(r"[\s,;]+", rest) if word], number
    beside = "the heads of its arcs" if arcs else "its neighbours"
    return neighbours_found(near, at, f"each line is a node and {beside}", arcs, is_sure=True)


@_perhaps_under_counts
def numbered_lists(lines: Sequence[Line], arcs: bool) -> GraphReading:
    """Read the neighbours of one node per line. Nodes are numbered by line, from 0 or from 1."""
    rows = _rows(lines)
    for row, line in zip(rows, lines, strict=True):
        if not all(map(COUNT.match, row)):
            raise Misfit("a list of numbered neighbours must contain only numbers", line.number)
    first = 0 if any("0" in row for row in rows) else 1
    near = {str(k): row for k, row in enumerate(rows, first)}
    at = {str(k): line.number for k, line in enumerate(lines, first)}
    listed = "the nodes after" if arcs else "the neighbours of"
    return neighbours_found(near, at, f"line k lists {listed} node k, counted from {first}", arcs, is_sure=False)


# ---------------------------------------------------------------- matrices


def matrix(lines: Sequence[Line], is_plain: bool, arcs: bool) -> list[GraphReading]:
    """Read an adjacency matrix, optionally below counts; or several, each below its number of rows.

    Their number may be above all of them, and a 0 below. An arc leads from its row to its column.
    """
    return _several_matrices(lines, arcs) or _one_matrix(lines, is_plain, arcs)


def _several_matrices(lines: Sequence[Line], arcs: bool) -> list[GraphReading]:
    """Return the graphs of matrices below their numbers of rows; [] for a single matrix."""
    is_total = len(lines) > 1 and all(COUNT.match(line.text) for line in lines[:2])
    found, at = list[GraphReading](), int(is_total)
    has_end = len(lines) > 2 and lines[-1].text == "0"
    while at < len(lines) - has_end:
        top = lines[at]
        size = int(top.text) if COUNT.match(top.text) else 0
        rows = lines[at + 1 : min(at + 1 + size, len(lines) - has_end)]
        is_matrix = size > 1 and len(rows) == size and all(len(row) == size for row in _entries(rows))
        if not is_matrix and not found:
            return []
        if not is_matrix:
            why = f"a matrix ends above, and {top.text[:40]!r} is not the number of rows of another matrix"
            raise Misfit(why, top.number, is_sure=True)
        remark = f"line {top.number} is omitted: it counts the rows of a matrix"
        graph = _matrix(rows, arcs)
        found.append(graph._replace(remarks=(*graph.remarks, remark), is_counted=True))
        at += 1 + size
    if is_total and int(lines[0].text) != len(found):
        why = f"the first line counts {lines[0].text} matrices, but {len(found)} follow"
        raise Misfit(why, lines[0].number, is_sure=True)
    if has_end and found:
        remark = "the last line '0' is omitted: it ends the matrices"
        found[-1] = found[-1]._replace(remarks=(*found[-1].remarks, remark))
    return found if len(found) > 1 or is_total or has_end else []


def _entries(lines: Sequence[Line]) -> list[list[str]]:
    """Return the entries of the rows of a matrix, which may be digits or signs without blanks."""
    if is_matrix_of_signs([line.text for line in lines]):
        return [["1" if sign == "+" else "0" for sign in line.text] for line in lines]
    rows = _rows(lines)
    return [list(row[0]) for row in rows] if all(len(row) == 1 and set(row[0]) <= set("01") for row in rows) else rows


@_perhaps_under_counts
def _one_matrix(lines: Sequence[Line], arcs: bool) -> GraphReading:
    return _matrix(lines, arcs)


def _matrix(lines: Sequence[Line], arcs: bool) -> GraphReading:
    rows = _entries(lines)
    count = len(rows)
    if count < 2:
        raise Misfit("a matrix needs several rows", lines[0].number)
    for row, line in zip(rows, lines, strict=True):
        if len(row) != count or not all(map(NUMBER.match, row)):
            why = f"each of {count} rows of an adjacency matrix has {count} numbers, but this one has {len(row)}"
            is_bare = count > 3 and {word for row in rows for word in row} == {"0", "1"}
            raise Misfit(why, line.number, is_sure=is_bare)
    entries = np.array(rows, dtype=float)
    is_bare = set(np.unique(entries).tolist()) <= {0.0, 1.0} and count > 2
    odd = np.argwhere(entries != entries.T)
    if len(odd) and not arcs:
        r, c = odd[0].tolist()
        why = f"entry ({r}, {c}) of the matrix is {rows[r][c]} and ({c}, {r}) is {rows[c][r]}: the graph is directed"
        raise Misfit(why, lines[r].number, help=f"{ARCS_HELP}; or make the matrix symmetric", is_sure=is_bare)
    if entries.diagonal().any():
        raise Misfit("the diagonal of an adjacency matrix must be 0", lines[0].number, is_sure=is_bare)
    if not entries.any():
        raise Misfit("the matrix has no edge", lines[0].number)
    pairs = np.argwhere((entries if arcs else np.triu(entries)) != 0)
    return GraphReading([str(k) for k in range(count)], pairs, (f"the rows are {_SAID_OF_MATRIX}",))


def _rows(lines: Sequence[Line]) -> list[list[str]]:
    return [re.split(r"[\s,;]+", line.text.strip(",; \t")) for line in lines]


def read_array(source: Source) -> Iterator[Board]:
    """Read the graph of an adjacency matrix in a `.npy` file."""
    source.remark(f"the array is {_SAID_OF_MATRIX}")
    try:
        nodes, edges = nodes_and_edges(matrix_in(source), arcs=source.arcs)
    except BoardError as error:
        raise source.fail(str(error), help=f"{ARCS_HELP}; or make it symmetric") from None
    yield board_in(source, nodes, edges if source.arcs else edges[edges[:, 0] <= edges[:, 1]], 1)


def matrix_in(source: Source) -> np.ndarray:
    """Return the array of a `.npy` file. Raises FormatError if it is too large for a matrix."""
    if not source.head.startswith(b"\x93NUMPY"):
        raise source.fail("a matrix must be text or a .npy file")
    loaded = array_in(source)
    if loaded.size > _MAX_ENTRIES:
        raise source.fail(f"a matrix of {loaded.size:,} entries is too large")
    return np.asarray(loaded)
