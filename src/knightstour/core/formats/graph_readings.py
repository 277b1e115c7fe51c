"""Graphs as people write them down: the readings that are tried where a text is no exact list of edges.

Each row of READINGS takes the lines of a text apart in one way and gives the whole graph, or says where that fails. No
reading guesses a part: every line is an edge, a node, a list of neighbours or a row of a matrix, every word is a name,
and lists of neighbours and matrices hold each edge from both its ends. `edge_lists.py` asks them all and decides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from knightstour.core.formats.nesting import Nested, NestingFault, parse_nested

# A mark of another form than a list of edges: no node is called so.
SIGN = re.compile(r"[\[\](){}<>:*;=\"]|\.$|^[-\u2013\u2014\u2192\u2194]+$|^%|^//")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$", re.ASCII)
COUNT = re.compile(r"\d{1,9}$", re.ASCII)

_JOINT = re.compile(r"(?<=[^-\u2013\u2014])[-\u2013\u2014]+(?=[^-\u2013\u2014])")

Edge: TypeAlias = tuple[str, str]


class Line(NamedTuple):
    """A line that is neither empty nor a comment."""

    number: int
    text: str


class Misfit(Exception):
    """Why a reading does not fit, and the line.

    is_sure: the text is in this form, and wrong there. is_counted: it would fit, but for the counts on top.
    """

    def __init__(
        self, message: str, line: int, *, help: str = "", is_sure: bool = False, is_counted: bool = False
    ) -> None:
        super().__init__(message)
        self.message, self.line, self.help = message, line, help
        self.is_sure, self.is_counted = is_sure, is_counted


@dataclass(slots=True)
class Found:
    """A graph: its nodes in the order in which they are named, and its edges as they are listed."""

    nodes: list[str] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def same_graph(self, other: Found) -> bool:
        """Whether both have the same nodes and edges, loops and repetitions left out."""
        return set(self.nodes) == set(other.nodes) and _pairs(self.edges) == _pairs(other.edges)


class Reading(NamedTuple):
    """A row of READINGS. option: the name before the file, as in edges:FILE, which decides where two readings fit."""

    name: str
    option: str
    read: Callable[[Sequence[Line]], Found]


def _pairs(edges: Sequence[Edge]) -> set[frozenset[str]]:
    return {frozenset(edge) for edge in edges if edge[0] != edge[1]}


def of_edges(edges: Sequence[Edge], nodes: Sequence[str] = (), remarks: Sequence[str] = ()) -> Found:
    """A graph of these edges; `nodes` come first."""
    order = dict.fromkeys([*nodes, *(name for edge in edges for name in edge)])
    return Found(list(order), list(edges), list(remarks))


def of_neighbours(near: dict[str, list[str]], lines: dict[str, int], remark: str, *, is_sure: bool) -> Found:
    """A graph of lists of neighbours, which have to be mutual; each edge is counted once."""
    found = {(a, b) for a, others in near.items() for b in others}
    if not found and not is_sure:
        raise Misfit("no node has a neighbour", min(lines.values()))
    for a, others in near.items():
        for b in others:
            if (b, a) not in found:
                why = f"{a!r} has the neighbour {b!r}, but {b!r} does not have {a!r}: the graph is directed, or cut off"
                raise Misfit(
                    why, lines[a], help="list each edge from both its ends, or one edge a line", is_sure=is_sure
                )
    edges = [(a, b) for a, others in near.items() for b in dict.fromkeys(others)]
    seen: set[frozenset[str]] = set()
    once = []
    for edge in edges:
        if frozenset(edge) not in seen:
            seen.add(frozenset(edge))
            once.append(edge)
    return of_edges(once, list(near), [remark])


def checked_name(word: str, line: int) -> str:
    """A name without the marks of other forms; quotation marks round it are left out."""
    if len(word) > 1 and word[0] == word[-1] == '"':
        word = word[1:-1].strip()
    if not word or SIGN.search(word):
        raise Misfit(f"{word[:40]!r} is no name of a node", line)
    return word


def is_number(word: str) -> bool:
    """Whether a word is a number, as weights are."""
    return _NUMBER.match(word) is not None


def refuse_joined(named: Collection[str], alone: Sequence[Line]) -> None:
    """A Misfit where a line with one word may be an edge: `a-b`, where a and b are nodes, or no edge names a node."""
    for number, word in alone:
        parts = _JOINT.split(word)
        if len(parts) == 2 and (not named or (parts[0] in named and parts[1] in named)):
            raise Misfit(
                f"{word[:40]!r} is a node by itself, or the edge of two", number, help="write two names a line"
            )


# ---------------------------------------------------------------- columns

_STRONG = {
    "source", "target", "from", "to", "src", "dst", "dest", "destination", "fromnodeid", "tonodeid", "node", "vertex",
    "fromnode", "tonode", "sourcenode", "targetnode", "nodea", "nodeb", "vertexa", "vertexb", "tail", "head",
}  # fmt: skip
# These may be nodes, too; they are columns above numbers alone.
_WEAK = _STRONG | {
    "u", "v", "a", "b", "i", "j", "x", "y", "s", "t", "start", "end", "id", "left", "right", "first", "second",
    "parent", "child", "row", "col", "edge", "begin", "origin", "nodes", "person", "n", "m", "p", "q", "in", "out",
}  # fmt: skip
_EDGE_WORDS, _ARC_WORDS = {"e", "edge"}, {"a", "arc"}
_SEPARATORS = ("\t", ";", ",")


def _plain(word: str) -> str:
    return re.sub(r"[\W\d_]", "", word).lower()


def split_columns(lines: Sequence[Line]) -> tuple[list[list[str]], str]:
    """The words of each line, and the mark between them, which lets names have spaces; "" for spaces and commas."""
    texts = [line.text.rstrip(";, \t") for line in lines]
    for mark in _SEPARATORS:
        counts = {text.count(mark) for text in texts}
        if len(counts) == 1 and counts != {0}:
            return [[word.strip() for word in text.split(mark)] for text in texts], mark
    return [re.sub("[,;]", " ", text).split() for text in texts], ""


def may_be_heading(words: Sequence[str], others: set[str]) -> bool:
    """Whether words may name columns, and are named nowhere else."""
    return not set(words) & others and all(_plain(word) in _WEAK for word in words)


def is_heading(words: Sequence[str], others: set[str]) -> bool:
    """Whether words are the names of columns above rows with these other names."""
    first = [_plain(word) for word in words[:2]]
    if len(first) < 2 or any(word in others for word in words[:2]):
        return False
    are_numbers = all(COUNT.match(name) for name in others)
    return all(word in (_WEAK if are_numbers else _STRONG) for word in first)


# The two columns of an edge, where a heading names more than these.
_ENDS = (("source", "target"), ("from", "to"), ("src", "dst"), ("tail", "head"), ("node", "node"), ("vertex", "vertex"))


def heading_columns(words: Sequence[str]) -> tuple[int, int] | None:
    """Which columns of a heading hold the ends of an edge; None where it does not say so.

    >>> heading_columns(["", "source", "target"]), heading_columns(["a", "b"])
    ((1, 2), None)
    """
    plain = [_plain(word) for word in words]
    for one, other in _ENDS:
        places = [k for k, word in enumerate(plain) if word in (one, other)]
        if len(places) == 2 and {plain[k] for k in places} == {one, other}:
            return places[0], places[1]
    return None


def columns(lines: Sequence[Line]) -> Found:
    """Two names a line with anything between them, perhaps under names of columns, perhaps with a weight."""
    rows, _ = split_columns(lines)
    remarks = []
    ends = heading_columns(rows[0])
    if ends is not None and ends != (0, 1) and all(len(row) == len(rows[0]) for row in rows):
        rows = [[row[k] for k in (*ends, *(k for k in range(len(row)) if k not in ends))] for row in rows]
    _refuse_diagram(rows, lines)
    if all(len(row) > 2 for row in rows) and len({row[0] for row in rows}) == 1 and rows:
        word = rows[0][0].lower()
        if word in _ARC_WORDS and len(rows[0]) == 3 and len(rows) > 1:
            raise Misfit(f"lines with {word!r} are arcs: the graph is directed", lines[0].number, is_sure=True)
        if word in _EDGE_WORDS:
            rows = [row[1:] for row in rows]
            remarks.append(f"the word {word!r} before each edge is left out")
    between = {row[1] for row in rows} if all(len(row) == 3 for row in rows) else set()
    if len(between) == 1 and len(rows) > 1 and not is_number(rows[0][1]):
        word = between.pop()
        if re.match(r"[\w|]", word) and word not in {row[k] for row in rows for k in (0, 2)}:
            rows = [row[::2] for row in rows]
            remarks.append(f"the word {word[:40]!r} between two nodes is left out")
    others = {word for row in rows[1:] for word in row[:2]}
    has_heading = len(rows) > 1 and is_heading(rows[0], others)
    if has_heading:
        remarks.append(f"the first line {lines[0].text[:60]!r} is left out: it names the columns")
    body = list(zip(rows, lines, strict=True))[has_heading:]
    widths = {len(row) for row, _ in body}
    width = max(widths, default=0)
    if width > 2:
        remarks.append(_left_out([row for row, _ in body], body, width, has_heading))
    named = {word for row, _ in body if len(row) > 1 for word in row[:2]}
    refuse_joined(named, [Line(line.number, row[0]) for row, line in body if len(row) == 1])
    nodes, edges = list[str](), list[Edge]()
    for row, line in body:
        names = [checked_name(word, line.number) for word in row[:2]]
        nodes += names
        if len(names) == 2:
            edges.append((names[0], names[1]))
    if not edges:
        raise Misfit("no line has two nodes", lines[0].number)
    return of_edges(edges, nodes, remarks)


def _refuse_diagram(rows: Sequence[Sequence[str]], lines: Sequence[Line]) -> None:
    """A Misfit where the numbers are those of a tour's diagram: each once, from 0 or 1 on, in rows of three or more."""
    words = [word for row in rows for word in row]
    if len(rows) < 2 or len(rows[0]) < 3 or not all(COUNT.match(word) for word in words):
        return
    numbers = sorted(int(word) for word in words)
    if numbers[0] < 2 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
        why = "this is a diagram of numbers, and neither a graph nor the drawing of a board"
        raise Misfit(why, lines[0].number, help="tours are for `check`, puzzles for `puzzle --solve`", is_sure=True)


