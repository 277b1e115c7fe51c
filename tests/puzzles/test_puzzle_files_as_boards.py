"""Tests of puzzle files on sheets and in `draw`, and of several levels."""

import json
import re
from pathlib import Path

import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.lab.puzzles.recognise import holds_puzzle


def texts_of(page: str) -> list[str]:
    return re.findall(r">([^<>]+)</text>", page)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    kt.make_puzzle("5x5", level="easy", seed=1).save("one.json")
    kt.make_puzzle("5x6", level="medium", seed=2).save("two.txt")
    kt.make_puzzle("5x5:wazir", kind="zip", clues=5, seed=3).save("zip.txt")
    Path("several.txt").write_text(". . . .\n. . . .\n. . . 12\n")
    Path("none.txt").write_text("# board 3x4\n1 . . .\n. . . 2\n. . . .\n")
    Path("shape.txt").write_text(". . . .\n. . . .\n. . . .\n")
    return tmp_path


def test_puzzles_of_files_are_laid_out(files: Path, run: Run) -> None:
    code, out, err = run("puzzle", "sheet", "one.json", "zip.txt", "two.txt", "-o", "book.svg")
    assert (code, out) == (0, "") and "3 puzzles: book.svg" in err
    words = texts_of((files / "book.svg").read_text())
    captions = [word for word in words if re.match(r"\d · ", word)]
    assert captions == ["1 · easy · open", "2 · Zip", "3 · medium · open"]
    # Files without a solution are solved for the page of solutions.
    assert words.count("30") > 0 and any("exactly one solution" in word for word in words)


def test_a_sheet_of_files_alone_needs_no_seed(files: Path, run: Run) -> None:
    code, _, err = run("puzzle", "sheet", "one.json", "two.txt", "-o", "book.pdf")
    assert code == 0 and "2 puzzles: book.pdf" in err
    for words in (["--level", "easy"], ["-n", "2"], ["--closed"]):
        code, _, err = run("puzzle", "sheet", "one.json", "two.txt", "-o", "b.pdf", *words)
        assert code == 2 and "unknown option" in err


def test_puzzle_with_several_solutions_is_not_called_unique(files: Path, run: Run) -> None:
    code, _, err = run("puzzle", "sheet", "several.txt", "-o", "a.svg")
    assert code == 0 and re.search("several.txt: (exactly|at least) .* printed without a solution", err)
    assert not any("exactly one solution" in word for word in texts_of((files / "a.svg").read_text()))
    code, _, err = run("puzzle", "sheet", "one.json", "none.txt", "-o", "b.svg")
    assert code == 2 and "none.txt: no solution" in err and not (files / "b.svg").exists()


def test_several_puzzles_are_pictures_with_numbers(files: Path, run: Run) -> None:
    code, _, _ = run("puzzle", "4x5", "-n", "2", "--level", "any", "--seed", "1", "-o", "p.png")
    assert code == 0 and all((files / name).read_bytes()[:4] == b"\x89PNG" for name in ("p.png", "p-2.png"))


@pytest.mark.parametrize("name", ["one.json", "two.txt", "zip.txt", "several.txt"])
def test_draw_draws_puzzles(name: str, files: Path, run: Run) -> None:
    puzzle = kt.Puzzle.from_file(name)
    assert run("draw", name, "-o", "a.svg", "--theme", "light")[0] == 0
    assert (files / "a.svg").read_bytes() == bytes(kt.draw(puzzle, theme="light"))
    code, out, _ = run("draw", name)
    assert (code, out) == (0, f"{puzzle}\n")
    for words, why in (
        (["-o", "a.gif"], "a tour, a search or a proof"),
        (["-o", "a.html"], "not a puzzle"),
        (["--style", "ascii"], "one style"),
    ):
        code, _, err = run("draw", name, *words)
        assert code == 2 and why in err, words


def test_draw_uses_the_board_next_to_a_puzzle(files: Path, run: Run) -> None:
    puzzle = kt.make_puzzle("5x5:king", level="easy", seed=1)
    Path("king.txt").write_text(f"{puzzle}\n")
    assert run("draw", "king.txt", "5x5:king", "-o", "a.svg")[0] == 0
    assert (files / "a.svg").read_bytes() == bytes(kt.draw(kt.Puzzle("5x5:king", puzzle.given)))


def test_draw_reads_tours_as_before(files: Path, run: Run) -> None:
    tour = kt.find_tour("5x5:-a1", seed=1)
    Path("tour.txt").write_text(tour.to_text("grid"))
    assert not holds_puzzle("tour.txt", rather_tour=True)
    assert run("draw", "tour.txt", "-o", "a.svg")[0] == 0
    assert b"path" in (files / "a.svg").read_bytes()
    # Numbers from 1 on that are not a tour of the board next to the file are a puzzle.
    Path("q.txt").write_text("# board 3x4:king\n1 . . 3\n. . 2 .\n. . . .\n")
    assert run("draw", "q.txt", "3x4:king")[1] == " 1  .  .  3\n .  .  2  .\n .  .  .  .\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 . 3\n. . .\n", True),
        ("| 1 |   | 3 |\n|   |   | 5 |\n", True),
        ("closed\n. . .\n. . .\n", True),
        ("in order\n1 . 2\n", True),
        ('{"board": "3x4", "given": {"a1": 1}}', True),
        ('{"board": "3x4", "given": {"a1": 1}}\n{"board": "3x4", "given": {"a1": 2}}\n', True),
        ('{"board": "3x4", "squares": ["a1"]}', False),
        (". . .\n. # .\n", False),
        ("0 1 1\n1 1 0\n", False),
        ("1 . .\n. 1 1\n", False),
        ("1 2\n2 3\n3 1\n", False),
        ("0 5 0\n1 0 3\n", False),
        ("p edge 3 2\ne 1 2\ne 2 3\n", False),
        ("{", False),
        ("", False),
        ("\x00\x01", False),
    ],
)
def test_puzzles_are_told_from_boards_and_graphs(text: str, expected: bool, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_text(text)
    assert holds_puzzle(path) is expected


def test_several_levels_in_one_call(files: Path, run: Run) -> None:
    code, out, _ = run("puzzle", "5x5", "5x6", "--level", "easy,medium,hard", "-n", "2", "--seed", "4", "--json")
    records = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [record["level"] for record in records] == [level for level in ("easy", "medium", "hard") for _ in "ab"] * 2
    puzzles = [kt.Puzzle.from_text(line) for line in out.splitlines()]
    assert puzzles[3] == kt.make_puzzle("5x5", level="medium", seed=7)
    assert len({puzzle.solution for puzzle in puzzles}) == len(puzzles)


@pytest.mark.parametrize(
    ("level", "message"),
    [
        ("easy,nasty", "unknown level 'nasty'"),
        ("easy,easy", "duplicate level"),
        ("", "unknown level ''"),
        ("easy,", "unknown level ''"),
    ],
)
def test_wrong_levels_are_one_error(level: str, message: str, run: Run) -> None:
    code, out, err = run("puzzle", "5x5", "--level", level)
    assert (code, out) == (2, "") and message in err


def test_the_command_notes_puzzles_with_the_same_solution(files: Path, run: Run) -> None:
    code, _, err = run("puzzle", "sheet", "one.json", "two.txt", "one.json", "-o", "book.svg")
    assert code == 0 and "note: puzzles with the same solution: 1 and 3" in err
    assert run("puzzle", "sheet", "one.json", "two.txt", "-o", "other.svg")[2].count("same solution") == 0
