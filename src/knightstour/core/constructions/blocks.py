"""Blocks: tours of big rectangles assembled from fixed tiles, in constant time.

The comb. A rectangle with sides of 5 or more is cut into tiles: the first tile row is 5 to 10 high, the others 6; the
first tile column is 5 to 12 wide, the others 8. The tile at the top left is the root; the rest of the first tile column
is the spine; each of these is followed by a row of tails to the right. The whole path of a tile is inserted between two
consecutive squares of its neighbour: the tile on the left for a tail, the tile above for a spine. The order of
visit in such a comb is

    root, part 1 | spine, part 1, repeatedly | spine, part 2, repeatedly upwards | root, part 2

Each part includes its row of tails, visited outward and back. If the area is even the path runs from (1, 1) to
(3, 0), a knight's move apart: the tour is closed. Three-row blocks ("fringes") are rows of 3 x 4 tiles nested in the
same way, every second one reversed.

Joining small tours goes back to Parberry 1997 and Cull & De Curtins 1978; this form with its constant-time queries is
new. All boards from 5x5 to 40x40 are checked in the tests.

Tiles are read from tiles.txt, which scripts/make_tiles.py writes. Every tile is a tour of a small rectangle with given
ends. An *ordered edge* is a move of the tile in a fixed direction, where a neighbouring tile's path is inserted. Kinds:

- root (5..10 x 5..12): from (1, 1) to (3, 0) if its area is even, any ends if odd; with the ordered edges `right_edge`
  and `down_edge`.
- spine (6 x 5..12): from (1, 1) to (0, 3), with both ordered edges.
- tail (5..10 x 8): from (1, 1) to (3, 0), with right_edge.
- even, odd (3 x 4 and 3 x 8; 5..14 x 6): from p, a square of even or odd row + col, to a square one move short of p +
  (0, columns), so that copies side by side join into one path.
- fringe (3 x 4): from (1, 0) to (2, 0), with the move (0, 3) (2, 2) in this direction.
- ring (3 x 10, 3 x 12): closed.
"""

from __future__ import annotations

import functools
import os

from knightstour.core.constructions.pieces import Chain, Path, Piece, PlacedPiece, Repeat, nest_tiles
from knightstour.core.model.board import Square

Move = tuple[Square, Square]
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def right_edge(rows: int, cols: int) -> Move:
    """Return the ordered edge into which the tile on the right is inserted."""
    return (0, cols - 1), (2, cols - 2)


def down_edge(rows: int, cols: int) -> Move:
    """Return the ordered edge into which the tile below is inserted."""
    return (rows - 1, 0), (rows - 2, 2)


@functools.cache
def _table() -> dict[tuple[str, int, int], str]:
    with open(os.path.join(os.path.dirname(__file__), "tiles.txt"), encoding="ascii") as file:
        text = file.read()
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {(kind, int(height), int(width)): squares for kind, height, width, squares in rows}


@functools.cache
def tile(kind: str, rows: int, cols: int) -> tuple[Square, ...]:
    """Return the squares of a tile in order.

    >>> tile("fringe", 3, 4)[0], tile("fringe", 3, 4)[-1]
    ((1, 0), (2, 0))
    """
    text = _table()[kind, rows, cols]
    values = [_DIGITS.index(x) for x in text]
    return tuple(zip(values[::2], values[1::2], strict=True))


def tile_to_text(squares: tuple[Square, ...]) -> str:
    """Return the squares in the format of tiles.txt: two base-36 digits each."""
    return "".join(_DIGITS[r] + _DIGITS[c] for r, c in squares)


_TILE_ROWS, _TILE_COLS = 6, 8


