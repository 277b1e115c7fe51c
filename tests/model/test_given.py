"""Tests of invalid arguments of public functions: each raises an error of the package."""

import inspect
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.drawing.text import text_of
from knightstour.core.model import validation
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import BoardError, InvalidTour, KnightsTourError, ProblemError, in_one_line

TOUR = kt.Tour.from_array([[1, 4, 7, 10], [12, 9, 2, 5], [3, 6, 11, 8]])
# Of every kind there is, and hardly any of it fits anywhere.
BAD: list[Any] = [
    *(None, 5, -1, 0, 10**30, 1.5, float("nan"), float("inf"), True, np.True_, np.int64(2)),
    *(10**400, 10**4400, -(10**4400), "9" * 5000, "a" + "9" * 5000),
    *("x", "", "yes", "a1", b"x", "\0"),
    *([], {}, (1,), [None], (None, None), ("a1", "b2"), {1}, [[1, 2], [3]]),
    *(np.array([1.5]), np.array(3), np.array([[1, 2], [3, 4]]), object(), ..., print, TOUR, kt.Board(3, 4)),
]
BOARD = kt.Board(8, 8)
SPACE = kt.TourSpace((3, 4))
IMPLICIT = kt.constructions.implicit_tour((8, 8))


def is_index(value: object) -> bool:
    """Whether it is an integer; an index out of range raises IndexError, as for lists."""
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


