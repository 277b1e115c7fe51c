"""Counts of directed tours by start: in Python, on the command line and from the page."""

import json
from collections import Counter

import pytest

import knightstour as kt
from helpers import reference
from helpers.both_ways import both_ways
from helpers.command_line import Run
from helpers.small_problems import adjacency_of
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.result_errors import LimitReached

# Walks from each square of 5x5 and 6x6 by plain Python; 1,728 and 6,637,920 in all (OEIS A165134).
FIVE = [[304, 0, 56, 0, 304], [0, 56, 0, 56, 0], [56, 0, 64, 0, 56], [0, 56, 0, 56, 0], [304, 0, 56, 0, 304]]
SIX = [
    [524486, 289050, 115837, 115837, 289050, 524486],
    [289050, 173402, 49578, 49578, 173402, 289050],
    [115837, 49578, 52662, 52662, 49578, 115837],
]

BOARDS = [
    kt.Board(3, 4),
    kt.Board(4, 5, holes=["a1"]),
    kt.Board(3, 3, wrap="torus"),
    kt.Board(4, 4, wrap="cylinder", holes=["b2"]),
    kt.Board(1, 1),
    kt.Board(4, 4),
    kt.Board.from_graph(both_ways({"a": ["b", "c"], "b": ["c", "d"], "c": ["d"], "d": ["e"], "e": []})),
]


def walked(board: kt.Board, end: str | None = None) -> dict[kt.typing.Square, int]:
    """Count the walks from each square by recursion."""
    near = adjacency_of(board)
    tours = reference.all_tours(near, end=None if end is None else board.square(end))
    first = Counter(tour[0] for tour in tours)
    return {square: first[square] for square in near}


@pytest.mark.long
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_tours_from_each_square_match_a_walk(board: kt.Board) -> None:
    starts = kt.census(board, "start")
    assert starts == walked(board) and list(starts) == sorted(starts)
    assert sum(starts.values()) == kt.count(board, directed=True)


def test_tours_with_given_end_and_moves_are_counted() -> None:
    assert kt.census((3, 4), "start", end="d1") == walked(kt.Board(3, 4), end="d1")
    through = kt.census(kt.Problem((3, 4), require=["a1-b3"]), "start")
    assert sum(through.values()) == kt.count((3, 4), require=["a1-b3"], directed=True) > 0
    assert through[2, 0] != through[0, 0]


@pytest.mark.parametrize(
    ("size", "rows", "total"),
    [("5x5", FIVE, 1728), pytest.param("6x6", SIX + SIX[::-1], 6637920, marks=pytest.mark.long)],
)
def test_the_command_prints_a_grid_of_the_board(size: str, rows: list[list[int]], total: int, run: Run) -> None:
    code, out, err = run("census", size, "--by", "start")
    assert (code, [[int(x) for x in line.split()] for line in out.splitlines()]) == (0, rows)
    assert sum(map(sum, rows)) == total and f"{total:,} directed open tours" in err
    record = json.loads(run("census", size, "--by", "start", "--json")[1])
    assert (record["directed"], record["count"], record["starts"]["a1"]) == (True, str(total), str(rows[0][0]))


def test_holes_are_dots_and_graph_nodes_are_lines(tmp_path, run: Run) -> None:
    _, out, _ = run("census", "3x4:-b2", "--by", "start")
    assert [line.split()[1] == "." for line in out.splitlines()] == [False, True, False]
    path = tmp_path / "g.txt"
    path.write_text("a b\nb c\nc d\n")
    assert run("census", str(path), "--by", "start")[1].splitlines() == ["a 1", "b 0", "c 0", "d 1"]


def test_limits_match_all_squares_together() -> None:
    with pytest.raises(LimitReached, match=r"limit of 0\.001 seconds"):
        kt.census((6, 6), "start", timeout=0.001)
    with pytest.raises(LimitReached, match="limit of 3,000 states"):
        kt.census((5, 6), "start", max_nodes=3000)


def test_closed_tours_and_a_given_start_are_refused(run: Run) -> None:
    with pytest.raises(ProblemError, match="no fixed start"):
        kt.census(kt.Problem((6, 6), closed=True), "start")
    code, out, err = run("census", "6x6", "--start", "a1", "--by", "start")
    assert (code, out) == (2, "") and "cannot have a start" in err
