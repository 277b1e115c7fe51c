"""A puzzle: a board with some numbers of a tour, with exactly one solution; and its difficulty."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from knightstour.core.machine.files import PathOrFile
from knightstour.core.model import pieces
from knightstour.core.model.board import Board, BoardLike, Square, board_of, square_at, square_count, title_of
from knightstour.core.model.budget import DEFAULT_SECONDS, Budget, limits_of
from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.conditions import Given, Moves, Pairs, VisitOrder, order_named, pairs_of, steps_given
from knightstour.core.model.errors import InvalidTour, ProblemError
from knightstour.core.model.exports import picture_of, playable, record_of
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.layers import in_layers, is_compact
from knightstour.core.model.literals import PuzzleKind
from knightstour.core.model.problem import Problem, problem_of_steps
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.model.validation import as_list, flag, whole_number
from knightstour.core.model.wording import short_repr
from knightstour.core.search.clues import Numberings, places_of
from knightstour.lab.puzzles.reasoning import GUESS, KINDS, Reasoning, Step, level_of, reasoning_of, set_bits
from knightstour.lab.puzzles.rows import HOLE, PLACE, UNKNOWN
from knightstour.lab.puzzles.zips import zip_problem

if TYPE_CHECKING:
    from knightstour.lab.puzzles.solve import PuzzleAnswer

# On larger boards a proof of uniqueness needs too long.
_MAX_SQUARES_MADE = 256
# Larger puzzles are not read.
MAX_SQUARES = 10_000

# A partial solution, with or without given numbers: a number for each square, or rows of numbers with 0 for unknown.
Filled: TypeAlias = "Mapping[Square | str, int] | np.ndarray"


@dataclass(frozen=True, slots=True)
class Hint:
    """A step towards the solution, or a wrong number.

    Attributes:
        square: The square of the step.
        number: Its number; None for a wrong number, which must be removed.
        kind: The reasoning: "reach", "square", "chain", "dead ends" or "guess"; or "mistake".
        level: The level of puzzles with no harder step.
        reason: The reason as a sentence.
    """

    square: Square
    number: int | None
    kind: str
    level: str
    reason: str

    def to_dict(self) -> dict[str, object]:
        """Return the fields as JSON-serialisable data."""
        return record_of(self)


@dataclass(frozen=True, slots=True)
class Rating:
    """Difficulty of a puzzle.

    Attributes:
        level: The level.
        counts: Number of steps for each kind of reasoning, easier kinds first.
        steps: The solution path, as hints.
        score: Sum over the steps: 1 for each step by "reach", and 2, 4, 8 and 16 for the harder kinds. In a level, a
            higher score is harder.
    """

    level: str
    counts: dict[str, int]
    steps: tuple[Hint, ...]
    score: int

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        """Return the rating as part of a sentence."""
        return f"{self.level}, score {self.score} ({self.why})"

    @property
    def why(self) -> str:
        """Number of steps for each kind of reasoning."""
        words = [f"{count} by {kind}" for kind, count in self.counts.items() if count]
        return ", ".join(words) or "all numbers are given"


class Details(NamedTuple):
    """Details of a puzzle, for the other modules.

    Attributes:
        text: The text of a puzzle of letters; letter k belongs to number k.
        is_minimal: Whether it is proved that no given number, group of a pattern, or wall of a Zip can be removed
            without a harder or ambiguous puzzle; False if the search ended before, None with `clues` or a text.
        order, forbid: For a Zip, the squares in order, and the walls as pairs of square numbers.
    """

    text: str = ""
    is_minimal: bool | None = None
    order: tuple[Square, ...] = ()
    forbid: Pairs = frozenset()


@dataclass(frozen=True, slots=True, init=False, repr=False)
class Puzzle:
    """Numbers of a tour; `make_puzzle` creates one with exactly one solution.

    Attributes:
        board: The board of the tour.
        given: The number, or the allowed numbers, of each given square.
        closed: Whether the tour is closed.
        solution: The tour, starting at number 1; None if unknown, such as for a puzzle from a file.
        level: "easy", "medium", "hard" or "expert"; "" if unknown, and for a Zip.
        seed: The seed of the random generator, or None.

    Args:
        given: The number of each square, or its allowed numbers: {"a1": 1, "c5": range(16, 20)}.
        text: A text with a letter for each number.
        visit_order, forbid: For a Zip, the squares in order and the walls, as for `solve`.

    Raises:
        BoardError, ProblemError: If a square or number is invalid.

    >>> puzzle = Puzzle("3x4", {"a3": 1, "c2": 2})
    >>> print(puzzle)
     1  .  .  .
     .  .  2  .
     .  .  .  .
    """

    board: Board
    given: dict[Square, int | frozenset[int]]
    closed: bool
    solution: Tour | None
    level: str
    seed: int | None
    _details: Details

    def __init__(
        self,
        board: BoardLike,
        given: Given | None = None,
        *,
        closed: bool = False,
        text: str = "",
        visit_order: VisitOrder | None = None,
        forbid: Moves | None = None,
    ) -> None:
        if given is None and visit_order is None:
            help = "use make_puzzle(board), Puzzle.from_file(path) or Puzzle.from_text(text)"
            raise ProblemError("a Puzzle requires given numbers, or visit_order", help=help)
        board = board_of(board)
        count = places_of(board).count
        found: dict[Square, int | frozenset[int]] = {}
        for s, numbers in steps_given(board, given):
            found[square_at(board, s)] = next(iter(numbers)) if len(numbers) == 1 else numbers
        if text:
            check_text(text, count)
        order = tuple(square_at(board, square) for square in order_named(board, visit_order))
        walls = pairs_of(board, forbid, "forbid")
        if (order and (found or text or closed)) or (walls and not order):
            raise ProblemError(
                "squares in order cannot be combined with given numbers, text or closed", help="omit the others"
            )
        details = Details(text, None, order, walls)
        closed = flag(closed, "closed")
        self._set(board=board, given=found, closed=closed, solution=None, level="", seed=None, _details=details)

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

    @property
    def kind(self) -> PuzzleKind:
        """Kind as for `make_puzzle`: "places" if a square has several allowed numbers.

        >>> Puzzle("3x4", {"a3": 1, "c2": [2, 4]}).kind
        'places'
        """
        if self._details.order:
            return "zip"
        return "numbers" if all(isinstance(numbers, int) for numbers in self.given.values()) else "places"

    @property
    def problem(self) -> Problem:
        """The puzzle as a problem, for solve() and other functions.

        >>> from knightstour.core.methods.solve import solve
        >>> solve(Puzzle("3x4", {"a3": 1, "a2": 8}).problem).tour.numbers[1].tolist()
        [8, 11, 2, 5]
        """
        if self._details.order:
            return zip_problem(self.board, order_numbers(self), self._details.forbid)
        steps = tuple(sorted((square, frozenset(numbers)) for square, numbers in steps_of(self)))
        return problem_of_steps(self.board, steps, closed=self.closed)

    @classmethod
    def from_file(
        cls,
        path_or_file: PathOrFile,
        *,
        board: BoardLike | None = None,
        moves: pieces.Moves | None = None,
        wrap: str | None = None,
    ) -> Puzzle:
        """Read the puzzle in a file, text or JSON.

        Args:
            path_or_file: The file, or an open stream.
            board: The board of a file that does not name its own.
            moves, wrap: Only the piece of the board, and its joined sides.

        Raises:
            FormatError: If the puzzle is invalid (with the line), or the file names another board.
            OSError: If the file cannot be opened.

        If the rows of a text are not in the exact form, `puzzle.board.read_as` describes their interpretation.
        """
        from knightstour.lab.puzzles.files import puzzle_in_file

        return puzzle_in_file(path_or_file, board, moves, wrap)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        board: BoardLike | None = None,
        moves: pieces.Moves | None = None,
        wrap: str | None = None,
    ) -> Puzzle:
        """Read a puzzle from text or JSON, in the formats of `from_file`.

        >>> Puzzle.from_text("closed\\n1 . #\\n. 3 .", moves="king").closed
        True
        """
        from knightstour.lab.puzzles.files import puzzle_in_text

        return puzzle_in_text(text, board, moves, wrap)

    def to_text(self, format: str = "text") -> str:
        """Return the puzzle as "text" or "json", with a line end.

        Raises:
            FormatError: If text does not support the puzzle.

        >>> print(Puzzle("3x4", {"a3": 1}, closed=True).to_text(), end="")
        # board 3x4
        closed
         1  .  .  .
         .  .  .  .
         .  .  .  .
        """
        from knightstour.lab.puzzles.files import text_of_puzzle

        return text_of_puzzle(self, format)

    def solve(
        self,
        *,
        n: int = 2,
        timeout: float | None = DEFAULT_SECONDS,
        max_nodes: int | None = None,
        on_progress: OnProgress | None = None,
    ) -> PuzzleAnswer:
        """Find up to `n` solutions; the default of 2 decides whether the solution is unique.

        Args:
            timeout, max_nodes: The most seconds (by default 60, of processor time) and search steps.
            on_progress: Callback with a Progress every fraction of a second of a long search.

        >>> answer = Puzzle("3x4", {"a3": 1}).solve(n=10)
        >>> len(answer.tours), answer.is_complete
        (2, True)
        """
        from knightstour.lab.puzzles.solve import answer_of

        return answer_of(self, n, limits_of(timeout, max_nodes=max_nodes), on_progress)

    def rate(self) -> Rating:
        """Rate the difficulty by solving the puzzle like a person, easiest steps first.

        Raises:
            ProblemError: If there is not exactly one solution, or the puzzle is a Zip.

        >>> Puzzle("3x4", {"a3": 1, "a2": 8}).rate().counts["guess"]
        0
        """
        if self._details.order:
            raise ProblemError("a Zip has no level", help="use hints, which support Zips")
        steps = self.hints()
        counts = dict.fromkeys(KINDS, 0)
        for hint in steps:
            counts[hint.kind] += 1
        hardest = max((KINDS.index(kind) for kind, count in counts.items() if count), default=0)
        score = sum(count << KINDS.index(kind) for kind, count in counts.items())
        return Rating(level_of(KINDS[hardest]), counts, steps, score)

    def hint(self, state: Filled | None = None) -> Hint | None:
        """Return the easiest next step with its reason, or the first mistake; None if all squares are filled in.

        Args:
            state: The partial solution, with or without the given numbers: {square: number}, or rows of numbers with 0
                for unknown.

        >>> puzzle = Puzzle("3x4", {"a3": 1, "a2": 8})
        >>> puzzle.hint({"d1": 11}).kind
        'mistake'
        """
        solution = self._unique_solution()
        state = {} if state is None else state
        filled = check_partial_solution(self.board, state)
        for square, number in filled.items():
            if solution.numbers[square] != number:
                reason = f"{number} does not belong on {self.board.square_name(square)}: no solution has it there"
                return Hint(square, None, "mistake", "", reason)
        known = first_reasoning(self)
        places = known.places
        for square, number in filled.items():
            s = places.index[square[0] * self.board.cols + square[1]]
            if number - 1 not in known.at:
                known.place(s, number - 1)
        return None if known.is_done else self._next_hint(known, solution)[0]

    def hints(self) -> tuple[Hint, ...]:
        """Return the whole solution path: a hint for each missing number, the easiest next step first.

        The first hint whose square is free also helps after other squares were filled in, since it depends only on
        earlier hints.

        Raises:
            ProblemError: If there is not exactly one solution.

        >>> [(hint.number, hint.kind) for hint in Puzzle("3x4", {"a3": 1, "a2": 8}).hints()][:2]
        [(2, 'dead ends'), (3, 'reach')]
        """
        solution = self._unique_solution()
        state = first_reasoning(self)
        found = []
        while not state.is_done:
            hint, step = self._next_hint(state, solution)
            found.append(hint)
            state.place(step.s, step.t)
        return tuple(found)

    def _unique_solution(self) -> Tour:
        """Raise ProblemError unless there is exactly one solution."""
        if self.solution is not None:
            return self.solution
        search = search_of(self, Budget())
        found = list(itertools.islice(search, 2))
        if len(found) != 1 or not search.is_finished:
            how_many = ("none is known", "there may be more", "there are several")[len(found)]
            raise ProblemError(f"the puzzle does not have exactly one solution: {how_many}")
        tour = tour_of(self.board, found[0])
        check_solution(self, tour)
        return tour

    def _next_hint(self, state: Reasoning, solution: Tour) -> tuple[Hint, Step]:
        step = state.easiest_step()
        if step is None:
            t, squares = state.fewest_squares()
            s = state.places.index[int(solution.order[t])]
            ways = " ".join(state.name(u) for u in set_bits(squares))
            reason = f"nothing follows directly: try {t + 1} on each of {ways}; only {state.name(s)} leads to the end"
            step = Step(s, t, GUESS, reason)
        square = square_at(self.board, state.places.squares[step.s])
        return Hint(square, step.t + 1, step.kind, level_of(step.kind), step.reason), step

    def __repr__(self) -> str:
        words = [
            f"{clue_count(self)} {'squares in order' if self.kind == 'zip' else 'given squares'}",
            self.level,
            "" if self.seed is None else f"seed {self.seed}",
        ]
        kind = "a closed" if self.closed else "an open"
        return short_repr(
            self, f"{kind} tour of the {title_of(self.board)}", "".join(f", {word}" for word in words if word)
        )

    def __str__(self) -> str:
        """Return the diagram: rows of words of equal width, with a point for an unknown square.

        # is a hole, and o is a place with several allowed numbers. Letters belong to the text, and numbers of a Zip are
        the order of squares. Cells are in lines and layers; for graphs, the given nodes are listed.

        >>> print(Puzzle("hex:2:king", {"c2": 4}))
          .   .
        .   .   4
          .   .
        """
        board = self.board
        cells = board if isinstance(board, CellBoard) and is_compact(board) else None
        if isinstance(board, GraphBoard) and cells is None:
            return (
                "\n".join(f"{board.square_name(square)}: {mark}" for square, mark in self._inscribed.items()) or UNKNOWN
            )
        words = [[HOLE if (r, c) in board.holes else UNKNOWN for c in range(board.cols)] for r in range(board.rows)]
        for (row, col), mark in self._inscribed.items():
            words[row][col] = mark
        if cells is not None:
            return "\n".join(in_layers(cells, words[0], HOLE))
        width = max(len(str(square_count(board))), *(len(word) for row in words for word in row))
        return "\n".join(" ".join(word.rjust(width) for word in row) for row in words)

    @property
    def _inscribed(self) -> dict[Square, str]:
        order = {square: str(k) for k, square in enumerate(self._details.order, 1)}
        return order | {square: mark_of(self, square) for square in self.given}

    @property
    def walls(self) -> tuple[tuple[Square, Square], ...] | None:
        """Walls of a Zip, as pairs of squares; None for other puzzles."""
        pairs = tuple((square_at(self.board, a), square_at(self.board, b)) for a, b in sorted(self._details.forbid))
        return pairs if self._details.order else None

    def save(self, path: str | os.PathLike[str], **look: Any) -> None:
        """Write the puzzle to a file with the suffix .svg, .png, .pdf, .txt or .json.

        Args:
            **look: Options of a picture, as for `draw`.

        Raises:
            FormatError: If the suffix is unsupported.
            OSError: If the file cannot be written.
        """
        from knightstour.lab.puzzles.files import save_puzzle

        save_puzzle(self, path, **look)

    def _repr_svg_(self) -> str | None:
        """Return None for graphs and large boards, which notebooks show as text."""
        return picture_of(self)

    def _repr_mimebundle_(self, **options: object) -> dict[str, Any]:
        """Return the page if anywidget is installed."""
        return playable(self)


def details_of(puzzle: Puzzle) -> Details:
    """Return the details of a puzzle."""
    return puzzle._details


def puzzle_with(puzzle: Puzzle, **fields: object) -> Puzzle:
    """Return the puzzle with other fields, without checks."""
    new = object.__new__(Puzzle)
    names = ("board", "given", "closed", "solution", "level", "seed", "_details")
    new._set(**{name: getattr(puzzle, name) for name in names if name not in fields}, **fields)
    return new


def clue_count(puzzle: Puzzle) -> int:
    """Return the number of given squares, or of squares in order."""
    return len(puzzle.given) + len(puzzle._details.order)


def order_numbers(puzzle: Puzzle) -> tuple[int, ...]:
    """Return the square numbers of the squares in order."""
    return tuple(row * puzzle.board.cols + col for row, col in puzzle._details.order)


def texts_of(puzzle: Puzzle) -> dict[Square, str]:
    """Return the text on each given square, or square in order."""
    return puzzle._inscribed


def mark_of(puzzle: Puzzle, square: Square) -> str:
    """Return the text on a given square: its number; its letter, with the number if that is also given; or o."""
    numbers, text = puzzle.given[square], puzzle._details.text
    if not text:
        return str(numbers) if isinstance(numbers, int) else PLACE
    letter = text[(numbers if isinstance(numbers, int) else min(numbers)) - 1]
    is_given = isinstance(numbers, int) and text.count(letter) > 1
    return f"{letter}{numbers}" if is_given else letter


def first_reasoning(puzzle: Puzzle) -> Reasoning:
    """Return the known numbers before the first step."""
    places = places_of(puzzle.board)
    return reasoning_of(places, puzzle.closed, steps_of(puzzle), order_numbers(puzzle), puzzle._details.forbid)


def check_size_for_puzzles(board: Board) -> None:
    """Raise ProblemError if a board is too large for creating puzzles."""
    if square_count(board) > _MAX_SQUARES_MADE:
        reason = f"puzzles are created on boards of up to {_MAX_SQUARES_MADE} squares"
        raise ProblemError(
            f"{reason}, but the {title_of(board)} has {square_count(board):,}", help="use a smaller board"
        )
    places_of(board)


def check_text(text: str, count: int) -> None:
    """Raise ProblemError unless a text has one letter for each of `count` squares."""
    if len(text) != count:
        help = f"pass a text of {count} letters; spaces do not count"
        raise ProblemError(f"the text has {len(text)} letters, but the board has {count} squares", help=help)


def steps_of(puzzle: Puzzle) -> list[tuple[int, tuple[int, ...]]]:
    """Return the square numbers of the given squares with their allowed numbers, for the search."""
    cols = puzzle.board.cols
    order = order_numbers(puzzle)
    ends = [(order[0], (1,)), (order[-1], (square_count(puzzle.board),))] if order else []
    return [
        (row * cols + col, (numbers,) if isinstance(numbers, int) else tuple(sorted(numbers)))
        for (row, col), numbers in puzzle.given.items()
    ] + ends


def search_of(puzzle: Puzzle, budget: Budget) -> Numberings:
    """Return the complete search for the solutions."""
    return Numberings(
        puzzle.board,
        steps_of(puzzle),
        budget,
        closed=puzzle.closed,
        forbid=puzzle._details.forbid,
        visit_order=order_numbers(puzzle),
    )


def check_partial_solution(board: Board, state: Filled) -> dict[Square, int]:
    """Return the partial solution as {square: number}; raise BoardError or ProblemError if it is invalid."""
    if not isinstance(state, Mapping):
        diagram = np.asarray(state if isinstance(state, np.ndarray) else as_list(state, "the numbers"))
        if diagram.shape != (board.rows, board.cols):
            raise ProblemError(f"the rows of numbers do not have the shape of the board, {board.rows}x{board.cols}")
        state = {square_at(board, int(s)): int(diagram.flat[s]) for s in np.flatnonzero(diagram > 0)}
    count = square_count(board)
    found: dict[Square, int] = {}
    for key, number in state.items():
        square = board.square(key)
        name = board.square_name(square)
        if not 1 <= whole_number(number, f"the number of {name}") <= count:
            raise ProblemError(f"{name} cannot have number {number}", help=f"numbers are 1 to {count} on this board")
        found[square] = int(number)
    return found


def check_solution(puzzle: Puzzle, tour: Tour) -> None:
    """Raise InvalidTour unless a tour is a solution of the puzzle."""
    for square, numbers in puzzle.given.items():
        number = int(tour.numbers[square])
        if number != numbers if isinstance(numbers, int) else number not in numbers:
            raise InvalidTour(f"the tour has {number} on {puzzle.board.square_name(square)}, unlike the puzzle")
    if puzzle.closed and not tour.is_closed:
        raise InvalidTour("the tour is not closed")
    if puzzle._details.order:
        fault = fault_of(puzzle.problem, tour.order)
        if fault is not None or (tour.start, tour.end) != (puzzle._details.order[0], puzzle._details.order[-1]):
            raise InvalidTour(fault or "the tour does not start and end at the first and the last square of the order")
