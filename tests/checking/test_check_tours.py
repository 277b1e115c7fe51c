"""Tests of checks of all tours in a file or array: each fault with its position, also by the command."""

import io
from pathlib import Path

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.checking import reports
from knightstour.core.model.board import title_of

TOUR = kt.find_tour((5, 6), closed=True)
OTHER = kt.find_tour((5, 6), start="a1", method="backtracking")


def wrong_grid() -> np.ndarray:
    """Return a diagram with the number 2 twice."""
    grid = TOUR.numbers.copy()
    grid[grid == 3] = 2
    return grid


def diagrams() -> np.ndarray:
    return np.array([TOUR.numbers, wrong_grid(), OTHER.numbers])


@pytest.mark.parametrize("name", ["tours.npy", "tours.txt", "array"])
def test_a_wrong_diagram_does_not_hide_those_after_it(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name == "tours.npy":
        np.save(path, diagrams())
    elif name == "tours.txt":
        path.write_text("\n\n".join("\n".join(" ".join(map(str, row)) for row in grid) for grid in diagrams().tolist()))
    report = kt.check(diagrams() if name == "array" else path)
    assert (report.tour_count, report.closed_count, report.is_valid) == (3, TOUR.is_closed + OTHER.is_closed, False)
    (fault,) = report.faults
    assert fault.number == 2 and "2 is there twice" in str(fault.error)


def test_streams_lists_of_squares_and_single_diagrams_are_taken() -> None:
    assert kt.check(io.StringIO(str(TOUR))).closed_count == 1
    assert kt.check(np.array([TOUR.squares, OTHER.squares])).tour_count == 2
    assert kt.check(TOUR.numbers).is_valid


@pytest.mark.parametrize("board", ["5x5", "8x8:torus", "hex:4", "4x4x4", "6x6:king"])
def test_a_tour_is_checked_as_an_object(board: str) -> None:
    tour = kt.find_tour(board, seed=1)
    assert kt.check(tour).is_valid and kt.check(tour, board).is_valid and kt.check(tour, start=tour.start).is_valid
    assert kt.check(tour, closed=True).is_valid == tour.is_closed
    report = kt.check(tour, "7x7")
    assert not report.is_valid and [unmet.reason for unmet in report.unmet] == [
        f"it is a tour of the {title_of(tour.board)}, not of the 7x7 board"
    ]


@pytest.mark.parametrize("tours", [np.zeros((2, 5, 6)), np.zeros((3, 30), dtype=np.int64), io.StringIO("hello")])
def test_input_without_tours_is_an_error(tours: object) -> None:
    with pytest.raises(kt.FormatError):
        kt.check(tours)  # type: ignore[arg-type]


@pytest.mark.parametrize("tours", [7, {1: 2}, None, kt.check])
def test_value_of_another_type_is_refused(tours: object) -> None:
    with pytest.raises(TypeError, match="cannot check tours in"):
        kt.check(tours)  # type: ignore[arg-type]


# ---------------------------------------------------------------- large files


CLOSED_6X6 = kt.find_tour("6x6", closed=True, seed=1)
OPEN_6X6 = kt.find_tour("6x6", seed=2)


@pytest.mark.parametrize("rows", [1, 7, 64, 10**6])
def test_a_sample_is_checked_in_blocks_of_rows(rows: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "_ROWS_AT_ONCE", rows)
    orders = kt.sample("6x6", 100, closed=True, seed=3).orders.astype(np.uint8)
    orders[41, :2] = orders[41, 1::-1]
    np.save(tmp_path / "x.npy", orders)
    report = kt.check(tmp_path / "x.npy", board="6x6", closed=True)
    assert (report.tour_count, report.closed_count, [one.number for one in report.faults]) == (100, 99, [42])


def test_diagrams_of_a_file_are_mapped_lazily(tmp_path: Path) -> None:
    wrong = OPEN_6X6.numbers.copy()
    wrong[0, 0], wrong[5, 5] = wrong[5, 5], wrong[0, 0]
    np.save(tmp_path / "x.npy", np.stack([CLOSED_6X6.numbers, wrong, OPEN_6X6.numbers] * 5))
    report = kt.check(tmp_path / "x.npy", start=CLOSED_6X6.start)
    assert (report.tour_count, report.closed_count) == (15, 5)
    assert [one.number for one in report.faults] == [2, 5, 8, 11, 14]
    assert [one.number for one in report.unmet] == [3, 6, 9, 12, 15]


def test_rejects_tour_larger_than_memory_before_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kt.constructions.stream_tour(kt.constructions.implicit_tour("1000x1000", closed=True), tmp_path / "x.npy")
    assert kt.check(tmp_path / "x.npy").closed_count == 1
    monkeypatch.setattr("knightstour.core.machine.memory.available_bytes", lambda: 10**7)
    with pytest.raises(kt.KnightsTourError, match=r"a tour of 1,000,000 squares needs .* of memory"):
        kt.check(tmp_path / "x.npy")
