"""Sheets of puzzles to print: 1 to 12 per page, with their solutions upside down below them or on pages at the end.

Worksheets for schools have empty boards, squares whose moves must be counted, or tours with one wrong move.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final, NamedTuple

from knightstour.core.model.board import Board, BoardLike, Square, move_graph
from knightstour.core.model.budget import Budget
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.layers import layers_of
from knightstour.core.model.pieces import Piece
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import Seed, listed, one_of, seed_of, whole_number
from knightstour.lab.puzzles.layout import Exercise, Sheet, SheetStyle, Words, laid_out
from knightstour.lab.puzzles.make import random_tour
from knightstour.lab.puzzles.panels import Panel
from knightstour.lab.puzzles.puzzle import Puzzle, check_made
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
    """Puzzles laid out to be printed, with the level under each.

    per_page: 1, 2, 4, 6 or 12; None for as many as there are, or 6. paper: "A4" or "Letter".
    solutions: "below" (upside down at the foot of the page), "last" (on pages at the end) or "none"; None for below
        where they can be read there, else last. Puzzles that were read have none until they are solved.
    title: the heading of each page; None for the name of the puzzles. The rules stay below it.
    square_mm: the side of a square in mm; None for one that fits, the same for all boards of a page.
    shade: how dark the dark squares are, from 0 (white) to 0.5; None for a light grey.
    font: its name, any for an SVG, Helvetica, Times or Courier for a PDF; or its file, such as "Garamond.ttf", which is
        put into the sheet and may have any letters; "" for a usual one.
    colors: as for `draw`, of light and dark squares (`light`, `dark`), given numbers (`number`), what else is written
        (`text`), and lines (`frame`).

    Holes are left white, with a line round the squares. The page of solutions says why each puzzle is easy or hard. A
    warning names puzzles that have the same solution.

    Raises FormatError for what cannot be laid out, ProblemError for a word that is not one of these.

    >>> from knightstour.lab.puzzles.make import make_puzzle
    >>> sheet = draw_sheet([make_puzzle("5x5", seed=1)], solutions="last")
    >>> len(sheet.pages), sheet.to_pdf()[:4]
    (2, b'%PDF')
    """
    asked = listed(puzzles, "puzzles", error=FormatError)
    if not asked:
        raise FormatError("there is no puzzle to print")
    exercises = [
        Exercise(_panel(puzzle, k), None if puzzle.solution is None else _solved(puzzle, k))
        for k, puzzle in enumerate(asked, 1)
    ]
    if repeated := _repeated(asked):
        warnings.warn(repeated, stacklevel=3)
    words = Words(title or _title(asked), lambda first, end: _rules(asked[first:end]))
    return laid_out(exercises, words, per_page, paper, solutions, SheetStyle(square_mm, shade, font, colors))


def _repeated(puzzles: Sequence[Puzzle]) -> str:
    """Return a sentence about the puzzles with equal solutions, by their numbers on the sheet, or "".

    Solutions with the same moves are equal, whatever their first square and direction.
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
# The names that puzzles of a piece are known by on boards of squares.
_KNOWN_AS: Final = {"wazir": "Numbrix", "king": "Hidato"}
_BESIDE: Final = {
    "wazir": "is above, below or beside the one before",
    "king": "touches the one before, by a side or a corner",
}
# The possible moves of the path of a Zip.
_IN_ZIPS: Final = {
    False: "It goes from a square to one beside it, and through no wall.",
    True: "It goes from a square to an adjacent one, by a side or a corner, and not through walls.",
}
_AT_CORNERS: Final = "A short line at a corner stops the move across it."


def _piece_of(board: Board) -> Piece | None:
    """Return the piece; None of graphs, and of cells whose moves were given."""
    return board.piece if isinstance(board, GridBoard | CellBoard) else None


def _title(puzzles: Sequence[Puzzle]) -> str:
    """Return the name of the puzzles, if all have the same."""
    names = {_name_of(puzzle) for puzzle in puzzles}
    return names.pop() if len(names) == 1 else "Tours"


