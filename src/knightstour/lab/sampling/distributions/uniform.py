"""The distribution uniform: numbers of tours are drawn, and the tours of these numbers made from the space of all."""

from __future__ import annotations

import numpy as np

from knightstour.core.model.problem import Problem
from knightstour.lab.sampling.distributions.common import Block, Stop


class Uniform:
    """Each block draws numbers of tours and makes the tours of these numbers (lab/counting/spaces)."""

    def __init__(self, problem: Problem, first: np.ndarray) -> None:
        # Loaded here, because most samples do not need it.
        from knightstour.lab.counting.spaces.cache import space_of

        self.parameters: dict[str, int] = {}
        self._space = space_of(problem)

    @property
    def tours(self) -> int:
        """How many tours there are."""
        return self._space.count

    def __call__(self, seed: int, n: int, stop: Stop) -> Block:
        stop.check()
        return Block(self._space.orders(self._space.random_numbers(n, seed)), 0, n)
