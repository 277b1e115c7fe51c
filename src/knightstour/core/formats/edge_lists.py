"""Lists of edges: two node names per line, optionally below counts or column names; with arrows; and as facts.

A list of edges may have another meaning, so signs of it are rejected as ambiguous: a line that may count the lines
below it, loops, repeated edges, or edges in both directions next to edges in one direction. `edges:FILE` confirms that
each line is an edge; then only counts and ends of the list are omitted.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from itertools import takewhile

import numpy as np

from knightstour.core.formats.graph_lines import (
    COUNT,
    EACH_BOTH_WAYS,
    NUMBER,
    PROMISE,
    SEVERAL,
    SIGN,
    WHOLE,
    Edge,
    GraphReading,
    Line,
    Misfit,
    check_end,
    check_simple,
    checked_name,
)
from knightstour.core.formats.graphs import ARCS_HELP, EDGE_LINES, LEAVE_ARCS, MAX_EDGES, numbered_edges
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import FormatError

_NO_NAME = re.compile(r"[\s,;#]|^$")
# Edge data of NetworkX after an edge.
_DATA = re.compile(r"\s\{.*\}$")
# A line of nonnegative integers, optionally with a weight.
_NUMBERS = re.compile(r"\d+([\s,;]+\d+)*([\s,;]+[+-]?[\d.]+([eE][+-]?\d+)?)?[;,]?", re.ASCII)
_MARKS = ("\t", ";", ",")
_ENDS = tuple(tuple(ends.split()) for ends in ("source target", "from to", "src dst", "tail head", "node1 node2"))
_HELP = "omit that line"
_ALONE_HELP = "write a node without edges once, after the edges; use graph6 for several graphs"


def write_edges(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """Yield PROMISE, a line for each edge, and a line for each node without edges."""
    squares = move_graph(board).squares.tolist()
    names = [board.square_name(divmod(s, board.cols)) for s in squares] + (["extra"] if extra_vertex else [])
    for name in names:
        if _NO_NAME.search(name) or SIGN.search(name):
            raise FormatError(
                f"the node {name[:60]!r} is empty, or contains a space, a comma, # or a sign of another format",
                help="write graph6, which numbers the nodes",
            )
    if len(set(names)) < len(names):
        raise FormatError("two nodes of the graph have the same name", help="write graph6, which numbers the nodes")
    _, edges = numbered_edges(board, extra_vertex)
    yield PROMISE + "\n"
    for k in range(0, len(edges), EDGE_LINES):
        yield "".join(f"{names[a]} {names[b]}\n" for a, b in edges[k : k + EDGE_LINES].tolist())
    yield "".join(f"{names[k]}\n" for k in np.setdiff1d(np.arange(len(names)), edges).tolist())


# ---------------------------------------------------------------- columns


def columns(lines: Sequence[Line], is_plain: bool, arcs: bool) -> list[GraphReading]:
    """Read two names per line, or one for a node without edges, optionally with weights, column names, or counts.

    Several graphs must each follow their counts.

    Args:
        is_plain: Whether each line is certainly an edge or a node.
        arcs: Whether edges are directed.
    """
    if is_plain:
        return [_EdgeList(lines, arcs, takes_weights=True).to_graph()]
    lines, ends = _without_end(lines)
    found = _in_columns(lines, arcs)
    return [found[0]._replace(remarks=(*found[0].remarks, *ends)), *found[1:]]


def columns_by_name(lines: Sequence[Line], arcs: bool) -> list[GraphReading]:
    """Read each line as an edge, except column names, counts of nodes and edges, and an end such as -1 -1.

    Raises:
        Misfit: If a number above the edges may count them or be a node, or a line is not an edge.
    """
    lines, ends = _without_end(lines)
    if names_columns(lines[0].text) and len(lines) > 1:
        listed, said = _under_names(lines, arcs)
        if not set(_split_words(lines[0].text, _mark(lines[0]))) & set(listed.places):
            return [listed.to_graph(*said, *ends)]
    tops = _tops(lines)
    if tops:
        listed = _EdgeList(lines[len(tops) :], arcs, takes_weights=True)
        listed.check_alone()
        if listed.has_numbers_only():
            return [_under_counts(lines, tops, listed, *ends)]
    heading = _split_words(lines[0].text, _mark(lines[0]))
    cases = _cases(lines, arcs) if len(heading) == 2 and all(map(COUNT.match, heading)) else []
    if len(cases) == 1:
        below = _EdgeList(lines[1:], arcs, takes_weights=True)
        is_edge = heading[0] != heading[1] and set(heading) <= set(below.places) and not below.has_weights
        if not is_edge:
            return [cases[0]._replace(remarks=(*cases[0].remarks, *ends))]
    listed = _EdgeList(lines, arcs, takes_weights=True)
    listed.check_alone()
    check_end(list(listed.places), listed.pairs, listed.at)
    return [listed.to_graph(*ends)]


def _without_end(lines: Sequence[Line]) -> tuple[Sequence[Line], tuple[str, ...]]:
    """Return the lines without a last line such as -1 -1, and a remark."""
    words = set(lines[-1].text.split())
    if len(lines) < 2 or len(words) > 1 or not re.fullmatch(r"-[1-9]\d*", next(iter(words))):
        return lines, ()
    if any(not _NUMBERS.fullmatch(line.text) for line in lines[:-1]):
        return lines, ()
    return lines[:-1], (f"the last line {lines[-1].text!r} is omitted: it ends the list",)


def _tops(lines: Sequence[Line]) -> list[str]:
    """Return up to two first lines that are single integers."""
    return [line.text for line in takewhile(lambda line: COUNT.match(line.text), lines[:2])]


def _under_counts(lines: Sequence[Line], tops: Sequence[str], listed: _EdgeList, *remarks: str) -> GraphReading:
    """Return the graph below numbers of nodes or edges. Raises Misfit if the numbers are wrong."""
    found = listed.to_graph(*remarks, f"the first line {' '.join(tops)!r} is omitted: it counts the lines below")
    nodes, edges = len(found.nodes), len(found.pairs)
    if [int(top) for top in tops] not in ([nodes], [edges], [nodes, edges]):
        why = f"the number {tops[0]} is a node without edges, or a count of the {nodes} nodes and {edges} edges below"
        help = "omit that line, or write a node without edges after the edges"
        raise Misfit(why, lines[0].number, help=help, is_sure=True)
    return found._replace(is_counted=True)


def _in_columns(lines: Sequence[Line], arcs: bool) -> list[GraphReading]:
    several = _cases(lines, arcs)
    if several:
        return several
    if names_columns(lines[0].text) and len(lines) > 1:
        listed, said = _under_names(lines, arcs)
        listed.check()
        return [listed.to_graph(*said)]
    tops = _tops(lines)
    listed = _EdgeList(lines[len(tops) :], arcs)
    remarks = listed.check(is_first=len(tops) < 2)
    return [_under_counts(lines, tops, listed) if tops else listed.to_graph(*remarks)]


def _under_names(lines: Sequence[Line], arcs: bool) -> tuple[_EdgeList, tuple[str, ...]]:
    """Return the edges below column names, and remarks."""
    heading = _split_words(lines[0].text, _mark(lines[0]))
    said = f"the first line {lines[0].text[:60]!r} is omitted: it contains column names"
    others = [repr(word) for word in heading if word.strip('"').lower() not in sum(_ENDS, ())]
    besides = (f"the columns {', '.join(others)} are ignored",) if others else ()
    return _EdgeList(lines[1:], arcs, heading), (said, *besides)


def names_columns(line: str) -> bool:
    """Whether a line names two columns for the ends of edges.

    >>> names_columns(",source,target"), names_columns("a,b")
    (True, False)
    """
    return bool(_columns_of_ends(re.split(r"[,;\t ]", line)))


def _columns_of_ends(words: Sequence[str]) -> list[int]:
    plain = [word.strip().strip('"').lower() for word in words]
    return next(([plain.index(a), plain.index(b)] for a, b in _ENDS if plain.count(a) == plain.count(b) == 1), [])


def _mark(line: Line) -> str | None:
    """Return the separator of names, or None for blanks. With a separator, names may contain spaces."""
    return next((mark for mark in _MARKS if mark in line.text.rstrip("; \t,")), None)


def _split_words(text: str, mark: str | None) -> list[str]:
    text = _DATA.sub("", text).rstrip("; \t,") if mark is None or "{" in text else text.rstrip()
    return [word.strip() for word in text.split(mark)]


class _EdgeList:
    """A list of edges: indices of names, pairs of them, lines of edges, and lines with one node."""

    def __init__(
        self, lines: Sequence[Line], arcs: bool, heading: Sequence[str] = (), *, takes_weights: bool = False
    ) -> None:
        self.arcs = arcs
        self.places: dict[str, int] = {}
        self.alone = list[Line]()
        self.has_weights = False
        ends, at, width = array("q"), array("q"), len(heading)
        first, second = _columns_of_ends(heading) or (0, 1)
        mark = _mark(lines[0]) if lines else None
        are_weights = takes_weights or bool(heading)
        for number, text in lines:
            words = _split_words(text, mark)
            if not words:
                raise Misfit(f"no node name: {text[:40]!r}", number)
            if len(words) == 1:
                self.alone.append(Line(number, checked_name(words[0], number)))
                continue
            if len(words) != (width or len(words)):
                raise Misfit(f"{len(words)} words, but other lines have {width}: {text[:40]!r}", number)
            width = len(words)
            if width > 2 and not heading:
                if width > 3 or not NUMBER.match(words[2]):
                    what = f"invalid weight {words[2][:40]!r}" if width == 3 else f"{width} words"
                    raise Misfit(f"{what}: a line has two nodes, and optionally a weight", number)
                are_weights = are_weights or "." in words[2]
            elif width > 2 and any(word.strip('"').lower() == ("un" if arcs else "") + "directed" for word in words):
                help, as_edges = (LEAVE_ARCS, "") if arcs else (ARCS_HELP, EACH_BOTH_WAYS)
                why = f"the edge is {'un' if arcs else ''}directed"
                raise Misfit(why, number, help=help, as_edges=as_edges, is_sure=True)
            for word in (words[first], words[second]):
                name = checked_name(word, number) if word[:1] in "\"'" else word
                place = self.places.get(name)
                if place is None:
                    if _NO_NAME.search(name) and mark is None:
                        raise Misfit(f"invalid node name: {name[:40]!r}", number)
                    place = self.places[checked_name(name, number)] = len(self.places)
                ends.append(place)
            at.append(number)
            if len(at) > MAX_EDGES:
                raise Misfit(f"a graph of more than {MAX_EDGES:,} edges is too large", number, is_sure=True)
        if width == 3 and not are_weights:
            why = "three integers per line: an edge and its weight, or something else"
            raise Misfit(why, lines[0].number, help="omit the third column", as_edges=f"{EACH_BOTH_WAYS}, and omits it")
        self.has_weights = width == 3 and not heading
        self.pairs, self.at = np.array(ends, dtype=np.int64).reshape(-1, 2), at

    def has_numbers_only(self) -> bool:
        """Whether there are edges, and all their nodes are integers."""
        return bool(self.places) and all(map(WHOLE.match, self.places))

    def to_graph(self, *remarks: str) -> GraphReading:
        for number, name in self.alone:
            if name in self.places:
                raise Misfit(
                    f"{name[:40]!r} is alone in its line",
                    number,
                    help=_ALONE_HELP,
                    as_edges=EACH_BOTH_WAYS,
                    is_sure=True,
                )
        weights = ("the third column is omitted: weights are not used",) if self.has_weights else ()
        lonely = (f"{len(self.alone)} of the nodes have no edge",) if self.alone else ()
        return GraphReading(
            list({**self.places, **{line.text: 0 for line in self.alone}}), self.pairs, (*weights, *lonely, *remarks)
        )

    def check(self, *, is_first: bool = False) -> tuple[str, ...]:
        """Return remarks on the list. Raises Misfit if it may not be exactly one graph.

        Args:
            is_first: Whether the list starts the text, so that its first line may contain counts.
        """
        alone = [line.text for line in self.alone]
        if not len(self.at):
            raise Misfit("no line has two nodes", self.alone[0].number if alone else 1)
        for number, name in self.alone:
            if number < self.at[-1] or len(set(alone)) < len(alone):
                raise Misfit(
                    f"{name[:40]!r} is alone in its line",
                    number,
                    help=_ALONE_HELP,
                    as_edges=EACH_BOTH_WAYS,
                    is_sure=True,
                )
        self.check_alone()
        names = list(self.places)
        remarks = self._check_first(names) if is_first and len(self.pairs) > 1 else ()
        is_number = np.array([WHOLE.match(name) is not None for name in names], dtype=bool)
        for ends in self.pairs.T:
            kinds = is_number[ends]
            if kinds.any() and not kinds.all():
                odd = int(np.flatnonzero(kinds != (2 * int(kinds.sum()) > len(kinds)))[0])
                kind = "not a number like the others" if not kinds[odd] else "a number, and others are names"
                why = f"{names[int(ends[odd])][:40]!r} is {kind}"
                raise Misfit(why, int(self.at[odd]), help=_HELP, as_edges=EACH_BOTH_WAYS, is_sure=True)
        check_simple(names, self.pairs, self.at, self.arcs)
        return remarks

    def check_alone(self) -> None:
        kinds = {WHOLE.match(name) is not None for name in self.places}
        for number, name in self.alone:
            if kinds and (WHOLE.match(name) is not None) not in kinds:
                raise Misfit(f"{name[:40]!r} is alone in its line, and unlike the other names", number, help=_HELP)

    def _check_first(self, names: Sequence[str]) -> tuple[str, ...]:
        """Raise Misfit if a line may contain the counts of nodes and edges below it; else return remarks."""
        ends, below = self.pairs[0].tolist(), set(np.unique(self.pairs[1:]).tolist())
        shown, line = " ".join(names[k] for k in ends), int(self.at[0])
        are_counts = all(map(COUNT.match, names))
        if not below & set(ends) and not are_counts:
            why = f"the first line {shown!r} names two nodes of no other line: is it an edge, or a heading?"
            raise Misfit(why, line, help=_HELP, as_edges=EACH_BOTH_WAYS, is_sure=True)
        if not are_counts:
            return ()
        values = np.array(list(map(int, names)), dtype=np.int64)
        (nodes, edges), count, listed = values[ends].tolist(), len(below), len(self.pairs) - 1
        are_below = below >= set(ends)
        is_near = abs(nodes - count) <= 1 or (edges, nodes) == (count, listed)
        if _is_whole(values[list(below)]):
            is_near |= not are_below and (edges == listed or (nodes >= count and edges >= listed))
        elif _is_whole(values):
            # Without this edge a node would be missing.
            is_near = nodes in (count, count + 1)
        else:
            is_near |= edges == listed or (nodes >= values.max() and edges >= listed and not are_below)
        is_near |= not below & set(ends)
        if is_near and listed > 1:
            what = f"{count:,} nodes and {listed:,} edges are below it"
            why = f"the first line {shown!r} looks like the numbers of nodes and edges, but {what}"
            raise Misfit(why, line, help=_HELP, as_edges=EACH_BOTH_WAYS, is_sure=True)
        left = np.arange(listed, -1, -1)
        for k in np.flatnonzero((values[self.pairs[:, 1]] == left) & (left > 1))[:1000].tolist():
            if k and len(np.unique(self.pairs[k + 1 :])) == values[self.pairs[k, 0]]:
                raise Misfit(f"this line counts the nodes and edges after it: {SEVERAL}", int(self.at[k]), is_sure=True)
        said = f"the first line {shown!r} is read as an edge, though {edges} edges are below it"
        return (said,) if edges == listed > 1 else ()


def _is_whole(numbers: np.ndarray) -> bool:
    """Whether these are all integers from 0 or 1 to the maximum."""
    return bool(numbers.min() in (0, 1) and len(numbers) == numbers.max() - numbers.min() + 1)


# ---------------------------------------------------------------- counts


def _cases(lines: Sequence[Line], arcs: bool) -> list[GraphReading]:
    """Return the graphs of a text in which each follows a line `nodes edges`."""
    at, found = int(COUNT.match(lines[0].text) is not None), list[GraphReading]()
    while at < len(lines):
        case = _case(lines, at, arcs)
        if case is None:
            return []
        found.append(case)
        at += 1 + len(case.pairs)
    return found if COUNT.match(lines[0].text) is None or len(found) == int(lines[0].text) else []


def _case(lines: Sequence[Line], at: int, arcs: bool) -> GraphReading | None:
    """Return the graph of a line `nodes edges` and the edges below it."""
    top = re.split(r"[\s,;]+", lines[at].text)
    if len(top) != 2 or not all(map(COUNT.match, top)):
        return None
    nodes, edges = map(int, top)
    if not 0 < edges < len(lines) - at:
        return None
    try:
        listed = _EdgeList(lines[at + 1 : at + 1 + edges], arcs, takes_weights=True)
        listed.check()
    except Misfit:
        return None
    found = listed.to_graph(f"the first line '{nodes} {edges}' is omitted: it counts the nodes and edges below")
    if listed.alone or (nodes != len(found.nodes) and not all(map(COUNT.match, found.nodes))):
        return None
    if nodes != len(found.nodes):
        numbers = {int(name) for name in found.nodes}
        first = int(0 not in numbers)
        every = range(first, nodes + first)
        if not numbers <= set(every) or nodes > 2 * len(numbers) + 2:
            return None
        lonely = [str(k) for k in every if k not in numbers]
        remarks = (*found.remarks, f"{len(lonely)} of the nodes have no edge")
        found = found._replace(nodes=[*found.nodes, *lonely], remarks=remarks)
    return found._replace(is_counted=True)


# ---------------------------------------------------------------- arrows and facts

_ARROW = re.compile(r"([^\s,;<>]+?)\s*(--|<->|->)\s*([^\s,;<>]+?)\s*[;,]?")
_FACT = re.compile(r"\s*([A-Za-z_]\w*)\s*\(([^()]*)\)\s*\.\s*")
_RANGE = re.compile(r"(\d{1,7})\s*\.\.\s*(\d{1,7})$", re.ASCII)
_MAX_RANGE = 1_000_000
_NODES = ("node", "vertex", "v", "n", "vtx")


def arrows(lines: Sequence[Line], is_plain: bool, arcs: bool) -> list[GraphReading]:
    """Read lines `a -- b`; `a -> b` is an arc, which requires its reverse unless arcs are requested."""
    edges, one_way = list[Edge](), dict[Edge, None]()
    for number, text in lines:
        match = _ARROW.fullmatch(text)
        if match is None:
            raise Misfit(f"{text[:40]!r} is not an edge with a dash", number)
        edges.append((checked_name(match[1], number), checked_name(match[3], number)))
        one_way |= {edges[-1]: None} if match[2] == "->" else {}
        if arcs and match[2] != "->":
            raise Misfit(f"{text[:40]!r} is an undirected edge", number, help=LEAVE_ARCS, is_sure=True)
    for a, b in () if arcs else one_way:
        if (b, a) not in one_way:
            why = f"an arrow goes from {a!r} to {b!r} and none back: the graph is directed"
            help = f"{ARCS_HELP}; write a -- b for an undirected edge"
            raise Misfit(why, lines[0].number, help=help, is_sure=True)
    found = GraphReading.of(edges, (), f"the {'arrow' if arcs else 'dash'} between the nodes of an edge is omitted")
    if not is_plain:
        check_simple(found.nodes, found.pairs, [line.number for line in lines], arcs)
    return [found]


def facts(lines: Sequence[Line], is_plain: bool, arcs: bool) -> list[GraphReading]:
    """Read facts `edge(a,b).`, `node(a).` or `node(1..6).`, and for arcs also `arc(a,b).`."""
    edges, nodes, names, at = list[Edge](), list[str](), set[str](), list[int]()
    for number, text in lines:
        end = 0
        while end < len(text):
            match = _FACT.match(text, end)
            if match is None:
                raise Misfit(f"{text[end : end + 40]!r} is not a fact such as edge(a,b).", number, is_sure=end > 0)
            end = match.end()
            words = [word.strip() for word in match[2].split(",")]
            if any(re.search(r"\s", word) for word in words if word[:1] not in "\"'"):
                raise Misfit(f"{match[0].strip()[:40]!r} lacks a comma between two words", number, is_sure=True)
            if len(words) == 1 and match[1].lower() in _NODES:
                nodes += _range(words[0], number)
                continue
            if not arcs and match[1].lower() in ("arc", "darc", "directed_edge"):
                why = f"{match[1]}(...) is an arc: the graph is directed"
                raise Misfit(why, number, help=ARCS_HELP, is_sure=True)
            names.add(match[1])
            if len(names) > 1 or len(words) != 2:
                raise Misfit(f"{match[0].strip()[:40]!r} is not an edge like the preceding facts", number, is_sure=True)
            edges.append((checked_name(words[0], number), checked_name(words[1], number)))
            at.append(number)
    if not edges:
        raise Misfit("there is no fact such as edge(a,b).", lines[0].number)
    what = "an arc from a to b" if arcs else "an edge, which goes both ways"
    found = GraphReading.of(edges, nodes, f"each {min(names)}(a,b) is {what}")
    if nodes and len(found.nodes) > len(set(nodes)):
        name = next(name for name in found.nodes if name not in set(nodes))
        raise Misfit(f"an edge leads to {name!r}, which is not a listed node", lines[0].number, is_sure=True)
    if not is_plain:
        check_simple(found.nodes, found.pairs, at, arcs)
    return [found]


def _range(word: str, line: int) -> Sequence[str]:
    match = _RANGE.match(word)
    if match is None:
        return [checked_name(word, line)]
    if int(match[2]) - int(match[1]) > _MAX_RANGE:
        raise Misfit(f"the range {word[:40]!r} is too long", line)
    return list(map(str, range(int(match[1]), int(match[2]) + 1)))
