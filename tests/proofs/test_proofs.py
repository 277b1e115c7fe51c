"""Tests of the finite part of docs/proofs.md: the package excludes the same problems."""

import importlib.util
import itertools
from pathlib import Path

import pytest

import knightstour as kt
from helpers import reference
from knightstour.core.model.board import Board
from knightstour.core.model.problem import Problem
from knightstour.core.proofs.theorems import (
    _all_paths,
    closed_rectangle_proof,
    is_pair_possible,
    open_rectangle_proof,
    rectangle_proof,
    surface_proof,
    why_excepted,
)

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_proofs.py"
_spec = importlib.util.spec_from_file_location("check_proofs", SCRIPT)
assert _spec is not None and _spec.loader is not None
proofs = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(proofs)


def test_block_tiles_match_the_lemma() -> None:
    assert proofs.check_blocks() == 8


def test_strips_of_7_to_13_columns_have_all_paths() -> None:
    assert proofs.check_strips() == sum(width**2 for width in range(7, 14)) == 728


def test_the_small_boards_of_the_corollaries_have_their_paths() -> None:
    assert proofs.check_small_boards() > 0


@pytest.mark.parametrize(("rows", "cols", "count"), [(3, 11, 40), (3, 14, 120), (5, 8, 103), (6, 6, 45), (7, 9, 138)])
def test_some_of_the_boards_on_which_the_inductions_rest(rows: int, cols: int, count: int) -> None:
    assert (rows, cols) in proofs.base_boards()
    assert proofs.check_board(rows, cols) == count


@pytest.mark.parametrize(("rows", "cols"), [(3, 24), (3, 25), (5, 21), (6, 15)])
def test_a_step_of_the_induction_applies_to_every_pair(rows: int, cols: int) -> None:
    assert proofs.check_steps(rows, range(cols, cols + 1)) > 0


@pytest.mark.slow
def test_the_whole_finite_part(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["check_proofs.py"])
    proofs.main()
    assert "32576 paths in all" in capsys.readouterr().out


def test_numbers_in_the_text_match_the_command() -> None:
    text = (SCRIPT.parent.parent / "docs" / "proofs.md").read_text(encoding="utf-8")
    assert "32,576 paths" in text and "all 728" in text


@pytest.mark.parametrize(
    ("rows", "cols"), [(3, 11), (3, 12), (3, 18), (3, 21), (5, 7), (5, 8), (5, 14), (6, 7), (7, 7)]
)
def test_the_pairs_excluded_are_those_the_package_excludes(rows: int, cols: int) -> None:
    squares = [(r, c) for r in range(rows) for c in range(cols)]
    for one in squares:
        for other in squares:
            excluded = proofs.is_excluded(rows, cols, one, other)
            assert excluded != is_pair_possible(rows, cols, one, other)
            if one != other:
                assert excluded == (rectangle_proof(Problem(Board(rows, cols), start=one, end=other)) is not None)


@pytest.mark.parametrize(
    "squares",
    [
        [(0, 0), (1, 2), (2, 0), (0, 1), (2, 2), (0, 3), (1, 1), (2, 3), (0, 2), (1, 0), (2, 1), (1, 3)],  # no move
        [(0, 0)] * 12,
        [(0, 0), (1, 2)],
    ],
)
def test_list_that_is_not_a_path_is_noticed(squares: list[tuple[int, int]]) -> None:
    with pytest.raises(proofs.ProofError):
        proofs.check_path(squares, 3, 4, squares[0], squares[-1])
    with pytest.raises(proofs.ProofError):
        proofs.check_path(squares, 3, 4, (2, 2), (0, 0))


def test_pair_without_a_path_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "window_path", lambda *args, **more: None)
    with pytest.raises(proofs.ProofError, match="no path found on 6x6"):
        proofs.check_board(6, 6)


# ---------------------------------------------------------------- the boards that theorems except


CLOSED = [(3, 4), (3, 6), (3, 8)]
OPEN = [(3, 3), (3, 5), (3, 6), (4, 4)]


@pytest.mark.parametrize("is_turned", [False, True])
@pytest.mark.parametrize(("size", "closed"), [*((s, True) for s in CLOSED), *((s, False) for s in OPEN)], ids=str)
def test_reason_is_an_argument_instead_of_an_exception(size: tuple[int, int], closed: bool, is_turned: bool) -> None:
    rows, cols = size[::-1] if is_turned else size
    reason, source = (closed_rectangle_proof if closed else open_rectangle_proof)(rows, cols) or ("", "")
    assert "exception" not in reason
    assert any(words in reason for words in ("moves left", "parts", "need all moves", "has at least", "no move"))
    assert "forced" in source or "removal" in source or "supply" in source or size == (3, 3)
    assert "Cull & De Curtins" in source
    # The squares that it names are those of the board as it was given, and the certificate is checked by other code.
    result = kt.solve((rows, cols), closed=closed)
    assert (result.reason, result.source) == (reason, source)
    assert kt.certificates.verify(result.certificate()).is_right


def test_path_search_counts_all_paths() -> None:
    board = kt.Board(3, 4, wrap="mobius")
    near = reference.adjacency(reference.spec_of(board))
    paths, front = 0, [[(0, 0)]]
    while front:
        paths += len(front)
        front = [[*path, square] for path in front for square in near[path[-1]] if square not in path]
    reason, source = surface_proof(kt.Problem(board, closed=True)) or ("", "")
    assert reason == f"a complete search of {paths} paths finds none" and "Watkins" in source
    # With all squares as starts, for open tours; 3x3 is walked by hand: 8 squares of a ring, both ways, and the middle.
    assert _all_paths(kt.Board(3, 3), False) == 1 + 8 * (1 + 2 * 7)


def test_board_with_a_tour_raises_nothing() -> None:
    with pytest.raises(AssertionError, match="has a tour"):
        _all_paths(kt.Board(3, 4), False)
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
def test_reason_on_a_surface_matches_its_moves(wrap: str, sizes: list[tuple[int, int]], words: str) -> None:
    for rows, cols in sizes:
        board = kt.Board(rows, cols, wrap=wrap)
        reason, _ = surface_proof(kt.Problem(board, closed=True)) or ("", "")
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
    assert any(surface_proof(kt.Problem(kt.Board(*size, wrap=wrap), closed=True)) is None for size in others)
