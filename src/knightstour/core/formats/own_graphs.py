"""Forms of graphs that no other library reads and that are named, not guessed: TGF, METIS, lists and matrices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from knightstour.core.formats.edge_lists import board_found, body_of, under_counts
from knightstour.core.formats.graph_readings import (
    COUNT,
    READINGS,
    Edge,
    Found,
    Line,
    Misfit,
    checked_name,
    of_edges,
    of_neighbours,
)
from knightstour.core.formats.graphs import board_in
from knightstour.core.machine.files import PIECE_CHARS, Source
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graphs import nodes_and_edges

_MOST_CHARS = 100_000_000


def _raw_lines(source: Source) -> list[Line]:
    lines, chars = list[Line](), 0
    for number, text, is_whole in source.pieces():
        chars += len(text)
        if not is_whole or chars > _MOST_CHARS:
            raise source.fail(f"a file or line of more than {PIECE_CHARS:,} characters: this is no graph", number)
        lines.append(Line(number, text.strip()))
    return lines


def read_by_name(option: str, source: Source) -> Iterator[Board]:
    """The graph of a text in one of the forms of READINGS, which a word such as adjacency:FILE names."""
    lines, remarks = body_of(_raw_lines(source))
    misfits = list[Misfit]()
    fits = list[Found]()
    for row in READINGS:
        if row.option == option:
            try:
                fits.append(under_counts(row, lines, False))
            except Misfit as misfit:
                misfits.append(misfit)
    for remark in remarks:
        source.remark(remark)
    for other in fits[1:]:
        if not other.same_graph(fits[0]):
            raise source.fail(
                f"two readings fit: {fits[0].remarks[0]}; or {other.remarks[0]}", help="write an edge a line"
            )
    if fits:
        yield board_found(source, fits[0], lines[-1].number)
        return
    worst = max(misfits, key=lambda misfit: (misfit.is_sure, misfit.is_counted, misfit.line))
    raise source.fail(worst.message, worst.line, help=worst.help)


def read_matrix(source: Source) -> Iterator[Board]:
    """An adjacency matrix, as text or as a NumPy file."""
    if not source.is_array:
        yield from read_by_name("matrix", source)
        return
    matrix = array_in(source)
    source.remark("the array is an adjacency matrix: an edge where an entry is not 0")
    try:
        nodes, edges = nodes_and_edges(matrix)
    except BoardError as error:
        raise source.fail(str(error), help=error.help) from None
    yield board_in(source, nodes, edges[edges[:, 0] <= edges[:, 1]], 1)


def array_in(source: Source) -> np.ndarray:
    """The array of a `.npy` file, mapped where it is one on disk."""
    if source.head[6:7] > b"\x01" and int.from_bytes(source.head[8:12], "little") > PIECE_CHARS:
        raise source.fail("a damaged .npy file: its head is far too long")
    if not source.head.startswith(b"\x93NUMPY"):
        raise source.fail("a matrix is read from text or from a .npy file")
    try:
        if source.is_file and source.path is not None:
            loaded: np.ndarray = np.load(source.path, mmap_mode="r", allow_pickle=False)
        else:
            loaded = np.lib.format.read_array(source.stream, allow_pickle=False)
    except Exception as error:
        # NumPy raises a dozen kinds of errors on damaged files.
        raise source.fail(f"a damaged .npy file: {error}".splitlines()[0]) from error
    if loaded.size > _MOST_CHARS:
        raise source.fail(f"a matrix of {loaded.size:,} entries is too large")
    return np.asarray(loaded)


# ---------------------------------------------------------------- TGF


def tgf(raw: Sequence[Line]) -> Found:
    """Trivial Graph Format: a line `name label` for each node, a line `#`, then a line `name name label` an edge."""
    cut = next((k for k, line in enumerate(raw) if line.text == "#"), None)
    if cut is None:
        raise Misfit("a TGF file has a line '#' between nodes and edges", raw[-1].number if raw else 1)
    nodes = dict[str, int]()
    for number, text in raw[:cut]:
        if text:
            name = checked_name(text.split()[0], number)
            if name in nodes:
                raise Misfit(f"node {name[:40]!r} is listed twice", number)
            nodes[name] = number
    edges = list[Edge]()
    for number, text in raw[cut + 1 :]:
        words = text.split()
        if not words:
            continue
        if len(words) < 2:
            raise Misfit("an edge of TGF is a line of two nodes, and perhaps a label", number)
        for word in words[:2]:
            if word not in nodes:
                raise Misfit(f"{word[:40]!r} is none of the nodes above the line '#'", number)
        edges.append((words[0], words[1]))
    if not nodes:
        raise Misfit("there is no node above the line '#'", raw[cut].number)
    return of_edges(edges, list(nodes), ["read as TGF: nodes above the line '#', and edges, which go both ways, below"])


def read_tgf(source: Source) -> Iterator[Board]:
    """The graph of a TGF file; labels of nodes and edges are left out."""
    raw = _raw_lines(source)
    try:
        yield board_found(source, tgf(raw), raw[-1].number if raw else 1)
    except Misfit as misfit:
        raise source.fail(misfit.message, misfit.line, help=misfit.help) from None


# ---------------------------------------------------------------- METIS


def read_metis(source: Source) -> Iterator[Board]:
    """The graph of a METIS file: `nodes edges`, then the neighbours of each node a line; the nodes are 1, 2, ...

    Weights, which the third and fourth number of the first line announce, are left out.
    """
    try:
        lines = [line for line in _raw_lines(source) if not line.text.startswith("%")]
        yield board_found(source, _metis(lines), lines[-1].number)
    except Misfit as misfit:
        help = misfit.help or "the suffix says METIS; for a list of edges give edges:FILE (format='edges')"
        raise source.fail(misfit.message, misfit.line, help=help) from None


def _metis(lines: list[Line]) -> Found:
    while lines and not lines[0].text:
        lines.pop(0)
    head = lines[0].text.split() if lines else []
    if not 2 <= len(head) <= 4 or not all(COUNT.match(word) for word in head):
        raise Misfit("a METIS file begins with the numbers of nodes and edges", lines[0].number if lines else 1)
    count, listed = int(head[0]), int(head[1])
    kind = head[2].zfill(3) if len(head) > 2 else "000"
    if set(kind) - set("01") or len(kind) > 3:
        raise Misfit(f"the third number of a METIS file is made of 0 and 1, not {kind!r}", lines[0].number)
    before = (kind[0] == "1") + (kind[1] == "1") * (int(head[3]) if len(head) > 3 else 1)
    body = lines[1:]
    while len(body) > count and not body[-1].text:
        body.pop()
    if len(body) != count:
        raise Misfit(f"{count:,} nodes are announced, and {len(body):,} lines follow", lines[0].number)
    near, at = dict[str, list[str]](), dict[str, int]()
    for node, (number, text) in enumerate(body, 1):
        words = text.split()[before:]
        if not all(COUNT.match(word) for word in words):
            raise Misfit("a line of METIS lists numbers of nodes", number)
        words = words[:: 2 if kind[2] == "1" else 1]
        for word in words:
            if not 1 <= int(word) <= count:
                raise Misfit(f"node {word} is not one of 1 to {count}", number)
        near[str(node)], at[str(node)] = [str(int(word)) for word in words], number
    found = of_neighbours(near, at, "read as METIS: line k lists the neighbours of node k", is_sure=True)
    if len(found.edges) != listed:
        what = f"{listed:,} edges are announced, and {len(found.edges):,} are here: is the file cut off?"
        raise Misfit(what, lines[0].number)
    return found


neighbours_by_name = partial(read_by_name, "neighbours")
brackets_by_name = partial(read_by_name, "brackets")
