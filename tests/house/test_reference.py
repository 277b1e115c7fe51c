"""The second opinion must be right itself: against published counts, and its parts against each other."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers import reference
from helpers.reference import Spec, adjacency


@pytest.mark.parametrize("most_squares", [30, pytest.param(36, marks=pytest.mark.slow)])
def test_the_closed_tours_are_as_many_as_published(published: Any, most_squares: int) -> None:
    checked = 0
    for row in published["tours"]:
        rows, cols = row["board"]
        if row["closed"] and rows * cols <= most_squares:
            found = reference.closed_tours(adjacency(Spec(rows, cols)))
            assert len(found) == row["count"] * (2 if row["directed"] else 1)
            assert len({frozenset(reference.moves_of(t, True)) for t in found}) == len(found)
            checked += 1
    assert checked >= 2


def test_the_open_tours_of_3x4_are_eight() -> None:
    assert reference.count_tours(adjacency(Spec(3, 4)), directed=True) == 16
    assert reference.count_tours(adjacency(Spec(3, 4))) == 8
    assert reference.count_tours(adjacency(Spec(1, 1))) == 1
    assert reference.count_tours(adjacency(Spec(1, 1)), closed=True) == 0


@given(st.integers(1, 8), st.sets(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=20), st.data())
def test_table_and_recursion_agree_on_any_graph(count: int, pairs: set[tuple[int, int]], data: st.DataObject) -> None:
    adjacent: reference.Adjacency = {i: set() for i in range(count)}
    for a, b in pairs:
        if a % count != b % count:
            adjacent[a % count].add(b % count)
            adjacent[b % count].add(a % count)
    start = data.draw(st.none() | st.integers(0, count - 1))
    end = data.draw(st.none() | st.integers(0, count - 1))
    every = list(reference.all_tours(adjacent, start=start, end=end))
    assert reference.has_tour(adjacent, start=start, end=end) == bool(every)
    assert all(reference.is_tour(adjacent, t, start=start, end=end) for t in every)
    cycles = list(reference.all_tours(adjacent, closed=True, start=start))
    assert reference.has_tour(adjacent, closed=True, start=start) == bool(cycles)
    # Both directions, whatever the start.
    assert len(cycles) == 2 * len(reference.closed_tours(adjacent))


def test_each_fault_is_seen() -> None:
    adjacent = {1: {2, 3}, 2: {1, 3}, 3: {1, 2, 4}, 4: {3}}
    fault = reference.tour_fault
    assert fault(adjacent, [1, 2, 3, 4]) is None
    assert fault(adjacent, [1, 5]) == (1, "off")
    assert fault(adjacent, [1, 2, 1]) == (2, "repeat")
    assert fault(adjacent, [1, 4]) == (1, "illegal")
    assert fault(adjacent, [1, 2]) == (2, "missing")
    assert fault(adjacent, [1, 2, 3, 4], closed=True) == (4, "open")
    assert fault(adjacent, [1, 2, 3, 4], start=2) == (0, "start")
    assert fault(adjacent, [1, 2, 3, 4], end=2) == (3, "end")


def test_segments_cross_as_the_eye_sees_it() -> None:
    cross = reference.do_cross
    assert cross((0, 0), (2, 2), (0, 2), (2, 0))
    assert not cross((0, 0), (1, 2), (1, 2), (2, 4))  # a common end, straight on
    assert not cross((0, 0), (1, 2), (0, 0), (2, 1))  # a common end, at an angle
    assert cross((0, 0), (2, 4), (1, 2), (3, 0))  # an end within the other
    assert cross((0, 0), (2, 4), (1, 2), (3, 6))  # overlapping
    assert not cross((0, 0), (2, 4), (3, 6), (5, 10))  # on one line, apart
    assert not cross((0, 0), (1, 2), (1, 0), (2, 2))  # parallel
