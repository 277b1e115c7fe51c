"""Counts and searches by states, as certificates: the layers of layers.py, in the order in which a search would go."""

from __future__ import annotations

from collections.abc import Mapping

from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.certificates.bounds import Better
from knightstour.lab.certificates.layers import Layer, Steps, digest_of, sums_of, texts_of
from knightstour.lab.certificates.loop_graph import Near, loop_graph, must_pass, virtual_ends
from knightstour.lab.certificates.make_bounds import bounds_for
from knightstour.lab.certificates.question import Question, question_of
from knightstour.lab.certificates.record import Allowance, TooLong

# Up to this many states in all they are written out.
_MAX_WRITTEN = 2_000
_MAX_SQUARES = 1_000


def layers_for(
    problem: Problem,
    record: Mapping[str, object],
    allowance: Allowance,
    on_progress: OnProgress | None = None,
) -> dict[str, object] | None:
    """The proof of a certificate; None if the states would be too many for the allowance.

    record: what is asked, and the answer: for "best" a better tour is looked for, else all tours are counted.
    """
    if not 2 <= problem.board.square_count <= _MAX_SQUARES:
        return None
    question = question_of(record)
    near = loop_graph(question)
    if len(near) < 3:
        return None
    order = _order(problem, question, near)
    is_best = record["answer"] == "best"
    proof: dict[str, object] = {"kind": "bounds" if is_best else "layers", "order": order}
    if is_best:
        proof |= bounds_for(question, record, near)
    better = Better.of(question, {**record, "proof": proof}, near) if is_best else None
    steps = Steps.of(near, order, better, must_pass(question))
    claims: list[dict[str, object]] = []
    layer: Layer = steps.start
    written: list[dict[str, int]] = []
    report = Reporter(on_progress, "layers", len(order))
    for step in range(len(order)):
        if is_best and not layer:
            break
        report(step, f"{len(layer):,} states")
        try:
            layer, closed = steps.follow(layer, step, allowance)
        except TooLong:
            return None
        texts = texts_of(layer)
        claim = {"states": len(layer), "closed": str(closed), "sums": sums_of(layer)}
        claims.append({**claim, "sha256": digest_of(texts)})
        if len(written) == step and sum(map(len, written)) + len(texts) <= _MAX_WRITTEN:
            written.append(texts)
    if len(written) == len(claims):
        for claim, data in zip(claims, written, strict=True):
            claim["data"] = data
    return {**proof, "layers": claims}


def _order(problem: Problem, question: Question, near: Near) -> list[int]:
    """The squares as a search would go; the middle of a required move before its ends, the virtual ends last."""
    virtual = range(problem.board.rows * problem.board.cols, max(near) + 1)
    ends, middles = virtual[: virtual_ends(question)], set(virtual[virtual_ends(question) :])
    order: dict[int, None] = {}
    for square in make_plan(problem.plain).order:
        order |= dict.fromkeys([*sorted(near[square] & middles), square])
    return [*order, *ends]
