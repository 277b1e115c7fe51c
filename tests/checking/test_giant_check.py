"""Giant `.npy` files are checked as small ones are, with the same verdict as a Tour made of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from knightstour import find_tour
from knightstour.core.checking import giant
from knightstour.core.checking.giant import BulkReport, check_npy, is_giant_npy
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.tour import Tour


@pytest.fixture(params=["many blocks", "one block"], autouse=True)
def blocks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Small boards in many blocks, so that every seam is passed."""
    if request.param == "many blocks":
        monkeypatch.setattr(giant, "_BLOCK_SQUARES", 12)
        monkeypatch.setattr(giant, "_BLOCK_COLS", 4)
        monkeypatch.setattr(giant, "_LIST_SQUARES", 7)


def report_on(folder: Path, array: Any, board: Board | None = None, threads: int = 2) -> BulkReport:
    path = folder / "tour.npy"
    np.save(path, array)
    (report,) = check_npy(path, board, threads=threads)
    return report


TOURS = [implicit_tour((6, 7)), implicit_tour((10, 8), closed=True), implicit_tour((3, 25)), implicit_tour((27, 5))]


@pytest.mark.long
@pytest.mark.parametrize("tour", TOURS, ids=str)
@pytest.mark.parametrize("dtype", [np.int32, np.int64, np.uint8, np.int16, np.uint32])
def test_diagrams_of_tours_are_valid(tmp_path: Path, tour: Any, dtype: Any) -> None:
    diagram = tour.numbers().astype(dtype)
    for array in (diagram, diagram[None]):
        report = report_on(tmp_path, array)
        assert report.is_valid and report.is_closed == tour.is_closed
        assert (report.start, report.end) == (tour.square_at(0), tour.square_at(tour.length - 1))
        assert report.board == tour.board
    assert report_on(tmp_path, np.asfortranarray(diagram), tour.board, threads=1).is_valid


@pytest.mark.parametrize("tour", TOURS, ids=str)
def test_lists_of_tours_are_valid(tmp_path: Path, tour: Any) -> None:
    squares = tour.window(0, tour.length)
    ends = (tour.square_at(0), tour.square_at(tour.length - 1))
    for report in (
        report_on(tmp_path, squares.astype(np.int32)),
        report_on(tmp_path, squares[None]),
        report_on(tmp_path, tour.order(), tour.board),
    ):
        assert report.is_valid and report.is_closed == tour.is_closed and (report.start, report.end) == ends


def test_several_tours_are_reported_one_by_one(tmp_path: Path) -> None:
    one = implicit_tour((6, 6), closed=True).numbers()
    np.save(tmp_path / "tours.npy", np.stack([one, one[::-1], np.ones_like(one)]))
    assert [report.is_valid for report in check_npy(tmp_path / "tours.npy")] == [True, True, False]


@pytest.mark.parametrize("seed", range(60))
def test_the_verdict_on_a_spoilt_diagram_is_that_of_a_tour(tmp_path: Path, seed: int) -> None:
    rng = np.random.default_rng(seed)
    diagram = implicit_tour((7, 8), closed=True).numbers(dtype=np.int64)
    flat = diagram.reshape(-1)
    for _ in range(rng.integers(1, 3)):
        a, b = rng.integers(0, 56, 2)
        match rng.integers(0, 5):
            case 0:
                flat[a], flat[b] = flat[b], flat[a]
            case 1:
                flat[a] = flat[b]
            case 2:
                flat[a] = rng.integers(-2, 60)
            case 3:
                flat[:] = flat % 56 + 1
            case 4:
                flat[:] = 57 - flat
    report = report_on(tmp_path, diagram.astype(np.int32), Board(7, 8))
    try:
        tour = Tour.from_numbers(diagram, board=Board(7, 8))
        assert report.is_valid, report.fault
        assert (report.is_closed, report.start, report.end) == (tour.is_closed, tour.start, tour.end)
    except InvalidTour:
        assert not report.is_valid


