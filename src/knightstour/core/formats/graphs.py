"""Graphs as text: graph6, sparse6 and DIMACS.

Nodes are the squares of a board in rows from the top left. graph6 and sparse6 number them from 0, DIMACS from 1. Loops
and repeated edges are omitted.

Files are untrusted: the number of nodes is checked before memory is allocated, in proportion to the size of the file.

Sources: B. D. McKay, "Description of graph6, sparse6 and digraph6 encodings" (formats.txt of nauty); "Clique and
Coloring Problems: Graph Format", DIMACS 1993.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from knightstour.core.machine.files import PIECE_CHARS, Source
from knightstour.core.model.board import MAX_LISTED_SQUARES, Board, move_graph, square_count, title_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import board_of_edges

# A graph6 line of 20,000 nodes has 33 million characters.
MAX_GRAPH6_NODES = 20_000
_MAX_CHARS = 40_000_000
# Words in the line 'p' instead of "edge": in PACE (tree width and depth), and for arcs (shortest paths and flows).
_PACE = ("tw", "td")
_ARCS = ("sp", "arc", "max")
MAX_EDGES = 5_000_000
# Help if a file contradicts the requested direction of edges.
LEAVE_ARCS = "omit :directed (directed=True in Python)"
ARCS_HELP = "FILE:directed (directed=True in Python) reads each edge as an arc"
# Larger graphs must have enough edges to be connected, so that a short file cannot allocate gigabytes.
_MAX_FREE_NODES = 1_000_000
EDGE_LINES = 10_000
# Integers in Python notation.
WHOLE = re.compile(r"0|-?[1-9]\d{0,17}", re.ASCII)


def numbered_edges(board: Board, extra_vertex: bool = False) -> tuple[int, np.ndarray]:
    """Return the number of squares, and the moves as index pairs (lower, higher).

    Args:
        extra_vertex: Whether to add a node joined to all, so that Hamiltonian cycles are open tours.
    """
    moves, count = move_graph(board), square_count(board)
    edges = (np.cumsum(moves.is_square) - 1)[moves.edges()]
    if extra_vertex:
        edges = np.concatenate([edges, np.stack([np.arange(count), np.full(count, count)], axis=1)])
    return count + extra_vertex, edges


def board_in(source: Source, nodes: Sequence[Hashable], edges: np.ndarray, line: int) -> Board:
    """Return the board of a graph in a file, with remarks on omitted edges. line: Last line, for errors."""
    check_size(source, len(nodes), len(edges), line)
    remark_dropped(source, len(nodes), edges)
    return board_of_edges(nodes, edges, arcs=source.arcs)


def directed_error(source: Source, noun: str, line: int | None = None) -> FormatError:
    """Return the error for a directed graph that was not requested. noun: Evidence in the file."""
    return source.fail(f"{noun}: the graph is directed", line, help=ARCS_HELP)


def refuse_edges(source: Source, noun: str, line: int | None = None) -> None:
    """Raise FormatError if arcs are requested but the format is undirected."""
    if source.arcs:
        raise source.fail(f"the edges of {noun} are undirected", line, help=LEAVE_ARCS)


def graph_board(source: Source, names: Sequence[str], pairs: np.ndarray, line: int) -> Board:
    """Return the board of nodes with these names, or numbers if all names are numbers. pairs: Index pairs."""
    if not all(WHOLE.fullmatch(name) for name in names):
        return board_in(source, list(names), pairs, line)
    numbers = np.array([int(name) for name in names], dtype=np.int64)
    rising = np.argsort(numbers)
    return board_in(source, numbers[rising].tolist(), np.argsort(rising)[pairs], line)


def remark_dropped(source: Source, count: int, edges: np.ndarray) -> None:
    """Add remarks on the loops and repeated edges that are omitted."""
    low, high = edges.min(axis=1, initial=count), edges.max(axis=1, initial=-1)
    is_loop = low == high
    loops = int(is_loop.sum())
    if loops:
        source.remark(f"{loops:,} loop{'s are' if loops > 1 else ' is'} omitted: a tour never stays on a node")
    low, high = edges.T if source.arcs else (low, high)
    again = len(edges) - loops - len(np.unique((low * count + high)[~is_loop]))
    if again:
        source.remark(f"{again:,} edge{'s are' if again > 1 else ' is'} listed again, and counted once")


def check_size(source: Source, count: int, edges: int, line: int) -> None:
    """Raise FormatError for a graph that is too large, or has far more nodes than its file has text."""
    if count < 1:
        raise source.fail("the graph has no nodes", line)
    if count > MAX_LISTED_SQUARES or edges > MAX_EDGES:
        most = f"{MAX_LISTED_SQUARES:,} nodes and {MAX_EDGES:,} edges"
        raise source.fail(f"a graph of {count:,} nodes and {edges:,} edges is too large; the limit is {most}", line)
    if count > _MAX_FREE_NODES and edges < count - 1:
        raise source.fail(f"{edges:,} edges cannot connect {count:,} nodes", line)


# ---------------------------------------------------------------- graph6 and sparse6


def write_graph6(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """Yield one line: the number of nodes, and a bit for each pair of nodes, six bits per character."""
    count, edges = numbered_edges(board, extra_vertex)
    if count > MAX_GRAPH6_NODES:
        raise FormatError(
            f"the {title_of(board)} has too many nodes for graph6: {count:,}",
            help="write sparse6",
        )
    places = edges[:, 1] * (edges[:, 1] - 1) // 2 + edges[:, 0]
    sixes = np.zeros(-(-count * (count - 1) // 2 // 6), dtype=np.uint8)
    np.bitwise_or.at(sixes, places // 6, (32 >> places % 6).astype(np.uint8))
    yield _size_text(count) + _text(sixes) + "\n"


def write_sparse6(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """Yield one line: ":", the number of nodes, and the edges by their higher node, six bits per character."""
    count, edges = numbered_edges(board, extra_vertex)
    edges = edges[np.lexsort((edges[:, 0], edges[:, 1]))]
    low, high = edges[:, 0], edges[:, 1]
    before = np.concatenate([[0], high[:-1]])[: len(high)]
    width = (count - 1).bit_length()
    # A group of bits is a 1 if the current node increases by one, and a node. If that node is higher than the current
    # node, it becomes the current one; else the two are an edge.
    is_far = high > before + 1
    moves_on = 1 << width
    first = np.where(is_far, moves_on | high, -1)
    second = np.where(high == before + 1, moves_on | low, low)
    groups = np.stack([first, second], axis=1).ravel()
    groups = groups[groups >= 0]
    bits = (groups[:, None] >> np.arange(width, -1, -1) & 1).astype(np.uint8).ravel()
    padding = np.ones(-len(bits) % 6, dtype=np.uint8)
    # All ones would encode a loop at the last node.
    if width < 6 and count == moves_on and len(padding) > width and len(high) and high[-1] == count - 2:
        padding[0] = 0
    sixes = np.concatenate([bits, padding]).reshape(-1, 6) @ np.array([32, 16, 8, 4, 2, 1], dtype=np.uint8)
    yield ":" + _size_text(count) + _text(sixes) + "\n"


def _size_text(count: int) -> str:
    if count <= 62:
        return chr(count + 63)
    sixes, mark = (3, "~") if count < 1 << 18 else (6, "~~")
    return mark + "".join(chr((count >> 6 * k & 63) + 63) for k in reversed(range(sixes)))


def _text(sixes: np.ndarray) -> str:
    return (sixes.astype(np.uint8) + 63).tobytes().decode("ascii")


def looks_packed(line: str) -> bool:
    """Whether a line is graph6 or sparse6, with the right length.

    >>> looks_packed("DQc"), looks_packed("IFUEWAK"), looks_packed(":Fa@x^")
    (True, False, True)
    """
    if line.startswith((">>graph6<<", ">>sparse6<<", ">>digraph6<<", "&")):
        return True
    if not re.fullmatch(":?[?-~]+", line) or line[0] == ":":
        return re.fullmatch(":[?-~]+", line) is not None
    # Larger numbers of nodes begin with ~, unlike words.
    count = ord(line[0]) - 63
    return count > 62 or len(line) - 1 == -(-count * (count - 1) // 2 // 6)


def read_packed(source: Source) -> Iterator[Board]:
    """Yield the graphs of a file in graph6 or sparse6 (or in digraph6 for arcs). Nodes are 0, 1, ...

    Raises:
        FormatError: If a line is invalid, or in the incremental format.
    """
    is_first = True
    for number, raw in _long_lines(source):
        text = re.sub(r"^>>(graph6|sparse6|digraph6)<<", "", raw) if is_first else raw
        is_first = False
        if not text:
            continue
        is_directed = text[0] == "&"
        if is_directed and not source.arcs:
            raise directed_error(source, "this is digraph6", number)
        if not is_directed:
            refuse_edges(source, "graph6 and sparse6", number)
        if text[0] == ";":
            raise source.fail("this line is incremental sparse6, which is not supported", number)
        is_sparse = text[0] == ":"
        is_marked = is_sparse or is_directed
        bad = re.compile("[^?-~]").search(text, is_marked)
        if bad:
            raise source.fail(f"invalid character {bad.start() + 1} for graph6 and sparse6: {bad[0]!r}", number)
        sixes = np.frombuffer(text.encode("ascii"), dtype=np.uint8)[is_marked:] - 63
        read = _sparse6 if is_sparse else _digraph6 if is_directed else _graph6
        yield read(source, sixes, number)


def _long_lines(source: Source) -> Iterator[tuple[int, str]]:
    number, parts, length = 1, list[str](), 0
    while piece := source.read_text(PIECE_CHARS):
        *ended, rest = piece.split("\n")
        for line in ended:
            yield number, "".join([*parts, line]).rstrip("\r")
            number, parts, length = number + 1, [], 0
        parts.append(rest)
        length += len(rest)
        if length > _MAX_CHARS:
            raise source.fail(f"the line is longer than {_MAX_CHARS:,} characters", number)
    if length:
        yield number, "".join(parts).rstrip("\r")


def _size(source: Source, sixes: np.ndarray, line: int) -> tuple[int, np.ndarray]:
    """Return the number of nodes, and the rest of the line."""
    marks = 0 if not len(sixes) or sixes[0] != 63 else 1 if len(sixes) < 2 or sixes[1] != 63 else 2
    after = marks + (1, 3, 6)[marks]
    if len(sixes) < after:
        raise source.fail("the line is truncated within its number of nodes", line)
    count = 0
    for six in sixes[marks:after].tolist():
        count = count << 6 | six
    return count, sixes[after:]


def _set_bits(source: Source, sixes: np.ndarray, count: int, pairs: int, line: int) -> np.ndarray:
    """Return the indices of ones among the bits of pairs of `count` nodes."""
    needed = -(-pairs // 6)
    if len(sixes) != needed:
        what = "truncated" if len(sixes) < needed else "too long"
        why = f"{count:,} nodes need {needed:,} characters of {'di' if source.arcs else ''}graph6, not {len(sixes):,}"
        raise source.fail(f"the line is {what}: {why}", line)
    found = []
    edges = 0
    for first in range(0, needed, PIECE_CHARS):
        bits = np.unpackbits(sixes[first : first + PIECE_CHARS, None], axis=1)[:, 2:].ravel()
        places = np.flatnonzero(bits) + 6 * first
        edges += len(places)
        check_size(source, count, edges, line)
        found.append(places)
    places = np.concatenate(found) if found else np.zeros(0, dtype=np.int64)
    if places.max(initial=-1) >= pairs:
        raise source.fail("the bits after the last pair of nodes must be 0", line)
    return places


def _digraph6(source: Source, sixes: np.ndarray, line: int) -> Board:
    count, sixes = _size(source, sixes, line)
    places = _set_bits(source, sixes, count, count * count, line)
    return board_in(source, range(count), np.stack([places // max(count, 1), places % max(count, 1)], axis=1), line)


def _graph6(source: Source, sixes: np.ndarray, line: int) -> Board:
    count, sixes = _size(source, sixes, line)
    places = _set_bits(source, sixes, count, count * (count - 1) // 2, line)
    # The pairs are (0,1), (0,2), (1,2), (0,3), ... Rounding may change the root by one.
    high = ((1 + np.sqrt(1 + 8 * places)) / 2).astype(np.int64)
    high += high * (high + 1) // 2 <= places
    high -= high * (high - 1) // 2 > places
    return board_in(source, range(count), np.stack([places - high * (high - 1) // 2, high], axis=1), line)


def _sparse6(source: Source, sixes: np.ndarray, line: int) -> Board:
    count, sixes = _size(source, sixes, line)
    width = max(count - 1, 0).bit_length()
    groups = 6 * len(sixes) // (width + 1) if count > 1 else 0
    check_size(source, count, groups, line)
    listed = np.unpackbits(sixes[:, None], axis=1)[:, 2:].ravel()
    bits = listed[: groups * (width + 1)].reshape(groups, width + 1)
    steps = bits[:, 0].tolist()
    nodes = (bits[:, 1:] @ (1 << np.arange(width - 1, -1, -1))).tolist()
    edges = []
    at = 0
    for k, (step, node) in enumerate(zip(steps, nodes, strict=True)):
        at += step
        if at >= count or node >= count:
            groups = k
            break
        if node > at:
            at = node
        else:
            edges.append((node, at))
    if not listed[groups * (width + 1) :].all():
        raise source.fail("the padding after the last edge must be ones", line)
    return board_in(source, range(count), np.array(edges, dtype=np.int64).reshape(-1, 2), line)


# ---------------------------------------------------------------- DIMACS


def write_dimacs(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """Yield `p edge NODES EDGES`, and a line `e A B` for each edge, with nodes from 1."""
    count, edges = numbered_edges(board, extra_vertex)
    yield f"c {title_of(board)}\np edge {count} {len(edges)}\n"
    for k in range(0, len(edges), EDGE_LINES):
        yield "".join(f"e {a} {b}\n" for a, b in (edges[k : k + EDGE_LINES] + 1).tolist())


def read_dimacs(source: Source) -> Iterator[Board]:
    """Yield the graph of a file in the DIMACS format of colouring and clique problems. Nodes are 1, 2, ...

    Files of the PACE challenge have lines `A B` for edges. For arcs, a line `a A B` may include a length or capacity.
    """
    count, named, edges, last, is_pace = 0, 0, list[tuple[int, int]](), 1, False
    for number, line in _lines(source):
        last = number
        kind, *words = line.split()
        if kind == "p":
            if count:
                raise source.fail("a second line 'p': only one graph per file is supported", number)
            if words[:1] and words[0] in _ARCS and not source.arcs:
                raise directed_error(source, f"the line 'p {words[0]}' is about arcs", number)
            if len(words) != 3 or words[0] not in ("edge", "edges", "col", *_PACE, *_ARCS):
                raise source.fail("the line 'p' is not 'p edge NODES EDGES'", number)
            count, named = (_number(source, word, number) for word in words[1:])
            check_size(source, count, 0 if count <= _MAX_FREE_NODES else named, number)
            is_pace = line.split()[1] in _PACE
        elif kind in ("e", "a") or (is_pace and kind.isdecimal()):
            if kind == "a":
                if not source.arcs:
                    raise directed_error(source, "'a' is an arc", number)
                words = words[:2] if len(words) == 3 else words
            else:
                refuse_edges(source, "DIMACS, which begin with e,", number)
            words = [kind, *words] if kind.isdecimal() else words
            if len(words) != 2:
                raise source.fail("an edge is a line 'e A B'", number)
            a, b = (_number(source, word, number) for word in words)
            for node in (a, b):
                if not 1 <= node <= count:
                    why = f"is not between 1 and {count}" if count else "precedes the line 'p edge NODES EDGES'"
                    raise source.fail(f"node {node} {why}", number)
            edges.append((a - 1, b - 1))
        elif kind not in ("c", "n", "d", "v", "x"):
            raise source.fail(f"a line begins with p, e or c, not with {kind[:40]!r}", number)
    if not count:
        raise source.fail("there is no line 'p edge NODES EDGES'", last)
    # Some files count or list each edge twice.
    if len(edges) not in (named, 2 * named) and 2 * len(edges) != named:
        raise source.fail(f"the line 'p' announces {named:,} edges, but {len(edges):,} follow: is it truncated?", last)
    if len(edges) != named:
        source.remark(f"the line 'p' announces {named:,} edges, but {len(edges):,} follow: some files count them twice")
    yield board_in(source, range(1, count + 1), np.array(edges, dtype=np.int64).reshape(-1, 2), last)


def _number(source: Source, word: str, line: int) -> int:
    if not (word.isascii() and word.isdecimal()) or len(word) > 18:
        raise source.fail(f"{word[:40]!r} is not a number", line)
    return int(word)


def _lines(source: Source) -> Iterator[tuple[int, str]]:
    for number, text, is_whole in source.pieces():
        line = text.partition("#")[0].strip()
        if not is_whole:
            raise source.fail(f"not a graph: a line of more than {PIECE_CHARS:,} characters", number)
        if line:
            yield number, line
