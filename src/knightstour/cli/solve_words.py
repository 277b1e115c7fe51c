"""What was typed after `knightstour solve`, in bundles. Nothing here loads NumPy, so that the help is there at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from knightstour.cli.options import LimitWords, ManyWords, Target, WorkerWords

if TYPE_CHECKING:
    from knightstour.drawing.look import LookOptions
    from knightstour.model.problem import Problem


class PictureWords(NamedTuple):
    """How a picture of the tour looks, and whether it shows the search."""

    style: str | None
    theme: str | None
    size: float | None
    is_recorded: bool

    @property
    def look(self) -> LookOptions:
        """What was given of the look."""
        look: LookOptions = {}
        if self.style is not None:
            look["style"] = self.style
        if self.theme is not None:
            look["theme"] = self.theme
        if self.size is not None:
            look["size"] = self.size
        return look


class WatchWords(NamedTuple):
    """Whether the search is watched, and how many steps a second."""

    is_watched: bool
    speed: float | None


class MethodWords(NamedTuple):
    """Who is asked, for what, and whether it is to be the best; proofs before, one to be drawn, and its file."""

    method: str
    objective: str | None
    is_best: bool
    no_proofs: bool
    is_explained: bool
    proof: str | None


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
