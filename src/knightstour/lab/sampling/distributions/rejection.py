"""Tours that meet what no distribution draws by itself, such as a statistic in a range: others are drawn and left out.

Of a uniform distribution that gives a uniform one of those tours. It is slow where few tours are such: the block says
how many were left out.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

import numpy as np

from knightstour.core.model.condition_check import fault_of
from knightstour.core.model.lazy import Plugin
from knightstour.core.model.problem import Problem
from knightstour.core.model.reduced import Reduced
from knightstour.lab.sampling.distributions.common import Block, Draw, Stop

_ranges = Plugin("ranges of statistics")
# Tours that are drawn together: few at first. Then squares of them that are drawn in vain before it gives up.
_FIRST, _MOST = 64, 4096
_PATIENCE_SQUARES = 1 << 26


@dataclass
class Rejection:
    """The tours of another distribution that are asked for.

    problem: what is asked. draw: draws for the question without what is LISTED. graph: whose tours it draws, or None.
    parameters: those of `draw`.
    """

    problem: Problem
    draw: Draw
    graph: Reduced | None
    parameters: dict[str, int] = field(init=False)

    def __post_init__(self) -> None:
        self.parameters = self.draw.parameters

    def __call__(self, seed: int, count: int, stop: Stop, /) -> Block:
        """A block; it has fewer tours, and an excuse, where those that are asked for are too rare."""
        kept: list[np.ndarray] = []
        found = fails = steps = rejected = in_vain = 0
        most_in_vain = max(1, _PATIENCE_SQUARES // self.problem.board.square_count)
        excuse = ""
        for part in itertools.count():
            size = min(_MOST, _FIRST << min(part, 20))
            block = self.draw(int(np.random.SeedSequence((seed, part)).generate_state(1, np.uint64)[0]), size, stop)
            places = np.flatnonzero(self._are_wanted(block.orders))[: count - found]
            is_last = found + len(places) == count
            looked_at = int(places[-1]) + 1 if is_last else size
            found, rejected = found + len(places), rejected + looked_at - len(places)
            fails, steps = fails + block.fails, steps + block.steps
            kept.append(block.orders[places])
            in_vain = in_vain + size if not len(places) else 0
            if is_last:
                break
            if in_vain >= most_in_vain:
                excuse = f"none of the last {in_vain:,} tours that were drawn is such"
                break
        return Block(np.concatenate(kept), fails, steps, rejected, excuse)

    def _are_wanted(self, orders: np.ndarray) -> np.ndarray:
        """Whether each tour meets what is LISTED."""
        rows = orders if self.graph is None else self.graph.orders(orders)
        asked = {name: value for name, value in self.problem.values if name in self.problem.listed}
        ranges = asked.pop("where", None)
        fits = np.ones(len(rows), dtype=bool) if ranges is None else _ranges.looked_at(self.problem, ranges, rows)[1]
        rest = self.problem.plain.changed(**asked)
        if asked:
            fits &= np.array([fault_of(rest, row) is None for row in rows])
        return fits
