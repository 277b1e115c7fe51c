"""`knightstour check`: are these tours? What kind of ones, or which step is wrong?"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

import click

from knightstour.core.checking.demands import Demands, HeldAgainst
from knightstour.core.checking.giant import BulkReport
from knightstour.core.checking.reports import Report, SampleReport, reports
from knightstour.core.formats.candidates import read_as_note
from knightstour.core.machine.files import source_of
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import Progress
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.deadline import deadline_option
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import (
    TourFile,
    WorkerWords,
    bundled,
    json_option,
    refuse,
    tour_file,
    worker_options,
)


class DemandWords(NamedTuple):
    """What was typed of the demands."""

    start: str | None
    end: str | None
    closed: bool


@click.command("check", cls=Command)
@tour_file()
@bundled(
    "demands",
    DemandWords,
    click.option("--start", metavar="SQ", help="Demand this first square; exit code 1 for a tour with another."),
    click.option("--end", metavar="SQ", help="Demand this last square."),
    click.option("--closed", is_flag=True, help="Demand closed tours."),
)
@json_option(" a tour: its facts, or its fault; of a data set one")
@deadline_option
@worker_options("For a data set: check")
def command(source: TourFile, demands: DemandWords, as_json: bool, where: WorkerWords) -> int:
    """Check the tours in FILE (- for stdin), or all of a data set in a directory.

    Valid: closed or open, symmetry, turns, crossings, magic. Invalid: exactly which step is wrong. Not as demanded:
    what it is instead.

    \b
    knightstour check tours.txt
    knightstour check tours.npy 8x8 --closed
    """
    if os.path.isdir(source.path):
        typed: dict[str, object] = {"BOARD": source.board}
        typed |= {f"--{name}": word for name, word in demands._asdict().items()}
        refuse(typed, "a data set says itself what it holds")
        return _check_dataset(source.path, where, as_json)
    typed = {f"--{name}": word for name, word in where._asdict().items()}
    refuse(typed, "only data sets, in directories, are checked so")
    board = source.to_board()
    status = console.StatusLine()
    all_valid = True
    notes = _Notes()
    found = reports(source_of(source.path), source.read_format, board, status.progress, Demands(*demands))
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

    def say(self, report: Report | BulkReport | SampleReport | HeldAgainst) -> None:
        """Say what belongs to a report."""
        report = report.report if isinstance(report, HeldAgainst) else report
        if not isinstance(report, Report):
            return
        help = report.fault.help if report.fault is not None else ""
        for kind, text in (("note", read_as_note(report.read_as)), ("help", help)):
            if text and text not in self._said:
                self._said.add(text)
                console.say(kind, text)


def _check_dataset(path: str, where: WorkerWords, as_json: bool) -> int:
    """Check a data set and say what was found."""
    from knightstour.lab.sampling.datasets.checking import check_dataset
    from knightstour.lab.sampling.datasets.manifest import MANIFEST

    status = console.StatusLine()
    last = Progress("checking tours", 0, 0, 0.0)
    found = 0

    def keep(progress: Progress) -> None:
        nonlocal last
        last = progress
        status.progress(progress)

    def take(fault: str) -> None:
        nonlocal found
        found += 1
        if not as_json:
            status.clear()
            print(fault)

    if not os.path.exists(os.path.join(path, MANIFEST)):
        has_parts = any(Path(path).glob("part-*.parquet"))
        raise FormatError(
            "is a directory without a data set: it has no _manifest.json",
            path=path,
            help="draw it again: the same command makes the manifest again"
            if has_parts
            else "give a directory that `knightstour sample -o DIR/` wrote",
        )
    try:
        with where.open() as workers:
            report = check_dataset(path, workers=workers, on_progress=keep, on_fault=take)
    except KeyboardInterrupt:
        status.clear()
        faults = f"{found:,} fault{'' if found == 1 else 's'}" if found else "no fault"
        console.say("note", f"interrupted after {last.done:,} of {last.total:,} tours were checked, with {faults}")
        return console.INTERRUPTED
    status.clear()
    print(json.dumps(report.to_dict()) if as_json else report.to_text())
    return console.FOUND if report.is_valid else console.IMPOSSIBLE
