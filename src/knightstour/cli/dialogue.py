"""`knightstour` without a command: a short conversation that ends with tours.

Every question has a default; an answer that makes no sense is explained and asked for again, never replaced.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from knightstour.cli import console, parsing
from knightstour.cli.options import ManyWords, Target
from knightstour.cli.output import TourWriter
from knightstour.methods.solve import solve
from knightstour.model.board import Board
from knightstour.model.errors import KnightsTourError
from knightstour.model.problem import Problem

T = TypeVar("T")

_KINDS = {
    "open": "any tour",
    "closed": "ending a move from its start",
    "start": "open, from a square you choose",
    "ends": "open, between two squares you choose",
}
_FIRST_QUESTION = "Board: rows x columns, one number, or a file that draws it"


class _EndOfInput(Exception):
    """The input ended at a question, which is the argument."""


def converse() -> bool:
    """Ask and answer until the person says no. False if the input ended before the first answer."""
    try:
        click.echo("Knight's tours. Press Enter for the answer in [brackets]; Ctrl-C ends.")
        while True:
            _one_question()
            if not _ask("Again? yes or no", "no", _yes_or_no):
                return True
    except _EndOfInput as end:
        click.echo()
        return end.args != (_FIRST_QUESTION,)


def _ask(question: str, default: str, understand: Callable[[str], T]) -> T:
    """Ask until the answer is understood."""
    while True:
        try:
            answer = input(f"{question} [{default}]: ").strip() or default
        except EOFError:
            raise _EndOfInput(question) from None
        try:
            return understand(answer)
        except KnightsTourError as error:
            _show_error(error)
        except ValueError as error:
            click.echo(f"  {error}")


def _show_error(error: KnightsTourError) -> None:
    click.echo(f"  {error}" + (f"; {error.help}" if error.help else ""))


def _one_question() -> None:
    board = _ask(_FIRST_QUESTION, "8x8", parsing.board_of)
    kinds = "; ".join(f"{name} ({text})" for name, text in _KINDS.items())
    kind = _ask(f"Kind of tour: {kinds}", "open", lambda text: _one_of(text, list(_KINDS)))
    problem = _problem(board, kind)
    count = _ask("How many tours", "1", lambda text: _number(text, 1, 1_000_000))
    unique = count > 1 and _ask("All different? yes or no", "yes", _yes_or_no)
    randomness = _ask(
        "Randomness: none (the quickest way), or 0, 1, 2 (loops joined at random; 2 mixes most)",
        "none",
        lambda text: _one_of(text, ["none", "0", "1", "2"]),
    )
    method: dict[str, Any] = {} if randomness == "none" else {"method": "merge", "randomness": int(randomness)}
    status = console.StatusLine()
    writer = TourWriter(Target(None, None, False), many=ManyWords(count, unique, "all"), status=status)
    with console.told_about_compiling(status):
        try:
            result = solve(problem, n=count, unique=unique, on_tour=writer.take, on_progress=status.progress, **method)
        except KnightsTourError as error:
            status.clear()
            _show_error(error)
        except KeyboardInterrupt:
            status.clear()
            click.echo(f"  stopped; {writer.taken} of {count} found")
        else:
            status.clear()
            writer.finish(result)


def _problem(board: Board, kind: str) -> Problem:
    """The question of this kind; asks for the squares that it names."""
    if kind not in ("start", "ends"):
        return Problem.of(board, closed=kind == "closed")
    first = board.name((board.rows - 1, 0)) if board.labels is None else board.name((0, 0))
    start = _ask("Start square: a1 is bottom left, 0,0 is top left", first, lambda text: parsing.square_of(text, board))
    if kind == "start":
        return Problem.of(board, start=start)
    last = board.name((board.rows - 1, board.cols - 1))
    return _ask("End square", last, lambda text: Problem.of(board, start=start, end=parsing.square_of(text, board)))


def _one_of(text: str, choices: list[str]) -> str:
    found = [choice for choice in choices if choice.startswith(text.lower())]
    if text.lower() in choices:
        return text.lower()
    if len(found) == 1:
        return found[0]
    raise ValueError(f"{text!r} is not one of {', '.join(choices)}")


def _yes_or_no(text: str) -> bool:
    return _one_of(text, ["yes", "no"]) == "yes"


def _number(text: str, least: int, most: int) -> int:
    try:
        value = int(text)
    except ValueError:
        raise ValueError(f"{text!r} is not a whole number") from None
    if not least <= value <= most:
        raise ValueError(f"{value} is not between {least} and {most:,}")
    return value
