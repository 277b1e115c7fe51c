"""Knight's tours: ask for one on any board, and get it or the proof that there is none.

The public names below are loaded when first used, so `import knightstour` costs next to nothing.
"""

from __future__ import annotations

# As typing has it, whose import takes longer than all of this.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

    from knightstour.board import Board, BoardLike, MoveGraph, Square, move_graph
    from knightstour.comparison import Comparison, compare
    from knightstour.counting.count import count_tours
    from knightstour.counting.estimate import Estimate, estimate_count
    from knightstour.counting.plan import CountPlan, plan_count
    from knightstour.counting.space import TourSpace
    from knightstour.datasets.checking import check_dataset
    from knightstour.datasets.reading import DataSet, read_dataset
    from knightstour.datasets.writing import sample_dataset
    from knightstour.drawing.animation import animate
    from knightstour.drawing.gallery import draw_gallery
    from knightstour.drawing.png import draw_png
    from knightstour.drawing.svg import Svg, draw_svg
    from knightstour.drawing.text import draw_text
    from knightstour.enumeration import iter_tours
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
    from knightstour.facts import BoardFacts, board_facts
    from knightstour.formats import FORMATS, format_tour, parse_tours, read_board, read_tours, write_board, write_tours
    from knightstour.implicit import ImplicitTour, implicit_tour
    from knightstour.improvement import OBJECTIVES, Improvement, improve
    from knightstour.methods import METHODS, Method, find_tour, solve
    from knightstour.result import Limits, Problem, Result, Status
    from knightstour.sampling import Sample, iter_sample, sample_tours
    from knightstour.streaming import stream_tour
    from knightstour.tour import Tour
    from knightstour.trace import Event, Trace, View, replay

__version__ = "0.1.0"

_HOMES = {
    "board": ("Board", "BoardLike", "MoveGraph", "Square", "move_graph"),
    "counting.estimate": ("Estimate", "estimate_count"),
    "counting.plan": ("CountPlan", "plan_count"),
    "counting.space": ("TourSpace",),
    "datasets.checking": ("check_dataset",),
    "datasets.reading": ("DataSet", "read_dataset"),
    "datasets.writing": ("sample_dataset",),
    "drawing.animation": ("animate",),
    "drawing.gallery": ("draw_gallery",),
    "drawing.png": ("draw_png",),
    "drawing.svg": ("Svg", "draw_svg"),
    "drawing.text": ("draw_text",),
    "errors": (
        "BoardError",
        "FormatError",
        "InvalidTour",
        "KnightsTourError",
        "LimitReached",
        "MethodError",
        "NoTour",
        "ProblemError",
    ),
    "enumeration": ("iter_tours",),
    "facts": ("BoardFacts", "board_facts"),
    "formats": ("FORMATS", "format_tour", "parse_tours", "read_board", "read_tours", "write_board", "write_tours"),
    "implicit": ("ImplicitTour", "implicit_tour"),
    "comparison": ("Comparison", "compare"),
    "counting.count": ("count_tours",),
    "improvement": ("OBJECTIVES", "Improvement", "improve"),
    "methods": ("METHODS", "Method", "find_tour", "solve"),
    "result": ("Limits", "Problem", "Result", "Status"),
    "sampling": ("Sample", "iter_sample", "sample_tours"),
    "streaming": ("stream_tour",),
    "tour": ("Tour",),
    "trace": ("Event", "Trace", "View", "replay"),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "FORMATS",
    "METHODS",
    "OBJECTIVES",
    "Board",
    "BoardError",
    "BoardFacts",
    "BoardLike",
    "Comparison",
    "CountPlan",
    "DataSet",
    "Estimate",
    "Event",
    "FormatError",
    "ImplicitTour",
    "Improvement",
    "InvalidTour",
    "KnightsTourError",
    "LimitReached",
    "Limits",
    "Method",
    "MethodError",
    "MoveGraph",
    "NoTour",
    "Problem",
    "ProblemError",
    "Result",
    "Sample",
    "Square",
    "Status",
    "Svg",
    "Tour",
    "TourSpace",
    "Trace",
    "View",
    "animate",
    "board_facts",
    "check_dataset",
    "compare",
    "count_tours",
    "draw_gallery",
    "draw_png",
    "draw_svg",
    "draw_text",
    "estimate_count",
    "find_tour",
    "format_tour",
    "implicit_tour",
    "improve",
    "iter_sample",
    "iter_tours",
    "move_graph",
    "parse_tours",
    "plan_count",
    "read_board",
    "read_dataset",
    "read_tours",
    "replay",
    "sample_dataset",
    "sample_tours",
    "solve",
    "stream_tour",
    "write_board",
    "write_tours",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'knightstour' has no attribute {name!r}")
    import importlib

    value = getattr(importlib.import_module(f"knightstour.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME_OF})
