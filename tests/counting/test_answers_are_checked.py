"""Every returned tour meets every condition, for all methods; and problems that had wrong results."""

import random

import pytest

import knightstour as kt
from helpers.reference import do_cross
from knightstour.core.checking.rows import confirm_orders
from knightstour.core.model.condition_check import confirm_answer
from knightstour.core.model.errors import WrongAnswer
from knightstour.core.model.problem import Problem
from knightstour.lab.objectives import longest_where

UNCROSSED = {"crossings": 0}
LONGEST = {"partial": True, "maximize": "visits", "where": UNCROSSED, "seed": 1}


def longest(board, **more):
    return kt.solve(board, **LONGEST, **more)


# Pieces with two leaps on one line: the squares of the longest uncrossed path, and the number of such paths.
OVERLAPPING = [
    (kt.Board(4, 2, moves="0,2+0,3", holes=[(1, 0), (1, 1), (3, 1)]), 2, 3),
    ("1x8:0,2+0,3", 4, 5),
    ("1x6:0,1+0,2", 6, 1),
    ("3x4:0,2+0,3", 5, 4),
    ("1x7:0,2+0,3+0,5", 4, 1),
    pytest.param("3x3:wazir+dabbaba", 9, 20, marks=pytest.mark.long),
]


@pytest.mark.parametrize(("board", "squares", "ways"), OVERLAPPING, ids=lambda value: str(value))
def test_overlapping_moves_are_excluded_from_uncrossed_tours(board, squares, ways):
    best = longest(board, optimal=True)
    assert (best.status, best.bound, len(best.tour)) == (kt.Status.FOUND, squares, squares)
    listed = [tour for tour in kt.iter_tours(board, partial=True, where=UNCROSSED) if len(tour) == squares]
    assert best.counters["ways"] == len(listed) == ways
    for result in (best, longest(board, max_nodes=5_000)):
        assert kt.measure(result.tour, by="crossings", closed=False)["crossings"][0] == 0


@pytest.mark.parametrize(
    ("ask", "expected"),
    [
        pytest.param(lambda: kt.count("8x8:king", closed=True), 961742089476282321684, marks=pytest.mark.long),
        (lambda: [kt.count(f"tri:{n}", closed=True) for n in range(3, 8)], [1, 3, 26, 474, 17214]),
        (lambda: kt.count("2x3x4", closed=True), 12132),
        (lambda: kt.count("5x8", closed=True, partial=True), 16609009681),
        (lambda: kt.count("6x6:wazir", closed=True, partial=True), 1222363),
        (lambda: kt.count("2x3:king", closed=True, where={"magic-columns": (0, 0)}), 16),
        (lambda: kt.count("2x3:king", closed=True, where={"magic-columns": (0, 0)}, start="a1"), 4),
        (lambda: kt.count("2x3:king", closed=True, where={"magic-columns": (0, 0)}, given={"a1": "1-6"}), 32),
        (lambda: kt.count("2x3:king", closed=True, visit_order=["a1", "b2"]), 4),
        (lambda: kt.count("2x3:king", closed=True), 4),
        (lambda: kt.count(kt.Board.from_graph([(0, 1), (1, 2), (2, 0), (2, 1)], directed=True), closed=True), 1),
        pytest.param(lambda: longest("8x8", closed=True, optimal=True).counters["ways"], 16, marks=pytest.mark.long),
        pytest.param(lambda: kt.count("tri:8", closed=True), 1371454, marks=pytest.mark.long),
    ],
)
def test_counts_stay_right(ask, expected):
    assert ask() == expected


def test_objectives_are_checked_against_the_conditions(monkeypatch):
    crossed = [0, 2, 4, 1]
    monkeypatch.setattr(longest_where, "_lengthen", lambda *arguments: crossed)
    with pytest.raises(WrongAnswer, match="crossings"):
        longest("1x6:0,2+0,3", max_nodes=10)


def test_answers_with_a_wrong_statistic_are_rejected():
    problem, tour = Problem("3x4", where={"turns": 9}), kt.find_tour("3x4", seed=1)
    assert int(kt.measure(tour, by="turns")["turns"][0]) != 9
    with pytest.raises(WrongAnswer, match="turns"):
        confirm_answer(problem, tour, "a method")
    with pytest.raises(WrongAnswer, match="turns"):
        confirm_orders(problem, tour.order[None], "a sample")
    with pytest.raises(WrongAnswer, match="another start"):
        confirm_answer(Problem("3x4", start="b2"), kt.find_tour("3x4", start="a1"), "a method")


def test_narrow_boards_get_their_longest_tour_without_proof():
    maze = "###.##\n#....#\n#.##.#\n#....#\n###.##\n###...\n###.##"
    board = kt.Board.from_text(maze, moves="wazir")
    found, best = (kt.solve(board, partial=True, maximize="visits", optimal=o, seed=1) for o in (False, True))
    assert len(found.tour) == len(best.tour) == best.bound


def longest_by_hand(board: kt.Board, closed: bool) -> tuple[int, int]:
    """Return the squares of the longest uncrossed tours and their number, by plain recursion."""
    squares = board.squares
    near = {s: [t for t in squares if (t[0] - s[0], t[1] - s[1]) in board.piece.vectors] for s in squares}
    found: dict[int, set[frozenset]] = {}

    def go(path: list, moves: list) -> None:
        ends = [(path[-1], path[0])] if closed else []
        may_end = len(path) > 2 and path[0] in near[path[-1]] if closed else len(path) > 1
        if may_end and not any(do_cross(*end, *move) for end in ends for move in moves):
            found.setdefault(len(path), set()).add(frozenset(frozenset(move) for move in moves + ends))
        for to in near[path[-1]]:
            if to not in path and not any(do_cross(path[-1], to, *move) for move in moves):
                go([*path, to], [*moves, (path[-1], to)])

    for square in squares:
        go([square], [])
    return (max(found), len(found[max(found)])) if found else (0, 0)


def check_random_question(seed: int) -> None:
    chance = random.Random(seed)
    leaps = chance.sample(["0,1", "1,1", "0,2", "1,2", "0,3", "1,3"], chance.choice([1, 2, 2]))
    rows, cols = chance.choice([(1, 7), (2, 4), (3, 3), (2, 5), (3, 4)])
    cells = [(row, col) for row in range(rows) for col in range(cols)]
    holes = chance.sample(cells, chance.choice([0, 1, 3]))
    board, closed = kt.Board(rows, cols, moves="+".join(leaps), holes=holes), chance.random() < 0.4
    squares, ways = longest_by_hand(board, closed)
    best = longest(board, closed=closed, optimal=True)
    if not squares:
        assert best.status is kt.Status.IMPOSSIBLE
        return
    assert (best.bound, best.counters["ways"]) == (squares, ways), (str(board), closed)
    assert len(longest(board, closed=closed, max_nodes=500).tour) <= squares
    whole = kt.solve(board, closed=closed, where=UNCROSSED).status is kt.Status.FOUND if len(board) > 2 else None
    assert whole in (None, squares == len(board)), (str(board), closed)


def test_random_questions_match_a_plain_search():
    for seed in range(5):
        check_random_question(seed)


@pytest.mark.long
def test_many_random_questions_match_a_plain_search():
    for seed in range(5, 300):
        check_random_question(seed)
