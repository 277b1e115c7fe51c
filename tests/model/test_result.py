"""Tests of problems, limits and results; their representations and tables."""

import math
import pickle
import sys
import time
from typing import Any

import pytest

import knightstour as kt
from helpers.both_ways import both_ways
from knightstour.core.model.board import Board
from knightstour.core.model.budget import CLOCKS, DEFAULT_SECONDS, Budget, Limits, ProcessorSeconds
from knightstour.core.model.errors import BoardError, FormatError, InvalidTour, KnightsTourError, ProblemError
from knightstour.core.model.exports import table_of
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached, NoTour
from knightstour.core.model.tour import Tour
from knightstour.core.model.wording import LONGEST_REPR

# ---------------------------------------------------------------- questions


def test_a_question_is_checked_and_written_in_pairs() -> None:
    problem = Problem("8x8", start="a1", end=(1, 7))
    assert problem == Problem(Board(8, 8), closed=False, start=(7, 0), end=(1, 7))
    assert (start_index(problem), end_index(problem)) == (56, 15)
    assert str(problem) == "an open tour of the 8x8 board from a1 to h7"
    closed = Problem((5, 6), closed=True)
    assert (start_index(closed), end_index(closed)) == (None, None)
    assert str(closed) == "a closed tour of the 5x6 board"
    assert pickle.loads(pickle.dumps(problem)) == problem and len({problem, closed, problem}) == 2


def test_nodes_of_a_graph_are_ends_by_name() -> None:
    problem = Problem(Board.from_graph(both_ways({"x": ["y"], "y": []})), start="y", end="x")
    assert (start_index(problem), end_index(problem)) == (1, 0)
    assert str(problem) == "an open tour of the graph of 2 nodes from y to x"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"closed": True, "end": "a1"}, ProblemError, "a closed tour has no end of its own"),
        ({"closed": True, "end": "z9"}, BoardError, "square z9 is not on the board"),
        ({"start": "a1", "end": (2, 0)}, ProblemError, "start and end are the same square, a1"),
        ({"start": "z9"}, BoardError, "square z9 is not on the board"),
        ({"end": (3, 0)}, BoardError, "is not on the board"),
        ({"start": "b2"}, BoardError, "b2 is a hole"),
        ({"start": "?"}, BoardError, "not a square"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    options: dict[str, Any], error: type[KnightsTourError], message: str
) -> None:
    with pytest.raises(error, match=message):
        Problem(Board(3, 3, holes=["b2"]), **options)


def test_the_only_square_may_be_start_and_end() -> None:
    assert Problem((1, 1), start="a1", end="a1").end == (0, 0)


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize(
    "limits", [{"seconds": 0}, {"seconds": -1}, {"seconds": math.nan}, {"nodes": 0}, {"nodes": -5}]
)
def test_a_limit_that_leaves_nothing_is_refused(limits: dict[str, Any]) -> None:
    with pytest.raises(ProblemError, match=r"(timeout|max_nodes) must be") as caught:
        Limits(**limits)
    assert caught.value.help.startswith("use ") or "number" in str(caught.value)


def test_budget_counts_nodes_and_reports_its_end() -> None:
    budget = Budget(Limits(seconds=None, nodes=100))
    assert not budget.is_spent and budget.nodes_left(30) == 30 and budget.seconds_left == math.inf
    budget.spend(90)
    assert budget.nodes_left(30) == 10 and not budget.is_spent
    budget.spend(15)
    assert budget.nodes_left(30) == 0 and budget.is_spent and budget.nodes == 105
    assert budget.why_stopped() == "the limit of 100 nodes was reached"
    budget = Budget(Limits(nodes=1))
    budget.spend(1)
    assert budget.why_stopped() == "the limit of 1 node was reached"


def test_a_budget_keeps_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    budget = Budget(Limits(seconds=0.02))
    assert not budget.is_spent and budget.seconds == 0 and budget.seconds_left == 0.02
    budget.spend(1234)
    now[0] += 0.019
    assert not budget.is_spent and budget.seconds_left == pytest.approx(0.001)
    now[0] += 0.011
    assert budget.is_spent and budget.seconds_left == pytest.approx(-0.01) and budget.seconds == pytest.approx(0.03)
    assert budget.why_stopped() == "the limit of 0.02 seconds was reached after 1,234 nodes"
    assert Budget(Limits(seconds=1)).why_stopped() == "the limit of 1 second was reached"
    assert Budget().limits == Limits(DEFAULT_SECONDS, None)


