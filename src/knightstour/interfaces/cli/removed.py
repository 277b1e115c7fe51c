"""What there is no more: options and commands, and what to type instead. One table each, and one line for each word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

# What looks like the word of a board.
BOARD: Final = re.compile(r"\d+([xX×]\d+)?(:\S*)?")

# Option -> what to type now. {board} is the board that was typed, {option} the option with what came after it, {value}
# that alone, {name} the option without its dashes.
_OF_PICTURES: Final = "`draw` has what pictures look like: knightstour {command} ... | knightstour draw - {option}"
_OF_ROWS: Final = "what belongs to one method, distribution or puzzle is set: --set {name}={value}"
REMOVED: Final[dict[str, str]] = {
    "--leaper": "the piece is part of the board: {board}:{value}",
    "--wrap": "the joined sides are part of the board: {board}:{value}",
    "--holes": "the holes are part of the board: {board}:-{value}",
    "--holes-are": "the sign of a drawing's holes is part of the board: FILE:-{value}",
    "--from": "the format goes before the file: {value}:FILE",
    "--board": "the board goes behind the file: FILE {value}",
    "--table": "what is counted of each: --by symmetry",
    **{f"--{word}": f"what is counted of each: --by {word}" for word in ("moves", "steps", "starts")},
    **{f"--{word}": f"the counts of all lengths: --growth {word}" for word in ("recurrence", "rate")},
    "--law": "the word is distribution: --distribution {value}",
    "--resume": "the same command goes on with what is there: leave out --resume",
    "--search": "a moving picture shows what is watched: --watch -o search.gif",
    "--scheduler": "workers are a number or an address: --workers {value}",
    **dict.fromkeys(
        (
            *("--theme", "--colors", "--numbers", "--labels", "--coordinates", "--arrows", "--mark-ends"),
            *("--closing-move", "--highlight", "--filled", "--background", "--line", "--line-width", "--size"),
            *("--paper", "--margin", "--landscape", "--title", "--window", "--per-row", "--fps", "--frames"),
        ),
        _OF_PICTURES,
    ),
    **dict.fromkeys(
        (
            *("--move-order", "--prune", "--ties", "--critical-budget", "--randomness", "--update", "--cover", "--hot"),
            *("--cold", "--turns", "--ants", "--fading", "--sight", "--kind", "--population", "--generations"),
            *("--repair", "--mutation", "--fewest", "--every", "--burn-in", "--places", "--text"),
        ),
        _OF_ROWS,
    ),
}
# The value that an option had, where none can be seen.
_VALUES: Final = {
    "--leaper": "2,3",
    "--wrap": "torus",
    "--holes": "a1,h8",
    "--holes-are": "0",
    "--from": "graph6",
    "--board": "8x8",
    "--scheduler": "tcp://host:8786",
}
# Command -> what to type now.
REMOVED_COMMANDS: Final[dict[str, str]] = {
    "methods": "knightstour explain",
    "where": "knightstour solve BOARD --at STEP",
    "embed": "knightstour draw --page-script",
    "cache": "knightstour count --clear",
    "warm": "the command itself: nothing is compiled at its first use",
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
    board = next((word for word in rest if BOARD.fullmatch(word)), "8x8")
    name = option[2:].replace("-", "_")
    whole = f"{option} {value}".strip()
    value = value or _VALUES.get(option, "VALUE")
    # The paper of puzzles is set at `puzzle` itself.
    now = _OF_ROWS if (arguments[0], option) == ("puzzle", "--paper") else REMOVED[option]
    return now.format(board=board, value=value, name=name, option=whole, command=arguments[0])
