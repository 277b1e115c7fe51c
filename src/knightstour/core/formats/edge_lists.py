"""Lists of edges: the names of two nodes a line, perhaps under counts or names of columns; with dashes; and as facts.

A list of edges has nothing in it that shows that it is whole, so signs of another meaning are asked about: a first line
that nearly counts what is below it, a second one that does, edges listed again, or both ways beside edges listed one
way. `edges:FILE` says that each line is an edge, and then none of this is asked.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from knightstour.core.formats.graph_lines import (
    COUNT,
    DIRECTED_HELP,
    EACH_BOTH_WAYS,
    NUMBER,
    PROMISE,
    SIGN,
    WHOLE,
    Edge,
    Found,
    Line,
    Misfit,
    as_pairs,
    check_ways,
    checked_name,
)
from knightstour.core.formats.graphs import EDGE_LINES, MOST_EDGES, numbered_edges
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import FormatError

_NO_NAME = re.compile(r"[\s,;#]|^$")
# What NetworkX writes after an edge.
_DATA = re.compile(r"(\S+[\s,]+\S+)\s+\{.*\}$")
_SEPARATORS = ("\t", ";", ",")
_ENDS = (
    "source target", "from to", "src dst", "tail head", "node node", "vertex vertex", "u v", "a b", "i j", "x y", "s t",
    "start end", "parent child", "left right", "begin end", "first second", "in out",
)  # fmt: skip
_NAMES_OF_ENDS = tuple(tuple(ends.split()) for ends in _ENDS)
# These are hardly names of nodes.
_SURE_ENDS = _NAMES_OF_ENDS[:6]
_EDGE_HELP = f"leave that line out; {EACH_BOTH_WAYS}"
_AGAIN_HELP = f"keep one graph in a file (graph6 holds many); {EACH_BOTH_WAYS}, and counts each once"


def write_edges(board: Board, *, extra_vertex: bool = False) -> Iterator[str]:
    """A line for each edge with the names of its nodes, and one for each node that has none."""
    squares = move_graph(board).squares.tolist()
    names = [board.name(divmod(s, board.cols)) for s in squares] + ["extra"] * extra_vertex
    for name in names:
        if _NO_NAME.search(name) or SIGN.search(name):
            raise FormatError(
                f"the node {name[:60]!r} has a space, a comma, # or a sign of another form in its name, or none",
                help="write graph6, which numbers the nodes",
            )
    if len(set(names)) < len(names):
        raise FormatError("two nodes of the graph have one name as text", help="write graph6, which numbers the nodes")
    _, edges = numbered_edges(board, extra_vertex)
    alone = np.setdiff1d(np.arange(len(names)), edges).tolist()
    if _is_doubtful(names, edges, [names[k] for k in alone]):
        yield PROMISE + "\n"
    for k in range(0, len(edges), EDGE_LINES):
        yield "".join(f"{names[a]} {names[b]}\n" for a, b in edges[k : k + EDGE_LINES].tolist())
    yield "".join(f"{names[k]}\n" for k in alone)


def _is_doubtful(names: Sequence[str], edges: np.ndarray, alone: Sequence[str]) -> bool:
    """Whether a list of these edges may be read in another way."""
    if not len(edges):
        return True
    named = np.unique(edges)
    pairs = np.searchsorted(named, edges)
    listed = _Listed([names[k] for k in named.tolist()], pairs, np.zeros(len(edges), dtype=np.int64))
    try:
        _check_alone(listed, [Line(0, name) for name in alone], 0)
        return _counted(listed) is not None or bool(listed.check_signs()) or bool(listed.check_kinds(alone))
    except Misfit:
        return True


# ---------------------------------------------------------------- columns


def columns(lines: Sequence[Line], is_plain: bool) -> list[Found]:
    """Two names a line, a line with one where a node has no edge; perhaps a weight, names of columns, or counts.

    Several graphs where each has its numbers of nodes and edges above it, and perhaps their number above all.
    is_plain: whether each line is an edge or a node for sure.
    """
    if not is_plain:
        several = _cases(lines)
        if several:
            return several
    remarks, body, cut = list[str](), list(lines), _cutter(lines)
    heading = None if is_plain else _heading(cut(lines[0].text), lines, cut)
    if heading is not None:
        remarks += heading.remarks
        body = body[1:]
    top = body.pop(0).text if not is_plain and len(body) > 1 and COUNT.match(body[0].text) else ""
    second = body.pop(0).text if top and len(body) > 1 and COUNT.match(body[0].text) else ""
    listed, alone, width = _read(body, cut, heading)
    if not len(listed.pairs) and not (is_plain and alone):
        raise Misfit("no line has two nodes", lines[0].number)
    if width > 2 and heading is None:
        _check_weights(listed, body, cut, width)
        remarks.append("the third column is left out: weights do not matter here")
    if is_plain:
        if _counted(listed) is not None:
            remarks.append(
                f"the first line {lines[0].text[:60]!r} is read as an edge, not as counts of what is below it"
            )
        for number, name in alone:
            listed.places.setdefault(checked_name(name, number), len(listed.places))
        return [Found(list(listed.places), listed.pairs, tuple(remarks))]
    found = _under_counts(listed, top, second, lines) if top else _counted(listed) if heading is None else None
    if found is None or alone:
        found = None if not top else found
        _check_alone(listed, alone, lines[0].number)
    if found is None:
        remarks += listed.check_signs() if heading is None else ()
        found = Found([*listed.places, *(name for _, name in alone)], listed.pairs)
        listed.check_kinds([name for _, name in alone])
        listed.check_again()
    elif alone:
        found = found._replace(nodes=[*found.nodes, *(name for _, name in alone)])
    check_ways(found.nodes, found.pairs, lines[0].number)
    return [found._replace(remarks=(*remarks, *found.remarks))]


def _cutter(lines: Sequence[Line]) -> Callable[[str], list[str]]:
    """How lines are cut into words: at a mark that each has as often, which lets names have spaces, or at any."""
    for mark in _SEPARATORS:
        counts = {line.text.rstrip("; \t,").count(mark) for line in lines}
        if len(counts) == 1 and counts != {0}:
            return lambda text: [word.strip() for word in text.rstrip("; \t,").split(mark)]
    return lambda text: re.sub("[,;]", " ", _DATA.sub(r"\1", text)).split()


class _Heading(NamedTuple):
    """Names of columns: how many, which hold the ends of an edge, which the direction; and what is said of them."""

    width: int
    ends: tuple[int, int]
    remarks: list[str]
    is_sure: bool


def names_columns(line: str) -> bool:
    """Whether a line names two columns that hold the ends of edges.

    >>> names_columns(",source,target"), names_columns("a,b")
    (True, False)
    """
    return _ends(re.split("[,;\t]", line))[0] in _SURE_ENDS


def _ends(words: list[str]) -> tuple[tuple[str, ...], list[int]]:
    """The names of the two columns of ends, and their places; nothing where there are none."""
    plain = [
        re.sub(r"[\W\d_]|node|vertex|id", "", word.lower()) or re.sub(r"[\W\d_]", "", word.lower()) for word in words
    ]
    for names in _NAMES_OF_ENDS:
        places = [k for k, word in enumerate(plain) if word in names]
        if len(places) == 2 and sorted(plain[k] for k in places) == sorted(names):
            return names, places
    return (), []


def _heading(words: list[str], lines: Sequence[Line], cut: Callable[[str], list[str]]) -> _Heading | None:
    names, places = _ends(words)
    is_sure = names in _SURE_ENDS
    if not names:
        return None
    below = [cut(line.text) for line in lines[1:3]]
    if not below or not (is_sure or all(WHOLE.match(word) for row in below for word in row[:2])):
        return None
    remarks = [f"the first line {lines[0].text[:60]!r} is left out: it names the columns"]
    others = len(words) - 2
    if others:
        besides = ", ".join(repr(word) for k, word in enumerate(words) if k not in places)
        remarks.append(f"of the columns {besides} nothing is read")
    return _Heading(len(words), (places[0], places[1]), remarks, is_sure)


class _Listed:
    """Edges as they are listed: places of names, pairs of these, and the line of each edge."""

    def __init__(self, names: Iterable[str], pairs: np.ndarray, at: Sequence[int] | np.ndarray) -> None:
        self.places = {name: k for k, name in enumerate(names)}
        self.pairs, self.at = pairs, at

    def check_again(self) -> None:
        """A Misfit where an edge is listed again in the same direction: another list may begin there."""
        keys = self.pairs @ [len(self.places), 1]
        order = np.argsort(keys, kind="stable")
        is_again = keys[order][1:] == keys[order][:-1]
        if is_again.any():
            again = int(order[1:][is_again].min())
            first = int(np.flatnonzero(keys == keys[again])[0])
            why = f"this edge is listed in line {self.at[first]}, too: are these several graphs?"
            raise Misfit(why, int(self.at[again]), help=_AGAIN_HELP, is_sure=True)

    def check_kinds(self, alone: Sequence[str]) -> list[str]:
        """A Misfit where a column has both numbers and names: a word there may be no node."""
        names = list(self.places)
        is_number = np.array([WHOLE.match(name) is not None for name in names], dtype=bool)
        for ends in self.pairs.T:
            kinds = is_number[ends]
            if kinds.any() and not kinds.all():
                odd = int(np.flatnonzero(kinds != (2 * int(kinds.sum()) > len(kinds)))[0])
                word = names[int(ends[odd])]
                kind = "no number as the others" if not kinds[odd] else "a number, and others are names"
                raise Misfit(f"{word[:40]!r} is {kind}", int(self.at[odd]), help=_EDGE_HELP, is_sure=True)
        if len({WHOLE.match(name) is not None for name in alone} | set(is_number.tolist())) > 1 and alone:
            if not is_number.any() or is_number.all():
                raise Misfit("a node by itself is called otherwise than the others", int(self.at[-1]), help=_EDGE_HELP)
        return []

    def check_signs(self) -> list[str]:
        """A Misfit where the first line may be no edge, or a later one counts those after it; else what to say."""
        names, pairs, at = list(self.places), self.pairs, self.at
        (a, b), below, first = pairs[0].tolist(), pairs[1:], int(at[0])
        shown = f"{names[a]} {names[b]}"
        if not len(below):
            if a == b:
                size = f"; a board of that size is {names[a]}x{names[b]}" if COUNT.match(names[a]) else ""
                raise Misfit(f"the only edge {shown!r} is a loop{size}", first, is_sure=True)
            return []
        named = set(np.unique(below).tolist())
        are_numbers = all(COUNT.match(name) for name in names)
        values = np.array([int(name) if are_numbers else 0 for name in names], dtype=np.int64)
        remarks = (
            self._first_as_counts(shown, int(values[a]), int(values[b]), values[sorted(named)]) if are_numbers else []
        )
        if a not in named and b not in named:
            why = f"the first line {shown!r} names two nodes that no other line names: is it an edge, or a heading?"
            raise Misfit(why, first, help=_EDGE_HELP, is_sure=True)
        if not are_numbers:
            return []
        left = np.arange(len(pairs) - 1, -1, -1)
        for k in np.flatnonzero((values[pairs[:, 1]] == left) & (left > 1))[:1000].tolist():
            if k and len(np.unique(pairs[k + 1 :])) == values[pairs[k, 0]]:
                shown = f"{names[pairs[k, 0]]} {names[pairs[k, 1]]}"
                why = f"the line {shown!r} counts the nodes and edges after it: are these several graphs?"
                raise Misfit(why, int(at[k]), help=_AGAIN_HELP, is_sure=True)
        return remarks

    def _first_as_counts(self, shown: str, nodes: int, edges: int, named: np.ndarray) -> list[str]:
        """A Misfit where the first line nearly counts what is below it; what to say where it does so in part."""
        listed, count = len(self.pairs) - 1, len(named)
        high, low = int(named.max()), int(named.min())
        below = f"{count:,} nodes and {listed:,} edges"
        is_near = nodes >= max(high, count - 1) and edges >= listed - 1
        is_near |= nodes == count and low in (0, 1) and high - low == count - 1
        is_near |= abs(nodes - count) <= 1 and abs(edges - listed) <= 1
        is_near |= edges == listed and edges not in named
        is_near |= (edges, nodes) == (count, listed) or (nodes == edges and nodes >= high)
        if is_near:
            why = f"the first line {shown!r} looks like the numbers of nodes and edges, but {below} are below it"
            raise Misfit(why, int(self.at[0]), help=_EDGE_HELP, is_sure=True)
        if edges == listed or (abs(edges - listed) == 1 and nodes >= count - 2):
            return [f"the first line {shown!r} is read as an edge: there are {below} below it"]
        return []


def _read(
    body: Sequence[Line], cut: Callable[[str], list[str]], heading: _Heading | None
) -> tuple[_Listed, list[Line], int]:
    """The edges of lines; those that name one node; and how many words the others have."""
    places: dict[str, int] = {}
    ends, at, alone = array("q"), array("q"), list[Line]()
    width = heading.width if heading is not None else 0
    first, second = heading.ends if heading is not None else (0, 1)
    for number, text in body:
        words = cut(text)
        if len(words) == 1:
            alone.append(Line(number, words[0]))
            continue
        if len(words) != (width or len(words)):
            raise Misfit(f"{len(words)} words, and others have {width}: {text[:40]!r}", number)
        width = len(words)
        if width > 2:
            if heading is not None and any(word.strip('"').lower() == "directed" for word in words):
                raise Misfit("the edge is directed", number, help=DIRECTED_HELP, is_sure=True)
            if heading is None and (width > 3 or not NUMBER.match(words[2])):
                what = f"{words[2][:40]!r} is no weight" if width == 3 else f"{width} words"
                raise Misfit(f"{what}: a line of a list of edges has two nodes, and perhaps a weight", number)
        for word in (words[first], words[second]):
            name = checked_name(word, number) if word[:1] in "\"'" else word
            place = places.get(name)
            if place is None:
                place = places[checked_name(name, number)] = len(places)
            ends.append(place)
        at.append(number)
        if len(at) > MOST_EDGES:
            raise Misfit(f"a graph of more than {MOST_EDGES:,} edges is too large", number, is_sure=True)
    return _Listed(places, np.array(ends, dtype=np.int64).reshape(-1, 2), at), alone, width


def _check_weights(listed: _Listed, body: Sequence[Line], cut: Callable[[str], list[str]], width: int) -> None:
    """A Misfit where the third column may hold something else than weights."""
    rows = [row for row in (cut(line.text) for line in body) if len(row) == width]
    words = [word for row in rows for word in row]
    number = body[0].number
    if any((WHOLE.match(row[0]) is None) != (WHOLE.match(row[1]) is None) for row in rows):
        raise Misfit("of three words the first two are no nodes of one kind", number, is_sure=True)
    if not all(COUNT.match(word) for word in words):
        return
    table = np.array(words, dtype=np.int64).reshape(-1, 3)
    if len(table) == 3 and not table.diagonal().any():
        raise Misfit("three rows of three numbers may be an adjacency matrix", number)
    flat = np.sort(table.ravel())
    if len(table) > 1 and flat[0] < 2 and np.array_equal(flat, np.arange(flat[0], flat[0] + len(flat))):
        why = "this is a diagram of numbers, and neither a graph nor the drawing of a board"
        raise Misfit(why, number, help="tours are for `check`, puzzles for `puzzle --solve`", is_sure=True)
    if table[0, 0] < 2 and np.array_equal(table[:, 0], np.arange(table[0, 0], table[0, 0] + len(table))):
        named = np.unique(table[:, 1:])
        if named[0] < 2 and named[-1] - named[0] == len(named) - 1:
            why = "the first column may number the edges, or the third one hold their weights"
            raise Misfit(why, number, help="leave that column out", is_sure=True)


# ---------------------------------------------------------------- counts


def _counted(listed: _Listed) -> Found | None:
    """The graph below the first line, if that one counts its nodes and edges; the nodes may be some without edges."""
    names, pairs = list(listed.places), listed.pairs
    if len(pairs) < 2 or not all(COUNT.match(names[k]) for k in pairs[0].tolist()):
        return None
    nodes, edges = (int(names[k]) for k in pairs[0].tolist())
    below = pairs[1:]
    if edges != len(below) and edges != len(np.unique(np.sort(below, axis=1), axis=0)):
        return None
    kept = dict.fromkeys(names[k] for k in below.ravel().tolist())
    remarks = [f"the first line '{nodes} {edges}' is left out: it counts the {nodes} nodes and {edges} edges below it"]
    added = list[str]()
    if nodes != len(kept):
        if not all(map(COUNT.match, kept)) or not len(kept) < nodes <= 2 * len(kept) + 2:
            return None
        numbers = {int(name) for name in kept}
        first = 0 if 0 in numbers else 1
        if max(numbers) >= nodes + first:
            return None
        added = [str(k) for k in range(first, first + nodes) if k not in numbers]
        remarks.append(f"{len(added)} of the nodes have no edge")
    found = Found.of([(names[a], names[b]) for a, b in below.tolist()], (), *remarks)
    return found._replace(nodes=[*found.nodes, *added], is_counted=True)


def _under_counts(listed: _Listed, top: str, second: str, lines: Sequence[Line]) -> Found | None:
    """The graph of a list under the number of its nodes or edges, or both, a line each; a Misfit if they do not fit."""
    nodes, edges = len(listed.places), len(listed.pairs)
    if second:
        is_right = (int(top), int(second)) == (nodes, edges)
        said = f"the first two lines are left out: they count the {nodes} nodes and {edges} edges below them"
    else:
        is_right = int(top) in (nodes, edges)
        what = "nodes" if int(top) == nodes else "edges"
        said = f"the first line {top!r} is left out: it counts the {what} below it"
    if not is_right:
        why = f"the number {top} is a node without edges, or counts what is below it: {nodes} nodes and {edges} edges"
        raise Misfit(why, lines[0].number, help=_EDGE_HELP, is_sure=True)
    loops = listed.pairs[:, 0] == listed.pairs[:, 1]
    if loops.any():
        name = list(listed.places)[int(listed.pairs[loops][0, 0])]
        why = f"a loop at {name!r} below the number {top}: are these several graphs?"
        raise Misfit(why, int(listed.at[int(loops.argmax())]), help=_AGAIN_HELP, is_sure=True)
    if not second:
        listed.check_signs() if int(top) != nodes else None
    return Found(list(listed.places), listed.pairs, (said,), True)


def _check_alone(listed: _Listed, alone: Sequence[Line], first: int) -> None:
    """A Misfit where a line with one word is not a node without edges after all edges."""
    last = int(listed.at[-1]) if len(listed.at) else first
    for number, name in alone:
        parts = re.split(r"[-\u2013\u2014]+", name)
        if (
            number < last
            or checked_name(name, number) in listed.places
            or len({line.text for line in alone}) < len(alone)
        ):
            why = f"{name[:40]!r} is alone in its line"
            help = f"a node without edges comes once, after the edges; several graphs go into graph6; {EACH_BOTH_WAYS}"
            raise Misfit(why, number, help=help, is_sure=True)
        if len(parts) == 2 and all(part in listed.places for part in parts):
            raise Misfit(f"{name[:40]!r} is a node by itself, or the edge of two", number, is_sure=True)


def _cases(lines: Sequence[Line]) -> list[Found]:
    """The graphs of a text in which each has a line `nodes edges` above its edges, perhaps under their number.

    Empty where the text is not exactly so. One graph is so only under the number 1.
    """
    rows = [line.text.split() for line in lines[:1_000_000]]
    if len(rows) < len(lines) or not all(WHOLE.match(word) for row in rows[:2] for word in row):
        return []
    total = int(rows[0][0]) if len(rows[0]) == 1 else 0
    at, found = int(len(rows[0]) == 1), list[Found]()
    while at < len(rows):
        if rows[at] == ["0", "0"] and at == len(rows) - 1 and found:
            break
        case = _case(rows, at)
        if case is None:
            return []
        found.append(case)
        at += 1 + len(case.pairs)
    return found if len(found) == total or (not total and len(found) > 1) else []


def _case(rows: Sequence[Sequence[str]], at: int) -> Found | None:
    """The graph of the `nodes edges` in one row and the edges in the next ones, all numbers."""
    if len(rows[at]) != 2 or not all(COUNT.match(word) for word in rows[at]):
        return None
    nodes, edges = map(int, rows[at])
    body = rows[at + 1 : at + 1 + edges]
    widths = {len(row) for row in body}
    if len(body) != edges or (not widths <= {2} and not widths <= {3}) or not 0 < nodes <= 4 * edges + 4:
        return None
    if not all(COUNT.match(row[0]) and COUNT.match(row[1]) for row in body):
        return None
    pairs = as_pairs([(int(row[0]), int(row[1])) for row in body])
    first = int(pairs.min(initial=1) > 0)
    if pairs.max(initial=0) >= nodes + first:
        return None
    remarks = ["each graph is under its numbers of nodes and edges"]
    remarks += ["weights are left out"] if widths == {3} else []
    return Found([str(k) for k in range(first, first + nodes)], pairs - first, tuple(remarks), True)


# ---------------------------------------------------------------- dashes and arrows, facts

_DASH = r"<?-{1,3}>?|<?={1,2}>|[\u2013\u2014\u2192\u2194]"
_SPACED = re.compile(rf"\s+({_DASH})\s+")
_CLOSE = re.compile(r"<?-{2,3}>?|<-|<?->|[\u2013\u2014\u2192\u2194]|(?<=\w)-(?=\w)")


def dashes(lines: Sequence[Line], is_plain: bool) -> list[Found]:
    """`a -- b`, `a - b`, `a-b`, and such chains; arrows are arcs, which have to go both ways."""
    arcs, edges = list[Edge](), list[Edge]()
    for number, raw in lines:
        text = raw.rstrip(";, ")
        cut = _SPACED if _SPACED.search(text) else _CLOSE
        marks = [match[0].strip() for match in cut.finditer(text)]
        names = [checked_name(name.strip(), number) for name in cut.sub("\0", text).split("\0")]
        if not marks or any(re.search(r"[\s,;]", name) for name in names):
            raise Misfit(f"{text[:40]!r} is no edge with a dash", number)
        for mark, a, b in zip(marks, names, names[1:], strict=False):
            is_arc = re.search("[>\u2192]", mark) is not None, "<" in mark
            (edges if is_arc[0] == is_arc[1] else arcs).append((b, a) if is_arc == (False, True) else (a, b))
    there = set(arcs)
    for a, b in arcs:
        if (b, a) not in there:
            why = f"an arrow goes from {a!r} to {b!r} and none back: the graph is directed"
            raise Misfit(why, lines[0].number, help="write a -- b for an edge that goes both ways", is_sure=True)
    found = Found.of([*edges, *dict.fromkeys(arcs)], (), "the dash between the nodes of an edge is left out")
    if edges and not is_plain:
        check_ways(found.nodes, found.pairs, lines[0].number)
        _Listed(found.nodes, found.pairs, [line.number for line in lines] * 2 + [0] * len(found.pairs)).check_again()
    return [found]


_FACT = re.compile(r"\s*([A-Za-z_]\w*)\s*\(([^()]*)\)\s*\.\s*")
_RANGE = re.compile(r"(\d{1,7})\s*\.\.\s*(\d{1,7})$", re.ASCII)
_MOST_RANGE = 1_000_000
_NODES = ("node", "vertex", "v", "n", "vtx")


def facts(lines: Sequence[Line], is_plain: bool) -> list[Found]:
    """`edge(a,b).`, also several a line, and `node(a).` or `node(1..6).`; a third argument is a weight."""
    edges, nodes, names, weights = list[Edge](), list[str](), set[str](), set[bool]()
    for number, text in lines:
        at = 0
        while at < len(text):
            match = _FACT.match(text, at)
            if match is None:
                raise Misfit(f"{text[at : at + 40]!r} is no fact such as edge(a,b).", number, is_sure=at > 0)
            at = match.end()
            words = [word.strip() for word in match[2].split(",")]
            if any(re.search(r"\s", word) for word in words if word[:1] not in "\"'"):
                raise Misfit(f"{match[0].strip()[:40]!r} has two words without a comma", number, is_sure=True)
            if len(words) == 1 and match[1].lower() in _NODES:
                nodes += _pool(words[0], number)
                continue
            if match[1].lower() in ("arc", "darc", "directed_edge"):
                raise Misfit(f"{match[1]}(...) is an arc: the graph is directed", number, is_sure=True)
            names.add(match[1])
            weights.add(len(words) == 3)
            if len(names) + len(weights) > 2 or len(words) not in (2, 3) or not all(map(NUMBER.match, words[2:])):
                raise Misfit(f"{match[0].strip()[:40]!r} is no edge as those before", number, is_sure=True)
            edges.append((checked_name(words[0], number), checked_name(words[1], number)))
    if not edges:
        raise Misfit("there is no fact such as edge(a,b).", lines[0].number)
    found = Found.of(edges, nodes, f"each {min(names)}(a,b) is an edge, which goes both ways")
    if nodes and len(found.nodes) > len(set(nodes)):
        name = next(name for name in found.nodes if name not in set(nodes))
        raise Misfit(f"an edge leads to {name!r}, which is none of the nodes listed", lines[0].number, is_sure=True)
    if not is_plain:
        check_ways(found.nodes, found.pairs, lines[0].number)
    return [found._replace(remarks=(*found.remarks, *["weights are left out"] * (True in weights)))]


def _pool(word: str, line: int) -> Iterator[str]:
    for part in word.split(";"):
        match = _RANGE.match(part.strip())
        if match is None:
            yield checked_name(part.strip(), line)
        elif int(match[2]) - int(match[1]) > _MOST_RANGE:
            raise Misfit(f"the range {part[:40]!r} is too long", line)
        else:
            yield from map(str, range(int(match[1]), int(match[2]) + 1))
