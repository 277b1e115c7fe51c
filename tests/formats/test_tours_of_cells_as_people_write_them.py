"""Tests of tours of boxes and hexagons in texts of other programs: coordinates, objects, titled layers."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.command_line import Run
from helpers.examples import examples
from knightstour.core.model.graph_board import GraphBoard

BOARDS = ["2x3x4", "4x4x2", "3x3x3:king", "2x2x2x2:king", "hex:3:king", "4x3x3:wazir:-a1.1,a2.1", "tri:4"]


def cells_of(tour: kt.Tour) -> list[tuple[int, ...]]:
    assert isinstance(tour.board, GraphBoard)
    return [tuple(cell) for cell in tour.labels]


def some_tour(word: str, seed: int = 1) -> kt.Tour:
    return kt.find_tour(word, seed=seed)


def written(cells: list[tuple[int, ...]], form: str) -> str:
    if form == "lines":
        return "\n".join(" ".join(map(str, cell)) for cell in cells)
    if form == "csv":
        return "x,y,z\n" + "\n".join(",".join(map(str, cell)) for cell in cells)
    if form == "size":
        return "2 3 4\n" + written(cells, "lines")
    if form == "json size":
        return json.dumps({"size": [2, 3, 4], "path": [list(cell) for cell in cells]})
    if form == "heading":
        return "A tour of the 2x3x4 board\n" + written(cells, "tuples")
    if form == "tuples":
        return "\n".join(str(cell) for cell in cells)
    if form == "list":
        return str(cells)
    if form == "arrows":
        return " -> ".join(str(cell) for cell in cells)
    if form == "moves":
        return "\n".join(f"{a} -> {b}" for a, b in itertools.pairwise(cells))
    if form == "json":
        return json.dumps({"path": [list(cell) for cell in cells]})
    if form == "objects":
        return json.dumps([dict(zip("xyzw", cell, strict=False)) for cell in cells], indent=1)
    if form == "step first":
        return "\n".join(f"{step}: {cell}" for step, cell in enumerate(cells, 1))
    if form == "step column":
        return "\n".join(" ".join(map(str, (step, *cell))) for step, cell in enumerate(cells))
    return "\n".join(" ".join(map(str, (*cell, step))) for step, cell in enumerate(cells, 1))


FORMS = [
    *("lines", "csv", "tuples", "list", "arrows", "moves", "json", "objects", "step first", "step column"),
    "step last",
]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("word", ["2x3x4", "3x3x3:king"])
def test_coordinates_of_cells_are_read(word: str, form: str) -> None:
    tour = some_tour(word)
    assert kt.parse_tours(written(cells_of(tour), form), board=word) == [tour]


@pytest.mark.parametrize("form", ["size", "json size", "heading"])
@pytest.mark.parametrize("base", [0, 1])
def test_the_size_above_coordinates_is_left_out(form: str, base: int) -> None:
    tour = some_tour("2x3x4")
    moved = [tuple(x + base for x in cell) for cell in cells_of(tour)]
    assert kt.parse_tours(written(moved, form), board="2x3x4") == [tour]


def test_first_cell_equal_to_the_size_is_a_cell() -> None:
    tour = kt.find_tour("2x3x4", start="d1.2", seed=1)
    moved = [tuple(x + 1 for x in cell) for cell in cells_of(tour)]
    assert moved[0] == (2, 3, 4) and kt.parse_tours(written(moved, "lines"), board="2x3x4") == [tour]


@pytest.mark.parametrize("word", BOARDS)
@pytest.mark.parametrize("base", [0, 1])
def test_coordinates_are_read_on_every_board_of_cells(word: str, base: int) -> None:
    tour = some_tour(word)
    moved = [tuple(x + base for x in cell) for cell in cells_of(tour)]
    read = kt.parse_tours(written(moved, "tuples"), board=word)[0]
    assert read.board == tour.board and read.is_closed == tour.is_closed
    assert read == tour or base or "hex" in word or "tri" in word


@examples(10)
@given(st.permutations([0, 1, 2]), st.sampled_from(["2x3x4", "3x2x6"]), st.integers(0, 2))
def test_axes_in_any_order_give_the_same_tour(axes: list[int], word: str, seed: int) -> None:
    tour = some_tour(word, seed)
    text = written([tuple(cell[axis] for axis in axes) for cell in cells_of(tour)], "lines")
    assert kt.parse_tours(text, board=word) == [tour]


@pytest.mark.parametrize("title", ["Layer {}:", "Level {} of 4", "z = {}", "--- level {} ---", "", "# layer {}"])
@pytest.mark.parametrize("along", [0, 2])
def test_layers_of_numbers_are_read(title: str, along: int) -> None:
    tour = some_tour("2x3x4")
    numbers = np.zeros((2, 3, 4), dtype=int)
    for step, cell in enumerate(cells_of(tour), 1):
        numbers[cell] = step
    layers = np.moveaxis(numbers, along, 0)
    text = "\n".join(
        title.format(k) + "\n" + "\n".join(" ".join(map(str, row)) for row in layer)
        for k, layer in enumerate(layers, 1)
    )
    assert kt.parse_tours(text, board="2x3x4") == [tour]
    assert kt.parse_tours(str(layers.tolist()), board="2x3x4") == [tour]


def test_layers_with_holes_are_read() -> None:
    tour = some_tour("4x3x3:wazir:-a1.1,a2.1")
    numbers = np.full((4, 3, 3), -1)
    for step, cell in enumerate(cells_of(tour), 1):
        numbers[cell] = step
    rows = ["\n".join(" ".join("." if x < 0 else str(x) for x in row) for row in layer) for layer in numbers.tolist()]
    text = "\n".join(f"Layer {k}\n{layer}" for k, layer in enumerate(rows))
    assert kt.parse_tours(text, board=tour.board) == [tour]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda cells: [*cells[:-1], (7, 7, 7)], r"the board has no cell \(7, 7, 7\)"),
        (lambda cells: [cells[1], cells[0], *cells[2:]], "is not a knight's move"),
        (lambda cells: cells[:-1], "23 of"),
        (lambda cells: [*cells[:-1], cells[0]], "b1.2|twice|again"),
    ],
    ids=range(4),
)
def test_faults_of_coordinates_are_named(
    change: Callable[[list[tuple[int, ...]]], list[tuple[int, ...]]], said: str, run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "tour.txt"
    path.write_text(written(change(cells_of(some_tour("2x3x4"))), "lines"))
    code, out, err = run("check", str(path), "2x3x4")
    assert code in (1, 2)
    assert re.search(said, out + err)


@pytest.mark.parametrize("form", ["{} {} {}\n", "({}, {}, {}) ", "{},{},{};\n", "[{}, {}, {}],"])
def test_box_cells_without_a_board_require_a_choice(form: str) -> None:
    text = "".join(form.format(*cell) for cell in cells_of(some_tour("2x3x4")))
    with pytest.raises(kt.FormatError, match="or a cell of a box") as caught:
        kt.parse_tours(text)
    assert "FILE 2x3x4 is an open tour" in caught.value.help
