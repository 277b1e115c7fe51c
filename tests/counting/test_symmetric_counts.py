"""Symmetric tours and classes, compared with lists of all tours of small boards and with published numbers."""

import itertools
import math
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import knightstour as kt
from helpers import reference
from helpers.examples import examples, mostly_long
from helpers.strategies import boards
from knightstour.core.model.board import Board, move_graph
from knightstour.core.model.budget import Budget, Limits
from knightstour.core.model.errors import ProblemError
from knightstour.core.model.graph_board import CellBoard
from knightstour.core.model.grid_board import GridBoard
from knightstour.core.model.problem import Problem
from knightstour.core.model.result_errors import LimitReached
from knightstour.core.model.symmetry import symmetries
from knightstour.core.model.tour import Tour
from knightstour.lab.counting import sums
from knightstour.lab.counting.residues import primes, whole_number_from
from knightstour.lab.counting.settings import CountProgress
from knightstour.lab.counting.symmetric import count_classes, count_symmetric, symmetry_table

Moves = set[frozenset[reference.Square]]


def all_moves(board: Board, closed: bool) -> list[Moves]:
    """Return the moves of every undirected tour."""
    if isinstance(board, GridBoard):
        adjacent = reference.adjacency(reference.spec_of(board))
    else:
        adjacent = {(0, k): {(0, j) for j in others} for k, others in enumerate(move_graph(board).neighbour_lists())}
    if closed:
        walks = reference.closed_tours(adjacent)
    else:
        walks = [t for t in reference.all_tours(adjacent) if len(t) == 1 or t[0] < t[-1]]
    return [reference.moves_of(walk, closed) for walk in walks]


def check_board(board: Board, closed: bool) -> None:
    """Check each symmetry, the classes and the table of a board against its listed tours."""
    tours = all_moves(board, closed)
    squares = [tuple(square) for square in board.squares]
    goes = []
    for symmetry in symmetries(board):
        takes = {s: symmetry.takes(s) for s in squares}
        goes.append(takes)
        if all(takes[s] == s for s in squares):
            continue
        kept = sum({frozenset(takes[s] for s in move) for move in tour} == tour for tour in tours)
        assert count_symmetric(board, symmetry.name, closed=closed) == kept, (board, symmetry.name, closed)
    left = {frozenset(tour) for tour in tours}
    sizes = Counter[str]()
    while left:
        one = next(iter(left))
        images = {frozenset(frozenset(takes[s] for s in move) for move in one) for takes in goes}
        left -= images
        sizes["classes"] += 1
    assert count_classes(board, closed=closed, total=len(tours)) == sizes["classes"], (board, closed)


SMALL = [
    *(Board(r, c) for r, c in itertools.product(range(1, 6), repeat=2) if r * c <= 15),
    *(Board(r, c, leaper=(0, 1)) for r, c in [(2, 2), (2, 3), (3, 3), (4, 3), (4, 4)]),
    Board(3, 3, holes=[(1, 1)]),
    Board(3, 3, holes=[(1, 1)], leaper=(0, 1)),
    Board(4, 4, holes=[(0, 0), (0, 3), (3, 0), (3, 3)], leaper=(0, 1)),
    Board(4, 4, wrap="torus", holes=[(0, 0), (2, 2)]),
    Board(2, 4, wrap="torus", leaper=(0, 1)),
    Board(1, 7, wrap="torus", leaper=(0, 1)),
    Board(3, 4, wrap="cylinder", leaper=(0, 1)),
    Board(2, 5, wrap="cylinder", leaper=(0, 1)),
    Board(3, 3, wrap="mobius"),
    Board(3, 3, wrap="torus"),
    Board(1, 9, wrap="torus", moves="king"),
    Board("tri:3"),
    Board("tri:3:king"),
    Board("hex:2:wazir"),
    Board("2x2x2:wazir"),
    Board("2x2x2:knight"),
    CellBoard(set(Board("hex:2").labels or ()) - {(0, 0)}, moves="king", lattice="hexagon"),
]


@pytest.mark.parametrize("closed", [True, False], ids=["closed", "open"])
@pytest.mark.parametrize("board", mostly_long(SMALL, 12), ids=str)
def test_small_boards_have_as_many_symmetric_tours_as_listing_finds(board: Board, closed: bool) -> None:
    check_board(board, closed)


