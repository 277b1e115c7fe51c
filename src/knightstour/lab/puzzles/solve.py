"""Solutions of a puzzle, and the squares in which they differ."""

from __future__ import annotations

from dataclasses import dataclass

from knightstour.core.model.board import Square, read_as_record, square_at
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.progress import OnProgress
from knightstour.core.model.result import Status, exhausted
from knightstour.core.model.tour import Tour, tour_of
from knightstour.core.model.validation import whole_number
from knightstour.core.model.wording import short_repr
from knightstour.lab.puzzles.puzzle import Puzzle, Rating, check_solution, search_of


@dataclass(frozen=True, slots=True)
class PuzzleAnswer:
    """The solutions of a puzzle.

    Attributes:
        status: FOUND, IMPOSSIBLE (proved) or UNDECIDED.
        tours: The solutions found, each starting at its number 1.
        is_complete: Whether these are all solutions.
        reason: Reason why no solution exists, or the reached limit.
        nodes, seconds: Effort of the search.
    """

    puzzle: Puzzle
    status: Status
    tours: tuple[Tour, ...]
    is_complete: bool
    reason: str
    nodes: int
    seconds: float

    @property
    def is_unique(self) -> bool:
        """Whether it is proved that exactly one solution exists."""
        return self.is_complete and len(self.tours) == 1

    @property
    def doubtful(self) -> list[Square]:
        """Squares whose numbers differ among the solutions."""
        if len(self.tours) < 2:
            return []
        first = self.tours[0].numbers
        differs = sum((tour.numbers != first for tour in self.tours[1:]), first != first)
        return [square_at(self.puzzle.board, number) for number in differs.ravel().nonzero()[0].tolist()]

    def to_dict(self, rating: Rating | None = None) -> dict[str, object]:
        """Return the fields as JSON-serialisable data, with the difficulty if it was requested."""
        record: dict[str, object] = {
            "status": self.status.value,
            "is_unique": self.is_unique,
            "is_complete": self.is_complete,
            "solutions": [tour.numbers.tolist() for tour in self.tours],
            "doubtful": [list(square) for square in self.doubtful],
            "reason": self.reason or None,
            "nodes": self.nodes,
            "seconds": round(self.seconds, 6),
            **read_as_record(self.puzzle.board),
        }
        if rating is not None:
            record["level"] = rating.level
            record["score"] = rating.score
            record["counts"] = rating.counts
            record["steps"] = [hint.to_dict() for hint in rating.steps]
        return record

    def __repr__(self) -> str:
        return short_repr(self, str(self))

    def __str__(self) -> str:
        """Return the answer as a sentence."""
        count = len(self.tours)
        if self.status is Status.IMPOSSIBLE:
            return f"no solution: {self.reason}"
        if self.status is Status.UNDECIDED:
            return f"undecided: {self.reason}"
        if self.is_unique:
            return "exactly one solution"
        if self.is_complete:
            return f"exactly {count:,} solutions"
        return f"at least {count:,} solution{'s' if count != 1 else ''}" + (f": {self.reason}" if self.reason else "")


def answer_of(puzzle: Puzzle, n: int, limits: Limits | None, on_progress: OnProgress | None) -> PuzzleAnswer:
    """Find up to `n` solutions of a puzzle, for `Puzzle.solve`."""
    n = whole_number(n, "n", least=1)
    budget = Budget(limits, on_progress)
    search = search_of(puzzle, budget)
    tours = []
    for order in search:
        tour = tour_of(puzzle.board, order)
        check_solution(puzzle, tour)
        tours.append(tour)
        if len(tours) == n:
            break
    is_complete = search.is_finished
    reason = ""
    if tours:
        status = Status.FOUND
        reason = "" if is_complete or len(tours) == n else budget.why_stopped()
    elif is_complete:
        status, reason = Status.IMPOSSIBLE, search.contradiction or exhausted(search.nodes)[0]
    else:
        status, reason = Status.UNDECIDED, budget.why_stopped()
    return PuzzleAnswer(puzzle, status, tuple(tours), is_complete, reason, budget.nodes, budget.seconds)
