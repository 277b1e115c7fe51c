"""Tests of the independent implementations: against published counts, and against each other."""

from helpers import reference


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
