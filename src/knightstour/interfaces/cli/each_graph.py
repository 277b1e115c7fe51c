"""Files of several graphs: a command is asked about one after another, and prints a line or a record of each."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from knightstour.core.model.errors import KnightsTourError
from knightstour.interfaces.cli import console

if TYPE_CHECKING:
    from knightstour.core.model.board import Board

# Why an option is refused there.
ONE_LINE = "the file holds several graphs, and each gets one line"
_MOST_REASON = 100


def ask_each(boards: Iterator[Board], ask: Callable[[Board, int | None], int]) -> int:
    """Ask about one board, or about each of several graphs; returns the exit code, of several the highest.

    ask: given a board and its place, from 1, or None for a single board; returns the exit code of the answer.
    """
    first = next(boards)
    second = next(boards, None)
    if second is None:
        return ask(first, None)
    codes, place = Counter[int](), 1
    try:
        for place, board in enumerate(chain((first, second), boards), 1):
            code = _asked(board, place, ask)
            if code == console.INTERRUPTED:
                _say_numbers(codes)
                return code
            codes[code] += 1
    except KeyboardInterrupt:
        console.say("note", f"interrupted at graph {place:,}")
        _say_numbers(codes)
        return console.INTERRUPTED
    _say_numbers(codes)
    return max(codes)


def _asked(board: Board, place: int, ask: Callable[[Board, int | None], int]) -> int:
    try:
        return ask(board, place)
    except KnightsTourError as error:
        # What is wrong with the first question is wrong with the command.
        if place > 1:
            error.note = "; ".join(filter(None, (f"asked about graph {place} of the file", error.note)))
        raise


def _say_numbers(codes: Counter[int]) -> None:
    """How many graphs were answered, and how many of them without a tour or not at all."""
    total = codes.total()
    words = [f"{total:,} graph{'' if total == 1 else 's'}"]
    for code, word in ((console.IMPOSSIBLE, "impossible"), (console.UNDECIDED, "undecided")):
        if codes[code]:
            words.append(f"{codes[code]:,} of them {word}")
    console.say("note", ", ".join(words))


def line_of(place: int, board: Board, answer: str, reason: str = "") -> str:
    """The line of a graph: its place, its nodes, the answer and the reason, cut to some 100 characters, between tabs.

    >>> from knightstour.core.model.board import Board
    >>> line_of(3, Board.from_graph([[1], [0]]), "impossible", "a closed tour has at least 3 squares")
    '3\\t2\\timpossible\\ta closed tour has at least 3 squares'
    """
    short = " ".join(reason.split())
    if len(short) > _MOST_REASON:
        short = textwrap.shorten(short, _MOST_REASON, placeholder=" ...")
    return "\t".join(filter(None, (str(place), str(board.square_count), answer, short)))
