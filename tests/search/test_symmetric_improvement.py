"""Improving a symmetric tour: it keeps its symmetry, and the kernel's figures are those of the tour."""

from __future__ import annotations

import pytest

import knightstour as kt
from knightstour.core.kernels.search import improve as kernel
from knightstour.core.machine.native import door
from knightstour.core.model.symmetry import symmetries
from knightstour.core.proofs.symmetric import order_of_image
from knightstour.lab.objectives.covers import cover_of, start_state
from knightstour.lab.objectives.table import OBJECTIVES
from reference import as_lists
from reference.improve import loops_of, value_of

LITTLE = kt.Limits(seconds=20, nodes=20_000)


@pytest.mark.parametrize("objective", ["turns", "crossings", "most-turns", "most-crossings", "uncrossed"])
@pytest.mark.parametrize(
    ("board", "closed", "symmetry"),
    [
        ("8x8", True, "180"),
        ("6x6", True, "90"),
        ("7x6", True, "180"),
        ("5x6", True, "vertical"),
        ("5x5", False, "180"),
        ("4x5", False, "180"),
        (kt.Board(7, 7, holes=["d4"]), True, "90"),
    ],
    ids=str,
)
def test_the_symmetry_stays(board: kt.Board | str, closed: bool, symmetry: str, objective: str) -> None:
    result = kt.solve(board, closed=closed, symmetry=symmetry, objective=objective, rng=2, limits=LITTLE)
    assert result.tour is not None
    assert {symmetry, "90" if symmetry == "180" else symmetry} & set(result.tour.symmetry.split("+"))
    sign = OBJECTIVES[objective].sign
    assert sign * result.counters["after"] <= sign * result.counters["before"]
    assert result.counters["after"] == OBJECTIVES[objective].of(result.tour, closed)
    assert result.tour.is_closed or not closed


def test_it_becomes_better() -> None:
    result = kt.solve("8x8", closed=True, symmetry="180", objective="turns", rng=1, limits=kt.Limits(20, 60_000))
    assert result.counters["after"] < result.counters["before"] - 5


@pytest.mark.parametrize("objective", ["turns", "crossings", "over-one-square", "area"])
@pytest.mark.parametrize(("board", "symmetry"), [("6x6", "90"), ("7x6", "180"), ("8x8", "180")])
def test_the_kernel_knows_what_its_exchanges_change(board: str, symmetry: str, objective: str) -> None:
    tour = kt.find_tour(board, closed=True, symmetry=symmetry, rng=3)
    squares = tour.order.tolist()
    kept = next(found for found in symmetries(tour.board) if found.name == symmetry)
    cover = cover_of(tour.board, squares, True, False, squares)
    cover = cover.with_symmetry(kept.image, order_of_image(kept.image))
    state = start_state(cover, OBJECTIVES[objective], 5, 5_000, None)
    c, image = state.counters, cover.images[: len(squares)]
    step = door("improve_step").bind(state)
    for _ in range(50):
        step(100)
        lists = as_lists(state)
        assert c[kernel.COST] == value_of(lists) and c[kernel.LOOPS] == len(loops_of(lists))
        links = {frozenset((v, state.links[2 * v + k])) for v in range(len(squares)) for k in (0, 1)}
        assert links == {frozenset(image[v] for v in link) for link in links}
    assert c[kernel.TAKEN] > 0


def test_ends_stay_with_the_symmetry() -> None:
    result = kt.solve("5x5", symmetry="180", start="a1", objective="turns", rng=1, limits=LITTLE)
    assert result.tour is not None and result.tour.start == (4, 0) and result.tour.symmetry == "180"


def test_improve_takes_the_symmetry_of_its_tour() -> None:
    tour = kt.find_tour("6x6", closed=True, symmetry="180", rng=1)
    # Tours with 90 have 180, too.
    assert kt.improve(tour, symmetry="180", rng=1, limits=LITTLE).tour.symmetry in ("180", "90")
    with pytest.raises(kt.ProblemError, match="the tour has no symmetry 180"):
        kt.improve(kt.find_tour("5x6", closed=True, rng=1), symmetry="180")
    with pytest.raises(kt.ProblemError, match="an improved tour may not stay Eulerian"):
        kt.improve(tour, symmetry="Eulerian")
    with pytest.raises(kt.ProblemError, match="an improved tour may not stay Eulerian"):
        kt.solve("6x6", closed=True, symmetry="Eulerian", objective="turns")
