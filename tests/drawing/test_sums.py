"""Sums of rows, columns and long diagonals round the numbers of a picture."""

import re
from typing import Any

import pytest

import knightstour as kt

ROWS = [[1, 26, 3, 18, 7, 24, 9], [14, 17, 12, 25, 10, 21, 6], [27, 2, 15, 4, 19, 8, 23], [16, 13, 28, 11, 22, 5, 20]]
TOUR = kt.Tour.from_numbers(ROWS)


def sums_of(picture: str) -> list[tuple[float, float, int]]:
    """(x, y, sum) of what is written right of the board and above it, in squares, rounded to halves."""
    found = re.findall(r'<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>(\d+)</text>', picture)
    return [(round(2 * float(x) / 40) / 2, round(2 * (float(y) - 5) / 40) / 2, int(text)) for x, y, text in found]


def test_row_sums_are_right_and_column_sums_above() -> None:
    plain = kt.draw_svg(TOUR, style="numbers")
    picture = kt.draw_svg(TOUR, style="numbers", sums=True, coordinates=False)
    written = sums_of(picture)
    assert sorted(total for _, _, total in written) == sorted([88, 105, 98, 115] + [58] * 7)
    assert [total for x, _, total in written if x > 7] == [88, 105, 98, 115]
    assert {total for _, y, total in written if y < 0} == {58}
    assert "58</text>" not in plain


def test_square_boards_have_sums_of_both_diagonals() -> None:
    tour = kt.find_tour("5x5", seed=1)
    numbers = tour.numbers
    written = [total for _, _, total in sums_of(kt.draw_svg(tour, style="numbers", sums=True, coordinates=False))]
    rising = sum(int(numbers[4 - k, k]) for k in range(5))
    assert written[-2:] == [rising, int(numbers.trace())] and len(written) == 12


@pytest.mark.parametrize(
    ("subject", "options", "message"),
    [
        (TOUR, {"style": "numbers", "window": (0, 0, 3, 3)}, "of a whole tour"),
        ("4x7", {"style": "numbers"}, "of a whole tour"),
        (TOUR, {"style": "plotter", "numbers": 1}, "does not use sums"),
        (TOUR, {"style": "numbers", "sums": "yes"}, "sums"),
    ],
)
def test_sums_that_make_no_sense_are_refused(subject: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(kt.FormatError, match=message):
        kt.draw_svg(subject, **{"sums": True, **options})
    with pytest.raises(kt.FormatError, match="has no sums"):
        kt.animate(TOUR, style="numbers", sums=True)
