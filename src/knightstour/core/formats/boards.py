"""Boards as JSON, in tour files, spaces, data sets and the page."""

from __future__ import annotations

import operator
from collections.abc import Hashable, Sequence
from typing import NotRequired, TypeAlias, TypedDict

import numpy as np

from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.errors import BoardError
from knightstour.core.model.graph_board import CellBoard, GraphBoard, board_of_edges
from knightstour.core.model.grid_board import GridBoard, is_knights
from knightstour.core.model.strict_json import check_entries

# Name of a node; tuples become lists.
Label: TypeAlias = "str | int | float | list[Label] | None"


class GraphRecord(TypedDict):
    """A graph as JSON: node names, and edges or arcs as index pairs."""

    nodes: list[Label]
    edges: NotRequired[list[list[int]]]
    arcs: NotRequired[list[list[int]]]


class BoardRecord(TypedDict, total=False):
    """A board as JSON: rows and cols, and further properties; or its specification, as for `Board`."""

    board: str
    rows: int
    cols: int
    holes: list[list[int]]
    wrap: str
    leaper: list[int]
    leaps: list[list[int]]
    graph: GraphRecord
    cells: list[list[int]]
    lattice: str
    vectors: list[list[int]]


def board_to_dict(board: Board) -> BoardRecord:
    """Return the board as a JSON-serialisable dict: rows and cols, and further properties.

    Raises:
        BoardError: If a node of a graph is not text, a number, None or a tuple of these.

    >>> board_to_dict(Board(4, 5, holes=["a1"], leaper=(2, 3)))
    {'rows': 4, 'cols': 5, 'holes': [[3, 0]], 'leaper': [2, 3]}
    """
    record: BoardRecord = {"rows": board.rows, "cols": board.cols}
    if isinstance(board, CellBoard):
        return record | _cells_record(board)
    if board.holes:
        record["holes"] = [list(hole) for hole in sorted(board.holes)]
    if board.wrap:
        record["wrap"] = board.wrap
    if isinstance(board, GridBoard) and board.piece.leaper is None:
        record["leaps"] = [list(leap) for leap in board.piece.leaps]
    elif isinstance(board, GridBoard) and not is_knights(board):
        record["leaper"] = list(board.piece.leaps[0])
    if isinstance(board, GraphBoard):
        record["graph"] = {"nodes": [_plain_label(label) for label in board.labels]}
        if board.is_directed:
            record["graph"]["arcs"] = [[tail, head] for tail, heads in enumerate(board.graph) for head in heads]
        else:
            record["graph"]["edges"] = move_graph(board).edges().tolist()
    return record


def board_from_dict(record: BoardRecord) -> Board:
    """Return the board of a record of `board_to_dict`. Raises BoardError if it is invalid.

    >>> board_from_dict({"rows": 4, "cols": 5, "wrap": "torus"}) == board_from_dict({"board": "4x5:torus"})
    True
    """
    try:
        check_entries(record, BoardRecord.__annotations__, "a board", error=BoardError)
        graph = record.get("graph")
        if isinstance(record.get("board"), str) and not record.keys() & {"rows", "cols", "graph"}:
            return Board(record["board"])
        if "cells" in record:
            return _board_of_cells(record)
        if not {"rows", "cols"} <= record.keys():
            raise BoardError("rows and cols are missing")
        if graph is not None:
            return graph_of_record(graph)
        leaps = [(a, b) for a, b in record.get("leaps", [record.get("leaper", [1, 2])])]
        holes = [(row, col) for row, col in record.get("holes", ())]
        return Board(record["rows"], record["cols"], holes=holes, wrap=record.get("wrap"), moves=leaps)
    except (TypeError, ValueError, KeyError, IndexError) as error:
        if isinstance(error, BoardError):
            raise
        raise BoardError(f"its board cannot be understood ({error})") from error


def _cells_record(cells: CellBoard) -> BoardRecord:
    """Return moves as leaps if the board has a piece, else as vectors."""
    record: BoardRecord = {"cells": [list(cell) for cell in cells.cells], "lattice": cells.lattice}
    if cells.piece is None:
        return record | {"vectors": [list(vector) for vector in cells.vectors]}
    return record | {"leaps": [list(leap) for leap in cells.piece.leaps]}


def _board_of_cells(record: BoardRecord) -> Board:
    cells = [tuple(cell) for cell in record["cells"]]
    moves = [tuple(vector) for vector in record.get("vectors", record.get("leaps", [[1, 2]]))]
    board = CellBoard(cells, moves=moves, lattice=record.get("lattice", "box"))
    if (record.get("rows", 1), record.get("cols", len(cells))) != (board.rows, board.cols):
        raise BoardError(f"{len(cells)} cells do not form a {record.get('rows')}x{record.get('cols')} board")
    return board


def graph_of_record(graph: GraphRecord) -> Board:
    """Return the board of a graph as JSON. Raises TypeError, ValueError (BoardError) or KeyError if it is invalid.

    >>> graph_of_record({"nodes": ["a", "b"], "edges": [[0, 1]]}).labels
    ('a', 'b')
    """
    check_entries(graph, GraphRecord.__annotations__, "a graph", error=BoardError)
    if ("edges" in graph) == ("arcs" in graph):
        raise BoardError("a graph has edges, or else arcs")
    listed = graph["arcs"] if "arcs" in graph else graph["edges"]
    return _graph_board(graph["nodes"], [(a, b) for a, b in listed], "arcs" in graph)


def _graph_board(labels: Sequence[Label], edges: Sequence[tuple[int, int]], arcs: bool) -> Board:
    nodes = [_label_of(label) for label in labels]
    if len(set(nodes)) < len(nodes):
        raise BoardError("two nodes of the graph have one name")
    for a, b in edges:
        if not (0 <= operator.index(a) < len(nodes) and 0 <= operator.index(b) < len(nodes)):
            raise BoardError(f"edge [{a}, {b}] has an unknown node")
    return board_of_edges(nodes, np.array(edges, dtype=np.int64).reshape(-1, 2), arcs=arcs)


def _plain_label(label: Hashable) -> Label:
    if isinstance(label, tuple):
        return [_plain_label(part) for part in label]
    if isinstance(label, np.integer):
        return int(label)
    if label is None or isinstance(label, str | int | float):
        return label
    raise BoardError(
        f"the graph's node {label!r} cannot be written as JSON",
        help="use text, numbers or tuples of them as nodes",
    )


def _label_of(value: Label) -> Hashable:
    return tuple(_label_of(part) for part in value) if isinstance(value, list) else value
