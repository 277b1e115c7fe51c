"""Graphs as lists of Python, C and JSON: `graph = {0: [1, 2]}`, `int g[2][2] = {{0, 1}, {1, 0}};`, `[[1, 2], [0, 2]]`.

The text is parsed as Python, so that no part is ignored. `graph_lists.py` defines the meaning of the lists.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence

from knightstour.core.formats.graph_lines import GraphReading, Line, Misfit, check_simple
from knightstour.core.formats.graphs import ARCS_HELP, WHOLE
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graph_lists import EDGES, NEIGHBOURS, graph_of_lists

_MAX_CHARS = 4_000_000
# Beginning of an array in C, C++ or Java: `static const int g[4][4] =`.
_ARRAY = re.compile(
    r"^(?:[\w<>:]+\s+)*[\w<>:]+(?:\s*\[\w*\])*\s+(\w+)\s*((?:\s*\[\w*\])+)?\s*=\s*(?=\{)|^(\w+)\s*=\s*(?=\{)"
)
_STRING = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'")
# Python would accept 1_0, and 00 as 0.
_NO_NUMBER = re.compile(r"(?<![\w.])0[\w]+|(?<![\w.])\d+_\w*")
_BEGINS = re.compile(r"[\[({]|[\w\s\[\]<>:]+=\s*[\[({\w]|(import|from)\s|\w+\.\w+\(")
_HELP = "write one edge per line, or a line 'node: neighbours' per node"


def brackets(lines: Sequence[Line], is_plain: bool, arcs: bool) -> list[GraphReading]:
    """Read pairs, lists of neighbours or a matrix in brackets."""
    text = "\n".join(line.text for line in lines)
    if not _BEGINS.match(text):
        raise Misfit("there are no lists in brackets", lines[0].number)
    if len(text) > _MAX_CHARS:
        raise Misfit(f"a list in brackets of more than {_MAX_CHARS:,} characters", lines[0].number, help=_HELP)
    try:
        values = list(map(_value, _parse_lists(_as_python(text))))
        is_several = len(values) > 1 and not all(isinstance(pair, tuple | list) and len(pair) == 2 for pair in values)
        if is_several:
            raise _Fault("there are several lists: are these several graphs?", 2)
        return [_graph(values[0] if len(values) == 1 else values, lines, is_plain, arcs)]
    except _Fault as fault:
        line = lines[min(fault.line, len(lines)) - 1].number
        raise Misfit(fault.why, line, help=_HELP, is_sure=True) from None
    except BoardError as error:
        help = ARCS_HELP if "directed" in str(error) else error.help if is_plain else _HELP
        raise Misfit(str(error), lines[0].number, help=help, is_sure=True) from None


class _Fault(Exception):
    """Reason why a text is not a graph in brackets, and its line."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.why, self.line = why, line


def _as_python(text: str) -> str:
    text = _ARRAY.sub(lambda match: f"{match[1] or match[3]} = ", text.strip())
    if "{" in text and ":" not in _STRING.sub("", text):
        text = text.translate(str.maketrans("{}", "[]"))
    return text.rstrip(";., ")


def _parse_lists(text: str) -> Iterator[ast.expr]:
    """Yield the lists of a program: expressions, and the values of assignments."""
    number = _NO_NUMBER.search(_STRING.sub(lambda match: " " * len(match[0]), text))
    if number is not None:
        raise _Fault(f"{number[0]!r} is not a node number", text[: number.start()].count("\n") + 1)
    two = re.search(rf"(?:{_STRING.pattern})\s*(?=[\"'])", text)
    if two is not None:
        raise _Fault("no comma is between two names", text[: two.end()].count("\n") + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            body = ast.parse(text).body
    except SyntaxError as error:
        raise _Fault(f"these brackets are not a list of Python, C or JSON: {error.msg}", error.lineno or 1) from None
    except (RecursionError, MemoryError, ValueError):
        raise _Fault("brackets are nested too deep", 1) from None
    for statement in body:
        if not isinstance(statement, ast.Expr | ast.Assign) or isinstance(statement.value, ast.Call):
            raise _Fault("this is a program, not a list in brackets; print the edges instead", statement.lineno)
        yield statement.value


def _value(parsed: ast.expr) -> object:
    """Return the value of an expression. Names become numbers if all are numbers, so 1 and "1" are one node."""
    atoms = list[ast.Constant]()
    for node in ast.walk(parsed):
        if isinstance(node, ast.Name):
            raise _Fault(f"{node.id[:40]!r} needs quotation marks", node.lineno)
        if isinstance(node, ast.Constant):
            atoms.append(node)
        if isinstance(node, ast.Dict):
            keys = [key.value for key in node.keys if isinstance(key, ast.Constant)]
            if len(set(keys)) < len(node.keys):
                raise _Fault("a key is duplicate, or not a name", node.lineno)
    if all(isinstance(atom.value, int | str) and WHOLE.fullmatch(str(atom.value)) for atom in atoms):
        for atom in atoms:
            atom.value = int(str(atom.value))
    try:
        return ast.literal_eval(parsed)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        raise _Fault("this is not a list of names and numbers", parsed.lineno) from None


def _graph(value: object, lines: Sequence[Line], is_plain: bool, arcs: bool) -> GraphReading:
    parts = graph_of_lists(value, arcs=arcs)
    nodes = [str(node) for node in parts.nodes]
    if len(set(nodes)) < len(nodes):
        raise _Fault("two nodes have one name as text", 1)
    are_tuples = isinstance(value, list) and all(isinstance(item, tuple) for item in value)
    kind = EDGES if are_tuples else NEIGHBOURS if isinstance(value, list) else "each node is beside its neighbours"
    remarks = parts.remarks or (kind,)
    if remarks[0] == EDGES:
        if not is_plain:
            at = [line.number for line in lines]
            at = at if len(at) == len(parts.edges) else at[:1] * len(parts.edges)
            check_simple(nodes, parts.edges, at, arcs)
        return GraphReading(nodes, parts.edges, remarks)
    edges = parts.edges if arcs else parts.edges[parts.edges[:, 0] <= parts.edges[:, 1]]
    for a, b in edges.tolist():
        if a == b:
            raise _Fault(f"{nodes[a]!r} would be its own neighbour", 1)
    return GraphReading(nodes, edges, remarks)
