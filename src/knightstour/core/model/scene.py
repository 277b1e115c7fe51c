"""Scenes: the steps of a proof on its board, as data for every kind of picture.

A scene has squares marked by role, moves drawn by role, and a sentence. lab/certificates/scenes.py creates the scenes
of a proof; drawing/ and the page draw them. Squares are numbers row * cols + col. An open tour becomes a closed one by
one or two more squares outside the board (docs/certificate-format.md), whose numbers continue from rows * cols.

If a step is a chain of many links, its scene has beats: a mark or line of beat k appears from the k-th link on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from knightstour.core.model.board import Board
from knightstour.core.model.exports import record_of


@dataclass(frozen=True, slots=True)
class Mark:
    """Squares of one role.

    Attributes:
        role: A key of SHAPES (core/drawing/svg/scene.py).
        label: Text in a legend.
        text: Text on each of the squares, or empty.
        group: Index of a piece or colour, from 0.
        beat: First beat in which they appear.
    """

    role: str
    squares: tuple[int, ...]
    label: str
    text: str = ""
    group: int = 0
    beat: int = 0


@dataclass(frozen=True, slots=True)
class Line:
    """Moves of one role: pairs of squares.

    role: a key of STROKES there. label, group, beat: as for a Mark; a forced move has the number of its beat.
    """

    role: str
    moves: tuple[tuple[int, int], ...]
    label: str
    group: int = 0
    beat: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """Step of a proof on its board.

    Attributes:
        rule: Name of the step in certificates.
        title: Two or three words.
        sentence: Conclusion and reason.
        outside: Number of squares besides the board's.
        beats: A sentence for each beat, from beat 1.
    """

    board: Board
    rule: str
    title: str
    sentence: str
    marks: tuple[Mark, ...] = ()
    lines: tuple[Line, ...] = ()
    beats: tuple[str, ...] = ()
    outside: int = 0

    def until(self, beat: int) -> Scene:
        """The scene as it is at a beat, with the sentence of that beat; beat 0 is before the first."""
        return replace(
            self,
            sentence=self.beats[beat - 1] if beat else self.sentence,
            marks=tuple(mark for mark in self.marks if mark.beat <= beat),
            lines=tuple(line for line in self.lines if line.beat <= beat),
            beats=(),
        )

    @property
    def frames(self) -> tuple[Scene, ...]:
        """Return the scene beat by beat; only itself without beats."""
        return tuple(self.until(beat) for beat in range(len(self.beats) + 1)) if self.beats else (self,)

    @property
    def squares(self) -> int:
        """The number of the board's squares and holes; squares outside it have numbers from here on."""
        return self.board.rows * self.board.cols

    def name(self, number: int) -> str:
        """The name of a square by its number, also of one outside the board.

        >>> scene = Scene(Board(3, 4), "removal", "Pieces", "..", outside=1)
        >>> scene.name(0), scene.name(12)
        ('a3', 'the outside')
        """
        if number < self.squares:
            return self.board.square_name(divmod(number, self.board.cols))
        return "the outside" if self.outside == 1 else f"outside {number - self.squares + 1}"

    def to_dict(self) -> dict[str, object]:
        """Return the fields as a JSON-serialisable dict, without the board."""
        return record_of(self, without=("board",))
