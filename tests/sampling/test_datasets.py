"""Tests of data sets: tours are read as drawn, packed as documented, and faults are found."""

import errno
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers.command_line import Run
from helpers.digests import digests
from helpers.examples import examples
from knightstour import datasets
from knightstour.core.model.errors import BoardError, FormatError, ProblemError
from knightstour.core.model.graph_board import GraphBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.lab.sampling.datasets import checking, packing, parts
from knightstour.lab.sampling.datasets.manifest import MANIFEST, read_manifest, write_part
from knightstour.lab.sampling.stream import SeenKeys

SIX = {"board": "6x6", "n": 6000, "closed": True, "seed": 3, "part_tours": 4096}
ALL = ("turns", "crossings", "angle-90")


@pytest.fixture(scope="module")
def six(tmp_path_factory: pytest.TempPathFactory) -> datasets.DataSet:
    """Closed tours of 6x6, with all columns."""
    return datasets.sample_dataset(tmp_path_factory.mktemp("sets") / "six", **SIX, columns=ALL)


@pytest.mark.long
def test_a_data_set_holds_the_tours_of_the_same_sample(six: datasets.DataSet) -> None:
    same = kt.sample("6x6", 6000, closed=True, seed=3)
    assert np.array_equal(np.concatenate(list(six.orders())), same.orders) and len(six) == 6000


def unpacked(moves: bytes, start: int, said: dict[str, Any]) -> list[int]:
    """Return a tour from its bytes, as the metadata describes."""
    bits = "".join(f"{byte:08b}" for byte in moves)
    width = said["packing"]["bits"]
    rows, cols = said["board"]["rows"], said["board"]["cols"]
    row, col = divmod(start, cols)
    order = [start]
    for k in range(rows * cols - 1):
        dr, dc = said["packing"]["directions"][int(bits[k * width : (k + 1) * width], 2)]
        row, col = row + dr, col + dc
        order.append(row * cols + col)
    return order


def test_moves_are_packed_as_in_the_metadata(six: datasets.DataSet) -> None:
    table = pq.read_table(six.files[1])
    said = json.loads(table.schema.metadata[b"knightstour"])
    first = len(pq.read_table(six.files[0]))
    for k in range(0, len(table), 211):
        row = table.slice(k, 1).to_pylist()[0]
        assert unpacked(row["moves"], row["start"], said) == six[first + k].order.tolist()


BOARDS = [
    (kt.Board(5, 5), {}),
    (kt.Board(5, 6), {}),
    (kt.Board(6, 6, holes=["a1", "f1"]), {}),
    (kt.Board(4, 4, wrap="torus"), {"closed": True}),
    (kt.Board(5, 6, wrap="mobius"), {"start": "a1"}),
    (kt.Board(6, 6, leaper=(2, 3), wrap="torus"), {}),
    (kt.Board(4, 4, leaper=(0, 1)), {}),
    (kt.Board(17, 18), {"closed": True}),
    (kt.Board(50, 50), {}),
    (kt.Board.from_graph([[1, 2, 3], [0, 2, 3], [0, 1, 3], [0, 1, 2]]), {"closed": True}),
    (kt.Board(1, 1), {}),
    (kt.Board(1, 2, leaper=(0, 1)), {}),
]


