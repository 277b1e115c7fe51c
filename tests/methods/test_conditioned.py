"""Tests of conditions with every method, list, count and distribution: compared with tours by hand."""

import itertools

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import knightstour as kt
from helpers.both_ways import both_ways
from helpers.examples import examples
from helpers.known_puzzles import THIRTY_THREE, THIRTY_THREE_ROW
from helpers.solving import find_with, several_tours, solve_several
from knightstour.core.methods.table import METHODS
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.problem import Problem, end_index, has_given_end, start_index, without_conditions
from knightstour.core.proofs.arguments import known_proof

SHORT = Limits(seconds=2, nodes=20_000)
# 6x6 closed: tours through the move, and without it.
COUNTS_OF_6X6 = {
    "c6-e5": (7438, 2424),
    "a6-c5": (9862, 0),
    "b6-d5": (6195, 3667),
    "c4-e3": (620, 9242),
    "b5-d4": (2424, 7438),
}
# Boards of all kinds with few enough tours to look at each.
FEW_TOURS = [
    kt.Board(3, 4),
    kt.Board(4, 5),
    kt.Board(3, 5, wrap="mobius"),
    kt.Board(5, 4, holes=["a1"]),
    kt.Board(4, 4, leaper=(0, 1)),
    kt.Board(3, 4, leaper=(0, 1), wrap="cylinder"),
    kt.Board.from_graph(both_ways([[1, 2, 3], [2, 4], [5], [4, 5, 6], [5], [6], [0]])),
]
TAKERS = [name for name, row in METHODS.items() if {"require", "forbid"} <= row.takes]
IN_PROCESS = [name for name in TAKERS if name != "portfolio"]


def moves_made(tour, closed):
    """Return the moves of a tour, each as a set of two squares."""
    squares = [tuple(map(int, square)) for square in tour.squares]
    pairs = list(itertools.pairwise(squares)) + ([(squares[-1], squares[0])] if closed else [])
    return {frozenset(pair) for pair in pairs}


def meets(problem, tour):
    """Whether a tour meets the problem, by definition."""
    board = problem.board
    made = moves_made(tour, problem.closed)
    through, avoid = (
        {frozenset(divmod(s, board.cols) for s in pair) for pair in moves}
        for moves in (problem.require, problem.forbid)
    )
    ends = tuple(map(int, tour.squares[0])), tuple(map(int, tour.squares[-1]))
    return (
        through <= made
        and not avoid & made
        and problem.start in (None, ends[0])
        and problem.end in (None, ends[1])
        and (not problem.closed or tour.is_closed)
    )


@st.composite
def questions(draw, board=None, *, most_moves=4):
    """Draw problems of small boards with required and forbidden moves."""
    board = draw(st.sampled_from(FEW_TOURS) if board is None else board)
    edges = board.move_graph().edges().tolist()
    assume(edges)
    some = draw(st.lists(st.sampled_from(edges), unique_by=tuple, max_size=most_moves))
    cut = draw(st.integers(0, len(some)))
    pairs = [[(divmod(a, board.cols), divmod(b, board.cols)) for a, b in part] for part in (some[:cut], some[cut:])]
    kind = draw(st.sampled_from(["open", "closed", "closed start", "start", "end", "ends"]))
    squares = board.move_graph().squares.tolist()
    start = divmod(draw(st.sampled_from(squares)), board.cols) if "start" in kind or kind == "ends" else None
    end = divmod(draw(st.sampled_from(squares)), board.cols) if kind in ("end", "ends") else None
    assume(start is None or start != end)
    return Problem(board, closed="closed" in kind, start=start, end=end, require=pairs[0], forbid=pairs[1])


@pytest.mark.parametrize("move", COUNTS_OF_6X6)
def test_closed_6x6_tours_split_by_a_move_total_9862(move):
    with_it, without = COUNTS_OF_6X6[move]
    assert kt.count((6, 6), closed=True, require=[move]) == with_it
    assert kt.count((6, 6), closed=True, forbid=[move]) == without
    assert with_it + without == 9862


