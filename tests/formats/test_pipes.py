"""Tests of pipes: each is opened and read only once."""

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.command_line import run
from knightstour.core.checking.check import check
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.formats.streaming import stream_tour
from knightstour.core.formats.tours import read_tours, write_tours
from knightstour.core.methods.solve import find_tour
from knightstour.interfaces.cli.parsing import board_of

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo") or not os.path.exists("/dev/fd"), reason="no such pipes here")


@pytest.fixture(params=["named", "opened"])
def pipe(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[bytes], str]:
    """Return a function that creates a pipe with these bytes and returns its path."""

    def make(data: bytes) -> str:
        if request.param == "opened":
            reading, writing = os.pipe()
            os.write(writing, data)
            os.close(writing)
            request.addfinalizer(lambda: os.close(reading))
            return f"/dev/fd/{reading}"
        path = tmp_path / "pipe"
        os.mkfifo(path)
        threading.Thread(target=path.write_bytes, args=(data,), daemon=True).start()
        return str(path)

    return make


@pytest.mark.parametrize("format", ["grid", "json", "npy", "npz"])
def test_a_pipe_is_checked_and_read(format: str, pipe: Callable[[bytes], str], tmp_path: Path) -> None:
    file = tmp_path / "tour"
    write_tours(file, find_tour("6x6"), format)
    report = check(pipe(file.read_bytes()))
    assert report.is_valid and report.tour_count == 1


def test_parts_go_behind_a_pipe(pipe: Callable[[bytes], str]) -> None:
    assert len(board_of(pipe(b"...\n...\n#..\n") + ":torus:-b2")) == 7


def test_a_tour_is_streamed_to_a_pipe(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        size = stream_tour(implicit_tour("6x6"), f"/dev/fd/{writing}")
    finally:
        os.close(writing)
    with open(reading, "rb") as file:
        (tmp_path / "t.npy").write_bytes(file.read())
    assert (tmp_path / "t.npy").stat().st_size == size and check(tmp_path / "t.npy").is_valid


def test_open_output_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    with open(tmp_path / "opened", "wb") as file:
        write_tours(f"/dev/fd/{file.fileno()}", find_tour("6x6"), "grid")
    assert [path.name for path in tmp_path.iterdir()] == ["opened"]
    assert read_tours(tmp_path / "opened", "grid")


def test_a_named_pipe_is_opened_once_to_write(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()), daemon=True)
    reader.start()
    code, _, _ = run("solve", "6x6", "-o", str(path), "--format", "grid", capsys=capfd)
    reader.join(20)
    assert code == 0 and b"36" in got[0]