def _left_out(rows: Sequence[Sequence[str]], body: Sequence[tuple[list[str], Line]], width: int, named: bool) -> str:
    """The remark on columns after the second; a Misfit where they may be something else than weights."""
    for row, line in body:
        if len(row) != width:
            raise Misfit(f"{len(row)} words, and others have {width}", line.number)
        if any(word.strip('"').lower() == "directed" for word in row[2:]):
            raise Misfit("the edge is directed, and a tour's moves go both ways", line.number, is_sure=True)
        if not named and (width > 3 or not is_number(row[2])):
            what = f"{width} words" if width > 3 else f"the third word {row[2][:40]!r} is no weight"
            raise Misfit(f"{what}: a line of a list of edges has two nodes, and perhaps a weight", line.number)
    if not named:
        _refuse_numbered(rows, body)
    if width == 3:
        return "the third column is left out: weights do not matter here"
    return f"the columns after the second are left out, {width - 2} of them"


def _refuse_numbered(rows: Sequence[Sequence[str]], body: Sequence[tuple[list[str], Line]]) -> None:
    """A Misfit where the first of three columns may number the edges, or the second is no node as the first."""
    if all(COUNT.match(row[0]) for row in rows) and not any(COUNT.match(row[1]) for row in rows):
        raise Misfit("the second word is no node as the first one", body[0][1].number)
    if not all(COUNT.match(word) for row in rows for word in row):
        return
    ids = [int(row[0]) for row in rows]
    others = {int(word) for row in rows for word in row[1:]}
    is_numbered = ids == list(range(ids[0], ids[0] + len(ids))) and ids[0] < 2
    if is_numbered and min(others) < 2 and max(others) - min(others) == len(others) - 1:
        why = "the first column may number the edges, or the third one hold their weights"
        raise Misfit(why, body[0][1].number, help="leave that column out", is_sure=True)


