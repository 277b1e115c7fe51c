"""Models of SAT solvers: values of the variables of a `.cnf` file (formulas.py), which define a Hamiltonian cycle.

A solver writes `s SATISFIABLE` and lines `v 1 -2 3 0`, or `SAT` and the numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from knightstour.core.formats.faults import TruncatedText
from knightstour.core.formats.formulas import edges_in_order, variable_count
from knightstour.core.formats.text import Reading
from knightstour.core.machine.files import Source
from knightstour.core.model.board import Board, move_graph, title_of
from knightstour.core.model.errors import InvalidTour

_MODEL = re.compile(r"^(s (UN)?SATISFIABLE|v\s+-?\d+(\s|$)|(UN)?SAT(ISFIABLE)?\s*$)", re.MULTILINE)
_MAX_CHARS = 100_000_000
_HELP = "pass the .cnf file of the model: check MODEL.txt graph.cnf"


def looks_like_model(text: str) -> bool:
    """Whether the beginning of a text is output of a SAT solver.

    >>> looks_like_model("c found\\ns SATISFIABLE\\nv 1 -2 0\\n"), looks_like_model("v a b\\n")
    (True, False)
    """
    return _MODEL.search(text) is not None


def read_model(source: Source, given_board: Board | None) -> Iterator[Reading]:
    """Yield the cycle of a model. given: Board of the `.cnf` file.

    Raises:
        FormatError: If there is no board or no model, or a variable of an edge has no value.
    """
    line, values = _values(source)
    if given_board is None:
        raise source.fail("a model of a SAT solver does not contain its graph", line, help=_HELP)
    edges = edges_in_order(given_board)
    squares = np.stack(np.divmod(move_graph(given_board).squares, given_board.cols), axis=1)
    most = variable_count(len(squares), edges)
    if max(values) > most:
        why = f"the model has a variable {max(values)}, but the formula of the {title_of(given_board)} has {most}"
        raise source.fail(why, line, help=_HELP)
    missing = next((k for k in range(1, 2 * len(edges) + 1) if k not in values), None)
    if missing is not None:
        last = 2 * len(edges)
        why = (
            f"variable {missing} has no value; the edges of the {title_of(given_board)} have the variables 1 to {last}"
        )
        raise source.fail(why, line, help=_HELP)
    after: dict[int, int] = {}
    for k, (a, b) in enumerate(edges):
        for variable, tail, head in ((2 * k + 1, a, b), (2 * k + 2, b, a)):
            if not values[variable]:
                continue
            if tail in after:
                name = given_board.square_name(tuple(squares[tail].tolist()))
                fault = InvalidTour(f"the model has two arcs that leave {name}", step=None)
                yield Reading(given_board, squares[:0], line, fault)
                return
            after[tail] = head
    order, node = [0], after.get(0)
    while node is not None and node not in order[:1] and len(order) <= len(squares):
        order.append(node)
        node = after.get(node)
    yield Reading(given_board, squares[order], line)


def _values(source: Source) -> tuple[int, dict[int, bool]]:
    values: dict[int, bool] = {}
    first, number, is_ended, chars, is_bare = 0, 0, False, 0, False
    for number, text, is_whole in source.pieces():
        chars += len(text)
        if not is_whole or chars > _MAX_CHARS:
            raise source.fail("the line or file is too long for a model", number)
        words = text.split()
        if not words or words[0] == "c":
            continue
        status = " ".join(words[words[0] == "s" :]).upper()
        if status in ("UNSAT", "UNSATISFIABLE"):
            raise source.fail("the solver reports that there is no model, so the file contains no tour", number)
        if status in ("SAT", "SATISFIABLE"):
            is_bare = words[0] != "s"
            continue
        if words[0] == "v":
            del words[0]
        elif not is_bare:
            raise source.fail(f"{' '.join(words)[:40]!r} is not a line of a model", number)
        first = first or number
        for word in words:
            if is_ended or not re.fullmatch(r"-?\d{1,9}", word):
                why = "follows the 0 that ends the model" if is_ended else "is not the number of a variable"
                raise source.fail(f"{word[:40]!r} {why}", number)
            is_ended = word == "0"
            if values.setdefault(abs(int(word)), int(word) > 0) != (int(word) > 0):
                raise source.fail(f"variable {abs(int(word))} has two values", number)
    if values and not is_ended:
        raise source.fail("the model does not end with 0: is it truncated?", number, error=TruncatedText)
    if not values:
        raise source.fail("the solver's output has no lines 'v' with the values of the variables")
    return first, values
