"""The certificate of an answer: found where it can be, and checked before it is given out."""

from __future__ import annotations

from knightstour.certificates.certificate import Certificate
from knightstour.certificates.make_arguments import argument_for
from knightstour.certificates.make_search import search_for
from knightstour.certificates.record import FORMAT
from knightstour.certificates.verify import Verdict, verify
from knightstour.formats.boards import board_to_dict
from knightstour.model.budget import Budget, Limits
from knightstour.model.errors import MethodError
from knightstour.model.problem import Problem
from knightstour.model.result import Result, Status
from knightstour.model.tour import Tour

# Squares up to which the moves are listed for a proof.
_MOST_SQUARES = 200_000
# A tour of more squares is too long for its checker.
_MOST_SQUARES_OF_TOUR = 2_000_000


def certificate_of(result: Result, limits: Limits | None = None) -> Certificate:
    """The certificate of an answer; see `Result.certificate`. limits: for finding the proof, by default 60 seconds."""
    problem = result.problem
    if result.status is Status.UNDECIDED:
        raise MethodError("an undecided question has no certificate", help="give the search more time")
    record: dict[str, object] = question_record(problem)
    record["answer"] = result.status.value
    if result.tour is not None:
        record["proof"] = _tour_proof(result.tour)
    else:
        record |= {"reason": result.reason, "source": result.source}
        record["proof"] = _proof_of_none(problem, record, Budget(limits)) or {
            "kind": "theorem",
            "source": result.source,
            "see": "docs/proofs.md",
        }
    return _verified(Certificate(record))


def question_record(problem: Problem) -> dict[str, object]:
    """The entries of a certificate that say what is asked."""
    record: dict[str, object] = {"format": FORMAT, "board": board_to_dict(problem.board), "closed": problem.closed}
    for name, square in (("start", problem.start_index), ("end", problem.end_index)):
        if square is not None:
            record[name] = square
    return record


def _tour_proof(tour: Tour) -> dict[str, object]:
    if len(tour) > _MOST_SQUARES_OF_TOUR:
        raise MethodError(
            f"certificates hold tours of up to {_MOST_SQUARES_OF_TOUR:,} squares",
            help="write the tour, and check it with check_tours",
        )
    return {"kind": "tour", "squares": tour.order.tolist()}


def _proof_of_none(problem: Problem, record: dict[str, object], budget: Budget) -> dict[str, object] | None:
    """The first proof that is found, and that its checker takes."""
    if problem.board.rows * problem.board.cols > _MOST_SQUARES:
        return None
    for make in (argument_for, search_for):
        proof = make(problem, record, budget)
        if proof is not None and verify({**record, "proof": proof}).is_right:
            return proof
    return None


def _verified(certificate: Certificate) -> Certificate:
    """The certificate, once its own checker takes it."""
    found = verify(certificate)
    assert found.verdict is not Verdict.WRONG, found
    return certificate
