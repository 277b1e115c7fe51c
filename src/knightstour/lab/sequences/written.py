"""A sequence written for the OEIS: as a b-file, and as a draft of its entry; each term is counted for it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Unpack

from knightstour import __version__
from knightstour.core.methods.solve import solve
from knightstour.core.model.arguments import shows_arguments
from knightstour.core.model.condition_table import ALL
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.validation import flag, whole_number
from knightstour.lab.counting.narrow import narrow_recurrence
from knightstour.lab.counting.settings import CountOptions, CountSettings
from knightstour.lab.sequences.bfile import bfile_lines, write_lines
from knightstour.lab.sequences.check import OnTerm, Term, count_terms, indices, no_term_error
from knightstour.lab.sequences.families import Grown
from knightstour.lab.sequences.kinds import AllTours
from knightstour.lab.sequences.sequence import Sequence
from knightstour.lab.sequences.table import SEQUENCES, sequence_named


def sequence_lines(
    sequence: Sequence, last: int | None, settings: CountSettings, on_term: OnTerm | None = None
) -> Iterator[str]:
    """The lines of the b-file that `write_sequence` writes, each as soon as its term is counted."""
    last = sequence.end if last is None else last
    sequence.board(sequence.offset if last is None else last)
    if last is None and (settings.limits is None or settings.limits.seconds is None):
        raise ProblemError("a sequence has no end", help="give `last` (--last), or a limit of time (--timeout)")
    return lines_of(sequence, counted_terms(sequence, last, settings), on_term)


def lines_of(sequence: Sequence, terms: Iterable[Term], on_term: OnTerm | None = None) -> Iterator[str]:
    """The lines of the b-file of these terms."""

    def rows() -> Iterator[tuple[int, int, str]]:
        for term in terms:
            assert term.value is not None
            if on_term is not None:
                on_term(term)
            yield term.n, term.value, f"counted {term.how}"

    title = f"{sequence.number}: " * bool(sequence.number) + f"number of {sequence.name}"
    return bfile_lines(rows(), (title, _convention(sequence), f"knightstour {__version__}"))


def counted_terms(sequence: Sequence, last: int | None, settings: CountSettings, *, again: int = 0) -> Iterator[Term]:
    """The terms from the first on, up to `last` or to a limit; LimitReached if that allows not a single one."""
    for term in count_terms(sequence, indices(sequence.offset, last), settings, again=again):
        if term.value is None:
            if term.n == sequence.offset:
                raise no_term_error(term, sequence)
            return
        yield term


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
    sequence: a row of SEQUENCES, its A-number, or what sequence_of makes.
    last: the index to end with; by default that of the board of sequence_of, or as far as the limit of time allows.
    on_term: called with each Term when it is counted.
    checkpoint: a directory for the terms that are done and for the count at work. resume: whether to go on from it;
        what is done there is not counted again.
    limits, threads, on_progress: as for count_tours; limits of seconds are for all terms together.

    Returns the number of terms. At a limit, and at Ctrl-C, the terms that were counted are written. Raises ProblemError
    for an unknown number, a `last` before the offset, neither `last` nor a limit of time, and a term of over 1000
    digits; FormatError where the file cannot be written; LimitReached if the limits allow not a single term.

    >>> import tempfile
    >>> from knightstour.lab.sequences.table import sequence_of
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_sequence(f"{folder}/b175855.txt", "A175855", last=5)
    ...     write_sequence(f"{folder}/torus.txt", sequence_of("5x4:torus", closed=True, symmetry="180"))
    5
    4
    """
    settings = CountSettings(**options, checkpoint=checkpoint, resume=flag(resume, "resume"))
    lines = sequence_lines(sequence_named(sequence), last, settings, on_term)
    return write_lines(path, lines, force=force)


# About as many characters as the data of an entry may have; the rest belongs into a b-file. And as a formula.
MAX_CHARACTERS, _MAX_FORMULA = 260, 1000
# How many times as many states as are few the second count of a term may make.
_AGAIN = 2
# Squares of the largest board of which an example is shown.
_MAX_EXAMPLE = 100


@shows_arguments
def draft_sequence(sequence: Sequence | str, *, last: int | None = None, **options: Unpack[CountOptions]) -> str:
    """A sequence as an entry in the OEIS' internal form: data, name, comments, formula, example, program, and so on.

    Every term is counted for it, from the first on, until the data are full (260 characters), up to `last`, or to a
    limit; and once more by another way, where there is one that takes little. A comment says how each was counted.
    sequence: a row of SEQUENCES, its A-number, or what sequence_of makes. last: the index to end with.
    limits, threads, on_progress: as for count_tours; limits of seconds are for all terms together.

    Raises ProblemError for an unknown number, and LimitReached if the limits allow not a single term.

    >>> print(draft_sequence("A083386", last=6).splitlines()[1])
    %S A083386 0, 0, 0, 82, 864, 18784
    """
    sequence = sequence_named(sequence)
    return draft_of(sequence, draft_terms(sequence, last, CountSettings(**options)))


def draft_terms(sequence: Sequence, last: int | None, settings: CountSettings, *, is_all: bool = False) -> list[Term]:
    """The terms of a draft, counted twice where that takes little; with `is_all` those beyond its data, too."""
    last = sequence.end if last is None else whole_number(last, "last", least=sequence.offset)
    terms: list[Term] = []
    for term in counted_terms(sequence, last, settings, again=_AGAIN):
        if not (is_all and last is not None) and len(data_line([*terms, term])) > MAX_CHARACTERS:
            break
        terms.append(term)
    return terms


