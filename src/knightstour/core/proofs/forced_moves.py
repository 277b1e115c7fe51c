"""Forced moves: apply forced conclusions until a contradiction or until nothing changes.

A tour has two moves at every square (one at an end). So a square with only two possible moves needs both. A square with
two chosen moves loses its others. If the chosen moves form a path that misses squares, the move between its ends is
excluded, since it would close the path too early. A square with fewer moves than it needs is a contradiction.

This requires the ends: a closed tour has none, and two given ends are joined by an additional chosen move, which makes
the tour closed. A square with a single move is an end too. If one end is known, on boards of up to MAX_SQUARES_FOR_ENDS
squares, every square is tried as the other end.

Cost: proportional to the forced moves. Source: the rules are folklore, used for knight's tours since the 18th century.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from knightstour.core.model.board import Board, move_graph, square_count
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.facts import colour_classes, given_ends, name

MAX_SQUARES_FOR_ENDS = 100
# Limit on the steps that a proof lists.
_MAX_STEPS_SHOWN = 12
SOURCE = "forced moves"
# A link of a certificate: its name and its squares.
Link = tuple[str, tuple[int, ...]]


def prove_by_forced_moves(problem: Problem) -> tuple[str, str] | None:
    """Return (reason, source) if forced moves lead to a contradiction, else None.

    >>> prove_by_forced_moves(Problem((4, 4), closed=True))[0]
    'd4 takes its only moves left, to b3 and c2; a1 takes its only moves left, to c2 and b3; a1-b3 would close a path
    too early; a1 is left with a single move, to c2'
    """
    board = problem.board
    near = move_graph(board).neighbour_lists()
    if square_count(board) < 3:
        return None
    if problem.closed:
        return _proof(board, _Chain(near, square_count(board)).contradiction())
    ends = given_ends(problem)
    poor = [s for s in move_graph(board).squares.tolist() if len(near[s]) == 1 and s not in ends]
    known = [*ends, *poor]
    if len(known) > 2 or not known:
        return None
    note = "".join(f"{name(board, s)} has a single move, so it is an end; " for s in poor)
    if len(known) == 2:
        return _proof(board, _Chain(near, square_count(board), (known[0], known[1])).contradiction(), note)
    if square_count(board) > MAX_SQUARES_FOR_ENDS:
        return None
    colours = colour_classes(board)
    others = [s for s in move_graph(board).squares.tolist() if s != known[0]]
    if colours is not None:
        # With an even number of squares the end has the other colour, with an odd number the same.
        change = square_count(board) % 2 == 0
        others = [s for s in others if (colours[s] != colours[known[0]]) == change]
    chains: dict[int, list[_Step]] = {}
    for end in others:
        steps = _Chain(near, square_count(board), (known[0], end)).contradiction()
        if steps is None:
            return None
        chains[end] = steps
    if not chains:
        return None
    example = min(chains, key=lambda end: len(chains[end]))
    proof = _proof(board, chains[example])
    assert proof is not None
    colour = " of the right colour" if colours is not None else ""
    none = f"none of the {len(others)} squares{colour} can" if len(others) > 1 else f"the one square{colour} cannot"
    return (
        f"{note}{none} be the other end, for forced moves contradict {'each' if len(others) > 1 else 'it'}; "
        f"for example with {name(board, example)}: {proof[0]}",
        SOURCE,
    )


class ForcedMoves(NamedTuple):
    """Forced conclusions in a graph for a closed tour.

    Attributes:
        links: The chain in the format of certificates.
        left_out: The moves that no tour contains.
        is_contradiction: Whether no tour exists; the chain is then the proof.
        steps: The chain for `chain_words`.
    """

    links: list[Link]
    left_out: list[tuple[int, int]]
    is_contradiction: bool
    steps: list[_Step]


def forced_chain(near: Sequence[Sequence[int]]) -> ForcedMoves:
    """Return all forced conclusions in a graph, or the steps to a contradiction; the graph is not changed.

    >>> forced_chain([[1, 2, 3], [0, 2], [0, 1], [0]]).links
    [('take', (1,)), ('early', (0, 2)), ('short', (2,))]
    """
    chain = _Chain(near, len(near))
    steps = chain.contradiction()
    is_contradiction = steps is not None
    if steps is None:
        steps = sorted({id(step): step for step in chain.step_of.values()}.values(), key=lambda step: step.number)
    left_out = [move for move, is_taken in chain.state.items() if not is_taken]
    return ForcedMoves(_links(steps), left_out, is_contradiction, steps)


def _links(steps: list[_Step]) -> list[Link]:
    taken: dict[int, set[int]] = {}
    links: list[Link] = []
    for step in steps:
        here = step.square
        if step.kind in (_EARLY, _JOINS):
            filled = [v for v in (here, step.others[0]) if len(taken.get(v, ())) == 2]
            links += [(_FILLED, (v,)) for v in filled] or [(_EARLY, (here, step.others[0]))]
            continue
        links.append((step.kind, (here,)))
        for other in step.others if step.kind == _TAKE else ():
            taken.setdefault(here, set()).add(other)
            taken.setdefault(other, set()).add(here)
    return links


@dataclass(slots=True)
class _Step:
    """Conclusion of a chain: its square, and the squares at the other ends of its moves.

    because: The chosen or excluded moves that it depends on, as keys of _Chain.step_of.
    """

    kind: str
    square: int
    others: tuple[int, ...]
    because: tuple[tuple[int, int], ...] = field(default=())
    number: int = 0


# Certificates have all of these except "joins", which they call "early".
_TAKE, _FILLED, _EARLY, _JOINS, _SHORT = "take", "full", "early", "joins", "short"


class _Chain:
    """Moves taken and dropped so far, and the step responsible.

    state: (lower, higher) -> True if the move is taken, False if dropped. far[s], size[s]: for an end s of a path of
    taken moves, its other end and its number of squares; a square without taken moves is a path.
    """

    def __init__(self, near: Sequence[Sequence[int]], count: int, ends: tuple[int, int] | None = None) -> None:
        self.near = near
        self.count = count
        self.ends = ends
        self.state: dict[tuple[int, int], bool] = {}
        self.step_of: dict[tuple[int, int], _Step] = {}
        self.taken: dict[int, list[int]] = {}
        self.dropped: dict[int, int] = {}
        self.far: dict[int, int] = {}
        self.size: dict[int, int] = {}
        self.queue: deque[int] = deque()
        self.made = 0

    def contradiction(self) -> list[_Step] | None:
        """Return the steps that a contradiction depends on, or None."""
        self.queue.extend(s for s, near in enumerate(self.near) if 0 < len(near) <= 2)
        if self.ends is not None:
            a, b = self.ends
            # The move between the given ends is virtual: it has no step, and every argument may use it.
            self.taken[a], self.taken[b] = [b], [a]
            self.far[a], self.far[b] = b, a
            self.size[a] = self.size[b] = 2
            if b in self.near[a] and self.count > 2:
                self._drop(a, b, _Step(_JOINS, a, (b,)))
            self.queue.extend(self.ends)
        while self.queue:
            short = self._conclude_at(self.queue.popleft())
            if short is not None:
                return self._behind(short)
        return None

    def _conclude_at(self, s: int) -> _Step | None:
        """Draw the forced conclusions at a square; return a contradiction, or None."""
        left = [u for u in self.near[s] if self.state.get(_key(s, u), True)]
        taken = self.taken.get(s, [])
        virtual = self.ends is not None and s in self.ends
        if len(left) + virtual < 2:
            return _Step(_SHORT, s, tuple(left), self._drops_at(s))
        if len(left) + virtual > 2 or len(taken) == 2:
            return None
        step = _Step(_TAKE, s, tuple(left), self._drops_at(s))
        for u in left:
            # Taking the first of two moves may drop the second; s is queued again then.
            if _key(s, u) not in self.state:
                self._take(s, u, step)
        return None

    def _drops_at(self, s: int) -> tuple[tuple[int, int], ...]:
        return tuple(_key(s, u) for u in self.near[s] if self.state.get(_key(s, u)) is False)

    def _record(self, key: tuple[int, int], is_taken: bool, step: _Step) -> None:
        self.state[key] = is_taken
        self.step_of[key] = step
        if step.number == 0:
            self.made += 1
            step.number = self.made

    def _take(self, s: int, u: int, step: _Step) -> None:
        self._record(_key(s, u), True, step)
        a, b = self.far.get(s, s), self.far.get(u, u)
        size = self.size.get(s, 1) + self.size.get(u, 1)
        self.taken.setdefault(s, []).append(u)
        self.taken.setdefault(u, []).append(s)
        self.far[a], self.far[b] = b, a
        self.size[a] = self.size[b] = size
        for v in (s, u):
            if len(self.taken[v]) == 2:
                moves = self._chosen_at(v)
                full = _Step(_FILLED, v, tuple(a + b - v for a, b in moves), moves)
                for w in self.near[v]:
                    if _key(v, w) not in self.state:
                        self._drop(v, w, full)
        if size < self.count and _key(a, b) not in self.state and b in self.near[a]:
            path = self._path(a, b)
            self._drop(a, b, _Step(_EARLY if len(path) == size - 1 else _JOINS, a, (b,), path))

    def _chosen_at(self, v: int) -> tuple[tuple[int, int], ...]:
        return tuple(_key(v, w) for w in self.taken[v] if _key(v, w) in self.step_of and self.state[_key(v, w)])

    def _drop(self, s: int, u: int, step: _Step) -> None:
        self._record(_key(s, u), False, step)
        for v in (s, u):
            self.dropped[v] = self.dropped.get(v, 0) + 1
            virtual = self.ends is not None and v in self.ends
            if len(self.near[v]) - self.dropped[v] + virtual <= 2:
                self.queue.append(v)

    def _path(self, a: int, b: int) -> tuple[tuple[int, int], ...]:
        """Return the chosen moves between two ends of a path, except the virtual move."""
        moves = []
        before, here = -1, a
        while here != b:
            ahead = [w for w in self.taken[here] if w != before]
            before, here = here, ahead[0]
            if _key(before, here) in self.step_of:
                moves.append(_key(before, here))
        return tuple(moves)

    def _behind(self, short: _Step) -> list[_Step]:
        """Return the steps that the last one depends on, in order."""
        needed: dict[int, _Step] = {}
        rest = list(short.because)
        while rest:
            step = self.step_of[rest.pop()]
            if step.number not in needed:
                needed[step.number] = step
                rest += step.because
        return [*(needed[number] for number in sorted(needed)), short]


def _key(s: int, u: int) -> tuple[int, int]:
    return (s, u) if s < u else (u, s)


def chain_words(steps: list[_Step], named: Callable[[int], str]) -> str:
    """Return the steps as a sentence. named: Returns the name of a square."""
    return join_clauses([clause(step.kind, named(step.square), list(map(named, step.others))) for step in steps])


def join_clauses(words: list[str]) -> str:
    """Return the clauses of a chain as a sentence; the middle of a long chain is omitted."""
    left_out = len(words) - _MAX_STEPS_SHOWN
    if left_out > 0:
        half = _MAX_STEPS_SHOWN // 2
        words = [*words[:half], f"... ({left_out} more step{'s' if left_out > 1 else ''})", *words[half + left_out :]]
    return "; ".join(words)


def _proof(board: Board, steps: list[_Step] | None, note: str = "") -> tuple[str, str] | None:
    return None if steps is None else (note + chain_words(steps, functools.partial(name, board)), SOURCE)


def clause(kind: str, here: str, others: list[str]) -> str:
    """Return one step as text. here, others: names of its square, and of the squares that its moves lead to.

    >>> clause("short", "a1", ["c2"])
    'a1 is left with a single move, to c2'
    """
    if kind == _TAKE:
        return f"{here} takes its only move{'s' if len(others) > 1 else ''} left, to {' and '.join(others)}"
    if kind == _FILLED and len(others) == 1:
        return f"{here} is an end and has its move, to {others[0]}, and drops the others"
    if kind == _FILLED:
        return f"{here} has both its moves, to {' and '.join(others)}, and drops the others"
    if kind == _EARLY:
        return f"{here}-{others[0]} would close a path too early"
    if kind == _JOINS:
        return f"{here}-{others[0]} would join the two ends by a path that lacks squares"
    return f"{here} is left with {'no move' if not others else 'a single move, to ' + others[0]}"
