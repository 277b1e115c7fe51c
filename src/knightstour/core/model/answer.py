"""What an answer is to whoever shows it: a result that says itself."""

from __future__ import annotations

from typing import Protocol


class Answer(Protocol):
    """A result that says itself, the same wherever it was asked for."""

    def to_dict(self) -> dict[str, object]:
        """The question and the answer as JSON knows them."""
        ...

    def lines(self) -> list[str]:
        """The answer for people."""
        ...

    def notes(self) -> list[str]:
        """What is said beside it: what was counted, how, and from what."""
        ...
