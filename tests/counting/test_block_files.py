"""Files of blocks of states: what was written is read, and anything else is noticed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.examples import examples
from knightstour.core.model.errors import FormatError
from knightstour.lab.counting.halves.block_files import (
    Place,
    place_of,
    read_block,
    write_block,
)


def written(directory: Path, lengths: list[int], name: str = "a count", number: int = 0) -> Place:
    place = place_of(directory, name, "", number)
    count, total = len(lengths), sum(lengths)
    rng = np.random.default_rng(1)
    states = rng.integers(-(2**63), 2**63, (total, 2))
    pieces = [states[:1], states[1:]]
    write_block(place, np.arange(count) << 16, np.array(lengths, dtype=np.int64), rng.random(count), pieces)
    return place


@given(st.lists(st.integers(0, 5), max_size=6))
@examples(30)
def test_what_is_written_is_read(tmp_path_factory: pytest.TempPathFactory, lengths: list[int]) -> None:
    place = written(tmp_path_factory.mktemp("blocks"), lengths)
    rng = np.random.default_rng(1)
    block = read_block(place)
    assert block.classes.tolist() == [k << 16 for k in range(len(lengths))]
    assert block.lengths.tolist() == lengths
    assert block.offsets.tolist() == [sum(lengths[:k]) for k in range(len(lengths))]
    assert (block.states == rng.integers(-(2**63), 2**63, (sum(lengths), 2))).all()
    assert (block.masses == rng.random(len(lengths))).all()
    assert len(read_block(place, is_checked=False).states) == sum(lengths)


def test_a_flipped_bit_is_noticed_in_every_byte(tmp_path: Path) -> None:
    place = written(tmp_path, [1, 0, 2])
    path = Path(place.path)
    whole = path.read_bytes()
    for k in range(len(whole)):
        data = bytearray(whole)
        data[k] ^= 1 << k % 8
        path.write_bytes(data)
        with pytest.raises(FormatError, match=r"000000\.states"):
            read_block(place)
    path.write_bytes(whole)
    assert read_block(place).size == 3


def test_missing_or_extra_bytes_are_noticed_without_reading_all(tmp_path: Path) -> None:
    place = written(tmp_path, [1, 0, 2])
    path = Path(place.path)
    whole = path.read_bytes()
    for count in range(len(whole)):
        path.write_bytes(whole[:count])
        with pytest.raises(FormatError, match="bytes"):
            read_block(place, is_checked=False)
    path.write_bytes(whole + b"\0")
    with pytest.raises(FormatError, match="bytes instead of"):
        read_block(place, is_checked=False)
    path.unlink()
    with pytest.raises(FormatError, match="cannot be read: No such file"):
        read_block(place)


def test_blocks_of_other_counts_and_of_other_numbers_are_refused(tmp_path: Path) -> None:
    mine = written(tmp_path, [2, 1])
    for other in (written(tmp_path, [2, 1], number=1), written(tmp_path / "..", [2, 1], name="another count")):
        assert other.key != mine.key
        Path(mine.path).write_bytes(Path(other.path).read_bytes())
        with pytest.raises(FormatError, match="no part of this count"):
            read_block(mine, is_checked=False)


def test_a_block_that_cannot_be_written_leaves_the_old_one(tmp_path: Path) -> None:
    place = written(tmp_path, [2, 1])
    whole = Path(place.path).read_bytes()

    def broken():
        yield np.zeros((1, 2), dtype=np.int64)
        raise OSError(28, "No space left on device")

    with pytest.raises(FormatError, match="No space left"):
        write_block(place, np.zeros(1, np.int64), np.ones(1, np.int64), np.ones(1), broken())
    assert Path(place.path).read_bytes() == whole
    assert [path.name for path in tmp_path.iterdir()] == ["000000.states"]
