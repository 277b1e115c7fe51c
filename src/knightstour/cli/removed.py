"""REMOVED: the options and commands that there are no more, and what to type instead."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_BOARD: Final = re.compile(r"\d+([xX×]\d+)?(:\S*)?")

# Option -> what to type now. {board} is the board that was typed, {value} what came after the option.
REMOVED: Final[dict[str, str]] = {
    "--leaper": "the piece is part of the board: {board}:{value}",
    "--wrap": "the joined sides are part of the board: {board}:{value}",
    "--holes": "the holes are part of the board: {board}:-{value}",
    "--holes-are": "the sign of a drawing's holes is part of the board: FILE:-{value}",
    "--from": "the format goes before the file: {value}:FILE",
    "--board": "the board goes behind the file: FILE {value}",
}
# The value that an option had, where none can be seen.
_VALUES: Final = {
    "--leaper": "2,3",
    "--wrap": "torus",
    "--holes": "a1,h8",
    "--holes-are": "0",
    "--from": "graph6",
    "--board": "8x8",
}


def instead_of(option: str, arguments: Sequence[str]) -> str | None:
    """What to type instead of a removed option, in one line; None for any other. arguments: all that was typed.

    >>> instead_of("--wrap", ["solve", "8x8", "--wrap", "torus"])
    'the joined sides are part of the board: 8x8:torus'
    """
    if option not in REMOVED:
        return None
    typed = dict(word.split("=", 1) for word in arguments if word.startswith("--") and "=" in word)
    after = [arguments[k + 1] for k, word in enumerate(arguments[:-1]) if word == option]
    value = typed.get(option) or next((word for word in after if not word.startswith("--")), "")
    rest = [word for word in arguments[1:] if word != value]
    board = next((word for word in rest if _BOARD.fullmatch(word)), "8x8")
    return REMOVED[option].format(board=board, value=value or _VALUES.get(option, ""))
