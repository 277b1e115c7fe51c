"""Random questions for searches that go through all tours."""

import itertools

from hypothesis import strategies as st

from helpers.both_ways import both_ways
from knightstour import Board, Problem, move_graph


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    if draw(st.booleans()):
        size = draw(st.integers(1, 7))
        pairs = list(itertools.combinations(range(size), 2))
        chosen = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
        near: list[list[int]] = [[] for _ in range(size)]
        for a, b in chosen:
            near[a].append(b)
        board = Board.from_graph(both_ways(near))
    else:
        rows, cols = draw(st.sampled_from([(3, 4), (4, 3), (3, 3), (2, 5), (1, 5), (3, 2)]))
        squares = [(r, c) for r in range(rows) for c in range(cols)]
        holes = draw(st.sets(st.sampled_from(squares), max_size=3))
        wrap = draw(st.sampled_from([None, None, "cylinder", "torus", "mobius", "klein"]))
        leaper = draw(st.sampled_from([(1, 2), (1, 2), (0, 1), (1, 1)]))
        if wrap is not None and rows * cols - len(holes) > 9:
            wrap = None
        board = Board(rows, cols, holes=holes, wrap=wrap, leaper=leaper)
    closed = draw(st.booleans())
    free = [divmod(int(s), board.cols) for s in move_graph(board).squares]
    start = draw(st.none() | st.sampled_from(free))
    ends = [square for square in free if square != start]
    end = draw(st.none() | st.sampled_from(ends)) if ends and not closed else None
    return Problem.of(board, closed=closed, start=start, end=end)
