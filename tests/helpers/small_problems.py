"""Random questions about small boards, and their moves as plain sets."""

from __future__ import annotations

from hypothesis import strategies as st

from helpers import reference
from helpers.strategies import boards
from knightstour.model.board import Board
from knightstour.model.problem import Problem

MOST_SQUARES = 14


def adjacency_of(board: Board) -> dict[tuple[int, int], set[tuple[int, int]]]:
    if board.graph is not None:
        return {(0, i): {(0, j) for j in near} for i, near in enumerate(board.graph)}
    return reference.adjacency(reference.spec_of(board))


@st.composite
def problems(draw: st.DrawFn, *, most_squares: int = MOST_SQUARES) -> Problem:
    """Any question about a small board or graph."""
    if draw(st.integers(0, 4)) == 0:
        size = draw(st.integers(1, 8))
        pairs = [(i, j) for i in range(size) for j in range(i)]
        kept = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
        board = Board.from_graph([[j for i, j in kept if i == node] for node in range(size)])
    else:
        board = draw(boards().filter(lambda board: board.square_count <= most_squares))
    squares = sorted(adjacency_of(board))
    closed = draw(st.booleans())
    start = draw(st.none() | st.sampled_from(squares))
    end = None if closed else draw(st.none() | st.sampled_from(squares))
    if start == end and len(squares) > 1:
        end = None
    return Problem(board, closed, start, end)