def draft_of(sequence: Sequence, terms: list[Term]) -> str:
    """The entry with these terms; the data are as many of them as fit."""
    number = sequence.number or "A000000"
    shown = list(terms)
    while len(data_line(shown)) > MAX_CHARACTERS:
        shown.pop()
    return "\n".join(f"%{field} {number} {text}".rstrip() for field, text in _fields(sequence, shown))


def data_line(terms: Iterable[Term]) -> str:
    """The terms as the data of an entry show them."""
    return ", ".join(str(term.value) for term in terms)


def offset_of(terms: list[Term]) -> str:
    """An offset as an entry has it: the first index, and the place of the first term above 1."""
    place = next((k for k, term in enumerate(terms, 1) if abs(term.value or 0) > 1), 1)
    return f"{terms[0].n},{place}"


def by_how(terms: Iterable[Term]) -> dict[str, list[int]]:
    """How terms were counted, and which so."""
    found: dict[str, list[int]] = {}
    for term in terms:
        found.setdefault(term.how, []).append(term.n)
    return found


def _fields(sequence: Sequence, terms: list[Term]) -> Iterator[tuple[str, str]]:
    yield "I", ""
    yield "S", data_line(terms)
    is_plain = (sequence.times, sequence.parts) == (1, 1)
    yield "N", f"Number of {sequence.name}." if is_plain else f"{sequence.name.capitalize()}."
    yield "C", _convention(sequence)
    for how, numbers in by_how(terms).items():
        yield "C", f"Counted {how}: n = {runs(numbers)}."
    yield from (("F", line) for line in _formula(sequence))
    yield from (("e", line) for line in _example(sequence, terms))
    yield from (("o", line) for line in _program(sequence, terms))
    alike = [row.number for row in SEQUENCES.values() if row.kind == sequence.kind and row is not sequence]
    if alike:
        yield "Y", f"Cf. {', '.join(alike)}."
    yield "K", "nonn"
    yield "O", offset_of(terms)
    yield "A", sequence.entry.author or "(your name), (the date)"


def runs(numbers: list[int]) -> str:
    """Indices in rising order, runs of them as from..to.

    >>> runs([3, 4, 5, 8])
    '3..5, 8'
    """
    found: list[list[int]] = []
    for n in numbers:
        if found and n == found[-1][1] + 1:
            found[-1][1] = n
        else:
            found.append([n, n])
    return ", ".join(str(a) if a == b else f"{a}..{b}" for a, b in found)


def _convention(sequence: Sequence) -> str:
    state, walks = ("closed", "cycles") if sequence.kind.closed else ("open", "paths")
    if getattr(sequence.kind, "visits", ALL) != ALL:
        return f"A tour may leave squares: the {state} tours are {walks}."
    return f"A tour visits every square once: the {state} tours are Hamiltonian {walks}."


def _formula(sequence: Sequence) -> Iterator[str]:
    """The generating function, where it is known and short."""
    width, kind = sequence.recurring, sequence.kind
    if width is None or getattr(kind, "directed", False) or (sequence.times, sequence.parts) != (1, 1):
        return
    if sequence.family.board(2).square_count != 2 * width:
        return
    found = narrow_recurrence(width, closed=kind.closed)
    numerator, denominator = (line.split(maxsplit=1)[1] for line in found.lines())
    text = f"Sum_{{n>=0}} a(n)*x^n = ({numerator})/({denominator})."
    if len(text) <= _MAX_FORMULA:
        yield text
    yield f"Recurrence of order {found.order}, found from {found.fitted} terms and checked with {found.checked} more."


def _example(sequence: Sequence, terms: list[Term]) -> Iterator[str]:
    """One of the tours of the smallest board that has any, its squares numbered."""
    from knightstour.core.formats.tours import format_tour

    kind = sequence.kind
    first = next((term for term in terms if term.value), None)
    board = None if first is None else sequence.board(first.n)
    if first is None or board is None or not isinstance(kind, AllTours) or not 1 < board.square_count <= _MAX_EXAMPLE:
        return
    tour = solve(kind.problem(board).changed(symmetry=kind.symmetry)).tour
    if tour is not None:
        yield f"a({first.n}) = {first.value}: a tour of the {board} board is"
        yield from (f"  {line}" for line in format_tour(tour).splitlines() if line.strip() and line[0] != "#")


def _program(sequence: Sequence, terms: list[Term]) -> Iterator[str]:
    yield f"(Python) # with knightstour {__version__}"
    yield "import knightstour as kt"
    family, kind = sequence.family, sequence.kind
    if sequence.number:
        yield f'row = kt.SEQUENCES["{sequence.number}"]'
    elif isinstance(family, Grown) and isinstance(kind, AllTours):
        named = [("closed", kind.closed), ("directed", kind.directed), ("symmetry", kind.symmetry)]
        named += [("up_to_symmetry", kind.up_to_symmetry), ("growth", family.growth)]
        words = [repr(str(family.last)), *(f"{name}={value!r}" for name, value in named if value)]
        yield f"row = kt.sequences.sequence_of({', '.join(words)})"
    yield f"print([row.term(n) for n in range({sequence.offset}, {terms[-1].n + 1})])"
