"""Lines of a graph text, and graphs that a reading finds in them.

A reading uses every word of the text: as a node name, a weight, a count that agrees with the rest, or a comment. A
Misfit reports an unused word.
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

# Marks that a node name cannot contain: they belong to other formats.
SIGN = re.compile(r"[\[\](){}<>:*;=\"']|\.$|^[-\u2013\u2014\u2192\u2194]+$|^%|^//|^-?\d*\.\d+([eE][-+]?\d+)?$")
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$", re.ASCII)
COUNT = re.compile(r"(0|[1-9]\d{0,8})$", re.ASCII)
WHOLE = re.compile(r"-?\d+$", re.ASCII)
# Written above a list of edges that may be read in another way.
PROMISE = "# an edge a line"
_COMMENT = re.compile(r"#.*$|(?:^|\s)(?://|%).*$")
_DIRECTED = re.compile(r"[#%/]+\s*(directed (graph|network)\b|asym\b)", re.IGNORECASE)
_ANOTHER = re.compile(r"[#%/]+\s*(graph|case|test ?case|test|instance)\b\W*\d+", re.IGNORECASE)
_MAX_CHARS = 100_000_000

# The effect of a forced format on a text that is refused as a list of edges.
EACH_BOTH_WAYS = "reads each line as an edge that goes both ways"
SEVERAL = "are these several graphs?"
_ONE = "keep one graph in a file (graph6 holds many)"


class Line(NamedTuple):
    """A line that is neither empty nor a comment, without the comment at its end."""

    number: int
    text: str


class Misfit(Exception):
    """The reason why a reading does not fit, and the line.

    Args:
        is_sure: The text is in this form, and wrong there or in doubt.
        as_edges: The effect of edges:FILE on the text, which the help offers if that reading fits.
    """

    def __init__(self, message: str, line: int, *, help: str = "", as_edges: str = "", is_sure: bool = False) -> None:
        super().__init__(message)
        self.message, self.line, self.help, self.as_edges, self.is_sure = message, line, help, as_edges, is_sure


class Found(NamedTuple):
    """Graph of a reading: its nodes, its edges as index pairs, int64 (edges, 2), and remarks on the interpretation.

    Attributes:
        is_counted: Whether numbers of nodes and edges above the graph agree with it.
    """

    nodes: Sequence[str]
    pairs: np.ndarray
    remarks: tuple[str, ...] = ()
    is_counted: bool = False

    @classmethod
    def of(cls, edges: Iterable[Edge], nodes: Iterable[str] = (), *remarks: str) -> Found:
        """A graph of these edges; `nodes` come first."""
        listed = list(edges)
        place = {name: k for k, name in enumerate(dict.fromkeys([*nodes, *(name for edge in listed for name in edge)]))}
        return cls(list(place), as_pairs([(place[a], place[b]) for a, b in listed]), remarks)

    def content(self, arcs: bool) -> tuple[frozenset[str], frozenset[Collection[str]]]:
        """Its nodes and edges by name, without loops; arcs: whether they go one way."""
        kind = tuple if arcs else frozenset
        edges = (kind((self.nodes[a], self.nodes[b])) for a, b in self.pairs.tolist() if a != b)
        return frozenset(self.nodes), frozenset(edges)

    def board(self, source: Source, line: int) -> Board:
        """Its board. line: the last one, for errors."""
        for remark in self.remarks:
            source.remark(remark)
        return graph_board(source, self.nodes, self.pairs, line)


def as_pairs(edges: Sequence[tuple[int, int]]) -> np.ndarray:
    """Pairs of places as an array."""
    return np.array(edges, dtype=np.int64).reshape(-1, 2)


class GraphText:
    """Lines of a source that contain its graph, and facts from its comments.

    Attributes:
        chars: Length of the whole text.
        gap: The first empty line between two lines.
        cut: The first sign between two lines that ends a graph, such as % alone.
        is_promised: Whether the text promises that each line is an edge.
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
    """A name without the marks of other forms; quotation marks round it are left out."""
    if len(word) > 1 and word[0] == word[-1] and word[0] in "\"'":
        word = word[1:-1].strip()
    if not word or SIGN.search(word):
        raise Misfit(f"invalid node name: {word[:40]!r}", line)
    return word


def check_simple(nodes: Sequence[str], pairs: np.ndarray, at: Sequence[int] | np.ndarray, arcs: bool) -> None:
    """A Misfit where an edge is listed again or is a loop, or some are listed both ways and others one way.

    Args:
        at: The line of each edge. The text may then hold several graphs, or a directed one, unless it has arcs.
    """
    ways = pairs @ [len(nodes), 1]
    order = np.argsort(ways, kind="stable")
    again = order[1:][ways[order][1:] == ways[order][:-1]]
    if len(again):
        first, k = int(np.flatnonzero(ways == ways[again.min()])[0]), int(again.min())
        why = f"this edge is listed in line {at[first]}, too: {SEVERAL}"
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
        why = f"{nodes[a]!r} and {nodes[b]!r} are listed both ways, and {nodes[c]!r} to {nodes[d]!r} one way"
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
) -> Found:
    """The graph of lists of neighbours, which name each edge from both its ends, once, an arc from its tail alone.

    Args:
        at: The lines.
    """
    ways = {(a, b) for a, others in near.items() for b in others}
    for a, others in near.items():
        if len(set(others)) < len(others) or a in others:
            raise Misfit(f"the list of {a!r} names a node twice, or itself", at[a], is_sure=is_sure)
        for b in others:
            if arcs and b not in near:
                raise Misfit(f"{a!r} leads to {b!r}, which has no line of its own", at[a], is_sure=is_sure)
            if not arcs and (b, a) not in ways:
                why = f"{a!r} has the neighbour {b!r}, but {b!r} does not have {a!r}: the graph is directed, or cut off"
                help = f"list each edge from both its ends, or an edge a line; {ARCS_HELP}"
                raise Misfit(why, at[a], help=help, is_sure=is_sure)
    if not ways and not is_sure:
        raise Misfit("no node has a neighbour", min(at.values(), default=1))
    place = {name: k for k, name in enumerate(near)}
    pairs = as_pairs(
        [(place[a], place[b]) for a, others in near.items() for b in others if arcs or place[a] < place[b]]
    )
    return Found(list(near), pairs, (remark,))
