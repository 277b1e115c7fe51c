"""Work in pieces that depend on the results of others, for any workers."""

import operator
from collections.abc import Iterator
from typing import Any

import pytest

from knightstour.core.machine.sharing import run_pieces


class Halves:
    """Pieces that halve a number until it is 1, for `run_pieces`."""

    def __init__(self, number: int) -> None:
        self.waiting, self.under_way, self.ones = [number], 0, 0

    def pieces(self) -> Iterator[tuple[int, int] | None]:
        while self.waiting or self.under_way:
            if not self.waiting:
                yield None
                continue
            self.under_way += 1
            yield self.waiting.pop(), 2

    def take(self, value: tuple[int, int]) -> None:
        self.under_way -= 1
        half, rest = value
        if half == 0:
            self.ones += 1
        else:
            self.waiting += [half, half + rest]


def check_pieces(workers: Any) -> None:
    """Check that each piece returns once, in order or as completed, or raises; infinite ones are read in parts."""
    pieces, expected = [(k, 1) for k in range(40)], [(k, k + 1) for k in range(40)]
    assert list(run_pieces(operator.add, pieces, workers, in_order=True)) == expected
    assert sorted(run_pieces(operator.add, pieces, workers)) == expected
    assert list(run_pieces(operator.add, [], workers)) == []
    with pytest.raises(ZeroDivisionError):
        list(run_pieces(operator.truediv, [(1, 1), (1, 0)], workers))
    halves = Halves(50)
    for _, value in run_pieces(divmod, halves.pieces(), workers):
        halves.take(value)
    assert halves.ones == 50
    taken = []

    def endless() -> Iterator[tuple[int, int]]:
        while True:
            taken.append(len(taken))
            yield taken[-1], 0

    values = run_pieces(operator.add, endless(), workers, in_order=True)
    assert [next(values) for _ in range(20)] == [(k, k) for k in range(20)]
    values.close()
    assert len(taken) < 30
