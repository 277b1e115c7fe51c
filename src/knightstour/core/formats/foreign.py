"""Graph formats of other programs: their recognition, and their readers.

FOREIGN is read by libraries (NetworkX, SciPy, pydot; the extra `graphs`) or by our own readings. REFUSED is recognised
and rejected. Recognition loads no library.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from knightstour.core.machine.files import Source
    from knightstour.core.model.board import Board


_FLAGS = re.IGNORECASE | re.MULTILINE | re.DOTALL


@dataclass(frozen=True, slots=True)
class Form:
    """Graph format.

    Attributes:
        title: Name in texts.
        suffixes: File name suffixes.
        marks: Pattern at the beginning of such a text.
        name: Prefix of the file name, as in gml:FILE; "" if unsupported.
        needs: Packages that read it; empty for our own readings.
        help: Advice if unsupported.
    """

    title: str
    suffixes: tuple[str, ...]
    marks: str
    name: str = ""
    needs: tuple[str, ...] = ()
    help: str = ""

    @property
    def read(self) -> Callable[[Source], Iterator[Board]]:
        """Reader of the graphs of a source."""
        from knightstour.core.formats.foreign_graphs import read
        from knightstour.core.formats.graph_texts import read_by_name

        return partial(read if self.needs else read_by_name, self.name)


_NETWORKX = ("networkx",)
# Text before the first word of a DOT file.
_DOT = r"\A(?:\s|//[^\n]*\n|#[^\n]*\n|/\*.*?\*/)*(strict\s+)?(di)?graph\b[^\n\[\];,()={]*\{"
_NODE_LINK = r'\A\s*\{(?!.*"elements"\s*:)(?=.*"nodes"\s*:)(?=.*"(links|edges)"\s*:)'

FOREIGN = {
    row.name: row
    for row in (
        Form("GML", (".gml",), r"^\s*graph\s*\[(?!\s*\{)", "gml", _NETWORKX),
        Form("GraphML", (".graphml",), r"<graphml\b", "graphml", _NETWORKX),
        Form("GEXF", (".gexf",), r"<gexf\b", "gexf", _NETWORKX),
        Form("Pajek", (".net", ".paj"), r"^\s*\*(vertices|network|arcs|edges)\b", "pajek", _NETWORKX),
        Form("LEDA", (".leda", ".lgr", ".gw"), r"^LEDA\.GRAPH", "leda", _NETWORKX),
        Form("an adjacency list", (".adjlist",), "", "adjlist", _NETWORKX),
        Form("JSON of nodes and links", (), _NODE_LINK, "node-link", _NETWORKX),
        Form("DOT", (".dot", ".gv"), _DOT, "dot", ("networkx", "pydot")),
        Form("MatrixMarket", (".mtx",), r"\A%%MatrixMarket\b", "mtx", ("scipy",)),
        Form("an adjacency matrix", (".adj", ".mat"), "", "matrix"),
        Form("lists of neighbours", (), "", "neighbours"),
        Form("pairs or lists in brackets", (), "", "brackets"),
    )
}

_CONVERT = "convert it to GraphML or a list of edges with the program that wrote it"
_BY_HAND = "write one edge per line"
_MAP = "omit the four lines of the header; write . for squares and # for holes, and name the piece: FILE:wazir"
_RECIPE = "docs/recipes.md shows how to read it in Python"
REFUSED = (
    Form("METIS", (".graph", ".metis"), "", help=f"{_RECIPE}; without weights neighbours:FILE reads it"),
    Form("TGF", (".tgf",), r"\A(?:[^\s#][^\n]*\n)+#[ \t]*\n[^\s#]+[ \t]+[^\s#]", help=_RECIPE),
    Form("GDF", (".gdf",), r"^nodedef\s*>", help=_CONVERT),
    Form("UCINET DL", (".dl",), r"\A\s*dl\b[^\n]*\bn\s*=", help=_CONVERT),
    Form("VNA", (".vna",), r"^\*(node data|tie data)\b", help=_CONVERT),
    Form("Mermaid", (".mmd",), r"^\s*(graph|flowchart)\s+(TD|TB|BT|RL|LR)\b", help=_BY_HAND),
    Form("JSON of Cytoscape", (".cyjs",), r'\A\s*\{.*"elements"\s*:', help=_CONVERT),
    Form("an expression of Mathematica", (), r"\bGraph\[\{", help="write the list of edges as pairs: {{1, 2}, {2, 3}}"),
    Form("TikZ", (".tikz",), r"\\(draw|node|begin\{tikzpicture\})", help=_BY_HAND),
    Form("XML of another kind", (".xml",), r"\A\s*<(\?xml|!doctype|html)\b", help="use GraphML or GEXF"),
    Form("a CNF formula", (), r"^p\s+cnf\b", help="this is a problem for a SAT solver, not a graph"),
    Form("a MovingAI map", (), r"\A\s*type\s+\w+\s*\n\s*(height|width)\s+\d+", help=_MAP),
    Form("a logic program with rules", (".lp",), r"(?:^|[\s)]):-", help="keep its facts, edge(1,2)., without rules"),
)  # fmt: skip


def form_of_extension(path: str) -> Form | None:
    """Return the format with the suffix of a path, supported or rejected, or None."""
    suffix = os.path.splitext(path)[1].lower()
    return next((row for row in (*FOREIGN.values(), *REFUSED) if suffix in row.suffixes), None)


def form_of(text: str) -> Form | None:
    """Return the format with marks at the beginning of a text, supported or rejected, or None.

    >>> form_of("nodedef>name VARCHAR\\n").title, form_of("a b\\nb c\\n")
    ('GDF', None)
    """
    rows = (row for row in (*FOREIGN.values(), *REFUSED) if row.marks)
    return next((row for row in rows if re.search(row.marks, text, _FLAGS)), None)
