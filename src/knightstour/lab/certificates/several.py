"""Check several certificates, with one verdict per file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from knightstour.core.checking.check import UNREADABLE, files_of
from knightstour.core.machine.files import source_of
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import record_of
from knightstour.lab.certificates.verify import Verdict, verify


@dataclass(frozen=True, slots=True)
class FileVerdict:
    """Result of the check of a file.

    Attributes:
        file: The path.
        verdict: The verdict of the check, or "unreadable".
        claim, detail: As in Verification; for an unreadable file detail is the error.
    """

    file: str
    verdict: str
    claim: str
    detail: str

    def to_dict(self) -> dict[str, object]:
        """Return the fields as JSON-serialisable data."""
        return record_of(self)

    def to_text(self) -> str:
        """Return the result as a line of text.

        >>> FileVerdict("a.json", "wrong", "there is no tour", "step 1 removes nothing").to_text()
        'a.json: wrong: there is no tour; step 1 removes nothing'
        """
        detail = "" if self.verdict == Verdict.RIGHT.value else self.detail
        return f"{self.file}: {self.verdict}: " + "; ".join(filter(None, (self.claim, detail)))


def certificate_files(paths: Iterable[str]) -> list[str]:
    """Return the files, with folders replaced by their files."""
    return [file for path in paths for file in (files_of(path) if os.path.isdir(path) else [path])]


def verify_files(files: Iterable[str], *, limits: Limits | None = None) -> Iterator[FileVerdict]:
    """Yield the result for each file; "-" is stdin. limits: for each certificate, as for `verify`."""
    for file in files:
        try:
            found = verify(source_of(file), **as_arguments(limits))
        except FormatError as error:
            yield FileVerdict(file, UNREADABLE, "", error.message)
        except OSError as error:
            yield FileVerdict(file, UNREADABLE, "", error.strerror or str(error))
        else:
            yield FileVerdict(file, found.verdict.value, found.claim, found.detail)


def in_numbers(verdicts: Counter[str]) -> str:
    """Return the number of files by verdict, as text.

    >>> in_numbers(Counter({"right": 2, "wrong": 1}))
    '3 certificates: 2 right, 1 wrong'
    """
    names = [*(verdict.value for verdict in Verdict), UNREADABLE]
    listed = [f"{verdicts[name]:,} {name}" for name in names if verdicts[name]]
    total = verdicts.total()
    return f"{total:,} certificate{'' if total == 1 else 's'}: {', '.join(listed)}"
