"""Proofs that no tour has its statistics in a range of `where`: bounds, crossings, and magic lines.

The arguments on magic lines use sums and parity: if moves change colour, one colour has all the odd numbers. For the
remaining cases, published computations are cited.

Sources: G. P. Jelliss, Existence theorems on magic tours, 2003; G. Stertenbrink, J.-C. Meyrignac and H. Mackay 2003; A.
Kumar, OEIS A309271.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from knightstour.core.model.board import Board, move_graph, square_count
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Problem, plural_of, without_checked
from knightstour.core.proofs.facts import colour_classes, most_squares
from knightstour.core.statistics.corners import longest_uncrossed, why_crossed
from knightstour.core.statistics.statistic import Size
from knightstour.core.statistics.table import statistic_named
from knightstour.core.statistics.where import Ranges

Proof = tuple[str, str]
_CITED = "a computation, cited without repetition"
# Numbers of columns for which boards of four rows have no magic tour, by a computation.
_FOUR_ROWS = (10, 12, 14, 16)


class _Lines(NamedTuple):
    """Rows or columns: their number, their length, and the required number of lines with the magic sum."""

    word: str
    total: int
    length: int
    least: int
    most: int


def why_none(problem: Problem, ranges: Ranges) -> Proof | None:
    """Return the reason why no tour has its statistics in these ranges, with its source, or None.

    >>> problem = Problem("6x6", where={"magic-rows": 6, "magic-columns": 6})
    >>> why_none(problem, problem.where)[1]
    'sums of odd numbers; Jelliss 2003'
    """
    board, wanted = problem.board, {name: (least, most) for name, least, most in ranges}
    if problem.partial:
        visits = wanted.get("visits", (0, square_count(board)))
        return _why_not_so_many(problem, visits) or _why_beyond(problem, ranges) or _why_not_uncrossed(problem, wanted)
    chords = len(move_graph(board).targets) // 2 - square_count(board) + (not problem.closed)
    for name, number in (("visits", square_count(board)), ("chords", chords)):
        least, most = wanted.get(name, (number, number))
        if not least <= number <= most:
            return f"all {plural_of(without_checked(problem))} have {name}={number}", "definition"
    beyond = _why_beyond(problem, ranges) or _why_not_uncrossed(problem, wanted)
    if beyond is not None:
        return beyond
    if not {"magic-rows", "magic-columns", "magic-diagonals", "line-spread"} & {*wanted}:
        return None
    is_even = wanted.get("line-spread", (1, 1))[1] == 0
    lines = []
    for word, total, length in (("row", board.rows, board.cols), ("column", board.cols, board.rows)):
        least, most = wanted.get(f"magic-{word}s", (0, total))
        lines.append(_Lines(word, total, length, total if is_even else least, most))
    proofs = (_why_not_magic_lines(board, each) for each in lines)
    proof = next((proof for proof in proofs if proof is not None), None)
    if proof is not None:
        return proof
    is_magic = all(each.least >= each.total - 1 for each in lines)
    diagonals = _why_no_diagonals(board, wanted.get("magic-diagonals", (0, 0))[0], is_magic)
    return diagonals or (_why_no_tour(board) if is_magic else None)


def _why_not_so_many(problem: Problem, visits: tuple[int, int]) -> Proof | None:
    least, count = (3 if problem.closed else 2), square_count(problem.board)
    if visits[1] < least:
        return f"{_a_tour(problem)} visits {least} squares or more", "definition"
    if visits[0] > count:
        return f"{_a_tour(problem)} visits at most all {count} squares", "definition"
    most, source = most_squares(problem)
    if visits[0] > most:
        return f"{_a_tour(problem)} visits at most {most} squares", source
    return None


def _why_beyond(problem: Problem, ranges: Ranges) -> Proof | None:
    """Return a bound that a range exceeds, or None."""
    squares = square_count(problem.board)
    if problem.partial:
        squares = min([most_squares(problem)[0], *(most for name, _, most in ranges if name == "visits")])
    size = Size(problem.board, problem.closed, squares)
    for name, least, most in ranges:
        row = statistic_named(name)
        bound = row.bound(size)
        if bound is not None and least > bound:
            return f"{plural_of(without_checked(problem))} have {name}={bound} at most", "a bound for all tours"
        below = None if row.least is None or problem.partial else row.least(size)
        if below is not None and most < below:
            return f"{plural_of(without_checked(problem))} have {name}={below} at least", "a bound for all tours"
    return None


def _why_not_uncrossed(problem: Problem, wanted: dict[str, tuple[int, int]]) -> Proof | None:
    if wanted.get("crossings", (0, 1))[1] > 0:
        return None
    least = wanted.get("visits", (0, 0))[0] if problem.partial else square_count(problem.board)
    argued = None if problem.partial else why_crossed(problem)
    if argued is not None:
        return argued
    longest = longest_uncrossed(problem.board, closed=problem.closed)
    if longest is None or max(least, 3 if problem.closed else 2) <= longest.squares:
        return None
    kind = "closed" if problem.closed else "open"
    if longest.squares < 2:
        return f"the {longest.board} board has no uncrossed {kind} tour", longest.source
    return f"no uncrossed {kind} tour of the {longest.board} board visits more than {longest.squares}", longest.source


def _a_tour(problem: Problem) -> str:
    return "a closed tour" if problem.closed else "an open tour"


def _why_not_magic_lines(board: Board, line: _Lines) -> Proof | None:
    doubled = line.length * (square_count(board) + 1)
    if line.least > line.total:
        return f"the board has only {line.total} {line.word}s", "definition"
    if line.least > 0 and doubled % 2:
        return f"the magic sum of a {line.word} would be {doubled / 2:.1f}, which is not an integer", "sums"
    if line.length % 2 and _alternates(board):
        # Odd numbers are on the colour of the corners, so every second line has an additional one.
        is_of_first = doubled // 2 % 2 == (line.length + 1) // 2 % 2
        count = (line.total + is_of_first) // 2
        if line.least > count:
            return (
                f"the sums of {line.word}s are odd and even by turns, as odd and even numbers alternate on the board, "
                f"so at most {count} of {line.total} have the magic sum {doubled // 2}"
            ), "odd and even sums; Jelliss 2003"
    if line.least == line.most == line.total - 1 > 0:
        return f"if all {line.word}s but one have the magic sum, the last has it, too", "sums"
    return None


def _why_no_diagonals(board: Board, least: int, is_magic: bool) -> Proof | None:
    if least > 2:
        return "the board has only 2 long diagonals", "definition"
    if least > 0 and board.rows % 4 == 2 and _alternates(board):
        magic_sum = board.rows * (square_count(board) + 1) // 2
        return (
            f"the squares of a long diagonal have one colour, so its {board.rows} numbers are all odd or all even and "
            f"their sum is even, but the magic sum is {magic_sum}"
        ), "odd and even sums"
    if least == 2 and is_magic and is_rectangle(board) and (board.rows, board.cols) == (8, 8):
        return (
            "a search through all magic tours of the 8x8 board found 140, up to symmetry, and none diagonally magic",
            f"Stertenbrink, Meyrignac & Mackay 2003: {_CITED}",
        )
    return None


def _why_no_tour(board: Board) -> Proof | None:
    count, sides = square_count(board), sorted((board.rows, board.cols))
    if board.rows % 4 == board.cols % 4 == 2 and _alternates(board):
        return (
            f"in every second row the odd numbers would have the sum {count**2 // 8}, as every second row and every "
            f"second column have half of the sum of all; but they are {count // 4}, and so their sum is odd"
        ), "sums of odd numbers; Jelliss 2003"
    if is_rectangle(board) and sides[0] == 4 and sides[1] in _FOUR_ROWS:
        return "a search through 4 x n boards found no magic tour up to 4x16", f"A. Kumar, OEIS A309271: {_CITED}"
    return None


def _alternates(board: Board) -> bool:
    colours = colour_classes(board)
    if colours is None:
        return False
    rows, cols = np.divmod(move_graph(board).squares, board.cols)
    return bool(np.ptp((rows + cols + colours[move_graph(board).squares]) % 2) == 0)
