"""A problem in plain Python, as in certificates: a board with its moves, and the conditions on a tour.

A square is the number row * cols + col; on a graph or a board of cells it is the index of the node or cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from knightstour.lab.certificates import record
from knightstour.lab.certificates.cells import Cells, cells_of
from knightstour.lab.certificates.record import Unreadable

_WRAPS = (None, "cylinder", "torus", "mobius", "klein")
_MAX_SIDE = 10**9

# A move: its squares, the lower first.
Move = tuple[int, int]

# Maximum number of required or forbidden moves in a certificate, and of given squares.
_MAX_ASKED = 1_000_000


# Conditions except the ends. The checkers share no code with the rest of the package, so the names are repeated here.
CONDITIONS = ("require", "forbid", "given", "symmetry", "visit_order")


@dataclass(frozen=True, slots=True)
class Question:
    """A board, and the conditions on a tour.

    near: the neighbours on a graph or board of cells, else None. require, forbid: required and forbidden moves, the
    lower square first. given: the allowed numbers, from 1, of some squares. symmetry: its name, see images.py.
    visit_order: squares that an open tour visits in this order. cells: of a board of cells, else None. leaves: whether
    the tour may skip squares.
    """

    rows: int
    cols: int
    holes: frozenset[int]
    wrap: str | None
    leaps: tuple[tuple[int, ...], ...]
    near: tuple[frozenset[int], ...] | None
    closed: bool
    start: int | None
    end: int | None
    require: frozenset[Move] = frozenset()
    forbid: frozenset[Move] = frozenset()
    given: Mapping[int, frozenset[int]] = field(default_factory=dict)
    symmetry: str | None = None
    visit_order: tuple[int, ...] = ()
    cells: Cells | None = None
    leaves: bool = False

    @property
    def count(self) -> int:
        """Number of squares of the board."""
        return self.rows * self.cols - len(self.holes)

    def is_square(self, square: int) -> bool:
        """Whether the board has this square."""
        return 0 <= square < self.rows * self.cols and square not in self.holes

    def reached_from(self, square: int) -> Iterator[int]:
        """Yield the squares one move away; duplicates are possible."""
        if self.near is not None:
            yield from self.near[square]
            return
        row, col = divmod(square, self.cols)
        for dr, dc in (way for a, b in self.leaps for way in ((a, b), (b, a))):
            for r in (row - dr, row + dr):
                for c in (col - dc, col + dc):
                    there = self._at(r, c)
                    if there is not None and there != square and there not in self.holes:
                        yield there

    def _at(self, r: int, c: int) -> int | None:
        """Return the square at a position, also beyond a joined side."""
        if self.wrap is not None:
            laps, c = divmod(c, self.cols)
            if self.wrap in ("mobius", "klein") and laps % 2:
                r = self.rows - 1 - r
            if self.wrap in ("torus", "klein"):
                r %= self.rows
        inside = 0 <= r < self.rows and 0 <= c < self.cols
        return r * self.cols + c if inside else None


def question_of(certificate: Mapping[str, object]) -> Question:
    """Return the problem of a certificate; raise Unreadable if it is invalid."""
    board = record.part(certificate, "board")
    rows, cols = (record.number(board, key, _MAX_SIDE) for key in ("rows", "cols"))
    size = rows * cols
    wrap = None if board.get("wrap") is None else record.text(board, "wrap")
    if wrap not in _WRAPS:
        raise Unreadable('"wrap" must be cylinder, torus, mobius or klein')
    cells = cells_of(board)
    near = None if board.get("graph") is None else _near_of(record.part(board, "graph"), rows, cols)
    near = near if cells is None else cells.near()
    pairs = record.items(board, "holes") if "holes" in board else []
    holes = [record.numbers(pair, '"holes"', most=_MAX_SIDE) for pair in pairs]
    if any(len(pair) != 2 or pair[0] >= rows or pair[1] >= cols for pair in holes) or (holes and near is not None):
        raise Unreadable('"holes" must be pairs [row, col] of the board')
    pairs = record.items(board, "leaps") if "leaps" in board else [board.get("leaper", [1, 2])]
    leaps = [record.numbers(pair, '"leaper"', most=_MAX_SIDE) for pair in pairs]
    # A box has one row, and `cells_of` has checked its leaps.
    if not leaps or any(not any(leap) or (cells is None and len(leap) != 2) for leap in leaps):
        raise Unreadable('"leaper" must be two integers')
    question = Question(
        rows,
        cols,
        frozenset(r * cols + c for r, c in holes),
        wrap,
        tuple(sorted({tuple(sorted(leap)) for leap in leaps})),
        near,
        record.flag(certificate, "closed"),
        record.optional_number(certificate, "start", size - 1),
        record.optional_number(certificate, "end", size - 1),
        cells=cells,
    )
    if question.count == 0:
        raise Unreadable("the board has no squares")
    ends = [square for square in (question.start, question.end) if square is not None]
    if any(not question.is_square(square) for square in ends):
        raise Unreadable("the start and the end must be squares of the board")
    if (question.closed and question.end is not None) or (len(set(ends)) < len(ends) and question.count > 1):
        raise Unreadable("a closed tour has no end, and the ends of an open tour must differ")
    return _with_conditions(question, certificate)


def _with_conditions(question: Question, certificate: Mapping[str, object]) -> Question:
    require, forbid = (moves_of(question, certificate, key) for key in ("require", "forbid"))
    if require & forbid:
        raise Unreadable("a move is both required and forbidden")
    symmetry = certificate.get("symmetry")
    if symmetry is not None and not isinstance(symmetry, str):
        raise Unreadable('"symmetry" must be a text')
    given = _given_of(question, certificate)
    order = _order_of(question, certificate)
    if symmetry is not None and (given or order):
        raise Unreadable("a symmetry cannot be combined with given numbers or an order of squares")
    leaves = certificate.get("partial", False)
    if not isinstance(leaves, bool):
        raise Unreadable('"partial" must be true or false')
    if leaves and (require or given or order or symmetry is not None):
        raise Unreadable("a tour that may skip squares supports no conditions except forbidden moves")
    question = replace(question, require=require, forbid=forbid, given=given, symmetry=symmetry, visit_order=order)
    return replace(question, leaves=leaves)


def _order_of(question: Question, certificate: Mapping[str, object]) -> tuple[int, ...]:
    if "visit_order" not in certificate:
        return ()
    order = record.numbers(record.items(certificate, "visit_order", _MAX_ASKED), '"visit_order"')
    if question.closed or len(set(order)) < len(order) or not all(map(question.is_square, order)):
        raise Unreadable('"visit_order" must be squares of the board, each once, for an open tour')
    return tuple(order)


def moves_of(question: Question, certificate: Mapping[str, object], key: str) -> frozenset[Move]:
    """Return the moves in a list, such as the required moves."""
    found: set[Move] = set()
    for pair in record.items(certificate, key, _MAX_ASKED) if key in certificate else ():
        ends = record.numbers(pair, f'"{key}"')
        if len(ends) != 2 or not all(map(question.is_square, ends)) or ends[1] not in question.reached_from(ends[0]):
            raise Unreadable(f'"{key}" must be pairs of squares one move apart')
        found.add((min(ends), max(ends)))
    return frozenset(found)


def _given_of(question: Question, certificate: Mapping[str, object]) -> Mapping[int, frozenset[int]]:
    found: dict[int, frozenset[int]] = {}
    for pair in record.items(certificate, "given", _MAX_ASKED) if "given" in certificate else ():
        if not isinstance(pair, list) or len(pair) != 2:
            raise Unreadable('"given" must be pairs of a square and its steps')
        (square,) = record.numbers(pair[:1], '"given"')
        steps = record.numbers(pair[1], '"given"', least=1, most=question.count)
        if not question.is_square(square) or square in found:
            raise Unreadable('"given" must be squares of the board, each once')
        found[square] = frozenset(steps)
    return found


def _near_of(graph: Mapping[str, object], rows: int, cols: int) -> tuple[frozenset[int], ...]:
    if rows != 1 or len(record.items(graph, "nodes")) != cols:
        raise Unreadable("the board of a graph has one row, and one column per node")
    near: list[set[int]] = [set() for _ in range(cols)]
    for pair in record.items(graph, "edges"):
        ends = record.numbers(pair, '"edges"', most=cols - 1)
        if len(ends) != 2 or ends[0] == ends[1]:
            raise Unreadable('"edges" must be pairs of distinct nodes')
        near[ends[0]].add(ends[1])
        near[ends[1]].add(ends[0])
    return tuple(map(frozenset, near))
