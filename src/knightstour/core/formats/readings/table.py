"""READINGS: loose notations of tours, one per row, and the choice between them.

All readings are tried on all views of the text, and a reading counts if all of its results are complete tours. If two
of them give different tours, the error contains both. If none succeeds, the error comes from the closest reading.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np

from knightstour.core.formats.faults import TruncatedText
from knightstour.core.formats.readings.around import UnusedToken
from knightstour.core.formats.readings.cells import grids_of_layers, lists_of_cells
from knightstour.core.formats.readings.directions import directions
from knightstour.core.formats.readings.grids import Offer, numbered_from
from knightstour.core.formats.readings.lists import order_tours, square_numbers
from knightstour.core.formats.readings.views import View, fault_of_whole, normalise_text, views
from knightstour.core.formats.text import Reading
from knightstour.core.model.board import Board, are_moves, square_count, title_of
from knightstour.core.model.errors import FormatError, InvalidTour
from knightstour.core.model.numbering import numbers_in
from knightstour.core.model.tour import Tour

# Limit on the squares of a board.
_MAX_SQUARES = 1_000_000
# Minimum closeness of a reading for an error message.
_NEAR = 0.6
# Closeness of numbers that are not an order of squares, and of all squares with invalid moves.
_NUMBERED, _WHOLE = 0.7, 0.75


class ReadingRow(NamedTuple):
    """Row of READINGS: name, summary and example."""

    name: str
    summary: str
    example: str
    read: Callable[[View, Board | None], Iterator[Offer]]


READINGS: tuple[ReadingRow, ...] = (
    ReadingRow(
        "grid",
        "numbers in rows and columns, from 0 or 1, or the next square of each; frames, headings, letters and numbers "
        "of the board are ignored; for a given box, its layers",
        "My tour:\n+--+--+--+--+\n| 0| 3| 6| 9|\n| 7|10| 1| 4|\n| 2| 5| 8|11|\n+--+--+--+--+",
        grids_of_layers,
    ),
    ReadingRow(
        "list",
        "squares by name, or as pairs of numbers, row before column, from 0 or 1; moves from square to square; either "
        "with an optional step number; for a given box or hexagon, cells by their coordinates",
        "1. (1,1) -> (2,3)\n2. (2,3) -> (3,1)\n3. (3,1) -> (1,2)\n4. (1,2) -> (2,4)\n5. (2,4) -> (3,2)\n"
        "6. (3,2) -> (1,3)\n7. (1,3) -> (2,1)\n8. (2,1) -> (3,3)\n9. (3,3) -> (1,4)\n10. (1,4) -> (2,2)\n"
        "11. (2,2) -> (3,4)",
        lists_of_cells,
    ),
    ReadingRow(
        "square numbers",
        "one number per square, counted along the rows from 0 or 1, in order of visit or the next square of each; "
        "for a square board or the given board",
        "6, 3, 14, 23, 16, 5, 2, 9, 18, 21, 10, 1, 8, 19, 12, 15, 22, 11, 0, 7, 4, 13, 24, 17, 20",
        square_numbers,
    ),
    ReadingRow(
        "directions",
        "the directions of steps to neighbouring squares, one letter per step; the outline defines the first square",
        "RRDLLDRR",
        directions,
    ),
)


class LooseReading(NamedTuple):
    """Tours in a text, complete or not, their interpretation, and their closeness to complete tours (0 to 1)."""

    tours: list[Reading]
    read_as: tuple[str, ...]
    nearness: float

    @property
    def is_whole(self) -> bool:
        """Whether all are complete tours."""
        return self.nearness == 1


def read_loosely(text: str, given_board: Board | None) -> LooseReading | None:
    """Return the complete tours of a text, or else the closest reading, or None.

    Raises:
        FormatError: If the text is ambiguous; TruncatedText if it is truncated.
    """
    plain, said = normalise_text(text)
    if why := fault_of_whole(plain):
        raise TruncatedText(why, help="use the complete text")
    offers = (offer for view in views(plain, said) for row in READINGS for offer in row.read(view, given_board))
    return _best(offers, given_board)


def left_in_list(text: str, given_board: Board | None) -> UnusedToken | None:
    """Return the first unused token of a list of squares by name, or None.

    >>> left_in_list("1 a3 c2 11\\n2 c2 a1 23\\n3 a1 b3 31\\n", None).says
    "'11' in column 9 is unused"
    """
    offers = (offer for view in views(*normalise_text(text)) for offer in lists_of_cells(view, given_board))
    return next((offer.left for offer in offers if offer.left and "squares by name" in offer.remarks), None)


def read_array_loosely(array: np.ndarray, given_board: Board | None) -> LooseReading | None:
    """Return the tour in an array: a diagram, a list of rows, or square numbers, from 0 or 1; or None."""
    numbers = numbers_in(array)
    if numbers is not None and numbers.ndim == 2 and numbers.shape[1] in (2, 3):
        found = read_loosely("\n".join(" ".join(map(str, row)) for row in numbers.tolist()), given_board)
        return found and found._replace(read_as=tuple(how for how in found.read_as if "lines joined" not in how))
    return None if numbers is None else _best(_offers_of_array(numbers, given_board), given_board)


def _offers_of_array(numbers: np.ndarray, given_board: Board | None) -> Iterator[Offer]:
    if numbers.ndim == 2:
        if found := numbered_from(numbers, given_board, None):
            yield Offer(found[0], [found[1]])
    elif numbers.ndim == 1:
        yield from order_tours([1], [numbers.tolist()], (), given_board)


# ---------------------------------------------------------------- choice


def _best(offers: Iterable[Offer], given_board: Board | None) -> LooseReading | None:
    whole: dict[tuple[tuple[Board, bytes], ...], Offer] = {}
    nearest: LooseReading | None = None
    left: Offer | None = None
    for offer in offers:
        near = sum(nearness(tour, is_given=given_board is not None) for tour in offer.tours) / len(offer.tours)
        if offer.left:
            left = offer if left is None and near == 1 else left
        elif near == 1:
            key = tuple((tour.board, tour.squares.astype(np.int64).tobytes()) for tour in offer.tours)
            whole.setdefault(key, offer)
        elif near >= _NEAR and (nearest is None or near > nearest.nearness):
            nearest = LooseReading(offer.tours, offer.remarks, near)
    # A reading with a subset of another's tours is ignored.
    largest = [key for key in whole if not any(set(key) < set(other) for other in whole)]
    if len(largest) > 1:
        one, two = (whole[key] for key in largest[:2])
        raise FormatError(
            f"the text is ambiguous: {_as_phrase(one)}; or {_as_phrase(two)}",
            help="pass the format or the board, or rewrite the text",
        )
    if largest:
        offer = whole[largest[0]]
        return LooseReading(offer.tours, offer.remarks or ("a diagram",), 1)
    if left is not None and left.left is not None:
        says = f"{left.left.says}: the rest can be read {_as_phrase(left)}"
        raise FormatError(says, line=left.left.line, help="omit it, or label it")
    return nearest


def _as_phrase(offer: Offer) -> str:
    return f"as {kind_of(offer.tours, offer.remarks or ('a diagram',))}"


def kind_of(tours: list[Reading], read_as: tuple[str, ...]) -> str:
    """Return a description of the first tour, and of its interpretation."""
    tour = Tour(tours[0].board, tours[0].squares)
    what = f"{'a closed' if tour.is_closed else 'an open'} tour of the {title_of(tour.board)}"
    return what + (f" ({', '.join(read_as)})" if read_as else "")


def nearness(reading: Reading, *, is_given: bool = False) -> float:
    """Return the closeness to a tour: the share of visited squares times the share of valid moves; 1 for a tour.

    All squares in an order are closer than numbers without an order, unless the board is given.
    """
    board, squares, _, fault, _ = reading
    size = board.rows * board.cols
    if fault is not None or size > _MAX_SQUARES or len(squares) < 2:
        return 0.0 if fault is None or not square_count(board) else _NUMBERED
    is_inside = (squares >= 0).all() and (squares < (board.rows, board.cols)).all()
    order = squares[:, 0].astype(np.int64) * board.cols + squares[:, 1]
    if not is_inside:
        return 0.0
    share = len(np.unique(order)) / max(square_count(board), len(order))
    right = float(are_moves(board, order[:-1], order[1:]).mean())
    if share * right == 1:
        try:
            Tour(board, squares)
        except InvalidTour:  # on a hole
            return 0.9
    if not is_given and share == 1 and len(order) == square_count(board) and min(board.rows, board.cols) > 1:
        return max(right, _WHOLE)
    return share * right
