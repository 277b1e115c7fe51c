"""Pieces by their names: which are leapers, with their two numbers, and which move in other ways, as graphs.

The help of errors says from here what to give for a name.
"""

from __future__ import annotations

from typing import Final

LEAPERS: Final[dict[str, tuple[int, int]]] = {
    "wazir": (0, 1),
    "ferz": (1, 1),
    "dabbaba": (0, 2),
    "knight": (1, 2),
    "alfil": (2, 2),
    "threeleaper": (0, 3),
    "camel": (1, 3),
    "zebra": (2, 3),
    "tripper": (3, 3),
    "fourleaper": (0, 4),
    "giraffe": (1, 4),
    "antelope": (3, 4),
}
_FAR = "abs(p[0] - q[0]), abs(p[1] - q[1])"
# What is true of the squares p and q of a move.
_RIDERS: Final[dict[str, str]] = {
    "king": f"max({_FAR}) == 1",
    "queen": "p[0] == q[0] or p[1] == q[1] or abs(p[0] - q[0]) == abs(p[1] - q[1])",
    "rook": "p[0] == q[0] or p[1] == q[1]",
    "bishop": "abs(p[0] - q[0]) == abs(p[1] - q[1])",
}
_SOLID: Final = "sorted(abs(a - b) for a, b in zip(p, q)) == [0, 1, 2]"


def graph_of_piece(name: str, rows: int = 8, cols: int = 8) -> str:
    """The line of Python that makes the moves of a king, queen, rook or bishop a graph of NetworkX.

    >>> graph_of_piece("rook", 2, 3)
    'nx.Graph((p, q) for p in nx.grid_2d_graph(2, 3) for q in nx.grid_2d_graph(2, 3) if p < q and (...))'
    """
    squares = f"nx.grid_2d_graph({rows}, {cols})"
    return f"nx.Graph((p, q) for p in {squares} for q in {squares} if p < q and ({_RIDERS[name]}))"


def graph_of_box(sides: tuple[int, ...]) -> str:
    """The line of Python that makes the knight's moves in a box of three or more sides a graph of NetworkX.

    >>> graph_of_box((3, 3, 3))
    'nx.Graph((p, q) for p in nx.grid_graph((3, 3, 3)) for q in nx.grid_graph((3, 3, 3)) if ... == [0, 1, 2])'
    """
    squares = f"nx.grid_graph({sides})"
    wanted = [0] * (len(sides) - 2) + [1, 2]
    return f"nx.Graph((p, q) for p in {squares} for q in {squares} if {_SOLID.replace('[0, 1, 2]', str(wanted))})"


def as_graph(line: str) -> str:
    """What to do with the line of a graph, for the help of an error."""
    return f"such moves are a graph: import networkx as nx; kt.solve(kt.Board.from_graph({line}))"


def help_for_leaper(name: object) -> str:
    """What to give for a name of a piece, or ""; for any other value, too.

    >>> help_for_leaper("Camel"), help_for_leaper("prawn")
    ("the camel is the leaper (1, 3): Board('10x10:camel'), or 10x10:camel on the command line", '')
    """
    word = name.strip().lower() if isinstance(name, str) else ""
    if word in LEAPERS:
        a, b = LEAPERS[word]
        return f"the {word} is the leaper ({a}, {b}): Board('10x10:{word}'), or 10x10:{word} on the command line"
    return as_graph(graph_of_piece(word)) if word in _RIDERS else ""
