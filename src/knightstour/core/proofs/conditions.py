"""Reasons why given numbers, or required and forbidden moves, cannot be met, which a reader can check by hand.

They follow the proofs for the problem without conditions, and precede the arguments for the reduced graph
(core/model/reduced.py).
"""

from __future__ import annotations

from collections import Counter

from knightstour.core.model.board import move_graph, square_count
from knightstour.core.model.conditions import name_of_move, name_of_square
from knightstour.core.model.distances import moves_away
from knightstour.core.model.problem import Problem, end_index, start_index
from knightstour.core.proofs.facts import colour_classes, names
from knightstour.core.proofs.symmetric import no_action

# Limit on the squares visited in the search for given numbers that are too far apart.
_MAX_LOOKS = 1_000_000

Proof = tuple[str, str]


def unmet(problem: Problem) -> Proof | None:
    """Return a contradiction between the conditions, or with the board, and its source, or None.

    >>> unmet(Problem((8, 8), closed=True, require=["a1-b3", "b3-c1", "b3-d4"]))[0]
    'a tour makes two moves at each square, but three required moves meet at b3: a1-b3, b3-c1, b3-d4'
    """
    tried = (no_action, _find_crowded_square, _find_early_loop, _wrong_colours, _too_far, _late_start, _too_long)
    return next((proof for each in tried if (proof := each(problem)) is not None), None)


def _find_crowded_square(problem: Problem) -> Proof | None:
    """Find a square with too many required moves."""
    ends = () if problem.closed else (start_index(problem), end_index(problem))
    moves = Counter(square for pair in problem.require for square in pair)
    for square, count in sorted(moves.items()):
        most = 2 - ends.count(square)
        if count > most:
            met = ", ".join(sorted(name_of_move(problem.board, pair) for pair in problem.require if square in pair))
            name = name_of_square(problem.board, square)
            words = {2: "two", 3: "three"}.get(count, str(count))
            if most == 2:
                return (
                    f"a tour makes two moves at each square, but {words} required moves meet at {name}: {met}",
                    "required moves",
                )
            return (
                f"a tour makes one move at its end {name}, but {words} required moves meet there: {met}",
                "required moves",
            )
    return None


def _find_early_loop(problem: Problem) -> Proof | None:
    """Find required moves that close a loop too early."""
    near: dict[int, list[int]] = {}
    for a, b in problem.require:
        near.setdefault(a, []).append(b)
        near.setdefault(b, []).append(a)
    seen: set[int] = set()
    for first in sorted(near):
        if first in seen:
            continue
        part = list(moves_away(near.__getitem__, first))
        seen.update(part)
        is_loop = all(len(near[square]) == 2 for square in part)
        if is_loop and not (problem.closed and len(part) == square_count(problem.board)):
            shown = names(problem.board, part)
            return (
                f"the required moves close a loop of {len(part)} squares, {shown}, which is not a tour",
                "required moves",
            )
    return None


def _known_steps(problem: Problem) -> dict[int, frozenset[int]]:
    """Return the possible steps of squares with few, including the ends."""
    steps = dict(problem.given)
    if steps:
        for square, step in ((start_index(problem), 1), (end_index(problem), square_count(problem.board))):
            if square is not None:
                steps[square] = frozenset({step}) & steps.get(square, frozenset({step}))
    return steps


def _wrong_colours(problem: Problem) -> Proof | None:
    """Find steps that do not fit the colours of their squares."""
    steps = _known_steps(problem)
    colours = colour_classes(problem.board) if steps else None
    if colours is None:
        return None
    stuck = []
    for odd in (0, 1):
        wrong = [s for s, few in steps.items() if not any((step % 2 == 1) == (colours[s] == odd) for step in few)]
        if not wrong:
            return None
        stuck.append(min(wrong))
    said = [f"{name_of_square(problem.board, s)} = {_steps_as_text(steps[s])}" for s in dict.fromkeys(stuck)]
    if len(said) == 1:
        return f"no step is left for {said[0].split(' = ')[0]}", "given numbers"
    kind = "one colour" if colours[stuck[0]] == colours[stuck[1]] else "different colours"
    return (
        f"a tour alternates colours, so {said[0]} and {said[1]} cannot both be: the two squares have {kind}",
        "given numbers; colour",
    )


def _steps_as_text(steps: frozenset[int]) -> str:
    return " or ".join(map(str, sorted(steps)[:4])) + (" ..." if len(steps) > 4 else "")


def _too_far(problem: Problem) -> Proof | None:
    """Find two squares with fewer steps between them than moves."""
    board = problem.board
    known = sorted((next(iter(few)), s) for s, few in _known_steps(problem).items() if len(few) == 1)
    count = square_count(board)
    if len(known) < 2:
        return None
    near = move_graph(board).neighbour_lists()
    # If all consecutive pairs are near enough, all pairs are near enough.
    pairs = [*zip(known, known[1:], strict=False), *([(known[0], known[-1])] if problem.closed else [])]
    looks = 0
    for (step, square), (later, other) in pairs:
        gap = min(later - step, count - later + step) if problem.closed else later - step
        near_enough = moves_away(near.__getitem__, square, gap)
        looks += len(near_enough)
        if later > step and other not in near_enough:
            away = moves_away(near.__getitem__, square)
            one, two = name_of_square(board, square), name_of_square(board, other)
            moves = f"{gap} move{'s' if gap > 1 else ''} apart in the tour"
            shown = away.get(other, "no number of moves")
            return f"{one} = {step} and {two} = {later} are {moves}, but {shown} on the board", "given numbers"
        if looks > _MAX_LOOKS:
            return None
    return None


def _late_start(problem: Problem) -> Proof | None:
    """Find an end of an open tour that is not at its end of the order."""
    named = problem.visit_order
    for end, first, when in ((start_index(problem), named[:1], "before"), (end_index(problem), named[-1:], "after")):
        if not problem.closed and end in named and end not in first:
            name, other = name_of_square(problem.board, end), name_of_square(problem.board, first[0])
            verb = "begins" if when == "before" else "ends"
            return f"the tour {verb} at {name}, but the order has {other} {when} it", "order of squares"
    return None


def _too_long(problem: Problem) -> Proof | None:
    """Find consecutive named squares without a path, or a total distance that is too long."""
    board, named = problem.board, problem.visit_order
    if not named or len(named) * square_count(board) > _MAX_LOOKS:
        return None
    total = 0
    near = move_graph(board).neighbour_lists()
    for one, other in zip(named, named[1:] + named[:1] if problem.closed else named[1:], strict=False):
        others = {*named} - {one, other}
        free = {
            s: [u for u in near[s] if u not in others and (min(s, u), max(s, u)) not in problem.forbid]
            for s in move_graph(board).squares.tolist()
        }
        apart = moves_away(free.__getitem__, one).get(other)
        if apart is None:
            between = " and ".join(name_of_square(board, square) for square in (one, other))
            return f"every path between {between} leads over another named square", "order of squares"
        total += apart
    most = square_count(board) - (not problem.closed)
    if total <= most:
        return None
    return f"the named squares are at least {total:,} moves apart in all, but a tour has {most:,}", "order of squares"
