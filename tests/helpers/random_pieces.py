"""Random pieces of constructed tours."""

from typing import Any

from hypothesis import strategies as st

from knightstour.core.constructions.pieces import Chain, Path, Piece, PlacedPiece, Repeat, ReversedPiece, ShiftedPiece

_SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
TURNS = [(down, right) for down in _SIDES for right in _SIDES if down[0] * right[0] + down[1] * right[1] == 0]


@st.composite
def pieces(draw: st.DrawFn, depth: int = 4) -> Piece:
    """Draw nested pieces without repeated squares, which may have other moves than a knight's."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        cells = draw(st.lists(st.tuples(st.integers(-2, 3), st.integers(-3, 3)), min_size=1, max_size=6, unique=True))
        return Path(cells)
    inner = draw(pieces(depth - 1))
    kind = draw(st.sampled_from(["repeat", "chain", "placed", "reversed", "shifted"]))
    if kind == "reversed":
        return ReversedPiece(inner)
    if kind == "shifted":
        return ShiftedPiece(inner, draw(st.integers(0, inner.length - 1)))
    if kind == "placed":
        down, right = draw(st.sampled_from(TURNS))
        return PlacedPiece(inner, (draw(st.integers(-9, 9)), draw(st.integers(-9, 9))), down, right)
    if kind == "repeat":
        shift = (draw(st.integers(-3, 3)), draw(st.integers(-3, 3)))
        most = 1 if shift == (0, 0) else 4
        # Laps may interlock, but no square may come twice.
        squares = written_out(inner)
        for count in range(draw(st.integers(1, most)), 0, -1):
            laps = [(r + k * shift[0], c + k * shift[1]) for k in range(count) for r, c in squares]
            if len(set(laps)) == len(laps):
                break
        return Repeat(inner, count, shift)
    other = draw(pieces(depth - 1))
    low = min(r for r, _ in written_out(inner)) - max(r for r, _ in written_out(other)) - 1
    parts = [inner, PlacedPiece(other, (low, 0), (1, 0), (0, 1))]
    return Chain(parts[:: draw(st.sampled_from([1, -1]))])


def written_out(piece: Any) -> list[tuple[int, int]]:
    """Return the squares of a piece by the definition of its kind, without step or rank arithmetic."""
    if isinstance(piece, Path):
        return list(piece.squares)
    if isinstance(piece, Repeat):
        once = written_out(piece.piece)
        dr, dc = piece.shift
        return [(r + lap * dr, c + lap * dc) for lap in range(piece.count) for r, c in once]
    if isinstance(piece, Chain):
        return [square for part in piece.pieces for square in written_out(part)]
    if isinstance(piece, ReversedPiece):
        return written_out(piece.piece)[::-1]
    if isinstance(piece, ShiftedPiece):
        squares = written_out(piece.piece)
        return squares[piece.shift :] + squares[: piece.shift]
    assert isinstance(piece, PlacedPiece)
    (r0, c0), (a, b), (x, y) = piece.origin, piece.down, piece.right
    return [(r0 + r * a + c * x, c0 + r * b + c * y) for r, c in written_out(piece.piece)]
