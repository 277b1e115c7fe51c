"""Make puzzles, solve and explain them, print them."""

from typing import assert_type

import knightstour as kt

puzzle = kt.make_puzzle("8x8", closed=True, level="hard", pattern="180", keep=(1, 64), seed=1)
assert_type(puzzle, kt.Puzzle)
assert_type(puzzle.given, dict[tuple[int, int], int | frozenset[int]])
assert_type(puzzle.solution, kt.Tour | None)
assert_type(puzzle.rate(), kt.puzzles.Rating)
assert_type(puzzle.rate().steps, tuple[kt.puzzles.Hint, ...])
assert_type(puzzle.hint({"a1": 5}), kt.puzzles.Hint | None)
assert_type(puzzle.problem, kt.Problem)

answer = kt.Puzzle.from_file("puzzle.txt").solve(n=5, timeout=1)
assert_type(answer, kt.puzzles.PuzzleAnswer)
assert_type(answer.tours, tuple[kt.Tour, ...])
assert_type(answer.doubtful, list[tuple[int, int]])

assert_type(kt.Puzzle.from_file("rows.txt", board="hex:3:king"), kt.Puzzle)
assert_type(kt.puzzles.read_puzzles("puzzles.jsonl"), list[kt.Puzzle])
kt.puzzles.write_puzzles("puzzles.jsonl", [puzzle])

sheet = kt.puzzles.draw_sheet([puzzle], per_page=1, paper="Letter")
assert_type(sheet, kt.puzzles.Sheet)
assert_type(sheet.to_pdf(), bytes)
assert_type(sheet.write("puzzles.svg"), list[str])
