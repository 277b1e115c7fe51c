"""`knightstour oeis`: sequences of counts in the OEIS; list, check and continue them."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated, Any, NamedTuple, Self

import click

from knightstour.core.model.board import Board
from knightstour.interfaces.cli import console
from knightstour.interfaces.cli.console import any_digits
from knightstour.interfaces.cli.declared import typed
from knightstour.interfaces.cli.efforts import EffortWords, effort_options, say_what_it_takes
from knightstour.interfaces.cli.help import Command
from knightstour.interfaces.cli.options import declared, holds_something, json_option
from knightstour.lab.sequences.check import SequenceCheck, Term, runs
from knightstour.lab.sequences.check import check as check_terms
from knightstour.lab.sequences.check import extend as extend_terms
from knightstour.lab.sequences.sequence import Sequence as Row
from knightstour.lab.sequences.table import SEQUENCES, find, sequence_named

# How many of a sequence's terms a line shows.
_MAX_SHOWN = 60
# From how many seconds on a count of terms says at its start what it takes.
_LONG_SECONDS = 5


class _OeisWords(NamedTuple):
    sequence: Annotated[str | None, click.argument("sequence", required=False)]
    check: Annotated[bool, typed("Count the published terms again, and compare.", needs="sequence")]
    extend: Annotated[
        float | None,
        typed(
            "Go on beyond the published terms, for S seconds or --timeout; a line a term, as in a b-file.",
            "[S]",
            is_flag=False,
            flag_value=math.inf,
            needs="sequence",
            without="check",
        ),
    ]
    first: Annotated[int | None, typed("With --extend: begin with this n.", "N", needs="extend")]
    last: Annotated[int | None, typed("With --extend: end with this n.", "N", needs="extend")]
    checkpoint: Annotated[
        str | None,
        typed("Keep there what is needed to go on later; what it holds is continued.", "DIR", needs="check extend"),
    ]
    as_json: Annotated[bool, json_option(" a sequence; of counts one with all terms")]


class _BoardWords(NamedTuple):
    of: Annotated[
        str | None,
        typed(
            "Say to which sequences the count of BOARD belongs, and at which n.",
            "BOARD",
            without="sequence",
            why="a sequence and --of are two questions: ask one at a time",
        ),
    ]
    closed: Annotated[bool, typed("With --of: closed tours.", needs="of")]
    directed: Annotated[bool, typed("With --of: a tour and its reverse count as two.", needs="of")]
    classes: Annotated[bool, typed("With --of: rotations and reflections of a tour count once.", needs="of")]
    symmetry: Annotated[
        str | None, typed("With --of: tours with this symmetry: 180, vertical, ...", "NAME", needs="of")
    ]


@click.command("oeis", cls=Command)
@declared("wanted", _OeisWords)
@declared("board_words", _BoardWords)
@effort_options(without=("threads",))
def command(wanted: _OeisWords, board_words: _BoardWords, effort: EffortWords) -> int:
    """List the sequences of the OEIS about tours, say what SEQUENCE is, and check it.

    SEQUENCE is an A-number of the list, such as A193055.

    \b
    knightstour oeis A193055 --check --timeout 20
    knightstour oeis A175855 --extend 20 --first 1 > b175855.txt
    """
    if wanted.extend is not None and wanted.extend < math.inf and effort.timeout is not None:
        raise click.UsageError("--extend and --timeout both say how long; give one of the two numbers")
    if board_words.of is not None:
        return _places(board_words, wanted.as_json)
    if wanted.sequence is None:
        return _list(wanted.as_json)
    sequence = sequence_named(wanted.sequence)
    _say_if_long(sequence, _asked_terms(sequence, wanted), effort)
    if wanted.extend is not None:
        return _extend(sequence, wanted, effort)
    if wanted.check:
        return _check(sequence, wanted, effort)
    return _tell(sequence, wanted.as_json)


def _asked_terms(sequence: Row, wanted: _OeisWords) -> range:
    """The indices of the terms that will be counted; none where that depends on the time, or on what is kept."""
    if holds_something(wanted.checkpoint):
        return range(0)
    if wanted.extend is not None:
        first = sequence.last + 1 if wanted.first is None else wanted.first
        return range(0) if wanted.last is None else range(max(first, sequence.offset), wanted.last + 1)
    if wanted.check:
        return range(sequence.offset, (sequence.last if wanted.last is None else wanted.last) + 1)
    return range(0)


def _say_if_long(sequence: Row, terms: range, effort: EffortWords) -> None:
    if not terms:
        return
    from knightstour.lab.sequences.check import forecast_terms

    forecast = forecast_terms(sequence, terms, effort.limits)
    if forecast is not None and forecast.seconds > _LONG_SECONDS:
        what = f"counting n = {runs(list(terms))} of {sequence.label}"
        say_what_it_takes(what, forecast.seconds, forecast.bytes, is_least=forecast.is_least)


def _print(lines: Iterable[str]) -> int:
    for line in lines:
        click.echo(line)
    return console.FOUND


def _cells(rows: Sequence[tuple[str, ...]]) -> list[str]:
    """Rows of words as lines; every column but the last is as wide as its longest word."""
    widths = [max(map(len, column)) for column in list(zip(*rows, strict=True))[:-1]]
    return ["  ".join([*(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=False)), row[-1]]) for row in rows]


def _list(as_json: bool) -> int:
    if as_json:
        return _print(json.dumps(row.to_dict()) for row in SEQUENCES.values())
    rows = [(row.number, f"{row.offset}..{row.last}", row.title) for row in SEQUENCES.values()]
    console.say("note", f"{len(rows)} sequences; n is from .. to in the data of the OEIS")
    return _print(_cells([("number", "n", "what it counts"), *rows]))


@any_digits()
def _tell(sequence: Row, as_json: bool) -> int:
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


def _count_of(words: _BoardWords) -> tuple[Board, dict[str, Any]]:
    from knightstour.interfaces.cli import parsing

    asked = {name: getattr(words, name) for name in ("closed", "directed", "symmetry")}
    return console.note_reading(parsing.board_of(words.of or "")), {**asked, "up_to_symmetry": words.classes}


@any_digits()
def _places(words: _BoardWords, as_json: bool) -> int:
    board, asked = _count_of(words)
    found = find(board, **asked)
    if as_json:
        return _print(json.dumps(place.to_dict()) for place in found)
    if not found:
        console.say("note", "no sequence of the list has this count")
        return console.FOUND
    rows = [
        (place.sequence.number, f"n = {place.n}", place.sequence.title, "" if place.value is None else str(place.value))
        for place in found
    ]
    return _print(line.rstrip() for line in _cells(rows))


@any_digits()
def _check(sequence: Row, wanted: _OeisWords, effort: EffortWords) -> int:
    """Count the published terms, print each that differs as it comes, and return the exit code: 1 where one does."""
    with _Counting(wanted, effort).running() as counting:

        def tell(term: Term) -> None:
            if term.is_wrong and not wanted.as_json:
                counting.status.clear()
                click.echo(f"n = {term.n}: counted {term.value}, published {term.published}")

        check = check_terms(sequence, on_term=counting.keeper(tell), **counting.options)
    if counting.is_interrupted:
        return console.INTERRUPTED
    if wanted.as_json:
        click.echo(json.dumps(check.to_dict()))
    else:
        click.echo(str(check))
        for reason, terms in _reasons(check.left_out).items():
            console.say("note", f"left out n = {runs(terms)}: {reason}")
    return _code(check)


@any_digits()
def _extend(sequence: Row, wanted: _OeisWords, effort: EffortWords) -> int:
    """Count further terms and print each as it comes, as a line of a b-file."""
    seconds = effort.timeout if wanted.extend == math.inf else wanted.extend
    with _Counting(wanted, effort._replace(timeout=seconds)).running() as counting:

        def tell(term: Term) -> None:
            if not wanted.as_json:
                counting.status.clear()
                click.echo(f"{term.n} {term.value}")

        on_term = counting.keeper(tell)
        extend_terms(sequence, first=wanted.first, last=wanted.last, on_term=on_term, **counting.options)
    if wanted.as_json:
        click.echo(json.dumps({**sequence.to_dict(), "counted": [term.to_dict() for term in counting.counted]}))
    return console.INTERRUPTED if counting.is_interrupted else console.FOUND


class _Counting:
    """A long count of terms: it shows how far it is, keeps the terms, and says how to go on where Ctrl-C ends it.

    counted: the terms so far. options: arguments for the count. is_interrupted: whether Ctrl-C ended it.
    """

    def __init__(self, wanted: _OeisWords, effort: EffortWords) -> None:
        self.status = console.StatusLine()
        self.counted: list[Term] = []
        self.is_interrupted = False
        self.options: dict[str, Any] = {
            "limits": effort.limits,
            "threads": effort.threads,
            "on_progress": self.status.progress,
            "checkpoint": wanted.checkpoint,
            "resume": holds_something(wanted.checkpoint),
        }

    def keeper(self, tell: Callable[[Term], None] | None = None) -> Callable[[Term], None]:
        """What is called with each term: it is kept, and then `tell` is called with it."""

        def keep(term: Term) -> None:
            self.counted.append(term)
            if tell is not None:
                tell(term)

        return keep

    @contextmanager
    def running(self) -> Iterator[Self]:
        """Within it counts."""
        try:
            yield self
        except KeyboardInterrupt:
            self.status.clear()
            self.is_interrupted = True
            console.say("note", f"interrupted; {len(self.counted)} terms were counted")
            self.say_how_to_go_on()
        finally:
            self.status.clear()

    def say_how_to_go_on(self) -> None:
        """Where there is a checkpoint, the options that go on from it."""
        checkpoint = self.options["checkpoint"]
        if checkpoint is not None:
            console.say("help", f"go on with --checkpoint {shlex.quote(checkpoint)}")


def _code(check: SequenceCheck) -> int:
    if check.wrong:
        return console.IMPOSSIBLE
    return console.UNDECIDED if check.left_out else console.FOUND


def _reasons(terms: Iterable[Term]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for term in terms:
        found.setdefault(term.reason, []).append(term.n)
    return found
