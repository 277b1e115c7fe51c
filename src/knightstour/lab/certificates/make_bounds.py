"""Weights that bound the value of a tour: by a minimum-cost flow with two moves from each square and two to each.

A tour is such a flow, if each of its moves is made in both directions. So no tour has more than half of the value of
the maximum flow. The shortest-path distances in the residual graph prove it: the weight of a square is half of the
difference between its distance as a source and its distance as a target.

Method: successive shortest paths (W. S. Jewell, 1958). Cost: 0.1 s for 8x8.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Mapping

from knightstour.core.model.board import square_count
from knightstour.core.model.problem import Problem, without_conditions
from knightstour.core.model.progress import OnProgress, Reporter
from knightstour.core.search.frontier.plan import make_plan
from knightstour.lab.certificates.bounds import Better
from knightstour.lab.certificates.layers import Layer, Steps, digest_of, sums_of, texts_of
from knightstour.lab.certificates.loop_graph import Near, link, loop_graph, must_pass, pieces_without, virtual_ends
from knightstour.lab.certificates.question import Move, Question, question_of
from knightstour.lab.certificates.record import Allowance, TooLong

# Offset by which one node is lowered, see _weights; measured on 6x8 and 8x8.
_LOWERED = 2
# Maximum number of cuts to try, about a second on 8x8.
_MAX_TRIED = 40


def bounds_for(question: Question, record: Mapping[str, object], near: Near) -> dict[str, object]:
    """Return the cuts, the weights and their unit for the proof of a certificate. record: all but the proof."""

    def better(cuts: list[list[int]]) -> Better:
        proof = {"cuts": cuts, "weights": [0] * len(near), "unit": 1}
        return Better.of(question, {**record, "proof": proof}, near)

    cuts = _cuts(near, better) or []
    weights, unit = _weights(_Flow(near, better(cuts).worth))
    return {"cuts": cuts, "weights": weights, "unit": unit}


def _cuts(near: Near, better: Callable[[list[list[int]]], Better]) -> list[list[int]] | None:
    """Return cuts with which the bound excludes better tours immediately, or None.

    Candidates are the components of the counted moves, of the other moves, and of the flow.
    """
    cuts: list[list[int]] = []
    known, tried = better(cuts), 0
    flow = _Flow(near, known.worth)
    plain = [*_parts(near, known.worth.keys()), *_parts(near, flow.moves - known.worth.keys())]
    while flow.bound >= known.goal:
        for part in (*plain, *_parts(near, flow.used)):
            wanted = better([*cuts, part])
            found, tried = _Flow(near, wanted.worth), tried + 1
            if found.bound - wanted.goal < flow.bound - known.goal:
                flow, known, cuts = found, wanted, [*cuts, part]
                break
        else:
            return None
        if tried >= _MAX_TRIED:
            return None
    return cuts


def _parts(near: Near, moves: Iterable[Move]) -> list[list[int]]:
    beside: Near = {square: set() for square in near}
    for a, b in moves:
        link(beside, a, b)
    parts = pieces_without(beside, set())
    return [sorted(part) for part in parts if len(part) > 1] if len(parts) > 1 else []


def _weights(flow: _Flow) -> tuple[list[int], int]:
    """Return the weights of the squares, and the weight of a value of 1."""
    near = flow.near
    places = [*near, *(~square for square in near)]
    sums = dict.fromkeys(near, 0)
    # Many weights prove the same bound. Their mean excludes more states than any of them.
    for lowered in places:
        length, _ = flow.shortest(dict.fromkeys(places, 0) | {lowered: -_LOWERED})
        for square in near:
            sums[square] += length[square] - length[~square]
    unit = 2 * len(places)
    shared = math.gcd(unit, *sums.values())
    return [sums[square] // shared for square in sorted(near)], unit // shared


class _Flow:
    """Bipartite flow network; ~square is a square as a target. used: edges of the maximum-weight flow."""

    def __init__(self, near: Near, worth: Mapping[Move, int]) -> None:
        self.near, self.worth = near, worth
        self.moves = {(a, b) for a in near for b in near[a]}
        self.used: set[Move] = set()
        self._fill()

    @property
    def bound(self) -> float:
        return sum(self.worth.get(move, 0) for move in self.used) / 2

    def _fill(self) -> None:
        """Find the maximum-weight flow with two moves from and to each square."""
        lacks = dict.fromkeys([*self.near, *(~square for square in self.near)], 2)
        while begins := [square for square in self.near if lacks[square]]:
            length, before = self.shortest(dict.fromkeys(begins, 0))
            here = min((place for place in length if place < 0 and lacks[place]), key=length.__getitem__)
            lacks[here] -= 1
            while here in before:
                there = before[here]
                self.used ^= {(there, ~here) if here < 0 else (here, ~there)}
                here = there
            lacks[here] -= 1

    def shortest(self, begins: Mapping[int, int]) -> tuple[dict[int, int], dict[int, int]]:
        """Return the shortest distances from nodes with given distances, over residual edges, and the predecessors.

        The length of a move is its negated value, or its value if it is removed from the flow.
        """
        length, queue = dict(begins), deque(begins)
        before: dict[int, int] = {}
        while queue:
            here = queue.popleft()
            for square in self.near[max(here, ~here)]:
                move = (here, square) if here >= 0 else (square, ~here)
                there = ~square if here >= 0 else square
                found = length[here] + self.worth.get(move, 0) * (-1 if here >= 0 else 1)
                if (move in self.used) is (here < 0) and (there not in length or found < length[there]):
                    length[there], before[there] = found, here
                    queue.append(there)
        return length, before


# Maximum total number of states in a certificate.
_MAX_WRITTEN = 2_000
_MAX_SQUARES = 1_000


# ---------------------------------------------------------------- layers, in the order of a search


def layers_for(
    problem: Problem, record: Mapping[str, object], allowance: Allowance, on_progress: OnProgress | None = None
) -> dict[str, object] | None:
    """Return the proof of a certificate, or None if it has too many states for the allowance.

    record: problem and answer. For "best" a better tour is excluded, otherwise all tours are counted.
    """
    if not 2 <= square_count(problem.board) <= _MAX_SQUARES:
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
    """Return an order of search; the middle of a required move before its ends, virtual ends last."""
    virtual = range(problem.board.rows * problem.board.cols, max(near) + 1)
    ends, middles = virtual[: virtual_ends(question)], set(virtual[virtual_ends(question) :])
    order: dict[int, None] = {}
    for square in make_plan(without_conditions(problem)).order:
        order |= dict.fromkeys([*sorted(near[square] & middles), square])
    return [*order, *ends]