@pytest.mark.parametrize("size, leaper", [((2, 2), (0, 1)), ((4, 4), (0, 1)), ((2, 4), (0, 1)), ((5, 6), (1, 2))])
def test_table_matches_the_tour_for_each_row(size: Any, leaper: Any) -> None:
    board = Board(*size, leaper=leaper)
    adjacent = reference.adjacency(reference.spec_of(board))
    words = Counter(Tour(board, walk).symmetry for walk in reference.closed_tours(adjacent))
    rows = symmetry_table(board, closed=True, total=words.total())
    assert sum(row.tours for row in rows) == words.total()
    for row in rows:
        assert row.tours == sum(words[word] for word in row.symmetry.split(" or "))
    assert sum(row.classes for row in rows) == count_classes(board, closed=True, total=words.total())


def test_a_ring_of_squares_has_all_eight_symmetries() -> None:
    ring = Board(3, 3, holes=[(1, 1)], leaper=(0, 1))
    assert symmetry_table(ring, closed=True, total=1) == [
        ("180+vertical+horizontal+90+270+diagonal+antidiagonal", 1, 1)
    ]


def test_six_by_six_has_the_published_classes(published: dict[str, Any]) -> None:
    (fact,) = [f for f in published["classes"] if f["board"] == [6, 6]]
    rows = symmetry_table((6, 6), closed=True, total=9862)
    assert {row.symmetry: row.classes for row in rows} == fact["by_symmetry"]
    assert count_classes((6, 6), closed=True, total=9862) == fact["count"]


@pytest.mark.slow
def test_eight_by_eight_has_the_published_classes(published: dict[str, Any]) -> None:
    (fact,) = published["symmetric"]
    assert count_symmetric((8, 8), "180") == fact["count"]
    assert count_symmetric((10, 10), "90") == 831_804
    (classes,) = [f for f in published["classes"] if f["board"] == [8, 8]]
    assert count_classes((8, 8), closed=True, total=13_267_364_410_532) == classes["count"]


# ---------------------------------------------------------------- the sums behind it


def ladder(rungs: int) -> list[list[int]]:
    """Return a long graph: 2 x rungs squares in two rows."""
    near: list[list[int]] = []
    for i, j in itertools.product(range(rungs), range(2)):
        near.append([2 * i + 1 - j, *(2 * k + j for k in (i - 1, i + 1) if 0 <= k < rungs)])
    return near


def test_sums_past_64_bits_are_whole() -> None:
    near = ladder(30)
    weights = {(v, u): (3, -2) for v, others in enumerate(near) for u in others if v < u}
    weights[0, 1] = (2, 1)
    # The only cycle contains all moves along the sides, and the two rungs at the ends.
    assert sums.cycle_sums(near, weights) == (2 * 3**59, (-2) ** 59)
    assert sums.cycle_sums(ladder(12), {}, ends=(0,), to_any=True) == (12, 12)


def test_sums_of_a_board_end_where_the_memory_does() -> None:
    assert {name: count_symmetric((6, 6), name) for name in ("180", "90")} == {"180": 78, "90": 10}
    watch = CountProgress(Problem((8, 8), closed=True), Budget(Limits(bytes=2_000_000)))
    with pytest.raises(LimitReached, match="of memory"):
        count_symmetric((8, 8), "180", effort=sums.Effort(watch))


def test_primes_match_a_sieve() -> None:
    sieved = [n for n in range(3, 2001, 2) if all(n % d for d in range(3, math.isqrt(n) + 1, 2))]
    assert list(primes(2001)) == sieved[::-1]


def test_residues_make_the_number_again() -> None:
    few = list(itertools.islice(primes(), 4))
    for number in (0, 1, -1, 12345678901234567890, -(3**50)):
        assert whole_number_from([number % p for p in few], few) == number


# ---------------------------------------------------------------- errors


@pytest.mark.parametrize(
    "board, symmetry, said",
    [
        (Board(3, 4), "90", "no symmetry '90'"),
        (Board(3, 4), "identity", "identity"),
        (Board(3, 4, holes=[(0, 0)]), "180", "its symmetries: none"),
        (Board("tri:5"), "60", "its symmetries: 120, 240, mirror 0"),
    ],
)
def test_unanswerable_requests_return_an_error_with_the_reason(board: Board, symmetry: str, said: str) -> None:
    with pytest.raises(ProblemError) as caught:
        count_symmetric(board, symmetry)
    assert said in f"{caught.value} {caught.value.note}"


def test_symmetry_names_work_on_one_row_boards() -> None:
    loops = Board(1, 6, leaper=(0, 1))
    for name in ("180", "vertical"):
        assert count_symmetric(loops, name, closed=False) == 1
    with pytest.raises(ProblemError, match="invariant under the identity"):
        count_symmetric(loops, "horizontal")


