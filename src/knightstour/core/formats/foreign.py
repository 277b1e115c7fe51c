"""Forms of graphs that other programs write: how each is known, and what reads it.

A row of FOREIGN is read by a library (NetworkX, SciPy, pydot; the extra `graphs`), or is one of our own readings, which
may be asked for by name. A form of REFUSED is refused by its name. Nothing is loaded to look at a file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from knightstour.core.model.lazy import Lazy

if TYPE_CHECKING:
    from knightstour.core.machine.files import Source
    from knightstour.core.model.board import Board

# Loaded when a file is read, not when the help lists the names.
libraries = Lazy("knightstour.core.formats.foreign_graphs")
texts = Lazy("knightstour.core.formats.graph_texts")

_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL


@dataclass(frozen=True, slots=True)
class Foreign:
    """A row of FOREIGN.

    name: what is typed before the file, as in gml:FILE. title: the form's own name. suffixes: of its files. marks: a
    pattern found in the beginning of such a text. needs: the packages that read it, none for our own readings.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    marks: str
    needs: tuple[str, ...]

    @property
    def read(self) -> Callable[[Source], Iterator[Board]]:
        """The graphs of a source in this form."""
        return partial(libraries.read if self.needs else texts.read_by_name, self.name)

    def is_in(self, text: str) -> bool:
        """Whether a text has its marks."""
        return bool(self.marks) and re.search(self.marks, text, _FLAGS) is not None


@dataclass(frozen=True, slots=True)
class Refused:
    """A form that is not read: its name, suffixes and marks, and what to do."""

    title: str
    suffixes: tuple[str, ...]
    marks: str
    help: str

    def is_in(self, text: str) -> bool:
        """Whether a text has its marks."""
        return bool(self.marks) and re.search(self.marks, text, _FLAGS) is not None


_NETWORKX = ("networkx",)
# What may come before the first word of a DOT file.
_DOT = r"\A(?:\s|//[^\n]*\n|#[^\n]*\n|/\*.*?\*/)*(strict\s+)?(di)?graph\b[^\n\[\];,()={]*\{"
_NODE_LINK = r'\A\s*\{(?!.*"elements"\s*:)(?=.*"nodes"\s*:)(?=.*"(links|edges)"\s*:)'

FOREIGN = {
    row.name: row
    for row in (
        Foreign("gml", "GML", (".gml",), r"^\s*graph\s*\[(?!\s*\{)", _NETWORKX),
        Foreign("graphml", "GraphML", (".graphml",), r"<graphml\b", _NETWORKX),
        Foreign("gexf", "GEXF", (".gexf",), r"<gexf\b", _NETWORKX),
        Foreign("pajek", "Pajek", (".net", ".paj"), r"^\s*\*(vertices|network|arcs|edges)\b", _NETWORKX),
        Foreign("leda", "LEDA", (".leda", ".lgr", ".gw"), r"^LEDA\.GRAPH", _NETWORKX),
        Foreign("adjlist", "an adjacency list", (".adjlist",), "", _NETWORKX),
        Foreign("multiline_adjlist", "a multi-line adjacency list", (".mladjlist",), "", _NETWORKX),
        Foreign("node-link", "JSON of nodes and links", (), _NODE_LINK, _NETWORKX),
        Foreign("dot", "DOT", (".dot", ".gv"), _DOT, ("networkx", "pydot")),
        Foreign("mtx", "MatrixMarket", (".mtx",), r"\A%%MatrixMarket\b", ("scipy",)),
        Foreign("matrix", "an adjacency matrix", (".adj", ".mat"), "", ()),
        Foreign("neighbours", "lists of neighbours", (), "", ()),
        Foreign("brackets", "pairs or lists in brackets", (), "", ()),
    )
}

_CONVERT = "convert it to GraphML or a list of edges with the program that wrote it"
_BY_HAND = "write its edges a line each"
_RECIPE = "docs/recipes.md shows how to read it in Python"
REFUSED = (
    Refused("METIS", (".graph", ".metis"), "", f"{_RECIPE}; without weights neighbours:FILE reads it"),
    Refused("TGF", (".tgf",), r"\A(?:[^\s#][^\n]*\n)+#[ \t]*\n[^\s#]+[ \t]+[^\s#]", _RECIPE),
    Refused("GDF", (".gdf",), r"^nodedef\s*>", _CONVERT),
    Refused("UCINET DL", (".dl",), r"\A\s*dl\b[^\n]*\bn\s*=", _CONVERT),
    Refused("VNA", (".vna",), r"^\*(node data|tie data)\b", _CONVERT),
    Refused("Mermaid", (".mmd",), r"^\s*(graph|flowchart)\s+(TD|TB|BT|RL|LR)\b", _BY_HAND),
    Refused("JSON of Cytoscape", (".cyjs",), r'\A\s*\{.*"elements"\s*:', _CONVERT),
    Refused("an expression of Mathematica", (), r"\bGraph\[\{", "write the list of edges as pairs: {{1, 2}, {2, 3}}"),
    Refused("TikZ", (".tikz",), r"\\(draw|node|begin\{tikzpicture\})", _BY_HAND),
    Refused("XML of another kind", (".xml",), r"\A\s*<(\?xml|!doctype|html)\b", "GraphML and GEXF are read"),
    Refused("a CNF formula", (), r"^p\s+cnf\b", "this is a question for a SAT solver, and no graph"),
    Refused("a logic program with rules", (".lp",), r"(?:^|[\s)]):-", "keep its facts, edge(1,2)., without the rules"),
)  # fmt: skip


def foreign_of_extension(path: str) -> str | None:
    """The name of the row of FOREIGN that has the suffix of a path."""
    suffix = os.path.splitext(path)[1].lower()
    return next((name for name, row in FOREIGN.items() if suffix in row.suffixes), None)


def refused_of_extension(path: str) -> Refused | None:
    """The row of REFUSED that has the suffix of a path."""
    suffix = os.path.splitext(path)[1].lower()
    return next((row for row in REFUSED if suffix in row.suffixes), None)


def form_of(text: str) -> Foreign | Refused | None:
    """The form by whose marks the beginning of a text is known, read or refused; None if there is none.

    >>> form_of("nodedef>name VARCHAR\\n").title, form_of("a b\\nb c\\n")
    ('GDF', None)
    """
    rows: tuple[Foreign | Refused, ...] = (*FOREIGN.values(), *REFUSED)
    return next((row for row in rows if row.is_in(text)), None)
