"""A View of a search as lines of a terminal: the board and the counters.

A square shows its number in the path, or the number of its loop; squares that may come next show their degree. A board
too wide for that has one sign a square. A board too large even for that is shown in a window that follows the knight,
and a note says so. The colours are the terminal's own basic ones, so they suit dark and light terminals.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.model.board import Board
from knightstour.core.model.names import square_name
from knightstour.core.model.trace import COUNTERS, View

if TYPE_CHECKING:
    from rich.text import Text

KNIGHT, ASCII_KNIGHT = "♞", "N"
FREE, ASCII_FREE = "·", "."
_VISITED, _ASCII_VISITED = "•", "o"
_KNIGHT_STYLE = "bold reverse"
_BEST_STYLE, _CANDIDATE_STYLE = "bold green", "green"
_LOOP_COLOURS = ("cyan", "magenta", "yellow", "blue", "green", "red")
_LOOP_SIGNS = "123456789abcdefghijklmnopqrstuvwxyz"
# The knight moves the window when it comes this near to the window's border.
_MARGIN = 2
# Columns of the narrowest cell that shows numbers and degrees: "(2)" and a space.
_NARROWEST_NUMBERS = 4

# Shown from the beginning for searches that grow a path.
_ALWAYS = ("moves", "taken_back", "dead_ends")


class Cell(NamedTuple):
    """What is shown in a square, in wide and in narrow cells, and how."""

    text: str
    sign: str
    style: str


class BoardPane:
    """Draws views of one board; it remembers the window and the numbers of the loops, so that they stay."""

    def __init__(self, board: Board, *, is_ascii: bool = False) -> None:
        self.board = board
        self.is_ascii = is_ascii
        self._top = self._left = 0
        self._number_of_loop: dict[int, int] = {}
        self._cell_width = max(_NARROWEST_NUMBERS, len(str(board.square_count)) + 1)
        self._label_width = 0 if board.labels is not None else len(str(board.rows)) + 1

    def width(self) -> int:
        """Columns that the board takes with numbers in its squares."""
        return self._label_width + self._cell_width * self.board.cols

    def draw(self, view: View, width: int, height: int) -> tuple[Text, str]:
        """The board in at most these columns and lines, and a note on what is left out, or ""."""
        from rich.text import Text

        board = self.board
        labels = self._label_width
        cell = next((w for w in (self._cell_width, 2, 1) if labels + w * board.cols <= width), 1)
        if cell == 1:
            labels = 0
        has_names = cell > 1 and labels > 0
        rows = max(1, min(board.rows, height - has_names))
        cols = max(1, min(board.cols, (width - labels) // cell))
        self._follow(view, rows, cols)
        cells = self._cells(view)
        hole, sign = Cell("", " ", ""), ASCII_FREE if self.is_ascii else FREE
        free = Cell(sign, sign, "dim")
        text = Text(no_wrap=True, overflow="crop")
        for row in range(self._top, self._top + rows):
            if labels:
                text.append(f"{board.rows - row:>{labels - 1}} ", "dim")
            for col in range(self._left, self._left + cols):
                shown = cells.get(row * board.cols + col) or (hole if (row, col) in board.holes else free)
                body = shown.text if cell > 2 else shown.sign
                text.append(" " * (cell - len(body))).append(body, shown.style)
            text.append("\n")
        if has_names:
            names = (square_name((0, col), 1)[:-1] for col in range(self._left, self._left + cols))
            text.append(" " * labels + "".join(name[: cell - 1].rjust(cell) for name in names), "dim")
        text.rstrip()
        return text, self._note(rows, cols, cell)

    def _note(self, rows: int, cols: int, cell: int) -> str:
        board = self.board
        parts = []
        if rows < board.rows:
            # Rows are named from the bottom, as squares are.
            low = board.rows - self._top - rows
            parts.append(f"rows {low + 1}-{low + rows} of {board.rows}")
        if cols < board.cols:
            parts.append(f"columns {self._left + 1}-{self._left + cols} of {board.cols}")
        if parts:
            return "only " + ", ".join(parts)
        return "" if cell > 2 else f"numbers need {self.width()} columns"

    def _follow(self, view: View, rows: int, cols: int) -> None:
        """Move the window if the knight would leave it; without a knight it stays at the top left."""
        row, col = divmod(view.path[-1], self.board.cols) if view.path else (self._top, self._left)
        self._top = _moved(self._top, rows, self.board.rows, row)
        self._left = _moved(self._left, cols, self.board.cols, col)

    def _cells(self, view: View) -> dict[int, Cell]:
        """What is shown in the squares that are not just free."""
        if view.links:
            return self._loop_cells(view)
        visited = _ASCII_VISITED if self.is_ascii else _VISITED
        cells = {square: Cell(str(number), visited, "") for number, square in enumerate(view.path, 1)}
        if view.path:
            knight = ASCII_KNIGHT if self.is_ascii else KNIGHT
            cells[view.path[0]] = cells[view.path[0]]._replace(style="bold underline")
            cells[view.path[-1]] = Cell(knight, knight, _KNIGHT_STYLE)
        fewest = min(view.candidates.values(), default=0)
        for square, degree in view.candidates.items():
            style = _BEST_STYLE if degree == fewest else _CANDIDATE_STYLE
            cells[square] = Cell(f"({degree})", str(degree) if degree < 10 else "+", style)
        return cells

    def _loop_cells(self, view: View) -> dict[int, Cell]:
        """Each square with the number of its loop; a loop keeps the number that its lowest square got first."""
        cells: dict[int, Cell] = {}
        for part in view.components:
            number = self._number_of_loop.setdefault(min(part), len(self._number_of_loop) + 1)
            colour = _LOOP_COLOURS[number % len(_LOOP_COLOURS)]
            sign = _LOOP_SIGNS[(number - 1) % len(_LOOP_SIGNS)]
            cells.update((square, Cell(str(number), sign, colour)) for square in part)
        return cells


def _moved(low: int, size: int, whole: int, place: int) -> int:
    """Where a window of this size begins after it has moved, if necessary, to hold the place."""
    if size >= whole:
        return 0
    if not low + _MARGIN <= place < low + size - _MARGIN:
        low = place - size // 2
    return max(0, min(low, whole - size))


def counters_of(view: View, nodes: int, rate: float) -> list[tuple[str, str]]:
    """What was counted, as (name, number) for people; first how far the search has come."""
    figures = []
    if view.links:
        figures.append(("components", f"{len(view.components):,}"))
    else:
        figures.append(("squares", f"{len(view.path):,} of {view.board.square_count:,}"))
    shown = _ALWAYS if view.counters["moves"] else ()
    known = {key: row.name for key, row in COUNTERS.items() if key != "nodes"}
    figures += [(name, f"{view.counters[key]:,}") for key, name in known.items() if view.counters[key] or key in shown]
    others = {name: total for name, total in view.counters.items() if name not in COUNTERS}
    figures += [(name.replace("_", " "), f"{total:,}") for name, total in others.items()]
    return [*figures, ("nodes", f"{nodes:,}"), ("nodes/s", f"{rate:,.0f}")]
