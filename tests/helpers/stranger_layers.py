"""Layers of states: a part of stranger.py, also written from docs/certificate-format.md alone."""

from itertools import combinations
from typing import Any

from helpers.stranger_bounds import Bounds

Graph = dict[int, set[int]]


def text_of(state: tuple[tuple[int, int], ...]) -> str:
    return " ".join(f"{a}-{b}" if a != b else str(a) for a, b in state)


def next_layer(
    near: Graph,
    order: list[int],
    k: int,
    layer: dict[Any, int],
    bounds: Bounds | None = None,
    must: set[int] | None = None,
) -> tuple[dict[Any, int], int]:
    """A state: the paths as (lower end, higher end), and the squares that have both moves as (square, square).

    bounds: to look for a better tour; None to count them all. must: what tours that may leave squares pass; None: all.
    """
    here, later = order[k], set(order[k + 1 :])
    found: dict[Any, int] = {}
    closed = 0
    for state, number in layer.items():
        far = {a: b for pair in state for a, b in (pair, pair[::-1])}
        lacks = 2 if here not in far else 0 if far[here] == here else 1
        free = [s for s in sorted(near[here] & later) if far.get(s) != s]
        may_leave = must is not None and here not in must and lacks == 2
        for to in (*combinations(free, lacks), *([()] if may_leave else [])):
            worth = number + sum(bounds.worth.get(frozenset((here, s)), 0) for s in to) if bounds else 0
            after = dict(far)
            end = after.pop(here, here)
            is_loop = False
            for s in to:
                other = after.get(s, s)
                if s == end and end != here:
                    # The two ends of one path meet.
                    after[s] = s
                    is_loop = True
                    break
                if other != s:
                    after[s] = s
                if end == here:
                    end = other
                    continue
                after[end], after[other] = other, end
            if lacks == 2 and not is_loop and to and after.get(end) is None:
                after[end] = end
            if is_loop:
                is_all = set(after) == later if must is None else must & later <= set(after)
                is_tour = is_all and all(a == b for a, b in after.items())
                closed += is_tour * (number if bounds is None else worth >= bounds.goal)
                continue
            full = [s for s in to if after.get(s) == s]
            touched = set().union(near[here], *(near[s] for s in full)) & later
            if all((must is not None and s not in after) or has_room(near, later, after, s) for s in touched):
                key = tuple(sorted({(min(pair), max(pair)) for pair in after.items()}))
                if bounds is None:
                    found[key] = found.get(key, 0) + number
                elif bounds.may_be_better(near, later, after, worth):
                    found[key] = max(found.get(key, worth), worth)
    return found, closed


def has_room(near: Graph, later: set[int], after: dict[int, int], s: int) -> bool:
    lacks = 2 if s not in after else 0 if after[s] == s else 1
    return lacks <= sum(after.get(t) != t for t in near[s] & later)
