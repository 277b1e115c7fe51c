"""`knightstour where`: where the constructed tour of a board is at a step, and at which step it visits a square."""

from __future__ import annotations

import json

import click

from knightstour.cli import console, parsing
from knightstour.cli.help import Command
from knightstour.cli.options import json_option, plain_question
from knightstour.cli.wording import any_digits
from knightstour.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.model.errors import ProblemError
from knightstour.model.problem import Problem


@click.command("where", cls=Command)
@plain_question
@click.argument("steps", nargs=-1, required=True, metavar="STEP...")
@json_option(" a STEP: the step and the square")
@any_digits()
def command(problem: Problem, steps: tuple[str, ...], as_json: bool) -> int:
    """Say on which square the constructed tour of BOARD is at a STEP, or at which step it visits a square.

    A STEP is a number, from 1, or a square such as a1. BOARD is a rectangle of any size: a billion by a billion takes
    no longer than 8x8. The tour is the one that `solve BOARD --seed 0` prints.
    """
    tour = implicit_tour(problem)
    for word in steps:
        step, square = _found(word, tour)
        name = problem.board.name(square)
        if as_json:
            click.echo(json.dumps({**problem.to_dict(), "step": step, "square": list(square), "name": name}))
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