# ---------------------------------------------------------------- dashes and arrows

_DASH = r"<?-{1,3}>?|<?={1,2}>|[\u2013\u2014]|<?\u2014?[\u2192\u2194]"
_SPACED = re.compile(rf"\s+({_DASH})\s+")
_CLOSE = re.compile(r"\s*(<?-{2,3}>?|<-|<?->|<?={1,2}>|[\u2013\u2014\u2192\u2194])\s*|(?<=[^\W_])-(?=[^\W_])")


def dashes(lines: Sequence[Line]) -> Found:
    """`a -- b`, `a - b`, `a-b`, and such chains; arrows are arcs, which have to go both ways."""
    arcs, edges, nodes = list[Edge](), list[Edge](), list[str]()
    for line in lines:
        text = line.text.rstrip(";, ")
        cut = _SPACED if _SPACED.search(text) else _CLOSE
        names = [checked_name(name.strip(), line.number) for name in cut.sub("\0", text).split("\0")]
        marks = [match[0].strip() for match in cut.finditer(text)]
        if not marks:
            raise Misfit(f"there is no dash between two nodes in {text[:40]!r}", line.number)
        if any(" " in name or "," in name for name in names):
            raise Misfit(f"{text[:40]!r} is no edge", line.number)
        nodes += names
        for mark, (a, b) in zip(marks, pairwise(names), strict=True):
            is_arc = ">" in mark or "\u2192" in mark or "<" in mark
            is_arc = is_arc and not ("<" in mark and ">" in mark)
            (arcs if is_arc else edges).append((b, a) if is_arc and "<" in mark else (a, b))
    there, seen = set(arcs), set[Edge]()
    for a, b in arcs:
        if (b, a) not in there:
            why = f"an arrow goes from {a!r} to {b!r} and none back: the graph is directed"
            raise Misfit(why, lines[0].number, is_sure=True)
        if (b, a) not in seen:
            edges.append((a, b))
            seen.add((a, b))
    return of_edges(edges, nodes, ["the dash between the nodes of an edge is left out"])


