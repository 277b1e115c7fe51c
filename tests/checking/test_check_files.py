"""Tests of many files at once, and of demands on tours, on the command line and in Python."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import Run
from helpers.solving import find_with

OPEN = find_with((5, 5), start="c3", method="backtracking", settings={"prune": "all"})
CLOSED = kt.find_tour((6, 6), closed=True, seed=1)


@pytest.fixture
def homework(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a file of each kind, and a hidden one."""
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "homework"
    folder.mkdir()
    kt.write_tours(folder / "ada.txt", OPEN)
    kt.write_tours(folder / "bob.npy", CLOSED)
    wrong = CLOSED.squares.copy()
    wrong[[7, 8]] = wrong[[8, 7]]
    (folder / "cleo.txt").write_text(" ".join(CLOSED.board.square_name((r, c)) for r, c in wrong.tolist()))
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


def test_folder_and_list_of_its_files_have_equal_rows(homework: Path) -> None:
    names = sorted(path for path in homework.iterdir() if path.name[0] != ".")
    for report in (kt.check(homework), kt.check(names), kt.check([str(name) for name in names])):
        assert rows_of(report) == ROWS
        assert not report.is_valid and (report.tour_count, report.closed_count) == (5, 1)
        (fault,) = report.faults
        assert (fault.number, fault.file) == (1, str(homework / "cleo.txt"))
        cleo = list(report)[2]
        assert cleo.square == CLOSED.board.square_name(tuple(CLOSED.squares[8].tolist())) and cleo.reason == str(
            fault.error
        )
        assert report.to_text() == "5 files: 3 valid, 1 invalid, 1 unreadable; 2 of the 5 tours came before"


def test_the_command_prints_the_rows_as_lines_csv_and_json(homework: Path, run: Run) -> None:
    report = kt.check("homework")
    code, out, err = run("check", "homework")
    assert (code, out.splitlines()) == (2, [row.to_text() for row in report]) and report.to_text() in err
    assert out.splitlines()[0] == f"{Path('homework') / 'ada.txt'}: valid: open, 5x5"
    code, out, _ = run("check", "homework", "--json")
    assert [json.loads(line) for line in out.splitlines()] == [row.to_dict() for row in report]
    code, out, _ = run("check", "homework", "--csv")
    printed = list(csv.DictReader(io.StringIO(out)))
    plain = {None: ""}
    assert printed == [{name: str(plain.get(v, v)) for name, v in row.to_dict().items()} for row in report]
    assert list(printed[0]) == ["file", "verdict", "kind", "board", "tours", "step", "square", "reason"]


@pytest.mark.parametrize(
    ("names", "code"), [("ada bob", 0), ("ada cleo", 1), ("ada dan", 2), ("cleo dan", 2), ("nobody ada", 2)]
)
def test_exit_code_reports_the_worst_result(names: str, code: int, homework: Path, run: Run) -> None:
    files = {path.stem: str(path) for path in homework.iterdir()}
    found, out, err = run("check", *(files.get(name, name) for name in names.split()))
    assert found == code and len(out.splitlines()) == 2 and "2 files" in err


@pytest.mark.parametrize("name", ["ada.txt", "bob.npy"])
@pytest.mark.parametrize("words", [["8x8"], ["shape.txt"], ["shape.txt:1,2"]])
def test_a_tour_of_another_board_is_not_as_demanded(name: str, words: list[str], homework: Path, run: Run) -> None:
    board = str(OPEN.board if name == "ada.txt" else CLOSED.board)
    why = f"it is a tour of the {board} board, not of the 8x8 board"
    path = homework / name
    (unmet,) = kt.check(path, board="8x8").unmet
    assert unmet.reason == why
    code, out, _ = run("check", str(path), *words)
    assert code == 1 and out.startswith(f"tour 1: not as demanded: {why}; valid ")
    code, out, _ = run("check", str(path), str(path), *words, "--json")
    (one, two) = map(json.loads, out.splitlines())
    assert code == 1 and one == two and (one["verdict"], one["reason"]) == ("not as demanded", why)


