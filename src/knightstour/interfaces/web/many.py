"""Answers about many tours: counts, estimates, samples, listings, comparisons of methods, and all tours by number.

As in answers.py, the workers run these functions, which call the library and return bytes of JSON. Orders of squares
are lists of square numbers `row * cols + col`. Counts are text, since browsers read numbers exactly only up to 2**53.
"""

from __future__ import annotations

import functools
import itertools
import os
from typing import Final, NamedTuple

from knightstour.core.methods.comparison import compare
from knightstour.core.methods.enumeration import iter_tours
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import FormatError, LimitReached
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import Progress
from knightstour.core.model.tour import Tour
from knightstour.core.model.wording import in_words
from knightstour.core.proofs.arguments import known_proof
from knightstour.interfaces.web.answers import Emit, to_bytes
from knightstour.interfaces.web.fields import Json, steps_of
from knightstour.lab.certificates.certify import certify_count
from knightstour.lab.counting import count as counting
from knightstour.lab.counting.census.census import census
from knightstour.lab.counting.estimate import estimate_count
from knightstour.lab.counting.plan import plan_count
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.counting.spaces.tour_space import TourSpace, bytes_needed
from knightstour.lab.counting.starts import count_starts, starts_as_dict
from knightstour.lab.sampling.sample_tours import sample_tours

_SECONDS_A_REPORT: Final = 0.2
# Counts that take longer are looked up before they are made.
_SECONDS_A_MOMENT: Final = 3.0
# What numbering takes is said from here on.
_MUCH_BYTES: Final = 100_000_000


class Counting(NamedTuple):
    """Which tours are counted: the arguments of count_tours besides the question."""

    directed: bool
    symmetry: str | None
    up_to_symmetry: bool


def count(problem: Problem, what: Counting, limits: Limits, prefers_known: bool = False) -> bytes:
    """What `count --json` prints; the count is null, with the reason, if a limit ended it.

    prefers_known: give a number that is published at once, with its source, where counting it would take long.
    `is_published` says that this was done.
    """
    found: dict[str, object]
    if prefers_known and (published := _published(problem, what)) is not None:
        return to_bytes(published)
    try:
        found = counting.count(problem, **what._asdict(), settings=CountSettings(limits=limits)).to_dict()
    except LimitReached as limit:
        stopped = {"count": None, "reason": str(limit), "source": None, "seconds": round(limit.result.seconds, 6)}
        found = {**problem.to_dict(), **what._asdict(), **stopped}
    return to_bytes(found)


def starts(problem: Problem, limits: Limits) -> bytes:
    """What `count --by starts --json` prints; the count is null, with the reason, if a limit ended it."""
    try:
        found = starts_as_dict(problem, count_starts(problem, limits=limits))
    except LimitReached as limit:
        found = {**problem.to_dict(), "directed": True, "count": None, "reason": str(limit), "starts": None}
    return to_bytes(found)


def _published(problem: Problem, what: Counting) -> dict[str, object] | None:
    """A number that is known, as `count` gives it; None where none is, or where counting it takes a moment."""
    known = counting.look_up(problem, **what._asdict())
    if known is None:
        return None
    forecast = plan_count(problem, symmetry=what.symmetry, up_to_symmetry=what.up_to_symmetry)
    if not forecast.is_refused and forecast.seconds < _SECONDS_A_MOMENT:
        return None
    return {**known.to_dict(), "is_published": True}


def certified(problem: Problem, directed: bool, limits: Limits) -> bytes:
    """The certificate of a count."""
    return to_bytes({"certificate": certify_count(problem, directed=directed, limits=limits).record})


def plan(problem: Problem, what: Counting) -> bytes:
    """What `count --plan --json` prints."""
    return to_bytes(plan_count(problem, symmetry=what.symmetry, up_to_symmetry=what.up_to_symmetry).to_dict())


def take_census(problem: Problem, name: str, samples: int | None, seed: int | None, limits: Limits) -> bytes:
    """What `census --json` prints."""
    return to_bytes(census(problem, name, samples=samples, rng=seed, limits=limits).to_dict())


