"""Create arguments for certificates: steps from core/proofs or from a guess, used only if check_arguments.py accepts
them. The kinds that are easiest to verify come first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product

from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem, is_too_small, without_conditions
from knightstour.core.proofs.facts import graph_facts
from knightstour.core.proofs.forced_moves import forced_chain
from knightstour.core.proofs.narrowing_words import certificate_steps
from knightstour.lab.certificates.check_arguments import RULES
from knightstour.lab.certificates.loop_graph import Near, loop_graph, pieces_without, virtual_ends
from knightstour.lab.certificates.question import question_of
from knightstour.lab.certificates.record import Wrong

Step = dict[str, object]

# Larger boards are not searched for forced moves.
_MAX_SQUARES_FORCED = 10_000


def argument_for(problem: Problem, record: Mapping[str, object]) -> Step | None:
    """Return the proof of a certificate, or None. record: the certificate without its proof."""
    question = question_of(record)
    steps = _Arguments(problem, loop_graph(question), virtual_ends(question)).steps()
    return None if steps is None else {"kind": "argument", "steps": steps}


class _Arguments:
    """Search for the steps of a proof.

    virtual: the virtual squares between the ends. middles: the virtual squares of required moves.
    """

    def __init__(self, problem: Problem, near: Near, ends: int) -> None:
        self.problem, self.near = problem, near
        virtual = sorted(square for square in near if square >= problem.board.rows * problem.board.cols)
        self.virtual, self.middles = virtual[:ends], virtual[ends:]
        self.count = len(near) - len(virtual)

    def steps(self) -> list[Step] | None:
        if is_too_small(self.problem) and len(self.near) < 3:
            return [{"rule": "small"}]
        if len(self.near) < 3 or self.count < 2:
            return None
        kinds: list[Callable[[], Iterator[list[Step]]]] = [
            lambda: self._removals([set()], self.near),
            self._colours,
            self._cuts,
            self._ends,
            self._alternating_steps,
            self._forced_moves,
        ]
        for steps in (steps for kind in kinds for steps in kind()):
            if is_contradiction(self.near, steps):
                return steps
        return None

    def _with_virtual(self, squares: set[int]) -> Iterator[set[int]]:
        for count in range(len(self.virtual) + 1):
            for chosen in combinations(self.virtual, count):
                yield squares | set(chosen)

    def _removals(self, sets: list[set[int]], near: Near) -> Iterator[list[Step]]:
        """Yield sets that leave too many components."""
        for removed in (removed for squares in sets for removed in self._with_virtual(squares)):
            if len(pieces_without(near, removed)) > max(1, len(removed)):
                yield [{"rule": "removal", "removed": sorted(removed)}]

    def _colours(self) -> Iterator[list[Step]]:
        """Yield weights 1 and -1 by colour, with both values for each virtual square.

        The middle of a required move has weight 1, so that the halves offer exactly the requirement.
        """
        board = copy_of(self.near)
        for middle in self.middles:
            one, other = board.pop(middle)
            board[one] = board[one] - {middle} | {other}
            board[other] = board[other] - {middle} | {one}
        colour = two_colours(board, set(self.virtual))
        if colour is None:
            return
        for sign, *rest in product((1, -1), repeat=1 + len(self.virtual)):
            weight = {square: sign * side for square, side in colour.items()} | dict(
                zip(self.virtual, rest, strict=True)
            )
            weight |= dict.fromkeys(self.middles, 1)
            yield [{"rule": "weights", "weights": [weight[square] for square in sorted(self.near)]}]

    def _cuts(self) -> Iterator[list[Step]]:
        """Yield the articulation squares."""
        yield from self._removals([{cut} for cut in self._articulation()], self.near)

    def _articulation(self) -> list[int]:
        board = self.problem.board
        return [row * board.cols + col for row, col in graph_facts(board).articulation]

    def _ends(self) -> Iterator[list[Step]]:
        """Yield parts attached by one square: each contains an end of the tour."""
        if not self.virtual:
            return
        at = self.virtual[-1]
        parts = []
        ways = self._articulation() + [square for virtual in self.virtual[:-1] for square in self.near[virtual] - {at}]
        for way in ways:
            parts += [(len(part), way, part) for part in pieces_without(self.near, {way, at})]
        parts.sort(key=lambda part: part[0])
        taken: set[int] = set()
        chosen = []
        for _, way, part in parts:
            if not part & taken:
                taken |= part
                chosen.append([way, min(part)])
        if len(chosen) >= 3:
            yield [{"rule": "ends", "at": at, "parts": chosen[:3]}]

    def _alternating_steps(self) -> Iterator[list[Step]]:
        if not self.problem.require and not self.problem.forbid:
            steps = certificate_steps(without_conditions(self.problem))
        else:
            steps = _steps_of_graph(self.near)
        if steps is not None:
            yield steps

    def _forced_moves(self) -> Iterator[list[Step]]:
        if len(self.near) <= _MAX_SQUARES_FORCED:
            squares = sorted(self.near)
            place = {square: k for k, square in enumerate(squares)}
            links = forced_chain([sorted(place[other] for other in self.near[square]) for square in squares]).links
            yield [{"rule": "forced", "chain": [[name, *(squares[k] for k in at)] for name, at in links]}]


def _steps_of_graph(near: Near) -> list[Step] | None:
    """Return steps on a graph that is not a board, with virtual squares."""
    squares = sorted(near)
    place = {square: k for k, square in enumerate(squares)}
    lists = tuple(tuple(sorted(place[other] for other in near[square])) for square in squares)
    return certificate_steps(Problem(GraphBoard(squares, lists), closed=True), squares)


def is_contradiction(near: Near, steps: list[Step]) -> bool:
    """Whether the checkers accept these steps as a proof."""
    near = copy_of(near)
    try:
        return [RULES[str(step["rule"])](near, step) for step in steps][-1]
    except Wrong:
        return False


def copy_of(near: Near) -> Near:
    """Return a copy that can be changed."""
    return {square: set(others) for square, others in near.items()}


def two_colours(near: Near, left_out: set[int]) -> dict[int, int] | None:
    """Return 1 or -1 for each square except the omitted ones, so that all moves change the sign, or None."""
    colour: dict[int, int] = {}
    for first in near:
        if first in colour or first in left_out:
            continue
        colour[first] = 1
        queue = [first]
        for square in queue:
            for other in near[square] - left_out:
                if other not in colour:
                    colour[other] = -colour[square]
                    queue.append(other)
                elif colour[other] == colour[square]:
                    return None
    return colour
