"""Counts by halves: compared with published counts, with plain enumeration, and with other cuts."""

import json
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from helpers import reference
from helpers.counting_steps import Step, steps_to
from helpers.examples import examples
from helpers.small_problems import tours_of
from helpers.strategies import boards
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import FormatError, ProblemError
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.lab.counting.halves import machine, stores
from knightstour.lab.counting.halves.cut import make_cut, the_cut
from knightstour.lab.counting.halves.march import count_by_halves

# Larger versions of the counts in test_count.py.
pytestmark = pytest.mark.long


def closed(size: tuple[int, int]) -> Problem:
    return Problem(size, closed=True)


# ---------------------------------------------------------------- the right numbers


@pytest.mark.parametrize("fold", [True, False])
@pytest.mark.parametrize("size", [(3, 10), (5, 6), (6, 6), (6, 7), (5, 8), (6, 8), (5, 10)])
def test_closed_tours_of_boards_are_as_many_as_published(size, fold, published):
    known = {tuple(row["board"]): row["count"] for row in published["tours"] if row["closed"]}
    assert count_by_halves(closed(size), cut=the_cut(closed(size), fold=fold), threads=1).tours == known[size]


@pytest.mark.parametrize("size", [(5, 5), (6, 6)])
def test_open_tours_of_boards_are_as_many_as_published(size, published):
    known = {tuple(row["board"]): row["count"] for row in published["tours"] if not row["closed"]}
    assert 2 * count_by_halves(Problem(size), threads=1).tours == known[size]


@pytest.mark.slow
@pytest.mark.parametrize("size", [(7, 7), (8, 8), (6, 12), (6, 20), (7, 10), (7, 12)])
def test_large_boards_have_as_many_tours_as_published(size, published):
    is_closed = size != (7, 7)
    known = {tuple(row["board"]): row for row in published["tours"] if row["closed"] == is_closed}
    count = count_by_halves(Problem(size, closed=is_closed)).tours
    assert count * (1 if is_closed else 2) == known[size]["count"]


@examples(40)
@given(boards(most_side=5), st.booleans(), st.data())
def test_any_board_has_as_many_tours_as_enumeration_finds(board, is_closed, data):
    assume(len(board) <= (14 if board.wrap else 18))
    squares = sorted(reference.adjacency(reference.spec_of(board)))
    ends = st.none() | st.sampled_from(squares)
    start, end = (None, None) if is_closed else (data.draw(ends), data.draw(ends))
    assume(start is None or start != end)
    problem = Problem(board, closed=is_closed, start=start, end=end)
    assume(make_cut(problem) is not None)
    assert count_by_halves(problem, threads=1).tours == len(tours_of(problem))


@pytest.mark.parametrize("is_closed", [True, False])
def test_cut_position_does_not_change_the_result(is_closed):
    problem = Problem((6, 7) if is_closed else (5, 7), closed=is_closed)
    counts = {count_by_halves(problem, cut=the_cut(problem, columns=h), threads=1).tours for h in (1, 2, 3)}
    turned = Problem((7, 6) if is_closed else (7, 5), closed=is_closed)
    counts |= {
        count_by_halves(turned, threads=1).tours,
        count_by_halves(problem, cut=the_cut(problem, fold=False), threads=1).tours,
    }
    assert len(counts) == 1
    assert counts != {0}


def test_boards_of_one_square_or_several_parts_need_no_cut():
    assert count_by_halves(Problem((1, 1))).tours == 1
    assert count_by_halves(Problem((1, 1), closed=True)).tours == 0
    assert count_by_halves(Problem((3, 3))).tours == 0
    assert count_by_halves(Problem((2, 500), closed=True)).tours == 0


def test_rejects_too_wide_boards_before_counting():
    with pytest.raises(ProblemError, match="16 squares"):
        count_by_halves(Problem((9, 9)))
    assert make_cut(Problem((9, 9))) is None
    assert make_cut(Problem((8, 200))) is not None


