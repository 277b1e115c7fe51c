"""Responses about tours by number: the cost of the numbering, the numbering, unrank and rank.

The tours are numbered once, while the client waits. The file is stored in the user's cache folder, under a name that
is derived from the problem. When the files are too large together, the oldest files are deleted.
"""

from __future__ import annotations

import functools
import os
import secrets
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from knightstour.core.model.board import square_count
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.tour import Tour
from knightstour.core.model.wording import in_words
from knightstour.interfaces.web.answers import progress_callback, to_bytes
from knightstour.interfaces.web.binding import Emit, Ends, SpacePath, TourNumber
from knightstour.interfaces.web.fields import Json, steps_of
from knightstour.lab.counting.spaces.file import path_of

if TYPE_CHECKING:
    from knightstour.lab.counting.spaces.tour_space import TourSpace


BUILD_SECONDS: Final = 2 * 3600.0
# Numbering that needs at least this much memory gets a note. For boards with more squares than the second limit, an
# estimate would be slow, and numbering is not possible.
_MUCH_BYTES: Final = 100_000_000
_MAX_SQUARES_OF_NEEDS: Final = 100
_MAX_CACHE_BYTES: Final = 20_000_000_000


@functools.lru_cache(maxsize=8)
def _space_as_of(path: str, changed: int) -> TourSpace:
    from knightstour.lab.counting.spaces.tour_space import TourSpace

    return TourSpace.open(path)


def _space(path: str) -> TourSpace:
    try:
        changed = os.stat(path).st_mtime_ns
    except OSError:
        raise FormatError("the file of the numbered tours is gone", help="build it again") from None
    return _space_as_of(path, changed)


def _count(problem: Problem) -> str | None:
    """Return None if the space must be built first."""
    try:
        return str(_space(str(path_of(problem))).count)
    except (FormatError, OSError):
        # The file is missing, damaged, or from another version.
        return None


def _needs(problem: Problem) -> dict[str, Json]:
    """Return the bytes that numbering needs (null if slow to estimate), and a note if they are many."""
    if square_count(problem.board) > _MAX_SQUARES_OF_NEEDS:
        return {"note": None, "bytes": None}
    from knightstour.lab.counting.spaces.tour_space import bytes_needed

    held, written = bytes_needed(problem)
    words = f"this takes about {in_words(int(held))} of memory, and {in_words(int(written))} on the disk"
    much = max(held, written)
    return {"note": words if much >= _MUCH_BYTES else None, "bytes": int(much)}


def build(problem: Ends, max_bytes: int | None, emit: Emit) -> dict[str, Json]:
    """Number all tours, unless they are numbered already. Emits progress: a text, and a part from 0 to 1.

    If numbering needs more than max_bytes, the count is null, and note and bytes contain its cost. Raises LimitReached
    if numbering needs more time or memory than available.
    """
    count = _count(problem)
    needs: dict[str, Json] = {"note": None, "bytes": None}
    if count is None and max_bytes is not None:
        needs = _needs(problem)
        if needs["bytes"] is None or needs["bytes"] > max_bytes:
            return {"count": None, **needs}
    return {"count": count or build_space(problem, BUILD_SECONDS, emit), **needs}


def build_space(problem: Problem, seconds: float, emit: Emit) -> str:
    """Build the space of a problem if it does not exist, and return the number of tours."""
    from knightstour.lab.counting.spaces.tour_space import TourSpace

    count = _count(problem)
    if count is not None:
        return count
    path = path_of(problem)
    path.parent.mkdir(parents=True, exist_ok=True)
    _make_room(path.parent)
    space = TourSpace.build(problem, path=path, timeout=seconds, on_progress=progress_callback(emit))
    return str(space.count)


def _make_room(folder: Path) -> None:
    files = sorted((file.stat().st_mtime, file.stat().st_size, file) for file in folder.glob("*.space"))
    total = sum(size for _, size, _ in files)
    for _, size, file in files:
        if total <= _MAX_CACHE_BYTES:
            return
        with suppress(OSError):
            file.unlink()
        total -= size


def unrank(path: SpacePath, number: TourNumber) -> bytes:
    """Return the tour with a number."""
    return to_bytes(_tour_record(_space(path), number))


def rank(path: SpacePath, squares: list[Json]) -> bytes:
    """Return the number of a tour."""
    space = _space(path)
    number = space.rank(Tour(space.board, steps_of(squares, space.board)))
    return to_bytes({"number": str(number), "count": str(space.count)})


def random_tour(path: SpacePath, seed: int | None) -> bytes:
    """Return a uniformly random tour."""
    space, seed = _space(path), secrets.randbits(32) if seed is None else seed
    number = space.random_numbers(1, seed)[0]
    return to_bytes({**_tour_record(space, number), "seed": seed})


def _tour_record(space: TourSpace, number: int) -> dict[str, Json]:
    squares = space.unrank(number).squares.tolist()
    return {"number": str(number), "count": str(space.count), "squares": squares}
