"""Networks of ways: sums along the ways against loops over them, whole numbers of any length, and dead states."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers.examples import examples
from knightstour.lab.counting import network
from knightstour.lab.counting.network import Ways, completed


@st.composite
def layers(draw):
    """Some ways between layers of a few states; some states have none."""
    sizes = draw(st.lists(st.integers(1, 5), min_size=2, max_size=5))
    made = []
    for states, following in zip(sizes, [*sizes[1:], 0], strict=True):
        ways = [draw(st.lists(st.integers(-1, following - 1), max_size=4)) for _ in range(states)]
        offsets = np.cumsum([0, *map(len, ways)], dtype=np.int64)
        targets = np.array([target for each in ways for target in each], dtype=np.int32)
        made.append(Ways(offsets, targets, np.arange(len(targets), dtype=np.int32)))
    return made


def ways_of(ways: Ways, s: int) -> list[int]:
    return ways.targets[ways.offsets[s] : ways.offsets[s + 1]].tolist()


@pytest.mark.parametrize("at_once", [1, 3, 1 << 22])
@examples(60)
@given(made=layers(), seed=st.integers(0, 100), kind=st.sampled_from([np.int64, np.float64, object]))
def test_sums_along_ways_are_those_of_a_loop(at_once, made, seed, kind):
    ways, following = made[0], made[1].states
    rng = np.random.default_rng(seed)
    ahead, rows, here = (rng.integers(0, 99, size) for size in (following + 1, (following + 1, 3), ways.states))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network, "_AT_ONCE", at_once)
        pulled, of_rows = (ways.pulled(values.astype(kind)) for values in (ahead, rows))
        pushed = ways.pushed(here.astype(kind), following)
        taken = ways.pulled(ahead.astype(kind), lambda values, codes: values * codes)
    firsts = ways.offsets[:-1].tolist()
    for s, first in enumerate(firsts):
        assert pulled[s] == sum(ahead[k] for k in ways_of(ways, s))
        assert (of_rows[s] == sum((rows[k] for k in ways_of(ways, s)), np.zeros(3))).all()
        assert taken[s] == sum(ahead[k] * (first + i) for i, k in enumerate(ways_of(ways, s)))
    for k in range(-1, following):
        assert pushed[k] == sum(here[s] * ways_of(ways, s).count(k) for s in range(ways.states))


def test_sums_that_need_more_than_62_bits_are_exact():
    ways = Ways(np.array([0, 3, 4]), np.array([0, 1, 1, -1], np.int32), np.zeros(0, np.int32))
    assert ways.pulled(np.array([2**61, 2**61 + 1, 1])).tolist() == [3 * 2**61 + 2, 1]
    assert ways.pulled(np.array([2**60, 5, 1])).tolist() == [2**60 + 10, 1]
    assert ways.pulled(np.array([7**300, 5, 1], dtype=object)).tolist() == [7**300 + 10, 1]


@examples(100)
@given(made=layers())
def test_a_network_holds_the_states_that_lead_to_a_tour(made):
    def completions(t, s):
        return sum(1 if k < 0 else completions(t + 1, k) for k in ways_of(made[t], s))

    wanted = [[completions(t, s) for s in range(ways.states)] for t, ways in enumerate(made)]
    seen = []
    found = completed(list(made), seen.append)
    assert [each.tolist() for each in found.completions] == [[n for n in each if n] for each in wanted]
    assert seen[-1] == 1 and len(seen) == len(made)
    for t, (ways, old) in enumerate(zip(found.ways, made, strict=True)):
        after = found.after(t)
        kept = [s for s in range(old.states) if wanted[t][s]]
        assert ways.states == len(kept)
        for s, before in enumerate(kept):
            alive = [k for k in ways_of(old, before) if k < 0 or wanted[t + 1][k]]
            assert [after[k] for k in ways_of(ways, s)] == [1 if k < 0 else wanted[t + 1][k] for k in alive]
