"""Tests of distances and shortest paths, compared with a breadth-first search of the reference."""

import json
from collections import Counter
from itertools import islice, pairwise
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers import reference
from helpers.both_ways import both_ways
from helpers.command_line import Run
from knightstour.core.model import distances
from knightstour.core.model.grid_board import GridBoard

BOARDS = [
    kt.Board(8),
    kt.Board(3, 7),
    kt.Board(5, 6, holes=["c3", "d4", "a1"]),
    kt.Board(4, 6, wrap="torus"),
    kt.Board(5, 4, wrap="mobius"),
    kt.Board(4, 5, wrap="klein", holes=["b2"]),
    kt.Board(7, 9, leaper=(2, 3)),
    kt.Board(6, 6, leaper=(1, 1)),
    kt.Board(3),
    kt.Board(1),
    kt.Board.from_graph(both_ways({"x": ["y", "z"], "y": ["w"], "z": ["w"], "w": ["v"], "v": [], "alone": []})),
]


def moves_of(board: kt.Board) -> dict[kt.typing.Square, set[kt.typing.Square]]:
    if isinstance(board, GridBoard):
        return reference.adjacency(reference.spec_of(board))
    return {(0, a): {(0, b) for b in others} for a, others in enumerate(board.graph)}


def walks(
    near: dict[kt.typing.Square, set[kt.typing.Square]], start: kt.typing.Square
) -> dict[kt.typing.Square, tuple[int, int]]:
    """Of each square that is reached: after how many moves first, and on how many walks of as many moves.

    All walks of k moves are made from those of k - 1, and a square takes the first number that it gets.
    """
    found = {start: (0, 1)}
    front = Counter({start: 1})
    for moves in range(1, len(near) + 1):
        after: Counter[kt.typing.Square] = Counter()
        for square, number in front.items():
            for other in near[square]:
                after[other] += number
        for square, number in after.items():
            found.setdefault(square, (moves, number))
        front = after
    return found


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_distances_and_path_counts_match_walks(board: kt.Board) -> None:
    near = moves_of(board)
    for start in list(near)[:: max(1, len(near) // 12)]:
        wanted = walks(near, start)
        away = board.distances(start)
        assert (away.dtype, away.shape) == (np.dtype(np.int32), (board.rows, board.cols))
        for square in ((r, c) for r in range(board.rows) for c in range(board.cols)):
            assert away[square] == wanted.get(square, (-1, 0))[0]
            if square in near:
                ways = board.paths(start, square)
                assert (ways.moves, ways.count) == wanted.get(square, (None, 0))


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_paths_are_distinct_ordered_and_complete(board: kt.Board) -> None:
    near = moves_of(board)
    squares = list(near)
    for start, end in ((squares[0], squares[-1]), (squares[-1], squares[0]), (squares[0], squares[0])):
        ways = board.paths(start, end)
        listed = list(ways)
        assert listed == sorted(set(listed)) and len(listed) == ways.count
        for way in listed:
            assert (way[0], way[-1], len(way) - 1) == (start, end, ways.moves)
            assert all(b in near[a] for a, b in pairwise(way))
        assert listed == list(ways)


def test_the_commonest_question_has_its_answer() -> None:
    board = kt.Board(8)
    ways = board.paths("a8", "h1")
    assert (ways.moves, ways.count, len(list(ways))) == (6, 108, 108)
    assert str(ways) == "6 moves, 108 shortest ways" and "a8 to h1" in repr(ways)
    assert board.distances("a8").max() == 6
    # From a corner the neighbour on the diagonal takes four moves, and the one beside it three.
    assert (board.distances("a1")[6, 1], board.distances("a1")[7, 1]) == (4, 3)
    assert str(board.paths("a1", "b3")) == "1 move, 1 shortest way"
    assert str(kt.Board(3).paths("a1", "b2")) == "no way"


def test_path_counts_are_exact_and_paths_are_lazy() -> None:
    # Down a strip of 2k rows and 3k columns of a large board there is one kind of mixture of moves: from the corner to
    # (2m, m) only m moves (2, 1); to (3m, 3m), m of each of (2, 1) and (1, 2), in any order that stays on the board.
    board = kt.Board(400)
    assert (board.paths((0, 0), (300, 150)).moves, board.paths((0, 0), (300, 150)).count) == (150, 1)
    ways = board.paths((0, 0), (300, 300))
    from math import comb

    assert (ways.moves, ways.count) == (200, comb(200, 100))
    assert [len(way) for way in islice(ways, 3)] == [201] * 3


def test_larger_boards_are_refused_before_they_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    for ask in (lambda board: board.distances("a1"), lambda board: board.paths("a1", "b3")):
        with pytest.raises(kt.BoardError, match="too many to list") as caught:
            ask(kt.Board(10**9, 10**9))
        assert "4,000,000" in caught.value.note and caught.value.help
    monkeypatch.setattr(distances, "MAX_SQUARES", 63)
    with pytest.raises(kt.BoardError):
        kt.Board(8).distances("a1")


@pytest.mark.parametrize(
    ("square", "error"),
    [("i9", kt.BoardError), ((8, 0), kt.BoardError), ("d4", kt.BoardError), (5, TypeError), (None, TypeError)],
)
def test_rejects_invalid_squares(square: Any, error: type[Exception]) -> None:
    board = kt.Board(8, holes=["d4"])
    for ask in (board.distances, lambda x: board.paths(x, "a1"), lambda x: board.paths("a1", x)):
        with pytest.raises(error):
            ask(square)


# ---------------------------------------------------------------- the command and the page


def test_command_prints_distance_and_path_count(tmp_path: Any, run: Run) -> None:
    code, out, _ = run("facts", "8x8", "--from-to", "a8", "h1")
    assert code == 0 and out.startswith("a8 to h1: 6 moves, 108 shortest ways; the first: a8 ")
    record = json.loads(run("facts", "8", "--from-to", "0,0", "h1", "--json")[1])
    assert (record["from"], record["to"], record["moves"], record["ways"]) == ("a8", "h1", 6, "108")
    assert record["first"] == [kt.Board(8).square_name(square) for square in next(iter(kt.Board(8).paths("a8", "h1")))]
    code, out, _ = run("facts", "3x3", "--from-to", "a1", "b2")
    assert (code, out) == (1, "a1 to b2: no way\n")
    code, out, _ = run("facts", "8x8:torus:-b7", "--from-to", "a1", "h8")
    assert out.startswith("a1 to h8: 2 moves, 1 shortest way")
    path = tmp_path / "g.txt"
    path.write_text("a b\nb c\na d\nd c\n")
    assert run("facts", str(path), "--from-to", "a", "c")[1].startswith("a to c: 2 moves, 2 shortest")
