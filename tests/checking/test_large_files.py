"""Files of tours that are larger than what is read at once: looked at part by part, with the same verdicts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.checking import reports

CLOSED = kt.find_tour("6x6", closed=True, rng=1)
OPEN = kt.find_tour("6x6", rng=2)


@pytest.mark.parametrize("rows", [1, 7, 64, 10**6])
def test_a_sample_is_checked_in_blocks_of_rows(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "_ROWS_AT_ONCE", rows)
    orders = kt.sample_tours("6x6", 100, closed=True, rng=3).orders.astype(np.uint8)
    orders[41, :2] = orders[41, 1::-1]
    np.save(tmp_path / "x.npy", orders)
    report = kt.check_tours(tmp_path / "x.npy", board="6x6", closed=True)
    assert (report.tour_count, report.closed_count, [one.number for one in report.faults]) == (100, 99, [42])


def test_diagrams_of_a_file_are_mapped_and_looked_at_one_by_one(tmp_path: Path) -> None:
    wrong = OPEN.numbers.copy()
    wrong[0, 0], wrong[5, 5] = wrong[5, 5], wrong[0, 0]
    np.save(tmp_path / "x.npy", np.stack([CLOSED.numbers, wrong, OPEN.numbers] * 5))
    report = kt.check_tours(tmp_path / "x.npy", start=CLOSED.start)
    assert (report.tour_count, report.closed_count) == (15, 5)
    assert [one.number for one in report.faults] == [2, 5, 8, 11, 14]
    assert [one.number for one in report.unmet] == [3, 6, 9, 12, 15]


def test_a_tour_that_is_larger_than_the_memory_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kt.stream_tour(kt.implicit_tour("1000x1000", closed=True), tmp_path / "x.npy")
    assert kt.check_tours(tmp_path / "x.npy").closed_count == 1
    monkeypatch.setattr("knightstour.core.machine.memory.available_bytes", lambda: 10**7)
    with pytest.raises(kt.KnightsTourError, match=r"a tour of 1,000,000 squares needs .* of memory"):
        kt.check_tours(tmp_path / "x.npy")


def test_a_path_that_no_system_takes_is_one_clear_error() -> None:
    for word in ("5x5\0", "5x5\0.npy"):
        with pytest.raises(kt.FormatError):
            kt.check_tours(word)
