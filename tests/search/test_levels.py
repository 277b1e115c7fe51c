"""Numberings by levels: compared with the definition, with steps, orders of squares and both, open and closed."""

import functools
import random
from collections.abc import Sequence

import pytest

from helpers import reference
from knightstour.core.model.board import Board
from knightstour.core.model.budget import NO_LIMITS, Budget
from knightstour.core.search.clues import places_of
from knightstour.core.search.clues_levels import Levels
from knightstour.core.search.clues_sat import pack_order, sat_numberings

pytest.importorskip("pysat")

BOARDS = [
    Board(4, 4, moves="wazir"),
    Board(3, 4),
    Board(3, 4, moves="king", holes=["b2", "c1", "d3"]),
    Board(4, 4, moves="wazir", holes=["a1", "b1"]),
    Board(3, 3, moves="king"),
    Board(2, 3, moves="king"),
]


@functools.cache
def numberings(board: Board, closed: bool) -> list[list[int]]:
    """List all numberings by plain code, as squares of the search."""
    index = places_of(board).index
    walks = reference.all_tours(reference.adjacency(reference.spec_of(board)), closed=closed)
    orders = {tuple(index[r * board.cols + c] for r, c in walk) for walk in walks}
    if closed:
        orders = {order[k:] + order[:k] for order in orders for k in range(len(order))}
    return sorted(map(list, orders))


def meets(order: Sequence[int], domains: list[int], named: list[int]) -> bool:
    step = {s: t for t, s in enumerate(order)}
    rises = all(step[a] < step[b] for a, b in zip(named, named[1:], strict=False))
    return rises and all(domains[s] >> t & 1 for s, t in step.items())


def question(chance: random.Random, count: int, orders: list[list[int]]) -> tuple[list[int], list[int], bool]:
    """Draw possible steps, squares in order, and whether these are the anchors. Most problems have a solution."""
    full = (1 << count) - 1
    base = chance.choice(orders) if orders and chance.random() < 0.8 else chance.sample(range(count), count)
    domains, named = [full] * count, list[int]()
    for s in chance.sample(range(count), chance.randint(0, min(count, 5))):
        others = sum(1 << t for t in chance.sample(range(count), chance.choice([0, 0, 3])))
        domains[s] = 1 << base.index(s) | others
    if chance.random() < 0.5:
        named = sorted(chance.sample(range(count), chance.randint(2, 4)), key=base.index)
    if not named or chance.random() < 0.4:
        return domains, named, False
    domains = [full if bits.bit_count() == 1 else bits for bits in domains]
    domains[named[0]] = 1 << base.index(named[0])
    return domains, named, named[0] == base[0]


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_results_match_the_definition(board, closed):
    places, orders = places_of(board), numberings(board, closed)
    moves = [sum(1 << k for k, u in enumerate(row) if u >= 0) for row in places.near.tolist()]
    for seed in range(15):
        domains, named, by_order = question(random.Random(seed), places.count, orders)
        wanted = {tuple(order) for order in orders if meets(order, domains, named)}
        make = functools.partial(Levels, places, domains, moves, [0] * places.count, closed, named, by_order)
        # Numberings found by another search may be omitted.
        known = {pack_order(order) for order in sorted(wanted)[: seed % 3]}
        found = {tuple(order) for order in sat_numberings(make, set(known), Budget(NO_LIMITS), 10**6) if order}
        assert found <= wanted and {pack_order(order) for order in found} | known == {*map(pack_order, wanted)}, seed
