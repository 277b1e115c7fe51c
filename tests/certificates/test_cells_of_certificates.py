"""Tests of boards of cells in certificates: moves and symmetries match the library; invalid boards are rejected."""

from typing import Any

import pytest

import knightstour as kt
from knightstour.core.formats.boards import board_to_dict
from knightstour.core.model.board import move_graph
from knightstour.core.model.cells import box
from knightstour.core.model.symmetry import symmetries
from knightstour.lab.certificates.claims import claim_of
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import FORMAT, Unreadable

BOARDS = [
    "3x4x2",
    "2x3x3:king",
    "2x3x3:0,1+1,1",
    "2x2x2x2:1,1,2",
    "2x2x2x3:wazir",
    "hex:3",
    "hex:3:king+camel",
    "tri:6",
    "tri:4:king",
]
GIVEN = kt.CellBoard(kt.Board("hex:3").labels or (), moves=[(0, 1), (0, -1), (2, -1), (-2, 1)], lattice="hexagon")
FLAT = kt.CellBoard(box(3, 3), moves="knight+wazir")


def question(board: dict[str, Any], **asked: Any) -> Any:
    return question_of({"format": FORMAT, "board": board, "closed": True, **asked})


@pytest.mark.parametrize("board", [*map(kt.Board, BOARDS), GIVEN, FLAT], ids=str)
def test_moves_and_symmetries_match_the_library(board: kt.Board) -> None:
    record: Any = board_to_dict(board)
    near = [set(others) for others in move_graph(board).neighbour_lists()]
    assert list(map(set, question(record).near)) == near
    for symmetry in symmetries(board):
        if symmetry.name != "identity":
            (image,) = images_of(question(record, symmetry=symmetry.name))
            assert image == symmetry.image.tolist()


def test_claims_name_the_cells() -> None:
    def said(board: kt.Board, **asked: Any) -> str:
        record: Any = {"board": board_to_dict(board), "closed": True, "answer": "impossible", **asked}
        return claim_of(question_of({"format": FORMAT, **record}), record)

    assert said(kt.Board("2x3x3")) == "there is no closed tour of the 2x3x3 board"
    start = "there is no closed tour of the hexagon of 7 cells for the king (12 neighbours) from (0, 0)"
    assert said(kt.Board("hex:2:king"), start=3) == start
    assert said(GIVEN) == "there is no closed tour of the hexagon of 19 cells"


SQUARE: dict[str, Any] = {"rows": 1, "cols": 2, "lattice": "box", "leaps": [[0, 1]], "cells": [[0, 0], [0, 1]]}
BAD = [
    {"lattice": "triangle"},
    {"lattice": None},
    {"cols": 3},
    {"cells": [[0, 0], [0, 0]]},
    {"cells": [[0, 0], [0, 0, 1]]},
    {"cells": [[0, 0], [0, 10**9]]},
    {"cells": [[0, 0], [0, 0.5]]},
    {"cells": [[0], [1]]},
    {"cells": [[0] * 7, [1] * 7]},
    {"lattice": "hexagon", "cells": [[0, 0, 0], [0, 0, 1]]},
    {"leaps": []},
    {"leaps": [[0, 0]]},
    {"leaps": [[0, 1, 2]]},
    {"vectors": [[0, 1]]},
    {"vectors": [[0, 0]]},
    {"vectors": [[0, 1, 0], [0, -1, 0]]},
    {"holes": [[0, 0]]},
    {"wrap": "torus"},
    {"graph": {"nodes": ["a", "b"], "edges": []}},
]


@pytest.mark.parametrize("change", BAD, ids=str)
def test_rejects_invalid_cell_boards(change: dict[str, Any]) -> None:
    assert question(SQUARE).near == (frozenset({1}), frozenset({0}))
    with pytest.raises(Unreadable):
        question(SQUARE | change)
    with pytest.raises(Unreadable, match="only a board with"):
        question({"rows": 2, "cols": 2, "lattice": "box"})


@pytest.mark.parametrize("name", ["60", "2,-1", "1,2,3", "3,1", "shift (0, 1)", "Eulerian", "mirror 0", "--1,2", "1,1"])
def test_rejects_missing_symmetries_of_cells(name: str) -> None:
    with pytest.raises(Unreadable):
        images_of(question(SQUARE, symmetry=name))
