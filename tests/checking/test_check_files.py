"""Many files at once, as of a class: a row for each, on the command line and in Python."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import run

OPEN = kt.find_tour((5, 5), start="c3", method="backtracking", prune="all")
CLOSED = kt.find_tour((6, 6), closed=True, rng=1)


@pytest.fixture
def homework(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of each kind, and one that is hidden."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "homework"
    folder.mkdir()
    kt.write_tours(folder / "ada.txt", OPEN)
    kt.write_tours(folder / "bob.npy", CLOSED)
    wrong = CLOSED.squares.copy()
    wrong[[7, 8]] = wrong[[8, 7]]
    (folder / "cleo.txt").write_text(" ".join(CLOSED.board.name((r, c)) for r, c in wrong.tolist()))
    (folder / "dan.txt").write_text("I did not find one.\n")
    kt.write_tours(folder / "eve.txt", [OPEN, OPEN.reversed()])
    (folder / ".DS_Store").write_text("hidden")
    (tmp_path / "shape.txt").write_text("........\n" * 8)
    return folder


ROWS = [
    ("ada.txt", "valid", "open", "5x5", 1, None),
    ("bob.npy", "valid", "closed", "6x6", 1, None),
    ("cleo.txt", "invalid", "", "6x6", 1, 7),
    ("dan.txt", "unreadable", "", "", 0, None),
    ("eve.txt", "valid", "open", "5x5", 2, None),
]


def rows_of(report: kt.typing.CheckReport) -> list[tuple[str, str, str, str, int, int | None]]:
    return [(Path(row.file).name, row.verdict, row.kind, row.board, row.tours, row.step) for row in report]


def test_a_folder_and_a_list_of_its_files_have_a_row_for_each(homework: Path) -> None:
    names = sorted(path for path in homework.iterdir() if path.name[0] != ".")
    for report in (kt.check_tours(homework), kt.check_tours(names), kt.check_tours([str(name) for name in names])):
        assert rows_of(report) == ROWS
        assert not report.is_valid and (report.tour_count, report.closed_count) == (5, 1)
        (fault,) = report.faults
        assert (fault.number, fault.file) == (1, str(homework / "cleo.txt"))
        cleo = list(report)[2]
        assert cleo.square == CLOSED.board.name(tuple(CLOSED.squares[8].tolist())) and cleo.reason == str(fault.error)
        assert report.to_text() == "5 files: 3 valid, 1 invalid, 1 unreadable; 2 of the 5 tours came before"


def test_the_command_prints_the_rows_as_lines_csv_and_json(homework: Path, capsys: pytest.CaptureFixture[str]) -> None:
    report = kt.check_tours("homework")
    code, out, err = run("check", "homework", capsys=capsys)
    assert (code, out.splitlines()) == (2, [row.to_text() for row in report]) and report.to_text() in err
    assert out.splitlines()[0] == f"{Path('homework') / 'ada.txt'}: valid: open, 5x5"
    code, out, _ = run("check", "homework", "--json", capsys=capsys)
    assert [json.loads(line) for line in out.splitlines()] == [row.to_dict() for row in report]
    code, out, _ = run("check", "homework", "--csv", capsys=capsys)
    printed = list(csv.DictReader(io.StringIO(out)))
    plain = {None: ""}
    assert printed == [{name: str(plain.get(v, v)) for name, v in row.to_dict().items()} for row in report]
    assert list(printed[0]) == ["file", "verdict", "kind", "board", "tours", "step", "square", "reason"]


@pytest.mark.parametrize(
    ("names", "code"), [("ada bob", 0), ("ada cleo", 1), ("ada dan", 2), ("cleo dan", 2), ("nobody ada", 2)]
)
def test_the_exit_code_says_the_worst(
    names: str, code: int, homework: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {path.stem: str(path) for path in homework.iterdir()}
    found, out, err = run("check", *(files.get(name, name) for name in names.split()), capsys=capsys)
    assert found == code and len(out.splitlines()) == 2 and "2 files" in err


@pytest.mark.parametrize("name", ["ada.txt", "bob.npy"])
@pytest.mark.parametrize("words", [["8x8"], ["shape.txt"], ["shape.txt:1,2"]])
def test_a_tour_of_another_board_is_not_as_demanded(
    name: str, words: list[str], homework: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board = str(OPEN.board if name == "ada.txt" else CLOSED.board)
    why = f"is of the {board} board, not of the 8x8 board"
    path = homework / name
    (unmet,) = kt.check_tours(path, board="8x8").unmet
    assert unmet.reason == why
    code, out, _ = run("check", str(path), *words, capsys=capsys)
    assert code == 1 and out.startswith(f"tour 1: valid, but {why}: ")
    code, out, _ = run("check", str(path), str(path), *words, "--json", capsys=capsys)
    (one, two) = map(json.loads, out.splitlines())
    assert code == 1 and one == two and (one["verdict"], one["reason"]) == ("not as demanded", why)


def test_a_stream_of_another_board_and_a_file_of_two_boards() -> None:
    text = f"{OPEN}\n{kt.find_tour((6, 6), rng=3)}\n"
    report = kt.check_tours(io.StringIO(text), board="5x5")
    assert [one.number for one in report.unmet] == [2] and report.tour_count == 2 and not report.faults
    report = kt.check_tours(io.StringIO(str(OPEN)), board="6x6")
    assert [one.number for one in report.unmet] == [1]
    with pytest.raises(kt.FormatError, match="hello"):
        kt.check_tours(io.StringIO("hello there"), board="6x6")


def test_tours_that_came_before_are_counted_from_any_start_and_in_either_direction() -> None:
    tours = np.array([CLOSED.squares, CLOSED.shifted(5).squares, CLOSED.reversed().squares, CLOSED.rotated(90).squares])
    assert kt.check_tours(tours).repeat_count == 2
    assert kt.check_tours(np.array([OPEN.squares, OPEN.reversed().squares])).repeat_count == 1
    assert kt.check_tours(OPEN.numbers).repeat_count == 0
    assert kt.check_tours(kt.sample_tours("6x6", 3, rng=1)).repeat_count is None


def test_an_array_has_one_row_and_a_report_is_a_dictionary() -> None:
    report = kt.check_tours(CLOSED.numbers)
    assert rows_of(report) == [("", "valid", "closed", "6x6", 1, None)]
    assert report.to_dict()["files"] == [row.to_dict() for row in report] and report.to_dict()["valid"] is True


def test_a_folder_without_files_and_one_with_parts_of_a_board_are_errors(
    tmp_path: Path, homework: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(kt.FormatError, match="the folder holds no file"):
        kt.check_tours(tmp_path / "empty")
    assert run("check", str(tmp_path / "empty"), capsys=capsys)[0] == 2
    code, _, err = run("check", "homework:torus", capsys=capsys)
    assert code == 2 and "homework" in err and "Traceback" not in err
