"""Tests of puzzles of the wazir and the king: levels by gaps, and numbers of clues as in published puzzles."""

import pytest

import knightstour as kt
from knightstour.lab.puzzles.make import seeded_puzzle
from knightstour.lab.puzzles.puzzle import clue_count


@pytest.mark.parametrize(
    ("board", "easy", "medium", "expert"),
    [
        ("8x8:wazir", range(22, 30), range(14, 21), range(5, 12)),
        ("8x8:king", range(27, 34), range(21, 28), range(16, 24)),
    ],
)
def test_easier_puzzles_give_more_numbers(board: str, easy: range, medium: range, expert: range) -> None:
    counts = {level: kt.make_puzzle(board, level=level, seed=1) for level in ("easy", "medium", "expert")}
    assert {level: puzzle.level for level, puzzle in counts.items()} == {level: level for level in counts}
    assert clue_count(counts["easy"]) in easy
    assert clue_count(counts["medium"]) in medium
    assert clue_count(counts["expert"]) in expert


@pytest.mark.parametrize(("board", "most"), [("6x6:wazir", 2), ("6x6:king", 2)])
def test_an_easy_step_has_few_missing_numbers_round_it(board: str, most: int) -> None:
    puzzle = kt.make_puzzle(board, level="easy", seed=2)
    rating = puzzle.rate()
    assert rating.counts["reach"] == sum(rating.counts.values())
    known = {number for number in puzzle.given.values() if isinstance(number, int)}
    for hint in rating.steps:
        assert hint.number is not None
        low = max((n for n in known if n < hint.number), default=0)
        high = min((n for n in known if n > hint.number), default=37)
        assert high - low - 1 <= most
        known.add(hint.number)


def test_levels_of_the_knight_are_as_ever() -> None:
    # A long gap is no harder than a short one for a piece that leaps.
    assert clue_count(seeded_puzzle("8x8", level="easy", seed=1)) == 21
    assert kt.make_puzzle("5x5", level="easy", seed=1).rate().level == "easy"


@pytest.mark.parametrize(
    ("board", "title", "rule"),
    [
        ("4x4:wazir", "Numbrix", "is above, below or next to the one before"),
        ("4x4:king", "Hidato", "touches the one before, by a side or a corner"),
        ("5x5", "Knight", "a knight&#x27;s move from the one before"),
        ("4x4:fers+wazir+1,2", "Tours", "from the one before"),
    ],
)
def test_sheet_has_its_common_name(board: str, title: str, rule: str) -> None:
    puzzle = kt.make_puzzle(board, level="easy", seed=1)
    (page,) = kt.puzzles.draw_sheet([puzzle], solutions="none").to_svg()
    assert f"<title>{title}" in page
    assert rule.replace("&#x27;", "'") in page.replace("&#x27;", "'")