def _name_of(puzzle: Puzzle) -> str:
    if puzzle.visit_order:
        return "Zip"
    board = puzzle.board
    piece = _piece_of(board)
    if piece is not None and piece.is_knight:
        return "Knight's tour"
    if board.is_flat and _touches(board):
        return "Hidato"
    return _KNOWN_AS.get(piece.name, "Tours") if piece is not None and isinstance(board, GridBoard) else "Tours"


def _touches(board: Board) -> bool:
    """Whether each move on hexagons leads to one beside it."""
    return isinstance(board, CellBoard) and board.lattice == "hexagon" and len(board.vectors) == _BESIDE_HEXAGON


def _rules(puzzles: Sequence[Puzzle]) -> list[str]:
    """Return what to do, in lines."""
    numbered = [puzzle for puzzle in puzzles if not puzzle.visit_order]
    zips = [puzzle for puzzle in puzzles if puzzle.visit_order]
    lines = []
    if numbered:
        lines += _rules_of_numbers(numbered)
    if zips:
        which = "In a Zip, draw" if numbered else "Draw"
        lines.append(
            f"{which} one path over all squares, from 1 by the other numbers in their order to the last of them."
        )
        are_of_kings = {_goes_over_corners(puzzle.board) for puzzle in zips}
        goes = _IN_ZIPS[True in are_of_kings]
        if len(are_of_kings) > 1:
            goes = _IN_ZIPS[False].replace("beside it,", "beside it (the king also to one at a corner),")
        lines += [goes, _AT_CORNERS] if True in are_of_kings else [goes]
    layers = {_layer_count(puzzle.board) for puzzle in puzzles}
    if layers != {1}:
        board = f"The board has {layers.pop()} layers" if len(layers) == 1 else "Some boards have several layers"
        lines.append(f"{board}, laid out from left to right. A move may lead to another layer.")
    # A puzzle that was read may have several solutions.
    if all(puzzle.solution is not None for puzzle in puzzles):
        last = "Each puzzle has exactly one solution."
        if len(lines) == 2 and zips and not numbered:
            return [lines[0], f"{lines[1]} {last}"]
        lines.append(last)
    return lines


def _rules_of_numbers(puzzles: Sequence[Puzzle]) -> list[str]:
    sizes = {puzzle.board.square_count for puzzle in puzzles}
    last = str(sizes.pop()) if len(sizes) == 1 else "the number of squares"
    rules = {_rule_of(puzzle.board) for puzzle in puzzles}
    follows = rules.pop() if len(rules) == 1 else "is a move of its piece from the one before"
    lines = [f"Number the squares from 1 to {last}, so that each number {follows}."]
    if rules:
        lines.append("The piece is named below each board; without a name it is the knight.")
    if any(puzzle.closed for puzzle in puzzles):
        lines.append("If the tour is closed, the last number is a move from 1, too.")
    if any(puzzle.text for puzzle in puzzles):
        lines.append("The letters, in the order of the numbers, are a text.")
    return lines


def _rule_of(board: Board) -> str:
    """Return how the next number lies on a board."""
    piece = _piece_of(board)
    if _touches(board):
        return "touches the one before"
    if not isinstance(board, CellBoard) and piece is not None and piece.name in _BESIDE:
        return _BESIDE[piece.name]
    return f"is {piece.its_move if piece else 'a move'} from the one before"


def _goes_over_corners(board: Board) -> bool:
    return isinstance(board, GridBoard) and board.piece.name != "wazir"


def _layer_count(board: Board) -> int:
    return layers_of(board).layer_count if isinstance(board, CellBoard) and not board.is_flat else 1


def _panel(puzzle: Puzzle, number: int) -> Panel:
    """A puzzle to be solved."""
    return _with_walls(
        puzzle, Panel(puzzle.board, puzzle.inscribed, caption(puzzle, number), frozenset(puzzle.inscribed))
    )


def _solved(puzzle: Puzzle, number: int) -> Panel:
    """Its solution, in which what was given is bold; one of letters has the numbers in the corners."""
    assert puzzle.solution is not None
    rows = puzzle.solution.numbers.tolist()
    squares = [divmod(s, puzzle.board.cols) for s in puzzle.solution.order.tolist()]
    numbers = {(row, col): str(rows[row][col]) for row, col in squares}
    words, note = caption(puzzle, number), ""
    if not puzzle.visit_order:
        rating = puzzle.rate()
        words, note = f"{number} · {rating.level} · score {rating.score}", rating.why
    if puzzle.text:
        letters = {square: puzzle.mark(square) for square in puzzle.given}
        return Panel(puzzle.board, letters, words, frozenset(letters), numbers, note)
    strong = frozenset({*puzzle.given, *puzzle.visit_order})
    panel = _with_walls(puzzle, Panel(puzzle.board, numbers, words, strong, note=note))
    # The small number in a ring is the number of the puzzle.
    return replace(panel, ringed={square: str(k) for k, square in enumerate(puzzle.visit_order, 1)})


