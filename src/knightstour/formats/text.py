"""The written notations of tours: numbered grids, and lists of squares in four spellings.

Every one of them is the same thing to a reader: blocks of lines, each line some whole numbers. A block is a tour.
So one loop finds the blocks, and a notation says only how a line becomes numbers and how a block becomes squares.

A line that begins with `#` is a comment. The comment `# board 4x5 wrap torus leaper 2,3 holes a1 b2` names the board
of the tours below it; it is written where the tours alone would not show the board. Boards made from graphs cannot be
named so: their tours are read with the board given.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeAlias

import numpy as np

from knightstour.formats.words import WORD_OR_QUOTED, names_of_squares
from knightstour.machine.files import Source
from knightstour.model.board import Board
from knightstour.model.errors import BoardError, FormatError, InvalidTour
from knightstour.model.names import parse_size, square_name
from knightstour.model.tour import Tour

# In place of a number, the mark of a hole.
HOLE = -1
# Blocks are looked through for repeats when they reach this size, and each time they have doubled.
_FIRST_LOOK = 1 << 17
_MOST_COMMENT = 1 << 24


class Reading(NamedTuple):
    """What a reader found: squares, int (n, 2), not checked to be a tour of the board; `line` is where they begin.

    fault: set if there is no order of visit, so that `squares` are none.
    """

    board: Board
    squares: np.ndarray
    line: int | None
    fault: InvalidTour | None = None


# ---------------------------------------------------------------- boards named in a comment


def board_words(board: Board) -> str:
    """The board in one line of words, as comments name it.

    >>> board_words(Board(4, 5, wrap="torus", holes=["a1"]))
    'board 4x5 wrap torus holes a1'
    """
    words = [f"board {board.rows}x{board.cols}"]
    if board.wrap:
        words.append(f"wrap {board.wrap}")
    if board.leaper != (1, 2):
        words.append(f"leaper {board.leaper[0]},{board.leaper[1]}")
    if board.holes:
        words.append("holes " + " ".join(square_name(hole, board.rows) for hole in sorted(board.holes)))
    return " ".join(words)


def board_of_words(words: str) -> Board:
    """The board that `board_words` wrote; a BoardError where the words make no board.

    >>> board_of_words("board 4x5 wrap torus holes a1")
    Board(4, 5, holes=[(3, 0)], wrap='torus')
    """
    head, _, holes = words.partition(" holes ")
    match = re.fullmatch(r"board (\S+)(?: wrap (\w+))?(?: leaper (\d{1,9}),(\d{1,9}))?", head.strip())
    if not match:
        raise BoardError(f"not a board: {words[:60]!r}", help="write it as: # board 4x5 wrap torus leaper 2,3 holes a1")
    leaper = (int(match[3]), int(match[4])) if match[3] else (1, 2)
    return Board(*parse_size(match[1]), holes=holes.split(), wrap=match[2], leaper=leaper)


def agreed_board(source: Source, given: Board | None, named: Board | None, line: int | None) -> Board | None:
    """The board given by the caller or named in the file; a FormatError where these are two different ones."""
    if given is not None and named is not None and given != named:
        raise source.fail(f"the file's tours are of the {named}, not of the {given}", line)
    return given or named


class _Titles:
    """Writes the comment that names the board, where the board changes and its tours do not show it."""

    def __init__(self, shows_holes: bool) -> None:
        self._shows_holes = shows_holes
        self._last: Board | None = None
        self._is_needed = False

    def before(self, board: Board) -> str:
        if board is self._last or board == self._last:
            return ""
        self._last = board
        if board.graph is not None:
            return ""
        flat = board.wrap is None and board.leaper == (1, 2) and (self._shows_holes or not board.holes)
        # Once there was such a comment a plain board needs one too, to end the other's reach.
        self._is_needed = self._is_needed or not flat
        return f"# {board_words(board)}\n" if self._is_needed else ""


# ---------------------------------------------------------------- blocks of numbers


class _Block(NamedTuple):
    line: int
    rows: int
    cells: array[int]
    board: Board | None


# The number of a line, a piece of it, whether the line ends there, and the board that was named last.
_Piece: TypeAlias = tuple[int, str, bool, Board | None]


def _uncommented(source: Source) -> Iterator[_Piece]:
    """The pieces of a file, comments as empty lines, with the board that was named last."""
    board: Board | None = None
    comment = ""
    at_start = True
    for number, text, is_whole in source.pieces():
        if comment or (at_start and text.lstrip().startswith("#")):
            # A comment may be as long as it likes, but only one about the board is kept.
            if not comment or comment.startswith("# board "):
                comment += text
            if len(comment) > _MOST_COMMENT:
                raise source.fail("this comment is far too long", number)
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


def _rows_of_grids(source: Source) -> Iterator[_Piece]:
    """The pieces of a file of diagrams, with a line for each row where semicolons end rows, as in "1 4 7; 2 5 8".

    Where there is one number before the first semicolon of a line, semicolons are between the numbers of a row, as
    spreadsheets write them: knights have no tour of a board of one column, so nothing is read wrongly.
    """
    # Of the line at work: whether semicolons end rows, once there is one, and the words of the row (of many, a few).
    ends_rows: bool | None = None
    words = 0
    for number, text, is_whole, board in _uncommented(source):
        if is_whole and not words and ends_rows is None and ";" not in text:
            yield number, text, True, board
            continue
        if ends_rows is None and ";" in text:
            ends_rows = words + _few_words(text.partition(";")[0]) > 1
        if ends_rows:
            *rows, text = text.split(";")
            for row in rows:
                if words or row.strip():
                    yield number, row, True, board
                words = 0
        else:
            text = text.replace(";", " ")
        words += _few_words(text)
        if words or not ends_rows:
            yield number, text, is_whole, board
        if is_whole:
            ends_rows, words = None, 0


def _few_words(text: str) -> int:
    """The number of words, at most 3."""
    return len(text.split(None, 2))


def _blocks(
    source: Source,
    parse: Callable[[str], list[int]],
    *,
    per_square: int,
    tour_a_line: bool,
    what: str,
    lines: Callable[[Source], Iterator[_Piece]] = _uncommented,
) -> Iterator[_Block]:
    """The tours of a file as blocks of numbers, `per_square` numbers a square.

    parse: the numbers of a line; a ValueError with the word that is none. what: what such a word should be.
    tour_a_line: a line of several squares is a tour of its own; else all lines of a block have one length.
    lines: the pieces of the file.
    """
    block = _Growing(source, per_square)
    width, look_at = 0, _FIRST_LOOK
    line_cells = array("q")
    for number, text, is_whole, board in lines(source):
        try:
            values = parse(text)
            if line_cells or not is_whole:
                line_cells.extend(values)
                if not is_whole:
                    look_at = _look(source, line_cells, number, per_square, look_at)
                    continue
                values, line_cells, look_at = line_cells.tolist(), array("q"), _FIRST_LOOK
            length = len(values)
            is_tour = tour_a_line and length > per_square
            if not length or is_tour:
                yield from block.end()
            if not length:
                continue
            if block.rows and length != width:
                raise source.fail(
                    f"this line has {length} numbers, line {block.line} has {width}",
                    number,
                    help="all lines of a grid have one length; an empty line ends a grid; '.' marks a hole",
                )
            width = length
            block.add(values, number, board)
        except OverflowError:
            raise source.fail("a number far too large", number) from None
        except ValueError as error:
            if isinstance(error, FormatError):
                raise
            raise source.fail(f"{_start_of(str(error))!r} is not {what}", number) from None
        if is_tour:
            yield from block.end()
    yield from block.end()


class _Growing:
    """A block while its lines are read."""

    def __init__(self, source: Source, per_square: int) -> None:
        self._source, self._per_square = source, per_square
        self._board: Board | None = None
        self._look_at = _FIRST_LOOK
        self.line = self.rows = 0
        self.cells = array("q")

    def add(self, values: list[int], line: int, board: Board | None) -> None:
        """Take the numbers of a line. board: the one named last; that of the first line counts."""
        if not self.rows:
            self.line, self._board, self._look_at = line, board, _FIRST_LOOK
        self.cells.extend(values)
        self.rows += 1
        if len(self.cells) >= self._look_at:
            self._look_at = _look(self._source, self.cells, line, self._per_square, self._look_at)

    def end(self) -> Iterator[_Block]:
        """The block, if it has a line; the next one is empty."""
        if self.rows:
            yield _Block(self.line, self.rows, self.cells, self._board)
        self.rows, self.cells = 0, array("q")


def _start_of(word: str) -> str:
    return word if len(word) <= 40 else word[:40] + "..."


def _look(source: Source, cells: array[int], line: int, per_square: int, look_at: int) -> int:
    """Refuse a long block as soon as it repeats itself, so that noise is not read to its end. Returns when to look."""
    if len(cells) < look_at:
        return look_at
    values = np.array(cells)[: len(cells) // per_square * per_square].reshape(-1, per_square)
    keys = values[:, 0] if per_square == 1 else values[:, 0] * 2654435761 + values[:, 1]
    keys = keys[values[:, 0] != HOLE]
    if 1000 * len(keys) < len(values):
        raise source.fail(f"nearly all of the first {len(values):,} squares are holes: not a tour", line)
    if len(np.unique(keys)) < len(keys):
        raise source.fail(f"the same square or number comes twice among the first {len(values):,}: not a tour", line)
    return 2 * len(cells)


# ---------------------------------------------------------------- grids


def write_grid(tours: Iterable[Tour], first_number: int) -> Iterator[str]:
    """Numbered diagrams, `.` for a hole."""
    titles = _Titles(shows_holes=True)
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
        lines = [" ".join(cells[k : k + cols]) for k in range(0, len(cells), cols)]
        yield titles.before(board) + "\n".join(lines) + "\n"


def read_grid(source: Source, given: Board | None, first_number: int | None) -> Iterator[Reading]:
    """Diagrams that count from `first_number`; None: from 0 if there is a 0, else from 1."""
    made: tuple[int, int, bytes] | None = None
    made_board: Board | None = None
    blocks = _blocks(source, _parse_numbers, per_square=1, tour_a_line=False, what="a number", lines=_rows_of_grids)
    for block in blocks:
        grid = np.frombuffer(block.cells, dtype=np.int64)
        shape = (block.rows, len(grid) // block.rows)
        board = agreed_board(source, given, block.board, block.line)
        is_hole = grid == HOLE
        if board is None:
            key = (*shape, is_hole.tobytes())
            if made != key:
                if is_hole.all():
                    raise source.fail("this grid has no number", block.line)
                holes = np.argwhere(is_hole.reshape(shape)).tolist()
                made, made_board = key, Board(*shape, holes=[(r, c) for r, c in holes])
            board = made_board
            assert board is not None
        elif shape != (board.rows, board.cols):
            raise source.fail(
                f"this grid has {shape[0]} rows and {shape[1]} columns, the {board} {board.rows} and {board.cols}",
                block.line,
            )
        where = np.flatnonzero(~is_hole)
        numbers = grid[where]
        base = first_number
        if base is None:
            base = 0 if (numbers == 0).any() else 1
        yield diagram_reading(board, numbers, where, base, shape[1], block.line)


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


def diagram_reading(
    board: Board, numbers: np.ndarray, where: np.ndarray, base: int, cols: int, line: int | None
) -> Reading:
    """The reading of a diagram with number `numbers[k]` on square `where[k]`; base: the first number."""
    try:
        order = order_of_numbers(numbers, where, base, board.rows, cols)
    except InvalidTour as fault:
        return Reading(board, np.zeros((0, 2), dtype=np.int64), line, fault)
    return Reading(board, np.stack(np.divmod(order, cols), axis=1), line)


def order_of_numbers(numbers: np.ndarray, where: np.ndarray, base: int, rows: int, cols: int) -> np.ndarray:
    """The square numbers in order of visit; number `numbers[k]` is on square `where[k]`.

    Raises InvalidTour if the numbers are not base, base + 1, ..., each once; `rows` and `cols` are for its message.
    """
    order = np.full(len(where), -1)
    steps = numbers - base
    if len(steps) and steps.min() >= 0 and steps.max() < len(steps):
        order[steps] = where
    if not (order < 0).any():
        return order

    def place(k: int) -> str:
        row, col = divmod(int(where[k]), cols)
        return f"row {row}, column {col}"

    low = np.flatnonzero(numbers < base)
    if len(low):
        raise InvalidTour(
            f"number {numbers[low[0]]} at {place(int(low[0]))}, but this grid counts from {base}",
            step=0,
            help="write '.' for a hole; the format grid0 counts from 0",
        )
    by_number = np.argsort(numbers, kind="stable")
    values = numbers[by_number]
    step = int(np.flatnonzero(values != np.arange(base, base + len(values)))[0])
    if step and values[step] == values[step - 1]:
        twice = by_number[step - 1 : step + 1].tolist()
        places = " and ".join(f"{square_name(divmod(int(where[k]), cols), rows)} ({place(k)})" for k in twice)
        raise InvalidTour(f"number {values[step]} is there twice, at {places}", step=step)
    came = f"after {base + step - 1} comes {values[step]}" if step else f"the first is {values[0]}"
    raise InvalidTour(f"number {base + step} is missing from the grid: {came}", step=step)


# ---------------------------------------------------------------- lists of squares


def write_squares(tours: Iterable[Tour]) -> Iterator[str]:
    """`row,col` a square, counted from 0 at the top left; a tour a line."""
    return _write_names(tours, lambda board: [f"{r},{c}" for r in range(board.rows) for c in range(board.cols)])


def write_algebraic(tours: Iterable[Tour]) -> Iterator[str]:
    """Algebraic names, or those of a graph's nodes; a tour a line."""
    return _write_names(tours, names_of_squares)


