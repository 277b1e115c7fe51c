"""Counts shared among processes: equal to the count in one process, whatever happens to the workers."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from helpers.counting_steps import Step, steps_to
from helpers.damage import wait_until
from helpers.processes import children, running
from helpers.shared_counts import SEVEN_BY_EIGHT, command, count_in_pieces, left_in, run
from knightstour.core.model.errors import FormatError
from knightstour.core.model.problem import Problem
from knightstour.lab.counting import residues
from knightstour.lab.counting.halves import machine, sharded
from knightstour.lab.counting.halves.march import count_by_halves

pytestmark = pytest.mark.processes

CLOSED = {"closed": True}
# The halves of 5x5, 6x7 and 5x7 share steps; those of 5x5 from a1 do not; the other boards have one half only.
QUESTIONS: list[tuple[str, dict[str, Any], int]] = [
    ("6x6", CLOSED, 9862),
    ("5x5", {}, 864),
    ("5x5", {"start": "a1"}, 304),
    ("5x5", {"start": "a1", "end": "e5"}, 56),
    ("5x5", {"start": "a2"}, 0),
    ("5x6", {}, 18784),
    ("6x7", CLOSED, 1067638),
    ("1x1", {}, 1),
    ("3x3", {}, 0),
    ("4x6", CLOSED, 0),
]
SIX_BY_TEN = 239187240144


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip flushing: these tests kill processes, not disks."""
    monkeypatch.setattr(os, "fsync", lambda file: None)


@pytest.mark.parametrize(("board", "question", "tours"), QUESTIONS, ids=str)
def test_small_blocks_give_the_known_numbers(board: str, question: dict, tours: int, tmp_path: Path) -> None:
    problem = Problem(board, **question)
    found = count_in_pieces(problem, tmp_path, block_states=3000)
    alone = count_by_halves(problem)
    assert (found.tours, found.states) == (alone.tours, alone.states)
    assert found.tours == tours
    assert left_in(tmp_path) == (["progress.json"] if len(problem.board) > 9 else [])


def test_residues_give_the_same_number(tmp_path: Path, by_small_primes: None) -> None:
    found = count_in_pieces(Problem("6x7", closed=True), tmp_path, block_states=20_000)
    assert found.tours == 1067638 and len(found.moduli) > 2
    assert left_in(tmp_path) == ["progress.json"]


