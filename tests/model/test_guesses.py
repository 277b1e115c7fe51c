"""Tests of likely wrong guesses in Python: each works, or its error suggests the correct name."""

import traceback
from collections.abc import Callable
from typing import Any

import pytest

import knightstour as kt

BOARD: Any = kt.Board(6, 6)
TOUR: Any = kt.find_tour("6x6", seed=1)
RESULT: Any = kt.solve("6x6", seed=1)
KT: Any = kt

WORK: dict[str, Callable[[], object]] = {
    "count": lambda: kt.count("3x4"),
    "sample": lambda: kt.sample("6x6", 2),
    "check": lambda: kt.check([TOUR]),
    "measure": lambda: kt.measure(TOUR),
    "estimate": lambda: kt.estimate("5x5", samples=100),
    "facts": lambda: kt.facts("5x5"),
    "plan": lambda: kt.plan("5x5"),
    "seed, timeout, max_nodes": lambda: kt.solve("6x6", seed=1, timeout=1, max_nodes=9),
    "draw a result": lambda: kt.draw(RESULT),
    "len, iter, in": lambda: (len(BOARD), list(BOARD), "a1" in BOARD),
}
HINTS: dict[str, tuple[Callable[[], object], str]] = {
    "rng": (lambda: KT.solve(8, rng=1), "seed="),
    "random_state": (lambda: KT.solve(8, random_state=1), "seed="),
    "limits": (lambda: KT.solve(8, limits=1), "timeout="),
    "time_limit": (lambda: KT.solve(8, time_limit=1), "timeout="),
    "algorithm": (lambda: KT.solve(8, algorithm="dfs"), "method="),
    "solver": (lambda: KT.solve(8, solver="dfs"), "method="),
    "seed of a count": (lambda: KT.count(8, seed=1), "estimate() and sample() have a seed"),
    "dfs": (lambda: KT.solve(8, method="dfs"), "use method 'backtracking'"),
    "dfs in a comparison": (lambda: KT.compare(8, methods=["dfs"]), "use method 'backtracking'"),
    "a tour as board": (lambda: kt.solve(TOUR), "tour.board"),
    "way": (lambda: KT.count(8, way="halves"), "method="),
    "circuit": (lambda: KT.solve(8, circuit=True), "closed="),
    "cycle": (lambda: KT.solve(8, cycle=True), "closed="),
    "close": (lambda: KT.solve(8, close=True), "closed="),
    "piece": (lambda: KT.solve(8, piece="king"), 'moves="king", or "8x8:king"'),
    "objective": (lambda: KT.solve(8, objective="turns"), 'minimize="turns"'),
    "queen": (lambda: kt.solve("8x8:queen"), "docs/graphs.md"),
    "kt.tour": (lambda: KT.tour(8), "kt.find_tour(8)"),
    "hamiltonian_path": (lambda: KT.hamiltonian_path, "kt.find_tour(board)"),
    "hamiltonian_cycle": (lambda: KT.hamiltonian_cycle, "closed=True for a cycle"),
    "warnsdorff": (lambda: KT.warnsdorff(8), 'kt.solve(8, method="warnsdorff")'),
    "backtracking": (lambda: KT.backtracking, 'kt.solve(8, method="backtracking")'),
    "is_valid": (lambda: KT.is_valid, "kt.check"),
    "is_tour": (lambda: KT.is_tour, "kt.check"),
    "validate": (lambda: KT.validate, "kt.check"),
    "rank": (lambda: KT.rank, "kt.TourSpace(board).rank(tour)"),
    "unrank": (lambda: KT.unrank, "kt.TourSpace(board).unrank(n)"),
    **{
        name: (lambda name=name: getattr(kt, name), 'kt.draw(tour).save("tour.svg")')  # type: ignore[misc]
        for name in ("plot", "show", "draw_svg", "animate")
    },
    "Graph": (lambda: KT.Graph, "Board.from_graph"),
    "enumerate": (lambda: KT.enumerate, "iter_tours"),
    "Limits": (lambda: KT.Limits, "timeout="),
    "verify": (lambda: KT.verify, "knightstour.certificates.verify"),
    "tour.path": (lambda: TOUR.path, "tour.squares"),
    "tour.moves_list": (lambda: TOUR.moves_list, "tour.moves"),
    "tour.is_valid": (lambda: TOUR.is_valid, "A Tour is always valid"),
    **{
        f"tour.{name}": (lambda name=name: getattr(TOUR, name), 'kt.draw(tour), or tour.save("x.svg")')  # type: ignore[misc]
        for name in ("plot", "show", "draw")
    },
    'tour["a1"]': (lambda: TOUR["a1"], "tour.index('a1')"),
    "result.path": (lambda: RESULT.path, "result.tour.squares"),
    "result.squares": (lambda: RESULT.squares, "result.tour.squares"),
    "result.plot": (lambda: RESULT.plot(), "kt.draw(result)"),
    "draw without a tour": (lambda: kt.draw(kt.solve("4x4")), "there is no tour to draw"),
    "board.neighbours": (lambda: BOARD.neighbours, "board.neighbors"),
    **{
        f"board.{name}": (lambda name=name: getattr(BOARD, name), "board.rows and board.cols; len(board)")  # type: ignore[misc]
        for name in ("size", "shape", "n")
    },
    "board.plot": (lambda: BOARD.plot(), "kt.draw(board)"),
    "a file": (lambda: kt.Board("heart.txt"), "Board.from_file('heart.txt')"),
    "path last": (lambda: KT.write_tours(TOUR, "x.json"), "write_tours(path, tours)"),
}


@pytest.mark.parametrize("guess", WORK)
def test_a_good_guess_works(guess: str) -> None:
    assert WORK[guess]() is not None


@pytest.mark.parametrize("guess", HINTS)
def test_a_wrong_guess_is_told_the_right_word(guess: str) -> None:
    call, hint = HINTS[guess]
    with pytest.raises((TypeError, AttributeError, kt.KnightsTourError)) as caught:
        call()
    assert hint in "".join(traceback.format_exception_only(caught.value))