@pytest.mark.long
@pytest.mark.parametrize(("board", "question"), BOARDS, ids=str)
def test_packing_and_unpacking_gives_the_same_tour(board: kt.Board, question: dict) -> None:
    many = 40 if len(board) < 100 else 3
    distribution = "backbite" if question or len(board) < 100 else "warnsdorff"
    sample = kt.sample(board, many, seed=2, distribution=distribution, **question)
    pack = packing.packing_of(board)
    moves, starts = pack.pack(sample.orders)
    assert moves.shape == (many, pack.width) and pack.width <= max(1, -(-pack.bits * (len(board) - 1) // 8))
    assert np.array_equal(pack.unpack(moves, starts), sample.orders)


@given(data=st.data())
@examples(30)
def test_keys_are_equal_only_for_equivalent_tours(data: st.DataObject) -> None:
    question = data.draw(st.sampled_from([{"closed": True}, {}, {"start": "a1"}, {"closed": True, "start": "c3"}]))
    problem = Problem("6x6" if question.get("closed") else "5x5", **question)
    orders = kt.sample(problem.board, 300, seed=data.draw(st.integers(0, 50)), **question).orders
    if problem.closed:
        # Each tour once more, started elsewhere and walked backwards.
        orders = np.concatenate([orders, np.roll(orders[:, ::-1], data.draw(st.integers(0, 35)), axis=1)])
    keys = packing.packing_of(problem.board).keys(orders, problem)
    seen = SeenKeys()
    cut = data.draw(st.integers(0, len(keys)))
    is_new = np.concatenate([seen.add(keys[:cut]), seen.add(keys[cut:])])
    one_way = problem.start is not None and not problem.closed
    known: set[tuple[int, ...]] = set()
    for row, new in zip(orders.tolist(), is_new.tolist(), strict=True):
        if problem.closed:
            row = np.roll(row, -row.index(min(row))).tolist()
        same = {tuple(row)} if one_way else {tuple(row), (row[0], *row[:0:-1]) if problem.closed else tuple(row[::-1])}
        assert new == (not same & known)
        known |= same


@pytest.mark.processes
def test_files_do_not_depend_on_workers(six: datasets.DataSet, tmp_path: Path) -> None:
    assert digests(datasets.sample_dataset(tmp_path / "two", **SIX, columns=ALL, workers=2).path) == digests(six.path)


@pytest.mark.parametrize("size", [0, -1])
def test_rejects_empty_batches(six: datasets.DataSet, size: Any) -> None:
    for batches in (six.batches(size), six.orders(size)):
        with pytest.raises(kt.ProblemError, match="the size of a batch must be"):
            next(batches)


def test_batches_are_samples_of_no_more_than_their_size(six: datasets.DataSet) -> None:
    batches = list(six.batches(1000))
    assert max(len(batch) for batch in batches) <= 1000
    assert [batch.offset for batch in batches] == [0, *np.cumsum([len(batch) for batch in batches])[:-1]]
    assert batches[0].distribution == "backbite" and batches[0][0] == six[0]


def test_single_tours_are_found_by_their_number(six: datasets.DataSet) -> None:
    tours = list(six)
    assert six[-1] == six[5999] == tours[-1]
    for k in (6000, -6001):
        with pytest.raises(IndexError):
            six[k]
    for part in (slice(5, 8), slice(-3, None), slice(None, 6000, 1999), slice(8, 2, -3), slice(6000, 7000)):
        assert six[part] == tours[part]
    for wrong in (slice("a", None), "3", 1.5):
        with pytest.raises(TypeError, match="integer"):
            six[wrong]  # type: ignore[index]


@pytest.mark.long
def test_boards_of_any_kind_are_written_and_read(tmp_path: Path) -> None:
    for k, (board, question) in enumerate(BOARDS):
        columns = ("turns", "crossings") if board.wrap is None and isinstance(board, GridBoard) else ()
        many = 20 if len(board) < 100 else 2
        distribution = "backbite" if question or len(board) < 100 else "warnsdorff"
        datasets.sample_dataset(
            tmp_path / str(k), board, many, seed=1, columns=columns, distribution=distribution, **question
        )
        dataset = datasets.read_dataset(tmp_path / str(k))
        assert len(list(dataset)) == many
        assert isinstance(board, GraphBoard) or dataset.board == board
        assert datasets.check_dataset(tmp_path / str(k)).is_valid


@pytest.mark.long
def test_duckdb_and_pandas_read_a_data_set(six: datasets.DataSet) -> None:
    duckdb = pytest.importorskip("duckdb", reason="duckdb is not installed (group more)")
    pandas = pytest.importorskip("pandas", reason="pandas is not installed (group more)")
    tours = list(six)
    rows = duckdb.sql(
        f"""select turns, count(*) from '{six.path}/*.parquet' group by turns order by turns"""
    ).fetchall()
    turns = [tour.turns for tour in tours]
    assert rows == [(value, turns.count(value)) for value in sorted(set(turns))]
    frame = pandas.read_parquet(six.path)
    assert frame["turns"].tolist() == turns


@pytest.mark.long
def test_parts_may_be_arrays(six: datasets.DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = datasets.sample_dataset(tmp_path / "npy", **SIX, part_format="npy")
    assert [Path(file).name for file in made.files] == ["part-000000.npy", "part-000001.npy"] and made.columns == []
    rows = np.asarray(made)
    assert rows.dtype == np.uint8 and np.array_equal(rows, np.asarray(six))
    assert np.array_equal(rows, np.concatenate([np.load(file) for file in made.files]))
    assert made[4100] == six[4100] and made[-3:] == six[-3:]
    assert [len(batch) for batch in made.batches(3000)] == [3000, 1096, 1904]
    assert datasets.check_dataset(made.path).tour_count == 6000
    rows = np.load(made.files[0])
    rows[7, :2] = rows[7, 1::-1]
    np.save(made.files[0], rows)
    assert datasets.check_dataset(made.path).faults == ("part-000000.npy is damaged: its checksum is wrong",)
    manifest = read_manifest(made.path)
    manifest.parts[0] = write_part(made.path, manifest.plan, 0, Path(made.files[0]).read_bytes(), 4096)
    manifest.save(made.path)
    (fault,) = datasets.check_dataset(made.path).faults
    assert fault.startswith("part-000000.npy is wrong: row 7 is not")
    with pytest.raises(ProblemError, match="have no columns"):
        datasets.sample_dataset(tmp_path / "none", **SIX, part_format="npy", columns=["turns"])
    with pytest.raises(ProblemError, match="unique is not supported"):
        datasets.sample_dataset(tmp_path / "none", **SIX, unique=True)
    with pytest.raises(FormatError, match="unknown format of parts 'csv'"):
        datasets.sample_dataset(tmp_path / "none", **SIX, part_format="csv")


# ---------------------------------------------------------------- errors


def test_rejects_meaningless_problems_before_writing(tmp_path: Path) -> None:
    folder = tmp_path / "none"
    for wrong, error in (
        ({"columns": ("colour",)}, ProblemError),
        ({"workers": 0}, ProblemError),
        ({"workers": "two"}, TypeError),
        ({"part_tours": 0}, ProblemError),
        ({"distribution": "none"}, ProblemError),
    ):
        with pytest.raises(error):
            datasets.sample_dataset(folder, "6x6", 10, **wrong)
    with pytest.raises(BoardError, match="flat boards"):
        datasets.sample_dataset(folder, kt.Board(5, 6, wrap="torus"), 10, columns=("turns",))
    with pytest.raises(kt.NoTour):
        datasets.sample_dataset(folder, "4x4", 10)
    assert not folder.exists()


@pytest.mark.long
def test_another_data_set_is_never_written_over(six: datasets.DataSet, tmp_path: Path) -> None:
    before = digests(six.path)
    for other in ({"seed": 4}, {"closed": False}, {"columns": ()}, {"n": 10}):
        with pytest.raises(FormatError, match=r"with other values of|has 6,000 tours"):
            datasets.sample_dataset(six.path, **{**SIX, "columns": ALL, **other})
    assert digests(six.path) == before
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="file"):
        datasets.sample_dataset(tmp_path / "file", "6x6", 1)
    with pytest.raises(FormatError, match=r"_manifest\.json is missing"):
        datasets.read_dataset(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part_format", ["parquet", "npy"])
def test_a_data_set_can_grow(part_format: str, tmp_path: Path) -> None:
    question = {"closed": True, "part_format": part_format, "seed": 5, "part_tours": 4096}
    datasets.sample_dataset(tmp_path / "set", "6x6", 5000, **question)
    grown = datasets.sample_dataset(tmp_path / "set", "6x6", 9000, **question)
    assert digests(grown.path) == digests(datasets.sample_dataset(tmp_path / "whole", "6x6", 9000, **question).path)


# ---------------------------------------------------------------- faults of files


@pytest.mark.long
def test_any_statistic_can_be_a_checked_column(tmp_path: Path) -> None:
    folder = tmp_path / "six"
    names = ["area", "inside=a1..c3", "angle-90", "turns", "winding"]
    asked: dict[str, Any] = {"closed": True, "seed": 3, "part_tours": 1, "columns": names}
    dataset = datasets.sample_dataset(folder, "6x6", 9000, **asked)
    assert len(dataset.files) > 1
    assert dataset.columns == ["start", "moves", *names]
    table = pq.read_table(folder)
    found = kt.measure(list(dataset), names)
    for name in names:
        assert table[name].to_pylist() == found[name].tolist()
    assert datasets.check_dataset(folder).is_valid
    # A part that is lost is made again as it was, and one with another value is found.
    path = Path(dataset.files[1])
    whole = path.read_bytes()
    path.unlink()
    again = datasets.sample_dataset(folder, "6x6", 9000, **asked)
    assert path.read_bytes() == whole and again.columns == dataset.columns
    with pytest.raises(FormatError, match="other values of columns"):
        datasets.sample_dataset(folder, "6x6", 9000, **{**asked, "columns": ["area"]})


def test_undefined_statistic_is_not_a_column(tmp_path: Path) -> None:
    for board, closed, name, words in (
        ("5x5", False, "area", "open tours have no 'area'"),
        (kt.Board(6, 6, wrap="torus"), True, "straight", "flat boards only"),
        (kt.Board(8, 8, leaper=(0, 1)), True, "angle-53", "no 'angle-53'"),
        ("6x6", True, "inside=z9", "no square"),
        ("6x6", True, "outside=a1", "unknown statistic"),
    ):
        with pytest.raises(kt.KnightsTourError, match=words):
            datasets.sample_dataset(tmp_path / "none", board, 10, closed=closed, columns=[name])
    assert not (tmp_path / "none").exists()


@pytest.mark.long
def test_the_command_line_draws_and_checks(tmp_path: Path, run: Run) -> None:
    folder = str(tmp_path / "tours") + "/"

    sample = ("sample", "6x6", "-n", "3000", "--closed", "--seed", "2", "-o", folder)
    assert json.loads(run(*sample, "--columns", "turns,area", "--json").out)["tours"] == 3000
    assert run("check", folder) == (0, "3,000 tours of the 6x6 board in 1 part, all valid; 3,000 closed\n", "")
    code, _, err = run(*sample)
    assert code == 2 and "contains another data set, with other values of columns" in err
    path = Path(datasets.read_dataset(folder).files[0])
    path.write_bytes(path.read_bytes()[:-1])
    code, out, _ = run("check", folder, "--json")
    assert code == 1 and json.loads(out)["faults"]
    code, _, err = run(*sample, "--columns", "turns,area")
    assert code == 0 and "part-000000.parquet has" in err and run("check", folder).code == 0
    for wrong in ("--offset 3", "--format npy", "--format json", "--unique", "--workers tcp://a:1"):
        assert run(*sample, "--columns", "turns,area", *wrong.split()).code == 2
    assert run("check", str(tmp_path)).code == 2


@pytest.mark.long
def test_data_set_reports_its_rate_without_earlier_runs(tmp_path: Path, run: Run) -> None:
    sample = ("sample", "6x6", "--closed", "--part-tours", "4096", "-o", f"{tmp_path}/set/", "-n")
    assert re.fullmatch(r"note: 4,096 tours in 1 part, .*; seed 2\n", run(*sample, "4096", "--seed", "2")[2])
    line = run(*sample, "9000")[2]
    assert "9,000 tours in 3 parts" in line and "4,904 of them new" in line
    code, out, err = run(*sample, "9000", "--json")
    assert (code, json.loads(out)["new_tours"], err) == (0, 0, "")
    code, _, err = run(*("0" if word == "4096" else word for word in sample), "9000")
    assert code == 2 and "--part-tours must be 1 or more" in err


@pytest.mark.long
def test_ctrl_c_reports_kept_and_checked_results(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = f"{tmp_path}/set/"
    sample = ("sample", "6x6", "--closed", "--seed", "2", "--part-tours", "4096", "-n", "9000", "-o", folder)

    def interrupted(*arguments: Any) -> Any:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(parts, "make_part", interrupted)
        code, _, err = run(*sample)
    assert code == 130 and "interrupted after 0 tours were written" in err and "--seed 2" in err
    assert run(*sample)[0] == 0
    check_part, count = checking.check_part, [0]

    def check_two(*arguments: Any) -> Any:
        count[0] += 1
        return check_part(*arguments) if count[0] < 3 else interrupted()

    monkeypatch.setattr(checking, "check_part", check_two)
    code, out, err = run("check", folder)
    rows = [part.tours for part in read_manifest(tmp_path / "set").parts.values()]
    assert (code, out) == (130, "")
    assert f"interrupted after {sum(rows[:2]):,} of 9,000 tours were checked" in err


def test_full_disk_error_explains_how_to_resume(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    sample = ("sample", "6x6", "--closed", "--seed", "2", "-n", "100", "-o", f"{tmp_path}/set/")

    def is_full(*arguments: Any) -> Any:
        raise OSError(errno.ENOSPC, "No space left on device", "part-000000.parquet")

    with monkeypatch.context() as patch:
        patch.setattr(parts, "make_part", is_full)
        code, _, err = run(*sample)
    assert code == 2 and "No space left" in err
    assert "help: make room there, and resume with the same command and --seed 2" in err
    assert run(*sample)[0] == 0


def test_data_set_with_bad_manifest_error_offers_help(tmp_path: Path, run: Run) -> None:
    sample = ("sample", "6x6", "--closed", "--seed", "2", "-n", "100", "-o", f"{tmp_path}/set/")
    assert run(*sample)[0] == 0
    manifest = tmp_path / "set" / MANIFEST
    manifest.write_text(manifest.read_text()[:300])
    for _ in range(2):
        code, _, err = run("check", f"{tmp_path}/set")
        assert code == 2 and "draw it again" in err
        manifest.unlink(missing_ok=True)
    with pytest.raises(FormatError) as caught:
        datasets.read_dataset(tmp_path / "set")
    assert "draw it again with the same call" in caught.value.help
    (tmp_path / "file").touch()
    code, _, err = run("sample", "6x6", "-n", "9", "-o", f"{tmp_path}/file/")
    assert code == 2 and "a data set is a folder" in err and "help: " in err


@pytest.mark.parametrize("name", ["part-000000.parquet", "part-000000.npy", "holiday.jpg", "sub/notes.txt"])
def test_folder_of_other_files_is_left_unchanged(name: str, tmp_path: Path, run: Run) -> None:
    file = tmp_path / "set" / name
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    with pytest.raises(FileExistsError, match="contains other files, and no data set"):
        datasets.sample_dataset(tmp_path / "set", "6x6", 10)
    code, _, err = run("sample", "6x6", "-n", "9", "-o", f"{tmp_path}/set/")
    assert code == 2 and "contains other files" in err and "use an empty folder" in err
    assert [path for path in (tmp_path / "set").rglob("*") if path.is_file()] == [file] and file.read_text() == "mine"


def test_folder_with_leftovers_of_a_killed_run_is_used(tmp_path: Path) -> None:
    for name in (".lock", ".part-000000.parquet.x1.part"):
        (tmp_path / name).touch()
    assert len(datasets.sample_dataset(tmp_path, "6x6", 10, seed=1)) == 10
    assert not list(tmp_path.glob(".*"))


def test_a_damaged_manifest_is_not_believed(six: datasets.DataSet, tmp_path: Path) -> None:
    text = (six.path / MANIFEST).read_text()
    for changed in (text.replace('"seed": 3', '"seed": 4'), text[:-20], "[]", text.replace("knight's", "king's")):
        (tmp_path / MANIFEST).write_text(changed)
        with pytest.raises(FormatError, match=r"damaged|no manifest"):
            read_manifest(tmp_path)
