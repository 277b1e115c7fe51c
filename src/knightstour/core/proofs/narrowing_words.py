"""Steps of narrowing.py as text, and as a certificate.

Readers do not know virtual squares, so conclusions about virtual squares become conclusions about the ends.
"""

from __future__ import annotations

from collections.abc import Iterable

from knightstour.core.model.cycle_graph import LoopGraph, pieces_without
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.facts import given_ends, name, names
from knightstour.core.proofs.forced_moves import SOURCE as FORCED
from knightstour.core.proofs.forced_moves import chain_words, forced_chain
from knightstour.core.proofs.narrowing import LATE, QUICK, THOROUGH, Effect, Step, drop, effect_of, proof_steps
from knightstour.core.proofs.supply import Weights, total_offer

SUPPLY, REMOVAL = "supply of moves", "removal of squares"
_SOURCES = {"forced": FORCED, "weights": SUPPLY, "spent": SUPPLY, "removal": REMOVAL, "tight": REMOVAL}
_OUTSIDE = "the outside"


def narrowing(problem: Problem) -> tuple[str, str] | None:
    """Return (reason, source) if a combination of arguments proves quickly that no tour exists, else None.

    >>> narrowing(Problem((3, 8), closed=True))[0]
    'no tour makes the move d3-f2 or 3 others, since others are forced; then if c3, f3, c1 and f1 are removed, the
    board falls into 5 parts (around a3, d3, g3, a2 and h2), but a closed tour falls into at most 4'
    """
    return _proof_text(problem, QUICK)


def thorough_narrowing(problem: Problem) -> tuple[str, str] | None:
    """Return a proof as `narrowing`, with more time for toughness: a tenth of a second for 400 squares."""
    return _proof_text(problem, THOROUGH)


def late_narrowing(problem: Problem) -> tuple[str, str] | None:
    """Return a proof by forced moves, supply and demand, on up to 20,000 squares: a second for 100x100."""
    return _proof_text(problem, LATE)


def certificate_steps(problem: Problem, numbers: list[int] | None = None) -> list[dict[str, object]] | None:
    """Return the proof as steps of docs/certificate-format.md. numbers: Numbers of the vertices, if different."""
    proof = proof_steps(problem)
    if proof is None:
        return None
    graph, steps = proof
    if numbers is not None:
        graph = graph._replace(numbers=numbers)
    written = []
    for step in steps:
        written.append(_step_record(graph, step))
        effect = effect_of(graph.near, step)
        assert effect is not None
        drop(graph.near, effect.moves)
    return written


def _step_record(graph: LoopGraph, step: Step) -> dict[str, object]:
    """graph: the graph before the step."""
    numbers = graph.numbers
    if step.rule in ("weights", "spent"):
        return {"rule": step.rule, "weights": [step.weights.get(v, 0) for v in range(len(graph.near))]}
    if step.rule in ("removal", "tight"):
        return {"rule": step.rule, "removed": sorted(numbers[v] for v in step.removed)}
    links = forced_chain([sorted(others) for others in graph.near]).links
    return {"rule": "forced", "chain": [[kind, *(numbers[v] for v in at)] for kind, at in links]}


def _proof_text(problem: Problem, looks: int) -> tuple[str, str] | None:
    proof = proof_steps(problem, looks)
    if proof is None:
        return None
    graph, steps = proof
    words = []
    for step in steps:
        effect = effect_of(graph.near, step)
        assert effect is not None
        words.append(step_words(graph, step, effect))
        drop(graph.near, effect.moves)
    return "; then ".join(words), ", then ".join(dict.fromkeys(_SOURCES[step.rule] for step in steps))


def step_words(graph: LoopGraph, step: Step, effect: Effect) -> str:
    """Return a step as text; the graph is the one before it."""
    if effect.forced is not None:
        if effect.is_contradiction:
            return chain_words(effect.forced.steps, lambda v: _vertex_name(graph, v))
        return f"{_left_out(graph, effect)}, since others are forced"
    if step.rule == "weights":
        return _shortage(graph, step.weights)
    if step.rule == "spent":
        poor, rich = ([v for v, weight in step.weights.items() if weight == side] for side in (1, -1))
        others = total_offer(graph.near, step.weights)
        count = "one move" if others == 1 else f"{others} moves"
        besides = f" and the {count} elsewhere" if others else ""
        return (
            f"{_listing(graph, poor)} need all moves that {_listing(graph, rich)} can have{besides}, "
            f"so {_left_out(graph, effect)}"
        )
    if step.rule == "tight":
        return (
            f"without {_listing(graph, step.removed)} the board falls into as many pieces as a tour can visit, "
            f"so {_left_out(graph, effect)}"
        )
    return _pieces(graph, step.removed)


