"""verify(): check whether a certificate proves its claim."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import Enum

from knightstour.core.machine.files import PathOrFile, open_source
from knightstour.core.model.budget import Limits, ProcessorSeconds, limits_of, processor_seconds
from knightstour.core.model.exports import record_of
from knightstour.core.model.strict_json import check_entries
from knightstour.lab.certificates import record
from knightstour.lab.certificates.certificate import Certificate
from knightstour.lab.certificates.check_arguments import check_argument
from knightstour.lab.certificates.check_layers import check_best, check_count, check_no_layers
from knightstour.lab.certificates.check_symmetry import check_no_symmetry
from knightstour.lab.certificates.check_tour import check_tour
from knightstour.lab.certificates.claims import claim_of
from knightstour.lab.certificates.drat import check_search
from knightstour.lab.certificates.question import CONDITIONS, Question, question_of
from knightstour.lab.certificates.record import FORMAT, Allowance, TooLong, Unreadable, Wrong

_BYTES_AT_ONCE = 1 << 20


# Default number of steps of a check, about ten seconds.
_MAX_STEPS = 30_000_000


class Verdict(Enum):
    """Verdict on a certificate: it proves its claim, it does not, or the check was not completed."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class Verification:
    """Result of the check of a certificate.

    Attributes:
        verdict: RIGHT, WRONG, or UNCHECKED if the check exceeds its limit or there is nothing to check.
        claim: The statement of the certificate.
        detail: The checked parts, the invalid part, or the reason why the check was not completed.
    """

    verdict: Verdict
    claim: str
    detail: str

    @property
    def is_right(self) -> bool:
        """Whether the certificate proves its claim."""
        return self.verdict is Verdict.RIGHT

    def to_dict(self) -> dict[str, object]:
        """Return the fields as JSON-serialisable data."""
        return record_of(self)

    def __str__(self) -> str:
        return f"{self.verdict.value}: {self.claim}\n{self.detail}"


def verify(
    certificate: Certificate | Mapping[str, object] | PathOrFile,
    *,
    timeout: float | None = None,
    max_nodes: int | None = None,
) -> Verification:
    """Check a certificate, by code that is independent of the searches.

    Args:
        certificate: A Certificate, its record, or a path or open stream of its JSON.
        timeout, max_nodes: Limits on seconds and steps, by default 60 and 30,000,000 (about ten seconds). No file needs
            much more time than the limits.

    Raises:
        FormatError: If the input is not a certificate.

    >>> from knightstour import solve
    >>> print(verify(solve((4, 8), closed=True).certificate()))
    right: there is no closed tour of the 4x8 board
    checked: an argument of 2 steps: tight, removal
    """
    limits = limits_of(timeout, max_nodes=max_nodes)
    read = read_certificate(certificate)
    question = question_of(read)
    answer, kind = record.text(read, "answer"), record.text(record.part(read, "proof"), "kind")
    check = CHECKS.get((answer, kind))
    if check is None:
        known = ", ".join(f"{answer} by {kind}" for answer, kind in CHECKS)
        raise Unreadable(f"unknown answer {answer!r} by {kind!r}; supported are {known}")
    claim = claim_of(question, read)
    try:
        if question.leaves and kind not in _OF_SOME:
            raise Wrong(f"a proof by {kind} does not support tours that skip squares")
        return Verification(Verdict.RIGHT, claim, f"checked: {check(question, read, allowance_of(limits))}")
    except Wrong as wrong:
        return Verification(Verdict.WRONG, claim, str(wrong))
    except TooLong as why:
        return Verification(Verdict.UNCHECKED, claim, str(why))


def allowance_of(limits: Limits | None) -> Allowance:
    """Return the limits in the form of the checkers."""
    limits = limits or Limits()
    clock = processor_seconds if isinstance(limits.seconds, ProcessorSeconds) else time.monotonic
    return Allowance(limits.nodes or _MAX_STEPS, float("inf") if limits.seconds is None else limits.seconds, clock)


def read_certificate(certificate: Certificate | Mapping[str, object] | PathOrFile) -> Mapping[str, object]:
    """Return the record of a certificate, given as for `verify`; raise Unreadable if it is not a certificate."""
    found = _record_of(certificate)
    check_certificate_entries(found)
    return found


