"""Symmetric tours on demand: each has its symmetry and conditions, and impossible ones agree with the counts."""

import functools
import re

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples
from helpers.solving import several_tours
from helpers.strategies import boards
from knightstour.core.methods.table import METHODS
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.problem import Problem
from knightstour.core.model.symmetry import symmetries
from knightstour.core.proofs.symmetric import actions
from knightstour.lab.counting.symmetric import count_symmetric

ENOUGH = Limits(seconds=30)


def may_be_symmetric(rows, cols, symmetry, *, closed):
    """Return whether colours and fixed squares allow a symmetric tour of a plain board; both sides are at least 3."""
    if symmetry == "horizontal":
        rows, cols, symmetry = cols, rows, "vertical"
    if symmetry == "90":
        return closed and rows == cols and rows % 4 == 2
    if symmetry == "180":
        return rows * cols % 2 == 0 if closed else rows % 2 == 1 or cols % 2 == 1
    return symmetry == "vertical" and closed and rows % 2 == 1 and cols % 4 == 2


def closed_form_table(most):
    """Yield the problems of `may_be_symmetric` up to a side: rows, cols, symmetry, closed."""
    for rows in range(3, most + 1):
        for cols in range(3, most + 1):
            names = ["180", "vertical", "horizontal", *(["90", "diagonal", "antidiagonal"] if rows == cols else [])]
            yield from ((rows, cols, name, closed) for name in names for closed in (True, False))


def has(tour, name, closed):
    """Return whether a tour has a symmetry, by the reference."""
    squares = [tuple(map(int, square)) for square in tour.squares]
    return name in reference.tour_symmetries(reference.spec_of(tour.board), squares, closed)


@pytest.mark.parametrize(
    ("board", "asked"),
    [
        ((6, 6), {"closed": True, "symmetry": "90"}),
        ((6, 6), {"closed": True, "symmetry": "180"}),
        ((8, 8), {"closed": True, "symmetry": "180"}),
        ((10, 10), {"closed": True, "symmetry": "90"}),
        ((12, 12), {"closed": True, "symmetry": "180"}),
        ((14, 14), {"closed": True, "symmetry": "180"}),
        ((7, 8), {"closed": True, "symmetry": "180"}),
        ((3, 10), {"closed": True, "symmetry": "180"}),
        ((5, 6), {"closed": True, "symmetry": "vertical"}),
        ((6, 5), {"closed": True, "symmetry": "horizontal"}),
        ((3, 4), {"symmetry": "180"}),
        ((5, 5), {"symmetry": "180"}),
        ((5, 8), {"symmetry": "180"}),
        (kt.Board(7, 7, holes=["d4"]), {"closed": True, "symmetry": "90"}),
        (kt.Board(6, 6, holes=["a1", "a6", "f1", "f6"]), {"closed": True, "symmetry": "180"}),
        (kt.Board(5, 5, wrap="torus", holes=["c3"]), {"closed": True, "symmetry": "180"}),
        (kt.Board(6, 6, leaper=(0, 1)), {"closed": True, "symmetry": "90"}),
        (kt.Board(10, 10, leaper=(2, 3)), {"closed": True, "symmetry": "180"}),
    ],
    ids=str,
)
def test_tour_has_the_requested_symmetry(board, asked):
    for seed in (1, 2):
        tour = kt.find_tour(board, **asked, seed=seed, **as_arguments(ENOUGH))
        assert has(tour, asked["symmetry"], asked.get("closed", False))
    assert np.array_equal(tour.order, kt.find_tour(board, **asked, seed=2, **as_arguments(ENOUGH)).order)


@pytest.mark.parametrize(
    ("board", "kind"),
    [
        ((6, 6), "Eulerian"),
        ((7, 6), "Eulerian"),
        ((7, 6), "Bergholtian"),
        ((7, 8), "Bergholtian"),
        ((10, 10), "birotary"),
        ((5, 6), "Sulian"),
        ((10, 7), "Sulian"),
    ],
)
def test_kind_can_be_selected_by_name(board, kind):
    tour = kt.find_tour(board, closed=True, symmetry=kind.lower(), seed=3, **as_arguments(ENOUGH))
    assert tour.symmetry_name == kind
    with pytest.raises(kt.ProblemError, match=f"{kind} tours are closed"):
        kt.solve(board, symmetry=kind)


