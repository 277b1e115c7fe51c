"""The method straight: closed tours of large rectangles with few turns or few crossings."""

import pytest

import knightstour as kt
from helpers.checks import assert_is_tour
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import MethodError
from knightstour.lab.objectives import folds
from knightstour.lab.objectives.laying import KNIGHT, steps_within

# Turns more than 4 (rows + cols) that the corners may cost; 11 to 14 fewer were measured.
CORNERS = 0


def built(rows: int, cols: int, seed: int = 1, **question: object) -> kt.Tour:
    tour = kt.find_tour((rows, cols), closed=True, method="straight", rng=seed, limits=Limits(30), **question)
    assert_is_tour(tour.order, rows, cols, closed=True)
    return tour


@pytest.mark.long
@pytest.mark.parametrize(
    "size",
    [(20, 20), *(pytest.param(size, marks=pytest.mark.slow) for size in [(20, 21), (21, 20), (23, 46), (46, 23)])],
)
def test_turns_and_crossings_are_few(size: tuple[int, int]) -> None:
    rows, cols = size
    tour = built(rows, cols)
    assert tour.turns <= 4 * (rows + cols) + CORNERS
    wide, high = (cols, rows) if cols % 2 == 0 else (rows, cols)
    assert tour.crossings <= 6.25 * wide + 3 * high + 100


@pytest.mark.long
@pytest.mark.parametrize(
    "size",
    [(40, 40), *(pytest.param(size, marks=pytest.mark.slow) for size in [(20, 90), (90, 21), (21, 90), (46, 23)])],
)
def test_crossings_are_fewer_where_they_are_asked_for(size: tuple[int, int]) -> None:
    rows, cols = size
    tour = built(rows, cols, fewest="crossings")
    costs = []
    for high, wide in (size, size[::-1]):
        if wide % 2 == 0:
            costs.append((4.04 if wide <= 2 * high else 5.2) * wide + 3 * high)
    assert tour.crossings <= min(costs) + 60


@pytest.mark.parametrize(
    "size",
    [
        *(pytest.param(size, marks=pytest.mark.long) for size in [(120, 120), (118, 121)]),
        *(
            pytest.param(size, marks=pytest.mark.slow)
            for size in [(122, 150), (200, 120), (131, 124), (160, 400), (1000, 1000)]
        ),
        *(pytest.param((side, side), marks=pytest.mark.slow) for side in range(122, 166, 2)),
    ],
)
def test_lines_fold_on_large_boards(size: tuple[int, int]) -> None:
    rows, cols = sorted(size)
    assert built(*size, fewest="crossings").crossings <= 10 * rows / 3 + 3 * cols + 125


@pytest.mark.long
def test_an_objective_of_crossings_saves_crossings() -> None:
    result = kt.solve((40, 40), closed=True, objective="crossings", rng=1, limits=Limits(30))
    assert result.method == "straight" and result.tour is not None
    assert result.tour.crossings <= 7.04 * 40 + 60


@pytest.mark.slow
def test_a_million_squares_turn_less_than_eight_and_a_half_times_the_side() -> None:
    tour = built(1000, 1000)
    assert tour.turns <= 8_000 and tour.crossings <= 9_500


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "start"), [((20, 21), "c4"), pytest.param((20, 22), "j13", marks=pytest.mark.slow)], ids=str
)
def test_it_begins_where_it_should(size: tuple[int, int], start: str) -> None:
    assert built(*size, start=start).start == Board(*size).square(start)


@pytest.mark.parametrize(
    ("question", "reason"),
    [
        ({"board": (30, 30)}, "closed"),
        ({"board": (19, 30), "closed": True}, "at least 20"),
        ({"board": (21, 21), "closed": True}, "odd number"),
        ({"board": Board(30, 30, holes=[(4, 4), (4, 5)]), "closed": True}, "plain rectangles"),
    ],
    ids=str,
)
def test_it_says_where_it_does_not_apply(question: dict[str, object], reason: str) -> None:
    with pytest.raises(MethodError, match=reason):
        kt.solve(method="straight", **question)


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
