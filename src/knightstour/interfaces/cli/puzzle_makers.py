"""The puzzles of `knightstour puzzle`: created for boards, levels and days, or read from files and solved."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from knightstour.core.model.budget import DEFAULT_SECONDS, Budget, Limits, as_arguments
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.grid_board import is_knights
from knightstour.core.model.progress import Reporter
from knightstour.core.model.result_errors import LimitReached
from knightstour.interfaces.cli import console, parsing
from knightstour.lab.puzzles.puzzle import clue_count, details_of, puzzle_with

if TYPE_CHECKING:
    from knightstour.core.model.board import Board
    from knightstour.lab.puzzles.daily import Daily
    from knightstour.lab.puzzles.puzzle import Puzzle, Rating
    from knightstour.lab.puzzles.solve import PuzzleAnswer

# Time limit for a puzzle after the end of the common time limit, in seconds: it ends immediately.
_NO_TIME = 1e-9


class Maker(NamedTuple):
    """A function that creates or reads a puzzle. level: the required level, or None.

    make: called with the keywords seed and limits. is_random: whether the seed changes the puzzle.
    """

    level: str | None
    make: Callable[..., Puzzle]
    is_random: bool = True


def maker_of_day(daily: Daily) -> Maker:
    from knightstour.lab.puzzles.daily import create_puzzle_of_day

    return Maker(daily.level, lambda seed, limits: create_puzzle_of_day(daily, seed, limits))


def makers_of_board(board: Board, levels: Sequence[str], options: Mapping[str, object], count: int) -> list[Maker]:
    """Return makers of `count` puzzles of each level. options: the other arguments of make_puzzle."""
    arguments: dict[str, Any] = {**options}
    return [
        Maker(level, functools.partial(_create_puzzle, board, {**arguments, "level": level}))
        for level in levels
        for _ in range(count)
    ]


def _create_puzzle(board: Board, arguments: dict[str, Any], *, seed: int, limits: Limits) -> Puzzle:
    """arguments: the other arguments of make_puzzle."""
    from knightstour.lab.puzzles.make import make_puzzle

    return make_puzzle(board, **arguments, seed=seed, **as_arguments(limits))


def makers_of_file(puzzles: Sequence[Puzzle], path: str) -> list[Maker]:
    """Return what solves each puzzle of a file: on a sheet it has its solution."""
    names = [path] if len(puzzles) == 1 else [f"{path}, puzzle {k}" for k in range(1, len(puzzles) + 1)]
    found = zip(names, puzzles, strict=True)
    return [Maker(None, functools.partial(_with_solution, name, puzzle), is_random=False) for name, puzzle in found]


def _with_solution(name: str, puzzle: Puzzle, *, seed: int, limits: Limits) -> Puzzle:
    """Return a puzzle with its unique solution, or without one; raise an error if it has no solution."""
    answer = puzzle.solve(n=2, **as_arguments(limits))
    if answer.is_unique:
        solved = puzzle_with(puzzle, solution=answer.tours[0])
        return solved if puzzle.level or puzzle.kind == "zip" else puzzle_with(solved, level=solved.rate().level)
    if answer.is_complete and not answer.tours:
        raise ProblemError(f"{name}: {answer}", help="correct its numbers, or omit the file")
    console.print_message("note", f"{name}: {answer}; it is printed without a solution")
    return puzzle_with(puzzle, solution=None)


def puzzles_in(path: str, word: str | None) -> list[Puzzle]:
    """Return the puzzles in a file. word: The board of a file that does not contain it, or None."""
    from knightstour.core.machine.files import source_of
    from knightstour.lab.puzzles.files import read_puzzles

    if word is None:
        puzzles = read_puzzles(source_of(path))
    else:
        given = parsing.board_with_notes(word)
        # A board without a piece has the knight; the file may have another piece.
        is_said = is_knights(given) and not {"knight", "1,2"}.isdisjoint(word.lower().split(":")[1:])
        puzzles = read_puzzles(source_of(path), board=given, moves="knight" if is_said else None)
    for sentence in dict.fromkeys(sentence for puzzle in puzzles for sentence in puzzle.board.read_as):
        console.print_message("note", sentence)
    return puzzles


def answers_of(path: str, board: str | None, n: int, timeout: float | None) -> Iterator[PuzzleAnswer]:
    """Yield the answer for each puzzle of a file. n: The number of solutions to search for."""
    status = console.StatusLine()
    limits = Limits(DEFAULT_SECONDS if timeout is None else timeout)
    for puzzle in puzzles_in(path, board):
        answer = puzzle.solve(n=n, **as_arguments(limits), on_progress=status.progress)
        status.clear()
        yield answer


def worst_code(codes: Sequence[int]) -> int:
    """Return the exit code of several puzzles: an invalid puzzle comes before an undecided one."""
    return next((code for code in (console.IMPOSSIBLE, console.UNDECIDED) if code in codes), console.FOUND)


def solution_lines(answer: PuzzleAnswer, rating: Rating | None) -> list[str]:
    """Return the lines of an answer."""
    lines, board = [str(answer)], answer.puzzle.board
    if rating is not None:
        lines.append(str(rating))
        for k, step in enumerate(rating.steps, 1):
            lines.append(f"{k:3}. {step.number} on {board.square_name(step.square)}, by {step.kind}: {step.reason}")
    elif len(answer.tours) > 1:
        lines.append(f"they differ on {' '.join(board.square_name(square) for square in answer.doubtful)}")
    return lines


def describe_puzzle(puzzle: Puzzle) -> str:
    """Return the properties of a puzzle, for a note."""
    details, count = details_of(puzzle), clue_count(puzzle)
    if details.order:
        needed = ", some of them perhaps needless" if details.is_minimal is False else ""
        walls = f"{len(details.forbid)} wall{'s' if len(details.forbid) != 1 else ''}"
        seed = "" if puzzle.seed is None else f"; seed {puzzle.seed}"
        return f"{count} squares in order and {walls}{needed}{seed}"
    kind = "a closed tour" if puzzle.closed else "an open tour"
    harder = "" if puzzle.level == "expert" else " without making it harder"
    why = {True: f"no number can be left out{harder}; ", False: "some numbers are perhaps needless; ", None: ""}
    seed = "" if puzzle.seed is None else f"seed {puzzle.seed}"
    return f"{puzzle.level}, {count} squares of {kind} given; {why[details.is_minimal]}{seed}".removesuffix("; ")


def each_made(makers: Sequence[Maker], first: int, timeout: float | None) -> Iterator[Puzzle]:
    """Yield the puzzle of each maker. A time limit that was given is for all of them; the default one is for each.

    Raises LimitReached if a limit ends the work.
    """
    status = console.StatusLine()
    each = Limits(DEFAULT_SECONDS if timeout is None else timeout)
    whole = None if timeout is None else Budget(each)
    levels = list(dict.fromkeys(maker.level for maker in makers if maker.level not in (None, "any", "auto")))
    if status.is_on and levels:
        time = f"at most {each.seconds:g} s" + (" for each" if whole is None else "")
        console.print_message("note", f"searching {', '.join(map(str, levels))} puzzles, {time}; Ctrl-C stops")
    report = Reporter(status.progress, "making puzzles", len(makers))
    try:
        for k, maker in enumerate(makers):
            report(k)
            if whole is not None and k:
                each = replace(each, seconds=max(whole.seconds_left, _NO_TIME))
            puzzle = maker.make(seed=first + k, limits=each)
            status.clear()
            yield puzzle
    except LimitReached as error:
        if whole is not None and whole.is_spent:  # its limit was the remaining time of all puzzles
            result = replace(error.result, reason=f"no puzzle was made: {whole.why_stopped()}")
            raise LimitReached(result) from None
        raise
    finally:
        status.clear()
