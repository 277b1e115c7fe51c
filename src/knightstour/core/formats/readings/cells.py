"""Tours of boxes and hexagons in loose notations: coordinates of cells, and layers of numbers.

A line or a bracket contains the coordinates of a cell, from 0 or 1. The first order of the axes that fits the board is
used, so with equal sides a tour may be rotated or mirrored.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby, permutations, zip_longest
from math import prod
from typing import NamedTuple

import numpy as np

from knightstour.core.formats.readings.grids import Offer, grids
from knightstour.core.formats.readings.lists import Item, Part, lists, offers_of, orders_of, parts_of
from knightstour.core.formats.readings.tokens import Token, rows_in
from knightstour.core.formats.readings.views import Line, View, by_brackets
from knightstour.core.formats.text import Reading
from knightstour.core.model.board import Board
from knightstour.core.model.cells import cells_of_shape
from knightstour.core.model.errors import InvalidTour
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.lattices import Cell
from knightstour.core.model.numbering import HOLE_MARKS

# Share of valid coordinates from which a list is read as a list with an error.
_MOSTLY = 0.7
# Title of a layer, whose only number counts the layers.
_TITLE = re.compile(
    r"\W*(?:layer|level|floor|slice|plane|section|board|grid|ebene|z|k)?\W*\d+\W*(?:(?:=|of|z\W*=)\W*\d+\W*)?"
)


class _Record(NamedTuple):
    cell: tuple[int, ...]
    at: Token


def lists_of_cells(view: View, given_board: Board | None) -> Iterator[Offer]:
    """Yield tours by coordinates of the given board of cells, or else the offers of `lists`."""
    found = list(_by_coordinates(view, given_board)) if isinstance(given_board, CellBoard) else []
    yield from found or lists(view, given_board)


def grids_of_layers(view: View, given_board: Board | None) -> Iterator[Offer]:
    """Yield tours by layers of the given box, and the offers of `grids`."""
    if isinstance(given_board, CellBoard) and given_board.dimension > 2 and given_board.shape:
        for lines in dict.fromkeys((view.lines, by_brackets(view))):
            yield from _by_layers(lines, view.remarks, given_board)
    yield from grids(view, given_board)


def box_of_triples(text: str) -> str:
    """Return the box whose cells are the lines of three numbers of a text, or "".

    >>> box_of_triples("[0,0,0], [0,0,1], [0,1,0], [0,1,1], [1,0,0], [1,0,1], [1,1,0], [1,1,1]")
    '2x2x2'
    """
    lines = [re.findall(r"(?<![\w.])\d{1,4}(?![\w.])", line) for line in re.split(r"[\n\])}]", text)]
    triples = [tuple(map(int, numbers)) for numbers in lines if len(numbers) == 3]
    if not triples:
        return ""
    axes = list(zip(*triples, strict=True))
    lows, highs = (tuple(map(choose, axes)) for choose in (min, max))
    sides = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
    is_box = len(set(lows)) == 1 and lows[0] in (0, 1) and min(sides) > 1 and prod(sides) == len(set(triples))
    return "x".join(map(str, sides)) if is_box and len(triples) == len(set(triples)) else ""


# ---------------------------------------------------------------- coordinates


def _by_coordinates(view: View, cells: CellBoard) -> Iterator[Offer]:
    for joined, parts in parts_of(rows_in(view)):
        for how in ("each", "first", "last"):
            parts = [_without_size(part, cells) for part in parts]
            found = [_records(part, cells.dimension, how) for part in parts]
            records = [items for items in found if items is not None]
            if len(records) < len(found) or not any(isinstance(item, _Record) for items in records for item in items):
                continue
            placed = _interpret_records(
                [item for items in records for item in items if isinstance(item, _Record)], cells
            )
            if placed is None:
                continue
            said, place, fault = placed
            remarks = (*view.remarks, *joined, *said)
            if fault is not None:
                yield Offer(remarks, [Reading(cells, np.zeros((0, 2), dtype=np.int64), parts[0].line, fault)])
                continue
            items_of = [[_item(item, place) for item in items] for items in records]
            # Consecutive squares, or else moves.
            for orders in zip_longest(*(list(orders_of(items)) for items in items_of)):
                whole = [order for order in orders if order is not None]
                if len(whole) == len(orders):
                    more = dict.fromkeys(word for order in whole for word in order.said)
                    yield from offers_of(parts, whole, (*remarks, *more), cells, False, is_placed=True)


def _without_size(part: Part, cells: CellBoard) -> Part:
    """Return the part without lines that contain the size of the box."""
    sides = [max(axis) + 1 for axis in zip(*cells_of_shape(cells.shape), strict=True)] if cells.shape else []

    def is_size(line: Line) -> bool:
        return bool(sides) and [int(number) for number in re.findall(r"\d{1,9}", line.text)] == sides

    # Counted from 1, the size is also a cell.
    rows = part.rows[1:] if len(part.rows) > len(cells.cells) and is_size(part.rows[0].line) else part.rows
    return Part(rows, [line for line in part.around if not is_size(line)])


def _item(item: _Record | Token, place: dict[tuple[int, ...], int]) -> Item:
    return Item((0, place[item.cell]), item.at) if isinstance(item, _Record) else Item(None, item)


def _records(part: Part, k: int, how: str) -> list[_Record | Token] | None:
    """Return the coordinates of each cell, and other numbers; None for unknown tokens.

    Args:
        how: "each" if all numbers of a record are coordinates; "first" or "last" if this number is the step.
    """
    tokens = part.tokens
    if any(not isinstance(token.value, int) for token in tokens):
        return None
    groups = [list(group) for _, group in groupby(tokens, lambda token: token.group)]
    if any(token.group for token in tokens) and len(groups) > 1:
        groups = [one for group in groups for one in ([group] if group[0].group else [[token] for token in group])]
    else:
        groups = [row.tokens for row in part.rows]
        if len(groups) == 1 and how == "each" and len(tokens) % k == 0:
            groups = [tokens[at : at + k] for at in range(0, len(tokens), k)]
    found: list[_Record | Token] = []
    for group in groups:
        if len(group) == 1 and how == "each":
            found.append(group[0])
        elif len(group) == k and how == "each":
            found.append(_Record(_numbers(group), group[0]))
        elif len(group) == k + 1 and how == "first":
            found += [group[0], _Record(_numbers(group[1:]), group[1])]
        elif len(group) == k + 1 and how == "last":
            found += [_Record(_numbers(group[:-1]), group[0]), group[-1]]
        else:
            return None
    return found


def _numbers(tokens: Sequence[Token]) -> tuple[int, ...]:
    return tuple(token.value for token in tokens if isinstance(token.value, int))


_Places = tuple[tuple[str, ...], dict[tuple[int, ...], int], InvalidTour | None]


def _interpret_records(records: list[_Record], cells: CellBoard) -> _Places | None:
    """Return the interpretation of coordinates and the cell of each, with an error if most are cells, or None."""
    given = {record.cell for record in records}
    best: _Places | None = None
    for base in (0, 1):
        for axes in _axes(cells.dimension):
            place = {tuple(cell[axis] + base for axis in axes): number for number, cell in enumerate(cells.cells)}
            said = [f"cells by their coordinates, counted from {base}" if base else "cells by their coordinates"]
            if axes != tuple(range(cells.dimension)):
                said.append(f"axes in the order {', '.join(str(axis + 1) for axis in axes)}")
            if given <= place.keys():
                return tuple(said), place, None
            if best is None and len(given & place.keys()) >= _MOSTLY * len(given):
                step, (wrong, token) = next((k, r) for k, r in enumerate(records) if r.cell not in place)
                fault = InvalidTour(f"the board has no cell {wrong}, at {token.place}", step=step)
                best = tuple(said), place, fault
    return best


def _axes(dimension: int) -> Iterator[tuple[int, ...]]:
    """Yield the orders of the axes: unchanged, reversed, and any other for three axes."""
    own = tuple(range(dimension))
    yield own
    yield own[::-1]
    if dimension == 3:
        yield from (axes for axes in permutations(own) if axes not in (own, own[::-1]))


# ---------------------------------------------------------------- layers


def _by_layers(lines: tuple[Line, ...], remarks: tuple[str, ...], cells: CellBoard) -> Iterator[Offer]:
    blocks, titles = _blocks(lines)
    if blocks is None or len({len(row) for block in blocks for row in block}) != 1:
        return
    rows = [row for block in blocks for row in block]
    full = cells_of_shape(cells.shape)
    sides = [max(axis) + 1 for axis in zip(*full, strict=True)]
    if len(rows) * len(rows[0]) != prod(sides):
        return
    heights = {len(block) for block in blocks} if len(blocks) > 1 else set()
    line = next(line.number for line in lines if line.text.strip())
    seen = set[tuple[int, ...]]()
    for axes in _axes(cells.dimension):
        shape = tuple(sides[axis] for axis in axes)
        if shape in seen or shape[-1] != len(rows[0]) or (heights and heights != {shape[-2]}):
            continue
        seen.add(shape)
        numbers = np.array(rows).reshape(shape)
        # Reorder the axes of the text to the axes of the board.
        at = np.transpose(numbers, np.argsort(axes))
        found = _in_order(at, cells)
        if found is not None:
            how = "" if axes == tuple(range(cells.dimension)) else f" along side {axes[0] + 1} of the board"
            said = (*remarks, f"layers{how}", *(["titles of layers left out"] if titles else []))
            squares = np.stack([np.zeros(len(found), dtype=np.int64), found], axis=1)
            yield Offer(said, [Reading(cells, squares, line)])


def _blocks(lines: tuple[Line, ...]) -> tuple[list[list[list[int]]] | None, bool]:
    """Return the rows of each block, -1 for a hole; None for other texts."""
    blocks: list[list[list[int]]] = [[]]
    titled: list[int] = []
    for _, text in lines:
        words = re.sub(r"[\[\](){},;|]", " ", text).split()
        row = [_number(word) for word in words]
        if not re.search(r"\w", text) and not any(word in HOLE_MARKS for word in words):
            blocks.append([])
        elif len(row) > 1 and all(number is not None for number in row):
            blocks[-1].append([number for number in row if number is not None])
        elif _TITLE.fullmatch(text.strip().lower()) or not re.search(r"\d", text):
            titled += [int(re.findall(r"\d+", text)[0])] if re.search(r"\d", text) else []
            blocks.append([])
        else:
            return None, False
    is_in_turn = not titled or titled in (list(range(len(titled))), list(range(1, len(titled) + 1)))
    found = [block for block in blocks if block]
    return (found if found and is_in_turn else None), bool(titled)


def _number(word: str) -> int | None:
    if word in HOLE_MARKS:
        return -1
    return int(word) if re.fullmatch(r"\d{1,7}|-1", word) else None


def _in_order(numbers: np.ndarray, cells: CellBoard) -> np.ndarray | None:
    """Return the cells in the order of their numbers, or None if they do not count from 0 or 1."""
    values = [int(numbers[cell]) for cell in cells.cells]
    low = min(values)
    holes: list[Cell] = list(cells.missing)
    is_order = low in (0, 1) and sorted(values) == list(range(low, low + len(values)))
    if not is_order or any(numbers[cell] not in (-1, 0) for cell in holes):
        return None
    return np.argsort(np.array(values))