@pytest.fixture
def by_small_primes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Count modulo many small primes, as large boards are counted modulo a few large ones."""
    monkeypatch.setattr(machine, "MAX_COUNT", 10.0)
    monkeypatch.setattr(residues, "primes", lambda: iter([251, 241, 239, 233, 229, 227, 223, 211, 199, 197]))


def test_every_piece_is_reported(tmp_path: Path) -> None:
    seen: list[Step] = []
    found = count_in_pieces(Problem("5x7"), tmp_path, block_states=2000, budget=steps_to(seen.append))
    assert [stage for stage, before in zip(seen, [None, *seen], strict=False) if not before or stage[0] != before[0]]
    assert list(dict.fromkeys(progress.stage for progress in seen)) == ["classes", "layers", "join"]
    for stage in ("classes", "layers", "join"):
        steps = [(progress.done, progress.todo) for progress in seen if progress.stage == stage]
        assert steps == sorted(steps) and len({todo for _, todo in steps}) == 1 and steps[-1][0] == steps[-1][1]
    assert seen[-1].states == found.states and len(seen) >= found.pieces


# ---------------------------------------------------------------- stopped and taken up


class Stop(Exception):
    """Stops the work."""


def stopped(problem: Problem, directory: Path, pieces: int, piece: str = "pull_block", **options: Any) -> int:
    """Count until `pieces` pieces of a kind are done; return the number of pieces of all kinds."""
    done = {"pull_block": 0, "join_blocks": 0}

    def until(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any) -> Any:
            if name == piece and done[name] == pieces:
                raise Stop
            value = function(*arguments)
            done[name] += 1
            return value

        return call

    with pytest.MonkeyPatch.context() as patch:
        for name in done:
            patch.setattr(sharded, name, until(name, getattr(sharded, name)))
        with pytest.raises(Stop):
            count_in_pieces(problem, directory, **options)
    return sum(done.values())


FORKED = Problem("5x5")


@pytest.mark.parametrize("problem", [FORKED, Problem("5x5", start="a1"), Problem("5x6")], ids=str)
def test_stopped_work_resumes_with_or_without_workers(problem: Problem, tmp_path: Path) -> None:
    whole = count_in_pieces(problem, tmp_path / "whole", block_states=200)
    for k in range(0, whole.pieces - 4, 7):
        directory = tmp_path / str(k)
        stopped(problem, directory, k, block_states=200)
        if k % 2:
            again: Any = count_by_halves(problem, checkpoint=directory)
        else:
            again = count_in_pieces(problem, directory, block_states=300)
        assert (again.tours, again.states) == (whole.tours, whole.states)
        assert left_in(directory) == ["progress.json"]


def test_a_join_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("knightstour.lab.counting.halves.middle.JOIN_BLOCK", 20)
    monkeypatch.setattr(sharded, "JOIN_BLOCKS", 1)
    monkeypatch.setattr("knightstour.lab.counting.halves.march.SAVE_SECONDS", 0.0)
    problem = Problem("6x7", closed=True)
    pieces: list[int] = []
    for k in (1, 5, 9):
        directory = tmp_path / str(k)
        stopped(problem, directory, k, "join_blocks")
        again = count_in_pieces(problem, directory)
        assert again.tours == 1067638
        pieces.append(again.pieces)
    assert pieces == [pieces[0], pieces[0] - 4, pieces[0] - 8]


MOMENTS = pytest.mark.parametrize(
    "every", [pytest.param(41, id="some"), pytest.param(5, id="many", marks=pytest.mark.slow)]
)


@MOMENTS
@pytest.mark.parametrize("is_by_primes", [False, True], ids=["exact", "residues"])
def test_a_kill_at_any_moment_loses_nothing(
    every: int, is_by_primes: bool, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if is_by_primes:
        request.getfixturevalue("by_small_primes")
    problem = Problem("4x5") if is_by_primes else FORKED
    whole = count_in_pieces(problem, tmp_path / "whole", block_states=1000)
    moment = 0
    while True:
        directory = tmp_path / str(moment)
        if not killed_at(moment, problem, directory):
            break
        again = count_in_pieces(problem, directory, block_states=1000)
        assert (again.tours, again.states, again.moduli) == (whole.tours, whole.states, whole.moduli), moment
        assert left_in(directory) == ["progress.json"], moment
        moment += every
    assert moment > 60


def killed_at(moment: int, problem: Problem, directory: Path) -> bool:
    """Count in a process that kills itself at disk access number `moment`; return False if it ends before."""
    child = os.fork()
    if child == 0:
        try:
            with pytest.MonkeyPatch.context() as patch:
                die_at(moment, patch)
                count_in_pieces(problem, directory, block_states=1000)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, -signal.SIGKILL)
    return code != 0


def die_at(moment: int, patch: pytest.MonkeyPatch) -> None:
    moments = iter(range(moment))
    places: list[tuple[Any, str]] = [(os, name) for name in ("replace", "fsync", "mkdir", "unlink", "rmdir")]
    # Each file at each stage: written partly, completely, or not at all.
    for place, name in [*places, ("knightstour.lab.counting.halves.stores", "bytes_of")]:
        done = getattr(sys.modules[place] if isinstance(place, str) else place, name)

        def deadly(*arguments: Any, done: Callable[..., Any] = done, **options: Any) -> Any:
            if next(moments, None) is None:
                os.kill(os.getpid(), signal.SIGKILL)
            return done(*arguments, **options)

        patch.setattr(f"{place}.{name}" if isinstance(place, str) else f"os.{name}", deadly)


# ---------------------------------------------------------------- files that are not as they were


def test_a_flipped_bit_of_the_progress_is_noticed(tmp_path: Path) -> None:
    stopped(Problem("5x6"), tmp_path, 20, block_states=500)
    progress = tmp_path / "progress.json"
    whole = progress.read_bytes()
    for k in range(len(whole)):
        data = bytearray(whole)
        data[k] ^= 1 << k % 8
        # Line ends and spaces have no meaning.
        if chr(whole[k]).isspace() and chr(data[k]).isspace():
            continue
        progress.write_bytes(data)
        with pytest.raises(FormatError, match=r"progress\.json"):
            count_in_pieces(Problem("5x6"), tmp_path, block_states=500)
    progress.write_bytes(whole)
    assert count_in_pieces(Problem("5x6"), tmp_path, block_states=500).tours == 18784


# ---------------------------------------------------------------- with processes


def test_processes_and_their_deaths_do_not_change_the_number(tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(progress: Step) -> None:
        if progress.stage == "layers" and len(killed) < 2 and progress.done >= (10, 18)[len(killed)]:
            killed.append(next(process for process in children(os.getpid()) if process not in killed))
            os.kill(killed[-1], signal.SIGKILL)

    question = Problem("6x10", closed=True)
    found = count_in_pieces(question, tmp_path, workers=2, block_states=50_000, budget=steps_to(kill))
    assert found.tours == SIX_BY_TEN and len(killed) == 2
    assert left_in(tmp_path) == ["progress.json"]


# ---------------------------------------------------------------- on the command line


@pytest.fixture
def interrupted(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """The directory of a count that was interrupted by Ctrl-C, and its output."""
    process = subprocess.Popen(
        command(tmp_path, "--workers", "2", board="7x8"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert wait_until(lambda: any(tmp_path.glob("states-1[0-9].layer")), process)
    mine = children(process.pid)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=1200)
    assert process.returncode == 130, err
    wait_until(lambda: not set(mine) & set(running()))
    yield tmp_path, err


@pytest.mark.slow
def test_ctrl_c_explains_resuming(interrupted: tuple[Path, str]) -> None:
    directory, err = interrupted
    assert f"--checkpoint {directory} --workers 2" in err and "Traceback" not in err
    code, out, err = run(directory, "--workers", "1", board="7x8")
    assert (code, out) == (0, f"{SEVEN_BY_EIGHT}\n"), err
    assert left_in(directory) == ["progress.json"]


# ---------------------------------------------------------------- larger boards, and clusters


@pytest.mark.slow
@pytest.mark.parametrize(
    ("board", "question", "tours"),
    [
        ("8x8", CLOSED, 13267364410532),
        ("7x6", {}, 389969466),
        ("6x10", CLOSED, SIX_BY_TEN),
        ("7x8", CLOSED, SEVEN_BY_EIGHT),
    ],
    ids=str,
)
@pytest.mark.parametrize("workers", [2, 3, 4])
def test_larger_boards_give_the_known_numbers(
    board: str, question: dict, tours: int, workers: int, tmp_path: Path
) -> None:
    assert count_in_pieces(Problem(board, **question), tmp_path, workers=workers).tours == tours


@pytest.mark.slow
def test_cluster_returns_the_same_number_and_continues_others_work(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    problem = Problem("6x10", closed=True)
    stopped(problem, tmp_path / "stopped", 10, block_states=100_000)
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50) as local,
        distributed.Client(local) as client,
    ):
        whole = count_in_pieces(problem, tmp_path / "whole", workers=client, block_states=100_000)
        again = count_in_pieces(problem, tmp_path / "stopped", workers=client, block_states=100_000)
    assert whole.tours == again.tours == SIX_BY_TEN
