"""Tours: a board and the order in which its squares are visited, checked when made and never changed after."""

from __future__ import annotations

import operator
import os
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NoReturn, TypeAlias

import numpy as np

from knightstour.core.model import geometry, symmetry
from knightstour.core.model.board import (
    Board,
    BoardLike,
    Square,
    are_moves,
    board_of,
    square_at,
    square_names,
    title_of,
)
from knightstour.core.model.errors import BoardError, InvalidTour, ProblemError, with_notes
from knightstour.core.model.exports import as_text, picture_of, playable, save_tour
from knightstour.core.model.geometry import flat_of, is_flat
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.graphs import networkx_module
from knightstour.core.model.grid_board import GridBoard, is_rectangle
from knightstour.core.model.layers import in_layers, is_compact
from knightstour.core.model.leaps import make_read_only
from knightstour.core.model.names import square_name
from knightstour.core.model.numbering import board_of_numbers, hole_or_first, numbering, numbers_in, order_of_numbers
from knightstour.core.model.slips import no_attribute
from knightstour.core.model.tour_check import checked_order, checked_squares, numbers_of, squares_of
from knightstour.core.model.validation import an, as_list, flag, one_of, quoted, whole_number

if TYPE_CHECKING:
    import networkx
    from numpy.typing import DTypeLike

Magic: TypeAlias = Literal["", "semi", "magic", "diagonal"]

# Number of moves that excludes nearly all missing symmetries of a tour. Wrapped boards with at least the second number
# of squares have thousands of symmetries, which are processed together.
_MOVES_LOOKED_AT = 500
_MANY_SQUARES = 1000


