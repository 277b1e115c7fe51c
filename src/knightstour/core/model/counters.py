"""COUNTERS: what is counted while a search is watched, with its name and its meaning for people.

The terminal, the page and the glossary read it. A counter that is not here is shown under the name its method gives it.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Counter(NamedTuple):
    """A row of COUNTERS: its name for people, and what it counts."""

    name: str
    meaning: str


# In the order in which they are shown.
COUNTERS: Final[dict[str, Counter]] = {
    "moves": Counter("moves", "steps that the path made, also those that were taken back"),
    "taken_back": Counter("failed moves", "steps of the path that were taken back"),
    "dead_ends": Counter("dead ends", "times that the path could not go on and was taken back"),
    "critical_points": Counter(
        "critical points", "squares where Warnsdorff's rule had a tie, so another choice is as good"
    ),
    "reversals": Counter("ends turned", "times that the end of the path was turned round"),
    "covers": Counter("covers", "times that the moves on the whole board were chosen at once"),
    "joins": Counter("loops joined", "exchanges of moves that made one of two loops or paths"),
    "repairs": Counter("repairs", "exchanges of moves that joined nothing, to get on where nothing could be joined"),
    "restarts": Counter("restarts", "times that the search gave up what it had and began again"),
    "births": Counter("children", "walks or lines bred from two others of the population"),
    "walks": Counter("walks", "walks of ants that have ended"),
    "converged": Counter("rests", "times that the network came to rest"),
    "nodes": Counter(
        "nodes", "steps of the search by which methods are compared: a square entered, an end turned round"
    ),
}
