"""What was typed after `knightstour solve`, in bundles. Nothing here loads NumPy, so that the help is there at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, NamedTuple

import click

from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.options import LimitWords, Target, TourWords, WorkerWords
from knightstour.interfaces.cli.picture_options import PictureWords

if TYPE_CHECKING:
    from knightstour.core.model.problem import Problem


class WatchWords(NamedTuple):
    """Whether the search is watched, or shown in a moving picture, and how many steps a second."""

    is_watched: Annotated[
        bool,
        typed(
            "See the search at work, until you have seen enough; a moving picture with -o shows it, too.",
            flags="--watch",
            without="objective",
        ),
    ]
    speed: Annotated[float | None, typed("With --watch: steps a second; default 10.", "N", needs="is_watched")]


class MethodWords(NamedTuple):
    """Who is asked, for what, and whether it is to be the best; proofs before, one to be drawn, its file and form."""

    method: Annotated[str, typed("How it is found, see `knightstour explain`; default auto.", "M", default="auto")]
    objective: Annotated[str | None, typed("Look for few turns, crossings, ..., or for many: most-turns, ...", "WHAT")]
    is_best: Annotated[bool, typed("Prove that no tour is better in the objective.", flags="--optimal")]
    no_proofs: Annotated[bool, typed("Search even if a theorem says that there is no tour.")]
    is_explained: Annotated[
        bool,
        typed(
            "If there is no tour, draw why, on the terminal or into -o.",
            flags="--explain",
            without="as_json",
            why="--explain draws, so it does not go with --json",
        ),
    ]
    proof: Annotated[str | None, typed("Write the answer there with all that `verify` needs to check it.", "FILE")]
    proof_for: Annotated[
        str | None,
        typed(
            "With --proof: if there is no tour, prove it by clauses, for checkers such as drat-trim.",
            flags="--for",
            type=click.Choice(["drat"]),
            needs="proof",
        ),
    ] = None


class SolveWords(NamedTuple):
    """All that was typed. place: that of the graph in a file of several, from 1; else None."""

    problem: Problem
    place: int | None
    limits: LimitWords
    method_words: MethodWords
    tour_words: TourWords
    seed: int | None
    worker_words: WorkerWords
    target: Target
    as_json: bool
    picture: PictureWords
    watch: WatchWords
    options: dict[str, object]


def goal_of(objective: str | None) -> dict[str, str]:
    """Return the argument minimize or maximize for a typed --objective.

    >>> goal_of("most-turns")
    {'maximize': 'turns'}
    """
    if objective is None:
        return {}
    return {"maximize": objective.removeprefix("most-")} if objective.startswith("most-") else {"minimize": objective}