def test_a_wrong_total_is_noticed() -> None:
    with pytest.raises(ProblemError, match="cannot be the number"):
        count_classes((6, 6), closed=True, total=9863)
    with pytest.raises(ProblemError, match="too many groups"):
        symmetry_table(Board(4, 4, wrap="torus"), closed=True, total=1)


RING = CellBoard(set(Board("hex:3").labels or ()) - {(0, 0)}, moves="wazir", lattice="hexagon")


TABLES = [Board("tri:5"), Board("tri:4:king"), pytest.param(Board("2x2x2:king"), marks=pytest.mark.long), RING]


@pytest.mark.parametrize("board", TABLES, ids=str)
def test_tables_of_cells_have_the_tours_that_listing_finds(board: Board) -> None:
    """These boards have turns of order 3 and 6, with and without mirrors."""
    images, listed = list(symmetries(board)), Counter[str]()
    for tour in all_moves(board, True):
        kept = [s.name for s in images if {frozenset(map(s.takes, move)) for move in tour} == tour]
        listed["+".join(kept[1:]) or "none"] += 1
    rows = symmetry_table(board, closed=True, total=listed.total())
    for row in rows:
        assert row.tours == sum(listed.pop(name) for name in row.symmetry.split(" or "))
    assert not listed
    assert sum(row.classes for row in rows) == count_classes(board, closed=True, total=sum(row.tours for row in rows))


def test_triangles_and_boxes_have_these_classes() -> None:
    assert kt.count("tri:8", closed=True, up_to_symmetry=True) == 228_593
    assert kt.count("2x3x4", closed=True, up_to_symmetry=True) == 1_572
    assert count_symmetric("tri:9", "120") == 270
    assert count_symmetric(Board(3, 6, wrap="torus"), "shift (1, 0)") > 0


@pytest.mark.parametrize("name", ["180", "vertical"])
def test_rotation_names_are_not_box_symmetries(name: str) -> None:
    with pytest.raises(ProblemError, match="no symmetry"):
        count_symmetric("2x3x4", name)
    with pytest.raises(ProblemError, match="no symmetry"):
        kt.solve("2x3x4", closed=True, symmetry=name)


@pytest.mark.parametrize("size", [(5, 6), (3, 10)], ids=str)
@pytest.mark.parametrize("is_shift", [True, False])
def test_symmetric_tours_are_counted_by_the_direction_of_their_image(size: tuple[int, int], is_shift: bool) -> None:
    takes = {s.name: s for s in symmetries(Board(*size))}["180"].takes
    found = 0
    for walk in reference.closed_tours(reference.adjacency(reference.spec_of(Board(*size)))):
        images = [takes(square) for square in walk]
        k = walk.index(images[0])
        turned = walk[k:] + walk[:k] if is_shift else walk[k::-1] + walk[:k:-1]
        found += images == turned
    assert count_symmetric(size, "180", is_shift=is_shift) == found


@pytest.mark.parametrize("size", [(5, 5), (3, 7), (3, 8), (4, 5)], ids=str)
def test_symmetric_open_tours_are_counted_by_their_ends(size: tuple[int, int]) -> None:
    board = Board(*size)
    tours = [tour for tour in kt.iter_tours(board) if "180" in tour.symmetries]
    counted = 0
    for square in range(len(board) // 2):
        pair = [square, len(board) - 1 - square]
        listed = sum(sorted(tour.order[[0, -1]].tolist()) == pair for tour in tours)
        assert count_symmetric(board, "180", closed=False, ends=pair) == listed
        counted += listed
    assert counted == len(tours) > 0
    everywhere = range(len(board))
    assert count_symmetric(board, "180", closed=False, ends=everywhere) == len(tours)


@st.composite
def small_shapes(draw: st.DrawFn) -> Board:
    """A few cells of a lattice, often symmetric, for a piece with short moves."""
    lattice = draw(st.sampled_from(["box", "hexagon"]))
    dimension = 2 if lattice == "hexagon" else draw(st.integers(2, 3))
    cells = draw(st.sets(st.tuples(*[st.integers(-1, 1)] * dimension), min_size=2, max_size=4))
    turned = {tuple(-x for x in cell) for cell in cells} if draw(st.booleans()) else set()
    piece = draw(st.sampled_from(["wazir", "king", "wazir+knight"]))
    return CellBoard(cells | turned, moves=piece, lattice=lattice)


@examples(50)
@given(boards(most_side=4, leapers=[(1, 2), (0, 1), (1, 1)]) | small_shapes())
def test_symmetric_counts_on_odd_shapes_match_listing(board: Board) -> None:
    if len(board) <= 10:
        check_board(board, True)
        check_board(board, False)
