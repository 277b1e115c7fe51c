"""Tests of boards in JSON: one form, which is lossless."""

import json

import numpy as np
import pytest

import knightstour as kt
from helpers.both_ways import both_ways
from knightstour.core.formats.boards import board_from_dict, board_to_dict
from knightstour.core.model.errors import BoardError

NAMED = kt.Board.from_graph(
    both_ways({"x": ["y", 1.5], ("p", np.int64(3)): ["y", None], "y": [], 1.5: [None], None: []})
)


@pytest.mark.parametrize("board", [kt.Board.from_graph(both_ways([[1, 2], [2], []])), NAMED], ids=str)
def test_a_board_comes_back_whole(board: kt.Board) -> None:
    read = board_from_dict(json.loads(json.dumps(board_to_dict(board))))
    assert read == board and read.labels == board.labels


@pytest.mark.parametrize(
    "text",
    [
        '{"cols": 5}',
        '{"rows": "x", "cols": 5}',
        '{"rows": 4, "cols": 5, "holes": [3]}',
        '{"rows": 4, "cols": 5, "leaper": [1, 2, 3]}',
        '{"rows": 1, "cols": 2, "graph": {"nodes": ["a", "b"], "edges": [[0, 2]]}}',
        '{"rows": 1, "cols": 2, "graph": {"nodes": ["a"]}}',
        '{"rows": 1, "cols": 2, "graph": [[1], [0]]}',
    ],
)
def test_rejects_record_without_a_valid_board(text: str) -> None:
    with pytest.raises(BoardError):
        board_from_dict(json.loads(text))