# ---------------------------------------------------------------- facts of logic programs

_FACT = re.compile(r"\s*([A-Za-z_]\w*)\s*\(([^()]*)\)\s*[.;,]?\s*")
_RANGE = re.compile(r"(\d{1,7})\s*\.\.\s*(\d{1,7})$", re.ASCII)
_MOST_RANGE = 1_000_000


def facts(lines: Sequence[Line]) -> Found:
    """`edge(a,b).`, also several a line, and `node(a).` or `node(1..6).`; a third argument is a weight."""
    edges, nodes, names, has_weights = list[Edge](), list[str](), dict[str, int](), False
    for line in lines:
        at = 0
        while at < len(line.text):
            match = _FACT.match(line.text, at)
            if match is None:
                raise Misfit(f"{line.text[at : at + 40]!r} is no fact such as edge(a,b).", line.number)
            at = match.end()
            words = [word.strip().strip("'") for word in match[2].split(",")]
            if len(words) == 1:
                nodes += _pool(words[0], line.number)
                continue
            names.setdefault(match[1], line.number)
            if match[1].lower() in ("arc", "darc", "directed_edge"):
                raise Misfit(f"{match[1]}(...) is an arc: the graph is directed", line.number, is_sure=True)
            if len(names) > 1 or len(words) > 3 or (len(words) == 3 and not is_number(words[2])):
                raise Misfit(f"{match[0].strip()[:40]!r} is no edge as those before", line.number)
            has_weights |= len(words) == 3
            edges.append((checked_name(words[0], line.number), checked_name(words[1], line.number)))
    if not edges:
        raise Misfit("there is no fact such as edge(a,b).", lines[0].number)
    remarks = [f"each {next(iter(names))}(a,b) is an edge, which goes both ways"]
    return of_edges(edges, nodes, remarks + ["weights are left out"] * has_weights)


