"""Links to the page: the part after '#' contains the board and the tour (docs/service.md).

    http://127.0.0.1:8000/#8&c=1&t=CoAW0KLWmP67FH

A tour is one number in mixed radix, written in base 64. Its digits are choices: first the start, then at each step the
next square among the unvisited squares a move away, in rising order. The page's module model/link.js is equivalent.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final
from urllib.parse import unquote

import numpy as np

from knightstour.core.drawing.origin import origin_of, with_origin
from knightstour.core.formats.faults import TruncatedText
from knightstour.core.formats.text import Reading
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board, move_graph, square_count, title_of, word_of
from knightstour.core.model.cells import is_word_of_cells, read_cell_word
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.tour import Tour

DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_MAX_SQUARES: Final = 40_000
# Beginning of the text in a picture, and limit on the squares of tours stored there.
_MADE_BY, _MAX_IN_PICTURES = "knightstour ", 2_500
_SIZE: Final = re.compile(r"(\d{1,9})(?:x(\d{1,9}))?")


def write_link(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield the part after '#' for each tour.

    >>> list(write_link([Tour.from_array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11], (3, 4))]))
    ['3x4&t=A\\n']
    """
    for tour in tours:
        closed = "&c=1" if tour.is_closed else ""
        yield f"{board_text(tour.board)}{closed}&t={_tour_text(tour)}\n"


def with_link(picture: bytes, subjects: Sequence[object]) -> bytes:
    """Return a picture file with links to its tours, unless they are too long.

    >>> tour = Tour.from_array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11], (3, 4))
    >>> with_link(b"<svg><title>A tour</title></svg>", [tour])
    b'<svg><title>A tour</title><metadata>knightstour #3x4&amp;t=A</metadata></svg>'
    """
    tours = [subject for subject in subjects if isinstance(subject, Tour) and _has_link(subject.board)]
    squares = sum(square_count(tour.board) for tour in tours)
    if not tours or len(tours) < len(subjects) or squares > _MAX_IN_PICTURES:
        return picture
    return with_origin(picture, _MADE_BY + " ".join(f"#{link.strip()}" for link in write_link(tours)))


def _has_link(board: Board) -> bool:
    return isinstance(board, GridBoard) or bool(word_of(board))


def read_picture(source: Source, given_board: Board | None) -> Iterator[Reading]:
    origin = origin_of(source.stream.read())
    if origin is None or not origin.startswith(_MADE_BY):
        why = "this picture does not contain its tour"
        raise source.fail(why, help="use a picture of `solve -o` or `draw -o`, which contains it")
    links = origin.removeprefix(_MADE_BY).split()
    source.remark(
        "the tour is read from the link in the picture"
        if len(links) == 1
        else "the tours are read from the links in the picture"
    )
    yield from read_link(Source(io.BytesIO("\n".join(links).encode()), source.path), given_board)


