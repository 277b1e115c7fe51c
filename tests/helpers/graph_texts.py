"""Graphs as people write them: forms as rows of a table, each with a plain second reader, and ways to spoil a text."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import NamedTuple

import networkx as nx

# What a second reader finds: nodes and edges by name; None where the text has to be refused.
Content = tuple[frozenset[str], frozenset[frozenset[str]]] | None


class Form(NamedTuple):
    """A form: how a graph whose nodes are numbers is written in it, and a plain reader of such a text.

    counts: whether its first line counts what is below.
    """

    write: Callable[[nx.Graph], str]
    content: Callable[[str], Content]
    counts: bool = False


def content_of(nodes: list[str], edges: list[tuple[str, str]]) -> Content:
    """The content of a list of nodes and edges, without loops."""
    names = frozenset([*nodes, *(name for edge in edges for name in edge)])
    return names, frozenset(frozenset(edge) for edge in edges if edge[0] != edge[1])


def _pairs(pattern: str) -> Callable[[str], Content]:
    """A reader of edges that a pattern finds, which has to leave nothing over."""

    def read(text: str) -> Content:
        edges = re.findall(pattern, text)
        rest = re.sub(pattern, "", text)
        return content_of([], edges) if edges and not re.search(r"\w", rest) else None

    return read


def _counted(text: str) -> Content:
    """`n m` and the edges, a line each."""
    first, *lines = [line.split() for line in text.splitlines()]
    edges = [(a, b) for a, b in lines]
    found = content_of([], edges)
    assert found is not None
    if int(first[0]) != len(found[0]) or int(first[1]) not in (len(edges), len({frozenset(edge) for edge in edges})):
        return None
    return found


def _counted_nodes(text: str) -> Content:
    """`n` and the edges, a line each; the number may count the edges, or be a node that is named below."""
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
    head, *lines = text.split("\n")[:-1]
    count, listed = (int(word) for word in head.split())
    near = {str(k): line.split() for k, line in enumerate(lines, 1)}
    found = _mutual(near) if len(near) == count else None
    return found if found is not None and len(found[1]) == listed else None


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


FORMS = {
    "spaces": Form(_lines("{a} {b}"), _pairs(r"(\w+) (\w+)\n")),
    "commas": Form(_lines("{a},{b}"), _pairs(r"(\w+),(\w+)\n")),
    "tabs": Form(_lines("{a}\t{b}"), _pairs(r"(\w+)\t(\w+)\n")),
    "semicolons": Form(_lines("{a};{b}"), _pairs(r"(\w+);(\w+)\n")),
    "dashes": Form(_lines("{a} -- {b}"), _pairs(r"(\w+) -- (\w+)\n")),
    "a dash": Form(_lines("{a}-{b}"), _pairs(r"(\w+)-(\w+)\n")),
    "weights": Form(_lines("{a} {b} 0.5"), _pairs(r"(\w+) (\w+) 0\.5\n")),
    "facts": Form(_lines("edge({a},{b})."), _pairs(r"edge\((\w+),(\w+)\)\.\n")),
    "tuples": Form(_lines("({a}, {b})"), _pairs(r"\((\w+), (\w+)\)\n")),
    "a list": Form(lambda g: f"[{', '.join(str(edge) for edge in g.edges)}]\n", _pairs(r"\((\w+), (\w+)\)(?:, )?")),
    "counts": Form(lambda g: f"{len(g)} {g.number_of_edges()}\n" + _lines("{a} {b}")(g), _counted, counts=True),
    "a count": Form(lambda g: f"{len(g)}\n" + _lines("{a} {b}")(g), _counted_nodes, counts=True),
    "columns": Form(
        lambda g: "source,target\n" + _lines("{a},{b}")(g),
        lambda text: _pairs(r"(\w+),(\w+)\n")(text.partition("\n")[2]),
    ),
    "colons": Form(_near("{a}: {near}"), _colons),
    "a mapping": Form(lambda g: "{" + ", ".join(f"{a}: {list(g[a])}" for a in g) + "}\n", _mapping),
    "lists under counts": Form(_write_lists, _lists, counts=True),
    "calls": Form(_lines("G.add_edge({a}, {b})"), _pairs(r"G\.add_edge\((\w+), (\w+)\)\n")),
    "a matrix": Form(_write_matrix, _matrix),
}  # fmt: skip

EXTENSIONS = {"facts": ".pl", "columns": ".csv", "a matrix": ".csv"}


def random_graph(rng: random.Random) -> nx.Graph:
    """A graph without lonely nodes, its nodes numbers from 0 or 1, in any order."""
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


def spoilt(text: str, rng: random.Random, *, counts: bool) -> str:
    """The text with a line lost or doubled, a node renamed, a number doubled, or a count that is one off."""
    lines = text.splitlines(keepends=True)
    kind = rng.choice(["lost", "doubled line", "renamed", "doubled number", "count"])
    body = range(1, len(lines)) if counts or len(lines) > 2 else range(len(lines))
    k = rng.choice(list(body))
    if kind == "lost" and len(lines) > 2:
        del lines[k]
    elif kind == "doubled line" and len(lines) > 2:
        lines.insert(k, lines[k])
    elif kind == "count" and counts:
        numbers = list(re.finditer(r"\d+", lines[0]))
        match = rng.choice(numbers)
        wrong = int(match[0]) + rng.choice([-1, 1])
        lines[0] = lines[0][: match.start()] + str(wrong) + lines[0][match.end() :]
    else:
        words = list(re.finditer(r"(?<![\w.])\d+(?![\w.])", lines[k]))
        if words:
            match = rng.choice(words)
            new = match[0] * 2 if kind == "doubled number" else str(rng.randint(0, 10))
            lines[k] = lines[k][: match.start()] + new + lines[k][match.end() :]
    return "".join(lines)
