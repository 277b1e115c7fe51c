"""Options of the searches: names, values and defaults.

They are separate so that the table of methods, the help and the page read them without loading a search or NumPy.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from knightstour.core.model.errors import ProblemError
from knightstour.core.model.option import Option, by_name
from knightstour.core.model.validation import quoted, wrong_type

# ---------------------------------------------------------------- backtracking

# Any order of the moves by their 1-based places in the piece's `vectors`, such as "13572468", is an order too.
DIGITS: Final = (
    "digits such as 13572468, which are the moves by rows down and columns right: "
    "1 (+2,+1), 2 (+1,+2), 3 (-1,+2), 4 (-2,+1), 5 (-2,-1), 6 (-1,-2), 7 (+1,-2), 8 (+2,-1)"
)
ORDERS: Final[dict[str, str]] = {
    "classic": "the fixed order of the classical programs, 12345678",
    "random": "for each square an order of its own, shuffled by the seed",
    "warnsdorff": "at each step the square with the fewest ways left first",
    "lexicographic": "squares by their names, the letter and then the number: a1 a2 a3 .. b1; nodes of a graph in turn",
}

PRUNINGS: Final[dict[str, str]] = {
    "stranded": "cuts where an unvisited square has fewer than two ways left, one in and one out",
    "forced": "squares with two ways left must use both: cuts where such moves clash or close a cycle too early",
    "closing": "cuts when no path is left back to the start of a closed tour, or to the given end",
    "connectivity": "cuts where the unvisited squares are no longer all within reach",
    "islands": "cuts where squares behind a single one cannot be the last stretch of the tour, or colours do not fit",
}


def prunings_named(prune: object) -> list[str]:
    """Return the names in a text such as "forced,closing", "all" or "none", or in a sequence; raise ProblemError."""
    if not isinstance(prune, Sequence) or not all(isinstance(name, str) for name in prune):
        raise ProblemError(f"no prunings: {quoted(prune)}", help="all, none, or names from " + ", ".join(PRUNINGS))
    names = [name.strip() for name in prune.split(",")] if isinstance(prune, str) else list(prune)
    names = [name for name in names if name]
    if names in (["all"], ["none"]):
        return list(PRUNINGS) if names == ["all"] else []
    for name in names:
        if name not in PRUNINGS:
            listed = ", ".join(PRUNINGS)
            raise ProblemError(f"unknown pruning {name!r}", help=f"all, none, or names from {listed} with commas")
    return names


def check_move_order(move_order: object) -> None:
    """Raise ProblemError unless the value is one of ORDERS or a text of different digits."""
    if not isinstance(move_order, str):
        raise wrong_type("move_order", "a text", move_order)
    text = move_order
    if text not in ORDERS and not (text.isdigit() and len(set(text)) == len(text)):
        listed = ", ".join(ORDERS)
        raise ProblemError(
            f"unknown order of moves {quoted(move_order)}",
            help=f"one of {listed}, or the moves as digits in any order; `knightstour explain backtracking` lists them",
        )


OF_BACKTRACKING: Final = by_name(
    Option(
        "move_order",
        str,
        "order of the moves: " + ", ".join(f"{name} ({what})" for name, what in ORDERS.items()) + f" or {DIGITS}",
        default="classic",
        examples=tuple(ORDERS),
        check=check_move_order,
    ),
    Option(
        "prune",
        str,
        "prunings: all, none, or a list of " + ",".join(PRUNINGS),
        default="none",
        examples=("all", "none", *PRUNINGS),
        check=prunings_named,
    ),
)

# ---------------------------------------------------------------- Warnsdorff's rule

TIES: Final[dict[str, str]] = {
    "first": "the first of the tied moves in the classical order",
    "random": "any of the tied moves",
    "pohl": "the square whose free neighbours have the fewest free neighbours in all",
    "roth": "the square farthest from the board's centre, or from where the tour must end",
    "squirrel": "an order of the moves that changes at certain squares, made for n x n boards from the top left corner",
}

DEFAULT_TIES: Final = "roth"
CRITICAL_BUDGET: Final = 20
# With these options another seed gives another tour.
VARIED: Final = {"ties": "random"}

OF_WARNSDORFF: Final = by_name(
    Option("ties", str, "rule for breaking ties", choices=dict.fromkeys(TIES, ""), default=DEFAULT_TIES),
    Option(
        "critical_budget",
        int,
        "number of dead ends at which it returns to the latest tie before it restarts",
        least=0,
        default=CRITICAL_BUDGET,
    ),
)

# ---------------------------------------------------------------- joining loops

RANDOMNESS: Final[dict[int, str]] = {
    0: "one fixed cover by loops of four squares; only the joining is random",
    1: "each loop of four squares is cut into two pairs, in one of two ways at random",
    2: "a finished tour is cut into consecutive pairs and joined again, several times",
}
OF_MERGE: Final = by_name(Option("randomness", int, "degree of randomness", choices=RANDOMNESS, default=1))
