"""Test that the file of tiles equals the output of its script; test_pieces.py checks the tiles."""

from pathlib import Path

import pytest

import make_tiles as script
from knightstour.core.constructions.blocks import _table, down_edge, right_edge, tile, tile_to_text

DATA = Path(__file__).parents[2] / "src" / "knightstour" / "core/constructions" / "tiles.txt"


def test_writing_a_tile_and_reading_it_are_inverse() -> None:
    for (kind, rows, cols), text in _table().items():
        assert tile_to_text(tile(kind, rows, cols)) == text


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