def _write_names(tours: Iterable[Tour], names_of: Callable[[Board], list[str]]) -> Iterator[str]:
    titles = _Titles(shows_holes=False)
    names: list[str] = []
    board: Board | None = None
    for tour in tours:
        if tour.board is not board and tour.board != board:
            board = tour.board
            names = names_of(board)
        # Lines of one square each are one tour, up to an empty line.
        end = "\n" if len(tour) > 1 else "\n\n"
        yield titles.before(tour.board) + " ".join([names[s] for s in tour.order.tolist()]) + end


def write_xy(tours: Iterable[Tour]) -> Iterator[str]:
    """`X: 1<tab>Y: 1` a line, X the column and Y the row, both from 1 at the top left."""
    titles = _Titles(shows_holes=False)
    for tour in tours:
        lines = [f"X: {c + 1}\tY: {r + 1}\n" for r, c in tour]
        yield titles.before(tour.board) + "".join(lines)


def read_squares(source: Source, given: Board | None) -> Iterator[Reading]:
    """Lists that `write_squares` writes; brackets and other spaces are read too, and a square a line."""
    blocks = _blocks(source, _parse_pairs, per_square=2, tour_a_line=True, what="a square like 0,0 (row,col)")
    return _listed(source, given, blocks, lambda pairs, rows: pairs)


