"""The subject of a picture: a board or a window of it, and walks over its squares.

A Figure is created from a tour, a board, an implicit tour, the scene of a proof, or paths over a board. All pictures
are drawn from a Figure, which has no colours and no file format.
Coordinates of squares start at the top left of the window. Moves across its edge have squares outside. On boards with
joined sides, a move is the shortest leap that reaches its square. `leaps` finds the leap, and `pieces` cuts it at the
border.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np

from knightstour.core.drawing.layout import side_of
from knightstour.core.model.board import Board, BoardLike, Square, are_moves, move_graph, square_count, title_of
from knightstour.core.model.errors import BoardError, InvalidTour
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.grid_board import GridBoard, is_knights
from knightstour.core.model.scene import Scene
from knightstour.core.model.validation import an, as_list, quoted, whole_number, wrong_type

Point: TypeAlias = tuple[float, float]
Window: TypeAlias = tuple[int, int, int, int]
# Squares in order of visit, or several such lists.
Paths: TypeAlias = "Sequence[Square | str] | Sequence[Sequence[Square | str]] | np.ndarray"

# Limit on the squares of a picture. A larger picture needs too much memory, and its squares are invisible.
MAX_SQUARES = 40_000_000
# Leaps of more laps are drawn as the shortest equivalent leap.
_MAX_LAPS = 3


@runtime_checkable
class TourSquares(Protocol):
    """A tour with an array of squares."""

    @property
    def board(self) -> Board:
        """Its board."""

    @property
    def is_closed(self) -> bool:
        """Whether a move leads from its last square to its first."""

    @property
    def squares(self) -> np.ndarray:
        """Its squares in order of visit: integers (n, 2)."""


@runtime_checkable
class TourLike(Protocol):
    """A tour of any size with the numbers of its diagram, from 1."""

    @property
    def board(self) -> Board:
        """Its board."""

    @property
    def is_closed(self) -> bool:
        """Whether a move leads from its last square to its first."""

    @property
    def length(self) -> int:
        """Number of its squares."""

    def numbers(self, rows: slice | None = None, cols: slice | None = None) -> np.ndarray:
        """Return the numbers of a rectangle of the diagram."""


@runtime_checkable
class MarkedBoard(Protocol):
    """A board with a text on some squares, such as a puzzle."""

    @property
    def board(self) -> Board:
        """Its board."""

    @property
    def _inscribed(self) -> dict[Square, str]:
        """The texts on its squares."""

    @property
    def walls(self) -> tuple[tuple[Square, Square], ...] | None:
        """Walls between adjacent squares, or None if the texts are not drawn in rings."""


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """A rectangle of a large tour or board for a picture. window: (row, col, rows, cols)."""

    subject: TourSquares | TourLike | Board
    window: Window

    @property
    def board(self) -> Board:
        """The whole board."""
        return self.subject.board if isinstance(self.subject, TourSquares | TourLike) else self.subject


def labels_of(subject: object) -> Any:
    """Return the texts on the squares of a puzzle as the option `labels`; {} for other subjects."""
    return {"labels": dict(subject._inscribed)} if isinstance(subject, MarkedBoard) else {}


Drawable: TypeAlias = "TourSquares | TourLike | BoardLike | Scene | MarkedBoard | Region"


@dataclass(frozen=True, slots=True, eq=False)
class Walk:
    """A sequence of visited squares: int64 (n, 2), from the top left of the window.

    first: step of its first square in the tour. is_closed: whether it has a closing move. tone: index of its colour.
    """

    squares: np.ndarray
    first: int = 0
    is_closed: bool = False
    tone: int = 0

    def __len__(self) -> int:
        return len(self.squares)


class Moves(NamedTuple):
    """The moves of a walk: int64 (moves, 2) arrays of (drow, dcol), as a move leaves and as it arrives.

    Both differ at a side that turns the board over. stays: bool (moves,), whether a move crosses no side.
    """

    leaving: np.ndarray
    arriving: np.ndarray
    stays: np.ndarray


@dataclass(frozen=True, slots=True, eq=False)
class Figure:
    """The subject of a picture.

    board: the whole board. top, left, rows, cols: the window. walks: the walks, () for an empty board.
    length: number of steps of the whole tour (of all walks of a cover). is_tour: whether it is one tour.
    span: number of steps for the scale of colours if it exceeds `length`; else 0.
    walls: the walls between adjacent squares if the labels are drawn in rings; else None.
    """

    board: Board
    top: int
    left: int
    rows: int
    cols: int
    walks: tuple[Walk, ...]
    length: int
    is_tour: bool
    span: int = 0
    scene: Scene | None = None
    walls: tuple[tuple[Square, Square], ...] | None = None

    @property
    def is_window(self) -> bool:
        """Whether the board continues beyond the picture."""
        return any(self.open_sides)

    @property
    def open_sides(self) -> tuple[bool, bool, bool, bool]:
        """Whether the board continues at the top, right, bottom and left."""
        return (
            self.top > 0,
            self.left + self.cols < self.board.cols,
            self.top + self.rows < self.board.rows,
            self.left > 0,
        )

    @property
    def holes(self) -> list[tuple[int, int]]:
        """Holes in the window, from its top left."""
        inside = ((row - self.top, col - self.left) for row, col in self.board.holes)
        return sorted((r, c) for r, c in inside if 0 <= r < self.rows and 0 <= c < self.cols)

    @property
    def is_loop(self) -> bool:
        """Whether it is one closed tour, completely visible."""
        return self.is_tour and len(self.walks) == 1 and self.walks[0].is_closed

    def ends(self) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
        """Return the first and the last square of the tour or path, None if outside the window."""
        if not self.is_tour or not self.walks:
            return None, None
        ends: list[tuple[int, int] | None] = [None, None]
        for walk in self.walks:
            for k, is_there in enumerate((walk.first == 0, walk.first + len(walk) == self.length)):
                row, col = walk.squares[-k].tolist()
                if is_there and 0 <= row < self.rows and 0 <= col < self.cols:
                    ends[k] = (row, col)
        return ends[0], ends[1]

    def steps(self) -> tuple[np.ndarray, list[int]]:
        """Return the visited squares of the window, int64 (k, 2), and the step of each, in the order of the walks."""
        parts, steps = [np.empty((0, 2), np.int64)], []
        for walk in self.walks:
            inside = self.inside(walk)
            parts.append(walk.squares[inside])
            # In a window, a walk may return to the first square of a closed tour.
            steps += [(walk.first + k) % self.length for k in inside.tolist()]
        return np.concatenate(parts), steps

    def inside(self, walk: Walk) -> np.ndarray:
        """Return the indices of the squares of a walk in the window."""
        return np.flatnonzero(((walk.squares >= 0) & (walk.squares < [self.rows, self.cols])).all(axis=1))

    def by_tone(self, count: int) -> dict[int, list[Walk]]:
        """Group the walks by colour index, below `count`. A tour has colour 0."""
        groups: dict[int, list[Walk]] = {}
        for walk in self.walks:
            groups.setdefault(0 if self.is_tour else walk.tone % count, []).append(walk)
        return groups

    def moves(self, walk: Walk) -> Moves:
        """Return the moves of a walk, with the closing move if it is closed."""
        squares = walk.squares + np.array([self.top, self.left])
        leaving, arriving = leaps(self.board, squares, walk.is_closed)
        ends = squares[: len(leaving)] + leaving
        stays = ((ends >= 0) & (ends < [self.board.rows, self.board.cols])).all(axis=1)
        return Moves(leaving, arriving, stays)

    def split_line(self, line: Sequence[Point]) -> list[list[Point]]:
        """Return the `pieces` of a line that begins on the board, in coordinates of the window."""
        parts = pieces(self.board, [(x + self.left, y + self.top) for x, y in line])
        return [[(x - self.left, y - self.top) for x, y in part] for part in parts]

    def heat(self) -> dict[tuple[int, int], float]:
        """Return a value from 0 to 1 per square: its step, or on an empty board its number of moves."""
        if self.walks:
            squares, steps = self.steps()
            last = max(1, (self.span or self.length) - 1)
            return {(r, c): step / last for (r, c), step in zip(squares.tolist(), steps, strict=True)}
        degrees = self.degrees()
        most = max(1, int(degrees.max()))
        return {(r, c): degrees[r, c] / most for r, c in np.argwhere(degrees >= 0).tolist()}

    @property
    def title(self) -> str:
        """Title of the picture, for screen readers."""
        if self.scene is not None:
            return f"{self.scene.title}: {title_of(self.board)}"
        window = f", {self.rows} rows and {self.cols} columns of it" if self.is_window else ""
        if not self.walks:
            return f"{title_of(self.board)}{window}"
        if not self.is_tour:
            return f"{len(self.walks)} paths on {an(title_of(self.board))}{window}"
        if self.length < square_count(self.board):
            return f"A path over {self.length} squares of {an(title_of(self.board))}{window}"
        piece = "Knight's tour" if is_knights(self.board) else "Tour"
        return f"{piece} of {an(title_of(self.board))}{window}"

    @property
    def description(self) -> str:
        """Description of the picture: one sentence, or all sentences of a scene."""
        if self.scene is not None:
            return " ".join([self.scene.sentence, *self.scene.beats])
        if not self.walks:
            return f"An empty board of {square_count(self.board)} squares."
        if not self.is_tour:
            loops = sum(walk.is_closed for walk in self.walks)
            return f"{loops} loops and {len(self.walks) - loops} open paths over {self.length} squares."
        start, end = (
            "" if s is None else self.board.square_name((s[0] + self.top, s[1] + self.left)) for s in self.ends()
        )
        if self.is_loop:
            return f"A closed tour of {self.length} squares, from {start} and back to it."
        ends = (f" from {start}" if start else "") + (f" to {end}" if end else "")
        return f"{self.length} squares visited once each{ends}."

    def degrees(self) -> np.ndarray:
        """Return the number of moves from each square of the window, -1 at holes: int64 (rows, cols)."""
        graph = move_graph(self.board)
        degrees = np.where(graph.is_square, graph.degrees, -1).reshape(self.board.rows, self.board.cols)
        return degrees[self.top : self.top + self.rows, self.left : self.left + self.cols]


# ---------------------------------------------------------------- construction of figures


def figure_of(subject: Drawable, *, paths: Paths | None = None, window: Window | None = None) -> Figure:
    """Create the figure of a subject, or of `paths` over a board.

    paths: squares in order of visit, or several such lists. A list that ends at its first square is a loop.
    window: (row, col, rows, cols), the visible part.

    Raises BoardError if the subject cannot be drawn, and InvalidTour if a step of a path is not a move of the board.
    """
    if isinstance(subject, Region):
        return figure_of(subject.subject, paths=paths, window=subject.window)
    board = board_of(subject)
    if isinstance(subject, Scene):
        return _figure_of_scene(subject, paths, window)
    if isinstance(board, CellBoard) and window is not None:
        raise BoardError(f"a window requires rows and columns; the {title_of(board)} has cells", help="omit the window")
    if type(board) is GraphBoard:
        raise BoardError(
            "a board from a graph has no squares to draw", help="draw it with NetworkX: board.to_networkx()"
        )
    top, left, rows, cols = checked_window(window, board)
    is_tour = isinstance(subject, TourSquares | TourLike)
    if is_tour and paths is not None:
        raise BoardError("a tour has its own path", help="to draw other paths, use its board")
    if isinstance(subject, MarkedBoard):
        return replace(figure_of(board, paths=paths, window=window), walls=subject.walls)
    if isinstance(subject, TourLike):
        walks = _walks_of_numbers(subject, top, left, rows, cols)
        return Figure(board, top, left, rows, cols, walks, subject.length, True)
    if isinstance(subject, TourSquares):
        whole = [Walk(subject.squares.astype(np.int64), 0, subject.is_closed)]
    else:
        whole = [] if paths is None else _walks_of_paths(board, paths)
    walks = _cut_out(whole, board, top, left, rows, cols)
    return Figure(board, top, left, rows, cols, walks, sum(map(len, whole)), len(whole) == 1)


def _figure_of_scene(scene: Scene, paths: Paths | None, window: Window | None) -> Figure:
    if paths is not None or window is not None:
        raise BoardError(
            "the scene of a proof shows the whole board, without other paths", help="omit window and paths"
        )
    board = scene.board
    if isinstance(board, GraphBoard):
        side = side_of(board)
        return Figure(board, 0, 0, side, side, (), 0, False, scene=scene)
    _, _, rows, cols = checked_window(None, board)
    return Figure(board, 0, 0, rows, cols, (), 0, False, scene=scene)


def board_of(subject: Drawable) -> Board:
    return (
        subject.board if isinstance(subject, Scene | TourSquares | TourLike | MarkedBoard | Region) else Board(subject)
    )


def checked_window(window: Window | None, board: Board) -> Window:
    """Return the window, or the whole board. Raises BoardError if it is not on the board or too large."""
    if window is None:
        top, left, rows, cols = 0, 0, board.rows, board.cols
        help = "draw a part of it: implicit_tour(board).region(top, left, height, width)"
    else:
        help = "use (row, col, rows, cols)"
        try:
            if isinstance(window, str | bytes):
                raise TypeError
            top, left, rows, cols = (whole_number(x, "a number of the window", error=BoardError) for x in window)
        except (BoardError, ValueError):
            raise BoardError(f"not a window: {quoted(window)}", help=help) from None
        except TypeError:
            raise wrong_type("window", "four integers", window, help=help) from None
        if top < 0 or left < 0 or rows < 1 or cols < 1:
            raise BoardError(f"not a window: {window!r}", help="row and col are at least 0, rows and cols at least 1")
        if top + rows > board.rows or left + cols > board.cols:
            raise BoardError(
                f"the window of {rows} rows from {top} and {cols} columns from {left} is not on the board",
                note=f"the board has rows 0 to {board.rows - 1} and columns 0 to {board.cols - 1}",
            )
        help = "draw a smaller window"
    if rows * cols > MAX_SQUARES:
        message = f"{rows} x {cols} squares are too many for a picture"
        raise BoardError(message, note=f"at most {MAX_SQUARES:,}", help=help)
    return top, left, rows, cols


def _walks_of_paths(board: Board, paths: Paths) -> list[Walk]:
    given = as_list(paths, "paths", help="pass squares in order of visit, or several such lists")
    if not given:
        return []
    # A single path consists of names or pairs.
    is_one = isinstance(given[0], str) or (
        isinstance(given[0], tuple | list | np.ndarray)
        and len(given[0]) == 2
        and all(isinstance(x, int | np.integer) for x in given[0])
    )
    walks, first = [], 0
    for tone, path in enumerate([given] if is_one else given):
        visited = [board.square(s) for s in as_list(path, "a path")]
        if not visited:
            continue
        is_closed = len(visited) > 3 and visited[0] == visited[-1]
        squares = np.array(visited[:-1] if is_closed else visited, dtype=np.int64)
        leaps(board, squares, is_closed)  # raises InvalidTour if a step is not a move
        walks.append(Walk(squares, first, is_closed, tone))
        first += len(squares)
    return walks


def _reach(board: Board) -> int:
    return board.piece.reach if isinstance(board, GridBoard) else 0


def _cut_out(walks: Iterable[Walk], board: Board, top: int, left: int, rows: int, cols: int) -> tuple[Walk, ...]:
    """Return the parts of the walks near the window, in its coordinates."""
    if (top, left, rows, cols) == (0, 0, board.rows, board.cols):
        return tuple(walks)
    reach = _reach(board)
    found: list[Walk] = []
    for walk in walks:
        squares = walk.squares - np.array([top, left])
        if walk.is_closed:
            squares = np.concatenate([squares, squares[:1]])
        r, c = squares[:, 0], squares[:, 1]
        near = (r >= -reach) & (r < rows + reach) & (c >= -reach) & (c < cols + reach)
        edges = np.flatnonzero(near[:-1] | near[1:])
        for a, b in _runs(edges):
            first, last = int(edges[a]), int(edges[b - 1])
            found.append(Walk(squares[first : last + 2], walk.first + first, tone=walk.tone))
        if len(squares) == 1 and near[0]:
            found.append(Walk(squares, walk.first, tone=walk.tone))
    return tuple(found)


def _runs(rising: np.ndarray) -> list[tuple[int, int]]:
    cuts = (np.flatnonzero(rising[1:] - rising[:-1] != 1) + 1).tolist()
    return list(zip([0, *cuts], [*cuts, len(rising)], strict=True)) if len(rising) else []


def _walks_of_numbers(tour: TourLike, top: int, left: int, rows: int, cols: int) -> tuple[Walk, ...]:
    """Return the walks in a window; consecutive numbers are a move."""
    reach = _reach(tour.board)
    above, before = min(reach, top), min(reach, left)
    numbers = tour.numbers(
        slice(top - above, min(tour.board.rows, top + rows + reach)),
        slice(left - before, min(tour.board.cols, left + cols + reach)),
    )
    flat = numbers.reshape(-1)
    by_number = np.argsort(flat, kind="stable")
    squares = np.stack(np.divmod(by_number, numbers.shape[1]), axis=1) - np.array([above, before])
    rising = flat[by_number]
    is_inside = (squares >= 0).all(axis=1) & (squares[:, 0] < rows) & (squares[:, 1] < cols)
    walks = [Walk(squares[a:b], int(rising[a]) - 1) for a, b in _runs(rising) if b - a > 1 or is_inside[a]]
    has_both_ends = int(rising[0]) == 1 and int(rising[-1]) == tour.length
    if tour.is_closed and has_both_ends:
        if len(walks) == 1:
            return (Walk(squares, 0, True),)
        walks.append(Walk(np.stack([squares[-1], squares[0]]), tour.length - 1))
    return tuple(walks)


# ---------------------------------------------------------------- moves over the border


def leaps(board: Board, squares: np.ndarray, is_closed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the moves as they leave and as they arrive (see Moves), by the leaps that cross the fewest borders.

    squares: int64 (n, 2) on the whole board.
    Raises InvalidTour if no leap lands on the next square.
    """
    after = np.concatenate([squares[1:], squares[:1]]) if is_closed else squares[1:]
    before = squares[: len(after)]
    flat = after - before
    if isinstance(board, CellBoard):
        lost = np.flatnonzero(~are_moves(board, before[:, 1], after[:, 1]))
        if len(lost):
            names = [board.square_name((0, int(line[lost[0], 1]))) for line in (before, after)]
            raise InvalidTour(f"{names[0]} to {names[1]} is not a move on the {title_of(board)}", step=int(lost[0]) + 1)
        return flat, flat
    assert isinstance(board, GridBoard)
    size = np.sort(np.abs(flat), axis=1)
    is_plain = np.logical_or.reduce([(size == leap).all(axis=1) for leap in board.piece.leaps])
    if is_plain.all():
        return flat, flat
    leaving, arriving = flat.copy(), flat.copy()
    todo = np.flatnonzero(~is_plain)
    r, c = before[todo].T
    target = after[todo, 0] * board.cols + after[todo, 1]
    best = np.full(len(todo), np.iinfo(np.int64).max)
    for dr, dc in _drawn_moves(board):
        rows_crossed, cols_crossed = np.abs((r + dr) // board.rows), (c + dc) // board.cols
        cost = rows_crossed + np.abs(cols_crossed)
        better = (board.landing(r, c, dr, dc) == target) & (cost < best)
        best[better] = cost[better]
        here = todo[better]
        leaving[here] = (dr, dc)
        flips = (cols_crossed[better] % 2 != 0) & (board.wrap in ("mobius", "klein"))
        arriving[here, 0] = np.where(flips, -dr, dr)
        arriving[here, 1] = dc
    lost = np.flatnonzero(best == np.iinfo(np.int64).max)
    if len(lost):
        step = int(todo[lost[0]])
        names = [board.square_name((int(x), int(y))) for x, y in (before[step], after[step])]
        raise InvalidTour(f"{names[0]} to {names[1]} is not a move on the {title_of(board)}", step=step + 1)
    return leaving, arriving


def _drawn_moves(board: GridBoard) -> list[tuple[int, int]]:
    """Return the moves of the piece, with very long moves shortened by whole laps."""
    rows_wrap = board.wrap in ("torus", "klein")
    found = []
    for dr, dc in board.piece.vectors:
        if board.wrap is not None and abs(dc) > _MAX_LAPS * board.cols:
            dc = (dc + board.cols) % (2 * board.cols) - board.cols
        if rows_wrap and abs(dr) > _MAX_LAPS * board.rows:
            dr = (dr + board.rows // 2) % board.rows - board.rows // 2
        if abs(dr) <= 2**40 and abs(dc) <= 2**40:
            found.append((dr, dc))
    return found


def pieces(board: Board, line: Sequence[Point]) -> list[list[Point]]:
    """Cut a line over the unrolled board at the borders, and return its parts on the board.

    line: points (x, y) in squares. The board is from 0 to cols and 0 to rows, surrounded by copies. The line begins on
    it.

    >>> pieces(Board(4, 4, wrap="torus"), [(3.5, 0.5), (5.5, 1.5)])
    [[(3.5, 0.5), (4.0, 0.75)], [(0.0, 0.75), (1.5, 1.5)]]
    """
    rows, cols = board.rows, board.cols
    parts: list[list[Point]] = []
    for (x0, y0), (x1, y1) in zip(line, line[1:], strict=False):
        cuts = {0.0, 1.0}
        for begin, end, size in ((x0, x1, cols), (y0, y1, rows)):
            low, high = sorted((begin, end))
            if low < high:
                borders = range(math.ceil(low / size), math.floor(high / size) + 1)
                cuts.update((k * size - begin) / (end - begin) for k in borders)
        at = sorted(cut for cut in cuts if 0 <= cut <= 1)
        for s, t in zip(at, at[1:], strict=False):
            if t - s < 1e-9:
                continue
            ends = [(x0 + u * (x1 - x0), y0 + u * (y1 - y0)) for u in (s, t)]
            middle_x, middle_y = ((ends[0][i] + ends[1][i]) / 2 for i in (0, 1))
            lap, floor = math.floor(middle_x / cols), math.floor(middle_y / rows)
            laid = []
            for x, y in ends:
                y -= floor * rows
                if board.wrap in ("mobius", "klein") and lap % 2:
                    y = rows - y
                laid.append((x - lap * cols, y))
            if parts and math.dist(parts[-1][-1], laid[0]) < 1e-6:
                parts[-1].append(laid[1])
            else:
                parts.append(laid)
    return parts