# ---------------------------------------------------------------- exactness


@pytest.mark.parametrize("is_closed", [True, False])
def test_counting_by_primes_matches_exact_counting(is_closed, monkeypatch):
    problem = Problem((6, 7) if is_closed else (5, 6), closed=is_closed)
    exact = count_by_halves(problem, threads=1)
    assert exact.moduli == ()
    monkeypatch.setattr(machine, "MAX_COUNT", 50.0)
    by_primes = count_by_halves(problem, threads=1)
    assert by_primes.moduli
    assert by_primes.tours == exact.tours


def test_numbers_past_64_bits_are_exact():
    # OEIS A070030 from 3x10 on, every second column.
    known = [16, 176, 1536, 15424, 147728, 1448416, 14060048, 136947616, 1332257856, 12965578752]
    known += [126169362176, 1227776129152, 11947846468608, 116266505653888, 1131418872918784, 11010065269439104]
    for i, count in enumerate(known[:4]):
        assert count_by_halves(closed((3, 10 + 2 * i))).tours == count
    last = count_by_halves(closed((3, 40)), threads=1)
    assert last.tours == known[15]
    long = count_by_halves(closed((3, 130)), threads=1)
    assert long.tours > 2**190
    assert len(long.moduli) > 6
    assert long.tours == count_by_halves(closed((3, 130)), cut=the_cut(closed((3, 130)), columns=40), threads=1).tours


# ---------------------------------------------------------------- limits, threads, checkpoints


def test_the_count_does_not_depend_on_threads(monkeypatch):
    monkeypatch.setattr(machine, "BLOCK_STATES", 1000)
    monkeypatch.setattr("knightstour.lab.counting.halves.middle.JOIN_BLOCK", 50)
    problem = closed((6, 8))
    one, three = (count_by_halves(problem, threads=k) for k in (1, 3))
    assert one._replace(peak_bytes=0) == three._replace(peak_bytes=0)
    assert one.tours == 55488142


def test_layers_that_do_not_fit_into_memory_go_to_disk(tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "BLOCK_STATES", 1000)
    problem = Problem((6, 6))
    free = count_by_halves(problem, threads=1)
    limit = free.peak_bytes * 2 // 3
    with pytest.raises(LimitReached, match="memory"):
        count_by_halves(problem, threads=1, budget=Budget(Limits(bytes=limit)))
    tight = count_by_halves(problem, threads=1, budget=Budget(Limits(bytes=limit)), checkpoint=tmp_path / "kept")
    assert tight.tours == free.tours
    assert tight.peak_bytes <= limit
    # Finished work keeps only its result.
    assert [path.name for path in (tmp_path / "kept").iterdir()] == ["progress.json"]
    again = count_by_halves(problem, checkpoint=tmp_path / "kept")
    assert (again.tours, again.states) == (free.tours, free.states)


class Stop(Exception):
    """Stops a count from within."""


@pytest.mark.parametrize("problem", [closed((6, 6)), Problem((5, 5)), Problem((4, 6), start="b2")], ids=str)
def test_a_count_can_go_on_after_every_layer(problem, tmp_path, monkeypatch):
    wanted = count_by_halves(problem, threads=1)
    monkeypatch.setattr("knightstour.lab.counting.halves.march.SAVE_SECONDS", 0.0)
    directory = tmp_path / "work"
    stops = 0
    while True:
        seen = 0

        def stop(progress: Step) -> None:
            nonlocal seen, stops
            if progress.stage == "layers" and progress.done > 0:
                seen += 1
                if seen > 1:
                    stops += 1
                    raise Stop

        try:
            count = count_by_halves(problem, threads=1, checkpoint=directory, budget=steps_to(stop))
            break
        except Stop:
            continue
    assert stops > 3
    assert count.tours == wanted.tours
    assert (count.states, count.transitions) == (wanted.states, wanted.transitions)


