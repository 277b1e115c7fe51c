"""`knightstour solve` without a board, on a terminal: a dialogue that ends with a tour and the command for it.

Every question has a default, and `?` explains it. After an invalid answer, the dialogue prints the error and repeats
the question. The answers become the arguments of a `solve` command, which is run and printed, so that the user can
repeat it without the dialogue.
"""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeVar

import click

from knightstour.core.drawing.kinds import picture_suffixes
from knightstour.core.model.board import Board
from knightstour.core.model.errors import KnightsTourError, in_one_line
from knightstour.core.model.grid_board import is_rectangle
from knightstour.core.model.problem import Problem
from knightstour.interfaces.cli import console, parsing
from knightstour.interfaces.cli.options import Target
from knightstour.interfaces.cli.output import check_output
from knightstour.interfaces.cli.pictures import picture_kind

T = TypeVar("T")
RunCommand = Callable[[list[str]], int]

# The questions, with the explanations for `?`.
_HELP = {
    "Which board?": "Rows x columns, such as 8x8 or 5x12; one number for a square board; or the name of a file that "
    "draws the board with . for squares and # for holes. Instead of a board: puzzle, to solve a puzzle; or play, to "
    "move the knight yourself in the browser.",
    "Any squares to leave out?": "Squares that are missing, such as a1,h8 or d4,e4,d5,e5. The letter is the column, "
    "from the left; the number is the row, from the bottom. The knight jumps over holes.",
    "Open or closed?": "A closed tour ends one knight's move from its start, so that the knight could repeat it for "
    "ever. An open tour may end anywhere.",
    "Where does it start?": "A square such as a1, the bottom left corner; or 0,0, the top left corner.",
    "Where does it end?": "A square such as h8. Not every pair of squares is possible; if yours is not, you get the "
    "reason.",
    "By rule or at random?": "By rule, a tour is built from ready pieces, immediately. At random, the board is "
    "covered with small loops, which are joined at random: probably a tour that is new.",
    "How many tours?": "The number of different tours.",
    "Watch the search?": "You see the board during the search, and can pause and step.",
    "Save a picture?": "The name of a file: tour.svg or tour.png for a picture; tour.gif for an animation.",
    "Another one?": "yes: another tour of the same kind. new: the questions again, for another board. no: the end.",
}
_FIRST = "Which board?"
# Answers other than a board, with their commands.
_INSTEAD = {"puzzle": ["puzzle", "6x6", "--level", "easy"], "play": ["serve", "--open"]}
_MOST = 1_000_000


class _OtherCommand(Exception):
    """The user chose another command, which is the arguments of the exception."""


class _EndOfInput(Exception):
    """The input ended at a question, which is the argument."""


@dataclass(frozen=True)
class _Answers:
    """The answers. words: the arguments of the command so far, without the seed."""

    board: Board
    words: list[str] = field(default_factory=list)
    count: int = 1

    def with_words(self, *more: str) -> _Answers:
        return replace(self, words=[*self.words, *more])


def converse(run_command: RunCommand) -> bool:
    """Run the dialogue until the user ends it. Return False if the input ended before the first answer.

    run_command: runs a command, such as ["solve", "8x8"], and returns its exit code.
    """
    try:
        click.echo("Knight's tours. Enter takes the answer in [brackets], ? explains, Ctrl-C ends.")
        click.echo("Instead of a board: puzzle, to solve a puzzle; or play, to move the knight yourself.")
        answers = _ask_problem()
        while True:
            _answer(answers, run_command)
            again = _ask("Another one?", "no", lambda text: _one_of(text, ["yes", "new", "no"]), note="yes, new or no")
            if again == "no":
                return True
            if again == "new":
                answers = _ask_problem()
    except _OtherCommand as other:
        run_command(list(other.args))
        click.echo(f"The same by one command: {shlex.join(['knightstour', *other.args])}")
        return True
    except _EndOfInput as end:
        click.echo()
        return end.args != (_FIRST,)


