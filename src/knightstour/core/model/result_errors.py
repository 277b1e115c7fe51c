"""The errors of a search without a tour, which carry its Result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from knightstour.core.model.errors import KnightsTourError

if TYPE_CHECKING:
    from knightstour.core.model.result import Result


def absence(result: Result) -> str:
    """Return the sentence that no tour exists, such as "there is no open tour of the 4x4 board"."""
    return f"there is no {str(result.problem).partition(' ')[2]}"


class NoTour(KnightsTourError):
    """There is no such tour, and that is proved. `result` holds the reason and its source."""

    __module__ = "knightstour"

    def __init__(self, result: Result) -> None:
        super().__init__(f"{absence(result)}: {result.reason}", note=result.source)
        self.result = result

    def __reduce__(self) -> tuple[type[NoTour], tuple[Result]]:
        return type(self), (self.result,)


class LimitReached(KnightsTourError):
    """A limit ended the search before it was decided, or a count is too large to begin.

    `result` contains the progress. `plan` is the CountPlan of a count that did not begin, else None.
    """

    __module__ = "knightstour"

    def __init__(self, result: Result, *, plan: Any = None, note: str = "", help: str = "") -> None:
        super().__init__(result.reason, note=note, help=help)
        self.result = result
        self.plan = plan

    def __reduce__(self) -> tuple[object, tuple[Result], dict[str, object]]:
        return type(self), (self.result,), self.__dict__
