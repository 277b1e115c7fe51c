"""Symmetric tours with ends and with required and forbidden moves, against the list of all symmetric tours."""

from __future__ import annotations

import functools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.examples import examples

QUESTIONS = [
    ("6x6", "180", True),
    ("6x6", "90", True),
    ("5x6", "vertical", True),
    ("3x10", "180", True),
    ("5x5", "180", False),
    ("4x5", "180", False),
    ("3x4", "180", False),
    (kt.Board(4, 4, wrap="torus"), "180 + shift (0, 1)", True),
    (kt.Board(4, 4, wrap="torus"), "180 + shift (0, 1)", False),
    (kt.Board(4, 4, wrap="torus"), "horizontal + shift (0, 2)", True),
    (kt.Board(3, 4, wrap="torus"), "shift (0, 1)", True),
    (kt.Board(3, 4, wrap="torus"), "180", True),
    (kt.Board(3, 5, wrap="cylinder"), "180", False),
    (kt.Board(4, 4, leaper=(0, 1)), "vertical", True),
]
IDS = [f"{board} {name}" for board, name, _ in QUESTIONS]
# To list all symmetric tours of these takes seconds.
_LONG = {"3x4 torus shift (0, 1)", "3x4 torus 180", "4x4 torus horizontal + shift (0, 2)"}
CASES = [pytest.param(at, marks=[pytest.mark.long] * (name in _LONG), id=name) for at, name in enumerate(IDS)]


@functools.cache
def all_tours(at: int) -> list[kt.Tour]:
    board, name, closed = QUESTIONS[at]
    return list(kt.iter_tours(board, closed=closed, symmetry=name))


def moves_of(tour: kt.Tour, closed: bool) -> set[frozenset[str]]:
    names = [tour.board.name(tuple(map(int, square))) for square in tour.squares]
    after = names[1:] + names[:1]
    return {frozenset(pair) for pair in zip(names, after, strict=True) if closed or pair != (names[-1], names[0])}


def meets(tour: kt.Tour, closed: bool, asked: dict) -> bool:
    moves = moves_of(tour, closed)
    if not {frozenset(move) for move in asked.get("through", ())} <= moves:
        return False
    if moves & {frozenset(move) for move in asked.get("avoid", ())}:
        return False
    if closed:
        return True
    ends = [tour.board.name(tour.start), tour.board.name(tour.end)]
    wanted = [asked.get("start"), asked.get("end")]
    return any(all(w in (None, e) for w, e in zip(wanted, way, strict=True)) for way in (ends, ends[::-1]))


@st.composite
def conditions(draw, at: int) -> dict:
    board, _, closed = QUESTIONS[at]
    board = kt.Board.of(board)
    graph = kt.move_graph(board)
    names = [board.name(divmod(s, board.cols)) for s in graph.squares.tolist()]
    every = [
        (board.name(divmod(s, board.cols)), board.name(divmod(t, board.cols)))
        for s in graph.squares.tolist()
        for t in graph.targets[graph.offsets[s] : graph.offsets[s + 1]].tolist()
        if s < t
    ]
    tour = draw(st.sampled_from(all_tours(at)))
    made = sorted(tuple(sorted(move)) for move in moves_of(tour, closed))
    rest = [move for move in every if frozenset(move) not in moves_of(tour, closed)]
    asked: dict = {}
    through = draw(st.lists(st.sampled_from(made if draw(st.integers(0, 3)) else every), max_size=3, unique=True))
    avoid = draw(st.lists(st.sampled_from(rest if draw(st.integers(0, 3)) else every), max_size=4, unique=True))
    asked["through"] = through
    asked["avoid"] = [move for move in avoid if frozenset(move) not in {frozenset(other) for other in through}]
    if draw(st.booleans()):
        asked["start"] = draw(st.sampled_from([board.name(tour.start), *names]))
    if not closed and draw(st.integers(0, 3)) == 0:
        end = draw(st.sampled_from([board.name(tour.end), *names]))
        if end != asked.get("start"):
            asked["end"] = end
    return asked


@pytest.mark.long
@pytest.mark.parametrize("at", CASES)
@examples(12)
@given(data=st.data())
def test_conditions_pick_from_the_symmetric_tours(at: int, data: st.DataObject) -> None:
    board, name, closed = QUESTIONS[at]
    asked = data.draw(conditions(at))
    wanted = {tour.canonical().order.tobytes() for tour in all_tours(at) if meets(tour, closed, asked)}
    kept = {frozenset(moves_of(tour, closed)) for tour in all_tours(at) if meets(tour, closed, asked)}
    found = list(kt.iter_tours(board, closed=closed, symmetry=name, **asked))
    assert {frozenset(moves_of(tour, closed)) for tour in found} == kept and len(found) == len(kept)
    assert all(asked.get("start") in (None, tour.board.name(tour.start)) for tour in found)
    result = kt.solve(board, closed=closed, symmetry=name, rng=1, **asked)
    assert result.status is (kt.Status.FOUND if wanted else kt.Status.IMPOSSIBLE), result.reason
    if result.tour is not None:
        assert frozenset(moves_of(result.tour, closed)) in kept
        assert asked.get("start") in (None, result.tour.board.name(result.tour.start))
        assert closed or asked.get("end") in (None, result.tour.board.name(result.tour.end))


def test_larger_boards() -> None:
    tour = kt.find_tour("8x8", closed=True, symmetry="180", start="d4", through=["a1-b3"], avoid=["d4-e6"], rng=1)
    assert tour.board.name(tour.start) == "d4" and "180" in tour.symmetry
    moves = moves_of(tour, True)
    assert {frozenset(("a1", "b3")), frozenset(("h8", "g6"))} <= moves and frozenset(("e5", "d3")) not in moves
    tour = kt.find_tour((50, 51), symmetry="180", start="a1", avoid=["c3-d5"], rng=1)
    assert tour.board.name(tour.start) == "a1" and tour.symmetry == "180"
    tour = kt.find_tour("10x10", closed=True, symmetry="90", through=["e4-f6"], rng=1)
    assert tour.symmetry == "90" and frozenset(("d6", "f5")) in moves_of(tour, True)


@pytest.mark.parametrize(
    ("board", "asked", "reason"),
    [
        ("5x5", {"start": "a1", "end": "a5"}, "a half turn turns the tour round, so from a1"),
        ("5x5", {"start": "c3"}, "a half turn keeps c3, which is then the middle of the tour and not its end"),
        ("5x5", {"through": ["a1-b3", "a1-c2"], "start": "a1"}, "required moves meet"),
        ("6x6", {"closed": True, "through": ["c3-d5"], "avoid": ["d4-c2"]}, "with these the conditions contradict"),
    ],
)
def test_what_cannot_be_is_proved(board: str, asked: dict, reason: str) -> None:
    result = kt.solve(board, symmetry="180", **asked)
    assert result.status is kt.Status.IMPOSSIBLE
    assert re.search(reason, result.reason)


def test_what_remains_is_one_refusal() -> None:
    with pytest.raises(kt.ProblemError, match="a symmetric tour is asked for without given numbers"):
        kt.solve("8x8", closed=True, symmetry="180", given={"a1": 7})
    problem = kt.Problem.of("6x6", closed=True, symmetry="180", avoid=["c3-d5"])
    with pytest.raises(kt.MethodError, match="a count by symmetry takes no forbidden moves"):
        kt.count_tours(problem)
    # Steps of the ends alone are the ends, and required moves.
    assert kt.find_tour("5x5", symmetry="180", given={"a1": 1}, rng=1).start == (4, 0)
