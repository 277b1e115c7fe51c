"""Tests of kills, full disks, low memory and read-only folders: no lost data, and no partial files."""

import ctypes
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
    """Kill a process after a time; return whether it was still running."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
    process.communicate()
    return process.returncode == -signal.SIGKILL


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    out, err = process.communicate(timeout=1200)
    return process.returncode, out, err


def file_limit(size: int) -> Callable[[], None]:
    def limit() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


MANY = ("sample", "8x8", "-n", "100000", "--seed", "1", "-o")


def is_whole(path: Path) -> bool:
    return len(np.load(path)) == 100_000


def test_killed_writer_leaves_a_whole_file_or_none(tmp_path: Path) -> None:
    path, chance = tmp_path / "many.npy", random.Random(5)
    words = (*MANY, str(path))
    begin = time.monotonic()
    code, _, err = ended(start(*words))
    took = time.monotonic() - begin
    assert code == 0 and is_whole(path), err
    path.unlink()
    for _ in range(KILLS):
        killed(start(*words), chance.uniform(0.1, took))
        assert not path.exists() or is_whole(path)
        path.unlink(missing_ok=True)
    # Files of a killed writer are deleted after some time, and are ignored until then.
    for left in tmp_path.glob(".*.part"):
        os.utime(left, (1, 1))
    code, _, err = ended(start(*words))
    assert code == 0 and is_whole(path), err
    assert list(tmp_path.iterdir()) == [path]


def test_full_disk_is_one_error_and_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "many.npy"
    path.write_bytes(b"old")
    code, _, err = ended(start(*MANY, str(path), limit=file_limit(3000)))
    assert code == 2 and "make room there" in err and "Traceback" not in err, err
    assert path.read_bytes() == b"old" and list(tmp_path.iterdir()) == [path]


def test_a_count_goes_on_after_a_full_disk(tmp_path: Path) -> None:
    words = ("count", "6x7", "--closed", "--checkpoint", str(tmp_path / "layers"))
    code, _, err = ended(start(*words, limit=file_limit(20_000)))
    assert code == 2 and "Traceback" not in err and "error: " in err, err
    code, out, err = ended(start(*words))
    assert code == 0 and out.strip().replace(",", "") == "1067638", err


# Without threads of its own: where the system gives no memory for one, Python itself may wait for it for ever.
# A process of its own does a small piece of work, and then may take some MB more and no byte beyond.
RUNS_OUT = """
import contextlib, io, resource, sys
from knightstour.interfaces.cli import app
at = sys.argv.index("--")
small, words = sys.argv[2:at], sys.argv[at + 1:]
nowhere = io.StringIO()
with contextlib.suppress(SystemExit), contextlib.redirect_stdout(nowhere), contextlib.redirect_stderr(nowhere):
    app.main(small)
with open("/proc/self/status", encoding="ascii") as file:
    taken = next(int(line.split()[1]) * 1024 for line in file if line.startswith("VmSize:"))
most = taken + int(sys.argv[1]) * 1_000_000
resource.setrlimit(resource.RLIMIT_AS, (most, most))
app.main(words)
"""
OUT_OF_MEMORY = {
    "count": (
        ("count", "5x6", "--closed", "--checkpoint", "small", "--workers", "1"),
        ("count", "8x8", "--closed", "--checkpoint", "work", "--workers", "1"),
    ),
    "planned": (("count", "5x6", "--closed", "--workers", "1"), ("count", "8x8:-a1,a8", "--closed", "--workers", "1")),
    "space": (("unrank", "5x6", "--closed", "1"), ("unrank", "6x6", "5")),
    "tour": (("solve", "50x50"), ("solve", "4000x4000", "-o", "work.npy")),
}


MUCH = ("--memory", "8GB")


def run_out(what: str, megabytes: int, folder: Path, *more: str) -> tuple[int, str, str]:
    small, words = OUT_OF_MEMORY[what]
    driver = [sys.executable, "-c", RUNS_OUT, str(megabytes), *small, "--", *words, *more]
    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "XDG_CACHE_HOME": str(folder / "cache")}
    ran = subprocess.run(driver, capture_output=True, text=True, cwd=folder, env=env, timeout=1200)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="what a process has taken is read from /proc")
@pytest.mark.parametrize("what", ["count", "space", "tour"])
def test_exhausted_memory_is_one_error(what: str, tmp_path: Path) -> None:
    # The work believes that there is enough of it.
    megabytes, more = {"count": (100, MUCH), "space": (40, ()), "tour": (30, ())}[what]
    code, out, err = run_out(what, megabytes, tmp_path, *more)
    errors = [line for line in err.splitlines() if not line.startswith("note: ")]
    assert (code, out, errors[:1]) == (2, "", ["error: there is not enough memory for this"]), err
    assert len(errors) == 1 and not [path for path in tmp_path.rglob("*") if path.name == "work.npy"]


def test_a_count_goes_on_after_memory_ran_out(tmp_path: Path) -> None:
    code, _, err = run_out("count", 100, tmp_path, *MUCH)
    assert code == 2 and (tmp_path / "work").is_dir(), err
    words = ("count", "8x8", "--closed", "--checkpoint", str(tmp_path / "work"))
    code, out, err = ended(start(*words, KNIGHTSTOUR_NATIVE=""))
    assert code == 0 and out.strip().replace(",", "") == "13267364410532", err


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="what a process has taken is read from /proc")
def test_a_limit_of_addresses_is_known_before_the_work(tmp_path: Path) -> None:
    code, out, err = run_out("planned", 60, tmp_path)
    assert code == 3 and out == "" and " MB of memory may be used" in err and "error: " in err, err
    assert not (tmp_path / "work").exists()


def bound_by_modes() -> None:
    """Drop root's right to write into read-only folders."""
    if os.geteuid() == 0:
        drop_of_bounding_set, cap_dac_override = 24, 1
        assert ctypes.CDLL(None, use_errno=True).prctl(drop_of_bounding_set, cap_dac_override, 0, 0, 0) == 0


@pytest.mark.skipif(not os.path.exists("/proc/self/status"), reason="root gives up a right as Linux has it")
def test_read_only_installation_works(tmp_path: Path) -> None:
    package = tmp_path / "site" / "knightstour"
    shutil.copytree(Path(kt.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    for folder, _, _ in os.walk(tmp_path / "site"):
        os.chmod(folder, stat.S_IRUSR | stat.S_IXUSR)
    try:
        wish = [sys.executable, "-c", f"open({str(package / 'new')!r}, 'w')"]
        assert b"PermissionError" in subprocess.run(wish, preexec_fn=bound_by_modes, capture_output=True).stderr
        env = {"PYTHONPATH": str(tmp_path / "site"), "HOME": "/nowhere", "KNIGHTSTOUR_NATIVE": ""}
        code, out, err = ended(start("count", "6x6", "--closed", limit=bound_by_modes, **env))
    finally:
        for folder, _, _ in os.walk(tmp_path / "site"):
            os.chmod(folder, stat.S_IRWXU)
    assert code == 0 and out.strip().replace(",", "") == "9862", err
