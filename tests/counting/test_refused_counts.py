"""Counts that are too large to begin: each raises LimitReached with its problem, and ends the command with 3."""

from collections.abc import Callable
from typing import Any

import pytest

import knightstour as kt
from helpers.command_line import Run

GIANT = "1000000x1000000"
COUNTS: dict[str, Callable[[str], Any]] = {
    "count": kt.count,
    "count closed": lambda board: kt.count(board, closed=True),
    "count from a start": lambda board: kt.count(board, start=(0, 0)),
    "count partial": lambda board: kt.count(board, partial=True),
    "count classes": lambda board: kt.count(board, up_to_symmetry=True),
    "count by states": lambda board: kt.count(board, method="states"),
    "count with a range": lambda board: kt.count(board, where={"turns": (80, 90)}),
    "count by listing": lambda board: kt.count(board, method="listing"),
    "census": kt.census,
    "census by start": lambda board: kt.census(board, by="start"),
    "census of a sum": lambda board: kt.census(board, by="steep-up"),
    "census of turns": lambda board: kt.census(board, by="turns", timeout=60),
    "TourSpace": kt.TourSpace,
    "closed TourSpace": lambda board: kt.TourSpace(board, closed=True),
    "certificate": lambda board: kt.certificates.certify_count(board, max_nodes=1000),
}


@pytest.mark.parametrize("board", ["12x12", GIANT])
@pytest.mark.parametrize("name", COUNTS)
def test_infeasible_count_raises_limit_reached(name: str, board: str) -> None:
    with pytest.raises(kt.LimitReached) as caught:
        COUNTS[name](board)
    assert caught.value.result.problem.board == kt.Board(board)
    assert caught.value.result.status is kt.Status.UNDECIDED and str(caught.value) == caught.value.result.reason


def test_term_that_is_too_large_raises_limit_reached() -> None:
    with pytest.raises(kt.LimitReached, match="infeasible"):
        kt.sequences.SEQUENCES["A001230"].term(30)


@pytest.mark.parametrize(
    "command",
    [
        "count 20x20",
        f"count {GIANT} --up-to-symmetry",
        "census 20x20 --by steep-up",
        "census 20x20 --by start",
        f"census {GIANT}",
        "unrank 20x20 1",
    ],
)
def test_infeasible_count_ends_the_command_with_3(command: str, run: Run) -> None:
    code, out, err = run(*command.split())
    assert (code, out) == (3, "") and err.startswith("error: ") and "Traceback" not in err
