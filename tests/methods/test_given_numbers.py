"""Given numbers at the doors of the library: numberings, each once, against those that are picked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.known_puzzles import THIRTY_THREE, THIRTY_THREE_ROW
from knightstour.core.methods.table import METHODS
from knightstour.core.model.problem import Problem

BOARDS = [
    kt.Board(3, 4),
    kt.Board(4, 5),
    kt.Board(3, 5, wrap="mobius"),
    kt.Board(5, 4, holes=["a1"]),
    kt.Board(3, 4, leaper=(0, 1)),
    kt.Board.from_graph(both_ways([[1, 2, 3], [2, 4], [5], [4, 5, 6], [5], [6], [0]])),
]


def numberings_by_hand(problem):
    """All orders of square numbers that answer the question, from the tours of the plain one."""
    orders = []
    for tour in kt.iter_tours(problem.board, closed=problem.closed, directed=True):
        order = tour.order.tolist()
        turns = range(len(order)) if problem.closed else (0,)
        orders += [order[k:] + order[:k] for k in turns]
    made = [set(zip(order, order[1:] + order[:1] * problem.closed, strict=False)) for order in orders]
    return {
        tuple(order)
        for order, moves in zip(orders, made, strict=True)
        if all(order.index(square) + 1 in steps for square, steps in problem.given)
        and all(move in moves or move[::-1] in moves for move in problem.through)
        and not any(move in moves or move[::-1] in moves for move in problem.avoid)
        and problem.start_index in (None, order[0])
        and problem.end_index in (None, order[-1])
    }


@st.composite
def questions(draw):
    """Questions with some numbers given, most of them those of a tour, and perhaps a move."""
    board = draw(st.sampled_from(BOARDS))
    closed = draw(st.booleans())
    squares = kt.move_graph(board).squares.tolist()
    some = draw(st.lists(st.sampled_from(squares), min_size=1, max_size=4, unique=True))
    steps = draw(st.permutations(range(1, len(squares) + 1)))
    given_steps = {
        divmod(square, board.cols): sorted({step, *draw(st.lists(st.integers(1, len(squares)), max_size=3))})
        for square, step in zip(some, steps, strict=False)
    }
    singles = [few[0] for few in given_steps.values() if len(few) == 1]
    if len(set(singles)) < len(singles):
        given_steps = dict([next(iter(given_steps.items()))])
    edges = kt.move_graph(board).edges().tolist()
    move = [tuple(divmod(s, board.cols) for s in edge) for edge in draw(st.lists(st.sampled_from(edges), max_size=1))]
    word = draw(st.sampled_from(["through", "avoid"]))
    return Problem.of(board, closed=closed, given=given_steps, **{word: move})


@examples(15)
@given(problem=questions(), seed=st.integers(0, 100))
def test_all_numberings_are_listed_once(problem, seed):
    wanted = numberings_by_hand(problem)
    if not problem.given:
        # Ends and moves are all that was given.
        assert {tuple(tour.order.tolist()) for tour in kt.iter_tours(problem)} == wanted or not wanted
        return
    listed = [tuple(tour.order.tolist()) for tour in kt.iter_tours(problem)]
    assert set(listed) == wanted and len(listed) == len(wanted)
    assert kt.count_tours(problem) == kt.count_tours(problem, directed=True) == len(wanted)
    result = kt.solve(problem, rng=seed)
    assert result.status is (kt.Status.FOUND if wanted else kt.Status.IMPOSSIBLE)
    assert bool(result.reason) != bool(wanted)
    if wanted:
        assert tuple(result.tour.order.tolist()) in wanted
        several = kt.solve(problem, n=len(wanted) + 1, unique=True, rng=seed)
        assert {tuple(tour.order.tolist()) for tour in several.tours} == wanted
        assert several.reason == f"there are no more: these {len(wanted):,} are all"


def test_a_list_may_be_left_early_and_ends_at_a_limit():
    problem = Problem.of((8, 8), given={"a1": 10})
    tours = kt.iter_tours(problem)
    assert next(tours).order.tolist().index(56) == 9
    tours.close()
    with pytest.raises(kt.LimitReached, match="there are at least"):
        kt.count_tours(problem, limits=kt.Limits(nodes=2000))


@pytest.mark.parametrize("name", [name for name, row in METHODS.items() if "given" not in row.takes])
def test_other_methods_refuse_in_one_sentence(name):
    with pytest.raises(kt.MethodError, match=f"method .*{name[-3:]} does not apply: it knows nothing of given numbers"):
        kt.solve((8, 8), given={"a1": 5}, method=name)


def test_what_cannot_be_joined_is_refused():
    problem = Problem.of((6, 6), given={"a1": 5})
    for ask, said in (
        (lambda: kt.solve((20, 20), given={"a1": 5}), "boards of up to 256 squares"),
        (lambda: kt.sample_tours(problem, 1), "a sample takes no given numbers"),
        (lambda: kt.plan_count(problem), "a plan takes no given numbers"),
        (lambda: next(kt.iter_tours(problem, move_order="random")), "numberings have no order of the moves"),
        (lambda: next(kt.iter_tours(problem, workers=2)), "numberings are listed in one process"),
        (lambda: kt.count_tours(problem, up_to_symmetry=True), "a count by symmetry takes no"),
    ):
        with pytest.raises(kt.MethodError, match=said):
            ask()
    # The ends of an open tour are no numbers, so boards of any size take them.
    assert kt.find_tour((20, 20), given={"a1": 1, "b3": 2, "t19": 400}).end == (1, 19)


def test_the_puzzle_of_33_numbers_has_one_solution():
    steps = {
        (row, col): int(word)
        for row, line in enumerate(THIRTY_THREE.strip().splitlines())
        for col, word in enumerate(line.split())
        if word != "."
    }
    assert len(steps) == 33
    (tour,) = kt.iter_tours((8, 8), given=steps)
    assert tour.numbers[0].tolist() == [int(word) for word in THIRTY_THREE_ROW.split()]
    spoilt = {**steps, (0, 4): 60, (3, 7): 58}
    assert kt.solve((8, 8), given=spoilt).status is kt.Status.IMPOSSIBLE
