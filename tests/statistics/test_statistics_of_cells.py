"""Tests of statistics of flat boards of cells, against plane geometry."""

import cmath
import itertools
import math

import numpy as np
import pytest

import knightstour as kt
from knightstour.core.model.cells import box

EXACT = 1e-9


def points(tour: kt.Tour) -> list[complex]:
    """Return the centres of the cells in order; a closed tour repeats the first two."""
    cells = tour.board
    axis = cmath.exp(1j * math.pi / 3) if cells.lattice == "hexagon" else 1j
    found = [col + axis * row for row, col in tour.labels]
    return found + found[:2] if tour.is_closed else found


def cross(a: complex, b: complex) -> float:
    return (a.conjugate() * b).imag


def meet(a: complex, b: complex, c: complex, d: complex) -> bool:
    """Whether two lines share a point that is not an end of both."""
    sides = [cross(b - a, x - a) for x in (c, d)] + [cross(d - c, x - c) for x in (a, b)]
    if all(abs(side) < EXACT for side in sides):
        low, high = sorted(((x - a) / (b - a)).real for x in (c, d))
        return max(low, 0) < min(high, 1) - EXACT
    if min(abs(x - y) for x in (a, b) for y in (c, d)) < EXACT:
        return False
    return sides[0] * sides[1] <= EXACT and sides[2] * sides[3] <= EXACT


def measured(tour: kt.Tour) -> dict[str, int]:
    """Return all statistics of flat cells, by definition."""
    found = points(tour)
    steps = [b - a for a, b in itertools.pairwise(found)]
    pairs = list(itertools.pairwise(steps))
    angles = [abs(cmath.phase(-b / a)) for a, b in pairs]
    turns = [abs(b - a) > EXACT for a, b in pairs]
    lines = list(itertools.pairwise(found[:-1] if tour.is_closed else found))
    crossed = [(i, k) for i, k in itertools.combinations(range(len(lines)), 2) if meet(*lines[i], *lines[k])]
    return {
        "turns": sum(turns),
        "straight": len(turns) - sum(turns),
        "acute": sum(angle < math.pi / 2 - EXACT for angle in angles),
        "obtuse": sum(math.pi / 2 + EXACT < angle < math.pi - EXACT for angle in angles),
        "crossings": len(crossed),
        "uncrossed": len(lines) - len({k for pair in crossed for k in pair}),
    }


BOARDS = [kt.Board(word) for word in ("tri:5", "hex:3:king", "hex:3:king+wazir", "hex:4", "tri:7:knight+wazir")]
BOARDS.append(kt.CellBoard(box(5, 6)))


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
def test_flat_cells_have_lines_and_angles(board: kt.Board, closed: bool) -> None:
    result = kt.solve(board, closed=closed, seed=1)
    assert result.tour is not None
    values = {name: int(of[0]) for name, of in kt.measure(result.tour).items()}
    right = measured(result.tour)
    assert {name: values[name] for name in right} == right
    assert values.keys() - right.keys() == {"in-one-line"}
    assert (result.tour.turns, result.tour.crossings) == (right["turns"], right["crossings"])


def test_plane_boxes_have_what_boards_have() -> None:
    flat = kt.solve(kt.Board(6, 6), closed=True, seed=3).tour
    assert flat is not None
    cells = kt.Tour.from_array(flat.order, kt.CellBoard(box(6, 6)))
    ours, theirs = kt.measure(cells), kt.measure(flat)
    assert {name: int(n[0]) for name, n in ours.items()} == {name: int(theirs[name][0]) for name in ours}


@pytest.mark.parametrize("by", ["turns", "crossings"])
def test_a_census_counts_the_tours_that_lists_have(by: str) -> None:
    listed = [tour.turns if by == "turns" else tour.crossings for tour in kt.iter_tours("tri:5", closed=True)]
    assert kt.census("tri:5", by, closed=True).counts == dict(zip(*np.unique(listed, return_counts=True), strict=True))


def test_cell_boards_reject_unsupported_properties(tmp_path, run) -> None:
    path = str(tmp_path / "tour.json")
    assert run("solve", "2x3x4", "--closed", "--seed", "1", "-o", path)[0] == 0
    said = {
        ("measure", path): "tours of a 2x3x4 board have no statistics",
        ("improve", path): "tours of cells cannot be improved",
        ("solve", "tri:5", "--minimize", "turns"): "tours of cells cannot be improved",
        ("census", "tri:5", "--by", "steep-up"): "have no 'steep-up'",
        ("census", "2x3x4", "--by", "turns"): "flat boards only",
    }
    for words, sentence in said.items():
        code, _, error = run(*words)
        assert code == 2 and sentence in error and "help" in error
