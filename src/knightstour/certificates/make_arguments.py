"""Arguments for certificates: steps that check_arguments.py accepts, found by trying what often works.

What is tried is a guess here, and proved there: a step is taken only if its checker takes it. In order: what a reader
checks at a glance first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product

from knightstour.certificates.check_arguments import RULES, Chain
from knightstour.certificates.record import Wrong
from knightstour.certificates.rules import Near, loop_graph, pieces_without, question_of
from knightstour.model.problem import Problem
from knightstour.proofs.facts import board_facts
from knightstour.proofs.supply import shortage

Step = dict[str, object]

# Larger boards are argued about without trying every square, or every two squares.
_MOST_SQUARES_TRIED = 1000
_MOST_SQUARES_FOR_PAIRS = 100
_MOST_SQUARES_FORCED = 10_000
# A chain of forced moves is shortened link by link up to this many links times squares.
_MOST_SHORTENED = 50_000


def argument_for(problem: Problem, record: Mapping[str, object]) -> Step | None:
    """The proof of a certificate, if one is found. record: the question as a certificate has it."""
    steps = _Arguments(problem, loop_graph(question_of(record))).steps()
    return None if steps is None else {"kind": "argument", "steps": steps}


class _Arguments:
    """The search for the steps about one question. virtual: the virtual squares."""

    def __init__(self, problem: Problem, near: Near) -> None:
        self.problem, self.near = problem, near
        self.virtual = [square for square in near if square >= problem.board.rows * problem.board.cols]
        self.count = len(near) - len(self.virtual)

    def steps(self) -> list[Step] | None:
        """The first steps that are a proof, or None."""
        if self.problem.is_too_small:
            return [{"rule": "small"}]
        if len(self.near) < 3 or self.count < 2:
            return None
        kinds: list[Callable[[], Iterator[list[Step]]]] = [
            lambda: self._removals([set()], self.near),
            self._colours,
            self._cuts,
            self._ends,
            self._forced,
            self._tight,
            self._supplies,
            self._pairs,
        ]
        for steps in (steps for kind in kinds for steps in kind()):
            if is_contradiction(self.near, steps):
                return steps
        return None

    def _with_virtual(self, squares: set[int]) -> Iterator[set[int]]:
        """The squares, with each choice of virtual ones."""
        for count in range(len(self.virtual) + 1):
            for chosen in combinations(self.virtual, count):
                yield squares | set(chosen)

    def _removals(self, sets: list[set[int]], near: Near) -> Iterator[list[Step]]:
        """Without such a set there are too many pieces."""
        for removed in (removed for squares in sets for removed in self._with_virtual(squares)):
            if len(pieces_without(near, removed)) > max(1, len(removed)):
                yield [{"rule": "removal", "removed": sorted(removed)}]

    def _colours(self) -> Iterator[list[Step]]:
        """1 for a colour, -1 for the other, and a try of each for virtual squares."""
        colour = two_colours(self.near, set(self.virtual))
        if colour is None:
            return
        for sign, *rest in product((1, -1), repeat=1 + len(self.virtual)):
            weight = {square: sign * side for square, side in colour.items()} | dict(
                zip(self.virtual, rest, strict=True)
            )
            yield [{"rule": "weights", "weights": [weight[square] for square in sorted(self.near)]}]

    def _cuts(self) -> Iterator[list[Step]]:
        """The squares without which the board falls apart, one at a time."""
        yield from self._removals([{cut} for cut in self._articulation()], self.near)

    def _articulation(self) -> list[int]:
        board = self.problem.board
        return [row * board.cols + col for row, col in board_facts(board).articulation]

    def _ends(self) -> Iterator[list[Step]]:
        """Parts that hang on one square: each holds an end of the tour, so takes a move to the last virtual square."""
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

    def _tight(self) -> Iterator[list[Step]]:
        """Squares without which there are just as many pieces; and what follows then."""
        for squares in self._likely_sets():
            for removed in self._with_virtual(squares):
                count = len(pieces_without(self.near, removed))
                if count > len(removed) > 0:
                    yield [{"rule": "removal", "removed": sorted(removed)}]
                if count == len(removed):
                    for rule in ("tight", "contract")[: 1 + (count > 1)]:
                        step: Step = {"rule": rule, "removed": sorted(removed)}
                        near = copy_of(self.near)
                        RULES[rule](near, step)
                        singles = [{square} for square in near] if len(near) <= _MOST_SQUARES_TRIED else []
                        yield from ([step, *rest] for rest in self._removals([set(), *singles], near))
                        yield [step, {"rule": "forced", "chain": forced_chain(near)}]

    def _likely_sets(self) -> Iterator[set[int]]:
        """The inner lines of a board of four lines; the neighbours of the squares with fewest moves."""
        board = self.problem.board
        if board.graph is None:
            if board.rows == 4:
                yield {square for square in self.near if square // board.cols in (1, 2)}
            if board.cols == 4:
                yield {square for square in self.near if square < board.rows * 4 and square % 4 in (1, 2)}
        degrees = sorted({len(self.near[square]) for square in self.near if square not in self.virtual})
        for most in degrees[:3]:
            poor = [square for square in self.near if len(self.near[square]) <= most and square not in self.virtual]
            yield {other for square in poor for other in self.near[square]} - {*poor, *self.virtual}

    def _supplies(self) -> Iterator[list[Step]]:
        """Squares of one colour that need more moves than there are."""
        short = shortage(self.problem)
        colour = two_colours(self.near, set(self.virtual))
        if short is None or colour is None:
            return
        side = colour[short.poor[0]]
        weight = {square: -side * colour[square] if self.virtual else 0 for square in colour}
        for squares, more in ((short.poor, 2), (short.rich, -2)):
            for square in squares:
                weight[square] += more
        for rest in product(range(-3, 4), repeat=len(self.virtual)):
            every = weight | dict(zip(self.virtual, rest, strict=True))
            yield [{"rule": "weights", "weights": [every[square] for square in sorted(self.near)]}]

    def _forced(self) -> Iterator[list[Step]]:
        if len(self.near) <= _MOST_SQUARES_FORCED:
            yield [{"rule": "forced", "chain": forced_chain(copy_of(self.near))}]

    def _pairs(self) -> Iterator[list[Step]]:
        if self.count <= _MOST_SQUARES_FOR_PAIRS:
            squares = [square for square in self.near if square not in self.virtual]
            yield from self._removals([set(pair) for pair in combinations(squares, 2)], self.near)


def is_contradiction(near: Near, steps: list[Step]) -> bool:
    """Whether the checkers take these steps for a proof."""
    near = copy_of(near)
    try:
        return [RULES[str(step["rule"])](near, step) for step in steps][-1]
    except Wrong:
        return False


def copy_of(near: Near) -> Near:
    """The graph, to be changed."""
    return {square: set(others) for square, others in near.items()}


def two_colours(near: Near, left_out: set[int]) -> dict[int, int] | None:
    """1 or -1 for each square but those left out, so that all moves change it; None where there is no such choice."""
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


def forced_chain(near: Near) -> list[list[object]]:
    """All that is forced, link by link, up to a contradiction; without it, as far as it goes. The graph is changed."""
    before = copy_of(near)
    chain = Chain(near)
    links: list[list[object]] = []

    def add(name: str, *squares: int) -> bool:
        links.append([name, *squares])
        return chain.links[name](*squares)

    queue = dict.fromkeys(sorted(near))
    while queue:
        square = next(iter(queue))
        del queue[square]
        around = set(near[square])
        is_over = False
        if len(around) < 2:
            is_over = add("short", square)
        elif len(around) == 2 and len(chain.taken[square]) < 2:
            is_over = add("take", square)
            queue |= dict.fromkeys([*sorted(around), chain.far[square]])
        elif len(chain.taken[square]) == 2 and len(around) > 2:
            add("full", square)
            queue |= dict.fromkeys(sorted(around - chain.taken[square]))
        elif len(chain.taken[square]) == 1:
            far = chain.far[square]
            if far in around - chain.taken[square] and chain.size[square] < len(near):
                add("early", square, far)
                queue |= dict.fromkeys([square, far])
        if is_over:
            return _shortened(links, before)
    return links


def _shortened(links: list[list[object]], near: Near) -> list[list[object]]:
    """The chain without the links that its contradiction does not need."""
    if len(links) * len(near) > _MOST_SHORTENED:
        return links
    for k in range(len(links) - 2, -1, -1):
        fewer = links[:k] + links[k + 1 :]
        if is_contradiction(near, [{"rule": "forced", "chain": fewer}]):
            links = fewer
    return links
