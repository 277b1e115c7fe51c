"""Proofs that a directed graph has no tour, from the reachability of its nodes, and their numbers of successors.

connectivity: each node of a tour reaches all later nodes; in a closed tour, all nodes. supply: a set of nodes has no
fewer successors than nodes, or one fewer if the tour ends there.

Sources: R. Tarjan, 1972 (strong components); P. Hall, 1935 (as many partners as nodes).
"""

from __future__ import annotations

from knightstour.core.model.board import square_count
from knightstour.core.model.one_way import arcs_left
from knightstour.core.model.problem import Problem, end_index, is_too_small, start_index
from knightstour.core.model.result import TOO_SMALL, Outcome, Status
from knightstour.core.proofs.facts import name, names
from knightstour.core.proofs.supply import Flow, strong_parts

_MAX_NODES = 20_000


def directed_proof(problem: Problem) -> Outcome | None:
    """Return IMPOSSIBLE by a short argument about a directed graph, or None.

    >>> from knightstour.core.model.board import Board
    >>> board = Board.from_graph([("a", "b"), ("b", "c"), ("a", "c")], directed=True)
    >>> directed_proof(Problem(board, closed=True)).reason
    'no arcs lead from c to a'
    """
    if is_too_small(problem):
        return Outcome(Status.IMPOSSIBLE, None, *TOO_SMALL, method="theorem")
    if square_count(problem.board) > _MAX_NODES:
        return None
    proof = connectivity(problem) or supply(problem)
    if proof is None:
        return None
    changed = (["no forbidden arc"] if problem.forbid else []) + (["each required one"] if problem.require else [])
    words = f"with {' and '.join(changed)}, " if changed else ""
    return Outcome(Status.IMPOSSIBLE, None, words + proof[0], proof[1], method="argument")


def connectivity(problem: Problem) -> tuple[str, str] | None:
    """Prove impossibility by two nodes without the required paths between them.

    >>> from knightstour.core.model.board import Board
    >>> connectivity(Problem(Board.from_graph({"a": ["b", "c"], "b": [], "c": []}, directed=True)))[0]
    'no arcs lead from c to b, nor from b to c'
    """
    board, out = problem.board, _out(problem)
    # Sinks come first, so that all arcs lead to lower numbers.
    part = strong_parts(out)
    first = {number: node for node, number in reversed(list(enumerate(part)))}
    source = "strong components"
    last = max(part)
    if problem.closed:
        return (f"no arcs lead from {name(board, first[0])} to {name(board, first[last])}", source) if last else None
    start, end = start_index(problem), end_index(problem)
    if start is not None and part[start] < last:
        return f"no arcs lead from the start, {name(board, start)}, to {name(board, first[last])}", source
    if end is not None and part[end] > 0:
        return f"no arcs lead from {name(board, first[0])} to the end, {name(board, end)}", source
    joined = {part[a] for a, heads in enumerate(out) for b in heads if part[a] == part[b] + 1}
    for number in range(1, last + 1):
        if number not in joined:
            a, b = (name(board, first[which]) for which in (number, number - 1))
            return f"no arcs lead from {a} to {b}, nor from {b} to {a}", source
    return None


def supply(problem: Problem) -> tuple[str, str] | None:
    """Prove impossibility by nodes with too few successors.

    >>> from knightstour.core.model.board import Board
    >>> arcs = {"a": ["b"], "b": ["a", "c", "d"], "c": ["b"], "d": ["a", "b"]}
    >>> supply(Problem(Board.from_graph(arcs, directed=True), closed=True))[0]
    'a and c lead to b alone, and a closed tour has another node after each'
    """
    board, out = problem.board, _out(problem)
    count = len(out)
    flow = Flow([*([count + b for b in heads] for heads in out), *([] for _ in out)], most=1)
    for tail, heads in enumerate(out):
        for head in heads:
            flow.near[count + head].append(tail)
    start, end = (None, None) if problem.closed else (start_index(problem), end_index(problem))
    if start is not None:
        flow.spare[count + start] = 0
    if end is not None:
        flow.spare[end] = 0
    may_miss = int(not problem.closed and end is None)
    flow.run()
    if sum(flow.spare[:count]) <= may_miss:
        return None
    tails = sorted(node for node in flow.level if node < count)
    heads = sorted(node - count for node in flow.level if node >= count and node - count != start)
    leads = f"lead{'s' if len(tails) == 1 else ''} to {names(board, heads) + ' alone' if heads else 'no node'}"
    where = f" besides the start, {name(board, start)}" if start is not None else ""
    each = "a closed tour has" if problem.closed else "a tour has"
    but = "" if problem.closed else " but its last" if end is None else f" but the end, {name(board, end)}"
    return f"{names(board, tails)} {leads}{where}, and {each} another node after each{but}", "Hall 1935"


def _out(problem: Problem) -> list[list[int]]:
    """Return the successors of each node by arcs that a tour may contain."""
    return arcs_left(problem)