def read_xy(source: Source, given: Board | None) -> Iterator[Reading]:
    """Lists that `write_xy` writes."""
    blocks = _blocks(source, _parse_xy, per_square=2, tour_a_line=False, what="a square like 'X: 1 Y: 1'")
    return _listed(source, given, blocks, lambda pairs, rows: pairs[:, ::-1] - 1)


def read_algebraic(source: Source, given: Board | None) -> Iterator[Reading]:
    """Lists of names; a tour a line, or a name a line and an empty line between tours.

    With the board of a graph given, its nodes by their names too.
    """
    is_graph = given is not None and given.graph is not None
    names = _Names({name: (k, 1) for k, name in enumerate(names_of_squares(given))} if is_graph and given else {})

    def parse(text: str) -> list[int]:
        if not is_graph and ("," in text or "-" in text):
            text = re.sub(r"[,-]", " ", text)
        try:
            words = WORD_OR_QUOTED.findall(text) if is_graph else text.split()
            return [x for word in words for x in names[word]]
        except KeyError as error:
            raise ValueError(error.args[0]) from None

    blocks = _blocks(source, parse, per_square=2, tour_a_line=True, what="the name of a square, like a1")
    return _listed(
        source, given, blocks, lambda pairs, rows: np.stack([rows - pairs[:, 1], pairs[:, 0]], axis=1), from_below=True
    )


