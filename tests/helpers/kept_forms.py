"""Informal notations of tours: each row writes a tour. None is an exact format."""

import json
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from knightstour import Tour

Form = Callable[[Tour], str]


def _names(tour: Tour) -> list[str]:
    return [str(label) for label in tour.labels]


def _rows(tour: Tour, first: int) -> list[list[int]]:
    return (tour.numbers - 1 + first).tolist()


def _pairs(tour: Tour, first: int) -> list[tuple[int, int]]:
    return [(r + first, c + first) for r, c in tour]


def _wrapped(words: list[str], count: int, between: str = " ") -> str:
    return "\n".join(between.join(words[k : k + count]) for k in range(0, len(words), count))


def _framed(tour: Tour, first: int, corner: str, side: str, bar: str) -> str:
    width = len(str(len(tour)))
    line = corner + (side * (width + 2) + corner) * tour.board.cols
    rows = [f"{bar} " + f" {bar} ".join(str(x).rjust(width) for x in row) + f" {bar}" for row in _rows(tour, first)]
    return "\n".join([line, *(text for row in rows for text in (row, line))])


def _beside(tour: Tour, first: int) -> str:
    """Add the letters and numbers of the board, as in chess diagrams."""
    rows, cols = tour.board.rows, tour.board.cols
    lines = [f"{rows - k:2d} | " + " ".join(f"{x:3d}" for x in row) for k, row in enumerate(_rows(tour, first))]
    return "\n".join([*lines, "     " + " ".join(f"{chr(97 + c):>3}" for c in range(cols))])


def _game(tour: Tour) -> str:
    names = _names(tour)
    return " ".join(f"{k // 2 + 1}. " * (k % 2 == 0) + f"N{name}" for k, name in enumerate(names))


def _from_to(tour: Tour, write: Callable[[str, str], str], between: str = " ") -> str:
    names = _names(tour)
    return between.join(write(a, b) for a, b in zip(names, names[1:], strict=False))


def _numpy(tour: Tour, first: int) -> str:
    with np.printoptions(threshold=10**6):
        return str(tour.numbers - 1 + first)


