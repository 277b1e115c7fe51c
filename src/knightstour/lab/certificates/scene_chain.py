"""A chain of forced moves as a drawing, with a beat for each link."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from knightstour.core.model.scene import Line, Mark
from knightstour.core.proofs.forced_moves import clause, join_clauses
from knightstour.lab.certificates import record
from knightstour.lab.certificates.check_arguments import Chain
from knightstour.lab.certificates.loop_graph import Near
from knightstour.lab.certificates.scene_words import ReducedProblem, SceneDraft

_FORCED, _OUT = "forced moves, in their order", "moves that no tour makes"


def draw_chain(stage: ReducedProblem, near: Near, links: Sequence[object]) -> SceneDraft:
    """Return the drawing of a chain that the checker has accepted, on the graph before it."""
    chain = _Chain(stage, near)
    for link in links:
        assert isinstance(link, list)
        if chain.follow(str(link[0]), record.numbers(link[1:], "a link")):
            break
    return chain.drawing(near)


class _Chain:
    """Draws the links one after the other, with the Chain of the checker."""

    def __init__(self, stage: ReducedProblem, near: Near) -> None:
        self.stage = stage
        self.chain = Chain({square: set(others) for square, others in near.items()})
        self.marks: list[Mark] = []
        self.lines: list[Line] = []
        self.beats: list[str] = []
        self.is_contradiction = False

    def follow(self, name: str, squares: list[int]) -> bool:
        """Apply a link, and draw its consequences; return whether it is the contradiction."""
        chain, square = self.chain, squares[0]
        left = sorted(chain.near[square])
        fresh = [(square, other) for other in left if other not in chain.taken[square]]
        taken = {vertex: set(others) for vertex, others in chain.taken.items()} if name == "take" else {}
        self.is_contradiction = chain.links[name](*squares)
        if name == "take":
            for one, other in fresh:
                taken[one].add(other)
                taken[other].add(one)
            self._draw_required(square, left, fresh, taken)
        elif name == "full":
            self._draw_full(square, fresh)
        elif name == "early":
            self._draw_early(*squares)
        else:
            self._draw_short(square, left)
        return self.is_contradiction

    # ------------------------------------------------------------ the links

    def _draw_required(self, square: int, left: list[int], fresh: list[tuple[int, int]], taken: Near) -> None:
        """Draw the required moves of a square. taken: all required moves."""
        says = self._clause("take", square, left)
        if not self.is_contradiction:
            if fresh:
                self._beat(says, [("forced", tuple(fresh))])
            return
        crowded = [other for _, other in fresh if len(taken[other]) > 2]
        if crowded:
            says += f", but {self.stage.name(crowded[0])} has its two moves already"
            mark = Mark("clash", (crowded[0],), "a square with three moves", "3")
        else:
            says += ", but that closes a loop that lacks squares"
            mark = Mark("clash", tuple(sorted(_path(taken, square))), "a loop that lacks squares")
        self._beat(says, [("clash", tuple(fresh))], mark)

    def _draw_full(self, square: int, dropped: list[tuple[int, int]]) -> None:
        if dropped:
            self._beat(self._clause("full", square, self.chain.taken[square]), [("out", tuple(dropped))])

    def _draw_early(self, a: int, b: int) -> None:
        self._beat(self._clause("early", a, [b]), [("out", ((a, b),))])

    def _draw_short(self, square: int, left: list[int]) -> None:
        mark = Mark("starved", (square,), "a square with too few moves", str(len(left)))
        if square in self.stage.middles:
            mark = Mark("clash", self.stage.middles[square], "a required move that cannot be made")
        self._beat(self._clause("short", square, left), [], mark)

    # ------------------------------------------------------------ helpers

    def _clause(self, kind: str, square: int, others: Iterable[int]) -> str:
        return clause(kind, self.stage.name(square), [self.stage.name(other) for other in sorted(others)])

    def _beat(self, says: str, lines: list[tuple[str, tuple[tuple[int, int], ...]]], *marks: Mark) -> None:
        self.beats.append(says)
        beat = len(self.beats)
        labels = {"forced": _FORCED, "out": _OUT, "clash": "moves that cannot all be made"}
        self.lines += [Line(role, moves, labels[role], beat=beat) for role, moves in lines]
        self.marks += [replace(mark, beat=beat) for mark in marks]

    def drawing(self, near: Near) -> SceneDraft:
        """Return the drawing of all links."""
        says = f"{join_clauses(self.beats)}." if self.is_contradiction else self.stage.step_sentence(near, "forced")
        return SceneDraft("Forced moves", says, self.marks, self.lines, [f"{beat}." for beat in self.beats])


def _path(taken: Near, first: int) -> list[int]:
    """Return the squares along a path or loop of required moves, from `first`."""
    path, seen = [first], {first}
    while True:
        onward = sorted(taken[path[-1]] - seen)
        if not onward:
            return path
        path.append(onward[0])
        seen.add(onward[0])
