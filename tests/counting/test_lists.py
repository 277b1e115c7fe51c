"""Lists of tours that would take years: estimated first, refused without a limit, announced by a note."""

import math

import pytest

import knightstour as kt
from helpers.command_line import run
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.listed import TOO_MANY, estimated_tours

# Problems with the exact number of listed tours.
COUNTED = [
    ("5x5", {}, 864),
    ("6x6", {"closed": True}, 9862),
    ("8x8", {"closed": True}, 13267364410532),
    ("5x6", {"given": {"c3": 7}}, 3336),
    ("5x5", {"given": {"c3": 7}, "end": "a1"}, 36),
    ("4x5:king", {"closed": True, "given": {"a1": 3}}, 101184),
    ("6x6", {"closed": True, "require": ["a1-b3"]}, 9862),
    ("5x5", {"partial": True}, 18984724),
]


@pytest.mark.parametrize(("board", "question", "count"), COUNTED)
def test_estimates_are_near_the_counts(board, question, count):
    problem = Problem(board, **question)
    assert abs(math.log10(estimated_tours(problem) / count)) < 0.7
    assert estimated_tours(problem) == estimated_tours.__wrapped__(problem)


@pytest.mark.parametrize(
    ("board", "question"),
    [
        ("8x8", {"given": {"c5": 20}}),
        ("8x8", {"where": {"turns": 40}}),
        ("8x8", {"method": "listing"}),
        ("6x6:king", {"where": {"magic-rows": 6}}),
        pytest.param("30x30", {"where": {"turns": 700}}, marks=pytest.mark.long),
        ("8x8", {"partial": True, "where": {"turns": 9}}),
    ],
)
def test_endless_counts_are_refused_without_a_limit(board, question):
    with pytest.raises(kt.LimitReached, match="would have to be listed"):
        kt.count(board, **question)
    with pytest.raises(kt.LimitReached, match=r"limit of 100 (nodes|states)"):
        kt.count(board, max_nodes=100, **question)
    plan = kt.plan(board, **question)
    assert (plan.method, plan.is_refused) == ("listing", True)
    assert plan.tours > TOO_MANY
    assert not kt.plan(board, timeout=60, **question).is_refused


@pytest.mark.parametrize(
    ("question", "count"),
    [({"given": {"c3": 7}}, 144), ({"where": {"turns": 21}}, None), ({"visit_order": ["a1", "c3", "e5"]}, 56)],
)
def test_small_lists_are_counted(question, count):
    found = kt.count("5x5", **question)
    assert found == count or count is None
    plan = kt.plan("5x5", **question)
    assert (plan.method, plan.is_refused) == ("listing", False)


def test_command_prints_the_estimate_and_help(capsys):
    done = run("count", "8x8", "--where", "turns=40", capsys=capsys)
    assert done.code == 3
    assert "would have to be listed" in done.err
    assert "--timeout" in done.err
    done = run("count", "8x8", "--where", "turns=40", "--timeout", "0.1", capsys=capsys)
    assert done.code == 3
    assert done.err.startswith("note: about ")
    assert run("count", "8x8", "--where", "turns=40", "--plan", capsys=capsys).code == 0


def test_command_ends_a_search_in_a_long_list(capsys):
    done = run("solve", "6x6:king", "--where", "magic-rows=6", "--max-nodes", "1000", capsys=capsys)
    assert done.code == 3
    assert done.err.startswith("note: about ")
    assert "--timeout" in done.err
    assert "would have to be listed" in done.out
