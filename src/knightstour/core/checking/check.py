"""`check`: all tours of a file, an array, several files or a folder, with a row for each file."""

from __future__ import annotations

import io
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

import numpy as np

from knightstour.core.checking.reports import Demands, HeldAgainst, Report, SampleReport, reports
from knightstour.core.formats.tours import no_text_as_path
from knightstour.core.machine.files import PathOrFile, source_of
from knightstour.core.model.board import Board, BoardLike, Square, board_of
from knightstour.core.model.errors import FormatError, InvalidTour, with_notes
from knightstour.core.model.exports import names_of, record_of, table_of
from knightstour.core.model.numbering import numbers_in
from knightstour.core.model.sample import Sample
from knightstour.core.model.tour import Tour
from knightstour.core.model.validation import flag, quoted
from knightstour.core.model.validation import path as checked_path

if TYPE_CHECKING:
    import pandas as pd

Path = str | os.PathLike[str]

VALID, UNMET, INVALID, UNREADABLE = "valid", "not as demanded", "invalid", "unreadable"
UNCHECKED, CERTIFICATE = "unchecked", "certificate"


class Fault(NamedTuple):
    """Invalid tour: its number in the file or array, from 1, the error, and the file."""

    number: int
    error: InvalidTour
    file: str = ""


class Unmet(NamedTuple):
    """Tour that does not meet the demands: its number in the file or array, from 1, the difference, and the file."""

    number: int
    reason: str
    file: str = ""


@dataclass(frozen=True, slots=True)
class FileCheck:
    """Result for one file, or for an array: a row of the table.

    Attributes:
        file: File name; "" for an array or a stream.
        verdict: "valid", "not as demanded", "invalid" (if one tour is) or "unreadable"; for a certificate "valid",
            "invalid", "unchecked" (too long to check) or "unreadable".
        kind: "open", "closed", "both", "certificate", or "" without tours.
        board: Board of the tours, such as "8x8"; "several" if they differ.
        tours: Number of tours.
        step, square: Place of the first fault, from 0, if known.
        reason: Description of the first fault; for a certificate its claim and fault.
    """

    file: str
    verdict: str
    kind: str
    board: str
    tours: int
    step: int | None
    square: str
    reason: str

    @property
    def is_valid(self) -> bool:
        """Whether all tours are valid and meet the demands."""
        return self.verdict == VALID

    def to_dict(self) -> dict[str, object]:
        """Return the fields as a JSON-serialisable dict."""
        return record_of(self)

    def to_text(self) -> str:
        """Return one line of text.

        >>> FileCheck("a.txt", "valid", "open", "8x8", 1, None, "", "").to_text()
        'a.txt: valid: open, 8x8'
        """
        tours = "" if self.tours < 2 else f"{self.tours:,} tours"
        words = (self.reason,) if self.reason else (self.kind, self.board, tours)
        return f"{self.file}: {self.verdict}: " + ", ".join(filter(None, words))


@dataclass(frozen=True, slots=True)
class CheckReport:
    """Result of `check`. Iterating over it yields a FileCheck for each file, or one for an array.

    Attributes:
        tour_count: Number of tours, valid or not.
        closed_count: Number of valid closed tours.
        faults: The invalid tours.
        unmet: The valid tours that do not meet the demands.
        read_as: Interpretation of inexact formats.
        repeat_count: Number of valid tours that repeat an earlier tour, also reversed and, if closed, from another
            start; None for rows of square numbers, which are not compared.
    """

    tour_count: int
    closed_count: int
    faults: tuple[Fault, ...]
    unmet: tuple[Unmet, ...] = ()
    read_as: tuple[str, ...] = ()
    repeat_count: int | None = None
    files: tuple[FileCheck, ...] = field(default=(), repr=False, compare=False)

    @property
    def is_valid(self) -> bool:
        """Whether all files are readable, and all tours valid and as demanded."""
        return not self.faults and not self.unmet and all(row.is_valid for row in self.files)

    def __iter__(self) -> Iterator[FileCheck]:
        return iter(self.files)

    def to_dict(self) -> dict[str, object]:
        """Return the report as a JSON-serialisable dict."""
        return {
            "valid": self.is_valid,
            "tours": self.tour_count,
            "closed": self.closed_count,
            "invalid": len(self.faults),
            "unmet": len(self.unmet),
            "repeats": self.repeat_count,
            "read_as": list(self.read_as),
            "files": [row.to_dict() for row in self.files],
        }

    def to_pandas(self) -> pd.DataFrame:
        """Return a pandas DataFrame with a row for each file. Requires pandas."""
        return table_of([row.to_dict() for row in self.files], names_of(FileCheck))

    def to_text(self) -> str:
        """Return the number of files (or of tours in a single file) by verdict, and the number of repeated tours.

        >>> CheckReport(3, 1, (), repeat_count=1).to_text()
        '3 tours: 3 valid; 1 of them came before'
        """
        if len(self.files) == 1 and self.files[0].kind == CERTIFICATE:
            return f"{self.files[0].verdict}: {self.files[0].reason}"
        if len(self.files) > 1:
            counts = Counter(row.verdict for row in self.files)
            words = f"{len(self.files):,} files"
        else:
            wrong, unmet = len(self.faults), len(self.unmet)
            counts = Counter({VALID: self.tour_count - wrong - unmet, UNMET: unmet, INVALID: wrong})
            words = f"{self.tour_count:,} tour{'' if self.tour_count == 1 else 's'}"
        listed = [f"{counts[name]:,} {name}" for name in (VALID, UNMET, INVALID, UNCHECKED, UNREADABLE) if counts[name]]
        repeats = f"; {self.repeat_count:,} of them came before" if self.repeat_count else ""
        if repeats and len(self.files) > 1:
            repeats = f"; {self.repeat_count:,} of the {self.tour_count:,} tours came before"
        return f"{words}: {', '.join(listed)}{repeats}"