def test_murraian_tour_needs_two_squares_on_its_axis():
    plain = kt.solve((8, 9), closed=True, symmetry="Murraian")
    assert plain.status is kt.Status.IMPOSSIBLE and "keeps 8 squares" in plain.reason
    board = kt.Board(6, 7, holes=["d1", "d2", "d5", "d6"])
    result = kt.solve(board, closed=True, symmetry="Murraian", seed=1, **as_arguments(ENOUGH))
    assert result.tour is None or result.tour.symmetry_name == "Murraian"
    assert result.status is not kt.Status.UNDECIDED


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * (name == "portfolio"))
        for name, row in METHODS.items()
        if "symmetry" in row.takes
    ],
)
def test_every_graph_method_finds_a_tour(name):
    limits = Limits(seconds=20, nodes=2_000_000)
    result = kt.solve(
        (5, 6),
        closed=True,
        symmetry="vertical",
        method=name,
        seed=1,
        **as_arguments(limits),
        settings={"proofs": name == "auto"},
    )
    assert result.status is kt.Status.FOUND
    assert has(result.tour, "vertical", True)


@pytest.mark.long
def test_closed_form_matches_colours_and_toughness():
    for rows, cols, name, closed in closed_form_table(14):
        problem = Problem((rows, cols), closed=closed, symmetry=name)
        if closed and rows * cols % 2:
            assert not may_be_symmetric(rows, cols, name, closed=True)
            continue
        assert bool(actions(problem)[0]) == may_be_symmetric(rows, cols, name, closed=closed), problem


@pytest.mark.parametrize(
    ("rows", "cols", "name", "closed"),
    [
        pytest.param(*question, marks=[pytest.mark.long] * (question[0] * question[1] > 30))
        for question in closed_form_table(12)
        if question[0] <= 7 and question[0] * question[1] <= 50
    ],
)
def test_tour_exists_exactly_if_count_is_positive(rows, cols, name, closed):
    count = count_symmetric((rows, cols), name, closed=closed)
    if not may_be_symmetric(rows, cols, name, closed=closed):
        assert count == 0
        return
    result = kt.solve((rows, cols), closed=closed, symmetry=name, seed=1, **as_arguments(ENOUGH))
    wanted = (kt.Status.FOUND, False) if count else (kt.Status.IMPOSSIBLE, True)
    assert (result.status, bool(result.reason)) == wanted


@examples(40)
@given(board=boards(most_side=4), closed=st.booleans(), data=st.data())
def test_small_boards_of_all_kinds_are_decided_as_by_hand(board, closed, data):
    assume(4 <= len(board) <= 12)
    names = {found.name for found in symmetries(board)} - {"identity"}
    assume(names)
    name = data.draw(st.sampled_from(sorted(names)))
    adjacent = reference.adjacency(reference.spec_of(board))
    wanted = any(
        name in reference.tour_symmetries(reference.spec_of(board), tour, closed)
        for tour in reference.all_tours(adjacent, closed=closed)
    )
    result = kt.solve(board, closed=closed, symmetry=name, seed=1)
    assert result.status is (kt.Status.FOUND if wanted else kt.Status.IMPOSSIBLE)


def test_a_quarter_turn_of_8x8_is_impossible_by_colours():
    result = kt.solve((8, 8), closed=True, symmetry="90")
    assert result.status is kt.Status.IMPOSSIBLE
    assert "16 steps along the tour, to the same colour" in result.reason
    assert result.source == "colours and fixed squares under a symmetry, docs/proofs.md"


def test_several_symmetric_tours_are_different():
    tours = several_tours((8, 8), closed=True, symmetry="180", n=5, unique=True, seed=1)
    assert len({tour.canonical() for tour in tours}) >= 3
    assert all(has(tour, "180", True) for tour in tours)


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
    (kt.Board(4, 4, wrap="torus"), "180 + shift (1, 1)", True),
    (kt.Board(4, 4, wrap="cylinder"), "shift (0, 1)", True),
    (kt.Board(4, 4, wrap="torus"), "horizontal + shift (0, 2)", True),
    (kt.Board(3, 4, wrap="torus"), "shift (0, 1)", True),
    (kt.Board(3, 4, wrap="torus"), "180", True),
    (kt.Board(3, 5, wrap="cylinder"), "180", False),
    (kt.Board(4, 4, leaper=(0, 1)), "vertical", True),
]
IDS = [f"{board} {name}" for board, name, _ in QUESTIONS]
# A list of all symmetric tours of these boards takes seconds.
_LONG = {"3x4:torus shift (0, 1)", "3x4:torus 180", "4x4:torus horizontal + shift (0, 2)"}
CASES = [pytest.param(at, marks=[pytest.mark.long] * (name in _LONG), id=name) for at, name in enumerate(IDS)]
# These boards have no tours from which conditions could be drawn.
_WITHOUT_TOURS = {"4x4:torus 180 + shift (1, 1)", "4x4:cylinder shift (0, 1)"}


