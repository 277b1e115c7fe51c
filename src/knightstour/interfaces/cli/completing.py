"""Shell completion for `knightstour`: boards, squares, methods, formats and other names from tables.

Imported only for completion. The shell itself completes file names, for which an item has the type "file".
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable
from itertools import islice
from typing import TYPE_CHECKING

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, shell_complete, split_arg_string

from knightstour.core.drawing.themes import THEMES
from knightstour.core.model.board import WRAPS
from knightstour.core.model.conditions import KINDS
from knightstour.core.model.pieces import PIECES
from knightstour.interfaces.cli import console

if TYPE_CHECKING:
    from knightstour.core.model.board import Board

Found = list[CompletionItem]
Complete = Callable[[click.Context, str], Found]

# Frequent sizes. Any other size can be typed.
_SIZES = ("3x10", "5x5", "5x6", "6x6", "7x7", "8x8", "10x10", "12x12", "20x20", "50x50", "100x100")
# Maximum number of squares in a completion.
_MAX_SQUARES = 2000


def set_completions(parameters: Iterable[click.Parameter]) -> None:
    """Set the completion of these parameters from the table WORDS."""
    for parameter in parameters:
        complete = WORDS.get(parameter.name or "")
        if complete is not None and not isinstance(parameter.type, click.Choice):
            parameter.shell_complete = complete  # type: ignore[assignment,method-assign]


@add_completion_class
class _Bash(BashComplete):
    """Completion in bash, which splits words at `:` and `=`, as in 8x8:torus or --style=curve.

    The words are therefore read from the line, and bash gets only the part of a completion after its last split.
    """

    source_template = BashComplete.source_template.replace(
        'COMP_WORDS="${COMP_WORDS[*]}" COMP_CWORD=$COMP_CWORD',
        'COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_WORD="${COMP_WORDS[COMP_CWORD]}"',
    ).replace("COMPREPLY+=($value)", "COMPREPLY+=($value); [[ $value == *[=-] ]] && compopt -o nospace")
    _before = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        """Return the words before the cursor, and the incomplete word."""
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line)
        incomplete = words.pop() if not line[-1:].isspace() and len(words) > 1 else ""
        part = os.environ["COMP_WORD"]
        if incomplete.endswith(part := "" if part in (":", "=") else part):
            self._before = incomplete[: len(incomplete) - len(part)]
        return words[1:], incomplete

    def format_completion(self, item: CompletionItem) -> str:
        """Return the type and the text that replaces the last part of the word."""
        return f"{item.type},{str(item.value).removeprefix(self._before)}"


def complete_words(group: click.Group, instruction: str) -> int:
    """Print the completion script ("bash_source") or completions ("bash_complete"); return the exit code."""
    if shell_complete(group, {}, "knightstour", "_KNIGHTSTOUR_COMPLETE", instruction) == 0:
        return 0
    console.print_message("error", f"cannot complete for {instruction!r}")
    console.print_message("help", "_KNIGHTSTOUR_COMPLETE is bash_source, zsh_source or fish_source")
    return console.USAGE


def _matching_words(words: Iterable[str | tuple[str, str]], typed: str) -> Found:
    pairs = ((word, None) if isinstance(word, str) else word for word in words)
    return [CompletionItem(word, help=meaning) for word, meaning in pairs if word.startswith(typed)]


def _boards(ctx: click.Context, typed: str) -> Found:
    """Complete sizes; after a colon, parts of a board; after -a1, holes."""
    before, colon, part = typed.rpartition(":")
    if not colon:
        return _matching_words(_SIZES, typed) or [CompletionItem(typed, type="file")]
    if not part.startswith("-"):
        words = [*((name, "piece") for name in PIECES), *((wrap, "joined sides") for wrap in WRAPS), ("-", "holes")]
        return _matching_words([(f"{before}:{word}", meaning) for word, meaning in words], typed)
    done, comma, _ = typed.rpartition(",")
    board = _board_named(done or before)
    prefix = done + comma or f"{before}:-"
    return [] if board is None else _matching_words([prefix + name for name in _names_of(board)], typed)


def _files(ctx: click.Context, typed: str) -> Found:
    return [CompletionItem(typed, type="file")]


def _board_of(ctx: click.Context) -> Board | None:
    """Return the previous argument as a board, or None."""
    # An option whose value is incomplete ends the parsing before the arguments.
    unread = next((word for word in ctx.args if not word.startswith("-")), None)
    return _board_named(str(ctx.params.get("board") or unread or "8x8"))


def _board_named(word: str) -> Board | None:
    from knightstour.core.model.errors import KnightsTourError
    from knightstour.interfaces.cli import parsing

    try:
        return parsing.board_of(word)
    except (KnightsTourError, OSError):
        return None


def _names_of(board: Board) -> list[str]:
    places = ((row, col) for row in range(board.rows) for col in range(board.cols))
    return sorted(board.square_name(place) for place in islice(places, _MAX_SQUARES) if place in board)


def _squares(ctx: click.Context, typed: str) -> Found:
    board = _board_of(ctx)
    return [] if board is None else _matching_words(_names_of(board), typed)


def _rows(module: str, table: str) -> Complete:

    def complete(ctx: click.Context, typed: str) -> Found:
        rows = getattr(importlib.import_module(f"knightstour.{module}"), table)
        return _matching_words([(name, getattr(row, "summary", "")) for name, row in rows.items()], typed)

    return complete


def _settings(ctx: click.Context, typed: str) -> Found:
    """Complete the settings of the given method, or of all methods."""
    from knightstour.core.methods.table import METHODS

    chosen = METHODS.get(str(ctx.params.get("method")))
    rows = METHODS.values() if chosen is None else [chosen]
    settings = {
        f"{option.name}={value}": option.help
        for row in rows
        for option in row.options.values()
        for value in option.choices or [""]
    }
    return _matching_words(settings.items(), typed)


def _levels(ctx: click.Context, typed: str) -> Found:
    from knightstour.lab.puzzles.reasoning import LEVELS

    done, comma, _ = typed.rpartition(",")
    return _matching_words([done + comma + level for level in (*LEVELS, "any")], typed)


_methods = _rows("core.methods.table", "METHODS")
_NAMES_OF_FILES = "file output proof checkpoint"
# Completion of each parameter, by its name.
WORDS: dict[str, Complete] = {
    "board": _boards,
    "start": _squares,
    "end": _squares,
    "symmetry": lambda ctx, typed: _matching_words(["180", "90", "horizontal", "vertical", *KINDS], typed),
    "method": _methods,
    "methods": _methods,
    "settings": _settings,
    "level": _levels,
    "distribution": _rows("lab.sampling.distributions.table", "DISTRIBUTIONS"),
    "sequence": _rows("lab.sequences.table", "SEQUENCES"),
    "minimize": _rows("core.statistics.table", "STATISTICS"),
    "maximize": _rows("core.statistics.table", "STATISTICS"),
    "by": _rows("core.statistics.table", "STATISTICS"),
    "style": _rows("core.drawing.styles", "STYLES"),
    "theme": lambda ctx, typed: _matching_words(("auto", *THEMES), typed),
    "format_name": _rows("core.formats.table", "FORMATS"),
    **dict.fromkeys(_NAMES_OF_FILES.split(), _files),
}
