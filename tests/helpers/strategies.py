"""Boards, tours and problems for hypothesis."""

import pytest
from hypothesis import assume
from hypothesis import strategies as st

from knightstour.core.model.board import WRAPS, Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Status
from knightstour.core.model.tour import Tour
from knightstour.core.search.rotation import rotation

# All kinds, for boards of five rows and four columns or more.
QUESTIONS = [
    pytest.param({}, id="open"),
    pytest.param({"closed": True}, id="closed"),
    pytest.param({"closed": True, "start": "c4"}, id="closed from a start"),
    pytest.param({"start": "c4"}, id="start"),
    pytest.param({"end": "c4"}, id="end"),
    pytest.param({"start": "a1", "end": "d5"}, id="start and end"),
]

LEAPERS = [(1, 2), (0, 1), (0, 2), (1, 1), (1, 3), (1, 4), (2, 3), (2, 4), (3, 3), (1, 9), (5, 17)]


@st.composite
def boards(
    draw: st.DrawFn,
    *,
    most_side: int = 6,
    wraps: tuple[str | None, ...] = (None, *WRAPS),
    leapers: list[tuple[int, int]] = LEAPERS,
) -> Board:
    """Draw a small board of any kind, with no, few or many holes."""
    rows = draw(st.integers(1, most_side))
    cols = draw(st.integers(1, most_side))
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    holes = draw(st.lists(st.sampled_from(squares), unique=True, max_size=len(squares) - 1)) if len(squares) > 1 else []
    return Board(rows, cols, holes=holes, wrap=draw(st.sampled_from(wraps)), leaper=draw(st.sampled_from(leapers)))


# Boards with open tours, and most with closed ones, that are found within a few thousand steps.
TOURED = [
    Board(3, 4),
    Board(5, 5),
    Board(5, 6),
    Board(6, 6),
    Board(6, 5, holes=[(0, 0), (5, 4)]),
    Board.from_text("#....#\n......\n......\n......\n......\n#....#"),
    Board(3, 5, wrap="cylinder"),
    Board(4, 4, wrap="torus"),
    Board(3, 5, wrap="torus"),
    Board(3, 5, wrap="mobius"),
    Board(4, 5, wrap="mobius"),
    Board(4, 5, wrap="klein"),
    Board(3, 4, wrap="klein"),
    Board(4, 4, wrap="torus", holes=[(1, 2)]),
    Board(4, 5, wrap="klein", holes=[(1, 2), (3, 1)]),
    Board(4, 6, wrap="cylinder", holes=[(3, 5)]),
    Board(4, 5, leaper=(0, 1)),
    Board(6, 6, leaper=(1, 4), wrap="torus"),
]


@st.composite
def tours(draw: st.DrawFn, *, boards: list[Board] = TOURED, closed: bool | None = None) -> Tour:
    """Draw a tour of these boards, by the rotation method."""
    board = draw(st.sampled_from(boards))
    seed = draw(st.integers(0, 10**6))
    is_closed = draw(st.booleans()) if closed is None else closed
    outcome = rotation(Problem(board, closed=is_closed), Budget(Limits(nodes=3000)), seed)
    assume(outcome.status is Status.FOUND)
    assert outcome.order is not None
    return Tour.from_array(outcome.order, board)
