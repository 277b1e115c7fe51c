"""A number beyond all bounds, or what is no number, in an argument of each kind: an answer, or one clear error."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from typing import Any

import pytest

import knightstour as kt
from knightstour.core.model.errors import KnightsTourError

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
FEW = kt.Limits(seconds=2, nodes=1000)


@functools.cache
def a_tour() -> kt.Tour:
    return kt.find_tour("5x5", rng=1)


@functools.cache
def a_space() -> kt.TourSpace:
    return kt.TourSpace((3, 4))


# Arguments of a whole number: what it counts or names.
WHOLE: dict[str, Callable[[Any], Any]] = {
    "tours": lambda v: kt.sample_tours("5x5", v, limits=FEW),
    "samples": lambda v: kt.estimate_count((3, 4), samples=v, limits=FEW),
    "threads": lambda v: kt.count_tours((3, 4), threads=v),
    "nodes": lambda v: kt.Limits(nodes=v),
    "frames": lambda v: kt.animate(a_tour(), frames=v),
    "number of a tour": lambda v: a_space().unrank(v),
    "step": lambda v: kt.implicit_tour("6x6").square_at(v),
    "place on a tour": lambda v: kt.find_tour("6x6", closed=True, rng=1).shifted(v),
    "place in a sequence": lambda v: kt.SEQUENCES["A001230"].board(v),
}
# Other arguments with a number in them, by the name of their type.
OTHER: dict[str, Callable[[Any], Any]] = {
    "Randomness": lambda v: kt.find_tour("5x5", rng=v, limits=FEW),
    "Workers": lambda v: kt.count_tours((3, 4), workers=v),
    "seconds": lambda v: kt.Limits(seconds=v),
    "size of a picture": lambda v: kt.draw(a_tour(), size=v),
    "numbers of a picture": lambda v: kt.draw(a_tour(), numbers=v),
    "rows": lambda v: kt.Board(v, 3),
    "columns": lambda v: kt.solve((3, v), limits=FEW),
    "leaper": lambda v: kt.Board(3, 4, leaper=(1, v)),
    "Square": lambda v: kt.find_tour((3, 4), start=(v, 0), limits=FEW),
    "given step": lambda v: kt.find_tour((3, 4), given={(0, 0): v}, limits=FEW),
    "given square": lambda v: kt.find_tour((3, 4), given={(v, 0): 1}, limits=FEW),
    "Moves": lambda v: kt.find_tour((3, 4), through=[((0, 0), (v, 2))], limits=FEW),
    "numbers of tours": lambda v: a_space().orders([v]),
    "Window": lambda v: kt.draw(kt.implicit_tour("6x6"), window=(0, 0, 2, v)),
    "Highlight": lambda v: kt.draw(a_tour(), highlight=[(v, 0)]),
    "angle": lambda v: a_tour().rotated(v),
}


@pytest.mark.parametrize("kind", [*WHOLE, *OTHER])
def test_a_number_beyond_all_bounds_is_one_clear_error(kind: str) -> None:
    for word, value in HOSTILE.items():
        said = ""
        try:
            (WHOLE | OTHER)[kind](value)
        except KnightsTourError as error:
            said = str(error)
        assert len(said) < 400 and "\n" not in said and "Exceeds" not in said, f"{word}: {said}"
        assert said or kind in OTHER or word not in NEVER_WHOLE, f"{word} is taken"
