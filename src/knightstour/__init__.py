"""Knight's tours: ask for one on any board, and get it or the proof that there is none.

The public names below are loaded when first used, so `import knightstour` costs next to nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from knightstour.board import Board, BoardLike, MoveGraph, Square, move_graph
    from knightstour.errors import (
        BoardError,
        FormatError,
        InvalidTour,
        KnightsTourError,
        LimitReached,
        MethodError,
        NoTour,
        ProblemError,
    )
    from knightstour.result import Limits, Problem, Result, Status
    from knightstour.tour import Tour

__version__ = "0.1.0"

_HOME_OF = {
    "Board": "board",
    "BoardLike": "board",
    "MoveGraph": "board",
    "Square": "board",
    "move_graph": "board",
    "BoardError": "errors",
    "FormatError": "errors",
    "InvalidTour": "errors",
    "KnightsTourError": "errors",
    "LimitReached": "errors",
    "MethodError": "errors",
    "NoTour": "errors",
    "ProblemError": "errors",
    "Limits": "result",
    "Problem": "result",
    "Result": "result",
    "Status": "result",
    "Tour": "tour",
}

__all__ = [
    "Board",
    "BoardError",
    "BoardLike",
    "FormatError",
    "InvalidTour",
    "KnightsTourError",
    "LimitReached",
    "Limits",
    "MethodError",
    "MoveGraph",
    "NoTour",
    "Problem",
    "ProblemError",
    "Result",
    "Square",
    "Status",
    "Tour",
    "move_graph",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'knightstour' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"knightstour.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME_OF])