class _Names(dict[str, tuple[int, int]]):
    """(column, number) of names, each taken apart once: "c2" is (2, 2). given: names that are known, such as nodes."""

    def __init__(self, given: dict[str, tuple[int, int]]) -> None:
        super().__init__(given)
        self._given = given

    def __missing__(self, word: str) -> tuple[int, int]:
        match = re.fullmatch(r"([a-z]{1,12})([0-9]{1,18})", word.lower())
        if not match:
            raise KeyError(word)
        col = 0
        for letter in match[1]:
            col = col * 26 + ord(letter) - ord("a") + 1
        if len(self) > len(self._given) + 1_000_000:
            self.clear()
            self.update(self._given)
        self[word] = (col - 1, int(match[2]))
        return self[word]


_NEAT_PAIRS = re.compile(r"(?:[0-9]{1,18},[0-9]{1,18} )*")
_PAIR = re.compile(r"([\[(]?)\s*(\d{1,18})\s*,\s*(\d{1,18})\s*([\])]?)[\s,;]*", re.ASCII)
_XY = re.compile(r"\s*X:\s*(-?\d{1,18})[\s,]+Y:\s*(-?\d{1,18})\s*", re.ASCII | re.IGNORECASE)


def _parse_pairs(text: str) -> list[int]:
    words = text.split()
    if _NEAT_PAIRS.fullmatch(" ".join(words) + " "):
        return [int(x) for x in text.replace(",", " ").split()]
    numbers = []
    at = len(text) - len(text.lstrip())
    while at < len(text):
        match = _PAIR.match(text, at)
        if not match or bool(match[1]) != bool(match[4]):
            raise ValueError(text[at : at + 50].split()[0])
        numbers += [int(match[2]), int(match[3])]
        at = match.end()
    return numbers