def _pool(word: str, line: int) -> Iterator[str]:
    for part in word.split(";"):
        match = _RANGE.match(part.strip())
        if match is None:
            yield checked_name(part.strip(), line)
        elif int(match[2]) - int(match[1]) > _MOST_RANGE:
            raise Misfit(f"the range {part[:40]!r} is too long", line)
        else:
            yield from map(str, range(int(match[1]), int(match[2]) + 1))


# ---------------------------------------------------------------- lists of neighbours

_COLON = re.compile(r"\s*(:|->|\u2192)\s*")


def _items(text: str, line: int) -> list[str]:
    text = text.strip().rstrip(".;,")
    if len(text) > 1 and text[0] + text[-1] in ("[]", "()", "{}"):
        text = text[1:-1]
    return [checked_name(word.strip("'"), line) for word in re.sub("[,;]", " ", text).split()]


def neighbours(lines: Sequence[Line]) -> Found:
    """`a: b c` a line, a node and its neighbours; each edge is there from both its ends."""
    near, at = dict[str, list[str]](), dict[str, int]()
    for line in lines:
        head, mark, rest = _COLON.sub("\0", line.text, count=1).partition("\0")
        if not mark:
            raise Misfit("there is no ':' after a node", line.number)
        name = checked_name(head.strip().strip("'"), line.number)
        if name in near:
            raise Misfit(f"the neighbours of {name!r} are listed twice", line.number)
        near[name], at[name] = _items(rest, line.number), line.number
    return of_neighbours(near, at, "each line is a node and its neighbours", is_sure=True)


def named_lists(lines: Sequence[Line]) -> Found:
    """`a b c` a line, a node and its neighbours, as `neighbours` without the colon."""
    rows = [re.sub("[,;]", " ", line.text).split() for line in lines]
    near, at = dict[str, list[str]](), dict[str, int]()
    for row, line in zip(rows, lines, strict=True):
        names = [checked_name(word, line.number) for word in row]
        if not names:
            raise Misfit("a line has no node", line.number)
        if names[0] in near:
            raise Misfit(f"the neighbours of {names[0]!r} are listed twice", line.number)
        if len(set(names)) < len(names):
            raise Misfit("a node is named twice in a line", line.number)
        near[names[0]], at[names[0]] = names[1:], line.number
    return of_neighbours(near, at, "each line is a node and its neighbours", is_sure=False)


def numbered_lists(lines: Sequence[Line]) -> Found:
    """The neighbours of a node a line; the nodes are numbered as the lines are, from 0 or from 1."""
    rows = [re.sub("[,;]", " ", line.text).split() for line in lines]
    for row, line in zip(rows, lines, strict=True):
        if not all(COUNT.match(word) for word in row) or len(set(row)) < len(row):
            raise Misfit("a list of neighbours has numbers, each once", line.number)
    first = 0 if any("0" in row for row in rows) else 1
    names = [str(first + k) for k in range(len(rows))]
    at = {name: line.number for name, line in zip(names, lines, strict=True)}
    near = dict(zip(names, rows, strict=True))
    for name, row in near.items():
        if name in row:
            raise Misfit(f"node {name} would be its own neighbour", at[name])
    return of_neighbours(near, at, f"line k lists the neighbours of node k, counted from {first}", is_sure=False)