PUBLIC = {
    "Board rows": lambda bad: kt.Board(bad, 4),
    "Board holes": lambda bad: kt.Board(4, 4, holes=bad),
    "Board wrap": lambda bad: kt.Board(4, 4, wrap=bad),
    "Board leaper": lambda bad: kt.Board(4, 4, leaper=bad),
    "Board": kt.Board,
    "Board.from_text": kt.Board.from_text,
    "Board.from_file": kt.Board.from_file,
    "Board.from_graph": kt.Board.from_graph,
    "Board.square": BOARD.square,
    "Board.square of a graph": kt.Board.from_graph([[1], [0]]).square,
    "Board.name": BOARD.square_name,
    "in Board": BOARD.__contains__,
    "Tour board": lambda bad: kt.Tour(bad, TOUR.squares),
    "Tour squares": lambda bad: kt.Tour((3, 4), bad),
    "Tour.from_array order": lambda bad: kt.Tour.from_array(bad, (3, 4)),
    "Tour.from_array": kt.Tour.from_array,
    "Tour.from_array board": lambda bad: kt.Tour.from_array(TOUR.numbers, board=bad),
    "Tour.rotated": TOUR.rotated,
    "Tour.reflected": TOUR.reflected,
    "Tour.shifted": lambda bad: kt.find_tour((5, 6), closed=True).shifted(bad),
    "Problem.of closed": lambda bad: kt.Problem.of((6, 6), closed=bad),
    "Problem.of start": lambda bad: kt.Problem.of((6, 6), start=bad),
    "row of a square": lambda bad: kt.Problem.of((6, 6), start=(bad, 0)),
    "given step": lambda bad: kt.Problem.of((6, 6), given={"a1": bad}),
    "row of a move": lambda bad: kt.Problem.of((6, 6), require=[((0, 0), (bad, 2))]),
    "workers": lambda bad: kt.count((3, 4), workers=bad),
    "workers of a count": lambda bad: kt.count((3, 4), workers="x" if bad is None else bad),
    "clues": lambda bad: kt.make_puzzle((3, 4), clues=bad, seed=1),
    "place in a sequence": kt.sequences.SEQUENCES["A001230"].board,
    "text of a puzzle": kt.Puzzle.from_text,
    "Limits seconds": lambda bad: Limits(bad),
    "Limits nodes": lambda bad: Limits(nodes=bad),
    "Trace limit": kt.Trace,
    "text of a tour": lambda bad: TOUR.to_text(bad),
    "parse_tours": kt.parse_tours,
    "parse_tours board": lambda bad: kt.parse_tours("1", board=bad),
    "read_tours": kt.read_tours,
    "Board.from_file format": lambda bad: kt.Board.from_file(io.StringIO("DQc"), 5 if bad is None else bad),
    "read_boards": lambda bad: list(kt.read_boards(bad)),
    "read_dataset": kt.datasets.read_dataset,
    "check_dataset": kt.datasets.check_dataset,
    "write_tours": lambda bad: kt.write_tours(io.StringIO(), bad),
    "write_tours format": lambda bad: kt.write_tours(io.StringIO(), TOUR, bad),
    "Board.save format": lambda bad: kt.Board(3, 4).save(io.StringIO(), 5 if bad is None else bad),
    "Board.save extra_vertex": lambda bad: kt.Board(3, 4).save(io.StringIO(), extra_vertex=bad),
    "draw": kt.draw,
    "draw format": lambda bad: kt.draw(TOUR, bad),
    "ImplicitTour.square_at": lambda bad: IMPLICIT.square_at(3 if is_index(bad) else bad),
    "ImplicitTour.index_of": IMPLICIT.index_of,
    "ImplicitTour.numbers": IMPLICIT.numbers,
    "stream_tour": lambda bad: kt.constructions.stream_tour(bad, "nowhere/tour.npy"),
    "TourSpace.rank": SPACE.rank,
    "TourSpace.ranks": SPACE.ranks,
    "TourSpace.unrank": SPACE.unrank,
    "TourSpace.orders": SPACE.orders,
    "TourSpace.random_numbers": SPACE.random_numbers,
    "TourSpace.sample rng": lambda bad: SPACE.sample(1, seed=bad),
    "TourSpace.open": kt.TourSpace.open,
    "in TourSpace": SPACE.__contains__,
}
# Functions with a question, and each of their arguments by name.
NAMED = {
    kt.solve: "board closed start end method settings seed timeout max_nodes on_progress trace minimize optimal",
    kt.iter_tours: "board closed start end directed move_order timeout max_nodes",
    kt.count: "board closed start end directed symmetry up_to_symmetry",
    kt.estimate: "board closed start end directed seed on_progress",
    kt.TourSpace: "board closed start end timeout max_nodes memory workers on_progress",
    kt.sample: "board n closed start end distribution unique seed workers offset settings",
    kt.iter_samples: "board n chunk closed distribution unique seed workers offset",
    kt.constructions.implicit_tour: "board closed start end",
    kt.facts: "board",
    kt.compare: "board closed start end methods seeds timeout max_nodes on_progress",
    kt.improve: "tour minimize closed keep_ends goal seed timeout max_nodes on_progress",
    kt.draw: "subject style theme colors numbers labels coordinates arrows highlight size paper title per_row fps",
    text_of: "subject style width height window ascii color paths",
}
USUAL: dict[str, Any] = {
    "board": (3, 4),
    "n": 2,
    "samples": 40,
    "timeout": 0.2,
    "max_nodes": 500,
    "methods": ["explicit"],
    "seeds": 1,
    "workers": 1,
    "tour": TOUR,
    "subject": TOUR,
    "subjects": [TOUR],
    "size": 20,
}
CASES = [(ask, name) for ask, names in NAMED.items() for name in names.split()]


def check_words(error: Exception) -> None:
    """Check that the message is one sentence."""
    text = in_one_line(error) if isinstance(error, OSError) else str(error)
    assert text and len(text) < 600 and "Exceeds" not in text


@pytest.mark.parametrize("name", PUBLIC)
def test_bad_input_is_one_of_our_errors(name):
    refused = 0
    for bad in BAD:
        try:
            PUBLIC[name](bad)
        except (KnightsTourError, TypeError, OSError) as error:
            refused += 1
            check_words(error)
            assert "object at 0x" not in "".join(getattr(error, "__notes__", []))
        except Exception as error:
            pytest.fail(f"{name} of {bad!r}: {type(error).__name__}: {error}")
    assert refused > 3 or name.startswith("in ")


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        pytest.param(*case, marks=[pytest.mark.long] * (case == (kt.compare, "methods") or case[0] is kt.estimate))
        for case in CASES
    ],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_bad_arguments_are_one_of_our_errors(ask, name):
    known = inspect.signature(ask).parameters
    usual = {key: value for key, value in USUAL.items() if key in known or (key == "size" and "options" in known)}
    refused = 0
    for bad in BAD:
        # Much work, and meant.
        is_much = is_index(bad) and bad > 100 and name in ("n", "seeds")
        if is_much or (bad is None and name in ("timeout", "max_nodes")):
            continue
        try:
            made = ask(**{**usual, name: bad})
            if isinstance(made, Iterator):
                next(made, None)
        except KnightsTourError as error:
            refused += 1
            check_words(error)
        except Exception as error:
            pytest.fail(f"{ask.__name__}({name}={bad!r}): {type(error).__name__}: {error}")
    assert refused > 3


