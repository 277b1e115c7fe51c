"""`knightstour oeis`: OEIS sequences of counts; list, find, check and extend them."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Self

import click

from knightstour.core.machine.files import holds_something
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.interfaces.cli import console, options, parsing
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.efforts import print_forecast
from knightstour.interfaces.cli.help import Command, Group
from knightstour.interfaces.cli.option import option
from knightstour.lab.sequences.check import SequenceCheck, Term, runs
from knightstour.lab.sequences.check import check as check_terms
from knightstour.lab.sequences.check import extend as extend_terms
from knightstour.lab.sequences.sequence import Sequence as Row
from knightstour.lab.sequences.table import SEQUENCES, sequence_named
from knightstour.lab.sequences.table import find as find_terms

# Longest list of terms, in characters.
_MAX_SHOWN = 60
# Shortest count of terms, in seconds, whose forecast is printed.
_LONG_SECONDS = 5


_first_option = option("--first", type=int, metavar="N", help="First n (default: the next).")
_last_option = option("--last", type=int, metavar="N", help="Last n.")


@click.group("oeis", cls=Group)
def command() -> None:
    """Work with the OEIS sequences that count tours.

    \b
    Commands:
      list    List the sequences, or describe one.
      find    Find the sequence that counts the tours of a board.
      check   Count the published terms again, and compare.
      extend  Count terms beyond the published ones.

    \b
    $ knightstour oeis find 6x6 --closed
    """


@command.command("list", cls=Command)
@click.argument("sequence", required=False)
@options.json_option
@any_digits()
def list_(sequence: str | None, *, as_json: bool) -> int:
    """List the sequences, or describe one.

    \b
    $ knightstour oeis list A001230
    """
    return _list(as_json) if sequence is None else _describe(sequence_named(sequence), as_json)


@command.command("find", cls=Command)
@options.board_argument
@options.closed_option
@options.directed_option
@options.classes_option
@options.symmetry_option()
@options.json_option
@any_digits()
def find(board: str, *, closed: bool, directed: bool, up_to_symmetry: bool, symmetry: str | None, as_json: bool) -> int:
    """Find the sequences that contain the count of BOARD, and its index.

    \b
    $ knightstour oeis find 6x6 --closed
    """
    found = find_terms(
        parsing.board_with_notes(board),
        closed=closed,
        directed=directed,
        symmetry=symmetry,
        up_to_symmetry=up_to_symmetry,
    )
    if as_json:
        return _print(json.dumps(place.to_dict()) for place in found)
    if not found:
        console.print_message("note", "no sequence of the list contains this count")
        return console.FOUND
    rows = [
        (place.sequence.number, f"n = {place.n}", place.sequence.title, "" if place.value is None else str(place.value))
        for place in found
    ]
    return _print(line.rstrip() for line in _cells(rows))


@command.command("check", cls=Command)
@click.argument("sequence")
@options.timeout_option()
@options.memory_option
@options.json_option
@any_digits()
def check(sequence: str, *, timeout: float | None, memory: str | None, as_json: bool) -> int:
    """Count the published terms again, and compare.

    \b
    $ knightstour oeis check A001230
    """
    row = sequence_named(sequence)
    limits = options.limits_of(timeout, memory=memory)
    _print_forecast(row, range(row.offset, row.last + 1), limits)
    with _Counting(limits).running() as counting:

        def print_term(term: Term) -> None:
            if term.is_wrong and not as_json:
                counting.status.clear()
                click.echo(f"n = {term.n}: counted {term.value}, published {term.published}")

        found = check_terms(row, on_term=counting.keeper(print_term), **counting.options)
    if counting.is_interrupted:
        return console.INTERRUPTED
    if as_json:
        click.echo(json.dumps(found.to_dict()))
    else:
        click.echo(str(found))
        for reason, terms in _reasons(found.skipped_terms).items():
            console.print_message("note", f"omitted n = {runs(terms)}: {reason}")
    return _code(found)


@command.command("extend", cls=Command)
@click.argument("sequence")
@_first_option
@_last_option
@options.timeout_option()
@options.memory_option
@option("--checkpoint", metavar="DIR", help="Save progress in DIR, and resume from it.")
@options.json_option
@any_digits()
def extend(
    sequence: str,
    *,
    first: int | None,
    last: int | None,
    timeout: float | None,
    memory: str | None,
    checkpoint: str | None,
    as_json: bool,
) -> int:
    """Count terms beyond the published ones and print them as a b-file.

    \b
    $ knightstour oeis extend A070030 --timeout 3600
    """
    row = sequence_named(sequence)
    limits = options.limits_of(timeout, memory=memory)
    if last is not None and not holds_something(checkpoint):
        _print_forecast(row, range(max(row.last + 1 if first is None else first, row.offset), last + 1), limits)
    with _Counting(limits, checkpoint).running() as counting:

        def print_term(term: Term) -> None:
            if not as_json:
                counting.status.clear()
                click.echo(f"{term.n} {term.value}")

        extend_terms(row, first=first, last=last, on_term=counting.keeper(print_term), **counting.options)
    if as_json:
        click.echo(json.dumps({**row.to_dict(), "counted": [term.to_dict() for term in counting.counted]}))
    return console.INTERRUPTED if counting.is_interrupted else console.FOUND


def _print_forecast(sequence: Row, terms: range, limits: Limits) -> None:
    if not terms:
        return
    from knightstour.lab.sequences.check import forecast_terms

    forecast = forecast_terms(sequence, terms, limits)
    if forecast is not None and forecast.seconds > _LONG_SECONDS:
        what = f"counting n = {runs(list(terms))} of {sequence.label}"
        print_forecast(what, forecast.seconds, forecast.bytes, is_least=forecast.is_least)


def _print(lines: Iterable[str]) -> int:
    for line in lines:
        click.echo(line)
    return console.FOUND


def _cells(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Align all columns except the last."""
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    return ["  ".join([*(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=False)), row[-1]]) for row in rows]


