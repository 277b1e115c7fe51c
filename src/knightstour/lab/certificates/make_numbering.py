"""Answers about given numbers, as certificates: the solver's proof that there is no numbering, or no other one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from knightstour.core.model.budget import Budget
from knightstour.lab.certificates.make_drat import refutation
from knightstour.lab.certificates.numberings import numbering_clauses
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import TooLong


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
