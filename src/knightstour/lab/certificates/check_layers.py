"""Check of a count, an optimal tour, or an impossibility by states: the layers are computed again and compared."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.lab.certificates import record
from knightstour.lab.certificates.bounds import Better, counted_moves, value_of
from knightstour.lab.certificates.check_tour import check_squares, moves_along, squares_of
from knightstour.lab.certificates.layers import Layer, Steps, digest_of, sums_of, texts_of
from knightstour.lab.certificates.loop_graph import loop_graph, must_pass
from knightstour.lab.certificates.question import Question
from knightstour.lab.certificates.record import Allowance, TooLong, Unreadable, Wrong

_MAX_SQUARES = 1_000


def check_no_layers(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """Return a description of the check; raise Wrong if the layers do not show that no tour exists."""
    total, checked = _total(*_claims(question, certificate), allowance)
    if total:
        raise Wrong(f"layers: there are {total} tours")
    return checked


def check_count(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """Return a description of the check; raise Wrong if the layers do not lead to the claimed number of tours."""
    total, checked = _total(*_claims(question, certificate), allowance)
    _compare_count(question, certificate, total)
    return checked


def check_best(question: Question, certificate: Mapping[str, object], allowance: Allowance) -> str:
    """Return a description of the check; raise Wrong if the tour has another value or the layers permit a better one.

    The loop graph may ignore conditions: these only exclude tours.
    """
    claims = _claims(question, certificate)
    squares = squares_of(question, record.items(record.part(certificate, "proof"), "squares"))
    check_squares(question, squares, allowance)
    number = len(moves_along(question, squares) & counted_moves(question, certificate))
    if number != value_of(certificate):
        raise Wrong(f"value: the tour has {number}")
    total, checked = _total(*claims, allowance)
    if total:
        raise Wrong("layers: they do not exclude a better tour")
    return f"the tour; and against better tours, {checked}"


def _compare_count(question: Question, certificate: Mapping[str, object], total: int) -> None:
    """Raise Wrong if the claimed number does not match the closed tours of the loop graph."""
    if question.given or question.visit_order or question.symmetry is not None:
        raise Wrong("count: layers do not support given numbers and symmetries")
    # With a given end each tour has only one direction.
    is_doubled = record.flag(certificate, "directed") and question.start is question.end is None
    is_doubled |= record.flag(certificate, "directed") and question.closed
    expected = str(total * (2 if is_doubled else 1))
    if record.text(certificate, "count") != expected:
        raise Wrong(f"count: the layers lead to {expected}")


def _claims(question: Question, certificate: Mapping[str, object]) -> tuple[Steps, list[Mapping[str, object]]]:
    if question.count > _MAX_SQUARES:
        raise TooLong(f"states are checked on boards of up to {_MAX_SQUARES:,} squares")
    near = loop_graph(question)
    if len(near) < 3:
        raise Wrong("layers require at least three squares")
    proof = record.part(certificate, "proof")
    order = record.numbers(record.items(proof, "order"), '"order"')
    if sorted(order) != sorted(near):
        raise Wrong('"order" must contain each square of the graph once')
    claimed = record.objects(proof, "layers")
    better = Better.of(question, certificate, near) if certificate["answer"] == "best" else None
    is_ended = better is not None and 0 < len(claimed) < len(order) and record.number(claimed[-1], "states") == 0
    if len(claimed) != len(order) and not is_ended:
        raise Wrong(f"there are {len(claimed)} layers for {len(order)} squares")
    return Steps.of(near, order, better, must_pass(question)), claimed


def _total(steps: Steps, claimed: list[Mapping[str, object]], allowance: Allowance) -> tuple[int, str]:
    """Return the number of closed (or better) tours of the loop graph, and a description."""
    layer = steps.start
    total = made = 0
    for step, claim in enumerate(claimed):
        layer, closed = steps.follow(layer, step, allowance)
        total += closed
        made += len(layer)
        _compare(layer, closed, claim, f"layer {step + 1}")
    return total, f"{made:,} states in {len(claimed)} layers, computed again"


def _compare(layer: Layer, closed: int, claim: Mapping[str, object], name: str) -> None:
    """Raise Wrong if a layer or its number of closed tours differs from the claim."""
    if record.text(claim, "closed") != str(closed):
        raise Wrong(f"{name}: {closed} choices became closed tours, not {claim['closed']}")
    if record.number(claim, "states") != len(layer):
        raise Wrong(f"{name}: there are {len(layer)} states, not {claim['states']}")
    if record.numbers(claim.get("sums"), f'{name}, "sums"') != sums_of(layer):
        raise Wrong(f"{name}: the sums of its numbers are {sums_of(layer)}")
    texts = texts_of(layer)
    if record.text(claim, "sha256") != digest_of(texts):
        raise Wrong(f"{name}: its digest is {digest_of(texts)}")
    data = claim.get("data", texts)
    if not isinstance(data, dict):
        raise Unreadable(f'{name}: "data" must be an object')
    for text in texts.keys() | data.keys():
        if data.get(text) != texts.get(text):
            raise Wrong(f"{name}: the number of the state {text[:60]!r} is {texts.get(text, 0)}")
