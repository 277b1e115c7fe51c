"""Boards with rows and columns: a piece on squares, with holes and sides that may be joined."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Hashable, Iterable
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from knightstour.core.model.board import Board, Square, move_graph, square_count
from knightstour.core.model.board_words import WRAPS, BoardParts, Wrap, agreed_value, board_word, read_board_word
from knightstour.core.model.errors import BoardError, with_notes
from knightstour.core.model.graphs import networkx_module
from knightstour.core.model.names import MAX_SIDE, size_of, square_name, square_on
from knightstour.core.model.pieces import KNIGHT, Moves, Piece, checked_leaper
from knightstour.core.model.validation import as_list, is_whole, one_of, quoted, whole_number, wrong_type

if TYPE_CHECKING:
    import networkx


class GridBoard(Board):
    """Board of `rows` x `cols` squares, without the `holes`, with opposite sides joined by `wrap`.

    Two squares are joined at most once and none to itself, so small wrapped boards have fewer moves.

    Args:
        rows, cols: Size, as for `Board`.
        holes: Missing squares, as `(row, col)` or names.
        wrap: None, "cylinder" ((r, c + cols) is (r, c)), "torus" (rows wrap too), "mobius" ((r, c + cols) is (rows - 1
            - r, c)) or "klein" (as mobius, and rows wrap).
        moves: The piece: its name, as "king" or "knight+camel", its numbers, as (2, 3), or some of these in a list.
        leaper: A piece of one leap, (1, 2) for the knight: a move goes a squares in one direction and b in the other.

    >>> len(GridBoard(4, 4, holes=["a1", (0, 3)]))
    14
    >>> GridBoard(10, 10, leaper=(2, 3), wrap="torus")
    Board(10, 10, wrap='torus', leaper=(2, 3))
    """

    __slots__ = ("piece", "wrap")

    wrap: Wrap | None
    piece: Piece

    def __new__(
        cls,
        rows: int | tuple[int, int] | str,
        cols: int | None = None,
        *,
        holes: Iterable[Square | str] = (),
        wrap: str | None = None,
        moves: Moves | None = None,
        leaper: tuple[int, int] | None = None,
    ) -> Self:
        parts = BoardParts()
        if isinstance(rows, str) and cols is None:
            (rows, cols), parts = read_board_word(rows)
        elif cols is None:
            rows, cols = size_of(rows)
        for name, value in (("rows", rows), ("cols", cols)):
            if type(value) is not int and not is_whole(value):
                raise wrong_type(name, "a whole number", value)
            if whole_number(value, name, most=MAX_SIDE, error=BoardError) < 1:
                help = "rows and columns are at least 1"
                raise BoardError(f"a board of {quoted(rows)} rows and {quoted(cols)} columns has no square", help=help)
        beside = None if leaper is None else Piece((checked_leaper(leaper),))
        beside = agreed_value("leaper", None if moves is None else Piece.of(moves), beside)
        named = None if wrap is None else one_of(wrap, WRAPS, "wrap", error=BoardError)
        board = object.__new__(cls)
        board._fill(
            rows=int(rows),  # type: ignore[arg-type]
            cols=int(cols),
            holes=frozenset(),
            wrap=agreed_value("wrap", parts.wrap, named),
            piece=agreed_value("moves", parts.piece, beside) or KNIGHT,
            read_as=(),
        )
        if not isinstance(holes, tuple) or holes or parts.holes:
            squares = as_list(holes, "holes", help="pass squares, such as ['a1', (0, 0)]")
            board._fill(holes=frozenset(board.square(hole) for hole in (*parts.holes, *squares)))
        if board.rows * board.cols == len(board.holes):
            raise BoardError("the board has no free square: every one is a hole")
        return board

    def _key(self) -> tuple[Any, ...]:
        return self.rows, self.cols, self.holes, self.wrap, self.piece

    @property
    def _move_name(self) -> str:
        return self.piece.its_move

    @property
    def _title(self) -> str:
        words = [f"{self.rows}x{self.cols}", self.wrap or "board"]
        if self.holes:
            words.append(f"with {len(self.holes)} hole{'s' if len(self.holes) > 1 else ''}")
        if not self.piece.is_knight:
            words.append(f"for the {self.piece.title}")
        return " ".join(words)

    @property
    def _word(self) -> str:
        return board_word(self.rows, self.cols, self.piece, self.wrap, self.holes)

    def __repr__(self) -> str:
        parts = [str(self.rows), str(self.cols)]
        if self.holes:
            parts.append(f"holes={sorted(self.holes)}")
        if self.wrap:
            parts.append(f"wrap={self.wrap!r}")
        leaper = self.piece.leaper
        if leaper is None:
            parts.append(f"moves={self.piece.word!r}")
        elif not self.piece.is_knight:
            parts.append(f"leaper={leaper}")
        return f"Board({', '.join(parts)})"

    def replace(
        self,
        *,
        rows: int | None = None,
        cols: int | None = None,
        holes: Iterable[Square | str] | None = None,
        wrap: str | None = "same",
        moves: Moves | None = None,
    ) -> GridBoard:
        """Return the board with other rows, columns, holes, joined sides or moves; the rest stays.

        Args:
            rows, cols, holes, moves: As for `Board`; None: unchanged. `holes=()` is the board without holes.
            wrap: As for `Board`, so None joins no sides; "same": unchanged.

        >>> str(Board(6, moves="king", holes=["a1"]).replace(rows=4, holes=["b2"]))
        '4x6:king:-b2'
        """
        return GridBoard(
            self.rows if rows is None else rows,
            self.cols if cols is None else cols,
            holes=self.holes if holes is None else holes,
            wrap=self.wrap if wrap == "same" else wrap,
            moves=self.piece if moves is None else moves,
        )

    def _list_squares(self) -> tuple[Square, ...]:
        places = itertools.product(range(self.rows), range(self.cols))
        return tuple(place for place in places if place not in self.holes)

    def neighbors(self, square: Square | str | Hashable) -> tuple[Square, ...]:
        here = self.square(square)
        reached = dict.fromkeys(self.landing_of(here, move) for move in self.piece.vectors)
        return tuple(there for there in reached if there is not None and there != here and there not in self.holes)

    def square(self, square: Square | str | Hashable) -> Square:
        found = square_on(square, self.rows, self.cols)
        if found in self.holes:
            raise BoardError(f"square {square if isinstance(square, str) else found} is a hole of the board")
        return found

    def _square_at(self, number: int) -> Square:
        return divmod(number, self.cols)

    def square_name(self, square: Square) -> str:
        try:
            row, col = map(operator.index, square)
        except (TypeError, ValueError):
            help = "pass (row, col), counted from 0 at the top left"
            raise with_notes(TypeError(f"not a square: {quoted(square)}"), help=help) from None
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise BoardError(f"square {(row, col)} is not on the board")
        return square_name((row, col), self.rows)

    def _names(self) -> list[str]:
        columns = [square_name((0, col), 1)[:-1] for col in range(self.cols)]
        return [column + row for row in map(str, range(self.rows, 0, -1)) for column in columns]

    def landing(self, rows: np.ndarray, cols: np.ndarray, dr: int, dc: int) -> np.ndarray:
        """Square number reached from each (row, col) by one move, -1 off the board; holes are not looked at.

        >>> GridBoard(4, 5).landing(np.arange(4), np.array([0]), 1, 2).tolist()
        [7, 12, 17, -1]
        """
        # A leap may be longer than the board, and than 64 bits: whole rounds are left out first.
        rows_wrap = self.wrap in ("torus", "klein")
        if (abs(dr) >= self.rows and not rows_wrap) or (abs(dc) >= self.cols and self.wrap is None):
            return np.full(np.broadcast(rows, cols).shape, -1)
        r = (rows + dr % self.rows) % self.rows if rows_wrap else rows + dr
        if self.wrap is None:
            c = cols + dc
            inside = (r >= 0) & (r < self.rows) & (c >= 0) & (c < self.cols)
            return np.where(inside, r * self.cols + c, -1)
        # Two laps always lead back to the same row, one lap may not.
        laps, c = np.divmod(cols + dc % (2 * self.cols), self.cols)
        inside = (r >= 0) & (r < self.rows)
        if self.wrap in ("mobius", "klein"):
            r = np.where(laps % 2 != 0, self.rows - 1 - r, r)
        return np.where(inside, r * self.cols + c, -1)

    def landing_of(self, square: Square, move: Square) -> Square | None:
        """The square that one leap leads to, None off the board; holes are not looked at. As `landing`, at any size.

        >>> Board(4, 5).landing_of((0, 0), (-1, 2)), Board(4, 5, wrap="torus").landing_of((0, 0), (-1, 2))
        (None, (3, 2))
        """
        laps, col = divmod(square[1] + move[1], self.cols)
        row = square[0] + move[0]
        if laps and self.wrap is None:
            return None
        if self.wrap in ("torus", "klein"):
            row %= self.rows
        elif not 0 <= row < self.rows:
            return None
        if laps % 2 and self.wrap in ("mobius", "klein"):
            row = self.rows - 1 - row
        return row, col

    def _are_moves(self, before: np.ndarray, after: np.ndarray) -> np.ndarray:
        r0, c0 = np.divmod(before, self.cols)
        r1, c1 = np.divmod(after, self.cols)
        if self.wrap is None:
            dr, dc = np.abs(r1 - r0), np.abs(c1 - c0)
            short, long = np.minimum(dr, dc), np.maximum(dr, dc)
            return np.logical_or.reduce([(short == a) & (long == b) for a, b in self.piece.leaps])
        joined = np.zeros(np.shape(before), dtype=bool)
        flips = self.wrap in ("mobius", "klein")
        for up, across in (way for a, b in self.piece.leaps for way in ((a, b), (b, a))):
            for dc in (across, -across):
                # A lap is one crossing of the side border: the columns determine their number, if it is an integer.
                laps, rest = np.divmod(c0 - c1 + dc % (2 * self.cols), self.cols)
                image = np.where(flips & (laps % 2 != 0), self.rows - 1 - r1, r1)
                if self.wrap in ("torus", "klein"):
                    dr = up % self.rows
                    rows_fit = ((image - r0 - dr) % self.rows == 0) | ((image - r0 + dr) % self.rows == 0)
                else:
                    rows_fit = np.abs(image - r0) == up
                joined |= rows_fit & (rest == 0)
        return joined & (before != after)

    def _move_lists(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        from knightstour.core.model.move_lists import flat_moves, wrapped_moves

        is_square = np.ones(self.rows * self.cols, dtype=bool)
        if self.holes:
            holes = np.array(sorted(self.holes), dtype=np.int64)
            is_square[holes[:, 0] * self.cols + holes[:, 1]] = False
        offsets, targets = flat_moves(self, is_square) if self.wrap is None else wrapped_moves(self, is_square)
        return offsets, targets, is_square

    def _most_moves(self) -> int:
        count = square_count(self)
        return count * min(len(self.piece.vectors), count - 1)

    def to_text(self) -> str:
        """The drawing that `from_text` reads.

        >>> print(GridBoard(2, 3, holes=[(0, 1)]).to_text())
        .#.
        ...
        """
        lines = ("".join("#" if (r, c) in self.holes else "." for c in range(self.cols)) for r in range(self.rows))
        return "\n".join(lines)

    def to_networkx(self) -> networkx.Graph:
        graph, moves = networkx_module().Graph(), move_graph(self)
        graph.add_nodes_from(map(self._square_at, moves.squares.tolist()))
        graph.add_edges_from((self._square_at(a), self._square_at(b)) for a, b in moves.edges().tolist())
        return graph


def is_rectangle(board: Board) -> bool:
    """Whether this is a plain knight's rectangle: no holes, no wrap, no other piece, no graph."""
    return isinstance(board, GridBoard) and not board.holes and board.wrap is None and board.piece.is_knight


def is_knights(board: Board) -> bool:
    """Whether the moves are a knight's, on a board with rows and columns."""
    return isinstance(board, GridBoard) and board.piece.is_knight
