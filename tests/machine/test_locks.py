"""Tests of locks: one run at a time in a directory; a killed run does not block the next."""

import errno
import os
import signal
import subprocess
from pathlib import Path

import pytest

from helpers.damage import wait_until
from helpers.processes import children, running
from helpers.shared_counts import SEVEN_BY_EIGHT, command, left_in, run
from knightstour.core.machine.files import lock_directory

fcntl = pytest.importorskip("fcntl")


def names(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())


def test_a_lock_is_taken_once_and_leaves_nothing(tmp_path: Path) -> None:
    for _ in range(2):
        with lock_directory(tmp_path):
            with pytest.raises(BlockingIOError, match="another process") as caught, lock_directory(tmp_path):
                raise AssertionError("it was taken twice")
            note, help = caught.value.__notes__
            assert caught.value.filename == str(tmp_path) and "resume with the same command" in help
            assert note.startswith(f"note: it is process {os.getpid()}, and")
        assert names(tmp_path) == []
    with pytest.raises(KeyboardInterrupt), lock_directory(tmp_path):
        raise KeyboardInterrupt
    assert names(tmp_path) == []


def test_lock_of_a_killed_run_blocks_nothing(tmp_path: Path) -> None:
    (tmp_path / ".lock").write_text("1 elsewhere")
    with lock_directory(tmp_path):
        assert (tmp_path / ".lock").read_text().split()[0] == str(os.getpid())


def test_a_run_elsewhere_is_named(tmp_path: Path) -> None:
    with open(tmp_path / ".lock", "w+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        for held, said in (
            (b"17 elsewhere", "it is process 17 on elsewhere, and two"),
            (b"", "two at once"),
            (b"\xff", "two"),
        ):
            file.seek(0)
            file.truncate()
            file.write(held)
            file.flush()
            with pytest.raises(BlockingIOError) as caught, lock_directory(tmp_path):
                raise AssertionError("it was taken twice")
            assert caught.value.__notes__[0].startswith(f"note: {said}")


def test_lock_with_deleted_file_is_not_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flock = fcntl.flock
    taken = []

    def late(file: object, how: int) -> None:
        # The run before ends between the opening and the locking.
        if not taken:
            (tmp_path / ".lock").unlink()
        taken.append(file)
        flock(file, how)

    monkeypatch.setattr(fcntl, "flock", late)
    with lock_directory(tmp_path):
        assert names(tmp_path) == [".lock"] and len(taken) == 2


def test_without_locks_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(file: object, how: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", none)
    with lock_directory(tmp_path):
        assert names(tmp_path) == []


def test_a_missing_directory_cannot_be_locked(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError), lock_directory(tmp_path / "nowhere"):
        raise AssertionError("it was locked")


# ---------------------------------------------------------------- counts


@pytest.mark.processes
def test_live_run_is_named_and_killed_run_blocks_nothing(tmp_path: Path) -> None:
    workers = ("--workers", "2")
    process = subprocess.Popen(
        command(tmp_path, *workers, board="7x8"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert wait_until(lambda: (tmp_path / "progress.json").exists(), process)
    # So that it is there for as long as the others look.
    process.send_signal(signal.SIGSTOP)
    before = left_in(tmp_path)
    code, out, err = run(tmp_path, *workers, board="7x8")
    assert (code, out) == (2, "") and f"process {process.pid}" in err, err
    assert [line.split(":")[0] for line in err.splitlines()] == ["error", "note", "help"]
    assert [name for name in before if name not in left_in(tmp_path)] == []
    mine = children(process.pid)
    process.kill()
    process.communicate()
    assert (tmp_path / ".lock").exists()
    code, out, err = run(tmp_path, *workers, board="7x8")
    assert (code, out) == (0, f"{SEVEN_BY_EIGHT}\n"), err
    assert left_in(tmp_path) == ["progress.json"]
    wait_until(lambda: not set(mine) & set(running()))
