"""Statistics of the walk, such as crossings, runs and areas, and of its numbered diagram.

Names as in `Tour.magic`: the magic sum of a line is its length times the mean of the numbers. Sources: G. P. Jelliss,
Knight's Tour Notes, volume 9 (magic tours); OEIS A309271 to A309273 (A. Kumar).

Crossings of many tours are counted together. For each direction, a picture is true at the upper end of each move.
Whether two moves cross depends only on their directions and relative position, so each of the few crossing positions is
one `and` of two shifted pictures.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from knightstour.core.model.board import Board, move_graph, square_count
from knightstour.core.model.geometry import Vector, crossing_views, downward_moves, flat_of, passed_over
from knightstour.core.model.indices import take
from knightstour.core.statistics.strokes import Strokes, total


def in_one_line(strokes: Strokes) -> np.ndarray:
    """Return the maximum number of consecutive moves in one direction: int64 (n,), over the start if closed."""
    directions = strokes.directions
    if strokes.closed:
        directions = np.concatenate([directions, directions[:-1]])
    run = np.ones(strokes.count, dtype=np.int64)
    longest = run.copy()
    for before, here in zip(directions, directions[1:], strict=False):
        run = np.where(before == here, run + 1, 1)
        np.maximum(longest, run, out=longest)
    return longest if square_count(strokes.board) > 1 else np.zeros(strokes.count, dtype=np.int64)


def area(strokes: Strokes) -> np.ndarray:
    """Return the area inside a closed tour, in squares: int64 (n,), or float64 for pieces that enclose half squares.

    Regions enclosed twice count twice, and regions enclosed in the other direction are subtracted. There is no sign.
    """
    rows, cols = np.divmod(strokes.squares.astype(np.int64), strokes.board.cols)
    doubled: np.ndarray = np.abs((rows[:-1] * cols[1:] - rows[1:] * cols[:-1]).sum(axis=0))
    return doubled / 2 if why_half_squares(strokes.board) else doubled // 2


def why_half_squares(board: Board) -> str:
    """Return the reason why a closed tour may enclose half a square, or "".

    Modulo 2 a square is one of four points, and a move that changes it is one of three: an odd step along the rows,
    the columns, or both. Twice the area modulo 2 is a sum over moves that depends on these alone. With one or two of
    the three kinds, a closed walk has an even sum. With all three there is a cycle of three points with an odd sum.

    >>> why_half_squares(Board(8, 8)), why_half_squares(Board("4x4:king"))
    ('', 'moves of the leaps (0, 1) and (1, 1) together enclose half squares')
    >>> [bool(why_half_squares(Board(4, 4, moves=piece))) for piece in ("wazir+dabbaba", "ferz", "ferz+knight")]
    [False, False, True]
    """
    odd = {(row % 2, col % 2): (row, col) for row, col in flat_of(board).vectors if row % 2 or col % 2}
    if len(odd) < 3:
        return ""
    leaps = sorted({tuple(sorted(map(abs, vector))) for vector in odd.values()})
    return f"moves of the leaps {' and '.join(map(str, leaps))} together enclose half squares"


def winding(strokes: Strokes) -> np.ndarray:
    """Return the number of times that a closed tour winds round the middle of the board, without sign: int64 (n,)."""
    board = strokes.board
    rows, cols = np.divmod(np.arange(board.rows * board.cols), board.cols)
    angle = np.arctan2(2 * rows - board.rows + 1, 2 * cols - board.cols + 1)
    steps = np.diff(angle[strokes.squares], axis=0)
    steps -= 2 * math.pi * np.round(steps / (2 * math.pi))
    return np.abs(np.round(steps.sum(axis=0) / (2 * math.pi))).astype(np.int64)


def why_no_winding(board: Board) -> str:
    """Return the reason why winding is undefined: a square or a move at the middle of the board; or ""."""
    graph = move_graph(board)
    place = np.stack([2 * np.arange(board.rows).repeat(board.cols), 2 * np.tile(np.arange(board.cols), board.rows)])
    place -= np.array([[board.rows - 1], [board.cols - 1]])
    if (place[:, graph.is_square] == 0).all(axis=0).any():
        return "the middle of the board is one of its squares"
    (r, c), (s, d) = place[:, graph.tails], place[:, graph.targets]
    if ((r * d == s * c) & (r * s + c * d <= 0)).any():
        return "moves go through the middle of the board"
    return ""


def over_one_square(strokes: Strokes) -> np.ndarray:
    """Return the maximum number of moves that pass over one square: int64 (n,)."""
    return _passes(strokes).max(axis=0).astype(np.int64)


def never_passed(strokes: Strokes) -> np.ndarray:
    """Return the number of squares that no move passes over: int64 (n,)."""
    return np.count_nonzero(_passes(strokes) == 0, axis=0)


def _passes(strokes: Strokes) -> np.ndarray:
    """Return the number of moves that pass over each square: (squares, n)."""
    board = strokes.board
    counts = np.zeros((board.rows * board.cols, strokes.count), dtype=np.uint16)
    columns = np.arange(strokes.count)
    over = [[row * board.cols + col for row, col in passed_over(step)] for step in strokes.steps]
    # The leaps of a piece may pass over different numbers of squares.
    is_over = np.array([[k < len(squares) for k in range(max(map(len, over)))] for squares in over], dtype=bool)
    offsets = np.zeros(is_over.shape, dtype=np.intp)
    offsets[is_over] = list(itertools.chain.from_iterable(over))
    for squares, directions in zip(strokes.squares, strokes.directions, strict=False):
        for each, some in zip(offsets[directions].T, is_over[directions].T, strict=True):
            counts[(squares + each)[some], columns[some]] += 1
    return counts[move_graph(board).squares] if board.holes else counts


def visits(strokes: Strokes) -> np.ndarray:
    """Return the number of visited squares: int64 (n,)."""
    return np.full(strokes.count, square_count(strokes.board), dtype=np.int64)


def chords(strokes: Strokes) -> np.ndarray:
    """Return the number of moves of the board that the tour does not make: int64 (n,)."""
    count = square_count(strokes.board)
    made = count if strokes.closed else count - 1
    return np.full(strokes.count, len(move_graph(strokes.board).targets) // 2 - made, dtype=np.int64)


def why_no_lines(board: Board) -> str:
    """Return the reason why lines have no sums: a hole; or ""."""
    return "its lines have holes" if board.holes else ""


def why_no_diagonals(board: Board) -> str:
    """Return the reason why the board has no two long diagonals without holes, or ""."""
    return why_no_lines(board) or ("" if board.rows == board.cols else "only square boards have two long diagonals")


def _diagrams(strokes: Strokes) -> np.ndarray:
    """Return the numbers from 1 of each tour: int64 (rows, cols, n)."""
    board = strokes.board
    steps = strokes.squares[: square_count(board)]
    numbers = np.empty((board.rows * board.cols, strokes.count), dtype=np.int64)
    np.put_along_axis(numbers, steps.astype(np.int64), np.arange(1, len(steps) + 1)[:, None], axis=0)
    return numbers.reshape(board.rows, board.cols, strokes.count)


def _magic(sums: np.ndarray, length: int, count: int) -> np.ndarray:
    """Return the number of lines with the magic sum. sums: (lines, n)."""
    return np.count_nonzero(2 * sums == length * (count + 1), axis=0).astype(np.int64)


def magic_rows(strokes: Strokes) -> np.ndarray:
    """Return the number of rows with the magic sum: int64 (n,)."""
    board = strokes.board
    return _magic(_diagrams(strokes).sum(axis=1), board.cols, square_count(board))


def magic_columns(strokes: Strokes) -> np.ndarray:
    """Return the number of columns with the magic sum: int64 (n,)."""
    board = strokes.board
    return _magic(_diagrams(strokes).sum(axis=0), board.rows, square_count(board))


def magic_diagonals(strokes: Strokes) -> np.ndarray:
    """Return the number of long diagonals with the magic sum: int64 (n,)."""
    diagrams = _diagrams(strokes)
    sums = np.stack([np.trace(diagrams), np.trace(diagrams[:, ::-1])])
    return _magic(sums, strokes.board.cols, square_count(strokes.board))


def line_spread(strokes: Strokes) -> np.ndarray:
    """Return the maximum difference between the sums of two rows, or two columns: int64 (n,)."""
    diagrams = _diagrams(strokes)
    return np.maximum(*(np.ptp(diagrams.sum(axis=axis), axis=0) for axis in (0, 1)))


def crossings(strokes: Strokes) -> np.ndarray:
    """Return the number of pairs of moves that meet elsewhere than at a common end: int64 (n,)."""
    flat, pictures = strokes.flat, _pictures(strokes)
    found = np.zeros(strokes.count, dtype=np.int64)
    # Number of crossings of the moves with their upper end here, flushed before it exceeds 8 bits.
    crossed = np.zeros((flat.rows, flat.cols, strokes.count), dtype=np.uint8)
    for k, (one, other, ours, theirs) in enumerate(crossing_views(flat.rows, flat.cols, flat.vectors), 1):
        crossed[ours] += pictures[one][ours] & pictures[other][theirs]
        if k % 255 == 0:
            found += _on_board(crossed)
            crossed[:] = 0
    return found + _on_board(crossed)


def count_uncrossed(strokes: Strokes) -> np.ndarray:
    """Return the number of moves that no other move crosses: int64 (n,)."""
    flat, pictures = strokes.flat, _pictures(strokes)
    free = {vector: picture.copy() for vector, picture in pictures.items()}
    for one, other, ours, theirs in crossing_views(flat.rows, flat.cols, flat.vectors):
        apart = ~(pictures[one][ours] & pictures[other][theirs])
        free[one][ours] &= apart
        free[other][theirs] &= apart
    return np.sum([total(picture.reshape(-1, strokes.count)) for picture in free.values()], axis=0)


def _pictures(strokes: Strokes) -> dict[Vector, np.ndarray]:
    """Return, for each direction downwards, the upper ends of such moves: bool (rows, cols, n)."""
    flat, count = strokes.flat, strokes.count
    vectors = downward_moves(flat.vectors)
    size = flat.rows * flat.cols
    # For each direction and first square of a move: its index in all pictures.
    drawn_at = np.empty((len(strokes.steps), size), dtype=np.intp)
    for k, (row, col) in enumerate(strokes.steps):
        is_down = (row, col) in vectors
        picture = vectors.index((row, col) if is_down else (-row, -col))
        drawn_at[k] = picture * size + np.arange(size) + (0 if is_down else row * flat.cols + col)
    # One scatter for all pictures is three times as fast as a mask for each.
    places = take(drawn_at, strokes.directions.astype(np.intp) * size + strokes.places[:-1])
    places *= count
    places += np.arange(count)
    pictures = np.zeros((len(vectors), flat.rows, flat.cols, count), dtype=bool)
    pictures.reshape(-1)[places] = True
    return dict(zip(vectors, pictures, strict=True))


def _on_board(numbers: np.ndarray) -> np.ndarray:
    return numbers.reshape(-1, numbers.shape[2]).sum(axis=0, dtype=np.int64)