@functools.lru_cache(maxsize=512)
def comb(rows: int, cols: int) -> Piece:
    """Return a tour of a rectangle with sides of at least 5; if the area is even, it is closed, from (1, 1) to (3, 0).

    >>> tour = comb(10**9, 10**9)
    >>> tour.at(0), tour.at(tour.length - 1), tour.length == 10**18
    ((1, 1), (3, 0), True)
    """
    first_rows = 5 + (rows - 5) % _TILE_ROWS
    first_cols = 5 + (cols - 5) % _TILE_COLS
    more_rows = (rows - first_rows) // _TILE_ROWS
    more_cols = (cols - first_cols) // _TILE_COLS
    root_down, root_up = _row("root", first_rows, first_cols, more_cols)
    if more_rows == 0:
        return Chain([*root_down, *root_up])
    spine_down, spine_up = _row("spine", _TILE_ROWS, first_cols, more_cols)
    last_row = first_rows + _TILE_ROWS * (more_rows - 1)
    return Chain(
        [
            *root_down,
            _at(Repeat(Chain(spine_down), more_rows, (_TILE_ROWS, 0)), first_rows, 0),
            _at(Repeat(Chain(spine_up), more_rows, (-_TILE_ROWS, 0)), last_row, 0),
            *root_up,
        ]
    )


def _at(piece: Piece, row: int, col: int) -> Piece:
    return PlacedPiece(piece, (row, col), (1, 0), (0, 1))


def _row(head: str, rows: int, cols: int, tails: int) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces of a tile row before and after the tile below."""
    first, middle, last, right_is_first = _head_parts(head, rows, cols)
    tail_pieces: list[Piece] = []
    if tails:
        outward, backward = _tail_parts(rows)
        far = cols + _TILE_COLS * (tails - 1)
        tail_pieces = [
            _at(Repeat(outward, tails, (0, _TILE_COLS)), 0, cols),
            _at(Repeat(backward, tails, (0, -_TILE_COLS)), 0, far),
        ]
    if right_is_first:
        return [first, *tail_pieces, middle], [last]
    return [first], [middle, *tail_pieces, last]


# Parts are cached, so that a comb of any size is created in some twenty microseconds.
@functools.cache
def _head_parts(head: str, rows: int, cols: int) -> tuple[Path, Path, Path, bool]:
    """Cut a root or spine tile in three at its ordered edges; also return whether the right edge comes first."""
    squares = tile(head, rows, cols)
    right_at = squares.index(right_edge(rows, cols)[0]) + 1
    down_at = squares.index(down_edge(rows, cols)[0]) + 1
    low, high = sorted((right_at, down_at))
    return Path(squares[:low]), Path(squares[low:high]), Path(squares[high:]), right_at < down_at


@functools.cache
def _tail_parts(rows: int) -> tuple[Path, Path]:
    """Cut a tail tile in two at its ordered edge."""
    squares = tile("tail", rows, _TILE_COLS)
    cut = squares.index(right_edge(rows, _TILE_COLS)[0]) + 1
    return Path(squares[:cut]), Path(squares[cut:])


_FRINGE_CUT = 5


@functools.lru_cache(maxsize=512)
def fringe(cols: int) -> Piece:
    """Return a tour of 3 rows and `cols` columns, a multiple of 4, from (1, 0) to (2, 0).

    >>> fringe(12).at(35)
    (2, 0)
    """
    return Chain(nest_tiles(tile("fringe", 3, 4), _FRINGE_CUT, cols // 4, 4))


@functools.lru_cache(maxsize=64)
def ring(cols: int) -> Piece:
    """Return a closed tour of 3 rows and `cols` columns, even and at least 10: a small one with an inserted fringe.

    >>> ring(10**6).length
    3000000
    """
    width = 10 if (cols - 10) % 4 == 0 else 12
    squares = tile("ring", 3, width)
    if cols == width:
        return Path(squares)
    # The corner (0, width - 1) has two moves, so its move to (2, width - 2) is in every closed tour. The fringe
    # replaces it.
    corner, other = (0, width - 1), (2, width - 2)
    squares = _rotated_to(squares, corner)
    if squares[-1] != other:
        squares = (squares[0], *squares[:0:-1])
    return Chain([Path(squares), PlacedPiece(fringe(cols - width), (0, width), (1, 0), (0, 1))])


def _rotated_to(cycle: tuple[Square, ...], square: Square) -> tuple[Square, ...]:
    at = cycle.index(square)
    return cycle[at:] + cycle[:at]
