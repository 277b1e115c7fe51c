"""What a manifest says of its data set, made again where that can be done.

Anybody can write a manifest with a checksum, so each of its words is either made again or called *claimed*. The first
tours of every part are drawn again from the distribution and the seed; the number of each part gives its name and its
first draw; and of up to a few million tours it is seen that none comes twice.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from knightstour.core.machine import calls
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import KnightsTourError, LimitReached
from knightstour.lab.sampling.datasets import unique
from knightstour.lab.sampling.datasets.manifest import Manifest, Part, Plan, part_name
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Stream

# Draws of each part that are made again, and the time for them: a manifest may name a distribution that takes for ever.
_DRAWS, _SECONDS = 100, 10.0
# The distribution that counts all tours before it draws one does so for boards of up to this many squares.
_MOST_SQUARES_COUNTED = 36
# Different tours of which it is seen that none comes twice: some 100 MB.
MOST_COMPARED = 4_000_000


def faults_of(manifest: Manifest) -> Iterable[str]:
    """What the manifest says against itself."""
    size = manifest.plan.part_tours
    for number, part in sorted(manifest.parts.items()):
        if part.receipt.file != part_name(number) or part.first != number * size:
            yield f"{part.receipt.file} is named as part {number}, which begins with draw {number * size:,}"
        try:
            dropped = len(unique.unpack_rows(part.dropped, part.draws))
        except (TypeError, ValueError):
            yield f"{part.receipt.file} is named with repeats that cannot be read"
            continue
        if not 0 <= part.receipt.rows <= part.draws - dropped or part.draws > size:
            yield f"{part.receipt.file} cannot have {part.receipt.rows:,} tours of {part.draws:,} draws"
    first_of: dict[str, str] = {}
    for _, part in sorted(manifest.parts.items()):
        other = first_of.setdefault(part.receipt.sha256, part.receipt.file)
        if other != part.receipt.file:
            yield f"{part.receipt.file} is the same as {other}"
    if manifest.is_complete and not manifest.is_exhausted and manifest.tours != manifest.asked:
        yield f"it is said to be finished, with {manifest.tours:,} of {manifest.asked:,} tours"


def claimed_by(manifest: Manifest, are_compared: bool) -> list[str]:
    """What is only claimed, in words."""
    claims = []
    reason = _why_not_again(manifest)
    if reason:
        claims.append(f"distribution {manifest.plan.distribution} and seed {manifest.plan.seed} ({reason})")
    elif any(part.draws > _DRAWS for part in manifest.parts.values()):
        claims.append(
            f"that distribution {manifest.plan.distribution} and seed {manifest.plan.seed} give more than the first "
            f"{_DRAWS} draws of each part"
        )
    if manifest.plan.unique and not are_compared:
        claims.append(f"that no tour comes twice (seen to be so for up to {MOST_COMPARED:,} tours)")
    if manifest.is_exhausted:
        claims.append(f"that there are no more tours: {manifest.reason}")
    return claims


def _why_not_again(manifest: Manifest) -> str:
    """Why no draw is made again, or nothing."""
    if manifest.version != calls.installed_version():
        return f"drawn by version {manifest.version}"
    if manifest.plan.distribution == "uniform" and manifest.plan.problem.board.square_count > _MOST_SQUARES_COUNTED:
        return "all tours would have to be counted first"
    return ""


def is_drawn_again(manifest: Manifest) -> bool:
    """Whether the first draws of each part are made again."""
    return not _why_not_again(manifest)


def fault_of_draws(plan: Plan, part: Part, orders: np.ndarray) -> str:
    """What is wrong with the first tours of a part, as the distribution draws them again; "" for nothing.

    orders: the first tours that the file holds, square numbers; no more than are drawn again count.
    """
    count = min(_DRAWS, part.draws)
    question = SampleQuestion(
        plan.problem, count, plan.distribution, plan.parameters, seed=plan.seed, offset=part.first
    )
    try:
        stream = Stream(question, threads=1, limits=Limits(seconds=_SECONDS))
        drawn = np.concatenate([stream.empty(), *stream])
    except LimitReached as limit:
        return f"cannot be drawn again: {limit}"
    except KnightsTourError as error:
        return f"cannot have been drawn so: {error}"
    if len(drawn) < count:
        named = f"distribution {plan.distribution} with {plan.parameters}"
        return f"cannot be drawn again within {_SECONDS:g} seconds: {named}"
    try:
        dropped = unique.unpack_rows(part.dropped, part.draws)
    except (TypeError, ValueError):
        return "has repeats that cannot be read"
    kept = np.setdiff1d(np.arange(count), dropped)[: len(orders)]
    differs = np.flatnonzero((drawn[kept] != orders[: len(kept)]).any(axis=1))
    if not len(differs):
        return ""
    row = f"row {int(differs[0]):,} is another tour"
    return f"is not what distribution {plan.distribution} draws from seed {plan.seed}: {row}"