@examples(60)
@given(problem=questions())
def test_counts_and_lists_match_the_conditions(problem):
    plain = list(kt.iter_tours(without_conditions(problem)))
    wanted = [tour.order.tolist() for tour in plain if meets(problem, tour)]
    assert [tour.order.tolist() for tour in kt.iter_tours(problem)] == wanted
    assert kt.count(problem) == len(wanted)
    doubles = 1 if has_given_end(problem) else 2
    assert kt.count(problem, directed=True) == doubles * len(wanted)
    assert sum(1 for _ in kt.iter_tours(problem, directed=True)) == doubles * len(wanted)
    assert [fault_of(problem, tour.order) is None for tour in plain] == [meets(problem, tour) for tour in plain]
    result = kt.solve(problem, seed=1)
    assert (result.status is kt.Status.FOUND) == bool(wanted)
    assert result.status is not kt.Status.UNDECIDED
    assert bool(result.reason) != bool(wanted)


@pytest.mark.parametrize("name", IN_PROCESS)
@examples(15)
@given(problem=questions(), seed=st.integers(0, 1000))
def test_every_method_that_takes_moves_obeys_them(name, problem, seed):
    row = METHODS[name]
    if row.why_unsupported(problem) is not None:
        return
    result = kt.solve(problem, method=name, seed=seed, **as_arguments(SHORT), settings={"proofs": row.proves})
    if result.tour is not None:
        assert meets(problem, result.tour)
    elif result.status is kt.Status.IMPOSSIBLE:
        assert result.reason and result.source
        assert kt.count(problem) == 0


@pytest.mark.processes
def test_the_portfolio_obeys_them():
    problem = Problem((6, 6), start="a1", require=["c6-e5"], forbid=["a1-c2"])
    assert meets(problem, kt.find_tour(problem, method="portfolio", seed=1))


@pytest.mark.parametrize("name", METHODS)
def test_methods_reject_unsupported_conditions_with_one_sentence(name):
    conditions = {"require": (["a1-b3"], "required moves"), "forbid": (["a1-b3"], "forbidden moves")}
    for word, (value, said) in (conditions | {"given": ({"a1": 5}, "given numbers")}).items():
        if word not in METHODS[name].takes:
            with pytest.raises(kt.ProblemError, match=f"does not apply: it does not support {said}"):
                kt.solve((8, 8), closed=True, method=name, **{word: value})


@pytest.mark.parametrize(
    ("ask", "who"),
    [
        (kt.estimate, "an estimate"),
        (kt.TourSpace, "a numbering of all tours"),
        (kt.sequences.count_recurrence, "a recurrence"),
        (kt.census, "the table of symmetries"),
        (kt.constructions.implicit_tour, "implicit_tour"),
        (lambda problem: kt.count(problem, up_to_symmetry=True), "a count by symmetry"),
        (lambda problem: kt.solve(problem, minimize="turns"), "minimize turns"),
    ],
)
def test_functions_without_conditions_refuse_them_in_one_sentence(ask, who):
    with pytest.raises(kt.ProblemError, match=f"^{who} does not support forbidden moves\nhelp: omit forbid$"):
        ask(Problem((6, 6), forbid=["a1-b3"]))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"require": ["a1-b3", "b3-c5", "b3-d4"]}, "three required moves meet at b3: a1-b3, b3-c5, b3-d4"),
        ({"start": "b3", "require": ["a1-b3", "b3-c5"]}, "a tour makes one move at its end b3, but two required moves"),
        (
            {"require": ["c4-e3", "e3-d5", "d5-b4", "b4-c2", "c2-e1", "e1-d3", "d3-b2", "b2-c4"]},
            "close a loop of 8 squares",
        ),
        ({"closed": True, "forbid": ["a1-b3"]}, "without the forbidden moves, a closed tour takes two moves at every"),
        ({"closed": True, "given": {"a1": 1, "c1": 4}}, "a1 = 1 and c1 = 4 cannot both be: the two squares have"),
        ({"given": {"a1": 2, "f6": [4]}}, "a1 = 2 and f6 = 4 are 2 moves apart in the tour, but 4 on the board"),
    ],
)
def test_unsatisfiable_range_is_impossible_with_a_reason(asked, said):
    problem = Problem((6, 6), **asked)
    proof = known_proof(problem)
    assert said in proof.reason and proof.source


