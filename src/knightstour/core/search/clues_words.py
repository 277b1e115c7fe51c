"""Why given numbers contradict each other, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from knightstour.core.kernels.search import clues as kernel
from knightstour.core.model.distances import moves_away

if TYPE_CHECKING:
    from knightstour.core.search.clues import Places


def square_name(places: Places, s: int) -> str:
    """The name of a square of the search."""
    return places.board.name(divmod(places.squares[s], places.board.cols))


def contradiction(places: Places, closed: bool, steps: list[int], why: int, where: int) -> str:
    """The first contradiction that can be said in a sentence: between two given numbers if there is one, or else that
    which the search ended with (why, where: of the kernel).

    steps: the steps that each square may have, as bits.
    """
    return _of_a_pair(places, closed, steps) or _of_the_search(places, why, where)


def _of_a_pair(places: Places, closed: bool, steps: list[int]) -> str:
    """Two given numbers that contradict each other: the same one, or too far apart, or of the wrong colours."""
    count = places.count
    known: dict[int, int] = {}
    for s, bits in enumerate(steps):
        if bits == 0:
            return f"{square_name(places, s)} can have none of the steps that are given for it"
        if bits & (bits - 1) == 0:
            step = bits.bit_length()
            if step in known:
                return f"{square_name(places, known[step])} and {square_name(places, s)} are both step {step}"
            known[step] = s
    order = sorted(known)
    pairs = list(zip(order, order[1:], strict=False))
    if closed and len(order) > 1:
        pairs.append((order[-1], order[0]))
    for low, high in pairs:
        gap = (high - low) % count
        words = f"{square_name(places, known[low])} = {low} and {square_name(places, known[high])} = {high}"
        far = moves_away(places.neighbours, known[low]).get(known[high], -1)
        if far < 0:
            return f"{words}: no moves lead from one to the other"
        if far > gap:
            return f"{words}: {far} moves apart at least, but the numbers differ by {gap}"
        if (far - gap) % 2 and _has_colours(places):
            return f"{words}: an {'odd' if far % 2 else 'even'} number of moves apart, but the numbers differ by {gap}"
    return ""


def _has_colours(places: Places) -> bool:
    """Whether each move changes the colour, of two colours."""
    far = moves_away(places.neighbours, 0)
    return all((far[s] - far[u]) % 2 for s in far for u in places.neighbours(s))


def _of_the_search(places: Places, why: int, where: int) -> str:
    if why == kernel.NO_SQUARE:
        return f"no square is left for step {where + 1}"
    if why == 0:
        return "there are too few squares"
    name = square_name(places, where)
    return {
        kernel.NO_STEP: f"no step is left for {name}",
        kernel.TWO_STEPS: f"{name} is the only square left for two steps",
        kernel.FEW_MOVES: f"too few moves are left at {name}",
        kernel.MANY_MOVES: f"more than two moves are needed at {name}",
        kernel.LOOP: f"the moves that are needed close a loop at {name} that leaves squares out",
        kernel.NO_MOVE: f"a move that is needed at {name} fits no steps",
        kernel.NO_ORDER: f"no step is left for {name} in the order of the named squares",
    }[why]
