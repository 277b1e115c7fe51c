"""Tours written to files a part at a time are the files that `write_tours` writes of them, whole or not at all."""

from __future__ import annotations

import errno
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from knightstour.core.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.core.formats import giant_writers
from knightstour.core.formats.giant import giant_format, stream_tour
from knightstour.core.formats.table import FORMATS
from knightstour.core.formats.tours import read_tours, write_tours
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.progress import Progress
from knightstour.core.model.tour import Tour

TOURS = [
    implicit_tour((10, 12), closed=True),
    implicit_tour((3, 25), start=(0, 0)),
    implicit_tour((31, 7)),
    implicit_tour((1, 1)),
]


@pytest.mark.parametrize("tour", TOURS, ids=str)
@pytest.mark.parametrize("name", [row.name for row in FORMATS.values() if row.write_giant])
@pytest.mark.parametrize("at_once", [7, 40, 10**6])
def test_a_streamed_file_is_the_one_that_is_written_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tour: ImplicitTour, name: str, at_once: int
) -> None:
    monkeypatch.setattr(giant_writers, "_TEXT_SQUARES", at_once)
    monkeypatch.setattr(giant_writers, "_BUFFER_BYTES", 4 * at_once)
    reported: list[tuple[int, int | None]] = []
    size = stream_tour(tour, tmp_path / "a", name, on_progress=lambda p: reported.append((p.done, p.total)))
    write_tours(tmp_path / "b", Tour.from_order(tour.board, tour.order()), name)
    content = (tmp_path / "a").read_bytes()
    if name in ("squares",) and tour.length == 1:
        content += b"\n"  # a single square needs an empty line, or it would be read as part of a list
    assert content == (tmp_path / "b").read_bytes()
    assert size == (tmp_path / "a").stat().st_size
    assert reported[-1] == (tour.length, tour.length) and reported == sorted(reported)


def test_what_was_streamed_is_read_again(tmp_path: Path) -> None:
    tour = implicit_tour((20, 21), start=(3, 4))
    for suffix in (".npy", ".txt", ".grid0", ".squares", ".csv", ".xy"):
        stream_tour(tour, tmp_path / f"tour{suffix}")
        (read,) = read_tours(tmp_path / f"tour{suffix}", board=Board(20, 21))
        assert read == Tour.from_order(tour.board, tour.order())


def test_boards_with_over_2_to_the_31_squares_have_int64() -> None:
    tour = implicit_tour((1 << 16, 1 << 16))
    done, head = next(giant_writers.write_npy(tour))
    assert done == 0 and b"'<i8'" in bytes(head) and len(bytes(head)) % 64 == 0


def test_an_interrupted_file_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(giant_writers, "_BUFFER_BYTES", 400)

    def interrupt(progress: Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stream_tour(TOURS[0], tmp_path / "tour.npy", on_progress=interrupt)
    assert list(tmp_path.iterdir()) == []


def test_an_existing_file_is_kept_unless_forced(tmp_path: Path) -> None:
    path = tmp_path / "tour.npy"
    path.write_bytes(b"mine")
    with pytest.raises(FormatError, match="exists"):
        stream_tour(TOURS[0], path)
    assert path.read_bytes() == b"mine"
    stream_tour(TOURS[0], path, force=True)
    assert np.load(path).shape == (1, 10, 12)


def test_formats_that_need_the_whole_tour_are_refused(tmp_path: Path) -> None:
    for name in ("json", "npz", "hcp", "tour", "algebraic", "nonsense"):
        with pytest.raises(FormatError):
            stream_tour(TOURS[0], tmp_path / "x", name)
    for path in ("x", "x.json", "x.exe"):
        with pytest.raises(FormatError):
            giant_format(tmp_path / path)
    formats = [giant_format("x.npy"), giant_format("x.txt"), giant_format("x", "csv")]
    assert [row.name for row in formats] == ["npy", "grid", "csv"]


def test_a_disk_with_too_little_room_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 10**9})
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(FormatError, match=r"takes at least 1\.6 GB") as caught:
        stream_tour(implicit_tour((20000, 20000), closed=True), tmp_path / "tour.npy")
    assert caught.value.note == "there are 1 GB free"
    with pytest.raises(FormatError, match="bytes"):
        stream_tour(implicit_tour((10**30, 10**30)), tmp_path / "tour.npy")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(tour: ImplicitTour) -> Iterator[tuple[int, bytes]]:
        yield 0, b"head"
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setitem(FORMATS, "npy", replace(FORMATS["npy"], write_giant=full))
    with pytest.raises(FormatError, match="No space left"):
        stream_tour(TOURS[0], tmp_path / "tour.npy")
    assert list(tmp_path.iterdir()) == []
