"""count() and the commands count, rank and unrank: every algorithm gives the published numbers."""

import errno
import json
import runpy
import tempfile
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

import knightstour as kt
from helpers import reference
from helpers.command_line import Run
from knightstour.core.machine import records
from knightstour.core.model.board import Board
from knightstour.core.model.budget import Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.progress import Progress
from knightstour.lab.counting.count import count, count_problem
from knightstour.lab.counting.settings import CountSettings
from knightstour.lab.counting.ways import NAMES


def test_published_numbers_are_counted(published: dict[str, Any]) -> None:
    seen = 0
    for row in published["tours"]:
        rows, cols = row["board"]
        if rows * cols > (42 if row["closed"] else 30) and min(rows, cols) > 3:
            continue
        seen += 1
        assert count((rows, cols), closed=row["closed"], directed=row["directed"]) == row["count"], row
    assert seen > 8


MANY = [
    (Board(4, 5), {}),
    (Board(1, 1), {}),
    (Board(5, 5), {}),
    (Board(3, 5, holes=[(1, 2)]), {"start": "a1"}),
    (Board(4, 5), {"start": "a1", "end": "e4"}),
    (Board(4, 4, holes=[(0, 0)]), {"forbid": ["a1-b3"]}),
    (Board(4, 5), {"require": ["a1-b3"]}),
    (Board(5, 6), {"require": ["a1-b3", "a1-c2", "f5-e3"], "forbid": ["a2-b4"]}),
    (Board(3, 10), {"symmetry": "180"}),
    (Board(3, 10), {"up_to_symmetry": True}),
    (Board(3, 4, wrap="cylinder"), {}),
    (Board(4, 4, wrap="torus"), {}),
    (Board(4, 4), {"partial": True}),
    (Board(3, 4), {"given": {"a3": 1}}),
    (Board.from_graph({k: [n for n in range(7) if n != k] for k in range(7)}), {}),
    (Board.from_graph({0: [1], 1: [0], 2: [3], 3: [2]}), {}),
]


@pytest.mark.parametrize("closed", [True, False])
@pytest.mark.parametrize("board, asked", MANY)
def test_every_way_that_fits_gives_the_same_number(board: Board, asked: dict[str, Any], closed: bool) -> None:
    closed = closed and "end" not in asked
    expected, ways_taken = count(board, closed=closed, **asked), []
    for way in NAMES:
        try:
            plan = kt.plan(board, closed=closed, method=way, **asked) if not asked.get("given") else None
        except ProblemError as error:
            assert "are not counted by" in str(error) and error.help.startswith("supported methods: ")
            with pytest.raises(ProblemError, match="are not counted by"):
                count(board, closed=closed, method=way, **asked)
            continue
        except kt.LimitReached:
            continue
        assert plan is None or plan.method in (way, "proof")
        try:
            assert count(board, closed=closed, method=way, **asked) == expected, way
        except ProblemError as error:
            assert plan is None and "are not counted by" in str(error)
            continue
        ways_taken.append(way)
    assert ways_taken
    assert len(ways_taken) >= 2 or len(board) == 1 or asked


def test_ends_and_directions_are_counted_as_documented() -> None:
    from_a1 = count((5, 5), start="a1")
    assert from_a1 == count((5, 5), start="a1", directed=True) == count((5, 5), end="a1") == 304
    assert count((5, 5), directed=True) == 2 * count((5, 5)) == 1728
    assert count((5, 5), start="a1", end="e5") == sum(1 for t in kt.iter_tours((5, 5), start="a1", end="e5"))
    assert count((6, 6), closed=True, start="c3") == 9862
    assert count((6, 6), closed=True, directed=True) == 2 * 9862
    assert count((1, 1)) == count((1, 1), directed=True) == 1
    with pytest.raises(ProblemError, match="classes are counted of undirected tours"):
        count((6, 6), up_to_symmetry=True, directed=True)


def test_a_theorem_answers_for_boards_of_any_size() -> None:
    found = count_problem(kt.Problem((101, 103), closed=True))
    assert (found.tours, found.method) == (0, "proof") and found.reason and found.source
    assert count_problem(kt.Problem((4, 10**6), closed=True)).tours == 0


@pytest.mark.long
@pytest.mark.parametrize("way", ["states", "halves"])
def test_a_limit_ends_every_way_of_counting(way: str) -> None:
    with pytest.raises(kt.LimitReached, match=r"limit of 0[.]01 seconds"):
        count_problem((7, 7), settings=CountSettings(Limits(0.01), method=way))
    with pytest.raises(kt.LimitReached, match=r"limit of 0[.]001 seconds"):
        count_problem(kt.Problem((8, 8), closed=True, symmetry="180"), settings=CountSettings(Limits(0.001)))


