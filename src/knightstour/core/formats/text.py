"""Common parts of the text formats of tours, and numbered grids; for lists of squares see lists.py.

Every text format consists of blocks of lines with integers. A block is a tour. One loop finds the blocks, and a format
defines the conversion of a line to numbers and of a block to squares.

A line that begins with `#` is a comment. The comment `# board 4x5:2,3:torus:-a1,b2` defines the board of the tours
below it, and is written if necessary. A long list of holes is omitted, since a grid shows them as `.`. Comments cannot
define graphs, and cells without a specification.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board, board_of, square_count, title_of, word_of
from knightstour.core.model.errors import BoardError, FormatError, InvalidTour
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.grid_board import GridBoard, is_knights
from knightstour.core.model.layers import cells_read, in_layers, is_compact
from knightstour.core.model.numbering import (
    HOLE,
    Numbering,
    board_of_numbers,
    hole_or_first,
    numbering,
    order_of_numbers,
)
from knightstour.core.model.tour import Tour

# Blocks are checked for repeats when they reach this size, and each time they have doubled.
_FIRST_LOOK = 1 << 17
_MAX_COMMENT = 1 << 24
# Limit on the specification of a board above a grid, in characters; holes are omitted from longer ones.
_MAX_WORD = 100


class Reading(NamedTuple):
    """Squares found by a reader, int (n, 2), not checked to be a tour, and their first line.

    Attributes:
        fault: Error if there is no order of visit; then `squares` is empty.
        help: Advice if the result is not a tour.
    """

    board: Board
    squares: np.ndarray
    line: int | None
    fault: InvalidTour | None = None
    help: str = ""


# ---------------------------------------------------------------- boards named in a comment


def board_of_words(words: str) -> Board:
    """Return the board of a comment. Raises BoardError.

    >>> board_of_words("board 4x5:torus:-a1") == Board("4x5:torus:-a1")
    True
    """
    match = re.fullmatch(r"board\s+(\S+)\s*", words)
    if not match:
        raise BoardError(f"not a board: {words[:60]!r}", help="write it as: # board 4x5:2,3:torus:-a1")
    return board_of(match[1])


def agreed_board(source: Source, given_board: Board | None, named: Board | None, line: int | None) -> Board | None:
    """Return the board from the caller or the file. Raises FormatError if they differ."""
    if given_board is not None and named is not None and given_board != named:
        raise source.fail(
            f"the tours of the file are on the {title_of(named)}, not on the {title_of(given_board)}", line
        )
    return given_board or named


class Titles:
    """Writes a comment with the board when it changes and the tours do not define it."""

    def __init__(self, shows_holes: bool) -> None:
        self._shows_holes = shows_holes
        self._last: Board | None = None
        self._is_needed = False

    def before(self, board: Board) -> str:
        if board is self._last or board == self._last:
            return ""
        self._last = board
        if isinstance(board, GraphBoard) and not (isinstance(board, CellBoard) and word_of(board)):
            return ""
        flat = board.wrap is None and is_knights(board) and (self._shows_holes or not board.holes)
        # After such a comment, a plain board needs one too.
        self._is_needed = self._is_needed or not flat
        word = str(board)
        if self._shows_holes and board.holes and isinstance(board, GridBoard) and len(word) > _MAX_WORD:
            word = str(board.replace(holes=()))
        return f"# board {word}\n" if self._is_needed else ""


# ---------------------------------------------------------------- blocks of numbers


class Block(NamedTuple):
    """Tour as numbers.

    Attributes:
        line: First line.
        lengths: Number of numbers in each line.
    """

    line: int
    lengths: list[int]
    cells: array[int]
    board: Board | None


# Line number, text, whether the line ends here, and the last board in a comment.
_Piece: TypeAlias = tuple[int, str, bool, Board | None]


def strip_comments(source: Source) -> Iterator[_Piece]:
    """Yield the pieces of a file, comments as empty lines, with the last board in a comment."""
    board: Board | None = None
    comment = ""
    at_start = True
    for number, text, is_whole in source.pieces():
        if comment or (at_start and text.lstrip().startswith("#")):
            # Comments may be long, but only comments on the board are kept.
            if not comment or comment.startswith("# board "):
                comment += text
            if len(comment) > _MAX_COMMENT:
                raise source.fail("the comment is too long", number)
            if is_whole:
                if comment.startswith("# board "):
                    try:
                        board = board_of_words(comment[2:].strip())
                    except BoardError as error:
                        raise source.fail(str(error), number, help=error.help) from error
                comment = ""
                yield number, "", True, board
        else:
            yield number, text, is_whole, board
        at_start = is_whole


def blocks_in(
    source: Source,
    parse: Callable[[str, Board | None], list[int]],
    *,
    per_square: int,
    tour_a_line: bool,
    what: str,
    given: Board | None = None,
) -> Iterator[Block]:
    """Yield the tours of a file as blocks of numbers, `per_square` numbers per square.

    Args:
        parse: Function that returns the numbers of a line, given the last board in a comment; raises ValueError with an
            invalid word.
        what: Description of the expected words.
        given: Board from the caller. A grid of cells has lines of several lengths, and empty lines between layers.
        tour_a_line: Whether a line of several squares is a tour; else all lines of a block have the same length.
    """
    block = Growing(source, per_square)
    width, look_at = 0, _FIRST_LOOK
    line_cells = array("q")
    for number, text, is_whole, board in strip_comments(source):
        try:
            values = parse(text, board)
            if line_cells or not is_whole:
                line_cells.extend(values)
                if not is_whole:
                    look_at = _look(source, line_cells, number, per_square, look_at)
                    continue
                values, line_cells, look_at = line_cells.tolist(), array("q"), _FIRST_LOOK
            length = len(values)
            around = given or board
            count = (
                square_count(around) if per_square == 1 and around is not None and isinstance(around, CellBoard) else 0
            )
            is_tour = tour_a_line and length > per_square
            if (not length or is_tour) and block.numbers >= count:
                yield from block.end()
            if not length:
                continue
            if block.rows and length != width and not count:
                raise source.fail(
                    f"this line has {length} numbers, but line {block.line} has {width}",
                    number,
                    help="all lines of a grid have the same length; an empty line ends a grid; '.' is a hole",
                )
            width = length
            block.add(values, number, board)
        except OverflowError:
            raise source.fail("a number is too large", number) from None
        except ValueError as error:
            if isinstance(error, FormatError):
                raise
            word = _start_of(str(error))
            kind = f"{what} of a tour" if word.startswith("-") and what == "a number" else what
            raise source.fail(f"{word!r} is not {kind}", number) from None
        if is_tour:
            yield from block.end()
    yield from block.end()


class Growing:
    """A block whose lines are being read."""

    def __init__(self, source: Source, per_square: int) -> None:
        self._source, self._per_square = source, per_square
        self._board: Board | None = None
        self._look_at = _FIRST_LOOK
        self.line = self.numbers = 0
        self.lengths: list[int] = []
        self.cells = array("q")

    @property
    def rows(self) -> int:
        """Number of lines."""
        return len(self.lengths)

    def add(self, values: list[int], line: int, board: Board | None) -> None:
        """Add the numbers of a line. board: Last board in a comment."""
        if not self.rows:
            self.line, self._board, self._look_at = line, board, _FIRST_LOOK
        self.cells.extend(values)
        self.lengths.append(len(values))
        self.numbers += len(values) - values.count(HOLE)
        if len(self.cells) >= self._look_at:
            self._look_at = _look(self._source, self.cells, line, self._per_square, self._look_at)

    def end(self) -> Iterator[Block]:
        """Yield the block, if not empty, and begin a new one."""
        if self.rows:
            yield Block(self.line, self.lengths, self.cells, self._board)
        self.numbers, self.lengths, self.cells = 0, [], array("q")


def _start_of(word: str) -> str:
    return word if len(word) <= 40 else word[:40] + "..."


def _look(source: Source, cells: array[int], line: int, per_square: int, look_at: int) -> int:
    """Reject a long block with repeats, so that noise is not read to its end. Returns the size for the next check."""
    if len(cells) < look_at:
        return look_at
    values = np.array(cells)[: len(cells) // per_square * per_square].reshape(-1, per_square)
    keys = values[:, 0] if per_square == 1 else values[:, 0] * 2654435761 + values[:, 1]
    keys = keys[values[:, 0] != HOLE]
    if 1000 * len(keys) < len(values):
        raise source.fail(f"not a tour: nearly all of the first {len(values):,} squares are holes", line)
    if len(np.unique(keys)) < len(keys):
        raise source.fail(f"not a tour: a square or number is repeated among the first {len(values):,}", line)
    return 2 * len(cells)


# ---------------------------------------------------------------- grids


def write_grid(tours: Iterable[Tour], first_number: int) -> Iterator[str]:
    """Yield numbered diagrams, `.` for a hole; boards of cells by layers."""
    titles = Titles(shows_holes=True)
    texts: list[str] = []
    made_for = -1
    for tour in tours:
        board, count = tour.board, len(tour)
        if made_for != count:
            width = len(str(count - 1 + first_number))
            texts = [str(x + first_number).rjust(width) for x in range(count)]
            hole, made_for = ".".rjust(width), count
        cells = [hole] * (board.rows * board.cols)
        for text, square in zip(texts, tour.order.tolist(), strict=True):
            cells[square] = text
        cols = board.cols
        if isinstance(board, CellBoard):
            lines = _lines_of_cells(board, cells)
        else:
            lines = [" ".join(cells[k : k + cols]) for k in range(0, len(cells), cols)]
        yield titles.before(board) + "\n".join(lines) + "\n"


def _lines_of_cells(board: Board, texts: list[str]) -> list[str]:
    assert isinstance(board, CellBoard)
    if not is_compact(board):
        raise FormatError(f"the cells of the {title_of(board)} are too far apart for a diagram", help="use algebraic")
    return in_layers(board, texts)


def read_grid(source: Source, given_board: Board | None, first_number: int | None) -> Iterator[Reading]:
    """Read diagrams that count from `first_number`, or as `numbering` decides."""
    made: tuple[int, int, bytes] | None = None
    made_board: Board | None = None
    blocks = blocks_in(
        source,
        lambda text, _: _parse_numbers(text),
        per_square=1,
        tour_a_line=False,
        what="a number",
        given=given_board,
    )
    for block in blocks:
        grid = np.frombuffer(block.cells, dtype=np.int64)
        board = agreed_board(source, given_board, _with_holes(block.board, block, grid), block.line)
        if board is not None and isinstance(board, CellBoard):
            grid, block = _by_cells(source, board, grid, block), block._replace(lengths=[board.cols])
        shape = (len(block.lengths), len(grid) // len(block.lengths))
        if board is not None and shape != (board.rows, board.cols):
            raise source.fail(
                f"this grid has {shape[0]} rows and {shape[1]} columns, "
                f"but the {title_of(board)} has {board.rows} and {board.cols}",
                block.line,
            )
        if first_number is None or grid.min() > 0:
            found = numbering(grid.reshape(shape), board)
            found = found if first_number is None else found._replace(base=first_number)
        else:
            where = np.flatnonzero(grid != HOLE)
            found = Numbering(grid[where], where, first_number, np.flatnonzero(grid == HOLE))
        if board is None:
            key = (*shape, found.holes.tobytes())
            if made != key:
                if not len(found.where):
                    raise source.fail("the grid has no number", block.line)
                made, made_board = key, board_of_numbers(shape, found.holes)
            around = made_board
            assert around is not None
        else:
            around = board
        yield diagram_reading(
            around, found, shape[1], block.line, is_given=board is not None or first_number is not None
        )


def _with_holes(board: Board | None, block: Block, grid: np.ndarray) -> Board | None:
    """Return the board of a comment, with the holes of the grid."""
    if board is None or board.holes or not isinstance(board, GridBoard) or not (grid == HOLE).any():
        return board
    if (board.rows, board.cols) != (len(block.lengths), len(grid) // len(block.lengths)) or (grid == HOLE).all():
        return board
    rows, cols = np.divmod(np.flatnonzero(grid == HOLE), board.cols)
    return board.replace(holes=list(zip(rows.tolist(), cols.tolist(), strict=True)))


def _by_cells(source: Source, board: Board, grid: np.ndarray, block: Block) -> np.ndarray:
    """Convert numbers by layers to the order of the cells. Raises FormatError if they do not fit the board."""
    assert isinstance(board, CellBoard)
    cells = cells_read(board, block.lengths)
    if cells is None or ((grid == HOLE) != (cells < 0)).any():
        count = int((grid != HOLE).sum())
        wanted = f"the {title_of(board)} has {square_count(board):,} cells, but these lines have {count:,} numbers"
        if count == square_count(board):
            wanted = f"these lines are not arranged like the cells of the {title_of(board)}"
        raise source.fail(
            wanted, block.line, help="write its layers below each other, with `.` in place of missing cells"
        )
    numbers = np.zeros(board.cols, dtype=np.int64)
    numbers[cells[cells >= 0]] = grid[cells >= 0]
    return numbers


def _parse_numbers(text: str) -> list[int]:
    if "," in text:
        text = text.replace(",", " ")
    words = text.split()
    try:
        return [int(word) for word in words] if "-" not in text and "_" not in text else _slow_numbers(words)
    except ValueError:
        return _slow_numbers(words)


def _slow_numbers(words: list[str]) -> list[int]:
    numbers = []
    for word in words:
        if word != "." and not (word.isascii() and word.isdigit() and len(word) <= 18):
            raise ValueError(word)
        numbers.append(HOLE if word == "." else int(word))
    return numbers


def diagram_reading(board: Board, found: Numbering, cols: int, line: int | None, *, is_given: bool) -> Reading:
    """Return the reading of a diagram of `cols` columns. is_given: Whether the board is given."""
    help = "" if is_given else hole_or_first(found, (board.rows, cols))
    try:
        order = order_of_numbers(found, board.rows, cols, board if isinstance(board, CellBoard) else None)
    except InvalidTour as fault:
        return Reading(board, np.zeros((0, 2), dtype=np.int64), line, fault, help)
    return Reading(board, np.stack(np.divmod(order, cols), axis=1), line, None, help)


def rectangle_around(squares: np.ndarray) -> Board:
    """Return the smallest rectangle from the top left that contains the squares."""
    return Board(*(max(1, int(x) + 1) for x in squares.max(axis=0)))
