"""The first line of a list of edges, which may be no edge: numbers of nodes and edges, or the names of columns.

`4 3` above three edges of four nodes counts them; above anything else it is an edge from 4 to 3. A list of edges
cannot say which, so the counts decide where they fit exactly, and that is said. Where they nearly fit, and the line
would be an edge that no list has (a loop, a repetition, or to a node that no other line names), the file is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from knightstour.core.formats.graph_readings import COUNT, Line, is_heading, may_be_heading

# A line that announces this many more or fewer edges may still be meant as counts.
_NEARLY = 1
_DECIDES = "edges:FILE (format='edges') reads it as {}"


@dataclass(frozen=True, slots=True)
class Doubt:
    """What the first line may be instead.

    is_sure: whether it is that, and left out. why: the error, where neither is sure. remark: what is said of it.
    plainly: what it is in an exact list, "an edge" or "a node"; "nodes" of the first two lines.
    added: names of nodes that only the counts know. lines: how many names only the top has, at most.
    """

    is_sure: bool
    why: str
    remark: str
    plainly: str
    added: tuple[str, ...] = ()
    lines: int = 1

    @property
    def help(self) -> str:
        """What decides."""
        return "leave the first line out; " + _DECIDES.format(self.plainly)

    def rest(self, names: Sequence[str], edges: np.ndarray) -> tuple[list[str], np.ndarray]:
        """Names and edges without the first line."""
        is_edge = self.plainly == "an edge"
        below = edges[is_edge:]
        first = set(edges[0].tolist()) if is_edge else set(range(self.lines))
        gone = first - set(below.ravel().tolist())
        kept = [k for k in range(len(names)) if k not in gone]
        place = np.full(len(names), -1)
        place[kept] = np.arange(len(kept))
        return [names[k] for k in kept] + list(self.added), place[below]


def first_line_doubt(
    names: Sequence[str], edges: np.ndarray, first: Sequence[str] | None = None, tops: Sequence[str] = ()
) -> Doubt | None:
    """What the first line of an exact list may be besides an edge or a node; None where there is no doubt.

    names: of the nodes, in the order in which they are named. edges: as places among them. first: the words of the
    first line; None for those of the first edge. tops: the words that have a line of their own before the first edge.
    """
    words = list(first) if first is not None else [names[k] for k in edges[0].tolist()] if len(edges) else []
    if not len(edges) or len(words) not in (1, 2):
        return None
    is_edge = len(words) == 2
    below = edges[is_edge:]
    if not len(below):
        return None
    named = np.unique(below)
    # Nodes that have a line of their own below are named, too.
    firsts = {names[k] for k in edges[0].tolist()} if is_edge else {names[0]}
    others = {names[k] for k in named.tolist()} | (set(names) - firsts)
    if not all(COUNT.match(word) for word in words):
        return _heading(words, others) if is_edge else None
    if is_edge:
        return _counts(words, others, edges[0], below)
    if len(tops) == 2:
        return _two_lines(tops, {names[k] for k in named.tolist()}, len(below))
    return _count(words[0], others, len(below))


def _heading(words: Sequence[str], others: set[str]) -> Doubt | None:
    shown = " ".join(words)[:60]
    if words[0] == "c" and not set(words) & others and all(COUNT.match(name) for name in others):
        return Doubt(True, "", f"the first line {shown!r} is left out: it is a comment", "an edge")
    if is_heading(words, others):
        return Doubt(True, "", f"the first line {shown!r} is left out: it names the columns", "an edge")
    if may_be_heading(words, others):
        why = f"the first line {shown!r} names two nodes that no other line names: is it a heading?"
        return Doubt(False, why, "", "an edge")
    is_apart = not set(words) & others and not any(COUNT.match(word) for word in words)
    if is_apart and all(COUNT.match(name) for name in others):
        why = f"the first line {shown!r} names two nodes that no other line names, and the others are numbers"
        return Doubt(False, f"{why}: is it a heading?", "", "an edge")
    return None


def _counts(words: Sequence[str], others: set[str], pair: np.ndarray, below: np.ndarray) -> Doubt | None:
    nodes, edges = (int(word) for word in words)
    listed = len(below)
    different = len(np.unique(np.sort(below, axis=1), axis=0))
    shown = " ".join(words)
    if not all(COUNT.match(name) for name in others):
        if nodes == len(others) and edges in (listed, different):
            return Doubt(True, "", _left_out(shown, nodes, edges), "an edge")
        if set(words) & others:
            return None
        return Doubt(False, _misses(shown, len(others), listed), "", "an edge")
    numbers = {int(name) for name in others}
    low, high = min(numbers), max(numbers)
    if edges in (listed, different):
        if nodes == len(others):
            return Doubt(True, "", _left_out(shown, nodes, edges), "an edge")
        if len(others) < nodes <= 2 * len(others) + 2 and high < nodes + (low > 0):
            first = 0 if low == 0 else 1
            added = tuple(str(k) for k in range(first, first + nodes) if k not in numbers)
            said = f"{_left_out(shown, nodes, edges)}; {len(added)} of the nodes have no edge"
            return Doubt(True, "", said, "an edge", added)
    ends = {int(word) for word in words}
    is_repeated = bool((np.sort(below, axis=1) == np.sort(pair)).all(axis=1).any())
    is_strange = nodes == edges or not ends <= numbers or is_repeated
    is_near = abs(edges - listed) <= _NEARLY and nodes >= min(high, len(others)) - 1
    is_near |= nodes == len(others) and low in (0, 1) and high - low == nodes - 1
    if (edges, nodes) == (len(others), listed):
        why = f"the first line {shown!r} is an edge, or the numbers of edges and nodes, and these are two graphs"
        return Doubt(False, why, "", "an edge")
    if is_strange and (is_near or (nodes == edges and nodes not in numbers)):
        return Doubt(False, _misses(shown, len(others), listed), "", "an edge")
    if is_near:
        said = f"the first line {shown!r} is read as an edge: there are {len(others)} nodes and {listed} edges below it"
        return Doubt(False, "", said, "an edge")
    return None


def _count(word: str, others: set[str], listed: int) -> Doubt | None:
    if word in others:
        # The same graph either way.
        return None
    if int(word) in (len(others), listed):
        what = "nodes" if int(word) == len(others) else "edges"
        return Doubt(True, "", f"the first line {word!r} is left out: it counts the {what} below it", "a node")
    if not all(COUNT.match(name) for name in others):
        return None
    why = (
        f"the first line {word!r} is a node without edges, or counts what is below it: {len(others)} nodes and {listed}"
    )
    return Doubt(False, f"{why} edges", "", "a node")


def _two_lines(tops: Sequence[str], named: set[str], listed: int) -> Doubt | None:
    """The numbers of nodes and edges, a line each, above a list in which the others are nodes."""
    nodes, edges = tops
    if not (COUNT.match(nodes) and COUNT.match(edges)) or set(tops) <= named:
        return None
    if (int(nodes), int(edges)) == (len(named), listed):
        said = f"the first two lines are left out: they count the {nodes} nodes and {edges} edges below them"
        return Doubt(True, "", said, "nodes", lines=len(set(tops)))
    why = f"the first two lines may count {nodes} nodes and {edges} edges, but {len(named)} nodes and {listed} edges"
    return Doubt(False, f"{why} are below them", "", "nodes")


def _left_out(shown: str, nodes: int, edges: int) -> str:
    return f"the first line {shown!r} is left out: it counts the {nodes} nodes and {edges} edges below it"


def _misses(shown: str, nodes: int, listed: int) -> str:
    return (
        f"the first line {shown!r} looks like the numbers of nodes and edges, but {nodes} nodes and {listed} edges are "
        "below it"
    )


class Counts(NamedTuple):
    """Numbers of nodes and edges on the first line or two of a text in any form; None where it does not say it."""

    nodes: int
    edges: int | None
    lines: int

    @classmethod
    def on_top(cls, lines: Sequence[Line]) -> Counts | None:
        """Those of a text, if it may begin with them."""
        words = lines[0].text.split()
        if len(lines) < 2 or len(words) > 2 or not all(COUNT.match(word) for word in words):
            return None
        if len(words) == 2:
            return cls(int(words[0]), int(words[1]), 1)
        second = lines[1].text.split()
        if len(lines) > 2 and len(second) == 1 and COUNT.match(second[0]):
            return cls(int(words[0]), int(second[0]), 2)
        return cls(int(words[0]), None, 1)

    @property
    def remark(self) -> str:
        """What is said where they are left out."""
        edges = "" if self.edges is None else f" and {self.edges} edges"
        lines = "first line is" if self.lines == 1 else "first two lines are"
        return f"the {lines} left out: counts of the {self.nodes} nodes{edges}"

    def fault(self, nodes: int, listed: int, different: int) -> str:
        """What is wrong with them for a graph of these nodes and edges; "" if nothing."""
        if self.edges is None and self.nodes == listed:
            return ""
        if self.nodes == nodes and self.edges in (None, listed, different):
            return ""
        announced = f"{self.nodes} nodes" + ("" if self.edges is None else f" and {self.edges} edges")
        return f"the top of the file announces {announced}, and {nodes} nodes and {listed} edges are below"