def estimate(problem: Problem, directed: bool, samples: int, seed: int | None, seconds: float) -> bytes:
    """What `count --estimate --json` prints; without figures, but with the reason, if the limit ended it too early."""
    try:
        limits = Limits(seconds=seconds)
        found = estimate_count(problem, directed=directed, samples=samples, rng=seed, limits=limits).to_dict()
    except LimitReached as limit:
        found = dict.fromkeys(("mean", "standard_error", "log10_mean", "relative_error", "source"))
        found |= {"samples": 0, "reason": str(limit), "limited": True}
    return to_bytes({**problem.to_dict(), "directed": directed, **found})


def sample(problem: Problem, how: dict[str, Json]) -> bytes:
    """Random tours. how: the arguments of sample_tours besides the question."""
    found = sample_tours(problem, **how)
    names = ("distribution", "parameters", "seed", "offset", "unique", "is_exhausted")
    described = {**{name: getattr(found, name) for name in names}, "reason": found.reason or None}
    return to_bytes({**problem.to_dict(), **described, "orders": found.orders.tolist()})


def enumerate_tours(problem: Problem, directed: bool, move_order: str, n: int, limits: Limits) -> bytes:
    """The first n tours, and whether these are all."""
    orders: list[list[int]] = []
    reason, source = None, None
    is_complete = False
    try:
        tours = iter_tours(problem, directed=directed, move_order=move_order, limits=limits)
        # One more, to know whether there are more.
        orders.extend(tour.order.tolist() for tour in itertools.islice(tours, n + 1))
        is_complete = len(orders) <= n
    except LimitReached as limit:
        reason = str(limit)
    proof = known_proof(problem) if is_complete and not orders else None
    if proof is not None:
        reason, source = proof.reason, proof.source
    found = {"is_complete": is_complete, "reason": reason, "source": source, "orders": orders[:n]}
    return to_bytes({**problem.to_dict(), "directed": directed, "move_order": move_order, **found})


def compare_methods(
    problem: Problem, methods: list[str] | None, seeds: int, largest: bool, limits: Limits, overall: float
) -> bytes:
    """What `compare --json` prints."""
    found = compare(problem, methods=methods, seeds=seeds, largest=largest, limits=limits, overall=overall)
    return to_bytes(found.to_dict())


# ---------------------------------------------------------------- all tours by number


@functools.lru_cache(maxsize=8)
def _space_as_of(path: str, changed: int) -> TourSpace:
    return TourSpace.open(path)


def _space(path: str) -> TourSpace:
    try:
        changed = os.stat(path).st_mtime_ns
    except OSError:
        raise FormatError("the file of the numbered tours is gone", help="build it again") from None
    return _space_as_of(path, changed)


def space_count(path: str) -> str:
    """Number of tours in the file of a space."""
    return str(_space(path).count)


def build_space(problem: Problem, path: str, seconds: float, emit: Emit) -> str:
    """Build the space of a question and write it to a file; returns the number of its tours.

    Emits how many states are made, in words, and which part of the work that is, from 0 to 1.
    """
    reported = 0.0

    def report(progress: Progress) -> None:
        nonlocal reported
        if progress.seconds - reported >= _SECONDS_A_REPORT:
            reported = progress.seconds
            emit((progress.note, progress.part))

    space = TourSpace.build(problem, path=path, limits=Limits(seconds=seconds), on_progress=report, force=True)
    return str(space.count)


def space_needs(problem: Problem) -> str:
    """What numbering all tours of a question takes, in words; "" if that is little."""
    held, written = bytes_needed(problem)
    if max(held, written) < _MUCH_BYTES:
        return ""
    return f"this takes about {in_words(int(held))} of memory, and {in_words(int(written))} on the disk"


def unrank(path: str, number: int) -> bytes:
    """The tour of a number."""
    return to_bytes(_numbered(_space(path), number))


def rank(path: str, squares: list[Json]) -> bytes:
    """The number of a tour."""
    space = _space(path)
    number = space.rank(Tour(space.board, steps_of(squares, space.board)))
    return to_bytes({"number": str(number), "count": str(space.count)})


def random_tour(path: str, seed: int) -> bytes:
    """A tour drawn evenly from all."""
    space = _space(path)
    number = space.random_numbers(1, seed)[0]
    return to_bytes({**_numbered(space, number), "seed": seed})


def _numbered(space: TourSpace, number: int) -> dict[str, Json]:
    squares = space.unrank(number).squares.tolist()
    return {"number": str(number), "count": str(space.count), "squares": squares}
