"""Tests of malicious files: each is rejected immediately, with one error."""

import io
import json
import os
import struct
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import Run
from knightstour.core.model.errors import FormatError

HEADS = ["(1e999,)", "(1, 1e999)", "(-1, 3)", "(True, 3)", "(4611686018427387904, 4)", "('a',)", "((1,),)", "(" * 90]


def npy(shape: str, descr: str = "'<i4'") -> bytes:
    head = f"{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes(100)


@pytest.mark.parametrize("shape", HEADS)
def test_heads_of_arrays_that_mean_nothing(shape: str, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(npy(shape))
    for ask in (kt.read_tours, kt.check, lambda file: kt.check(file, board="5x5")):
        with pytest.raises(FormatError, match="npy"):
            ask(path)
    with pytest.raises(FormatError, match="npy"):
        kt.read_tours(io.BytesIO(npy(shape)))
    code, _, err = run("check", str(path))
    assert code == 2 and "npy" in err


@pytest.mark.parametrize("shape", ["(0, 25)", "(0, 0)", "(1, 0)", "(0, 5, 5)", "(3, 0, 5)", "()"])
def test_arrays_without_numbers_hold_no_tours(shape: str, tmp_path: Path) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(npy(shape))
    for ask in (kt.read_tours, kt.check, lambda file: kt.check(file, board="5x5")):
        try:
            found = ask(path)
        except FormatError as error:
            assert "holds no tours" in str(error)
        else:
            assert shape.startswith("(0") and not (
                found.tour_count if isinstance(found, kt.typing.CheckReport) else found
            )


@pytest.mark.long
def test_rejects_array_with_wrong_packing_before_allocating(tmp_path: Path) -> None:
    path = tmp_path / "bomb.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("order.npy", "w") as file:
        file.write(npy("(12000000, 25)")[:-100])
        for _ in range(150):
            file.write(bytes(1_000_000))
    for ask in (kt.read_tours, lambda file: kt.check(file, board="5x5")):
        with pytest.raises(FormatError, match=r"would fill 150 MB from 14. kB, which is impossible for tours"):
            ask(path)


def test_tours_that_are_packed_are_read(tmp_path: Path) -> None:
    orders = kt.sample("6x6", 3000, closed=True, seed=1).orders
    np.savez_compressed(tmp_path / "x.npz", order=orders.astype(np.int64))
    assert len(kt.read_tours(tmp_path / "x.npz", board="6x6")) == 3000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
@pytest.mark.parametrize(
    ("name", "ask"),
    [
        ("_manifest.json", kt.datasets.read_dataset),
        ("_manifest.json", kt.datasets.check_dataset),
        ("part-000000.parquet", kt.datasets.check_dataset),
        ("space", lambda folder: kt.TourSpace.open(folder / "space")),
        ("terms.json", lambda folder: kt.sequences.check("A001230", checkpoint=folder)),
    ],
)
def test_pipe_instead_of_a_file_does_not_block(name: str, ask: Any, tmp_path: Path) -> None:
    if name.startswith("part"):
        kt.datasets.sample_dataset(tmp_path, "5x6", 30, closed=True, seed=1)
        (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    if name.startswith("part"):
        assert ask(tmp_path).faults == (f"{name} cannot be read: not a regular file",)
        return
    with pytest.raises(OSError, match="not a regular file"):
        ask(tmp_path)


TOUR = json.loads(kt.find_tour("5x5", seed=1).to_text("json"))
PUZZLE = {"board": "3x4", "given": {"a3": 1}}
CERTIFICATE = dict(kt.solve((3, 3), closed=True).certificate().record)
READERS = {
    "a tour": (TOUR, lambda text: kt.parse_tours(text, "json")),
    "a puzzle": (PUZZLE, kt.Puzzle.from_text),
    "a certificate": (CERTIFICATE, lambda text: kt.certificates.verify(io.BytesIO(text.encode()))),
}
INNER = {"a tour": None, "a puzzle": "given", "a certificate": "board"}


@pytest.mark.parametrize("what", READERS)
def test_duplicate_and_unknown_keys_are_named(what: str) -> None:
    record, read = READERS[what]
    text = json.dumps(record)
    read(text)
    key = next(iter(record))
    for spoilt, named in (
        (f'{{"{key}": 1, {text[1:]}', f"the key '{key}' comes twice"),
        (json.dumps({**record, "Given": 1}), "no entry 'Given'"),
        (json.dumps({**record, "x": float("nan")}), "invalid number: NaN"),
        (json.dumps({**record, "x": 0}).replace('"x": 0', '"x": 1e999'), "1e999 is too large"),
        (json.dumps({**record, "x": 0}).replace('"x": 0', '"x": ' + "9" * 5000), "more than 4,300 digits"),
        (json.dumps({**record, "x": 0}).replace('"x": 0', '"x": ' + "[" * 100_000), "deeply|early|no JSON"),
    ):
        with pytest.raises(FormatError, match=named):
            read(spoilt)
    inner = INNER[what]
    if inner is not None:
        first = next(iter(record[inner]))
        spoilt = text.replace(f'"{inner}": {{', f'"{inner}": {{"{first}": 2, ')
        with pytest.raises(FormatError, match=f"the key '{first}' comes twice"):
            read(spoilt)


def test_boards_within_records_have_no_unknown_entries() -> None:
    for text, read in (
        (json.dumps({**TOUR, "Wrap": "torus"}), lambda text: kt.parse_tours(text, "json")),
        (json.dumps({"board": {"rows": 3, "cols": 4, "Wrap": "torus"}, "given": {}}), kt.Puzzle.from_text),
    ):
        with pytest.raises(FormatError, match="no entry 'Wrap'; did you mean 'wrap'"):
            read(text)


@pytest.mark.parametrize(
    ("part", "slip", "named"),
    [
        (("board",), "Holes", "did you mean 'holes'"),
        (("proof",), "step", "did you mean 'steps'"),
        (("proof", "steps", 0), "remove", "did you mean 'removed'"),
        ((), "count", "no entry 'count'"),
    ],
)
def test_each_certificate_part_has_exactly_its_entries(part: tuple[Any, ...], slip: str, named: str) -> None:
    record = json.loads(json.dumps(CERTIFICATE))
    place = record
    for key in part:
        place = place[key]
    place[slip] = []
    with pytest.raises(FormatError, match=named):
        kt.certificates.verify(record)