@pytest.mark.parametrize(
    ("board", "closed"),
    [
        ("3x7", False),
        ("4x5", False),
        pytest.param("5x5", False, marks=pytest.mark.long),
        pytest.param("3x10", False, marks=pytest.mark.long),
        ("5x6", True),
        pytest.param("5x6", False, marks=pytest.mark.long),
        (kt.Board(3, 3, holes=[(1, 1)]), False),
        (kt.Board(3, 4, leaper=(0, 1)), False),
        (kt.Board(4, 4, leaper=(0, 1)), False),
        (kt.Board(4, 4, leaper=(0, 1)), True),
    ],
    ids=str,
)
def test_classes_match_canonical_forms_and_plain_search(board: Any, closed: bool) -> None:
    """Open tours keep their ends, even if these could be joined: 240 tours of the 5x6 board, 480 of 3x10."""
    board = kt.Board(board)
    tours = list(kt.iter_tours(board, closed=closed))
    spec = reference.spec_of(board)
    plain = {str(reference.canonical(spec, list(tour), closed)) for tour in tours}
    assert len({tour.canonical(closed=closed) for tour in tours}) == len(plain)
    assert count(board, closed=closed, up_to_symmetry=True) == len(plain)


@pytest.mark.long
def test_symmetric_open_classes_match_the_table() -> None:
    tours = list(kt.iter_tours("5x8", symmetry="180"))
    (row,) = [row for row in kt.census("5x8", "symmetry") if row.symmetry == "180"]
    assert len({tour.canonical(closed=False) for tour in tours}) == row.classes == 1039


def test_progress_is_reported() -> None:
    steps: list[Progress] = []
    count_problem(kt.Problem((6, 7), closed=True), settings=CountSettings(method="halves", on_progress=steps.append))
    assert steps and all(step.part is None or 0 <= step.part <= 1 for step in steps)
    assert {step.stage for step in steps} == {"counting"} and any("states" in step.note for step in steps)


def test_boards_out_of_reach_are_refused_at_once() -> None:
    with pytest.raises(kt.LimitReached, match="infeasible") as refused:
        count((20, 20))
    assert "estimate" in (refused.value.help or "")


# ---------------------------------------------------------------- the commands


def test_count_prints_the_number_and_the_convention(run: Run) -> None:
    code, out, err = run("count", "6x6", "--closed")
    assert (code, out) == (0, "9862\n") and "undirected closed tours of the 6x6 board" in err
    code, out, err = run("count", "5x5", "--directed")
    assert (code, out) == (0, "1728\n") and "directed open tours" in err
    code, out, err = run("count", "5x5", "--start", "a1")
    assert (code, out) == (0, "304\n") and "from a1" in err


def test_count_prints_json_with_the_number_as_text(run: Run) -> None:
    _, out, _ = run("count", "3x200", "--closed", "--json")
    record = json.loads(out)
    assert int(record["count"]) == count((3, 200), closed=True)
    assert (record["directed"], record["closed"], record["method"]) == (False, True, "recurrence")


def test_count_goes_on_from_a_checkpoint(tmp_path: Path, run: Run) -> None:
    place = str(tmp_path / "work")
    words = ["count", "6x7", "--closed", "--checkpoint", place]
    code, out, err = run(*words)
    assert (code, out) == (0, "1067638\n") and "resumed" not in err
    code, out, err = run(*words)
    assert (code, out) == (0, "1067638\n") and "since it was resumed" in err
    assert json.loads(run(*words, "--json")[1])["resumed"]


