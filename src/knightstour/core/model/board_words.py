"""A board as one word: its size and then, after colons, the piece, the joined sides and the holes.

    8x8   10x10:2,3   8x8:king   8x8:knight+camel   8x8:torus   13x24:3,4:klein   8x8:-a1,h8   8
    4x4x4   4x4x4:king:-a1.1,d4.4   4x4x4:0,0,1+0,1,1   hex:6:king   tri:8

The parts may come in any order, each once. The same text is typed on the command line and in Python, is the first field
of a link, and is `str(board)`. A word is cheap to read at any size: squares are not listed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeAlias, TypeVar

from knightstour.core.model.cells import SHAPES, Cells, box, word_of
from knightstour.core.model.errors import BoardError
from knightstour.core.model.names import parse_size, square_name
from knightstour.core.model.pieces import PIECES, Moves, Piece, checked_leaper, help_for_piece, is_piece_word, is_rider
from knightstour.core.model.validation import did_you_mean, listed, quoted

if TYPE_CHECKING:
    from knightstour.core.model.board import Board

Wrap: TypeAlias = Literal["cylinder", "torus", "mobius", "klein"]
_Said = TypeVar("_Said")
WRAPS: tuple[Wrap, ...] = ("cylinder", "torus", "mobius", "klein")

_SQUARE: Final = re.compile(r"\s*([A-Za-z]+\d+(?:\.\d+)*|\(?-?\d+\s*,\s*-?\d+\)?)\s*([,;\s]|$)")
# The coordinates of a cell of a box: those of several cells are separated by brackets, semicolons or spaces.
_CELL: Final = re.compile(r"\s*([A-Za-z]+\d+(?:\.\d+)*|\([^()]*\)|-?\d+(?:\s*,\s*-?\d+)*)\s*([,;\s]|$)")
_BOX: Final = re.compile(r"\d{1,9}(?:\s*[xX×]\s*\d{1,9}){2,}")
_NEARLY: Final = re.compile(r"(hex|tri)[a-z]*\s*[-:]?\s*(\d*)|\d+(?:x\d+)+x|x\d+(?:x\d+)+", re.IGNORECASE)
PARTS_HELP: Final = "after the size come a piece (king, 2,3 or knight+camel), joined sides (torus), holes (-a1,h8)"


class BoardParts(NamedTuple):
    """What the parts after the size say: None or no holes where they say nothing. Holes are still words."""

    piece: Piece | None = None
    wrap: Wrap | None = None
    holes: tuple[str, ...] = ()


def read_board_word(text: str) -> tuple[tuple[int, int], BoardParts]:
    """(rows, cols) and the parts of a board's word; a BoardError that says which part is none.

    >>> read_board_word("8x12:torus:2,3")
    ((8, 12), BoardParts(piece=Piece(leaps=((2, 3),)), wrap='torus', holes=()))
    """
    size, *parts = text.split(":")
    return parse_size(size, text), read_parts(parts)


def cells_of_word(word: str) -> tuple[Cells, BoardParts] | None:
    """Return the cells of "4x4x4", "hex:6" or "tri:8" for the usual piece, and the parts of the word after the size.

    The result is None for words of other boards. Raises BoardError if a part is invalid or the word nearly a board.

    >>> cells, parts = cells_of_word("hex:3:king:-a3")
    >>> len(cells.cells), parts.piece.name, parts.holes, cells_of_word("8x8")
    (19, 'king', ('a3',), None)
    """
    size, *parts = (part.strip() for part in word.split(":"))
    if _BOX.fullmatch(size):
        sides = [int(side) for side in re.findall(r"\d+", size)]
        held, lattice, piece = box(*sides), "box", "knight"
    elif size.lower() in SHAPES and parts and parts[0].isdecimal():
        make, lattice, piece = SHAPES[size.lower()]
        held, parts = make(int(parts[0])), parts[1:]
    elif (near := _NEARLY.fullmatch(size)) and (near[1] is None or parts == [] or not parts[0].isdecimal()):
        meant = "4x4x4" if near[1] is None else f"{near[1].lower()}:{near[2] or 6}"
        raise BoardError(f"not a board: {quoted(word)}", help=f"write boxes as 4x4x4, hexagons as hex:6; here {meant}?")
    else:
        return None
    if sliding := [part for part in parts if is_rider(part)]:
        piece = sliding[0].lower()
        raise BoardError(f"the {piece} is not supported on cells, since it slides", help=help_for_piece(piece))
    return Cells.of(held, piece, lattice), read_parts(parts, len(held[0]))


def read_parts(parts: Iterable[str], dimension: int = 2) -> BoardParts:
    """What these parts of a word say of the board; a BoardError where one says nothing, or two the same.

    dimension: the number of axes of the board, more than 2 in a box.

    >>> read_parts(["zebra", "-a1,0,0"])
    BoardParts(piece=Piece(leaps=((2, 3),)), wrap=None, holes=('a1', '0,0'))
    """
    found: dict[str, object] = {}
    for part in parts:
        name, value = _meaning(part.strip(), dimension)
        if name in found:
            what = {"piece": "piece", "wrap": "joining of sides", "holes": "list of holes"}[name]
            raise BoardError(f"two parts of the board say the {what}", help=PARTS_HELP)
        found[name] = value
    return BoardParts(**found)  # type: ignore[arg-type]


def _meaning(part: str, dimension: int) -> tuple[str, object]:
    """The field of BoardParts that a part is about, and its value."""
    word = part.lower()
    if part.startswith("-"):
        return "holes", words_of_squares(part[1:], dimension)
    if word in WRAPS:
        return "wrap", word
    if is_piece_word(word):
        return "piece", Piece.of(word, dimension)
    names = [*WRAPS, *PIECES]
    help = help_for_piece(word)
    near = "" if help else did_you_mean(word, names)
    raise BoardError(f"{quoted(part)} says nothing about a board{near}", help=help or PARTS_HELP)


def said_once(name: str, in_word: _Said | None, beside: _Said | None) -> _Said | None:
    """What the word of a board or the argument beside it says; a BoardError where they say two things."""
    if in_word is not None and beside is not None and in_word != beside:
        raise BoardError(f"the board's word and {name}= say two things: {in_word} and {beside}", help="say it once")
    return beside if in_word is None else in_word


def cells_with(
    cells: Cells,
    parts: BoardParts,
    *,
    holes: Iterable[str | Iterable[int]],
    wrap: str | None,
    moves: Moves | None,
    leaper: tuple[int, int] | None,
) -> Cells:
    """Return the cells of a word with the piece and the holes in the word or beside it.

    >>> len(cells_with(*cells_of_word("2x2x2:-a1.1"), holes=["b1.1"], wrap=None, moves="king", leaper=None).cells)
    6
    """
    if parts.wrap or wrap:
        raise BoardError(f"the {cells.title} has no sides to join", help="torus, cylinder, mobius and klein need rows")
    beside = None if leaper is None else Piece.of(checked_leaper(leaper), cells.dimension)
    beside = said_once("leaper", None if moves is None else Piece.of(moves, cells.dimension), beside)
    if (piece := said_once("moves", parts.piece, beside)) is not None:
        cells = Cells.of(cells.cells, piece, cells.lattice)
    help = "give cells, such as ['a1.1', (0, 0, 1)]"
    gone = [*parts.holes, *listed(holes, "holes", error=BoardError, help=help)]
    return cells.without(gone) if gone else cells


def words_of_squares(text: str, dimension: int = 2) -> tuple[str, ...]:
    """The words for squares in a list such as "a1,b2" or "0,0;1,1"; a BoardError where it is none.

    >>> words_of_squares("a1,0,0 b2"), words_of_squares("a1.1,(0,0,1) 2,1,0", 3)
    (('a1', '0,0', 'b2'), ('a1.1', '0,0,1', '2,1,0'))
    """
    squares, at = list[str](), 0
    text = text.strip()
    while at < len(text):
        match = (_SQUARE if dimension == 2 else _CELL).match(text, at)
        if not match:
            help = "write names such as a1,b2 or pairs as in 0,0;1,1"
            if dimension > 2:
                help = f"write names such as a1{'.1' * (dimension - 2)}, or coordinates in brackets"
            raise BoardError(f"not a list of squares: {text[at : at + 40]!r}", help=help)
        squares.append(match[1].strip("()"))
        at = match.end()
        while at < len(text) and text[at] in ",; ":
            at += 1
    return tuple(squares)


def board_word(rows: int, cols: int, piece: Piece, wrap: str | None, holes: Collection[tuple[int, int]]) -> str:
    """The one word of a board that is no graph, which `read_board_word` reads; the knight is not said.

    Holes are in the order of their names: by column, and then from below.

    >>> board_word(4, 5, Piece(((2, 3),)), "torus", [(3, 0)])
    '4x5:2,3:torus:-a1'
    """
    parts = [f"{rows}x{cols}"]
    if not piece.is_knight:
        parts.append(piece.word)
    if wrap is not None:
        parts.append(wrap)
    if holes:
        by_name = sorted(holes, key=lambda hole: (hole[1], -hole[0]))
        parts.append("-" + ",".join(square_name(hole, rows) for hole in by_name))
    return ":".join(parts)


def board_title(board: Board) -> str:
    """A board as a sentence names it."""
    if board.cells is not None:
        return board.cells.title
    if board.graph is not None:
        return f"{'directed ' * board.is_directed}graph of {len(board.graph)} nodes"
    words = [f"{board.rows}x{board.cols}", board.wrap or "board"]
    if board.holes:
        words.append(f"with {len(board.holes)} hole{'s' * (len(board.holes) > 1)}")
    if not board.piece.is_knight:
        words.append(f"for the {board.piece.title}")
    return " ".join(words)


def read_as_record(board: Board) -> dict[str, list[str]]:
    """How a board was read as a field of JSON, `read_as`; nothing where there is nothing to say."""
    return {"read_as": list(board.read_as)} if board.read_as else {}


def board_repr(board: Board) -> str:
    """A board as Python writes it, but for graphs and cells without a word; for cells with what its squares are."""
    if board.cells is not None:
        word, count = word_of(board.cells), len(board.cells.cells)
        squares = f"  # {count} cells: squares (0, 0) to (0, {count - 1}), {board.cells.name(0)} to "
        made = f"Board({word!r})" if word else f"Board.of_cells(<{count} cells>)"
        return f"{made}{squares}{board.cells.name(count - 1)}"
    if board.graph is not None:
        return f"Board.from_{'di' * board.is_directed}graph(<{len(board.graph)} nodes>)"
    parts = [str(board.rows), str(board.cols)]
    if board.holes:
        parts.append(f"holes={sorted(board.holes)}")
    if board.wrap:
        parts.append(f"wrap={board.wrap!r}")
    if board.leaper is None:
        parts.append(f"moves={board.piece.word!r}")
    elif not board.piece.is_knight:
        parts.append(f"leaper={board.leaper}")
    return f"Board({', '.join(parts)})"
