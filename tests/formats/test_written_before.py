"""Files that version 0.1.0 wrote open as they did then: tours, boards, spaces, checkpoints and data sets.

data/written_before holds them, and expected.json what is in them. They are never written again: a format that changes
keeps its old reader.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import knightstour as kt
from helpers.counting_steps import steps_to
from helpers.format_samples import GRAPH, HOLED, NAMED, POINT, ROOK, SMALL, WRAPPED
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves.count_halves import count_by_halves
from knightstour.lab.counting.halves.sharded import count_sharded

FOLDER = Path(__file__).parents[1] / "data" / "written_before"
EXPECTED: dict[str, Any] = json.loads((FOLDER / "expected.json").read_text())
TOURS = {
    "small": SMALL,
    "holed": HOLED,
    "wrapped": WRAPPED,
    "rook": ROOK,
    "point": POINT,
    "graph": GRAPH,
    "named": NAMED,
}
# These say nothing of wraps, leapers and graphs.
SILENT = ("npy",)
QUESTIONS = {
    "halves-5x6-closed": Problem.of("5x6", closed=True),
    "sharded-5x6-closed": Problem.of("5x6", closed=True),
    "halves-5x5-a1": Problem.of("5x5", start="a1"),
}


def names(folder: str) -> list[str]:
    return sorted(path.name for path in (FOLDER / folder).iterdir())


@pytest.mark.parametrize("file", names("tours"))
def test_tours_are_read(file: str) -> None:
    name, _, rest = file.partition("-")
    tour = TOURS[name]
    assert EXPECTED["tours"][name] == {"board": repr(tour.board), "order": tour.order.tolist()}
    is_given = rest.split(".")[0] in SILENT or tour.board.graph is not None
    assert kt.read_tours(FOLDER / "tours" / file, board=tour.board if is_given else None) == [tour, tour.reversed()]


@pytest.mark.parametrize("file", names("boards"))
def test_boards_are_read(file: str) -> None:
    name, _, suffix = file.partition(".")
    board = TOURS[name].board
    if suffix == "txt":  # a drawing: holes, no more
        assert kt.Board.from_file(FOLDER / "boards" / file).holes == board.holes
    else:
        read = kt.read_board(FOLDER / "boards" / file)
        assert read.square_count == board.square_count
        assert len(kt.move_graph(read).edges()) == len(kt.move_graph(board).edges())


@pytest.mark.parametrize("file", names("spaces"))
def test_spaces_number_the_same_tours(file: str) -> None:
    space = kt.TourSpace.open(FOLDER / "spaces" / file)
    expected = EXPECTED["spaces"][file.removesuffix(".space")]
    tours = {n: space.unrank(int(n)).order.tolist() for n in expected["tours"]}
    assert {
        "question": str(space.problem),
        "count": space.count,
        "numbering": space.numbering,
        "tours": tours,
    } == expected


@pytest.mark.parametrize("name", names("checkpoints"))
def test_counts_go_on_from_checkpoints(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(FOLDER / "checkpoints" / name, folder)
    problem = QUESTIONS[name]
    if name.startswith("sharded"):
        # Its layers were in files of blocks.
        with pytest.raises(FormatError, match="counted in another way"):
            count_sharded(problem, folder, resume=True)
        return
    seen: list[Any] = []
    found = count_by_halves(problem, checkpoint=folder, resume=True, budget=steps_to(seen.append))
    assert min(progress.done for progress in seen if progress.stage == "layers") >= 5
    assert found.tours == EXPECTED["checkpoints"][name]


@pytest.mark.parametrize("name", ["dataset", "dataset-5x6"])
def test_data_sets_are_read(name: str) -> None:
    pytest.importorskip("pyarrow")
    expected = EXPECTED["datasets"][name]
    data = kt.datasets.read_dataset(FOLDER / name)
    orders = np.concatenate(list(data.orders()))
    assert (len(data), orders[0].tolist(), orders[-1].tolist()) == tuple(expected.values())
    assert kt.datasets.check_dataset(FOLDER / name).tour_count == expected["tours"]
