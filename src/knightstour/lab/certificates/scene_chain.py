"""A chain of forced moves as a drawing: a beat for each link, in the order of the chain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from knightstour.core.model.scene import Line, Mark
from knightstour.lab.certificates import record
from knightstour.lab.certificates.check_arguments import Chain
from knightstour.lab.certificates.loop_graph import Near
from knightstour.lab.certificates.scene_words import SceneDraft, Stage, number_of

_FORCED, _OUT = "forced moves, in their order", "moves that no tour makes"


def forced(stage: Stage, near: Near, links: Sequence[object]) -> SceneDraft:
    """The drawing of a chain on the graph before it, which the checker has taken."""
    chain = _Chain(stage, near)
    for link in links:
        assert isinstance(link, list)
        if chain.follow(str(link[0]), record.numbers(link[1:], "a link")):
            break
    return chain.drawing()


class _Chain:
    """The links one after the other, followed by the checker's own Chain."""

    def __init__(self, stage: Stage, near: Near) -> None:
        self.stage = stage
        self.chain = Chain({square: set(others) for square, others in near.items()})
        self.marks: list[Mark] = []
        self.lines: list[Line] = []
        self.beats: list[str] = []
        self.is_contradiction = False

    def follow(self, name: str, squares: list[int]) -> bool:
        """Take a link, and draw what follows from it; whether it is the contradiction."""
        chain, square = self.chain, squares[0]
        left = sorted(chain.near[square])
        fresh = [(square, other) for other in left if other not in chain.taken[square]]
        taken = {vertex: set(others) for vertex, others in chain.taken.items()} if name in ("take", "early") else {}
        self.is_contradiction = chain.links[name](*squares)
        if name == "take":
            for one, other in fresh:
                taken[one].add(other)
                taken[other].add(one)
            self._take(square, left, fresh, taken)
        elif name == "full":
            self._full(square, fresh)
        elif name == "early":
            self._early(squares[0], squares[1], _path(taken, squares[0]))
        else:
            self._short(square, left)
        return self.is_contradiction

    # ------------------------------------------------------------ the links

    def _take(self, square: int, left: list[int], fresh: list[tuple[int, int]], taken: Near) -> None:
        """taken: the moves taken at each square, these among them."""
        names = " and ".join(self.stage.name(self.stage.beyond(square, other)) for other in left)
        says = f"{self._name(square)} has only two moves left, to {names}: a tour makes both"
        if square in self.stage.middles:
            says = f"{self._name(square)} is required"
        if not self.is_contradiction:
            if fresh:
                self._beat(says, [("forced", tuple(fresh))])
            return
        crowded = [other for _, other in fresh if len(taken[other]) > 2]
        if crowded:
            says += f". But {self.stage.name(crowded[0])} has its two moves already, and cannot have a third"
            mark = Mark("clash", (crowded[0],), "a square with three moves", "3")
        else:
            loop = _path(taken, square)
            says += f". But that closes a loop of {self._length(loop)}, which is not all"
            mark = Mark("clash", tuple(sorted(loop)), "a loop that lacks squares")
        self._beat(says, [("clash", tuple(fresh))], mark)

    def _full(self, square: int, dropped: list[tuple[int, int]]) -> None:
        if dropped:
            lost = self.stage.names([self.stage.beyond(square, other) for _, other in dropped])
            word = "the other is" if len(dropped) == 1 else f"the other {len(dropped)} are"
            self._beat(f"{self._name(square)} has both its moves: {word} out, to {lost}", [("out", tuple(dropped))])

    def _early(self, one: int, other: int, path: list[int]) -> None:
        ends = " and ".join((self.stage.name(self.stage.beyond(other, one)), self.stage.name(other)))
        if other in self.stage.middles:
            ends = " and ".join((self.stage.name(one), self.stage.name(self.stage.beyond(one, other))))
        self._beat(
            f"A move between {ends} would close a loop of {self._length(path)} too early: it is out",
            [("out", ((one, other),))],
        )

    def _short(self, square: int, left: list[int]) -> None:
        has = f"one move left, to {self.stage.name(self.stage.beyond(square, left[0]))}," if left else "no move left"
        if square in self.stage.middles:
            says = f"{self._name(square)} is required, and cannot be made any more: there is no tour"
            clash = Mark("clash", self.stage.middles[square], "a required move that cannot be made")
            self._beat(says, [], clash)
            return
        self._beat(
            f"{self._name(square)} has {has} and needs two: there is no tour",
            [],
            Mark("starved", (square,), "a square with too few moves", str(len(left))),
        )

    # ------------------------------------------------------------ helpers

    def _beat(self, says: str, lines: list[tuple[str, tuple[tuple[int, int], ...]]], *marks: Mark) -> None:
        beat = len(self.beats) + 1
        self.beats.append(f"{says}.")
        labels = {"forced": _FORCED, "out": _OUT, "clash": "moves that cannot all be made"}
        self.lines += [Line(role, moves, labels[role], beat=beat) for role, moves in lines]
        self.marks += [replace(mark, beat=beat) for mark in marks]

    def _name(self, square: int) -> str:
        name = self.stage.name(square)
        return name[:1].upper() + name[1:] if self.stage.is_virtual(square) else name

    def _length(self, loop: Sequence[int]) -> str:
        """How many squares a loop has, without the middles of required moves."""
        return number_of(sum(square not in self.stage.middles for square in loop), "square")

    def drawing(self) -> SceneDraft:
        """All links together."""
        out = sum(len(line.moves) for line in self.lines if line.role == "out")
        made = sum(len(line.moves) for line in self.lines if line.role in ("forced", "clash"))
        if self.is_contradiction:
            says = (
                "A square with two moves left takes both, and one with both its moves loses the others. "
                f"At the end, in link {len(self.beats)}: {self.beats[-1]}"
            )
        else:
            says = (
                f"A square with two moves left takes both: {number_of(made, 'move')} that every tour makes, and so "
                f"{number_of(out, 'other')} that no tour makes."
            )
        return SceneDraft("Forced moves", says, self.marks, self.lines, self.beats)


def _path(taken: Near, first: int) -> list[int]:
    """The squares of the path or loop of moves taken, from one of its squares on."""
    path, seen = [first], {first}
    while True:
        onward = sorted(taken[path[-1]] - seen)
        if not onward:
            return path
        path.append(onward[0])
        seen.add(onward[0])
