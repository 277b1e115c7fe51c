"""Forms of graphs that other programs write: how each is known, and what reads it.

A row of FOREIGN is read by a library (NetworkX, SciPy, pydot; the extra `graphs`) or by a few lines of our own, where
no library does. A form of REFUSED is refused by its name. Nothing is loaded to look at a file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING

from knightstour.core.formats.table import suffix_of
from knightstour.core.model.late import Late

if TYPE_CHECKING:
    from knightstour.core.machine.files import Source
    from knightstour.core.model.board import Board

# Loaded when a file is read, not when the help lists the names.
libraries = Late("knightstour.core.formats.foreign_graphs")
ours = Late("knightstour.core.formats.own_graphs")


@dataclass(frozen=True, slots=True)
class Foreign:
    """A row of FOREIGN or REFUSED.

    name: what is typed before the file, as in gml:FILE, "" for what is refused. title: the form's own name.
    suffixes: of its files. marks: found in the beginning of such a text. needs: the packages that read it.
    read: None where it is refused. help: what to do then.
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    marks: re.Pattern[str] | None
    read: Callable[[Source], Iterator[Board]] | None
    _: KW_ONLY
    needs: tuple[str, ...] = ()
    help: str = ""


def _marks(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE | re.MULTILINE)


def _refused(title: str, suffix: str, pattern: str, help: str) -> Foreign:
    return Foreign("", title, (suffix,), re.compile(pattern, re.IGNORECASE | re.MULTILINE | re.DOTALL), None, help=help)


# What may come before the first word of a DOT file.
_DOT = re.compile(
    r"\A(?:\s|//[^\n]*\n|#[^\n]*\n|/\*.*?\*/)*(strict\s+)?(di)?graph\b[^\n\[\];,()]*\{", re.IGNORECASE | re.DOTALL
)
_NODE_LINK = re.compile(r'\A\s*\{(?!.*"elements"\s*:)(?=.*"nodes"\s*:)(?=.*"(links|edges)"\s*:)', re.DOTALL)
_PAJEK = _marks(r"^\s*\*(vertices|network|arcs|edges)\b")
_MULTILINE = ("multiline_adjlist", "a multi-line adjacency list", (".multiline_adjlist", ".mladjlist"), None)
_NETWORKX = ("networkx",)

FOREIGN: dict[str, Foreign] = {
    row.name: row
    for row in (
        Foreign("gml", "GML", (".gml",), _marks(r"^\s*graph\s*\[(?!\s*\{)"), libraries.read_gml, needs=_NETWORKX),
        Foreign("graphml", "GraphML", (".graphml",), _marks(r"<graphml\b"), libraries.read_graphml, needs=_NETWORKX),
        Foreign("gexf", "GEXF", (".gexf",), _marks(r"<gexf\b"), libraries.read_gexf, needs=_NETWORKX),
        Foreign("pajek", "Pajek", (".net", ".paj"), _PAJEK, libraries.read_pajek, needs=_NETWORKX),
        Foreign("dot", "DOT", (".dot", ".gv"), _DOT, libraries.read_dot, needs=("networkx", "pydot")),
        Foreign(
            "leda", "LEDA", (".leda", ".lgr", ".gw"), _marks(r"^LEDA\.GRAPH"), libraries.read_leda, needs=_NETWORKX
        ),
        Foreign("adjlist", "an adjacency list", (".adjlist",), None, libraries.read_adjlist, needs=_NETWORKX),
        Foreign(*_MULTILINE, libraries.read_multiline, needs=_NETWORKX),
        Foreign("node-link", "JSON of nodes and links", (), _NODE_LINK, libraries.read_node_link, needs=_NETWORKX),
        Foreign("mtx", "MatrixMarket", (".mtx",), _marks(r"\A%%MatrixMarket\b"), libraries.read_mtx, needs=("scipy",)),
        Foreign("metis", "METIS", (".graph", ".metis"), None, ours.read_metis),
        Foreign("tgf", "TGF", (".tgf",), None, ours.read_tgf),
        Foreign("matrix", "an adjacency matrix", (".adj", ".mat"), None, ours.read_matrix),
        Foreign("neighbours", "lists of neighbours", (), None, ours.neighbours_by_name),
        Foreign("brackets", "pairs or lists in brackets", (), None, ours.brackets_by_name),
    )
}

_CONVERT = "convert it to GraphML or a list of edges with the program that wrote it"
_BY_HAND = "write its edges a line each"
REFUSED = (
    _refused("GDF", ".gdf", r"^nodedef\s*>", _CONVERT),
    _refused("UCINET DL", ".dl", r"\A\s*dl\b[^\n]*\bn\s*=", _CONVERT),
    _refused("VNA", ".vna", r"^\*(node data|tie data)\b", _CONVERT),
    _refused("Mermaid", ".mmd", r"^\s*(graph|flowchart)\s+(TD|TB|BT|RL|LR)\b", _BY_HAND),
    _refused("JSON of Cytoscape", ".cyjs", r'\A\s*\{.*"elements"\s*:', _CONVERT),
    _refused(
        "an expression of Mathematica", ".m", r"\bGraph\[\{", "write the list of edges as pairs: {{1, 2}, {2, 3}}"
    ),
    _refused("TikZ", ".tikz", r"\\(draw|node|begin\{tikzpicture\})", _BY_HAND),
    _refused("XML of another kind", ".xml", r"\A\s*<(\?xml|!doctype|html)\b", "GraphML and GEXF are read"),
    _refused("a CNF formula", ".cnf", r"^p\s+cnf\b", "this is a question for a SAT solver, and no graph"),
    _refused(
        "a logic program with rules",
        ".lp",
        r"(?:^|[\s)]):-",
        "keep its facts, such as edge(1,2)., and leave out the rules",
    ),
)


def foreign_of_extension(path: str) -> str | None:
    """The name of the row of FOREIGN that has the suffix of a path."""
    suffix = suffix_of(path)
    return next((name for name, row in FOREIGN.items() if suffix in row.suffixes), None)


def foreign_of_text(text: str) -> str | None:
    """The name of the row of FOREIGN by whose marks the beginning of a text is known."""
    return next((name for name, row in FOREIGN.items() if row.marks is not None and row.marks.search(text)), None)


def form_of(text: str) -> Foreign | None:
    """The form by whose marks a text is known, read or refused; None if there is none.

    >>> form_of("nodedef>name VARCHAR\\n").title, form_of("a b\\nb c\\n")
    ('GDF', None)
    """
    name = foreign_of_text(text)
    if name is not None:
        return FOREIGN[name]
    return next((row for row in REFUSED if row.marks is not None and row.marks.search(text)), None)
