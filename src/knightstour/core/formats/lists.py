"""Lists of squares in six notations: names, moves of a game, moves from square to square, pairs, X/Y lines, tables.

As for grids (text.py), blocks of lines are tours, and a line of several squares is a tour.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise

import numpy as np

from knightstour.core.formats.text import (
    Block,
    Growing,
    Reading,
    Titles,
    agreed_board,
    blocks_in,
    rectangle_around,
    strip_comments,
)
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board, square_names, title_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.names import column_of, square_name
from knightstour.core.model.tour import Tour

# ---------------------------------------------------------------- lists of squares


def write_squares(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield `row,col` for each square, counted from 0 at the top left; one line per tour."""
    rows = _without_cells(tours, "squares")
    return _write_names(rows, lambda board: [f"{r},{c}" for r in range(board.rows) for c in range(board.cols)])


def write_algebraic(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield names of squares, cells or nodes; one line per tour."""
    return _write_names(tours, names_of_squares)


def write_san(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield the moves of a game, `Na1 Nb3 Nc5`, beginning with the first square; one line per tour."""
    return _write_names(_without_graphs(tours, "san"), lambda board: ["N" + name for name in names_of_squares(board)])


def write_uci(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield moves from square to square, `a1b3 b3c5`, as for chess engines; one line per tour."""
    titles = Titles(shows_holes=False)
    for tour in _without_graphs(tours, "uci"):
        names = [square_name((r, c), tour.board.rows) for r, c in tour]
        # A tour of one square is its name.
        moves = [a + b for a, b in pairwise(names)] or [names[0], "\n"]
        yield titles.before(tour.board) + " ".join(moves) + "\n"


def _without_graphs(tours: Iterable[Tour], name: str) -> Iterator[Tour]:
    for tour in _without_cells(tours, name):
        if isinstance(tour.board, GraphBoard):
            raise FormatError(f"{name} does not support tours of graphs", help="use algebraic")
        yield tour


def _without_cells(tours: Iterable[Tour], name: str) -> Iterator[Tour]:
    for tour in tours:
        if isinstance(tour.board, CellBoard):
            what = f"{name} requires rows and columns; the {title_of(tour.board)} has cells"
            raise FormatError(what, help="use grid, algebraic or json")
        yield tour


def _write_names(tours: Iterable[Tour], names_of: Callable[[Board], list[str]]) -> Iterator[str]:
    titles = Titles(shows_holes=False)
    names: list[str] = []
    board: Board | None = None
    for tour in tours:
        if tour.board is not board and tour.board != board:
            board = tour.board
            names = names_of(board)
        # Consecutive lines of one square are one tour.
        end = "\n" if len(tour) > 1 else "\n\n"
        yield titles.before(tour.board) + " ".join([names[s] for s in tour.order.tolist()]) + end


def write_xy(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield `X: 1<tab>Y: 1` per square, X the column and Y the row, both from 1 at the top left."""
    titles = Titles(shows_holes=False)
    for tour in _without_cells(tours, "xy"):
        lines = [f"X: {c + 1}\tY: {r + 1}\n" for r, c in tour]
        yield titles.before(tour.board) + "".join(lines)


def read_squares(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Read the lists of `write_squares`, also with brackets and other spaces, or one square per line."""
    blocks = blocks_in(
        source, lambda text, _: _parse_pairs(text), per_square=2, tour_a_line=True, what="a square like 0,0 (row,col)"
    )
    return _readings(source, given_board, blocks, lambda pairs, rows: pairs)


def read_xy(source: Source, given_board: Board | None) -> Iterator[Reading]:
    blocks = blocks_in(
        source, lambda text, _: _parse_xy(text), per_square=2, tour_a_line=False, what="a square like 'X: 1 Y: 1'"
    )
    return _readings(source, given_board, blocks, lambda pairs, rows: pairs[:, ::-1] - 1)


def read_algebraic(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Read lists of names: one line per tour, or one name per line and an empty line between tours.

    With a given graph or board of cells, its names are supported.
    """
    known: dict[Board | None, _Names] = {}

    def parse(text: str, named: Board | None) -> list[int]:
        board = given_board or named
        is_graph = board is not None and isinstance(board, GraphBoard)
        if board not in known:
            nodes = names_of_squares(board) if is_graph and board else []
            known[board] = _Names({name: (k, 1) for k, name in enumerate(nodes)})
        is_quoted = is_graph and board is not None and not isinstance(board, CellBoard)
        if not is_quoted and ("," in text or "-" in text):
            text = re.sub(r"[,-]", " ", text)
        try:
            words = WORD_OR_QUOTED.findall(text) if is_quoted else text.split()
            return [x for word in words for x in known[board][word]]
        except KeyError as error:
            raise ValueError(error.args[0]) from None

    return _read_names(source, given_board, parse, "the name of a square, like a1")


def _read_names(
    source: Source, given_board: Board | None, parse: Callable[[str, Board | None], list[int]], noun: str
) -> Iterator[Reading]:
    """Read lists of names. parse: Returns (column, number) of each name in a line. noun: Expected words."""
    blocks = blocks_in(source, parse, per_square=2, tour_a_line=True, what=noun)
    return _readings(
        source,
        given_board,
        blocks,
        lambda pairs, rows: np.stack([rows - pairs[:, 1], pairs[:, 0]], axis=1),
        from_below=True,
    )


def read_san(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Read the lists of `write_san`, also with numbers of moves, as in `1. Na1 Nb3 2. Nc5`."""
    names = _Names({})

    def parse(text: str, _: Board | None) -> list[int]:
        words = re.sub(r"(?<!\S)\d{1,9}\.+", " ", text).split()
        wrong = next((word for word in words if not re.fullmatch("N[a-z]{1,12}[0-9]{1,18}", word)), None)
        if wrong is not None:
            raise ValueError(wrong)
        return [x for word in words for x in names[word[1:]]]

    return _read_names(source, given_board, parse, "a move such as Nb3")


def read_uci(source: Source, given_board: Board | None) -> Iterator[Reading]:
    names = _Names({})

    def parse(text: str, _: Board | None) -> list[int]:
        squares: list[int] = []
        for word in text.split():
            match = re.fullmatch("([a-z]{1,12}[0-9]{1,18})([a-z]{1,12}[0-9]{1,18})?", word)
            if not match or (squares and (not match[2] or names[match[1]] != tuple(squares[-2:]))):
                raise ValueError(word)
            squares += [] if squares else names[match[1]]
            squares += names[match[2]] if match[2] else []
        return squares

    return _read_names(source, given_board, parse, "a move such as a1b3, from where the last one ended")


class _Names(dict[str, tuple[int, int]]):
    """(column, number) of names, cached: "c2" is (2, 2). given: Known names, such as nodes."""

    def __init__(self, given: dict[str, tuple[int, int]]) -> None:
        super().__init__(given)
        self._given = given

    def __missing__(self, word: str) -> tuple[int, int]:
        match = re.fullmatch(r"([a-z]{1,12})([0-9]{1,18})", word.lower())
        if not match:
            raise KeyError(word)
        if len(self) > len(self._given) + 1_000_000:
            self.clear()
            self.update(self._given)
        self[word] = (column_of(match[1]), int(match[2]))
        return self[word]


_NEAT_PAIRS = re.compile(r"(?:[0-9]{1,18},[0-9]{1,18} )*")
_PAIR = re.compile(r"([\[(]?)\s*(\d{1,18})\s*,\s*(\d{1,18})\s*([\])]?)[\s,;]*", re.ASCII)
_XY = re.compile(r"\s*X:\s*(-?\d{1,18})[\s,]+Y:\s*(-?\d{1,18})\s*", re.ASCII | re.IGNORECASE)


def _parse_pairs(text: str) -> list[int]:
    words = text.split()
    if _NEAT_PAIRS.fullmatch(" ".join(words) + " "):
        return [int(x) for x in text.replace(",", " ").split()]
    numbers = []
    at = len(text) - len(text.lstrip())
    while at < len(text):
        match = _PAIR.match(text, at)
        if not match or bool(match[1]) != bool(match[4]):
            raise ValueError(text[at : at + 50].split()[0])
        numbers += [int(match[2]), int(match[3])]
        at = match.end()
    return numbers


def _parse_xy(text: str) -> list[int]:
    match = _XY.fullmatch(text)
    if match:
        return [int(match[1]), int(match[2])]
    if text.strip():
        raise ValueError(text.strip())
    return []


def _readings(
    source: Source,
    given_board: Board | None,
    blocks: Iterator[Block],
    place: Callable[[np.ndarray, int], np.ndarray],
    *,
    from_below: bool = False,
) -> Iterator[Reading]:
    """Read blocks of pairs. The default board is the smallest rectangle."""
    for block in blocks:
        pairs = np.array(block.cells).reshape(-1, 2)
        board = agreed_board(source, given_board, block.board, block.line)
        if board is not None:
            squares = place(pairs, board.rows)
        else:
            squares = place(pairs, int(pairs[:, 1].max()) if from_below else 0)
            board = rectangle_around(squares)
        yield Reading(board, squares, block.line)


# ---------------------------------------------------------------- tables


def write_csv(tours: Iterable[Tour]) -> Iterator[str]:
    """Yield a table with the columns tour, step, row, col, all counted from 0."""
    titles = Titles(shows_holes=False)
    heading = "tour,step,row,col\n"
    for index, tour in enumerate(_without_cells(tours, "csv")):
        lines = [f"{index},{step},{r},{c}\n" for step, (r, c) in enumerate(tour)]
        yield titles.before(tour.board) + heading + "".join(lines)
        heading = ""


def read_csv(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Read tables with the columns row and col, and optionally tour and step."""

    def blocks() -> Iterator[Block]:
        columns: dict[str, int] = {}
        tour_now: str | None = None
        block = Growing(source, per_square=2)
        for number, text, _, board in strip_comments(source):
            text = text.strip()
            if not text:
                if block.rows:
                    yield from block.end()
                continue
            fields = [field.strip(' "') for field in text.split(",")]
            if not columns:
                columns.update((field.lower(), k) for k, field in enumerate(fields[:100]))
                if not {"row", "col"} <= columns.keys():
                    raise source.fail("the first line must contain column names, with row and col", number)
                if len(columns) != len(fields):
                    raise source.fail("two columns have the same name", number)
                if other := columns.keys() - {"tour", "step", "row", "col"}:
                    raise source.fail(f"unknown column {min(other)[:40]!r}", number)
                continue
            if len(fields) != len(columns):
                raise source.fail(f"this line has {len(fields)} fields, the heading {len(columns)}", number)
            if "tour" in columns and fields[columns["tour"]] != tour_now:
                yield from block.end()
                tour_now = fields[columns["tour"]]
            if "step" in columns and fields[columns["step"]] != str(block.rows):
                raise source.fail(f"expected step {block.rows}, found {fields[columns['step']][:20]!r}", number)
            words = {name: fields[columns[name]] for name in ("row", "col")}
            for name, word in words.items():
                if not (word.isascii() and word.isdecimal() and len(word) <= 18):
                    raise source.fail(f"{word[:40]!r} is not a {name}", number)
            block.add([int(word) for word in words.values()], number, board)
        yield from block.end()

    return _readings(source, given_board, blocks(), lambda pairs, rows: pairs)


WORD_OR_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')


def names_of_squares(board: Board) -> list[str]:
    """Return the names of all squares. Names that are not one plain word are quoted, as in JSON.

    >>> names_of_squares(Board.from_graph({"Rome": ["New York"], "New York": ["Rome"]}))
    ['Rome', '"New York"']
    """
    if isinstance(board, CellBoard):
        return square_names(board)
    if isinstance(board, GraphBoard):
        names = [str(label) for label in board.labels]
        if len(set(names)) < len(names):
            raise FormatError(
                "two nodes of the graph have the same name as text",
                help="use the format json, which distinguishes 1 and '1'",
            )
        # A "#" would begin a comment.
        quoted = (json.dumps(name).replace("#", "\\u0023") for name in names)
        return [
            name if re.fullmatch(r'[^\s#"]\S*', name) and name.isprintable() else quote
            for name, quote in zip(names, quoted, strict=True)
        ]
    return [square_name((r, c), board.rows) for r in range(board.rows) for c in range(board.cols)]
