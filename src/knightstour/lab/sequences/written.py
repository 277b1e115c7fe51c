"""A sequence written as a b-file: every term from the first on, each counted for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Unpack

from knightstour import __version__
from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.condition_table import ALL
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.validation import flag, whole_number
from knightstour.lab.counting.settings import CountOptions, CountSettings
from knightstour.lab.sequences.bfile import bfile_lines, write_lines
from knightstour.lab.sequences.check import OnTerm, Term, count_terms, indices, no_term_error
from knightstour.lab.sequences.sequence import Sequence
from knightstour.lab.sequences.table import SEQUENCES, sequence_named


def sequence_lines(
    sequence: Sequence, last: int | None, settings: CountSettings, on_term: OnTerm | None = None
) -> Iterator[str]:
    """The lines of the b-file that `write_sequence` writes, each as soon as its term is counted."""
    sequence.board(sequence.offset if last is None else last)
    if last is None and (settings.limits is None or settings.limits.seconds is None):
        raise ProblemError("a sequence has no end", help="give `last` (--last), or a limit of time (--timeout)")

    def terms() -> Iterator[tuple[int, int]]:
        for term in count_terms(sequence, indices(sequence.offset, last), settings):
            if term.value is None:
                if term.n == sequence.offset:
                    raise no_term_error(term, sequence)
                return
            if on_term is not None:
                on_term(term)
            yield term.n, term.value

    return bfile_lines(terms(), f"{sequence.number}: number of {sequence.title}")


@shows_arguments
def write_sequence(
    path: str | os.PathLike[str],
    sequence: Sequence | str,
    *,
    last: int | None = None,
    force: bool = False,
    on_term: OnTerm | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    resume: bool = False,
    **options: Unpack[CountOptions],
) -> int:
    """Count a sequence from its first term on, and write a b-file of the OEIS.

    path: the file, written whole or not at all; one that exists is replaced only if `force`.
    sequence: a row of SEQUENCES, or its A-number.
    last: the index to end with; by default as far as the limit of time allows.
    on_term: called with each Term when it is counted.
    checkpoint: a directory for the terms that are done and for the count at work. resume: whether to go on from it;
        what is done there is not counted again.
    limits, threads, on_progress: as for count_tours; limits of seconds are for all terms together.

    Returns the number of terms. At a limit, and at Ctrl-C, the terms that were counted are written. Raises ProblemError
    for an unknown number, a `last` before the offset, neither `last` nor a limit of time, and a term of over 1000
    digits; FormatError where the file cannot be written; LimitReached if the limits allow not a single term.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_sequence(f"{folder}/b175855.txt", "A175855", last=5)
    5
    """
    settings = CountSettings(**options, checkpoint=checkpoint, resume=flag(resume, "resume"))
    lines = sequence_lines(sequence_named(sequence), last, settings, on_term)
    return write_lines(path, lines, force=force)


# About as many characters as the data of an entry may have; the rest belongs into a b-file.
MAX_CHARACTERS = 260


@shows_arguments
def draft_sequence(sequence: Sequence | str, *, last: int | None = None, **options: Unpack[CountOptions]) -> str:
    """The fields of the OEIS' form for a sequence, one a line: name, data, offset, comments, cross-references, program.

    Every term is counted for it, from the first on, until the data are full (260 characters), up to `last`, or to a
    limit. sequence: a row of SEQUENCES, or its A-number. last: the index to end with. limits, threads,
    on_progress: as for count_tours; limits of seconds are for all terms together.

    Raises ProblemError for an unknown number, and LimitReached if the limits allow not a single term.

    >>> print(draft_sequence("A083386", last=6).splitlines()[1])
    DATA       0, 0, 0, 82, 864, 18784
    """
    sequence = sequence_named(sequence)
    last = None if last is None else whole_number(last, "last", least=sequence.offset)
    terms: list[Term] = []
    for term in count_terms(sequence, indices(sequence.offset, last), CountSettings(**options)):
        if term.value is None:
            if not terms:
                raise no_term_error(term, sequence)
            break
        if len(_data([*terms, term])) > MAX_CHARACTERS:
            break
        terms.append(term)
    return "\n".join(f"{field:<10} {text}" for field, text in _fields(sequence, terms))


def _data(terms: list[Term]) -> str:
    return ", ".join(str(term.value) for term in terms)


def _fields(sequence: Sequence, terms: list[Term]) -> list[tuple[str, str]]:
    """The fields of the form. An offset is the first index, and the place of the first term above 1."""
    place = next((k for k, term in enumerate(terms, 1) if abs(term.value or 0) > 1), 1)
    title = sequence.title.replace(" tours", " knight's tours", 1)
    alike = [row.number for row in SEQUENCES.values() if row.kind == sequence.kind and row is not sequence]
    end = terms[-1].n
    fields = [
        ("NAME", f"Number of {title}." if (sequence.times, sequence.parts) == (1, 1) else f"{title.capitalize()}."),
        ("DATA", _data(terms)),
        ("OFFSET", f"{sequence.offset},{place}"),
        ("COMMENTS", _convention(sequence)),
        ("CROSSREFS", f"Cf. {', '.join(alike)}." if alike else ""),
        ("PROG", f"(Python) # with knightstour {__version__}"),
        ("", "import knightstour as kt"),
        ("", f'row = kt.SEQUENCES["{sequence.number}"]'),
        ("", f"print([row.term(n) for n in range({sequence.offset}, {end + 1})])"),
        ("KEYWORD", "nonn"),
    ]
    return [(field, text) for field, text in fields if text]


def _convention(sequence: Sequence) -> str:
    state, walks = ("closed", "cycles") if sequence.kind.closed else ("open", "paths")
    if getattr(sequence.kind, "visits", ALL) != ALL:
        return f"A tour may leave squares: the {state} tours are {walks}."
    return f"A tour visits every square once: the {state} tours are Hamiltonian {walks}."