def test_stream_rejects_another_board_and_mixed_boards() -> None:
    text = f"{OPEN}\n{kt.find_tour((6, 6), seed=3)}\n"
    report = kt.check(io.StringIO(text), board="5x5")
    assert [one.number for one in report.unmet] == [2] and report.tour_count == 2 and not report.faults
    report = kt.check(io.StringIO(str(OPEN)), board="6x6")
    assert [one.number for one in report.unmet] == [1]
    with pytest.raises(kt.FormatError, match="hello"):
        kt.check(io.StringIO("hello there"), board="6x6")


def test_earlier_tours_are_recognised_from_any_start_and_direction() -> None:
    tours = np.array([CLOSED.squares, CLOSED.shifted(5).squares, CLOSED.reversed().squares, CLOSED.rotated(90).squares])
    assert kt.check(tours).repeat_count == 2
    assert kt.check(np.array([OPEN.squares, OPEN.reversed().squares])).repeat_count == 1
    assert kt.check(OPEN.numbers).repeat_count == 0
    assert kt.check(kt.sample("6x6", 3, seed=1)).repeat_count is None


def test_array_has_one_row_and_report_is_a_dict() -> None:
    report = kt.check(CLOSED.numbers)
    assert rows_of(report) == [("", "valid", "closed", "6x6", 1, None)]
    assert report.to_dict()["files"] == [row.to_dict() for row in report] and report.to_dict()["valid"] is True


def test_rejects_empty_folders_and_folders_with_partial_boards(tmp_path: Path, homework: Path, run: Run) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(kt.FormatError, match="the folder contains no files"):
        kt.check(tmp_path / "empty")
    assert run("check", str(tmp_path / "empty"))[0] == 2
    code, _, err = run("check", "homework:torus")
    assert code == 2 and "homework" in err and "Traceback" not in err


# ---------------------------------------------------------------- demands


OPEN_5X5 = find_with((5, 5), start="c3", end="a1", method="backtracking", settings={"prune": "all"})
CLOSED_5X6 = kt.find_tour((5, 6), closed=True, start="b3", seed=1)

DEMANDS: list[tuple[kt.Tour, dict[str, Any], str]] = [
    (OPEN_5X5, {"start": "c3"}, ""),
    (OPEN_5X5, {"start": (2, 2), "end": "a1"}, ""),
    (OPEN_5X5, {"start": "a1"}, "it starts at c3, not a1"),
    (OPEN_5X5, {"end": "e5"}, "it ends at a1, not e5"),
    (OPEN_5X5, {"start": "a1", "end": "c3"}, "it starts at c3, not a1, and ends at a1, not c3"),
    (OPEN_5X5, {"closed": True}, "it is open, not closed"),
    (OPEN_5X5, {"start": "e5", "closed": True}, "it starts at c3, not e5, and is open, not closed"),
    (CLOSED_5X6, {"closed": True}, ""),
    (CLOSED_5X6, {"closed": True, "start": "b3"}, ""),
    (CLOSED_5X6, {"closed": True, "start": "a1"}, "it starts at b3, not a1"),
]


def words(demands: dict[str, Any]) -> list[str]:
    """Return the demands as options."""
    found = []
    for name, value in demands.items():
        text = ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
        found += ["--closed"] if name == "closed" else [f"--{name}", text]
    return found


