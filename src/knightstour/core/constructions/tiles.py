"""The tiles that large tours are built of, read from tiles.txt, which scripts/make_tiles.py writes.

Every tile is a tour of a small rectangle that starts and ends where its neighbours expect it. An *ordered edge* is a
move the tile is known to make in a known direction; a neighbouring tile's whole path is put in between. Kinds:

- root (5..10 x 5..12): from (1, 1) to (3, 0) if its area is even (so it is a closed tour too), any ends if odd; with
  the ordered edges `right_edge` and `down_edge`.
- spine (6 x 5..12): from (1, 1) to (0, 3), with both ordered edges.
- tail (5..10 x 8): from (1, 1) to (3, 0), with right_edge.
- even, odd (3 x 4 and 3 x 8; 5..14 x 6): from p, a square of even or odd row + col, to a square one move short of
  p + (0, columns), so that copies laid side by side join into one path.
- fringe (3 x 4): from (1, 0) to (2, 0), making the move (0, 3) (2, 2) in this direction.
- ring (3 x 10, 3 x 12): closed.
"""

from __future__ import annotations

import functools
from importlib import resources

from knightstour.core.model.board import Square

Move = tuple[Square, Square]
_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def right_edge(rows: int, cols: int) -> Move:
    """The ordered edge between whose ends a path of the tile on the right fits."""
    return (0, cols - 1), (2, cols - 2)


def down_edge(rows: int, cols: int) -> Move:
    """The ordered edge between whose ends a path of the tile below fits."""
    return (rows - 1, 0), (rows - 2, 2)


@functools.cache
def _table() -> dict[tuple[str, int, int], str]:
    text = resources.files("knightstour.core.constructions").joinpath("tiles.txt").read_text(encoding="ascii")
    rows = (line.split() for line in text.splitlines() if line and not line.startswith("#"))
    return {(kind, int(height), int(width)): squares for kind, height, width, squares in rows}


@functools.cache
def tile(kind: str, rows: int, cols: int) -> tuple[Square, ...]:
    """The squares of a tile in order.

    >>> tile("fringe", 3, 4)[0], tile("fringe", 3, 4)[-1]
    ((1, 0), (2, 0))
    """
    text = _table()[kind, rows, cols]
    values = [_DIGITS.index(x) for x in text]
    return tuple(zip(values[::2], values[1::2], strict=True))


def tile_to_text(squares: tuple[Square, ...]) -> str:
    """The squares as tiles.txt writes them: two base-36 digits each."""
    return "".join(_DIGITS[r] + _DIGITS[c] for r, c in squares)
