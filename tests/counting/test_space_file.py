"""The file of a TourSpace: it returns the written contents, and every damaged file is refused."""

import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from helpers.both_ways import both_ways
from helpers.examples import examples
from knightstour.core.model.board import Board
from knightstour.core.model.errors import BoardError, FormatError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.spaces import file, tour_space
from knightstour.lab.counting.spaces.tour_space import TourSpace


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    path = tmp_path_factory.mktemp("spaces") / "6x6.space"
    TourSpace.build((6, 6), closed=True, path=path)
    return path


@pytest.mark.parametrize(
    "problem",
    [
        Problem((5, 6), closed=True),
        Problem((5, 5), start="a1"),
        Problem((5, 5), start="a1", end="c3"),
        Problem(Board(4, 5, wrap="mobius", holes=["b2"])),
        Problem(Board(4, 4, wrap="torus", leaper=(1, 1)), closed=True),
        Problem((3, 70), closed=True),
        Problem((4, 4), closed=True),
        Problem((1, 1)),
        Problem(Board.from_graph(both_ways({"a": ["b"], "b": [("c", 1)], ("c", 1): [7], 7: ["a"]})), closed=True),
    ],
    ids=str,
)
def test_an_opened_file_is_the_space_that_was_built(tmp_path, problem):
    asked = {"closed": problem.closed, "start": problem.start, "end": problem.end}
    made = TourSpace(problem.board, **asked)
    opened = TourSpace.build(problem.board, **asked, path=tmp_path / "it.space")
    assert opened.problem == problem and opened.count == made.count and opened.numbering == made.numbering
    if isinstance(problem.board, GraphBoard):
        assert opened.board.labels == problem.board.labels
    if made.count:
        numbers = [1, made.count, *made.random_numbers(10, seed=1)]
        orders = made.orders(numbers)
        assert np.array_equal(opened.orders(numbers), orders)
        assert opened.ranks(orders) == numbers
        assert opened.move_counts() == made.move_counts()


def test_unwritable_file_error_comes_before_the_work(tmp_path, monkeypatch):
    path = tmp_path / "it.space"
    TourSpace.build((5, 6), closed=True, path=path)
    before = path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(TourSpace, "__init__", lambda *args, **kwargs: pytest.fail("the work was started"))
        with pytest.raises(IsADirectoryError):
            TourSpace.build((3, 4), path=tmp_path)
        with pytest.raises(FileNotFoundError, match="there is no directory"):
            TourSpace.build((3, 4), path=tmp_path / "nowhere" / "it.space")
    assert path.read_bytes() == before
    assert TourSpace.build((3, 4), path=path).count == 8


def test_a_failed_write_leaves_nothing(tmp_path, monkeypatch):
    space = TourSpace((5, 6), closed=True)
    monkeypatch.setattr(file, "bytes", lambda count: 1 / 0, raising=False)
    with pytest.raises(ZeroDivisionError):
        space.save(tmp_path / "it.space")
    assert list(tmp_path.iterdir()) == []


def test_rejects_unknown_nodes(tmp_path):
    board = Board.from_graph(both_ways({frozenset([1]): [2], 2: []}))
    with pytest.raises(BoardError, match="cannot be written"):
        TourSpace.build(board, path=tmp_path / "it.space")


# ---------------------------------------------------------------- damage


def refused(tmp_path: Path, data: bytes) -> FormatError:
    path = tmp_path / "damaged.space"
    path.write_bytes(data)
    with pytest.raises(FormatError) as caught:
        TourSpace.open(path)
    assert "damaged.space" in str(caught.value)
    return caught.value