@pytest.mark.parametrize(("tour", "demands", "reason"), DEMANDS, ids=str)
@pytest.mark.parametrize("name", ["t.txt", "t.json", "t.npy"])
def test_tour_meets_demands_or_fault_is_named(
    tour: kt.Tour, demands: dict[str, Any], reason: str, name: str, tmp_path: Path, run: Run
) -> None:
    path = tmp_path / name
    kt.write_tours(path, [tour])
    report = kt.check(path, **demands)
    assert [(one.number, one.reason) for one in report.unmet] == ([(1, reason)] if reason else [])
    assert report.is_valid == (not reason) and not report.faults and report.tour_count == 1
    code, out, _ = run("check", str(path), *words(demands))
    assert code == (1 if reason else 0)
    start = f"tour 1: not as demanded: {reason}; valid " if reason else "tour 1: valid "
    assert out.startswith(start + ("closed" if tour.is_closed else "open") + " tour of the")
    record = json.loads(run("check", str(path), *words(demands), "--json")[1])
    assert (record["valid"], record["unmet"]) == (True, reason or None)


def test_invalid_tour_is_a_fault_under_any_demand() -> None:
    grid = OPEN_5X5.numbers.copy()
    grid[grid == 3] = 2
    report = kt.check(np.array([grid, OPEN_5X5.numbers]), start="a1")
    assert [fault.number for fault in report.faults] == [1] and [one.number for one in report.unmet] == [2]


def test_each_sample_row_is_checked(tmp_path: Path, run: Run) -> None:
    sample = kt.sample("6x6", 200, closed=True, seed=7)
    rows = sample.orders.copy()
    rows[[3, 50]] = np.roll(rows[[3, 50]], 5, axis=1)
    first = kt.Board(6).square_name(divmod(int(rows[0, 0]), 6))
    rows[7, :2] = rows[7, 1::-1]
    other = [k + 1 for k in range(200) if k != 7 and rows[k, 0] != rows[0, 0]]
    report = kt.check(rows, board="6x6", start=first)
    assert [one.number for one in report.unmet] == other and {4, 51} <= set(other)
    assert [fault.number for fault in report.faults] == [8] and report.tour_count == 200
    assert kt.check(sample, closed=True).is_valid
    np.save(tmp_path / "s.npy", rows.astype(np.uint8))
    code, out, _ = run("check", str(tmp_path / "s.npy"), "6x6", "--start", first)
    assert code == 1 and out.splitlines()[-1].endswith(f"; {len(other)} not as demanded")
    assert len(out.splitlines()) == len(other) + 2 and "tour 8: invalid: step 2 " in out
    last = run("check", str(tmp_path / "s.npy"), "6x6", "--closed", "--json")[1]
    assert json.loads(last.splitlines()[-1])["unmet"] == 0


def test_nodes_of_a_graph_are_starts(tmp_path: Path, run: Run) -> None:
    graph = kt.Board.from_graph({0: [1], 1: [0, 2], 2: [1, 3], 3: [2]})
    tour = kt.find_tour(graph, start=(0, 0))
    path = tmp_path / "t.json"
    kt.write_tours(path, [tour])
    assert run("check", str(path), "--start", "0", "--end", "3")[0] == 0
    code, out, _ = run("check", str(path), "--start", "3")
    assert code == 1 and "starts at 0, not 3" in out


def test_bad_demands_are_one_clear_error(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "t.txt"
    kt.write_tours(path, [OPEN_5X5])
    for square, said in (("h8", "not on the board"), ("zz", "not a square")):
        code, _, err = run("check", str(path), "--start", square)
        assert code == 2 and said in err and "Traceback" not in err
    with pytest.raises(TypeError, match="closed must be"):
        kt.check(path, closed="yes")  # type: ignore[arg-type]
    folder = tmp_path / "set"
    folder.mkdir()
    (folder / "_manifest.json").write_text("{}")
    code, _, err = run("check", str(folder), "--closed")
    assert code == 2 and "--closed is not supported here" in err


@pytest.mark.parametrize("read", [kt.check, kt.read_tours])
def test_a_text_without_a_line_end_is_hinted(read: Any) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        read("a1 b3")
    assert raised.value.__notes__ == ["help: parse_tours(text) reads a text; check(text) needs a line end in it"]
    with pytest.raises(FileNotFoundError) as raised:
        read("missing.txt")
    assert not getattr(raised.value, "__notes__", None)
