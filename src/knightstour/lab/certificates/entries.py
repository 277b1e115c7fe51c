"""The entries that a certificate may have, part by part; any other is refused by its name.

A slip such as "Given" would otherwise leave out a condition, and the certificate would prove something else than its
writer meant. docs/certificates.md lists the same entries.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from knightstour.core.model.strict_json import check_entries
from knightstour.lab.certificates.question import CONDITIONS
from knightstour.lab.certificates.record import Unreadable

_QUESTION = ("format", "board", "closed", "start", "end", "visits", *CONDITIONS)
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
    """An Unreadable for the first entry that no certificate of this answer and proof has.

    Whether the entries that are there make sense is for those who read them.
    """
    more = _MORE.get(str(certificate.get("answer")), ())
    check_entries(certificate, (*_QUESTION, *_ANSWER, *more), "a certificate of this answer", error=Unreadable)
    board, proof = certificate.get("board"), certificate.get("proof")
    _check(board, _BOARD, 'the "board" of a certificate')
    if isinstance(board, Mapping):
        _check(board.get("graph"), _GRAPH, "the graph of a certificate")
    if not isinstance(proof, Mapping):
        return
    kind = proof.get("kind")
    if isinstance(kind, str) and kind in _PROOFS:
        _check(proof, ("kind", *_PROOFS[kind]), f"a proof by {kind}")
    for k, step in _listed(proof, "steps"):
        rule = step.get("rule")
        if isinstance(rule, str) and rule in _STEPS:
            _check(step, ("rule", *_STEPS[rule]), f"step {k}, {rule},")
    for k, layer in _listed(proof, "layers"):
        _check(layer, _LAYER, f"layer {k}")


def _check(part: object, known: Collection[str], what: str) -> None:
    if isinstance(part, Mapping):
        check_entries(part, known, what, error=Unreadable)


def _listed(proof: Mapping[str, object], key: str) -> list[tuple[int, Mapping[str, object]]]:
    """The objects of a list, numbered from 1."""
    value = proof.get(key)
    return (
        [(k, item) for k, item in enumerate(value, 1) if isinstance(item, Mapping)] if isinstance(value, list) else []
    )
