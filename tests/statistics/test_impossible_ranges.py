"""Tests of impossible ranges: proved immediately, in agreement with complete lists."""

import pytest

import knightstour as kt
from helpers.examples import mostly_long
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.problem import Problem
from knightstour.core.statistics.corners import _MOVES, longest_uncrossed, why_crossed
from knightstour.core.statistics.statistic import Size
from knightstour.lab.sequences.table import SEQUENCES

NO_TIME = Limits(seconds=None, nodes=1)
HUGE = 10**30


@pytest.mark.parametrize(
    ("board", "question"),
    [
        ("8x8", {"where": {"turns": (65, 99)}}),
        ("8x8", {"where": {"turns": (65, HUGE)}}),
        ("8x8", {"where": f"turns=65..{HUGE}"}),
        ("8x8", {"where": {"crossings": 0}}),
        ("8x8", {"where": {"crossings": 0}, "closed": True}),
        ("8x8", {"where": {"crossings": 0}, "start": "a1", "end": "h7"}),
        ("100x90", {"where": {"crossings": 0}}),
        ("8x8", {"where": {"crossings": 0, "visits": "37..64"}, "partial": True}),
        ("8x8", {"where": {"crossings": 0, "visits": "33..64"}, "partial": True, "closed": True}),
        ("7x7", {"where": {"visits": 49}, "partial": True, "closed": True}),
        ("8x8", {"where": {"turns": (0, 10)}, "closed": True}),
        ("10x10", {"where": {"inside=a1..b2": 5}}),
        ("10x10", {"where": {"among=a1-b3": 2}}),
        ("hex:4:wazir", {"where": {"turns": 500}}),
        *(("8x8", {"where": {name: (HUGE, HUGE)}, "closed": True}) for name in kt.STATISTICS),
    ],
)
def test_impossible_ranges_are_proved_at_once(board, question):
    result = kt.solve(board, **as_arguments(NO_TIME), **question)
    assert result.status is kt.Status.IMPOSSIBLE
    assert result.reason
    assert result.source
    assert kt.count(board, **question) == 0 if "partial" not in question else True


def test_ranges_with_huge_ends_are_met():
    assert kt.count("5x5", where={"turns": (15, HUGE)}) == 864
    assert kt.solve("8x8", where={"turns": (50, HUGE)}, seed=1).status is kt.Status.FOUND


def test_uncrossed_tours_of_kings_are_found():
    for closed in (False, True):
        assert kt.solve("4x4:king", closed=closed, where={"crossings": 0}).tour.crossings == 0


@pytest.mark.parametrize("closed", [False, True])
def test_known_lengths_match_the_sequences(closed):
    terms = SEQUENCES["A157416" if closed else "A003192"].entry.terms
    assert _MOVES[closed] == tuple(terms)
    assert longest_uncrossed(kt.Board(20, 20), closed=closed) is None
    assert longest_uncrossed(kt.Board("8x8:king"), closed=closed) is None


SMALL = ["3x4", "2x4:king", "2x4:wazir+dabbaba", "3x3:king", "3x4:king", "3x4:0,1+1,2", "4x4:wazir", "2x6:0,1+0,2"]


@pytest.mark.parametrize("word", mostly_long(SMALL, 4))
@pytest.mark.parametrize("closed", [False, True])
def test_bounds_and_arguments_agree_with_complete_lists(word, closed):
    board = kt.Board(word)
    tours = list(kt.iter_tours(board, closed=closed))
    if not tours:
        return
    found = kt.measure(tours, closed=closed)
    size = Size(board, closed, len(board))
    for name, values in found.items():
        row = kt.STATISTICS[name]
        bound = row.bound(size)
        assert bound is None or values.max() <= bound, name
        assert row.least is None or values.min() >= row.least(size), name
    if why_crossed(Problem(board, closed=closed)) is not None:
        assert found["crossings"].min() > 0
