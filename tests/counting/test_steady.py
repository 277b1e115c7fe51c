"""Growth rates from the layers of long boards: against graphs and counts, and gone on with."""

from __future__ import annotations

import json
import math
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import knightstour as kt
from helpers.command_line import run
from knightstour.core.model.errors import FormatError, LimitReached, ProblemError
from knightstour.core.model.indices import repeat
from knightstour.core.model.problem import Problem
from knightstour.lab.counting.halves import steady
from knightstour.lab.counting.halves.cut import make_cut
from knightstour.lab.counting.halves.machine import Counts, Machine, Threads, foresee
from knightstour.lab.counting.halves.stores import Store
from knightstour.lab.counting.narrow import narrow_recurrence
from knightstour.lab.counting.settings import Watch


@pytest.fixture(scope="module")
def five():
    return kt.growth_rate((5, 8), closed=True)


@pytest.mark.parametrize("closed", [True, False])
def test_bounds_overlap_those_of_the_recurrence(closed):
    parts = [
        steady.bounds_of_rate(3, Watch(Problem.of((3, 40), closed=closed)), closed=closed, placed=placed)
        for placed in ((0,) if closed else (0, 1))
    ]
    low, high = narrow_recurrence(3, closed=closed).rate()
    assert max(part.low for part in parts) <= low and high <= max(part.high for part in parts)


@pytest.mark.long
def test_counts_grow_into_the_interval(five):
    far = [kt.count_tours((5, cols), closed=True) for cols in (38, 40)]
    assert math.sqrt(far[1] / far[0]) == pytest.approx(five.low, rel=1e-7)
    assert five.high - five.low < 1e-13 * five.high and five.states > 8000


def march_of(rows):
    """The march of a board, before its first layer."""
    problem = Problem.of((rows, 2 * steady._COLUMNS + 2), closed=True)
    cut = make_cut(problem, columns=steady._COLUMNS)
    return steady.Steady(problem, cut, Watch(problem), Machine(Threads(1), Store(10**9)))


@pytest.mark.parametrize("rows", [5, pytest.param(6, marks=pytest.mark.long)])
def test_layers_come_back_after_two_columns(rows):
    march = march_of(rows)
    layer, now = march._begin(None, False)
    for _ in range(4):
        before = layer.states.copy(), layer.lengths.copy()
        layer, now = march._round(layer, now)
    assert (before[0][:, 0] == layer.states[:, 0]).all() and (before[1] == layer.lengths).all()
    assert now.low > 0 and now.states == len(layer.states)
    for offset, length in zip(layer.offsets.tolist(), layer.lengths.tolist(), strict=True):
        assert (np.diff(layer.states[offset : offset + length, 0]) > 0).all()
    # All memory but that of what is still there was given back.
    assert march.store.held == layer.states.nbytes + sum(classes.nbytes for classes in march.side.classes)


def test_weights_are_counts_of_half_made_tours():
    """Before they are scaled, the weights of a layer are the counts that the march of a count has there."""
    march = march_of(5)
    *_, counted = Machine(Threads(1)).layers(Counts(), march.side, last=5 * march.column)
    for reached in march.machine.layers(march.weights, march.side, last=5 * march.column):
        ways, terms = march.weights.summed()
        assert ways >= reached.layer.size and 1 <= terms <= ways
    layer, weights = counted.layer, reached.layer
    assert (weights.lengths == layer.lengths).all() and weights.masses.tolist() == layer.masses.tolist()
    places = repeat(np.arange(len(layer.classes)), layer.lengths)
    counted = zip(places.tolist(), *layer.states.T.tolist(), strict=True)
    weighed = zip(
        places.tolist(), weights.states[:, 0].tolist(), weights.states.view(float)[:, 1].tolist(), strict=True
    )
    assert sorted(counted) == sorted(weighed)


def test_threads_count_what_they_add_up_apart_from_each_other():
    march, weights = march_of(5), steady.Weights()
    start = march.machine.start(weights)
    ahead = foresee(march.side, 0, start.layer, weights.most)
    more = weights.pulling(march.side, start, ahead).more
    seen = []
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(2) as pool:
            for made in pool.map(lambda _: [more(0, 1)[-1] for _ in range(20_000)], range(2)):
                seen.extend(made)
    finally:
        sys.setswitchinterval(before)
    assert len({id(numbers) for numbers in seen}) == len(seen) == 40_000


def test_it_goes_on_from_a_checkpoint(five, tmp_path):
    folder = tmp_path / "rate"
    with pytest.raises(LimitReached) as stopped:
        kt.growth_rate("5x8", closed=True, checkpoint=folder, limits=kt.Limits(nodes=900_000))
    assert "which is proved" in stopped.value.note
    assert json.loads((folder / "progress.json").read_text())["details"]["rounds"] > 2
    with pytest.raises(FormatError, match="already"):
        kt.growth_rate("5x8", closed=True, checkpoint=folder)
    assert kt.growth_rate("5x8", closed=True, checkpoint=folder, resume=True) == five
    # What is done is not done again.
    assert kt.growth_rate("5x8", closed=True, checkpoint=folder, resume=True, limits=kt.Limits(nodes=1)) == five


def test_a_damaged_checkpoint_is_refused(tmp_path):
    with pytest.raises(LimitReached):
        kt.growth_rate("5x8", closed=True, checkpoint=tmp_path, limits=kt.Limits(nodes=900_000))
    (states,) = tmp_path.glob("*.layer")
    content = bytearray(states.read_bytes())
    content[100] ^= 1
    states.write_bytes(content)
    with pytest.raises(FormatError, match="damaged"):
        kt.growth_rate("5x8", closed=True, checkpoint=tmp_path, resume=True)


def test_the_command_line_keeps_checkpoints(five, tmp_path, capsys):
    words = ("count", "5x8", "--closed", "--growth", "rate", "--checkpoint", str(tmp_path / "new"))
    code, out, err = run(*words, "--max-nodes", "900000", capsys=capsys)
    assert code != 0 and "which is proved" in err and not out
    code, out, _ = run(*words, "--threads", "2", capsys=capsys)
    assert code == 0 and [float(line.split()[-1].rstrip(".")) for line in out.splitlines()[1:]] == [five.low, five.high]


@pytest.mark.parametrize(
    "board, options, message",
    [
        ("4x10", {"closed": False, "checkpoint": "there"}, "keeps no checkpoints"),
        ("5x10", {"resume": True}, "no checkpoint to go on from"),
        ("5x10", {"threads": 0}, "threads"),
    ],
)
def test_options_that_do_not_fit(board, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ProblemError, match=message):
        kt.growth_rate(board, **{"closed": True, **options})
    assert not list(tmp_path.iterdir())
