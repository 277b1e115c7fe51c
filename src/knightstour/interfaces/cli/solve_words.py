"""What was typed after `knightstour solve`, in bundles. Nothing here loads NumPy, so that the help is there at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from knightstour.interfaces.cli.options import LimitWords, ManyWords, Target, WorkerWords
from knightstour.interfaces.cli.picture_options import PictureWords

if TYPE_CHECKING:
    from knightstour.core.model.problem import Problem


class WatchWords(NamedTuple):
    """Whether the search is watched, or shown in a moving picture, and how many steps a second."""

    is_watched: bool
    speed: float | None


class MethodWords(NamedTuple):
    """Who is asked, for what, and whether it is to be the best; proofs before, one to be drawn, its file and form."""

    method: str
    objective: str | None
    is_best: bool
    no_proofs: bool
    is_explained: bool
    proof: str | None
    proof_for: str | None = None


class SolveWords(NamedTuple):
    """All that was typed. place: that of the graph in a file of several, from 1; else None."""

    problem: Problem
    place: int | None
    limits: LimitWords
    ask: MethodWords
    many: ManyWords
    seed: int | None
    where: WorkerWords
    target: Target
    as_json: bool
    picture: PictureWords
    watch: WatchWords
    options: dict[str, object]
