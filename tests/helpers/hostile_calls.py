"""Calls of every public function in which one number after another is replaced, wherever its signature has one.

A new argument with a number is among them by itself. Of a new function only how it is called is to be added here.
"""

from __future__ import annotations

import functools
import inspect
import io
import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import knightstour as kt
from helpers.public import PUBLIC
from knightstour.core.model.errors import KnightsTourError

# What no argument takes, or only one that has no bound; and what is no whole number.
HOSTILE: dict[str, Any] = {
    "10**400": 10**400,
    "10**4400": 10**4400,
    "-1": -1,
    "-10**30": -(10**30),
    "-10**4400": -(10**4400),
    "True": True,
    "1.5": 1.5,
    "nan": math.nan,
}
# What an argument of a whole number refuses, whichever it is.
NEVER_WHOLE = ("10**4400", "-10**4400", "True", "1.5", "nan")

Form = Callable[[Any], Any]
# Where an argument of a type has a number.
_FORMS: dict[str, tuple[Form, ...]] = {
    r"\bint\b|\bfloat\b|\bRandomness\b|\bWorkers\b": (lambda v: v,),
    r"\bQuestion\b|\bBoardLike\b": (lambda v: v, lambda v: (v, 3), lambda v: (3, v)),
    r"tuple\[int, int\]": (lambda v: (1, v), lambda v: (v, 2)),
    r"\bSquare\b": (lambda v: (v, 0), lambda v: (0, v)),
    r"\bGiven\b": (lambda v: {(0, 0): v}, lambda v: {(v, 0): 1}, lambda v: {(0, 0): [1, v]}),
    r"\bMoves\b": (lambda v: [((0, 0), (v, 2))],),
    r"\bRange\b": (lambda v: (v, None), lambda v: (None, v)),
    r"Iterable\[int\]|Sequence\[int\]": (lambda v: [v],),
    r"\bWindow\b": (lambda v: (v, 0, 2, 2), lambda v: (0, 0, 2, v)),
    r"\bHighlight\b|\bPaths\b": (lambda v: [(v, 0)],),
}


class Call(NamedTuple):
    """A function with arguments that are right and keep its work short. function: maybe one that ends its work early.

    signature: whose arguments are replaced.
    """

    function: Callable[..., Any]
    args: tuple[Any, ...]
    options: dict[str, Any]
    signature: inspect.Signature


FEW = kt.Limits(seconds=2, nodes=1000)


@functools.cache
def _tour() -> kt.Tour:
    return kt.find_tour("5x5", rng=1)


@functools.cache
def _space() -> kt.TourSpace:
    return kt.TourSpace((3, 4))


@functools.cache
def _puzzle() -> kt.Puzzle:
    return kt.make_puzzle("5x5", rng=1)


def _implicit() -> kt.ImplicitTour:
    return kt.implicit_tour("6x6")


