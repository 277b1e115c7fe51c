"""Lines of a graph text, and graphs that a reading finds in them.

A reading uses every word of the text, as a node name, a weight, a correct count, or a comment. Otherwise it raises
Misfit.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.formats.graphs import ARCS_HELP, graph_board
from knightstour.core.machine.files import PIECE_CHARS, Source
from knightstour.core.model.board import Board

Edge: TypeAlias = tuple[str, str]

# Marks that a node name cannot contain, since they belong to other formats.
SIGN = re.compile(r"[\[\](){}<>:*;=\"']|\.$|^[-\u2013\u2014\u2192\u2194]+$|^%|^//|^-?\d*\.\d+([eE][-+]?\d+)?$")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$", re.ASCII)
COUNT = re.compile(r"(0|[1-9]\d{0,8})$", re.ASCII)
WHOLE = re.compile(r"-?\d+$", re.ASCII)
# Written above a list of edges, to exclude other readings.
PROMISE = "# an edge a line"
_COMMENT = re.compile(r"#.*$|(?:^|\s)(?://|%).*$")
_DIRECTED = re.compile(r"[#%/]+\s*(directed (graph|network)\b|asym\b)", re.IGNORECASE)
_ANOTHER = re.compile(r"[#%/]+\s*(graph|case|test ?case|test|instance)\b\W*\d+", re.IGNORECASE)
_MAX_CHARS = 100_000_000

# The effect of a forced format on a text that is rejected as a list of edges.
EACH_BOTH_WAYS = "reads each line as an edge that goes both ways"
SEVERAL = "are these several graphs?"
_ONE = "write one graph per file (graph6 supports many)"


class Line(NamedTuple):
    """A line that is neither empty nor a comment, without a comment at its end."""

    number: int
    text: str


class Misfit(Exception):
    """The reason why a reading does not fit, and the line.

    Args:
        is_sure: Whether the text is certainly in this format, but invalid or ambiguous.
        as_edges: Effect of edges:FILE, for the help if that reading fits.
    """

    def __init__(self, message: str, line: int, *, help: str = "", as_edges: str = "", is_sure: bool = False) -> None:
        super().__init__(message)
        self.message, self.line, self.help, self.as_edges, self.is_sure = message, line, help, as_edges, is_sure


class GraphReading(NamedTuple):
    """Graph of a reading: nodes, edges as index pairs, int64 (edges, 2), and remarks on the interpretation.

    Attributes:
        is_counted: Whether counts of nodes and edges above the graph agree.
    """

    nodes: Sequence[str]
    pairs: np.ndarray
    remarks: tuple[str, ...] = ()
    is_counted: bool = False

    @classmethod
    def of(cls, edges: Iterable[Edge], nodes: Iterable[str] = (), *remarks: str) -> GraphReading:
        """Create a graph of these edges; `nodes` come first."""
        listed = list(edges)
        place = {name: k for k, name in enumerate(dict.fromkeys([*nodes, *(name for edge in listed for name in edge)]))}
        return cls(list(place), as_pairs([(place[a], place[b]) for a, b in listed]), remarks)

    def content(self, arcs: bool) -> tuple[frozenset[str], frozenset[Collection[str]]]:
        """Return the nodes and edges by name, without loops. arcs: Whether edges are directed."""
        kind = tuple if arcs else frozenset
        edges = (kind((self.nodes[a], self.nodes[b])) for a, b in self.pairs.tolist() if a != b)
        return frozenset(self.nodes), frozenset(edges)

    def board(self, source: Source, line: int) -> Board:
        """Return the board. line: Last line, for errors."""
        for remark in self.remarks:
            source.remark(remark)
        return graph_board(source, self.nodes, self.pairs, line)


def as_pairs(edges: Sequence[tuple[int, int]]) -> np.ndarray:
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


class GraphText:
    """Lines of a source that contain its graph, and facts from its comments.

    Attributes:
        chars: Length of the whole text.
        gap: First empty line between two lines.
        cut: First sign between two lines that ends a graph, such as % alone.
        is_promised: Whether the text contains PROMISE.
        is_directed: Whether a comment declares a directed graph.
    """

    def __init__(self, source: Source) -> None:
        self.lines = list[Line]()
        self.chars = self.gap = self.cut = 0
        self.is_promised = self.is_directed = False
        empty = sign = 0
        for number, raw, is_whole in source.pieces():
            self.chars += len(raw)
            if not is_whole or self.chars > _MAX_CHARS:
                raise source.fail(f"not a graph: a file or line of more than {PIECE_CHARS:,} characters", number)
            text = raw.strip()
            line = _COMMENT.sub("", text).rstrip()
            if line:
                self.gap, self.cut = self.gap or empty, self.cut or sign
                self.lines.append(Line(number, line))
                continue
            self.is_promised |= text == PROMISE
            self.is_directed |= _DIRECTED.match(text) is not None
            if self.lines:
                empty = empty or (0 if text else number)
                sign = sign or (number if text in ("#", "%", "//") or _ANOTHER.match(text) else 0)


# ---------------------------------------------------------------- words


def checked_name(word: str, line: int) -> str:
    """Return a name without quotation marks. Raises Misfit for marks of other formats."""
    if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'":
        word = word[1:-1].strip()
    if not word or SIGN.search(word):
        raise Misfit(f"invalid node name: {word[:40]!r}", line)
    return word


def check_simple(nodes: Sequence[str], pairs: np.ndarray, at: Sequence[int] | np.ndarray, arcs: bool) -> None:
    """Raise Misfit for repeated edges, loops, or edges in both directions next to edges in one direction.

    Args:
        at: Line of each edge.
    """
    ways = pairs @ [len(nodes), 1]
    order = np.argsort(ways, kind="stable")
    again = order[1:][ways[order][1:] == ways[order][:-1]]
    if len(again):
        first, k = int(np.flatnonzero(ways == ways[again.min()])[0]), int(again.min())
        why = f"this edge is also listed in line {at[first]}: {SEVERAL}"
        raise Misfit(why, int(at[k]), help=_ONE, as_edges=f"{EACH_BOTH_WAYS}, and counts each once", is_sure=True)
    check_end(nodes, pairs, at)
    for k in np.flatnonzero(pairs[:, 0] == pairs[:, 1])[:1].tolist():
        name = nodes[int(pairs[k, 0])]
        size = f"; a board of that size is {name}x{name}" if len(pairs) == 1 and COUNT.match(name) else ""
        why = f"a loop at {name!r}: {SEVERAL}{size}"
        raise Misfit(why, int(at[k]), help=_ONE, as_edges=f"{EACH_BOTH_WAYS}, and omits loops", is_sure=True)
    is_back = np.isin(pairs @ [1, len(nodes)], ways)
    if is_back.any() and not is_back.all() and not arcs:
        (a, b), (c, d) = (pairs[is_back == both][0].tolist() for both in (True, False))
        why = f"{nodes[a]!r} and {nodes[b]!r} are listed both ways, but {nodes[c]!r} to {nodes[d]!r} one way"
        why += ": the graph may be directed"
        raise Misfit(why, int(at[0]), help=ARCS_HELP, as_edges=EACH_BOTH_WAYS, is_sure=True)


def check_end(nodes: Sequence[str], pairs: np.ndarray, at: Sequence[int] | np.ndarray) -> None:
    """Raise Misfit if the first or last line is a loop at a node of no other line, and so may be counts or an end."""
    for k, what in ((-1, "ends the list"), (0, "counts nodes and edges")) if len(pairs) > 1 else ():
        if pairs[k, 0] == pairs[k, 1] and (pairs == pairs[k, 0]).sum() == 2:
            name, place = nodes[int(pairs[k, 0])], "last" if k else "first"
            why = f"the {place} line '{name} {name}' is a loop, or {what}"
            raise Misfit(why, int(at[k]), help="omit that line", is_sure=True)


def neighbours_found(
    near: Mapping[str, Sequence[str]], at: Mapping[str, int], remark: str, arcs: bool, *, is_sure: bool
) -> GraphReading:
    """Return the graph of lists of neighbours, which contain each edge from both ends, and each arc from its tail.

    Args:
        at: Lines.
    """
    ways = {(a, b) for a, others in near.items() for b in others}
    for a, others in near.items():
        if len(set(others)) < len(others) or a in others:
            raise Misfit(f"the list of {a!r} contains a node twice, or itself", at[a], is_sure=is_sure)
        for b in others:
            if arcs and b not in near:
                raise Misfit(f"{a!r} leads to {b!r}, which has no line", at[a], is_sure=is_sure)
            if not arcs and (b, a) not in ways:
                why = f"{a!r} has the neighbour {b!r}, but {b!r} lacks {a!r}: the graph is directed, or truncated"
                help = f"list each edge from both its ends, or write one edge per line; {ARCS_HELP}"
                raise Misfit(why, at[a], help=help, is_sure=is_sure)
    if not ways and not is_sure:
        raise Misfit("no node has a neighbour", min(at.values(), default=1))
    place = {name: k for k, name in enumerate(near)}
    pairs = as_pairs(
        [(place[a], place[b]) for a, others in near.items() for b in others if arcs or place[a] < place[b]]
    )
    return GraphReading(list(near), pairs, (remark,))
