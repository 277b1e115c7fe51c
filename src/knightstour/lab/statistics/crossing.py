"""Crossings, and moves that nothing crosses, of many tours at once.

The moves of one direction are a picture: true where such a move has its upper end. Two moves cross depending only on
their directions and on where one lies from the other, so each of the few crossing positions is one `and` of two shifted
pictures. The pictures of all tours lie side by side, one tour a column.
"""

from __future__ import annotations

import numpy as np

from knightstour.core.model.geometry import Vector, crossing_views, downward_moves
from knightstour.core.model.indices import take
from knightstour.lab.statistics.strokes import Strokes, total


def crossings(strokes: Strokes) -> np.ndarray:
    """Number of pairs of moves that meet elsewhere than at a common end: int64 (n,)."""
    flat, pictures = strokes.flat, _pictures(strokes)
    found = np.zeros(strokes.count, dtype=np.int64)
    # How often the moves with their upper end here are crossed, until that may go beyond 8 bits.
    crossed = np.zeros((flat.rows, flat.cols, strokes.count), dtype=np.uint8)
    for k, (one, other, ours, theirs) in enumerate(crossing_views(flat.rows, flat.cols, flat.vectors), 1):
        crossed[ours] += pictures[one][ours] & pictures[other][theirs]
        if k % 255 == 0:
            found += _on_board(crossed)
            crossed[:] = 0
    return found + _on_board(crossed)


def uncrossed(strokes: Strokes) -> np.ndarray:
    """Number of moves that no other move crosses: int64 (n,)."""
    flat, pictures = strokes.flat, _pictures(strokes)
    free = {vector: picture.copy() for vector, picture in pictures.items()}
    for one, other, ours, theirs in crossing_views(flat.rows, flat.cols, flat.vectors):
        apart = ~(pictures[one][ours] & pictures[other][theirs])
        free[one][ours] &= apart
        free[other][theirs] &= apart
    return np.sum([total(picture.reshape(-1, strokes.count)) for picture in free.values()], axis=0)


def _pictures(strokes: Strokes) -> dict[Vector, np.ndarray]:
    """For each direction downwards which squares are the upper end of such a move: bool (rows, cols, n)."""
    flat, count = strokes.flat, strokes.count
    vectors = downward_moves(flat.vectors)
    size = flat.rows * flat.cols
    # Where a move is drawn, by its direction and the square it begins at: in which picture, and at which square.
    drawn_at = np.empty((len(strokes.steps), size), dtype=np.intp)
    for k, (row, col) in enumerate(strokes.steps):
        is_down = (row, col) in vectors
        picture = vectors.index((row, col) if is_down else (-row, -col))
        drawn_at[k] = picture * size + np.arange(size) + (0 if is_down else row * flat.cols + col)
    # One scatter for all pictures: a mask for each of them takes three times as long.
    places = take(drawn_at, strokes.directions.astype(np.intp) * size + strokes.places[:-1])
    places *= count
    places += np.arange(count)
    pictures = np.zeros((len(vectors), flat.rows, flat.cols, count), dtype=bool)
    pictures.reshape(-1)[places] = True
    return dict(zip(vectors, pictures, strict=True))


def _on_board(numbers: np.ndarray) -> np.ndarray:
    """The sum over all squares: int64 (n,)."""
    return numbers.reshape(-1, numbers.shape[2]).sum(axis=0, dtype=np.int64)
