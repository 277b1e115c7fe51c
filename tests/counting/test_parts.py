"""Counts by halves that are made in parts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import run
from knightstour.counting.count import count
from knightstour.counting.halves import layers, rank_join
from knightstour.counting.halves.count_halves import count_by_halves
from knightstour.counting.halves.count_parts import count_in_parts
from knightstour.counting.halves.cut import the_cut
from knightstour.counting.halves.middle import find_classes
from knightstour.counting.halves.parts import PartedClasses, pairs_of_parts, part_of
from knightstour.counting.means import Means, count_budget
from knightstour.model.board import Board
from knightstour.model.budget import Limits
from knightstour.model.errors import FormatError, LimitReached, ProblemError
from knightstour.model.problem import Problem
from knightstour.model.progress import Progress

SIX = Problem.of((6, 6), closed=True)
EIGHT = Problem.of((6, 8), closed=True)


class Stopped(Exception):
    """Raised in a run, to end it."""


def in_parts(problem: Problem, directory: Path, parts: int, **options) -> int:
    return count_in_parts(problem, directory, parts=parts, threads=1, **options).tours


# ---------------------------------------------------------------- parts


@pytest.mark.parametrize(
    ("board", "closed", "across"), [((6, 8), True, None), ((6, 7), True, 7), ((5, 6), False, None)]
)
def test_each_last_class_is_in_one_part_and_no_layer_before_lacks_one(board, closed, across):
    cut = the_cut(Problem.of(board, closed=closed), across=across)
    whole = find_classes(cut)
    parted = PartedClasses.of(cut, whole, 4)
    for name in ("left", "right"):
        of_parts = [parted.of_part(cut, name, k) for k in range(4)]
        all_layers = whole.right if name == "right" else whole.left
        made = [part.right if name == "right" else part.left for part in of_parts]
        assert sum(len(part[-1]) for part in made) == len(all_layers[-1])
        for t in range(len(all_layers)):
            found = set(np.concatenate([part[t] for part in made]).tolist())
            assert found <= set(all_layers[t].tolist())
            if t >= cut.shared or cut.is_even:
                assert found == set(all_layers[t].tolist())


@pytest.mark.parametrize("board", [(6, 8), (7, 8), (5, 8)])
def test_parts_can_have_about_equally_many_states(board):
    cut = the_cut(Problem.of(board, closed=True))
    last = find_classes(cut).left[-1]
    sizes = np.bincount(part_of(cut.left, last, 4), layers.most_states(last), minlength=4)
    assert sizes.max() < 2 * sizes.sum() / 4


def test_pairs_of_parts_count_each_tour_once():
    for parts in range(1, 9):
        assert sum(pair.times for pair in pairs_of_parts(parts, True)) == parts**2
        assert len(pairs_of_parts(parts, False)) == parts**2


# ---------------------------------------------------------------- counts

CASES = [
    (Problem.of((5, 6), closed=True), None, 8),
    (SIX, None, 9862),
    (EIGHT, None, 55_488_142),
    (Problem.of((5, 5)), None, 864),
    (Problem.of((4, 6)), None, None),
    (Problem.of((5, 5), start="a1"), None, None),
    (Problem.of(Board(4, 5, wrap="cylinder"), closed=True), None, None),
    (Problem.of(Board.from_text("......\n......\n..#...\n......\n......\n.....#"), closed=True), None, None),
]


@pytest.mark.parametrize(("problem", "across", "tours"), CASES)
@pytest.mark.parametrize("parts", [1, 3])
def test_parts_make_the_whole(problem, across, tours, parts, tmp_path):
    cut = the_cut(problem, across=across)
    known = count_by_halves(problem, cut=cut, threads=1).tours if tours is None else tours
    assert in_parts(problem, tmp_path, parts, cut=cut) == known
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]


@pytest.mark.long
@pytest.mark.parametrize(
    ("board", "across", "parts"), [((6, 7), 7, 5), ((6, 7), 6, 4), ((7, 8), 7, 7), ((6, 6), None, 40)]
)
def test_parts_of_larger_boards_make_the_whole(board, across, parts, tmp_path):
    known = {(6, 7): 1_067_638, (7, 8): 34_524_432_316, (6, 6): 9862}[board]
    problem = Problem.of(board, closed=True)
    assert in_parts(problem, tmp_path, parts, cut=the_cut(problem, across=across)) == known


@pytest.mark.slow
def test_9x6_is_counted_in_parts_across_nine_squares(tmp_path):
    assert kt.count_tours((9, 6), closed=True, across=9, parts=4, checkpoint=tmp_path) == 3_374_967_940


@pytest.mark.parametrize("board", [(6, 6), (5, 8)])
def test_parts_are_counted_modulo_primes_too(board, tmp_path, monkeypatch):
    problem = Problem.of(board, closed=True)
    known = count_by_halves(problem, threads=1).tours
    monkeypatch.setattr(layers, "MOST_COUNT", 5.0)
    made = count_in_parts(problem, tmp_path, parts=3, threads=1)
    assert made.moduli and made.tours == known


# ---------------------------------------------------------------- to go on


def stopping(at: str) -> Iterator[object]:
    """A budget whose progress ends the run when its text first holds this."""

    def on_progress(progress: Progress) -> None:
        if at in progress.note:
            raise Stopped

    return count_budget(on_progress=on_progress)


@pytest.mark.parametrize("at", ["layer 5", "making parts: 2", "joining parts 1 and 3", "joining pairs of parts: 4"])
def test_what_is_done_is_not_done_again(at, tmp_path, monkeypatch):
    with pytest.raises(Stopped):
        in_parts(EIGHT, tmp_path, 3, budget=stopping(at))
    before = {path: path.read_bytes() for path in tmp_path.rglob("pair-*.json")}
    made = {path.parent for path in tmp_path.rglob("left-*.[sr]*")}
    seen = []
    budget = count_budget(on_progress=lambda progress: seen.append(progress.note))
    assert in_parts(EIGHT, tmp_path, 3, resume=True, budget=budget) == 55_488_142
    assert len(before) == {"joining pairs of parts: 4": 4, "joining parts 1 and 3": 2}.get(at, 0)
    if before:
        assert len(made) == 3 and not any("making part 1 of 3" in note for note in seen)
        assert not any("joining parts 1 and 1" in note for note in seen)
    # The answer stays.
    assert in_parts(EIGHT, tmp_path, 3, resume=True) == 55_488_142


def test_a_limit_of_states_ends_it_and_loses_nothing(tmp_path):
    budget = count_budget(Limits(seconds=None, nodes=1000))
    with pytest.raises(LimitReached):
        in_parts(EIGHT, tmp_path, 3, budget=budget)
    assert in_parts(EIGHT, tmp_path, 3, resume=True) == 55_488_142


@pytest.mark.parametrize("damage", ["pair", "states", "lists", "ranks", "progress"])
def test_a_damaged_file_is_one_clear_error_and_nothing_else_is_lost(damage, tmp_path, monkeypatch):
    monkeypatch.setattr(rank_join, "_LEAST_FILLED", 0.0 if damage == "ranks" else 9.0)
    with pytest.raises(Stopped):
        in_parts(EIGHT, tmp_path, 3, budget=stopping("joining pairs of parts: 2"))
    patterns = {"pair": "pair-000-001.json", "progress": "left-001/progress.json"}
    path = sorted(tmp_path.rglob(patterns.get(damage, f"*.{damage}")))[-1]
    whole = path.read_bytes()
    at = len(whole) // 2 if damage != "pair" else whole.index(b'"sum"') + 15
    path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    others = sorted(other for other in tmp_path.rglob("*") if other != path)
    with pytest.raises(FormatError, match=r"damaged|cannot be read as") as found:
        in_parts(EIGHT, tmp_path, 3, resume=True)
    assert found.value.path == str(path) and found.value.help
    assert sorted(other for other in tmp_path.rglob("*") if other != path) == others
    # What the help says.
    if damage == "pair":
        path.unlink()
    else:
        assert str(path.parent) in found.value.help
        shutil.rmtree(path.parent)
    assert in_parts(EIGHT, tmp_path, 3, resume=True) == 55_488_142


def test_other_work_in_the_directory_is_refused(tmp_path):
    in_parts(SIX, tmp_path, 2)
    with pytest.raises(FormatError, match="already"):
        in_parts(SIX, tmp_path, 2)
    with pytest.raises(FormatError, match="another question"):
        in_parts(SIX, tmp_path, 3, resume=True)
    with pytest.raises(FormatError, match="another question"):
        count_by_halves(SIX, checkpoint=tmp_path, resume=True)


def test_a_sum_of_another_count_is_refused(tmp_path):
    for name, parts in (("one", 3), ("other", 4)):
        with pytest.raises(Stopped):
            in_parts(EIGHT, tmp_path / name, parts, budget=stopping("joining pairs of parts: 2"))
    there = tmp_path / "one" / "pass-0" / "pair-000-001.json"
    there.write_text((tmp_path / "other" / "pass-0" / "pair-000-001.json").read_text())
    with pytest.raises(FormatError, match="another count"):
        in_parts(EIGHT, tmp_path / "one", 3, resume=True)


@pytest.mark.long
def test_parts_are_shared_among_workers(tmp_path):
    assert kt.count_tours((6, 8), closed=True, parts=3, workers=2, checkpoint=tmp_path) == 55_488_142


@pytest.mark.long
def test_workers_go_on_with_what_one_process_began(tmp_path):
    with pytest.raises(Stopped):
        in_parts(EIGHT, tmp_path, 3, budget=stopping("joining pairs of parts: 2"))
    assert in_parts(EIGHT, tmp_path, 3, resume=True, workers=2) == 55_488_142


# ---------------------------------------------------------------- the doors


def test_parts_on_the_command_line(tmp_path, capsys):
    words = ("count", "6x6", "--closed", "--parts", "3")
    code, out, _ = run(*words, "--checkpoint", str(tmp_path / "parts"), capsys=capsys)
    assert (code, out.strip()) == (0, "9862")
    assert run(*words, capsys=capsys)[:2] == (0, "9862\n")
    code, out, _ = run(*words, "--plan", capsys=capsys)
    assert code == 0 and "parts    3 of each half" in out
    code, out, _ = run(*words, "--plan", "--json", capsys=capsys)
    assert json.loads(out)["parts"] == 3


@pytest.mark.parametrize("parts", [0, -1, 2.5, "3"])
def test_parts_that_are_no_number_are_an_error(parts, tmp_path):
    with pytest.raises(ProblemError, match="parts"):
        kt.count_tours((6, 6), closed=True, parts=parts, checkpoint=tmp_path)


def test_only_halves_are_made_in_parts(tmp_path):
    with pytest.raises(ProblemError, match="two halves"):
        kt.count_tours((6, 6), closed=True, symmetry="180", parts=2)
    with pytest.raises(ProblemError, match="two halves"):
        kt.plan_count((6, 6), avoid=["a1-b3"], parts=2)
    with pytest.raises(ProblemError, match="not made in parts"):
        count(SIX, route="states", means=Means(parts=2, checkpoint=tmp_path))
    # Where there is a proof, there is nothing to make.
    assert kt.count_tours((5, 5), closed=True, parts=2, checkpoint=tmp_path) == 0


def test_a_plan_in_parts_needs_less_memory_and_more_time():
    whole, parted = (kt.plan_count((8, 10), closed=True, parts=parts) for parts in (None, 8))
    assert parted.bytes < whole.bytes / 3 and parted.widest < whole.widest / 3
    assert parted.seconds > whole.seconds and parted.kept_bytes > 0
    assert "8 parts" in str(parted)
