"""The words that stand for squares in lists of names, one for each square: those that are no words are quoted."""

from __future__ import annotations

import json
import re

from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.names import square_name

WORD_OR_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')


def names_of_squares(board: Board) -> list[str]:
    """The names of all squares. Names of nodes that would not be read as one word each are quoted, as JSON does it.

    >>> names_of_squares(Board.from_graph({"Rome": ["New York"], "New York": ["Rome"]}))
    ['Rome', '"New York"']
    """
    if board.cells is not None:
        return board.cells.names()
    if board.labels is not None:
        names = [str(label) for label in board.labels]
        if len(set(names)) < len(names):
            raise FormatError(
                "two nodes of the graph have names that look alike",
                help="use the format json, which keeps 1 and '1' apart",
            )
        # A "#" would begin a comment.
        quoted = (json.dumps(name).replace("#", "\\u0023") for name in names)
        return [
            name if re.fullmatch(r'[^\s#"]\S*', name) and name.isprintable() else quote
            for name, quote in zip(names, quoted, strict=True)
        ]
    return [square_name((r, c), board.rows) for r in range(board.rows) for c in range(board.cols)]
