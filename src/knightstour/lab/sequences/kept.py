"""What counts of a sequence keep in a directory, so that they can go on after Ctrl-C, a crash or a power cut.

`terms.json` holds the terms that are done, with a checksum. The folder `term-N` is the checkpoint of the count of a(N)
while it is at work (lab/counting/halves/stores.py); it is deleted when the term is written down.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from knightstour.core.machine.files import locked, make_directory
from knightstour.core.machine.records import read_record, write_record
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.validation import path as given_path
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.sequences.sequence import Sequence

# Raise when the meaning of the file changes.
FORMAT = 1
_TERMS = "terms.json"
_IS_DIRECTORY = "a checkpoint is a directory: give one, or a name that is not taken"


class KeptTerms:
    """The terms of a sequence that are done. directory: where they are written down, or None to keep them nowhere.

    values: by index, the term and the seconds that it took.
    """

    def __init__(self, sequence: Sequence, directory: Path | None = None) -> None:
        self.sequence, self.directory = sequence, directory
        self.values: dict[int, tuple[int, float]] = {}

    def read(self) -> None:
        """Take what the directory holds; a FormatError where that is damaged, or about another sequence."""
        assert self.directory is not None
        path = self.directory / _TERMS
        data = read_record(path, "list of terms", FORMAT)
        if data is None:
            return
        if data["number"] != self.sequence.number:
            raise FormatError(
                f"holds terms of {data['number']}, and {self.sequence.number} is asked for",
                path=str(path),
                help="give another directory",
            )
        self.values = {int(n): (int(value), float(seconds)) for n, (value, seconds) in data["terms"].items()}

    def settings(self, n: int, settings: CountSettings) -> CountSettings:
        """The settings for the count of a(n): with a checkpoint of its own, where that count can go on from one."""
        if self.directory is None or not self.sequence.kind.keeps_files(self.sequence.board(n)):
            return settings._replace(checkpoint=None, resume=False)
        folder = self._folder(n)
        return settings._replace(checkpoint=folder, resume=folder.is_dir())

    def add(self, n: int, value: int, seconds: float) -> None:
        """Write down a term, and delete the checkpoint of its count."""
        self.values[n] = value, seconds
        if self.directory is None:
            return
        terms = {str(k): [str(term), round(taken, 6)] for k, (term, taken) in sorted(self.values.items())}
        write_record(self.directory / _TERMS, {"format": FORMAT, "number": self.sequence.number, "terms": terms})
        shutil.rmtree(self._folder(n), ignore_errors=True)

    def _folder(self, n: int) -> Path:
        assert self.directory is not None
        return self.directory / f"term-{n}"


@contextmanager
def kept_terms(sequence: Sequence, settings: CountSettings) -> Iterator[KeptTerms]:
    """The terms in the checkpoint of `settings`, which is this run's alone while the block lasts.

    Without a checkpoint nothing is kept. Raises FormatError for a directory that is damaged, in use, about another
    sequence, or that holds terms already without `resume`; ProblemError if there is nothing to go on from.
    """
    if settings.checkpoint is None:
        if settings.resume:
            raise ProblemError("there is no checkpoint to go on from", help="name its directory, or leave out resume")
        yield KeptTerms(sequence)
        return
    directory = Path(given_path(settings.checkpoint, "the checkpoint"))
    if settings.resume and not directory.is_dir():
        raise ProblemError(
            f"there is no checkpoint to go on from: {directory}",
            help="name its directory, or leave out resume=True",
        )
    if not settings.resume and _holds_terms(directory):
        raise FormatError(
            "holds terms of a sequence already",
            path=str(directory),
            help="go on from them with the same command (resume=True), or give another directory",
        )
    make_directory(directory, help=_IS_DIRECTORY)
    with locked(directory):
        kept = KeptTerms(sequence, directory)
        kept.read()
        yield kept


def _holds_terms(directory: Path) -> bool:
    return os.path.exists(directory / _TERMS) or any(directory.glob("term-*"))
