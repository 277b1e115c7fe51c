"""Tests of `knightstour puzzle` and the corresponding requests of the page."""

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from helpers.command_line import Run
from helpers.known_puzzles import THIRTY_THREE
from helpers.questions import answer_of
from knightstour.core.drawing.origin import with_origin
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import LimitReached
from knightstour.lab.puzzles import make
from knightstour.lab.puzzles.puzzle import clue_count


@pytest.fixture
def puzzle_file(tmp_path: Path) -> str:
    path = tmp_path / "puzzle.txt"
    path.write_text(THIRTY_THREE)
    return str(path)


REASON = "no puzzle was made: the limit was reached"
SPENT = Result(Status.UNDECIDED, kt.Problem("5x5"), None, REASON, "", "", 0, 0, 0)


def test_a_puzzle_is_printed_as_python_makes_it(run: Run) -> None:
    code, out, err = run("puzzle", "6x6", "--closed", "--level", "easy", "--seed", "5")
    puzzle = kt.make_puzzle("6x6", closed=True, level="easy", seed=5)
    assert code == 0 and out == puzzle.to_text()
    why = "no number can be left out without making it harder"
    assert f"easy, {clue_count(puzzle)} squares of a closed tour given; {why}; seed 5" in err


def test_a_puzzle_is_written_checked_and_solved(tmp_path: Path, run: Run) -> None:
    path = str(tmp_path / "p.json")
    words = ("--pattern", "180", "--keep", "1,36", "--clues", "12", "--seed", "3")
    assert run("puzzle", "6x6", *words, "-o", path)[0] == 0
    puzzle = kt.Puzzle.from_file(path)
    assert clue_count(puzzle) >= 12 and {1, 36} <= set(puzzle.given.values()) and puzzle.solution is not None
    code, out, _ = run("puzzle", "solve", path)
    assert code == 0 and out == puzzle.solution.to_text("grid")


def test_check_explains_how_a_person_would_solve_it(puzzle_file: str, run: Run) -> None:
    code, out, _ = run("puzzle", "check", puzzle_file)
    lines = out.splitlines()
    assert code == 0 and lines[:2] == ["exactly one solution", "easy, score 31 (31 by reach)"] and len(lines) == 33
    code, out, _ = run("puzzle", "check", puzzle_file, "--json")
    record = json.loads(out)
    assert code == 0 and record["is_unique"] and len(record["steps"]) == 31
    assert (record["level"], record["score"]) == ("easy", 31)


