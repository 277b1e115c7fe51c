"""Hints for names and attributes that do not exist: the name that was probably meant.

A hint is a text to type, or a sentence if it begins with a capital letter. `NAMES` is for the package, `ATTRIBUTES` for
its classes; names that resemble an existing one need no row.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

_PICTURES: Final = 'kt.draw(tour).save("tour.svg"); kt.draw(trace, "gif") is an animation'

NAMES: Final[dict[str, str]] = {
    **dict.fromkeys(("find", "tour", "search", "generate"), "kt.find_tour(8)"),
    **dict.fromkeys(
        ("hamiltonian_path", "hamiltonian_cycle", "hamilton_path", "hamilton_cycle"),
        "kt.find_tour(board); closed=True for a cycle",
    ),
    **dict.fromkeys(("warnsdorff", "backtracking"), 'kt.solve(8, method="{0}")'),
    **dict.fromkeys(("is_valid", "is_tour", "validate", "verify"), "kt.check"),
    "rank": "kt.TourSpace(board).rank(tour)",
    "unrank": "kt.TourSpace(board).unrank(n)",
    **dict.fromkeys(("plot", "show", "draw_svg", "draw_png", "draw_pdf", "draw_html", "animate"), _PICTURES),
    "Graph": "kt.Board.from_graph",
    **dict.fromkeys(("enumerate", "tours", "list_tours"), "kt.iter_tours"),
    "Limits": "timeout=, max_nodes= and memory= of each function",
    "puzzle": "kt.make_puzzle",
    "solve_puzzle": "puzzle.solve()",
    "read": "kt.read_tours",
    "write": "kt.write_tours",
    "save": "tour.save(path)",
    "read_board": "kt.Board.from_file(path)",
    "write_board": "board.save(path)",
    "move_graph": "board.move_graph()",
    "replay": "trace.replay()",
    "methods": "kt.METHODS",
    "distributions": "kt.DISTRIBUTIONS",
}

_SHOWN: Final = ("plot", "show", "draw", "display")
ATTRIBUTES: Final[dict[str, dict[str, str]]] = {
    "Tour": {
        **dict.fromkeys(("path", "positions", "cells"), "tour.squares"),
        "moves_list": "tour.moves",
        **dict.fromkeys(("is_valid", "is_tour", "validate"), "A Tour is always valid"),
        **dict.fromkeys(_SHOWN, 'kt.draw(tour), or tour.save("x.svg")'),
        "animate": 'kt.draw(tour, "gif")',
        **dict.fromkeys(("length", "size", "n"), "len(tour)"),
        **dict.fromkeys(("is_open", "closed"), "tour.is_closed"),
    },
    "Result": {
        "path": "result.tour.squares",
        **dict.fromkeys(("squares", "order", "moves", "numbers"), "result.tour.{0}"),
        **dict.fromkeys(_SHOWN, "kt.draw(result)"),
        "save": "result.tour.save(path)",
        "animate": 'kt.draw(result.tour, "gif")',
        "solution": "result.tour",
        "is_closed": "result.tour.is_closed",
    },
    "Board": {
        "neighbours": "board.neighbors",
        **dict.fromkeys(("size", "shape", "n"), "board.rows and board.cols; len(board) squares"),
        **dict.fromkeys(_SHOWN, "kt.draw(board)"),
    },
}


def hint_of(name: str, table: dict[str, str]) -> str:
    """Return the end of an error about an unknown name; "" if the table has no hint.

    >>> hint_of("neighbours", ATTRIBUTES["Board"]), hint_of("is_valid", ATTRIBUTES["Tour"]), hint_of("x", NAMES)
    ('; use board.neighbors', '. A Tour is always valid', '')
    """
    meant = table.get(name, "").format(name)
    if not meant:
        return ""
    return f". {meant}" if meant[0].isupper() else f"; use {meant}"


def no_attribute(kind: str, name: str, known: Iterable[str]) -> AttributeError:
    """Return the error for an unknown attribute of a class, with the name that was probably meant.

    >>> print(no_attribute("Tour", "path", ()), no_attribute("Tour", "squars", ["squares"]), sep=chr(10))
    Tour has no attribute 'path'; use tour.squares
    Tour has no attribute 'squars'; did you mean 'squares'?
    """
    # Python and other libraries often look up private names, and expect the error.
    if name.startswith("_"):
        return AttributeError(f"{kind} has no attribute {name!r}", name=name, obj=None)
    hint = hint_of(name, ATTRIBUTES[kind])
    if not hint:
        from knightstour.core.model.validation import did_you_mean

        hint = did_you_mean(name, [each for each in known if not each.startswith("_")])
    return AttributeError(f"{kind} has no attribute {name!r}{hint}", name=name, obj=None)
