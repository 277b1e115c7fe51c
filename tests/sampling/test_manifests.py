"""Tests of manifests of data sets: faults of files are reported, and invalid manifests are rejected."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import knightstour as kt
from knightstour.core.machine.records import write_record
from knightstour.core.model.errors import FormatError
from knightstour.lab.sampling.datasets.manifest import MANIFEST, fault_of, read_manifest, write_part


def test_error_explains_the_fault_in_a_file(tmp_path: Path) -> None:
    plan = kt.datasets.sample_dataset(tmp_path / "set", "5x6", 3, closed=True, seed=1).plan
    part = write_part(tmp_path, plan, 0, b"tours", 1)
    assert fault_of(str(tmp_path), part) == ""
    (tmp_path / part.file).write_bytes(b"tourz")
    assert "checksum" in fault_of(str(tmp_path), part)
    (tmp_path / part.file).write_bytes(b"tour")
    assert "4 bytes instead of 5" in fault_of(str(tmp_path), part)
    (tmp_path / part.file).unlink()
    assert fault_of(str(tmp_path), part) == "is missing"


MISTAKES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a key lacks": lambda data: data.pop("parts"),
    "no list": lambda data: data.update(parts=7),
    "no record": lambda data: data.update(parts=["x"]),
    "a part lacks a key": lambda data: data["parts"][0].pop("sha256"),
    "no board": lambda data: data.update(board="6x6"),
    "another folder": lambda data: data["parts"][0].update(file="../x"),
    "any folder": lambda data: data["parts"][0].update(file="/etc/passwd"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_rejects_invalid_manifest_regardless_of_checksum(mistake: str, tmp_path: Path) -> None:
    kt.datasets.sample_dataset(tmp_path / "set", "5x6", 3, closed=True, seed=1)
    path = tmp_path / "set" / MANIFEST
    data = json.loads(path.read_text())
    del data["checksum"]
    MISTAKES[mistake](data)
    write_record(path, data)
    with pytest.raises(FormatError, match=r"not a manifest of a data set|has no entry 'x'"):
        read_manifest(tmp_path / "set")


def test_manifest_of_brackets_is_not_json(tmp_path: Path) -> None:
    (tmp_path / MANIFEST).write_text("[" * 200_000)
    with pytest.raises(FormatError, match="is damaged: it is nested too deeply"):
        read_manifest(tmp_path)
