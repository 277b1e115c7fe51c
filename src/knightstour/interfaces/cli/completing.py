"""What the shell completes after `knightstour`: boards, squares, methods, formats and other words of the tables.

Loaded only while a shell asks. A file is completed by the shell itself, which is said by an item of the type "file".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, shell_complete

from knightstour.core.formats.table import FORMATS
from knightstour.core.methods.table import METHODS
from knightstour.core.model.board import WRAPS, move_graph
from knightstour.core.model.condition_table import CONDITIONS
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.options import SettingOption

if TYPE_CHECKING:
    from knightstour.core.model.board import Board

Found = list[CompletionItem]
Complete = Callable[[click.Context, str], Found]

# Sizes that people ask for. Any other can be typed.
_SIZES = ("3x10", "5x5", "5x6", "6x6", "7x7", "8x8", "10x10", "12x12", "20x20", "50x50", "100x100")
_LEAPERS = (("1,2", "knight"), ("1,3", "camel"), ("1,4", "giraffe"), ("2,3", "zebra"))
# Squares that are offered at once.
_MOST_SQUARES = 2000


def teach(parameters: Iterable[click.Parameter]) -> None:
    """Let these parameters complete their words, by the table WORDS."""
    for parameter in parameters:
        complete = WORDS.get(parameter.name or "")
        if complete is not None and not isinstance(parameter.type, click.Choice):
            parameter.shell_complete = complete  # type: ignore[assignment,method-assign]


def complete_words(group: click.Group, instruction: str) -> int:
    """Answer the shell, which asks for its script ("bash_source") or for words ("bash_complete"); the exit code."""
    if shell_complete(group, {}, "knightstour", "_KNIGHTSTOUR_COMPLETE", instruction) == 0:
        return 0
    console.say("error", f"cannot complete for {instruction!r}")
    console.say("help", "_KNIGHTSTOUR_COMPLETE is bash_source, zsh_source or fish_source")
    return console.USAGE


def _starting(words: Iterable[str | tuple[str, str]], typed: str) -> Found:
    """The words that begin as what was typed; a word may come with its meaning."""
    pairs = ((word, None) if isinstance(word, str) else word for word in words)
    return [CompletionItem(word, help=meaning) for word, meaning in pairs if word.startswith(typed)]


def _boards(ctx: click.Context, typed: str) -> Found:
    """Sizes, and after a colon the parts of a board's word; after -a1, more holes."""
    before, colon, part = typed.rpartition(":")
    if not colon:
        return _starting(_SIZES, typed) or [CompletionItem(typed, type="file")]
    if not part.startswith("-"):
        words = [*_LEAPERS, *((wrap, "joined sides") for wrap in WRAPS), ("-", "holes")]
        return _starting([(f"{before}:{word}", meaning) for word, meaning in words], typed)
    done, comma, _ = typed.rpartition(",")
    board = _board_named(done or before)
    prefix = done + comma or f"{before}:-"
    return [] if board is None else _starting([prefix + name for name in _names_of(board)], typed)


def _files(ctx: click.Context, typed: str) -> Found:
    return [CompletionItem(typed, type="file")]


def _board_of(ctx: click.Context) -> Board | None:
    """The board that was typed before; None where it is not known yet."""
    # An option without its value, as it is typed now, ends the reading before the arguments.
    unread = next((word for word in ctx.args if not word.startswith("-")), None)
    return _board_named(str(ctx.params.get("board") or unread or "8x8"))


def _board_named(word: str) -> Board | None:
    """The board of a word; None where it makes none."""
    from knightstour.core.model.errors import KnightsTourError
    from knightstour.interfaces.cli import parsing

    try:
        return parsing.board_of(word)
    except (KnightsTourError, OSError):
        return None


def _names_of(board: Board) -> list[str]:
    """The names of its squares, or of as many as a shell can show."""
    places = ((row, col) for row in range(board.rows) for col in range(board.cols))
    return sorted(board.name(place) for place in islice(places, _MOST_SQUARES) if place in board)


