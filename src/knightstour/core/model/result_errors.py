"""The errors of a search without a tour, which carry its Result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.model.errors import KnightsTourError

if TYPE_CHECKING:
    from knightstour.core.model.result import Result


class NoTour(KnightsTourError):
    """There is no such tour, and that is proved. `result` holds the reason and its source."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.reason, note=result.source)
        self.result = result

    def __reduce__(self) -> tuple[type[NoTour], tuple[Result]]:
        return type(self), (self.result,)


class LimitReached(KnightsTourError):
    """A limit ended the search before it was decided. `result` contains the progress."""

    def __init__(self, result: Result) -> None:
        super().__init__(result.reason)
        self.result = result

    def __reduce__(self) -> tuple[type[LimitReached], tuple[Result]]:
        return type(self), (self.result,)
