"""`knightstour check`: are these tours? What kind of ones, or which step is wrong?"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, NamedTuple

import click

from knightstour.core.checking.check import UNREADABLE, FileCheck, check_files, files_of
from knightstour.core.checking.reports import Demands, HeldAgainst, Report, SampleReport, reports
from knightstour.core.formats.candidates import read_as_note
from knightstour.core.machine.files import source_of
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.exports import csv_text, names_of
from knightstour.core.model.progress import Progress
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.deadline import deadline_option
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    TourFile,
    WorkerWords,
    arcs_option,
    declared,
    json_option,
    refuse,
    worker_options,
)
from knightstour.interfaces.cli.parsing import is_board

_OWN = "a data set says itself what it holds"


class CheckWords(NamedTuple):
    """What was typed of the demands, and of the form of the answer."""

    start: Annotated[str | None, typed("Demand this first square; exit code 1 for a tour with another.", "SQ")]
    end: Annotated[str | None, typed("Demand this last square.", "SQ")]
    closed: Annotated[bool, typed("Demand closed tours.")]
    as_csv: Annotated[bool, typed("A line of CSV for each file.", flags="--csv", without="as_json")]

    @property
    def demands(self) -> Demands:
        """What is demanded of each tour."""
        return Demands(self.start, self.end, self.closed)


@click.command("check", cls=Command)
@click.argument("file", nargs=-1, required=True, metavar="FILE... [BOARD]")
@arcs_option
@declared("wanted", CheckWords)
@json_option(" a tour: its facts, or its fault; of several files one a file, of a data set one")
@deadline_option
@worker_options("For a data set: check")
def command(file: tuple[str, ...], arcs: bool, wanted: CheckWords, as_json: bool, worker_words: WorkerWords) -> int:
    """Check the tours in FILE (- for stdin); in several files, or in a folder, with a line for each; or a data set.

    A SAT solver's model is checked as a tour of the .cnf file given as BOARD; certificates are checked as by `verify`.

    Valid: closed or open, symmetry, turns, crossings, magic. Invalid: exactly which step is wrong. Not as demanded:
    what it is instead, such as a tour of another board. BOARD is for files that do not say it.

    The exit code is 0 where all are as they should be, 1 where one is not, 2 where a file cannot be read.

    \b
    knightstour check tours.txt
    knightstour check homework/ 6x6 --closed --csv
    """
    files, named = _files_and_board(file, arcs)
    if len(files) == 1 and _is_dataset(files[0]):
        typed: dict[str, object] = {f"--{name.removeprefix('as_')}": word for name, word in wanted._asdict().items()}
        refuse({"BOARD": named, "--arcs": arcs, **typed}, _OWN)
        return _check_dataset(files[0], worker_words, as_json)
    refuse({f"--{name}": word for name, word in worker_words._asdict().items()}, "only data sets are checked so")
    if any(map(_is_certificate, files)):
        return _check_certificates(files, named, arcs, wanted, as_json)
    sources = [TourFile(each, named, arcs) for each in files]
    board = sources[0].to_board()
    if len(files) > 1 or wanted.as_csv or os.path.isdir(files[0]):
        return _check_files(_listed(sources), board, wanted, as_json)
    return _check_one(sources[0], board, wanted.demands, as_json)


def _files_and_board(words: Sequence[str], arcs: bool) -> tuple[Sequence[str], str | None]:
    """The files, and the board where the last of several words is one.

    It is one where it is a size, or a file with parts of a board behind it, or can hold no tour: of a format
    of graphs, or a drawing without a letter or digit. arcs: --arcs was typed, which is about a board.
    """
    return (words[:-1], words[-1]) if len(words) > 1 and (arcs or is_board(words[-1])) else (words, None)


def _is_dataset(path: str) -> bool:
    """Whether a folder holds a data set; a FormatError where it has lost its manifest."""
    from knightstour.lab.sampling.datasets.manifest import MANIFEST

    if not os.path.isdir(path):
        return False
    if os.path.exists(os.path.join(path, MANIFEST)):
        return True
    if any(Path(path).glob("part-*")):
        help = "draw it again: the same command makes the manifest again"
        raise FormatError("is a directory without a data set: it has no _manifest.json", path=path, help=help)
    return False


def _is_certificate(path: str) -> bool:
    """Whether a file is a certificate, or the first file of a folder is one."""
    from knightstour.lab.certificates.verify import is_certificate

    return is_certificate(files_of(path)[0] if os.path.isdir(path) else path)


def _check_certificates(files: Sequence[str], named: str | None, arcs: bool, wanted: CheckWords, as_json: bool) -> int:
    """Check certificates as `verify` does."""
    from knightstour.core.model.budget import Limits
    from knightstour.interfaces.cli.commands.verify import verify_each
    from knightstour.lab.certificates.several import certificate_files

    typed = {"BOARD": named, "--arcs": arcs, "--start": wanted.start, "--end": wanted.end, "--closed": wanted.closed}
    refuse(typed, "a certificate contains its own question")
    return verify_each(certificate_files(files), Limits(), as_json=as_json, as_csv=wanted.as_csv)


def _listed(sources: Sequence[TourFile]) -> list[tuple[str, str | None]]:
    """Each file with its format, if one was typed; of a folder all its files."""
    found: list[tuple[str, str | None]] = []
    for each in sources:
        if _is_dataset(each.path):
            raise FormatError("is a data set", path=each.path, help="check it alone")
        if os.path.isdir(each.path):
            found += [(file, each.read_format) for file in files_of(each.path)]
        else:
            found.append((each.path, each.read_format))
    return found


def _check_files(
    files: Sequence[tuple[str, str | None]], board: Board | None, wanted: CheckWords, as_json: bool
) -> int:
    status = console.StatusLine()
    if wanted.as_csv:
        click.echo(csv_text(names_of(FileCheck), ()), nl=False)

    def take(row: FileCheck) -> None:
        status.clear()
        if wanted.as_csv:
            click.echo(csv_text(names_of(FileCheck), [row.to_dict()], header=False), nl=False)
        else:
            click.echo(json.dumps(row.to_dict()) if as_json else row.to_text())

    with status.timing("checking"):
        found = check_files(files, board, wanted.demands, take)
    status.clear()
    console.say("note", found.to_text())
    if any(row.verdict == UNREADABLE for row in found):
        return console.USAGE
    return console.FOUND if found.is_valid else console.IMPOSSIBLE


def _check_one(source: TourFile, board: Board | None, demands: Demands, as_json: bool) -> int:
    status = console.StatusLine()
    all_valid = True
    notes = _Notes()
    found = reports(source_of(source.path), source.read_format, board, demands)
    while True:
        with status.timing("checking"):
            number, report = next(found, (0, None))
        status.clear()
        if report is None:
            break
        all_valid &= report.is_valid
        click.echo(json.dumps(report.to_dict(number)) if as_json else report.to_text(number))
        if not as_json:
            notes.say(report)
    return console.FOUND if all_valid else console.IMPOSSIBLE


class _Notes:
    """Says beside the reports how they were read and what to do about a fault, each thing once."""

    def __init__(self) -> None:
        self._said: set[str] = set()

    def say(self, report: Report | SampleReport | HeldAgainst) -> None:
        """Say what belongs to a report."""
        report = report.report if isinstance(report, HeldAgainst) else report
        if not isinstance(report, Report):
            return
        help = report.fault.help if report.fault is not None else ""
        for kind, text in (("note", read_as_note(report.read_as)), ("help", help)):
            if text and text not in self._said:
                self._said.add(text)
                console.say(kind, text)


def _check_dataset(path: str, worker_words: WorkerWords, as_json: bool) -> int:
    from knightstour.lab.sampling.datasets.checking import check_dataset

    status = console.StatusLine()
    last = Progress("checking tours", 0, 0, 0.0)

    def keep(progress: Progress) -> None:
        nonlocal last
        last = progress
        status.progress(progress)

    try:
        with worker_words.open() as workers:
            report = check_dataset(path, workers=workers, on_progress=keep)
    except KeyboardInterrupt:
        status.clear()
        console.say("note", f"interrupted after {last.done:,} of {last.total:,} tours were checked")
        return console.INTERRUPTED
    status.clear()
    print(json.dumps(report.to_dict()) if as_json else report.to_text())
    return console.FOUND if report.is_valid else console.IMPOSSIBLE
