"""`knightstour solve BOARD --at STEP`: where the constructed tour is at a step, or when it visits a square."""

from __future__ import annotations

import json
from collections.abc import Iterable

import click

from knightstour.core.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.core.model.errors import ProblemError
from knightstour.interfaces.cli import console, parsing
from knightstour.interfaces.cli.options import refuse
from knightstour.interfaces.cli.solve_words import SolveWords


def say_places(asked: SolveWords, words: Iterable[str]) -> int:
    """Print a step, from 1, and its square for each word, which is the one or the other.

    A billion by a billion squares are fine. The tour is the one that `solve BOARD --seed 0` prints.
    """
    _refuse_others(asked)
    tour = implicit_tour(asked.problem)
    for word in words:
        step, square = _found(word, tour)
        name = asked.problem.board.name(square)
        if asked.as_json:
            click.echo(json.dumps({**asked.problem.to_dict(), "step": step, "square": list(square), "name": name}))
        else:
            click.echo(f"{step} {name}")
    return console.FOUND


def _refuse_others(asked: SolveWords) -> None:
    """The error of an option that would change nothing, since nothing is searched or written."""
    method, tours, target = asked.method_words, asked.tour_words, asked.target
    typed = {
        "--method": None if method.method in ("auto", "explicit") else method.method,
        "--objective": method.objective,
        "--optimal": method.is_best,
        "--no-proofs": method.no_proofs,
        "--explain": method.is_explained,
        "--proof": method.proof,
        "--set": asked.options or None,
        "--watch": asked.watch.is_watched,
        "-n": tours.n != 1,
        "--unique": tours.unique,
        "--print": tours.shown != "all",
        "--seed": asked.seed,
        "--timeout": asked.limits.timeout,
        "--max-nodes": asked.limits.max_nodes,
        "--workers": asked.worker_words.workers,
        "--output": target.output,
        "--format": target.format_name,
        "--force": target.force,
        **asked.picture.by_flag(),
    }
    refuse(typed, "--at asks about the constructed tour")


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
