"""Turns and crossings against the reference, which looks at every pair of moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.strategies import TOURED, tours
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError
from knightstour.core.model.geometry import count_crossings, count_turns
from knightstour.core.model.pieces import KNIGHT, Piece
from knightstour.core.model.tour import Tour

FLAT = [board for board in TOURED if board.wrap is None]


@given(tours(boards=FLAT))
def test_turns_and_crossings_of_a_tour_are_those_of_the_reference(tour: Tour) -> None:
    assert tour.turns == reference.turns(list(tour), tour.is_closed)
    assert tour.crossings == reference.crossings(list(tour), tour.is_closed)


@st.composite
def walks(draw: st.DrawFn) -> tuple[list[tuple[int, int]], int, int, Piece]:
    """A path of any piece, which need not visit all squares, on a board it may be too big for."""
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
def test_turns_and_crossings_of_any_path_of_any_piece_are_those_of_the_reference(walk: Any) -> None:
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


def test_turns_and_crossings_do_not_depend_on_how_the_tour_is_held() -> None:
    tour = Tour.from_numbers([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]])
    images = [tour, tour.reversed(), tour.rotated(90), tour.rotated(180), tour.reflected("diagonal")]
    assert len({(t.turns, t.crossings) for t in images}) == 1


def test_the_first_square_of_a_closed_tour_may_be_a_turn_too() -> None:
    ring = Tour(Board(2, 2, leaper=(0, 1)), ["a1", "a2", "b2", "b1"])
    assert ring.is_closed and ring.turns == 4 and ring.crossings == 0
    straight = Tour(Board(3, 2, leaper=(0, 1)), ["a2", "a3", "b3", "b2", "b1", "a1"])
    assert straight.is_closed and straight.turns == 4 and straight.shifted(1).turns == 4


def test_only_flat_boards_have_turns_and_crossings() -> None:
    torus = Tour(Board(1, 3, wrap="torus"), [(0, 0), (0, 1), (0, 2)])
    graph = Tour(Board.from_graph([[1], [0]]), [0, 1])
    for tour, message in ((torus, "this is a 1x3 torus"), (graph, "this is a graph of 2 nodes")):
        with pytest.raises(BoardError, match=f"turns are counted on flat boards only; {message}"):
            _ = tour.turns
        with pytest.raises(BoardError, match=f"crossings are counted on flat boards only; {message}"):
            _ = tour.crossings


def test_crossings_of_a_big_board_are_those_of_its_pairs() -> None:
    rng = np.random.default_rng(1)
    rows, cols = 100, 100
    # A random walk has the moves of a tour in random places, and many more crossings.
    moves = np.array([(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)])
    path = [(50, 50)]
    used = set()
    while len(path) < 10_000:
        r, c = moves[rng.integers(8)] + path[-1]
        step = frozenset({path[-1], (int(r), int(c))})
        if 0 <= r < rows and 0 <= c < cols and step not in used:
            used.add(step)
            path.append((int(r), int(c)))
        elif rng.integers(50) == 0:
            path = path[:-1]
    squares = np.array(path)
    assert count_crossings(squares, False, rows, cols, KNIGHT.vectors) > 10_000
    # The first few hundred moves, looked at pair by pair.
    assert count_crossings(squares[:400], False, rows, cols, KNIGHT.vectors) == reference.crossings(path[:400], False)


def test_a_closed_6x6_tour_may_turn_at_every_square() -> None:
    tour = Tour.from_numbers(
        [
            [1, 8, 5, 22, 3, 14],
            [6, 21, 2, 15, 28, 23],
            [9, 36, 7, 4, 13, 16],
            [20, 33, 18, 29, 24, 27],
            [35, 10, 31, 26, 17, 12],
            [32, 19, 34, 11, 30, 25],
        ]
    )
    assert tour.is_closed and tour.turns == 36


@pytest.mark.slow
def test_the_fewest_and_most_turns_and_crossings_of_closed_6x6_tours(published: Any) -> None:
    (row,) = published["extremes"]
    every = [Tour((6, 6), t) for t in reference.closed_tours(reference.adjacency(reference.Spec(6, 6)))]
    turns, crossings = [t.turns for t in every], [t.crossings for t in every]
    assert [min(turns), max(turns)] == row["turns"]
    assert [min(crossings), max(crossings)] == row["crossings"]