def read_link(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Read links, or their parts after '#', one per line."""
    for line, text, is_whole in source.pieces():
        if not is_whole:
            raise source.fail("a line is too long to be a link", line)
        if text.strip():
            yield _reading(source, text.strip(), line, given_board)


def _reading(source: Source, text: str, line: int, given_board: Board | None) -> Reading:
    first, *fields = _fields(text)
    try:
        board = _board_of(first)
        # A link to a graph contains only its size.
        if (
            given_board is not None
            and isinstance(given_board, GraphBoard)
            and (given_board.rows, given_board.cols) == (board.rows, board.cols)
        ):
            board = given_board
        parts = [field.partition("=")[::2] for field in fields]
        flags = [value for key, value in parts if key == "c" and value not in ("1", "0", "")]
        if flags:
            raise FormatError(f"invalid flag: c={flags[0][:40]}", help="c=1 is a closed tour; copy the link again")
        tours = [value for key, value in parts if key == "t"]
        if not tours:
            raise FormatError("the link contains no tour", help="copy it again when the page shows one")
        if not tours[-1]:
            raise TruncatedText("the link is truncated after t=", help="copy the whole link")
        try:
            order = _order_of(board, tours[-1])
        except FormatError as error:
            raise _as_before(first, tours[-1]) or error from None
    except (FormatError, BoardError) as error:
        raise source.fail(str(error), line, help=error.help) from None
    if given_board is not None and given_board != board:
        raise source.fail(f"the link has a tour of the {title_of(board)}, not of the {title_of(given_board)}", line)
    return Reading(board, np.stack(np.divmod(order, board.cols), axis=1), line)


def _fields(text: str) -> list[str]:
    rest = text.rpartition("#")[2]
    if "&" not in rest and "%26" in rest:
        rest = unquote(rest)
    return [unquote(field) for field in rest.split("&")]


# ---------------------------------------------------------------- boards


def _as_before(word: str, tour: str) -> FormatError | None:
    """Return the error for a link to the former king of boxes, with moves along at most two axes."""
    size, *parts = word.lower().split(":")
    before = ":".join([size, *("0,1+1,1" if part == "king" else part for part in parts)])
    if "king" not in parts or size.count("x") < 2:
        return None
    try:
        _order_of(Board(before), tour)
    except FormatError:
        return None
    mover, earlier = CellBoard(word).mover, CellBoard(before).mover
    message = f"the tour of the link fits the {earlier}, but not the {mover}"
    return FormatError(message, help=f"write {before} in place of {word[:40]}")


def board_text(board: Board) -> str:
    """Return the specification of the board, shortened for square boards, or the number of nodes of a graph."""
    if isinstance(board, CellBoard) and (word := word_of(board)):
        return word
    if isinstance(board, GraphBoard):
        return f"{board.rows}x{board.cols}" if board.cols > 1 else "1"
    size, *parts = str(board).split(":")
    return ":".join([str(board.rows) if board.rows == board.cols else size, *parts])


def _board_of(text: str) -> Board:
    if is_word_of_cells(text):
        if len(read_cell_word(text).cells) > _MAX_SQUARES:
            raise FormatError(f"{text[:40]} has too many cells for a link; the limit is {_MAX_SQUARES:,}")
        return Board(text)
    size, *parts = text.split(":")
    match = _SIZE.fullmatch(size)
    if match is None:
        raise FormatError(f"a link must begin with a board, not with {size[:40]!r}")
    rows, cols = int(match[1]), int(match[2] or match[1])
    if rows * cols > _MAX_SQUARES:
        raise FormatError(f"{rows}x{cols} has too many squares for a link; the limit is {_MAX_SQUARES:,}")
    return Board(":".join([f"{rows}x{cols}", *parts]))


# ---------------------------------------------------------------- tours


def _choices(board: Board, chosen: list[int]) -> Iterator[list[int]]:
    """Yield the squares to choose from at each step. The caller appends the choice to `chosen`."""
    graph = move_graph(board)
    near: Sequence[Sequence[int]] = graph.neighbour_lists()
    visited: set[int] = set()
    free = sorted(graph.squares.tolist())
    while len(chosen) < square_count(board):
        yield free
        last = chosen[-1]
        visited.add(last)
        free = sorted(set(near[last]) - visited)


def _tour_text(tour: Tour) -> str:
    order, chosen = tour.order.tolist(), list[int]()
    digits = []
    for free in _choices(tour.board, chosen):
        digits.append((free.index(order[len(chosen)]), len(free)))
        chosen.append(order[len(chosen)])
    number = 0
    for digit, radix in reversed(digits):
        number = number * radix + digit
    return _digits_of(number)


def _order_of(board: Board, text: str) -> np.ndarray:
    if "." in text:
        raise FormatError("the link contains only a part of a tour")
    number, order = _number_of(text), list[int]()
    for free in _choices(board, order):
        if not free:
            raise FormatError("the tour of the link does not fill the board", help="is the link complete?")
        number, digit = divmod(number, len(free))
        order.append(free[digit])
    if number:
        raise FormatError("the tour of the link does not fit its board", help="is the link complete?")
    return np.array(order, dtype=np.int64)


def _digits_of(number: int) -> str:
    text = ""
    while number:
        number, digit = divmod(number, 64)
        text = DIGITS[digit] + text
    return text or DIGITS[0]


def _number_of(text: str) -> int:
    number = 0
    for sign in text:
        digit = DIGITS.find(sign)
        if digit < 0:
            raise FormatError(f"invalid character in a link: {sign!r}")
        number = number * 64 + digit
    return number
