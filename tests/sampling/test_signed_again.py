"""A manifest that somebody has changed and signed again: what can be made again is, and the rest is called claimed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from knightstour.core.model.errors import FormatError
from knightstour.lab.sampling.datasets import manifest, redrawn
from knightstour.lab.sampling.datasets.manifest import MANIFEST

pytestmark = pytest.mark.processes


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    kt.datasets.sample_dataset(tmp_path / "set", "6x6", 5000, closed=True, rng=3, part_tours=4096)
    assert kt.datasets.check_dataset(tmp_path / "set").is_valid
    return tmp_path / "set"


def sign_again(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    data = json.loads((folder / MANIFEST).read_text())
    del data["checksum"]
    change(data)
    (folder / MANIFEST).write_text(json.dumps({**data, "checksum": manifest._checksum(data)}))


CHANGES: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "the seed": (lambda data: data.update(seed=4), "seed is 3, and the manifest says 4"),
    "the distribution": (
        lambda data: data.update(law="warnsdorff", parameters={}),
        "law is backbite, and the manifest says",
    ),
    "no distribution": (
        lambda data: data.update(law="magic", parameters={}),
        "law is backbite, and the manifest says magic",
    ),
    "its parameters": (
        lambda data: data["parameters"].update(every=data["parameters"]["every"] + 1),
        "is not what distribution backbite draws from seed 3",
    ),
    "the tours asked for": (lambda data: data.update(asked=6000), "said to be finished, with 5,000 of 6,000 tours"),
    "the first draw": (lambda data: data["parts"][1].update(first=0), "begins with draw 4,096"),
    "a number": (lambda data: data["parts"][1].update(number=2), "is named as part 2"),
    "the draws": (lambda data: data["parts"][0].update(draws=9000), "cannot have 4,096 tours of 9,000 draws"),
    "the repeats": (lambda data: data["parts"][0].update(dropped="!"), "repeats that cannot be read"),
    "unique": (lambda data: data.update(unique=True, parts=data["parts"]), ""),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_manifest_signed_again_is_found_out(change: str, folder: Path) -> None:
    make, said = CHANGES[change]
    sign_again(folder, make)
    report = kt.datasets.check_dataset(folder)
    if change == "unique":
        assert report.is_valid or "came before" in report.faults[0]
        return
    assert any(said in fault for fault in report.faults), report.faults


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: data.update(tours=7), "says 7 tours, and its parts have 5,000"),
        (lambda data: data["parts"].append(data["parts"][0]), "part 0 comes twice"),
        (lambda data: data["parts"][0].update(file="part-0\0.parquet"), "is no file of its directory"),
        (lambda data: data["parts"][0].update(rows="many"), "must be a whole number"),
        (lambda data: data.update(Law="uniform"), "no entry 'Law'; did you mean 'law'"),
    ],
)
def test_a_manifest_against_itself_is_none(change: Callable[[dict[str, Any]], object], said: str, folder: Path) -> None:
    sign_again(folder, change)
    for ask in (kt.datasets.check_dataset, kt.datasets.read_dataset):
        with pytest.raises(FormatError, match=said):
            ask(folder)


def test_a_part_under_two_numbers_is_found(folder: Path) -> None:
    (folder / "part-000001.parquet").write_bytes((folder / "part-000000.parquet").read_bytes())
    first = json.loads((folder / MANIFEST).read_text())["parts"][0]
    twice = {**first, "file": "part-000001.parquet", "number": 1, "first": 4096}
    sign_again(folder, lambda data: data.update(parts=[first, twice], tours=8192, asked=8192))
    faults = kt.datasets.check_dataset(folder).faults
    assert "part-000001.parquet is the same as part-000000.parquet" in faults
    assert any("is not what distribution backbite draws" in fault for fault in faults)


def test_a_repeat_among_tours_that_should_differ_is_found(tmp_path: Path) -> None:
    kt.datasets.sample_dataset(tmp_path / "set", "5x6", 400, closed=True, rng=3)
    sign_again(tmp_path / "set", lambda data: data.update(unique=True))
    assert any("is a tour that came before" in fault for fault in kt.datasets.check_dataset(tmp_path / "set").faults)


def test_what_is_not_made_again_is_called_claimed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (claim,) = kt.datasets.check_dataset(folder).claimed
    assert claim == "that distribution backbite and seed 3 give more than the first 100 draws of each part"
    sign_again(folder, lambda data: data.update(version="0.0.1"))
    report = kt.datasets.check_dataset(folder)
    assert report.is_valid and report.claimed == ("distribution backbite and seed 3 (drawn by version 0.0.1)",)
    assert report.to_text().endswith("\nclaimed: distribution backbite and seed 3 (drawn by version 0.0.1)")
    assert report.to_dict()["claimed"] == list(report.claimed)
    kt.datasets.sample_dataset(folder.parent / "few", "6x6", 100, closed=True, unique=True, rng=1)
    assert kt.datasets.check_dataset(folder.parent / "few").claimed == () or redrawn.MOST_COMPARED > 100
    monkeypatch.setattr(redrawn, "MOST_COMPARED", 10)
    assert "no tour comes twice" in kt.datasets.check_dataset(folder.parent / "few").claimed[-1]


def test_a_distribution_that_takes_for_ever_is_given_up(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redrawn, "_SECONDS", 0.3)
    sign_again(folder, lambda data: data["parameters"].update(every=10**9))
    assert "cannot be drawn again within 0.3 seconds" in kt.datasets.check_dataset(folder).faults[0]
