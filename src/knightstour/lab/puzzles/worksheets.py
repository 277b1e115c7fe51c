"""Worksheets for schools: empty boards, squares whose moves are to be counted, and tours with one wrong move."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from knightstour.core.model.arguments import explains_arguments
from knightstour.core.model.board import Board, BoardLike, Square, are_moves, move_graph
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import Randomness, one_of, seed_of, whole_number
from knightstour.core.search.clues import places_of
from knightstour.lab.puzzles.layout import Exercise, Panel, Sheet, SheetStyle, Words, laid_out
from knightstour.lab.puzzles.make import random_tour

# Of the moves to be counted, this part is shown.
_SHOWN = 0.2


class Worksheet(NamedTuple):
    """A kind of worksheet: how an exercise is made of a board, its number and chance, and what is to be done."""

    make: Callable[[Board, int, random.Random], Exercise]
    title: str
    task: str


# Of a worksheet: more than a class ever does.
_MAX_EXERCISES = 10_000


@explains_arguments
def draw_worksheet(
    kind: str,
    board: BoardLike,
    *,
    n: int = 6,
    per_page: int | None = None,
    paper: str = "A4",
    solutions: str | None = "last",
    title: str | None = None,
    square_mm: float | None = None,
    shade: float | None = None,
    font: str = "",
    colors: Mapping[str, str | Sequence[str]] | None = None,
    rng: Randomness = None,
) -> Sheet:
    """Exercises for a class, laid out to be printed.

    kind: "empty" (boards on which to write tours), "degrees" (how many moves has each square?) or "wrong-move" (a tour
        of which one move is none: which?). board: of up to 256 squares. n: how many exercises.
    per_page, paper, solutions, title, square_mm, shade, font, colors: as for draw_sheet, with the answers on pages of
        their own. Each page has lines for a name and a date. rng: a seed; the same seed gives the same sheet.

    >>> sheet = draw_worksheet("degrees", "5x5", n=2, rng=1)
    >>> len(sheet.pages)
    2
    """
    board = Board.of(board)
    row = WORKSHEETS[one_of(kind, WORKSHEETS, "worksheet")]
    places_of(board)
    chance = random.Random(seed_of(rng))
    count = whole_number(n, "n", least=1, most=_MAX_EXERCISES)
    exercises = [row.make(board, k, chance) for k in range(1, count + 1)]
    leaps = " or ".join("leaps of {} and {} squares".format(*leap) for leap in board.piece.leaps)
    piece = f"{board.piece.name}'s moves" if board.is_knights or board.piece.name in ("king", "wazir") else leaps
    lines = [] if title is not None else [row.task.format(last=board.square_count, moves=piece)]
    words = Words(title or row.title, lambda first, end: lines, is_signed=True)
    return laid_out(exercises, words, per_page, paper, solutions, SheetStyle(square_mm, shade, font, colors))


def _empty(board: Board, number: int, chance: random.Random) -> Exercise:
    return Exercise(Panel(board, {}, str(number)), None)


def _degrees(board: Board, number: int, chance: random.Random) -> Exercise:
    graph = move_graph(board)
    every = {divmod(s, board.cols): str(graph.degrees[s]) for s in graph.squares.tolist()}
    shown = frozenset(chance.sample(sorted(every), max(1, round(_SHOWN * len(every)))))
    asked = Panel(board, {square: every[square] for square in shown}, str(number), shown)
    return Exercise(asked, Panel(board, every, str(number), shown))


def _wrong_move(board: Board, number: int, chance: random.Random) -> Exercise:
    """A tour cut in two, and the second part walked backwards: the step from one to the other is no move."""
    order = random_tour(Problem(board), chance.getrandbits(32), Budget()).order
    cuts = [k for k in range(1, len(order) - 1) if not are_moves(board, order[k - 1 : k], order[-1:])[0]]
    if not cuts:
        raise ProblemError(f"on the {board.title} no tour can be given a single wrong move", help="take a larger board")
    cut = chance.choice(cuts)
    walk = [*order[:cut].tolist(), *order[cut:][::-1].tolist()]
    marks: dict[Square, str] = {divmod(s, board.cols): str(t) for t, s in enumerate(walk, 1)}
    wrong = frozenset(divmod(s, board.cols) for s in walk[cut - 1 : cut + 1])
    answer = Panel(board, marks, f"{number} · from {cut} to {cut + 1}", wrong)
    return Exercise(Panel(board, marks, str(number)), answer)


WORKSHEETS: Final = {
    "empty": Worksheet(
        _empty, "Empty boards", "Visit every square once, by {moves}, and number them from 1 to {last}."
    ),
    "degrees": Worksheet(_degrees, "Count the moves", "Write on each square how many {moves} lead away from it."),
    "wrong-move": Worksheet(
        _wrong_move, "Find the wrong move", "The numbers follow each other by {moves}, but once they do not. Where?"
    ),
}
