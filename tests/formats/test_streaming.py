"""Tours written to `.npy` files a part at a time are what `write_tours` writes of them, whole or not at all."""

from __future__ import annotations

import errno
import shutil
from pathlib import Path

import numpy as np
import pytest

from knightstour.core.constructions.implicit import ImplicitTour, implicit_tour
from knightstour.core.formats import streaming
from knightstour.core.formats.streaming import stream_tour
from knightstour.core.formats.tours import read_tours, write_tours
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
@pytest.mark.parametrize("at_once", [7, 40, 10**6])
def test_a_streamed_file_is_the_one_that_is_written_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tour: ImplicitTour, at_once: int
) -> None:
    monkeypatch.setattr(streaming, "_BUFFER_BYTES", 4 * at_once)
    reported: list[tuple[int, int | None]] = []
    size = stream_tour(tour, tmp_path / "a.npy", on_progress=lambda p: reported.append((p.done, p.total)))
    whole = Tour.from_order(tour.board, tour.order())
    write_tours(tmp_path / "b.npy", whole)
    assert (tmp_path / "a.npy").read_bytes() == (tmp_path / "b.npy").read_bytes()
    assert size == (tmp_path / "a.npy").stat().st_size
    assert reported[-1] == (tour.length, tour.length) and reported == sorted(reported)
    assert read_tours(tmp_path / "a.npy") == [whole]


def test_boards_with_over_2_to_the_31_squares_have_int64(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full(Exception):
        pass

    def stop(self: ImplicitTour, rows: slice, cols: slice, *, out: np.ndarray) -> np.ndarray:
        assert out.dtype == np.int64
        raise Full

    monkeypatch.setattr(ImplicitTour, "numbers", stop)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: type("Usage", (), {"free": 10**11}))
    with pytest.raises(Full):
        stream_tour(implicit_tour((1 << 16, 1 << 16)), tmp_path / "tour.npy")


def test_an_interrupted_file_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streaming, "_BUFFER_BYTES", 400)

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


def test_other_formats_and_tours_are_refused(tmp_path: Path) -> None:
    for name in ("x", "x.json", "x.txt", "x.npz", "x.exe"):
        with pytest.raises(FormatError):
            stream_tour(TOURS[0], tmp_path / name)
    with pytest.raises(FormatError, match="write others with write_tours"):
        stream_tour(Tour.from_order((1, 1), [0]), tmp_path / "x.npy")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_a_disk_with_too_little_room_is_refused_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 10**9})
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage)
    with pytest.raises(FormatError, match=r"takes 1\.6 GB") as caught:
        stream_tour(implicit_tour((20000, 20000), closed=True), tmp_path / "tour.npy")
    assert caught.value.note == "there are 1 GB free"
    with pytest.raises(FormatError, match="bytes"):
        stream_tour(implicit_tour((10**30, 10**30)), tmp_path / "tour.npy")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_fills_up_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, out: np.ndarray) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ImplicitTour, "numbers", full)
    with pytest.raises(FormatError, match="No space left"):
        stream_tour(TOURS[0], tmp_path / "tour.npy")
    assert list(tmp_path.iterdir()) == []
