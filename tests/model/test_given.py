"""Tests of invalid arguments of public functions: each raises an error of the package."""

import functools
import inspect
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.drawing.text import text_of
from knightstour.core.model import validation
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import BoardError, KnightsTourError, ProblemError, in_one_line

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


# Types of arguments. An array without dimensions is a number.
WHOLE = (int, np.integer, np.ndarray)
REAL = (*WHOLE, float, np.floating)
FLAG = (bool, np.bool_)
TEXT = (str,)
FUNCTION = (type(print), type(is_index))
LISTS = (list, tuple, dict, set, np.ndarray)
SQUARE = (str, *LISTS)
BOARD_LIKE = (kt.Board, str, *WHOLE, *LISTS)
PATH = (str, Path)


class Argument(NamedTuple):
    """A call with a value for an argument, and the types that the argument accepts."""

    ask: Callable[[Any], object]
    types: tuple[type, ...]


PUBLIC = {
    "Board rows": Argument(lambda bad: kt.Board(bad, 4), WHOLE),
    "Board holes": Argument(lambda bad: kt.Board(4, 4, holes=bad), (*LISTS, kt.Tour)),
    "Board wrap": Argument(lambda bad: kt.Board(4, 4, wrap=bad), TEXT),
    "Board moves": Argument(lambda bad: kt.Board(4, 4, moves=bad), (str, *LISTS)),
    "Board leaper": Argument(lambda bad: kt.Board(4, 4, leaper=bad), LISTS),
    "Board": Argument(kt.Board, BOARD_LIKE),
    "Board.from_text": Argument(kt.Board.from_text, (str, *LISTS)),
    "Board.from_file": Argument(kt.Board.from_file, PATH),
    "Board.from_graph": Argument(kt.Board.from_graph, (*LISTS, kt.Board, kt.Tour)),
    "Board.square": Argument(BOARD.square, SQUARE),
    # Any value may be a node.
    "Board.square of a graph": Argument(kt.Board.from_graph([[1], [0]]).square, (object, *LISTS)),
    "Board.name": Argument(BOARD.square_name, LISTS),
    "in Board": Argument(BOARD.__contains__, (object,)),
    "Tour board": Argument(lambda bad: kt.Tour(bad, TOUR.squares), BOARD_LIKE),
    "Tour squares": Argument(lambda bad: kt.Tour((3, 4), bad), (*LISTS, kt.Tour, kt.Board)),
    "Tour.from_array order": Argument(lambda bad: kt.Tour.from_array(bad, (3, 4)), LISTS),
    "Tour.from_array": Argument(kt.Tour.from_array, LISTS),
    "Tour.from_array board": Argument(lambda bad: kt.Tour.from_array(TOUR.numbers, board=bad), BOARD_LIKE),
    "Tour.rotated": Argument(TOUR.rotated, WHOLE),
    "Tour.reflected": Argument(TOUR.reflected, TEXT),
    "Tour.shifted": Argument(lambda bad: kt.find_tour((5, 6), closed=True).shifted(bad), WHOLE),
    "Problem.of closed": Argument(lambda bad: kt.Problem((6, 6), closed=bad), FLAG),
    "Problem.of start": Argument(lambda bad: kt.Problem((6, 6), start=bad), SQUARE),
    "row of a square": Argument(lambda bad: kt.Problem((6, 6), start=(bad, 0)), WHOLE),
    "given": Argument(lambda bad: kt.Problem((6, 6), given=bad), (dict, list, tuple)),
    "given step": Argument(lambda bad: kt.Problem((6, 6), given={"a1": bad}), (str, *WHOLE, *LISTS)),
    "require": Argument(lambda bad: kt.Problem((6, 6), require=bad), (str, *LISTS)),
    "row of a move": Argument(lambda bad: kt.Problem((6, 6), require=[((0, 0), (bad, 2))]), WHOLE),
    "symmetry": Argument(lambda bad: kt.Problem((6, 6), symmetry=bad), (str, *WHOLE)),
    "visit_order": Argument(lambda bad: kt.Problem((6, 6), visit_order=bad), (str, *LISTS)),
    "where": Argument(lambda bad: kt.Problem((6, 6), where=bad), (str, *LISTS)),
    "range": Argument(lambda bad: kt.Problem((6, 6), where={"turns": bad}), (str, *WHOLE, *LISTS)),
    "workers": Argument(lambda bad: kt.count((3, 4), workers=bad), WHOLE),
    "workers of a count": Argument(lambda bad: kt.count((3, 4), workers="x" if bad is None else bad), WHOLE),
    "memory": Argument(lambda bad: kt.count((3, 4), memory=bad), (str, *WHOLE)),
    "clues": Argument(lambda bad: kt.make_puzzle((3, 4), clues=bad, seed=1), WHOLE),
    "level": Argument(lambda bad: kt.make_puzzle((3, 4), level=bad, seed=1), TEXT),
    "kind": Argument(lambda bad: kt.make_puzzle((3, 4), kind=bad, seed=1), TEXT),
    "pattern": Argument(lambda bad: kt.make_puzzle((3, 4), pattern=bad, seed=1, timeout=0.2), TEXT),
    "keep": Argument(lambda bad: kt.make_puzzle((3, 4), keep=bad, seed=1), LISTS),
    "place in a sequence": Argument(kt.sequences.SEQUENCES["A001230"].board, WHOLE),
    "text of a puzzle": Argument(kt.Puzzle.from_text, TEXT),
    "Puzzle.solve n": Argument(lambda bad: kt.make_puzzle((3, 4), seed=1).solve(n=bad), WHOLE),
    "measure by": Argument(lambda bad: kt.measure(TOUR, by=bad), (str, *LISTS)),
    "census by": Argument(lambda bad: kt.census((3, 4), by=bad), TEXT),
    "minimize": Argument(lambda bad: kt.improve(TOUR, minimize=bad), TEXT),
    "plan closed": Argument(lambda bad: kt.plan((3, 4), closed=bad), FLAG),
    "Limits seconds": Argument(lambda bad: Limits(bad), REAL),
    "Limits nodes": Argument(lambda bad: Limits(nodes=bad), WHOLE),
    "Trace limit": Argument(kt.Trace, WHOLE),
    "text of a tour": Argument(lambda bad: TOUR.to_text(bad), TEXT),
    "parse_tours": Argument(kt.parse_tours, TEXT),
    "parse_tours board": Argument(lambda bad: kt.parse_tours("1", board=bad), BOARD_LIKE),
    "read_tours": Argument(kt.read_tours, PATH),
    "Board.from_file format": Argument(
        lambda bad: kt.Board.from_file(io.StringIO("DQc"), 5 if bad is None else bad), TEXT
    ),
    "read_boards": Argument(lambda bad: list(kt.read_boards(bad)), PATH),
    "read_dataset": Argument(kt.datasets.read_dataset, PATH),
    "check_dataset": Argument(kt.datasets.check_dataset, PATH),
    "write_tours": Argument(lambda bad: kt.write_tours(io.StringIO(), bad), (kt.Tour, *LISTS)),
    "write_tours format": Argument(lambda bad: kt.write_tours(io.StringIO(), TOUR, bad), TEXT),
    "Board.save format": Argument(lambda bad: kt.Board(3, 4).save(io.StringIO(), 5 if bad is None else bad), TEXT),
    "Board.save extra_vertex": Argument(lambda bad: kt.Board(3, 4).save(io.StringIO(), extra_vertex=bad), FLAG),
    "draw": Argument(kt.draw, (kt.Tour, *BOARD_LIKE)),
    "draw format": Argument(lambda bad: kt.draw(TOUR, bad), TEXT),
    "draw line_width": Argument(lambda bad: kt.draw(TOUR, line_width=bad), (str, *REAL)),
    "paths": Argument(lambda bad: text_of(kt.Board(3, 4), paths=bad), LISTS),
    "solve workers": Argument(lambda bad: kt.solve((3, 4), workers=bad), (*WHOLE, type(None))),
    "draw fps": Argument(lambda bad: kt.draw(kt.Tour((1, 1), ["a1"]), "gif", fps=bad), REAL),
    "draw font": Argument(lambda bad: kt.draw(TOUR, "pdf").save("nowhere/t.pdf", font=bad), (*TEXT, type(None))),
    "ImplicitTour.square_at": Argument(lambda bad: IMPLICIT.square_at(3 if is_index(bad) else bad), WHOLE),
    "ImplicitTour.index_of": Argument(IMPLICIT.index_of, SQUARE),
    "ImplicitTour.numbers": Argument(IMPLICIT.numbers, (slice,)),
    "stream_tour": Argument(lambda bad: kt.constructions.stream_tour(bad, "nowhere/tour.npy"), ()),
    "TourSpace.rank": Argument(SPACE.rank, (kt.Tour, kt.Board, *LISTS)),
    "TourSpace.ranks": Argument(SPACE.ranks, (kt.Tour, kt.Board, *LISTS)),
    "TourSpace.unrank": Argument(SPACE.unrank, WHOLE),
    "TourSpace.orders": Argument(SPACE.orders, LISTS),
    "TourSpace.random_numbers": Argument(SPACE.random_numbers, WHOLE),
    "TourSpace.sample rng": Argument(lambda bad: SPACE.sample(1, seed=bad), WHOLE),
    "TourSpace.open": Argument(kt.TourSpace.open, PATH),
    "in TourSpace": Argument(SPACE.__contains__, (object,)),
}
# Types of the arguments of functions with a problem, by name.
TYPES: dict[str, tuple[type, ...]] = {
    **dict.fromkeys(("board",), BOARD_LIKE),
    **dict.fromkeys(
        ["closed", "directed", "unique", "optimal", "keep_ends", "ascii", "color", "arrows", "coordinates"], FLAG
    ),
    **dict.fromkeys(("start", "end"), SQUARE),
    **dict.fromkeys(["method", "distribution", "minimize", "move_order", "style", "theme", "paper"], TEXT),
    **dict.fromkeys(
        ["seed", "max_nodes", "n", "chunk", "offset", "workers", "seeds", "goal", "width", "height", "per_row"], WHOLE
    ),
    **dict.fromkeys(("timeout", "size", "fps"), REAL),
    **dict.fromkeys(["window", "highlight", "methods", "paths"], LISTS),
    "up_to_symmetry": FLAG,
    "settings": (dict,),
    "colors": (dict,),
    "labels": (dict,),
    "numbers": (*FLAG, *WHOLE),
    "title": (str, *LISTS),
    "symmetry": (str, *WHOLE),
    "memory": (str, *WHOLE),
    "on_progress": FUNCTION,
    "trace": (kt.Trace,),
    "tour": (kt.Tour,),
    "subject": (kt.Tour, *BOARD_LIKE),
}
# Functions with a problem, and each of their arguments by name.
NAMED = {
    kt.solve: "board closed start end method settings seed timeout max_nodes on_progress trace minimize optimal",
    kt.find_tour: "board closed start end method seed timeout max_nodes",
    kt.iter_tours: "board closed start end directed move_order timeout max_nodes",
    kt.count: "board closed start end directed symmetry up_to_symmetry",
    kt.estimate: "board closed start end directed seed on_progress",
    kt.TourSpace: "board closed start end timeout max_nodes memory workers on_progress",
    kt.sample: "board n closed start end distribution unique seed workers offset settings",
    kt.iter_samples: "board n chunk closed distribution unique seed workers offset",
    kt.constructions.implicit_tour: "board closed start end",
    kt.facts: "board",
    kt.compare: "board closed start end methods seeds timeout max_nodes on_progress settings",
    kt.improve: "tour minimize closed keep_ends goal seed timeout max_nodes on_progress",
    kt.draw: "subject style theme colors numbers labels coordinates arrows highlight size paper title per_row",
    text_of: "subject style width height window ascii color",
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


def check_refusal(ask: Callable[[], object], value: object, types: tuple[type, ...], what: str) -> bool:
    """Check that a value of a wrong type raises TypeError, and another wrong value an error of ours, in one sentence.

    Lists may contain values of wrong types. Return whether the value was refused.
    """
    is_right = isinstance(value, FLAG) if isinstance(value, bool) and bool in types else isinstance(value, types)
    if isinstance(value, bool) and not set(types) & {bool, object}:
        is_right = False
    is_list = isinstance(value, (*LISTS, kt.Tour, kt.Board)) and set(types) & set(LISTS)
    try:
        made = ask()
        if isinstance(made, Iterator):
            next(made, None)
    except (KnightsTourError, OSError, TypeError) as error:
        text = in_one_line(error) if isinstance(error, OSError) else str(error)
        assert text and len(text) < 600 and "Exceeds" not in text
        assert "object at 0x" not in "".join(getattr(error, "__notes__", []))
        if not is_list:
            assert isinstance(error, TypeError) != is_right, f"{what} of {value!r}: {type(error).__name__}: {error}"
        return True
    except Exception as error:
        pytest.fail(f"{what} of {value!r}: {type(error).__name__}: {error}")
    return False


@pytest.mark.parametrize("name", PUBLIC)
def test_wrong_types_raise_type_error_and_wrong_values_ours(name):
    ask, types = PUBLIC[name]
    refused = [check_refusal(functools.partial(ask, bad), bad, types, name) for bad in BAD]
    assert sum(refused) > 3 or name.startswith("in ")


@pytest.mark.parametrize(
    ("ask", "name"),
    [
        pytest.param(*case, marks=[pytest.mark.long] * (case == (kt.compare, "methods") or case[0] is kt.estimate))
        for case in CASES
    ],
    ids=lambda part: getattr(part, "__name__", part),
)
def test_wrong_arguments_of_functions_are_refused(ask, name):
    known = inspect.signature(ask).parameters
    usual = {key: value for key, value in USUAL.items() if key in known and (key != "workers" or ask is not kt.solve)}
    refused = 0
    for bad in BAD:
        # Much work, and meant.
        is_much = is_index(bad) and bad > 100 and name in ("n", "seeds")
        if is_much or (bad is None and name in ("timeout", "max_nodes")):
            continue
        call = functools.partial(ask, **{**usual, name: bad})
        refused += check_refusal(call, bad, TYPES[name], f"{ask.__name__}({name}=)")
    assert refused > 3


@pytest.mark.parametrize("name", kt.METHODS)
def test_wrong_settings_of_a_method_are_refused(name):
    kinds = {int: WHOLE, float: REAL, str: TEXT}
    for option, row in kt.METHODS[name].options.items():
        refused = [
            check_refusal(
                functools.partial(kt.solve, (3, 3), method=name, settings={option: bad}), bad, kinds[row.kind], option
            )
            for bad in BAD
        ]
        assert sum(refused) > 3


@pytest.mark.parametrize(
    ("ask", "error", "words"),
    [
        (lambda: SPACE.rank(None), TypeError, "must be a list, not None"),
        (lambda: kt.improve(None), TypeError, "not a Tour: None"),
        (lambda: kt.measure(None), TypeError, "tours must be a list, not None"),
        (lambda: kt.measure(["5x5"]), TypeError, "not a Tour: '5x5'"),
        (lambda: kt.measure(SPACE.unrank(1), by=3), TypeError, "by must be a list, not 3"),
        (lambda: kt.compare("5x5", settings=["a"]), TypeError, r"not a Mapping: \['a'\]"),
        (lambda: kt.examples.catalogue([]), TypeError, "the catalogue must be a text"),
        (lambda: kt.CellBoard(3), TypeError, "cells must be a list, not 3"),
        (lambda: kt.estimate((6, 6), seed=-1), ProblemError, "seed must be at least 0, not -1"),
    ],
)
def test_a_value_of_another_type_is_named(ask, error, words):
    with pytest.raises(error, match=words):
        ask()


def test_flags_of_numpy_are_flags():
    assert kt.Problem((5, 6), closed=np.True_).closed is True


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
    with pytest.raises(TypeError) as wrong:
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
