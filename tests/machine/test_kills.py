"""Kills, full disks, little memory and folders that cannot be written: nothing is lost, and nothing half written."""

from __future__ import annotations

import json
import os
import random
import resource
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import knightstour as kt

pytestmark = [pytest.mark.processes, pytest.mark.skipif(os.name == "nt", reason="signals and limits of POSIX")]

KILLS = 6


def start(*words: str, limit: Callable[[], None] | None = None, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "knightstour", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=limit,
        env={**os.environ, **env},
    )


def killed(process: subprocess.Popen[str], seconds: float) -> bool:
    """Kill a process after a time; whether it had not ended by itself."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=300)
    return process.returncode, out, err


def file_limit(size: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


CENSUS = ("census", "6x6", "--closed", "--by", "turns", "--json")


def values_of(text: str) -> object:
    return {key: value for key, value in json.loads(text).items() if key not in ("seconds", "route")}


def test_a_census_killed_at_any_moment_goes_on(tmp_path: Path) -> None:
    whole = values_of(ended(start(*CENSUS, "--checkpoint", str(tmp_path / "whole.json")))[1])
    path, chance = tmp_path / "census.json", random.Random(3)
    kills = 0
    for _ in range(KILLS):
        words: list[str] = []
        kills += killed(start(*CENSUS, "--checkpoint", str(path), *words), chance.uniform(0.2, 1.2))
        assert not path.exists() or json.loads(path.read_text())["checksum"]
    code, out, err = ended(
        start(
            *CENSUS,
            "--checkpoint",
            str(path),
        )
    )
    assert kills and code == 0, err
    assert values_of(out) == whole


def test_a_census_goes_on_after_a_full_disk(tmp_path: Path) -> None:
    whole = values_of(ended(start(*CENSUS, "--checkpoint", str(tmp_path / "whole.json")))[1])
    path = tmp_path / "census.json"
    code, _, err = ended(start(*CENSUS, "--checkpoint", str(path), limit=file_limit(300)))
    assert code == 2 and "Traceback" not in err and err.startswith("error: ")
    assert not path.exists() and not list(tmp_path.glob(".census*"))
    code, out, err = ended(start(*CENSUS, "--checkpoint", str(path)))
    assert code == 0 and values_of(out) == whole


FILES = {
    "a giant tour": (("solve", "3000x3000"), "giant.npy", lambda path: np.load(path).shape == (1, 3000, 3000)),
    "many tours": (
        ("sample", "8x8", "-n", "100000", "--seed", "1"),
        "many.npy",
        lambda path: len(np.load(path)) == 100_000,
    ),
    "a sheet": (
        ("puzzle", "6x6", "-n", "6", "--seed", "1", "--sheet"),
        "sheet.pdf",
        lambda path: path.read_bytes()[-6:].strip() == b"%%EOF",
    ),
}


@pytest.mark.parametrize("what", FILES)
def test_a_file_is_there_whole_or_not_at_all_whenever_its_writer_is_killed(what: str, tmp_path: Path) -> None:
    words, name, is_whole = FILES[what]
    path, chance = tmp_path / name, random.Random(5)
    words = (*words, str(path)) if words[-1] == "--sheet" else (*words, "-o", str(path))
    begin = time.monotonic()
    code, _, err = ended(start(*words))
    took = time.monotonic() - begin
    assert code == 0 and is_whole(path), err
    path.unlink()
    for _ in range(KILLS):
        killed(start(*words), chance.uniform(0.1, took))
        assert not path.exists() or is_whole(path)
        path.unlink(missing_ok=True)
    # What a killed writer left is swept when it has been left for long, and disturbs nobody meanwhile.
    for left in tmp_path.glob(".*.part"):
        os.utime(left, (1, 1))
    code, _, err = ended(start(*words))
    assert code == 0 and is_whole(path), err
    assert [entry.name for entry in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("what", FILES)
def test_a_full_disk_is_one_error_and_leaves_the_old_file(what: str, tmp_path: Path) -> None:
    words, name, _ = FILES[what]
    path = tmp_path / name
    path.write_bytes(b"old")
    words = (*words, str(path)) if words[-1] == "--sheet" else (*words, "-o", str(path))
    code, _, err = ended(start(*words, "--force", limit=file_limit(3000)))
    assert code == 2 and "make room there" in err and "Traceback" not in err, err
    assert path.read_bytes() == b"old" and [entry.name for entry in tmp_path.iterdir()] == [name]


def test_a_count_goes_on_after_a_full_disk(tmp_path: Path) -> None:
    words = ("count", "6x7", "--closed", "--checkpoint", str(tmp_path / "layers"))
    code, _, err = ended(start(*words, limit=file_limit(20_000)))
    assert code == 2 and "Traceback" not in err and "error: " in err, err
    resumed: tuple[str, ...] = ()
    code, out, err = ended(start(*words, *resumed))
    assert code == 0 and out.strip().replace(",", "") == "1067638", err


@pytest.mark.parametrize(
    "words",
    [
        ("count", "8x8"),
        ("sample", "8x8", "-n", "1000000000", "--format", "npy", "-o", "x.npy"),
        ("solve", "9000x9000", "-o", "x.npy"),
    ],
    ids=" ".join,
)
def test_little_memory_is_one_error(words: tuple[str, ...], tmp_path: Path) -> None:
    most = 2 << 30

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (most, most))
        os.chdir(tmp_path)

    code, _, err = ended(start(*words, "--timeout", "5", limit=limit, OMP_NUM_THREADS="1", NUMBA_NUM_THREADS="2"))
    assert code in (0, 2, 3) and "Traceback" not in err, err


def test_an_installation_that_nobody_may_write_to_answers(tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("for root no folder is closed")
    package = tmp_path / "site" / "knightstour"
    shutil.copytree(Path(kt.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder, _, _ in os.walk(tmp_path / "site"):
        os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
    code, out, err = ended(start("count", "6x6", "--closed", PYTHONPATH=str(tmp_path / "site"), HOME="/nowhere"))
    for folder, _, _ in os.walk(tmp_path / "site"):
        os.chmod(folder, stat.S_IRWXU)
    assert code == 0 and out.strip().replace(",", "") == "9862", err