def _with_walls(puzzle: Puzzle, panel: Panel) -> Panel:
    """Return the panel with the walls of a Zip, and a ring round each square in order."""
    return replace(panel, walls=frozenset(puzzle.walls or ()), ringed=dict.fromkeys(puzzle.visit_order, ""))


def caption(puzzle: Puzzle, number: int) -> str:
    """Return the line under a puzzle: its number, level, kind of tour, and board if it is not a plain one.

    >>> caption(Puzzle.of("3x4", {"a3": 1}, closed=True), 2)
    '2 · closed'
    """
    kind = "Zip" if puzzle.visit_order else "closed" if puzzle.closed else "open"
    words = [str(number), puzzle.level, kind]
    if puzzle.board.wrap:
        words.append(puzzle.board.wrap)
    piece = _piece_of(puzzle.board)
    if piece is not None and not piece.is_knight and not _is_plain_zip(puzzle):
        words.append(piece.name)
    places = [sorted(numbers) for numbers in puzzle.given.values() if not isinstance(numbers, int)]
    if places and not puzzle.text:
        words.append(f"{PLACE}: " + ", ".join(map(str, places[0][:3])) + ", ..")
    return " · ".join(word for word in words if word)


def _is_plain_zip(puzzle: Puzzle) -> bool:
    """Whether it is a Zip of the usual kind, whose piece needs no name."""
    return bool(puzzle.visit_order) and not _goes_over_corners(puzzle.board)


# Fraction of the moves to be counted that is shown.
_SHOWN = 0.2


class Worksheet(NamedTuple):
    """A kind of worksheet: a function from a board, a number and a random generator to an exercise, and its
    instruction."""

    make: Callable[[Board, int, random.Random], Exercise]
    title: str
    task: str


# Maximum number of exercises.
_MAX_EXERCISES = 10_000


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
    seed: Seed = None,
) -> Sheet:
    """Exercises for a class, laid out to be printed.

    kind: "empty" (boards on which to write tours), "degrees" (how many moves has each square?) or "wrong-move" (a tour
        of which one move is none: which?). board: of up to 256 squares. n: how many exercises.
    per_page, paper, solutions, title, square_mm, shade, font, colors: as for draw_sheet, with the answers on pages of
        their own. Each page has lines for a name and a date. seed: the same seed gives the same sheet.

    >>> sheet = draw_worksheet("degrees", "5x5", n=2, seed=1)
    >>> len(sheet.pages)
    2
    """
    board = Board.of(board)
    row = WORKSHEETS[one_of(kind, WORKSHEETS, "worksheet")]
    check_made(board)
    chance = random.Random(seed_of(seed))
    count = whole_number(n, "n", least=1, most=_MAX_EXERCISES)
    exercises = [row.make(board, k, chance) for k in range(1, count + 1)]
    lines = [row.task.format(last=board.square_count, moves=_moves_of(board))]
    words = Words(title or row.title, lambda first, end: lines, is_signed=True)
    return laid_out(exercises, words, per_page, paper, solutions, SheetStyle(square_mm, shade, font, colors))


def _moves_of(board: Board) -> str:
    """Return the moves of a board, as a task names them."""
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
    asked = Panel(board, {square: every[square] for square in shown}, str(number), shown)
    return Exercise(asked, Panel(board, every, str(number), shown))


def _wrong_move(board: Board, number: int, chance: random.Random) -> Exercise:
    """Return a tour with its second part reversed: the step between the parts is not a move."""
    order = random_tour(Problem(board), chance.getrandbits(32), Budget()).order
    cuts = [k for k in range(1, len(order) - 1) if not board.are_moves(order[k - 1 : k], order[-1:])[0]]
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
