"""Graphs as programs write them: lists of Python, C and JSON, and the calls by which NetworkX is given edges.

The text is parsed as Python, so that nothing in it is left out: `graph = {0: [1, 2]}`, `G.add_edges_from([(0, 1)])`,
`int g[3][3] = {{0, 1, 1}, {1, 0, 1}, {1, 1, 0}};`, `[[1, 2], [0, 2], [0, 1]]`. `graph_lists.py` says what lists mean.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Sequence

from knightstour.core.formats.graph_lines import DIRECTED_HELP, Found, Line, Misfit, check_ways, checked_name
from knightstour.core.formats.graphs import WHOLE
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graph_lists import EDGES, NEIGHBOURS, graph_of_lists

_MOST_CHARS = 4_000_000
_MOST_NODES = 1_000_000
# The head of an array in C, C++ or Java: `static const int g[4][4] =`.
_ARRAY = re.compile(
    r"^(?:[\w<>:]+\s+)*[\w<>:]+(?:\s*\[\w*\])*\s+(\w+)\s*((?:\s*\[\w*\])+)?\s*=\s*(?=\{)|^(\w+)\s*=\s*(?=\{)"
)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
# Python would read 00 as 0, and leave the mark out of 1_0.
_NO_NUMBER = re.compile(r"(?<![\w.])0[\w]+|(?<![\w.])\d+_\w*")
_BEGINS = re.compile(r"[\[({]|[\w\s\[\]<>:]+=\s*[\[({\w]|(import|from)\s|\w+\.\w+\(")
_HELP = "write an edge a line, or a line 'node: neighbours' for each node"


def brackets(lines: Sequence[Line], is_plain: bool) -> list[Found]:
    """Pairs, lists of neighbours or a matrix in brackets of any kind, as programs print them."""
    text = "\n".join(line.text for line in lines)
    if not _BEGINS.match(text):
        raise Misfit("there are no lists in brackets", lines[0].number)
    if len(text) > _MOST_CHARS:
        raise Misfit(f"a list in brackets of more than {_MOST_CHARS:,} characters", lines[0].number, help=_HELP)
    try:
        return [_Program(text, lines, is_plain).found()]
    except BoardError as error:
        raise Misfit(str(error), lines[0].number, help=error.help if is_plain else _HELP, is_sure=True) from None


def _as_python(text: str) -> str:
    """Lists in braces, as in C and in mathematics, as lists of Python."""
    text = _ARRAY.sub(lambda match: f"{match[1] or match[3]} = ", text.strip())
    if "{" in text and ":" not in _STRING.sub("", text):
        text = text.translate(str.maketrans("{}", "[]"))
    return text.rstrip(";., ")


class _Program:
    """A text that is one list, several lists a line each, or statements of Python that make a graph."""

    def __init__(self, text: str, lines: Sequence[Line], is_plain: bool) -> None:
        self._lines, self._is_plain = lines, is_plain
        self._edges, self._nodes = list[tuple[str, str]](), list[str]()
        self._lists = list[object]()
        written = _as_python(text)
        number = _NO_NUMBER.search(_STRING.sub(lambda match: " " * len(match[0]), written))
        if number is not None:
            raise self._misfit(f"{number[0]!r} is no number of a node", written[: number.start()].count("\n") + 1)
        strings = list(_STRING.finditer(written))
        for one, other in zip(strings, strings[1:], strict=False):
            if not written[one.end() : other.start()].strip():
                raise self._misfit("no comma is between two names", written[: one.end()].count("\n") + 1)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                body = ast.parse(written).body
        except SyntaxError as error:
            place = error.lineno or 1
            raise self._misfit(f"these brackets are no list of Python, C or JSON: {error.msg}", place) from None
        except (RecursionError, MemoryError, ValueError):
            raise self._misfit("brackets are nested too deep", 1) from None
        for statement in body:
            self._take(statement)

    def found(self) -> Found:
        """The graph."""
        if self._edges or self._nodes:
            if self._lists:
                raise self._misfit("a list besides calls that add edges", 1)
            found = Found.of(self._edges, self._nodes, "read as calls that add edges")
            if not self._is_plain:
                check_ways(found.nodes, found.pairs, self._lines[0].number)
            return found
        if not self._lists:
            raise self._misfit("there is no list in brackets", 1)
        value = self._lists[0] if len(self._lists) == 1 else self._lists
        if len(self._lists) > 1 and not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in self._lists):
            raise self._misfit("there are several lists: are these several graphs?", 2)
        parts = graph_of_lists(self._named(value))
        if len(set(map(str, parts.nodes))) < len(parts.nodes):
            raise self._misfit("two nodes have one name as text", 1)
        are_tuples = isinstance(value, list) and all(isinstance(item, tuple) for item in value)
        kind = EDGES if are_tuples else NEIGHBOURS if isinstance(value, list) else "each node is beside its neighbours"
        remarks = parts.remarks or (kind,)
        edges = parts.edges if remarks[0] == EDGES else parts.edges[parts.edges[:, 0] <= parts.edges[:, 1]]
        found = Found([str(node) for node in parts.nodes], edges, remarks)
        if remarks[0] != EDGES and (edges[:, 0] == edges[:, 1]).any():
            node = found.nodes[int(edges[edges[:, 0] == edges[:, 1]][0, 0])]
            raise self._misfit(f"{node!r} would be its own neighbour", 1)
        if remarks[0] == EDGES and not self._is_plain:
            check_ways(found.nodes, found.pairs, self._lines[0].number)
        return found

    def _misfit(self, why: str, line: int, help: str = _HELP) -> Misfit:
        return Misfit(why, self._lines[min(line, len(self._lines)) - 1].number, help=help, is_sure=True)

    def _take(self, statement: ast.stmt) -> None:
        """Account for a statement."""
        value = statement.value if isinstance(statement, ast.Expr | ast.Assign) else None
        if isinstance(statement, ast.Import | ast.ImportFrom):
            return
        if isinstance(value, ast.Call):
            self._call(value, statement.lineno)
        elif value is not None:
            self._lists.append(self._literal(value))
        else:
            raise self._misfit("this is no list, and no call that adds edges", statement.lineno)

    def _call(self, call: ast.Call, line: int) -> None:
        name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
        if "DiGraph" in name:
            raise self._misfit("a DiGraph is directed", line, DIRECTED_HELP)
        if name == "Graph" and len(call.args) <= 1 and not call.keywords:
            self._lists += map(self._literal, call.args)
        elif name == "add_edge" and len(call.args) == 2:
            self._edges.append(self._pair(list(map(self._literal, call.args)), line))
        elif name == "add_node" and len(call.args) == 1:
            self._nodes.append(checked_name(str(self._literal(call.args[0])), line))
        elif name in ("add_edges_from", "add_weighted_edges_from") and len(call.args) == 1:
            for edge in self._items(call.args[0], line):
                has_data = isinstance(edge, tuple | list) and len(edge) == 3
                self._edges.append(self._pair(edge[:2] if has_data else edge, line))  # type: ignore[index]
        elif name == "add_nodes_from" and len(call.args) == 1:
            self._nodes += [checked_name(str(node), line) for node in self._items(call.args[0], line)]
        else:
            raise self._misfit(f"{name or 'a call'}(...) adds no edges that can be read", line)

    def _pair(self, edge: object, line: int) -> tuple[str, str]:
        if not isinstance(edge, tuple | list) or len(edge) != 2:
            raise self._misfit(f"{str(edge)[:40]!r} is no edge", line)
        return checked_name(str(edge[0]), line), checked_name(str(edge[1]), line)

    def _items(self, value: ast.expr, line: int) -> Iterable[object]:
        if isinstance(value, ast.Call) and getattr(value.func, "id", "") == "range":
            ends = [end for end in map(self._literal, value.args) if isinstance(end, int) and abs(end) <= _MOST_NODES]
            if 0 < len(ends) == len(value.args) < 3:
                return range(*ends)
        items = self._literal(value)
        if not isinstance(items, list | tuple | set):
            raise self._misfit("this adds no list", line)
        return items

    def _literal(self, value: ast.expr) -> object:
        """The value of a list; a Misfit where it has anything but names and numbers, or a key twice."""
        for node in ast.walk(value):
            if isinstance(node, ast.Name):
                raise self._misfit(f"{node.id[:40]!r} is in no quotation marks", node.lineno)
            if isinstance(node, ast.Dict):
                keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
                if len(set(keys)) < len(node.keys):
                    raise self._misfit("a key is there twice, or is no name", node.lineno)
        try:
            return ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            raise self._misfit("this is no list of names and numbers", value.lineno) from None

    def _named(self, value: object) -> object:
        """The value with numbers as names, so that 1 and "1" are one node: all names numbers, or all text."""
        atoms = list[str]()

        def walk(item: object) -> object:
            if isinstance(item, dict):
                return {walk(key): walk(near) for key, near in item.items()}
            if isinstance(item, set):
                return [walk(part) for part in sorted(item, key=str)]
            if isinstance(item, list | tuple):
                return type(item)(map(walk, item))
            if isinstance(item, str):
                atoms.append(item)
            return item

        walked = walk(value)
        if not atoms or not all(map(WHOLE.fullmatch, atoms)):
            return walked

        def number(item: object) -> object:
            if isinstance(item, dict):
                return {number(key): number(near) for key, near in item.items()}
            if isinstance(item, list | tuple):
                return type(item)(map(number, item))
            return int(item) if isinstance(item, str) else item

        return number(walked)
