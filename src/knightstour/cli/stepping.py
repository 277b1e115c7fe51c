"""`knightstour solve BOARD --at STEP`: where the constructed tour is at a step, or when it visits a square."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from knightstour.cli import console, parsing
from knightstour.cli.options import refuse
from knightstour.cli.solve_words import SolveWords
from knightstour.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.model.errors import ProblemError


def say_places(asked: SolveWords, words: Iterable[str]) -> int:
    """Print a step, from 1, and its square for each word, which is the one or the other.

    A billion by a billion squares are fine. The tour is the one that `solve BOARD --seed 0` prints.
    """
    ask = asked.ask
    others: dict[str, object] = {"--output": asked.target.output, "--format": asked.target.format_name}
    others |= {
        "--objective": ask.objective,
        "--proof": ask.proof,
        "--watch": asked.watch.is_watched,
        "--seed": asked.seed,
    }
    others |= {"--method": None if ask.method in ("auto", "explicit") else ask.method, "-n": asked.many.n != 1}
    refuse(others, "--at asks about the constructed tour")
    tour = implicit_tour(asked.problem)
    for word in words:
        step, square = _found(word, tour)
        name = asked.problem.board.name(square)
        if asked.as_json:
            click.echo(json.dumps({**asked.problem.to_dict(), "step": step, "square": list(square), "name": name}))
        else:
            click.echo(f"{step} {name}")
    return console.FOUND


def _found(word: str, tour: ImplicitTour) -> tuple[int, tuple[int, int]]:
    """The step, from 1, and the square that a word names: either the one or the other."""
    plain = word.replace("_", "")
    if not plain.isdecimal():
        square = parsing.square_of(word, tour.board)
        return tour.index_of(square) + 1, square
    step = int(plain)
    if not 1 <= step <= tour.length:
        raise ProblemError(f"there is no step {word}", note=f"the tour has steps 1 to {tour.length:,}")
    return step, tour.square_at(step - 1)
