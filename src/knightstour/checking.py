"""`check`: is this a tour? What kind of one, or which step is wrong?"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from knightstour import bulk_check, formats, inputs
from knightstour.board import Board
from knightstour.bulk_check import BulkReport
from knightstour.errors import InvalidTour
from knightstour.files import PathOrFile
from knightstour.tour import Tour


def source_of(file: str) -> PathOrFile:
    """The path, or stdin for "-"."""
    return sys.stdin.buffer if file == "-" else file


def board_for(text: str | None, leaper: str | None, wrap: str | None, holes: str | None) -> Board | None:
    """The board given on the command line, or None to take the file's word."""
    return None if text is None else inputs.board_of(text, leaper=leaper, wrap=wrap, holes=holes)


@dataclass(frozen=True, slots=True)
class Report:
    """What was found out about one tour of a file: the tour, or the fault."""

    tour: Tour | None
    fault: InvalidTour | None

    @property
    def is_valid(self) -> bool:
        """Whether it is a tour."""
        return self.tour is not None

    def facts(self) -> dict[str, Any]:
        """Kind, symmetry, turns, crossings and magic of a valid tour; drawn facts of flat boards only."""
        tour = self.tour
        assert tour is not None
        is_flat = tour.board.wrap is None and tour.board.graph is None
        facts: dict[str, Any] = {
            "board": str(tour.board),
            "closed": tour.is_closed,
            "start": tour.board.name(tour.start),
            "end": tour.board.name(tour.end),
            "symmetry": tour.symmetry,
        }
        if is_flat:
            facts["turns"] = tour.turns
            facts["crossings"] = tour.crossings
            facts["magic"] = "yes" if tour.is_magic else "semi-magic" if tour.is_semimagic else "no"
        return facts

    def to_dict(self, number: int) -> dict[str, Any]:
        """For `--json`."""
        if self.fault is not None:
            return {"tour": number, "valid": False, "fault": str(self.fault), "step": self.fault.step}
        return {"tour": number, "valid": True, **self.facts()}

    def to_text(self, number: int) -> str:
        """For people; `number` is the tour's place in the file."""
        if self.fault is not None:
            return f"tour {number}: invalid: {self.fault}"
        facts = self.facts()
        kind = "closed" if facts.pop("closed") else "open"
        head = f"tour {number}: valid {kind} tour of the {facts.pop('board')}"
        return f"{head}, {facts.pop('start')} to {facts.pop('end')}; " + ", ".join(f"{k} {v}" for k, v in facts.items())


def reports(
    file: str, format_name: str | None, board: Board | None, on_progress: Callable[[int, int], None] | None = None
) -> Iterator[Report | BulkReport]:
    """A report on each tour of a file. Faults of the file itself are FormatErrors.

    A giant .npy is looked at part by part, in bounded memory, and told about shortly; on_progress is for these.
    """
    if format_name in (None, "npy") and file != "-" and bulk_check.is_giant_npy(file):
        yield from bulk_check.check_npy(file, board, on_progress=on_progress)
        return
    candidates = formats.read_candidates(source_of(file), format_name, board)
    while True:
        try:
            found = next(candidates, None)
            if found is None:
                return
            yield Report(Tour(*found), None)
        except InvalidTour as fault:
            yield Report(None, fault)
