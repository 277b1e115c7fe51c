"""Answers about puzzles: made, checked, and the next step of one. The workers run these functions; see answers.py."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits, as_arguments
from knightstour.core.model.conditions import steps_given
from knightstour.core.model.errors import ProblemError
from knightstour.core.statistics import where
from knightstour.interfaces.web.answers import to_bytes
from knightstour.interfaces.web.fields import Json, values_from_json

if TYPE_CHECKING:
    from knightstour.lab.puzzles.puzzle import Puzzle


class PuzzleRequest(NamedTuple):
    """Which puzzle is made: arguments of make_puzzle."""

    closed: bool
    level: str | None
    clues: int | None
    pattern: str | None
    keep: list[Json] | None
    kind: str | None
    text: str | None
    given: Json
    where: Json


# The fields of a puzzle that a link names, or a day.
_LINKED = ("closed", "level", "pattern")


def make(board: Board, wanted: PuzzleRequest, seed: int | None, of_link: bool, hints: bool, limits: Limits) -> bytes:
    """Return the record of `puzzle --json`, optionally with hints: [name of the square, number, reason].

    of_link: whether the puzzle belongs to a link of the page or a day, so that only the seed determines it.
    """
    from knightstour.lab.puzzles.files import puzzle_to_dict
    from knightstour.lab.puzzles.make import clues_of, make_puzzle, seeded_puzzle

    with values_from_json():
        steps_given(board, wanted.given)
        where.read(board, wanted.where, "where")
    arguments = {**wanted._asdict(), "level": wanted.level or "auto", "keep": wanted.keep or []}
    arguments["kind"] = wanted.kind or "numbers"
    if of_link:
        is_zip = wanted.kind == "zip"
        known = (*_LINKED, *(("kind", "clues") if is_zip else ()))
        others = [name for name, value in wanted._asdict().items() if value and name not in known]
        if others or seed is None:
            why = f"{others[0]} is not supported" if others else "seed is required"
            raise ProblemError(f"{why} for the puzzle of a link", help="omit of_link")
        linked = {name: getattr(wanted, name) for name in _LINKED}
        in_order = clues_of("zip", wanted.clues)["in_order"] if is_zip else None
        made = seeded_puzzle(board, **linked, in_order=in_order, seed=seed, limits=limits)
    else:
        made = make_puzzle(board, **arguments, seed=seed, **as_arguments(limits))
    steps = [[board.square_name(hint.square), hint.number, hint.reason] for hint in made.hints()] if hints else []
    return to_bytes({**puzzle_to_dict(made), **({"hints": steps} if hints else {})})


def check(puzzle: Json, n: int, limits: Limits) -> bytes:
    """Return the record of `puzzle check --json`: the number of solutions and the level of the puzzle."""
    parsed = puzzle_of(puzzle)
    answer = parsed.solve(n=n, **as_arguments(limits))
    return to_bytes(answer.to_dict(parsed.rate() if answer.is_unique and parsed.kind != "zip" else None))


def hint(puzzle: Json, state: dict[str, Json]) -> bytes:
    """Return the easiest next step, or the first mistake. The hint is null if the puzzle is complete."""
    from knightstour.lab.puzzles.puzzle import check_partial_solution

    asked = puzzle_of(puzzle)
    with values_from_json():
        filled = check_partial_solution(asked.board, dict(state.items()))
    found = asked.hint(dict(filled.items()))
    return to_bytes({"hint": None if found is None else found.to_dict()})


def puzzle_of(value: Json) -> Puzzle:
    """Return the puzzle of a request: a text of rows, or an object.

    >>> puzzle_of("1 . 7 .\\n. . . .\\n3 . . 12").given
    {(0, 0): 1, (0, 2): 7, (2, 0): 3, (2, 3): 12}
    """
    from knightstour.lab.puzzles.files import puzzle_from_dict
    from knightstour.lab.puzzles.puzzle import Puzzle

    if isinstance(value, str):
        return Puzzle.from_text(value)
    if not isinstance(value, dict):
        raise ProblemError("puzzle must be a text or an object", help='such as {"board": "5x5", "given": {"a1": 1}}')
    return puzzle_from_dict(value)
