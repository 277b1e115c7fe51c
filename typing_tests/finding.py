"""Find tours, prove that there are none, and look at what is found."""

from typing import assert_type

import numpy as np

import knightstour as kt

board = kt.Board(8, 8, holes=["d4", (3, 4)], leaper=(1, 2), wrap="torus")
assert_type(kt.find_tour(board, start="a1", seed=1), kt.Tour)
assert_type(kt.solve((8, 8), method="backtracking", settings={"prune": "stranded,forced"}), kt.Result)

result = kt.solve((8, 8), closed=True, timeout=5, max_nodes=10**6, seed=np.random.default_rng(7))
assert_type(result, kt.Result)
assert_type(result.status, kt.Status)
assert_type(result.tour, kt.Tour | None)
assert_type(result.reason, str)
assert_type(result.seconds, float)
assert_type(result.nodes, int)

problem = kt.Problem((3, 10), closed=True)
assert_type(kt.solve(problem).status is kt.Status.FOUND, bool)
for tour in kt.iter_tours(problem):
    assert_type(tour, kt.Tour)
    assert_type(tour.is_closed, bool)
    assert_type(tour.start, tuple[int, int])
    assert_type(tour.turns, int)
    magic: str = tour.magic
    assert_type(tour.symmetry_name, str)
    assert_type(tour.canonical(), kt.Tour)
    assert_type(tour.rotated(90).board.cols, int)

try:
    kt.find_tour((4, 4))
except kt.NoTour as no:
    assert_type(no.result, kt.Result)

facts = kt.facts((5, 5))
assert_type(facts, kt.typing.Facts)
assert_type(facts.graph, kt.typing.GraphFacts | None)
assert_type(kt.constructions.implicit_tour((10**9, 10**9)).square_at(10**17), tuple[int, int])

comparison = kt.compare((8, 8), closed=True, methods=["merge", "rotation"], seeds=10)
assert_type(comparison, kt.typing.Comparison)
better = kt.improve(kt.find_tour((8, 8), closed=True), minimize="crossings", seed=1)
assert_type(better, kt.typing.Improvement)
assert_type(better.tour, kt.Tour)
chosen = kt.typing.ChosenStatistic("inside=a1..d4")
assert_type(kt.solve((6, 6), minimize=chosen, timeout=1), kt.Result)
assert_type(kt.solve((6, 6), method="warnsdorff", maximize="turns", timeout=1), kt.Result)