def test_several_tours_keep_to_the_conditions():
    problem = Problem((6, 6), closed=True, require=["c4-e3"], forbid=["b5-d4"])
    tours = several_tours(problem, n=40, unique=True, seed=1)
    assert len({frozenset(moves_made(tour, True)) for tour in tours}) == 40
    assert all(meets(problem, tour) for tour in tours)
    few = Problem((5, 6), closed=True, forbid=["b5-c3"])
    count = kt.count(few)
    assert 0 < count < 8
    assert len(several_tours(few, n=20, unique=True, seed=1)) == count


@pytest.mark.parametrize("distribution", ["backbite", "uniform", "merge", "warnsdorff"])
@pytest.mark.parametrize("asked", [{"closed": True}, {}, {"start": "a1"}, {"start": "a1", "end": "a4"}], ids=str)
def test_samples_keep_to_the_conditions(distribution, asked):
    some = kt.find_tour((5, 6), **asked)
    made = moves_made(some, bool(asked.get("closed")))
    others = [edge for edge in kt.Board(5, 6).move_graph().edges().tolist() if {divmod(s, 6) for s in edge} not in made]
    avoid = [tuple(divmod(s, 6) for s in edge) for edge in others[:2]]
    problem = Problem((5, 6), **asked, require=[some.squares[12:14]], forbid=avoid)
    sample = kt.sample(problem, 30, distribution=distribution, seed=3)
    assert len(sample.orders) == 30 or sample.reason
    assert all(meets(problem, tour) for tour in sample)


@pytest.mark.long
def test_a_uniform_sample_is_uniform_under_conditions():
    problem = Problem((5, 6), start="a1", require=["c2-e3"], forbid=["b2-d1", "a3-c4"])
    count = kt.count(problem)
    sample = kt.sample(problem, 20 * count, distribution="uniform", seed=5)
    seen = {bytes(row) for row in sample.orders}
    # Of so many draws each tour is missed with a chance of e^-20.
    assert len(seen) == count
    unique = kt.sample(problem, count + 1, distribution="uniform", unique=True, seed=5)
    assert len(unique.orders) == count and unique.reason == f"these are all {count:,} tours"


def test_a_search_with_forbidden_moves_can_be_watched():
    trace = kt.Trace()
    kt.solve((6, 6), closed=True, forbid=["c3-d5"], method="rotation", seed=1, trace=trace)
    squares = {square for event in trace if event.kind == "visit" for square in event.squares}
    assert squares == set(range(36))
    trace = kt.Trace()
    tour = find_with((6, 6), closed=True, require=["c3-d5"], method="rotation", seed=1, trace=trace)
    assert [event.squares for event in trace if event.kind == "tour"] == [tuple(tour.order.tolist())]


def test_orders_by_directions_are_refused():
    with pytest.raises(kt.ProblemError, match="under conditions the order of the moves is one of"):
        next(kt.iter_tours((5, 5), forbid=["a1-b3"], move_order="87654321"))


def test_comparison_names_skipped_methods():
    table = kt.compare((6, 6), closed=True, require=["c6-e5"], methods=["explicit", "rotation"], seeds=2)
    assert [row.why_fewer for row in table.rows] == ["it does not support required moves", ""]
    assert table.rows[1].found == 2
    assert table.to_dict()["require"] == [["c6", "e5"]]


def test_plan_respects_conditions():
    assert kt.plan((6, 6), closed=True, forbid=["a6-c5"]).method == "proof"
    plan = kt.plan((6, 6), closed=True, require=["c6-e5"])
    assert plan.problem.require and not plan.is_refused


