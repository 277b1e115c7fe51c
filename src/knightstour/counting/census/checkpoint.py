"""A census on the disk: how far it has come, in one small file of JSON."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter

from knightstour.counting.census.tally import NOTHING, Tally
from knightstour.machine.files import open_target, read_whole
from knightstour.model.errors import FormatError
from knightstour.model.problem import Problem
from knightstour.model.strict_json import parse_json
from knightstour.model.validation import path as given_path

_KIND = "knightstour census 1"


class Checkpoint:
    """The file of one census. problem, statistic, total: of the census, so that no other one goes on with it."""

    def __init__(
        self, path: str | os.PathLike[str], problem: Problem, statistic: str, total: int, *, resume: bool
    ) -> None:
        self.path = given_path(path, "the checkpoint")
        self._question = {"kind": _KIND, "question": str(problem), "statistic": statistic, "total": total}
        if os.path.exists(self.path) and not resume:
            raise FormatError("exists", path=self.path, help="go on with it: resume=True, or remove it")

    def read(self) -> tuple[int, Tally]:
        """How many tours are done, from the first on, and their tally; 0 where there is no file yet."""
        if not os.path.exists(self.path):
            return 0, NOTHING
        try:
            kept = parse_json(read_whole(self.path))
            if not isinstance(kept, dict):
                raise ValueError("it is no object")
            if {name: kept.get(name) for name in self._question} != self._question:
                raise FormatError("holds another census", path=self.path, help="name another file")
            if kept["checksum"] != _checksum(kept):
                raise ValueError("its checksum is wrong")
            counts = Counter({int(value): int(count) for value, count in kept["counts"]})
            # Files of earlier versions have the two extremes alone.
            met = kept["first"] if "first" in kept else [kept["least"], kept["most"]]
            first = {int(value): int(number) for value, number in met}
            done = int(kept["done"])
            if sum(counts.values()) != done:
                raise ValueError("its counts do not add up")
        except FormatError:
            raise
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise FormatError(f"is no census: {error}", path=self.path, help="remove it and begin again") from error
        return done, Tally(counts, first)

    def write(self, done: int, tally: Tally) -> None:
        """Keep what is done; the file before is replaced when the new one is whole."""
        kept: dict[str, object] = {
            **self._question,
            "done": done,
            "counts": sorted(tally.counts.items()),
            "first": sorted(tally.first.items()),
        }
        kept["checksum"] = _checksum(kept)
        with open_target(self.path, force=True) as file:
            file.write(json.dumps(kept).encode())


def _checksum(kept: dict[str, object]) -> str:
    text = json.dumps({name: value for name, value in kept.items() if name != "checksum"}, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