def _parse_xy(text: str) -> list[int]:
    match = _XY.fullmatch(text)
    if match:
        return [int(match[1]), int(match[2])]
    if text.strip():
        raise ValueError(text.strip())
    return []


def _listed(
    source: Source,
    given: Board | None,
    blocks: Iterator[_Block],
    place: Callable[[np.ndarray, int], np.ndarray],
    *,
    from_below: bool = False,
) -> Iterator[Reading]:
    """Squares of blocks of pairs. Without a board it is the rectangle that just holds them."""
    for block in blocks:
        pairs = np.array(block.cells).reshape(-1, 2)
        board = agreed_board(source, given, block.board, block.line)
        if board is not None:
            squares = place(pairs, board.rows)
        else:
            squares = place(pairs, int(pairs[:, 1].max()) if from_below else 0)
            board = rectangle_around(squares)
        yield Reading(board, squares, block.line)


def rectangle_around(squares: np.ndarray) -> Board:
    """The plain rectangle from the top left that just holds the squares."""
    return Board(*(max(1, int(x) + 1) for x in squares.max(axis=0)))


# ---------------------------------------------------------------- tables


def write_csv(tours: Iterable[Tour]) -> Iterator[str]:
    """A table with the columns tour, step, row, col, all counted from 0."""
    titles = _Titles(shows_holes=False)
    heading = "tour,step,row,col\n"
    for index, tour in enumerate(tours):
        lines = [f"{index},{step},{r},{c}\n" for step, (r, c) in enumerate(tour)]
        yield titles.before(tour.board) + heading + "".join(lines)
        heading = ""


def read_csv(source: Source, given: Board | None) -> Iterator[Reading]:
    """Tables with a heading that names the columns row and col, and perhaps tour and step; others are passed over."""

    def blocks() -> Iterator[_Block]:
        columns: dict[str, int] = {}
        tour_now: str | None = None
        block = _Growing(source, per_square=2)
        for number, text, _, board in _uncommented(source):
            text = text.strip()
            if not text:
                if block.rows:
                    yield from block.end()
                continue
            fields = [field.strip(' "') for field in text.split(",")]
            if not columns:
                columns.update((field.lower(), k) for k, field in enumerate(fields[:100]))
                if not {"row", "col"} <= columns.keys():
                    raise source.fail("the first line must name the columns, row and col among them", number)
                if len(columns) != len(fields):
                    raise source.fail("two columns have one name", number)
                continue
            if len(fields) != len(columns):
                raise source.fail(f"this line has {len(fields)} fields, the heading {len(columns)}", number)
            if "tour" in columns and fields[columns["tour"]] != tour_now:
                yield from block.end()
                tour_now = fields[columns["tour"]]
            if "step" in columns and fields[columns["step"]] != str(block.rows):
                raise source.fail(f"step {fields[columns['step']][:20]!r} where {block.rows} was to come", number)
            words = {name: fields[columns[name]] for name in ("row", "col")}
            for name, word in words.items():
                if not (word.isascii() and word.isdecimal() and len(word) <= 18):
                    raise source.fail(f"{word[:40]!r} is not a {name}", number)
            block.add([int(word) for word in words.values()], number, board)
        yield from block.end()

    return _listed(source, given, blocks(), lambda pairs, rows: pairs)
