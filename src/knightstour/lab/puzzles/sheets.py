"""Sheets of puzzles to print: 1 to 12 per page, with solutions upside down at the bottom or on pages at the end.

Worksheets for schools have empty boards, squares whose moves must be counted, or tours with one wrong move.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from knightstour.core.model.board import (
    Board,
    BoardLike,
    Square,
    are_moves,
    board_of,
    move_graph,
    square_count,
    title_of,
)
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.geometry import is_flat
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.layers import layers_of
from knightstour.core.model.literals import WorksheetKind
from knightstour.core.model.pieces import Piece
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import Seed, as_list, one_of, seed_of, whole_number
from knightstour.lab.puzzles.layout import Exercise, PageHead, Sheet, SheetStyle, lay_out
from knightstour.lab.puzzles.make import random_tour
from knightstour.lab.puzzles.panels import Panel
from knightstour.lab.puzzles.puzzle import Puzzle, check_size_for_puzzles, details_of, mark_of, texts_of
from knightstour.lab.puzzles.rows import PLACE


def draw_sheet(
    puzzles: Iterable[Puzzle],
    *,
    per_page: int | None = None,
    paper: str = "A4",
    solutions: str | None = None,
    title: str | None = None,
    square_mm: float | None = None,
    shade: float | None = None,
    font: str = "",
    colors: Mapping[str, str | Sequence[str]] | None = None,
) -> Sheet:
    """Lay out puzzles on pages to print, with the level below each puzzle.

    Args:
        puzzles: The puzzles. Holes stay white, and a line surrounds the squares.
        per_page: 1, 2, 4, 6 or 12; by default the number of puzzles, at most 6.
        paper: "A4" or "Letter".
        solutions: "below" (upside down at the bottom of the page), "last" (on pages at the end, with the difficulty of
            each puzzle) or "none"; by default below if they are legible there, else last. Puzzles from files have no
            solution until they are solved.
        title: The heading of each page, above the rules; by default the name of the puzzles.
        square_mm: Side of a square in mm; by default the largest that fits, equal for all boards of a page.
        shade: Darkness of the dark squares, from 0 (white) to 0.5; None for a light grey.
        font: A name: any for SVG; Helvetica, Times or Courier for PDF. Or a file such as "Garamond.ttf", which is
            embedded and may contain any letters. "" for the default font.
        colors: As for `draw`: light and dark squares (`light`, `dark`), given numbers (`number`), other text (`text`)
            and lines (`frame`).

    Raises:
        FormatError: If the puzzles do not fit, or the list is empty.
        ProblemError: If an option is unknown.

    Warns if puzzles have the same solution.

    >>> from knightstour.lab.puzzles.make import make_puzzle
    >>> sheet = draw_sheet([make_puzzle("5x5", seed=1)], solutions="last")
    >>> len(sheet.pages), sheet.to_pdf()[:4]
    (2, b'%PDF')
    """
    chosen = as_list(puzzles, "puzzles")
    if not chosen:
        raise FormatError("there are no puzzles to print")
    exercises = [
        Exercise(_puzzle_panel(puzzle, k), None if puzzle.solution is None else _solution_panel(puzzle, k))
        for k, puzzle in enumerate(chosen, 1)
    ]
    if warning := _warning_of_repeats(chosen):
        warnings.warn(warning, stacklevel=3)
    words = PageHead(title or _title(chosen), lambda first, end: _instructions(chosen[first:end]))
    return lay_out(exercises, words, per_page, paper, solutions, SheetStyle(square_mm, shade, font, colors))


def _warning_of_repeats(puzzles: Sequence[Puzzle]) -> str:
    """Return a sentence about the puzzles with equal solutions, or "".

    Solutions are equal if they have the same moves; the first square and the direction may differ.
    """
    numbers: dict[tuple[Board, frozenset[frozenset[int]]], list[int]] = {}
    for k, puzzle in enumerate(puzzles, 1):
        if puzzle.solution is not None:
            order = puzzle.solution.order.tolist()
            moves = pairwise([*order, order[0]] if puzzle.closed else order)
            numbers.setdefault((puzzle.board, frozenset(map(frozenset, moves))), []).append(k)
    groups = [" and ".join(map(str, each)) for each in numbers.values() if len(each) > 1]
    return f"puzzles with the same solution: {'; '.join(groups)}" if groups else ""


_BESIDE_HEXAGON: Final = 6
# Usual names of the puzzles of a piece, on boards of squares.
_PUZZLE_NAMES: Final = {"wazir": "Numbrix", "king": "Hidato"}
_BESIDE: Final = {
    "wazir": "is above, below or next to the one before",
    "king": "touches the one before, by a side or a corner",
}
# The possible moves of the path of a Zip.
_IN_ZIPS: Final = {
    False: "It goes from a square to one next to it, and not through walls.",
    True: "It goes from a square to an adjacent one, by a side or a corner, and not through walls.",
}
_AT_CORNERS: Final = "A short line at a corner stops the move across it."


def _piece_of(board: Board) -> Piece | None:
    """Return None for graphs, and for cells with given moves."""
    return board.piece if isinstance(board, GridBoard | CellBoard) else None


def _title(puzzles: Sequence[Puzzle]) -> str:
    names = {_name_of(puzzle) for puzzle in puzzles}
    return names.pop() if len(names) == 1 else "Tours"


def _name_of(puzzle: Puzzle) -> str:
    if puzzle.kind == "zip":
        return "Zip"
    board = puzzle.board
    piece = _piece_of(board)
    if piece is not None and piece.is_knight:
        return "Knight's tour"
    if is_flat(board) and _touches(board):
        return "Hidato"
    return _PUZZLE_NAMES.get(piece.name, "Tours") if piece is not None and isinstance(board, GridBoard) else "Tours"


def _touches(board: Board) -> bool:
    """Whether all hexagon moves lead to adjacent hexagons."""
    return isinstance(board, CellBoard) and board.lattice == "hexagon" and len(board.vectors) == _BESIDE_HEXAGON


def _instructions(puzzles: Sequence[Puzzle]) -> list[str]:
    numbered = [puzzle for puzzle in puzzles if puzzle.kind != "zip"]
    zips = [puzzle for puzzle in puzzles if puzzle.kind == "zip"]
    lines = []
    if numbered:
        lines += _number_instructions(numbered)
    if zips:
        which = "In a Zip, draw" if numbered else "Draw"
        lines.append(
            f"{which} one path over all squares, from 1 by the other numbers in their order to the last of them."
        )
        are_of_kings = {_goes_over_corners(puzzle.board) for puzzle in zips}
        goes = _IN_ZIPS[True in are_of_kings]
        if len(are_of_kings) > 1:
            goes = _IN_ZIPS[False].replace("next to it,", "next to it (the king also to one at a corner),")
        lines += [goes, _AT_CORNERS] if True in are_of_kings else [goes]
    layers = {_layer_count(puzzle.board) for puzzle in puzzles}
    if layers != {1}:
        board = f"The board has {layers.pop()} layers" if len(layers) == 1 else "Some boards have several layers"
        lines.append(f"{board}, laid out from left to right. A move may lead to another layer.")
    # A puzzle from a file may have several solutions.
    if all(puzzle.solution is not None for puzzle in puzzles):
        last = "Each puzzle has exactly one solution."
        if len(lines) == 2 and zips and not numbered:
            return [lines[0], f"{lines[1]} {last}"]
        lines.append(last)
    return lines


def _number_instructions(puzzles: Sequence[Puzzle]) -> list[str]:
    sizes = {square_count(puzzle.board) for puzzle in puzzles}
    last = str(sizes.pop()) if len(sizes) == 1 else "the number of squares"
    rules = {_rule_of(puzzle.board) for puzzle in puzzles}
    follows = rules.pop() if len(rules) == 1 else "is a move of its piece from the one before"
    lines = [f"Number the squares from 1 to {last}, so that each number {follows}."]
    if rules:
        lines.append("The piece is named below each board; without a name it is the knight.")
    if any(puzzle.closed for puzzle in puzzles):
        lines.append("If the tour is closed, the last number is a move from 1, too.")
    if any(details_of(puzzle).text for puzzle in puzzles):
        lines.append("The letters, in the order of the numbers, are a text.")
    return lines


def _rule_of(board: Board) -> str:
    """Return the position of the next number, as part of a sentence."""
    piece = _piece_of(board)
    if _touches(board):
        return "touches the one before"
    if not isinstance(board, CellBoard) and piece is not None and piece.name in _BESIDE:
        return _BESIDE[piece.name]
    return f"is {piece.its_move if piece else 'a move'} from the one before"


def _goes_over_corners(board: Board) -> bool:
    return isinstance(board, GridBoard) and board.piece.name != "wazir"


def _layer_count(board: Board) -> int:
    return layers_of(board).layer_count if isinstance(board, CellBoard) and not is_flat(board) else 1


def _puzzle_panel(puzzle: Puzzle, number: int) -> Panel:
    texts = texts_of(puzzle)
    return _with_walls(puzzle, Panel(puzzle.board, texts, caption(puzzle, number), frozenset(texts)))


def _solution_panel(puzzle: Puzzle, number: int) -> Panel:
    """Return the solution with bold clues; numbers of letters are in the corners."""
    assert puzzle.solution is not None
    rows = puzzle.solution.numbers.tolist()
    squares = [divmod(s, puzzle.board.cols) for s in puzzle.solution.order.tolist()]
    numbers = {(row, col): str(rows[row][col]) for row, col in squares}
    words, note = caption(puzzle, number), ""
    if puzzle.kind != "zip":
        rating = puzzle.rate()
        words, note = f"{number} · {rating.level} · score {rating.score}", rating.why
    if details_of(puzzle).text:
        letters = {square: mark_of(puzzle, square) for square in puzzle.given}
        return Panel(puzzle.board, letters, words, frozenset(letters), numbers, note)
    strong = frozenset({*puzzle.given, *details_of(puzzle).order})
    panel = _with_walls(puzzle, Panel(puzzle.board, numbers, words, strong, note=note))
    # The small number in a ring is the number of the puzzle.
    return replace(panel, ringed={square: str(k) for k, square in enumerate(details_of(puzzle).order, 1)})


def _with_walls(puzzle: Puzzle, panel: Panel) -> Panel:
    """Add the walls of a Zip, and a ring round each square in order."""
    return replace(panel, walls=frozenset(puzzle.walls or ()), ringed=dict.fromkeys(details_of(puzzle).order, ""))


def caption(puzzle: Puzzle, number: int) -> str:
    """Return the line below a puzzle: number, level, kind of tour, and the board if it is not a plain one.

    >>> caption(Puzzle("3x4", {"a3": 1}, closed=True), 2)
    '2 · closed'
    """
    kind = "Zip" if puzzle.kind == "zip" else "closed" if puzzle.closed else "open"
    words = [str(number), puzzle.level, kind]
    if puzzle.board.wrap:
        words.append(puzzle.board.wrap)
    piece = _piece_of(puzzle.board)
    if piece is not None and not piece.is_knight and not _is_plain_zip(puzzle):
        words.append(piece.name)
    places = [sorted(numbers) for numbers in puzzle.given.values() if not isinstance(numbers, int)]
    if places and not details_of(puzzle).text:
        words.append(f"{PLACE}: " + ", ".join(map(str, places[0][:3])) + ", ..")
    return " · ".join(word for word in words if word)


def _is_plain_zip(puzzle: Puzzle) -> bool:
    """Whether the piece of a Zip needs no name."""
    return puzzle.kind == "zip" and not _goes_over_corners(puzzle.board)


# Fraction of the moves to be counted that is shown.
_SHOWN = 0.2


class Worksheet(NamedTuple):
    """A kind of worksheet: a function that creates an exercise, its title and its instruction."""

    make: Callable[[Board, int, random.Random], Exercise]
    title: str
    task: str


# Maximum number of exercises.
_MAX_EXERCISES = 10_000


def draw_worksheet(
    kind: WorksheetKind,
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
    seed: Seed = None,
) -> Sheet:
    """Lay out exercises for a class on pages to print, with lines for a name and a date.

    Args:
        kind: "empty" (boards on which to write tours), "degrees" (the number of moves of each square) or "wrong-move"
            (a tour with a step that is not a move).
        board: A board of up to 256 squares.
        n: The number of exercises.
        per_page, paper, solutions, title, square_mm, shade, font, colors: As for draw_sheet; by default the answers are
            on pages at the end.
        seed: The same seed gives the same sheet.

    >>> sheet = draw_worksheet("degrees", "5x5", n=2, seed=1)
    >>> len(sheet.pages)
    2
    """
    board = board_of(board)
    row = WORKSHEETS[one_of(kind, WORKSHEETS, "worksheet")]
    check_size_for_puzzles(board)
    chance = random.Random(seed_of(seed))
    count = whole_number(n, "n", least=1, most=_MAX_EXERCISES)
    exercises = [row.make(board, k, chance) for k in range(1, count + 1)]
    lines = [row.task.format(last=square_count(board), moves=_moves_of(board))]
    words = PageHead(title or row.title, lambda first, end: lines, is_signed=True)
    return lay_out(exercises, words, per_page, paper, solutions, SheetStyle(square_mm, shade, font, colors))


def _moves_of(board: Board) -> str:
    """Return the name of the moves of a board, for a task."""
    piece = _piece_of(board)
    if _touches(board):
        return "moves to squares that touch"
    if piece is None:
        return "moves"
    if piece.is_knight or piece.name in ("king", "wazir"):
        return f"{piece.name}'s moves"
    return " or ".join("leaps of {} and {} squares".format(*leap) for leap in piece.leaps)


def _empty(board: Board, number: int, chance: random.Random) -> Exercise:
    return Exercise(Panel(board, {}, str(number)), None)


def _degrees(board: Board, number: int, chance: random.Random) -> Exercise:
    graph = move_graph(board)
    every = {divmod(s, board.cols): str(graph.degrees[s]) for s in graph.squares.tolist()}
    shown = frozenset(chance.sample(sorted(every), max(1, round(_SHOWN * len(every)))))
    chosen = Panel(board, {square: every[square] for square in shown}, str(number), shown)
    return Exercise(chosen, Panel(board, every, str(number), shown))


def _wrong_move(board: Board, number: int, chance: random.Random) -> Exercise:
    """Reverse the second part of a tour, which gives one wrong step."""
    order = random_tour(Problem(board), chance.getrandbits(32), Budget()).order
    cuts = [k for k in range(1, len(order) - 1) if not are_moves(board, order[k - 1 : k], order[-1:])[0]]
    if not cuts:
        raise ProblemError(f"on the {title_of(board)} no tour has a single wrong move", help="use a larger board")
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
        _wrong_move, "Find the wrong move", "Consecutive numbers are connected by {moves}, except once. Where?"
    ),
}
