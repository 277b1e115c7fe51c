"""Tests that squares of boards, tours and results are accepted as input on every kind of board."""

from __future__ import annotations

import copy
import pickle

import networkx as nx
import numpy as np
import pytest

import knightstour as kt
from knightstour.core.model.errors import BoardError
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import keyword_arguments

_PATH = [(2, 1), (0, 2), (0, 0), (1, 0), (0, 1)]

BOARDS = {
    "rectangle": kt.Board("3x4"),
    "holes": kt.Board("4x4:king:-a1"),
    "torus": kt.Board("4x4:torus"),
    "hexagon": kt.Board("hex:2:king"),
    "triangle": kt.Board("tri:4"),
    "box": kt.Board("2x3x4"),
    "cells": kt.CellBoard(sorted((r, c) for r in range(-1, 2) for c in range(-1, 2)), moves="king"),
    "numbers": kt.Board.from_graph(nx.complete_graph([7, 3, 5, 0])),
    "pairs": kt.Board.from_graph(nx.complete_graph(_PATH)),
    "texts": kt.Board.from_graph([("a", "b"), ("b", "1"), ("1", "a")]),
    "arcs": kt.Board.from_graph(list(zip(_PATH, [*_PATH[1:], _PATH[0]], strict=True)), directed=True),
}


@pytest.fixture(params=BOARDS.values(), ids=BOARDS.keys())
def board(request: pytest.FixtureRequest) -> kt.Board:
    return request.param


def test_squares_of_a_board(board: kt.Board) -> None:
    for number, square in enumerate(board.squares):
        again = (square, list(square), np.array(square), board.square_name(square), pickle.loads(pickle.dumps(square)))
        assert [board.square(each) for each in again] == [square] * 5
        assert isinstance(board, GridBoard) or board.square(board.labels[number]) == (0, number)
        assert all(
            board.square_name(near) in map(board.square_name, board.neighbors(square))
            for near in board.neighbors(square)
        )
        assert board.is_directed or board.distances(square)[square] == 0


def test_squares_of_a_tour(board: kt.Board) -> None:
    tour = kt.find_tour(board, seed=2)
    names = [board.square_name(square) for square in tour]
    for squares in (list(tour), tour.squares, tour.squares.tolist(), tour.labels, names):
        assert kt.Tour(board, squares) == tour
    assert kt.find_tour(board, start=tour.start).start == tour.start
    assert kt.find_tour(board, start=tour[0], end=copy.copy(tour[-1])).end == tour.end
    assert board.is_directed or next(iter(board.paths(tour.start, tour.end)))[-1] == tour.end


def test_problem_title_describes_its_conditions(board: kt.Board) -> None:
    tour = kt.find_tour(board, seed=2)
    asked = {} if board.is_directed else {"require": [(tour[0], tour[1])], "given": {tour[2]: 3}}
    problem = kt.Problem(board, start=tour.start, end=tour.end, **asked)
    assert kt.Problem(board, **keyword_arguments(problem)) == problem
    assert kt.Problem(board, start=problem.start, end=problem.end).start == tour.start
    assert kt.find_tour(problem).labels[:3] == tour.labels[:3] if asked else kt.find_tour(problem).end == tour.end


def test_squares_of_numbers(board: kt.Board) -> None:
    """Counts from each square, and of each move, match their names."""
    if board.is_directed:
        return
    counts = kt.census(board, "start")
    assert list(counts) == list(board.squares)
    for square in list(counts)[:3]:
        assert kt.count(board, start=square, directed=True) == counts[square]
    move, tours = next(iter(kt.TourSpace(board).move_counts().items()))
    assert kt.count(board, require=[move]) == tours


@pytest.mark.parametrize(
    "board",
    [
        kt.CellBoard([(-9, -9), *BOARDS["cells"].labels], moves="king"),
        kt.CellBoard([(-9, -9), *BOARDS["hexagon"].labels], moves="king", lattice="hexagon"),
        kt.Board.from_graph({9: [], 2: [1, 0], 1: [2, 0], 0: [2, 1]}),
        kt.Board.from_graph({(0, 9): [], **{node: [other for other in _PATH if other != node] for node in _PATH}}),
    ],
    ids=["cells", "hexagon", "numbers", "pairs"],
)
def test_a_tour_that_leaves_squares(board: kt.Board) -> None:
    """Its own board has fewer nodes, so its squares have other numbers."""
    result = kt.solve(board, partial=True, maximize="visits", seed=1)
    assert result.tour is not None
    assert len(result.tour) == len(board) - 1
    assert [board.square(name) for name in result.to_dict()["unvisited"]] == [(0, 0)]
    for step, square in enumerate(result.tour):
        assert board.square(square) == board.square(result.tour.labels[step])
        assert board.square(board.square_name(square)) == board.square(square)
    again = kt.find_tour(board, partial=True, start=result.tour.start)
    assert again.labels[0] == result.tour.labels[0]


def test_puzzles_of_hexagons() -> None:
    board = kt.Board("hex:3:wazir")
    puzzle = kt.make_puzzle(board, seed=1)
    assert kt.find_tour(board, given=puzzle.given) == puzzle.solution
    assert kt.Puzzle(board, puzzle.given).given == puzzle.given
    hint = puzzle.hint(dict(puzzle.given))
    assert puzzle.solution.numbers[hint.square] == hint.number
    assert puzzle.hint(puzzle.solution.numbers * np.isin(puzzle.solution.numbers, [*puzzle.given.values()])) == hint


def test_a_pair_is_a_node_where_nodes_are_pairs() -> None:
    board = BOARDS["pairs"]
    assert board.square((0, 2)) == (0, 1)
    assert board.square([0, 2]) == (0, 2)
    for square in ((0, 3), (5, 5)):
        with pytest.raises(BoardError, match=r"the graph has no node"):
            board.square(square)
    with pytest.raises(BoardError, match=r"the board has no cell \(0, 6\)"):
        kt.solve("hex:2:king", start=(0, 6))
    assert kt.facts("hex:2:king").starts == dict.fromkeys(BOARDS["hexagon"].squares, kt.Status.FOUND)
