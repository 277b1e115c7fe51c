"""Lines that fold along the diagonals: the moves of every square that is not free."""

from __future__ import annotations

import pytest

from knightstour.core.model.board import Board
from knightstour.lab.objectives import folds, straight
from knightstour.lab.objectives.laying import KNIGHT, steps_within

SIZES = [(48, 48), (50, 51), (52, 90), (49, 50), (51, 66)]


def laid(size: tuple[int, int]) -> tuple[folds.Folded, set[tuple[int, int]], list[tuple[int, int]]]:
    """The lines, the free squares, and the others."""
    lines = folds.Folded(Board(*size))
    free = set(lines.free)
    return lines, free, [(r, c) for r in range(size[0]) for c in range(size[1]) if (r, c) not in free]


@pytest.mark.parametrize("size", SIZES)
def test_every_move_is_known_at_both_ends(size: tuple[int, int]) -> None:
    lines, free, others = laid(size)
    for row, col in others:
        one, other = lines.moves_at(row, col)
        assert one != other
        for step in (one, other):
            there = (row + step[0], col + step[1])
            assert step in KNIGHT and 0 <= there[0] < size[0] and 0 <= there[1] < size[1]
            assert there in free or (-step[0], -step[1]) in lines.moves_at(*there)


@pytest.mark.parametrize("size", SIZES)
def test_lines_go_straight_on_as_far_as_is_said(size: tuple[int, int]) -> None:
    lines, free, others = laid(size)
    longest = 0
    for row, col in others[::5]:
        for step in lines.moves_at(row, col):
            count = lines.straight_on(row, col, step)
            longest = max(longest, count)
            for k in range(1, count + 1):
                there = (row + k * step[0], col + k * step[1])
                assert there not in free
                assert set(lines.moves_at(*there)) == {step, (-step[0], -step[1])}
    assert longest >= 5


@pytest.mark.parametrize(
    "size",
    [
        *SIZES,
        *(
            pytest.param((rows, rows + more), marks=pytest.mark.slow)
            for rows in range(54, 102, 2)
            for more in (0, 1, 5, 12, 26, 51)
        ),
        *(
            pytest.param((rows, rows + more), marks=pytest.mark.slow)
            for rows in range(53, 101, 2)
            for more in (1, 7, 15)
        ),
    ],
)
def test_ways_between_free_squares_hold_all_others(size: tuple[int, int]) -> None:
    lines, free, others = laid(size)
    ways = straight.ways_of(lines)
    passed = [first + k * step for way in ways for first, step, count in way.runs for k in range(count)]
    assert sorted(passed) == [row * size[1] + col for row, col in others]
    assert all(place in free for way in ways for place in way.ends)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        ((48, 48), True),
        ((48, 49), True),
        ((48, 500), True),
        ((49, 50), True),
        ((49, 64), True),
        ((49, 66), False),
        ((50, 48), False),
        ((46, 46), False),
    ],
)
def test_what_boards_are_laid(size: tuple[int, int], expected: bool) -> None:
    assert folds.is_laid(Board(*size)) == expected


def test_steps_end_where_a_limit_does() -> None:
    assert steps_within([(0, 1, 10)], (0, 11), (1, -2)) == 0
    assert steps_within([(0, 1, 10), (1, 1, 12)], (0, 0), (1, 2)) == 4
