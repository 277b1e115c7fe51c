"""Pieces of work that come of the values of others."""

from collections.abc import Iterator


class Halves:
    """Pieces that come of values: a number is cut in halves until it is 1. Takes what `run_pieces` gives."""

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
