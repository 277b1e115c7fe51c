"""Tour spaces for commands: the space, from a file or from the cache; and the number of tours that use each move or
visit each square at each step, as printable results.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Unpack

from knightstour.core.model.board import move_graph
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result import Result, Status
from knightstour.core.model.result_errors import NoTour
from knightstour.core.proofs.arguments import known_proof
from knightstour.lab.counting.conventions import kind_of
from knightstour.lab.counting.settings import CountOptions
from knightstour.lab.counting.spaces.step_counts import directed_count, direction_of
from knightstour.lab.counting.spaces.tour_space import TourSpace


def space_of(
    problem: Problem, path: str | os.PathLike[str] | None = None, **options: Unpack[CountOptions]
) -> TourSpace:
    """Return the space of a problem: from the file `path`, which is created if missing, or from TourSpace without one.

    limits, threads, on_progress: as for TourSpace.
    Raises the errors of TourSpace, and FormatError if `path` contains the space of another problem.
    """
    if path is None:
        return TourSpace(problem, **options)
    if Path(path).exists():
        space = TourSpace.open(path)
        if space.problem != problem:
            raise FormatError(f"holds another space: {space.problem}", path=os.fspath(path), help="name another file")
        return space
    space = TourSpace(problem, keep=False, **options)
    space.save(path)
    return space


def no_tours_error(problem: Problem) -> NoTour:
    """Return the error that explains why a problem has no tour, for an empty space."""
    proof = known_proof(problem)
    reason, source = ("all were counted", "exact count") if proof is None else (proof.reason, proof.source)
    return NoTour(Result(Status.IMPOSSIBLE, problem, (), reason, source, "count", 0, 0, 0.0))


@dataclass(frozen=True, slots=True)
class Uses:
    """Usage counts of the tours of a space. found: as JSON data. said: as lines of text. more: an additional remark."""

    space: TourSpace
    directed: bool
    found: dict[str, object]
    said: list[str]
    more: str = ""

    @property
    def tours(self) -> int:
        """Number of tours."""
        return directed_count(self.space.count, self.space.problem) if self.directed else self.space.count

    def to_dict(self) -> dict[str, object]:
        """Return problem and result as JSON-serialisable data."""
        return {**self.space.problem.to_dict(), "directed": self.directed, "count": str(self.tours), **self.found}

    def lines(self) -> list[str]:
        """A line for each move or square."""
        return self.said

    def notes(self) -> list[str]:
        """Return the number of tours and their direction, as a heading."""
        return [f"of {self.tours:,} {kind_of(self.space.problem, directed=self.directed)}{self.more}"]


def uses_of_moves(space: TourSpace) -> Uses:
    """Return the number of tours that use each move."""
    name = space.board.name
    moves = [(name(a), name(b), str(tours)) for (a, b), tours in space.move_counts().items()]
    record = [{"from": a, "to": b, "tours": tours} for a, b, tours in moves]
    return Uses(space, False, {"moves": record}, [" ".join(move) for move in moves])


def uses_of_steps(space: TourSpace, *, directed: bool, samples: int | None, seed: int | None) -> Uses:
    """Return the number of tours that visit each square at each step; an estimate if a sample size is given."""
    name = space.board.name
    squares = [divmod(square, space.board.cols) for square in move_graph(space.board).squares.tolist()]
    direction = direction_of(space.problem, directed)
    note = f", each {direction}" + ("; --directed walks both ways" if direction.startswith("one way") else "")
    if samples is None:
        counts = space.step_counts(directed=directed)
        found = {name(square): counts[square].tolist() for square in squares}
        lines = [f"{square} {' '.join(map(str, line))}" for square, line in found.items()]
        return Uses(space, directed, {"direction": direction, "steps": found}, lines, note)
    estimates = space.estimate_step_counts(samples, seed, directed=directed)
    means = {name(square): estimates.counts[square].tolist() for square in squares}
    errors = {name(square): estimates.errors[square].tolist() for square in squares}
    drawn = {"samples": estimates.samples, "seed": estimates.seed}
    return Uses(
        space,
        directed,
        {"direction": direction, "steps": means, "standard_errors": errors, **drawn},
        [f"{square} {' '.join(f'{mean:.6g}' for mean in line)}" for square, line in means.items()],
        f"{note}; from a sample of {estimates.samples:,}, standard errors up to {estimates.errors.max():.2g}",
    )