def with_counts_metis(lines: Sequence[Line]) -> Found:
    """METIS without weights: the numbers of nodes and edges, then the neighbours of each node a line, from 1."""
    head = lines[0].text.split()
    if len(head) not in (2, 3) or not all(COUNT.match(word) for word in head) or head[2:] not in ([], ["0"], ["000"]):
        raise Misfit("a METIS file begins with the numbers of nodes and edges", lines[0].number)
    found = numbered_lists(lines[1:])
    if (len(found.nodes), len(found.edges)) != (int(head[0]), int(head[1])) or "0" in found.nodes:
        raise Misfit("the numbers of nodes and edges are not those of the lines below", lines[0].number)
    return found


# ---------------------------------------------------------------- matrices


def matrix(lines: Sequence[Line]) -> Found:
    """An adjacency matrix, a row a line, perhaps with the nodes above and beside it."""
    rows, _ = split_columns(lines)
    if all(len(row) == 1 for row in rows) and all(set(row[0]) <= set("01") for row in rows):
        rows = [list(row[0]) for row in rows]
    count = len(rows)
    names = [str(k) for k in range(count)]
    above = rows[0][1:] if len(rows[0]) == count else rows[0]
    if not all(rows):
        raise Misfit("a line has no entry", lines[0].number)
    are_names = rows[0][0] == "" or len(rows[0]) == count - 1 or not all(map(is_number, rows[0]))
    if count > 2 and are_names and [row[0] for row in rows[1:]] == above and len(rows[1]) == count:
        rows, lines, count = [row[1:] for row in rows[1:]], lines[1:], count - 1
        names = [checked_name(name, lines[0].number) for name in above]
    if count < 2:
        raise Misfit("a matrix has several rows", lines[0].number)
    for row, line in zip(rows, lines, strict=True):
        if len(row) != count or not all(map(is_number, row)):
            raise Misfit(f"an adjacency matrix of {count} rows has {count} numbers in each", line.number)
    if any(float(rows[k][k]) for k in range(count)):
        raise Misfit("the diagonal of an adjacency matrix is 0", lines[0].number)
    return of_matrix(rows, names, [line.number for line in lines])


def of_matrix(rows: Sequence[Sequence[str]], names: Sequence[str], at: Sequence[int]) -> Found:
    """The graph of a square matrix of numbers, which has to be symmetric."""
    is_edge = [[float(word) != 0 for word in row] for row in rows]
    edges, loops = list[Edge](), 0
    for r, row in enumerate(is_edge):
        for c, is_set in enumerate(row):
            if is_set and not is_edge[c][r]:
                why = f"entry ({r}, {c}) of the matrix is set and ({c}, {r}) is 0: the graph is directed"
                raise Misfit(why, at[r], help="a tour's moves go both ways; make the matrix symmetric")
            if is_set and c >= r:
                edges.append((names[r], names[c]))
                loops += c == r
    remarks = ["the rows are an adjacency matrix: an edge where an entry is not 0"]
    return of_edges(edges, names, remarks)


# ---------------------------------------------------------------- brackets


def brackets(lines: Sequence[Line]) -> Found:
    """Pairs, lists of neighbours or a matrix in brackets of any kind, as programs print them."""
    text = "\n".join(line.text for line in lines)
    try:
        nested = parse_nested(text)
    except NestingFault as fault:
        at = lines[min(text[: fault.at].count("\n"), len(lines) - 1)].number
        raise Misfit(str(fault), at, is_sure=text[0] in "[({") from None
    try:
        return of_nested(nested, lines[0].number)
    except Misfit as misfit:
        # No name begins with a bracket, so this text can be nothing else.
        misfit.is_sure |= text[0] in "[({"
        raise