def test_part_of_a_budget_never_exceeds_the_rest() -> None:
    whole = Budget(Limits(seconds=10, nodes=1000))
    whole.spend(400)
    assert whole.part(nodes=100).limits.nodes == 100 and whole.part(nodes=10**9).limits.nodes == 600
    rest = whole.part().limits
    assert rest.seconds is not None and 1 < rest.seconds <= 10 and rest.nodes == 600
    share = whole.part(share=0.5).limits.seconds
    assert share is not None and share < 5.0 and whole.remaining_limits().nodes == 600
    endless = Budget(Limits(seconds=None)).part()
    assert endless.limits.seconds is None and endless.nodes_left(10**15) == 10**15
    spent = Budget(Limits(nodes=5))
    spent.spend(5)
    assert spent.part().limits.nodes == 1  # the least there is


def test_default_limit_is_processor_time(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, processor = [100.0], [7.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])
    monkeypatch.setattr(time, "process_time", lambda: processor[0])
    budget = Budget()
    clock[0] += 3600
    assert not budget.is_spent and budget.seconds == 3600 and budget.seconds_left == 60
    assert budget.clock_left == math.inf
    processor[0] += 20
    assert budget.seconds_left == 40
    for rest in (
        budget.remaining_limits(),
        budget.part(share=0.5).limits,
        Budget(budget.remaining_limits()).part().limits,
    ):
        assert isinstance(rest.seconds, ProcessorSeconds)
    budget.spend_elsewhere(30)
    assert budget.seconds_left == 10
    processor[0] += 11
    assert budget.is_spent and budget.why_stopped() == "the limit of 60 seconds of processor time was reached"
    named = Budget(Limits(seconds=60))
    named.spend_elsewhere(100)
    processor[0] += 100
    assert not named.is_spent and named.clock_left == 60
    clock[0] += 61
    assert (
        named.is_spent and named.clock_left == 0 and not isinstance(named.remaining_limits().seconds, ProcessorSeconds)
    )


def test_seconds_of_the_processor_survive_being_sent() -> None:
    sent = pickle.loads(pickle.dumps(Limits(seconds=ProcessorSeconds(3), nodes=5)))
    assert isinstance(sent.seconds, ProcessorSeconds) and sent == Limits(3, 5)


@pytest.mark.parametrize("limits", [Limits(seconds=10), Limits(seconds=ProcessorSeconds(10))], ids=repr)
def test_waiting_while_the_clocks_are_stopped_counts_for_no_limit(
    monkeypatch: pytest.MonkeyPatch, limits: Limits
) -> None:
    now = [100.0]
    monkeypatch.setattr(time, "perf_counter", lambda: now[0])
    monkeypatch.setattr(time, "process_time", lambda: now[0])
    budget = Budget(limits)
    now[0] += 1
    with CLOCKS.pause():
        now[0] += 500
        with CLOCKS.pause():  # of another thread, say
            now[0] += 500
    assert budget.seconds_left == pytest.approx(9) and budget.seconds == 1001
    now[0] += 9.5
    assert budget.is_spent


# ---------------------------------------------------------------- answers


def result(status: Status, tour: Tour | None, reason: str = "", source: str = "") -> Result:
    return Result(status, Problem((1, 1)), tour, reason, source, "method", 7, 1234, 0.5)


def test_a_result_is_one_object_of_json() -> None:
    tour = Tour((1, 1), [(0, 0)])
    assert result(Status.FOUND, tour).to_dict() == {
        "status": "found",
        "closed": False,
        "rows": 1,
        "cols": 1,
        "squares": [[0, 0]],
        "method": "method",
        "reason": None,
        "source": None,
        "seed": 7,
        "nodes": 1234,
        "seconds": 0.5,
    }
    no = result(Status.IMPOSSIBLE, None, "so it is", "Euler 1759").to_dict()
    assert (no["status"], no["squares"], no["reason"], no["source"]) == ("impossible", None, "so it is", "Euler 1759")


def test_repr_of_a_result_is_its_text() -> None:
    assert repr(result(Status.IMPOSSIBLE, None, "so it is")) == (
        "<Result: impossible; an open tour of the 1x1 board; so it is (method, 1,234 nodes, 0.5 s)>"
    )


def test_the_errors_carry_the_result() -> None:
    no = NoTour(result(Status.IMPOSSIBLE, None, "so it is", "Euler 1759"))
    assert (
        str(no) == "there is no open tour of the 1x1 board: so it is"
        and no.note == "Euler 1759"
        and no.result.status is Status.IMPOSSIBLE
    )
    stopped = LimitReached(result(Status.UNDECIDED, None, "the time ran out"))
    assert str(stopped) == "the time ran out" and not isinstance(stopped, ValueError)


