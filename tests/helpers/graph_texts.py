"""Notations of graphs as rows of a table, each with a plain second reader, and ways to damage a text."""

import random
import re
from collections.abc import Callable
from typing import NamedTuple

import networkx as nx

# Result of a second reader: nodes and edges by name; None for an invalid text.
Content = tuple[frozenset[str], frozenset[frozenset[str]]] | None


class Form(NamedTuple):
    """A notation: its writer for graphs with numbered nodes, and a plain reader."""

    write: Callable[[nx.Graph], str]
    content: Callable[[str], Content]


def content_of(nodes: list[str], edges: list[tuple[str, str]]) -> Content:
    """The content of a list of nodes and edges, without loops."""
    names = frozenset([*nodes, *(name for edge in edges for name in edge)])
    return names, frozenset(frozenset(edge) for edge in edges if edge[0] != edge[1])


def _pairs(pattern: str) -> Callable[[str], Content]:
    """Return a reader of edges that match a pattern; no other text may remain."""

    def read(text: str) -> Content:
        edges = re.findall(pattern, text)
        rest = re.sub(pattern, "", text)
        return content_of([], edges) if edges and not re.search(r"\w", rest) else None

    return read


def _counted(text: str) -> Content:
    """Read `n m` and the edges, one per line."""
    (nodes, listed), *edges = [tuple(line.split()) for line in text.splitlines()]
    numbers = {int(name) for edge in edges for name in edge}
    first = min(numbers | {1})
    every = range(first, first + int(nodes))
    if int(listed) != len(edges) or any(len(edge) != 2 for edge in edges):
        return None
    return content_of(list(map(str, every)), edges) if numbers <= set(every) else _pairs(r"(\w+) (\w+)\n")(text)


def _counted_nodes(text: str) -> Content:
    """Read `n` and the edges, one per line; n may count the edges, or be a node."""
    (first,), *lines = [line.split() for line in text.splitlines()]
    edges = [(a, b) for a, b in lines]
    found = content_of([], edges)
    assert found is not None
    return found if first in found[0] or int(first) in (len(found[0]), len(edges)) else None


def _mutual(near: dict[str, list[str]]) -> Content:
    for node, others in near.items():
        if any(node not in near.get(other, ()) for other in others):
            return None
    return content_of(list(near), [(a, b) for a, others in near.items() for b in others])


def _colons(text: str) -> Content:
    rows = [re.findall(r"\w+", line) for line in text.splitlines()]
    near = {row[0]: row[1:] for row in rows}
    return _mutual(near) if len(near) == len(rows) else None


def _mapping(text: str) -> Content:
    found = re.findall(r"(\w+): \[([^\]]*)\]", text)
    near = {node: re.findall(r"\w+", others) for node, others in found}
    return _mutual(near) if len(near) == len(found) else None


def _lists(text: str) -> Content:
    head, *lines = [line.split() for line in text.split("\n")[:-1]]
    found = _mutual({str(k): line for k, line in enumerate(lines, 1)})
    if found is not None and head == [str(len(lines)), str(len(found[1]))]:
        return found
    return _mutual({str(k): line for k, line in enumerate([head, *lines], 1)})


def _matrix(text: str) -> Content:
    rows = [line.split(",") for line in text.splitlines()]
    count = len(rows)
    if any(len(row) != count for row in rows):
        return None
    edges = [(str(r), str(c)) for r in range(count) for c in range(count) if float(rows[r][c])]
    if any((b, a) not in set(edges) or a == b for a, b in edges):
        return None
    return content_of([str(k) for k in range(count)], edges)


def _lines(form: str) -> Callable[[nx.Graph], str]:
    return lambda graph: "".join(form.format(a=a, b=b) + "\n" for a, b in graph.edges)


def _near(form: str) -> Callable[[nx.Graph], str]:
    return lambda graph: "".join(form.format(a=a, near=", ".join(map(str, graph[a]))) + "\n" for a in graph)


def _write_lists(graph: nx.Graph) -> str:
    place = {node: k for k, node in enumerate(graph, 1)}
    lines = (" ".join(str(place[other]) for other in graph[node]) for node in graph)
    return f"{len(graph)} {graph.number_of_edges()}\n" + "".join(line + "\n" for line in lines)


def _write_matrix(graph: nx.Graph) -> str:
    rows = nx.to_numpy_array(graph, dtype=int).tolist()
    return "".join(",".join(map(str, row)) + "\n" for row in rows)


def _numbered(head: str, line: str, end: str = "") -> Callable[[nx.Graph], str]:
    """Write edges of nodes 1, 2, ... under a header."""

    def write(graph: nx.Graph) -> str:
        numbered = nx.convert_node_labels_to_integers(graph, 1)
        top = head.format(n=len(graph), m=graph.number_of_edges(), nodes="|{}|\n" * len(graph))
        return top + "".join(line.format(a=a, b=b) for a, b in numbered.edges) + end

    return write


_HCP = "TYPE : HCP\nDIMENSION : {n}\nEDGE_DATA_FORMAT : EDGE_LIST\nEDGE_DATA_SECTION\n"
_HCP_WORDS = r"TYPE : HCP\n|EDGE_DATA.*\n|(-1\n)?EOF\n|-1\n\Z"