@functools.cache
def all_tours(at: int) -> list[kt.Tour]:
    board, name, closed = QUESTIONS[at]
    return list(kt.iter_tours(board, closed=closed, symmetry=name))


@pytest.mark.parametrize("at", CASES)
def test_all_symmetric_tours_are_listed_once(at):
    (board, name, closed), tours = QUESTIONS[at], all_tours(at)
    made = {frozenset(reference.moves_of([tuple(map(int, s)) for s in tour.squares], closed)) for tour in tours}
    assert len(made) == len(tours) == count_symmetric(board, name, closed=closed)
    assert all(has(tour, name, closed) for tour in tours)
    both = list(kt.iter_tours(board, closed=closed, symmetry=name, directed=True))
    assert len({tour.order.tobytes() for tour in both}) == 2 * len(tours)


@pytest.mark.long
def test_lists_of_symmetric_tours_keep_to_their_kind_and_limits():
    eulerian = list(kt.iter_tours((6, 6), closed=True, symmetry="Eulerian"))
    assert len(eulerian) == 68 and {tour.symmetry_name for tour in eulerian} == {"Eulerian"}
    assert len(several_tours((6, 6), closed=True, symmetry="90", n=20, unique=True, seed=1)) == 10
    with pytest.raises(kt.LimitReached):
        list(kt.iter_tours((8, 8), closed=True, symmetry="180", max_nodes=10_000))
    with pytest.raises(kt.ProblemError, match="symmetric tours have no order of the moves"):
        kt.iter_tours((6, 6), closed=True, symmetry="90", move_order="random")


def test_unsupported_symmetry_reports_the_reason():
    problem = Problem((6, 6), closed=True, symmetry="180")
    for ask in (kt.TourSpace, kt.certificates.certify_count):
        with pytest.raises(kt.ProblemError, match="does not support symmetry"):
            ask(problem)
    assert kt.count(problem) == kt.count((6, 6), closed=True, symmetry="180") == 78
    with pytest.raises(kt.ProblemError, match="cannot be combined with a Problem"):
        kt.count(problem, symmetry="90")
    with pytest.raises(kt.ProblemError, match="Eulerian tours cannot be counted alone"):
        kt.count((6, 6), closed=True, symmetry="Eulerian")
    with pytest.raises(kt.ProblemError, match="method explicit does not apply: it does not support a symmetry"):
        kt.solve(problem, method="explicit")


# ---------------------------------------------------------------- with conditions


def moves_of(tour: kt.Tour, closed: bool) -> set[frozenset[str]]:
    names = [tour.board.square_name(tuple(map(int, square))) for square in tour.squares]
    after = names[1:] + names[:1]
    return {frozenset(pair) for pair in zip(names, after, strict=True) if closed or pair != (names[-1], names[0])}


def meets(tour: kt.Tour, closed: bool, asked: dict) -> bool:
    moves = moves_of(tour, closed)
    if not {frozenset(move) for move in asked.get("require", ())} <= moves:
        return False
    if moves & {frozenset(move) for move in asked.get("forbid", ())}:
        return False
    if closed:
        return True
    ends = [tour.board.square_name(tour.start), tour.board.square_name(tour.end)]
    wanted = [asked.get("start"), asked.get("end")]
    return any(all(w in (None, e) for w, e in zip(wanted, way, strict=True)) for way in (ends, ends[::-1]))