def _ask(question: str, default: str, understand: Callable[[str], T], *, note: str = "") -> T:
    """Repeat a question until its answer is valid."""
    while True:
        try:
            answer = input(f"{question}{f' {note}' if note else ''} [{default}]: ").strip() or default
        except EOFError:
            raise _EndOfInput(question) from None
        if answer == "?":
            click.echo(console.wrap_text(f"  {_HELP[question]}", 2))
            continue
        try:
            return understand(answer)
        except KnightsTourError as error:
            click.echo(console.wrap_text(f"  {error}" + (f"; {error.help}" if error.help else ""), 2))
        except OSError as error:
            click.echo(console.wrap_text(f"  {in_one_line(error)}", 2))
        except ValueError as error:
            click.echo(f"  {error}")


def _ask_problem() -> _Answers:
    answers = _ask_board()
    board = answers.board
    closed = _ask("Open or closed?", "open", lambda text: _one_of(text, ["open", "closed"])) == "closed"
    if closed:
        answers = answers.with_words("--closed")
    start = _ask("Where does it start?", "anywhere", lambda text: _square(text, board))
    if start is not None:
        answers = answers.with_words("--start", start)
    if not closed:
        end = _ask("Where does it end?", "anywhere", lambda text: _end(text, board, start))
        if end is not None:
            answers = answers.with_words("--end", end)
    if (
        is_rectangle(board)
        and _ask("By rule or at random?", "rule", lambda text: _one_of(text, ["rule", "random"])) == "random"
    ):
        answers = answers.with_words("--method", "merge")
    count = _ask("How many tours?", "1", lambda text: _number(text, 1, _MOST))
    if count > 1:
        answers = replace(answers.with_words("-n", str(count)), count=count)
    if count == 1 and console.is_live() and _ask("Watch the search?", "no", _yes_or_no, note="yes or no"):
        answers = answers.with_words("--watch")
    return answers


def _ask_board() -> _Answers:
    name, board = _ask(_FIRST, "8x8", _board)
    answers = _Answers(board, [name])
    if is_rectangle(board):

        def with_holes(text: str) -> tuple[str, Board] | None:
            return None if text.lower() in ("no", "none") else (text, parsing.board_of(f"{name}:-{text}"))

        holes = _ask("Any squares to leave out?", "no", with_holes, note="such as a1,h8")
        if holes is not None:
            answers = _Answers(holes[1], [f"{name}:-{holes[0]}"])
    return answers


def _board(text: str) -> tuple[str, Board]:
    """Return the specification and the board; raise _OtherCommand for another command."""
    if text.lower() in _INSTEAD:
        raise _OtherCommand(*_INSTEAD[text.lower()])
    return text, parsing.board_of(text)


def _answer(answers: _Answers, run_command: RunCommand) -> None:
    words = ["solve", *answers.words, "--seed", str(secrets.randbelow(10**6))]
    click.echo()
    is_found = run_command(words) == console.FOUND
    click.echo()
    if is_found and answers.count == 1:
        output = _ask("Save a picture?", "no", _picture_name, note="such as tour.svg")
        if output is not None:
            words = [word for word in words if word != "--watch"] + ["-o", output]
            if run_command(words) == console.FOUND:
                click.echo(f"  {output} is written")
    click.echo(f"The same by one command: {shlex.join(['knightstour', *words])}")


def _picture_name(text: str) -> str | None:
    if text.lower() in ("no", "n", "none"):
        return None
    if picture_kind(None, text) is None:
        raise ValueError(f"{text!r} is not the name of a picture, which ends in {', '.join(picture_suffixes())}")
    check_output(Target(None, text), may_draw=True)
    return text


def _square(text: str, board: Board) -> str | None:
    """Return None for any square."""
    if text.lower() in ("anywhere", "any", "no"):
        return None
    return board.square_name(board.square(text))


def _end(text: str, board: Board, start: str | None) -> str | None:
    """Raises an error if it is also the first square."""
    end = _square(text, board)
    if end is not None and start is not None:
        Problem(board, start=start, end=end)
    return end


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