def _ended_early(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function; of what it gives one by one the first three."""

    def first_three(*args: Any, **options: Any) -> Any:
        found = function(*args, **options)
        return [item for item, _ in zip(found, range(3), strict=False)] if isinstance(found, Iterator) else found

    return first_three


SMALL = (3, 4)
_DRAWN = ("html", "pdf", "png", "svg", "text", "widget")
# Becomes the name of a file that is not there yet.
FILE = "a new file"
# The arguments of each public function: those by place, and by name.
FUNCTIONS: dict[str, Callable[[], tuple[tuple[Any, ...], dict[str, Any]]]] = {
    "animate": lambda: ((_tour(),), {"frames": 2}),
    "board_facts": lambda: ((SMALL,), {}),
    "census": lambda: ((SMALL, "turns"), {"samples": 10, "limits": FEW}),
    "certify_count": lambda: ((SMALL,), {}),
    "check_dataset": lambda: ((FILE,), {}),
    "check_sequence": lambda: (("A070030",), {"limits": kt.Limits(seconds=0.05)}),
    "check_tours": lambda: (([_tour()],), {"board": (5, 5)}),
    "compare": lambda: ((SMALL,), {"methods": ["warnsdorff"], "seeds": 1, "overall": 0.1}),
    "count_recurrence": lambda: ((SMALL,), {}),
    "count_starts": lambda: ((SMALL,), {}),
    "count_table": lambda: ((SMALL,), {}),
    "count_tours": lambda: ((SMALL,), {}),
    "draw": lambda: ((_tour(),), {}),
    "draft_sequence": lambda: (("A001230",), {"last": 2, "limits": FEW}),
    "draw_gallery": lambda: (([_tour()],), {}),
    **{f"draw_{kind}": lambda: ((_tour(),), {}) for kind in _DRAWN},
    "draw_sheet": lambda: (([_puzzle()],), {}),
    "draw_worksheet": lambda: (("degrees", (5, 5)), {}),
    "estimate_count": lambda: ((SMALL,), {"samples": 200, "limits": FEW}),
    "extend_sequence": lambda: (("A001230",), {"first": 2, "last": 2, "limits": FEW}),
    "find_sequences": lambda: ((SMALL,), {}),
    "find_tour": lambda: ((SMALL,), {"limits": FEW}),
    "format_puzzle": lambda: ((_puzzle(),), {}),
    "format_tour": lambda: ((_tour(),), {}),
    "growth_rate": lambda: ((3,), {"limits": FEW}),
    "implicit_tour": lambda: (((5, 5),), {}),
    "improve": lambda: ((_tour(),), {"limits": FEW}),
    "iter_sample": lambda: (((5, 5), 3), {"limits": FEW}),
    "iter_tours": lambda: ((SMALL,), {"limits": FEW}),
    "make_puzzle": lambda: (((5, 5),), {"limits": FEW}),
    "measure_tours": lambda: ((_tour().order[None],), {"board": (5, 5)}),
    "move_graph": lambda: ((SMALL,), {}),
    "overview": lambda: ((SMALL,), {"limits": FEW}),
    "parse_puzzle": lambda: ((kt.puzzles.format_puzzle(_puzzle()),), {}),
    "parse_tours": lambda: ((kt.format_tour(_tour()),), {}),
    "plan_count": lambda: ((SMALL,), {}),
    "plot": lambda: (("turns", (5, 5)), {"n": 5}),
    "read_board": lambda: ((io.StringIO("0 1\n1 2\n2 0\n"),), {}),
    "read_boards": lambda: ((io.StringIO("0 1\n1 2\n2 0\n"),), {}),
    "read_dataset": lambda: ((FILE,), {}),
    "read_puzzle": lambda: ((io.StringIO(kt.puzzles.format_puzzle(_puzzle())),), {}),
    "read_tours": lambda: ((io.StringIO(kt.format_tour(_tour())),), {}),
    "replay": lambda: (([], SMALL), {}),
    "sample_dataset": lambda: ((FILE, (5, 5), 3), {}),
    "sample_tours": lambda: (((5, 5), 3), {"limits": FEW}),
    "solve": lambda: ((SMALL,), {"limits": FEW}),
    "solve_puzzle": lambda: ((_puzzle(),), {"limits": FEW}),
    "stream_tour": lambda: ((_implicit(), f"{FILE}.npy"), {}),
    "verify": lambda: ((kt.solve("3x3").certificate,), {}),
    "write_bfile": lambda: ((FILE, "3x4"), {"limits": FEW}),
    "write_board": lambda: ((FILE, SMALL), {}),
    "write_puzzle": lambda: ((FILE, _puzzle()), {}),
    "write_sequence": lambda: ((FILE, "A001230"), {"last": 2, "limits": FEW}),
    "write_tours": lambda: ((FILE, _tour()), {}),
}
# Methods of what the functions give, and classes.
METHODS: dict[str, Callable[[], tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]] = {
    "Board": lambda: (kt.Board, SMALL, {}),
    "Limits": lambda: (kt.Limits, (), {}),
    "Trace": lambda: (kt.Trace, (), {}),
    "TourSpace": lambda: (kt.TourSpace, (SMALL,), {"limits": FEW}),
    "TourSpace.build": lambda: (kt.TourSpace.build, (SMALL,), {"path": FILE, "limits": FEW}),
    "TourSpace.estimate_step_counts": lambda: (_space().estimate_step_counts, (), {"samples": 10}),
    "TourSpace.iterate": lambda: (_space().iterate, (), {}),
    "TourSpace.orders": lambda: (_space().orders, ([1],), {}),
    "TourSpace.random_numbers": lambda: (_space().random_numbers, (3,), {}),
    "TourSpace.sample": lambda: (_space().sample, (3,), {}),
    "TourSpace.step_counts": lambda: (_space().step_counts, (), {}),
    "TourSpace.unrank": lambda: (_space().unrank, (1,), {}),
    "Tour": lambda: (kt.Tour, ((5, 5), list(_tour().squares)), {}),
    "Tour.rotated": lambda: (_tour().rotated, (0,), {}),
    "Tour.shifted": lambda: (kt.find_tour("6x6", closed=True, rng=1).shifted, (0,), {}),
    "ImplicitTour.index_of": lambda: (_implicit().index_of, ((0, 0),), {}),
    "ImplicitTour.numbers": lambda: (_implicit().numbers, (), {}),
    "ImplicitTour.order": lambda: (_implicit().order, (), {}),
    "ImplicitTour.square_at": lambda: (_implicit().square_at, (1,), {}),
    "ImplicitTour.window": lambda: (_implicit().window, (1, 3), {}),
    "ImplicitTour.windows": lambda: (_implicit().windows, (), {}),
    "Sequence.board": lambda: (kt.SEQUENCES["A001230"].board, (2,), {}),
    "Sequence.published_term": lambda: (kt.SEQUENCES["A001230"].published_term, (2,), {}),
}


def call_of(name: str) -> Call:
    """How a public function, class or method is called."""
    if name in METHODS:
        function, args, options = METHODS[name]()
    else:
        function = PUBLIC[name]
        args, options = FUNCTIONS[name]()
    return Call(_ended_early(function), args, options, inspect.signature(function))


def _with_file(value: Any, folder: Path) -> Any:
    return str(folder / f"{len(list(folder.iterdir()))}.txt") if isinstance(value, str) and value == FILE else value


def right_call(name: str, folder: Path) -> Callable[[], Any]:
    """The call that is right."""
    made = call_of(name)
    args = [_with_file(arg, folder) for arg in made.args]
    options = {key: _with_file(arg, folder) for key, arg in made.options.items()}
    return lambda: made.function(*args, **options)


def hostile_calls(name: str, folder: Path) -> Iterator[tuple[str, str, Callable[[], Any]]]:
    """(what is asked, the type of the argument, the call) for each number in each argument of a function."""
    call = call_of(name)
    places = [p.name for p in call.signature.parameters.values() if p.kind is not p.KEYWORD_ONLY]
    for parameter in call.signature.parameters.values():
        kind = str(parameter.annotation)
        forms = [form for pattern, found in _FORMS.items() if re.search(pattern, kind) for form in found]
        for k, form in enumerate(forms):
            for word, value in HOSTILE.items():

                def ask(form: Form = form, value: Any = value, at: str = parameter.name) -> Any:
                    made = call_of(name)
                    args = [_with_file(arg, folder) for arg in made.args]
                    options = {key: _with_file(arg, folder) for key, arg in made.options.items()}
                    if at in places and places.index(at) < len(args):
                        args[places.index(at)] = form(value)
                    else:
                        options[at] = form(value)
                    return made.function(*args, **options)

                yield f"{name}({parameter.name}={word}, form {k})", kind if k == 0 else "", ask


def outcome(ask: Callable[[], Any]) -> str:
    """What became of a call: "" for an answer, or the words of its error, which must be one of ours."""
    try:
        ask()
    except KnightsTourError as error:
        return str(error)
    return ""