@examples(60, suppressed=(HealthCheck.function_scoped_fixture,))
@given(share=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
def test_any_changed_bit_is_noticed(tmp_path, written, share, bit):
    data = bytearray(written.read_bytes())
    header_end = 32 + struct.unpack_from("<Q", data, 24)[0]
    place = int(share * len(data))
    data[place] ^= 1 << bit
    if is_filling(written, place, header_end):
        return
    refused(tmp_path, bytes(data))


def is_filling(path: Path, place: int, header_end: int) -> bool:
    """Return whether a byte is padding between arrays."""
    if place < header_end:
        return False
    header = json.loads(path.read_bytes()[32:header_end])
    at = place - -(-header_end // 64) * 64
    for item in header["arrays"]:
        size = int(np.prod(item["shape"])) * np.dtype(item["type"]).itemsize
        if item["at"] <= at < item["at"] + size:
            return False
    return True


@pytest.mark.parametrize("kept", [0, 5, 16, 31, 32, 100, 0.5, 0.999999])
def test_files_cut_off_are_refused(tmp_path, written, kept):
    data = written.read_bytes()
    error = refused(tmp_path, data[: int(kept * len(data)) if isinstance(kept, float) else kept])
    assert "truncated" in str(error) or "not a file of a TourSpace" in str(error) or "damaged" in str(error)


def test_foreign_files_are_refused(tmp_path, written):
    assert "not a file of a TourSpace" in str(refused(tmp_path, b"P5 8 8 255 and so on" * 10))
    assert "not a file of a TourSpace" in str(refused(tmp_path, b""))
    assert "after its end" in str(refused(tmp_path, written.read_bytes() + b"x"))
    with pytest.raises(FileNotFoundError):
        TourSpace.open(tmp_path / "nothing")
    with pytest.raises(OSError, match="not a regular file"):
        TourSpace.open(tmp_path)


def test_later_versions_are_refused_by_name(tmp_path, written):
    data = bytearray(written.read_bytes())
    struct.pack_into("<I", data, 16, 3)
    assert "layout 3" in str(refused(tmp_path, bytes(data)))
    data = written.read_bytes()
    assert "'ways 7'" in str(refused(tmp_path, with_header(data, b'"ways 1"', b'"ways 7"')))
    assert "damaged" in str(refused(tmp_path, with_header(data, b'"numbering"', b'"numbercat"')))
    assert "count" in str(refused(tmp_path, with_header(data, b'"9862"', b'"9863"')))


def with_header(data: bytes, old: bytes, new: bytes) -> bytes:
    """Return the file with a changed header and a valid checksum."""
    assert len(old) == len(new) and data.count(old) == 1
    changed = bytearray(data.replace(old, new))
    length = struct.unpack_from("<Q", changed, 24)[0]
    struct.pack_into("<I", changed, 20, zlib.crc32(bytes(changed[32 : 32 + length])))
    return bytes(changed)


@pytest.mark.parametrize("most_bits, is_kept", [(4, True), (3, False)])
def test_a_space_of_long_numbers_is_not_kept(
    most_bits: int, is_kept: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(file, "_WORTH_KEEPING_SECONDS", 0)
    monkeypatch.setattr(file, "_MAX_KEPT_BITS", most_bits)
    assert TourSpace((5, 6), closed=True).count == 8
    assert bool(list(tmp_path.iterdir())) == is_kept


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A separate cache, in which every space is stored."""
    monkeypatch.setattr(file, "cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(file, "_WORTH_KEEPING_SECONDS", 0)
    return tmp_path / "cache"


def test_a_space_is_made_once_and_found_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="knightstour")
    made = TourSpace((5, 6), closed=True)
    path = file.path_of(made.problem)
    assert list(folder.iterdir()) == [path] and str(path) in caplog.text and "kB" in caplog.text
    monkeypatch.setattr(tour_space, "_make_tours", None)
    found = TourSpace("5x6", closed=True)
    assert found.problem == made.problem and list(found) == list(made)
    with pytest.raises(TypeError):
        TourSpace((5, 6), closed=True, keep=False)
    with pytest.raises(TypeError):
        TourSpace((5, 6), closed=True, start="a1")


@pytest.mark.parametrize("change", ["cut", "other"])
def test_damaged_cached_space_is_rebuilt(folder: Path, change: str) -> None:
    path = file.path_of(TourSpace((5, 6), closed=True).problem)
    if change == "cut":
        path.write_bytes(path.read_bytes()[:-1])
    else:
        TourSpace((3, 4), keep=False).save(path)
    assert TourSpace((5, 6), closed=True).count == 8
    assert TourSpace.open(path).count == 8


def test_nothing_is_cached_if_disabled_or_impossible(folder: Path, tmp_path: Path) -> None:
    assert TourSpace((5, 6), closed=True, keep=False).count == 8
    assert TourSpace.build((5, 6), closed=True, path=tmp_path / "it.space").count == 8
    assert not folder.exists()
    folder.write_text("a file where the folder would be")
    assert TourSpace((5, 6), closed=True).count == 8
