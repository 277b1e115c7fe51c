"""A census on the disk: how far it has come, in one small record."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path

from knightstour.core.machine.records import read_record, write_record
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.core.model.validation import path as given_path
from knightstour.lab.counting.census.tally import NOTHING, Tally

_FORMAT = 2
_KIND_BEFORE = "knightstour census 1"
_HELP = "remove it and begin again"


class Checkpoint:
    """The file of one census. problem, statistic, total: of the census, so that no other one goes on with it."""

    def __init__(
        self, path: str | os.PathLike[str], problem: Problem, statistic: str, total: int, *, resume: bool
    ) -> None:
        self.path = Path(given_path(path, "the checkpoint"))
        self._question = {"question": str(problem), "statistic": statistic, "total": total}
        if os.path.exists(self.path) and not resume:
            raise FormatError("exists", path=str(self.path), help="go on with it: resume=True, or remove it")

    def read(self) -> tuple[int, Tally]:
        """How many tours are done, from the first on, and their tally; 0 where there is no file yet."""
        kept = read_record(self.path, "a census", _FORMAT, _KIND_BEFORE, help=_HELP)
        if kept is None:
            return 0, NOTHING
        if {name: kept.get(name) for name in self._question} != self._question:
            raise FormatError("holds another census", path=str(self.path), help="name another file")
        try:
            counts = Counter({int(value): int(count) for value, count in kept["counts"]})
            first = {int(value): int(number) for value, number in kept["first"]}
            done = int(kept["done"])
            if sum(counts.values()) != done:
                raise ValueError("its counts do not add up")
        except (ValueError, KeyError, TypeError) as error:
            raise FormatError(f"is no census: {error}", path=str(self.path), help=_HELP) from error
        return done, Tally(counts, first)

    def write(self, done: int, tally: Tally) -> None:
        """Keep what is done; the file before is replaced when the new one is whole."""
        counts, first = sorted(tally.counts.items()), sorted(tally.first.items())
        write_record(self.path, {"format": _FORMAT, **self._question, "done": done, "counts": counts, "first": first})