def test_unwritable_checkpoint_error_offers_help(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    code, _, err = run("count", "6x7", "--closed", "--checkpoint", str(tmp_path / "file"))
    assert code == 2 and "a checkpoint is a directory" in err

    def is_full(file: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(records, "flush", is_full)
    code, _, err = run("count", "6x7", "--closed", "--checkpoint", str(tmp_path / "work"))
    assert code == 2 and "No space left" in err and "make room there, and resume" in err


@pytest.mark.processes
def test_work_that_goes_through_files_needs_no_named_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    assert kt.count("6x7", closed=True, workers=2) == 1067638
    assert not list(tmp_path.iterdir())
    with pytest.raises(kt.LimitReached):
        kt.count("6x7", closed=True, workers=2, max_nodes=10)
    assert not list(tmp_path.iterdir())
    assert kt.count("6x7", closed=True, workers=2, checkpoint=tmp_path / "layers") == 1067638
    assert (tmp_path / "layers").is_dir()


def test_workers_without_the_temporary_folder_need_a_shared_one() -> None:
    class Elsewhere:
        """The parts of a Dask client that a count uses."""

        asynchronous = False

        def submit(self) -> None: ...

        def scheduler_info(self) -> None: ...

        def run(self, function: Any, *arguments: object) -> dict[str, bool]:
            assert function(*arguments)
            return {"tcp://here": True, "tcp://there": False}

    with pytest.raises(ProblemError, match="do not see the temporary folder") as caught:
        count("6x7", closed=True, workers=Elsewhere())  # type: ignore[arg-type]
    assert "checkpoint=" in caught.value.help


def test_the_table_is_the_same_in_python(run: Run) -> None:
    table = kt.census((6, 6), "symmetry", closed=True)
    assert (sum(row.tours for row in table), sum(row.classes for row in table)) == (9862, 1245)
    _, out, _ = run("census", "6x6", "--closed", "--by", "symmetry", "--json")
    assert [(row["symmetry"], row["tours"]) for row in json.loads(out)["table"]] == [
        (row.symmetry, str(row.tours)) for row in table
    ]
    for ask in (kt.census, kt.sequences.count_recurrence):
        with pytest.raises(ProblemError):
            ask(Problem((3, 10), start="a1"))


@pytest.mark.parametrize(
    ("limit", "code", "said"),
    [
        (["--timeout", "0.001"], 3, "limit of 0.001 seconds was reached"),
        pytest.param(["--memory", "1MB"], 3, "of memory", marks=pytest.mark.long),
    ],
    ids=str,
)
def test_numbering_has_the_limits_of_a_count(limit: list[str], code: int, said: str, tmp_path: Path, run: Run) -> None:
    path = str(tmp_path / "t.json")
    run("solve", "6x6", "-o", path)
    others = [["unrank", "6x6", "1"], ["rank", path, "--open"]] if limit[0] == "--memory" else []
    for words in (*others, ["count", "6x6", "--start", "a1"]):
        found, out, err = run(*words, *limit)
        assert (found, out) == (code, "") and said in err, words


def test_unrank_and_rank_undo_each_other(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "t.json"
    words = ["unrank", "5x5", "1", "400", "864", "-o", str(path)]
    assert run(*words)[0] == 0
    code, out, err = run("rank", str(path))
    assert (code, out.split()) == (0, ["1", "400", "864"]) and "of 864" in err


@pytest.mark.long
def test_a_space_is_kept_in_a_file(tmp_path: Path, run: Run) -> None:
    path = tmp_path / "6x6.space"
    first = kt.TourSpace("6x6", closed=True, path=path).unrank(77)
    assert path.is_file() and first == kt.TourSpace("6x6", closed=True, path=path).unrank(77)
    assert run("unrank", "6x6", "77", "--closed")[1] == first.to_text("grid")
    with pytest.raises(kt.KnightsTourError, match="another space"):
        kt.TourSpace("5x6", closed=True, path=path)


def test_interrupted_count_explains_how_to_resume(tmp_path: Path, run: Run) -> None:
    where = str(tmp_path / "kept")
    code, out, err = run("count", "6x6", "--closed", "--timeout", "0.001", "--checkpoint", where)
    assert (code, out) == (3, "") and f"resume with --checkpoint {where}" in err
    code, out, _ = run("count", "6x6", "--closed", "--checkpoint", where)
    assert (code, out) == (0, "9862\n")


@pytest.mark.long
@pytest.mark.parametrize(("closed", "boards", "tours"), [(True, 5, "54,264"), (False, 20, "23,664,471")])
def test_rectangles_up_to_40_squares_match_the_page(closed: bool, boards: int, tours: str) -> None:
    sizes = [(rows, cols) for rows in range(1, 41) for cols in range(rows, 41) if rows * cols <= 40]
    counts = [count(size, closed=closed) for size in sizes]
    page = " ".join((Path(__file__).parents[2] / "docs" / "tables" / "counts.md").read_text(encoding="utf-8").split())
    assert (len(sizes), sum(map(bool, counts)), f"{sum(counts):,}") == (82, boards, tours)
    assert f"{boards} have {tours}" in page


# ---------------------------------------------------------------- graphs that others have counted


@pytest.mark.parametrize(
    ("graph", "cycles"),
    [
        (nx.dodecahedral_graph(), 30),
        (nx.hypercube_graph(3), 6),
        (nx.hypercube_graph(4), 1344),
        (nx.complete_graph(7), 360),
        (nx.complete_bipartite_graph(4, 4), 72),
        (nx.complete_multipartite_graph(2, 2, 2), 16),
        (nx.petersen_graph(), 0),
        (nx.heawood_graph(), 24),
    ],
    ids=str,
)
def test_small_graphs(graph: nx.Graph, cycles: int) -> None:
    assert count(Board.from_graph(graph), closed=True) == cycles


@pytest.mark.long
def test_the_graphs_of_the_benchmark() -> None:
    graphs = runpy.run_path(str(Path(__file__).parents[2] / "benchmarks" / "graphs.py"))["GRAPHS"]
    for name in ("binary(5,5,0)", "raman(3,47,1,1)", "complete tripartite K(4,5,6)"):
        make, published = graphs[name]
        assert count(Board.from_graph(make()), closed=True) == published
