"""Tests of magic tours: regular quartes, bounds of magic lines, and numbers of closed ones."""

import itertools
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import Run
from helpers.solving import several_tours
from knightstour.core.checking.reports import magic_kind
from knightstour.core.model.budget import NO_LIMITS, Budget
from knightstour.core.model.problem import Problem
from knightstour.core.statistics.magic import why_none
from knightstour.lab.objectives.quartes import QuarteTours
from model.test_tour import BEVERLEY as NUMBERS

MAGIC = {"magic-rows": 8, "magic-columns": 8}
BEVERLEY = kt.Tour.from_array(NUMBERS)


def is_of_quartes(tour: kt.Tour) -> bool:
    """Whether numbers 4k + 1 to 4k + 4 are in one block, in four rows and columns of it."""
    for quarte in tour.squares.reshape(-1, 4, 2):
        blocks = {(int(row) // 4, int(col) // 4) for row, col in quarte}
        if len(blocks) != 1 or len({*quarte[:, 0].tolist()}) != 4 or len({*quarte[:, 1].tolist()}) != 4:
            return False
    return True


@pytest.mark.parametrize(
    "question", [{}, {"closed": True}, {"start": "a1"}, {"end": "c1"}, {"closed": True, "start": "c2"}], ids=str
)
@pytest.mark.parametrize("method", ["auto", "quartes"])
def test_magic_tours_of_the_chess_board_are_found(question: dict[str, Any], method: str) -> None:
    result = kt.solve("8x8", **question, where=MAGIC, method=method, seed=3)
    tour = result.tour
    assert tour is not None and result.method == "quartes" and is_of_quartes(tour)
    assert (tour.numbers.sum(axis=0) == 260).all() and (tour.numbers.sum(axis=1) == 260).all()


@pytest.mark.long
@pytest.mark.parametrize(("board", "where"), [("12x12", {"magic-rows": 12}), ("8x12", {"magic-columns": 12})])
def test_semi_magic_tours_of_larger_boards(board: str, where: dict[str, int]) -> None:
    tour = kt.find_tour(board, where=where, seed=1)
    assert is_of_quartes(tour) and tour.magic == "semi"


def test_several_tours_are_distinct_and_meet_conditions() -> None:
    tours = several_tours(
        "8x8", where=MAGIC | {"turns": (50, 64)}, given={"c2": range(1, 30)}, n=4, unique=True, seed=1
    )
    assert len({tour.canonical(closed=False) for tour in tours}) == len(tours) == 4
    assert all(tour.magic == "magic" and tour.turns >= 50 and tour.numbers[6, 2] < 30 for tour in tours)


@pytest.mark.long
def test_the_family_has_105_classes() -> None:
    """The prototype of the search and restarts agree; 63 of the 140 classes are closed, 44 of these."""
    family = QuarteTours(Problem("8x8", where=MAGIC), Budget(NO_LIMITS), directed=False)
    tours = [kt.Tour.from_array(order, "8x8") for order in family]
    images = {min(image.numbers.tobytes() for image in each) for each in map(_images, tours)}
    assert (len(tours), len(images), sum(tour.is_closed for tour in tours)) == (840, 105, 8 * 44)
    assert min(image.numbers.tobytes() for image in _images(BEVERLEY)) in images
    with pytest.raises(kt.LimitReached, match="these 352 are all tours of regular quartes"):
        list(kt.iter_tours("8x8", closed=True, where=MAGIC))


def _images(tour: kt.Tour) -> list[kt.Tour]:
    """Return the tour and its reverse, rotated and mirrored."""
    numbers = [tour.numbers, 65 - tour.numbers]
    boards = [np.rot90(each, k) for each in (*numbers, *(each.T for each in numbers)) for k in range(4)]
    return [kt.Tour.from_array(board.tolist()) for board in boards]


@pytest.mark.long
def test_tour_missing_from_the_family_is_undecided() -> None:
    result = kt.solve("8x8", start="a1", end="b1", where=MAGIC, seed=1)
    assert result.status is kt.Status.UNDECIDED and "other tours were not searched" in result.reason
    with pytest.raises(kt.LimitReached, match="would have to be listed"):
        kt.count("8x8", start="a1", end="b1", where=MAGIC)
    with pytest.raises(kt.LimitReached, match="there are no tours of regular quartes"):
        kt.count("8x8", start="a1", end="b1", where=MAGIC, timeout=60)


@pytest.mark.parametrize("board", ["3x4", "4x5", "3x7", "5x5", "4x6"])
def test_no_bound_excludes_what_a_tour_has(board: str) -> None:
    names = ["magic-rows", "magic-columns", "line-spread", "visits", "chords"]
    names += ["magic-diagonals"] if board == "5x5" else []
    tours = list(kt.iter_tours(board))
    table = kt.measure(tours, names, closed=False)
    numbers = [{name: int(table[name][k]) for name in names} for k in range(len(tours))]
    for one, other in itertools.combinations(names, 2):
        for pair in {(each[one], each[other]) for each in numbers}:
            problem = Problem(board, where=dict(zip((one, other), pair, strict=True)))
            assert why_none(problem, problem.where) is None


@pytest.mark.parametrize(
    ("board", "where", "reason"),
    [
        ("6x6", {"magic-rows": 6, "magic-columns": 6}, "they are 9, and so their sum is odd"),
        ("6x10", {"line-spread": 0}, "they are 15"),
        ("5x5", {"magic-rows": 4}, "at most 3 of 5 have the magic sum 65"),
        ("7x9", {"magic-columns": 9}, "odd and even by turns"),
        ("5x6", {"magic-columns": 1}, "77.5"),
        ("8x8", {"magic-rows": 7}, "the last has it, too"),
        ("8x8", {"magic-rows": (9, 12)}, "only 8 rows"),
        ("8x8", {"magic-diagonals": 3}, "only 2 long diagonals"),
        ("10x10", {"magic-diagonals": 1}, "the magic sum is 505"),
        ("8x8", MAGIC | {"magic-diagonals": 2}, "none diagonally magic"),
        ("4x10", {"magic-rows": 4, "magic-columns": 10}, "no magic tour up to 4x16"),
        ("8x8", {"visits": 63}, "have visits=64"),
        ("8x8", {"chords": 0}, "have chords=105"),
    ],
)
def test_unattainable_statistic_is_impossible_with_its_reason(board: str, where: dict[str, Any], reason: str) -> None:
    result = kt.solve(board, where=where)
    assert result.status is kt.Status.IMPOSSIBLE and reason in result.reason
    assert kt.count(board, where=where) == 0


def test_a_computation_is_cited_as_one() -> None:
    source = kt.solve("8x8", where=MAGIC | {"magic-diagonals": 2}).source
    assert "2003" in source and "cited" in source


def test_numbers_of_closed_tours_count_from_each_square() -> None:
    """A numbering and its reverse are one tour, unless a start is given."""
    tours = [tour.order for tour in kt.iter_tours("5x6", closed=True)]
    numberings = [np.roll(order, k) for order in tours for k in range(30)]
    spread = kt.measure(np.array(numberings), "line-spread", "5x6", closed=True)["line-spread"]
    wanted = int((spread <= 60).sum())
    assert kt.count("5x6", closed=True, where={"line-spread": (0, 60)}) == wanted > 0
    both = [way for order in numberings for way in (order, order[::-1])]
    table = kt.measure(np.array(both), "line-spread", "5x6", closed=True)["line-spread"]
    from_c3 = sum(int(n) <= 60 and int(way[0]) == 14 for n, way in zip(table, both, strict=True))
    for question in ({"start": "c3"}, {"start": "c3", "directed": True}, {"given": {"c3": 1}}):
        assert kt.count("5x6", closed=True, where={"line-spread": (0, 60)}, **question) == from_c3 > 0
    assert kt.count("5x6", closed=True, where={"line-spread": (0, 60)}, directed=True) == 2 * wanted
    found = several_tours("5x6", closed=True, where={"line-spread": (0, 60)}, n=500, unique=True)
    assert len(found) == wanted


def test_kinds_of_semi_magic_tours_are_told_apart() -> None:
    kinds = set()
    for tour in [*kt.iter_tours("4x6", where={"magic-columns": 6}), *kt.iter_tours("4x7", where={"magic-columns": 7})]:
        values = sorted({sum(row) for row in tour.numbers.tolist()})
        middle = len(tour.order) * (len(tour.order) + 1) / 8
        is_near = len(values) == 3 and values[1] == middle
        wanted = "quasi-magic" if len(values) == 2 else "near-magic" if is_near else "semi-magic"
        assert tour.magic == "semi" and magic_kind(tour) == magic_kind(tour.rotated(90)) == wanted
        kinds.add(wanted)
    ring = kt.Tour.from_array([[1, 2, 3, 4], [8, 7, 6, 5]], board=kt.Board(2, 4, leaper=(0, 1)))
    kinds.add(magic_kind(ring))
    assert "semi-magic" in kinds and "quasi-magic" in kinds


def test_measure_prints_the_answer_in_words(tmp_path: Path, run: Run) -> None:
    tours = [kt.find_tour("8x8", where=MAGIC, seed=1), kt.find_tour("8x8", seed=1)]
    (tmp_path / "t.txt").write_text("\n".join(tour.to_text("grid") for tour in tours))
    code, out, _ = run("measure", str(tmp_path / "t.txt"), "--by", "magic,magic-rows", "--csv")
    assert code == 0 and out.splitlines() == ["number,magic-rows,magic", "1,8,magic", "2,0,no"]
    _, out, _ = run("measure", str(tmp_path / "t.txt"), "--by", "magic", "--json")
    assert [json.loads(line)["magic"] for line in out.splitlines()] == ["magic", "no"]
    _, out, _ = run("measure", str(tmp_path / "t.txt"))
    assert re.findall(r"^  magic +(\S+)$", out, re.M) == ["magic", "no"]
