"""Requests for every path of the API, with seeds, so that each has one response.

Run as a program, it prints the library's responses, one line of JSON each.
"""

import json
import sys
from typing import Any

# Fields that depend on the machine and its speed.
_OF_THE_MACHINE = {"seconds", "memory", "workers"}

_FIVE = [24, 17, 20, 11, 0, 7, 4, 13, 22, 19, 8, 1, 10, 21, 18, 9, 2, 5, 12, 15, 6, 3, 14, 23, 16]
_SMALL = [11, 5, 3, 10, 4, 2, 9, 7, 1, 8, 6, 0]
_KNIGHT = "1 14 9 20 3\n24 19 2 15 10\n13 8 25 4 21\n18 23 6 11 16\n7 12 17 22 5\n"
_PUZZLE: dict[str, Any] = {"board": {"rows": 5, "cols": 5}, "closed": False, "given": {"e5": 25, "d2": 1, "e2": 16}}

QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "solve": [
        {"board": "8x8", "closed": True, "seed": 3},
        {"board": "6x6", "method": "rotation", "seed": 5},
        {"board": "8x8", "method": "backtracking", "seed": 2, "nodes": 20000},
        {"board": "8x8", "method": "warnsdorff", "seed": 9},
        {"board": "7x7", "given": {"a1": 1, "c2": 2}, "seed": 1},
        {"board": {"rows": 7, "cols": 7, "holes": [[3, 3]]}, "seed": 4},
        {"board": "6x6", "closed": True, "symmetry": "180", "seed": 7},
        {"board": "30x30", "method": "merge", "seed": 6},
        {"board": "4x4", "proof": True, "seed": 1},
        {"board": "5x5", "closed": True, "proof": True, "seed": 1},
    ],
    "trace": [
        {"board": "6x6", "method": "warnsdorff", "seed": 1},
        {"board": "5x5", "method": "backtracking", "seed": 2},
    ],
    "completable": [{"board": "5x5", "path": _FIVE[:9]}, {"board": "5x5", "path": [0, 7, 10]}],
    "count": [
        {"board": "5x5"},
        {"board": "5x6", "closed": True},
        {"board": "3x10"},
        {"board": "6x6", "known": True, "progress": True},
    ],
    "count/estimate": [{"board": "6x6", "samples": 200, "seed": 4}],
    "check": [{"text": _KNIGHT}, {"board": "5x5", "squares": _FIVE}, {"text": "1 2\n3 4"}],
    "facts": [{"board": "8x8"}, {"board": "5x5", "squares": _FIVE}, {"board": "20x20", "from_to": [[0, 0], [19, 18]]}],
    "puzzle": [
        {"board": "6x6", "level": "medium", "seed": 5},
        {"board": "6x6", "closed": True, "pattern": "180", "seed": 2},
    ],
    "puzzle/check": [{"puzzle": _PUZZLE}, {"puzzle": {"board": "5x5", "given": {"a1": 1}}, "n": 3}],
    "puzzle/hint": [{"puzzle": _PUZZLE, "state": {}}],
    "moves": [{"board": "6x7"}],
    "draw": [
        {"board": "5x5", "squares": _FIVE},
        {"board": "5x5", "squares": _FIVE, "format": "algebraic"},
        {"board": "5x5", "squares": _FIVE, "style": "ribbon"},
        {"board": "5x5", "squares": _FIVE, "format": "html"},
    ],
    "space/build": [{"board": "3x4"}, {"board": "30x30", "max_bytes": 0}],
    "space/unrank": [{"board": "3x4", "number": "3"}],
    "space/rank": [{"board": "3x4", "squares": _SMALL}],
    "space/random": [{"board": "3x4", "seed": 5}],
}


