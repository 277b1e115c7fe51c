"""The exact search: keys of several words, limits, and the widest frontiers."""

from typing import Any

import pytest

from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Outcome, Status
from knightstour.core.search.frontier import exact as frontier
from knightstour.core.search.frontier import marching
from knightstour.core.search.frontier import marching as kernel
from knightstour.core.search.frontier import plan as frontier_plan
from knightstour.core.search.frontier.exact import exact, why_not_exact
from knightstour.core.search.frontier.marching import pack_key, steps_as_arrays


def answer(problem: Problem, **limits: Any) -> Outcome:
    return exact(problem, Budget(Limits(**limits)), seed=0)


def test_keys_of_several_words_hold_all_fields():
    plan = frontier_plan.make_plan(Problem(Board(16, 16), start=(0, 0), end=(15, 14)))
    steps = steps_as_arrays(plan)
    assert plan.slots > 32 and len(pack_key(0, plan, steps)) >= 4
    top = plan.shifts[-1] + plan.field_bits
    for key in (plan.first, (1 << top) - 1, 1 << (top - 1), 0x5A5A5A5A5A5A5A5A << 17):
        words = pack_key(key, plan, steps).tolist()
        fields = [words[w] >> s & plan.field_mask for w, s in zip(steps.word, steps.shift, strict=True)]
        assert words[0] & plan.inner_mask == key & plan.inner_mask
        assert fields == [key >> shift & plan.field_mask for shift in plan.shifts]


# ---------------------------------------------------------------- limits


@pytest.mark.parametrize("nodes", [1, 500, 200_000])
def test_the_node_limit_is_kept(nodes):
    budget = Budget(Limits(nodes=nodes))
    outcome = exact(Problem(Board(9, 9), closed=True), budget, seed=0)
    assert outcome.status is Status.UNDECIDED and "node" in outcome.reason
    assert nodes <= budget.nodes < nodes + 40


def test_the_memory_limit_ends_the_search_undecided(monkeypatch):
    monkeypatch.setattr(frontier, "MAX_BYTES", 2_000_000)
    outcome = answer(Problem(Board(9, 9), closed=True))
    assert outcome.status is Status.UNDECIDED
    assert "GB of memory" in outcome.reason


def test_boards_without_hope_have_an_excuse():
    problem = Problem(Board(200, 200, leaper=(2, 3)))
    assert "40,000 squares" in why_not_exact(problem)
    assert answer(problem).status is Status.UNDECIDED


def test_frontier_wider_than_a_word_is_reported_and_not_searched():
    outcome = answer(Problem(Board(40, 40, leaper=(1, 4)), closed=True))
    assert outcome.status is Status.UNDECIDED
    assert outcome.reason.startswith("its states have a frontier of ") and "the maximum is 62" in outcome.reason


def test_a_frontier_as_wide_as_a_word_is_searched():
    # A ring of 122 squares, every second one first, so that all others are in the frontier.
    near = [[(i - 1) % 122, (i + 1) % 122] for i in range(122)]
    plan = frontier_plan.Plan([*range(0, 122, 2), *range(1, 122, 2)], near)
    assert plan.slots == marching.MAX_SLOTS
    search = frontier.Search(plan, Budget())
    assert search.run() == kernel.FOUND
    order = frontier.tour_by_picks(plan, search.picks())
    assert order in (list(range(122)), [0, *range(121, 0, -1)])
