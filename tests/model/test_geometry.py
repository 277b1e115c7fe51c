"""Tests of turns and crossings against the reference, which compares all pairs of moves."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError
from knightstour.core.model.geometry import count_crossings, count_turns
from knightstour.core.model.pieces import Piece
from knightstour.core.model.tour import Tour


@st.composite
def walks(draw: st.DrawFn) -> tuple[list[tuple[int, int]], int, int, Piece]:
    """Draw a path of any piece, which may omit squares."""
    leaps = [(1, 2), (2, 4), (0, 1), (0, 2), (0, 3), (1, 1), (2, 2), (3, 3), (1, 3), (2, 6), (3, 6)]
    piece = Piece.of(draw(st.lists(st.sampled_from(leaps), min_size=1, max_size=3)))
    rows, cols = draw(st.integers(1, 12)), draw(st.integers(1, 12))
    adjacent = reference.adjacency(reference.Spec(rows, cols, leaps=piece.leaps))
    path = [draw(st.sampled_from(sorted(adjacent)))]
    for _ in range(draw(st.integers(0, 40))):
        ways = sorted(adjacent[path[-1]] - set(path))
        if not ways:
            break
        path.append(draw(st.sampled_from(ways)))
    return path, rows, cols, piece


@given(walks())
def test_turns_and_crossings_of_any_path_match_the_reference(walk: Any) -> None:
    path, rows, cols, piece = walk
    squares = np.array(path)
    assert count_turns(squares, False) == reference.turns(path, False)
    assert count_crossings(squares, False, rows, cols, piece.vectors) == reference.crossings(path, False)


def test_moves_that_lie_on_each_other_cross_once() -> None:
    # A (2,4) leaper's moves may overlap by half: 0,0 - 2,4 and 1,2 - 3,6.
    squares = [(0, 0), (2, 4), (4, 0), (0, 2), (2, 6), (4, 2)]
    moves = Piece.of((2, 4)).vectors
    assert reference.crossings(squares, False) == count_crossings(np.array(squares), False, 5, 7, moves)
    one = [(0, 0), (2, 4), (6, 6), (10, 8), (6, 10), (2, 8), (0, 4), (4, 2)]
    assert reference.crossings(one, False) == count_crossings(np.array(one), False, 11, 11, moves)


def test_only_flat_boards_have_turns_and_crossings() -> None:
    torus = Tour(Board(1, 3, wrap="torus"), [(0, 0), (0, 1), (0, 2)])
    graph = Tour(Board.from_graph([[1], [0]]), [0, 1])
    for tour, message in ((torus, "this is a 1x3 torus"), (graph, "this is a graph of 2 nodes")):
        with pytest.raises(BoardError, match=f"turns are counted on flat boards only; {message}"):
            _ = tour.turns
        with pytest.raises(BoardError, match=f"crossings are counted on flat boards only; {message}"):
            _ = tour.crossings


@pytest.mark.slow
def test_fewest_and_most_turns_and_crossings_of_closed_6x6(published: Any) -> None:
    (row,) = published["extremes"]
    every = [Tour((6, 6), t) for t in reference.closed_tours(reference.adjacency(reference.Spec(6, 6)))]
    turns, crossings = [t.turns for t in every], [t.crossings for t in every]
    assert [min(turns), max(turns)] == row["turns"]
    assert [min(crossings), max(crossings)] == row["crossings"]
