"""Tests of checks of parts of a data set: columns, tours, files, and repeated tours."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import knightstour as kt
from knightstour.core.checking.reports import closed_rows
from knightstour.core.machine.calls import installed_version
from knightstour.core.model.board import Board
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.lab.sampling.datasets import checking, parts
from knightstour.lab.sampling.datasets.checking import DataSetReport, PartReport, check_part
from knightstour.lab.sampling.datasets.manifest import Manifest, Part, Plan, write_part
from knightstour.lab.sampling.question import SampleQuestion
from knightstour.lab.sampling.stream import Stream

COLUMNS = ("turns", "crossings", "angle-90", "angle-143")
PROBLEM = Problem((5, 6))
SIZE, ROWS = 4096, 200
NAMES = ("part-000000.parquet", "part-000001.parquet")


def plan_of(columns: tuple[str, ...] = COLUMNS, **changes: Any) -> Plan:
    parameters = dict(Stream(SampleQuestion(PROBLEM, 1, seed=3), threads=1).distribution.parameters)
    return replace(Plan(PROBLEM, "backbite", parameters, 3, columns, SIZE, "parquet"), **changes)


PLAN = plan_of()
ORDERS = parts.draw(PLAN, 0, ROWS, 1)
TABLE = parts.table_of(PLAN, ORDERS, installed_version())
CLOSED = int(closed_rows(PROBLEM.board, ORDERS).sum())


def written(folder: Path, table: pa.Table, number: int = 0, rows: int | None = None) -> Part:
    return write_part(folder, PLAN, number, parts.parquet_bytes(table), len(table) if rows is None else rows)


def with_value(table: pa.Table, name: str, row: int, value: object) -> pa.Table:
    values = table.column(name).to_pylist()
    values[row] = value
    column = pa.array(values, table.schema.field(name).type)
    return table.set_column(table.schema.get_field_index(name), name, column)


@pytest.mark.parametrize("columns", [COLUMNS, (), ("turns",), ("angle-143",)], ids=str)
def test_a_sound_part(columns: tuple[str, ...], tmp_path: Path) -> None:
    assert 0 < CLOSED < ROWS
    plan = plan_of(columns)
    part = written(tmp_path, parts.table_of(plan, ORDERS, installed_version()))
    assert check_part(str(tmp_path), plan, part) == PartReport(NAMES[0], ROWS, CLOSED, "")
    if columns:
        part = written(tmp_path, TABLE.drop_columns(list(columns)))
        assert check_part(str(tmp_path), plan, part).fault.startswith("cannot be read: ")


WRONG = {
    "turns": (0, "turns is 0, but should be {}"),
    "crossings": (1, "crossings is 1, but should be {}"),
    "angle-90": (77, "angle-90 is 77, but should be {}"),
    "angle-143": (77, "angle-143 is 77, but should be {}"),
}


@pytest.mark.parametrize("at_once", [64, 1 << 16])
@pytest.mark.parametrize("name", WRONG)
def test_error_names_the_row_of_a_wrong_value(
    name: str, at_once: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checking, "_ROWS_AT_ONCE", at_once)
    value, said = WRONG[name]
    right = TABLE.column(name).to_pylist()
    part = written(tmp_path, with_value(with_value(TABLE, name, 150, value), name, 151, value))
    fault = f"is wrong: row 150: {said.format(right[150])}"
    assert check_part(str(tmp_path), PLAN, part) == PartReport(NAMES[0], 0, 0, fault)


def test_error_names_the_invalid_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "_ROWS_AT_ONCE", 64)
    moves = TABLE.column("moves").to_pylist()
    part = written(tmp_path, with_value(TABLE, "moves", 150, bytes([moves[150][0] ^ 32, *moves[150][1:]])))
    fault = check_part(str(tmp_path), PLAN, part).fault
    assert fault.startswith("is wrong: from row 128 on: row 22 "), fault
    other = Problem((5, 6), start="a1")
    fault = check_part(str(tmp_path), replace(PLAN, problem=other), written(tmp_path, TABLE)).fault
    assert fault.startswith("is wrong: row 0 is not "), fault


def test_check_reports_changed_files(tmp_path: Path) -> None:
    part = written(tmp_path, TABLE)
    path = tmp_path / NAMES[0]
    data = path.read_bytes()
    path.write_bytes(data[:-1])
    said = f"has {len(data) - 1:,} bytes instead of {len(data):,}"
    assert check_part(str(tmp_path), PLAN, part) == PartReport(NAMES[0], 0, 0, said)
    path.unlink()
    assert check_part(str(tmp_path), PLAN, part) == PartReport(NAMES[0], 0, 0, "is missing")
    part = write_part(tmp_path, PLAN, 0, b"no Parquet\nat all", ROWS)
    report = check_part(str(tmp_path), PLAN, part)
    assert "is damaged" in report.fault and report[:3] == (NAMES[0], 0, 0)
    # Its end says how long the description before it is.
    part = write_part(tmp_path, PLAN, 0, data[:-1008] + bytes([255]) * 1000 + data[-8:], ROWS)
    assert "is damaged" in check_part(str(tmp_path), PLAN, part).fault


def test_part_has_as_many_tours_as_stated(tmp_path: Path) -> None:
    part = written(tmp_path, TABLE, rows=ROWS + 1)
    report = check_part(str(tmp_path), PLAN, part)
    assert report == PartReport(NAMES[0], 0, 0, "has 200 tours instead of 201")


# ---------------------------------------------------------------- whole data sets


def data_set(folder: Path, *tables: pa.Table, **changes: Any) -> Manifest:
    """Return a data set of these parts."""
    folder.mkdir(exist_ok=True)
    made = {k: written(folder, table, k) for k, table in enumerate(tables)}
    asked = sum(map(len, tables))
    found = replace(
        Manifest(replace(PLAN, part_tours=len(tables[0])), asked, "0.0.1", made, is_complete=True), **changes
    )
    found.save(folder)
    return found


HALF, REST = TABLE.slice(0, 120).combine_chunks(), TABLE.slice(120).combine_chunks()


def test_report_is_complete_in_words_and_json(tmp_path: Path) -> None:
    data_set(tmp_path / "set", HALF, REST)
    seen: list[Any] = []
    report = kt.datasets.check_dataset(tmp_path / "set", on_progress=seen.append)
    assert (report.tour_count, report.closed_count, report.part_count, report.faults) == (ROWS, CLOSED, 2, ())
    assert report.is_valid
    assert report.to_text() == f"200 tours of the 5x6 board in 2 parts, all valid; {CLOSED} closed"
    assert report.to_dict() == {"valid": True, "board": "5x6", "tours": 200, "closed": CLOSED, "parts": 2, "faults": []}
    assert [(step.stage, step.done, step.total) for step in seen] == [
        ("checking tours", done, ROWS) for done in (0, 120, 200)
    ]
    large = DataSetReport(Board(5, 6), 1_200_000, 3_400, 1_001, ("one", "two"))
    assert large.to_text() == "one\ntwo\n1,200,000 tours of the 5x6 board in 1,001 parts, faults: 2; 3,400 closed"
    assert not large.is_valid and large.to_dict()["faults"] == ["one", "two"]
    assert (
        DataSetReport(Board(5, 6), 5, 3, 1, ()).to_text() == "5 tours of the 5x6 board in 1 part, all valid; 3 closed"
    )


def test_tours_of_damaged_parts_do_not_count(tmp_path: Path) -> None:
    spoilt = with_value(HALF, "turns", 5, 0)
    data_set(tmp_path / "set", spoilt, REST)
    (tmp_path / "set" / "part-z.parquet").write_bytes(b"")
    (tmp_path / "set" / "part-a.npy").write_bytes(b"")
    seen: list[Any] = []
    report = kt.datasets.check_dataset(tmp_path / "set", on_progress=seen.append)
    turns = HALF.column("turns")[5]
    assert report.faults == (
        "part-a.npy is not in the manifest",
        "part-z.parquet is not in the manifest",
        f"{NAMES[0]} is wrong: row 5: turns is 0, but should be {turns}",
    )
    assert report.to_text().splitlines()[:3] == list(report.faults)
    closed = int(closed_rows(PROBLEM.board, ORDERS[120:]).sum())
    assert (report.tour_count, report.closed_count, report.part_count) == (80, closed, 2)
    assert [step.done for step in seen] == [0, 120, 200]


def test_unfinished_data_set_ignores_other_files(tmp_path: Path) -> None:
    data_set(tmp_path / "set", HALF, wanted=1300, is_complete=False)
    (tmp_path / "set" / "part-000009.parquet").write_bytes(b"")
    report = kt.datasets.check_dataset(tmp_path / "set")
    assert report.faults == ("unfinished: 120 of 1,300 tours",) and report.tour_count == 120


def test_missing_data_set_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not a data set"):
        kt.datasets.check_dataset(tmp_path)
