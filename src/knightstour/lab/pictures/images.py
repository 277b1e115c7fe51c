"""Boards from images: dark parts become squares, and squares that prevent a tour can be trimmed."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from knightstour.core.methods.solve import solve
from knightstour.core.model.board import Board, move_graph, square_count, with_remarks
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.drawing import ImageLike
from knightstour.core.model.errors import BoardError, path_text
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.pieces import KNIGHT, Moves
from knightstour.core.model.result import Result, Status
from knightstour.core.model.validation import one_of, path, whole_number
from knightstour.lab.pictures.corridors import with_corridors

if TYPE_CHECKING:
    from PIL.Image import Image

TRIMS: Final = ("open", "closed")
# Default and maximum number of rows.
_ROWS, MAX_ROWS = 50, 400
# Minimum fraction of the pixels of a square that belong to the shape.
_PART = 0.5
# Node limit of the search for a tour, and of the search for a tour that skips squares.
_NODES = 300_000
# Fraction of squares that may be removed without a request, and largest board whose parts are computed.
MOST_DROPPED, _MAX_LOOKED_AT = 0.1, 200_000
_JOIN = "join=True (FILE:join) joins the parts by corridors; "
# Maximum number of rounds of building corridors.
_ROUNDS = 6
# Maximum number of squares in a remark.
_NAMED = 12


def board_of_image(
    image: ImageLike,
    rows: int | None,
    trim: str | None,
    moves: Moves = KNIGHT,
    *,
    join: bool = False,
    threshold: int | None = None,
    most_dropped: float = 1.0,
) -> GridBoard:
    """Create the board for Board.from_image; raise BoardError if trimming removes more than `most_dropped`."""
    if trim is not None:
        one_of(trim, TRIMS, "trim")
    if rows is not None:
        whole_number(rows, "rows", least=1, most=MAX_ROWS)
    if threshold is not None:
        whole_number(threshold, "threshold", least=1, most=255)
    shape, what = _shape_of(image, threshold)
    if not shape.any():
        raise BoardError("the image has no dark part, which would be the squares", help="invert its colours")
    high, wide = (np.flatnonzero(shape.any(axis=axis)) for axis in (1, 0))
    shape = shape[high[0] : high[-1] + 1, wide[0] : wide[-1] + 1]
    is_mask = isinstance(image, np.ndarray) and image.dtype == bool
    count = rows or (len(shape) if is_mask else min(_ROWS, len(shape)))
    squares = shape if rows is None and count == len(shape) else _scale_shape(shape, count)
    if not squares.any():
        raise BoardError(f"with {count} rows no square is dark enough", help="use more rows")
    remarks = [f"{what} are {int(squares.sum()):,} squares, in {count} rows"]
    board = with_remarks(_board_of(squares, moves), remarks)
    if trim is None and not join:
        parts = _Shape(board).parts() if square_count(board) <= _MAX_LOOKED_AT else []
        return (
            board if len(parts) < 2 else with_remarks(board, [f"{_in_parts(parts)}; join=True (FILE:join) joins them"])
        )
    board = _join_parts(board, moves) if join else board
    return trim_board(
        board, closed=trim != "open", most_dropped=MOST_DROPPED if join and trim is None else most_dropped
    )


def _board_of(squares: np.ndarray, moves: Moves) -> GridBoard:
    holes = [(int(row), int(col)) for row, col in np.argwhere(~squares)]
    return Board(*squares.shape, holes=holes, moves=moves)


def _join_parts(board: GridBoard, moves: Moves) -> GridBoard:
    """Add corridors between parts. Narrow corridors may need several rounds."""
    first = parts = _Shape(board).parts()
    joined = board
    for _ in range(_ROUNDS):
        if len(parts) < 2:
            break
        numbers = np.full(joined.rows * joined.cols, -1, dtype=np.int64)
        for number, part in enumerate(parts):
            numbers[list(part)] = number
        joined = _board_of(with_corridors(numbers.reshape(joined.rows, joined.cols)), moves)
        parts = _Shape(joined).parts()
    if joined is board:
        return board
    added = square_count(joined) - square_count(board)
    remark = f"{_in_parts(first)}; corridors of {added:,} square{'s' if added != 1 else ''} join them"
    return with_remarks(joined, [*board.read_as, remark])


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.005 else "under 1%"


def _in_parts(parts: Sequence[set[int]]) -> str:
    share = len(parts[0]) / sum(map(len, parts))
    return f"the image falls into {len(parts)} parts that no move joins; the largest has {share:.0%} of the squares"


def _shape_of(image: ImageLike, threshold: int | None) -> tuple[np.ndarray, str]:
    """Return the pixels of the shape, bool (height, width), and their description."""
    if isinstance(image, np.ndarray) and image.dtype == bool:
        if image.ndim != 2:
            raise BoardError(f"a mask needs 2 dimensions, not {image.ndim}")
        if threshold is not None:
            raise BoardError("threshold is not supported for booleans", help="omit it, or pass grey as uint8")
        return image, "true values"
    picture = _picture_of(image)
    if "transparency" in picture.info or "A" in picture.getbands():
        picture = picture.convert("RGBA")
        opaque = np.asarray(picture)[:, :, 3] >= 128
        if threshold is None and not opaque.all():
            return opaque, "the opaque pixels"
        picture = _on_white(picture)
    return np.asarray(picture.convert("L")) < (threshold or 128), "dark parts"


def _on_white(picture: Image) -> Image:
    from PIL import Image

    return Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture)


def _picture_of(image: Any) -> Image:
    from PIL import Image, UnidentifiedImageError

    if isinstance(image, Image.Image):
        return image
    if isinstance(image, np.ndarray):
        try:
            return Image.fromarray(image.astype(np.uint8, casting="safe"))
        except TypeError:
            help = "use booleans, or grey from 0 to 255 as uint8"
            raise BoardError(f"an array of {image.dtype} {image.shape} is not an image", help=help) from None
    name = "" if isinstance(image, bytes) else f"{path_text(path(image))}: "
    try:
        with Image.open(io.BytesIO(image) if isinstance(image, bytes) else path(image)) as picture:
            picture.load()
            return picture
    except UnidentifiedImageError:
        help = "use a PNG, JPEG, GIF, WebP or BMP; for a drawing of . and # use Board.from_file"
        raise BoardError(f"{name}cannot be read as an image", help=help) from None
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        raise BoardError(f"{name}cannot be read: {error}") from None


def _scale_shape(shape: np.ndarray, rows: int) -> np.ndarray:
    """Return the shape in this number of rows, by the majority of pixels."""
    from PIL import Image

    high, wide = shape.shape
    size = (max(1, round(wide * rows / high)), rows)
    if size[0] > MAX_ROWS:
        raise BoardError(f"with {rows} rows it has {size[0]:,} columns; the limit is {MAX_ROWS}", help="use fewer rows")
    grey = Image.fromarray(np.where(shape, 255, 0).astype(np.uint8))
    scaled: np.ndarray = np.asarray(grey.resize(size, Image.Resampling.BOX)) >= 255 * _PART
    return scaled


# ---------------------------------------------------------------- trimming


def trim_board(board: GridBoard, *, closed: bool, most_dropped: float = 1.0) -> GridBoard:
    """Remove the squares that prevent a tour; `read_as` lists them. The result has a tour.

    First, isolated squares, dead ends, and surplus squares of a colour are removed, preferably at the border. If a
    search then finds no tour, the squares that the longest known tour skips are removed. Raises BoardError if no
    squares are left, or if more than the fraction `most_dropped` would be removed.

    >>> board = trim_board(Board(5, 5), closed=True)
    >>> len(board), solve(board, closed=True).status.value
    (24, 'found')
    """
    kind = "closed" if closed else "open"
    parts = _Shape(board).parts()
    left = _remove_surplus(board, closed)
    if len(left) > 1 and 1 - len(left) / square_count(board) <= most_dropped:
        left = _with_tour(_board_with(board, left), closed)
    if len(left) < 2:
        raise BoardError(f"no part of the image has {'a closed' if closed else 'an open'} tour", help="use more rows")
    gone = sorted({*board.squares} - left)
    if not gone:
        return board
    share = len(gone) / square_count(board)
    dropped = f"{len(gone):,} of {square_count(board):,} squares ({_percent(share)})"
    if share > most_dropped:
        raise BoardError(
            f"{dropped} would be removed for {kind} tours",
            note=_in_parts(parts) if len(parts) > 1 else "",
            help=f"{_JOIN * (len(parts) > 1)}trim= (FILE:trim) removes the squares",
        )
    names = " ".join(board.square_name(square) for square in gone[:_NAMED])
    more = f" and {len(gone) - _NAMED:,} more" if len(gone) > _NAMED else ""
    remark = f"trimmed for {kind} tours: {len(gone):,} square{'s' if len(gone) != 1 else ''} removed"
    largest = (
        f"the image falls into {len(parts)} parts; the largest, {len(parts[0]) / square_count(board):.0%}, was kept"
    )
    kept = [largest] if len(parts) > 1 else []
    remarks = [*kept, f"{remark} of {square_count(board):,} ({_percent(share)}), {names}{more}"]
    return with_remarks(_board_with(board, left), [*board.read_as, *remarks])


def _board_with(board: GridBoard, squares: set[tuple[int, int]]) -> GridBoard:
    return board.replace(holes=[*board.holes, *({*board.squares} - squares)])


def _with_tour(board: Board, closed: bool) -> set[tuple[int, int]]:
    """Return the squares of a tour, if possible of all squares."""
    limits = Limits(seconds=None, nodes=_NODES)
    found: Result = solve(board, closed=closed, seed=0, **as_arguments(limits))
    if found.status is not Status.FOUND:
        found = solve(board, closed=closed, partial=True, maximize="visits", seed=0, **as_arguments(limits))
    return set() if found.tour is None else {divmod(s, board.cols) for s in found.tour.order.tolist()}


class _Shape:
    """Remaining squares, and the number of moves of each to other remaining squares."""

    def __init__(self, board: Board) -> None:
        graph = move_graph(board)
        self.near = graph.neighbour_lists()
        self.left = set(graph.squares.tolist())
        self.moves = {s: len(self.near[s]) for s in self.left}
        self.cols = board.cols

    def remove(self, squares: Iterable[int]) -> None:
        for s in squares:
            self.left.discard(s)
            for other in self.near[s]:
                if other in self.left:
                    self.moves[other] -= 1

    def parts(self) -> list[set[int]]:
        found, seen = [], set[int]()
        for first in sorted(self.left):
            if first in seen:
                continue
            part, rest = {first}, [first]
            while rest:
                for other in self.near[rest.pop()]:
                    if other in self.left and other not in part:
                        part.add(other)
                        rest.append(other)
            seen |= part
            found.append(part)
        return sorted(found, key=len, reverse=True)

    def colours(self) -> list[list[int]]:
        """Return the squares by colour, the larger set first."""
        halves: list[list[int]] = [[], []]
        for s in sorted(self.left):
            halves[sum(divmod(s, self.cols)) % 2].append(s)
        return sorted(halves, key=len, reverse=True)


def _remove_surplus(board: GridBoard, closed: bool) -> set[tuple[int, int]]:
    """Remove isolated squares, dead ends, and surplus squares of a colour."""
    shape = _Shape(board)
    spare = 0 if closed else 1
    alternates = all((a + b) % 2 for a, b in board.piece.leaps)
    while len(shape.left) > 1:
        before = len(shape.left)
        for part in shape.parts()[1:]:
            shape.remove(sorted(part))
        ends = sorted(s for s in shape.left if shape.moves[s] < 2)
        shape.remove(ends if closed else ends[2:])
        if len(shape.left) == before and alternates:
            many, few = shape.colours()
            if len(many) > len(few) + spare:
                shape.remove([max(many, key=lambda s: _ease(shape, s))])
        if len(shape.left) == before:
            break
    return {divmod(s, board.cols) for s in shape.left}


def _ease(shape: _Shape, square: int) -> tuple[int, int]:
    """Return a sort key for removal: the minimum remaining moves of its neighbours, then its own."""
    kept = [shape.moves[other] - 1 for other in shape.near[square] if other in shape.left]
    return min(min(kept, default=0), 3), -shape.moves[square]
