"""Whether a puzzle has another solution, once a given number is left out.

With the number there is one solution, which is known; so any other has another number on that square. First it is
looked for near the known one: two stretches of the tour are free, and all else stays as it is. Where given numbers are
few, that finds it in some ten nodes on 8x8, and the complete search in some hundred. Where there is none, only the
complete search says so.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

from knightstour.core.model.board import Board
from knightstour.core.model.budget import Budget
from knightstour.core.search.clues import Numberings

# Square numbers, each with the numbers it may have.
Given: TypeAlias = "dict[int, tuple[int, ...]]"

# Most questions are answered in a few nodes. Where one is not, other solutions are looked for in some places near the
# known one, with half of the tour free at first and four fifths at last.
_FEW_NODES = 20
_PLACES, _NODES_A_PLACE = 12, 40
_FREE = (0.5, 0.8)


class Solved(NamedTuple):
    """A puzzle with its solution. step: the number of each square in it."""

    board: Board
    closed: bool
    step: Mapping[int, int]


def has_another(
    solved: Solved, given: Given, part: list[int], budget: Budget, nodes: int, chance: random.Random
) -> bool | None:
    """Whether there is another solution without the numbers of some squares; None where the nodes are too few to say.

    given: with them there is one solution. part: the squares, each with one given number. nodes: of a complete search.
    """
    left = {s: numbers for s, numbers in given.items() if s not in part}
    is_sure = True
    for s in part:
        # Another solution that has the numbers of the squares before this one, and not that of this one.
        asked = {**left, s: tuple(step for step in range(1, len(solved.step) + 1) if step != solved.step[s])}
        found = _is_found(solved, asked, budget, min(nodes, _FEW_NODES))
        if found is None and nodes > _FEW_NODES:
            found = _is_near(solved, asked, s, budget, chance) or _is_found(solved, asked, budget, nodes)
        if found:
            return True
        is_sure = is_sure and found is False
        left[s] = given[s]
    return False if is_sure else None


def _is_found(solved: Solved, asked: Given, budget: Budget, nodes: int) -> bool | None:
    """Whether there is a solution; None where the nodes are too few to say."""
    share = budget.part(nodes=nodes)
    search = Numberings(solved.board, asked.items(), share, closed=solved.closed, takes_turns=False)
    is_found = next(search, None) is not None
    budget.spend(share.nodes)
    return True if is_found else False if search.is_finished else None


def _is_near(solved: Solved, asked: Given, s: int, budget: Budget, chance: random.Random) -> bool:
    """Whether a solution is found that differs from the known one in two stretches alone, one round a square."""
    count = len(solved.step)
    for k in range(_PLACES):
        length = max(2, round(count * (_FREE[0] + (_FREE[1] - _FREE[0]) * k / (_PLACES - 1)) / 2))
        firsts = (solved.step[s] - chance.randrange(length), chance.randrange(count))
        free = {(first + i - 1) % count + 1 for first in firsts for i in range(length)}
        fixed = {u: (step,) for u, step in solved.step.items() if step not in free}
        if not budget.is_spent and _is_found(solved, fixed | asked, budget, _NODES_A_PLACE):
            return True
    return False
