"""Tiles: every one is a path of its rectangle with the ends and ordered edges that tiles.py promises."""

from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

import make_tiles as script
from helpers import reference
from knightstour.core.constructions.tiles import _table, down_edge, right_edge, tile, tile_to_text
from knightstour.core.model.board import Square

DATA = Path(__file__).parents[2] / "src" / "knightstour" / "core/constructions" / "tiles.txt"
TILES = sorted(_table())


def is_move(a: Square, b: Square) -> bool:
    return {abs(a[0] - b[0]), abs(a[1] - b[1])} == {1, 2}


def edges(squares: tuple[Square, ...]) -> set[tuple[Square, Square]]:
    return set(pairwise(squares))


def test_the_kinds_and_sizes_are_those_promised() -> None:
    sizes: dict[str, set[tuple[int, int]]] = {}
    for kind, rows, cols in TILES:
        sizes.setdefault(kind, set()).add((rows, cols))
    through_sizes = {(rows, 6) for rows in range(5, 15)}
    assert sizes == {
        "root": {(rows, cols) for rows in range(5, 11) for cols in range(5, 13)},
        "spine": {(6, cols) for cols in range(5, 13)},
        "tail": {(rows, 8) for rows in range(5, 11)},
        "even": through_sizes | {(3, 4)},
        "odd": through_sizes | {(3, 8)},
        "fringe": {(3, 4)},
        "ring": {(3, 10), (3, 12)},
    }


@pytest.mark.parametrize("key", TILES, ids=str)
def test_every_tile_is_a_path_with_the_ends_and_edges_promised(key: tuple[str, int, int]) -> None:
    kind, rows, cols = key
    squares = tile(*key)
    assert reference.is_tour(reference.adjacency(reference.Spec(rows, cols)), list(squares), closed=kind == "ring")
    first, last = squares[0], squares[-1]
    if kind == "root" and rows * cols % 2 == 0:
        assert (first, last) == ((1, 1), (3, 0))
    if kind == "spine":
        assert (first, last) == ((1, 1), (0, 3))
    if kind == "tail":
        assert (first, last) == ((1, 1), (3, 0))
    if kind in ("root", "spine", "tail"):
        assert right_edge(rows, cols) in edges(squares)
    if kind in ("root", "spine"):
        assert down_edge(rows, cols) in edges(squares)
    if kind in ("even", "odd"):
        assert sum(first) % 2 == (kind == "odd")
        assert first[1] in (0, 1)
        assert is_move(last, (first[0], first[1] + cols))
    if kind == "fringe":
        assert (first, last) == ((1, 0), (2, 0))
        assert ((0, 3), (2, 2)) in edges(squares)


def test_the_edges_are_where_the_neighbours_paths_fit() -> None:
    for rows in range(5, 11):
        for cols in range(5, 13):
            # A tile on the right begins at its (1, 1) and ends at its (3, 0).
            a, b = right_edge(rows, cols)
            assert is_move(a, (1, cols + 1)) and is_move((3, cols), b) and is_move(a, b)
            # A tile below, a spine, begins at its (1, 1) and ends at its (0, 3).
            a, b = down_edge(rows, cols)
            assert is_move(a, (rows + 1, 1)) and is_move((rows, 3), b) and is_move(a, b)


def test_writing_a_tile_and_reading_it_are_inverse() -> None:
    for (kind, rows, cols), text in _table().items():
        assert tile_to_text(tile(kind, rows, cols)) == text


def test_each_tile_is_listed_once() -> None:
    lines = [line.split()[:3] for line in DATA.read_text().splitlines() if not line.startswith("#")]
    assert max(Counter(map(tuple, lines)).values()) == 1


def test_a_sample_of_tiles_is_found_again_by_the_script() -> None:
    edge = right_edge(6, 8)
    assert script.find(6, 8, ((1, 1), (3, 0)), [edge]) == tile("tail", 6, 8)
    assert script.find(6, 5, ((1, 1), (0, 3)), [right_edge(6, 5), down_edge(6, 5)]) == tile("spine", 6, 5)
    assert script.find(3, 4, ((1, 0), (2, 0)), [((0, 3), (2, 2))]) == tile("fringe", 3, 4)
    assert script.find(3, 10, (None, None), [], closed=True) == tile("ring", 3, 10)
    assert script.through(7, 6, 1) == tile("odd", 7, 6)


@pytest.mark.slow
def test_the_script_writes_the_same_file_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "TARGET", tmp_path / "tiles.txt")
    script.main()
    assert (tmp_path / "tiles.txt").read_bytes() == DATA.read_bytes()
