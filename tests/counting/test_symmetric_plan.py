"""Cost of counts with a symmetry, of classes and of tables: as planned, and as reported meanwhile."""

import json
from typing import Any

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import BoardError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import Progress
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.search.frontier import marching
from knightstour.lab.counting import by_symmetry, plan, sums
from knightstour.lab.counting.count import count_problem
from knightstour.lab.counting.needs import needs_of_quotients
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.counting.symmetric import count_classes, count_symmetric, symmetric_plans, table_plans
from knightstour.lab.counting.ways import EACH, QUOTIENT, Evidence, Fit, Task

_CORNERS = [(r, c) for r in (0, 7) for c in (0, 7)]
SMALL = [
    (Board(6, 7), "180", True),
    (Board(6, 7), "180", False),
    (Board(6, 10), "180", True),
    (Board(8, 8, holes=_CORNERS), "90", True),
    (Board(4, 6, wrap="torus"), "180 + shift (0, 1)", True),
    (Board(6, 6, wrap="torus"), "90", True),
    (Board(6, 6, wrap="cylinder"), "180", True),
    (Board(10, 10, leaper=(0, 1)), "180", True),
    (Board(10, 10, leaper=(2, 3)), "180", True),
]
LARGE = [
    (Board(8, 8), "180", True),
    (Board(10, 10), "90", True),
    (Board(7, 9), "180", False),
    (Board(8, 9), "180", True),
    (Board(8, 8, holes=_CORNERS), "180", True),
    (Board(6, 8, wrap="cylinder"), "180", True),
    (Board(5, 6, wrap="klein"), "180", False),
    (Board(12, 12, leaper=(0, 1)), "180", True),
]


