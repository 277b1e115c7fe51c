"""Candidates for tours in a file, read in an exact format, or else loosely as a person would read them.

Each candidate is checked to be a tour. If the exact format fails, or yields an invalid tour, a short text is read
loosely (`readings`). The loose result is used if all of it are tours; its error is reported if it is closer to a tour.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from knightstour.core.formats import arrays
from knightstour.core.formats.faults import TruncatedText, UnknownFormat
from knightstour.core.formats.foreign import form_of
from knightstour.core.formats.text import Reading
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board, square_count, title_of
from knightstour.core.model.drawing import looks_drawn
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.tour import Tour

if TYPE_CHECKING:
    from knightstour.core.formats.readings.table import LooseReading

# Limits on a text, in characters, and an array that are read loosely.
MAX_CHARS = 4_000_000
MAX_NUMBERS = 1_000_000

# Number of characters that are searched for marks of a format.
_MARKED_CHARS = 65_536
_READ_AS_BOARD = "read it with Board.from_file, or name it as BOARD at the command line"

Read = Callable[[Source, Board | None], Iterator[Reading]]


class Candidate(NamedTuple):
    """A tour, or its error.

    Attributes:
        squares: Squares in order of visit, int (n, 2); None if a diagram defines no order.
        read_as: Phrases on an inexact interpretation.
        place: Position in the file.
    """

    board: Board
    squares: np.ndarray | None
    tour: Tour | None
    fault: InvalidTour | None
    read_as: tuple[str, ...] = ()
    place: str = ""

    def placed_fault(self) -> InvalidTour:
        """Return the error with its position."""
        fault = self.fault
        assert fault is not None
        return InvalidTour(f"{self.place}: {fault}", step=fault.step, note=fault.note, help=fault.help)


def read_as_note(read_as: tuple[str, ...]) -> str:
    """Return a note on the interpretation of a text; "" for exact formats."""
    return f"read as: {', '.join(read_as)}" if read_as else ""


def candidates_from(
    source: Source, reader: Callable[[], Read], given_board: Board | None, *, is_named: bool
) -> Iterator[Candidate]:
    """Yield the candidates of a source. reader: Returns the reader. is_named: Whether the format was given."""
    if not source.is_short(MAX_CHARS):
        yield from _exact(source, reader()(source, given_board))
        return
    found, error = _try_reader(source, lambda: reader()(source, given_board))
    if error is None and all(candidate.fault is None for candidate in found):
        yield from found
    elif source.is_array:
        yield from _loose_array(source, arrays.array_again(source), found, error, given_board)
    else:
        yield from _loose(source, found, error, given_board, is_named)


def candidates_of_array(array: np.ndarray, given_board: Board | None) -> Iterator[Candidate]:
    source = Source(io.BytesIO(), None)
    if array.size > MAX_NUMBERS:
        yield from _exact(source, arrays.read_array(array, given_board))
        return
    found, error = _try_reader(source, lambda: arrays.read_array(array, given_board))
    if error is None and all(candidate.fault is None for candidate in found):
        yield from found
    else:
        yield from _loose_array(source, array, found, error, given_board)


def _try_reader(source: Source, read: Callable[[], Iterator[Reading]]) -> tuple[list[Candidate], FormatError | None]:
    """Return the candidates up to the first error, and the error."""
    found: list[Candidate] = []
    try:
        found.extend(_exact(source, read()))
    except FormatError as failed:
        return found, failed
    return found, None


def _exact(source: Source, readings: Iterator[Reading]) -> Iterator[Candidate]:
    number = 0
    for number, reading in enumerate(readings, 1):
        yield candidate_of(reading, source, number, source.pop_remarks() if source.remarks else ())
    if not number:
        raise source.fail("the file contains no tour")


def _loose(
    source: Source, found: list[Candidate], error: FormatError | None, given_board: Board | None, is_named: bool
) -> Iterator[Candidate]:
    """Yield the candidates of a text whose exact format failed, or raise its error."""
    from knightstour.core.formats.readings import table as readings

    other: LooseReading | None = None
    text = ""
    try:
        text = "" if _is_exact_or_none(source) else source.text_again()
        if not any(map(str.isdigit, text)) and looks_drawn(text):
            raise FormatError("this is a drawing of a board, not a tour", line=1, help=_READ_AS_BOARD)
        other = readings.read_loosely(text, given_board)
        if given_board is None and (other is None or not other.is_whole):
            _check_no_box(text)
        hint = "" if other is not None and other.is_whole else _other_hint(text, given_board)
    except FormatError as refused:
        refusal = source.fail(refused.message, refused.line, help=refused.help)
        if isinstance(refused, TruncatedText):
            # Dots in place of numbers may also be the squares of a map.
            refusal = _as_graph(source, text) or refusal
        is_known = error is not None and (is_named or isinstance(error, TruncatedText))
        raise (error if error is not None and is_known else refusal) from None
    if is_named:
        hint = _hint(other, "without the name of the format")
        other = None
    # Two or three numbers per line are probably squares or moves, and not a diagram.
    is_list = not is_named and given_board is None and any(map(_is_wrong_strip, found))
    if other is not None and (other.is_whole or not found or is_list or other.nearness > min(map(_nearness_of, found))):
        for number, reading in enumerate(other.tours, 1):
            yield _add_help(candidate_of(reading, source, number, other.read_as), hint)
        return
    if is_list:
        raise _no_list(source)
    yield from (_add_help(candidate, hint) for candidate in found)
    if error is not None:
        is_unknown = bool(text) and isinstance(error, UnknownFormat)
        graph = _as_graph(source, text) if is_unknown else None
        if graph is not None:
            raise graph
        left = readings.left_in_list(text, given_board) if is_unknown else None
        if left is not None:
            help = "a line of a list is a square, a move, or either with its number: omit the rest"
            raise source.fail(f"this is a list of squares by name, but {left.says}", left.line, help=help)
        error.help = hint or error.help
        raise error


def _loose_array(
    source: Source,
    array: np.ndarray | None,
    found: list[Candidate],
    error: FormatError | None,
    given_board: Board | None,
) -> Iterator[Candidate]:
    """As `_loose`, for an array or its parts."""
    from knightstour.core.formats.readings import table as readings

    is_list = given_board is None and any(map(_is_wrong_strip, found))
    for parts in ([array], array) if array is not None and array.ndim else ():
        others = [readings.read_array_loosely(np.asanyarray(part), given_board) for part in parts]
        whole = [other for other in others if other is not None and other.is_whole]
        if len(whole) == len(others):
            for number, other in enumerate(whole, 1):
                yield candidate_of(other.tours[0], source, number, other.read_as)
            return
        if is_list and others[0] is not None:
            yield candidate_of(others[0].tours[0], source, 1, others[0].read_as)
            return
    if is_list:
        raise _no_list(source)
    yield from found
    if error is not None:
        raise error


def _no_list(source: Source) -> FormatError:
    help = "a line of a list is a square, 'row column' or 'row column step', or a move, 'from to'"
    return source.fail("these numbers are not a diagram, and not a list of consecutive squares or moves", help=help)


# Beginnings of files in an exact format, and entries of the JSON record of a tour.
_EXACT = re.compile(
    r"\A\s*tour,step,row,col\s*$|^# board |^\s*(TOUR_SECTION|EDGE_DATA_SECTION)\s*$"
    r'|\A\s*\{(?=[^\[]*"(status|closed|rows|cols|holes|leaper|wrap|graph)"|\s*"squares").*"squares"\s*:',
    re.MULTILINE | re.DOTALL,
)


def _is_exact_or_none(source: Source) -> bool:
    """Whether the source is not text, or has the heading of an exact format."""
    try:
        return _EXACT.search(source.check_is_text()) is not None
    except FormatError:
        return True


def _other_hint(text: str, given_board: Board | None) -> str:
    """Return a hint on reading the text without the given board, or ""."""
    from knightstour.core.formats.readings import table as readings

    try:
        return (
            ""
            if given_board is None
            else _hint(readings.read_loosely(text, None), f"without the {title_of(given_board)}")
        )
    except FormatError:
        return ""


def _as_graph(source: Source, text: str) -> FormatError | None:
    """Return the error for a text in a format of graphs or maps; None for any other text."""
    form = form_of(text[:_MARKED_CHARS])
    if form is None:
        return None
    return source.fail(f"this looks like {form.title}, and holds no tour", help=form.help or _READ_AS_BOARD)


def _check_no_box(text: str) -> None:
    """Raise FormatError for lines of three numbers that are a tour of the cells of a box."""
    from knightstour.core.formats.readings import cells, table

    word = cells.box_of_triples(text)
    found = table.read_loosely(text, Board(word)) if word else None
    if found is not None and found.is_whole:
        why = "each line may be row, column and number of a square, or a cell of a box"
        what = table.kind_of(found.tours, found.read_as)
        raise FormatError(why, line=1, help=f"name the board: FILE {word} is {what}")


def _hint(other: LooseReading | None, how: str) -> str:
    from knightstour.core.formats.readings import table as readings

    if other is None or not other.is_whole:
        return ""
    return f"{how} it is {readings.kind_of(other.tours, other.read_as)}"


def _add_help(candidate: Candidate, hint: str) -> Candidate:
    if hint and candidate.fault is not None:
        candidate.fault.help = hint
    return candidate


def _is_wrong_strip(candidate: Candidate) -> bool:
    board = candidate.board
    return candidate.squares is None and board.cols in (2, 3) and 4 < board.rows <= MAX_CHARS


def _nearness_of(candidate: Candidate) -> float:
    from knightstour.core.formats.readings import table as readings

    if candidate.squares is None:
        return readings.nearness(Reading(candidate.board, np.zeros((0, 2), dtype=np.int64), None, candidate.fault))
    return readings.nearness(Reading(candidate.board, candidate.squares, None))


def candidate_of(reading: Reading, source: Source, number: int, read_as: tuple[str, ...] = ()) -> Candidate:
    """Check a reading. number: Index of the tour in the file, from 1."""
    board, squares, line, fault, help = reading
    # A misprinted number must not allocate terabytes.
    if fault is None and board.rows * board.cols > 1_000_000 and len(squares) != square_count(board):
        fault = InvalidTour(
            f"only {len(squares):,} of the {square_count(board):,} squares of the {title_of(board)} are visited",
            step=len(squares),
        )
    place = (f"{source.path}: " if source.path else "") + f"tour {number}" + (f" (line {line})" if line else "")
    if fault is not None:
        return Candidate(board, None, None, _with_help(fault, help), read_as, place)
    try:
        return Candidate(board, squares, Tour(board, squares), None, read_as, place)
    except InvalidTour as error:
        return Candidate(board, squares, None, _with_help(error, help), read_as, place)


def _with_help(error: InvalidTour, help: str) -> InvalidTour:
    error.help = error.help or help
    return error
