"""A board as JSON: the one form that files, spaces, data sets and the page share."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from knightstour.model.board import Board, move_graph
from knightstour.model.errors import BoardError


def board_to_dict(board: Board) -> dict[str, Any]:
    """The whole board as JSON knows it: rows and cols, and what else it needs.

    Raises BoardError where a node of a graph is nothing that JSON knows (text, numbers, None, tuples of these).

    >>> board_to_dict(Board(4, 5, holes=["a1"], leaper=(2, 3)))
    {'rows': 4, 'cols': 5, 'holes': [[3, 0]], 'leaper': [2, 3]}
    """
    record: dict[str, Any] = {"rows": board.rows, "cols": board.cols}
    if board.holes:
        record["holes"] = [list(hole) for hole in sorted(board.holes)]
    if board.wrap:
        record["wrap"] = board.wrap
    if board.leaper != (1, 2):
        record["leaper"] = list(board.leaper)
    if board.graph is not None:
        assert board.labels is not None
        record["graph"] = {
            "nodes": [_plain_label(label) for label in board.labels],
            "edges": move_graph(board).edges().tolist(),
        }
    return record


def board_from_dict(record: dict[str, Any]) -> Board:
    """The board that `board_to_dict` wrote; a BoardError where it makes none.

    >>> board_from_dict({"rows": 4, "cols": 5, "wrap": "torus"})
    Board(4, 5, wrap='torus')
    """
    if not {"rows", "cols"} <= record.keys():
        raise BoardError("rows and cols are missing")
    try:
        if record.get("graph") is not None:
            nodes = [_label_of(node) for node in record["graph"]["nodes"]]
            near: list[list[int]] = [[] for _ in nodes]
            for a, b in record["graph"]["edges"]:
                if not (0 <= a < len(nodes) and 0 <= b < len(nodes)):
                    raise BoardError(f"edge [{a}, {b}] leads to no node")
                near[a].append(b)
            return Board.from_graph({node: [nodes[k] for k in row] for node, row in zip(nodes, near, strict=True)})
        return Board(
            record["rows"],
            record["cols"],
            holes=[tuple(hole) for hole in record.get("holes") or ()],
            wrap=record.get("wrap"),
            leaper=tuple(record.get("leaper") or (1, 2)),
        )
    except (TypeError, ValueError, KeyError) as error:
        if isinstance(error, BoardError):
            raise
        raise BoardError(f"its board cannot be understood ({error})") from error


def _plain_label(label: Hashable) -> Any:
    if isinstance(label, tuple):
        return [_plain_label(part) for part in label]
    if isinstance(label, np.integer):
        return int(label)
    if label is None or isinstance(label, str | int | float):
        return label
    raise BoardError(
        f"the graph's node {label!r} cannot be written as JSON",
        help="name the nodes by text, numbers or tuples of them",
    )


def _label_of(value: Any) -> Hashable:
    return tuple(_label_of(part) for part in value) if isinstance(value, list) else value
