"""Conditions on a tour besides its ends: given numbers, required and forbidden moves, a symmetry, an order.

These are the functions of the rows of condition_table.py: each converts user input to a normal form, or raises an error
with the invalid square. The notation is the same in Python, at the command line and in JSON. Valid conditions that
cannot be met are not an error: the result is a proof (core/proofs/conditions.py).
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from knightstour.core.model.board import MAX_LISTED_SQUARES, Board, Square, are_moves, square_count, title_of
from knightstour.core.model.board_words import words_of_squares
from knightstour.core.model.errors import BoardError, ProblemError, with_notes
from knightstour.core.model.graph_board import CellBoard, GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.symmetry import TURN_NAMED, Symmetry, symmetries, turns_of
from knightstour.core.model.validation import each, is_whole, quoted, wrong_type

if TYPE_CHECKING:
    from knightstour.core.model.problem import Problem

T = TypeVar("T")
# User input: square -> step, or its possible steps, or texts like "a1=1"; moves as pairs of squares, or texts like
# "a1-b3"; and squares in an order, or texts like "a1,c5,h8".
# The keys of a mapping have one type for type checkers, so squares of either form, or both, need Any.
Given: TypeAlias = "Mapping[Any, int | str | Iterable[int]] | list[str] | tuple[str, ...]"
Moves: TypeAlias = "str | Iterable[tuple[Square | str, Square | str] | str]"
VisitOrder: TypeAlias = "Iterable[Square | str] | str"
Where: TypeAlias = "Mapping[str, int | str | Iterable[int]] | Iterable[str]"

# The normal forms: (square number, steps from 1) by rising square; pairs (lower, higher) of square numbers.
Steps: TypeAlias = "tuple[tuple[int, frozenset[int]], ...]"
Pairs: TypeAlias = "frozenset[tuple[int, int]]"
Order: TypeAlias = "tuple[int, ...]"

# Named kinds of symmetric closed tours: the symmetries, and whether the image of the tour has the same direction. See
# docs/glossary.md.
KINDS: dict[str, tuple[tuple[str, ...], bool]] = {
    "Eulerian": (("180",), True),
    "Bergholtian": (("180",), False),
    "birotary": (("90",), True),
    "Sulian": (("vertical", "horizontal"), True),
    "Murraian": (("vertical", "horizontal"), False),
}

_MOVES_HELP = "write a move as a1-b3, or as a pair of squares"
_ORDER_HELP = "pass squares, such as ['a1', 'c5', 'h8']"
_STEPS_HELP = "pass a number such as 16, a range such as '16..19', 'not 5', or a list of numbers"
# Maximum number of moves or numbers in a sentence.
_MAX_NAMED = 3
_MAX_IN_ORDER = 12


def square_number(board: Board, square: Square | str | Hashable) -> int:
    """Return the number `row * cols + col` of a square; raise BoardError if the square is not on the board.

    >>> square_number(Board(8, 8), "a1")
    56
    """
    row, col = board.square(square)
    return row * board.cols + col


def name_of_square(board: Board, square: int) -> str:
    """The name of a square given by its number.

    >>> name_of_square(Board(8, 8), 56)
    'a1'
    """
    return board.square_name(divmod(square, board.cols))


def name_of_move(board: Board, move: tuple[int, int]) -> str:
    """A move as a sentence names it.

    >>> name_of_move(Board(8, 8), (41, 56))
    'a1-b3'
    """
    names = [name_of_square(board, square) for square in move]
    return "->".join(names) if board.is_directed else "-".join(sorted(names))


# ---------------------------------------------------------------- moves


def pairs_of(board: Board, moves: Moves | None, what: str) -> Pairs:
    """Return the moves as pairs of square numbers, the lower first; for directed graphs as arcs.

    Raises an error if a pair is not a move of the board.

    Args:
        what: "require" or "forbid".

    >>> sorted(pairs_of(Board(8, 8), [("a1", "b3"), "c2-a1"], "require"))
    [(41, 56), (50, 56)]
    >>> pairs_of(Board(8, 8), "a1-b3", "forbid")
    frozenset({(41, 56)})
    """
    if moves is None:
        return frozenset()
    given = [moves] if isinstance(moves, str) else each(moves, what, help=_MOVES_HELP)
    found = [_pair_of(board, move, what) for move in _split_texts(given, "-")]
    if not found:
        return frozenset()
    _check_size(board, what)
    is_move = _is_move(board, found)
    if not is_move.all():
        wrong = found[int(np.argmin(is_move))]
        if board.is_directed:
            name, help = name_of_move(board, wrong), "pass the node that an arc leaves, and then the one it leads to"
            raise ProblemError(f"{what}: {name} is not an arc of the {title_of(board)}", help=help)
        a, b = (name_of_square(board, square) for square in wrong)
        raise ProblemError(
            f"{what}: {a}-{b} is not a move of the {title_of(board)}", help="pass two squares that are a move apart"
        )
    return frozenset(found) if board.is_directed else frozenset((min(pair), max(pair)) for pair in found)


def _split_texts(values: Iterable[object], mark: str) -> Iterator[object]:
    """Yield the values, splitting texts such as "a1-b3,c2-d4" and "0,0-2,1;2,1-4,0"."""
    for value in values:
        yield from (part for half in _halves(value, ";", mark) for part in _halves(half, ",", mark))


def _halves(value: object, between: str, mark: str) -> list[object]:
    """Return the parts of a text between signs, if each contains the mark."""
    parts = [part.strip() for part in value.split(between)] if isinstance(value, str) else []
    return list(parts) if len(parts) > 1 and all(mark in part for part in parts) else [value]


def _check_size(board: Board, what: str) -> None:
    """Raise ProblemError if the board is too large to list its moves."""
    if board.rows * board.cols > MAX_LISTED_SQUARES:
        raise ProblemError(f"{what} is for boards of up to {MAX_LISTED_SQUARES:,} squares", help=f"omit {what}")


def are_all_moves(board: Board, pairs: Iterable[tuple[int, int]]) -> bool:
    """Whether the squares of each pair, given by their numbers, are a move apart.

    >>> are_all_moves(Board(8, 8), [(41, 56), (40, 56)])
    False
    """
    return bool(_is_move(board, list(pairs)).all())


def _is_move(board: Board, pairs: list[tuple[int, int]]) -> np.ndarray:
    ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return are_moves(board, ends[:, 0], ends[:, 1]) & (ends[:, 0] != ends[:, 1])


def _pair_of(board: Board, move: object, what: str) -> tuple[int, int]:
    if isinstance(move, str):
        return _pair_in_text(board, move, what)
    message = f"{what}: {quoted(move)} is not a move"
    if not isinstance(move, tuple | list | np.ndarray):
        raise with_notes(TypeError(message), help=_MOVES_HELP)
    if len(move) != 2:
        raise ProblemError(message, help=_MOVES_HELP)
    return square_number(board, move[0]), square_number(board, move[1])


def _pair_in_text(board: Board, text: str, what: str) -> tuple[int, int]:
    """Return the move in a text. Names of nodes may contain a hyphen."""
    parts = (text.replace("->", "-") if board.is_directed else text).split("-")
    if len(parts) < 2:
        raise ProblemError(f"{what}: {quoted(text)} is not a move", help=_MOVES_HELP)
    sides = [("-".join(parts[:k]), "-".join(parts[k:])) for k in range(1, len(parts))]
    for one, other in sides[:-1]:
        try:
            return square_number(board, one), square_number(board, other)
        except BoardError:
            continue
    return square_number(board, sides[-1][0]), square_number(board, sides[-1][1])


def check_moves(problem: Problem, forbid: Pairs) -> None:
    """Raise a ProblemError for a move that is both required and forbidden."""
    both = problem.require & forbid
    if both:
        name = name_of_move(problem.board, min(both))
        raise ProblemError(f"the move {name} is both required and forbidden", help="omit one of them")


# ---------------------------------------------------------------- given numbers


def steps_given(board: Board, given: Given | None, what: str = "given") -> Steps:
    """The squares whose steps are given, as (square number, steps from 1) by rising square.

    >>> [(s, sorted(steps)) for s, steps in steps_given(Board(8, 8), {"a1": 1, "c5": range(16, 18), (0, 0): "7..9"})]
    [(0, [7, 8, 9]), (26, [16, 17]), (56, [1])]
    >>> steps_given(Board(3, 4), ["a1=not 2-11"])
    ((8, frozenset({1, 12})),)
    """
    if given is None:
        return ()
    pairs = list(given.items()) if isinstance(given, Mapping) else _given_in_texts(given)
    if pairs:
        _check_size(board, what)
    steps: dict[int, frozenset[int]] = {}
    owner: dict[int, int] = {}
    for square, value in pairs:
        number = square_number(board, square)
        name = name_of_square(board, number)
        if number in steps:
            raise ProblemError(f"given: {name} is named twice", help="pass each square once")
        steps[number] = _steps_of(value, name, square_count(board))
        if len(steps[number]) == 1:
            (step,) = steps[number]
            if step in owner:
                other = name_of_square(board, owner[step])
                raise ProblemError(f"given: step {step} is at {other} and at {name}", help="pass each number once")
            owner[step] = number
    return tuple(sorted(steps.items()))


def _given_in_texts(given: object) -> list[tuple[str, str]]:
    """Return squares and steps of texts like "a1=1", "c5=16..19"."""
    texts = given if isinstance(given, list | tuple) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise wrong_type("given", "a dict of squares and their steps", given, help='pass {"a1": 1}')
    found = []
    for text in _split_texts(texts, "="):
        square, mark, steps = str(text).rpartition("=")
        if not mark:
            raise ProblemError(f"given: {quoted(text)} names no step", help="write a1=1, or c5=16..19 for any of these")
        found.append((square, steps))
    return found


def _steps_of(value: object, name: str, count: int) -> frozenset[int]:
    """Return the steps of a square, each 1 to the number of squares."""
    if isinstance(value, str):
        steps = _steps_in_text(value, name, count)
    else:
        # An array of no dimensions is a number.
        value = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
        values = value if isinstance(value, Iterable) and not isinstance(value, bytes) else [value]
        steps = frozenset(_check_step(step, name, count) for step in values)
    if not steps:
        raise ProblemError(f"given: {name} has no step left", help=_STEPS_HELP)
    return steps


def _steps_in_text(text: str, name: str, count: int) -> frozenset[int]:
    """Return the steps of "1-4, 6" or "1..4, 6"; after "not" all others."""
    words = text.strip()
    is_not = re.match(r"not\b", words) is not None
    found: set[int] = set()
    for part in words[3 * is_not :].split(","):
        match = re.fullmatch(r"\s*(\d{1,9})\s*(?:(?:\.\.|-)\s*(\d{1,9})\s*)?", part)
        if not match:
            raise ProblemError(f"given: {name} cannot have the step {quoted(text)}", help=_STEPS_HELP)
        first, last = int(match[1]), int(match[2] or match[1])
        _check_step(max(first, last), name, count)
        _check_step(min(first, last), name, count)
        found.update(range(first, last + 1))
    return frozenset(range(1, count + 1)) - found if is_not else frozenset(found)


def _check_step(step: object, name: str, count: int) -> int:
    """Raises an error unless the step is an integer from 1 to count."""
    if not isinstance(step, int | np.integer) or isinstance(step, bool):
        raise with_notes(TypeError(f"given: {name} cannot have the step {quoted(step)}"), help=_STEPS_HELP)
    if not 1 <= step <= count:
        raise ProblemError(f"given: {name} cannot have the step {quoted(int(step))}", note=f"steps are 1 to {count:,}")
    return int(step)


def anchored_run(steps: Steps, count: int) -> tuple[list[int], list[int]] | None:
    """Return the squares of steps 1, 2, ... and of steps ..., N of an open tour, if no other steps are given; else
    None.

    Args:
        count: N, the number of squares.

    >>> anchored_run(((3, frozenset({2})), (5, frozenset({1})), (7, frozenset({12}))), 12)
    ([5, 3], [7])
    """
    square_at = {next(iter(few)): square for square, few in steps if len(few) == 1}
    if len(square_at) < len(steps):
        return None
    first, last = 1, count
    while first in square_at:
        first += 1
    while last in square_at and last >= first:
        last -= 1
    head = [square_at[step] for step in range(1, first)]
    tail = [square_at[step] for step in range(last + 1, count + 1)]
    return (head, tail) if len(head) + len(tail) == len(steps) else None


# ---------------------------------------------------------------- symmetries


def symmetry_named(board: Board, name: object, what: str = "symmetry") -> str | None:
    """The name of a symmetry of the board, or of a kind of symmetric tours, as it is written here; else an error.

    >>> symmetry_named(Board(6, 6), "90"), symmetry_named(Board(6, 6), "eulerian")
    ('90', 'Eulerian')
    """
    if name is None:
        return None
    _check_size(board, what)
    if is_whole(name):
        name = quoted(int(name))
    if not isinstance(name, str):
        raise wrong_type(what, "the name of a symmetry", name, help="180, 90, vertical, ... or a name such as Eulerian")
    kinds = {kind.lower(): kind for kind in KINDS} | {"quaternary": "birotary"}
    kind = kinds.get(name.lower())
    wanted = (name,) if kind is None else KINDS[kind][0]
    if kind is not None and (board.wrap is not None or isinstance(board, GraphBoard)):
        where = f"a {board.wrap}" if board.wrap else f"the {title_of(board)}"
        raise ProblemError(f"on {where} symmetric tours have no such names as {kind}", help="name a symmetry")
    # A torus has millions of symmetries with a shift, which come last.
    plain = None if "shift" in name else 8
    known: list[str] = []
    for found in symmetries(board):
        if found.name in wanted:
            return kind or name
        if plain is not None and found.shift != (0, 0):
            break
        known.append(found.name)
    turn = TURN_NAMED.get(name)
    if (
        turn is not None
        and isinstance(board, GridBoard)
        and min(board.rows, board.cols) <= 2
        and turn in turns_of(board)
    ):
        # On sides of 1 or 2 squares several names mean the same symmetry.
        image = Symmetry(board, turn).image.tolist()
        for found in symmetries(board):
            if found.name != "identity" and found.image.tolist() == image:
                return found.name
    names = ", ".join([other for other in known if other != "identity"][:8]) or "none"
    if kind is not None:
        raise ProblemError(f"the {title_of(board)} has no {kind} tour, since it has no symmetry {wanted[0]}")
    raise ProblemError(f"the {title_of(board)} has no symmetry {quoted(name)}", note=f"its symmetries: {names}")


def check_symmetry(problem: Problem, symmetry: str) -> None:
    """Raise ProblemError if the symmetry cannot be combined with the other conditions."""
    if symmetry in KINDS and not problem.closed:
        raise ProblemError(f"{symmetry} tours are closed", help="use closed=True, or --closed")
    if problem.given:
        raise ProblemError(
            "a symmetric tour cannot be combined with given numbers, except of its ends",
            help="omit given, or symmetry",
        )


# ---------------------------------------------------------------- an order of squares


def order_named(board: Board, written: VisitOrder | None, what: str = "visit_order") -> Order:
    """Return the numbers of squares in a required order; raise an error if they are not several distinct squares.

    >>> order_named(Board(8, 8), ["a1", (3, 2), "h8"])
    (56, 26, 7)
    >>> order_named(Board(8, 8), "a1, c5, h8") == order_named(Board(8, 8), "7,0; 3,2; 0,7")
    True
    """
    texts = [written] if isinstance(written, str) else [] if written is None else each(written, what, help=_ORDER_HELP)
    squares = [square for text in texts for square in _squares_of(board, text)]
    if not squares:
        return ()
    _check_size(board, what)
    order = tuple(square_number(board, square) for square in squares)
    for k, square in enumerate(order):
        if square in order[:k]:
            raise ProblemError(f"{what}: {name_of_square(board, square)} is named twice", help="name each square once")
    if len(order) < 2:
        name = name_of_square(board, order[0])
        raise ProblemError(f"{what}: {name} alone has no order", help="name two squares or more, such as a1,c5,h8")
    return order


def _squares_of(board: Board, text: object) -> list[Any]:
    """Return the squares in a text: "a1,c5", "0,0;2,3". Names of nodes may contain commas."""
    if not isinstance(text, str) or (isinstance(board, GraphBoard) and text in board.labels):
        return [text]
    if isinstance(board, GridBoard | CellBoard):
        return list(words_of_squares(text))
    return [part for part in map(str.strip, re.split("[,;]", text)) if part]


def check_order_of_squares(problem: Problem, order: Order) -> None:
    """Raise ProblemError if the order cannot be combined with the other conditions."""
    if problem.symmetry is not None:
        raise ProblemError(
            "a symmetric tour cannot be combined with an order of squares", help="omit visit_order, or symmetry"
        )


def ways_round(order: Order, closed: bool, is_directed: bool = False) -> list[Order]:
    """Return the possible orders of these squares in a tour; empty if every order is possible.

    An open tour has one order. A closed tour may begin before any of the squares, and has two directions: with up to
    three squares every order is possible. Along arcs there is one direction, and only two nodes have every order.

    >>> ways_round((7, 8, 9), False), len(ways_round((6, 7, 8, 9), True)), ways_round((7, 8, 9), True)
    ([(7, 8, 9)], 8, [])
    """
    if not closed:
        return [order] if order else []
    if len(order) < (3 if is_directed else 4):
        return []
    ways = (order,) if is_directed else (order, order[::-1])
    return [way[k:] + way[:k] for way in ways for k in range(len(order))]


# ---------------------------------------------------------------- texts


def moves_phrase(board: Board, moves: Pairs, word: str, kind: str) -> str:
    """Return the part of a sentence on moves, after the board and the ends; many moves are counted.

    >>> moves_phrase(Board(8, 8), frozenset([(41, 56)]), "through", "required")
    'through a1-b3'
    """
    if len(moves) > _MAX_NAMED:
        return f"{word} {len(moves):,} {kind} moves"
    return f"{word} {' and '.join(sorted(name_of_move(board, move) for move in moves))}"


def order_phrase(board: Board, order: Order) -> str:
    """Return the part of a sentence on an order of squares."""
    if len(order) > _MAX_IN_ORDER:
        return f"with {len(order)} squares in order"
    return f"with {', '.join(name_of_square(board, square) for square in order)} in this order"