def _list(as_json: bool) -> int:
    if as_json:
        return _print(json.dumps(row.to_dict()) for row in SEQUENCES.values())
    rows = [(row.number, f"{row.offset}..{row.last}", row.title) for row in SEQUENCES.values()]
    console.print_message("note", f"{len(rows)} sequences; n is from .. to in the data of the OEIS")
    return _print(_cells([("number", "n", "counted tours"), *rows]))


def _describe(sequence: Row, as_json: bool) -> int:
    if as_json:
        return _print([json.dumps(sequence.to_dict())])
    terms = [str(term) for term in sequence.entry.terms]
    shown: list[str] = []
    width = 0
    for term in terms:
        width += len(term) + 2
        if shown and width > _MAX_SHOWN:
            shown.append("...")
            break
        shown.append(term)
    rows = [
        ("counts", sequence.title),
        ("terms", ", ".join(shown)),
        ("n", f"from {sequence.offset}; the OEIS shows {len(terms)} terms, to n = {sequence.last}"),
        ("here", sequence.reach),
        ("author", sequence.entry.author),
        ("source", f"{sequence.address}, read on {sequence.entry.read}"),
    ]
    return _print(_cells(rows))


class _Counting:
    """A long count of terms; after Ctrl-C it prints how to resume."""

    def __init__(self, limits: Limits, checkpoint: str | None = None) -> None:
        self.status = console.StatusLine()
        self.counted: list[Term] = []
        self.is_interrupted = False
        self.options: dict[str, Any] = {
            **as_arguments(limits),
            "on_progress": self.status.progress,
            "checkpoint": checkpoint,
        }

    def keeper(self, report: Callable[[Term], None] | None = None) -> Callable[[Term], None]:

        def keep(term: Term) -> None:
            self.counted.append(term)
            if report is not None:
                report(term)

        return keep

    @contextmanager
    def running(self) -> Iterator[Self]:
        try:
            yield self
        except KeyboardInterrupt:
            self.status.clear()
            self.is_interrupted = True
            console.print_message("note", f"interrupted; {len(self.counted)} terms were counted")
            self.print_resume_option()
        finally:
            self.status.clear()

    def print_resume_option(self) -> None:
        checkpoint = self.options["checkpoint"]
        if checkpoint is not None:
            console.print_message("help", f"resume with --checkpoint {shlex.quote(checkpoint)}")


def _code(check: SequenceCheck) -> int:
    if check.wrong_terms:
        return console.IMPOSSIBLE
    return console.UNDECIDED if check.skipped_terms else console.FOUND


def _reasons(terms: Iterable[Term]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for term in terms:
        found.setdefault(term.reason, []).append(term.n)
    return found
