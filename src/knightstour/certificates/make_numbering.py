"""Answers about given numbers, as certificates: the solver's proof that there is no numbering, or no other one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knightstour.certificates.make_drat import refutation
from knightstour.certificates.numberings import numbering_clauses
from knightstour.certificates.question import question_of
from knightstour.certificates.record import TooLong
from knightstour.model.budget import Budget


def numbering_for(
    record: Mapping[str, object], budget: Budget, squares: Sequence[int] | None = None
) -> dict[str, object] | None:
    """The proof of a certificate that there is no numbering but this one, if it is found within the budget.

    record: the question as a certificate has it. squares: of the one tour, in order; None where there is none.
    """
    try:
        drat = refutation(numbering_clauses(question_of(record), squares), budget)
    except TooLong:
        return None
    if drat is None:
        return None
    tour = {} if squares is None else {"squares": list(squares)}
    return {"kind": "numbering", **tour, "drat": drat}
