"""Tests of the fast check of orders against the definition, in lists and arrays."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from knightstour.core.constructions.implicit import implicit_tour
from knightstour.core.model import tour_check
from knightstour.core.model.board import Board
from knightstour.core.model.errors import InvalidTour
from knightstour.core.model.tour import Tour

IsTour: TypeAlias = Callable[[np.ndarray, int, int], bool]

SHAPES = [(1, 1), (3, 4), (3, 7), (4, 5), (5, 5), (3, 10), (5, 6), (6, 6), (7, 9), (8, 8), (19, 27), (23, 24)]
TOURS = {shape: implicit_tour(shape).order() for shape in SHAPES}


def in_lists(order: np.ndarray, rows: int, cols: int) -> bool:
    return len(order) == rows * cols and tour_check._is_small_tour(order, rows, cols)


def in_arrays(order: np.ndarray, rows: int, cols: int) -> bool:
    return len(order) == rows * cols and tour_check._is_large_tour(order, rows, cols)


def by_definition(order: np.ndarray, rows: int, cols: int) -> bool:
    spec = reference.spec_of(Board(rows, cols))
    return reference.is_tour(reference.adjacency(spec), [divmod(int(s), cols) for s in order])


def by_the_slow_check(order: np.ndarray, rows: int, cols: int) -> bool:
    try:
        tour_check.check(Board(rows, cols), np.stack(np.divmod(order.astype(np.int64), cols), axis=1))
    except InvalidTour:
        return False
    return True


WAYS: list[IsTour] = [tour_check.is_tour, in_lists, in_arrays, by_the_slow_check]


@given(st.data())
def test_all_checks_agree_on_valid_and_corrupt_tours(data: st.DataObject) -> None:
    rows, cols = shape = data.draw(st.sampled_from(SHAPES))
    order, size = TOURS[shape].copy(), rows * cols
    step = data.draw(st.integers(0, size - 1))
    other = data.draw(st.integers(0, size - 1))
    damage = data.draw(st.sampled_from(["none", "reversed", "doubled", "swapped", "missing", "more", "off", "rolled"]))
    if damage == "reversed":
        order = order[::-1].copy()
    elif damage == "doubled":
        order[step] = order[other]
    elif damage == "swapped":
        order[[step, other]] = order[[other, step]]
    elif damage == "missing":
        order = np.delete(order, step)
    elif damage == "more":
        order = np.append(order, order[step])
    elif damage == "off":
        order[step] = data.draw(st.sampled_from([-1, -size, size, size + 1, 2**31 - 1, -(2**31)]))
    elif damage == "rolled":
        order = np.roll(order, step)
    wanted = by_definition(order, rows, cols)
    assert damage not in ("none", "reversed") or wanted
    assert [is_tour(order, rows, cols) for is_tour in WAYS] == [wanted] * len(WAYS)


@given(st.sampled_from(SHAPES), st.randoms(use_true_random=False))
def test_path_leaving_one_side_and_entering_another_is_invalid(shape: tuple[int, int], random: Any) -> None:
    rows, cols = shape
    # Differences of numbers are valid; only coordinates show the fault.
    order = np.array(random.sample(range(rows * cols), rows * cols), dtype=np.int32)
    near = [d for d in (2 * cols + 1, 2 * cols - 1, cols + 2, cols - 2) if d > 0]
    for k in range(1, len(order)):
        order[k] = (order[k - 1] + random.choice(near)) % (rows * cols)
    wanted = by_definition(order, rows, cols)
    assert [is_tour(order, rows, cols) for is_tour in WAYS] == [wanted] * len(WAYS)


@pytest.mark.parametrize(
    "shape", [(1, 40_000), (40_000, 1), (2, 32_768), (3, 32_768), (32_768, 3), (32_769, 5), (5, 32_767)]
)
def test_sides_of_32768_and_more_are_checked_alike(shape: tuple[int, int]) -> None:
    rows, cols = shape
    size = rows * cols
    if min(shape) < 3:
        order = np.arange(size, dtype=np.int32)
        assert not tour_check.is_tour(order, rows, cols) and not by_the_slow_check(order, rows, cols)
        return
    order = implicit_tour(shape).order()
    assert tour_check.is_tour(order, rows, cols) and by_the_slow_check(order, rows, cols)
    for step in (1, size // 2, size - 1):
        spoilt = order.copy()
        spoilt[step] = spoilt[(step + size // 3) % size]
        assert not tour_check.is_tour(spoilt, rows, cols) and not by_the_slow_check(spoilt, rows, cols)


def test_a_large_check_goes_on_where_a_part_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tour_check, "_AT_ONCE", 7)
    for shape, order in TOURS.items():
        assert in_arrays(order, *shape)
        rng = np.random.default_rng(len(order))
        for value in (*rng.integers(0, len(order), size=3).tolist(), -1, len(order), 2**31 - 1):
            spoilt = order.copy()
            spoilt[rng.integers(len(order))] = value
            assert in_arrays(spoilt, *shape) == by_definition(spoilt, *shape)


# ---------------------------------------------------------------- numbers and squares


@pytest.mark.parametrize("at_once", [7, 10_000])
@pytest.mark.parametrize("kept", [np.int32, np.int64])
@pytest.mark.parametrize("shape", [(8, 8), (3, 10), (23, 24), (1, 1)])
def test_numbers_and_squares_of_an_order(
    shape: tuple[int, int], kept: type[np.signedinteger], at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tour_check, "_AT_ONCE", at_once)
    order = implicit_tour(shape).order().astype(kept)
    numbers, squares = tour_check.numbers_of(order, len(order)), tour_check.squares_of(order, Board(*shape))
    assert numbers.dtype == kept and squares.dtype == np.int32
    assert squares.tolist() == [list(divmod(s, shape[1])) for s in order.tolist()]
    assert [numbers.reshape(shape)[r, c] for r, c in squares.tolist()] == list(range(1, len(order) + 1))


def test_squares_of_the_largest_boards() -> None:
    cols = (1 << 33) + 7
    order = np.array([0, cols - 1, cols, 5 * cols + 3, (1 << 60) - 1], dtype=np.int64)
    squares = tour_check.squares_of(order, Board(1 << 27, cols))
    assert squares.dtype == np.int64 and squares.tolist() == [list(divmod(s, cols)) for s in order.tolist()]


# ---------------------------------------------------------------- stored arrays


def test_a_tour_keeps_its_order_and_makes_its_squares_once() -> None:
    source = TOURS[8, 8].copy()
    tour = Tour.from_array(source, (8, 8))
    assert tour._squares is None and tour.start == tour[0] and len(tour) == 64 and tour.is_closed in (True, False)
    assert tour == Tour.from_array(source, (8, 8)) and hash(tour) == hash(Tour((8, 8), list(tour)))
    source[:2] = source[1::-1]
    assert tour.order.tolist() == TOURS[8, 8].tolist() and tour.order is tour.order
    assert tour.squares is tour.squares and np.asarray(tour) is tour.squares
    for array in (tour.order, tour.squares):
        assert array.dtype == np.int32 and not array.flags.writeable and array.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        tour.order[0] = 5
    with pytest.raises(AttributeError):
        tour.order = source  # type: ignore[misc]


def test_numbers_too_large_for_the_kept_type_are_not_cut() -> None:
    order = TOURS[8, 8].astype(np.int64)
    for wrong in (order + (1 << 32), order - (1 << 32), (order + (1 << 32)).astype(np.uint64)):
        with pytest.raises(InvalidTour, match="is not on the 8x8 board"):
            Tour.from_array(wrong, (8, 8))
    squares = np.stack(np.divmod(order, 8), axis=1)
    for shift in (1 << 32, 1 << 61, -(1 << 32)):
        for column in (0, 1):
            wrong = squares.copy()
            wrong[:, column] += shift
            with pytest.raises(InvalidTour, match="is not on the 8x8 board"):
                Tour((8, 8), wrong)


def test_cached_order_is_reused_and_immutable() -> None:
    from knightstour.core.methods.solve import find_tour

    first, again = (find_tour((8, 8), start="b1", seed=0) for _ in range(2))
    assert first is not again and first == again
    for array in (first.order, again.order):
        with pytest.raises(ValueError, match=r"WRITEABLE|writeable"):
            array.setflags(write=True)


def test_a_wrong_order_that_a_method_gives_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from knightstour.core.constructions import explicit
    from knightstour.core.methods.solve import solve

    wrong = TOURS[8, 8].copy()
    wrong[[3, 4]] = wrong[[4, 3]]
    monkeypatch.setattr(explicit, "_kept_order", lambda problem: wrong.tobytes())
    with pytest.raises(InvalidTour, match="is not a knight's move"):
        solve((8, 8), seed=0)


@pytest.mark.parametrize(
    ("board", "moves", "word"),
    [
        ("3x3", "wazir", "3x3:wazir"),
        ("4x4:-b2", "king", "4x4:king:-b2"),
        ("7x7:king", "knight", "7x7:knight"),
        ("7x7", "gnu", "7x7:gnu"),
        ("6x6", "camel+wazir", None),
    ],
)
def test_fault_names_the_piece_whose_tour_it_is(board: str, moves: str, word: str | None) -> None:
    given = Board(board)
    other = Board(given.rows, given.cols, holes=given.holes, moves=moves)
    tour = kt.find_tour(other, seed=1)
    assert tour is not None
    with pytest.raises(InvalidTour) as caught:
        Tour(given, tour.squares)
    if word is None:
        assert "it is a tour of" not in str(caught.value)
    else:
        assert str(caught.value).endswith(f"it is a tour of the {word.split(':')[1]}")
        assert f"FILE {word}" in caught.value.help and Tour(word, tour.squares) == tour