def _squares_of(ctx: click.Context) -> list[str]:
    board = _board_of(ctx)
    return [] if board is None else _names_of(board)


def _squares(ctx: click.Context, typed: str) -> Found:
    return _starting(_squares_of(ctx), typed)


def _moves(ctx: click.Context, typed: str) -> Found:
    """A move such as a1-b3: first its square, then where it may lead."""
    first, dash, _ = typed.partition("-")
    if not dash:
        return _starting([f"{name}-" for name in _squares_of(ctx)], typed)
    board = _board_of(ctx)
    if board is None or first not in _squares_of(ctx):
        return []
    row, col = board.square(first)
    reached = move_graph(board).neighbour_lists()[row * board.cols + col]
    return _starting([f"{first}-{board.name(divmod(to, board.cols))}" for to in reached], typed)


def _given(ctx: click.Context, typed: str) -> Found:
    return _starting([f"{name}=" for name in _squares_of(ctx)], typed)


def _symmetries(ctx: click.Context, typed: str) -> Found:
    from knightstour.core.model.conditions import KINDS

    return _starting(["180", "90", "horizontal", "vertical", *KINDS], typed)


def _styles(ctx: click.Context, typed: str) -> Found:
    from knightstour.core.drawing.styles import STYLES

    return _starting(STYLES, typed)


def _objectives(ctx: click.Context, typed: str) -> Found:
    from knightstour.lab.objectives.table import OBJECTIVES

    return _starting(OBJECTIVES, typed)


def _distributions(ctx: click.Context, typed: str) -> Found:
    from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS

    return _starting([(name, row.summary) for name, row in DISTRIBUTIONS.items()], typed)


def _sequences(ctx: click.Context, typed: str) -> Found:
    from knightstour.lab.sequences.table import SEQUENCES

    return _starting(sorted(SEQUENCES), typed)


def _methods(ctx: click.Context, typed: str) -> Found:
    return _starting([(name, row.summary) for name, row in METHODS.items()], typed)


def _settings(ctx: click.Context, typed: str) -> Found:
    """NAME= and its values, of what the command may set: for the method or distribution that was typed, or for all."""
    own = next(each for each in ctx.command.params if isinstance(each, SettingOption))
    chosen = ctx.params.get("method") or ctx.params.get("distribution")
    options = {
        option.name: option
        for name, row in own.rows().items()
        if chosen in (None, "auto", name)
        for option in row.values()
    }
    name, mark, _ = typed.partition("=")
    if not mark:
        return _starting([(f"{each.name}=", each.help) for each in options.values()], typed)
    found = options.get(name)
    return [] if found is None else _starting([f"{name}={value}" for value in (*found.choices, *found.examples)], typed)


# What completes a condition, by the name in its row.
_CONDITIONS: dict[str, Complete] = {
    "given": _given,
    "moves": _moves,
    "squares": _squares,
    "symmetries": _symmetries,
}
# The name of a parameter -> what completes it.
WORDS: dict[str, Complete] = {
    "board": _boards,
    "of": _boards,
    "start": _squares,
    "end": _squares,
    **{name: _CONDITIONS[row.completes] for name, row in CONDITIONS.items() if row.completes},
    "method": _methods,
    "methods": _methods,
    "word": _methods,
    "settings": _settings,
    "distribution": _distributions,
    "sequence": _sequences,
    "objective": _objectives,
    "style": _styles,
    "theme": lambda ctx, typed: _starting(("auto", "light", "dark"), typed),
    "format_name": lambda ctx, typed: _starting([(name, row.summary) for name, row in FORMATS.items()], typed),
    **dict.fromkeys(
        (
            "file",
            "output",
            "proof",
            "path",
            "cnf",
            "layers",
            "checkpoint",
            "bfile",
            "sheet",
            "check",
            "solve",
            "against",
        ),
        _files,
    ),
}