@dataclass(frozen=True, slots=True, eq=False, repr=False, init=False)
class Tour:
    """Tour: every square of `board` once, each a move from the previous one.

    The stored `order` contains the square numbers `row * cols + col` in order of visit, a read-only array (n,), int32
    below 2**31 squares, else int64.

    Args:
        board: The board.
        squares: The squares in order of visit: an (n, 2) integer array of (row, col), or a list of squares or names
            (on the board of a graph, nodes).

    Raises:
        InvalidTour: If the squares are not a tour of the board (with `.step`).

    >>> tour = Tour((3, 4), ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"])
    >>> print(tour)
     1  4  7 10
     8 11  2  5
     3  6  9 12
    >>> tour.is_closed, tour.start, tour.end, tour.turns
    (False, (0, 0), (2, 3), 10)
    """

    board: Board
    order: np.ndarray
    # Computed on demand.
    _squares: np.ndarray | None

    def __init__(self, board: BoardLike, squares: Sequence[object] | np.ndarray) -> None:
        board = board_of(board)
        if isinstance(squares, Mapping):
            help = "pass the squares in order, as sorted(steps, key=steps.get); Tour.from_array accepts square numbers"
            raise with_notes(TypeError("a dict has no order of squares"), help=help)
        if not isinstance(squares, np.ndarray):
            squares = as_list(squares, "the squares of a tour")
        elif squares.ndim == 0:
            raise InvalidTour("a tour is a list of (row, col) pairs, not a single value")
        self._keep(board, checked_squares(board, squares))

    def _keep(self, board: Board, order: np.ndarray) -> None:
        """Store a checked order, an array without other owners."""
        object.__setattr__(self, "board", board)
        object.__setattr__(self, "order", make_read_only(order))
        object.__setattr__(self, "_squares", None)

    @classmethod
    def from_array(
        cls, array: Sequence[int] | Sequence[Sequence[int]] | np.ndarray, board: BoardLike | None = None
    ) -> Tour:
        """Create a tour from its numbered diagram, or from square numbers `row * cols + col` in order of visit.

        Args:
            array: A diagram has the numbers 1, 2, 3, ... or 0, 1, 2, ... in order of visit. A hole is a cell without a
                number: None, NaN, masked, -1, a mark such as ".". Several zeros are holes of a closed tour, but one is
                the first number, if it is not on a hole of the given board. Square numbers are a list or a
                one-dimensional array.
            board: The board, by default the flat knight's board of the diagram's shape. Required for square numbers.

        Raises:
            InvalidTour: If the array is not a tour, or several zeros may be unvisited squares.

        >>> Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]).end
        (2, 3)
        >>> Tour.from_array([0, 6, 8, 1, 7, 9, 2, 4, 10, 3, 5, 11], "3x4").end
        (2, 3)
        """
        given: Any = array if isinstance(array, np.ndarray) else as_list(array, "the array of a tour")
        if not _is_order(given):
            return _tour_of_diagram(given, None if board is None else board_of(board))
        if board is None:
            raise InvalidTour("square numbers require a board", help="pass it: Tour.from_array(array, board)")
        return tour_of(board_of(board), np.array(given))

    # -- plain facts

    @property
    def squares(self) -> np.ndarray:
        """Squares in order of visit: (n, 2) of row and column, read-only; computed on demand.

        int32, or int64 on boards with 2**31 or more rows or columns.
        """
        if self._squares is None:
            object.__setattr__(self, "_squares", make_read_only(squares_of(self.order, self.board)))
        assert self._squares is not None
        return self._squares

    @property
    def numbers(self) -> np.ndarray:
        """The diagram: int32 (rows, cols), 1 for the start, 0 for a hole (int64 from 2**31 squares)."""
        rows, cols = self.board.rows, self.board.cols
        return numbers_of(self.order, rows * cols).reshape(rows, cols)

    @property
    def is_closed(self) -> bool:
        """Whether a move leads from the last square back to the first (and there are three squares or more)."""
        if len(self) < 3:
            return False
        if is_rectangle(self.board):
            (r0, c0), (r1, c1) = self.start, self.end
            return abs((r0 - r1) * (c0 - c1)) == 2
        first, last = self.order[:1].astype(np.int64), self.order[-1:].astype(np.int64)
        return bool(are_moves(self.board, last, first)[0])

    @property
    def start(self) -> Square:
        """The first square."""
        return self[0]

    @property
    def end(self) -> Square:
        """The last square."""
        return self[-1]

    @property
    def moves(self) -> np.ndarray:
        """The move after each step, as (drow, dcol): (n - 1, 2), (n, 2) if closed. Over a joined side the far jump."""
        squares = np.concatenate([self.squares, self.squares[:1]]) if self.is_closed else self.squares
        return np.diff(squares, axis=0)

    @property
    def labels(self) -> list[Hashable]:
        """The squares as they are called: algebraic names, or the nodes of the graph the board was made from."""
        if isinstance(self.board, GraphBoard):
            labels = self.board.labels
            return [labels[c] for c in self.squares[:, 1].tolist()]
        return [square_name((r, c), self.board.rows) for r, c in self.squares.tolist()]

    def to_networkx(self) -> networkx.Graph:
        """Return the moves of the tour as a NetworkX graph, a path or a cycle, with the nodes of `Board.to_networkx`.

        The nodes are in order of visit. A closing move is included. Requires the extra `graphs` (pip install
        'knightstour[graphs]').

        >>> list(Tour((3, 4), ["a3", "c2", "a1", "b3", "d2", "b1", "c3", "a2", "c1", "d3", "b2", "d1"]).to_networkx())
        [(0, 0), (1, 2), (2, 0), (0, 1), (1, 3), (2, 1), (0, 2), (1, 0), (2, 2), (0, 3), (1, 1), (2, 3)]
        """
        networkx = networkx_module()
        nodes = self.labels if isinstance(self.board, GraphBoard) else list(self)
        graph = networkx.DiGraph() if self.board.is_directed else networkx.Graph()
        graph.add_nodes_from(nodes)
        networkx.add_cycle(graph, nodes) if self.is_closed else networkx.add_path(graph, nodes)
        return graph

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            raise no_attribute("Tour", name, dir(type(self)))

    def __len__(self) -> int:
        return len(self.order)

    def __getitem__(self, step: int) -> Square:
        """The square of a step, counted from 0; for several at once use `squares[a:b]`."""
        if isinstance(step, str):
            raise TypeError(f"a step must be an integer, not {quoted(step)}; use tour.index({quoted(step)})")
        step = operator.index(step)
        if not -len(self.order) <= step < len(self.order):
            raise IndexError(f"there is no step {quoted(step)}: the steps are 0 to {len(self.order) - 1:,}")
        return square_at(self.board, int(self.order[step]))

    def index(self, square: Square | str | Hashable) -> int:
        """Return the step of a square, counted from 0.

        Raises:
            BoardError: If the square is not on the board.
            ValueError: If the tour does not visit the square.

        >>> Tour("3x4", "a3 c2 a1 b3 d2 b1 c3 a2 c1 d3 b2 d1".split()).index("d2")
        4
        """
        row, col = self.board.square(square)
        found = np.flatnonzero(self.order == row * self.board.cols + col)
        if not len(found):
            raise ValueError(f"the tour does not visit {quoted(square)}")
        return int(found[0])

    def __iter__(self) -> Iterator[Square]:
        if isinstance(self.board, GraphBoard):
            yield from (square_at(self.board, number) for number in self.order.tolist())
            return
        for row, col in self.squares.tolist():
            yield row, col

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        """The squares: (n, 2); read-only unless copied."""
        array = self.squares if dtype is None else self.squares.astype(dtype, copy=False)
        if array is not self.squares and copy is False:
            raise ValueError(f"the squares are {self.squares.dtype}, so an array of another type is a copy")
        return self.squares.copy() if copy and array is self.squares else array

    # -- drawn facts

    @property
    def turns(self) -> int:
        """Number of squares at which the direction changes; all squares count in a closed tour. Flat boards only."""
        self._need_flat("turns")
        return geometry.count_turns(flat_of(self.board).places(self.order), self.is_closed)

    @property
    def crossings(self) -> int:
        """Number of pairs of moves that meet elsewhere than at a common end. Flat boards only."""
        self._need_flat("crossings")
        flat = flat_of(self.board)
        places = flat.places(self.order)
        return geometry.count_crossings(places, self.is_closed, flat.rows, flat.cols, flat.vectors)

    def _need_flat(self, what: str) -> None:
        if not is_flat(self.board):
            raise BoardError(f"{what} are counted on flat boards only; this is {an(title_of(self.board))}")

    @property
    def magic(self) -> Magic:
        """Kind of magic tour, in the terms of Jelliss and the OEIS.

        "magic": all rows have one sum, and all columns have one; "diagonal": n x n, and both diagonals have that sum
        too; "semi": all rows or all columns have one sum, but not both; else "". Boards with holes and graphs have "".

        >>> Tour.from_array([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]]).magic
        ''
        """
        if self.board.holes or isinstance(self.board, GraphBoard):
            return ""
        numbers = self.numbers.astype(np.int64)
        rows, cols = numbers.sum(axis=1), numbers.sum(axis=0)
        is_even = [bool((sums == sums[0]).all()) for sums in (rows, cols)]
        if not all(is_even):
            return "semi" if any(is_even) else ""
        diagonals = (np.trace(numbers), np.trace(numbers[:, ::-1]))
        return "diagonal" if len(rows) == len(cols) and diagonals == (rows[0], rows[0]) else "magic"

    # -- other tours from this one

    def reversed(self) -> Tour:
        """Return the tour in the opposite direction.

        >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
        >>> tour.reversed().start == tour.end
        True
        """
        return tour_of(self.board, self.order[::-1])

    def shifted(self, step: int) -> Tour:
        """The closed tour, started at another step (negative: counted from its end); an InvalidTour for an open one.

        >>> import knightstour as kt
        >>> tour = kt.find_tour((6, 6), closed=True)
        >>> tour.shifted(1).start == tour[1], tour.shifted(-1).start == tour.end
        (True, True)
        """
        step = whole_number(step, "the step at which a tour starts")
        if not self.is_closed:
            raise InvalidTour("only a closed tour can begin at another square", help="this one is open")
        return tour_of(self.board, np.roll(self.order, -(step % len(self))))

    def rotated(self, angle: Literal[0, 90, 180, 270] | int) -> Tour:
        """The tour turned clockwise by a multiple of 90 degrees; a BoardError for another angle.

        >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
        >>> tour.start, tour.rotated(90).start, tour.rotated(90).board
        ((0, 0), (0, 2), Board(4, 3))
        """
        names = {0: "identity", 90: "90", 180: "180", 270: "270"}
        whole_number(angle, "the angle", error=BoardError)
        if angle % 360 not in names:
            raise BoardError(f"a board turns by multiples of 90 degrees, not {angle}")
        return self._image_under(symmetry.TURN_NAMED[names[angle % 360]])

    def reflected(self, axis: Literal["vertical", "horizontal", "diagonal", "antidiagonal"] | str = "vertical") -> Tour:
        """The tour mirrored in a line: "vertical" swaps left and right, "diagonal" is the transpose.

        >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
        >>> tour.reflected().start, tour.reflected("diagonal").end
        ((0, 3), (3, 2))
        """
        one_of(axis, ("vertical", "horizontal", "diagonal", "antidiagonal"), "axis", error=BoardError)
        return self._image_under(symmetry.TURN_NAMED[axis])

    def _image_under(self, turn: symmetry.Turn) -> Tour:
        board = symmetry.turned_board(self.board, turn)
        return Tour(board, symmetry.turned_squares(self.squares, turn, self.board.rows, self.board.cols))

    def canonical(self, *, closed: bool | None = None) -> Tour:
        """Return the representative of all images of a tour: rotated, mirrored, reversed and, if closed, with another
        start.

        A flat board or torus has no more rows than columns, and any board the lexicographically first list of holes;
        then the image with the first list of squares is chosen. Two tours are equal up to symmetry if and only if their
        canonical forms are equal.

        Args:
            closed: Whether it counts as a closed tour; None: if it is one. With False a closed tour keeps its two ends,
                as for `count` without closed=True; for an open tour True raises ProblemError.

        >>> tour = Tour.from_array([[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]])
        >>> tour.canonical() == tour.rotated(180).reversed().canonical()
        True
        >>> import knightstour as kt
        >>> closed = kt.find_tour((6, 6), closed=True)
        >>> closed.shifted(1).canonical() == closed.canonical()
        True
        >>> closed.shifted(1).canonical(closed=False) == closed.canonical(closed=False)
        False
        """
        is_closed = counts_as_closed(self, closed)
        tour = self
        board = self.board
        if isinstance(board, GraphBoard):
            images = (found.image[self.order] for found in symmetry.symmetries(board))
            # Along arcs a tour has one direction.
            ways = 1 if board.is_directed else 2
            walks = (walk for image in images for walk in walks_of(image, is_closed)[:ways])
            return tour_of(board, min(walks, key=np.ndarray.tolist))
        assert isinstance(board, GridBoard)
        if board.rows > board.cols and board.wrap in (None, "torus"):
            tour = self.reflected("diagonal")
            assert isinstance(tour.board, GridBoard)
            board = tour.board
        # A board with holes is laid on its images too, so look at the symmetries it has without them.
        bare = board.replace(holes=())
        holes = np.array(sorted(r * board.cols + c for r, c in board.holes), dtype=np.int64)
        order = tour.order
        best_holes, best = holes, order
        for sym in symmetry.symmetries(bare):
            image = sym.image
            new_holes = np.sort(image[holes])
            if _comes_before(best_holes, new_holes):
                continue
            for walk in walks_of(image[order], is_closed):
                if _comes_before(new_holes, best_holes) or _comes_before(walk, best):
                    best_holes, best = new_holes, walk
        if len(holes):
            rows, cols = np.divmod(best_holes, board.cols)
            board = board.replace(holes=zip(rows.tolist(), cols.tolist(), strict=True))
        return tour_of(board, best)

    @property
    def symmetries(self) -> tuple[str, ...]:
        """Names of the board's symmetries, the identity aside, that lay the tour on itself (direction ignored)."""
        order, is_closed, cols = self.order, self.is_closed, self.board.cols
        step_of = np.zeros(self.board.rows * cols, dtype=np.int64)
        step_of[order] = np.arange(len(order))

        def are_moves(steps: np.ndarray, others: np.ndarray) -> np.ndarray:
            apart = np.abs(steps - others)
            return (apart == 1) | (apart == len(order) - 1) if is_closed else apart == 1

        def sieve(takes: symmetry.Takes, which: np.ndarray) -> np.ndarray:
            """Return the symmetries that map some moves of the tour to moves of it."""
            # Constructed tours are regular: places that were evenly spread might all look alike.
            for k in np.random.default_rng(0).integers(len(order) - 1, size=_MOVES_LOOKED_AT).tolist():
                if not len(which):
                    break
                one, other = (divmod(s, cols) for s in order[k : k + 2].tolist())
                steps = [step_of[row * cols + col] for row, col in (takes(one, which), takes(other, which))]
                which = which[are_moves(*steps)]
            return which

        has_many = self.board.wrap is not None and len(order) >= _MANY_SQUARES
        first = [divmod(s, cols) for s in order[:20].tolist()]
        apart = (1, len(order) - 1) if is_closed else (1,)
        names = []
        for sym in symmetry.symmetries(self.board, sieve if has_many else None):
            if sym.name == "identity":
                continue
            before = -1
            for square in first:
                row, col = sym.takes(square)
                step = int(step_of[row * cols + col])
                # Nearly all are out after a few moves.
                if before >= 0 and abs(step - before) not in apart:
                    break
                before = step
            else:
                steps = step_of[sym.image[order]]
                others = np.roll(steps, -1) if is_closed else steps[1:]
                if are_moves(steps[: len(others)], others).all():
                    names.append(sym.name)
        return tuple(names)

    @property
    def symmetry(self) -> str:
        """Symmetry class: "none", "180", "90" (and so 180 too), or the names of `symmetries` joined by "+".

        >>> Tour.from_array([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]]).symmetry
        'none'
        """
        names = self.symmetries
        if set(names) == {"90", "180", "270"}:
            return "90"
        return "+".join(names) or "none"

    @property
    def symmetry_name(self) -> str:
        """Name of the symmetry class: "Eulerian", "Bergholtian", "birotary", "Sulian", ...; "none" without symmetry.

        The names are from Jelliss. They distinguish *positive* symmetries, which keep the direction of a closed tour
        (Eulerian for the half turn, Sulian for a mirror), from *negative* ones, which reverse it (Bergholtian,
        Murraian). Open tours and wrapped boards have no such names: then it is `symmetry`.

        >>> import knightstour as kt
        >>> kt.TourSpace((6, 6), closed=True).unrank(1).symmetry_name
        'none'
        """
        if not self.is_closed or self.board.wrap is not None or isinstance(self.board, GraphBoard) or len(self) < 3:
            return self.symmetry
        names = self.symmetries
        order = self.order
        step_of = np.zeros(self.board.rows * self.board.cols, dtype=np.int64)
        step_of[order] = np.arange(len(order))
        for sym in symmetry.symmetries(self.board):
            if names and sym.name == names[0]:
                first, second = step_of[sym.image[order[:2]]]
                return symmetry.name_of(names, is_positive=bool((second - first) % len(order) == 1))
        return "none"

    # -- as a value

    def __eq__(self, other: object) -> bool:
        """Whether board and squares, in order, are the same. For tours alike up to symmetry compare `canonical()`."""
        if not isinstance(other, Tour):
            return NotImplemented
        return self.board == other.board and np.array_equal(self.order, other.order)

    def __hash__(self) -> int:
        return hash((self.board, self.order.tobytes()))

    def __reduce__(self) -> tuple[object, ...]:
        return (tour_of, (self.board, self.order))

    def __repr__(self) -> str:
        kind = "closed" if self.is_closed else "open"
        return f"<{kind} Tour of {title_of(self.board)}, {self._ends()}>"

    def _ends(self) -> str:
        return f"{self.board.square_name(self.start)} to {self.board.square_name(self.end)}"

    def __str__(self) -> str:
        """The numbered diagram, of cells by layers; for a graph the nodes in order."""
        cells = self.board
        if isinstance(cells, CellBoard):
            if not is_compact(cells):
                return " ".join(map(square_names(cells).__getitem__, self.order.tolist()))
            return "\n".join(in_layers(cells, list(map(str, self.numbers[0].tolist()))))
        if isinstance(self.board, GraphBoard):
            return " ".join(str(label) for label in self.labels)
        numbers = self.numbers
        width = len(str(len(self)))
        return "\n".join(" ".join((str(x) if x else ".").rjust(width) for x in line) for line in numbers.tolist())

    def to_text(self, format: str = "grid") -> str:
        """Return the tour as text in a format of FORMATS, such as "grid", "algebraic", "json" or "link".

        Raises:
            FormatError: If the format is unknown, or cannot hold the tour.

        >>> print(Tour((1, 1), ["a1"]).to_text("algebraic"), end="")
        a1
        """
        return as_text(self, format)

    def save(self, path: str | os.PathLike[str], **look: Any) -> None:
        """Write the tour to a file, which replaces an existing one.

        The suffix selects the format: .svg, .png, .pdf, .gif, .html for a picture, .txt, .npy, .json, ... for a tour.

        Args:
            **look: Keywords of `draw` for a picture, such as style="curve"; for a PDF also font=, as in `Picture.save`.

        Raises:
            FormatError: If the suffix is unknown.
            OSError: If the file cannot be written.
        """
        save_tour(self, path, **look)

    def _repr_svg_(self) -> str | None:
        """Return None for graphs and large boards, which notebooks show as text."""
        return picture_of(self)

    def _repr_mimebundle_(self, **options: object) -> dict[str, Any]:
        """Return the page if anywidget is installed."""
        return playable(self)