def _announced(head: str, line: str) -> Callable[[str], Content]:
    """Read edges of nodes 1, 2, ... under a header with their numbers."""

    def read(text: str) -> Content:
        top = re.match(head, text)
        if top is None or re.sub(line, "", text[top.end() :]):
            return None
        edges = re.findall(line, text[top.end() :])
        if any(not 1 <= int(node) <= int(top[1]) for edge in edges for node in edge) or top[2] not in (
            "",
            str(len(edges)),
        ):
            return None
        return content_of(list(map(str, range(1, int(top[1]) + 1))), edges)

    return read


def _leda(text: str) -> Content:
    lines = text.splitlines()
    nodes = int(lines[4])
    edges = [tuple(line.split()[:2]) for line in lines[6 + nodes :]]
    return content_of(list(map(str, range(1, nodes + 1))), edges) if len(edges) == int(lines[5 + nodes]) else None


FORMS = {
    "spaces": Form(_lines("{a} {b}"), _pairs(r"(\w+) (\w+)\n")),
    "commas": Form(_lines("{a},{b}"), _pairs(r"(\w+),(\w+)\n")),
    "tabs": Form(_lines("{a}\t{b}"), _pairs(r"(\w+)\t(\w+)\n")),
    "semicolons": Form(_lines("{a};{b}"), _pairs(r"(\w+);(\w+)\n")),
    "dashes": Form(_lines("{a} -- {b}"), _pairs(r"(\w+) -- (\w+)\n")),
    "weights": Form(_lines("{a} {b} 0.5"), _pairs(r"(\w+) (\w+) [\d.]+\n")),
    "facts": Form(_lines("edge({a},{b})."), _pairs(r"edge\((\w+),(\w+)\)\.\n")),
    "tuples": Form(_lines("({a}, {b})"), _pairs(r"\((\w+), (\w+)\)\n")),
    "a list": Form(lambda g: f"[{', '.join(str(edge) for edge in g.edges)}]\n", _pairs(r"\((\w+), (\w+)\)(?:, )?")),
    "counts": Form(lambda g: f"{len(g)} {g.number_of_edges()}\n" + _lines("{a} {b}")(g), _counted),
    "a count": Form(lambda g: f"{len(g)}\n" + _lines("{a} {b}")(g), _counted_nodes),
    "columns": Form(
        lambda g: "source,target\n" + _lines("{a},{b}")(g),
        lambda text: _pairs(r"(\w+),(\w+)\n")(text.partition("\n")[2]),
    ),
    "dimacs": Form(
        _numbered("p edge {n} {m}\n", "e {a} {b}\n"), _announced(r"p edge (\d+) (\d+)\n", r"e (\d+) (\d+)\n")
    ),
    "hcp": Form(
        _numbered(_HCP, "{a} {b}\n", "-1\nEOF\n"),
        lambda text: _announced(r"DIMENSION : (\d+)()\n", r"(\d+) (\d+)\n")(re.sub(_HCP_WORDS, "", text)),
    ),
    "dot": Form(
        lambda g: "graph G {\n" + _lines('"{a}" -- "{b}";')(g) + "}\n",
        lambda text: _pairs(r'"(\w+)" -- "(\w+)";\n')(re.sub(r"\Agraph\s+\w* ?\{\n", "", text)),
    ),
    "leda": Form(_numbered("LEDA.GRAPH\nvoid\nvoid\n-2\n{n}\n{nodes}{m}\n", "{a} {b} 0 |{{}}|\n"), _leda),
    "colons": Form(_near("{a}: {near}"), _colons),
    "a mapping": Form(lambda g: "{" + ", ".join(f"{a}: {list(g[a])}" for a in g) + "}\n", _mapping),
    "lists under counts": Form(_write_lists, _lists),
    "a matrix": Form(_write_matrix, _matrix),
}  # fmt: skip

EXTENSIONS = {
    "dimacs": ".col",
    "hcp": ".hcp",
    "dot": ".dot",
    "leda": ".leda",
    "facts": ".pl",
    "columns": ".csv",
    "a matrix": ".csv",
}


def random_graph(rng: random.Random) -> nx.Graph:
    """Return a graph without isolated nodes, numbered from 0 or 1, in any order."""
    count = rng.randint(4, 9)
    first = rng.randint(0, 1)
    nodes = list(range(first, first + count))
    edges = {tuple(sorted(rng.sample(nodes, 2))) for _ in range(rng.randint(count - 1, 2 * count))}
    for node in nodes:
        if not any(node in edge for edge in edges):
            edges.add(tuple(sorted((node, rng.choice([other for other in nodes if other != node])))))
    graph = nx.Graph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from(rng.sample(sorted(edges), len(edges)))
    return graph


KINDS = ("words exchanged", "a word changed", "a word deleted", "a word doubled", "a line lost")


def spoilt(text: str, kind: str, rng: random.Random) -> str:
    """Exchange, replace, delete or repeat words, or delete a line."""
    lines = text.splitlines(keepends=True)
    words = list(re.finditer(r"[\w.+-]+", text))
    if kind == "a line lost" and len(lines) > 1:
        del lines[rng.randrange(len(lines))]
        return "".join(lines)
    a, b = sorted(rng.sample(words, 2), key=lambda word: word.start())
    before, between, after = text[: a.start()], text[a.end() : b.start()], text[b.end() :]
    if kind == "words exchanged":
        return before + b[0] + between + a[0] + after
    new = {"a word doubled": f"{a[0]} {a[0]}", "a word changed": str(rng.randint(0, 12))}.get(kind, "")
    return before + new + text[a.end() :]
