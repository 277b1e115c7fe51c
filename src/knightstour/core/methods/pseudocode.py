"""PSEUDOCODE: each method in a few lines, for watched searches.

A line is highlighted at its moments, rows of SENTENCES in core/model/sentences.py. Two blanks at its beginning are one
level.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from knightstour.core.model.exports import record_of


class Line(NamedTuple):
    """A line of pseudocode, and the moments at which it is highlighted."""

    text: str
    moments: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, object]:
        """Return the line as a JSON-serialisable dict."""
        return record_of(self)


PSEUDOCODE: Final[dict[str, tuple[Line, ...]]] = {
    "auto": (
        Line("if a theorem or an argument proves that there is no tour: return it", ("stage",)),
        Line("if the board is a rectangle that can be constructed: construct the tour", ("tour",)),
        Line("if the board is small: try everything, with prunings"),
        Line("else run several searches in turn, each longer than before"),
    ),
    "explicit": (
        Line("cut the rectangle into tiles with a known tour, and one small window", ("stage",)),
        Line("search the tour of the window"),
        Line("join neighbouring tiles by exchanging two moves at each border"),
        Line("follow the moves: that is the tour", ("tour",)),
    ),
    "backtracking": (
        Line("put the knight on the start", ("stage", "put")),
        Line("repeat:"),
        Line("  if there is a free square to go to: go to the first in the order", ("only", "tried", "on", "last")),
        Line("    if a pruning shows that no tour continues from there: undo it", ("refused",)),
        Line("  else: undo moves until a square has an untried move", ("back", "emptied")),
        Line("    and make that move", ("instead",)),
        Line("  if all squares are visited: that is the tour", ("tour", "path")),
        Line("if all moves were tried: there is no tour"),
    ),
    "warnsdorff": (
        Line("put the knight on the start", ("stage", "put")),
        Line("repeat:"),
        Line("  for each free square that can be reached: count the moves to free squares from there"),
        Line("  go to the square with the fewest", ("fewest", "only", "last", "on", "stray")),
        Line("    if several have the fewest: choose one, and remember this critical point", ("tie",)),
        Line("  if no square is left: go back to the latest critical point", ("critical", "back", "emptied")),
        Line("    and choose another of its tied squares", ("instead",)),
        Line("  after too many dead ends: begin again", ("restart",)),
        Line("if all squares are visited: that is the tour", ("tour",)),
    ),
    "merge": (
        Line("cover the board with small loops", ("stage", "cover")),
        Line("while there are several loops:"),
        Line("  find two moves of different loops whose squares are joined by two other moves"),
        Line("  exchange them: two loops become one", ("join",)),
        Line("  if no such moves exist: exchange moves at random", ("repair",)),
        Line("  if that does not help for long: begin again with another cover", ("restart",)),
        Line("the loop that is left is the tour", ("tour",)),
    ),
    "rotation": (
        Line("put the knight on the start", ("stage", "put")),
        Line("repeat:"),
        Line("  go to the free square with the fewest onward moves", ("fewest", "only", "tie", "stray", "last", "on")),
        Line("  if no square is left: choose a visited square that the end can reach, and move the knight there"),
        Line(
            "    delete the move from that square to the next one, and reverse the part of the path after it",
            ("turned",),
        ),
        Line("  if that does not help for long: begin again", ("restart",)),
        Line("if all squares are visited and the ends are as required: return the tour", ("tour",)),
    ),
    "exact": (
        Line("begin with one state, in which nothing is chosen", ("stage",)),
        Line("for each square of the board, column by column:"),
        Line("  for each state: give the square its moves in all ways that are possible"),
        Line("  keep one of all states that look the same on the frontier"),
        Line("if a state is left at the end: go back through the states to a tour", ("tour",)),
        Line("else: there is no tour"),
    ),
    "sat": (
        Line("write down as clauses: each square has exactly two of its moves", ("stage",)),
        Line("repeat:"),
        Line("  the SAT solver chooses moves that satisfy all clauses"),
        Line("  if it proves that it cannot: there is no tour"),
        Line("  if the moves are a single loop: that is the tour", ("single", "tour")),
        Line("  for each loop but the longest, a new clause: some move leads out of it", ("round",)),
    ),
    "clues": (
        Line("for each square, list the steps at which it may be visited", ("stage",)),
        Line("repeat:"),
        Line("  strike out the steps that its neighbours and the given numbers rule out"),
        Line("  if a square has none left: go back to the last guess, and strike that out"),
        Line("  else guess where the fewest are left"),
        Line("if each square has one step: that is the tour", ("tour",)),
    ),
    "portfolio": (
        Line("run several methods side by side, each in a process of its own", ("stage",)),
        Line("the first answer is the answer", ("tour",)),
        Line("stop the others"),
    ),
}