FORMS: dict[str, Form] = {
    "row, column and step a line": lambda t: "\n".join(f"{r} {c} {k}" for k, (r, c) in enumerate(_pairs(t, 0), 1)),
    "powers of ten": lambda t: "\n".join(" ".join(f"{x:.18e}" for x in row) for row in _rows(t, 1)),
    "nested lists from 0": lambda t: json.dumps(_rows(t, 0)),
    "JSON with a name": lambda t: json.dumps({"size": len(t), "grid": _rows(t, 1)}, indent=1),
    "braces": lambda t: (
        "int board[][] = {" + ",\n".join("{" + ", ".join(map(str, r)) + "}" for r in _rows(t, 1)) + "};"
    ),
    "matrix of semicolons": lambda t: "A = [" + "; ".join(" ".join(map(str, r)) for r in _rows(t, 1)) + "];",
    "printed array from 0": lambda t: _numpy(t, 0),
    "frame of pluses": lambda t: _framed(t, 1, "+", "-", "|"),
    "frame of lines": lambda t: _framed(t, 1, "┼", "─", "│"),
    "table of a wiki": lambda t: "\n".join(
        ["|" + " |" * t.board.cols, "|" + "---|" * t.board.cols]
        + ["| " + " | ".join(map(str, row)) + " |" for row in _rows(t, 1)]
    ),
    "table of TeX": lambda t: (
        "\\begin{tabular}{cccccccc}\n"
        + "\n".join(" & ".join(map(str, row)) + r" \\ \hline" for row in _rows(t, 1))
        + "\n\\end{tabular}"
    ),
    "table of HTML": lambda t: (
        "<table>"
        + "\n".join("<tr>" + "".join(f"<td>{x}</td>" for x in row) + "</tr>" for row in _rows(t, 1))
        + "</table>"
    ),
    "letters and numbers beside": lambda t: _beside(t, 1),
    "header of columns": lambda t: (
        ",".join(map(str, range(t.board.cols))) + "\n" + "\n".join(",".join(map(str, row)) for row in _rows(t, 1))
    ),
    "header and numbers of rows": lambda t: (
        "   "
        + " ".join(f"{c:3d}" for c in range(1, t.board.cols + 1))
        + "\n"
        + "\n".join(f"{k:2d} " + " ".join(f"{x:3d}" for x in row) for k, row in enumerate(_rows(t, 0), 1))
    ),
    "heading and time": lambda t: (
        "Solution found for the board:\n\n" + _plain(t, 1) + "\n\nElapsed time: 0.0123 seconds"
    ),
    "size on top": lambda t: f"{t.board.rows} {t.board.cols}\n" + _plain(t, 1),
    "comments": lambda t: "\n".join("// " + line for line in _plain(t, 1).splitlines()),
    "quoted in a letter": lambda t: "He wrote:\n" + "\n".join("> " + line for line in _plain(t, 1).splitlines()),
    "fences": lambda t: "```\n" + _plain(t, 1) + "\n```",
    "labels of rows": lambda t: "\n".join(
        f"Row {k}: " + " ".join(map(str, row)) for k, row in enumerate(_rows(t, 1), 1)
    ),
    "full-width digits": lambda t: _plain(t, 1).translate({48 + k: 0xFF10 + k for k in range(10)}),
    "squares with arrows": lambda t: " -> ".join(_names(t)),
    "squares with drawn arrows": lambda t: " → ".join(_names(t)),
    "squares with typesetter's dashes": lambda t: " – ".join(_names(t)).upper(),
    "squares over lines": lambda t: _wrapped(_names(t), 5),
    "squares numbered": lambda t: "\n".join(f"{k}. {name}" for k, name in enumerate(_names(t), 1)),
    "squares in columns": lambda t: "step,square\n" + "\n".join(f"{k},{name}" for k, name in enumerate(_names(t), 1)),
    "squares of knights": lambda t: " ".join("N" + name for name in _names(t)),
    "moves of a game": _game,
    "moves with dashes": lambda t: _from_to(t, "N{}-{}".format),
    "moves with arrows, a line each": lambda t: _from_to(t, "{} -> {}".format, "\n"),
    "squares run together": lambda t: "".join(_names(t)),
    "pairs from 1": lambda t: " ".join(f"({r},{c})" for r, c in _pairs(t, 1)),
    "pairs from 0 with arrows": lambda t: "->".join(f"({r},{c})" for r, c in _pairs(t, 0)),
    "pairs in brackets from 1": lambda t: json.dumps([list(pair) for pair in _pairs(t, 1)]),
    "pairs as JSON objects": lambda t: json.dumps([{"row": r, "col": c} for r, c in _pairs(t, 0)]),
    "pairs a line from 1": lambda t: "\n".join(f"{r} {c}" for r, c in _pairs(t, 1)),
    "pairs under names": lambda t: "row col\n" + "\n".join(f"{r} {c}" for r, c in _pairs(t, 1)),
    "pairs in sentences": lambda t: "\n".join(
        f"Step {k}: row {r}, column {c}" for k, (r, c) in enumerate(_pairs(t, 1), 1)
    ),
    "pairs from a square to the next": lambda t: "\n".join(
        f"Step {k}: {a} -> {b}" for k, (a, b) in enumerate(zip(_pairs(t, 0), _pairs(t, 0)[1:], strict=False), 1)
    ),
    "numbers of names": lambda t: ", ".join(
        f"{n}={k}" for n, k in sorted(zip(_names(t), range(1, len(t) + 1), strict=True))
    ),
    "numbers of pairs": lambda t: str({pair: k for k, pair in sorted(enumerate(_pairs(t, 0)), key=lambda x: x[1])}),
    "numbers of cells": lambda t: "\n".join(
        f"board[{r}][{c}] = {x};" for r, row in enumerate(_rows(t, 0)) for c, x in enumerate(row)
    ),
    "rows of row, column, number": lambda t: (
        "row,col,number\n"
        + "\n".join(f"{r},{c},{x}" for r, row in enumerate(_rows(t, 1), 1) for c, x in enumerate(row, 1))
    ),
    "table of steps": lambda t: (
        "| Step | From | To | Move |\n|---|---|---|---|\n"
        + "\n".join(
            f"| {k} | {a} | {b} | {a} -> {b} |"
            for k, (a, b) in enumerate(zip(_names(t), [*_names(t)[1:], "-"], strict=True), 1)
        )
    ),
    "underscores before": lambda t: "\n".join(" ".join(str(x).rjust(3, "_") for x in row) for row in _rows(t, 1)),
    "size and square numbers": lambda t: f"{t.board.rows} {t.board.cols}\n" + " ".join(map(str, t.order.tolist())),
    "pairs on one line": lambda t: " ".join(f"{r} {c}" for r, c in _pairs(t, 0)),
}


def _plain(tour: Tour, first: int) -> str:
    width = len(str(len(tour)))
    return "\n".join(" ".join(str(x).rjust(width) for x in row) for row in _rows(tour, first))


# Notations that are ambiguous if a text contains several.
ALONE = frozenset({"pairs from a square to the next", "size and square numbers"})

# Forms that hold the first square again at the end; of closed tours alone.
CLOSED_FORMS: dict[str, Form] = {
    "squares, the first again": lambda t: " ".join([*_names(t), _names(t)[0]]),
    "pairs, the first again": lambda t: str([*_pairs(t, 1), _pairs(t, 1)[0]]),
    "moves run together, closed": lambda t: _from_to(t, "{}{}".format) + f" {_names(t)[-1]}{_names(t)[0]}",
}

# Forms of square boards alone.
SQUARE_FORMS: dict[str, Form] = {
    "moves between square numbers": lambda t: "\n".join(f"{a} {b}" for a, b in pairwise(t.order.tolist())),
    "steps behind square numbers": lambda t: "\n".join(f"{a} {k}" for k, a in enumerate(t.order.tolist())),
    "a dict of steps": lambda t: str({a: k for k, a in enumerate(t.order.tolist(), 1)}),
    "square numbers from 0": lambda t: " ".join(map(str, t.order.tolist())),
    "square numbers from 1": lambda t: ", ".join(str(x + 1) for x in t.order.tolist()),
    "a diagram on one line": lambda t: " ".join(map(str, t.numbers.ravel().tolist())),
}