@pytest.mark.parametrize(
    ("spoil", "text", "step"),
    [
        (lambda d: d.__setitem__(d == 5, 6), "number 5 is missing", 4),
        (lambda d: d.__setitem__(d == 1, 2), "number 1 is missing", 0),
        (lambda d: d.__setitem__(d == 42, 1), "number 1 is there twice", 1),
        (lambda d: d.__setitem__(d == 9, 99), "number 99 at row", None),
        (lambda d: d.__setitem__(d == 9, -3), "number -3 at row", None),
        (lambda d: d.__setitem__((0, 0), 0), "has no number", None),
        (lambda d: d.__setitem__(slice(None), np.arange(1, 43).reshape(6, 7)), "step 1 (number 2): b6 is no move", 1),
    ],
)
def test_faults_of_diagrams_are_named(tmp_path: Path, spoil: Any, text: str, step: int | None) -> None:
    diagram = implicit_tour((6, 7)).numbers()
    spoil(diagram)
    fault = report_on(tmp_path, diagram, Board(6, 7)).fault
    assert fault is not None and text in str(fault)
    assert fault.step == step


def test_holes_are_zeros(tmp_path: Path) -> None:
    with_hole = implicit_tour((6, 6)).numbers()
    last = [tuple(np.argwhere(with_hole == number)[0].tolist()) for number in (35, 36)]
    with_hole[with_hole > 34] = 0
    report = report_on(tmp_path, with_hole)
    assert report.is_valid and report.board == Board(6, 6, holes=last)
    assert report_on(tmp_path, with_hole, Board(6, 6, holes=last)).is_valid
    assert not report_on(tmp_path, with_hole, Board(6, 6)).is_valid
    fault = report_on(tmp_path, implicit_tour((6, 6)).numbers(), Board(6, 6, holes=last)).fault
    assert fault is not None
    with pytest.raises(FormatError, match="no number"):
        report_on(tmp_path, np.zeros((4, 4), dtype=int))


def test_other_leapers_need_the_board(tmp_path: Path) -> None:
    wazir = np.array([[1, 2, 3], [6, 5, 4], [7, 8, 9]])
    assert report_on(tmp_path, wazir, Board(3, 3, leaper=(0, 1))).is_valid
    assert not report_on(tmp_path, wazir).is_valid
    order = np.argsort(wazir.reshape(-1))
    assert report_on(tmp_path, order, Board(3, 3, leaper=(0, 1))).is_valid
    assert not report_on(tmp_path, order, Board(3, 3)).is_valid


@pytest.mark.parametrize(
    ("spoil", "text", "step"),
    [
        (lambda s: s[:-1], "only 41 of 42 squares", 41),
        (lambda s: np.concatenate([s[:9], s[8:41]]), "is no move", 9),
        (lambda s: np.concatenate([s[:10], s[8:9], s[11:]]), "for the second time", 10),
        (lambda s: np.concatenate([s[:20], [[-1, 3]], s[21:]]), "is not on the", 20),
    ],
)
def test_faults_of_lists_are_named(tmp_path: Path, spoil: Any, text: str, step: int) -> None:
    squares = implicit_tour((6, 7)).window(0, 42)
    np.save(tmp_path / "tour.npy", spoil(squares))
    (report,) = (
        [giant._list_report(np.load(tmp_path / "tour.npy"), Board(6, 7))]
        if len(spoil(squares)) != 42
        else check_npy(tmp_path / "tour.npy", Board(6, 7))
    )
    assert report.fault is not None and text in str(report.fault) and report.fault.step == step