def tour_of(board: Board, order: Sequence[int] | np.ndarray) -> Tour:
    """Return the tour with these square numbers in order of visit.

    A read-only array of the right type is kept, and must not be changed by the caller later.

    Raises:
        InvalidTour: If they are not a tour.
    """
    try:
        array = np.asarray(order)
    except ValueError:  # lists of different lengths
        array = np.empty((0, 0))
    if array.ndim != 1 or (array.size and array.dtype.kind not in "iu"):
        raise InvalidTour("an order is a list of square numbers, row * cols + col each")
    if array.size == 0:
        return Tour(board, array.reshape(0, 2))
    kept = checked_order(board, array)
    tour = object.__new__(Tour)
    is_shared = kept is array and (array.flags.writeable or not array.flags.c_contiguous)
    tour._keep(board, array.copy() if is_shared else kept)
    return tour


def _is_order(array: object) -> bool:
    """Whether a value is one list of numbers, and not rows of them."""
    if isinstance(array, np.ndarray):
        return array.ndim == 1
    return isinstance(array, Sequence) and not any(hasattr(each, "__len__") for each in array)


def _tour_of_diagram(numbers: object, given: Board | None) -> Tour:
    """Return the tour of a numbered diagram."""
    grid = numbers_in(numbers)
    if grid is None or grid.ndim != 2 or grid.size == 0:
        if isinstance(numbers, list | tuple) and len({len(row) for row in numbers if hasattr(row, "__len__")}) > 1:
            raise InvalidTour("the lines of the diagram differ in length")
        raise InvalidTour("a diagram is a rectangle of whole numbers")
    if given is not None and grid.shape != (given.rows, given.cols):
        raise InvalidTour(f"the diagram is {grid.shape[0]}x{grid.shape[1]}, the board {given.rows}x{given.cols}")
    found = numbering(grid, given)
    board = given or board_of_numbers(grid.shape, found.holes)
    try:
        return tour_of(board, order_of_numbers(found, board.rows, board.cols))
    except InvalidTour as fault:
        if given is None and not fault.help:
            fault.help = hole_or_first(found, grid.shape)
        raise


def counts_as_closed(tour: Tour, closed: bool | None) -> bool:
    """Return whether a tour counts as closed, by `closed` or, if None, by itself.

    Raises:
        ProblemError: If an open tour should be closed.
    """
    is_closed = tour.is_closed if closed is None else flag(closed, "closed")
    if is_closed and not tour.is_closed:
        raise ProblemError("this tour is open", help="use a closed tour, or omit closed=True")
    return is_closed


def walks_of(order: np.ndarray, is_closed: bool) -> list[np.ndarray]:
    """The ways to write a tour that can be its first in lexicographic order.

    These are both directions; a closed tour starts at its least square.
    """
    if not is_closed:
        return [order, order[::-1]]
    least = int(np.argmin(order))
    forward = np.roll(order, -least)
    return [forward, np.roll(forward[::-1], 1)]


def _comes_before(a: np.ndarray, b: np.ndarray) -> bool:
    differ = np.flatnonzero(a != b)
    return len(differ) > 0 and bool(a[differ[0]] < b[differ[0]])
