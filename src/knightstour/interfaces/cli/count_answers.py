"""What `knightstour count` answers: its form, and how many tours use each move or each square at each step or start."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.problem import Problem
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.each_graph import line_of
from knightstour.interfaces.cli.wording import kind_of
from knightstour.lab.counting.settings import CountSettings, Watch

if TYPE_CHECKING:
    from knightstour.core.model.board import Board, Square
    from knightstour.lab.counting.spaces.tour_space import TourSpace


class Answer(NamedTuple):
    """What is printed: the record with --json, else the lines, the notes and the help.

    reason: of a count that is 0, or that was given up.
    """

    record: Mapping[str, object]
    lines: Sequence[str]
    notes: Sequence[str] = ()
    help: str = ""
    exit_code: int = console.FOUND
    reason: str = ""

    def print_line(self, problem: Problem, place: int, as_json: bool) -> int:
        """Print it as the answer about one graph of several, and return the exit code."""
        if as_json:
            click.echo(json.dumps({"number": place, **self.record}))
        else:
            click.echo(line_of(place, problem.board, self.lines[0], self.reason))
        return self.exit_code

    def print(self, as_json: bool) -> int:
        """Print it, and return the exit code."""
        if as_json:
            click.echo(json.dumps(self.record))
            return self.exit_code
        click.echo("\n".join(self.lines))
        for note in self.notes:
            console.say("note", note)
        if self.help:
            console.say("help", self.help)
        return self.exit_code


def starts_answer(problem: Problem, settings: CountSettings) -> Answer:
    """How many directed tours start at each square, as a grid of the board."""
    from knightstour.lab.counting.starts import count_starts, starts_as_dict

    found = count_starts(problem, limits=settings.limits, threads=settings.threads, on_progress=settings.on_progress)
    what = kind_of(problem, directed=True)
    note = f"{sum(found.values()):,} {what}, by their starts"
    return Answer(starts_as_dict(problem, found), _grid(problem.board, found), [note])


def _grid(board: Board, numbers: Mapping[Square, int]) -> list[str]:
    """The numbers on their squares, holes as a dot; of a graph a line for each node."""
    if board.graph is not None:
        return [f"{board.name(square)} {number}" for square, number in numbers.items()]
    width = max(len(str(number)) for number in numbers.values())
    rows = [[str(numbers.get((row, col), ".")) for col in range(board.cols)] for row in range(board.rows)]
    return [" ".join(cell.rjust(width) for cell in row) for row in rows]


def uses_answer(
    problem: Problem,
    settings: CountSettings,
    status: console.StatusLine,
    *,
    steps: bool,
    directed: bool,
    samples: int | None,
    seed: int | None,
) -> Answer:
    """How many tours use each move, or visit each square at each step."""
    from knightstour.interfaces.cli.deadline import Deadline
    from knightstour.lab.counting.spaces.cache import no_tours, space_of
    from knightstour.lab.counting.spaces.step_counts import directed_count

    began = time.monotonic()
    with status.timing("numbering all tours"):
        space = space_of(problem, limits=settings.limits, threads=settings.threads, on_progress=settings.on_progress)
    if not space.count:
        raise no_tours(problem)
    seconds = None if settings.limits is None else settings.limits.seconds
    clock = Deadline(None if seconds is None else max(1e-3, seconds - (time.monotonic() - began)))
    try:
        with clock, status.timing("counting steps" if steps else "counting moves"):
            found = _steps_of(space, directed, samples, seed) if steps else _moves_of(space)
    except KeyboardInterrupt:
        if not clock.is_over:
            raise
        raise Watch(problem, method="space").stopped(Budget(Limits(seconds=seconds)).why_stopped()) from None
    total = directed_count(space.count, problem) if directed else space.count
    record = {**problem.to_dict(), "directed": directed, "count": str(total), **found.record}
    return Answer(record, found.lines, [f"of {total:,} {kind_of(problem, directed=directed)}{found.note}"])


class _Found(NamedTuple):
    """What was counted, for JSON and as lines, and what there is to add to the note."""

    record: dict[str, object]
    lines: list[str]
    note: str = ""


def _moves_of(space: TourSpace) -> _Found:
    name = space.board.name
    moves = [(name(a), name(b), str(tours)) for (a, b), tours in space.move_counts().items()]
    record = [{"from": a, "to": b, "tours": tours} for a, b, tours in moves]
    return _Found({"moves": record}, [" ".join(move) for move in moves])


def _steps_of(space: TourSpace, directed: bool, samples: int | None, seed: int | None) -> _Found:
    """A line for each square: how many tours visit it at step 0, 1, 2, ..."""
    from knightstour.core.model.board import move_graph
    from knightstour.lab.counting.spaces.step_counts import direction_of

    name = space.board.name
    squares = [divmod(square, space.board.cols) for square in move_graph(space.board).squares.tolist()]
    direction = direction_of(space.problem, directed)
    note = f", each {direction}" + ("; --directed walks both ways" if direction.startswith("one way") else "")
    if samples is None:
        counts = space.step_counts(directed=directed)
        found = {name(square): counts[square].tolist() for square in squares}
        lines = [f"{square} {' '.join(map(str, line))}" for square, line in found.items()]
        return _Found({"direction": direction, "steps": found}, lines, note)
    estimates = space.estimate_step_counts(samples, seed, directed=directed)
    settings = {name(square): estimates.counts[square].tolist() for square in squares}
    errors = {name(square): estimates.errors[square].tolist() for square in squares}
    drawn = {"samples": estimates.samples, "seed": estimates.seed}
    return _Found(
        {"direction": direction, "steps": settings, "standard_errors": errors, **drawn},
        [f"{square} {' '.join(f'{mean:.6g}' for mean in line)}" for square, line in settings.items()],
        f"{note}; from a sample of {estimates.samples:,}, standard errors up to {estimates.errors.max():.2g}",
    )
