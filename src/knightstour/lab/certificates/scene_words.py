"""Common parts of the scenes of a proof: the problem as its steps change it, and the contents of a scene."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from knightstour.core.model.board import Board
from knightstour.core.model.cycle_graph import LoopGraph
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.scene import Line, Mark, Scene
from knightstour.core.proofs.narrowing import Step, effect_of
from knightstour.core.proofs.narrowing_words import step_words
from knightstour.lab.certificates.loop_graph import Near
from knightstour.lab.certificates.question import Move

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(slots=True)
class ReducedProblem:
    """A problem and its loop graph, as the steps change it.

    outside: the virtual squares that join the ends of an open tour. middles: the virtual squares that divide required
    moves, each with its move.
    """

    board: Board
    is_closed: bool
    ends: tuple[int, ...]
    near: Near
    outside: list[int]
    middles: Mapping[int, Move] = field(default_factory=dict)

    def is_virtual(self, square: int) -> bool:
        return square >= self.board.rows * self.board.cols

    def on_board(self, squares: Iterable[int]) -> list[int]:
        """Return the squares of the board among these, in increasing order."""
        return sorted(square for square in squares if not self.is_virtual(square))

    def name(self, square: int) -> str:
        """Return the name of a square; the middle of a required move has the name of the move."""
        if square in self.middles:
            return f"the move {'-'.join(map(self.name, self.middles[square]))}"
        return Scene(self.board, "", "", "", outside=len(self.outside)).name(square)

    def beyond(self, square: int, other: int) -> int:
        """Return the target of a move from a square; for the middle of a required move, its other end."""
        if other not in self.middles or square not in self.middles[other]:
            return other
        a, b = self.middles[other]
        return b if square == a else a

    def question(self, near: Near) -> tuple[Problem, list[int]]:
        """Return the problem on a graph, and the numbers of its nodes, without the outside squares."""
        squares = sorted(near.keys() - set(self.outside))
        place = {square: k for k, square in enumerate(squares)}
        lists = tuple(tuple(sorted(place[u] for u in near[square] if u in place)) for square in squares)
        board = GraphBoard([self.name(square) for square in squares], lists)
        start, end, *_ = [*((0, place[square]) for square in self.ends), None, None]
        return Problem(board, closed=self.is_closed, start=start, end=end), squares

    def step_sentence(
        self, near: Near, rule: str, removed: Iterable[int] = (), weights: Mapping[int, int] | None = None
    ) -> str:
        """Return the sentence for a step on this graph, from core/proofs."""
        problem, squares = self.question(near)
        vertices = [*squares, *(square for square in self.outside if square in near)]
        place = {square: k for k, square in enumerate(vertices)}
        moves = [{place[u] for u in near[square]} for square in vertices]
        graph = LoopGraph(problem, moves, len(squares), list(range(len(vertices))))
        by_place = {place[square]: weight for square, weight in (weights or {}).items() if weight}
        step = Step(rule, frozenset(place[square] for square in removed), by_place)
        effect = effect_of(moves, step)
        assert effect is not None
        return sentence(step_words(graph, step, effect))

    def count_text(self, squares: Sequence[int] | set[int]) -> str:
        """Return the number of squares as text; outside squares and required moves are listed separately.

        >>> ReducedProblem(Board(3, 4), False, (), {}, [12]).count_text([3, 7, 12])
        '2 squares and the outside'
        """
        inside = len(self.on_board(squares))
        words = [number_of(inside, "square")] if inside else []
        beyond = sorted(set(squares) & set(self.outside))
        moves = len(set(squares) & self.middles.keys())
        words += [*map(self.name, beyond), *([number_of(moves, "required move")] if moves else [])]
        return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]])) if words else "no squares"


@dataclass(slots=True)
class SceneDraft:
    """Contents of a step: the parts of a Scene, except the board."""

    title: str
    sentence: str = ""
    marks: list[Mark] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    beats: list[str] = field(default_factory=list)


def sentence(words: str) -> str:
    """Add a capital letter and a full stop.

    >>> sentence("a1 has no move")
    'A1 has no move.'
    """
    return f"{words[:1].upper()}{words[1:]}."


def number_of(count: int, word: str) -> str:
    """Return a number with its noun.

    >>> number_of(1, "move"), number_of(12, "move")
    ('1 move', '12 moves')
    """
    return f"{count:,} {word}{'s' if count != 1 else ''}"


def letter_of(place: int, count: int) -> str:
    """Return the letter of one of `count` components, or its number from 1 if there are more than 26.

    >>> letter_of(2, 3), letter_of(2, 30)
    ('C', '3')
    """
    return _LETTERS[place] if count <= len(_LETTERS) else str(place + 1)
