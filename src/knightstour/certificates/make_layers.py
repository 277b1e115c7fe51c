"""Counts and searches by states, as certificates: the layers of layers.py, in the order in which a search would go."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.certificates.layers import Layer, Steps, digest_of, sums_of, texts_of
from knightstour.certificates.record import Allowance, TooLong
from knightstour.certificates.rules import loop_graph, question_of
from knightstour.model.problem import Problem
from knightstour.search.frontier.plan import make_plan

# Up to this many states in all they are written out.
_MOST_WRITTEN = 2_000
_MOST_SQUARES = 1_000


def layers_for(problem: Problem, record: Mapping[str, object], allowance: Allowance) -> dict[str, object] | None:
    """The proof of a certificate; None if the states would be too many for the allowance."""
    if not 2 <= problem.board.square_count <= _MOST_SQUARES:
        return None
    near = loop_graph(question_of(record))
    if len(near) < 3:
        return None
    squares = list(make_plan(problem).order)
    order = squares + [square for square in near if square not in set(squares)]
    steps = Steps.of(near, order)
    layer: Layer = {(): 1}
    layers: list[dict[str, object]] = []
    texts: list[dict[str, int]] = []
    made = 0
    for step in range(len(order)):
        try:
            layer, closed = steps.follow(layer, step, allowance)
        except TooLong:
            return None
        made += len(layer)
        texts.append(texts_of(layer))
        claim = {"states": len(layer), "closed": str(closed), "sums": sums_of(layer)}
        layers.append({**claim, "sha256": digest_of(texts[-1])})
        if made > _MOST_WRITTEN:
            texts.clear()
    if made <= _MOST_WRITTEN:
        for claim, data in zip(layers, texts, strict=True):
            claim["data"] = data
    return {"kind": "layers", "order": order, "layers": layers}
