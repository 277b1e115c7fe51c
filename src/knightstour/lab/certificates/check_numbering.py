"""Check that there is no numbering, or a single one: by the clauses of numberings.py, and a solver's proof."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.lab.certificates import record
from knightstour.lab.certificates.check_tour import check_squares, squares_of
from knightstour.lab.certificates.clauses import Clause
from knightstour.lab.certificates.drat import check_drat, size_of
from knightstour.lab.certificates.numberings import numbering_clauses
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.record import Allowance, Unreadable


def check_no_numbering(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """What was checked; Wrong where the proof does not show that there is no numbering."""
    return _check(question, certificate, allowance)


def check_unique(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """What was checked; Wrong where the tour is not asked for, or the proof does not show that no other is."""
    check_squares(question, _tour_of(question, certificate), allowance)
    return f"the tour; and of all others, {_check(question, certificate, allowance)}"


def numbering_clauses_of(question: Question, certificate: Mapping[str, object]) -> list[Clause]:
    """The clauses of a certificate: of all numberings, or of all but the only one that it claims."""
    if question.symmetry is not None:
        raise Unreadable("the clauses of numberings know nothing of symmetries")
    is_unique = certificate["answer"] == "unique"
    return numbering_clauses(question, _tour_of(question, certificate) if is_unique else None)


def _tour_of(question: Question, certificate: Mapping[str, object]) -> list[int]:
    return squares_of(question, record.items(record.part(certificate, "proof"), "squares"))


def _check(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    clauses = numbering_clauses_of(question, certificate)
    lines = record.text(record.part(certificate, "proof"), "drat").splitlines()
    check_drat(clauses, lines, allowance)
    return f"a search: {len(clauses):,} clauses of steps and moves, and {size_of(lines)}"
