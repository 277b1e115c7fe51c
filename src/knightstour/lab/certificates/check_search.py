"""Check of a search by a SAT solver: the clauses are made again, and each line of its proof must follow from them."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.lab.certificates import record
from knightstour.lab.certificates.clauses import Clause, clauses_of, image_moves
from knightstour.lab.certificates.drat import check_drat, size_of
from knightstour.lab.certificates.images import images_of
from knightstour.lab.certificates.loop_graph import cuts_of, loop_graph
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.record import Allowance, Wrong

_MAX_CUTS = 100_000


def check_search(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """What was checked; Wrong where the proof does not show that there is no tour."""
    proof = record.part(certificate, "proof")
    clauses = search_clauses_of(question, certificate)
    lines = record.text(proof, "drat").splitlines()
    check_drat(clauses, lines, allowance)
    cuts = len(record.items(proof, "cuts"))
    return f"a search: {len(clauses):,} clauses, {cuts} of them of cuts, and {size_of(lines)}"


def search_clauses_of(question: Question, certificate: Mapping[str, object]) -> list[Clause]:
    """The clauses of a certificate."""
    if question.count == 1 and not question.closed:
        raise Wrong("a board of one square has an open tour")
    near = loop_graph(question)
    if len(near) < 3:
        raise Wrong("the clauses are about three squares or more")
    cuts = cuts_of(near, record.part(certificate, "proof"), _MAX_CUTS)
    return clauses_of(near, cuts, image_moves(question, near, images_of(question)))