@pytest.mark.parametrize("name", kt.METHODS)
def test_bad_options_of_a_method_are_one_of_our_errors(name):
    for option in kt.METHODS[name].options:
        refused = 0
        for bad in BAD:
            try:
                kt.solve((3, 3), method=name, settings={option: bad})
            except KnightsTourError as error:
                refused += 1
                assert str(error)
        assert refused > 3


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: SPACE.rank(None), InvalidTour, "must be a list, not None"),
        (lambda: kt.improve(None), ProblemError, "not a Tour: None"),
        (lambda: kt.measure(None), ProblemError, "tours must be a list, not None"),
        (lambda: kt.measure(["5x5"]), ProblemError, "not a Tour: '5x5'"),
        (lambda: kt.measure(SPACE.unrank(1), by=3), ProblemError, "by must be a list, not 3"),
        (lambda: kt.compare("5x5", settings=["a"]), ProblemError, r"not a Mapping: \['a'\]"),
        (lambda: kt.examples.catalogue([]), ProblemError, r"unknown catalogue \[\]"),
        (lambda: kt.CellBoard(3), BoardError, "cells must be a list, not 3"),
        (lambda: kt.estimate((6, 6), seed=-1), ProblemError, "seed must be at least 0, not -1"),
    ],
)
def test_a_value_of_another_type_is_named(ask, error, words):
    with pytest.raises(error, match=words):
        ask()


def test_flags_of_numpy_are_flags():
    assert kt.Problem.of((5, 6), closed=np.True_).closed is True


def test_a_square_off_the_board_has_no_name():
    for square in [(8, 0), (0, 8), (-1, 0), (0, -5)]:
        with pytest.raises(BoardError, match="not on the board"):
            BOARD.square_name(square)
    assert kt.Board(8, 8, holes=["a1"]).square_name((7, 0)) == "a1"


def test_path_is_not_a_file_descriptor():
    with pytest.raises(TypeError, match="not 1"):
        validation.path(1)
    assert validation.path(Path("a")) == validation.path("a") == "a"


def test_reported_text_is_short():
    assert len(validation.quoted(list(range(10_000)))) == 60
    assert "many digits" in validation.quoted(10**10_000)
    with pytest.raises(InvalidTour) as wrong:
        kt.Tour((8, 8), 10**10_000)
    assert len(str(wrong.value)) < 120


@pytest.mark.parametrize("size, word", [("8x8", "an"), ("11x5", "an"), ("18x5", "an"), ("80x5", "an"), ("7x8", "a")])
def test_board_title_has_the_right_article(size, word):
    board = kt.Board(size)
    torus = kt.Board(board.rows, board.cols, wrap="torus")
    tour = kt.Tour(torus, kt.find_tour(board).squares)
    said = f"this is {word} {size} torus"
    for ask in (
        lambda: tour.turns,
        lambda: kt.improve(tour, minimize="turns"),
        lambda: kt.constructions.implicit_tour(torus),
    ):
        with pytest.raises(KnightsTourError, match=said):
            ask()
    assert f"of {word} {size} torus" in tour._repr_svg_()


@pytest.mark.parametrize("number, word", [(110, "a"), (1100, "a"), (11_000, "an"), (18_000_000, "an"), (811, "an")])
def test_articles_of_large_numbers(number, word):
    assert validation.an(number) == f"{word} {number}"