def check(
    tours: PathOrFile | Tour | Sequence[Path] | np.ndarray | Sample | Sequence[object],
    board: BoardLike | None = None,
    *,
    closed: bool = False,
    start: Square | str | None = None,
    end: Square | str | None = None,
    format: str | None = None,
) -> CheckReport:
    """Check all tours in files, a folder, a text, a stream or an array, or check a certificate.

    All tours are checked, also after an invalid one. Rows of square numbers, also in a `.npy` file from
    `knightstour sample`, are checked at some millions per second. Files larger than the memory are supported.

    Args:
        tours: A path or an open stream, as for `read_tours`; a text with a line end; a list of paths; a folder; a
            Tour; a Sample; or an array or lists: diagrams (tours, rows, cols), lists of squares (tours, squares, 2) or,
            with a given board, square numbers (tours, squares).
        board, format: As for `read_tours`. A tour of another board does not meet the demands.
        closed, start, end: Demands on each tour as written: whether it is closed, its first and its last square.

    Raises:
        FormatError: If the file or array contains no tour. Among several files, unreadable ones have the verdict
            "unreadable".
        OSError: If a single file cannot be opened.

    >>> check(np.array([[[1, 4, 7, 10], [8, 11, 2, 5], [3, 6, 9, 12]]]))
    CheckReport(tour_count=1, closed_count=0, faults=(), unmet=(), read_as=(), repeat_count=0)
    >>> from knightstour import find_tour
    >>> check(find_tour("8x8:torus", seed=1)).tour_count
    1
    >>> check("1 4 7 10\\n8 11 2 5\\n3 6 9 12\\n").is_valid
    True
    """
    demands = Demands(start, end, flag(closed, "closed"))
    given = None if board is None else board_of(board)
    if isinstance(tours, str) and "\n" in tours:
        tours = io.StringIO(tours)
    if _are_paths(tours):
        return check_files([(checked_path(each), format) for each in tours], given, demands)
    if isinstance(tours, str | os.PathLike) and os.path.isdir(tours):
        return check_files([(file, format) for file in files_of(tours)], given, demands)
    if isinstance(tours, Sample):
        given, tours = tours.board, tours.orders
    elif isinstance(tours, Sequence) and not isinstance(tours, str):
        numbers = numbers_in(tours)
        if numbers is None:
            raise FormatError(
                "lists of tours must contain integers, all of one length", help="pass a file, or an array"
            )
        tours = numbers
    elif not isinstance(tours, str | os.PathLike | np.ndarray | Tour) and not hasattr(tours, "read"):
        help = "pass a file, a list of files, a Tour, an array, or lists of numbers"
        raise with_notes(TypeError(f"cannot check tours in {quoted(tours)}"), help=help)
    found = _Findings()
    with no_text_as_path(tours):
        found.take_all(
            "" if not isinstance(tours, str | os.PathLike) else os.fspath(tours), tours, format, given, demands
        )
    return found.report()


def _are_paths(tours: object) -> TypeGuard[Sequence[Path]]:
    return isinstance(tours, list | tuple) and bool(tours) and all(isinstance(x, str | os.PathLike) for x in tours)


def files_of(folder: Path) -> list[str]:
    """Return the files in a folder, sorted, without hidden ones. Raises FormatError if there are none."""
    name = os.fspath(folder)
    with os.scandir(name) as entries:
        found = sorted(entry.path for entry in entries if entry.is_file() and not entry.name.startswith("."))
    if not found:
        raise FormatError("the folder contains no files", path=name)
    return found


def check_files(
    files: Iterable[tuple[str, str | None]],
    board: Board | None,
    demands: Demands,
    on_file: Callable[[FileCheck], None] | None = None,
) -> CheckReport:
    """Return the report on several files, each with its format or None; "-" is stdin.

    on_file: Called with the result for each file.
    """
    found = _Findings()
    for file, format in files:
        found.take_all(file, source_of(file), format, board, demands, is_one_of_several=True)
        if on_file is not None:
            on_file(found.files[-1])
    return found.report()


def _is_certificate(path: Path) -> bool:
    # A pipe can be read only once, so it is never examined first.
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            return b'"knightstour certificate' in file.read(200)
    except OSError:
        return False