def of_nested(nested: Nested, line: int) -> Found:
    """The graph of lists of lists of names, or of a mapping of names to lists; a Misfit where two graphs fit."""
    if isinstance(nested, dict):
        near = {checked_name(str(node), line): _atoms(others, line) for node, others in nested.items()}
        return of_neighbours(near, dict.fromkeys(near, line), "each node is beside its neighbours", is_sure=True)
    if not isinstance(nested, list) or not nested:
        raise Misfit("there are no pairs in brackets", line)
    if len(nested) == 1 and isinstance(nested[0], list) and nested[0] and isinstance(nested[0][0], list):
        return of_nested(nested[0], line)
    if len(nested) == 2 and all(isinstance(part, list) and part for part in nested):
        # ({nodes}, {edges}), as in mathematics.
        nodes, edges = (part for part in nested if isinstance(part, list))
        if not any(isinstance(x, list | dict) for x in nodes) and all(isinstance(x, list) for x in edges):
            return _of_parts(nodes, edges, line)
    lists = [_atoms(part, line) for part in nested]
    readings = []
    for read in (_as_pairs, _as_lists, _as_matrix):
        try:
            readings.append(read(lists, line))
        except Misfit:
            continue
    if not readings:
        raise Misfit("the brackets hold neither pairs, lists of mutual neighbours nor a symmetric matrix", line)
    for other in readings[1:]:
        if not readings[0].same_graph(other):
            why = f"two readings fit: {readings[0].remarks[0]}; or {other.remarks[0]}"
            raise Misfit(why, line, help="write an edge a line, or a line 'node: neighbours' for each", is_sure=True)
    return readings[0]


def _of_parts(nodes: list[Nested], edges: list[Nested], line: int) -> Found:
    found = _as_pairs([_atoms(edge, line) for edge in edges], line)
    names = [checked_name(str(node), line) for node in nodes]
    if not set(found.nodes) <= set(names):
        raise Misfit("an edge leads to a node that is not in the list of nodes", line, is_sure=True)
    return of_edges(found.edges, names, ["a list of the nodes, then the edges as pairs"])


def _atoms(part: Nested, line: int) -> list[str]:
    if not isinstance(part, list):
        raise Misfit(f"{str(part)[:40]!r} is outside of brackets", line)
    if any(isinstance(item, list | dict) for item in part):
        raise Misfit("brackets are nested too deep", line)
    return [checked_name(str(item), line) for item in part]


def _as_pairs(lists: Sequence[list[str]], line: int) -> Found:
    if not all(len(pair) == 2 for pair in lists):
        if lists and all(len(pair) == 3 and is_number(pair[2]) for pair in lists):
            remarks = ["the brackets are edges", "weights are left out"]
            return of_edges([(pair[0], pair[1]) for pair in lists], [], remarks)
        raise Misfit("not all brackets are pairs", line)
    return of_edges([(pair[0], pair[1]) for pair in lists], [], ["the pairs in brackets are edges"])


def _as_lists(lists: Sequence[list[str]], line: int) -> Found:
    names = [str(k) for k in range(len(lists))]
    for name, near in zip(names, lists, strict=True):
        if name in near or len(set(near)) < len(near):
            raise Misfit("a list of neighbours has each once and never the node itself", line)
    remark = "the brackets are the neighbours of node 0, 1, ..."
    return of_neighbours(
        dict(zip(names, lists, strict=True)), dict.fromkeys(names, line), remark, is_sure=False
    )  # fmt: skip


def _as_matrix(lists: Sequence[list[str]], line: int) -> Found:
    count = len(lists)
    if count < 3 or any(len(row) != count or not all(map(is_number, row)) for row in lists):
        raise Misfit("no square matrix", line)
    return of_matrix(lists, [str(k) for k in range(count)], [line] * count)


# ---------------------------------------------------------------- the table

COLUMNS = Reading("a list of edges", "edges", columns)
READINGS = (
    COLUMNS,
    Reading("a list of edges with dashes", "edges", dashes),
    Reading("facts of a logic program", "edges", facts),
    Reading("lists of neighbours", "neighbours", neighbours),
    Reading("lists of neighbours", "neighbours", named_lists),
    Reading("lists of neighbours of nodes that are numbered by line", "neighbours", numbered_lists),
    Reading("METIS", "metis", with_counts_metis),
    Reading("an adjacency matrix", "matrix", matrix),
    Reading("brackets", "brackets", brackets),
)