@pytest.mark.parametrize("stage, number", [("layers", 1), ("join", 1), ("layers", 2), ("join", 2)])
def test_a_count_by_primes_can_go_on(stage, number, tmp_path, monkeypatch):
    monkeypatch.setattr(machine, "MAX_COUNT", 1e6)
    problem = closed((6, 16))
    wanted = count_by_halves(problem, threads=1)
    assert len(wanted.moduli) == 4
    calls = 0

    def stop(progress: Step) -> None:
        nonlocal calls
        calls += progress.pass_number == number and progress.stage == stage
        if calls == (1 if stage == "join" else 3):
            raise Stop

    with pytest.raises(Stop):
        count_by_halves(problem, threads=1, checkpoint=tmp_path, budget=steps_to(stop))
    again = count_by_halves(problem, threads=1, checkpoint=tmp_path)
    assert (again.tours, again.moduli) == (wanted.tours, wanted.moduli)


@pytest.mark.parametrize("columns", [None, 7])
def test_passes_begin_from_the_last_exact_layer(columns, tmp_path, monkeypatch):
    problem = closed((6, 16))
    cut = the_cut(problem, columns=columns)
    exact = count_by_halves(problem, cut=cut, threads=1)
    monkeypatch.setattr(machine, "MAX_COUNT", 1e6)
    whole = count_by_halves(problem, cut=cut, threads=1)
    short = count_by_halves(problem, cut=cut, threads=1, checkpoint=tmp_path)
    assert exact.tours == whole.tours == short.tours and short.moduli == whole.moduli
    assert short.states < 0.9 * whole.states
    assert [path.name for path in tmp_path.iterdir()] == ["progress.json"]


def stopped(directory: Path) -> Problem:
    """A problem whose count was stopped halfway."""

    def stop(progress: Step) -> None:
        if progress.stage == "layers" and progress.done == 10:
            raise Stop

    problem = Problem((5, 6))
    with pytest.raises(Stop):
        count_by_halves(problem, threads=1, checkpoint=directory, budget=steps_to(stop))
    return problem


def test_a_checkpoint_of_another_question_is_refused(tmp_path):
    stopped(tmp_path)
    with pytest.raises(FormatError, match="another problem"):
        count_by_halves(closed((5, 6)), checkpoint=tmp_path)
    with pytest.raises(FormatError, match="another problem"):
        problem = Problem((5, 6))
        count_by_halves(problem, cut=the_cut(problem, fold=False), checkpoint=tmp_path)


@pytest.mark.parametrize("damage", ["flip", "cut", "gone", "json", "digit", "version"])
def test_a_damaged_checkpoint_is_refused(damage, tmp_path):
    problem = stopped(tmp_path)
    (states,) = tmp_path.glob("*.layer")
    progress = tmp_path / "progress.json"
    data = bytearray(states.read_bytes())
    if damage == "flip":
        data[len(data) // 2] ^= 4
        states.write_bytes(data)
    elif damage == "cut":
        states.write_bytes(data[:-16])
    elif damage == "gone":
        states.unlink()
    elif damage == "json":
        progress.write_text(progress.read_text()[:100])
    elif damage == "digit":
        text = progress.read_text()
        states_made = json.loads(text)["details"]["states"]
        progress.write_text(text.replace(str(states_made), str(states_made + 1)))
    else:
        progress.write_text(progress.read_text().replace(f'"format": {stores.FORMAT}', '"format": 0'))
    with pytest.raises(FormatError):
        count_by_halves(problem, threads=1, checkpoint=tmp_path)


def test_leftovers_of_a_killed_run_are_removed(tmp_path):
    problem = stopped(tmp_path)
    for name in ("states-9.layer", ".progress.json.abcd.part"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "mine.txt").write_text("kept")
    assert count_by_halves(problem, threads=1, checkpoint=tmp_path).tours == 18784
    assert not list(tmp_path.glob("*.layer")) and not list(tmp_path.glob(".*.part"))
    assert (tmp_path / "mine.txt").exists()