@pytest.mark.parametrize("name", ["auto", "warnsdorff", "rotation", "merge"])
@pytest.mark.parametrize("asked", [{}, {"start": "a1"}, {"end": "b4"}], ids=str)
def test_open_tours_never_end_inside_a_required_move(name, asked):
    base = kt.find_tour((22, 22), **asked, method="rotation", seed=1)
    through = [base.squares[k : k + 2] for k in range(3, 483, 12)]
    problem = Problem((22, 22), **asked, require=through)
    result = kt.solve(problem, method=name, seed=2, timeout=30, max_nodes=3_000_000)
    assert result.tour is None or meets(problem, result.tour)
    assert result.status is kt.Status.FOUND or name != "auto"


# ---------------------------------------------------------------- given numbers


def numberings_by_hand(problem):
    """Return all orders of square numbers that solve the problem."""
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
        and all(move in moves or move[::-1] in moves for move in problem.require)
        and not any(move in moves or move[::-1] in moves for move in problem.forbid)
        and start_index(problem) in (None, order[0])
        and end_index(problem) in (None, order[-1])
    }


@st.composite
def given_questions(draw):
    """Draw problems with given numbers, mostly of a tour, and perhaps a move."""
    board = draw(st.sampled_from(FEW_TOURS))
    closed = draw(st.booleans())
    squares = board.move_graph().squares.tolist()
    some = draw(st.lists(st.sampled_from(squares), min_size=1, max_size=4, unique=True))
    steps = draw(st.permutations(range(1, len(squares) + 1)))
    given_steps = {
        divmod(square, board.cols): sorted({step, *draw(st.lists(st.integers(1, len(squares)), max_size=3))})
        for square, step in zip(some, steps, strict=False)
    }
    singles = [few[0] for few in given_steps.values() if len(few) == 1]
    if len(set(singles)) < len(singles):
        given_steps = dict([next(iter(given_steps.items()))])
    edges = board.move_graph().edges().tolist()
    move = [tuple(divmod(s, board.cols) for s in edge) for edge in draw(st.lists(st.sampled_from(edges), max_size=1))]
    word = draw(st.sampled_from(["require", "forbid"]))
    return Problem(board, closed=closed, given=given_steps, **{word: move})


@examples(15)
@given(problem=given_questions(), seed=st.integers(0, 100))
def test_all_numberings_are_listed_once(problem, seed):
    wanted = numberings_by_hand(problem)
    if not problem.given:
        # Ends and moves are all that was given.
        assert {tuple(tour.order.tolist()) for tour in kt.iter_tours(problem)} == wanted or not wanted
        return
    listed = [tuple(tour.order.tolist()) for tour in kt.iter_tours(problem)]
    assert set(listed) == wanted and len(listed) == len(wanted)
    assert kt.count(problem) == kt.count(problem, directed=True) == len(wanted)
    result = kt.solve(problem, seed=seed)
    assert result.status is (kt.Status.FOUND if wanted else kt.Status.IMPOSSIBLE)
    assert bool(result.reason) != bool(wanted)
    if wanted:
        assert tuple(result.tour.order.tolist()) in wanted
        found = several_tours(problem, n=len(wanted) + 1, unique=True, seed=seed)
        assert {tuple(tour.order.tolist()) for tour in found} == wanted
        several = solve_several(problem, n=len(wanted) + 1, unique=True, seed=seed)
        assert several.reason == f"there are no more: these {len(wanted):,} are all"


def test_list_can_be_left_early_and_ends_at_a_limit():
    problem = Problem((8, 8), given={"a1": 10})
    tours = kt.iter_tours(problem)
    assert next(tours).order.tolist().index(56) == 9
    tours.close()
    with pytest.raises(kt.LimitReached, match="there are at least"):
        kt.count(problem, max_nodes=2000)


def test_rejects_paths_that_cannot_be_joined():
    problem = Problem((6, 6), given={"a1": 5})
    for ask, said in (
        (lambda: kt.sample(problem, 1), "a sample does not support given numbers"),
        (lambda: next(kt.iter_tours(problem, move_order="random")), "numberings have no order of the moves"),
        (lambda: next(kt.iter_tours(problem, workers=2)), "numberings are listed in one process"),
        (lambda: kt.count(problem, up_to_symmetry=True), "a count by symmetry does not support"),
    ):
        with pytest.raises(kt.ProblemError, match=said):
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
