"""The boards that theorems except: the reason is an argument or a search about each, which a checker confirms."""

from __future__ import annotations

import itertools

import pytest

import knightstour as kt
from helpers import reference
from knightstour.core.proofs import exceptions
from knightstour.core.proofs.exceptions import why_excepted
from knightstour.core.proofs.theorems import closed_rectangle_proof, open_rectangle_proof, surface_proof

CLOSED = [(3, 4), (3, 6), (3, 8)]
OPEN = [(3, 3), (3, 5), (3, 6), (4, 4)]


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize(("size", "closed"), [*((s, True) for s in CLOSED), *((s, False) for s in OPEN)], ids=str)
def test_the_reason_is_an_argument_and_not_that_it_is_an_exception(
    size: tuple[int, int], closed: bool, is_turned: bool
) -> None:
    rows, cols = size[::-1] if is_turned else size
    reason, source = (closed_rectangle_proof if closed else open_rectangle_proof)(rows, cols) or ("", "")
    assert "exception" not in reason
    assert any(words in reason for words in ("moves left", "parts", "need all moves", "has at least", "no move"))
    assert "forced" in source or "removal" in source or "supply" in source or size == (3, 3)
    assert "Cull & De Curtins" in source
    # The squares that it names are those of the board as it was given, and the certificate is checked by other code.
    result = kt.solve((rows, cols), closed=closed)
    assert (result.reason, result.source) == (reason, source)
    assert kt.verify(result.certificate).is_right


def test_a_search_is_of_all_paths_and_says_how_many() -> None:
    board = kt.Board(3, 4, wrap="mobius")
    near = reference.adjacency(reference.spec_of(board))
    paths, front = 0, [[(0, 0)]]
    while front:
        paths += len(front)
        front = [[*path, square] for path in front for square in near[path[-1]] if square not in path]
    reason, source = surface_proof(kt.Problem.of(board, closed=True)) or ("", "")
    assert reason == f"a complete search of {paths} paths finds none" and "Watkins" in source
    # With all squares as starts, for open tours; 3x3 is walked by hand: 8 squares of a ring, both ways, and the middle.
    assert exceptions._all_paths(kt.Board(3, 3), False) == 1 + 8 * (1 + 2 * 7)


def test_a_board_with_a_tour_is_no_exception() -> None:
    with pytest.raises(AssertionError, match="has a tour"):
        exceptions._all_paths(kt.Board(3, 4), False)
    with pytest.raises(AssertionError, match="has a tour"):
        why_excepted(kt.Board(2, 2, leaper=(0, 1)), True)


@pytest.mark.parametrize(
    ("wrap", "sizes", "words"),
    [
        ("cylinder", [(1, 5), (1, 6)], "cannot move"),
        ("cylinder", [(2, 4), (2, 6)], "every second column"),
        ("cylinder", [(4, 4), (4, 6)], "outer squares"),
        ("mobius", [(1, 5)], "cannot move"),
        ("mobius", [(2, 4), (2, 6)], "every second column"),
        ("mobius", [(4, 3), (4, 5), (4, 1)], "outer squares"),
    ],
)
def test_of_a_surface_the_reason_is_true_of_its_moves(wrap: str, sizes: list[tuple[int, int]], words: str) -> None:
    for rows, cols in sizes:
        board = kt.Board(rows, cols, wrap=wrap)
        reason, _ = surface_proof(kt.Problem.of(board, closed=True)) or ("", "")
        assert words in reason, (rows, cols)
        near = reference.adjacency(reference.spec_of(board))
        moves = [(a, b) for a, others in near.items() for b in others]
        if "cannot move" in words:
            assert not moves
        elif "second column" in words:
            assert all((a[1] - b[1]) % 2 == 0 for a, b in moves)
        else:
            # No outer square is joined to an outer one, and each move changes the colour.
            assert not any(a[0] in (0, 3) and b[0] in (0, 3) for a, b in moves)
            assert all((sum(a) - sum(b)) % 2 for a, b in moves), (rows, cols)
    others = itertools.product(range(1, 5), range(3, 7))
    assert any(surface_proof(kt.Problem.of(kt.Board(*size, wrap=wrap), closed=True)) is None for size in others)
