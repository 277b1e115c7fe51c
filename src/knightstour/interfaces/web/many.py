"""Answers about many tours: counts, estimates, samples, listings, comparisons of methods, and all tours by number.

As in answers.py, the workers run these functions, which call the library and return bytes of JSON. Orders of squares
are lists of square numbers `row * cols + col`. Counts are text, since browsers read numbers exactly only up to 2**53.
"""

from __future__ import annotations

import functools
import itertools
import os
import secrets
from typing import Any, Final, NamedTuple

from knightstour.core.methods.comparison import compare
from knightstour.core.methods.enumeration import iter_tours
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import FormatError, LimitReached, MethodError
from knightstour.core.model.option import checked_options
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import Progress
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import one_of
from knightstour.core.model.wording import in_words
from knightstour.core.proofs.arguments import known_proof
from knightstour.interfaces.web.answers import to_bytes
from knightstour.interfaces.web.binding import Emit, Ends, SpacePath, TourNumber
from knightstour.interfaces.web.fields import Json, steps_of
from knightstour.lab.certificates.certify import certify_count
from knightstour.lab.counting import count as counting
from knightstour.lab.counting.census.census import census
from knightstour.lab.counting.estimate import estimate_count
from knightstour.lab.counting.plan import plan_count
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.counting.spaces.tour_space import TourSpace, bytes_needed
from knightstour.lab.counting.starts import count_starts
from knightstour.lab.sampling.distributions.table import DISTRIBUTIONS
from knightstour.lab.sampling.question import SampleArguments
from knightstour.lab.sampling.sample_tours import sample_tours

_SECONDS_A_REPORT: Final = 0.2
# Counts that take longer are looked up before they are made.
_SECONDS_A_MOMENT: Final = 3.0
# What numbering takes is said from here on.
_MUCH_BYTES: Final = 100_000_000


def count(problem: Problem, directed: bool, up_to_symmetry: bool, limits: Limits, known: bool = False) -> bytes:
    """What `count --json` prints; the count is null, with the reason, if a limit ended it.

    known: give a number that is published at once, with its source, where counting it would take long.
    `is_published` says that this was done.
    """
    found: dict[str, object]
    which: dict[str, Any] = {"directed": directed, "up_to_symmetry": up_to_symmetry}
    if known and (published := _published(problem, **which)) is not None:
        return to_bytes(published)
    try:
        found = counting.count(problem, **which, settings=CountSettings(limits=limits)).to_dict()
    except LimitReached as limit:
        stopped = {"count": None, "reason": str(limit), "source": None, "seconds": round(limit.result.seconds, 6)}
        found = {**problem.to_dict(), "symmetry": problem.symmetry, **which, **stopped}
    return to_bytes(found)


def starts(problem: Problem, limits: Limits) -> bytes:
    """What `count --by starts --json` prints; the count is null, with the reason, if a limit ended it."""
    try:
        found = count_starts(problem, limits=limits).to_dict()
    except LimitReached as limit:
        found = {**problem.to_dict(), "directed": True, "count": None, "reason": str(limit), "starts": None}
    return to_bytes(found)


def _published(problem: Problem, *, directed: bool, up_to_symmetry: bool) -> dict[str, object] | None:
    """A number that is known, as `count` gives it; None where none is, or where counting it takes a moment."""
    known = counting.look_up(problem, directed=directed, up_to_symmetry=up_to_symmetry)
    if known is None:
        return None
    forecast = plan_count(problem, up_to_symmetry=up_to_symmetry)
    if not forecast.is_refused and forecast.seconds < _SECONDS_A_MOMENT:
        return None
    return {**known.to_dict(), "is_published": True}


def certified(problem: Problem, directed: bool, limits: Limits) -> bytes:
    """The certificate of a count."""
    return to_bytes({"certificate": certify_count(problem, directed=directed, limits=limits).record})


def plan(problem: Problem, up_to_symmetry: bool) -> bytes:
    """What `count --plan --json` prints."""
    return to_bytes(plan_count(problem, up_to_symmetry=up_to_symmetry).to_dict())


def take_census(problem: Ends, statistic: str, samples: int | None, seed: int | None, limits: Limits) -> bytes:
    """What `census --json` prints."""
    return to_bytes(census(problem, statistic, samples=samples, rng=seed, limits=limits).to_dict())


def estimate(problem: Ends, directed: bool, samples: int, seed: int | None, seconds: float) -> bytes:
    """What `count --estimate --json` prints; without figures, but with the reason, if the limit ended it too early."""
    try:
        limits = Limits(seconds=seconds)
        found = estimate_count(problem, directed=directed, samples=samples, rng=seed, limits=limits)
        return to_bytes(found.to_dict())
    except LimitReached as limit:
        unknown: dict[str, Json] = dict.fromkeys(("mean", "standard_error", "log10_mean", "relative_error", "source"))
        unknown |= {"samples": 0, "reason": str(limit), "limited": True}
    return to_bytes({**problem.to_dict(), "directed": directed, **unknown})


class Sampled(NamedTuple):
    """Which tours are drawn: arguments of sample_tours besides the question."""

    n: int
    distribution: str
    unique: bool
    seed: int | None
    offset: int
    options: dict[str, Json]

    def checked(self) -> Sampled:
        """The same with checked options, so that no parameter of the distribution can replace another argument."""
        distribution = DISTRIBUTIONS[one_of(self.distribution, DISTRIBUTIONS, "distribution", error=MethodError)]
        return self._replace(
            options=checked_options(distribution.parameters, self.options, f"distribution {self.distribution}")
        )


def sample(problem: Problem, how: Sampled) -> bytes:
    """Random tours."""
    n, distribution, unique, seed, offset, options = how
    words: SampleArguments = {"distribution": distribution, "unique": unique, "rng": seed, "offset": offset}
    found = sample_tours(problem, n, **{**words, **options})
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
    problem: Problem, methods: list[Json] | None, seeds: int, largest: bool, limits: Limits, overall: float
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


def unrank(path: SpacePath, number: TourNumber) -> bytes:
    """The tour of a number."""
    return to_bytes(_numbered(_space(path), number))


def rank(path: SpacePath, squares: list[Json]) -> bytes:
    """The number of a tour."""
    space = _space(path)
    number = space.rank(Tour(space.board, steps_of(squares, space.board)))
    return to_bytes({"number": str(number), "count": str(space.count)})


def random_tour(path: SpacePath, seed: int | None) -> bytes:
    """A tour drawn evenly from all."""
    space, seed = _space(path), secrets.randbits(32) if seed is None else seed
    number = space.random_numbers(1, seed)[0]
    return to_bytes({**_numbered(space, number), "seed": seed})


def _numbered(space: TourSpace, number: int) -> dict[str, Json]:
    squares = space.unrank(number).squares.tolist()
    return {"number": str(number), "count": str(space.count), "squares": squares}