def held(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Record the memory that a count requires at each report."""
    bytes_held: list[int] = []
    last: list[int] = [0]
    layers, growing = sums.layers, marching.Layer.growing

    def watched(plan: Any, algebra: Any, report: Any, allowed: Any) -> Any:
        def noted(t: int, states: int, within: float, held: int) -> None:
            last[0] = held
            report(t, states, within, held)

        return layers(plan, algebra, noted, allowed)

    def noting(layer: marching.Layer) -> Any:
        bytes_held.append(last[0])
        return growing(layer)

    monkeypatch.setattr(sums, "layers", watched)
    monkeypatch.setattr(marching.Layer, "growing", noting)
    return bytes_held


@pytest.mark.parametrize(
    "board, symmetry, closed", [*SMALL, *(pytest.param(*row, marks=pytest.mark.slow) for row in LARGE)], ids=str
)
def test_states_forecast_never_rejects_a_feasible_count(board, symmetry, closed, monkeypatch):
    bytes_held = held(monkeypatch)
    effort = sums.Effort()
    count_symmetric(board, symmetry, closed=closed, effort=effort)
    plans = symmetric_plans(board, symmetry, closed=closed)
    needs = needs_of_quotients(board, plans)
    assert effort.states / 4 < needs.states < effort.states * 3
    fit = Fit(QUOTIENT, Task(Problem(board, closed=closed), EACH), Evidence(plans=plans))
    plan.refuse(fit, max(bytes_held, default=10**6))


def test_plans_match_the_count(monkeypatch):
    made = []
    summed = sums._sum_over_tours

    def noted(plan, sums, effort):
        if effort.plans is None:
            made.append(plan.order)
        return summed(plan, sums, effort)

    monkeypatch.setattr(sums, "_sum_over_tours", noted)
    count_symmetric((6, 6), "180")
    assert made == [quotient.order for quotient in symmetric_plans(Board(6, 6), "180", closed=True)] and made
    made.clear()
    count_classes((6, 6), closed=True, total=9862)
    assert made == [quotient.order for quotient in symmetric_plans(Board(6, 6), None, closed=True)]
    made.clear()
    kt.census((6, 6), "symmetry", closed=True)
    assert made == [quotient.order for quotient in table_plans(Board(6, 6), closed=True)]


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize("size, name, limit", [((8, 8), "180", 2 * 10**5), ((10, 10), "180", 10**10)], ids=str)
def test_a_symmetric_count_out_of_reach_is_refused_at_once(size, name, limit, monkeypatch):
    monkeypatch.setattr(by_symmetry, "_effort", None)
    with pytest.raises(kt.LimitReached, match=r"180 is infeasible: about [0-9.,e]+ states at once") as caught:
        count_problem(
            kt.Problem(size, closed=True, symmetry=name),
            settings=CountSettings(Limits(seconds=None, bytes=limit)),
        )
    assert "of memory may be used" in caught.value.note and "even 1/8 of that" in caught.value.note
    assert "estimate" in caught.value.help
    # Advice contains only feasible counts of boards with tours.
    assert ("--symmetry 90" in caught.value.help) == (size == (10, 10)) and "--symmetry 180" not in caught.value.help


def test_classes_and_tables_are_refused_before_all_tours_are_counted(monkeypatch):
    monkeypatch.setattr(by_symmetry, "count_task", None)
    with pytest.raises(kt.LimitReached, match="counting the classes of closed tours of the 6x10 board is infeasible"):
        count_problem(
            kt.Problem((6, 10), closed=True),
            up_to_symmetry=True,
            settings=CountSettings(Limits(seconds=None, bytes=20000)),
        )
    with pytest.raises(kt.LimitReached, match="counting the closed tours of the 6x10 board by their symmetries is"):
        kt.census((6, 10), "symmetry", closed=True, memory=20000)


def test_memory_that_ends_after_all_leaves_the_count_undecided():
    with pytest.raises(LimitReached, match="2 MB of memory") as caught:
        count_problem(
            kt.Problem((8, 8), closed=True, symmetry="180"),
            settings=CountSettings(Limits(seconds=None, bytes=2000000)),
        )
    assert caught.value.result.nodes > 10_000 and "estimate" in caught.value.help


def test_a_frontier_too_wide_for_a_state_is_an_error(monkeypatch):
    monkeypatch.setattr(marching, "MAX_SLOTS", 5)
    with pytest.raises(BoardError, match="infeasible: its states have a frontier of 8 squares; the maximum is 5"):
        count_symmetric((6, 6), "180")


# ---------------------------------------------------------------- the plan


def test_plans_of_symmetric_counts():
    planned = kt.plan((10, 10), closed=True, symmetry="90")
    assert planned.method == "quotient" and planned.symmetry == "90" and not planned.is_refused
    assert 30_000 < planned.states < 300_000 and planned.limit > 10**8
    assert str(planned).startswith("closed tours of the 10x10 board with symmetry 90: by quotient, about")
    refused = kt.plan((10, 10), closed=True, symmetry="180", memory=10**10)
    assert refused.is_refused and refused.instead and refused.margin == 8 and str(refused).endswith("infeasible")
    # It has no tour with this symmetry.
    assert kt.plan((6, 6), closed=True, symmetry="vertical").states == 0


def test_class_plans_sum_all_and_symmetric_tours():
    tours, classes = kt.plan((6, 8), closed=True), kt.plan((6, 8), closed=True, up_to_symmetry=True)
    each = kt.plan((6, 8), closed=True, symmetry="180")
    assert classes.method == tours.method == "halves" and classes.up_to_symmetry and not classes.is_refused
    assert classes.states > tours.states and classes.seconds > tours.seconds and classes.bytes == tours.bytes
    assert each.states < classes.states - tours.states + 1
    assert kt.plan((6, 8), closed=True, up_to_symmetry=True, memory=1000).is_refused
    assert kt.plan((4, 8), closed=True, up_to_symmetry=True).method == "proof"
    narrow = kt.plan((4, 9), up_to_symmetry=True)
    assert narrow.method == "recurrence" and narrow.has_figures and "by a recurrence, about" in str(narrow)


@pytest.mark.parametrize(
    "asked, said",
    [
        ({"symmetry": "90"}, "no symmetry '90'"),
        ({"symmetry": "identity"}, "identity"),
        ({"symmetry": "180", "start": "a1"}, "include all tours"),
        ({"up_to_symmetry": True, "start": "a1"}, "include all tours"),
        ({"symmetry": "180", "up_to_symmetry": True}, "classes are counted of all tours"),
        ({"symmetry": "180", "checkpoint": "here"}, "uses no disk"),
    ],
)
def test_questions_without_a_plan(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(ProblemError, match=said):
        kt.plan((5, 6), **asked)


def test_the_command_line_prints_plans_of_symmetric_counts(run: Run) -> None:
    code, out, err = run("count", "6x6", "--closed", "--plan", "--symmetry", "180")
    assert code == 0 and "undirected closed tours of the 6x6 board with symmetry 180; estimates" in err
    assert [line.split()[0] for line in out.splitlines()] == ["method", "states", "memory", "time"]
    code, out, err = run("count", "6x6", "--closed", "--plan", "--up-to-symmetry", "--json")
    record = json.loads(out)
    assert code == 0 and record["up_to_symmetry"] and record["symmetry"] is None and record["states"] > 100
    code, out, err = run("count", "6x6", "--closed", "--plan", "--up-to-symmetry")
    assert code == 0 and "classes of closed tours of the 6x6 board; estimates" in err
    code, out, err = run("count", "8x8", "--closed", "--symmetry", "180", "--memory", "200kB")
    assert code == 3 and not out
    assert [line.split(":")[0] for line in err.splitlines()] == ["error", "note", "help"]


# ---------------------------------------------------------------- while it is made


def test_progress_grows_and_counts_the_states(monkeypatch):
    monkeypatch.setattr(marching, "_SLICE", 500)
    seen: list[Progress] = []
    found = count_problem(
        kt.Problem((6, 10), closed=True, symmetry="180"), settings=CountSettings(on_progress=seen.append)
    )
    parts = [step.part for step in seen]
    assert parts == sorted(parts) and parts[-1] == pytest.approx(1, abs=0.01) and parts[0] < 0.01
    states = [
        int(step.note.split(", ")[1].split()[0].replace(",", "")) for step in seen if "states," in step.note + ","
    ]
    assert states == sorted(states) and f"{found.states:,} states" in seen[-1].note
    assert len({step.note.split(",")[0] for step in seen}) == 29 and len(seen) > 40
    seen.clear()
    kt.census((6, 6), "symmetry", closed=True, on_progress=seen.append)
    parts = [step.part for step in seen if step.note.startswith("making states: square")]
    assert parts == sorted(parts) and parts[-1] == pytest.approx(1, abs=0.01)


def test_a_count_ends_at_its_limits():
    with pytest.raises(LimitReached, match="50,000 states was reached"):
        count_problem(
            kt.Problem((8, 8), closed=True, symmetry="180"),
            settings=CountSettings(Limits(seconds=None, nodes=50000)),
        )
