"""`knightstour check`: check tours, data sets and certificates."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import click

from knightstour.core.checking.check import UNREADABLE, FileCheck, check_files, files_of
from knightstour.core.checking.reports import Demands, HeldAgainst, Report, SampleReport, reports
from knightstour.core.formats.candidates import read_as_note
from knightstour.core.machine.files import source_of
from knightstour.core.model.board import Board
from knightstour.core.model.budget import DEFAULT_SECONDS, Limits, as_arguments
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import csv_text, names_of
from knightstour.core.model.progress import Progress
from knightstour.interfaces.cli import console, options
from knightstour.interfaces.cli.deadline import within
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.option import option
from knightstour.interfaces.cli.parsing import is_board
from knightstour.lab.certificates.several import FileVerdict, certificate_files, in_numbers, verify_files
from knightstour.lab.certificates.verify import Verdict, is_certificate, verify

_EXIT_CODES = {Verdict.RIGHT: console.FOUND, Verdict.WRONG: console.IMPOSSIBLE, Verdict.UNCHECKED: console.UNDECIDED}


class _CheckRequest(NamedTuple):
    """The options of the command."""

    board: str | None
    demands: Demands
    as_csv: bool
    as_json: bool
    timeout: float | None
    workers: str | None


@click.command("check", cls=Command)
@click.argument("file", nargs=-1, required=True, metavar="FILE... [BOARD]")
@option("--closed", is_flag=True, help="Accept only closed tours.")
@option("--start", metavar="SQ", help="Accept only tours with this first square.")
@option("--end", metavar="SQ", help="Accept only tours with this last square.")
@options.csv_option
@options.timeout_option()
@options.json_option
@options.workers_option("Data sets")
def command(
    file: tuple[str, ...],
    *,
    closed: bool,
    start: str | None,
    end: str | None,
    as_csv: bool,
    timeout: float | None,
    as_json: bool,
    workers: str | None,
) -> int:
    """Check tours and certificates. For many files, or a folder, print a line per file.

    Exit codes: 0 all valid, 1 some invalid, 2 some unreadable.

    \b
    $ knightstour check tour.txt
    $ knightstour check homework/ 6x6 --csv
    $ knightstour check proof.json
    """
    options.check_only_one({"--csv": as_csv, "--json": as_json})
    files, board = _files_and_board(file)
    request = _CheckRequest(board, Demands(start, end, closed), as_csv, as_json, timeout, workers)
    if len(files) == 1 and _is_dataset(files[0]):
        _refuse_demands(request, "a data set contains its own problem")
        options.refuse({"--csv": as_csv}, "a data set is one file")
        return within(timeout, lambda: _check_dataset(files[0], workers, as_json))
    options.refuse({"--workers": workers}, "only the check of a data set uses workers")
    if any(map(_is_certificate, files)):
        _refuse_demands(request, "a certificate contains its own problem")
        return _check_certificates(files, request)
    sources = [options.TourFile(each, board) for each in files]
    on = sources[0].to_board()
    if len(files) > 1 or as_csv or os.path.isdir(files[0]):
        return within(timeout, lambda: _check_files(_list_files(sources), on, request))
    return within(timeout, lambda: _check_one(sources[0], on, request))


def _refuse_demands(request: _CheckRequest, reason: str) -> None:
    demands = request.demands
    given = {"--start": demands.start, "--end": demands.end, "--closed": demands.closed}
    options.refuse({"BOARD": request.board, **given}, reason)


def _files_and_board(words: Sequence[str]) -> tuple[Sequence[str], str | None]:
    """Return the files, and the board if the last of several arguments is a board.

    A board is a size, a file with parts of a board after its name, a file of graphs, or a drawing without letters.
    """
    return (words[:-1], words[-1]) if len(words) > 1 and is_board(words[-1]) else (words, None)


def _is_dataset(path: str) -> bool:
    """Raises FormatError for a folder without a manifest."""
    from knightstour.lab.sampling.datasets.manifest import MANIFEST

    if not os.path.isdir(path):
        return False
    if os.path.exists(os.path.join(path, MANIFEST)):
        return True
    if any(Path(path).glob("part-*")):
        help = "delete its files, and draw it again with the same command"
        raise FormatError("is a directory without a data set: it has no _manifest.json", path=path, help=help)
    return False


def _is_certificate(path: str) -> bool:
    """Return whether a file, or the first file of a folder, is a certificate."""
    return is_certificate(files_of(path)[0] if os.path.isdir(path) else path)


def _check_certificates(files: Sequence[str], request: _CheckRequest) -> int:
    """Print a line per file and the totals if there are several."""
    limits = Limits(DEFAULT_SECONDS if request.timeout is None else request.timeout)
    status = console.StatusLine()
    if len(files) == 1 and not os.path.isdir(files[0]) and not request.as_csv:
        with status.timing("checking"):
            found = verify(source_of(files[0]), **as_arguments(limits))
        status.clear()
        click.echo(json.dumps(found.to_dict()) if request.as_json else str(found))
        return _EXIT_CODES[found.verdict]
    verdicts = Counter[str]()
    if request.as_csv:
        click.echo(csv_text(names_of(FileVerdict), ()), nl=False)
    rows = verify_files(certificate_files(files), limits=limits)
    while True:
        with status.timing("checking"):
            row = next(rows, None)
        status.clear()
        if row is None:
            break
        verdicts[row.verdict] += 1
        if request.as_csv:
            click.echo(csv_text(names_of(FileVerdict), [row.to_dict()], header=False), nl=False)
        else:
            click.echo(json.dumps(row.to_dict()) if request.as_json else row.to_text())
    console.print_message("note", in_numbers(verdicts))
    if verdicts[UNREADABLE]:
        return console.USAGE
    worst = next((each for each in (Verdict.WRONG, Verdict.UNCHECKED) if verdicts[each.value]), Verdict.RIGHT)
    return _EXIT_CODES[worst]


def _list_files(sources: Sequence[options.TourFile]) -> list[tuple[str, str | None]]:
    found: list[tuple[str, str | None]] = []
    for each in sources:
        if _is_dataset(each.path):
            raise FormatError("is a data set", path=each.path, help="check it alone")
        if os.path.isdir(each.path):
            found += [(file, each.read_format) for file in files_of(each.path)]
        else:
            found.append((each.path, each.read_format))
    return found


def _check_files(files: Sequence[tuple[str, str | None]], board: Board | None, request: _CheckRequest) -> int:
    status = console.StatusLine()
    if request.as_csv:
        click.echo(csv_text(names_of(FileCheck), ()), nl=False)

    def take(row: FileCheck) -> None:
        status.clear()
        if request.as_csv:
            click.echo(csv_text(names_of(FileCheck), [row.to_dict()], header=False), nl=False)
        else:
            click.echo(json.dumps(row.to_dict()) if request.as_json else row.to_text())

    with status.timing("checking"):
        found = check_files(files, board, request.demands, take)
    status.clear()
    console.print_message("note", found.to_text())
    if any(row.verdict == UNREADABLE for row in found):
        return console.USAGE
    return console.FOUND if found.is_valid else console.IMPOSSIBLE


def _check_one(source: options.TourFile, board: Board | None, request: _CheckRequest) -> int:
    status = console.StatusLine()
    all_valid = True
    notes = _Notes()
    found = reports(source_of(source.path), source.read_format, board, request.demands)
    while True:
        with status.timing("checking"):
            number, report = next(found, (0, None))
        status.clear()
        if report is None:
            break
        all_valid &= report.is_valid
        click.echo(json.dumps(report.to_dict(number)) if request.as_json else report.to_text(number))
        if not request.as_json:
            notes.print_once(report)
    return console.FOUND if all_valid else console.IMPOSSIBLE


class _Notes:
    """Prints notes and help, each text only once."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def print_once(self, report: Report | SampleReport | HeldAgainst) -> None:
        """Print the note and the help of a report."""
        report = report.report if isinstance(report, HeldAgainst) else report
        if not isinstance(report, Report):
            return
        help = report.fault.help if report.fault is not None else ""
        for kind, text in (("note", read_as_note(report.read_as)), ("help", help)):
            if text and text not in self._said:
                self._said.add(text)
                console.print_message(kind, text)


def _check_dataset(path: str, workers: str | None, as_json: bool) -> int:
    from knightstour.lab.sampling.datasets.checking import check_dataset

    status = console.StatusLine()
    last = Progress("checking tours", 0, 0, 0.0)

    def keep(progress: Progress) -> None:
        nonlocal last
        last = progress
        status.progress(progress)

    try:
        with options.open_workers(workers) as opened:
            report = check_dataset(path, workers=opened, on_progress=keep)
    except KeyboardInterrupt:
        status.clear()
        console.print_message("note", f"interrupted after {last.done:,} of {last.total:,} tours were checked")
        return console.INTERRUPTED
    status.clear()
    print(json.dumps(report.to_dict()) if as_json else report.to_text())
    return console.FOUND if report.is_valid else console.IMPOSSIBLE