def _vertex_name(graph: LoopGraph, vertex: int) -> str:
    return name(graph.problem.board, graph.numbers[vertex]) if vertex < graph.square_count else _OUTSIDE


def _listing(graph: LoopGraph, vertices: Iterable[int]) -> str:
    """Return squares as text: their number and names."""
    squares = graph.squares_of(vertices)
    return f"the {len(squares)} square{'s' if len(squares) != 1 else ''} {names(graph.problem.board, squares)}"


def _left_out(graph: LoopGraph, effect: Effect) -> str:
    """Return a clause: no tour makes some moves, or ends at some squares."""
    moves = [move for move in effect.moves if max(move) < graph.square_count]
    ends = graph.squares_of(min(move) for move in effect.moves if max(move) >= graph.square_count)
    said = []
    if moves:
        a, b = min(moves)
        others = f" or {len(moves) - 1} others" if len(moves) > 2 else " or one other" * (len(moves) - 1)
        said.append(f"makes the move {_vertex_name(graph, a)}-{_vertex_name(graph, b)}{others}")
    if ends:
        said.append(f"has {'its other' if given_ends(graph.problem) else 'an'} end at {_any(graph, ends)}")
    return f"no tour {' or '.join(said)}" if said else "no move is left out"


def _any(graph: LoopGraph, squares: list[int]) -> str:
    others = f" or {len(squares) - 1} others" if len(squares) > 2 else " or one other" * (len(squares) - 1)
    return name(graph.problem.board, squares[0]) + others


def _shortage(graph: LoopGraph, weights: Weights) -> str:
    """Return a clause: some squares need more moves than are available."""
    problem = graph.problem
    given = given_ends(problem)
    kind = "a closed tour" if problem.closed else "a tour"
    poor, rich = (graph.squares_of(v for v, weight in weights.items() if weight == side) for side in (1, -1))
    # Moves that the virtual squares may offer to the poor squares, and moves that they need from the rich ones.
    demand = sum(1 if s in given else 2 for s in poor) - (0 if problem.closed else 2 - len(given))
    offer = sum(1 if s in given else 2 for s in rich)
    on_board = [{u for u in others if u < graph.square_count} for others in graph.near]
    others = total_offer(on_board, {v: weight for v, weight in weights.items() if v < graph.square_count})
    sources = [f"{offer} at {_listing(graph, _vertices(graph, rich))}"] if rich else []
    if others:
        sources.append(f"{others} elsewhere")
    if demand <= offer + others:
        # The ends contribute too little wherever they lie, so there is no single number.
        more = f", {others} elsewhere" if others > 0 else ""
        return (
            f"{_listing(graph, _vertices(graph, poor))} need more moves than {_listing(graph, _vertices(graph, rich))}"
            f"{more} and the ends of the tour leave to them"
        )
    return (
        f"{kind} has at least {demand} moves at {_listing(graph, _vertices(graph, poor))}, "
        f"but they can have only {' and '.join(sources) or 'none'}"
    )


def _vertices(graph: LoopGraph, squares: list[int]) -> list[int]:
    wanted = set(squares)
    return [v for v in range(graph.square_count) if graph.numbers[v] in wanted]


def _pieces(graph: LoopGraph, removed: frozenset[int]) -> str:
    """Return a clause: if some squares are removed, the board falls into more pieces than a tour."""
    problem = graph.problem
    kind = "a closed tour" if problem.closed else "a tour"
    on_board = [{u for u in others if u < graph.square_count} for others in graph.near[: graph.square_count]]
    parts = pieces_without(on_board, [v for v in removed if v < graph.square_count])
    squares = graph.squares_of(removed)
    firsts = names(problem.board, sorted(graph.numbers[min(part)] for part in parts))
    if not squares:
        return f"the board falls into {len(parts)} parts (around {firsts}), between which no tour moves"
    allowed = len(squares) + (not problem.closed) - len(set(given_ends(problem)) & set(squares))
    together = ""
    if len(parts) <= allowed:
        allowed -= 1
        together = " with both ends in one of them"
    return (
        f"if {names(problem.board, squares)} {'are' if len(squares) > 1 else 'is'} removed, the board falls into "
        f"{len(parts)} parts (around {firsts}){together}, but {kind} falls into at most {allowed}"
    )
