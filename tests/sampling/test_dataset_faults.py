"""Tests of real faults: killed processes, full disks, damaged files; no tour is lost or drawn twice."""

import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import knightstour as kt
from helpers.damage import DAMAGES, wait_until
from helpers.digests import digests
from helpers.processes import children, running
from knightstour.core.model.errors import FormatError
from knightstour.lab.sampling.datasets import parts
from knightstour.lab.sampling.datasets.manifest import MANIFEST

pytestmark = pytest.mark.processes

SIX = {"board": "6x6", "n": 5000, "closed": True, "seed": 3, "part_tours": 4096}
# Some seconds of work in a few dozen pieces.
MANY = {"board": "8x8", "n": 160_000, "closed": True, "seed": 5, "part_tours": 4096}


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return digests(kt.datasets.sample_dataset(tmp_path_factory.mktemp("sets") / "six", **SIX).path)


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return digests(kt.datasets.sample_dataset(tmp_path_factory.mktemp("sets") / "many", **MANY).path)


def command(folder: Path, *more: str) -> list[str]:
    """Return the command that draws MANY."""
    words = ["sample", "8x8", "-n", "160000", "--closed", "--seed", "5", "--part-tours", "4096"]
    return [sys.executable, "-m", "knightstour", *words, "-o", f"{folder}/", *more]


def start(folder: Path, *more: str, most_bytes: int | None = None) -> subprocess.Popen[str]:
    def limit() -> None:
        if most_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))

    return subprocess.Popen(
        command(folder, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=limit
    )


def ended(process: subprocess.Popen[str]) -> str:
    """Return the output of a successful process."""
    out, err = process.communicate(timeout=1200)
    assert process.returncode == 0, err
    return out + err


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("part_format", ["parquet", "npy"])
def test_damaged_parts_are_reported_and_created_again(part_format: str, damage: str, tmp_path: Path) -> None:
    question = {**SIX, "n": 8192, "part_format": part_format}
    dataset = kt.datasets.sample_dataset(tmp_path / "set", **question)
    whole = digests(dataset.path)
    victims = [Path(dataset.files[k]) for k in (0, len(dataset.files) - 1)]
    for victim in victims:
        DAMAGES[damage](victim)
    report = kt.datasets.check_dataset(dataset.path)
    assert [fault.split()[0] for fault in report.faults] == [victim.name for victim in victims]
    if damage == "flipped" and part_format == "npy":
        pass  # NumPy knows no checksums; check_dataset found it.
    elif damage == "flipped":
        with pytest.raises(FormatError, match="is damaged"):
            list(kt.datasets.read_dataset(dataset.path).orders())
    else:
        with pytest.raises(FormatError, match=victims[0].name):
            kt.datasets.read_dataset(dataset.path)
    notes: list[str] = []
    kt.datasets.sample_dataset(dataset.path, **question, on_note=notes.append)
    assert [note.split()[0] for note in notes] == [victim.name for victim in victims]
    assert digests(dataset.path) == whole


@pytest.mark.parametrize("damage", sorted(DAMAGES.keys() - {"missing"}))
def test_data_set_with_damaged_manifest_is_created_again(damage: str, six: dict[str, str], tmp_path: Path) -> None:
    kt.datasets.sample_dataset(tmp_path / "set", **SIX)
    DAMAGES[damage](tmp_path / "set" / MANIFEST)
    kt.datasets.sample_dataset(tmp_path / "set", **SIX)
    assert digests(tmp_path / "set") == six


class Stop(Exception):
    """Interrupts the work."""


def test_finished_parts_of_an_unfinished_data_set_can_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = parts.make_part

    def stopped(*arguments: object) -> object:
        if arguments[2] == 2:
            raise Stop
        return made(*arguments)

    monkeypatch.setattr(parts, "make_part", stopped)
    question = {**SIX, "n": 12_000}
    with pytest.raises(Stop):
        kt.datasets.sample_dataset(tmp_path / "set", **question)
    some = kt.datasets.read_dataset(tmp_path / "set", partial=True)
    assert len(some) == len(list(some)) == 8192
    assert not kt.datasets.check_dataset(tmp_path / "set").is_valid


def test_only_one_process_writes_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = parts.make_part

    def disturbed(*arguments: object) -> object:
        with pytest.raises(BlockingIOError, match="another process"):
            kt.datasets.sample_dataset(tmp_path / "set", **SIX)
        return made(*arguments)

    monkeypatch.setattr(parts, "make_part", disturbed)
    kt.datasets.sample_dataset(tmp_path / "set", **SIX)


# ---------------------------------------------------------------- with processes


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_a_run_may_be_killed_at_any_moment(seed: int, many: dict[str, str], tmp_path: Path) -> None:
    chance = random.Random(seed)
    folder = tmp_path / "set"
    kills = 0
    for _ in range(8):
        known = digests(folder) if folder.exists() else {}
        process = start(folder, "--workers", "2")
        is_working = wait_until(lambda known=known: folder.exists() and digests_now(folder) != set(known), process)
        if not is_working:
            ended(process)
            break
        if kills:
            time.sleep(chance.random() * 1.5)
        mine = children(process.pid)
        process.kill()
        process.communicate()
        kills += process.returncode == -signal.SIGKILL
        wait_until(lambda mine=mine: not set(mine) & set(running()))
    ended(start(folder, "--workers", "2"))
    assert kills
    assert digests(folder) == many


def digests_now(folder: Path) -> set[str]:
    """Return the names of existing files while others are written."""
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if not file.name.startswith(".")}


@pytest.mark.slow
def test_full_disk_in_a_worker_is_an_error(many: dict[str, str], tmp_path: Path) -> None:
    folder = tmp_path / "set"
    process = start(folder, "--workers", "2", most_bytes=100_000)
    _, err = process.communicate(timeout=1200)
    assert process.returncode == 2
    assert "File too large" in err and "Traceback" not in err
    ended(start(folder, "--workers", "2"))
    assert digests(folder) == many