def test_check_prints_squares_of_differing_solutions(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "p.txt"
    path.write_text("1 . . .\n. . . .\n. . . .\n")
    code, out, _ = run("puzzle", "check", str(path))
    assert code == 1 and out.startswith("exactly 2 solutions\nthey differ on ")
    code, out, err = run("puzzle", "solve", str(path))
    assert (code == 0 and len(out.splitlines()) == 7 and "at least 2 solutions" in err) or "exactly 2" in err
    path.write_text("1 . 2 .\n. . . .\n. . . .\n")
    for command in ("check", "solve"):
        code, out, _ = run("puzzle", command, str(path))
        assert (
            code == 1 and out == "no solution: a3 = 1 and c3 = 2: 2 moves apart at least, but the numbers differ by 1\n"
        )


def test_command_accepts_a_board_after_the_file(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "p.txt"
    path.write_text("1 2 3\n6 5 4\n")
    code, _, err = run("puzzle", "solve", str(path))
    assert code == 2 and "2x3:wazir" in err
    code, out, _ = run("puzzle", "solve", str(path), "2x3:0,1")
    assert code == 0 and "1 2 3\n6 5 4" in out
    # A 3x4 board has a tour from a2 to b2 if its sides are joined alone.
    path.write_text(". . . .\n1 12 . .\n. . . .\n")
    assert run("puzzle", "check", str(path), "3x4:knight")[1].startswith("no solution")
    code, out, _ = run("puzzle", "check", str(path), "3x4:torus")
    assert "solution" in out and not out.startswith("no solution")
    path.write_text("1 . .\n. . .\n. . .\n")
    assert run("puzzle", "solve", str(path), "3x3:knight")[0] == 1
    code, out, _ = run("puzzle", "solve", str(path), "3x3:-b2", "-n", "1")
    assert code == 0 and sorted(out.split())[-8:] == list("12345678")
    code, _, err = run("puzzle", "solve", str(path), "3x3:-a3")
    assert code == 2 and "is a hole of the board" in err


def test_a_limit_leaves_a_check_undecided(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "p.txt"
    path.write_text("\n".join([". " * 8] * 8))
    code, out, _ = run("puzzle", "check", str(path), "--timeout", "1e-6")
    assert code == 3 and out.startswith("undecided: the limit of")


def test_sheets_are_printed(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "s.pdf"
    code, out, err = run("puzzle", "5x5", "-n", "2", "--seed", "1", "-o", str(path))
    assert code == 0 and out == "" and f"2 puzzles, seed 1: {path}" in err and path.read_bytes()[:5] == b"%PDF-"
    puzzle = tmp_path / "p.json"
    assert run("puzzle", "5x5", "--seed", "1", "-o", str(puzzle)).code == 0
    words = ("-o", str(path), "--paper", "Letter", "--title", "Friday", "--per-page", "1")
    code, out, err = run("puzzle", "sheet", str(puzzle), *words)
    assert code == 0 and out == "" and f"1 puzzle: {path}" in err and path.read_bytes()[:5] == b"%PDF-"


@pytest.mark.parametrize("error", [LimitReached, KeyboardInterrupt])
def test_results_before_the_timeout_are_kept(
    error: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    path, seconds = tmp_path / "s.pdf", []

    def two_puzzles(board: kt.Board, *, timeout: float, **asked: Any) -> kt.Puzzle:
        seconds.append(timeout)
        if len(seconds) > 2:
            raise KeyboardInterrupt if error is KeyboardInterrupt else LimitReached(SPENT)
        return kt.make_puzzle(board, seed=asked["seed"])

    monkeypatch.setattr(make, "make_puzzle", two_puzzles)
    words = ("-n", "5", "--seed", "1", "--timeout", "1000", "-o", str(path))
    code, _, err = run("puzzle", "5x5", *words)
    assert seconds[0] == 1000 and 0 < seconds[2] < seconds[1] < 1000  # one time for all of them
    assert path.read_bytes()[:5] == b"%PDF-" and f"2 puzzles, seed 1: {path}" in err
    if error is KeyboardInterrupt:
        assert code == 130
    else:
        assert code == 3 and "2 of 5 puzzles were made: the limit was reached" in err


def test_worksheets_are_printed(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "w.svg"
    words = ("-n", "2", "--seed", "1", "-o", str(path), "--kind", "degrees")
    code, out, err = run("puzzle", "worksheet", "5x5", *words)
    assert code == 0 and out == "" and str(path) in err
    pages = kt.puzzles.draw_worksheet("degrees", "5x5", n=2, seed=1).to_svg()
    origin = "knightstour puzzle worksheet 5x5 -n 2 --seed 1 -o w.svg --kind degrees"
    written = [with_origin(page.encode(), origin) for page in pages]
    assert [path.read_bytes(), path.with_name("w-2.svg").read_bytes()] == written


def test_several_boards_give_a_puzzle_each(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "p.json"
    code, _, err = run("puzzle", "5x5", "5x6", "-n", "2", "--seed", "1", "-o", str(path))
    names = ["p.json", "p-2.json", "p-3.json", "p-4.json"]
    puzzles = [kt.Puzzle.from_file(tmp_path / name) for name in names]
    assert code == 0 and [f"{p.board.rows}x{p.board.cols}" for p in puzzles] == ["5x5", "5x5", "5x6", "5x6"]
    assert all(name in err for name in names)


# ---------------------------------------------------------------- the page's API


def test_the_page_makes_checks_and_explains() -> None:
    record = answer_of("puzzle", {"board": "6x6", "level": "easy", "keep": [1], "seed": 4})["body"]
    puzzle = kt.make_puzzle("6x6", level="easy", keep=[1], seed=4)
    assert kt.Puzzle.from_text(json.dumps(record)) == puzzle
    checked = answer_of("puzzle/check", {"puzzle": record})["body"]
    assert checked["is_unique"] and checked["level"] == "easy"
    hint = answer_of("puzzle/hint", {"puzzle": record, "state": {}})["body"]["hint"]
    first = puzzle.hint()
    assert first is not None and hint == first.to_dict()
    assert answer_of("puzzle/check", {"puzzle": "1 . . .\n. . . .\n. . . .", "n": 5})["body"]["is_complete"]


@pytest.mark.parametrize("puzzle", [7, [], "x", {"board": "5x5"}, {"board": "5x5", "given": {"a1": 26}}], ids=str)
def test_page_rejects_invalid_puzzles(puzzle: object) -> None:
    assert answer_of("puzzle/check", {"puzzle": puzzle})["status"] == 400


def test_daily_puzzle_matches_the_library(run: Run) -> None:
    before = date.today()
    code, out, _ = run("puzzle", "today", "--json")
    after = date.today()
    assert code == 0
    assert kt.Puzzle.from_text(out) in [kt.puzzles.puzzle_of_day(day) for day in {before, after}]
    assert kt.puzzles.puzzle_of_day(before) == kt.puzzles.puzzle_of_day(before.isoformat())


@pytest.mark.parametrize(("kind", "words"), [("first", ()), ("hard", ("--kind", "hard"))])
def test_daily_puzzle_is_equal_in_command_and_page(run: Run, kind: str, words: tuple[str, ...]) -> None:
    code, out, _ = run("puzzle", "today", "2026-12-24", "--json", *words)
    puzzle = kt.puzzles.puzzle_of_day("2026-12-24", kind)
    assert code == 0 and kt.Puzzle.from_text(out) == puzzle == kt.puzzles.puzzle_of_day(date(2026, 12, 24), kind)
    assert puzzle.seed == json.loads(out)["seed"] == 20261224


@pytest.mark.parametrize(
    "day", ["2026-02-30", "24.12.2026", "20261224", "2026-W52-4", "٢٠٢٦-12-24", "8x8", "", "tomorrow"]
)
def test_invalid_day_is_one_clear_error_everywhere(run: Run, day: str) -> None:
    code, out, err = run("puzzle", "today", day)
    assert code == 2 and out == "" and [line.split(":")[0] for line in err.splitlines()] == ["error", "note", "help"]
    assert "invalid day" in err and "2026-12-24" in err
    with pytest.raises(ProblemError, match="invalid day"):
        kt.puzzles.puzzle_of_day(day)