def _record_of(certificate: Certificate | Mapping[str, object] | PathOrFile) -> Mapping[str, object]:
    if isinstance(certificate, Certificate):
        return certificate.record
    if isinstance(certificate, Mapping):
        return record.check_format(certificate)
    with open_source(certificate) as source:
        pieces, size = [], 0
        while size <= record.MAX_BYTES and (piece := source.stream.read(_BYTES_AT_ONCE)):
            pieces.append(piece)
            size += len(piece)
        return record.parse_record(b"".join(pieces), source.path)


def is_certificate(path: str) -> bool:
    """Whether a file starts like a certificate; False if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return FORMAT.rsplit(" ", 1)[0].encode() in file.read(200)
    except (OSError, ValueError):
        return False


def _check_theorem(_: Question, certificate: Mapping[str, object], __: Allowance) -> str:
    source = record.text(record.part(certificate, "proof"), "source")
    raise TooLong(f"there is nothing to check: it only contains a source, {source}")


# Kinds of proof that support tours which may skip squares.
_OF_SOME = ("tour", "layers", "theorem")

CHECKS: dict[tuple[str, str], Callable[[Question, Mapping[str, object], Allowance], str]] = {
    ("found", "tour"): check_tour,
    ("impossible", "argument"): check_argument,
    ("impossible", "search"): check_search,
    ("impossible", "symmetry"): check_no_symmetry,
    ("impossible", "layers"): check_no_layers,
    ("count", "layers"): check_count,
    ("best", "bounds"): check_best,
    ("impossible", "theorem"): _check_theorem,
}


# ---------------------------------------------------------------- the entries that a certificate may have


_QUESTION = ("format", "board", "closed", "start", "end", "partial", *CONDITIONS)
_ANSWER = ("answer", "reason", "source", "proof")
_MORE = {"count": ("count", "directed"), "best": ("statistic", "most", "value")}
_BOARD = ("rows", "cols", "holes", "wrap", "leaper", "leaps", "graph", "cells", "lattice", "vectors")
_GRAPH = ("nodes", "edges")
_PROOFS = {
    "tour": ("squares",),
    "argument": ("steps",),
    "search": ("cuts", "drat"),
    "symmetry": (),
    "layers": ("order", "layers"),
    "bounds": ("squares", "cuts", "weights", "unit", "order", "layers"),
    "theorem": ("source",),
}
_STEPS = {
    "removal": ("removed",),
    "tight": ("removed",),
    "weights": ("weights",),
    "spent": ("weights",),
    "ends": ("at", "parts"),
    "forced": ("chain",),
    "small": (),
}
_LAYER = ("states", "closed", "sums", "sha256", "data")


def check_certificate_entries(certificate: Mapping[str, object]) -> None:
    """Raise Unreadable for the first entry that is unknown for this answer and proof.

    Otherwise a misspelt entry such as "Given" would omit a condition, and the certificate would prove another claim.
    Their readers check the values of the entries.
    """
    more = _MORE.get(str(certificate.get("answer")), ())
    check_entries(certificate, (*_QUESTION, *_ANSWER, *more), "a certificate of this answer", error=Unreadable)
    board, proof = certificate.get("board"), certificate.get("proof")
    _check_keys(board, _BOARD, 'the "board" of a certificate')
    if isinstance(board, Mapping):
        _check_keys(board.get("graph"), _GRAPH, "the graph of a certificate")
    if not isinstance(proof, Mapping):
        return
    kind = proof.get("kind")
    if isinstance(kind, str) and kind in _PROOFS:
        _check_keys(proof, ("kind", *_PROOFS[kind]), f"a proof by {kind}")
    for k, step in _numbered_objects(proof, "steps"):
        rule = step.get("rule")
        if isinstance(rule, str) and rule in _STEPS:
            _check_keys(step, ("rule", *_STEPS[rule]), f"step {k}, {rule},")
    for k, layer in _numbered_objects(proof, "layers"):
        _check_keys(layer, _LAYER, f"layer {k}")


def _check_keys(part: object, known: Collection[str], noun: str) -> None:
    if isinstance(part, Mapping):
        check_entries(part, known, noun, error=Unreadable)


def _numbered_objects(proof: Mapping[str, object], key: str) -> list[tuple[int, Mapping[str, object]]]:
    """Return the numbered objects of a list."""
    value = proof.get(key)
    return (
        [(k, item) for k, item in enumerate(value, 1) if isinstance(item, Mapping)] if isinstance(value, list) else []
    )