def test_reports_have_a_text_for_people_and_a_record_for_programs(tmp_path: Path) -> None:
    report = report_on(tmp_path, implicit_tour((6, 6), closed=True).numbers())
    assert report.to_text(1) == "tour 1: valid closed tour of the 6x6 board, b5 to a3"
    assert report.to_dict(1) == {
        "tour": 1,
        "valid": True,
        "board": "6x6",
        "closed": True,
        "start": "b5",
        "end": "a3",
    }
    wrong = report_on(tmp_path, np.ones((6, 6), dtype=int))
    assert wrong.to_text(2) == "tour 2: invalid: number 2 is missing"
    assert wrong.to_dict(2) == {"tour": 2, "valid": False, "fault": "number 2 is missing", "step": 1}


def test_files_that_hold_no_tours_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    for array, board in [
        (np.ones((3, 3)), None),
        (np.ones(9, dtype=int), None),
        (np.ones((2, 3, 4, 5), dtype=int), None),
        (np.ones((4, 4), dtype=int), Board(5, 5)),
        (np.ones((4, 4), dtype=int), Board(4, 4, wrap="torus")),
    ]:
        np.save(path, array)
        with pytest.raises(FormatError):
            list(check_npy(path, board))
    for content in (b"", b"\x93NUMPY nonsense", b"1 2 3"):
        path.write_bytes(content)
        assert not is_giant_npy(path)
        with pytest.raises(FormatError):
            list(check_npy(path))
    with pytest.raises(FormatError):
        list(check_npy(tmp_path / "nowhere.npy"))
    assert not is_giant_npy(tmp_path / "nowhere.npy")


def test_a_file_is_giant_by_the_squares_of_one_tour(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(giant, "GIANT_FROM", 100)
    for shape, is_giant in [((9, 9), False), ((10, 10), True), ((5, 9, 9), False), ((1, 10, 10), True)]:
        np.save(tmp_path / "x.npy", np.ones(shape, dtype=np.int32))
        assert is_giant_npy(tmp_path / "x.npy") is is_giant


def test_progress_is_reported(tmp_path: Path) -> None:
    np.save(tmp_path / "x.npy", implicit_tour((6, 6)).numbers())
    said: list[tuple[int, int]] = []
    list(
        check_npy(tmp_path / "x.npy", threads=1, on_progress=lambda told_of: said.append((told_of.done, told_of.total)))
    )
    assert said[-1] == (36, 36) and said == sorted(said)


@pytest.mark.parametrize("tour", TOURS, ids=str)
@pytest.mark.parametrize("dtype", [np.int32, np.uint8, np.int64])
def test_diagrams_that_count_from_0_are_tours(tmp_path: Path, tour: Any, dtype: Any) -> None:
    diagram = (tour.numbers() - 1).astype(dtype)
    for board in (None, tour.board):
        report = report_on(tmp_path, diagram, board)
        assert report.is_valid and report.is_closed == tour.is_closed and report.board == tour.board
        assert (report.start, report.end) == (tour.square_at(0), tour.square_at(tour.length - 1))


def test_a_fault_in_a_diagram_from_0_is_named_in_its_own_numbers(tmp_path: Path) -> None:
    diagram = TOURS[0].numbers().astype(np.int64) - 1
    spoilt = np.where(diagram == 7, 8, np.where(diagram == 8, 7, diagram))
    report = report_on(tmp_path, spoilt)
    with pytest.raises(InvalidTour) as caught:
        Tour.from_numbers(spoilt)
    assert report.fault is not None and report.fault.step == caught.value.step
    assert "(number 7)" in str(report.fault) and report.fault.help.startswith("if the 0 marks a hole, give the board")


def test_a_hole_is_minus_1_or_a_0_on_a_hole_of_the_board(tmp_path: Path) -> None:
    board = Board(5, 5, holes=["a1"])
    tour = find_tour(board, start="c3")
    numbers = tour.numbers
    assert report_on(tmp_path, np.where(numbers == 0, -1, numbers)).board == board
    assert report_on(tmp_path, np.where(numbers == 0, -1, numbers)).is_valid
    assert report_on(tmp_path, np.where(numbers == 0, -1, numbers - 1)).is_valid
    assert report_on(tmp_path, numbers, board).is_valid
    assert not report_on(tmp_path, numbers).is_valid
