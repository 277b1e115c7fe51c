"""Tests of supply and demand: one colour class suffices for 2-coloured graphs, and large boards are tried late."""

import random

import pytest

import knightstour as kt
from knightstour.core.model.problem import Problem
from knightstour.core.proofs import arguments
from knightstour.core.proofs.supply import Balance, Flow, total_offer


def two_coloured(seed: int) -> list[set[int]]:
    """Return a random 2-coloured graph in mixed order, sometimes with unequal classes."""
    chance = random.Random(seed)
    size = chance.randint(4, 14)
    colours = [chance.random() < 0.5 for _ in range(size)] if seed % 3 == 0 else [v % 2 == 0 for v in range(size)]
    near: list[set[int]] = [set() for _ in range(size)]
    for a in range(size):
        for b in range(a):
            if colours[a] != colours[b] and chance.random() < 0.45:
                near[a].add(b)
                near[b].add(a)
    return near


@pytest.mark.parametrize("part", range(4))
def test_flow_from_one_colour_matches_flow_from_both(part):
    shortages = 0
    for seed in range(60 * part, 60 * part + 60):
        near = two_coloured(seed)
        size = len(near)
        whole = Flow([*([size + u for u in others] for others in near), *(list(others) for others in near)])
        balance = Balance(near)
        assert balance.is_short == (whole.run() < 2 * size)
        if balance.is_short:
            weights = balance.shortage()
            assert total_offer(near, weights) < 2 * sum(weights.values())
            shortages += 1
            continue
        for weights in balance.exhausting_weights():
            assert total_offer(near, weights) == 2 * sum(weights.values())
    assert 0 < shortages < 60


def holed(seed: int) -> kt.Board:
    """Return 52x52 with a fifth of the squares as holes, and at least two moves per square."""
    chance = random.Random(seed)
    squares = {(r, c) for r in range(52) for c in range(52)}
    squares -= set(chance.sample(sorted(squares), 600))
    leaps = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
    while poor := {(r, c) for r, c in squares if sum((r + a, c + b) in squares for a, b in leaps) < 2}:
        squares -= poor
    more = [square for square in sorted(squares) if sum(square) % 2 == 0]
    less = [square for square in sorted(squares) if sum(square) % 2]
    more, less = (more, less) if len(more) > len(less) else (less, more)
    squares -= set(more[: len(more) - len(less)])
    return kt.Board(52, 52, holes=[(r, c) for r in range(52) for c in range(52) if (r, c) not in squares])


@pytest.mark.parametrize("seed", [6, 8])
def test_large_board_without_cycle_cover_is_proved_impossible(seed):
    result = kt.solve(holed(seed), closed=True, seed=1)
    assert (result.status, result.method, result.source) == (kt.Status.IMPOSSIBLE, "argument", "supply of moves")


def test_a_large_board_that_has_one_is_not():
    assert arguments.late_proof(Problem(holed(4), closed=True)) is None