@st.composite
def conditions(draw, at: int) -> dict:
    board, _, closed = QUESTIONS[at]
    board = kt.Board(board)
    graph = board.move_graph()
    names = [board.square_name(divmod(s, board.cols)) for s in graph.squares.tolist()]
    every = [
        (board.square_name(divmod(s, board.cols)), board.square_name(divmod(t, board.cols)))
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
    asked["require"] = through
    asked["forbid"] = [move for move in avoid if frozenset(move) not in {frozenset(other) for other in through}]
    if draw(st.booleans()):
        asked["start"] = draw(st.sampled_from([board.square_name(tour.start), *names]))
    if not closed and draw(st.integers(0, 3)) == 0:
        end = draw(st.sampled_from([board.square_name(tour.end), *names]))
        if end != asked.get("start"):
            asked["end"] = end
    return asked


@pytest.mark.long
@pytest.mark.parametrize("at", [case for case in CASES if case.id not in _WITHOUT_TOURS])
@examples(12)
@given(data=st.data())
def test_conditions_pick_from_the_symmetric_tours(at: int, data: st.DataObject) -> None:
    board, name, closed = QUESTIONS[at]
    asked = data.draw(conditions(at))
    wanted = {tour.canonical().order.tobytes() for tour in all_tours(at) if meets(tour, closed, asked)}
    kept = {frozenset(moves_of(tour, closed)) for tour in all_tours(at) if meets(tour, closed, asked)}
    found = list(kt.iter_tours(board, closed=closed, symmetry=name, **asked))
    assert {frozenset(moves_of(tour, closed)) for tour in found} == kept and len(found) == len(kept)
    assert all(asked.get("start") in (None, tour.board.square_name(tour.start)) for tour in found)
    result = kt.solve(board, closed=closed, symmetry=name, seed=1, **asked)
    assert result.status is (kt.Status.FOUND if wanted else kt.Status.IMPOSSIBLE), result.reason
    if result.tour is not None:
        assert frozenset(moves_of(result.tour, closed)) in kept
        assert asked.get("start") in (None, result.tour.board.square_name(result.tour.start))
        assert closed or asked.get("end") in (None, result.tour.board.square_name(result.tour.end))


def test_larger_boards() -> None:
    tour = kt.find_tour("8x8", closed=True, symmetry="180", start="d4", require=["a1-b3"], forbid=["d4-e6"], seed=1)
    assert tour.board.square_name(tour.start) == "d4" and "180" in tour.symmetry
    moves = moves_of(tour, True)
    assert {frozenset(("a1", "b3")), frozenset(("h8", "g6"))} <= moves and frozenset(("e5", "d3")) not in moves
    tour = kt.find_tour((50, 51), symmetry="180", start="a1", forbid=["c3-d5"], seed=1)
    assert tour.board.square_name(tour.start) == "a1" and tour.symmetry == "180"
    tour = kt.find_tour("10x10", closed=True, symmetry="90", require=["e4-f6"], seed=1)
    assert tour.symmetry == "90" and frozenset(("d6", "f5")) in moves_of(tour, True)


@pytest.mark.parametrize(
    ("board", "asked", "reason"),
    [
        ("5x5", {"start": "a1", "end": "a5"}, "a half turn turns the tour round, so from a1"),
        ("5x5", {"start": "c3"}, "a half turn keeps c3, which is then the middle of the tour and not its end"),
        ("5x5", {"require": ["a1-b3", "a1-c2"], "start": "a1"}, "required moves meet"),
        ("6x6", {"closed": True, "require": ["c3-d5"], "forbid": ["d4-c2"]}, "with these the conditions contradict"),
    ],
)
def test_impossible_ranges_are_proved(board: str, asked: dict, reason: str) -> None:
    result = kt.solve(board, symmetry="180", **asked)
    assert result.status is kt.Status.IMPOSSIBLE
    assert re.search(reason, result.reason)


def test_remaining_input_is_one_error() -> None:
    with pytest.raises(kt.ProblemError, match="a symmetric tour cannot be combined with given numbers"):
        kt.solve("8x8", closed=True, symmetry="180", given={"a1": 7})
    problem = kt.Problem("6x6", closed=True, symmetry="180", forbid=["c3-d5"])
    with pytest.raises(kt.ProblemError, match="a count by symmetry does not support forbidden moves"):
        kt.count(problem)
    # Steps of the ends alone are ends, and required moves.
    assert kt.find_tour("5x5", symmetry="180", given={"a1": 1}, seed=1).start == (4, 0)