def _check_of_certificate(path: Path) -> FileCheck:
    from knightstour.lab.certificates.verify import Verdict, verify

    verdicts = {Verdict.RIGHT: VALID, Verdict.WRONG: INVALID, Verdict.UNCHECKED: UNCHECKED}
    found = verify(path)
    reason = found.claim if found.is_right else f"{found.claim}; {found.detail}"
    return FileCheck(os.fspath(path), verdicts[found.verdict], CERTIFICATE, "", 0, None, "", reason)


class _Findings:
    def __init__(self) -> None:
        self._count = self._closed = 0
        self._repeats: int | None = 0
        self._faults: list[Fault] = []
        self._unmet: list[Unmet] = []
        self._read_as: dict[str, None] = {}
        self.files: list[FileCheck] = []
        self._seen: set[bytes] = set()

    def take_all(
        self,
        file: str,
        tours: PathOrFile | Tour | np.ndarray,
        format: str | None,
        board: Board | None,
        demands: Demands,
        *,
        is_one_of_several: bool = False,
    ) -> None:
        """Check the tours of a file, or of an array if `file` is "".

        is_one_of_several: Whether to record an unreadable file instead of raising an error.
        """
        row = _Row(file)
        try:
            if isinstance(tours, str | os.PathLike) and _is_certificate(tours):
                self.files.append(_check_of_certificate(tours))
                return
            for number, found in reports(tours, format, board, demands):
                unmet = str(found.unmet or "") if isinstance(found, HeldAgainst) else ""
                self._take(number, found.report if isinstance(found, HeldAgainst) else found, unmet, row)
        except (FormatError, InvalidTour, OSError) as error:
            if not is_one_of_several:
                raise
            row.fail(error)
        self._count += row.count
        self._closed += row.closed
        self.files.append(row.check())

    def _take(self, number: int, report: Report | SampleReport, unmet: str, row: _Row) -> None:
        row.take(number, report, unmet)
        if isinstance(report, SampleReport):
            self._repeats = None
            return
        if report.fault is not None:
            self._faults.append(Fault(number, report.fault, row.file))
        elif unmet:
            self._unmet.append(Unmet(number, unmet, row.file))
        self._read_as |= dict.fromkeys(report.read_as)
        self._look_for_repeat(report.tour)

    def _look_for_repeat(self, tour: Tour | None) -> None:
        if tour is None or self._repeats is None:
            return
        key = _key_of(tour)
        self._repeats += key in self._seen
        self._seen.add(key)

    def report(self) -> CheckReport:
        faults, unmet, read_as = tuple(self._faults), tuple(self._unmet), tuple(self._read_as)
        return CheckReport(self._count, self._closed, faults, unmet, read_as, self._repeats, tuple(self.files))


class _Row:
    def __init__(self, file: str) -> None:
        self.file = file
        self.count = self.closed = 0
        self._faulty = 0
        self._boards: dict[str, None] = {}
        self._first: tuple[str, int | None, str, str] | None = None

    def take(self, number: int, report: Report | SampleReport, unmet: str) -> None:
        if report.board is not None:
            self._boards[str(report.board)] = None
        if isinstance(report, SampleReport):
            self.count, self.closed, self._faulty = report.tour_count, report.closed_count, report.fault_count
            return
        self.count = number
        self.closed += report.is_closed
        if report.fault is not None:
            self._faulty += 1
            if self._first is None or self._first[0] == UNMET:
                self._first = (
                    INVALID,
                    report.fault.step,
                    report.fault_square,
                    self._with_number(number, str(report.fault)),
                )
        elif unmet and self._first is None:
            self._first = (UNMET, None, "", self._with_number(number, unmet))

    def fail(self, error: FormatError | InvalidTour | OSError) -> None:
        line = f"line {error.line}: " if isinstance(error, FormatError) and error.line else ""
        message = error.message if isinstance(error, FormatError) else getattr(error, "strerror", None) or str(error)
        self._first = (UNREADABLE, None, "", line + message)

    @staticmethod
    def _with_number(number: int, reason: str) -> str:
        return reason if number == 1 else f"tour {number}: {reason}"

    def check(self) -> FileCheck:
        valid = self.count - self._faulty
        kind = "" if not valid else "closed" if self.closed == valid else "both" if self.closed else "open"
        board = next(iter(self._boards), "") if len(self._boards) < 2 else "several"
        verdict, step, square, reason = self._first or (VALID, None, "", "")
        return FileCheck(self.file, verdict, kind, board, self.count, step, square, reason)


def _key_of(tour: Tour) -> bytes:
    """Return a digest of the set of moves, the same for each direction and each start of a closed tour."""
    order = tour.order
    if tour.is_closed:
        order = np.roll(order, -int(order.argmin()))
        order = order if order[1] < order[-1] else np.roll(order[::-1], 1)
    elif order[0] > order[-1]:
        order = order[::-1]
    digest = blake2b(str(tour.board).encode(), digest_size=16)
    digest.update(order.astype(np.int64).tobytes())
    return digest.digest()
