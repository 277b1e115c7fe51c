"""A new method: copy this file. One function finds tours; one row of METHODS makes it a method everywhere.

Once the row is in the table, `kt.solve(board, method="walks")`, `knightstour solve --method walks --wander 10`, the
help, the page, docs/methods.md and the tests of all methods have it. Nothing else has to change.
"""

from __future__ import annotations

import random

from knightstour.core.methods.table import METHODS, Method
from knightstour.core.model.board import move_graph
from knightstour.core.model.budget import Budget
from knightstour.core.model.option import Option, by_name
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.model.result import Outcome, found, undecided


def walks(problem: Problem, budget: Budget, seed: int, *, wander: int = 5) -> Outcome:
    """Walk by Warnsdorff's rule with some moves at random, and restart at each dead end.

    A method takes the question, the budget and a seed; its options are keywords. It returns `found(order)`,
    `impossible(reason, source)` or `undecided(reason)`. It does not check its tour: solve() checks every tour.
    """
    dice, moves = random.Random(seed), move_graph(problem.board)
    squares = moves.squares.tolist()
    neighbours = moves.neighbour_lists()
    while not budget.is_spent:
        path = [dice.choice(squares) if start_index(problem) is None else start_index(problem)]
        free = set(squares) - set(path)
        while ways := [s for s in neighbours[path[-1]] if s in free and (s != end_index(problem) or len(free) == 1)]:
            dice.shuffle(ways)
            if dice.randrange(100) >= wander:
                ways.sort(key=lambda way: sum(s in free for s in neighbours[way]))
            path.append(ways[0])
            free.remove(ways[0])
        budget.spend(len(path))  # counts nodes, and reports progress
        is_closed = len(path) > 2 and path[0] in neighbours[path[-1]]
        if not free and (is_closed or not problem.closed) and end_index(problem) in (None, path[-1]):
            return found(path)
    return undecided(budget.why_stopped())


METHODS["walks"] = Method(
    walks,
    summary="walks by Warnsdorff's rule with some moves at random, and restarts at each dead end",
    source="an example",
    options=by_name(Option("wander", int, "moves at random, in per cent", least=0, most=100, default=5)),
)
