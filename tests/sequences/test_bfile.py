"""b-files of any family of boards, against listing all tours."""

from itertools import pairwise
from pathlib import Path

import pytest

import knightstour as kt
from helpers.examples import mostly_long
from knightstour.core.model.errors import ProblemError
from knightstour.lab.sequences.bfile import read_bfile


@pytest.mark.parametrize(
    ("board", "growth", "how"),
    mostly_long(
        [
            (kt.Board(6, 4), "rows", {}),
            (kt.Board(3, 10), "columns", {"closed": True, "symmetry": "180"}),
            (kt.Board(3, 4, wrap="cylinder"), "columns", {"directed": True}),
            (kt.Board(4, 4, wrap="torus"), "squares", {"closed": True}),
            (kt.Board(4, 3, wrap="klein"), "rows", {"closed": True}),
            (kt.Board(4, 6, leaper=(1, 3)), "columns", {}),
            (kt.Board(5, 5), "squares", {"symmetry": "90"}),
            (kt.Board(4, 5), "columns", {"symmetry": "vertical"}),
            (kt.Board(4, 6), "columns", {"up_to_symmetry": True}),
        ]
    ),
    ids=str,
)
def test_a_bfile_of_any_family_has_the_counts_of_its_boards(tmp_path: Path, board, growth, how) -> None:
    path = tmp_path / "b.txt"
    last = kt.sequences.write_sequence(path, kt.sequences.sequence_of(board, growth=growth, **how))
    terms = read_bfile(path)
    assert list(terms) == list(range(1, last + 1)) and last == (board.rows if growth == "rows" else board.cols)
    for n, value in terms.items():
        rows = board.rows if growth == "columns" else n
        cols = board.cols if growth == "rows" else n
        here = kt.Board(rows, cols, wrap=board.wrap, leaper=board.leaper)
        tours = list(kt.iter_tours(here, closed=how.get("closed", False), directed=how.get("directed", False)))
        if "symmetry" in how:
            tours = [tour for tour in tours if has_symmetry(tour, how["symmetry"])]
        if "up_to_symmetry" in how:
            tours = list({tour.canonical(closed=how.get("closed", False)) for tour in tours})
        assert value == len(tours), n


def has_symmetry(tour: kt.Tour, name: str) -> bool:
    """Whether the tour, turned or mirrored, is the same drawing."""
    turned = tour.reflected(name) if name == "vertical" else tour.rotated(int(name))
    return _moves(turned) == _moves(tour)


def _moves(tour: kt.Tour) -> set[frozenset[tuple[int, int]]]:
    squares = [tuple(square) for square in tour.squares.tolist()]
    pairs = list(pairwise(squares)) + ([(squares[-1], squares[0])] if tour.is_closed else [])
    return {frozenset(pair) for pair in pairs}


@pytest.mark.parametrize(
    ("board", "growth"),
    [
        ("5x6", "squares"),
        ("5x5", "diagonals"),
        (kt.Board(3, 4, holes=["a1"]), "columns"),
        (kt.Board.from_graph([[1], [0]]), "columns"),
    ],
    ids=str,
)
def test_a_bfile_of_boards_that_do_not_grow_is_refused(tmp_path: Path, board, growth) -> None:
    with pytest.raises(ProblemError):
        kt.sequences.write_sequence(tmp_path / "b.txt", kt.sequences.sequence_of(board, growth=growth))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("4x4:torus --closed --growth squares", "undirected closed knight's tours of the n x n torus"),
        ("3x4:cylinder --closed", "closed knight's tours of the 3 x n cylinder, its last column joined to its first"),
        ("3x4:mobius --closed", "of the 3 x n mobius, its last column joined to its first, turned"),
        ("3x4:1,3 --directed", "directed open (1,3) leaper's tours"),
        ("4x5 --symmetry vertical", "with symmetry vertical of the 4 x n board"),
        ("4x5 --classes", "classes of open knight's tours"),
        ("5x4 --growth rows", "of the n x 4 board"),
    ],
)
def test_the_command_line_prints_and_writes_them(words, title, tmp_path, run) -> None:
    code, out, _ = run("oeis", "--of", *words.split(), "--bfile", "-")
    assert code == 0 and title in out.splitlines()[0]
    path = tmp_path / "b.txt"
    assert run("oeis", "--of", *words.split(), "--bfile", str(path))[0] == 0
    assert path.read_text() == out
    assert run("oeis", "--of", *words.split(), "--bfile", str(path))[0] == 2
    assert path.read_text() == out


def test_the_command_line_says_where_a_limit_ended_it(run) -> None:
    code, out, err = run(*["oeis", "--of", "8x9", "--closed", "--max-nodes", "500", "--bfile", "-"])
    last = out.split("\n")[-2].split()[0]
    assert code == 3 and f"ends at n = {last}" in err


def test_a_checkpoint_is_of_one_sequence_and_what_it_holds_is_said_to_be_resumed(tmp_path, run) -> None:
    words = ["--bfile", "-", "--checkpoint", str(tmp_path / "kept")]
    first = run("oeis", "--of", "5x6", *words)[1]
    code, again, _ = run("oeis", "--of", "5x6", *words)
    assert code == 0 and "resumed" not in first
    assert again.replace(", resumed", "") == first != again
    code, _, err = run("oeis", "--of", "5x6", "--closed", *words)
    assert code == 2 and "holds terms of the undirected open knight's tours of the 5 x n board" in err
