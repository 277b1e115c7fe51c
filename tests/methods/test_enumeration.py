"""Tests of iter_tours: boards and ranges for which an argument proves that there is no tour."""

import pytest

import knightstour as kt

# Without the proof each of these would search for years.
_IMPOSSIBLE: list[tuple[str, dict[str, object]]] = [
    ("8x8", {"where": {"turns": 200}}),
    ("8x8", {"where": {"turns": (63, 90)}}),
    ("41x41", {"closed": True}),
    ("41x41", {"start": (0, 1)}),
    ("4x40", {"closed": True}),
]


@pytest.mark.parametrize(("board", "conditions"), _IMPOSSIBLE)
def test_listing_of_impossible_problem_is_empty(board: str, conditions: dict[str, object]) -> None:
    assert list(kt.iter_tours(board, **conditions)) == []