# Requests for boards, kinds of counts, and conditions.
_COUNTED: list[dict[str, Any]] = [
    {"board": "3x8"},
    {"board": "4x7", "directed": True},
    {"board": "3x12", "closed": True},
    {"board": "6x6", "closed": True},
    {"board": "6x6", "closed": True, "symmetry": "90"},
    {"board": "5x5", "symmetry": "180"},
    {"board": "5x6", "up_to_symmetry": True},
    {"board": "5x5", "start": "a1", "end": "e5"},
    {"board": "5x5", "given": {"a1": 1, "b3": 2}},
    {"board": {"rows": 4, "cols": 4, "wrap": "torus"}, "closed": True},
    {"board": {"rows": 3, "cols": 6, "wrap": "cylinder"}},
    {"board": {"rows": 5, "cols": 5, "leaper": [1, 4], "wrap": "torus"}},
    {"board": {"rows": 5, "cols": 5, "holes": [[0, 1], [4, 4]]}},
]
_FOUND: list[dict[str, Any]] = [
    {"board": "8x8", "closed": True, "start": "a1", "maximize": "turns", "seed": 1, "nodes": 3000},
    {"board": "7x8", "closed": True, "require": [["a1", "b3"]], "forbid": [["h7", "f6"]], "seed": 3},
    {"board": "10x10", "closed": True, "symmetry": "90", "seed": 3},
    {"board": "3x7", "closed": True, "seed": 1},
    {"board": {"rows": 6, "cols": 6, "wrap": "klein"}, "closed": True, "seed": 2},
    {"board": {"rows": 10, "cols": 10, "leaper": [2, 3]}, "seed": 2},
    {"board": "60x60", "closed": True, "seed": 12},
]


def questions_of_tables() -> list[tuple[str, dict[str, Any]]]:
    """Return a request with a seed for each method, level and format; and some counts."""
    from knightstour.core.formats.table import FORMATS
    from knightstour.core.methods.table import METHODS
    from knightstour.lab.puzzles.reasoning import LEVELS

    # Omit requests that need packages or processes, which browsers lack.
    methods = [name for name in METHODS if name not in ("sat", "clues", "portfolio")]
    whole = {"board": "6x6", "closed": True, "seed": 11, "nodes": 100_000}
    asked: dict[str, list[dict[str, Any]]] = {
        "solve": [{**whole, "method": name} for name in methods] + _FOUND,
        "puzzle": [{"board": "6x6", "level": level, "seed": 20_261_125} for level in LEVELS],
        "count": _COUNTED,
        "draw": [
            {"board": "5x5", "squares": _FIVE, "format": name} for name, row in FORMATS.items() if not row.is_binary
        ],
    }
    return [(path, body) for path, bodies in asked.items() for body in bodies]


def bare(value: Any) -> Any:
    """Remove parts that depend on the machine."""
    if isinstance(value, dict):
        return {name: bare(each) for name, each in value.items() if name not in _OF_THE_MACHINE}
    return [bare(each) for each in value] if isinstance(value, list) else value


def answer_of(path: str, body: dict[str, Any]) -> dict[str, Any]:
    """Return status, type and body of the response, or the events of a stream."""
    from knightstour.interfaces.web import here

    status, kind, parts = 0, "", []

    def send(word: str, *values: Any) -> None:
        nonlocal status, kind
        if word == "head":
            status, kind = values
        elif word == "part":
            parts.append(values[0].decode())

    here.answer(path, json.dumps(body).encode(), send)
    if kind.startswith("text/event-stream"):
        read = [json.loads(part.partition("data: ")[2]) for part in parts]
        # How many events come in one part depends on the clock, and which of those that say how far it is.
        events = [event for batch in read[1:-1] for event in (batch if isinstance(batch, list) else [batch])]
        batches = [event for event in events if not (isinstance(event, dict) and "made" in event)]
        return {"status": status, "kind": kind, "body": bare([read[0], batches, read[-1]])}
    text = "".join(parts)
    return {"status": status, "kind": kind, "body": bare(json.loads(text)) if kind == "application/json" else text}


def all_answers() -> list[str]:
    """Return a line for each request: its path, the request, the response."""
    rows = [(path, body) for path, bodies in QUESTIONS.items() for body in bodies] + questions_of_tables()
    return [json.dumps([path, body, answer_of(path, body)], sort_keys=True) for path, body in rows]


if __name__ == "__main__":
    for line in all_answers():
        print(line)
    sys.stdout.flush()