def test_errors_survive_pickling_as_worker_processes_need_it() -> None:
    for error in (
        NoTour(result(Status.IMPOSSIBLE, None, "so it is", "Euler 1759")),
        LimitReached(result(Status.UNDECIDED, None, "the time ran out")),
        BoardError("what", note="where", help="how"),
        InvalidTour("what", step=3, note="where"),
        FormatError("what", path="file", line=3, help="how"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and str(again) == str(error)
        assert repr(vars(again)) == repr(vars(error))


# ---------------------------------------------------------------- representations


HOLES = [(row, col) for row in range(0, 21, 3) for col in range(0, 21, 3)]
# A board of each kind whose words are long, and small ones.
BOARDS = {
    "small": kt.Board(5, 6),
    "none": kt.Board(3, 3),
    "one": kt.Board(1, 1),
    "holes": kt.Board(21, 21, holes=HOLES),
    "torus": kt.Board(20, 20, wrap="torus", leaper=(2, 3)),
    "graph": kt.Board.from_graph(
        both_ways({f"node {k}": [f"node {(k + 1) % 9}", f"node {(k - 1) % 9}"] for k in range(9)})
    ),
}
# A reason that no line holds.
REASON = "every tour would need the moves " + ", ".join(f"a{k}-b{k + 2}" for k in range(1, 60))
LONG = kt.Result(kt.Status.IMPOSSIBLE, kt.solve("8x8").problem, None, REASON, "a source", "auto", 1, 1234, 0.5)


def is_short(value: object) -> bool:
    text = repr(value)
    assert len(text) <= LONGEST_REPR and "\n" not in text, text
    return type(value).__name__ in text


@pytest.mark.parametrize("name", BOARDS)
def test_answers_about_any_board_are_one_short_line(name):
    board = BOARDS[name]
    result = kt.solve(board, seed=1, max_nodes=100_000)
    plan = kt.plan(board)
    for answer in (result, board.move_graph(), plan, kt.facts(board, max_nodes=1000)):
        assert is_short(answer)
    if result.status is not kt.Status.UNDECIDED:
        assert is_short(result.certificate())


def test_answers_about_many_tours_are_one_short_line():
    board, closed = "5x6", True
    puzzle = kt.make_puzzle(board, closed=closed, seed=1)
    for answer in (
        kt.sample(board, 3, closed=closed, seed=1),
        kt.compare(board, closed=closed, methods=["explicit"], seeds=1),
        kt.TourSpace(board, closed=closed),
        kt.census(board, "turns", closed=closed),
        kt.estimate(board, closed=closed, samples=50, seed=1),
        kt.facts(board),
        puzzle,
        puzzle.rate(),
        puzzle.solve(),
    ):
        assert is_short(answer)


@pytest.mark.parametrize("side", [6, 10**9, 10**30, 10**120])
def test_a_tour_of_any_size_is_one_short_line(side):
    assert is_short(kt.constructions.implicit_tour((side, side)))


def test_long_answer_keeps_its_end_and_print_shows_all():
    assert is_short(LONG) and str(LONG).endswith(f"{REASON} (auto, 1,234 nodes, 0.5 s)")
    assert repr(LONG).startswith("<Result: impossible; an open tour of the 8x8 board; every tour would need")
    assert repr(LONG).endswith(" ... (auto, 1,234 nodes, 0.5 s)>")
    assert REASON in LONG._repr_html_()


# ---------------------------------------------------------------- tables of pandas


def test_tables_of_samples_censuses_comparisons_and_checks() -> None:
    pytest.importorskip("pandas")
    sample = kt.sample("5x5", 4, seed=1, offset=10)
    table = sample.to_pandas()
    assert (table.to_numpy() == sample.orders).all() and list(table.index) == [10, 11, 12, 13]
    census = kt.census("5x6", "turns", closed=True)
    assert dict(census.to_pandas().itertuples(index=False)) == census.counts
    compared = kt.compare("5x5", methods=["warnsdorff", "merge"], seeds=1)
    assert list(compared.to_pandas()["method"]) == [row.method for row in compared.rows]
    checked = kt.check(sample)
    assert checked.to_pandas().to_dict("records") == [row.to_dict() for row in checked]


def test_missing_pandas_error_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pandas is not installed"):
        table_of([])
