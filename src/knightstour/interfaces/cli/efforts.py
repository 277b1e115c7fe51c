"""Notes at the start of long work: the time and the memory that it needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.model.wording import in_time, in_words
from knightstour.interfaces.cli import console

if TYPE_CHECKING:
    from knightstour.core.model.problem import Problem


def print_estimate(problem: Problem) -> bool:
    """Print an estimate of the number of tours if it is large. Return whether it was printed."""
    from knightstour.core.proofs.arguments import known_proof
    from knightstour.lab.counting import listed

    tours = listed.estimated_tours(problem, is_quick=True)
    is_many = tours > listed.MANY and known_proof(problem) is None
    if is_many:
        console.print_message("note", listed.why_refused(tours))
    return is_many


def print_forecast(noun: str, seconds: float, size: float, *, is_least: bool = False) -> None:
    """Print the forecast for long work: seconds of one processor, and bytes of memory."""
    about = "at least" if is_least else "about"
    console.print_message("note", f"{noun} needs {about} {in_time(seconds)} of one processor and {in_words(int(size))}")
