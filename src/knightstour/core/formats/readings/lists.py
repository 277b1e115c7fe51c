"""Lists of squares in loose notations: repeated records, each a square, a move, or either with a number.

A square is a name, a pair of numbers or, on a known board, one number. All numbers and names of the list must be used.
Numbers next to squares are their order, 0, 1, 2, ... or 1, 2, 3, ...
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby, pairwise
from math import isqrt
from typing import NamedTuple

import numpy as np

from knightstour.core.formats.readings.around import UnusedToken, around
from knightstour.core.formats.readings.grids import Offer, follow_numbers, numbered_from
from knightstour.core.formats.readings.tokens import Row, Token, columns_named, rows_in
from knightstour.core.formats.readings.views import Line, View
from knightstour.core.formats.text import Reading, rectangle_around
from knightstour.core.model.board import Board, square_count
from knightstour.core.model.errors import InvalidTour

Squares = list[tuple[int, int]]


class Item(NamedTuple):
    """A square or a number, and its first token."""

    square: tuple[int, int] | None
    at: Token


class Part(NamedTuple):
    """Rows of a list that may be one tour, and the lines around it."""

    rows: list[Row]
    around: list[Line]

    @property
    def tokens(self) -> list[Token]:
        return [token for row in self.rows for token in row.tokens]

    @property
    def line(self) -> int:
        """First line."""
        return self.rows[0].line.number


# ---------------------------------------------------------------- beginning and end of a list


def parts_of(rows: list[Row]) -> Iterator[tuple[tuple[str, ...], list[Part]]]:
    """Yield the rows as parts, one per tour: all, separated by empty lines, or each row; with and without headings."""
    full = [row for row in rows if row.tokens]
    if not full:
        return
    count = len({row.line.number for row in full})
    joined = (f"{count:,} lines joined",) if count > 1 else ()
    blocks = [list(block) for is_full, block in groupby(rows, lambda row: bool(row.line.text.strip())) if is_full]
    whole = [[row for row in block if row.tokens] for block in blocks]
    for said, parts in (
        (joined, [full]),
        *([(("a tour up to each empty line",), [block for block in whole if block])] if len(blocks) > 1 else []),
        *([(("a tour a line",), [[row] for row in full])] if len(full) > 1 else []),
    ):
        yield said, [Part(part, []) for part in parts]
        cut = [_without_headings(part) for part in parts]
        kept = [part for part in cut if part.rows]
        if kept and any(part.around for part in cut):
            others = [line for part in cut if not part.rows for line in part.around]
            yield said, [Part(kept[0].rows, kept[0].around + others), *kept[1:]]


def _without_headings(rows: list[Row]) -> Part:
    """Return the rows without headings and endings, and without a first size or count."""
    first, last = 0, len(rows)
    while first < last and _may_be_heading(rows[first]):
        first += 1
    if first < last and len(rows[first].tokens) <= 2 and all(token.kind == "n" for token in rows[first].tokens):
        first += 1
    while last > first and _may_be_heading(rows[last - 1]):
        last -= 1
    return Part(rows[first:last], [row.line for row in rows[:first] + rows[last:]])


def _may_be_heading(row: Row) -> bool:
    """Whether a row may be a comment with a count, a size, or the ends of a tour."""
    words = set(re.findall(r"[^\W\d_]{2,}", re.sub(r"[A-Za-z]{1,2}\d+", "", row.line.text).lower()))
    kinds = {token.kind for token in row.tokens}
    is_size = re.search(r"\d\s*[x×=]\s*\d|^\W*[A-Za-z]\s*[=:]", row.line.text) is not None
    if not (words or is_size) or len(row.tokens) > 3:
        return False
    return kinds == {"n"} or (kinds == {"S"} and not words.isdisjoint(_ENDS))


_ENDS = frozenset(("start", "starts", "end", "ends", "from", "to", "begin", "begins", "first", "last"))


# ---------------------------------------------------------------- tokens into squares and numbers


def _items(part: Part, rows: list[Row]) -> Iterator[tuple[tuple[str, ...], bool, list[Item]]]:
    """Yield (how, whether by name, squares and numbers) for each interpretation of the tokens of a part."""
    tokens = part.tokens
    kinds = {token.kind for token in tokens}
    if "S" in kinds:
        yield ("squares by name",), True, [_item(token) for token in tokens]
        return
    if kinds & {"R", "C"}:
        yield ("rows and columns by their names",), False, _join_row_and_column(tokens)
        return
    if any(token.value is None for token in tokens):
        yield (), False, _group_pairs(tokens)
        return
    named = columns_named(row for row in rows if row.line.number <= part.line)
    if named is not None and {len(row.tokens) for row in part.rows} == {len(named[2])}:
        row, col, words = named
        others = [k for k in range(len(words)) if k not in (row, col)]
        tours = [
            k for k in others if words[k] in ("tour", "board") and len({r.tokens[k].value for r in part.rows}) == 1
        ]
        said = "column before row, as in the heading" if col < row else "columns by their heading"
        items = []
        for each in part.rows:
            items.append(_pair(each.tokens[row], each.tokens[col]))
            items += [_item(each.tokens[k]) for k in others if k not in tours[:1]]
        yield (said,), False, items
        return
    if any(token.group for token in tokens):
        yield (), False, _group_pairs(tokens)
    records = [list(group) for _, group in groupby(tokens, lambda token: token.group)]
    if len(records) < 3 or not all(token.group for token in tokens):
        records = [row.tokens for row in part.rows]
    widths = {len(record) for record in records}
    if widths == {2}:
        yield (), False, [_pair(*record) for record in records]
    elif widths == {3}:
        before = (), False, [item for a, b, c in records for item in (_item(a), _pair(b, c))]
        behind = ("row, column and number",), False, [i for a, b, c in records for i in (_pair(a, b), _item(c))]
        firsts, lasts = ({record[k].value for record in records} for k in (0, 2))
        yield from (before, behind) if len(firsts) >= len(lasts) else (behind, before)
    elif len(tokens) % 2 == 0 and len({token.group for token in tokens}) == 1:
        twos = zip(tokens[::2], tokens[1::2], strict=True)
        yield ("numbers in twos",), False, [_pair(a, b) for a, b in twos]
    if len(tokens) > 3 and all(len(token.text) == 2 and token.text.isdigit() for token in tokens):
        digits = [Item((int(token.text[0]), int(token.text[1])), token) for token in tokens]
        yield ("two digits a square",), False, digits


def _item(token: Token) -> Item:
    return Item(token.value if isinstance(token.value, tuple) else None, token)


def _pair(row: Token, col: Token) -> Item:
    assert isinstance(row.value, int) and isinstance(col.value, int)
    return Item((row.value, col.value), row)


def _join_row_and_column(tokens: list[Token]) -> list[Item]:
    items, k = [], 0
    while k < len(tokens):
        two = tokens[k : k + 2]
        if {token.kind for token in two} == {"R", "C"} and all(isinstance(token.value, int) for token in two):
            items.append(_pair(*sorted(two, key=lambda token: token.kind, reverse=True)))
            k += 2
        else:
            items.append(_item(tokens[k]))
            k += 1
    return items


def _group_pairs(tokens: list[Token]) -> list[Item]:
    """Return the tokens, with two numbers in brackets as squares."""
    items: list[Item] = []
    for group, found in groupby(tokens, lambda token: token.group):
        inside = list(found)
        if group and len(inside) == 2 and all(isinstance(token.value, int) for token in inside):
            items.append(_pair(*inside))
        else:
            items += [_item(token) for token in inside]
    return items


# ---------------------------------------------------------------- squares and numbers into the order of visit


class Order(NamedTuple):
    """Squares in order of visit; left: First unused token; fault: Error in their numbers."""

    said: tuple[str, ...]
    squares: Squares
    left: UnusedToken | None = None
    fault: InvalidTour | None = None


_RECORDS = ("S", "nS", "Sn", "nSS", "SSn")
_IN_NUMBERS = "squares by their numbers"


def orders_of(items: list[Item]) -> Iterator[Order]:
    """Yield the orders of visit of items for each record layout that uses them all."""
    form = "".join("n" if item.square is None else "S" for item in items)
    squares = [item.square for item in items if item.square is not None]
    numbers = [item.at for item in items if item.square is None]
    if len(squares) < 2:
        return
    is_known = all(isinstance(token.value, int) and token.kind == "n" for token in numbers)
    if not numbers:
        yield Order((), squares)
        if (chain := _chain_moves([squares[k : k + 2] for k in range(0, len(squares), 2)])) is not None:
            yield Order(("moves from square to square",), chain)
        return
    if is_known and len(numbers) == 1 and form[0] == "n" and len(squares) > 3:
        yield Order(("a number before the tour",), squares)
        return
    found = list[Order]()
    if is_known and re.fullmatch("(nS)+|(Sn)+", form):
        places = _positions_in_order([token.value for token in numbers])  # type: ignore[misc]
        if places is None:
            found.append(Order((_IN_NUMBERS,), squares, fault=_fault_of(numbers)))
        else:
            found.append(Order((_IN_NUMBERS,), [squares[k] for k in places]))
    elif is_known:
        found += _numbered_moves(form, squares, numbers)
    yield from found
    if not found:
        broken = max(re.match(f"(?:{record})*", form).end() for record in _RECORDS)  # type: ignore[union-attr]
        token = items[min(broken, len(items) - 1)].at
        if items[min(broken, len(items) - 1)].square is not None:
            # A table may have another column after the squares.
            token = numbers[bool(re.match("nS+n(n|$)", form))]
        yield Order((), squares, left=UnusedToken(token.line, f"{token.text!r} in column {token.column} is unused"))


def _numbered_moves(form: str, squares: Squares, numbers: list[Token]) -> Iterator[Order]:
    values = [token.value for token in numbers]
    places = _positions_in_order(values)  # type: ignore[arg-type]
    ahead = form[0] == "n"
    if re.fullmatch("(nSS)*nSS?", form):
        # The moves of a game, two per number.
        if values == list(range(1, len(values) + 1)):
            yield Order(("numbers of the moves",), squares)
        elif places is None:
            yield Order(("numbers of the moves",), squares, fault=_fault_of(numbers))
    if re.fullmatch("S(nS)+", form) and values in (list(range(len(values))), list(range(1, len(values) + 1))):
        yield Order(("numbers of the moves",), squares)
    if places is None or not re.fullmatch("(nS{1,4})+|(S{1,4}n)+", form):
        return
    sizes = [len(part) for part in (form.split("n")[1:] if ahead else form.split("n")[:-1])]
    records, at = list[Squares](), 0
    for size in sizes:
        record = squares[at : at + size]
        at += size
        # A table may repeat a move, and its last row may lack the next square.
        if len(record) == 4 and record[:2] == record[2:]:
            record = record[:2]
        records.append(record[:1] if len(record) == 2 and record[0] == record[1] else record)
    chain = _chain_moves([records[k] for k in places])
    if chain is not None:
        yield Order(("numbers of the moves", "moves from square to square"), chain)


def _positions_in_order(numbers: list[int]) -> list[int] | None:
    """Return the positions of 0, 1, 2, ... or 1, 2, 3, ... in the list, or None."""
    low = min(numbers, default=-1)
    if len(numbers) < 2 or low not in (0, 1) or sorted(numbers) != list(range(low, low + len(numbers))):
        return None
    return sorted(range(len(numbers)), key=numbers.__getitem__)


def _fault_of(numbers: list[Token]) -> InvalidTour:
    """Return the reason why the numbers are not an order."""
    order = sorted(numbers, key=lambda token: token.value)  # type: ignore[arg-type, return-value]
    low = int(order[0].value) if order[0].value in (0, 1) else 1
    for step, token in enumerate(order):
        if token.value == low + step:
            continue
        before = order[step - 1]
        if step and token.value == before.value:
            message = f"two squares have the number {token.text}, at {before.place} and at {token.place}"
        elif step:
            message = f"no square has the number {low + step}: after {before.text} comes {token.text} at {token.place}"
        else:
            message = f"the numbers beside the squares begin with {token.text} at {token.place}"
        return InvalidTour(
            message, step=step, help="number the squares 0, 1, 2, ... or 1, 2, 3, ..., or omit the numbers"
        )
    return InvalidTour("the numbers next to the squares are not an order", step=0)


def _chain_moves(records: list[Squares]) -> Squares | None:
    """Return the squares of consecutive moves, or None."""
    if records and len(records) > 2 and len(records[-1]) == 1 and len(records[-2]) == 2:
        if records[-2][1] != records[-1][0]:
            return None
        records = records[:-1]
    if len(records) < 2 or any(len(record) != 2 for record in records):
        return None
    if any(a[1] != b[0] for a, b in pairwise(records)):
        return None
    return [records[0][0], *(record[1] for record in records)]


# ---------------------------------------------------------------- orders of visit into tours


def lists(view: View, given_board: Board | None) -> Iterator[Offer]:
    """Yield squares by name or as pairs of numbers, separated by anything except numbers and names."""
    rows = rows_in(view)
    for joined, parts in parts_of(rows):
        ways = [
            [
                ((*how, *order.said), named, order)
                for how, named, items in _items(part, rows)
                for order in orders_of(items)
            ]
            for part in parts
        ]
        hows = dict.fromkeys((how, named) for way in ways for how, named, _ in way)
        for how, named in hows:
            found = [next((order for h, n, order in way if (h, n) == (how, named)), None) for way in ways]
            orders = [order for order in found if order is not None]
            if len(orders) == len(found):
                said = (*view.remarks, *joined, *how)
                yield from offers_of(parts, orders, said, given_board, named)


def offers_of(
    parts: list[Part],
    orders: list[Order],
    said: tuple[str, ...],
    given_board: Board | None,
    named: bool,
    *,
    is_placed: bool = False,
) -> Iterator[Offer]:
    """Yield the tours of some parts. named: By names, counted from below. is_placed: By cells of the board."""
    found = [(part.line, order.squares) for part, order in zip(parts, orders, strict=True)]
    faults = [order.fault for order in orders if order.fault is not None]
    left = next((order.left for order in orders if order.left), None)
    lines = [line for part in parts for line in part.around]
    for part, order in zip(parts, orders, strict=True):
        if "a number before the tour" in order.said:
            first = part.tokens[0]
            lines.append(Line(first.line, f"tour {first.text}"))
    is_read = named or is_placed
    offers = (
        tours_of_lists(found, said, given_board, from_below=named) if is_read else pair_tours(found, said, given_board)
    )
    for offer in offers:
        tours = offer.tours
        if faults:
            tours = [
                tour if order.fault is None else tour._replace(squares=tour.squares[:0], fault=order.fault)
                for tour, order in zip(tours, orders, strict=False)
            ]
        about = around(lines, tours) if lines and not left and not faults else None
        yield Offer((*offer.remarks, *(about.remarks if about else ())), tours, about.left if about else left)


def pair_tours(
    lists: list[tuple[int, Squares]], remarks: tuple[str, ...], given_board: Board | None
) -> Iterator[Offer]:
    """Yield lists of pairs as tours: from 0 or 1, and column before row if only this fits the given board."""
    low = min(min(a, b) for _, squares in lists for a, b in squares)
    is_named = any("row" in remark for remark in remarks)
    for base in (0, 1) if low else (0,):
        said = (*remarks, f"pairs counted from {base}")
        moved = [(line, [(a - base, b - base) for a, b in squares]) for line, squares in lists]
        yield from tours_of_lists(moved, said, given_board)
        if given_board is not None and not is_named:
            turned = [(line, [(b, a) for a, b in squares]) for line, squares in moved]
            yield from tours_of_lists(turned, (*said, "column before row"), given_board)


def tours_of_lists(
    lists: list[tuple[int, Squares]], remarks: tuple[str, ...], given_board: Board | None, *, from_below: bool = False
) -> Iterator[Offer]:
    """Yield lists of (row, column), or of (number, column) from below, as tours of the given board or a rectangle."""
    if len(lists) == 1:
        line, squares = lists[0]
        size = square_count(given_board) if given_board is not None else _box(squares, from_below)
        if size > 1 and len(squares) > size and len(squares) % size == 0:
            parts = [(line, squares[k : k + size]) for k in range(0, len(squares), size)]
            yield from tours_of_lists(parts, (*remarks, "a tour after the other"), given_board, from_below=from_below)
    again = [len(squares) > 3 and squares[0] == squares[-1] for _, squares in lists]
    kept = [squares[:-1] if closes else squares for (_, squares), closes in zip(lists, again, strict=True)]
    tours = [
        _place_squares(squares, line, given_board, from_below) for (line, _), squares in zip(lists, kept, strict=True)
    ]
    whole = [tour for tour in tours if tour is not None]
    if len(whole) == len(lists):
        yield Offer((*remarks, *(["the first square again at the end"] if any(again) else [])), whole)


def _box(squares: Squares, from_below: bool) -> int:
    return (max(a for a, _ in squares) + (not from_below)) * (max(b for _, b in squares) + 1)


def _place_squares(squares: Squares, line: int, given_board: Board | None, from_below: bool) -> Reading | None:
    array = np.array(squares, dtype=np.int64)
    if from_below:
        height = int(array[:, 0].max()) if given_board is None else given_board.rows
        array = np.stack([height - array[:, 0], array[:, 1]], axis=1)
    if array.min() < 0 or array.max() >= 1 << 20:
        return None
    return Reading(given_board or rectangle_around(array), array, line)


# ---------------------------------------------------------------- square numbers


def square_numbers(view: View, given_board: Board | None) -> Iterator[Offer]:
    """Yield tours by square numbers, counted along the rows of the given board or of a square board."""
    for joined, parts in parts_of(rows_in(view)):
        tokens = [token for part in parts for token in part.tokens]
        if any(token.kind != "n" or not isinstance(token.value, int) for token in tokens):
            continue
        lines = [line for part in parts for line in part.around]
        sizes = [list(map(int, re.findall(r"(?<!\d)\d{1,9}(?!\d)", line.text))) for line in lines]
        for how, orders in _number_lists(parts):
            said, board = (*view.remarks, *joined, *how), given_board
            if given_board is None:
                fits = [size for size in sizes if len(size) == 2 and size[0] * size[1] == len(orders[0]) > 1]
                board = Board(*fits[0]) if fits else None
            for offer in order_tours([part.line for part in parts], orders, said, board, is_order=bool(how)):
                about = around(lines, offer.tours)
                yield Offer((*offer.remarks, *about.remarks), offer.tours, about.left)
            if not how and board is None and len(parts) == 1 and (unknown := _without_board(parts[0])) is not None:
                yield Offer(said, [unknown])


def _number_lists(parts: list[Part]) -> Iterator[tuple[tuple[str, ...], list[list[int]]]]:
    """Yield the square numbers of each part: as given, as moves, or with their steps."""
    whole = [[token.value for token in part.tokens if isinstance(token.value, int)] for part in parts]
    yield (), whole
    twos = [(order[::2], order[1::2]) for order in whole]
    for how, found in (
        ("moves from square to square", [[a[0], *b] if a[1:] == b[:-1] else [] for a, b in twos]),
        ("a step before each square", [_in_steps(a, b) for a, b in twos]),
        ("a step behind each square", [_in_steps(b, a) for a, b in twos]),
    ):
        if all(found):
            yield (how,), found


def _in_steps(steps: list[int], squares: list[int]) -> list[int]:
    """Return the squares by their steps, or []."""
    places = _positions_in_order(steps) if len(steps) == len(squares) else None
    return [squares[k] for k in places or ()]


def _without_board(part: Part) -> Reading | None:
    """Return square numbers of an unknown board as an error, or None."""
    numbers = [token.value for token in part.tokens if isinstance(token.value, int)]
    if len(part.rows[0].tokens) == 1 and numbers[0] == len(numbers) - 1:
        numbers = numbers[1:]
    is_grid = len({len(row.tokens) for row in part.rows}) == 1
    if is_grid or _positions_in_order(numbers) is None or isqrt(len(numbers)) ** 2 == len(numbers):
        return None
    why = f"these are {len(numbers)} distinct square numbers, but their board is undefined"
    fault = InvalidTour(why, step=0, help="pass the board after the file, as in FILE 5x8")
    return Reading(Board(1, len(numbers)), np.zeros((0, 2), dtype=np.int64), part.line, fault)


def order_tours(
    lines: list[int],
    lists: list[list[int]],
    remarks: tuple[str, ...],
    given_board: Board | None,
    *,
    is_order: bool = False,
) -> Iterator[Offer]:
    """Yield lists of integers as tours: square numbers in order of visit, next squares, or a diagram.

    Args:
        is_order: Whether they are in order of visit.
    """
    for read in (_read_visits,) if is_order else (_read_visits, _diagram, _read_successors):
        tours: list[Reading] = []
        said: dict[str, None] = {}
        for line, order in zip(lines, lists, strict=True):
            again = len(order) > 3 and order[0] == order[-1]
            kept = order[:-1] if again else order
            side = isqrt(len(kept) + 1)
            board = (
                given_board
                if given_board is not None
                else Board(side, side)
                if side > 1 and side * side - len(kept) in (0, 1)
                else None
            )
            if board is not None and read is _read_visits and not again and len(kept) == square_count(board) - 1 > 8:
                # The check reports the missing square.
                if len(set(kept)) == len(kept) and 0 <= min(kept) <= max(kept) <= len(kept):
                    tours.append(_read_visits(np.array(kept), 0, board, line)[1])
                    continue
            if board is None or len(kept) != square_count(board):
                break
            base = 0 if board.holes else min(kept, default=-1)
            if base not in (0, 1) or (not board.holes and sorted(kept) != list(range(base, base + len(kept)))):
                break
            found = read(np.array(kept), base, board, line) if not again or read is _read_visits else None
            if found is None:
                break
            tours.append(found[1])
            said |= dict.fromkeys([*found[0], *(["the first square again at the end"] if again else [])])
        if len(tours) == len(lists) > 0:
            yield Offer((*remarks, *said), tours)


def _read_visits(order: np.ndarray, base: int, board: Board, line: int) -> tuple[tuple[str, ...], Reading]:
    squares = np.stack(np.divmod(order - base, board.cols), axis=1)
    return (f"square numbers from {base}",), Reading(board, squares, line)


def _diagram(order: np.ndarray, base: int, board: Board, line: int) -> tuple[tuple[str, ...], Reading] | None:
    if board.holes:
        return None
    found = numbered_from(order.reshape(board.rows, board.cols), board, line)
    return None if found is None else (("a diagram on one line", *found[0]), found[1])


def _read_successors(order: np.ndarray, base: int, board: Board, line: int) -> tuple[tuple[str, ...], Reading] | None:
    return None if board.holes else follow_numbers(order.reshape(board.rows, board.cols), line)
